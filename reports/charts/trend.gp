# Runs in their order, the medians between two changes, and the intervals of the changes.
set lmargin at screen plot_left; set rmargin at screen plot_right; set tmargin at screen plot_top; set bmargin at screen plot_bottom
set xrange [x_min:x_max]; set yrange [y_min:y_max]
plot data index 'levels' using (($1+$2)/2):3:1:2:(clipped($4, y_min, y_max)):(clipped($5, y_min, y_max)) with boxxyerror fillstyle solid noborder linecolor rgb '#e3e9f1' notitle, \
     data index 'x-grid' using 1:(y_min):(0):(y_max-y_min) with vectors nohead linewidth 0.7 linecolor rgb grid_colour notitle, \
     data index 'y-grid' using (x_min):1:(x_max-x_min):(0) with vectors nohead linewidth 0.7 linecolor rgb grid_colour notitle, \
     data index 'runs' using 1:2:(key_size*3) with points pointtype 7 pointsize variable linecolor rgb '#567aad' notitle, \
     data index 'levels' using 1:3:($2-$1):(0) with vectors nohead linewidth 2.4 linecolor rgb '#1b1f24' notitle
