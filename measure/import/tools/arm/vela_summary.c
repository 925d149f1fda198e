/* The summary of a network that Arm's Vela prints, and writes as NETWORK_summary_CONFIG.csv:
 *
 *   Network summary for net
 *   Accelerator configuration               Ethos_U55_128
 *   Accelerator clock                                 400 MHz
 *   CPU operators = 0 (0.0%)
 *   Neural network macs                             34560 MACs/batch
 *   Total cycles                                     4400 cycles/batch
 *   Batch Inference time                 0.01 ms,   90909.09 inferences/s (batch size 1)
 *   experiment,network,accelerator_configuration,...,core_clock,...,batch_size,inference_time,...
 *
 * All of it is predicted. The printed time has two digits behind the point, so that the rate tells more.
 */
#include "measure/import/tool_table.h"

static const row_field fields[] = {
    {ROW_NAME, {"network"}, 0, NULL, ROW_NEEDED},
    {ROW_TIME, {"inference_time"}, 1, NULL, ROW_NEEDED},
    {ROW_CYCLES, {"cycles_total"}, 0, NULL, ROW_NEEDED},
    {ROW_WORKLOAD, {"nn_macs"}, 2, NULL, 0}, /* a MAC is 2 operations */
    {ROW_BATCH, {"batch_size"}, 0, NULL, 0},
    {ROW_OTHER, {"core_clock"}, 0, NULL, 0},
};

typedef struct reading {
    table_reading table;
    table_row printed;
    row_clocks clocks;
    double cpu_operators;
} reading;

static roof_status begin_network(reading *r, const line_found *found, roof_error *err)
{
    if (r->printed.name)
        TRY(table_take_row(&r->table, &r->printed, err));
    r->printed = row_unknown();
    return import_keep_name(r->table.in, span_trim(found->words[0]), &r->printed.name, err);
}

static roof_status take_batch(reading *r, const line_found *found, roof_error *err)
{
    double *v = r->printed.values;
    (void)err;
    v[ROW_TIME] = found->n[1] > 0 ? 1 / found->n[1] : v[ROW_TIME];
    v[ROW_BATCH] = found->n[1] > 0 ? found->n[2] : v[ROW_BATCH];
    return ROOF_OK;
}

#define PRINTED(value) offsetof(reading, printed.values[value])
static const line_field lines[] = {
    {"Network summary for *", .take = begin_network},
    {"CPU operators = #", .target = offsetof(reading, cpu_operators), .is_sum = true},
    {"Accelerator clock ~ MHz", .unit = 1e6, .target = PRINTED(ROW_OTHER)},
    {"Neural network macs # MACs/batch", .unit = 2, .target = PRINTED(ROW_WORKLOAD)},
    {"Total cycles ~ cycles/batch", .target = PRINTED(ROW_CYCLES)},
    {"Batch Inference time ~ *, ~ inferences/s (batch size #)", .take = take_batch},
};

/* Time by cycles and clock; values of a batch become those of one inference. */
static void take_row(reading *r, table_row *row)
{
    double *v = row->values;
    row->table = 1;
    row_see_clock(&r->clocks, v[ROW_OTHER]);
    if (v[ROW_OTHER] > 0 && v[ROW_CYCLES] > 0)
        v[ROW_TIME] = v[ROW_CYCLES] / v[ROW_OTHER];
    if (v[ROW_BATCH] > 1) {
        v[ROW_TIME] /= v[ROW_BATCH];
        v[ROW_WORKLOAD] /= v[ROW_BATCH];
        v[ROW_CYCLES] /= v[ROW_BATCH];
    }
}

static roof_status take_printed(reading *r, roof_error *err)
{
    return r->printed.name ? table_take_row(&r->table, &r->printed, err) : ROOF_OK;
}

static roof_status finish(reading *r, roof_run *run, roof_error *err)
{
    import_note_count(r->table.in, (uint64_t)r->cpu_operators,
                      "operators run on the CPU, and are in no time here");
    return row_add_clock(r->table.in, &r->clocks, run, "vela", err);
}

const importer_def importer_vela_summary = {
    .id = "vela_summary",
    .tool = "Vela",
    .next = "import the per-layer.csv beside it, which `vela --verbose-performance` writes with a row "
            "for each layer, and name this file with --map",
    .marks = {SURE("Network summary for ", "Accelerator configuration"),
              SURE("core_clock", "cycles_npu", "nn_macs")},
    .device = "NPU",
    LAYERS_ONLY("the file has a row for each network"),
    TABLE_LINES(reading, TABLE_OF(fields), .separator = ',', .basis = ROOF_TIME_ESTIMATED, .cycles = "vela",
                LINES_OF(lines), .see_row = take_row, .rows = take_printed, .finish = finish,
                .note =
                    "all of it is predicted by the compiler, nothing is measured; a row is a whole network")};
