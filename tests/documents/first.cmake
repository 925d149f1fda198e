# Documents stay readable: first/ has the first one of each kind and version that was ever written, and none of them is changed.
#   cmake -DPROGRAM=file -DROOT=folder -DWORK=folder -P first.cmake
cmake_minimum_required(VERSION 3.25)

set(first "${ROOT}/tests/documents/first")
# KIND-VERSION|what it is given to|how what is printed begins
set(reads
  "prediction-1|compare prediction-1.json prediction-1.json|A and B are predicted equal"
  "predictions-1|report predictions-1.json -o @WORK@/predictions|.*index.html"
  "measured-1|reconcile measured-1.json|3 models on kv260: MobileNetV1 5.343 ms"
  "calibration-1|predict ../../../examples/models/mobilenetv1-b4096.xmodel --hw kv260 --calibration calibration-1.json|.*expected"
  "budget-1|check measured-1.json --budget budget-1.json|FAIL: 2 of 12 checks"
  "curve-1|report curve-1.json -o @WORK@/curve|.*index.html"
  "sweep-1|sweep sweep-1.json|index,.*\n39,"
  "hardware-1|hw show ./hardware-1.json|b1024: DPUCZDX8G B1024 on KV260")

file(REMOVE_RECURSE "${WORK}")
file(MAKE_DIRECTORY "${WORK}")
set(seen "")
foreach(row IN LISTS reads)
  string(REGEX MATCH "^([^|]*)\\|([^|]*)\\|(.*)$" row "${row}")
  set(name "${CMAKE_MATCH_1}")
  set(begin "${CMAKE_MATCH_3}")
  list(APPEND seen "${name}.json")
  string(REPLACE "@WORK@" "${WORK}" command "${CMAKE_MATCH_2}")
  separate_arguments(command UNIX_COMMAND "${command}")
  execute_process(COMMAND "${PROGRAM}" ${command} WORKING_DIRECTORY "${first}"
    OUTPUT_VARIABLE output ERROR_VARIABLE errors RESULT_VARIABLE status)
  if(NOT status MATCHES "^[01]$" OR NOT output MATCHES "^${begin}")
    message(SEND_ERROR "${name}: exit code ${status}, want output that begins '${begin}'\n${output}\n${errors}")
  endif()
endforeach()

# A new version of what is read needs its first document here, and nothing lies here that no row reads.
file(GLOB schemas RELATIVE "${ROOT}/docs/schema" "${ROOT}/docs/schema/*.schema.json")
foreach(schema IN LISTS schemas)
  string(REGEX REPLACE "-[0-9]+\\.schema\\.json$" "" kind "${schema}")
  string(REPLACE ".schema" "" document "${schema}")
  if(seen MATCHES "(^|;)${kind}-" AND NOT document IN_LIST seen)
    message(SEND_ERROR "${schema} has no first document that a row reads")
  endif()
endforeach()
file(GLOB there RELATIVE "${first}" "${first}/*")
list(SORT seen)
if(NOT there STREQUAL seen)
  message(SEND_ERROR "first/ has ${there}, rows read ${seen}")
endif()
