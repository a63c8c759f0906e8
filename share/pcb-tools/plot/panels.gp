# Lines in time, a panel for each unit. np panels: plabel, plo, phi, first: the
# first line of each, with its name; $rows: time, value, whether it has flags, an index
# for each of nlines; names at the ends of all panels.
below = text ? 2 : 0.8; foot = text ? 4 : 3.9
line = (lines - above - foot - below * (np - 1)) / np; if (text) { line = floor(line) }
set lmargin 9; set multiplot; top = above; high_ = line
do for [p=1:np] {
	if (p == 2) { eval untitled }
	set tmargin at screen 1 + text * 0.1 / lines - top / (lines - text); top = top + line; set bmargin at screen 1 + text * 0.1 / lines - top / (lines - text); top = top + below
	ylo = plo[p] * 1.05; yhi = phi[p] * (plabel[p] eq 'misses (%)' ? 1 : 1.08)
	set xrange [0:xhi]; set yrange [ylo:yhi]; set ytics round_up((phi[p] - plo[p]) * 2.2 / line)
	if (text) { set label 979 plabel[p] at screen 0, graph 1 offset 0,1 tc lt ink_ } else { if (strlen(plabel[p]) * 0.47 > line) { set label 979 plabel[p] at graph 0, graph 1 offset 0.5,-0.6 front tc lt ink_ } else { set ylabel plabel[p] offset 0.5,0 } }
	if (p < np) { set format x ''; unset xlabel; if (text) { set border 2 } } else { set format x '%.10g'; set xlabel xlabel; set border 3 }
	set xtics round_up(xhi * 9. / columns)
	e0 = first[p] - 1; last_ = p < np ? first[p+1] - 1 : nlines
	do for [i=1:nlines] { unset label i; unset arrow i }
	# The highest, if there is no room for all.
	nend = nlines > 1 ? last_ - e0 : 0; most_ = int(line / 1.1); if (nend > most_) { e0 = e0 + nend - most_; nend = most_ }
	eval ends
	plot for [i=first[p]:last_] $rows index i-1 using 1:2 with lines lt linelook[i] lw 1.6 dt 1 notitle, \
	     for [i=first[p]:last_] $rows index i-1 using ($3 > 0 ? $1 : NaN):2 with points pt (text ? 15 : 6) ps 1.3 lw 1.2 lc ink_ notitle
	eval noted
}
unset multiplot
