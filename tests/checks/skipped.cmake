# What is skipped is said: a program all of whose tests are skipped is skipped, a part is named, and a skip that a list does not
# name is a failure. A run that finds no test is one as well.
#   cmake -DROOT=folder -DSKIPPING=program -DCTEST=ctest -DWORK=folder -P skipped.cmake
cmake_minimum_required(VERSION 3.25)
file(REMOVE_RECURSE "${WORK}")

# must_end(WITH OUTPUT COMMAND...): the exit code, and all that is printed
function(must_end want_code want)
  execute_process(COMMAND ${ARGN} WORKING_DIRECTORY "${WORK}" RESULT_VARIABLE code OUTPUT_VARIABLE output ERROR_VARIABLE error)
  if(NOT code EQUAL want_code OR NOT "${output}${error}" MATCHES "${want}")
    list(JOIN ARGN " " command)
    message(FATAL_ERROR "${command}\nends with ${code}, want ${want_code} and `${want}`:\n${output}${error}")
  endif()
endfunction()

file(MAKE_DIRECTORY "${WORK}")
foreach(case IN ITEMS all=77 some=0 none=0 fails=1 before=77)
  string(REPLACE "=" ";" case "${case}")
  list(POP_FRONT case how)
  must_end(${case} "" "${SKIPPING}" ${how})
endforeach()

# A run of tests that lack four things and one that they do not name: names, counts, four lines.
set(tests "")
foreach(how IN ITEMS all some none before)
  string(APPEND tests "add_test(t_${how} \"${SKIPPING}\" ${how})\nset_tests_properties(t_${how} PROPERTIES SKIP_RETURN_CODE 77)\n")
endforeach()
foreach(test IN ITEMS "knife=SKIPPED: needs a knife" "plate=SKIPPED: needs a plate" "mute=SKIPPED")
  string(REPLACE "=" ";" test "${test}")
  list(GET test 0 name)
  list(GET test 1 says)
  string(APPEND tests "add_test(t_${name} \"${CMAKE_COMMAND}\" -E echo \"${says}\")\n"
    "set_tests_properties(t_${name} PROPERTIES SKIP_REGULAR_EXPRESSION SKIPPED)\n")
endforeach()
file(WRITE "${WORK}/CTestTestfile.cmake" "${tests}")
must_end(0 "" "${CTEST}" --output-junit results.xml --test-output-size-passed 1000000)
set(lines
  "   2 skipped, 1 of them in part, for want of a spoon: t_all, t_some\n"
  "   1 skipped for want of a fork: t_before\n"
  "   1 skipped for want of a knife: t_knife\n"
  "   2 skipped for want of other things: a plate. something that it does not name\n"
  "2 passed, 0 failed, 5 skipped\n")
string(CONCAT lines ${lines})
set(script "${ROOT}/scripts/skipped.sh")
must_end(0 "^${lines}$" "${script}" results.xml)
file(WRITE "${WORK}/list" "# all but one\nt_all: a spoon\n*: a fork\n*: a [kp]*\n*: something*\n")
must_end(1 "t_some may not be skipped here for want of a spoon" "${script}" results.xml list)
file(APPEND "${WORK}/list" "t_so?e: a spoon\n")
must_end(0 "^${lines}$" "${script}" results.xml list)

# No test at all, by any of the presets.
file(COPY "${ROOT}/CMakePresets.json" DESTINATION "${WORK}")
file(READ "${WORK}/CMakePresets.json" presets)
string(JSON n LENGTH "${presets}" testPresets)
math(EXPR last "${n} - 1")
foreach(i RANGE ${last})
  string(JSON name GET "${presets}" testPresets ${i} name)
  string(JSON hidden ERROR_VARIABLE none GET "${presets}" testPresets ${i} hidden)
  if(NOT hidden STREQUAL "ON")
    file(WRITE "${WORK}/build/${name}/CTestTestfile.cmake" "")
    must_end(8 "No tests were found" "${CTEST}" --preset "${name}")
  endif()
endforeach()
