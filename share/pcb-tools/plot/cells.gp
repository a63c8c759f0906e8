# A value for each pair, or from each device to each other. pcb-plot sets np
# panels with an array what (below the axis), shades from lo to hi, shadelog, unit, and
# nx, ny, xname, yname, xevery; $rows: column, row, value, dark, apart (1: without
# a shade), number of the text, an index for each panel; cell: texts of cells; $frames.
key(i) = i > 0 ? int(i) : 1
both(i) = cell[i].(two(i) ? "\n".share[i] : ''); two(i) = strlen(share[i]) && each > 2 * ny
# A label of two lines has the first one at its place.
middle(y, i) = y - (two(i) ? 0.5 * ny / each : 0)
set palette defined (0 '#fde725', 1 '#90d743', 2 '#35b779', 3 '#21918c', 4 '#31688e', 5 '#443983', 6 '#440154')
set yrange [ny+0.5:0.5]; set xrange [0.5:nx+0.5]; unset xtics; unset ytics; unset grid; set border 0; unset ylabel
set lmargin yw + 2; wide = columns - yw - 14.
# A text without room has the names of columns, which all panels share, once.
below = text ? 2 : 3.2; foot = text ? 0 : 0.5
if (text && np > 1 && (lines - above) / np - below < ny) { below = 1; foot = 1 }
each = (lines - above - foot) / np - below; if (text) { each = floor(each) }
yevery = each < ny ? int(ceil(ny / each)) : 1; set for [i=1:ny:yevery] label (2000 + i) yname[i] at graph 0, first i right offset (text ? -1 : -0.5),0 tc lt ink_
# Borders would hide narrow cells.
if (wide < 2 * nx || each * 2 < ny) { set style fill solid 1 noborder } else { set style fill solid 1 border lc rgb '#ffffff' }
set multiplot; top = above
do for [p=1:np] {
	if (p == 2) { eval untitled }
	set tmargin at screen 1 - (top - text * 0.2) / (lines - text); set bmargin at screen 1 - (top + each - text * 0.2) / (lines - text); top = top + each + below
	if (p == (below > 1 ? 1 : np)) { set for [i=1:nx:xevery] label (3000 + i) xname[i] at first i, graph 0 center offset 0,(text ? 0 : -0.8) tc lt ink_ }
	set label 979 what[p] at graph 0.5, graph 0 center offset 0,(text ? (below > 1 || p == np ? -1 : 0) : -1.9) tc lt ink_
	set label 978 (text ? '' : unit) at graph 1, graph 1 left offset 1,0.7 tc lt ink_; set cbrange [lo:hi]; if (shadelog > 0) { set logscale cb } else { unset logscale cb; if (each < 8) { set cbtics (sprintf('%.4g', lo) lo, sprintf('%.4g', hi) hi) } else { set cbtics round_up((hi - lo) * 2.5 / each) } }
	if (text) {
		plot $rows index p-1 using 1:2:(int($2 - 1) % yevery == 0 ? both(key($6)) : '') with labels tc lt ink_ notitle
	} else {
		plot $rows index p-1 using 1:2:($1-.5):($1+.5):($2-.5):($2+.5):($5 > 0 ? NaN : $3) with boxxyerror lc palette notitle, \
		     $rows index p-1 using 1:($5 > 0 ? $2 : NaN):($1-.5):($1+.5):($2-.5):($2+.5) with boxxyerror lc rgb '#e4e4e4' notitle, \
		     $frames using 1:2 with lines lc rgb '#000000' lw 2.5 notitle, \
		     $rows index p-1 using 1:(middle($2, key($6))):(both(key($6))):($4 > 0 ? 0xffffff : 0) with labels tc rgb variable notitle
	}
	eval noted
}
unset multiplot
