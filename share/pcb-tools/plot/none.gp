# Nothing to draw.
set xrange [0:1]; set yrange [0:1]; unset tics; unset grid; set label 'no data' at graph 0.5, graph 0.5 center tc lt ink_
plot -1 notitle
