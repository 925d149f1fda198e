# What timing costs: a large panel with its residuals below, and two small ones where the canvas is wide.
array panels[3] = ['overhead', 'host', 'boundary']
overhead_shown = 1
do for [i = 1:3] {
    p = panels[i]
    if (value(p.'_shown')) {
        x_max = value(p.'_x_max'); y_min = value(p.'_y_min'); y_max = value(p.'_y_max')
        set lmargin at screen value(p.'_left'); set rmargin at screen value(p.'_right')
        set tmargin at screen value(p.'_top'); set bmargin at screen value(p.'_bottom')
        set xrange [0:x_max]; set yrange [y_min:y_max]
        plot data index p.'-band' using 1:(clipped($2, y_min, y_max)):(clipped($3, y_min, y_max)) with filledcurves fillcolor rgb '#e3e9f1' notitle, \
             data index (i == 1 ? 'overhead-x-grid' : p.'-x-grid') using 1:(y_min):(0):(y_max-y_min) with vectors nohead linewidth 0.7 linecolor rgb grid_colour notitle, \
             data index p.'-y-grid' using (0):1:(x_max):(0) with vectors nohead linewidth 0.7 linecolor rgb grid_colour notitle, \
             0 with lines linewidth 0.8 linecolor rgb axis_colour notitle, \
             data index p.'-others' using 1:2 with lines dashtype 2 linewidth 1.2 linecolor rgb muted notitle, \
             data index p.'-chosen' using 1:2 with lines linewidth 2.6 linecolor rgb ink title 'line', \
             data index p.'-points' using 1:2:(key_size*5) with points pointtype 7 pointsize variable linecolor rgb '#0b5394' title 'models'
    }
}
# What the chosen line leaves over, below the large panel and over the same boundaries.
set lmargin at screen residual_left; set rmargin at screen residual_right
set tmargin at screen residual_top; set bmargin at screen residual_bottom
set xrange [0:overhead_x_max]; set yrange [residual_y_min:residual_y_max]
plot data index 'overhead-x-grid' using 1:(residual_y_min):(0):(residual_y_max-residual_y_min) with vectors nohead linewidth 0.7 linecolor rgb grid_colour notitle, \
     data index 'residual-grid' using (0):1:(overhead_x_max):(0) with vectors nohead linewidth 0.7 linecolor rgb grid_colour notitle, \
     0 with lines linewidth 1.4 linecolor rgb ink notitle, \
     data index 'overhead-points' using 1:(0):(0):3 with vectors nohead linewidth 2 linecolor rgb '#a83222' notitle, \
     data index 'overhead-points' using 1:3:(key_size*4) with points pointtype 7 pointsize variable linecolor rgb '#a83222' title 'residuals'
