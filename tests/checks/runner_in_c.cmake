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
hear("{\"protocol\": \"roofline.runner/2\"}\n")
check("another protocol is refused" "code EQUAL 2 AND error MATCHES \"want a request of roofline.runner/1\"" "${code} ${error}")
hear("{\"protocol\": \"roofline.runner/1\"}\n{\"iterations\": -1}\n")
check("a turn without iterations is an error" "code EQUAL 1 AND error MATCHES \"no iterations\"" "${code} ${error}")
