# What fish offers at the end of a line, one word a line: fish complete.fish SCRIPT LINE
source $argv[1]; or exit 1
complete -C "$argv[2]" | string replace -r '\t.*' '' | string replace -r '^--[a-z]+=' '' | string trim -r -c /
true # the last command tells only whether something was changed
