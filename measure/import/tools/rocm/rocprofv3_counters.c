/* `rocprofv3 --pmc ...` writes NUMBER_counter_collection.csv, a row for each counter of each dispatch; what
 * one pass cannot count is in files of other passes, in pmc_1, pmc_2, ...
 *
 *   "Correlation_Id","Dispatch_Id",...,"Kernel_Name",...,"Counter_Name","Counter_Value","Start_Timestamp",
 *   "End_Timestamp"
 *
 * Older ones have no stamps, and are refused. FETCH_SIZE and WRITE_SIZE are of 1024 bytes; derived counters
 * are in percent. A counter that is not in the table keeps its name and its mean over dispatches.
 * Source: ROCm, "Using rocprofv3", and the counters of "MI300 and MI200 series performance counters".
 */
#include "measure/import/tool_table.h"

enum { MOST_OF_KERNEL = 64 };

static const row_field fields[] = {
    {ROW_NAME, {"Kernel_Name"}, 0, NULL, ROW_NEEDED},
    {ROW_START, {"Start_Timestamp"}, 1e-9, NULL, ROW_NEEDED},
    {ROW_END, {"End_Timestamp"}, 1e-9, NULL, ROW_NEEDED},
    {ROW_WORD, {"Counter_Name"}, 0, NULL, ROW_NEEDED},
    {ROW_OTHER, {"Counter_Value"}, 0, NULL, ROW_NEEDED},
};

/* Counters that are known: a share in percent by its name in documents, or bytes. */
static const struct {
    const char *counter;
    roof_counter_quantity quantity;
    const char *name;
} known[] = {{"OccupancyPercent", ROOF_COUNTER_RATE_PPM, "occupancy"},
             {"L2CacheHit", ROOF_COUNTER_RATE_PPM, "l2_hits"},
             {"VALUUtilization", ROOF_COUNTER_RATE_PPM, "active_lanes"},
             {"VALUBusy", ROOF_COUNTER_BUSY_PPM, "valu"},
             {"SALUBusy", ROOF_COUNTER_BUSY_PPM, "salu"},
             {"MfmaUtil", ROOF_COUNTER_BUSY_PPM, "mfma"},
             {"MemUnitBusy", ROOF_COUNTER_BUSY_PPM, "memory_unit"},
             {"MemUnitStalled", ROOF_COUNTER_STALL_PPM, "memory_unit"},
             {"WriteUnitStalled", ROOF_COUNTER_STALL_PPM, "write_unit"},
             {"LDSBankConflict", ROOF_COUNTER_STALL_PPM, "lds_bank_conflict"},
             {"ALUStalledByLDS", ROOF_COUNTER_STALL_PPM, "lds"}};

typedef struct counter_sum {
    const char *name;
    double sum;
    uint64_t n;
} counter_sum;

typedef struct kernel {
    counter_sum *counters; /* the first is that of the rows whose stamps count */
    uint32_t n;
} kernel;

typedef struct reading {
    table_reading table;
    kernel *kernels; /* of each row */
    uint32_t n_kernels;
    uint64_t n_left_out;
} reading;

/* Dispatches stand there once for each counter: those of a kernel's first one are its executions. */
static roof_status take_row(reading *r, table_row *row, roof_error *err)
{
    uint32_t of;
    const char *name = row->word;
    row->word = NULL;
    if (!row->name || !name)
        return ROOF_OK;
    TRY(table_row_of(&r->table, row, 0, &of, err));
    while (r->n_kernels <= of)
        TRY(ARENA_ADD(r->table.in->scratch, r->kernels, r->n_kernels, err, (kernel){.n = 0}));
    kernel *k = &r->kernels[of];
    uint32_t at = NAMED_AT(k->counters, k->n, name, name);
    if (at == k->n && k->n == MOST_OF_KERNEL) {
        r->n_left_out++;
        row->name = NULL;
        return ROOF_OK;
    }
    if (at == k->n)
        TRY(ARENA_ADD(r->table.in->scratch, k->counters, k->n, err, (counter_sum){.name = name}));
    if (!isnan(row->values[ROW_OTHER])) {
        k->counters[at].sum += row->values[ROW_OTHER];
        k->counters[at].n++;
    }
    row->values[ROW_OTHER] = NAN;
    if (at)
        row->name = NULL;
    return ROOF_OK;
}

/* Mean of a dispatch; NaN: not counted. */
static double mean_of(const kernel *k, const char *name)
{
    const uint32_t at = NAMED_AT(k->counters, k->n, name, name);
    return at < k->n && k->counters[at].n ? k->counters[at].sum / (double)k->counters[at].n : (double)NAN;
}

static const char *const of_bytes[] = {"FETCH_SIZE", "FetchSize", "WRITE_SIZE", "WriteSize"};

static uint64_t bytes_of(const kernel *k, const char *name, const char *same)
{
    const double kib = mean_of(k, name), bytes = 1024 * (isnan(kib) ? mean_of(k, same) : kib);
    return bytes >= 0 && bytes <= 0x1p53 ? (uint64_t)llround(bytes) : ROOF_UNKNOWN;
}

static roof_status set_counters(reading *r, const kernel *k, roof_measured_layer *layer, roof_error *err)
{
    const counted_list of = counted_of_layer(r->table.in->out, layer);
    roof_layer_counters *c = layer_counters_of(r->table.in->out, layer);
    const double hits = mean_of(k, "TCC_HIT_sum"), all = hits + mean_of(k, "TCC_MISS_sum");
    TRY(ALLOCATED(c, err));
    c->read_bytes = bytes_of(k, of_bytes[0], of_bytes[1]);
    c->write_bytes = bytes_of(k, of_bytes[2], of_bytes[3]);
    if (c->read_bytes != ROOF_UNKNOWN || c->write_bytes != ROOF_UNKNOWN)
        c->bytes_origin = ROOF_BYTES_COUNTER;
    if (all > 0 && isnan(mean_of(k, "L2CacheHit")))
        TRY(counted_set(of, ROOF_COUNTER_UNIT, ROOF_COUNTER_RATE_PPM, "l2_hits", hits / all * 1e6, err));
    for (uint32_t i = 0; i < k->n; i++) {
        const char *name = k->counters[i].name;
        const uint32_t at = NAMED_AT(known, N_OF(known), counter, name);
        const double mean = mean_of(k, name);
        if (at < N_OF(known))
            TRY(counted_set(of, ROOF_COUNTER_UNIT, known[at].quantity, known[at].name, 1e4 * mean, err));
        else if (!IS_ONE_OF(of_bytes, name))
            TRY(counted_set(of, ROOF_COUNTER_OTHER, ROOF_COUNTER_PIECES, name, mean, err));
    }
    return ROOF_OK;
}

static roof_status finish(reading *r, roof_run *run, roof_error *err)
{
    roof_measured_layer *layer = run->layers;
    for (uint32_t k = 0; k < r->n_kernels; k++)
        if (r->table.timings->rows[k].count)
            TRY(set_counters(r, &r->kernels[k], layer++, err));
    import_note_count(r->table.in, r->n_left_out, "rows are of more counters of a kernel than are kept");
    return ROOF_OK;
}

const importer_def importer_rocprofv3_counters = {
    .id = "rocprofv3_counters",
    .names_kernels = true,
    .keep = "import kernel_trace.csv beside it, whose times are of production",
    .tool = "rocprof",
    .next = "profile the largest kernel by `rocprof-compute profile`",
    .marks = {SURE("\"Kernel_Name\"", "\"Counter_Name\"", "\"Start_Timestamp\"")},
    .device = "GPU",
    .unverified = true,
    ROWS_ONLY,
    TABLE_LINES(reading, TABLE_OF(fields), .separator = ',', .is_trace = true,
                .note = "kernels run one after the other while they are counted, so that times are not "
                        "those of production",
                .row = take_row, .finish = finish)};
