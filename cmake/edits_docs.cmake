# Makes the sections of docs/edits.md out of the comments on top of the rules in model/explore/advise/rules/, in the order of
# model/edit_rules.def. What stands above the mark in the page stays as it is.
#   cmake -DROOT=folder [-DCHECK=1] -P edits_docs.cmake
# CHECK: only compares, unless ROOF_UPDATE_GOLDEN is set.
#
# A comment begins with "### word", the rule's name in documents. "Condition: ..." at the beginning of a line is an item of a list, and
# lines that are indented belong to it.
cmake_minimum_required(VERSION 3.25)

set(page "${ROOT}/docs/edits.md")
set(mark "<!-- From here on made by cmake/edits_docs.cmake: change the comments of the rules. -->\n")

file(GLOB sources "${ROOT}/model/explore/advise/rules/*.c")
file(STRINGS "${ROOT}/model/edit_rules.def" rows REGEX "^EDIT_RULE\\(")
list(LENGTH sources n_sources)
list(LENGTH rows n_rows)
if(NOT n_sources EQUAL n_rows)
  message(FATAL_ERROR "model/explore/advise/rules/ has ${n_sources} rules, model/edit_rules.def lists ${n_rows}")
endif()
set(sections "## Rules\n")
foreach(row IN LISTS rows)
  string(REGEX REPLACE "^EDIT_RULE\\(([a-z_]+), .*" "\\1" word "${row}")
  file(READ "${ROOT}/model/explore/advise/rules/${word}.c" text LIMIT 8000)
  if(NOT text MATCHES "^/\\* (### ${word}\n.*)")
    message(FATAL_ERROR "model/explore/advise/rules/${word}.c does not begin with a comment on '### ${word}'")
  endif()
  set(text "${CMAKE_MATCH_1}")
  string(FIND "${text}" " */" end)
  string(SUBSTRING "${text}" 0 ${end} text)
  string(REGEX REPLACE "\n \\* ?" "\n" text "${text}\n")
  foreach(item IN ITEMS Condition Change Reason Function Evidence Source)
    if(NOT text MATCHES "\n${item}: ")
      message(FATAL_ERROR "model/explore/advise/rules/${word}.c says no ${item}")
    endif()
  endforeach()
  string(REGEX REPLACE "\n([A-Z][a-z]*): " "\n- **\\1:** " text "${text}")
  string(APPEND sections "\n${text}\n")
endforeach()
string(REGEX REPLACE "\n\n+" "\n\n" sections "${sections}")

file(READ "${page}" now)
string(FIND "${now}" "${mark}" at)
if(at LESS 0)
  message(FATAL_ERROR "${page} has no line ${mark}")
endif()
string(SUBSTRING "${now}" 0 ${at} head)
string(STRIP "${sections}" sections)
string(CONCAT text "${head}" "${mark}" "\n" "${sections}" "\n")
if(CHECK AND NOT DEFINED ENV{ROOF_UPDATE_GOLDEN})
  if(NOT text STREQUAL now)
    message(FATAL_ERROR "docs/edits.md differs from the comments of the rules; "
      "cmake -DROOT=. -P cmake/edits_docs.cmake writes it")
  endif()
else()
  file(WRITE "${page}" "${text}")
endif()
