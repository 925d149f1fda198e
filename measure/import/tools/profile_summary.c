/* profile_summary.csv of vaitrace: some lines about the tool, "DPU Summary", a header, a row per kernel and
 * core, and rows of functions of the CPU, which have no header.
 *
 *   Kernel Name,Number Of Runs,CU Full Name,Minimum Time (ms),Average Time (ms),Maximum Time (ms),...
 *     DPU Performance(GOP/s),Mem IO(MB),Mem Bandwidth(MB/s),
 *   subgraph_conv,60,DPUCZDX8G_1:batch-1,0.371,0.417,0.440,0.029,69.194,0.103,251.848,
 *   xir::XrtCu::run,600,CPU,10.982,11.020,11.310,
 *
 * The header does not change with the version, but what stands below it does:
 *   version    DPU Performance    MB      Mem Bandwidth
 *   1.4        GOP/s              10^6    Mem IO / average time
 *   2.0, 2.5   GOP/s              2^20    Mem IO * 1024 / average time in ms
 *   3.0, 3.5   percent of peak    10^6    Mem IO / time of the hardware counter, which is shorter
 * Each row is held against these; what all rows agree on is believed, and what stays open is left out and
 * said. Names and functions may hold commas, so that columns are counted from the right. Rows of one kernel
 * on several cores become one. Functions of the CPU nest in each other and are timed per call: they are
 * remarks, not phases. A printed 0.000 is merely small, so unknown.
 */
#include "measure/import/row.h"
#include "measure/import/timings.h"

/* In this order. Printed values are kept until all rows have shown their units. */
static const row_field fields[] = {
    {ROW_NAME, {"Kernel Name"}, 0, "Kernel Name", ROW_NEEDED},
    {ROW_COUNT, {"Number Of Runs"}, 0, "Number Of Runs", ROW_NEEDED},
    {ROW_GROUP, {"CU Full Name"}, 0, "CU Full Name", ROW_NEEDED},
    {ROW_MIN, {"Minimum Time (ms)"}, 0, "Minimum Time (ms)", ROW_NEEDED},
    {ROW_TIME, {"Average Time (ms)"}, 0, "Average Time (ms)", ROW_NEEDED},
    {ROW_MAX, {"Maximum Time (ms)"}, 0, "Maximum Time (ms)", ROW_NEEDED},
    {ROW_WORKLOAD, {"Workload(GOP)"}, 0, "Workload(GOP)", ROW_NEEDED},
    {ROW_OPS, {"DPU Performance(GOP/s)"}, 0, "DPU Performance(GOP/s)", ROW_NEEDED},
    {ROW_BYTES, {"Mem IO(MB)"}, 0, "Mem IO(MB)", ROW_NEEDED},
    {ROW_BANDWIDTH, {"Mem Bandwidth(MB/s)"}, 0, "Mem Bandwidth(MB/s)", ROW_NEEDED},
};
enum { COLUMNS = N_OF(fields) };

/* How many rows agree with a reading and with no other. */
typedef struct votes {
    unsigned ops_per_s, percent, binary, decimal;
} votes;

typedef enum section { ABOVE, HEADING, ROWS } section;

typedef struct reading {
    import_state *in;
    row_timings timings; /* of the names of rows of the import */
    row_layout layout;
    section section;
    votes votes;
    bool several_cores, small, batches;
} reading;

static double error_of(double printed)
{
    static const double rounding = 0.0005; /* three decimals: half of the last one */
    return rounding / printed;
}

static bool agrees(double ratio, double tolerance)
{
    return fabs(ratio - 1) <= tolerance;
}

/* Whether all rows that tell agree on the first of two readings. */
static bool is_sure(unsigned votes_for, unsigned votes_against)
{
    return votes_for && !votes_against;
}

/* Bytes of a megabyte, or NaN. */
static double megabyte(const votes *v)
{
    const bool is_ops = is_sure(v->ops_per_s, v->percent);
    if (is_sure(v->percent, v->ops_per_s) || (is_ops && is_sure(v->decimal, v->binary)))
        return 1e6;
    return is_ops && is_sure(v->binary, v->decimal) ? 0x1p20 : (double)NAN;
}

static roof_status add_kernel(reading *r, text_span *cells, size_t n, roof_error *err)
{
    table_row row = row_unknown();
    double *v = row.values;
    uint64_t tag, count;
    uint32_t place;
    TRY(row_read(r->in, &r->layout, cells, n, &row, err));
    TRY(span_count(cells[1], fields[1].what, &count, err));
    if (!(v[ROW_COUNT] > 0))
        return error_data(err, "Number Of Runs is 0, want how often it ran");
    if (v[ROW_MIN] > v[ROW_TIME] || v[ROW_TIME] > v[ROW_MAX])
        return error_data(err, "minimum %g, average %g and maximum %g ms are not in this order", v[ROW_MIN],
                          v[ROW_TIME], v[ROW_MAX]);
    /* "DPUCZDX8G_1:batch-3" works on three images at a time. */
    text_span core = span_of(row.group ? row.group : "");
    uint64_t batch = 0;
    bool has_batch = span_skip_past(&core, "batch-") && span_id(core, "batch", &batch, NULL) == ROOF_OK;
    v[ROW_BATCH] = has_batch && batch ? (double)batch : 1;
    /* GOP/s or percent: only where the digits suffice to tell. */
    double tolerance = error_of(v[ROW_WORKLOAD]) + error_of(v[ROW_TIME]) + error_of(v[ROW_OPS]) + 1e-3;
    const double per_image = v[ROW_WORKLOAD] / v[ROW_TIME] * 1e3;
    if (tolerance < 0.2) {
        if (agrees(v[ROW_OPS] / per_image, tolerance) ||
            agrees(v[ROW_OPS] / (per_image * v[ROW_BATCH]), tolerance))
            r->votes.ops_per_s++;
        else if (v[ROW_OPS] <= 100)
            r->votes.percent++;
    }
    tolerance = error_of(v[ROW_BYTES]) + error_of(v[ROW_TIME]) + error_of(v[ROW_BANDWIDTH]);
    const double ratio = v[ROW_BANDWIDTH] * v[ROW_TIME] / (v[ROW_BYTES] * 1e3);
    bool decimal = agrees(ratio, tolerance), binary = agrees(ratio / 1.024, tolerance);
    r->votes.decimal += decimal && !binary;
    r->votes.binary += binary && !decimal;
    memcpy(&tag, &v[ROW_WORKLOAD], sizeof tag);
    TRY(timings_row_of(r->in, &r->timings, span_of(row.name), tag, &place, err));
    if (place == r->in->n_rows)
        return row_keep(r->in, &row, err);
    /* The same kernel on another core. Sizes are of the compiled model, so that they are the same. */
    double *into = r->in->rows[place].values, runs = into[ROW_COUNT] + v[ROW_COUNT];
    into[ROW_TIME] += (v[ROW_TIME] - into[ROW_TIME]) * (v[ROW_COUNT] / runs);
    into[ROW_MIN] = fmin(into[ROW_MIN], v[ROW_MIN]);
    into[ROW_MAX] = fmax(into[ROW_MAX], v[ROW_MAX]);
    if (into[ROW_BYTES] < v[ROW_BYTES] || into[ROW_BYTES] > v[ROW_BYTES])
        into[ROW_BYTES] = NAN;
    into[ROW_OPS] = into[ROW_BANDWIDTH] = NAN;
    into[ROW_COUNT] = runs;
    r->several_cores = true;
    return ROOF_OK;
}

static roof_status read_row(reading *r, const import_line *line, roof_error *err)
{
    enum { CPU_COLUMNS = 6 };
    text_span cells[ROW_MAX_CELLS];
    size_t n = span_split((text_span){line->text, line->length}, ',', cells, ROW_MAX_CELLS);
    TRY(HAS_ROOM(n - 1, ROW_MAX_CELLS, err, "fields"));
    if (n > 1 && !cells[n - 1].length)
        n--; /* rows end with a comma */
    if (n >= CPU_COLUMNS && span_is(cells[n - 4], "CPU")) {
        /* its name, calls, "CPU", least, mean and largest time */
        const text_span name = span_trim(span_to(cells[0], cells[n - CPU_COLUMNS])); /* with its commas */
        return row_remark_function(r->in, name, cells[n - 5], cells[n - 2], err);
    }
    if (n < COLUMNS)
        return error_data(err, "a row of %zu fields, want %d: is the file whole?", n, COLUMNS);
    return add_kernel(r, cells, n, err);
}

static roof_status read_line(reading *r, const import_line *line, roof_error *err)
{
    text_span cells[COLUMNS];
    if (r->section == ROWS && line->length)
        return read_row(r, line, err);
    if (r->section != HEADING) {
        r->section = strcmp(line->text, "DPU Summary") == 0 ? HEADING : ABOVE;
        return ROOF_OK;
    }
    size_t n = span_split((text_span){line->text, line->length}, ',', cells, COLUMNS);
    r->section = ROWS;
    r->layout = (row_layout){.fields = fields, .n_fields = COLUMNS, .n = COLUMNS, .room = ROW_MAX_CELLS};
    for (size_t c = 0; c < COLUMNS; c++) {
        r->layout.cells[c] = c;
        if (c >= n || !span_is(cells[c], fields[c].what))
            return error_data(err, "column %zu is '%s', want '%s'", c + 1,
                              SHOWN(c < n ? cells[c] : span_of("")), fields[c].what);
    }
    return ROOF_OK;
}

static void remark_columns(reading *r)
{
    const votes *v = &r->votes;
    double bytes = megabyte(v);
    if (is_sure(v->percent, v->ops_per_s)) {
        import_note(
            r->in,
            "the column 'DPU Performance(GOP/s)' holds percent, as Vitis AI 3.x writes it, and is left out");
        row_remark_hardware_times(r->in, " (Mem IO / Mem Bandwidth)");
    } else if (!is_sure(v->ops_per_s, v->percent)) {
        import_note(r->in, "whether the column 'DPU Performance(GOP/s)' holds GOP/s or percent is unknown "
                           "from the rows, and it is left out");
    }
    if (isnan(bytes))
        import_note(r->in, "whether MB are 10^6 or 2^20 bytes depends on the version of the tool and is "
                           "unknown from the rows, so bytes are left out");
    else
        import_note(r->in, "1 MB is %s bytes here", bytes > 1e6 ? "2^20" : "10^6");
    if (r->several_cores)
        import_note(r->in, "rows of one kernel on several cores are one row");
    if (r->batches)
        import_note(r->in, "a run works on several images: whether the workload is of one or of all is not "
                           "documented, so it is left out");
    if (r->small)
        import_note(r->in, "what the tool wrote as 0.000 is unknown");
    if (r->in->n_functions > MOST_FUNCTIONS)
        import_note(r->in, "%u more functions of the CPU", r->in->n_functions - MOST_FUNCTIONS);
}

static roof_status finish(reading *r, roof_error *err)
{
    roof_run_mode mode;
    if (!r->in->n_rows)
        return error_data(err, "no row of a DPU kernel, want some below 'DPU Summary'");
    TRY(import_mode(r->in, r->in->n_rows, &mode, err));
    for (uint32_t i = 0; i < r->in->n_rows; i++) {
        /* All rows have told what the columns mean. Rows of all cores are of one run. */
        double *v = r->in->rows[i].values, hardware_ms = v[ROW_BYTES] / v[ROW_BANDWIDTH] * 1e3;
        r->small = r->small || !(v[ROW_MIN] > 0) || !(v[ROW_WORKLOAD] > 0) || !(v[ROW_BYTES] > 0);
        r->batches = r->batches || v[ROW_BATCH] > 1;
        r->in->rows[i].group = NULL;
        v[ROW_HARDWARE_TIME] = hardware_ms < v[ROW_TIME] ? hardware_ms : NAN;
        v[ROW_MIN] /= 1e3;
        v[ROW_TIME] /= 1e3;
        v[ROW_MAX] /= 1e3;
        v[ROW_WORKLOAD] = v[ROW_BATCH] > 1 ? NAN : v[ROW_WORKLOAD] * 1e9;
        v[ROW_BYTES] *= megabyte(&r->votes);
        v[ROW_OPS] = is_sure(r->votes.ops_per_s, r->votes.percent) ? v[ROW_OPS] * 1e9 : NAN;
    }
    remark_columns(r);
    return row_add_run(r->in, r->in->rows, mode, err);
}

const importer_def importer_profile_summary = {
    .id = "profile_summary",
    .program = "vaitrace",
    .keep = "import vart_trace.csv, which lies beside profile_summary.csv and has every inference",
    .marks = {SURE("DPU Summary\n", "Kernel Name"), SURE("DPU Summary\r\n", "Kernel Name"),
              LIKELY("DPU Summary\n"), LIKELY("DPU Summary\r\n")},
    .device = "DPU",
    .outdone_by = "vart_trace",
    .reading_bytes = sizeof(reading),
    .line = read_line,
    .finish = finish};
