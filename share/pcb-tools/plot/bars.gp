# Bars in named rows. np panels with high[p] rows, from xlow[p] to xhigh[p], tics up to
# xmost[p]; $bars: from, to, row, half of the height, key, an index for each panel; hue and sign
# (in a text) of keys, mark: 0 a bar, -1 an interval, -2 a line, else the shape of a point of
# marksize; rowname: of all rows; says: texts with their panel, row, x, tone (1: red, 2: grey); if
# lined, a line at vline with a band.
rep(s, k) = k < 1 ? '' : k == 1 ? s : rep(s, int(k) / 2).rep(s, int(k) - int(k) / 2)
key(i) = i > 0 ? int(i) : 1
line_(y) = floor(y + 0.5)
chars(k) = k > 1 ? (k < columns ? int(k + 0.5) : int(columns)) : 1
below = text ? 4 : 3.4; foot = keyrows; if (nkeys > 0) { eval legend }
all = 0; do for [p=1:np] { all = all + high[p] }
line = (lines - above - foot - below * np) / all; if (text) { line = line < 1 ? 1 : floor(line) }
every = line < 1 ? int(ceil(1.05 / line)) : 1
set border (text ? 3 : 1); unset ytics; unset ylabel; set lmargin roww * (text ? 1 : 0.94) + 2; set rmargin 3; wide = columns - roww - 5.
if (!text) { set grid xtics noytics }
set multiplot
top = above; named_ = 0
do for [p=1:np] {
	if (p == 2) { eval untitled; do for [i=1:nkeys] { unset label (700 + i); unset label (750 + i) } }
	do for [i=1:all] { unset label (1000 + i) }; do for [i=1:nsays] { unset label (5000 + i) }
	do for [i=1:int(high[p])] { if ((i - 1) % every == 0) { set label (1000 + i) rowname[named_ + i] at screen 0, first i left offset 1,0 front tc lt ink_ } }; named_ = named_ + int(high[p])
	do for [i=1:nsays] { if (sayspanel[i] == p && int(saysrow[i] - 1) % every == 0) { set label (5000 + i) says[i] at saysx[i], saysrow[i] left offset (text ? 2 : 1),0 tc lt (saystone[i] == 1 ? 13 : saystone[i] > 0 ? grey_ : ink_) } }
	set tmargin at screen 1 + text * 0.1 / lines - top / (lines - text); top = top + high[p] * line; set bmargin at screen 1 + text * 0.1 / lines - top / (lines - text); top = top + below
	set xrange [xlow[p]:xhigh[p]]; set yrange [high[p] + (text ? 1 : 0.5):(text ? 1 : 0.5)]; set xlabel xname[p] offset 0,(text ? 0 : 0.4)
	if (lined) { set arrow 1 from vline, graph 0 to vline, graph 1 nohead lc ink_ lw 1 back; if (!text && band > 0) { set object 1 rectangle from vline - band, graph 0 to vline + band, graph 1 fc rgb '#ececec' fs solid 1 noborder behind } }
	xlo = xlow[p]; xhi = xhigh[p]; xlog = xlogs[p]; xlabel = xname[p]
	if (xlog) { eval xaxis } else { step = round_up((xhi - xlo) * 9. / wide); set xtics ceil(xlo / step - 0.001) * step, step, xmost[p] }
	cells(x) = floor((xlog ? log(x / xlo) / log(xhi / xlo) : (x - xlo) / (xhi - xlo)) * (wide - 1) + 0.5)
	if (nbar[p] < 1) { plot -1 notitle } else { if (text) {
		plot $bars index p-1 using 1:(line_($3)):(mark[key($5)] == -1 ? '' : rep(sign[key($5)], chars(cells($2) - cells($1)))):(legible(hue[key($5)])) with labels left tc rgb variable notitle
	} else {
		plot $bars index p-1 using (mark[key($5)] ? NaN : $1):3:1:2:($3-$4):($3+$4):(hue[key($5)]) with boxxyerror fs solid 1 noborder lc rgb variable notitle, \
		     $bars index p-1 using (mark[key($5)] == -2 ? $1 : NaN):3:($2-$1):(0):(hue[key($5)]) with vectors nohead lw 2 lc rgb variable notitle, \
		     $bars index p-1 using (mark[key($5)] == -1 ? ($1 + $2) / 2 : NaN):3:1:2 with xerrorbars pt 0 lw 1.2 lc ink_ notitle, \
		     $bars index p-1 using (mark[key($5)] > 0 ? $1 : NaN):3:(marksize[key($5)]):(mark[key($5)]):(hue[key($5)]) with points ps variable pt variable lw 1.5 lc rgb variable notitle
	} }
	eval noted
}
unset multiplot
