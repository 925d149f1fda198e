# Drawn by roofline. To draw it again, after changing what you like: gnuplot on this file, in this folder.
if (GPVAL_VERSION < 5.2) exit error 'gnuplot 5.2 or later is needed'
reset
set terminal svg size 1040,620 fixed noenhanced font 'Arial,12' background '#ffffff'
set output './parity-mobilenetv2.svg'
data = './parity-mobilenetv2.dat'
key_size = 0.200000
letter_scale = 1

width = 1040
height = 620
plot_left = 0.0673076923077
plot_right = 0.512355769231
plot_top = 0.863306451613
plot_bottom = 0.116774193548
x_min = 100
x_max = 1000
y_min = 100
y_max = 1000

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

# Ideal against measured, both logarithmic and over the same range, so that a factor is a distance from the diagonal.
set lmargin at screen plot_left; set rmargin at screen plot_right; set tmargin at screen plot_top; set bmargin at screen plot_bottom
set logscale xy 10
set xrange [x_min:x_max]; set yrange [y_min:y_max]
# The page counts plots: discs are the 6th and 7th, what leads down the 9th and 10th (reports/page/page.js).
plot data index 'bounds' every :::0::0 using 1:2:(y_min) with filledcurves above y=y_min fillcolor rgb '#f3f1f1' notitle, \
     data index 'x-grid' using 1:(y_min):(0):(y_max-y_min) with vectors nohead linewidth 0.7 linecolor rgb grid_colour notitle, \
     data index 'y-grid' using (x_min):1:(x_max-x_min):(0) with vectors nohead linewidth 0.7 linecolor rgb grid_colour notitle, \
     data index 'bounds' every :::1 using 1:2 with lines dashtype 2 linewidth 1 linecolor rgb muted notitle, \
     data index 'bounds' every :::0::0 using 1:2 with lines linewidth 3 linecolor rgb ink notitle, \
     data index 'points' using 3:($10 == 1 ? NaN : $4):(key_size*$6*symbol_size($11)):11:(0x20000000+$7) with points pointtype variable pointsize variable linecolor rgb variable title 'measured', \
     data index 'points' using 3:($10 == 1 ? $4 : NaN):(key_size*$6*symbol_size($11)):($11-1):7 with points pointtype variable linewidth 2 pointsize variable linecolor rgb variable title 'estimated', \
     data index 'deviations' using 1:2:(0):($3-$2) with vectors heads size screen 0.004,90 linewidth 1.2 linecolor rgb ink notitle, \
     data index 'corrected' using 1:2:(0):($3-$2) with vectors nohead linewidth 0.8 linecolor rgb ink notitle, \
     data index 'corrected' using 1:3:(key_size*3) with points pointtype 6 linewidth 1.2 pointsize variable linecolor rgb ink title 'without the cost of timing', \
     data index 'below-bound' using 2:3:(key_size*6) with points pointtype 2 linewidth 2.2 pointsize variable linecolor rgb '#a83222' title 'below its bound'

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
