# Holds how many allocations each command made, and so how many could fail, against a table that is in the source.
#
#   cmake -DTABLE=file -DWORK=folder -DNAMES=a,b,... -P counts.cmake
#
# WORK/NAME/allocations has the number, which out_of_memory.c writes. Fewer than the table has: something is no longer
# asked for in the way that lets it fail, or the command does less. A fiftieth may be missing, since the C library and
# SQLite have allocations of their own, which differ between their versions. A quarter more: the table is out of date.
# ROOF_UPDATE_GOLDEN=1 rewrites the table; the diff in git is the review.
cmake_minimum_required(VERSION 3.25)
string(REPLACE "," ";" names "${NAMES}")
list(SORT names)
file(STRINGS "${TABLE}" lines REGEX "^[a-z]")
foreach(line IN LISTS lines)
  string(REGEX MATCH "^([^ ]+) +([0-9]+)$" is "${line}")
  if(NOT is)
    message(FATAL_ERROR "${TABLE}: '${line}', want a name and a number")
  endif()
  set(wanted_${CMAKE_MATCH_1} "${CMAKE_MATCH_2}")
  list(APPEND listed "${CMAKE_MATCH_1}")
endforeach()

set(table "# Allocations of each command in tests/memory, each of which can fail: counts.cmake holds them against this.\n# To rewrite: ROOF_UPDATE_GOLDEN=1 ctest --preset release -L memory\n")
set(sum 0)
set(problems "")
foreach(name IN LISTS names)
  file(STRINGS "${WORK}/${name}/allocations" n)
  string(APPEND table "${name} ${n}\n")
  math(EXPR sum "${sum} + ${n}")
  if(NOT DEFINED wanted_${name})
    list(APPEND problems "${name}: ${n}, and the table has no such line")
    continue()
  endif()
  math(EXPR least "${wanted_${name}} - ${wanted_${name}} / 50")
  math(EXPR most "${wanted_${name}} + ${wanted_${name}} / 4 + 5")
  if(n LESS least)
    list(APPEND problems "${name}: ${n}, want ${least} or more: what is no longer allocated where it could fail?")
  elseif(n GREATER most)
    list(APPEND problems "${name}: ${n}, and the table has ${wanted_${name}}")
  endif()
endforeach()
foreach(name IN LISTS listed)
  if(NOT name IN_LIST names)
    list(APPEND problems "${name}: in the table, and no such test")
  endif()
endforeach()
list(LENGTH names n_names)
message("${sum} allocations in ${n_names} commands")

if("$ENV{ROOF_UPDATE_GOLDEN}" STREQUAL "1")
  file(WRITE "${TABLE}" "${table}")
elseif(problems)
  list(JOIN problems "\n  " problems)
  message(FATAL_ERROR "${TABLE}:\n  ${problems}\nIf the change is meant: ROOF_UPDATE_GOLDEN=1 ctest -L memory")
endif()
