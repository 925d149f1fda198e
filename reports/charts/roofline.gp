# Roofline: operational intensity against performance, both logarithmic. 1 MAC = 2 Op.
set lmargin at screen plot_left; set rmargin at screen plot_right; set tmargin at screen plot_top; set bmargin at screen plot_bottom
set logscale xy 10
set xrange [x_min:x_max]; set yrange [y_min:y_max]
set format x '%g'; set format y '%g'
set grid xtics ytics linetype 1 linewidth 0.7 linecolor rgb grid_colour back
set xtics 10; set ytics 10; set mxtics 10; set mytics 10
plot data index 'memory-region' using 1:2:(y_min) with filledcurves above y=y_min fillcolor rgb '#fdf5ea' notitle, \
     data index 'compute-region' using 1:2:(y_min) with filledcurves above y=y_min fillcolor rgb '#f1f6fb' notitle, \
     data index 'ridge' using 1:2 with lines dashtype 3 linewidth 1 linecolor rgb muted notitle, \
     data index 'ceilings' using 1:2 with lines dashtype 2 linewidth 1.2 linecolor rgb muted notitle, \
     data index 'roof' using 1:2 with lines linewidth 3 linecolor rgb ink notitle, \
     data index 'points' using 3:($10 == 1 ? NaN : $4):(key_size*$6):(0x20000000+$7) with points pointtype 7 pointsize variable linecolor rgb variable title 'layers', \
     data index 'points' using 3:($10 == 1 ? $4 : NaN):(key_size*$6):7 with points pointtype 6 linewidth 2 pointsize variable linecolor rgb variable title 'estimated', \
     data index 'arrows' using 1:2:(0):($3-$2) with vectors head filled size screen 0.008,18 linewidth 1 linecolor rgb ink title 'gap', \
     data index 'arrows' using 1:3:(key_size*3.5) with points pointtype 6 linewidth 1.2 pointsize variable linecolor rgb ink title 'ideal'
