# Drawn by roofline. To draw it again, after changing what you like: gnuplot on this file, in this folder.
if (GPVAL_VERSION < 5.2) exit error 'gnuplot 5.2 or later is needed'
reset
set terminal svg size 1040,620 fixed noenhanced font 'Arial,12' background '#ffffff'
set output './overhead.svg'
data = './overhead.dat'
key_size = 0.200000
letter_scale = 1

width = 1040
height = 620
overhead_left = 0.0711538461538
overhead_right = 0.634615384615
overhead_top = 0.869838709677
overhead_bottom = 0.30064516129
overhead_x_min = 0
overhead_x_max = 61.6
overhead_y_min = -0.895354828314
overhead_y_max = 12.4133591137
residual_left = 0.0711538461538
residual_right = 0.634615384615
residual_top = 0.271612903226
residual_bottom = 0.116774193548
residual_y_min = -0.791291476023
residual_y_max = 0.586285536736
host_shown = 1
host_left = 0.707692307692
host_right = 0.976923076923
host_top = 0.785967741935
host_bottom = 0.512661290323
host_x_min = 0
host_x_max = 61.6
host_y_min = 0
host_y_max = 3.65065003084
boundary_shown = 1
boundary_left = 0.707692307692
boundary_right = 0.976923076923
boundary_top = 0.3675
boundary_bottom = 0.0812903225806
boundary_x_min = 0
boundary_x_max = 61.6
boundary_y_min = -9.29612989176
boundary_y_max = 14.4396169858

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

# What timing costs: a large panel with its residuals below, and two small ones where the canvas is wide.
array panels[3] = ['overhead', 'host', 'boundary']
overhead_shown = 1
do for [i = 1:3] {
    p = panels[i]
    if (value(p.'_shown')) {
        x_max = value(p.'_x_max'); y_min = value(p.'_y_min'); y_max = value(p.'_y_max')
        set lmargin at screen value(p.'_left'); set rmargin at screen value(p.'_right')
        set tmargin at screen value(p.'_top'); set bmargin at screen value(p.'_bottom')
        set xrange [0:x_max]; set yrange [y_min:y_max]
        plot data index p.'-band' using 1:(clipped($2, y_min, y_max)):(clipped($3, y_min, y_max)) with filledcurves fillcolor rgb '#e3e9f1' notitle, \
             data index (i == 1 ? 'overhead-x-grid' : p.'-x-grid') using 1:(y_min):(0):(y_max-y_min) with vectors nohead linewidth 0.7 linecolor rgb grid_colour notitle, \
             data index p.'-y-grid' using (0):1:(x_max):(0) with vectors nohead linewidth 0.7 linecolor rgb grid_colour notitle, \
             0 with lines linewidth 0.8 linecolor rgb axis_colour notitle, \
             data index p.'-others' using 1:2 with lines dashtype 2 linewidth 1.2 linecolor rgb muted notitle, \
             data index p.'-chosen' using 1:2 with lines linewidth 2.6 linecolor rgb ink title 'line', \
             data index p.'-points' using 1:2:(key_size*5) with points pointtype 7 pointsize variable linecolor rgb '#0b5394' title 'models'
    }
}
# What the chosen line leaves over, below the large panel and over the same boundaries.
set lmargin at screen residual_left; set rmargin at screen residual_right
set tmargin at screen residual_top; set bmargin at screen residual_bottom
set xrange [0:overhead_x_max]; set yrange [residual_y_min:residual_y_max]
plot data index 'overhead-x-grid' using 1:(residual_y_min):(0):(residual_y_max-residual_y_min) with vectors nohead linewidth 0.7 linecolor rgb grid_colour notitle, \
     data index 'residual-grid' using (0):1:(overhead_x_max):(0) with vectors nohead linewidth 0.7 linecolor rgb grid_colour notitle, \
     0 with lines linewidth 1.4 linecolor rgb ink notitle, \
     data index 'overhead-points' using 1:(0):(0):3 with vectors nohead linewidth 2 linecolor rgb '#a83222' notitle, \
     data index 'overhead-points' using 1:3:(key_size*4) with points pointtype 7 pointsize variable linecolor rgb '#a83222' title 'residuals'

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
