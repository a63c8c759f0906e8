# Distributions: $rows: corners, an index for each of n curves. endname: names with
# medians, lowest first, as a key. nines: the horizontal axis is 1 / (1 - share).
eval yaxis; eval xaxis
if (nines) { e1 = int(floor(log10(xhi))); set xtics ('0' 1, '50' 2); gap_ = int(ceil(9. * log10(xhi) / columns)); gap_ = gap_ < 1 ? 1 : gap_
	do for [e=1:e1:gap_] { set xtics add (sprintf(sprintf('%%.%df', e > 2 ? e - 2 : 0), 100 - 100 / 10.**e) 10.**e) } }
if (nkeys > 0) { eval legend }
# Names with the median, lowest first, where the curves are not; or in a key.
set for [i=1:nend] label i marked(endlook[i], 0, endname[i]) at graph (nines ? 0.08 : 0.97 - (endw * 1.02 - strlen(endname[i])*0) / columns), graph (nines ? 0.97 - 1.15 * i / (lines - above - 4) : 0.02 + 1.15 * (nend - i + 0.6) / (lines - above - 4)) left front tc rgb ink(endlook[i])
if (!text) { set for [i=1:nend] arrow i from graph (nines ? 0.025 : 0.92 - endw * 1.02 / columns), graph (nines ? 0.97 - 1.15 * i / (lines - above - 4) : 0.02 + 1.15 * (nend - i + 0.6) / (lines - above - 4)) rto graph 0.045, 0 nohead lt endlook[i] dt 1+(endlook[i] > 8 ? 0 : int(endlook[i]-1) % 5) }
plot for [i=1:n] $rows index i-1 using 1:2 with lines lt look[i] dt 1+(look[i] > 8 ? 0 : int(look[i]-1) % 5) notitle
eval noted
