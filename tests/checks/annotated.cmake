# A reader of others, Debian's python3-onnx, takes the copies of ONNX files that roofline annotates.
#   cmake -DMAKE=program -DPYTHON=program -DROOT=folder -DWORK=folder -P annotated.cmake
cmake_minimum_required(VERSION 3.25)

if(NOT PYTHON)
  message("SKIPPED: needs python3")
  return()
endif()
file(REMOVE_RECURSE "${WORK}")
file(MAKE_DIRECTORY "${WORK}")
execute_process(COMMAND "${MAKE}" "${WORK}" COMMAND_ERROR_IS_FATAL ANY)
execute_process(COMMAND "${PYTHON}" -B "${ROOT}/tests/checks/annotated.py" "${WORK}" RESULT_VARIABLE result
  OUTPUT_VARIABLE output ERROR_VARIABLE output OUTPUT_STRIP_TRAILING_WHITESPACE)
message("${output}")
if(result)
  message(FATAL_ERROR "not the model with its numbers")
endif()
