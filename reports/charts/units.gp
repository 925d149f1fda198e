# How busy units were, as the profiler counted: a panel for each unit, layers as wide as their time, the longest first. The
# height of a bar is the part of the layer's cycles in which the unit worked, so its area is the time in which it did.
set lmargin at screen plot_left; set rmargin at screen plot_right; set tmargin at screen plot_top; set bmargin at screen plot_bottom
set xrange [x_min:x_max]; set yrange [y_min:n_panels]
unset border
plot data index 'panels' using (x_min):1:(x_max-x_min):(0) with vectors nohead linewidth 1 linecolor rgb axis_colour notitle, \
     data index 'levels' using (x_min):1:(x_max-x_min):(0) with vectors nohead linewidth 0.7 linecolor rgb grid_colour notitle, \
     data index 'bars' using 1:3:1:($2+overlap > x_max ? x_max : $2+overlap):3:4:6 with boxxyerror fillstyle solid noborder linecolor rgb variable notitle, \
     data index 'bounds' using 1:(y_min):1:($2+overlap > x_max ? x_max : $2+overlap):(y_min):(y_min+strip):3 with boxxyerror fillstyle solid noborder linecolor rgb variable notitle, \
     data index 'parting' using 1:(y_min):(0):(n_panels-y_min) with vectors nohead linewidth 0.8 linecolor rgb '#ffffff' notitle
# The time axis, below the names of the layers.
set tmargin at screen time_top; set bmargin at screen time_bottom
set yrange [0:1]; set border 4 linecolor rgb axis_colour
plot data index 'x-grid' using 1:(1):(0):(-1) with vectors nohead linewidth 1 linecolor rgb axis_colour notitle
