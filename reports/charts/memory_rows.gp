# Bytes alive in each row, pool on pool, with what is reserved and what there is.
set lmargin at screen plot_left; set rmargin at screen plot_right; set tmargin at screen plot_top; set bmargin at screen plot_bottom
set xrange [x_min:x_max]; set yrange [y_min:y_max]
plot data index 'pool0' using 1:2:3 with filledcurves fillcolor rgb '#c4d7ec' notitle, \
     data index 'pool1' using 1:2:3 with filledcurves fillcolor rgb '#bfe3d3' notitle, \
     data index 'pool2' using 1:2:3 with filledcurves fillcolor rgb '#f2dcb8' notitle, \
     data index 'pool3' using 1:2:3 with filledcurves fillcolor rgb '#d5dee8' notitle, \
     data index 'x-grid' using 1:(y_min):(0):(y_max-y_min) with vectors nohead linewidth 0.7 linecolor rgb grid_colour notitle, \
     data index 'y-grid' using (x_min):1:(x_max-x_min):(0) with vectors nohead linewidth 0.7 linecolor rgb grid_colour notitle, \
     data index 'pool3' using 1:3 with lines linewidth 1.6 linecolor rgb '#757c86' notitle, \
     data index 'pool2' using 1:3 with lines linewidth 1.6 linecolor rgb '#b86e00' notitle, \
     data index 'pool1' using 1:3 with lines linewidth 1.6 linecolor rgb '#0f8a5f' notitle, \
     data index 'pool0' using 1:3 with lines linewidth 1.6 linecolor rgb '#0b5394' notitle, \
     data index 'levels' using 1:2:3 with lines dashtype 2 linewidth 1.6 linecolor rgb variable notitle, \
     data index 'peak' using 1:2:(key_size*4) with points pointtype 7 pointsize variable linecolor rgb ink notitle
