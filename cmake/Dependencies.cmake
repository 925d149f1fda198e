# The libraries behind libroofline. CONTRIBUTING.md says what each is for.
#
# They are linked by name (-lm), not as imported targets, so that our installed CMake package needs no find modules.
if(roof_system STREQUAL "wasi") # scripts/wasm.sh has built them, one archive each
  add_library(roof_dependencies INTERFACE)
  target_include_directories(roof_dependencies SYSTEM INTERFACE "${ROOFLINE_WASM_LIBRARIES}/include")
  set(roof_static_link_libraries "")
  foreach(name IN ITEMS sqlite3 gsl csv z cjson md argp)
    list(APPEND roof_static_link_libraries "${ROOFLINE_WASM_LIBRARIES}/lib/lib${name}.a")
  endforeach()
  return()
endif()
find_package(PkgConfig REQUIRED)

set(roof_missing "")
foreach(module IN ITEMS libmd libxxhash gsl zlib sqlite3 libcjson>=1.7.13)
  string(REGEX REPLACE ">.*" "" name ${module})
  string(TOUPPER ${name} name)
  pkg_check_modules(${name} QUIET ${module})
  if(NOT ${name}_FOUND)
    list(APPEND roof_missing ${module})
  endif()
endforeach()
find_path(ROOFLINE_CSV_INCLUDE_DIR csv.h) # libcsv has no file for pkg-config
find_library(ROOFLINE_CSV_LIBRARY NAMES csv)
mark_as_advanced(ROOFLINE_CSV_INCLUDE_DIR ROOFLINE_CSV_LIBRARY)
if(NOT ROOFLINE_CSV_INCLUDE_DIR OR NOT ROOFLINE_CSV_LIBRARY)
  list(APPEND roof_missing libcsv)
endif()
if(roof_missing)
  list(JOIN roof_missing " " roof_missing)
  message(FATAL_ERROR "missing: ${roof_missing}. On Debian and Ubuntu scripts/install-deps.sh installs what is needed.")
endif()

add_library(roof_dependencies INTERFACE)
target_include_directories(roof_dependencies SYSTEM INTERFACE
  ${LIBMD_INCLUDE_DIRS} ${LIBXXHASH_INCLUDE_DIRS}
  ${GSL_INCLUDE_DIRS} ${ZLIB_INCLUDE_DIRS} ${SQLITE3_INCLUDE_DIRS} ${LIBCJSON_INCLUDE_DIRS}
  ${ROOFLINE_CSV_INCLUDE_DIR})
target_link_directories(roof_dependencies INTERFACE
  ${LIBMD_LIBRARY_DIRS} ${GSL_LIBRARY_DIRS} ${ZLIB_LIBRARY_DIRS} ${SQLITE3_LIBRARY_DIRS} ${LIBCJSON_LIBRARY_DIRS})

# OFF is for distributions, whose security updates have to reach what is installed: all below is linked shared.
option(ROOFLINE_STATIC_DEPENDENCIES "Link what is small or little used out of static libraries, where these are there" ON)
macro(roof_find_static variable name)
  if(ROOFLINE_STATIC_DEPENDENCIES)
    find_library(${variable} NAMES ${name} ${ARGN})
    mark_as_advanced(${variable})
  endif()
endmacro()

# One function of libmd is used (SHA-256). Linked statically where the distribution has libmd.a: a shared library less
# to load at every start. xxhash is headers only.
set(roof_link_libraries m pthread) # before glibc 2.34 threads are a library of their own
roof_find_static(ROOFLINE_LIBMD_STATIC libmd.a HINTS ${LIBMD_LIBRARY_DIRS})
if(ROOFLINE_LIBMD_STATIC)
  list(PREPEND roof_link_libraries -l:libmd.a)
else()
  list(PREPEND roof_link_libraries md)
endif()

# GSL is for statistics and fits, a few functions of a large library; libcsv and zlib are small. Programs take them out of
# the static libraries where these are there; Debian builds them without -fPIC, so the shared library links the shared ones.
roof_find_static(ROOFLINE_GSL_STATIC libgsl.a HINTS ${GSL_LIBRARY_DIRS})
roof_find_static(ROOFLINE_CSV_STATIC libcsv.a)
roof_find_static(ROOFLINE_ZLIB_STATIC libz.a HINTS ${ZLIB_LIBRARY_DIRS})
set(roof_shared_link_libraries gsl gslcblas csv z ${roof_link_libraries})
if(ROOFLINE_GSL_STATIC AND ROOFLINE_CSV_STATIC AND ROOFLINE_ZLIB_STATIC)
  set(roof_static_link_libraries -l:libgsl.a -l:libgslcblas.a -l:libcsv.a -l:libz.a ${roof_link_libraries})
else()
  set(roof_static_link_libraries ${roof_shared_link_libraries})
endif()

# SQLite reads the databases that one profiler exports, and keeps histories; taken out of the static library likewise.
roof_find_static(ROOFLINE_SQLITE_STATIC libsqlite3.a HINTS ${SQLITE3_LIBRARY_DIRS})
list(PREPEND roof_shared_link_libraries sqlite3)
if(ROOFLINE_SQLITE_STATIC)
  list(PREPEND roof_static_link_libraries -l:libsqlite3.a)
else()
  list(PREPEND roof_static_link_libraries sqlite3)
endif()

# cJSON holds small documents; runners link it as well. Debian has it as a shared library alone.
roof_find_static(ROOFLINE_CJSON_STATIC libcjson.a HINTS ${LIBCJSON_LIBRARY_DIRS})
set(roof_cjson cjson)
if(ROOFLINE_CJSON_STATIC)
  set(roof_cjson -l:libcjson.a)
endif()
list(PREPEND roof_shared_link_libraries cjson)
list(PREPEND roof_static_link_libraries ${roof_cjson})
