# A definition that CMake gives a target, and a variable that it puts into a test's environment, is read by somebody: after a
# rename on one side only, what it asks for would silently not be done.
#   cmake -DROOT=folder -P defines.cmake
cmake_minimum_required(VERSION 3.25)

# files_of(OUT ENDING...): what is written by hand, in every folder.
function(files_of out)
  set(all "")
  foreach(folder IN ITEMS cmake core hwdb model measure reports cli runners include tests examples scripts)
    list(TRANSFORM ARGN PREPEND "${ROOT}/${folder}/" OUTPUT_VARIABLE patterns)
    file(GLOB_RECURSE found ${patterns})
    list(APPEND all ${found})
  endforeach()
  set(${out} "${all}" PARENT_SCOPE)
endfunction()

# What is given: the names behind target_compile_definitions(TARGET SCOPE, and ROOF..._NAME=value in the quotes of a list.
files_of(givers CMakeLists.txt *.cmake)
set(names "")
foreach(file IN LISTS givers)
  file(READ "${file}" text)
  string(REGEX REPLACE "#[^\n]*|;" "" text "${text}")
  string(REGEX MATCHALL "target_compile_definitions\\([^)]*\\)" calls "${text}")
  string(REGEX MATCHALL "[ (][A-Z_][A-Z0-9_]+" defined "${calls}")
  string(REGEX MATCHALL "[ \"]ROOF[A-Z0-9_]+=" variables "${text}")
  list(APPEND names ${defined} ${variables})
endforeach()
list(TRANSFORM names REPLACE "[^A-Z0-9_]" "")
list(REMOVE_DUPLICATES names)
list(REMOVE_ITEM names PRIVATE PUBLIC INTERFACE _GNU_SOURCE) # words of the command; what the C library reads

list(JOIN names "|" any)
files_of(readers *.c *.h *.cpp *.py *.sh)
set(read "")
foreach(file IN LISTS readers)
  file(STRINGS "${file}" lines REGEX "${any}")
  list(APPEND read ${lines})
endforeach()
files_of(scripts *.cmake)
foreach(file IN LISTS scripts)
  file(STRINGS "${file}" lines REGEX "ENV{(${any})}")
  list(APPEND read ${lines})
endforeach()

set(failed "")
foreach(name IN LISTS names)
  if(NOT read MATCHES "[^A-Z0-9_]${name}([^A-Z0-9_]|$)")
    list(APPEND failed "${name}")
  endif()
endforeach()
if(failed OR NOT "ARENA_ITEMS" IN_LIST names)
  message(FATAL_ERROR "CMake gives these, and nobody reads them: ${failed}. Those that it gives: ${names}")
endif()
message("each is read by somebody: ${names}")
