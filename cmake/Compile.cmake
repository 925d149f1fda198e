# How every C file of this project is compiled.
set(CMAKE_C_STANDARD 17)
set(CMAKE_C_STANDARD_REQUIRED ON)
set(CMAKE_C_EXTENSIONS OFF)
set(CMAKE_C_VISIBILITY_PRESET hidden) # ROOF_API makes a symbol public
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)
if(NOT roof_system STREQUAL "wasi")
  set(CMAKE_POSITION_INDEPENDENT_CODE ON) # one set of objects serves the static and the shared library
endif()

add_library(roof_compile INTERFACE)
target_compile_definitions(roof_compile INTERFACE _GNU_SOURCE ROOF_VERSION="${PROJECT_VERSION}")
target_include_directories(roof_compile INTERFACE
  "${PROJECT_SOURCE_DIR}" "${PROJECT_SOURCE_DIR}/include" "${PROJECT_BINARY_DIR}/generated")
target_compile_options(roof_compile INTERFACE
  -Wall -Wextra -Wshadow -Wconversion -Wstrict-prototypes -Wmissing-prototypes -Wpointer-arith -Wvla -Wundef
  $<$<C_COMPILER_ID:GNU>:-Wno-format-truncation> # messages are cut to their buffer on purpose
  -ffp-contract=off # no fused multiply-add, so that every processor gets the same digits
  "-fmacro-prefix-map=${PROJECT_SOURCE_DIR}/=") # __FILE__ says nothing about the machine that compiled it
if(ROOFLINE_WERROR)
  target_compile_options(roof_compile INTERFACE -Werror)
endif()

if(ROOFLINE_SANITIZE)
  set(sanitize -fsanitize=${ROOFLINE_SANITIZE} -fno-sanitize-recover=all -fno-omit-frame-pointer)
  target_compile_options(roof_compile INTERFACE ${sanitize})
  target_link_options(roof_compile INTERFACE ${sanitize})
endif()
if(ROOFLINE_FUZZ)
  if(NOT CMAKE_C_COMPILER_ID MATCHES "Clang")
    message(FATAL_ERROR "ROOFLINE_FUZZ needs clang: use the preset 'clang'")
  endif()
  target_compile_options(roof_compile INTERFACE -fsanitize=fuzzer-no-link)
endif()
if(ROOFLINE_COVERAGE)
  target_compile_options(roof_compile INTERFACE --coverage)
  target_link_options(roof_compile INTERFACE --coverage)
endif()
if(roof_system STREQUAL "wasi")
  target_compile_options(roof_compile INTERFACE
    "SHELL:-include ${PROJECT_SOURCE_DIR}/core/platform/wasi/lacks.h"
    -Wshorten-64-to-32) # lengths of files have 64 bits, memory has 32
  target_link_options(roof_compile INTERFACE
    -Wl,--stack-first -Wl,-z,stack-size=1048576 -Wl,--max-memory=4294967296 -Wl,--strip-all)
  function(roof_limit_frames target)
  endfunction()
  function(roof_optimise target)
  endfunction()
  return()
endif()
if(CMAKE_BUILD_TYPE STREQUAL "Release" AND NOT ROOFLINE_SANITIZE)
  # The input is untrusted, and these cost nothing that can be measured. -U: some compilers come with their own level.
  target_compile_options(roof_compile INTERFACE -U_FORTIFY_SOURCE -D_FORTIFY_SOURCE=2 -fstack-protector-strong)
endif()
target_link_options(roof_compile INTERFACE
  -Wl,--as-needed -Wl,-z,relro -Wl,--hash-style=gnu -Wl,-O1)

# LTO for gcc only: its objects can hold machine code as well (-ffat-lto-objects), so that the installed static library
# serves any compiler. clang's would be bitcode. Where only the program is wanted they need not, and compile in half the time.
set(roof_lto OFF)
if(ROOFLINE_LTO AND CMAKE_C_COMPILER_ID STREQUAL "GNU" AND CMAKE_BUILD_TYPE STREQUAL "Release")
  include(CheckIPOSupported)
  check_ipo_supported(RESULT roof_lto LANGUAGES C)
endif()

# What threads and boards with small stacks can run: no function of the product takes more than this. Sanitizers put red
# zones into frames, and without optimisation every temporary has a place of its own.
function(roof_limit_frames target)
  if(CMAKE_BUILD_TYPE STREQUAL "Release" AND NOT ROOFLINE_SANITIZE AND NOT ROOFLINE_COVERAGE)
    target_compile_options(${target} PRIVATE -Wframe-larger-than=8192)
  endif()
endfunction()

function(roof_optimise target)
  if(roof_lto)
    set_target_properties(${target} PROPERTIES INTERPROCEDURAL_OPTIMIZATION ON)
    if(NOT ROOFLINE_LTO STREQUAL "program")
      target_compile_options(${target} PRIVATE -ffat-lto-objects)
    endif()
  endif()
endfunction()
