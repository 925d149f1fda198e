# The whole loop: a time that is planted in every launch is what reconcile finds to be the cost of a boundary. On a clock that only the
# device and each look at it move, by 0.1 us: a real one would tell of whatever else the machine does.
include("${CMAKE_CURRENT_LIST_DIR}/kit.cmake")
if(skipped)
  return()
endif()
set(documents "")
foreach(layers IN ITEMS 3 12 24 36)
  make_xmodel(chain chain c${layers}.xmodel --layers ${layers} --layer-code)
  measure(c${layers}.xmodel ${on_standin} --set LD_PRELOAD=${STANDIN}/libxrt_core.so.2 --set PLANT_CLOCK_NS=100
    --set PLANT_LAUNCH_US=1200 --iterations 4 --rounds 3 -o c${layers}.json)
  check("${layers} layers are measured" "code EQUAL 0" "${error}")
  list(APPEND documents c${layers}.json)
endforeach()
execute_process(COMMAND "${PROGRAM}" reconcile ${documents} --format json -o r.json WORKING_DIRECTORY "${WORK}"
  COMMAND_ERROR_IS_FATAL ANY ERROR_QUIET)
get(slope r.json overhead_fit slope_s)
check("the cost of a boundary is what was planted, 0.0012 s, and a few looks at the clock" "slope GREATER 0.0012 AND slope LESS 0.001205"
  "${slope}")
check_nothing_is_left()
