# Runs ../shared/checks/check_xmodel.py: every real file there against tables made by an independent decoder.
#   cmake -DSHARED=folder -DPROGRAM=file -P shared_xmodel.cmake
cmake_minimum_required(VERSION 3.25)

find_program(python python3)
set(script "${SHARED}/checks/check_xmodel.py")
if(NOT SHARED OR NOT EXISTS "${script}" OR NOT python)
  message("SKIPPED: needs python3 and the optional folder ../shared")
  return()
endif()
execute_process(COMMAND "${python}" "${script}" "${PROGRAM}" "${SHARED}/data/xmodel" RESULT_VARIABLE result)
if(result)
  message(FATAL_ERROR "differences: see above")
endif()
