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
