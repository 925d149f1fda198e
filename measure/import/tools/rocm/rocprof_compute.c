/* The tables of rocprofiler-compute (Omniperf): a row for each dispatch of a kernel, with its counters.
 *
 *   Dispatch_ID,Kernel_Name,...,Start_Timestamp,End_Timestamp[,...]   pmc_perf.csv, SQ_LEVEL_WAVES.csv
 * Stamps are in ns, and in all files those of one pass; counters are of other passes, in which the kernels
 * took another time, and on some devices sums over several dies. So no counter over a time is a rate or a
 * clock, and none is kept. Hits of the L2 over hits and misses are a share without a time, and are.
 */
#include "measure/import/tool_table.h"

static const row_field fields[] = {
    {ROW_NAME, {"Kernel_Name"}, 0, NULL, ROW_NEEDED},
    {ROW_MARK, {"Dispatch_ID"}, 0, NULL, ROW_NEEDED},
    {ROW_START, {"Start_Timestamp"}, 1e-9, NULL, ROW_NEEDED},
    {ROW_END, {"End_Timestamp"}, 1e-9, NULL, ROW_NEEDED},
    {ROW_OTHER, {"TCC_HIT_sum"}, 0, NULL, ROW_SPARSE},
    {ROW_BATCH, {"TCC_MISS_sum"}, 0, NULL, ROW_SPARSE}, /* a second number that is known here alone */
};

/* Sums over all dispatches of a row. */
typedef struct cache_counts {
    double hits, misses;
} cache_counts;

typedef struct reading {
    table_reading table;
    cache_counts *counts;
    uint32_t n_counts;
} reading;

static roof_status take_row(reading *r, table_row *row, roof_error *err)
{
    const double hits = row->values[ROW_OTHER], misses = row->values[ROW_BATCH];
    uint32_t k;
    if (!row->name || isnan(hits + misses))
        return ROOF_OK;
    TRY(table_row_of(&r->table, row, 0, &k, err));
    while (r->n_counts <= k)
        TRY(ARENA_ADD(r->table.in->scratch, r->counts, r->n_counts, err, (cache_counts){0, 0}));
    r->counts[k].hits += hits;
    r->counts[k].misses += misses;
    return ROOF_OK;
}

static roof_status finish(reading *r, roof_run *run, roof_error *err)
{
    roof_measured_layer *layer = run->layers;
    for (uint32_t k = 0; k < r->n_counts; k++) {
        const double all = r->counts[k].hits + r->counts[k].misses;
        if (!r->table.timings->rows[k].count)
            continue;
        if (all > 0 && isfinite(all))
            TRY(counted_set(counted_of_layer(r->table.in->out, layer), ROOF_COUNTER_UNIT,
                            ROOF_COUNTER_RATE_PPM, "l2_hits", r->counts[k].hits / all * 1e6, err));
        layer++;
    }
    return ROOF_OK;
}

const importer_def importer_rocprof_compute = {
    .id = "rocprof_compute",
    .names_kernels = true,
    .tool = "rocprof-compute",
    .next = "`rocprof-compute analyze -p FOLDER` shows how near each kernel comes to the peaks of the GPU",
    .marks = {SURE("Dispatch_ID", "GPU_ID", "Start_Timestamp"),
              LIKELY("Dispatch_ID", "GPU_ID", "Workgroup_Size")}, /* a heading may exceed what is sniffed */
    .device = "GPU",
    ROWS_ONLY,
    TABLE_LINES(reading, TABLE_OF(fields), .separator = ',', .is_trace = true,
                .note = "counters but for hits of the L2 are left out: they are of other passes than the "
                        "times, so that neither a clock nor a rate can be made of them",
                .row = take_row, .finish = finish)};
