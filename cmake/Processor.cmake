# Which processors it is for. Numbers of files are copied as they lie there, and files are mapped as a whole.
if(NOT CMAKE_SIZEOF_VOID_P EQUAL 8 OR NOT CMAKE_C_BYTE_ORDER STREQUAL "LITTLE_ENDIAN")
  math(EXPR bits "${CMAKE_SIZEOF_VOID_P} * 8")
  message(FATAL_ERROR "roofline is for little-endian processors with addresses of 64 bits, such as x86-64 and arm64; this compiler "
    "is for ${bits} bits, ${CMAKE_C_BYTE_ORDER}. Build on one of those, and predict there: a prediction needs no board.")
endif()
