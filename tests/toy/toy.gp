# The ideal time of every layer.
set xrange [0:rows+1]; set yrange [0:*]
plot data index 'points' using 1:2 with points notitle
