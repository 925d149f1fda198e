# XRT's noop device completes a kernel after a delay that is planted: it is in the run phase, and in no other.
include("${CMAKE_CURRENT_LIST_DIR}/kit.cmake")
if(skipped)
  return()
endif()
if(NOT NOOP)
  message("SKIPPED: needs XRT's noop device")
  return()
endif()
file(WRITE "${WORK}/planted.ini" "[Runtime]\nnoop_completion_delay_us=80000\n")
foreach(try RANGE 1 10) # the noise of a busy machine only adds
  measure(add.xclbin ${on_noop} --option kernel=add --set XRT_INI_PATH=planted.ini --option arguments=in:262144,out:262144,u32:65536 --iterations 20
    --rounds 2 --warmup 3 -o m.json)
  check("it is measured" "code EQUAL 0" "${error}")
  least_sample(all m.json experiments 0 runs 0 total samples_s)
  get(run m.json experiments 0 runs 0 phases run_s)
  get(write m.json experiments 0 runs 0 phases write_s)
  get(read m.json experiments 0 runs 0 phases read_s)
  if(write LESS 0.016 AND read LESS 0.016 AND all LESS 0.084)
    break()
  endif()
endforeach()
check("the delay is in the run phase and in no other" "run GREATER 0.08 AND write LESS 0.016 AND read LESS 0.016"
  "${write} ${run} ${read}")
get(notes m.json source notes)
check("inputs are 0 without a seed" "notes MATCHES \"inputs are 0\"" "${notes}")
measure(add.xclbin ${on_noop} --option kernel=add --seed 7 --option arguments=in:4096,out:4096,u32:1024 --iterations 2 --rounds 1
  --warmup 1 -o s.json)
check("it is measured with a seed" "code EQUAL 0" "${error}")
get(notes s.json source notes)
check("the seed of inputs is named" "notes MATCHES \"random inputs of seed 7\"" "${error} ${notes}")
check("it is what was planted, within 5 %" "all GREATER 0.08 AND all LESS 0.084" "${all}")

# Under load every thread has a kernel of its own. There is no delay: with one the noop device loses what it owes to the second of two
# that wait.
measure(add.xclbin ${on_noop} --option kernel=add --option arguments=in:4096,out:4096,u32:1024
  --threads 1,2 --iterations 3 --rounds 2 --warmup 1 -o l.json)
check("it is measured under load" "code EQUAL 0" "${error}")
get(samples l.json experiments 0 runs 1 total samples_s)
get(means l.json experiments 0 runs 1 thread_means_s)
get(run l.json experiments 0 runs 1 phases run_s)
string(JSON n LENGTH "${samples}")
string(JSON n_means LENGTH "${means}")
check("all inferences of both threads are kept" "n EQUAL 6 AND n_means EQUAL 2 AND run GREATER 0" "${n} ${n_means} ${run}")
check_nothing_is_left()
