# What the program says of itself in golden tables is reckoned a second time, by formulas of the documents.
#   cmake -DSCRIPT=reckon_NAME.py -DGOLDEN=folder -P reckon.cmake
cmake_minimum_required(VERSION 3.25)
find_program(python NAMES python3)
if(NOT python)
  message("SKIPPED: needs python3")
  return()
endif()
execute_process(COMMAND "${python}" -B "${SCRIPT}" "${GOLDEN}" COMMAND_ERROR_IS_FATAL ANY)
