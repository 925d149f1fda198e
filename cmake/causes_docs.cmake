# Makes the sections of docs/causes.md out of the comments on top of the rules in model/predict/causes/ and measure/causes/, in the order of
# include/roofline/causes.def. What stands above the mark in the page stays as it is.
#   cmake -DROOT=folder [-DCHECK=1] -P causes_docs.cmake
# CHECK: only compares, unless ROOF_UPDATE_GOLDEN is set.
#
# A comment begins with "## group", where the cause stands in the page, and "### word", its name in documents. "Condition: ..." at the
# beginning of a line is an item of a list, and lines that are indented belong to it; other lines are as in the page.
cmake_minimum_required(VERSION 3.25)

set(page "${ROOT}/docs/causes.md")
set(mark "<!-- From here on made by cmake/causes_docs.cmake: change the comments of the rules. -->\n")

file(GLOB sources "${ROOT}/measure/causes/*.c" "${ROOT}/model/predict/causes/*.c")
list(SORT sources COMPARE NATURAL)
set(words "")
foreach(source IN LISTS sources)
  file(READ "${source}" text LIMIT 8000)
  if(NOT text MATCHES "^/\\* (## [^\n]*\n.*)")
    continue() # what rules share
  endif()
  set(text "${CMAKE_MATCH_1}")
  string(FIND "${text}" " */" end)
  string(SUBSTRING "${text}" 0 ${end} text)
  string(REGEX REPLACE "\n \\* ?" "\n" text "${text}\n")
  string(REGEX REPLACE "\n([A-Z][a-z 0-9]*): " "\n- **\\1:** " text "${text}")
  string(REGEX REPLACE " (Gain|Sure): " " **\\1:** " text "${text}")
  while(text MATCHES "^(.*)\n### ([a-z_]+)\n(.*)$") # the last section first
    set(text "${CMAKE_MATCH_1}")
    set(word "${CMAKE_MATCH_2}")
    list(APPEND words "${word}")
    string(APPEND section_${word} "${CMAKE_MATCH_3}\n")
    set(intro_of_${word} "${text}\n")
  endwhile()
endforeach()

file(STRINGS "${ROOT}/include/roofline/causes.def" rows REGEX "^CAUSE\\(")
set(sections "")
set(group "")
foreach(row IN LISTS rows)
  string(REGEX REPLACE "^CAUSE\\([A-Z_]+, \"([a-z_]+)\".*" "\\1" word "${row}")
  if(NOT word IN_LIST words)
    message(FATAL_ERROR "no rule of measure/causes/ or model/predict/causes/ begins with a comment on ${word}")
  endif()
  string(REGEX MATCH "## [^\n]*" heading "${intro_of_${word}}")
  if(NOT group STREQUAL heading)
    set(group "${heading}")
    string(APPEND sections "\n${intro_of_${word}}")
  endif()
  string(APPEND sections "\n### ${word}\n${section_${word}}")
  list(REMOVE_ITEM words "${word}")
endforeach()
if(words)
  message(FATAL_ERROR "rules have comments on ${words}, which include/roofline/causes.def does not list")
endif()
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
    message(FATAL_ERROR "docs/causes.md differs from the comments of the rules; "
      "cmake -DROOT=. -P cmake/causes_docs.cmake writes it")
  endif()
else()
  file(WRITE "${page}" "${text}")
endif()
