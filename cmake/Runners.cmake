# Runners: programs of their own that `roofline measure` starts (docs/runner-protocol.md). Each is built where its libraries are
# there and can be used; else it is left out with one line, and the rest is built.
add_custom_target(runners) # all that can be built here

# roof_try_runner(NAME PACKAGES name... SOURCES file... PATHS path... LIBRARIES library... CALLS regex): sets roof_builds_NAME:
# whether those sources, all that know the vendor, compile and link with what was found. A header may need one of another
# package or have other functions than in our version, and a library may lack what its headers declare. Functions of ours, which
# CALLS does not match, are not linked here. What builds is tried again when packages have come or gone, what does not every time.
function(roof_try_runner name)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "CALLS" "PACKAGES;SOURCES;PATHS;LIBRARIES")
  set(roof_builds_${name} FALSE PARENT_SCOPE)
  file(TIMESTAMP /var/lib/dpkg/status packages_changed)
  set(found "${arg_PATHS};${arg_LIBRARIES}")
  list(JOIN arg_PACKAGES ", " packages)
  if(found MATCHES "NOTFOUND")
    message(STATUS "roofline-run-${name} is not built: it needs ${packages}; scripts/install-deps.sh --all installs them")
    return()
  endif()
  if(NOT "${found};${packages_changed}" STREQUAL "${ROOFLINE_BUILDS_${name}}")
    set(why "")
    if(arg_SOURCES MATCHES "\\.cpp" AND NOT CMAKE_CXX_COMPILER)
      set(why "there is no compiler of C++")
    else()
      try_compile(builds SOURCES ${arg_SOURCES}
        CMAKE_FLAGS "-DINCLUDE_DIRECTORIES=${PROJECT_SOURCE_DIR};${PROJECT_SOURCE_DIR}/include;${arg_PATHS}"
        COMPILE_DEFINITIONS -D_GNU_SOURCE "-DROOF_VERSION=\"${PROJECT_VERSION}\""
        LINK_OPTIONS -Wl,--warn-unresolved-symbols LINK_LIBRARIES ${arg_LIBRARIES} Threads::Threads ${CMAKE_DL_LIBS} m
        OUTPUT_VARIABLE output NO_CACHE C_STANDARD 17 CXX_STANDARD 17)
      if(output MATCHES "undefined (reference to .|symbol: )((${arg_CALLS})[^\n']*)")
        set(why "no library has ${CMAKE_MATCH_2}")
      elseif(NOT builds AND output MATCHES "([^/\n]+: )?(fatal )?error: [^\n]+|cannot find [^\n]+|No rule to make [^\n]+")
        set(why "${CMAKE_MATCH_0}")
      elseif(NOT builds)
        set(why "it does not link")
      endif()
    endif()
    if(why)
      message(STATUS "roofline-run-${name} is left out: it does not build with ${packages} of this machine: ${why}. "
        "scripts/install-deps.sh --all installs what they need")
      return()
    endif()
    set(ROOFLINE_BUILDS_${name} "${found};${packages_changed}" CACHE INTERNAL "With what roofline-run-${name} was seen to build")
  endif()
  set(roof_builds_${name} TRUE PARENT_SCOPE)
endfunction()

# A runner is its own sources, runners/speak.c with speak_load.c, and cJSON. One that reads models links libroofline as well (roof_reads_models).
function(roof_runner name)
  add_executable(roofline-run-${name} ${ARGN} "${PROJECT_SOURCE_DIR}/runners/speak.c"
    "${PROJECT_SOURCE_DIR}/runners/speak_load.c")
  target_include_directories(roofline-run-${name} SYSTEM PRIVATE ${LIBCJSON_INCLUDE_DIRS})
  target_link_directories(roofline-run-${name} PRIVATE ${LIBCJSON_LIBRARY_DIRS})
  target_link_libraries(roofline-run-${name} PRIVATE roof_compile ${roof_cjson})
  roof_optimise(roofline-run-${name})
  add_dependencies(runners roofline-run-${name})
  set(roof_runners ${roof_runners} ${name} PARENT_SCOPE)
  install(TARGETS roofline-run-${name} RUNTIME DESTINATION "${CMAKE_INSTALL_LIBEXECDIR}/roofline")
endfunction()

function(roof_reads_models name)
  target_link_libraries(roofline-run-${name} PRIVATE roof_dependencies roof_whole)
endfunction()

# What a runner of one's own in C is built from.
install(FILES "${PROJECT_SOURCE_DIR}/runners/speak.h" "${PROJECT_SOURCE_DIR}/runners/speak.c"
  "${PROJECT_SOURCE_DIR}/runners/speak_load.h" "${PROJECT_SOURCE_DIR}/runners/speak_load.c"
  "${PROJECT_SOURCE_DIR}/examples/runner/roofline-run-nap.c" DESTINATION "${CMAKE_INSTALL_DATADIR}/roofline/runner")

# For the one file of C++ that a runner may have: roof_use_cxx(), where what the runner needs is there, then
# roof_cxx(NAME FILE INCLUDE...).
include(CheckLanguage)
macro(roof_use_cxx)
  check_language(CXX)
  set(CMAKE_CXX_FLAGS_RELEASE "-O2" CACHE STRING "Flags of a release build")
  set(CMAKE_CXX_STANDARD 17)
  set(CMAKE_CXX_STANDARD_REQUIRED ON)
  set(CMAKE_CXX_EXTENSIONS OFF)
  set(CMAKE_CXX_VISIBILITY_PRESET hidden)
  if(CMAKE_CXX_COMPILER)
    enable_language(CXX)
  endif()
endmacro()

function(roof_cxx name file)
  add_library(roofline-run-${name}-cxx OBJECT "${file}")
  target_compile_definitions(roofline-run-${name}-cxx PRIVATE _GNU_SOURCE)
  target_compile_options(roofline-run-${name}-cxx PRIVATE -Wall -Wextra -Wshadow -Wconversion
    $<$<BOOL:${ROOFLINE_WERROR}>:-Werror> "-fmacro-prefix-map=${PROJECT_SOURCE_DIR}/=")
  target_include_directories(roofline-run-${name}-cxx PRIVATE "${PROJECT_SOURCE_DIR}" "${PROJECT_SOURCE_DIR}/include")
  target_include_directories(roofline-run-${name}-cxx SYSTEM PRIVATE ${ARGN})
  target_sources(roofline-run-${name} PRIVATE $<TARGET_OBJECTS:roofline-run-${name}-cxx>)
endfunction()

set(runners "${PROJECT_SOURCE_DIR}/runners")
find_package(Threads REQUIRED)

# Header and library alone: oneDNN's own CMake package demands OpenCL, which is not used here.
find_path(ROOFLINE_DNNL_INCLUDE_DIR oneapi/dnnl/dnnl.h)
find_library(ROOFLINE_DNNL_LIBRARY NAMES dnnl)
mark_as_advanced(ROOFLINE_DNNL_INCLUDE_DIR ROOFLINE_DNNL_LIBRARY)
roof_try_runner(cpu PACKAGES libdnnl-dev CALLS "dnnl_" SOURCES "${runners}/cpu/onednn.c"
  PATHS "${ROOFLINE_DNNL_INCLUDE_DIR}" LIBRARIES "${ROOFLINE_DNNL_LIBRARY}")
if(roof_builds_cpu)
  roof_runner(cpu "${runners}/cpu/run_cpu.c" "${runners}/cpu/cpu_steps.c" "${runners}/cpu/onednn.c"
    "${runners}/cpu/kernels.c")
  roof_reads_models(cpu)
  set_source_files_properties("${runners}/cpu/kernels.c" PROPERTIES COMPILE_OPTIONS "-O3") # it measures memory, not itself
  target_include_directories(roofline-run-cpu SYSTEM PRIVATE "${ROOFLINE_DNNL_INCLUDE_DIR}")
  target_link_libraries(roofline-run-cpu PRIVATE "${ROOFLINE_DNNL_LIBRARY}" Threads::Threads)
endif()

# C++ is asked for by these runners alone, and only where what they need is there.
find_path(ROOFLINE_VART_INCLUDE_DIR vart/runner_ext.hpp)
find_path(ROOFLINE_XIR_INCLUDE_DIR xir/graph/graph.hpp)
set(vart_libraries "")
foreach(name IN ITEMS vart-runner vart-mem-manager vart-dpu-controller xir)
  string(TOUPPER "ROOFLINE_${name}_LIBRARY" variable)
  string(REPLACE "-" "_" variable "${variable}")
  find_library(${variable} NAMES ${name})
  mark_as_advanced(${variable})
  list(APPEND vart_libraries "${${variable}}")
endforeach()
mark_as_advanced(ROOFLINE_VART_INCLUDE_DIR ROOFLINE_XIR_INCLUDE_DIR)
set(vart_paths "${ROOFLINE_VART_INCLUDE_DIR}" "${ROOFLINE_XIR_INCLUDE_DIR}")
if(NOT "${vart_paths};${vart_libraries}" MATCHES "NOTFOUND")
  roof_use_cxx()
endif()
roof_try_runner(vart PACKAGES libvart-dev libxir-dev CALLS "vart::|xir::" SOURCES "${runners}/vart/vart_shim.cpp"
  PATHS ${vart_paths} LIBRARIES ${vart_libraries})
if(roof_builds_vart)
  roof_runner(vart "${runners}/vart/run_vart.c" "${runners}/vart/launches.c")
  roof_reads_models(vart)
  roof_cxx(vart "${runners}/vart/vart_shim.cpp" ${vart_paths})
  set_target_properties(roofline-run-vart PROPERTIES ENABLE_EXPORTS ON) # launches.c stands before XRT
  target_link_libraries(roofline-run-vart PRIVATE ${vart_libraries} Threads::Threads ${CMAKE_DL_LIBS})
endif()

# XRT's C++ is for NPUs alone: a header that came with 2.14 tells whether they are known.
find_path(ROOFLINE_XRT_INCLUDE_DIR xrt/xrt_kernel.h PATHS /opt/xilinx/xrt/include PATH_SUFFIXES xrt)
find_library(ROOFLINE_XRT_COREUTIL_LIBRARY NAMES xrt_coreutil PATHS /opt/xilinx/xrt/lib)
mark_as_advanced(ROOFLINE_XRT_INCLUDE_DIR ROOFLINE_XRT_COREUTIL_LIBRARY)
set(xrt_npu "${runners}/xrt/no_npu.c")
if(EXISTS "${ROOFLINE_XRT_INCLUDE_DIR}/xrt/xrt_hw_context.h" AND ROOFLINE_XRT_COREUTIL_LIBRARY)
  roof_use_cxx()
  if(CMAKE_CXX_COMPILER)
    set(xrt_npu "${runners}/xrt/npu_kernel.cpp")
  endif()
endif()
set(xrt_sources "${runners}/xrt/run_xrt.c" "${runners}/xrt/pl_kernel.c")
roof_try_runner(xrt PACKAGES libxrt-dev CALLS "xrt|xcl" SOURCES ${xrt_sources} "${xrt_npu}"
  PATHS "${ROOFLINE_XRT_INCLUDE_DIR}" LIBRARIES "${ROOFLINE_XRT_COREUTIL_LIBRARY}")
if(roof_builds_xrt)
  if(xrt_npu MATCHES "cpp$")
    roof_runner(xrt ${xrt_sources})
    roof_cxx(xrt "${xrt_npu}" "${ROOFLINE_XRT_INCLUDE_DIR}")
  else()
    roof_runner(xrt ${xrt_sources} "${xrt_npu}")
  endif()
  target_include_directories(roofline-run-xrt SYSTEM PRIVATE "${ROOFLINE_XRT_INCLUDE_DIR}")
  target_link_libraries(roofline-run-xrt PRIVATE "${ROOFLINE_XRT_COREUTIL_LIBRARY}" ${CMAKE_DL_LIBS})
endif()
