# Memory over the length of the context: weights, states and cache, one on the other.
set lmargin at screen plot_left; set rmargin at screen plot_right; set tmargin at screen plot_top; set bmargin at screen plot_bottom
set logscale x 10
set xrange [x_min:x_max]; set yrange [y_min:y_max]
plot data index 'areas' using 1:(y_min):2 with filledcurves fillcolor rgb '#c4d7ec' notitle, \
     data index 'areas' using 1:2:3 with filledcurves fillcolor rgb '#bfe3d3' notitle, \
     data index 'areas' using 1:3:4 with filledcurves fillcolor rgb '#f2dcb8' notitle, \
     data index 'x-grid' using 1:(y_min):(0):(y_max-y_min) with vectors nohead linewidth 0.7 linecolor rgb grid_colour notitle, \
     data index 'y-grid' using (x_min):1:(x_max-x_min):(0) with vectors nohead linewidth 0.7 linecolor rgb grid_colour notitle, \
     data index 'areas' using 1:2 with lines linewidth 2 linecolor rgb '#0b5394' title 'weights', \
     data index 'areas' using 1:($3 > $2 ? $3 : NaN) with lines linewidth 2 linecolor rgb '#0f8a5f' title 'states', \
     data index 'areas' using 1:4 with lines linewidth 2 linecolor rgb '#b86e00' title 'cache', \
     data index 'longest' using 1:2 with lines dashtype 3 linewidth 1.4 linecolor rgb ink notitle, \
     data index 'levels' using 1:2:3 with lines dashtype 2 linewidth 1.6 linecolor rgb variable notitle
