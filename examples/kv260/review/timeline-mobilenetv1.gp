# Drawn by roofline. To draw it again, after changing what you like: gnuplot on this file, in this folder.
if (GPVAL_VERSION < 5.2) exit error 'gnuplot 5.2 or later is needed'
reset
set terminal svg size 1040,567 fixed noenhanced font 'Arial,12' background '#ffffff'
set output './timeline-mobilenetv1.svg'
data = './timeline-mobilenetv1.dat'
key_size = 0.200000
letter_scale = 1

width = 1040
height = 620
height = 567.07
plot_left = 0.0581538461538
plot_right = 0.875
plot_top = 0.860422875483
plot_bottom = 0.211614086444
x_min = 0
x_max = 1.88674666667
n_panels = 4
y_min = -0.38
overlap = 0.000888382459114
time_left = 0.0581538461538
time_right = 0.875
time_top = 0.197506480681
time_bottom = 0.1904526778
strip = 0.24
colour_0 = 12086784
colour_1 = 15130578
colour_2 = 12900332
colour_3 = 12575699
colour_4 = 9071931
colour_5 = 15916216
colour_6 = 12900332
colour_7 = 12575699
colour_8 = 742292
colour_9 = 15916216
colour_10 = 15130578
colour_11 = 12575699
colour_12 = 1018463
colour_13 = 15916216
colour_14 = 15130578
colour_15 = 12900332
n_fills = 16

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

# What each engine does over the time of the schedule: a panel for each, filled from below by what it works, above that by what it
# waits for; the dark strip on top of a panel is where the critical path runs through it. Below all, the layers on that path.
set lmargin at screen plot_left; set rmargin at screen plot_right; set tmargin at screen plot_top; set bmargin at screen plot_bottom
set xrange [x_min:x_max]; set yrange [y_min:n_panels]
unset border
colour(k) = value(sprintf('colour_%d', k))
plot data index 'panels' using (x_min):1:(x_max-x_min):(0) with vectors nohead linewidth 1 linecolor rgb axis_colour notitle, \
     data index 'levels' using (x_min):1:(x_max-x_min):(0) with vectors nohead linewidth 0.7 linecolor rgb grid_colour notitle, \
     for [k=0:n_fills-1] data index sprintf('fill-%d', k) using 1:2:3 with filledcurves fillstyle solid noborder linecolor rgb colour(k) notitle, \
     data index 'path' using 1:2:3 with filledcurves fillstyle solid noborder linecolor rgb '#1b1f24' notitle, \
     data index 'layers' using 1:(y_min):1:2:(y_min):(y_min+strip):3 with boxxyerror fillstyle solid noborder linecolor rgb variable notitle
# The time axis, below the layers.
set tmargin at screen time_top; set bmargin at screen time_bottom
set yrange [0:1]; set border 4 linecolor rgb axis_colour
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
