# No device at all: exit 69 with what to do, though VART ends its process by abort(); no core file, no process, and a file that was
# there stays.
include("${CMAKE_CURRENT_LIST_DIR}/kit.cmake")
if(skipped)
  return()
endif()
set(model "${EXAMPLES}/models/mobilenetv1-b4096.xmodel")
file(WRITE "${WORK}/kept.json" "old\n")
function(check_no_device)
  execute_process(COMMAND sh -c "ulimit -c unlimited 2>/dev/null; exec \"$@\"" sh "${PROGRAM}" measure "${model}" --on vart -o kept.json
    ${ARGN} WORKING_DIRECTORY "${WORK}" RESULT_VARIABLE code ERROR_VARIABLE error TIMEOUT 60)
  check("it ends with 69" "code EQUAL 69" "${code} ${error}")
  check("the sentence says what to do" "error MATCHES \"VART finds no DPU on this machine; run it on the board\"" "${error}")
  file(READ "${WORK}/kept.json" kept)
  check("the old file stays" "kept STREQUAL \"old\n\"" "${kept}")
  check_nothing_is_left()
endfunction()
check_no_device(--set "LD_LIBRARY_PATH=${STANDIN}" --set PLANT_DEVICES=0)
file(GLOB devices /dev/dri/render* /dev/xclmgmt* /dev/accel/*)
if(devices STREQUAL "") # with XRT's own library
  check_no_device()
endif()
execute_process(COMMAND "${PROGRAM}" formats OUTPUT_VARIABLE formats ERROR_VARIABLE error RESULT_VARIABLE code)
check("`roofline formats` lists it" "code EQUAL 0 AND formats MATCHES \"\n  vart  \"" "${formats}${error}")
