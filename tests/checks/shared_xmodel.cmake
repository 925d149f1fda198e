# Runs ../shared/checks/check_xmodel.py: every real file there against tables made by an independent decoder.
#   cmake -DSHARED=folder -DPROGRAM=file -P shared_xmodel.cmake
cmake_minimum_required(VERSION 3.25)

find_program(python python3)
set(script "${SHARED}/checks/check_xmodel.py")
if(NOT SHARED OR NOT EXISTS "${script}" OR NOT python)
  message("SKIPPED: needs python3 and the optional folder ../shared")
  return()
endif()

# Where the tables err. Two networks are there quantised and compiled. Their `matmul` ops, which the tables count as no MACs,
# are convolutions in the compiled file, and there the tables count them: 1,039,296 and 651,720 MACs are the tables' own
# totals of CNN_zcu102 and LeNet. tests/reference/test_oracle.c holds each pair together.
set(known
  "Zynq_Ultrascale_Vitis_AI_CNN_ZCU102__CNN_int.xmodel: total MACs 1039296, want 880832"
  "Zynq_Ultrascale_Vitis_AI_CNN_ZCU102__CNN_int.xmodel: quantised file: number of layers with MACs differs"
  "vitis-ai-lenet__LeNet_int.xmodel: total MACs 651720, want 592800"
  "vitis-ai-lenet__LeNet_int.xmodel: quantised file: number of layers with MACs differs")

execute_process(COMMAND "${python}" "${script}" "${PROGRAM}" "${SHARED}/data/xmodel"
  RESULT_VARIABLE result OUTPUT_VARIABLE output ERROR_VARIABLE errors)
message("${output}${errors}")
string(REGEX REPLACE "\n$" "" lines "${output}")
string(REPLACE ";" "," lines "${lines}")
string(REPLACE "\n" ";" lines "${lines}")
list(POP_BACK lines count)
list(REMOVE_ITEM lines ${known})
if(lines OR errors OR NOT count MATCHES "^[0-9]+ files, [1-9][0-9]* layers and [1-9][0-9]* stream totals agree")
  message(FATAL_ERROR "differences that are not known errors of the tables: ${lines}")
endif()
