# The library asks the system in core/platform alone, so that another machine is one more folder there: no other file of it
# includes a header of the system, or calls what a header of ISO C has of it.
#   cmake -DROOT=folder -P platform.cmake
cmake_minimum_required(VERSION 3.25)

set(headers "sys/[a-z_]+|fcntl|unistd|poll|signal|pthread|sched|dirent|setjmp|spawn|dlfcn|termios|argp|glob|ftw|netdb")
set(calls "fopen|freopen|tmpfile|rename|remove|getenv|system|clock_gettime|nanosleep|time|realpath|mkdtemp|newlocale|scandir")

set(failures 0)
file(GLOB_RECURSE files RELATIVE "${ROOT}" "${ROOT}/core/*.[ch]" "${ROOT}/hwdb/*.[ch]" "${ROOT}/model/*.[ch]"
  "${ROOT}/measure/*.[ch]" "${ROOT}/reports/*.[ch]")
list(FILTER files EXCLUDE REGEX "^core/platform/")
foreach(file IN LISTS files)
  file(STRINGS "${ROOT}/${file}" lines REGEX "^[ \t]*#[ \t]*include[ \t]*<(${headers})\\.h>|[^A-Za-z0-9_.>](${calls})\\(")
  foreach(line IN LISTS lines)
    # a comment or a text may name a function
    string(REGEX REPLACE "/\\*.*|^ *\\*.*|\"[^\"]*\"" "" code "${line}")
    if(code MATCHES "include[ \t]*<|[^A-Za-z0-9_.>](${calls})\\(" AND NOT code MATCHES "^static |^(roof_status|bool) ")
      message("${file} asks the system: ${line}")
      math(EXPR failures "${failures} + 1")
    endif()
  endforeach()
endforeach()

list(LENGTH files count)
message("${count} files, ${failures} failures")
if(failures OR count LESS 100)
  message(FATAL_ERROR "ask by core/platform/platform.h instead")
endif()
