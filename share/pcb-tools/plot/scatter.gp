# Every sample. $rows: x, value, an index for each of n series; far: those above it
# have rings; few: whether points are.
eval yaxis; eval xaxis; if (nkeys > 0) { eval legend }
plot for [i=1:n] $rows index i-1 using 1:2 with points pt shape(look[i]) ps few ? 0.8 : 0.4 lc rgb (text ? c(look[i]) : '#80'.substr(c(look[i]), 2, 7)) notitle, \
     $rows using 1:($2 > far ? $2 : NaN) with points pt (text ? 15 : 6) ps 1.8 lw 1.5 lc ink_ notitle
eval noted
