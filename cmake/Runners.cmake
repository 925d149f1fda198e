# Runners: programs of their own that `roofline measure` starts (docs/runner-protocol.md). Each is built where its libraries are
# there; nothing else needs them.
find_package(dnnl QUIET CONFIG)
add_custom_target(runners) # all that can be built here

function(roof_runner name)
  add_executable(roofline-run-${name} ${ARGN} "${PROJECT_SOURCE_DIR}/runners/speak.c")
  target_link_libraries(roofline-run-${name} PRIVATE roof_compile roof_dependencies roof_whole)
  roof_optimise(roofline-run-${name})
  add_dependencies(runners roofline-run-${name})
  install(TARGETS roofline-run-${name} RUNTIME DESTINATION "${CMAKE_INSTALL_LIBEXECDIR}/roofline")
endfunction()

# For the one file of C++ that a runner may have: roof_use_cxx() in the file, then roof_cxx(NAME FILE INCLUDE...).
macro(roof_use_cxx)
  set(CMAKE_CXX_FLAGS_RELEASE "-O2" CACHE STRING "Flags of a release build")
  set(CMAKE_CXX_STANDARD 17)
  set(CMAKE_CXX_STANDARD_REQUIRED ON)
  set(CMAKE_CXX_EXTENSIONS OFF)
  set(CMAKE_CXX_VISIBILITY_PRESET hidden)
  enable_language(CXX)
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
if(dnnl_FOUND AND NOT ROOFLINE_FUZZ)
  roof_runner(cpu "${runners}/cpu/run_cpu.c" "${runners}/cpu/cpu_steps.c" "${runners}/cpu/onednn.c"
    "${runners}/cpu/kernels.c" "${runners}/cpu/stream.c")
  set_source_files_properties("${runners}/cpu/stream.c" PROPERTIES COMPILE_OPTIONS "-O3") # it measures memory, not itself
  find_package(Threads REQUIRED)
  target_link_libraries(roofline-run-cpu PRIVATE DNNL::dnnl Threads::Threads)
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
if(ROOFLINE_VART_INCLUDE_DIR AND ROOFLINE_XIR_INCLUDE_DIR AND NOT vart_libraries MATCHES "NOTFOUND" AND NOT ROOFLINE_FUZZ)
  roof_use_cxx()
  roof_runner(vart "${runners}/vart/run_vart.c" "${runners}/vart/launches.c")
  roof_cxx(vart "${runners}/vart/vart_shim.cpp" "${ROOFLINE_VART_INCLUDE_DIR}" "${ROOFLINE_XIR_INCLUDE_DIR}")
  set_target_properties(roofline-run-vart PROPERTIES ENABLE_EXPORTS ON) # launches.c stands before XRT
  find_package(Threads REQUIRED)
  target_link_libraries(roofline-run-vart PRIVATE ${vart_libraries} Threads::Threads ${CMAKE_DL_LIBS})
endif()

# XRT's C++ is for NPUs alone: a header that came with 2.14 tells whether they are known.
find_path(ROOFLINE_XRT_INCLUDE_DIR xrt/xrt_kernel.h PATHS /opt/xilinx/xrt/include PATH_SUFFIXES xrt)
find_library(ROOFLINE_XRT_COREUTIL_LIBRARY NAMES xrt_coreutil PATHS /opt/xilinx/xrt/lib)
mark_as_advanced(ROOFLINE_XRT_INCLUDE_DIR ROOFLINE_XRT_COREUTIL_LIBRARY)
if(ROOFLINE_XRT_INCLUDE_DIR AND ROOFLINE_XRT_COREUTIL_LIBRARY AND NOT ROOFLINE_FUZZ)
  if(EXISTS "${ROOFLINE_XRT_INCLUDE_DIR}/xrt/xrt_hw_context.h")
    roof_use_cxx()
    roof_runner(xrt "${runners}/xrt/run_xrt.c" "${runners}/xrt/pl_kernel.c")
    roof_cxx(xrt "${runners}/xrt/npu_kernel.cpp" "${ROOFLINE_XRT_INCLUDE_DIR}")
  else()
    roof_runner(xrt "${runners}/xrt/run_xrt.c" "${runners}/xrt/pl_kernel.c" "${runners}/xrt/no_npu.c")
  endif()
  target_include_directories(roofline-run-xrt SYSTEM PRIVATE "${ROOFLINE_XRT_INCLUDE_DIR}")
  target_link_libraries(roofline-run-xrt PRIVATE "${ROOFLINE_XRT_COREUTIL_LIBRARY}" ${CMAKE_DL_LIBS})
endif()
