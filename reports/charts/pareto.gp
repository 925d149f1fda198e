# Rates over costs, in one panel or several: variables and blocks of the second one end in 2.
do for [i = 1:panels] {
    s = i == 1 ? '' : sprintf('%d', i)
    x_min = value('x'.s.'_min'); x_max = value('x'.s.'_max'); y_min = value('y'.s.'_min'); y_max = value('y'.s.'_max')
    set lmargin at screen value('plot'.s.'_left'); set rmargin at screen value('plot'.s.'_right')
    set tmargin at screen value('plot'.s.'_top'); set bmargin at screen value('plot'.s.'_bottom')
    unset logscale
    if (value('x_is_log'.s) == 1) { set logscale x 10 }
    if (value('y_is_log'.s) == 1) { set logscale y 10 }
    set xrange [x_min:x_max]; set yrange [y_min:y_max]
    plot data index 'x-grid'.s using 1:(y_min):(0):(y_max-y_min) with vectors nohead linewidth 0.7 linecolor rgb grid_colour notitle, \
         data index 'y-grid'.s using (x_min):1:(x_max-x_min):(0) with vectors nohead linewidth 0.7 linecolor rgb grid_colour notitle, \
         data index 'asked'.s using 1:2 with lines dashtype 2 linewidth 1.2 linecolor rgb '#a83222' notitle, \
         data index 'front'.s using 1:2 with lines linewidth 2.2 linecolor rgb '#2f5487' notitle, \
         data index 'behind'.s using 1:(clipped($3, y_min, y_max)):(0):(clipped($4, y_min, y_max)-clipped($3, y_min, y_max)) with vectors nohead linewidth 0.8 linecolor rgb '#d5dee8' notitle, \
         data index 'on-front'.s using 1:(clipped($3, y_min, y_max)):(0):(clipped($4, y_min, y_max)-clipped($3, y_min, y_max)) with vectors nohead linewidth 0.8 linecolor rgb '#8095b1' notitle, \
         data index 'behind'.s using 1:2:(key_size*(many ? 2 : 4)):6:5 with points pointtype variable pointsize variable linecolor rgb variable notitle, \
         data index 'on-front'.s using 1:2:(key_size*5):6:5 with points pointtype variable pointsize variable linecolor rgb variable notitle
}
