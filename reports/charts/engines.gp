# How busy each engine is: layers as wide as their ideal time, engines from the top in the order of the tables.
set lmargin at screen plot_left; set rmargin at screen plot_right; set tmargin at screen plot_top; set bmargin at screen plot_bottom
set xrange [x_min:x_max]; set yrange [y_min:n_panels]
set border 15 linecolor rgb axis_colour linewidth 0.8
# A cell reaches a little below the next one, which covers that: no gaps between cells.
plot data index 'cells' using 1:3:1:($2+overlap > x_max ? x_max : $2+overlap):3:($3+1):5 with boxxyerror fillstyle solid noborder linecolor rgb variable notitle, \
     data index 'parting' using 1:(0):(0):(n_panels) with vectors nohead linewidth 0.8 linecolor rgb '#ffffff' notitle, \
     data index 'panels' using (x_min):($1 > 0 ? $1 : NaN):(x_max-x_min):(0) with vectors nohead linewidth 1.5 linecolor rgb '#ffffff' notitle
# The time axis, below the numbers of the layers.
set tmargin at screen time_top; set bmargin at screen time_bottom
set yrange [0:1]; set border 4
plot data index 'x-grid' using 1:(1):(0):(-1) with vectors nohead linewidth 1 linecolor rgb axis_colour notitle
