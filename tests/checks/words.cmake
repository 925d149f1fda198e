# No unfinished business and no path of somebody's machine in what is committed, and no number that C's printf writes: it
# knows "inf" and "-nan", which core/print.c does not.
#   cmake -DROOT=folder -P words.cmake
cmake_minimum_required(VERSION 3.25)

# Written so that this file does not find itself.
set(edge "(^|[^A-Za-z0-9_])")
set(unfinished "${edge}(TO[D]O|FIX[M]E|XX[X])([^A-Za-z0-9_]|$)")
set(machine "${edge}/(ho[m]e|ro[o]t|wo[r]k|Us[e]rs)/[A-Za-z]")

file(GLOB_RECURSE files RELATIVE "${ROOT}"
  "${ROOT}/*.c" "${ROOT}/*.h" "${ROOT}/*.def" "${ROOT}/*.cmake" "${ROOT}/*.cmake.in" "${ROOT}/*.txt" "${ROOT}/*.md"
  "${ROOT}/*.json" "${ROOT}/*.sh" "${ROOT}/*.py" "${ROOT}/*.js" "${ROOT}/*.1" "${ROOT}/.ci/*" "${ROOT}/tests/golden/*/*")
list(FILTER files EXCLUDE REGEX "^(build|build-[^/]*|demo-output)/|^\\.git/")
set(failures 0)
foreach(file IN LISTS files)
  foreach(pattern IN ITEMS "${unfinished}" "${machine}")
    file(STRINGS "${ROOT}/${file}" lines REGEX "${pattern}")
    foreach(line IN LISTS lines)
      string(STRIP "${line}" line)
      message("${file}: ${line}")
      math(EXPR failures "${failures} + 1")
    endforeach()
  endforeach()
endforeach()

file(GLOB_RECURSE sources RELATIVE "${ROOT}" "${ROOT}/core/*.c" "${ROOT}/hwdb/*.c" "${ROOT}/model/*.c" "${ROOT}/measure/*.c"
  "${ROOT}/reports/*.c" "${ROOT}/cli/*.c")
list(REMOVE_ITEM sources core/print.c)
foreach(file IN LISTS sources)
  file(READ "${ROOT}/${file}" text)
  if(text MATCHES "[^a-z_](vs?n?printf|vfprintf|vdprintf)\\(" OR
      text MATCHES "[^a-z_](s?n?printf|fprintf|dprintf)\\([^;]*%[-+ #0-9.*]*[efg][^;]*;")
    message("${file} prints numbers by itself: print_into and print_list of core/print.h do")
    math(EXPR failures "${failures} + 1")
  endif()
endforeach()

list(LENGTH files count)
message("${count} files, ${failures} failures")
if(failures OR count EQUAL 0)
  message(FATAL_ERROR "finish it, write it into an issue, or use a path relative to the project")
endif()
