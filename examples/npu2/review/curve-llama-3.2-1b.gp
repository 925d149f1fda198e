# Drawn by roofline. To draw it again, after changing what you like: gnuplot on this file, in this folder.
if (GPVAL_VERSION < 5.2) exit error 'gnuplot 5.2 or later is needed'
reset
set terminal svg size 1040,620 fixed noenhanced font 'Arial,12' background '#ffffff'
set output './curve-llama-3.2-1b.svg'
data = './curve-llama-3.2-1b.dat'
key_size = 0.200000
letter_scale = 1

width = 1040
height = 620
steps_is_there = 0
prompts_is_there = 0
steps_is_there = 1
steps_is_log = 0
steps_left = 0.0730769230769
steps_right = 0.476923076923
steps_top = 0.824596774194
steps_bottom = 0.107096774194
steps_x_min = 843.357201682
steps_x_max = 159146.951887
steps_y_min = 0
steps_y_max = 90.386458282
prompts_is_there = 1
prompts_is_log = 1
prompts_left = 0.573076923077
prompts_right = 0.976923076923
prompts_top = 0.824596774194
prompts_bottom = 0.107096774194
prompts_x_min = 891.443776815
prompts_x_max = 37640.5476965
prompts_y_min = 0.0447180205975
prompts_y_max = 54.2719427954

# What all charts share. Sizes of letters are those of the figure.
letters_title = sprintf('Arial Bold,%g', 16*letter_scale)
letters_text = sprintf('Arial,%g', 13*letter_scale)
letters_small = sprintf('Arial,%g', 12*letter_scale)
letters_bold = sprintf('Arial Bold,%g', 12*letter_scale)
ink = '#1b1f24'; muted = '#57606a'; grid_colour = '#e4e7eb'; axis_colour = '#8b949e'
# Symbols by what binds: disc, triangle, diamond, square; as large as a disc of that radius.
symbol_size(s) = s == 9 ? 1.09 : s == 13 || s == 5 ? 0.89 : 1
clipped(v, low, high) = v < low ? low : v > high ? high : v
set encoding utf8
set datafile separator "\t"
set datafile missing "?" # not known, or nothing at all
set multiplot
unset key; unset title
set border 3 linecolor rgb axis_colour linewidth 1
unset tics

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

# All texts, placed in pixels of the whole canvas, so that none lies on another.
set lmargin at screen 0; set rmargin at screen 1; set tmargin at screen 1; set bmargin at screen 0
unset border; unset logscale; unset arrow
set xrange [0:width]; set yrange [height:0]
plot data index 'discs-of-legend' using 1:2:(key_size*$3*symbol_size($5)):5:4 with points pointtype variable pointsize variable linecolor rgb variable notitle, \
     data index 'rings-of-legend' using 1:2:(key_size*$3):4 with points pointtype 6 linewidth 1.3 pointsize variable linecolor rgb variable notitle, \
     data index 'swatches' using 1:2:3:4:5:6:7 with boxxyerror fillstyle solid noborder linecolor rgb variable notitle, \
     data index 'rules' using 1:2:3:4:5 with vectors nohead linewidth 1 linecolor rgb variable notitle, \
     data index 'text-title-left' using 1:2:5:3:4 with labels left rotate variable textcolor rgb variable font letters_title notitle, \
     data index 'text-title-centre' using 1:2:5:3:4 with labels center rotate variable textcolor rgb variable font letters_title notitle, \
     data index 'text-title-right' using 1:2:5:3:4 with labels right rotate variable textcolor rgb variable font letters_title notitle, \
     data index 'text-text-left' using 1:2:5:3:4 with labels left rotate variable textcolor rgb variable font letters_text notitle, \
     data index 'text-text-centre' using 1:2:5:3:4 with labels center rotate variable textcolor rgb variable font letters_text notitle, \
     data index 'text-text-right' using 1:2:5:3:4 with labels right rotate variable textcolor rgb variable font letters_text notitle, \
     data index 'text-small-left' using 1:2:5:3:4 with labels left rotate variable textcolor rgb variable font letters_small notitle, \
     data index 'text-small-centre' using 1:2:5:3:4 with labels center rotate variable textcolor rgb variable font letters_small notitle, \
     data index 'text-small-right' using 1:2:5:3:4 with labels right rotate variable textcolor rgb variable font letters_small notitle, \
     data index 'text-bold-left' using 1:2:5:3:4 with labels left rotate variable textcolor rgb variable font letters_bold notitle, \
     data index 'text-bold-centre' using 1:2:5:3:4 with labels center rotate variable textcolor rgb variable font letters_bold notitle, \
     data index 'text-bold-right' using 1:2:5:3:4 with labels right rotate variable textcolor rgb variable font letters_bold notitle
unset multiplot
unset output
