# Where the time of layers goes, or of kinds of them: horizontal bars of ideal (by what binds), gap, host and overhead, which sum up to the time.
in_order = 0 # 1: in order of execution, of kinds that of their first layers, else the longest first
row(a, b) = in_order ? b : a
set lmargin at screen plot_left; set rmargin at screen plot_right; set tmargin at screen plot_top; set bmargin at screen plot_bottom
set xrange [x_min:x_max]; set yrange [rows+0.5+rows_pad:0.5-rows_pad]
colours = "#0b5394 #0f8a5f #b86e00 #757c86 #a83222 #33373d #9f74cf" # parts: columns 3 to 9
from(k) = k ? sum [i=0:k-1] column(3+i) : 0
to(k) = sum [i=0:k] column(3+i)
part(k) = column(11)*column(3+k) > 0 ? from(k) : NaN # column 11: 0 for what is too long to be drawn
half(estimated) = estimated == 1 ? 0.15 : 0.36
plot data index 'x-grid' using 1:(0.5-rows_pad):(0):(rows+2*rows_pad) with vectors nohead linewidth 0.7 linecolor rgb grid_colour notitle, \
     for [k=0:6] data index 'bars' using (part(k)):(row($1,$2)):(from(k)):(to(k)):(row($1,$2)-half($12)):(row($1,$2)+half($12)) with boxxyerror fillstyle solid noborder linecolor rgb word(colours, k+1) notitle, \
     data index 'bars' using (part(1)):(row($1,$2)):(from(1)):(to(1)):(row($1,$2)-half($12)):(row($1,$2)+half($12)) with boxxyerror fillstyle transparent pattern 1 noborder linecolor rgb '#ffffff' notitle, \
     data index 'bars' using (part(2)):(row($1,$2)):(from(2)):(to(2)):(row($1,$2)-half($12)):(row($1,$2)+half($12)) with boxxyerror fillstyle transparent pattern 5 noborder linecolor rgb '#ffffff' notitle, \
     data index 'bars' using (part(4)):(row($1,$2)):(from(4)):(to(4)):(row($1,$2)-half($12)):(row($1,$2)+half($12)) with boxxyerror fillstyle transparent pattern 4 noborder linecolor rgb '#ffffff' notitle, \
     data index 'deviations' using 3:(row($1,$2)):($4-$3):(0) with vectors heads size screen 0.003,90 linewidth 1.2 linecolor rgb ink notitle, \
     data index 'marks' using 3:(row($1,$2)-0.45):(0):(0.9) with vectors nohead linewidth 2 linecolor rgb ink notitle
# Names and values stand in pixels of the whole canvas, in the place of their bar.
set lmargin at screen 0; set rmargin at screen 1; set tmargin at screen 1; set bmargin at screen 0
unset border
set xrange [0:width]; set yrange [height:0]
x(value) = width*(plot_left + (plot_right - plot_left)*(value - x_min)/(x_max - x_min))
y(a, b) = rows_top + rows_pitch*(row(a, b) - 0.5)
plot data index 'names' using (number_x):(y($1,$2)):4 with labels right textcolor rgb ink font letters_bold notitle, \
     data index 'names' using (name_x):(y($1,$2)):5 with labels left textcolor rgb ink font letters_small notitle, \
     data index 'names' using (x($3)+6):(y($1,$2)):6 with labels left textcolor rgb ink font letters_small notitle
