# totals.csv: model x hardware -> work, bytes, cycles. Included by tests/CMakeLists.txt, behind the golden cases.
add_executable(totals "${CMAKE_CURRENT_LIST_DIR}/totals.c")
target_link_libraries(totals PRIVATE roof_test_support)
roof_test(totals golden totals "${PROJECT_SOURCE_DIR}/examples/models" "${CMAKE_CURRENT_LIST_DIR}/totals.csv")

# A golden case may have a file `env` with lines NAME=VALUE, such as COLUMNS=80.
foreach(cmd IN LISTS golden_cases)
  cmake_path(GET cmd PARENT_PATH case)
  cmake_path(GET case FILENAME name)
  if(NOT EXISTS "${case}/env" OR NOT TEST "golden_${name}")
    continue()
  endif()
  file(STRINGS "${case}/env" environment REGEX "=")
  list(TRANSFORM environment REPLACE "^([^=]+)=" "\\1=set:")
  set_tests_properties("golden_${name}" PROPERTIES
    ENVIRONMENT_MODIFICATION "ROOFLINE_HW_PATH=unset:;${environment}")
endforeach()

# No output has "inf" or "nan" in the place of a number: those that are committed, and those of the fuzz corpus.
foreach(mode IN ITEMS committed printed)
  roof_test(numbers_${mode} golden "${CMAKE_COMMAND}" "-DSCRIPT=${CMAKE_CURRENT_LIST_DIR}/printed_numbers.py"
    "-DGOLDEN=${CMAKE_CURRENT_LIST_DIR}"
    "-DMORE=$<$<STREQUAL:${mode},printed>:$<TARGET_FILE:roofline>,${CMAKE_CURRENT_BINARY_DIR}/numbers>"
    -P "${tests}/checks/reckon.cmake")
  set_tests_properties(numbers_${mode} PROPERTIES SKIP_REGULAR_EXPRESSION "^SKIPPED")
endforeach()
set_tests_properties(numbers_printed PROPERTIES COST 30)
if(ROOFLINE_SANITIZE) # which takes twenty times as long, and looks for something else
  set_tests_properties(numbers_printed PROPERTIES ENVIRONMENT ROOFLINE_EVERY=4)
endif()

# The golden tables once more, by the formulas of the documents.
foreach(what IN ITEMS totals gains)
  roof_test(reckon_${what} golden "${CMAKE_COMMAND}" "-DSCRIPT=${CMAKE_CURRENT_LIST_DIR}/reckon_${what}.py"
    "-DGOLDEN=${CMAKE_CURRENT_LIST_DIR}" -P "${tests}/checks/reckon.cmake")
  set_tests_properties(reckon_${what} PROPERTIES SKIP_REGULAR_EXPRESSION "^SKIPPED")
endforeach()
