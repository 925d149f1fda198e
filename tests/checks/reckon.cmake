# What the program says of itself in golden tables is reckoned a second time, by formulas of the documents; and other
# scripts in Python. GOLDEN: the first argument; MORE: further ones, with commas between.
#   cmake -DSCRIPT=reckon_NAME.py -DGOLDEN=folder [-DMORE=a,b] -P reckon.cmake
cmake_minimum_required(VERSION 3.25)
find_program(python NAMES python3)
if(NOT python)
  message("SKIPPED: needs python3")
  return()
endif()
string(REPLACE "," ";" more "${MORE}")
execute_process(COMMAND "${python}" -B "${SCRIPT}" "${GOLDEN}" ${more} COMMAND_ERROR_IS_FATAL ANY)
