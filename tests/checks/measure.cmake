# The whole program with the runner of examples/: what it writes can be reconciled; broken off in the middle it leaves the old
# file and no process.
#   cmake -DPROGRAM=file -DEXAMPLES=folder -DWORK=folder -P measure.cmake
cmake_minimum_required(VERSION 3.25)
find_program(python python3)
if(NOT python)
  message("SKIPPED: needs python3")
  return()
endif()
file(REMOVE_RECURSE "${WORK}")
file(MAKE_DIRECTORY "${WORK}")
set(ENV{ROOFLINE_RUNNER_PATH} "${EXAMPLES}/runner")
set(model "${EXAMPLES}/models/mobilenetv2-b4096.xmodel")

function(check what condition)
  cmake_language(EVAL CODE "if(${condition})\n set(holds TRUE)\n else()\n set(holds FALSE)\n endif()")
  if(NOT holds)
    message(FATAL_ERROR "not so: ${what}\n${ARGN}")
  endif()
endfunction()

execute_process(COMMAND "${PROGRAM}" measure "${model}" --on sleep --iterations 10 --rounds 2 --option scale=0.5 -o measured.json
  WORKING_DIRECTORY "${WORK}" RESULT_VARIABLE code ERROR_VARIABLE error OUTPUT_VARIABLE output)
check("measure succeeds" "code EQUAL 0" "${error}")
check("measure tells how long the warm-up was" "error MATCHES \"steady after a warm-up\"" "${error}")
string(FIND "${error}" "roofline: ${model}: " named)
check("messages name the model as it was given" "named GREATER -1 AND NOT error MATCHES \"roofline: [.][.]\"" "${error}")
check("nothing but the document is written" "output STREQUAL \"\"" "${output}")
file(READ "${WORK}/measured.json" document)
string(JSON path GET "${document}" experiments 0 model path)
check("the document finds its model from its own folder" "EXISTS \"${WORK}/${path}\"" "${path}")
string(JSON samples LENGTH "${document}" experiments 0 runs 0 total samples_s)
check("samples are kept" "samples EQUAL 10")
execute_process(COMMAND "${PROGRAM}" reconcile measured.json WORKING_DIRECTORY "${WORK}" RESULT_VARIABLE code
  ERROR_VARIABLE error OUTPUT_VARIABLE output)
check("reconcile succeeds" "code EQUAL 0" "${error}")
check("a document says on what it ran, and nothing is compared with what the model was compiled for"
  "output MATCHES \"on a clock that sleeps: [^\n]* latency\" AND output MATCHES \"No description of this device\" AND NOT output MATCHES \"IMPOSSIBLE\"" "${output}")

# A load sweep: a run for each number of threads, in the order of the list, with the latency of every inference.
execute_process(COMMAND "${PROGRAM}" measure "${model}" --on sleep --iterations 4 --rounds 2 --warmup 1 --option scale=0.5
  --threads 3,1..2 -o load.json WORKING_DIRECTORY "${WORK}" RESULT_VARIABLE code ERROR_VARIABLE error)
check("a load sweep succeeds" "code EQUAL 0 AND error MATCHES \"load run of 1 thread, load run of 2 threads, load run of 3 threads\"" "${error}")
file(READ "${WORK}/load.json" document)
foreach(threads RANGE 1 3)
  math(EXPR run "${threads} - 1")
  math(EXPR want "${threads} * 4")
  string(JSON stated GET "${document}" experiments 0 runs ${run} threads)
  string(JSON samples LENGTH "${document}" experiments 0 runs ${run} total samples_s)
  string(JSON means LENGTH "${document}" experiments 0 runs ${run} thread_means_s)
  check("${threads} threads have their run" "stated EQUAL threads AND samples EQUAL want AND means EQUAL threads"
    "${stated} ${samples} ${means}")
endforeach()
foreach(case IN ITEMS "--mode;bypass;--threads;2|in place of both modes" "--threads;2,x|is no list of numbers of threads"
    "--threads;2;--on;command;--;true|a command has its own threads")
  string(REGEX MATCH "^([^|]*)[|](.*)$" both "${case}")
  set(words ${CMAKE_MATCH_1})
  set(says "${CMAKE_MATCH_2}")
  execute_process(COMMAND "${PROGRAM}" measure "${model}" -o none.json ${words} WORKING_DIRECTORY "${WORK}" RESULT_VARIABLE code
    ERROR_VARIABLE error)
  check("measure ${words} is refused" "code EQUAL 64 AND error MATCHES \"${says}\" AND NOT EXISTS \"${WORK}/none.json\"" "${code} ${error}")
endforeach()

file(REMOVE "${WORK}/load.json")

# An option that the runner does not know is a slip.
execute_process(COMMAND "${PROGRAM}" measure "${model}" --on sleep --option nonsense=1 -o not.json
  WORKING_DIRECTORY "${WORK}" RESULT_VARIABLE code ERROR_VARIABLE error)
check("an option that nobody knows is refused" "code EQUAL 64" "${error}")
check("the options that there are, are named" "error MATCHES \"no option 'nonsense'; this runner knows scale\"" "${error}")
check("nothing is written" "NOT EXISTS \"${WORK}/not.json\"")

# Broken off in the middle, by the signal of Ctrl-C: a runner that works, and one whose children leave its group and session.
file(WRITE "${WORK}/roofline-run-stray" "#!/bin/sh\nread q; setsid sleep 61 & setsid sleep 61 >/dev/null 2>&1 & sleep 60\n")
file(CHMOD "${WORK}/roofline-run-stray" PERMISSIONS OWNER_READ OWNER_EXECUTE)
set(ENV{ROOFLINE_RUNNER_PATH} "${EXAMPLES}/runner:${WORK}")
set(ENV{MARK_OF_THIS_TEST} "${WORK}")
file(WRITE "${WORK}/kept.json" "old\n")
foreach(device IN ITEMS sleep stray)
  set(begun "roofline-run-sleep")
  if(device STREQUAL "stray")
    set(begun "sleep 61.*sleep 61")
  endif()
  # The signal comes when both children are there, however long that takes.
  execute_process(COMMAND "${python}" -c "import os, re, signal, subprocess, sys, time
def marked():
    mark = ('MARK_OF_THIS_TEST=' + os.environ['MARK_OF_THIS_TEST']).encode()
    for name in filter(str.isdigit, os.listdir('/proc')):
        try:
            if mark in open(f'/proc/{name}/environ', 'rb').read().split(b'\\0') and int(name) != os.getpid():
                yield open(f'/proc/{name}/cmdline', 'rb').read().replace(b'\\0', b' ').decode()
        except OSError:
            pass
p = subprocess.Popen(sys.argv[2:])
while p.poll() is None and not re.search(sys.argv[1], ';'.join(marked())):
    time.sleep(0.02)
p.send_signal(signal.SIGINT)
assert p.wait() == -signal.SIGINT
for line in marked():
    print('left:', line)" "${begun}" "${PROGRAM}" measure "${model}" --on ${device} --option scale=50 -o kept.json
    WORKING_DIRECTORY "${WORK}" RESULT_VARIABLE code OUTPUT_VARIABLE running ERROR_VARIABLE error TIMEOUT 100)
  check("${device} ends by the signal" "code EQUAL 0" "${code} ${error}")
  string(REGEX REPLACE "left: [^\n]*cmake[^\n]*\n" "" running "${running}") # who runs this
  check("nothing of ${device} is left running" "running STREQUAL \"\"" "${running}")
  file(READ "${WORK}/kept.json" kept)
  check("the old file stays" "kept STREQUAL \"old\n\"" "${kept}")
endforeach()
file(GLOB left "${WORK}/*" "${WORK}/.*")
list(FILTER left EXCLUDE REGEX "/(measured|kept)\\.json$|/roofline-run-stray$")
check("nothing is left in the folder" "left STREQUAL \"\"" "${left}")
