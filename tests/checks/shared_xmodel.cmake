# Runs ../shared/checks/check_xmodel.py: every real file there against tables made by an independent decoder.
#   cmake -DSHARED=folder -DPROGRAM=file -P shared_xmodel.cmake
cmake_minimum_required(VERSION 3.25)

find_program(python python3)
set(script "${SHARED}/checks/check_xmodel.py")
if(NOT SHARED OR NOT EXISTS "${script}" OR NOT python)
  message("SKIPPED: needs python3 and the optional folder ../shared")
  return()
endif()

execute_process(COMMAND "${python}" "${script}" "${PROGRAM}" "${SHARED}/data/xmodel"
  RESULT_VARIABLE result OUTPUT_VARIABLE output ERROR_VARIABLE errors)
message("${output}${errors}")
if(errors OR NOT result EQUAL 0
   OR NOT output MATCHES "(^|\n)[0-9]+ files, [1-9][0-9]* layers and [1-9][0-9]* stream totals agree, 0 differences\n$")
  message(FATAL_ERROR "differences from the tables")
endif()
