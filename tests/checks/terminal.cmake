# What people read in a terminal: every example of every --help is one whole command, and no line of what is
# printed is wider than the terminal.
#   cmake -DPROGRAM=file -DROOT=folder -DWORK=folder -P terminal.cmake
cmake_minimum_required(VERSION 3.25)
file(REMOVE_RECURSE "${WORK}")
file(MAKE_DIRECTORY "${WORK}")
set(faults "")

# --- examples ---
file(READ "${ROOT}/cli/commands.def" table)
string(REGEX MATCHALL "COMMAND\\([a-z]+, \"" commands "${table}")
list(TRANSFORM commands REPLACE "COMMAND\\(([a-z]+).*" "\\1")
set(examples 0)
set(ENV{ROOFLINE_RUNNER_PATH} "${WORK}") # nothing is measured here
foreach(command IN LISTS commands ITEMS "hw list" "hw show" "hw check" "history add" "history list" "history show"
    "history trend" "history gate" "")
  separate_arguments(words UNIX_COMMAND "${command}")
  execute_process(COMMAND "${PROGRAM}" ${words} --help OUTPUT_VARIABLE help)
  string(REGEX REPLACE "^.*\nExamples:\n" "" lines "${help}")
  string(REGEX REPLACE "\n\n.*$" "" lines "${lines}")
  string(REGEX MATCHALL "[^\n]+" lines "${lines}")
  foreach(line IN LISTS lines)
    if(NOT line MATCHES "^  roofline ([^|#]+)")
      string(APPEND faults "roofline ${command} --help: '${line}' is no command\n")
      continue()
    endif()
    # In an empty folder a whole command lacks its files, or does its work; a broken one is a mistake in usage.
    separate_arguments(arguments UNIX_COMMAND "${CMAKE_MATCH_1}")
    execute_process(COMMAND "${PROGRAM}" ${arguments} WORKING_DIRECTORY "${WORK}" RESULT_VARIABLE code
      OUTPUT_QUIET ERROR_VARIABLE error)
    if(NOT code MATCHES "^(0|66)$" AND NOT error MATCHES "there is no runner")
      string(APPEND faults "roofline ${command} --help: '${line}' exits with ${code}: ${error}\n")
    endif()
    math(EXPR examples "${examples} + 1")
  endforeach()
endforeach()

# --- widths ---
# Paths are as short as they are for who stands in the checkout: a command to copy is not broken within a path.
set(ENV{LC_ALL} C) # trees of plain letters, of which each is a byte
set(models "examples/models/mobilenetv2-b4096.xmodel --hw b4096" "examples/stm32n6 --hw stm32n6")
set(shown "--help" "hw --help" "formats" "hw list" "import --help")
foreach(model IN LISTS models)
  list(APPEND shown "predict ${model}" "predict ${model} --details --batch 8 --findings")
  string(REGEX REPLACE " --hw.*" "" file "${model}")
  list(APPEND shown "inspect ${file}" "inspect ${file} --details")
endforeach()
foreach(example IN ITEMS kv260 zcu104-resnet50)
  list(APPEND shown "reconcile examples/${example}/measured.json --findings"
    "reconcile examples/${example}/measured.json --details")
endforeach()
foreach(width IN ITEMS 80 60)
  set(ENV{COLUMNS} ${width})
  foreach(command IN LISTS shown ITEMS "hw show b4096" "hw show npu2" "hw show v70")
    if(command MATCHES "hw show|import" AND width LESS 80) # sources are paths; argp's help is 79 wide
      continue()
    endif()
    separate_arguments(arguments UNIX_COMMAND "${command}")
    execute_process(COMMAND "${PROGRAM}" ${arguments} OUTPUT_VARIABLE output RESULT_VARIABLE code WORKING_DIRECTORY "${ROOT}")
    if(NOT code EQUAL 0 OR output STREQUAL "")
      string(APPEND faults "roofline ${command} exits with ${code}\n")
    endif()
    string(REPLACE "±" "+" output "${output}") # a character, but two bytes
    string(REPLACE ";" "," output "${output}")
    string(REPLACE "[" "(" output "${output}")
    string(REPLACE "]" ")" output "${output}")
    string(REGEX MATCHALL "[^\n]+" lines "${output}")
    foreach(line IN LISTS lines)
      string(LENGTH "${line}" length)
      if(length GREATER width AND NOT line MATCHES "(^|: )`roofline [^`]*`$") # a command is not broken
        string(APPEND faults "COLUMNS=${width} roofline ${command}: ${length} wide: ${line}\n")
      endif()
    endforeach()
  endforeach()
endforeach()
if(faults)
  message(FATAL_ERROR "${faults}")
endif()
message(STATUS "${examples} examples are commands")
if(examples LESS 30)
  message(FATAL_ERROR "only ${examples} examples were found")
endif()
