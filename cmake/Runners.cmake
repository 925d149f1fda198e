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

set(runners "${PROJECT_SOURCE_DIR}/runners")
if(dnnl_FOUND AND NOT ROOFLINE_FUZZ)
  roof_runner(cpu "${runners}/cpu/run_cpu.c" "${runners}/cpu/cpu_steps.c" "${runners}/cpu/onednn.c"
    "${runners}/cpu/kernels.c" "${runners}/cpu/stream.c")
  set_source_files_properties("${runners}/cpu/stream.c" PROPERTIES COMPILE_OPTIONS "-O3") # it measures memory, not itself
  find_package(Threads REQUIRED)
  target_link_libraries(roofline-run-cpu PRIVATE DNNL::dnnl Threads::Threads)
endif()
