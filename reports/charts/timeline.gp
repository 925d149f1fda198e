# What each engine does over the time of the schedule: a panel for each, filled from below by what it works, above that by what it
# waits for; the dark strip on top of a panel is where the critical path runs through it. Below all, the layers on that path.
set lmargin at screen plot_left; set rmargin at screen plot_right; set tmargin at screen plot_top; set bmargin at screen plot_bottom
set xrange [x_min:x_max]; set yrange [y_min:n_panels]
unset border
colour(k) = value(sprintf('colour_%d', k))
plot data index 'panels' using (x_min):1:(x_max-x_min):(0) with vectors nohead linewidth 1 linecolor rgb axis_colour notitle, \
     data index 'levels' using (x_min):1:(x_max-x_min):(0) with vectors nohead linewidth 0.7 linecolor rgb grid_colour notitle, \
     for [k=0:n_fills-1] data index sprintf('fill-%d', k) using 1:2:3 with filledcurves fillstyle solid noborder linecolor rgb colour(k) notitle, \
     data index 'path' using 1:2:3 with filledcurves fillstyle solid noborder linecolor rgb '#1b1f24' notitle, \
     data index 'layers' using 1:(y_min):1:2:(y_min):(y_min+strip):3 with boxxyerror fillstyle solid noborder linecolor rgb variable notitle
# The time axis, below the layers.
set tmargin at screen time_top; set bmargin at screen time_bottom
set yrange [0:1]; set border 4 linecolor rgb axis_colour
plot data index 'x-grid' using 1:(1):(0):(-1) with vectors nohead linewidth 1 linecolor rgb axis_colour notitle
