# Makes the models that golden cases name as @GENERATED@/NAME.xmodel.
#   cmake -DPROGRAM=make_xmodels -DLIST=file -DOUT=folder -P generate.cmake
# Every network of `make_xmodels --list` under its own name, and each line "NAME NETWORK OPTION..." of LIST.
cmake_minimum_required(VERSION 3.25)

execute_process(COMMAND "${PROGRAM}" --list OUTPUT_VARIABLE networks COMMAND_ERROR_IS_FATAL ANY)
string(REGEX MATCHALL "(^|\n)[A-Za-z0-9_-]+" networks "${networks}")
set(models "")
foreach(network IN LISTS networks)
  string(STRIP "${network}" network)
  list(APPEND models "${network} ${network}")
endforeach()
if(EXISTS "${LIST}")
  file(STRINGS "${LIST}" lines REGEX "^[^#]")
  list(APPEND models ${lines})
endif()

file(REMOVE_RECURSE "${OUT}")
file(MAKE_DIRECTORY "${OUT}")
foreach(model IN LISTS models)
  separate_arguments(options UNIX_COMMAND "${model}")
  list(POP_FRONT options name network)
  execute_process(COMMAND "${PROGRAM}" "${network}" "${OUT}/${name}.xmodel" ${options} COMMAND_ERROR_IS_FATAL ANY)
endforeach()
list(LENGTH models count)
message("${count} models")
