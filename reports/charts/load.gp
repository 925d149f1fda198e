# Frames per second over threads, and the latency of a frame below, over the same threads.
array panels[2] = ['rates', 'times']
do for [i = 1:2] {
    p = panels[i]
    x_max = value(p.'_x_max'); y_min = value(p.'_y_min'); y_max = value(p.'_y_max')
    set lmargin at screen value(p.'_left'); set rmargin at screen value(p.'_right')
    set tmargin at screen value(p.'_top'); set bmargin at screen value(p.'_bottom')
    set xrange [0:x_max]; set yrange [y_min:y_max]
    plot data index 'rates-lines' using 1:(i == 1 ? clipped($3, y_min, y_max) : NaN):(i == 1 ? clipped($4, y_min, y_max) : NaN) with filledcurves fillcolor rgb '#e3e9f1' notitle, \
         data index p.'-x-grid' using 1:(y_min):(0):(y_max-y_min) with vectors nohead linewidth 0.7 linecolor rgb grid_colour notitle, \
         data index p.'-y-grid' using (0):1:(x_max):(0) with vectors nohead linewidth 0.7 linecolor rgb grid_colour notitle, \
         data index 'rates-levels' using 1:(i == 1 ? $2 : NaN):3 with lines dashtype 2 linewidth 1.2 linecolor rgb variable notitle, \
         data index p.'-lines' using 1:2 with lines linewidth 2.2 linecolor rgb '#2f5487' title 'law', \
         data index p.'-lines' using 1:(is_measured ? NaN : $2):(key_size*5) with points pointtype 7 pointsize variable linecolor rgb '#2f5487' title 'points', \
         data index 'times-lines' using 1:(i == 1 ? NaN : $4):(0):($5-$4) with vectors nohead linewidth 2 linecolor rgb '#1b1f24' notitle, \
         data index p.'-lines' using 1:(column(i == 1 ? 5 : 3)):(key_size*5) with points pointtype 7 pointsize variable linecolor rgb '#1b1f24' title 'measured'
}
