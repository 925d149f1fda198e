# Our own descriptions are without a mere doubt, too, and what they extend is there.
#   cmake -DPROGRAM=roofline -DROOT=folder -P hwdb_data.cmake
cmake_minimum_required(VERSION 3.25)

file(GLOB_RECURSE files "${ROOT}/hwdb/data/*.json")
list(LENGTH files count)
set(failures 0)
foreach(file IN LISTS files)
  execute_process(COMMAND "${PROGRAM}" hw check "${file}" OUTPUT_VARIABLE said ERROR_VARIABLE said RESULT_VARIABLE result)
  if(NOT result EQUAL 0 OR NOT said MATCHES "^[^\n]*: good: [^\n]*\n$")
    math(EXPR failures "${failures} + 1")
    message("${said}")
  endif()
endforeach()
if(failures OR NOT count)
  message(FATAL_ERROR "${failures} of ${count} descriptions of hwdb/data are not good")
endif()
message("all ${count} descriptions of hwdb/data are good")
