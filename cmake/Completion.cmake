# What completes command lines in bash, zsh and fish: the program prints the scripts, so they are of its options. Where it cannot
# be run, since it is built for another processor without an emulator, there are none.
if(NOT TARGET roofline OR (CMAKE_CROSSCOMPILING AND NOT CMAKE_CROSSCOMPILING_EMULATOR))
  return()
endif()
set(completions "")
foreach(place IN ITEMS "bash|bash-completion/completions|roofline" "zsh|zsh/site-functions|_roofline"
    "fish|fish/vendor_completions.d|roofline.fish")
  string(REGEX MATCH "^(.*)\\|(.*)\\|(.*)$" place "${place}")
  set(script "${PROJECT_BINARY_DIR}/generated/completion/${CMAKE_MATCH_1}/${CMAKE_MATCH_3}")
  add_custom_command(OUTPUT "${script}"
    COMMAND "${CMAKE_COMMAND}" -E make_directory "${PROJECT_BINARY_DIR}/generated/completion/${CMAKE_MATCH_1}"
    COMMAND roofline completion ${CMAKE_MATCH_1} > "${script}"
    DEPENDS roofline
    COMMENT "Completion of ${CMAKE_MATCH_1}"
    VERBATIM)
  list(APPEND completions "${script}")
  install(FILES "${script}" DESTINATION "${CMAKE_INSTALL_DATADIR}/${CMAKE_MATCH_2}" COMPONENT program)
endforeach()
add_custom_target(completions ALL DEPENDS ${completions})
