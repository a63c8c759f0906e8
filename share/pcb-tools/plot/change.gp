# Before and after, by row. $rows: before, after, low, high, row, differs (1 or 0).
# base, other, unclear: names; intervals, differing: how many rows have them; says:
# the difference in words, beside the highest value of its row, at right.
eval rows; wide = columns - roww; eval xaxis
set for [i=1:ny:every] label (2000 + i) says[i] at right[i], i left offset (text ? 2 : 1.5),0 tc rgb (differs[i] > 0 ? ink0 : grey)
if (nkeys > 0) { eval legend }
hue(d) = d > 0 ? rgb(1) : rgb(8)
line(y) = text ? floor(y + 0.5) : y
plot $rows using 1:(line($5)):($2-$1):(0):(hue($6)) with vectors nohead lw 2 lc rgb variable notitle, \
     $rows using (text ? NaN : $2):5:3:4 with xerrorbars pt 0 lw 1.2 lc rgb ink0 notitle, \
     $rows using 3:(text ? line($5) : NaN) with points pt 91 lc rgb ink0 notitle, \
     $rows using 1:(line($5)) with points pt (text ? 15 : 6) ps 1.2 lw 1.5 lc rgb ink0 notitle, \
     $rows using 2:($6 > 0 ? line($5) : NaN) with points pt (text ? 1 : 7) ps 1 lc rgb c(1) notitle, \
     $rows using 2:($6 > 0 ? NaN : line($5)) with points pt (text ? 2 : 7) ps 1 lc rgb c(8) notitle
eval noted
