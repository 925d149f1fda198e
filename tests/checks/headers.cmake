# Every header compiles alone, with all warnings; the public ones as strict C17 without our definitions, and as C++.
#   cmake -DROOT=folder -DCC=compiler -DCXX=compiler -P headers.cmake
cmake_minimum_required(VERSION 3.25)

set(warnings -Wall -Wextra -Wshadow -Wstrict-prototypes -Wundef -Werror)
set(failures 0)
set(count 0)

# A main file that includes the header twice: this also sees a missing guard, and "pragma once in main file" stays quiet.
function(compile header)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "INPUT" "COMPILER")
  file(WRITE "${work}/alone.${arg_INPUT}" "#include \"${header}\"\n#include \"${header}\"\n")
  execute_process(COMMAND ${arg_COMPILER} -fsyntax-only "${work}/alone.${arg_INPUT}"
    RESULT_VARIABLE result ERROR_VARIABLE errors)
  if(result)
    message("${header} does not compile alone:\n${errors}")
    math(EXPR failures "${failures} + 1")
    set(failures ${failures} PARENT_SCOPE)
  endif()
endfunction()

string(RANDOM suffix)
set(work "${CMAKE_CURRENT_BINARY_DIR}/headers-${suffix}")
file(MAKE_DIRECTORY "${work}")

file(GLOB_RECURSE public RELATIVE "${ROOT}/include" "${ROOT}/include/*.h")
foreach(header IN LISTS public)
  compile("${header}" INPUT c COMPILER "${CC}" -std=c17 -pedantic ${warnings} "-I${ROOT}/include")
  if(CXX)
    compile("${header}" INPUT cpp COMPILER "${CXX}" -std=c++17 -pedantic -Wall -Wextra -Werror "-I${ROOT}/include")
  endif()
  math(EXPR count "${count} + 1")
endforeach()

foreach(folder IN ITEMS core hwdb model measure reports cli tests/support)
  file(GLOB_RECURSE headers RELATIVE "${ROOT}" "${ROOT}/${folder}/*.h")
  foreach(header IN LISTS headers)
    compile("${header}" INPUT c COMPILER "${CC}" -std=c17 -D_GNU_SOURCE ${warnings} "-I${ROOT}" "-I${ROOT}/include")
    math(EXPR count "${count} + 1")
  endforeach()
endforeach()

if(NOT CXX)
  message("SKIPPED: needs a compiler of C++ (the public headers in C++)")
endif()
file(REMOVE_RECURSE "${work}")
message("${count} headers, ${failures} failures")
if(failures OR count EQUAL 0)
  message(FATAL_ERROR "a header must include what it uses")
endif()
