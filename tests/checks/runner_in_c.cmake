# A runner of one's own in C is its source, speak.c, speak_load.c and cJSON: the example is built as docs/runner-protocol.md says and is measured
# with; and what speak.c hears and says, to the byte.
#   cmake -DPROGRAM=file -DCC=compiler -DRUNNERS=folder -DEXAMPLES=folder -DODD=file -DWORK=folder -P runner_in_c.cmake
cmake_minimum_required(VERSION 3.25)
file(REMOVE_RECURSE "${WORK}")
file(MAKE_DIRECTORY "${WORK}")

function(check what condition)
  cmake_language(EVAL CODE "if(${condition})\n set(holds TRUE)\n else()\n set(holds FALSE)\n endif()")
  if(NOT holds)
    message(FATAL_ERROR "not so: ${what}\n${ARGN}")
  endif()
endfunction()

foreach(source IN ITEMS "${EXAMPLES}/runner/roofline-run-nap.c" "${ODD}")
  cmake_path(GET source STEM name)
  execute_process(COMMAND "${CC}" -std=c17 -Wall -Wextra -Werror -I "${RUNNERS}" -D_GNU_SOURCE -o "${WORK}/${name}" "${source}"
    "${RUNNERS}/speak.c" "${RUNNERS}/speak_load.c" -lcjson RESULT_VARIABLE code ERROR_VARIABLE error)
  check("${name} is built of three sources and cJSON" "code EQUAL 0" "${error}")
endforeach()

set(ENV{ROOFLINE_RUNNER_PATH} "${WORK}")
execute_process(COMMAND "${PROGRAM}" measure "${EXAMPLES}/models/mobilenetv2-b4096.xmodel" --on nap --iterations 10 --rounds 2
  --option scale=0.5 -o measured.json WORKING_DIRECTORY "${WORK}" RESULT_VARIABLE code ERROR_VARIABLE error)
check("roofline measures with it" "code EQUAL 0" "${error}")
file(READ "${WORK}/measured.json" document)
string(JSON n LENGTH "${document}" experiments 0 runs 1 layers)
string(JSON samples LENGTH "${document}" experiments 0 runs 1 layers 3 samples_s)
check("its layers are kept" "n EQUAL 4 AND samples EQUAL 10" "${document}")
execute_process(COMMAND "${PROGRAM}" measure "${EXAMPLES}/models/mobilenetv2-b4096.xmodel" --on nap --option scale=x -o none.json
  WORKING_DIRECTORY "${WORK}" RESULT_VARIABLE code ERROR_VARIABLE error)
check("its error is told" "code EQUAL 64 AND error MATCHES \"scale is 'x', want a number\"" "${code} ${error}")

execute_process(COMMAND "${PROGRAM}" measure "${EXAMPLES}/models/mobilenetv2-b4096.xmodel" --on nap --iterations 4 --rounds 2
  --warmup 1 --threads 3 --option scale=0.5 -o load.json WORKING_DIRECTORY "${WORK}" RESULT_VARIABLE code ERROR_VARIABLE error)
check("it takes load" "code EQUAL 0" "${error}")
file(READ "${WORK}/load.json" document)
string(JSON means LENGTH "${document}" experiments 0 runs 0 thread_means_s)
string(JSON samples LENGTH "${document}" experiments 0 runs 0 total samples_s)
check("every inference of every thread is kept" "means EQUAL 3 AND samples EQUAL 12" "${document}")

# hear(REQUEST): what odd_runner answers.
function(hear request)
  file(WRITE "${WORK}/request" "${request}")
  execute_process(COMMAND "${WORK}/odd_runner" INPUT_FILE "${WORK}/request" OUTPUT_FILE "${WORK}/said" ERROR_VARIABLE error
    RESULT_VARIABLE code)
  file(READ "${WORK}/said" said)
  set(said "${said}" PARENT_SCOPE)
  set(code "${code}" PARENT_SCOPE)
  set(error "${error}" PARENT_SCOPE)
endfunction()

string(REPEAT "x" 698 lengthy)
hear("{\"protocol\": \"roofline.runner/1\", \"model\": \"a\\u00e9\\\"b\", \"mode\": \"per_layer\", \"counters\": true, \"batch\": 3,
\"options\": {\"note\": \"n=1\"}}\n")
check("a request is one line" "code EQUAL 2 AND error MATCHES \"is no JSON\"" "${code} ${error} ${said}")
hear("{\"protocol\": \"roofline.runner/1\", \"model\": \"a\\u00e9\\\"b\", \"mode\": \"per_layer\", \"counters\": true, \"batch\": 3, \
\"options\": {\"note\": \"n=1\"}}\n{\"iterations\": 7}\n")
string(CONCAT want "{\"hello\":{\"device\":\"café ??[31m???😀???\",\"version\":\"aé\\\"b\",\"note\":\"n=1\",\"batch\":3}}\n"
  "{\"layers\":[{\"name\":\"a\\\"/\\\\\",\"type\":\"conv\",\"macs\":9007199254740991},{\"name\":\"b\",\"skipped\":\"no code\",\"bytes\":0}]}\n"
  "{\"sample\":{\"total_s\":0.1,\"phases\":{\"run_s\":1e-09},\"layers_cycles\":[1234567890123456,null]}}\n"
  "{\"round\":{\"iterations\":7}}\n{\"done\":{\"macs\":0}}\n{\"error\":{\"code\":\"usage\",\"text\":\"${lengthy}?\"}}\n")
check("every line is as it should be" "said STREQUAL want AND code EQUAL 1" "${code} ${error}\n${said}\n${want}")
# load(OPTIONS): what it answers under a load of three threads, in two turns.
function(load options)
  hear("{\"protocol\": \"roofline.runner/1\", \"model\": \"m\", \"mode\": \"load\", \"threads\": 3, \"options\": {${options}}}\n\
{\"iterations\": 6}\n{\"iterations\": 1}\n")
  string(REGEX MATCHALL "{\"sample\":{\"total_s\":[0-9.e-]+,\"thread\":[0-2],\"phases\":{\"run_s\":0}}}\n" samples "${said}")
  list(LENGTH samples n)
  string(REGEX REPLACE "{\"sample[^\n]*\n" "" rest "${said}")
  set(ended 0)
  set(runs 0)
  if(error MATCHES "^([0-9]+) begun, ([0-9]+) ended, ([0-9]+) runs")
    set(ended "${CMAKE_MATCH_2}")
    set(runs "${CMAKE_MATCH_3}")
  endif()
  foreach(name IN ITEMS n rest code error ended runs)
    set(${name} "${${name}}" PARENT_SCOPE)
  endforeach()
endfunction()
load("")
check("threads begin in their order, and end" "code EQUAL 0 AND ended EQUAL 3" "${code} ${error}")
check("a turn is said when it is done" "n EQUAL 7 AND rest STREQUAL \"{\\\"round\\\":{\\\"iterations\\\":6}}\n{\\\"round\\\":{\\\"iterations\\\":1}}\n\"" "${said}")
math(EXPR least "7 + 2 * 3")
check("each thread begins a turn with an inference that does not count" "runs GREATER_EQUAL least" "${runs}")
load("\"fails\": \"begin\"")
check("a thread that cannot begin is told of, and those that began end" "n EQUAL 0 AND code EQUAL 1 AND ended EQUAL 2 AND \
rest STREQUAL \"{\\\"error\\\":{\\\"code\\\":\\\"no_device\\\",\\\"text\\\":\\\"thread 1 cannot begin\\\"}}\n\"" "${code} ${error} ${said}")
load("\"fails\": \"run\"")
check("an inference that fails is told of, and no sample is said" "n EQUAL 0 AND code EQUAL 1 AND ended EQUAL 3 AND \
rest MATCHES \"the second one broke\"" "${code} ${error} ${said}")
hear("{\"protocol\": \"roofline.runner/1\", \"model\": \"m\", \"mode\": \"load\", \"options\": {}}\n")
check("load wants a number of threads" "code EQUAL 2" "${code} ${error}")

hear("{\"protocol\": \"roofline.runner/2\"}\n")
check("another protocol is refused" "code EQUAL 2 AND error MATCHES \"want a request of roofline.runner/1\"" "${code} ${error}")
hear("{\"protocol\": \"roofline.runner/1\"}\n{\"iterations\": -1}\n")
check("a turn without iterations is an error" "code EQUAL 1 AND error MATCHES \"no iterations\"" "${code} ${error}")
