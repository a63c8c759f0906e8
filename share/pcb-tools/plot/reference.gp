# Public results and one's own, in percent of the bound of their link. $rows:
# percent, row; index 0: public, 1: one's own.
eval rows; wide = columns - roww; eval xaxis
set arrow 1 from 100, graph 0 to 100, graph 1 nohead lc rgb ink0 lw 1 back
if (nkeys > 0) { eval legend }
line(y) = text ? floor(y + 0.5) : y
plot $rows index 0 using 1:(line($2)) with points pt (text ? 1 : 7) ps 0.7 lc rgb c(1) notitle, \
     $rows index 1 using 1:(line($2)) with points pt (text ? 24 : 2) ps 1.4 lw 2 lc rgb c(5) notitle
eval noted
