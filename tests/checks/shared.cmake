# Runs a script of ../shared/checks on folders of real files: every file against tables made by an independent decoder.
# A folder may have a table of measurements behind a plus.
#   cmake -DSHARED=folder -DPROGRAM=file -DCHECK=check_NAME.py -DFOLDERS=xmodel,xmodel_blocks+measured/dpu_blocks.csv
#     [-DOPTIONS="--mean 5"] -P shared.cmake
cmake_minimum_required(VERSION 3.25)

find_program(python python3)
set(script "${SHARED}/checks/${CHECK}")
if(NOT SHARED)
  message("SKIPPED: needs the optional folder ../shared")
  return()
elseif(NOT python)
  message("SKIPPED: needs python3")
  return()
endif()

string(REPLACE "," ";" folders "${FOLDERS}")
foreach(folder IN LISTS folders)
  string(REPLACE "+" ";${SHARED}/data/" arguments "${SHARED}/data/${folder}")
  separate_arguments(options UNIX_COMMAND "${OPTIONS}")
  execute_process(COMMAND "${python}" "${script}" "${PROGRAM}" ${options} ${arguments}
    RESULT_VARIABLE result OUTPUT_VARIABLE output ERROR_VARIABLE errors)
  message("${output}${errors}")
  # A file that is only quantised is lowered: where a convolution and a depthwise one become one layer, there are fewer layers
  # with MACs than operators, which the script counts. Its sums are held all the same.
  string(REGEX MATCHALL "[^\n]*_int\\.xmodel: quantised file: number of layers with MACs differs\n" lowered "${output}")
  list(LENGTH lowered n_lowered)
  if(n_lowered AND NOT errors AND output MATCHES ", ${n_lowered} differences\n$")
    string(REGEX REPLACE "[^\n]*_int\\.xmodel: quantised file: number of layers with MACs differs\n" "" output "${output}")
    string(REGEX REPLACE ", ${n_lowered} differences\n$" ", 0 differences\n" output "${output}")
    set(result 0)
  endif()
  set(last_line "(^|\n)[1-9][0-9]* (files[,:] [1-9][^\n]* (agree|imported)[,;][^\n]*|streams,|models,|networks on [^\n]*;|documents,) 0 differences\n$")
  if(options STREQUAL "--zoo")
    set(last_line "(^|\n)[1-9][0-9]* rows, [0-9]+ % inside the interval [^\n]*, 0 failures\n$")
  endif()
  if(errors OR NOT result EQUAL 0 OR NOT output MATCHES "${last_line}")
    message(FATAL_ERROR "differences from the tables")
  endif()
endforeach()
