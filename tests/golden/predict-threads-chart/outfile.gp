# Drawn by roofline. To draw it again, after changing what you like: gnuplot on this file, in this folder.
if (GPVAL_VERSION < 5.2) exit error 'gnuplot 5.2 or later is needed'
reset
set terminal svg size 1040,620 fixed noenhanced font 'Arial,12' background '#ffffff'
set output './out.svg'
data = './out.dat'
key_size = 0.200000
letter_scale = 1

width = 1040
height = 620
is_measured = 0
rates_left = 0.0730769230769
rates_right = 0.976923076923
rates_top = 0.863306451613
rates_bottom = 0.42800483871
rates_x_min = 0
rates_x_max = 8.48
rates_y_min = 0
rates_y_max = 1188
times_left = 0.0730769230769
times_right = 0.976923076923
times_top = 0.373166129032
times_bottom = 0.107096774194
times_x_min = 0
times_x_max = 8.48
times_y_min = 0
times_y_max = 13.6053895061

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
