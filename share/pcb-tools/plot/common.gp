# SPDX-License-Identifier: GPL-2.0-or-later
# Looks and places that all kinds share. pcb-plot sets before: text, page, small
# (1: a text terminal, a page, a column of a paper), colour (0: a terminal
# without), columns and lines (of the picture, in characters), titles, sub (lines
# above the axes; ntitles, nsub), n and look (of the series, from 1; 9: pale).
colours = "#0072B2 #E69F00 #009E73 #56B4E9 #D55E00 #CC79A7 #000000 #8A8A8A #BBBBBB #000000"
inks    = "#0072B2 #9A6A00 #007E5C #2C79A6 #B94F00 #A34F7D #000000 #6A6A6A #7A7A7A #000000"
# gnuplot 5.4 gives most greys a number that no terminal has; these are none.
if (text) { inks = "#5599DD #E69F00 #00BE83 #56B4E9 #E56E10 #CC79A7 #8888a0 #b09060 #606068 #8888a0"; colours = inks }
legible(h) = int(h) % 0x010101 == 0 && (h < 0x303030 || h > 0x909090) ? 0x8888a0 : h
shapes = "7 5 9 13 11 6 4 8 1"
# Of text and axes; a terminal has its own, on white or on black.
ink_ = text ? -1 : 11; grey_ = text ? -1 : 12
set linetype 11 lc rgb '#000000'; set linetype 12 lc rgb '#606060'; set linetype 13 lc rgb '#D00000'
do for [i=1:9] { set linetype i lc rgb word(colours, i) lw (i == 9 ? 0.8 : 2) pt (text ? i : int(word(shapes, i))) ps (i == 9 ? 0.3 : 0.7) dt 1*(i < 5 || i == 9 ? 1 : i - 3) }
set linetype 10 lc rgb word(colours, 10) lw 1.5 dt 2 pt 0	# a bound
c(l) = word(colours, int(l)); ink(l) = word(inks, int(l))
at = sprintf('%c', 64)
# In a text without colour, the character of its line or points tells a series apart:
# mark, as of keymark.
sign(l, mark) = text && !colour && l < 10 && mark < 3 ? substr(mark > 0 ? 'ABCDEFGHI' : '*#$%'.at.'&=*+', int(l), int(l)) : ''
lined_(l) = text && !colour && l > 8 ? 0 : l	# drawn by '.' and '+'
marked(l, mark, s) = (strlen(sign(l, mark)) && strlen(s) ? sign(l, mark).' ' : '').s

set border 3 lc grey_; set tics nomirror out; unset key
set grid lt 1 lc rgb '#dcdcdc' lw 1; if (text) { unset grid }
set for [i=1:ntitles] label (980 + i) titles[i] at screen 0, screen 1 left offset (text ? 0 : 1.2),(text ? 1 - i : 0.1 - 1.3*i) tc lt ink_ font (text ? '' : sprintf(',%.0f', fontsize * 4 / 3.))
above = text ? ntitles : ntitles * 1.35 + (ntitles ? 0.25 : 0)
set for [i=1:nsub] label (990 + i) sub[i] at screen 0, screen 1 left offset (text ? 0 : small ? 0.2 : 1.5),(text ? 1 - i - above : 0.05 - i - above) tc lt grey_
above = above + nsub + (text ? 1 : small ? 0.8 : 0.9); set tmargin above
# Lines of the vertical axis. Its name is above it in a text, which cannot turn it, and
# if it is longer than the axis.
heights = "high_ = lines - above - (nkeys > 0 ? keyrows : 0) - (text ? 3 : 3.6); high_ = high_ < 1.5 ? 1.5 : high_"
vertical = "eval heights; if (text || strlen(ylabel) * 0.47 > high_) { set label 979 ylabel at screen 0, graph 1 offset (text ? 0 : small ? 0.2 : 1.5),(text ? 1 : 0.9) tc lt ink_; above = above + 1; set tmargin above; eval heights } else { set ylabel ylabel }"

# Sizes in bytes, and the tics of logarithmic axes.
bytes(x) = x < 1024 ? sprintf('%g', x) : x < 2**20 ? sprintf('%gK', x/2**10) : x < 2**30 ? sprintf('%gM', x/2**20) : x < 2.**40 ? sprintf('%gG', x/2.**30) : sprintf('%gT', x/2.**40)
decade(v) = sprintf(v < 1e-4 ? '%.0e' : '%.10g', v)
logtics = "\
dec_ = log10(hi_) - log10(lo_); step_ = dec_ < 0.8 && dec_ > 1e-6 ? round_up((hi_ - lo_) / room_) : 0; \
if (step_ > 0) { do for [i_=int(ceil(lo_ / step_)):int(floor(hi_ / step_))] { v_ = i_ * step_; eval addtic } } \
else { do for [m_=1:3] { m_2 = word('1 2 5', m_) + 0; do for [e=int(floor(log10(lo_))):(hi_ < 1e300 ? int(ceil(log10(hi_))) : 300)] { gap_ = int(ceil(dec_ / room_)); v_ = m_2 * 10.**e; \
	if (v_ >= lo_*0.999 && v_ <= hi_*1.001 && (m_ == 1 ? e % (gap_ < 1 ? 1 : gap_) == 0 : dec_ * 3 < room_)) { eval addtic } } } }"
addtic = "if (ofx_) { set xtics add (decade(v_) v_) } else { set ytics add (decade(v_) v_) }"
# The least of 1, 2, 5 and 10 times a power of ten that is not below a step.
round_up(s) = s < 1e-290 ? 1 : (t_ = 10.**floor(log10(s)), s <= t_ * 1.0001 ? t_ : s <= 2.0001 * t_ ? 2 * t_ : s <= 5.0001 * t_ ? 5 * t_ : 10 * t_)
wide = columns	# sizes: the axis has bytes; wide: characters along it
xaxis = "\
set xrange [xlo:xhi]; set xlabel xlabel; if (xlog) { set logscale x xlog }; \
if (!sizes && xlog) { set xtics (); lo_ = xlo; hi_ = xhi; room_ = wide / 9.; ofx_ = 1; eval logtics }; \
if (!sizes && !xlog) { set xtics round_up((xhi - xlo) * 9. / wide) }; \
if (sizes && xlog) { set xtics (); every = int(ceil(9. * log(xhi / xlo) / log(2) / wide)); every = every < 1 ? 1 : every; e0 = int(ceil(log(xlo) / log(2) - 0.01)); \
	do for [e=e0:60] { if (2.**e <= xhi * 1.01 && (e - e0) % every == 0) { set xtics add (bytes(2.**e) 2.**e) } } }; \
if (sizes && !xlog) { set xtics (); s_ = 2.**ceil(log((xhi - xlo) * 9. / wide) / log(2)); do for [i=int(ceil(xlo / s_)):int(floor(xhi / s_))] { set xtics add (bytes(i * s_) i * s_) } }"
yaxis = "\
set yrange [ylo:yhi]; eval vertical; if (ylog) { set logscale y ylog; set ytics (); lo_ = ylo; hi_ = yhi; room_ = high_ / 1.8; ofx_ = 0; eval logtics } \
else { set ytics round_up((yhi - ylo) * 1.8 / high_) }"
set format '%.10g'

# A key below the axes: nkeys names in columns of keyw characters, at most 10 in keylines
# lines; keymark: 0 a line, 1 with a point, 2 a point, 3 a box of keyhue, 4 the shape keylook.
if (nkeys > 0) {
	keycols = int(columns / keyw); keycols = keycols < 1 ? 1 : keycols; most_ = int(keycols * keylines); most_ = most_ > 10 ? 10 : most_
	if (nkeys > most_) { keyname[most_] = sprintf('and %d more', nkeys - most_ + 1); keylook[most_] = 0; keyhue[most_] = 0; keymark[most_] = 0; nkeys = most_ }
	keycols = keycols > nkeys ? nkeys : keycols; keyrows = ceil(1. * nkeys / keycols)
}
keyx(i) = (i - 1) % keycols * keyw + 1
keyrow(i) = (i - 1) / keycols
shape(l) = l < 1 ? 0 : text || l > 9 ? int(l) : int(word(shapes, int(l)))
legend = "\
y_(i) = keyrows - keyrow(i) - (text ? 1 : 0.45); set bmargin keyrows + (text ? 3 : 3.6); \
do for [i=1:nkeys] { set label (700+i) marked(keylook[i], keymark[i], keyname[i]) at character keyx(i) + (text ? 0 : 5), character y_(i) left tc lt (text && colour && keymark[i] < 3 && keylook[i] > 0 ? int(keylook[i]) : ink_); \
	if (!text && keylook[i] > 0 && keymark[i] < 2) { set arrow (700+i) from character keyx(i), character y_(i) to character keyx(i) + 4, character y_(i) nohead lt keylook[i] dt 1*(keydash[i] > 0 ? keydash[i] : 1) }; \
	if (!text && (keymark[i] == 1 || keymark[i] == 2)) { set label (750+i) '' at character keyx(i) + 2, character y_(i) point lt keylook[i] pt shape(keylook[i]) }; \
	if (!text && keymark[i] == 4) { set label (750+i) '' at character keyx(i) + 2, character y_(i) point pt int(keylook[i]) ps 1.2 lw 1.5 lc rgb keyhue[i] }; \
	if (!text && keyhue[i] > 0 && keymark[i] == 3) { set object (700+i) rectangle from character keyx(i) + 0.5, character y_(i) - 0.3 to character keyx(i) + 4, character y_(i) + 0.3 noclip fc rgb keyhue[i] fs solid noborder } }"
# Names at the right ends of curves, with a line to each, moved apart: nend, endw (of
# the widest) and arrays endname, endx, endy, endlook, endmark behind e0, from the lowest on.
e0 = 0
y01(y) = ylog ? (log(y) - log(ylo)) / (log(yhi) - log(ylo)) : (y - ylo) / (yhi - ylo)
ends = "\
set rmargin nend > 0 ? endw + (text ? 2 + 2 * !colour : 2.5) : 3; if (nkeys > 0) { eval legend }; if (nend > 0) { \
	array at_[nend]; gap_ = 1.1 / high_; \
	do for [i=1:nend] { at_[i] = y01(endy[e0+i]); at_[i] = at_[i] < 0 ? 0 : at_[i]; if (i > 1) { if (at_[i] < at_[i-1] + gap_) { at_[i] = at_[i-1] + gap_ } } }; \
	if (at_[nend] > 1) { at_[nend] = 1; do for [i=nend-1:1:-1] { if (at_[i] > at_[i+1] - gap_) { at_[i] = at_[i+1] - gap_ } } }; \
	set for [i=1:nend] label i marked(endlook[e0+i], endmark[e0+i], endname[e0+i]) at graph 1, graph at_[i] left offset (text ? 1 : 1.8),0 tc rgb ink(endlook[e0+i]); \
	if (!text) { set for [i=1:nend] arrow i from endx[e0+i], endy[e0+i] to graph 1.02, graph at_[i] nohead lc rgb c(endlook[e0+i]) lw 0.6 } }"
# Behind the first of several panels, no title is left.
untitled = "do for [i=1:ntitles] { unset label (980 + i) }; do for [i=1:nsub] { unset label (990 + i) }"

# Where the axes of each panel are, for the pointer on a page.
boxes = ''
noted = "boxes = boxes.sprintf('%g %g %g %g %.10g %.10g %.10g %.10g %g %g;', GPVAL_TERM_XMIN, GPVAL_TERM_XMAX, GPVAL_TERM_YMIN, GPVAL_TERM_YMAX, GPVAL_X_MIN, GPVAL_X_MAX, GPVAL_Y_MIN, GPVAL_Y_MAX, xlog, ylog)"
