# Ideal against measured, both logarithmic and over the same range, so that a factor is a distance from the diagonal.
set lmargin at screen plot_left; set rmargin at screen plot_right; set tmargin at screen plot_top; set bmargin at screen plot_bottom
set logscale xy 10
set xrange [x_min:x_max]; set yrange [y_min:y_max]
# The page counts plots: discs are the 6th and 7th, what leads down the 9th and 10th (reports/page/page.js).
plot data index 'bounds' every :::0::0 using 1:2:(y_min) with filledcurves above y=y_min fillcolor rgb '#f3f1f1' notitle, \
     data index 'x-grid' using 1:(y_min):(0):(y_max-y_min) with vectors nohead linewidth 0.7 linecolor rgb grid_colour notitle, \
     data index 'y-grid' using (x_min):1:(x_max-x_min):(0) with vectors nohead linewidth 0.7 linecolor rgb grid_colour notitle, \
     data index 'bounds' every :::1 using 1:2 with lines dashtype 2 linewidth 1 linecolor rgb muted notitle, \
     data index 'bounds' every :::0::0 using 1:2 with lines linewidth 3 linecolor rgb ink notitle, \
     data index 'points' using 3:($10 == 1 ? NaN : $4):(key_size*$6*symbol_size($11)):11:(0x20000000+$7) with points pointtype variable pointsize variable linecolor rgb variable title 'measured', \
     data index 'points' using 3:($10 == 1 ? $4 : NaN):(key_size*$6*symbol_size($11)):($11-1):7 with points pointtype variable linewidth 2 pointsize variable linecolor rgb variable title 'estimated', \
     data index 'deviations' using 1:2:(0):($3-$2) with vectors heads size screen 0.004,90 linewidth 1.2 linecolor rgb ink notitle, \
     data index 'corrected' using 1:2:(0):($3-$2) with vectors nohead linewidth 0.8 linecolor rgb ink notitle, \
     data index 'corrected' using 1:3:(key_size*3) with points pointtype 6 linewidth 1.2 pointsize variable linecolor rgb ink title 'without the cost of timing', \
     data index 'below-bound' using 2:3:(key_size*6) with points pointtype 2 linewidth 2.2 pointsize variable linecolor rgb '#a83222' title 'below its bound'
