# Debian's own reader of .xmodel files (xir, from libxir-utils) accepts the models that this project makes.
#   cmake -DEXAMPLES=folder -DGENERATED=folder -P xir.cmake
cmake_minimum_required(VERSION 3.25)

find_program(xir xir)
file(GLOB_RECURSE models "${EXAMPLES}/*.xmodel")
file(GLOB generated "${GENERATED}/*.xmodel")
list(APPEND models ${generated})
list(FILTER models EXCLUDE REGEX "-old-spelling") # what compilers 1.1 and 1.2 wrote, xir 2.5 refuses
if(NOT xir OR NOT models)
  message("SKIPPED: needs xir (libxir-utils)")
  return()
endif()

set(failures 0)
foreach(model IN LISTS models)
  execute_process(COMMAND "${xir}" subgraph "${model}" RESULT_VARIABLE result OUTPUT_VARIABLE output ERROR_VARIABLE output)
  if(result OR output STREQUAL "")
    message("${model}: xir says ${result}\n${output}")
    math(EXPR failures "${failures} + 1")
  endif()
endforeach()
list(LENGTH models count)
message("${count} models, ${failures} failures")
if(failures)
  message(FATAL_ERROR "not a valid .xmodel")
endif()
