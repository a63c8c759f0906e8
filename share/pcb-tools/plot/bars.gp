# Bars in named rows. np panels with high[p] rows, from xlow[p] to xhigh[p], tics up to
# xmost[p]; $bars: from, to, row, half of the height, key, an index for each panel; hue and sign
# (in a text) of keys; rowname and says: texts with their panel, row, x, red.
rep(s, k) = k < 1 ? '' : k == 1 ? s : rep(s, int(k) / 2).rep(s, int(k) - int(k) / 2)
key(i) = i > 0 ? int(i) : 1
chars(k) = k > 1 ? (k < columns ? int(k + 0.5) : int(columns)) : 1
below = text ? 4 : 3.4; foot = keyrows - text; if (nkeys > 0) { eval legend }
all = 0; do for [p=1:np] { all = all + high[p] }
line = (lines - above - foot - below * np) / all; if (text) { line = line < 1 ? 1 : floor(line) }
every = line < 1 ? int(ceil(1.05 / line)) : 1
set border (text ? 3 : 1); unset ytics; unset ylabel; set lmargin roww * (text ? 1 : 0.94) + 2; set rmargin 3; wide = columns - roww - 5.
if (!text) { set grid xtics noytics }
set multiplot
top = above
do for [p=1:np] {
	if (p == 2) { do for [i=1:ntitles] { unset label (980 + i) }; do for [i=1:nsub] { unset label (990 + i) }; do for [i=1:nkeys] { unset label (700 + i); unset label (750 + i) } }
	do for [i=1:nrowname] { unset label (1000 + i) }; do for [i=1:nsays] { unset label (5000 + i) }
	do for [i=1:nrowname] { if (rownamepanel[i] == p && int(rownamerow[i] - 1) % every == 0) { set label (1000 + i) rowname[i] at screen 0, first rownamerow[i] left offset 1,0 tc rgb ink0 } }
	do for [i=1:nsays] { if (sayspanel[i] == p && int(saysrow[i] - 1) % every == 0) { set label (5000 + i) says[i] at saysx[i], saysrow[i] left offset (text ? 2 : 1),0 tc rgb (saysred[i] > 0 ? '#D00000' : ink0) } }
	set tmargin at screen 1 + text * 0.1 / lines - top / (lines - text); top = top + high[p] * line; set bmargin at screen 1 + text * 0.1 / lines - top / (lines - text); top = top + below
	set xrange [xlow[p]:xhigh[p]]; set yrange [high[p] + (text ? 1 : 0.5):(text ? 1 : 0.5)]; set xlabel xname[p] offset 0,(text ? 0 : 0.4)
	step = round_up((xhigh[p] - xlow[p]) * 9. / wide); set xtics ceil(xlow[p] / step - 0.001) * step, step, xmost[p]
	cell_ = (xhigh[p] - xlow[p]) / wide
	if (nbar[p] < 1) { plot -1 notitle } else { if (text) {
		plot $bars index p-1 using 1:3:(rep(sign[key($5)], chars(($2 - $1) / cell_))):(hue[key($5)]) with labels left tc rgb variable notitle
	} else {
		plot $bars index p-1 using 1:3:1:2:($3-$4):($3+$4):(hue[key($5)]) with boxxyerror fs solid 1 noborder lc rgb variable notitle
	} }
	eval noted
}
unset multiplot
