# What VART ends a process for is a sentence; what is wrong with a model or an option is said before VART sees it.
include("${CMAKE_CURRENT_LIST_DIR}/kit.cmake")
if(skipped)
  return()
endif()
set(model "${EXAMPLES}/models/mobilenetv1-b4096.xmodel")
refused(69 "VART finds no xclbin with a DPU; name it" "${model}" ${on_standin} --set XLNX_VART_FIRMWARE=none.xclbin)
refused(69 "the model was compiled for another DPU" "${model}" ${on_standin} --set PLANT_FINGERPRINT=101000056010406)
refused(69 "VART cannot load the library that runs the DPU" "${model}" ${on_standin} --option lib=libnone.so)
refused(69 "the DPU did not finish in time" "${model}" ${on_standin} --set PLANT_HANG=1 --set XLNX_DPU_TIMEOUT=500)
refused(65 "the file has no code for each layer" "${model}" ${on_standin} --mode per_layer)
refused(64 "a load sweep is measured in place of both modes" "${model}" ${on_standin} --mode per_layer --threads 2)
refused(69 "another DPU" "${model}" ${on_standin} --set PLANT_FINGERPRINT=101000056010406 --threads 2)
refused(64 "option core: 'one' is no number" "${model}" ${on_standin} --option core=one)
refused(64 "there is no core 7: the DPU has 1" "${model}" ${on_standin} --option core=7)
file(WRITE "${WORK}/empty.xmodel" "")
file(WRITE "${WORK}/text.xmodel" "not a model\n")
refused(65 "empty" empty.xmodel ${on_standin})
refused(65 "text.xmodel" text.xmodel ${on_standin})

# The whole is measured where layers cannot be, and the notes say why.
measure("${model}" ${on_standin} --iterations 3 --rounds 1 -o m.json)
check("the whole is measured alone" "code EQUAL 0 AND error MATCHES \"no per-layer run: the file has no code for each layer\"" "${error}")

# Another process has the DPU: a turn that is longer than the test, which ends it.
file(WRITE "${WORK}/long" "{\"protocol\": \"roofline.runner/1\", \"model\": \"${model}\", \"mode\": \"bypass\", \"options\": {}}
{\"iterations\": 1000}\n")
execute_process(COMMAND sh -c "LD_LIBRARY_PATH=$3 XLNX_VART_FIRMWARE=dpu.xclbin PLANT_LAUNCH_US=500000 $1 <long >heard 2>&1 &
  until grep -q sample heard; do sleep 0.05; done
  trap 'kill $!' EXIT
  $2 measure $4 --on vart --mode bypass --set LD_LIBRARY_PATH=$3 --set XLNX_VART_FIRMWARE=dpu.xclbin --timeout 5s" sh
  "${RUNNERS}/roofline-run-vart" "${PROGRAM}" "${STANDIN}" "${model}" WORKING_DIRECTORY "${WORK}" RESULT_VARIABLE code
  ERROR_VARIABLE error TIMEOUT 60)
check("a DPU that another process has is told of" "code EQUAL 69 AND error MATCHES \"another process has the DPU\"" "${code} ${error}")
check_nothing_is_left()
