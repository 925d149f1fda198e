# The same model on several devices: times to the right, devices from the top, placed in pixels.
set lmargin at screen plot_left; set rmargin at screen plot_right; set tmargin at screen plot_top; set bmargin at screen plot_bottom
set xrange [0:x_max]; set yrange [y_bottom:y_top]
plot data index 'x-grid' using 1:(y_bottom):(0):(y_top-y_bottom) with vectors nohead linewidth 0.7 linecolor rgb grid_colour notitle, \
     data index 'bars' using 1:2:(0):1:($2-$3):($2+$3):4 with boxxyerror fillstyle solid noborder linecolor rgb variable notitle
