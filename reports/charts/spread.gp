# How much each layer's time scatters: boxes of the samples relative to the median, or bars of the coefficient of variation.
in_order = 0 # 1: in order of execution, else the largest scatter first
row(a, b) = in_order ? b : a
set lmargin at screen plot_left; set rmargin at screen plot_right; set tmargin at screen plot_top; set bmargin at screen plot_bottom
set xrange [x_min:x_max]; set yrange [rows+0.5+rows_pad:0.5-rows_pad]
colour(look) = look == 0 ? 0x0b5394 : look == 1 ? 0x757c86 : 0xa83222 # CoV up to 10 %; above it, by outliers; above it
half = 0.32
if (high_cov > 0) set arrow 1 from high_cov, graph 0 to high_cov, graph 1 nohead dashtype 2 linewidth 1.4 linecolor rgb ink front
plot data index 'x-grid' using 1:(0.5-rows_pad):(0):(rows+2*rows_pad) with vectors nohead linewidth 0.7 linecolor rgb grid_colour notitle, \
     data index 'bars' using (0):(row($1,$2)):(0):3:(row($1,$2)-half):(row($1,$2)+half):(colour($4)) with boxxyerror fillstyle solid noborder linecolor rgb variable notitle, \
     data index 'bars' using ($4 == 2 ? 0 : NaN):(row($1,$2)):(0):3:(row($1,$2)-half):(row($1,$2)+half) with boxxyerror fillstyle transparent pattern 4 noborder linecolor rgb '#ffffff' notitle, \
     data index 'deviations' using (0):(row($1,$2)):(-$3):3:(row($1,$2)-half):(row($1,$2)+half) with boxxyerror fillstyle solid 0.0 border linecolor rgb muted linecolor rgb '#ffffff' notitle, \
     data index 'boxes' using 3:(row($1,$2)):($6-$3):(0) with vectors nohead linewidth 1.2 linecolor rgb ink notitle, \
     data index 'boxes' using 4:(row($1,$2)):4:5:(row($1,$2)-half):(row($1,$2)+half):(colour($7)) with boxxyerror fillstyle solid noborder linecolor rgb variable notitle, \
     data index 'boxes' using ($7 == 2 ? $4 : NaN):(row($1,$2)):4:5:(row($1,$2)-half):(row($1,$2)+half) with boxxyerror fillstyle transparent pattern 4 noborder linecolor rgb '#ffffff' notitle, \
     data index 'boxes' using (0):(row($1,$2)-0.42):(0):(0.84) with vectors nohead linewidth 2 linecolor rgb ink notitle, \
     data index 'outliers' using 3:(row($1,$2)):(key_size*2.5) with points pointtype 7 pointsize variable linecolor rgb ink notitle, \
     data index 'beyond' using 3:(row($1,$2)):4:(0) with vectors head filled size screen 0.006,25 linewidth 1.2 linecolor rgb ink notitle
unset arrow 1
# Names and values stand in pixels of the whole canvas, in the place of their bar.
set lmargin at screen 0; set rmargin at screen 1; set tmargin at screen 1; set bmargin at screen 0
unset border
set xrange [0:width]; set yrange [height:0]
x(value) = width*(plot_left + (plot_right - plot_left)*(value - x_min)/(x_max - x_min))
y(a, b) = rows_top + rows_pitch*(row(a, b) - 0.5)
plot data index 'names' using (number_x):(y($1,$2)):4 with labels right textcolor rgb ink font letters_bold notitle, \
     data index 'names' using (name_x):(y($1,$2)):5 with labels left textcolor rgb ink font letters_small notitle, \
     data index 'names' using (x($3)+6):(y($1,$2)):6 with labels left textcolor rgb ink font letters_small notitle
