# Values against a size, or a load. $rows: x, value, an index for each of n curves,
# lines_only (1: without points), dash; $bands: x, low, high; $floors; $more: nmore
# percentiles; $bounds: nbounds limits; cut: values above the axis, which numbers at its
# end say; names at the ends, or in a key.
eval yaxis; eval ends; if (nend > 0) { wide = columns - endw - 8 }
eval xaxis
plot for [i=1:(bands && !text ? n : 0)] $bands index i-1 using 1:2:3 with filledcurves lt look[i] fs transparent solid 0.15 noborder notitle, \
     for [i=1:(bands && !text ? n : 0)] $floors index i-1 using 1:2 with lines lt look[i] lw 1 dt 3 notitle, \
     for [i=1:nbounds] $bounds index i-1 using 1:2 with lines lt 10 dt i+1 notitle, \
     for [i=1:nmore] $more index i-1 using 1:2 with linespoints lt morelook[i] lw 1.2 dt moredash[i] pt shape(morelook[i]) ps 0.5 notitle, \
     for [i=1:n] $rows index i-1 using 1:(lines_only[i] > 0 ? $2 : NaN) with lines lt lined_(look[i]) notitle, \
     for [i=1:n] $rows index i-1 using 1:(lines_only[i] > 0 ? NaN : $2) with linespoints lt lined_(look[i]) dt 1*dash[i] pt shape(look[i]) notitle, \
     for [i=1:(cut ? n : 0)] $rows index i-1 using 1:($2 > yhi ? yhi : NaN):(sprintf('%.7g', $2)) with labels offset 3,-0.5 tc rgb ink(look[i]) notitle
eval noted
