_roofline() {
  local -a commands
  local command=
  while :; do
    case $command in
#@
      *) break ;;
    esac
    if (( CURRENT == 2 )); then _describe command commands; return; fi
    command="${command:+$command }$words[2]"
    [[ $command != help ]] || command=
    shift words
    (( CURRENT-- ))
  done
  case $command in
#@
  esac
}
if [[ $funcstack[1] == _roofline ]]; then _roofline "$@"; else compdef _roofline roofline; fi
