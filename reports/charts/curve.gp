# Time of a step over its context, and of a prompt over its length: lengths double from number to number.
array panels[2] = ['steps', 'prompts']
do for [i = 1:2] {
    p = panels[i]
    if (value(p.'_is_there') == 1) {
        x_min = value(p.'_x_min'); x_max = value(p.'_x_max'); y_min = value(p.'_y_min'); y_max = value(p.'_y_max')
        set lmargin at screen value(p.'_left'); set rmargin at screen value(p.'_right')
        set tmargin at screen value(p.'_top'); set bmargin at screen value(p.'_bottom')
        unset logscale
        set logscale x 10
        if (value(p.'_is_log') == 1) { set logscale y 10 }
        set xrange [x_min:x_max]; set yrange [y_min:y_max]
        plot data index p.'-lines' using 1:4:5 with filledcurves fillcolor rgb '#e3e9f1' notitle, \
             data index p.'-x-grid' using 1:(y_min):(0):(y_max-y_min) with vectors nohead linewidth 0.7 linecolor rgb grid_colour notitle, \
             data index p.'-y-grid' using (x_min):1:(x_max-x_min):(0) with vectors nohead linewidth 0.7 linecolor rgb grid_colour notitle, \
             data index p.'-uprights' using 1:2 with lines dashtype 3 linewidth 1.2 linecolor rgb muted notitle, \
             data index p.'-lines' using 1:2 with lines dashtype (6,4) linewidth 2 linecolor rgb '#8095b1' title 'bound', \
             data index p.'-lines' using 1:3 with lines linewidth 2.2 linecolor rgb '#2f5487' title 'expected', \
             data index p.'-measured' using 1:2:(key_size*4) with points pointtype 7 pointsize variable linecolor rgb '#1b1f24' title 'measured'
    }
}
