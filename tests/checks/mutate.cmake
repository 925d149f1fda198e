# scripts/mutate.sh finds what is not tested: of a planted function that a test holds no mutant lives, of one that a test only
# calls and of one that nobody calls they do; and where nothing can be built it fails.
#   cmake -DROOT=folder -DWORK=folder -P mutate.cmake
cmake_minimum_required(VERSION 3.25)
if(NOT DEFINED ENV{ROOFLINE_THOROUGH})
  message("SKIPPED: needs ROOFLINE_THOROUGH=1, as scripts/test.sh --all sets it")
  return()
endif()
find_program(python NAMES python3)
find_program(gcov NAMES gcov)
find_program(gcc NAMES gcc)
if(NOT python OR NOT gcov OR NOT gcc)
  message("SKIPPED: needs python3 and gcc with gcov")
  return()
endif()
file(REMOVE_RECURSE "${WORK}")
file(COPY "${ROOT}/tests/mutate/" DESTINATION "${WORK}/planted")
set(ENV{CMAKE_C_COMPILER_LAUNCHER} "")
execute_process(COMMAND "${CMAKE_COMMAND}" -S "${WORK}/planted" -B "${WORK}/planted/build" "-DCMAKE_C_COMPILER=${gcc}"
  -DCMAKE_BUILD_TYPE=Release -DCMAKE_C_FLAGS=-I${WORK}/planted OUTPUT_QUIET COMMAND_ERROR_IS_FATAL ANY)
execute_process(COMMAND "${CMAKE_COMMAND}" --build "${WORK}/planted/build" OUTPUT_QUIET COMMAND_ERROR_IS_FATAL ANY)

# mutate(FILE OUT CODE): what it says of a file of the planted program.
function(mutate file out code)
  execute_process(COMMAND "${python}" "${ROOT}/scripts/mutate.py" --root "${WORK}/planted" --build "${WORK}/planted/build"
    --work "${WORK}/planted/build/mutate" --seed 1 "${WORK}/planted/${file}" ${ARGN} WORKING_DIRECTORY "${WORK}"
    OUTPUT_VARIABLE said ERROR_VARIABLE said RESULT_VARIABLE result)
  set(${out} "${said}" PARENT_SCOPE)
  set(${code} "${result}" PARENT_SCOPE)
endfunction()

function(want file result pattern)
  mutate("${file}" said code ${ARGN})
  if(NOT code EQUAL result OR NOT said MATCHES "${pattern}")
    message(FATAL_ERROR "${file}: exit code ${code}, want ${result} and '${pattern}':\n${said}")
  endif()
endfunction()

want(core/held.c 0 "20 mutants tested: 20 died, 0 live")
want(core/called.c 0 "lives: core/called.c:5\n" --most 100)
want(core/called.c 0 "20 mutants tested: [01] died" --most 100)
want(core/called.c 1 "(19|20) of 20 live, want 30 % at most")
want(core/forgotten.c 0 "no test reaches the line.*: 0 died" --most 100)
want(core/planted.h 1 "core/planted.h is no C file of the program")
want(core/held.c 1 "no mutant was tested" --minutes 0)
file(WRITE "${WORK}/planted/test_planted.c" "int main(void)\n{\n    return 1;\n}\n")
execute_process(COMMAND "${CMAKE_COMMAND}" --build "${WORK}/planted/build" OUTPUT_QUIET COMMAND_ERROR_IS_FATAL ANY)
want(core/held.c 1 "no test passes as it is")
file(READ "${WORK}/planted/build/compile_commands.json" commands)
string(REPLACE " -o " " -no-such-option -o " commands "${commands}")
file(WRITE "${WORK}/planted/build/compile_commands.json" "${commands}")
want(core/held.c 1 "cannot be compiled")
