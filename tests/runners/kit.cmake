# What the tests of this folder share: cmake -DCASE= -DPROGRAM= -DRUNNERS= -DSTANDIN= -DMAKE_XCLBIN= -DMAKE_XMODELS= -DEXAMPLES=
# -DWORK= -DNOOP= -DSHARED= -P CASE.cmake
cmake_minimum_required(VERSION 3.25)
string(REGEX REPLACE "_.*" "" runner "${CASE}")
if(NOT EXISTS "${RUNNERS}/roofline-run-${runner}" OR NOT MAKE_XCLBIN)
  set(skipped TRUE)
  message("SKIPPED: needs roofline-run-vart and roofline-run-xrt, which need libraries of vendors")
  return()
endif()
file(REMOVE_RECURSE "${WORK}")
file(MAKE_DIRECTORY "${WORK}")
set(ENV{ROOFLINE_RUNNER_PATH} "${RUNNERS}")
set(ENV{LSAN_OPTIONS} "detect_leaks=0") # of vendors' libraries
set(ENV{ASAN_OPTIONS} "detect_leaks=0:verify_asan_link_order=0")
set(ENV{MARK_OF_THIS_TEST} "${WORK}/mark")

function(check what condition)
  cmake_language(EVAL CODE "if(${condition})\n set(holds TRUE)\n else()\n set(holds FALSE)\n endif()")
  if(NOT holds)
    message(FATAL_ERROR "not so: ${what}\n${ARGN}")
  endif()
endfunction()

# Each argument is one word of the command line. Gives code and error.
macro(measure)
  execute_process(COMMAND "${PROGRAM}" measure ${ARGN} WORKING_DIRECTORY "${WORK}" RESULT_VARIABLE code ERROR_VARIABLE error
    OUTPUT_VARIABLE output TIMEOUT 600)
  string(STRIP "${error}" error)
endmacro()

# refused(CODE TEXT WORD...): this is how it ends, with this in what it says.
function(refused want_code want_text)
  measure(${ARGN})
  string(FIND "${error}" "${want_text}" at)
  check("`measure ${ARGN}` ends with ${want_code} and says ${want_text}" "code EQUAL ${want_code} AND at GREATER -1"
    "${code}: ${error}")
endfunction()

# get(VARIABLE FILE PATH...): a value of a document of the work folder.
function(get variable file)
  file(READ "${WORK}/${file}" document)
  string(JSON value ERROR_VARIABLE ignored GET "${document}" ${ARGN})
  set(${variable} "${value}" PARENT_SCOPE)
endfunction()

# The least of some numbers.
function(least variable)
  set(least_one "")
  foreach(value IN LISTS ARGN)
    if(least_one STREQUAL "" OR value LESS least_one)
      set(least_one "${value}")
    endif()
  endforeach()
  set(${variable} "${least_one}" PARENT_SCOPE)
endfunction()

# least_sample(VARIABLE FILE PATH...): of an array of samples.
function(least_sample variable file)
  get(text ${file} ${ARGN})
  string(REGEX REPLACE "[][ \t\r\n]" "" text "${text}")
  string(REPLACE "," ";" samples "${text}")
  least(value ${samples})
  set(${variable} "${value}" PARENT_SCOPE)
endfunction()

# least_of_rows(VARIABLE FILE RUN N): of each row the least sample, or what the list had before where that is less. The least of
# many tries is what was planted, whatever else the machine does: noise only adds.
function(least_of_rows variable file run n)
  set(found "")
  foreach(i RANGE 1 ${n})
    math(EXPR at "${i} - 1")
    least_sample(seconds ${file} experiments 0 runs ${run} layers ${at} samples_s)
    if(${variable})
      list(GET ${variable} ${at} before)
      least(seconds "${seconds}" "${before}")
    endif()
    list(APPEND found "${seconds}")
  endforeach()
  set(${variable} "${found}" PARENT_SCOPE)
endfunction()

# Nothing that was started stays, and no process left its memory behind. What was ended may take a while to die.
function(check_nothing_is_left)
  foreach(try RANGE 100)
    execute_process(COMMAND sh -c "grep -lzsx \"MARK_OF_THIS_TEST=$MARK_OF_THIS_TEST\" /proc/[0-9]*/environ |
      grep -v -e \"/$$/\" -e /self/ | while read f; do tr '\\0' ' ' <\"\${f%environ}cmdline\"; done"
      OUTPUT_VARIABLE running ERROR_QUIET)
    if(NOT running MATCHES "roofline-run")
      break()
    endif()
    execute_process(COMMAND sh -c "sleep 0.1")
  endforeach()
  check("no runner is left" "NOT running MATCHES \"roofline-run\"" "${running}")
  file(GLOB cores "${WORK}/core*")
  check("there is no core file" "cores STREQUAL \"\"" "${cores}")
endfunction()

function(make_xmodel name)
  execute_process(COMMAND "${MAKE_XMODELS}" ${ARGN} COMMAND_ERROR_IS_FATAL ANY WORKING_DIRECTORY "${WORK}")
endfunction()

# What makes VART run on our stand-in, with a DPU in it.
execute_process(COMMAND "${MAKE_XCLBIN}" "${WORK}/dpu.xclbin" DPUCZDX8G DPUCZDX8G_1 COMMAND_ERROR_IS_FATAL ANY)
execute_process(COMMAND "${MAKE_XCLBIN}" "${WORK}/add.xclbin" add add_1 COMMAND_ERROR_IS_FATAL ANY)
set(on_standin --on vart --set "LD_LIBRARY_PATH=${STANDIN}" --set XLNX_VART_FIRMWARE=dpu.xclbin)
set(on_noop --on xrt --set XCL_EMULATION_MODE=noop)
