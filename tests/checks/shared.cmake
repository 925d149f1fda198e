# Runs a script of ../shared/checks on folders of real files: every file against tables made by an independent decoder.
#   cmake -DSHARED=folder -DPROGRAM=file -DCHECK=check_xmodel.py -DFOLDERS=xmodel,aie/code -P shared.cmake
cmake_minimum_required(VERSION 3.25)

find_program(python python3)
set(script "${SHARED}/checks/${CHECK}")
if(NOT SHARED OR NOT EXISTS "${script}" OR NOT python)
  message("SKIPPED: needs python3 and the optional folder ../shared")
  return()
endif()

string(REPLACE "," ";" folders "${FOLDERS}")
foreach(folder IN LISTS folders)
  execute_process(COMMAND "${python}" "${script}" "${PROGRAM}" "${SHARED}/data/${folder}"
    RESULT_VARIABLE result OUTPUT_VARIABLE output ERROR_VARIABLE errors)
  message("${output}${errors}")
  set(last_line "(^|\n)[1-9][0-9]* files[,:] [1-9][^\n]* (agree|imported)[,;][^\n]* 0 differences\n$")
  if(errors OR NOT result EQUAL 0 OR NOT output MATCHES "${last_line}")
    message(FATAL_ERROR "differences from the tables")
  endif()
endforeach()
