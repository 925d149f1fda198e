# No unfinished business and no path of somebody's machine in what is committed.
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

list(LENGTH files count)
message("${count} files, ${failures} failures")
if(failures OR count EQUAL 0)
  message(FATAL_ERROR "finish it, write it into an issue, or use a path relative to the project")
endif()
