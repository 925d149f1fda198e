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

static roof_status take_line(reading *r, const import_line *line, roof_error *err)
{
    text_span text = span_trim((text_span){line->text, line->length}), rest = text;
    text_span unit;
    double n[3], *v = r->printed.values;
    if (span_skip(&rest, "Network summary for ")) {
        if (r->printed.name)
            TRY(table_take_row(&r->table, &r->printed, err));
        r->printed = row_unknown();
        return import_keep_name(r->table.in, span_trim(rest), &r->printed.name, err);
    }
    if (span_scan(&rest, "CPU operators = #", n))
        r->cpu_operators += n[0];
    else if (span_scan(&rest, "Accelerator clock ~ MHz", n))
        v[ROW_OTHER] = n[0] * 1e6;
    else if (span_scan(&rest, "Neural network macs # MACs/batch", n))
        v[ROW_WORKLOAD] = n[0] * 2;
    else if (span_scan(&rest, "Total cycles ~ cycles/batch", n))
        v[ROW_CYCLES] = n[0];
    else if (span_cut(&rest, "Batch Inference time ~ *, ~ inferences/s (batch size #)", n, &unit) &&
             n[1] > 0) {
        v[ROW_TIME] = 1 / n[1];
        v[ROW_BATCH] = n[2];
    }
    return ROOF_OK;
}

/* Time by cycles and clock; values of a batch become those of one inference. */
static roof_status take_row(reading *r, table_row *row, roof_error *err)
{
    double *v = row->values;
    (void)err;
    row->table = 1;
    row_see_clock(&r->clocks, v[ROW_OTHER]);
    if (v[ROW_OTHER] > 0 && v[ROW_CYCLES] > 0)
        v[ROW_TIME] = v[ROW_CYCLES] / v[ROW_OTHER];
    if (v[ROW_BATCH] > 1) {
        v[ROW_TIME] /= v[ROW_BATCH];
        v[ROW_WORKLOAD] /= v[ROW_BATCH];
        v[ROW_CYCLES] /= v[ROW_BATCH];
    }
    return ROOF_OK;
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
                .line = take_line, .row = take_row, .rows = take_printed, .finish = finish,
                .note =
                    "all of it is predicted by the compiler, nothing is measured; a row is a whole network")};
