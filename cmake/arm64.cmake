# Builds for arm64 on another processor, against the root of an arm64 Debian (sysroot.cmake). scripts/arm64.sh uses it.
set(CMAKE_SYSTEM_NAME Linux)
set(CMAKE_SYSTEM_PROCESSOR aarch64)
set(CMAKE_C_COMPILER aarch64-linux-gnu-gcc)
set(CMAKE_CROSSCOMPILING_EMULATOR qemu-aarch64-static)
include("${CMAKE_CURRENT_LIST_DIR}/sysroot.cmake")
