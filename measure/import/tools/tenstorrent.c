/* ops_perf_results.csv of tt-metal's profiler: a row for each operation on each device, in order.
 *
 *   OP CODE,OP TYPE,GLOBAL CALL COUNT,DEVICE ID,...,CORE COUNT,...,DEVICE FW DURATION [ns],...
 * The kernel's duration is the time of a row; the firmware around it is in no row. Devices work at the same
 * time: each is a run of its own. Signposts are rows of the CPU without a duration.
 */
#include "measure/import/tool_table.h"

static const row_field fields[] = {
    {ROW_NAME, {"OP CODE"}, 0, NULL, ROW_NEEDED},
    {ROW_TYPE, {"OP TYPE"}, 0, NULL, 0},
    {ROW_GROUP, {"DEVICE ID"}, 0, NULL, ROW_NEEDED},
    {ROW_TIME, {"DEVICE KERNEL DURATION [~]"}, 0, NULL, ROW_NEEDED | ROW_SPARSE},
};

const importer_def importer_tenstorrent = {
    .id = "tenstorrent",
    .tool = "Tenstorrent",
    .next = "look at cores and memory layout of the largest operation, and at what is transposed, "
            "permuted or moved around it",
    .marks = {SURE("OP CODE", "DEVICE KERNEL DURATION [ns]")},
    .device = "NPU",
    ROWS_ONLY,
    TABLE_LINES(table_reading, TABLE_OF(fields), .separator = ',', .is_in_order = true)};
