# Makes the models of models/ anew and compares them byte by byte; ROOF_UPDATE_GOLDEN=1 replaces those that differ.
#   cmake -DPROGRAM=make_xmodels -DMODELS=folder -DWORK=folder -P models.cmake
# A file NETWORK-ARCH.xmodel is what `make_xmodels NETWORK FILE --arch ARCH` writes.
cmake_minimum_required(VERSION 3.25)

file(REMOVE_RECURSE "${WORK}")
file(MAKE_DIRECTORY "${WORK}")
file(GLOB models RELATIVE "${MODELS}" "${MODELS}/*.xmodel")
if(NOT models)
  message(FATAL_ERROR "no models in ${MODELS}")
endif()
set(different "")
foreach(model IN LISTS models)
  if(NOT model MATCHES "^([a-z0-9]+)-(b[0-9]+)\\.xmodel$")
    message(FATAL_ERROR "${model}: a name is NETWORK-ARCH.xmodel")
  endif()
  string(TOUPPER "${CMAKE_MATCH_2}" arch)
  execute_process(COMMAND "${PROGRAM}" "${CMAKE_MATCH_1}" "${WORK}/${model}" --arch "${arch}"
    COMMAND_ERROR_IS_FATAL ANY)
  execute_process(COMMAND "${CMAKE_COMMAND}" -E compare_files "${MODELS}/${model}" "${WORK}/${model}"
    RESULT_VARIABLE differs OUTPUT_QUIET ERROR_QUIET)
  if(NOT differs)
    continue()
  endif()
  if("$ENV{ROOF_UPDATE_GOLDEN}" STREQUAL "1")
    file(COPY_FILE "${WORK}/${model}" "${MODELS}/${model}")
    message("rewritten: ${model}")
  else()
    list(APPEND different "${model}")
  endif()
endforeach()
if(different)
  list(JOIN different ", " different)
  message(FATAL_ERROR "${different}: not what make_xmodels writes. If the change is meant: "
    "ROOF_UPDATE_GOLDEN=1 ctest -L examples")
endif()
