/* Layers of a network on a Synaptics NPU, which its driver tells while a network runs in steps
 * (/sys/class/misc/synap/statistics/network_profile):
 *
 *   pid: 21756, nid: 1, inference_count: 30, inference_time: 272430, ..., layers: 2
 *   | lyr |    cycle | time_us |  byte_rd |  byte_wr | ot | name
 *   |   0 |   152005 |     202 |   151344 |        0 | TP | input_permute
 *
 * or JSON with the same keys. Bytes and cycles are counted; the times of whole inferences hold the steps'
 * own.
 */
#include "measure/import/tool_table.h"

static const row_field fields[] = {
    {ROW_INDEX, {"lyr"}, 0, NULL, 0},
    {ROW_CYCLES, {"cycle", "cycles"}, 0, NULL, ROW_SPARSE},
    {ROW_TIME, {"time_us"}, 1e-6, NULL, ROW_NEEDED},
    {ROW_READ, {"byte_rd"}, 0, NULL, ROW_NEEDED},
    {ROW_WRITE, {"byte_wr"}, 0, NULL, ROW_NEEDED},
    {ROW_TYPE, {"ot", "type"}, 0, NULL, 0},
    {ROW_NAME, {"name"}, 0, NULL, ROW_SPARSE},
};

const importer_def importer_synap = {
    .id = "synap",
    .tool = "SyNAP",
    .next = "time the network without profiling, which steps through its layers: the sum is more than an "
            "inference",
    .marks = {SURE("lyr ", "time_us", "byte_rd"), SURE("\"by_layer\"", "\"time_us\"")},
    .device = "NPU",
    ROWS_ONLY,
    .unverified = true,
    TABLE_EITHER(table_reading, TABLE_OF(fields), .separator = '|', .is_in_order = true,
                 .bytes = ROOF_BYTES_COUNTER, .cycles = "npu",
                 .is_named_by_type = true, /* of older versions */
                 .note = "the layers ran one by one, and their sum is more than an inference takes")};
