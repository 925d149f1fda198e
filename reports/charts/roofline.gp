# Roofline: operational intensity against performance, both logarithmic. 1 MAC = 2 Op.
set lmargin at screen plot_left; set rmargin at screen plot_right; set tmargin at screen plot_top; set bmargin at screen plot_bottom
set logscale xy 10
set xrange [x_min:x_max]; set yrange [y_min:y_max]
# The page counts plots: ceilings are the 6th, discs the 8th and 9th, arrows the 10th, rings the 11th (reports/page/page.js).
plot data index 'memory-region' using 1:2:(y_min) with filledcurves above y=y_min fillcolor rgb '#fdf5ea' notitle, \
     data index 'compute-region' using 1:2:(y_min) with filledcurves above y=y_min fillcolor rgb '#f1f6fb' notitle, \
     data index 'x-grid' using 1:(y_min):(0):(y_max-y_min) with vectors nohead linewidth 0.7 linecolor rgb grid_colour notitle, \
     data index 'y-grid' using (x_min):1:(x_max-x_min):(0) with vectors nohead linewidth 0.7 linecolor rgb grid_colour notitle, \
     data index 'ridge' using 1:2 with lines dashtype 3 linewidth 1 linecolor rgb muted notitle, \
     data index 'ceilings' using 1:2 with lines dashtype 2 linewidth 1.2 linecolor rgb muted notitle, \
     data index 'roof' using 1:2 with lines linewidth 3 linecolor rgb ink notitle, \
     data index 'points' using 3:($10 == 1 ? NaN : $4):(key_size*$6*symbol_size($11)):11:(0x20000000+$7) with points pointtype variable pointsize variable linecolor rgb variable title 'layers', \
     data index 'points' using 3:($10 == 1 ? $4 : NaN):(key_size*$6*symbol_size($11)):($11-1):7 with points pointtype variable linewidth 2 pointsize variable linecolor rgb variable title 'estimated', \
     data index 'arrows' using 1:2:(0):($3-$2) with vectors head filled size screen 0.008,18 linewidth 1 linecolor rgb ink title 'gap', \
     data index 'arrows' using 1:3:(key_size*3.5) with points pointtype 6 linewidth 1.2 pointsize variable linecolor rgb ink title 'ideal', \
     data index 'moves' using 1:2:($3-$1):($4-$2) with vectors head filled size screen 0.008,18 linewidth 1.4 dashtype 4 linecolor rgb '#a83222' notitle, \
     data index 'moves' using 1:2:(key_size*4) with points pointtype 4 linewidth 1.4 pointsize variable linecolor rgb '#a83222' notitle
