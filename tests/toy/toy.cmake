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

# A document by one description, of which each format follows.
execute_process(COMMAND "${SHOWN}" OUTPUT_VARIABLE shown COMMAND_ERROR_IS_FATAL ANY)
foreach(line IN ITEMS "Ely has 2 shelves.\n" "poems    30   75\n" "| <code>maps</code> | 9 | 75 |\n" "name,books,full_ratio\npoems,30,0.75\n"
    "\"schema\":\"toy.library/1\"" "\"full_ratio\":0.75")
  string(FIND "${shown}" "${line}" at)
  if(at EQUAL -1)
    message(FATAL_ERROR "the toy's document lacks '${line}':\n${shown}")
  endif()
endforeach()
file(STRINGS "${TOY}/toy_document.c" lines)
list(LENGTH lines n_lines)
if(n_lines GREATER 60)
  message(FATAL_ERROR "toy_document.c: ${n_lines} lines, want at most 60")
endif()

# A network at clocks of a board, one of which cannot be had: what is fastest, and each format, follow.
execute_process(COMMAND "${CLOCKS}" "${EXAMPLES}/models/mobilenetv2.onnx" kv260 200 300 99999999 OUTPUT_VARIABLE shown COMMAND_ERROR_IS_FATAL ANY)
foreach(line IN ITEMS "which is faster is unknown: kv260,clock=300MHz expected 2.818 ms"
    "why not      mobilenetv2 on kv260,clock=99999999MHz: a clock of 100 THz" "| <code>kv260,clock=300MHz</code> | 2.818 |"
    "\"kv260,clock=200MHz\",,,,0.00171178," "\"asked_hw\":\"kv260,clock=200MHz\"" "<code>kv260,clock=300MHz</code></td><td class=\"num\">2.818</td>")
  string(FIND "${shown}" "${line}" at)
  if(at EQUAL -1)
    message(FATAL_ERROR "the network at several clocks lacks '${line}':\n${shown}")
  endif()
endforeach()

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
