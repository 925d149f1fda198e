# Who reads a family's files, decodes its code or knows its law may name it; nobody else does: no object needs a symbol that the
# objects of its folder define, no file names what a header of its folder declares and the file includes, be it by way of others,
# and none asks by the family's own name, by the word for a device or by the number of an engine.
#   cmake -DROOT=folder -DLIST=file of paths of objects -DNM=program -P families.cmake
cmake_minimum_required(VERSION 3.25)

set(families "^(model/code/[^/]+/|model/formats/|model/laws/|measure/import/tools/st/)")
set(shared "^model/laws/(law|law_list|engine)\\.[ch]$") # by all laws
set(public_headers include/roofline/xir.h:model/formats/xir include/roofline/plan.h:model/formats/neural_art
  include/roofline/control_code.h:model/code/aie include/roofline/command_stream.h:model/code/ethosu)

# FILE>FOLDER, patterns of who may name what a folder makes.
set(allowed
  # A reader of a file and the folder of its parts; ST's four readers share one.
  "^model/formats/xmodel\\.c$>^model/formats/xir$"
  "^model/formats/aie_(code|mlir)\\.c$>^model/formats/ai_engine$"
  "^model/formats/(c_info|network_c|network_csv|generate_report)(\\.c$|/)>^model/formats/neural_art$"
  "^model/formats/(pte\\.c$|tflite(\\.c$|/))>^model/formats/ethos_u$"
  "^model/formats/(gguf|safetensors)\\.c$>^model/formats/(stored|hf_config)$"
  "^model/formats/stored/>^model/formats/hf_config$"
  "^measure/import/tools/npu_profiler\\.c$>^measure/import/tools/st$"
  # Readers of files that hold code have it decoded.
  "^model/formats/xir/>^model/code/(aie|dpu)$"
  "^model/formats/(ai_engine/|aie_(code|mlir)\\.c$)>^model/code/aie$"
  "^model/formats/(ethos_u/|pte\\.c$|tflite(\\.c$|/))>^model/code/ethosu$"
  # The memories of a program are described as those of a plan are.
  "^model/formats/ethos_u/>^model/formats/neural_art$"
  # Code of a DPU is given to layers by the addresses of their tensors, which only its file tells.
  "^model/code/dpu/>^model/formats/xir$"
  # roofline/xir.h, plan.h and control_code.h are extensions of a graph, public like it: where it keeps them, ...
  "^model/graph/(format\\.h|graph_access\\.c|graph\\.c)$>^model/(formats/(xir|neural_art|hf_config|tflite)|code/(aie|ethosu))$"
  # ... what bytes and operations of XIR's operators depend on: where tensors lie, tiles, channels that are read as one, ...
  "^model/work/(traffic|op_program)\\.c$>^model/formats/xir$"
  # ... the law of a plan, which has the memories that the plan names, ...
  "^model/laws/neural_art\\.c$>^model/formats/neural_art$"
  # ... who shows what a file holds, and says which fingerprint no hardware has.
  "^reports/tables/inspect/>^model/(formats/(xir|neural_art)|code/(aie|ethosu))$"
  "^cli/models\\.c$>^model/formats/xir$"
  # ... the law of command streams, in two files, which has their launches,
  "^model/laws/ethos_u(_cycles)?\\.[ch]$>^model/code/ethosu$"
  "^model/laws/ethos_u\\.c$>^model/laws/ethos_u_cycles$"
  # Who lists all of a kind.
  "^model/graph/graph\\.c$>^model/formats/[^/]+$"
  "^model/laws/law_list\\.c$>^model/laws/[^/]+$"
)

# Besides: words that no folder makes.
set(asks "is_planned|->plan[^a-z_]|\"stm32n6\"|\"neural_art\"|\"dpucz|\"DPU\"|\"CPU\"|cycles\\[[0-9]\\]")
set(may_ask "^(model/(formats|code|laws)|measure/import/tools)/"  # readers, decoders, laws, importers
  "^model/lower/lower_[a-z]+\\.c$"  # what the compilers of one family do
  "^hwdb/fingerprint\\.c$"   # decodes what a model's target is
  "^model/documents/prediction_codec\\.c$") # reads the words of a document

# Pairs and real-time networks of predictions, limits of a budget, and efficiencies make answers.
set(makes_answers "^(core/answer|model/predict/total|model/explore/(curve|pairs)|model/documents/curve_codec|model/explore/realtime/realtime|measure/(compare/budget|explain/beside|matches/match_facts)|reports/words/answer_words)\\.c$")

set(failures 0)
set(count 0)

# owner_of(FILE OUT): the family's folder; of a file beside folders the file without its ending; empty for all others.
function(owner_of file out)
  set(owner "")
  if(file MATCHES "^(model/code/[^/]+|model/formats/[^/]+|measure/import/tools/[^/]+)/")
    set(owner "${CMAKE_MATCH_1}")
  else()
    string(REGEX REPLACE "\\.[ch]$" "" owner "${file}")
  endif()
  if(NOT file MATCHES "${families}" OR file MATCHES "${shared}")
    set(owner "")
  endif()
  set(${out} "${owner}" PARENT_SCOPE)
endfunction()

# hold(FILE NAME OWNER): FILE may name NAME of OWNER, or it is a failure.
function(hold file name owner)
  string(FIND "${file}" "${owner}" at)
  if(at EQUAL 0)
    return()
  endif()
  foreach(pair IN LISTS allowed)
    string(REGEX REPLACE "^(.*)>(.*)$" "\\1;\\2" pair "${pair}")
    list(GET pair 0 who)
    list(GET pair 1 whose)
    if(file MATCHES "${who}" AND owner MATCHES "${whose}")
      return()
    endif()
  endforeach()
  message("${file} names ${name}, which is of ${owner}")
  math(EXPR n "${failures} + 1")
  set(failures ${n} PARENT_SCOPE)
endfunction()

# Functions and data: by the symbols of the objects.
file(STRINGS "${LIST}" objects)
execute_process(COMMAND "${NM}" -P -A ${objects} OUTPUT_VARIABLE symbols COMMAND_ERROR_IS_FATAL ANY)
string(REGEX MATCHALL "[^\n]+" symbols "${symbols}")
set(needs "")
foreach(symbol IN LISTS symbols)
  if(NOT symbol MATCHES "\\.dir/(.*\\.c)\\.o: ([A-Za-z_0-9]+) ([TDRBU])")
    continue()
  endif()
  set(file "${CMAKE_MATCH_1}")
  set(name "${CMAKE_MATCH_2}")
  if(CMAKE_MATCH_3 STREQUAL "U")
    list(APPEND needs "${file}>${name}")
  else()
    owner_of("${file}" owner)
    if(owner)
      set(maker_${name} "${owner}")
    endif()
  endif()
endforeach()
foreach(need IN LISTS needs)
  string(REGEX MATCH "^(.*)>(.*)$" need "${need}")
  if(DEFINED maker_${CMAKE_MATCH_2})
    hold("${CMAKE_MATCH_1}" "${CMAKE_MATCH_2}" "${maker_${CMAKE_MATCH_2}}")
  endif()
endforeach()
list(LENGTH needs n_needs)
if(n_needs LESS 1000)
  message(FATAL_ERROR "the objects of ${LIST} need ${n_needs} symbols")
endif()

# The words of a file that are no comment and no text.
function(words_of file result)
  file(READ "${ROOT}/${file}" text)
  string(REGEX REPLACE "/\\*([^*]|\\*+[^*/])*\\*+/" " " text "${text}")
  string(REGEX REPLACE "\"([^\"\\\n]|\\\\.)*\"" " " text "${text}")
  string(REPLACE ";" " ; " text "${text}")
  set(text_of_file "${text}" PARENT_SCOPE)
  string(REGEX MATCHALL "[A-Za-z_][A-Za-z0-9_]*" words "${text}")
  list(REMOVE_DUPLICATES words)
  set(${result} "${words}" PARENT_SCOPE)
endfunction()

# Types, enumerators, macros and functions of headers: headers_NAME says which of a family's headers declare it.
set(files "")
foreach(layer IN ITEMS core hwdb model measure reports cli)
  file(GLOB_RECURSE some RELATIVE "${ROOT}" "${ROOT}/${layer}/*.[ch]")
  list(APPEND files ${some})
endforeach()
set(declaring ${public_headers})
foreach(file IN LISTS files)
  owner_of("${file}" owner)
  if(owner AND file MATCHES "\\.h$")
    list(APPEND declaring "${file}:${owner}")
  endif()
endforeach()
set(declaring_headers "")
foreach(pair IN LISTS declaring)
  string(REGEX MATCH "^(.*):(.*)$" pair "${pair}")
  set(header "${CMAKE_MATCH_1}")
  list(APPEND declaring_headers "${header}")
  set("owner_${header}" "${CMAKE_MATCH_2}")
  words_of("${header}" unused)
  string(REGEX MATCHALL "[a-z_0-9]+\\(|}[ \n]*[a-z_0-9]+[ ]*;|(struct|enum) [a-z_0-9]+ {|#define [A-Za-z_0-9]+" found "${text_of_file}")
  string(REGEX MATCHALL "enum [a-z_0-9]*[ ]*{[^}]*}" enums "${text_of_file}")
  foreach(enum IN LISTS enums)
    string(REGEX MATCHALL "[A-Z][A-Z0-9_]+[ \n]*[,}=]" constants "${enum}")
    list(APPEND found ${constants})
  endforeach()
  foreach(name IN LISTS found)
    string(REGEX MATCHALL "[A-Za-z_][A-Za-z_0-9]*" parts "${name}")
    list(POP_BACK parts name)
    if(NOT name MATCHES "^pb_") # core/protobuf.h, in functions of headers
      list(APPEND headers_${name} "${header}")
    endif()
  endforeach()
endforeach()

# seen_FILE: the files that FILE includes, itself or by way of others. A common word is the family's only where its header is seen.
function(see file)
  set(seen "")
  set_property(GLOBAL PROPERTY "seen_${file}" "") # what includes itself sees nothing
  file(STRINGS "${ROOT}/${file}" lines REGEX "^#include \"[^\"]+\\.h\"")
  foreach(line IN LISTS lines)
    string(REGEX REPLACE "^#include \"([^\"]+)\".*$" "\\1" included "${line}")
    string(REGEX REPLACE "^roofline/" "include/roofline/" included "${included}")
    get_property(known GLOBAL PROPERTY "seen_${included}" SET)
    if(NOT known AND EXISTS "${ROOT}/${included}")
      see("${included}")
    endif()
    get_property(more GLOBAL PROPERTY "seen_${included}")
    list(APPEND seen "${included}" ${more})
  endforeach()
  list(REMOVE_DUPLICATES seen)
  set_property(GLOBAL PROPERTY "seen_${file}" "${seen}")
endfunction()

foreach(file IN LISTS files)
  math(EXPR count "${count} + 1")
  see("${file}")
  get_property(seen GLOBAL PROPERTY "seen_${file}")
  words_of("${file}" words)
  foreach(word IN LISTS words)
    foreach(header IN LISTS headers_${word})
      if(header IN_LIST seen)
        hold("${file}" "${word}" "${owner_${header}}")
      endif()
    endforeach()
  endforeach()
  set(is_free FALSE)
  foreach(place IN LISTS may_ask)
    if(file MATCHES "${place}")
      set(is_free TRUE)
    endif()
  endforeach()
  # The kind of a number is named by who makes it, and read by the algebra and its words alone.
  if(NOT file MATCHES "${makes_answers}")
    list(FILTER words INCLUDE REGEX "^ROOF_(MEASURED|EXPECTED|ABOUT|AT_LEAST|AT_MOST)$")
    if(words)
      message("${file} names the kind of an answer: ${words}; ask what roofline/answer.h answers")
      math(EXPR failures "${failures} + 1")
    endif()
  endif()
  file(STRINGS "${ROOT}/${file}" lines REGEX "${asks}")
  foreach(line IN LISTS lines)
    if(NOT is_free AND NOT line MATCHES "^ *(/\\*|\\*|//)")
      message("${file} asks which family it is: ${line}")
      math(EXPR failures "${failures} + 1")
    endif()
  endforeach()
endforeach()
message("${count} files, ${failures} failures")
if(failures OR count EQUAL 0)
  message(FATAL_ERROR "see CONTRIBUTING.md, 'Rooms'")
endif()
