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
  # Lines that are known to differ, and how many of them there are; "all": as many as the script finds.
  # A file that is only quantised is lowered: where a convolution and a depthwise one become one layer, there are fewer layers
  # with MACs than operators, which the script counts. Its sums are held all the same.
  set(known "[^\n]*_int\\.xmodel: quantised file: number of layers with MACs differs\n" all
    # A size that a file does not know is -1 in the table of memory, as in the file, and null in what roofline writes.
    "[^\n]*: size_bytes None, want -1\n" all
    # Peaks of files with several NPU operators are above the highest address in use there: what shares bytes is added.
    "ethosu/(hmx_1_fm|hmx_yolo11n|nuv_FaceLandmark_(PoseCheck_)?face_landmark_int8)[^\n]*: scratch[^\n]*(peak_bytes|at row)[^\n]*\n" 10
    # The reserved bytes there are fewer than the first layer's OFM alone has: 25 x 10 x 288.
    "ethosu/alif_ds_cnn_large[^\n]*: scratch[^\n]*(high_bytes|peak_bytes|at row)[^\n]*\n" 3
    # 222 rows there of this network's 237 launches; none is a slice or a stripe of another, so here each is a row.
    "ethosu/nuv_HandPoseRecognition_point_history_classifier_lstm[^\n]*: scratch: at row 212, want 197\n" 1)
  set(n_known 0)
  set(rest "${output}")
  while(known)
    list(POP_FRONT known line n_lines)
    string(REGEX MATCHALL "${line}" lines "${output}")
    list(LENGTH lines n_found)
    if(n_lines STREQUAL "all" OR n_found EQUAL n_lines)
      string(REGEX REPLACE "${line}" "" rest "${rest}")
      math(EXPR n_known "${n_known} + ${n_found}")
    endif()
  endwhile()
  if(n_known AND NOT errors AND output MATCHES ", ${n_known} differences\n$")
    string(REGEX REPLACE ", ${n_known} differences\n$" ", 0 differences\n" output "${rest}")
    set(result 0)
  endif()
  set(last_line "(^|\n)[1-9][0-9]* (files[,:] [1-9][^\n]* (agree|imported)[,;][^\n]*|streams,|models,|networks on [^\n]*;|documents,|pools of [^\n]*,) 0 differences\n$")
  if(options STREQUAL "--zoo")
    set(last_line "(^|\n)[1-9][0-9]* rows, [0-9]+ % inside the interval [^\n]*, 0 failures\n$")
  endif()
  if(errors OR NOT result EQUAL 0 OR NOT output MATCHES "${last_line}")
    message(FATAL_ERROR "differences from the tables")
  endif()
endforeach()
