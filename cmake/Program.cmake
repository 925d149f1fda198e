# The command line, linked statically against the library: one file to copy to a board.
file(GLOB program_sources CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/cli/*.c")
if(program_sources)
  add_executable(roofline ${program_sources})
  target_link_libraries(roofline PRIVATE roof_compile roof_dependencies roof_whole)
  roof_optimise(roofline)
  roof_limit_frames(roofline)
endif()
