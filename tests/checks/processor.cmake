# That the build refuses what it is not for, with a sentence: cmake -DROOT=folder -P processor.cmake
cmake_minimum_required(VERSION 3.25)
foreach(case IN ITEMS "8|LITTLE_ENDIAN|" "4|LITTLE_ENDIAN|is for 32 bits, LITTLE_ENDIAN" "8|BIG_ENDIAN|is for 64 bits, BIG_ENDIAN"
    "4|BIG_ENDIAN|is for 32 bits, BIG_ENDIAN")
  string(REGEX MATCH "^(.*)\\|(.*)\\|(.*)$" case "${case}")
  set(want "${CMAKE_MATCH_3}")
  execute_process(COMMAND "${CMAKE_COMMAND}" -DCMAKE_SIZEOF_VOID_P=${CMAKE_MATCH_1} -DCMAKE_C_BYTE_ORDER=${CMAKE_MATCH_2}
    -P "${ROOT}/cmake/Processor.cmake" ERROR_VARIABLE error RESULT_VARIABLE code)
  string(REGEX REPLACE "[ \n]+" " " error "${error}")
  if((want STREQUAL "" AND NOT code EQUAL 0) OR (want AND (code EQUAL 0 OR NOT error MATCHES "${want}")))
    message(FATAL_ERROR "${case}: exit ${code}, ${error}")
  endif()
endforeach()

# It is asked, and before anything is built.
file(READ "${ROOT}/CMakeLists.txt" text)
if(NOT text MATCHES "include\\(Processor\\).*include\\(Dependencies\\)")
  message(FATAL_ERROR "CMakeLists.txt does not include Processor before Dependencies")
endif()
