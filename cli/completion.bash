_roofline() {
  local current=${COMP_WORDS[COMP_CWORD]} previous=${COMP_WORDS[COMP_CWORD - 1]} command=${COMP_WORDS[1]}
  local at=2 words= files=
  if [[ $current == '=' ]]; then current=; elif [[ $previous == '=' ]]; then previous=${COMP_WORDS[COMP_CWORD - 2]}; fi
  [[ $command != help ]] || { command=${COMP_WORDS[2]} at=3; }
  ((COMP_CWORD >= at)) || { command= previous=; }
  case $command in
#@
  esac
  case "$command $previous" in
#@
  *)
    case $command in
#@
    esac
    [[ $current == -* ]] || case $command in
#@
    esac ;;
  esac
  mapfile -t COMPREPLY < <(compgen -W "$words" -- "$current")
  [[ -z $files ]] || { compopt -o filenames 2>/dev/null; mapfile -t -O ${#COMPREPLY[@]} COMPREPLY < <(compgen "$files" -- "$current"); }
}
complete -F _roofline roofline
