/* The JSON summary of vaitrace 3.x (--json_summary): somewhere in the document, often in an array per compute
 * unit, objects with a subg_name:
 *   {"subg_name":"subgraph_conv","runs":600,"cu_name":"DPUCZDX8G_1","batch":1,"min_time":11.0,...
 *    "max_time":11.346,"workload":8198000000,"read_weight_bias_size":25557032,"read_feature_map_size":...,
 *    "write_feature_map_size":...,"mem_io_bw":3391.8,"hardware_time":10.905,"depth":1,...}
 * Times are in ms. The units of workload and sizes are not documented, so each row is held against itself:
 * mem_io_bw is in 10^6 bytes per second and divides the sum of the sizes by hardware_time (or avg_time),
 * which tells bytes from MB; a workload is of operations when it is whole and a million or more. Values that
 * stay open are left out. Sizes are computed from the model. depth 1 is a whole subgraph, 2 a layer. Rows of
 * several compute units are one run each, since "runs" of two of them are of different images.
 */
#include "measure/import/row.h"

static const row_field fields[] = {{ROW_NAME, {"subg_name"}, 0, NULL, ROW_NEEDED},
                                   {ROW_GROUP, {"cu_name"}, 0, NULL, 0},
                                   {ROW_COUNT, {"runs"}, 0, NULL, 0},
                                   {ROW_BATCH, {"batch"}, 0, NULL, 0},
                                   {ROW_MIN, {"min_time"}, 1e-3, NULL, 0},
                                   {ROW_TIME, {"avg_time"}, 1e-3, NULL, 0},
                                   {ROW_MAX, {"max_time"}, 1e-3, NULL, 0},
                                   {ROW_WORKLOAD, {"workload"}, 0, NULL, 0},
                                   {ROW_WEIGHTS, {"read_weight_bias_size"}, 0, NULL, 0},
                                   {ROW_READ, {"read_feature_map_size"}, 0, NULL, 0},
                                   {ROW_WRITE, {"write_feature_map_size"}, 0, NULL, 0},
                                   {ROW_BANDWIDTH, {"mem_io_bw"}, 0, NULL, 0},
                                   {ROW_HARDWARE_TIME, {"hardware_time"}, 0, NULL, 0},
                                   {ROW_DEPTH, {"depth"}, 0, NULL, 0}};

typedef struct reading {
    import_state *in;
    bool open_sizes, open_work;
} reading;

static const char *problem_of(const double *v)
{
    if (isnan(v[ROW_TIME]))
        return "a row without avg_time";
    if (!isnan(v[ROW_COUNT]) && (v[ROW_COUNT] < 1 || v[ROW_COUNT] != floor(v[ROW_COUNT])))
        return "runs is no whole number from 1";
    if (!isnan(v[ROW_DEPTH]) && v[ROW_DEPTH] != 1 && v[ROW_DEPTH] != 2)
        return "depth is neither 1 (a DPU subgraph) nor 2 (a layer of it)";
    if (v[ROW_MIN] > v[ROW_TIME] || v[ROW_TIME] > v[ROW_MAX])
        return "min_time, avg_time and max_time are not in this order";
    return NULL;
}

/* Bytes of one unit of the sizes: 1 or 10^6, whichever agrees with the stated bandwidth; NaN when none does.
 */
static double size_unit(const double *v)
{
    double sum = v[ROW_WEIGHTS] + v[ROW_READ] + v[ROW_WRITE];
    double time_s = v[ROW_HARDWARE_TIME] > 0 ? v[ROW_HARDWARE_TIME] / 1e3 : v[ROW_TIME];
    double want_bytes = v[ROW_BANDWIDTH] * 1e6 * time_s;
    static const double units[] = {1, 1e6};
    for (size_t i = 0; i < N_OF(units); i++)
        if (fabs(sum * units[i] / want_bytes - 1) < 0.02)
            return units[i];
    return NAN;
}

static bool is_operations(const double *v)
{
    double work = v[ROW_WORKLOAD];
    return work == floor(work) && work >= 1e6 && work < 9e15 && !(v[ROW_BATCH] > 1);
}

static roof_status add_row(void *reading_, const jsonpull *at, const table_row *found, roof_error *err)
{
    reading *r = reading_;
    table_row row = *found;
    if (!row.name)
        return ROOF_OK;
    double *v = row.values, unit = size_unit(v);
    const char *problem = problem_of(v);
    if (problem)
        return row_fail_json(at, problem, err);
    r->open_sizes = r->open_sizes || (isnan(unit) && !isnan(v[ROW_WEIGHTS]));
    r->open_work = r->open_work || (!is_operations(v) && v[ROW_WORKLOAD] > 0);
    v[ROW_WORKLOAD] = is_operations(v) ? v[ROW_WORKLOAD] : NAN;
    v[ROW_READ] = (v[ROW_WEIGHTS] + v[ROW_READ]) * unit;
    v[ROW_WRITE] *= unit;
    return row_keep(r->in, &row, err);
}

static roof_status read(reading *r, jsonpull *puller, roof_error *err)
{
    return row_read_json(r->in, puller, fields, N_OF(fields), add_row, r, err);
}

static roof_status finish(reading *r, roof_error *err)
{
    static const double depths[] = {NAN, 1, 2};
    row_groups units;
    if (!r->in->n_rows)
        return error_data(err, "no row, want objects with subg_name and avg_time");
    TRY(row_find_groups(r->in, "compute units", &units, err));
    for (uint32_t u = 0; u < units.n; u++)
        for (size_t d = 0; d < N_OF(depths); d++) {
            /* depth: 1, 2, or NaN for rows that do not state it. */
            roof_run_mode mode = depths[d] > 1 ? ROOF_RUN_PER_LAYER : ROOF_RUN_BYPASS;
            table_row like = *units.firsts[u];
            size_t n = 0;
            like.values[ROW_DEPTH] = depths[d];
            for (uint32_t i = 0; i < r->in->n_rows; i++)
                n += row_is_like(&r->in->rows[i], &like);
            if (n) {
                if (isnan(depths[d]))
                    TRY(import_mode(r->in, n, &mode, err));
                TRY(row_add_run(r->in, &like, mode, err));
            }
        }
    row_remark_hardware_times(r->in, "");
    if (units.n > 1)
        import_note(r->in, "a run for each of %u compute units", units.n);
    if (r->open_sizes)
        import_note(
            r->in,
            "sizes that disagree with the bandwidth beside them have no certain unit and are left out");
    if (r->open_work)
        import_note(r->in, "workloads whose unit is not certain, or of batches, are left out");
    return ROOF_OK;
}

const importer_def importer_vaitrace_json = {
    .id = "vaitrace_json",
    .program = "vaitrace",
    .keep = "import vart_trace.csv of vaitrace, which has every inference",
    .unverified = true,
    .marks = {SURE("\"subg_name\"")},
    .device = "DPU",
    .reading_bytes = sizeof(reading),
    .json = read,
    .finish = finish};
