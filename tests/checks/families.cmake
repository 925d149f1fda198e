# Who reads a family's files, decodes its code or knows its law may name it; nobody else asks which family something is, by its
# name, by the word for a device or by the number of an engine.
#   cmake -DROOT=folder -P families.cmake
cmake_minimum_required(VERSION 3.25)

set(asks "is_planned|->plan[^a-z_]|\"stm32n6\"|\"neural_art\"|\"dpucz|\"DPU\"|\"CPU\"|cycles\\[[0-9]\\]")
set(may_ask "^(model/(formats|code|laws)|measure/import/tools)/"  # readers, decoders, laws, importers
  "^hwdb/fingerprint\\.c$"   # decodes what a model's target is
  "^model/documents/prediction_codec\\.c$") # reads the words of a document

set(failures 0)
set(count 0)
foreach(layer IN ITEMS core hwdb model measure reports cli)
  file(GLOB_RECURSE files RELATIVE "${ROOT}" "${ROOT}/${layer}/*.[ch]")
  foreach(file IN LISTS files)
    math(EXPR count "${count} + 1")
    set(is_free FALSE)
    foreach(place IN LISTS may_ask)
      if(file MATCHES "${place}")
        set(is_free TRUE)
      endif()
    endforeach()
    if(is_free)
      continue()
    endif()
    file(STRINGS "${ROOT}/${file}" lines REGEX "${asks}")
    foreach(line IN LISTS lines)
      if(line MATCHES "^ *(/\\*|\\*|//)")
        continue()
      endif()
      message("${file} asks which family it is: ${line}")
      math(EXPR failures "${failures} + 1")
    endforeach()
  endforeach()
endforeach()
message("${count} files, ${failures} failures")
if(failures OR count EQUAL 0)
  message(FATAL_ERROR "see CONTRIBUTING.md, 'Rooms'")
endif()
