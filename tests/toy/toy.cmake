# Predicts, imports, reconciles and reports with what tests/toy adds.
#   cmake -DPROGRAM=roofline -DTOY=folder -DEXAMPLES=folder -DWORK=folder -P toy.cmake
cmake_minimum_required(VERSION 3.25)

file(REMOVE_RECURSE "${WORK}")
file(MAKE_DIRECTORY "${WORK}")

# want(TEXT ARGUMENTS...): the program says TEXT.
function(want text)
  execute_process(COMMAND "${PROGRAM}" ${ARGN} WORKING_DIRECTORY "${WORK}"
    RESULT_VARIABLE result OUTPUT_VARIABLE output ERROR_VARIABLE errors)
  list(JOIN ARGN " " command)
  if(NOT result MATCHES "^(0|69)$") # 69: without gnuplot
    message(FATAL_ERROR "roofline ${command}: exit ${result}\n${errors}")
  endif()
  string(FIND "${output}${errors}" "${text}" at)
  if(at EQUAL -1)
    message(FATAL_ERROR "roofline ${command}: want '${text}'\n${output}${errors}")
  endif()
endfunction()

# 640 and 64 multiply-accumulates at 64 a cycle are 10 and 1, 40 and 400 bytes at 4 a cycle 10 and 100: 10 + 100 us.
want("about 110 us" predict "${TOY}/toy.net" --hw "${TOY}/toy.json")
want("toy" formats)
want("a quarter of their channels" formats)
want("0.25 times the channels of all layers" advise "${EXAMPLES}/models/mobilenetv2.onnx" --hw kv260 --rule toy)
want("" import "${TOY}/toy.times" --model "${TOY}/toy.net" --hw "${TOY}/toy.json" -o toy-measured.json)
want("220 us in a per-layer run, 2.0x its ideal of 110 us" reconcile toy-measured.json)
want("" report toy-measured.json -o review)
file(GLOB made "${WORK}/review/*")
list(JOIN made "\n" made)
if(NOT made MATCHES "index\\.html" OR NOT made MATCHES "toy-toy\\.dat")
  message(FATAL_ERROR "the report lacks its page or the chart:\n${made}")
endif()
