function __roofline_words # of the command line, without the program and help
    set -l words (commandline -opc)
    set -e words[1]
    test "$words[1]" = help; and set -e words[1]
    printf '%s\n' $words
end
function __roofline_next # whether the next word is a command of this group
    set -l words (__roofline_words)
    test "$words" = "$argv"
end
function __roofline_is # whether this is the command
    set -l words (__roofline_words)
    set -l n (count $argv)
    test (count $words) -ge $n; and test "$words[1..$n]" = "$argv"
end
complete -c roofline -f
complete -c roofline -n __roofline_next -l help -d 'commands, with examples'
complete -c roofline -n __roofline_next -l version -d 'the version'
complete -c roofline -n __roofline_next -a help -d 'options and examples of a command'
