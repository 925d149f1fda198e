# Configurations of a board: frames per second over the largest share of the device that each takes.
clipped(v, low, high) = v < low ? low : v > high ? high : v
set lmargin at screen plot_left; set rmargin at screen plot_right; set tmargin at screen plot_top; set bmargin at screen plot_bottom
set xrange [x_min:x_max]; set yrange [y_min:y_max]
unset xtics; unset ytics
plot data index 'x-grid' using 1:(y_min):(0):(y_max-y_min) with vectors nohead linewidth 0.7 linecolor rgb grid_colour notitle, \
     data index 'y-grid' using (x_min):1:(x_max-x_min):(0) with vectors nohead linewidth 0.7 linecolor rgb grid_colour notitle, \
     data index 'asked' using 1:2 with lines dashtype 2 linewidth 1.2 linecolor rgb '#a83222' notitle, \
     data index 'front' using 1:2 with lines linewidth 2.2 linecolor rgb '#2f5487' notitle, \
     data index 'behind' using 1:(clipped($3, y_min, y_max)):(0):(clipped($4, y_min, y_max)-clipped($3, y_min, y_max)) with vectors nohead linewidth 0.8 linecolor rgb '#d5dee8' notitle, \
     data index 'on-front' using 1:(clipped($3, y_min, y_max)):(0):(clipped($4, y_min, y_max)-clipped($3, y_min, y_max)) with vectors nohead linewidth 0.8 linecolor rgb '#8095b1' notitle, \
     data index 'behind' using 1:2:(key_size*4):6:5 with points pointtype variable pointsize variable linecolor rgb variable notitle, \
     data index 'on-front' using 1:2:(key_size*5):6:5 with points pointtype variable pointsize variable linecolor rgb variable notitle
