# roofline-run-cpu: what it executes is what is predicted, in every data type; its measurement goes through reconcile and
# report; what hw probe writes is a description that predicts.
#   cmake -DPROGRAM=file -DRUNNER=file -DEXAMPLES=folder -DWORK=folder -P run_cpu.cmake
cmake_minimum_required(VERSION 3.25)
if(NOT RUNNER)
  message("SKIPPED: needs roofline-run-cpu (libdnnl-dev)")
  return()
endif()
file(REMOVE_RECURSE "${WORK}")
file(MAKE_DIRECTORY "${WORK}")
get_filename_component(folder "${RUNNER}" DIRECTORY)
set(ENV{ROOFLINE_RUNNER_PATH} "${folder}")
set(ENV{OMP_NUM_THREADS} 1) # these machines are shared

function(must_succeed what)
  execute_process(COMMAND ${ARGN} WORKING_DIRECTORY "${WORK}" RESULT_VARIABLE code OUTPUT_VARIABLE output ERROR_VARIABLE error)
  if(code)
    message(FATAL_ERROR "${what} exits with ${code}\n${output}\n${error}")
  endif()
  set(output "${output}" PARENT_SCOPE)
endfunction()

# --- as many multiply-accumulates as predicted ---
foreach(name IN ITEMS mobilenetv1 mobilenetv2 resnet50)
  set(model "${EXAMPLES}/models/${name}-b4096.xmodel")
  must_succeed("predict" "${PROGRAM}" predict "${model}" --hw b4096 --format json)
  string(JSON predicted GET "${output}" total macs)
  foreach(type IN ITEMS f32 bf16 int8)
    if(NOT DEFINED ENV{ROOFLINE_THOROUGH} AND NOT type STREQUAL "f32" AND NOT name STREQUAL "mobilenetv2")
      continue()
    endif()
    file(WRITE "${WORK}/request"
      "{\"protocol\":\"roofline.runner/1\",\"model\":\"${model}\",\"mode\":\"bypass\",\"options\":{\"data_type\":\"${type}\"}}\n"
      "{\"iterations\":1}\n")
    execute_process(COMMAND "${RUNNER}" INPUT_FILE "${WORK}/request" RESULT_VARIABLE code OUTPUT_VARIABLE output)
    if(code OR NOT output MATCHES "\"done\":{\"macs\":([0-9]+)}")
      message(FATAL_ERROR "${name} in ${type} exits with ${code}\n${output}")
    endif()
    if(NOT CMAKE_MATCH_1 STREQUAL predicted)
      message(FATAL_ERROR "${name} in ${type}: ${CMAKE_MATCH_1} macs executed, ${predicted} predicted")
    endif()
  endforeach()
endforeach()

# --- the loop: probe, predict, measure, reconcile, report ---
must_succeed("hw probe" "${PROGRAM}" hw probe --most 0.2s -o here.json)
must_succeed("hw check" "${PROGRAM}" hw check here.json)
must_succeed("predict" "${PROGRAM}" predict "${model}" --hw here.json)
must_succeed("measure" "${PROGRAM}" measure "${EXAMPLES}/models/mobilenetv1-b4096.xmodel" --iterations 6 --rounds 2 --warmup 10
  --hw here.json -o measured.json)
must_succeed("reconcile" "${PROGRAM}" reconcile measured.json --format json)
string(JSON layers LENGTH "${output}" experiments 0 layers)
if(layers LESS 15)
  message(FATAL_ERROR "${layers} layers are reconciled\n${output}")
endif()

# --- the seed of its data is in the document ---
foreach(case IN ITEMS "|42" "--seed=7|7" "--option=seed=9|9")
  string(REGEX MATCH "^([^|]*)[|](.*)$" both "${case}")
  set(option ${CMAKE_MATCH_1})
  set(seed "${CMAKE_MATCH_2}")
  must_succeed("measure" "${PROGRAM}" measure "${model}" --mode bypass --iterations 2 --rounds 1 --warmup 1 ${option} -o seed.json)
  file(READ "${WORK}/seed.json" document)
  if(NOT document MATCHES "random data of seed ${seed},")
    message(FATAL_ERROR "no seed ${seed} in the document of measure ${option}")
  endif()
endforeach()
foreach(option IN ITEMS --seed=x --seed=-1 --option=seed=1.5)
  execute_process(COMMAND "${PROGRAM}" measure "${model}" ${option} -o no.json WORKING_DIRECTORY "${WORK}" RESULT_VARIABLE code
    ERROR_VARIABLE error OUTPUT_QUIET)
  if(NOT code EQUAL 64 OR NOT error MATCHES "is no whole number")
    message(FATAL_ERROR "measure ${option} exits with ${code}: ${error}")
  endif()
endforeach()

# --- what it cannot do is said ---
foreach(case IN ITEMS "missing.xmodel|66|cannot open" "${CMAKE_CURRENT_LIST_FILE}|65|no known model")
  string(REPLACE "|" ";" case "${case}")
  list(GET case 0 file)
  list(GET case 1 want)
  list(GET case 2 says)
  execute_process(COMMAND "${PROGRAM}" measure "${file}" -o no.json WORKING_DIRECTORY "${WORK}" RESULT_VARIABLE code
    ERROR_VARIABLE error OUTPUT_QUIET)
  if(NOT code EQUAL want OR NOT error MATCHES "${says}")
    message(FATAL_ERROR "measure ${file} exits with ${code}, want ${want}: ${error}")
  endif()
endforeach()
execute_process(COMMAND "${PROGRAM}" measure "${model}" --option data_type=f12 WORKING_DIRECTORY "${WORK}" RESULT_VARIABLE code
  ERROR_VARIABLE error OUTPUT_QUIET)
if(NOT code EQUAL 64 OR NOT error MATCHES "want f32, bf16 or int8")
  message(FATAL_ERROR "a data type that there is not: ${code}, ${error}")
endif()
