# Lines in time, a panel for each unit. np panels: plabel, plo, phi, first: the
# first line of each, with its name; $rows: time, value, whether it has flags, an index
# for each of nlines; pend: names at the ends.
below = text ? 2 : 0.8; foot = text ? 4 : 3.9
line = (lines - above - foot - below * (np - 1)) / np; if (text) { line = floor(line) }
set rmargin (nlines > 1 ? pendw + 3 : 3); set lmargin 9; set multiplot; top = above
do for [p=1:np] {
	if (p == 2) { do for [i=1:ntitles] { unset label (980 + i) }; do for [i=1:nsub] { unset label (990 + i) } }
	set tmargin at screen 1 + text * 0.1 / lines - top / (lines - text); top = top + line; set bmargin at screen 1 + text * 0.1 / lines - top / (lines - text); top = top + below
	set xrange [0:xhi]; set yrange [plo[p]*1.05:phi[p]*(plabel[p] eq 'misses (%)' ? 1 : 1.08)]; set ytics round_up((phi[p] - plo[p]) * 2.2 / line)
	if (text) { set label 979 plabel[p] at screen 0, graph 1 offset 0,1 tc rgb ink0 } else { set ylabel plabel[p] offset 0.5,0 }
	if (p < np) { set format x ''; unset xlabel; if (text) { set border 2 } } else { set format x '%.10g'; set xlabel xlabel; set border 3 }
	set xtics round_up(xhi * 9. / columns)
	e0 = first[p] - 1; last_ = p < np ? first[p+1] - 1 : nlines; ne = last_ - e0
	array at_[ne > 0 ? ne : 1]; gap_ = 1.1 / line; do for [i=1:20] { unset label (3000 + i); unset arrow (3000 + i) }
	do for [i=1:ne] { at_[i] = (pendy[e0+i] - plo[p]*1.05) / (phi[p]*1.08 - plo[p]*1.05); if (i > 1) { if (at_[i] < at_[i-1] + gap_) { at_[i] = at_[i-1] + gap_ } } }
	if (ne > 0) { if (at_[ne] > 1) { at_[ne] = 1; do for [i=ne-1:1:-1] { if (at_[i] > at_[i+1] - gap_) { at_[i] = at_[i+1] - gap_ } } } }
	if (nlines > 1) { do for [i=1:ne] { set label (3000 + i) marked(pendlook[e0+i], 0, pend[e0+i]) at graph 1, graph at_[i] left offset (text ? 1 : 1.8),0 tc rgb ink(pendlook[e0+i])
		if (!text) { set arrow (3000 + i) from pendx[e0+i], pendy[e0+i] to graph 1.02, graph at_[i] nohead lc rgb c(pendlook[e0+i]) lw 0.6 } } }
	plot for [i=first[p]:last_] $rows index i-1 using 1:2 with lines lt linelook[i] lw 1.6 dt 1 notitle, \
	     for [i=first[p]:last_] $rows index i-1 using ($3 > 0 ? $1 : NaN):2 with points pt (text ? 15 : 6) ps 1.3 lw 1.2 lc rgb ink0 notitle
	eval noted
}
unset multiplot
