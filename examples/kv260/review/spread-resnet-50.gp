# Drawn by roofline. To draw it again, after changing what you like: gnuplot on this file, in this folder.
if (GPVAL_VERSION < 5.2) exit error 'gnuplot 5.2 or later is needed'
reset
set terminal svg size 1040,335 fixed noenhanced font 'Arial,12' background '#ffffff'
set output './spread-resnet-50.svg'
data = './spread-resnet-50.dat'
key_size = 0.200000
letter_scale = 1

width = 1040
height = 620
height = 335
number_x = 33.2032
name_x = 40.2032
plot_left = 0.144118461538
plot_right = 0.978846153846
plot_top = 0.681343283582
plot_bottom = 0.215671641791
rows = 6
rows_top = 109.75
rows_pitch = 25
rows_pad = 0.12
x_min = 0
x_max = 22.4584424198
high_cov = 10

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

# How much each layer's time scatters: boxes of the samples relative to the median, or bars of the coefficient of variation.
in_order = 0 # 1: in order of execution, else the largest scatter first
row(a, b) = in_order ? b : a
set lmargin at screen plot_left; set rmargin at screen plot_right; set tmargin at screen plot_top; set bmargin at screen plot_bottom
set xrange [x_min:x_max]; set yrange [rows+0.5+rows_pad:0.5-rows_pad]
colour(look) = look == 0 ? 0x0b5394 : look == 1 ? 0x757c86 : 0xa83222 # CoV up to 10 %; above it, by outliers; above it
half = 0.32
if (high_cov > 0) set arrow 1 from high_cov, graph 0 to high_cov, graph 1 nohead dashtype 2 linewidth 1.4 linecolor rgb ink front
plot data index 'x-grid' using 1:(0.5-rows_pad):(0):(rows+2*rows_pad) with vectors nohead linewidth 0.7 linecolor rgb grid_colour notitle, \
     data index 'bars' using (0):(row($1,$2)):(0):3:(row($1,$2)-half):(row($1,$2)+half):(colour($4)) with boxxyerror fillstyle solid noborder linecolor rgb variable notitle, \
     data index 'bars' using ($4 == 2 ? 0 : NaN):(row($1,$2)):(0):3:(row($1,$2)-half):(row($1,$2)+half) with boxxyerror fillstyle transparent pattern 4 noborder linecolor rgb '#ffffff' notitle, \
     data index 'deviations' using (0):(row($1,$2)):(-$3):3:(row($1,$2)-half):(row($1,$2)+half) with boxxyerror fillstyle solid 0.0 border linecolor rgb muted linecolor rgb '#ffffff' notitle, \
     data index 'boxes' using 3:(row($1,$2)):($6-$3):(0) with vectors nohead linewidth 1.2 linecolor rgb ink notitle, \
     data index 'boxes' using 4:(row($1,$2)):4:5:(row($1,$2)-half):(row($1,$2)+half):(colour($7)) with boxxyerror fillstyle solid noborder linecolor rgb variable notitle, \
     data index 'boxes' using ($7 == 2 ? $4 : NaN):(row($1,$2)):4:5:(row($1,$2)-half):(row($1,$2)+half) with boxxyerror fillstyle transparent pattern 4 noborder linecolor rgb '#ffffff' notitle, \
     data index 'boxes' using (0):(row($1,$2)-0.42):(0):(0.84) with vectors nohead linewidth 2 linecolor rgb ink notitle, \
     data index 'outliers' using 3:(row($1,$2)):(key_size*2.5) with points pointtype 7 pointsize variable linecolor rgb ink notitle, \
     data index 'beyond' using 3:(row($1,$2)):4:(0) with vectors head filled size screen 0.006,25 linewidth 1.2 linecolor rgb ink notitle
unset arrow 1
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
