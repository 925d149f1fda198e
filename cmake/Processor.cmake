# Which processors it is for. Numbers of files are copied as they lie there, and files are mapped as a whole. WebAssembly has addresses
# of 32 bits, and maps files by blocks (core/platform/wasi/).
set(roof_system posix)
if(CMAKE_SYSTEM_PROCESSOR STREQUAL "wasm32")
  set(roof_system wasi)
endif()
if((NOT CMAKE_SIZEOF_VOID_P EQUAL 8 AND NOT roof_system STREQUAL "wasi") OR NOT CMAKE_C_BYTE_ORDER STREQUAL "LITTLE_ENDIAN")
  math(EXPR bits "${CMAKE_SIZEOF_VOID_P} * 8")
  message(FATAL_ERROR "roofline is for little-endian processors with addresses of 64 bits, such as x86-64 and arm64; this compiler "
    "is for ${bits} bits, ${CMAKE_C_BYTE_ORDER}. Build on one of those, and predict there: a prediction needs no board.")
endif()
