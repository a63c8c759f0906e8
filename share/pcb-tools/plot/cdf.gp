# Distributions: $rows: corners, an index for each of n curves. endname: names with
# medians, lowest first, as a key. nines: the horizontal axis is 1 / (1 - share).
side = nend > 3; wide = columns - (side ? endw + 15. : 10.)
eval yaxis; eval xaxis
if (nines) { e1 = int(floor(log10(xhi))); set xtics ('0' 1, '50' 2); gap_ = int(ceil(9. * log10(xhi) / wide)); gap_ = gap_ < 1 ? 1 : gap_
	do for [e=1:e1:gap_] { set xtics add (sprintf(sprintf('%%.%df', e > 2 ? e - 2 : 0), 100 - 100 / 10.**e) 10.**e) } }
if (nkeys > 0) { eval legend }
# Names with the median, lowest first: few where the curves are not, many beside the
# axes; or in a key.
if (side) { set rmargin endw + (text ? 4 : 7) }
namex = side ? 1 + (text ? 2 : 6) / wide : nines ? 0.08 : 1 - (endw + 1) / wide
namey(i) = nines || side ? 1 - 1.15 * (i - side * 0.5) / high_ : 0.02 + 1.15 * (nend - i + 0.6) / high_
set for [i=1:nend] label i marked(endlook[i], 0, endname[i]) at graph namex, graph namey(i) left front tc rgb ink(endlook[i])
if (!text) { set for [i=1:nend] arrow i from graph namex - 5 / wide, graph namey(i) rto graph 4 / wide, 0 nohead lt endlook[i] dt 1+(endlook[i] > 8 ? 0 : int(endlook[i]-1) % 5) }
plot for [i=1:n] $rows index i-1 using 1:2 with lines lt lined_(look[i]) dt 1+(look[i] > 8 ? 0 : int(look[i]-1) % 5) notitle
eval noted
