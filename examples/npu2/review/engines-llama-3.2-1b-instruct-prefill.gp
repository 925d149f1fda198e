# Drawn by roofline. To draw it again, after changing what you like: gnuplot on this file, in this folder.
if (GPVAL_VERSION < 5.2) exit error 'gnuplot 5.2 or later is needed'
reset
set terminal svg size 1040,587 fixed noenhanced font 'Arial,12' background '#ffffff'
set output './engines-llama-3.2-1b-instruct-prefill.svg'
data = './engines-llama-3.2-1b-instruct-prefill.dat'
key_size = 0.200000
letter_scale = 1

width = 1040
height = 620
height = 586.75
plot_left = 0.109269230769
plot_right = 0.863461538462
plot_top = 0.828291435876
plot_bottom = 0.214742224116
x_min = 0
x_max = 187.530764444
n_panels = 5
y_min = 0
overlap = 0.0956350473989
time_left = 0.109269230769
time_right = 0.863461538462
time_top = 0.180656156796
time_bottom = 0.173838943332

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

# How busy each engine is: layers as wide as their ideal time, engines from the top in the order of the tables.
set lmargin at screen plot_left; set rmargin at screen plot_right; set tmargin at screen plot_top; set bmargin at screen plot_bottom
set xrange [x_min:x_max]; set yrange [y_min:n_panels]
set border 15 linecolor rgb axis_colour linewidth 0.8
# A cell reaches a little below the next one, which covers that: no gaps between cells.
plot data index 'cells' using 1:3:1:($2+overlap > x_max ? x_max : $2+overlap):3:($3+1):5 with boxxyerror fillstyle solid noborder linecolor rgb variable notitle, \
     data index 'parting' using 1:(0):(0):(n_panels) with vectors nohead linewidth 0.8 linecolor rgb '#ffffff' notitle, \
     data index 'panels' using (x_min):($1 > 0 ? $1 : NaN):(x_max-x_min):(0) with vectors nohead linewidth 1.5 linecolor rgb '#ffffff' notitle
# The time axis, below the numbers of the layers.
set tmargin at screen time_top; set bmargin at screen time_bottom
set yrange [0:1]; set border 4
plot data index 'x-grid' using 1:(1):(0):(-1) with vectors nohead linewidth 1 linecolor rgb axis_colour notitle

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
