# A vendor's package that is there and does not build never stops the build of the rest: its runner is left out, and one line
# says why and what would help.
#   cmake -DROOT=folder -DCC=compiler -DDNNL=folder of oneDNN's headers, if any -DWORK=folder -P left_out.cmake
cmake_minimum_required(VERSION 3.25)
if(NOT DEFINED ENV{ROOFLINE_THOROUGH})
  message("SKIPPED: needs ROOFLINE_THOROUGH=1, as scripts/test.sh --all sets it")
  return()
endif()
file(REMOVE_RECURSE "${WORK}")

# Headers that include one of a package that is not there, libraries that have nothing, and a CMake package that gives up.
set(headers "${WORK}/include")
foreach(header IN ITEMS oneapi/dnnl/dnnl.h vart/runner_ext.hpp xir/graph/graph.hpp xrt/xrt_kernel.h xrt.h)
  file(WRITE "${headers}/${header}" "#include <not_there/${header}>\n")
endforeach()
file(WRITE "${WORK}/nothing.c" "extern int nothing;\nint nothing;\n")
set(library "${WORK}/libnothing.so")
execute_process(COMMAND "${CC}" -shared -fPIC -o "${library}" "${WORK}/nothing.c" COMMAND_ERROR_IS_FATAL ANY)
file(WRITE "${WORK}/package/dnnl-config.cmake" "message(FATAL_ERROR \"Could NOT find OpenCL\")\n")

# configure(OPTION...): as from a fresh clone; gives output. No runner may be a target, and all else has to be one.
function(configure)
  file(REMOVE_RECURSE "${WORK}/build")
  execute_process(COMMAND "${CMAKE_COMMAND}" -S "${ROOT}" -B "${WORK}/build" "-DCMAKE_C_COMPILER=${CC}" -DROOFLINE_TESTS=OFF
    "-Ddnnl_DIR=${WORK}/package" "-DROOFLINE_DNNL_LIBRARY=${library}"
    "-DROOFLINE_VART_INCLUDE_DIR=${headers}" "-DROOFLINE_XIR_INCLUDE_DIR=${headers}" "-DROOFLINE_VART_RUNNER_LIBRARY=${library}"
    "-DROOFLINE_VART_MEM_MANAGER_LIBRARY=${library}" "-DROOFLINE_VART_DPU_CONTROLLER_LIBRARY=${library}"
    "-DROOFLINE_XIR_LIBRARY=${library}" "-DROOFLINE_XRT_INCLUDE_DIR=${headers}" "-DROOFLINE_XRT_COREUTIL_LIBRARY=${library}" ${ARGN}
    RESULT_VARIABLE code OUTPUT_VARIABLE output ERROR_VARIABLE errors)
  if(code)
    message(FATAL_ERROR "configuring ends with ${code}\n${output}${errors}")
  endif()
  execute_process(COMMAND "${CMAKE_COMMAND}" --build "${WORK}/build" --target help OUTPUT_VARIABLE targets)
  if(targets MATCHES "roofline-run-" OR NOT targets MATCHES "roofline_static")
    message(FATAL_ERROR "want no runner among the targets, and the library:\n${targets}")
  endif()
  set(output "${output}" PARENT_SCOPE)
endfunction()

function(must_say text)
  string(FIND "${output}" "${text}" at)
  if(at LESS 0 OR NOT output MATCHES "scripts/install-deps.sh --all installs")
    message(FATAL_ERROR "want `${text}` and what to do:\n${output}")
  endif()
endfunction()

configure("-DROOFLINE_DNNL_INCLUDE_DIR=${headers}")
must_say("-- roofline-run-cpu is left out: it does not build with libdnnl-dev of this machine: dnnl.h:1:10: fatal error")
must_say("-- roofline-run-vart is left out: ") # there may be no compiler of C++
must_say("-- roofline-run-xrt is left out: it does not build with libxrt-dev of this machine: ")
if(DNNL)
  configure("-DROOFLINE_DNNL_INCLUDE_DIR=${DNNL}")
  must_say("-- roofline-run-cpu is left out: it does not build with libdnnl-dev of this machine: no library has dnnl_")
endif()
