# The command line, linked statically against the library: one file to copy to a board.
file(GLOB program_sources CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/cli/*.c")
if(program_sources)
  if(roof_system STREQUAL "wasi") # no process is there that a call of a client could run in
    list(FILTER program_sources EXCLUDE REGEX "/mcp_call\\.c$")
  else()
    list(FILTER program_sources EXCLUDE REGEX "/mcp_no_call\\.c$")
  endif()
  # The schemas of documents, which `roofline mcp` gives to its clients.
  file(GLOB document_schemas CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/docs/schema/*-1.schema.json")
  list(SORT document_schemas)
  if(roof_system STREQUAL "wasi") # no client can be answered there
    set(document_schemas "")
  endif()
  set(schemas_source "${PROJECT_BINARY_DIR}/generated/mcp_schemas.c")
  add_custom_command(
    OUTPUT "${schemas_source}"
    COMMAND "${CMAKE_COMMAND}" "-DOUT=${schemas_source}" "-DFILES=${document_schemas}" -DHEADER=cli/mcp.h
      "-DTABLE=cli_script mcp_schemas" -P "${PROJECT_SOURCE_DIR}/cmake/embed_texts.cmake"
    DEPENDS ${document_schemas} "${PROJECT_SOURCE_DIR}/cmake/embed_texts.cmake"
    COMMENT "Embedding the schemas of documents"
    VERBATIM)
  # Scripts of other programs, which commands fill in.
  file(GLOB scripts CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/cli/*.sh" "${PROJECT_SOURCE_DIR}/cli/completion.*")
  list(SORT scripts)
  set(scripts_source "${PROJECT_BINARY_DIR}/generated/cli_scripts.c")
  add_custom_command(
    OUTPUT "${scripts_source}"
    COMMAND "${CMAKE_COMMAND}" "-DOUT=${scripts_source}" "-DFILES=${scripts}" -DHEADER=cli/cli.h
      "-DTABLE=cli_script cli_scripts" -P "${PROJECT_SOURCE_DIR}/cmake/embed_texts.cmake"
    DEPENDS ${scripts} "${PROJECT_SOURCE_DIR}/cmake/embed_texts.cmake"
    COMMENT "Embedding scripts for other programs"
    VERBATIM)
  list(APPEND program_sources "${schemas_source}" "${scripts_source}")
  add_executable(roofline ${program_sources})
  target_link_libraries(roofline PRIVATE roof_compile roof_dependencies roof_whole)
  roof_optimise(roofline)
  roof_limit_frames(roofline)
  if(roof_system STREQUAL "wasi")
    set_target_properties(roofline PROPERTIES SUFFIX .wasm)
  endif()
endif()
