# What bash offers at the end of a line, one word a line: bash complete.bash SCRIPT LINE
# The words are split as bash does on the command line, where '=' stands alone.
source "$1" || exit 1
line=$2
read -r -a COMP_WORDS <<<"${line//=/ = }"
[[ $line != *[[:space:]] ]] || COMP_WORDS+=("")
COMP_CWORD=$((${#COMP_WORDS[@]} - 1))
_roofline
[ "${#COMPREPLY[@]}" = 0 ] || printf '%s\n' "${COMPREPLY[@]}"
