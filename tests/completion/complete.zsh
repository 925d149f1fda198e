# What zsh offers at the end of a line, one word a line: zsh -f complete.zsh SCRIPT LINE
# The line is typed into a second shell, whose completion writes what it would show into a file.
zmodload zsh/zpty || exit 1
script=$1 line=$2
found=$(mktemp -d) || exit 1
cat >$found/rc <<EOF
PS1=
autoload -Uz compinit
compinit -u -D
source ${(q)script}
compadd() {
  # what asks for words itself gets them; the others' are what is shown
  if [[ \$@[(r)-[ADO]*] == '' ]]; then
    local -a words
    builtin compadd -O words "\$@"
    print -rl -- \$words >>$found/words
  fi
  builtin compadd "\$@"
}
capture() { zle complete-word; print >$found/done }
zle -N capture
bindkey '^I' capture
print >$found/ready
EOF
wait_for() { # for what the other shell does, however slow the machine is
  local unread
  while [[ ! -e $found/$1 ]]; do
    zpty -t shell || { print -u2 "zsh ended"; return 1; }
    zpty -r -t shell unread || sleep 0.05
  done
}
{ # no trap, which the other shell would inherit
  zpty -b shell exec zsh -f -i # reading what it shows does not wait
  zpty -w shell "source $found/rc"
  wait_for ready || exit 1
  zpty -w -n shell "$line"$'\t'
  wait_for done || exit 1
  zpty -d shell
  [[ ! -e $found/words ]] || grep . $found/words
} always {
  rm -rf $found
}
exit 0
