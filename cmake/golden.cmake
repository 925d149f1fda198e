# Runs one golden case: the program with the arguments of the file `cmd`, its outputs compared byte by byte.
#
#   cmake -DCASE=folder -DWORK=folder -DPROGRAM=file -DEXAMPLES=... -DGENERATED=... -DSHARED=... -P golden.cmake
#
# A case is a folder with these files; an absent one stands for an empty output, and exit code 0:
#   cmd      one line of arguments, quoted as in a shell, with placeholders:
#            @EXAMPLES@ (examples/), @GENERATED@ (what make_xmodels writes), @SHARED@ (optional real files; without
#            them the case is skipped), @CASE@ (the case's own folder), @OUT@ (an output file, or a prefix of one)
#   stdin    what the program reads
#   stdout, stderr, exit
#   outfile  what @OUT@ holds afterwards; outfile.EXT for @OUT@.EXT. Pictures depend on the version of what draws them:
#            they have to be there and to hold something, which a line of the file `pictures` says
# The placeholders become short relative paths (links in the working folder), so that outputs are the same everywhere.
# ROOF_UPDATE_GOLDEN=1 rewrites the expectations; the diff in git is the review.
cmake_minimum_required(VERSION 3.25)

file(READ "${CASE}/cmd" command)
string(STRIP "${command}" command)
if(command MATCHES "\n")
  message(FATAL_ERROR "${CASE}/cmd has more than one line")
endif()
if(command MATCHES "@SHARED@" AND NOT IS_DIRECTORY "${SHARED}")
  message("SKIPPED: needs the optional folder ../shared")
  return()
endif()

file(REMOVE_RECURSE "${WORK}")
file(MAKE_DIRECTORY "${WORK}")
foreach(place IN ITEMS EXAMPLES GENERATED SHARED CASE)
  string(TOLOWER "${place}" link)
  if(EXISTS "${${place}}")
    file(CREATE_LINK "${${place}}" "${WORK}/${link}" SYMBOLIC)
  endif()
  string(REPLACE "@${place}@" "${link}" command "${command}")
endforeach()
string(REPLACE "@OUT@" "out" command "${command}")
if(command MATCHES "@[A-Z]+@")
  message(FATAL_ERROR "${CASE}/cmd: unknown placeholder ${CMAKE_MATCH_0}")
endif()
separate_arguments(arguments UNIX_COMMAND "${command}")

set(input /dev/null)
if(EXISTS "${CASE}/stdin")
  set(input "${CASE}/stdin")
endif()
execute_process(COMMAND "${PROGRAM}" ${arguments} WORKING_DIRECTORY "${WORK}" INPUT_FILE "${input}"
  OUTPUT_FILE "${WORK}/got.stdout" ERROR_FILE "${WORK}/got.stderr" RESULT_VARIABLE exit_code)
file(WRITE "${WORK}/got.exit" "${exit_code}\n")

# What there is to compare: name of the expectation, and where the program left its counterpart.
set(names stdout stderr exit)
set(pictures "")
file(GLOB written RELATIVE "${WORK}" "${WORK}/out" "${WORK}/out.*")
foreach(file IN LISTS written)
  string(REGEX REPLACE "^out" "outfile" name "${file}")
  file(RENAME "${WORK}/${file}" "${WORK}/got.${name}")
  if(name MATCHES "\\.(svg|png|pdf)$")
    file(SIZE "${WORK}/got.${name}" size)
    if(size GREATER 1000)
      string(APPEND pictures "${name}\n")
    endif()
    continue()
  endif()
  list(APPEND names "${name}")
endforeach()
file(WRITE "${WORK}/got.pictures" "${pictures}")
list(APPEND names pictures)
file(GLOB expected RELATIVE "${CASE}" "${CASE}/outfile*")
list(APPEND names ${expected})
list(REMOVE_DUPLICATES names)

find_program(diff_program diff)
set(failed "")
foreach(name IN LISTS names)
  set(want "${CASE}/${name}")
  set(got "${WORK}/got.${name}")
  if(NOT EXISTS "${want}")
    set(want "${WORK}/want.${name}")
    if(name STREQUAL "exit")
      file(WRITE "${want}" "0\n")
    else()
      file(WRITE "${want}" "")
    endif()
  endif()
  if(NOT EXISTS "${got}")
    file(WRITE "${got}" "")
  endif()
  file(SHA256 "${want}" want_hash) # a process that compares would take longer than the program
  file(SHA256 "${got}" got_hash)
  if(want_hash STREQUAL got_hash)
    continue()
  endif()
  if("$ENV{ROOF_UPDATE_GOLDEN}" STREQUAL "1")
    file(REAL_PATH "${CASE}/${name}" place) # an expectation may be a link into examples/
    file(COPY_FILE "${got}" "${place}")
    message("rewritten: ${CASE}/${name}")
    continue()
  endif()
  list(APPEND failed "${name}")
  message("--- ${name} differs")
  if(diff_program)
    execute_process(COMMAND "${diff_program}" -u --label "want ${name}" --label "got ${name}" "${want}" "${got}")
  else()
    file(READ "${want}" want_text)
    file(READ "${got}" got_text)
    message("want:\n${want_text}\ngot:\n${got_text}")
  endif()
endforeach()
if(failed)
  list(JOIN failed ", " failed)
  message(FATAL_ERROR "roofline ${command}\n${failed} not as expected. If the change is meant: ROOF_UPDATE_GOLDEN=1 ctest -L golden")
endif()
