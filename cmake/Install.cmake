# Headers, libraries, program, man page, and how others find them: roofline.pc and a CMake package. The component `program` is
# what scripts/tarball.sh packs.
include(CMakePackageConfigHelpers)

# All that `cmake --install` copies and that is built, so that nobody lists it again.
add_custom_target(shipped)
foreach(target IN ITEMS roofline completions roofline_static roofline_shared runners)
  if(TARGET ${target})
    add_dependencies(shipped ${target})
  endif()
endforeach()

install(DIRECTORY "${PROJECT_SOURCE_DIR}/include/roofline" DESTINATION "${CMAKE_INSTALL_INCLUDEDIR}"
  FILES_MATCHING PATTERN "*.h" PATTERN "*.def")
install(TARGETS roofline_static roofline_shared EXPORT roofline-targets
  ARCHIVE DESTINATION "${CMAKE_INSTALL_LIBDIR}" LIBRARY DESTINATION "${CMAKE_INSTALL_LIBDIR}")
if(TARGET roofline)
  install(TARGETS roofline RUNTIME DESTINATION "${CMAKE_INSTALL_BINDIR}" COMPONENT program)
endif()
file(GLOB man_pages CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/docs/*.1" "${PROJECT_SOURCE_DIR}/docs/man/*.1")
if(man_pages)
  install(FILES ${man_pages} DESTINATION "${CMAKE_INSTALL_MANDIR}/man1" COMPONENT program)
endif()
if(EXISTS "${PROJECT_SOURCE_DIR}/LICENSE")
  install(FILES "${PROJECT_SOURCE_DIR}/LICENSE" DESTINATION "${CMAKE_INSTALL_DOCDIR}" COMPONENT program)
endif()

set(package_dir "${CMAKE_INSTALL_LIBDIR}/cmake/roofline")
install(EXPORT roofline-targets NAMESPACE roofline:: DESTINATION "${package_dir}")
configure_package_config_file("${PROJECT_SOURCE_DIR}/cmake/roofline-config.cmake.in"
  "${PROJECT_BINARY_DIR}/roofline-config.cmake" INSTALL_DESTINATION "${package_dir}")
write_basic_package_version_file("${PROJECT_BINARY_DIR}/roofline-config-version.cmake" COMPATIBILITY SameMinorVersion)
install(FILES "${PROJECT_BINARY_DIR}/roofline-config.cmake" "${PROJECT_BINARY_DIR}/roofline-config-version.cmake"
  DESTINATION "${package_dir}")

# The .pc file finds its prefix from where it lies, so the installed tree can be moved.
set(pkgconfig_dir "${CMAKE_INSTALL_LIBDIR}/pkgconfig")
set(pc_prefix "/usr")
if(NOT IS_ABSOLUTE "${CMAKE_INSTALL_LIBDIR}")
  file(RELATIVE_PATH pc_prefix "/prefix/${pkgconfig_dir}" "/prefix")
  string(REGEX REPLACE "/$" "" pc_prefix "${pc_prefix}")
  set(pc_prefix "\${pcfiledir}/${pc_prefix}")
endif()
cmake_path(APPEND pc_includedir "\${prefix}" "${CMAKE_INSTALL_INCLUDEDIR}")
cmake_path(APPEND pc_libdir "\${prefix}" "${CMAKE_INSTALL_LIBDIR}")
set(pc_private "")
foreach(library IN LISTS roof_static_link_libraries)
  if(NOT library MATCHES "^-")
    string(PREPEND library "-l")
  endif()
  string(APPEND pc_private " ${library}")
endforeach()
configure_file("${PROJECT_SOURCE_DIR}/cmake/roofline.pc.in" "${PROJECT_BINARY_DIR}/roofline.pc" @ONLY)
# pkg-config prefers this one in the build folder, where the other one's prefix holds nothing.
set(pc_includedir "${PROJECT_SOURCE_DIR}/include")
set(pc_libdir "${PROJECT_BINARY_DIR}")
configure_file("${PROJECT_SOURCE_DIR}/cmake/roofline.pc.in" "${PROJECT_BINARY_DIR}/roofline-uninstalled.pc" @ONLY)
install(FILES "${PROJECT_BINARY_DIR}/roofline.pc" DESTINATION "${pkgconfig_dir}")
