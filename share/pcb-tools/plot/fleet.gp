# How far each host is off the median of all. $rows: percent, row; index 0 within
# the tolerance, 1 beyond. says, saysat, saysrow: names beside outliers; few: whether hosts are.
eval rows; wide = columns - roww; eval xaxis
set arrow 1 from 0, graph 0 to 0, graph 1 nohead lc rgb ink0 lw 1 back
if (!text) { set object 1 rectangle from -tolerance, graph 0 to tolerance, graph 1 fc rgb '#ececec' fs solid 1 noborder behind }
set for [i=1:nsays] label (2000 + i) says[i] at saysat[i], saysrow[i] left offset (text ? 2 : 1.2),0 tc rgb ink0
line(y) = text ? floor(y + 0.5) : y
plot $rows index 0 using 1:(line($2)) with points pt (text ? 15 : 7) ps few ? 0.7 : 0.4 lc rgb (text ? c(1) : '#800072B2') notitle, \
     $rows index 1 using 1:(line($2)) with points pt (text ? 24 : 7) ps 0.9 lc rgb c(5) notitle
eval noted
