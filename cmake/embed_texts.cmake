# Writes texts as a C file: for each FILE an array of its bytes, and a table of all by name.
#   cmake -DOUT=NAME.c "-DFILES=NAME.gp;NAME.css" [-DHEADER=H -DTABLE=T] -P embed_texts.cmake
# HEADER declares the table, an array of TABLE's rows {name, text, length} that ends with a name of NULL.
# A string literal would end at 4095 characters, which is all that a C compiler has to take.
cmake_minimum_required(VERSION 3.25)

if(NOT HEADER)
  set(HEADER reports/embedded.h)
  set(TABLE "embedded_file embedded_texts")
endif()
set(arrays "")
set(rows "")
set(n 0)
foreach(file IN LISTS FILES)
  cmake_path(GET file FILENAME name)
  file(READ "${file}" hex HEX)
  string(REGEX REPLACE "([0-9a-f][0-9a-f])" "0x\\1," bytes "${hex}")
  string(REGEX REPLACE "((0x[0-9a-f][0-9a-f],){20})" "\\1\n    " bytes "${bytes}")
  string(APPEND arrays "static const unsigned char text_${n}[] = {\n    ${bytes}0x00};\n")
  string(APPEND rows "    {\"${name}\", (const char *)text_${n}, sizeof text_${n} - 1},\n")
  math(EXPR n "${n} + 1")
endforeach()
set(source "/* Made by cmake/embed_texts.cmake. */\n#include \"${HEADER}\"\n\n${arrays}\nconst ${TABLE}[] = {\n${rows}    {0, 0, 0}};\n")
file(CONFIGURE OUTPUT "${OUT}" CONTENT "@source@" @ONLY)
