/* NETWORK_per-layer.csv of Arm's Vela, a compiler that predicts cycles for Ethos-U and measures nothing:
 *
 *   TFLite_operator,NNG Operator,SRAM Usage,Peak%,Op Cycles,Network%,NPU,SRAM AC,...,MAC Count,Network%,...
 *   CONV_2D,Conv2DBias,9000,54.6,7000.0,17.6,7000.0,2000.0,...,70000,8.6,3.9,conv1/Relu;conv1/Conv2D
 *
 * AC are cycles of access to a memory, not bytes. The clock is in NETWORK_summary_CONFIG.csv, named by --map:
 * with it rows have times. Another part of the network on the NPU repeats the headings.
 */
#include "measure/import/tool_table.h"
#include "measure/import/tools/arm/ethosu_counts.h"

static const row_field fields[] = {
    {ROW_TYPE, {"TFLite_operator", "TOSA_operator", "Original Operator"}, 0, NULL, ROW_NEEDED},
    {ROW_CYCLES, {"Op Cycles"}, 0, NULL, ROW_NEEDED},
    {ROW_WORKLOAD, {"MAC Count"}, 2, NULL, ROW_NEEDED}, /* a MAC is 2 operations */
    {ROW_WORD, {"NNG Operator"}, 0, NULL, ROW_NEEDED},
    {ROW_NAME, {"Name"}, 0, NULL, ROW_NEEDED},
};

typedef struct reading {
    table_reading table;
} reading;

static void take_row(reading *r, table_row *row)
{
    row->table = 1; /* of one inference, though the table begins anew */
    row->values[ROW_TIME] = row->values[ROW_CYCLES] / r->table.in->told_hz;
}

static roof_status finish(reading *r, roof_run *run, roof_error *err)
{
    import_state *in = r->table.in;
    if (in->told_hz > 0)
        return run_add_clock(in->out, run, "vela", in->told_hz, err);
    import_note(in, "there is no clock in the file, so rows have cycles and no times: --map names "
                    "the summary, NETWORK_summary_CONFIG.csv, which has it");
    return ROOF_OK;
}

const importer_def importer_vela_csv = {
    .id = "vela_csv",
    .tool = "Vela",
    .next = "measure it on the device; --map names NETWORK_summary_CONFIG.csv beside the table, which "
            "has the clock",
    .marks = {SURE("NNG Operator", "Op Cycles", "MAC Count")},
    .device = "NPU",
    ROWS_ONLY,
    .takes_map = true,
    TABLE_LINES(reading, TABLE_OF(fields), .separator = ',', .is_in_order = true,
                .basis = ROOF_TIME_ESTIMATED, .cycles = "vela", .see_row = take_row, .begin = ethosu_begin,
                .finish = finish, .note = "all of it is predicted by the compiler, nothing is measured")};
