# VART's own runner of a DPU, on the stand-in: launches, rows, phases, threads.
include("${CMAKE_CURRENT_LIST_DIR}/kit.cmake")
if(skipped)
  return()
endif()
make_xmodel(net mobilenetv2 net.xmodel --layer-code)
set(steps --iterations 6 --rounds 2 --warmup 5)
measure(net.xmodel ${on_standin} --set PLANT_LAUNCH_US=300 --set PLANT_COPY_US=2000 ${steps} -o m.json)
check("it is measured" "code EQUAL 0" "${error}")
get(whole m.json experiments 0 runs 0 launches)
get(layered m.json experiments 0 runs 1 launches)
check("one launch as deployed, and one for each layer" "whole EQUAL 1 AND layered EQUAL 36" "${whole} ${layered}")
foreach(phase IN ITEMS write read)
  get(seconds m.json experiments 0 runs 0 phases ${phase}_s)
  check("copies are in the phase ${phase}" "seconds GREATER 0.002" "${seconds}")
endforeach()

# The rows are those of the prediction, and each takes what was planted.
execute_process(COMMAND "${PROGRAM}" predict net.xmodel --hw b4096 --format json -o p.json WORKING_DIRECTORY "${WORK}"
  COMMAND_ERROR_IS_FATAL ANY ERROR_QUIET)
foreach(i RANGE 35)
  get(measured m.json experiments 0 runs 1 layers ${i} name)
  get(predicted p.json layers ${i} name)
  check("row ${i} has the name that it has in a prediction" "measured STREQUAL predicted" "${measured} ${predicted}")
  least_sample(seconds m.json experiments 0 runs 1 layers ${i} samples_s)
  check("row ${i} takes what was planted" "seconds GREATER 0.0003 AND seconds LESS 0.00033" "${seconds}")
endforeach()

# A launch that takes longer the more instructions it has: rows differ, by more than what the machine adds.
measure(net.xmodel ${on_standin} --set PLANT_LAUNCH_US=0 --set PLANT_NS_PER_BYTE=100 --mode per_layer ${steps} -o b.json)
check("it is measured again" "code EQUAL 0" "${error}")
set(rows "")
foreach(i RANGE 35)
  least_sample(seconds b.json experiments 0 runs 0 layers ${i} samples_s)
  list(APPEND rows "${seconds}")
endforeach()
list(GET rows 28 most)
list(GET rows 7 least)
check("the row with more instructions takes longer" "most GREATER 0.0018 AND least LESS 0.001" "${rows}")

# What VART prints to standard output is no answer.
measure(net.xmodel ${on_standin} --set XLNX_SHOW_DPU_COUNTER=1 ${steps} -o c.json)
check("counters that VART prints do no harm" "code EQUAL 0" "${error}")

# What the DPU counts is of the same layers as the times: here 3 cycles for each byte of a layer's instructions.
measure(net.xmodel ${on_standin} --set PLANT_CYCLES_PER_BYTE=3 --set PLANT_NS_PER_BYTE=500 --mode per_layer ${steps} -o n.json)
check("cycles are counted" "code EQUAL 0" "${error}")
get(first n.json experiments 0 runs 0 layers 0 cycles axi)
get(later n.json experiments 0 runs 0 layers 27 cycles axi)
math(EXPR rest "${first} % 3 + ${later} % 3")
check("cycles are those of the layer's own launch" "rest EQUAL 0 AND first GREATER later AND later GREATER 0" "${first} ${later}")
least_sample(seconds n.json experiments 0 runs 0 layers 0 samples_s)
check("times are those of the runs that were not counted" "seconds GREATER 0.002" "${seconds}")

# Several threads: no layers, and the time of a turn by its inferences. The device does one after the other.
measure(net.xmodel ${on_standin} --set PLANT_LAUNCH_US=1000 --threads 3 ${steps} -o t.json)
check("it is measured by threads" "code EQUAL 0 AND error MATCHES \"3 threads: a sample is the time of a turn\"" "${error}")
get(modes t.json experiments 0 runs)
string(JSON n LENGTH "${modes}")
least_sample(seconds t.json experiments 0 runs 0 total samples_s)
check("threads measure the whole alone" "n EQUAL 1 AND seconds GREATER 0.001" "${n} ${seconds}")
check_nothing_is_left()
