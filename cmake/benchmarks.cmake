# Makes docs/benchmarks.md: what tests/bench/bench.c prints, and behind it the tables of accuracy, whose rows reference tests write
# (tests/support/accuracy.h). No figure is written by hand.
#   cmake -DROOT=folder -DTESTS=file -DWORK=folder -DBENCH="roof_bench;its;arguments" -DCOMPILER=text -P benchmarks.cmake
#   cmake -DROOT=folder -DTESTS=file -DWORK=folder -DCHECK=1 -P benchmarks.cmake
# CHECK: nothing is measured. What was measured is looked at for its form; the tables of accuracy have to be those that the code gives
# now, and are written anew where ROOF_UPDATE_GOLDEN is set. ROOFLINE_SHARED names the folder of real files, as for every test.
cmake_minimum_required(VERSION 3.25)

set(page "${ROOT}/docs/benchmarks.md")
set(mark "## Accuracy\n")

# A section each: its title, and the tests that write its rows, in this order.
set(sections
  "DPU (DPUCZDX8G)|test_zoo_calibration|test_realtime_boards|test_schedule_times|test_studies|test_networks|test_zcu104"
  "STM32N6 (Neural-ART)|test_n6_networks|test_art_calibration"
  "Ryzen AI (AI Engines)|test_language_models|test_aie_products|test_aie_hardware"
  "Language models on GPUs and processors|test_language_devices"
  "Arm Ethos-U|test_ethos_u_law"
  "Processors and other devices|test_host_times|test_model_profiles|test_board_sums")

# Adds rows of a test to errors or bounds, or the one that says why it has none. With an expected time they have nine cells, else six.
macro(add_rows test)
  set(table "${WORK}/${test}.txt")
  file(REMOVE "${table}")
  execute_process(COMMAND "${CMAKE_COMMAND}" -E env "ROOFLINE_TABLES=${table}" "ROOFLINE_SOURCE_DIR=${ROOT}" "${TESTS}" ${test}
    RESULT_VARIABLE result OUTPUT_VARIABLE output ERROR_VARIABLE output)
  if(result EQUAL 0 AND EXISTS "${table}")
    file(STRINGS "${table}" rows)
  elseif(output MATCHES "SKIPPED: needs ([^\n]*)")
    set(rows "| `${test}` | not measured here: needs ${CMAKE_MATCH_1} | - | - | - | - | - | - | - |")
  else()
    message(FATAL_ERROR "${test} has no rows:\n${output}")
  endif()
  foreach(row IN LISTS rows)
    string(REGEX MATCHALL "[|]" bars "${row}")
    list(LENGTH bars bars)
    if(bars EQUAL 10)
      string(APPEND errors "${row}\n")
    else()
      string(APPEND bounds "${row}\n")
    endif()
  endforeach()
endmacro()

file(MAKE_DIRECTORY "${WORK}")
set(accuracy "${mark}
The error of a time is abs(expected / measured - 1). The interval is the one that the program states beside it: of 95 %, of operators of
a processor a factor of two. Left out in turn: what is named was predicted by constants that saw nothing of it, one after the other.
Where that is nothing, the constants were fitted to these points or to some of them, and the error is what remains of the fit. Where
the figures come from: [DPU](hardware/dpuczdx8g.md), [Neural-ART](hardware/neural_art.md), [AI Engines](hardware/aie.md),
[processors](hardware/cpu.md). Tests compute them (`tests/reference/`), from `examples/` and from files of an optional folder that are
not part of the project.
")
set(bounds "")
foreach(section IN LISTS sections)
  string(REPLACE "|" ";" tests "${section}")
  list(POP_FRONT tests title)
  set(errors "")
  foreach(test IN LISTS tests)
    add_rows(${test})
  endforeach()
  string(APPEND accuracy "\n### ${title}\n\n"
    "| what | times by | points | left out in turn | median | mean | nine in ten | worst | in the interval |\n"
    "|---|---|--:|---|--:|--:|--:|--:|--:|\n${errors}")
endforeach()
string(APPEND accuracy "
### Not judged

| family | why |
|---|---|
| SigmaStar IPU | there is no law of it: profiles are read, and public ones hold shares of a time that is not stated |
| Ethos-U85 | Vela's law of it is not known whole: there is a bound, and no estimate |
| GPUs, NPUs of phones and boards, of networks that are no language models | there are bounds only, below; an expected time takes a calibration to profiles of several networks on one device |
| Language models on Hexagon NPUs, and on processors and Rockchip NPUs of which no three models were measured | a law of other devices is no better there than weights and cache over 0.7 of the bandwidth: there is a bound |

## Bounds

No measured time may be shorter than the bound. A row of a table, or a network, is a point.

| what | points | networks or groups | below the bound | least measured : bound | median |
|---|--:|--:|--:|--:|--:|
${bounds}")

if(CHECK)
  file(READ "${page}" now)
  string(FIND "${now}" "${mark}" at)
  string(SUBSTRING "${now}" 0 ${at} measured)
  foreach(pattern IN ITEMS "(19|20)[0-9][0-9]-[01][0-9]" "[0-9][0-9]:[0-9][0-9]" "(^|[ `(])/[a-z]+/")
    if(now MATCHES "${pattern}")
      message(FATAL_ERROR "docs/benchmarks.md has '${CMAKE_MATCH_0}': neither dates nor paths belong there")
    endif()
  endforeach()
  # Every section that the program prints is there, with a table whose rows have a number or a reason.
  file(STRINGS "${ROOT}/tests/bench/bench.c" titles REGEX "\"\\\\n## ")
  string(REPLACE "\n" ";" lines "${measured}")
  foreach(line IN LISTS titles)
    string(REGEX REPLACE "^.*\"\\\\n## ([^\"\\\\]*).*$" "\\1" title "${line}")
    set(is_in FALSE)
    set(rows 0)
    foreach(line IN LISTS lines)
      if(line MATCHES "^## (.*)$")
        string(COMPARE EQUAL "${CMAKE_MATCH_1}" "${title}" is_in)
      elseif(is_in AND line MATCHES "^[|] [^|]*[|].*([0-9]|not measured: )" AND NOT line MATCHES "\\[(ms|us|s|MB|MiB|ns)\\]")
        math(EXPR rows "${rows} + 1")
      elseif(is_in AND line MATCHES "^Not measured here: ")
        math(EXPR rows "${rows} + 1")
      endif()
    endforeach()
    if(rows EQUAL 0)
      message(FATAL_ERROR "docs/benchmarks.md has no rows of '${title}', which tests/bench/bench.c prints")
    endif()
  endforeach()
  if(accuracy MATCHES "not measured here: (needs [^|]*)")
    string(STRIP "${CMAKE_MATCH_1}" lacks)
    message("SKIPPED: ${lacks}")
  elseif(DEFINED ENV{ROOF_UPDATE_GOLDEN})
    file(WRITE "${page}" "${measured}${accuracy}")
  elseif(NOT now STREQUAL "${measured}${accuracy}")
    file(WRITE "${WORK}/accuracy.md" "${accuracy}")
    message(FATAL_ERROR "docs/benchmarks.md has other tables of accuracy than the code gives now, which are in ${WORK}/accuracy.md; "
      "ROOF_UPDATE_GOLDEN=1 ctest --preset release -R '^benchmarks$' writes them")
  endif()
  return()
endif()

execute_process(COMMAND ${BENCH} RESULT_VARIABLE result OUTPUT_VARIABLE measured)
if(NOT result EQUAL 0)
  message(FATAL_ERROR "roof_bench fails")
endif()
string(REGEX REPLACE " +[|]" " |" measured "${measured}") # columns line up on a terminal only
string(REGEX REPLACE "[|] +" "| " measured "${measured}")
execute_process(COMMAND dpkg-query -W -f "\${Package} \${Version}, " python3 python3-onnx libxir-utils jq
  OUTPUT_VARIABLE versions ERROR_QUIET)
string(REGEX REPLACE ", $" "" versions "${versions}")
cmake_host_system_information(RESULT memory QUERY TOTAL_PHYSICAL_MEMORY)
math(EXPR memory "${memory} / 1024")
file(WRITE "${page}" "# Benchmarks

How fast roofline is beside what would be run in its place, how its cost grows, and how near its times come to those of devices.
`cmake --build --preset release --target benchmarks` makes this page; what is compared was measured in one run, on one machine, so that
ratios count and milliseconds are of that machine: ${memory} GiB, roofline by ${COMPILER}. Others: ${versions}.

${measured}
${accuracy}")
