# Builds against the C library and the libraries of another Debian, whose root ROOFLINE_SYSROOT is. scripts/tarball.sh uses it with
# this machine's compiler, arm64.cmake with another one.
list(APPEND CMAKE_TRY_COMPILE_PLATFORM_VARIABLES ROOFLINE_SYSROOT)
set(CMAKE_SYSROOT "${ROOFLINE_SYSROOT}")
set(CMAKE_FIND_ROOT_PATH_MODE_LIBRARY ONLY)
set(CMAKE_FIND_ROOT_PATH_MODE_INCLUDE ONLY)
set(ENV{PKG_CONFIG_SYSROOT_DIR} "${ROOFLINE_SYSROOT}")
file(GLOB package_folders "${ROOFLINE_SYSROOT}/usr/lib/*/pkgconfig" "${ROOFLINE_SYSROOT}/usr/share/pkgconfig")
list(JOIN package_folders ":" package_folders)
set(ENV{PKG_CONFIG_LIBDIR} "${package_folders}")
