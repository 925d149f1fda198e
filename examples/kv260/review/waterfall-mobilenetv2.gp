# Drawn by roofline. To draw it again, after changing what you like: gnuplot on this file, in this folder.
if (GPVAL_VERSION < 5.2) exit error 'gnuplot 5.2 or later is needed'
reset
set terminal svg size 1040,293 fixed noenhanced font 'Arial,12' background '#ffffff'
set output './waterfall-mobilenetv2.svg'
data = './waterfall-mobilenetv2.dat'
key_size = 0.200000
letter_scale = 1

width = 1040
height = 620
height = 293
number_x = 24.6016
name_x = 31.6016
plot_left = 0.193886153846
plot_right = 0.978846153846
plot_top = 0.574232081911
plot_bottom = 0.246587030717
rows = 3
rows_top = 127.75
rows_pitch = 30
rows_pad = 0.1
x_min = 0
x_max = 628.294409315

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
