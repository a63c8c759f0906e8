# A value for each pair, or from each device to each other. pcb-plot sets np
# panels with an array what (below the axis), shades from lo to hi, shadelog, unit, and
# nx, ny, xname, yname, xevery; $rows: column, row, value, dark, apart (1: without
# a shade), number of the text, an index for each panel; cell: texts of cells; $frames.
key(i) = i > 0 ? int(i) : 1
both(i) = cell[i].(strlen(share[i]) && each - (np > 1 ? 0 : 1.8) > 2 * ny ? "\n".share[i] : '')
set palette defined (0 '#fde725', 1 '#90d743', 2 '#35b779', 3 '#21918c', 4 '#31688e', 5 '#443983', 6 '#440154')
set yrange [ny+0.5:0.5]; set xrange [0.5:nx+0.5]; set ytics () scale 0; unset grid; set border 0; unset ylabel
set lmargin yw + 2; set xtics () scale 0; set for [i=1:nx:xevery] xtics add (xname[i] i)
below = text ? 2 : 3.2; each = (lines - above - below * np - !text * 0.5) / np
if (text) { each = floor(each) }
yevery = each < ny ? int(ceil(ny / each)) : 1; set for [i=1:ny:yevery] ytics add (yname[i] i)
if (np > 1) { set multiplot }
do for [p=1:np] {
	if (p == 2) { do for [i=1:ntitles] { unset label (980 + i) }; do for [i=1:nsub] { unset label (990 + i) } }
	if (np > 1) { top = above + (p - 1) * (each + below); set tmargin at screen 1 - (top - text * 0.2) / (lines - text); set bmargin at screen 1 - (top + each - text * 0.2) / (lines - text) }
	set xlabel what[p]; set cblabel unit; set cbrange [lo:hi]; if (shadelog > 0) { set logscale cb } else { unset logscale cb; set cbtics round_up((hi - lo) * 2.5 / each) }
	if (text) {
		plot $rows index p-1 using 1:2:(cell[key($6)]) with labels tc rgb ink0 notitle
	} else {
		plot $rows index p-1 using 1:2:($1-.5):($1+.5):($2-.5):($2+.5):($5 > 0 ? NaN : $3) with boxxyerror lc palette fs solid 1 border lc rgb '#ffffff' notitle, \
		     $rows index p-1 using 1:($5 > 0 ? $2 : NaN):($1-.5):($1+.5):($2-.5):($2+.5) with boxxyerror lc rgb '#e4e4e4' fs solid 1 border lc rgb '#ffffff' notitle, \
		     $frames using 1:2 with lines lc rgb '#000000' lw 2.5 notitle, \
		     $rows index p-1 using 1:2:(both(key($6))):($4 > 0 ? 0xffffff : 0) with labels tc rgb variable notitle
	}
	eval noted
}
if (np > 1) { unset multiplot }
