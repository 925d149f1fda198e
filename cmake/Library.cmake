# libroofline, static and shared, out of one set of objects.
file(GLOB_RECURSE library_sources CONFIGURE_DEPENDS
  "${PROJECT_SOURCE_DIR}/core/*.c"
  "${PROJECT_SOURCE_DIR}/hwdb/*.c"
  "${PROJECT_SOURCE_DIR}/model/*.c"
  "${PROJECT_SOURCE_DIR}/measure/*.c"
  "${PROJECT_SOURCE_DIR}/reports/*.c")

foreach(system IN ITEMS posix wasi) # the others
  if(NOT system STREQUAL roof_system)
    list(FILTER library_sources EXCLUDE REGEX "/core/platform/${system}/")
  endif()
endforeach()

# The hardware database is data; a script of the build turns it into C.
file(GLOB_RECURSE hwdb_files CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/hwdb/data/*.json")
list(SORT hwdb_files)
set(hwdb_builtin "${PROJECT_BINARY_DIR}/generated/hwdb_builtin.c")
add_custom_command(
  OUTPUT "${hwdb_builtin}"
  COMMAND "${CMAKE_COMMAND}" "-DOUT=${hwdb_builtin}" "-DFILES=${hwdb_files}"
    -P "${PROJECT_SOURCE_DIR}/cmake/embed_hwdb.cmake"
  DEPENDS ${hwdb_files} "${PROJECT_SOURCE_DIR}/cmake/embed_hwdb.cmake"
  COMMENT "Embedding the hardware database"
  VERBATIM)
list(APPEND library_sources "${hwdb_builtin}")

# So are gnuplot scripts and what a report's page is dressed in.
file(GLOB embedded_texts CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/reports/charts/*.gp"
  "${PROJECT_SOURCE_DIR}/reports/page/*.css" "${PROJECT_SOURCE_DIR}/reports/page/*.js")
list(SORT embedded_texts)
set(embedded_source "${PROJECT_BINARY_DIR}/generated/embedded_texts.c")
add_custom_command(
  OUTPUT "${embedded_source}"
  COMMAND "${CMAKE_COMMAND}" "-DOUT=${embedded_source}" "-DFILES=${embedded_texts}"
    -P "${PROJECT_SOURCE_DIR}/cmake/embed_texts.cmake"
  DEPENDS ${embedded_texts} "${PROJECT_SOURCE_DIR}/cmake/embed_texts.cmake"
  COMMENT "Embedding scripts and styles"
  VERBATIM)
list(APPEND library_sources "${embedded_source}")

add_library(roof_objects OBJECT ${library_sources})
target_link_libraries(roof_objects PRIVATE roof_compile roof_dependencies)
roof_optimise(roof_objects)
roof_limit_frames(roof_objects)

# For the program and the tests, which may use what is not public.
add_library(roof_whole STATIC $<TARGET_OBJECTS:roof_objects>)
target_link_libraries(roof_whole PRIVATE ${roof_static_link_libraries})
roof_optimise(roof_whole)

if(roof_system STREQUAL "wasi") # a module is the program alone
  return()
endif()

# What is installed exports the names of the public headers and no other: one object, whose hidden symbols are local, since in
# an archive of objects they would meet those of whoever links it.
set(public_object "${PROJECT_BINARY_DIR}/roofline_public.o")
add_custom_command(
  OUTPUT "${public_object}"
  COMMAND "${CMAKE_C_COMPILER}" -r -nostdlib -fno-lto -o "${public_object}" $<TARGET_OBJECTS:roof_objects>
  COMMAND "${CMAKE_OBJCOPY}" --wildcard "--remove-section=.gnu.lto_*" --localize-hidden "${public_object}"
  DEPENDS roof_objects $<TARGET_OBJECTS:roof_objects>
  COMMENT "Linking what the static library exports"
  COMMAND_EXPAND_LISTS VERBATIM)
add_library(roofline_static STATIC "${public_object}")
set_source_files_properties("${public_object}" PROPERTIES EXTERNAL_OBJECT TRUE GENERATED TRUE)

# The number of the binary interface: in the name that programs load, and in the version of every symbol. CONTRIBUTING.md says
# when it is raised; debian/libroofline0.symbols lists the symbols, and the test `symbols` compares.
set(roof_abi 0)
set(symbol_map "${PROJECT_BINARY_DIR}/generated/roofline.map")
file(CONFIGURE OUTPUT "${symbol_map}" CONTENT "ROOFLINE_@roof_abi@ {\n  global: roof_*;\n  local: *;\n};\n" @ONLY)
add_library(roofline_shared SHARED $<TARGET_OBJECTS:roof_objects>)
foreach(kind IN ITEMS static shared)
  set(library roofline_${kind})
  set_target_properties(${library} PROPERTIES OUTPUT_NAME roofline LINKER_LANGUAGE C)
  target_include_directories(${library} INTERFACE
    $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/include> $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>)
  target_link_libraries(${library} PRIVATE
    $<BUILD_INTERFACE:roof_compile> $<BUILD_INTERFACE:roof_dependencies> ${roof_${kind}_link_libraries})
  roof_optimise(${library})
endforeach()
set_target_properties(roofline_static PROPERTIES EXPORT_NAME static)
set_target_properties(roofline_shared PROPERTIES
  EXPORT_NAME shared VERSION ${PROJECT_VERSION} SOVERSION ${roof_abi} LINK_DEPENDS "${symbol_map}")
# What is linked in statically stays private.
target_link_options(roofline_shared PRIVATE -Wl,--exclude-libs,ALL "-Wl,--version-script=${symbol_map}")
