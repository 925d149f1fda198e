# The product grows only where a table in the same commit says so: lines of a room, short functions that are called once, static
# functions with a name that another file has, headers of their own for two files. size.py counts, size.txt is the table.
#   cmake -DROOT=folder -DWORK=folder -P size.cmake
# A figure below the table fails as well, so that it stays where it has come to. ROOF_UPDATE_GOLDEN=1 lowers the table, and
# ROOF_UPDATE_GOLDEN=raise makes it what is there.
cmake_minimum_required(VERSION 3.25)
find_program(python NAMES python3 PATHS /usr/bin NO_DEFAULT_PATH)
find_program(python NAMES python3)
if(NOT python)
  message("SKIPPED: needs python3")
  return()
endif()
set(count "${python}" -B "${ROOT}/tests/checks/size.py")
set(update "$ENV{ROOF_UPDATE_GOLDEN}")

# size(UPDATE RESULT PATTERN...): what it says of the planted tree.
function(size with want)
  set(ENV{ROOF_UPDATE_GOLDEN} "${with}")
  execute_process(COMMAND ${count} "${WORK}" "${WORK}/table.txt" OUTPUT_VARIABLE said ERROR_VARIABLE said RESULT_VARIABLE result)
  foreach(pattern IN ITEMS "" ${ARGN})
    if(NOT result EQUAL want OR NOT said MATCHES "${pattern}")
      message(FATAL_ERROR "exit code ${result}, want ${want} and '${pattern}':\n${said}")
    endif()
  endforeach()
endfunction()
function(git)
  execute_process(COMMAND ${git} -c user.name=size -c user.email=size@localhost -c init.defaultBranch=main ${ARGN}
    WORKING_DIRECTORY "${WORK}" OUTPUT_QUIET ERROR_VARIABLE said RESULT_VARIABLE result)
  if(result)
    message(FATAL_ERROR "git ${ARGN}: ${said}")
  endif()
endfunction()

# `once` alone counts: the others are called twice, or by themselves, by way of a macro or a pointer, are too long, no call but a word
# in a text, a comment or of a member, or not static.
set(h h) # no file of this tree, as the test `comments` would have it
set(long "")
foreach(i RANGE 10)
  string(APPEND long "    step(${i});\n")
endforeach()
string(CONCAT planted
  "#include \"core/mine.${h}\"\n"
  "#define BY_MACRO by_macro()\n"
  "static int once(void);\n"
  "static int once(void)\n{\n    return 1; /* not once() again */\n}\n"
  "static int twice(void)\n{\n    return 2;\n}\n"
  "static int by_macro(void)\n{\n    return 3;\n}\n"
  "static int by_pointer(void)\n{\n    return 4;\n}\n"
  "static int itself(int n)\n{\n    return n ? itself(n - 1) : 5;\n}\n"
  "static int never(void)\n{\n    return s->never() + puts(\"never()\"); // never()\n}\n"
  "static void too_long(void)\n{\n${long}}\n"
  "int roof_planted(void)\n{\n    too_long();\n    call(by_pointer);\n"
  "    return once() + twice() + twice() + BY_MACRO + by_macro() + itself(1);\n}\n"
  "int roof_caller(void)\n{\n    return roof_planted();\n}\n")
file(REMOVE_RECURSE "${WORK}")
file(WRITE "${WORK}/core/planted.c" "${planted}")
file(WRITE "${WORK}/core/mine.h" "int roof_planted(void);\n")
foreach(user IN ITEMS a b c)
  file(WRITE "${WORK}/core/${user}.c" "#include \"core/all.${h}\"\n")
endforeach()
file(WRITE "${WORK}/core/all.h" "")
file(WRITE "${WORK}/include/roofline/planted.h" "int roof_planted(void);\n")
file(WRITE "${WORK}/model/other.c" "static int other(void)\n{\n    return 1;\n}\n")
file(WRITE "${WORK}/tests/test_planted.c" "static int other(void)\n{\n    return 1;\n}\n")
size(raise 0 "\n1 functions of at most 12 lines" "\n0 static functions with a name" "\n1 private headers")

# Each figure may neither rise nor stay behind, and what is new is named: since when, git knows.
find_program(git NAMES git)
if(git)
  git(init -q)
  git(add .)
  git(commit -q -m planted)
endif()
string(CONCAT new_c "static int once(void)\n{\n    return 1;\n}\nstatic int other(void)\n{\n    return 2;\n}\n"
  "int roof_new(void)\n{\n    return once() + other() + other();\n}\n")
file(WRITE "${WORK}/model/new.c" "#include \"model/new.${h}\"\n${new_c}")
file(WRITE "${WORK}/model/new.h" "")
set(says "model: 17 lines" "model: 1 functions of at most 12 lines that are called once, and 0 is the most"
  "core: 1 static functions with a name" "model: 3 static functions with a name" "model: 1 private headers"
  "ROOF_UPDATE_GOLDEN=raise ctest --preset release -R '.size.'")
set(names "\n  model/new.c: 13 more\n" "called once, [^\n]*\n  model/new.c: once\n[^ ]" "\n  core/planted.c: once\n[^ ]"
  "\n  model/new.c: once\n  model/new.c: other\n  model/other.c: other\n[^ ]" "includers, [^\n]*\n  model/new.${h}\n[^ ]")
if(git)
  list(APPEND says ${names})
else()
  list(APPEND says "git does not know what is new")
endif()
size("" 1 ${says})
size(1 1 ${says}) # which lowers, and never raises
size(raise 0)
size("" 0)
file(REMOVE "${WORK}/model/new.c" "${WORK}/model/new.h")
size("" 1 "model: 4 lines of product code, and the table still has 17" "ROOF_UPDATE_GOLDEN=1 ctest --preset release -R '.size.'")
size(1 0)
size("" 0)

# Of two rows of a room, as a merge leaves them, the higher one holds, until an update leaves one.
file(APPEND "${WORK}/table.txt" "model 9 0 0 0\n")
size("" 1 "model: 4 lines of product code, and the table still has 9")
size(1 0)
file(APPEND "${WORK}/table.txt" "model 4 0 0 0\n")
size("" 1 "is not as this test writes it")
size(1 0)
file(APPEND "${WORK}/table.txt" "attic 4 0 0 0\n")
size("" 1 "no row of a room: attic")

set(ENV{ROOF_UPDATE_GOLDEN} "${update}")
execute_process(COMMAND ${count} "${ROOT}" "${ROOT}/tests/checks/size.txt" RESULT_VARIABLE result)
if(result)
  message(FATAL_ERROR "see CONTRIBUTING.md, 'Rules'")
endif()
