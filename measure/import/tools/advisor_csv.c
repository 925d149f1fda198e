/* `advisor --report=survey --format=csv` writes a row for each function and loop of the CPU.
 *
 *   ID,Function Call Sites and Loops,...,Total Time,...,Self Time,...,Self GFLOPS,...
 * Self time is in s, without that of inner loops and called functions, so that it adds up.
 */
#include "measure/import/tool_table.h"

static const row_field fields[] = {
    {ROW_NAME, {"Function Call Sites and Loops"}, 0, NULL, ROW_NEEDED},
    {ROW_TIME, {"Self Time", "Self Time (~)"}, 1, NULL, ROW_NEEDED | ROW_SPARSE},
    {ROW_OPS, {"Self GFLOPS"}, 1e9, NULL, ROW_SPARSE},
    {ROW_TYPE, {"Type"}, 0, NULL, 0},
};

const importer_def importer_advisor_csv = {
    .id = "advisor_csv",
    .tool = "Intel Advisor",
    .marks = {SURE("Function Call Sites and Loops", "Self Time")},
    .device = "CPU",
    ROWS_ONLY,
    .unverified = true,
    TABLE_LINES(table_reading, TABLE_OF(fields), .separator = ANY_SEPARATOR,
                .note = "times are of the whole run and were sampled: they are not of one inference")};
