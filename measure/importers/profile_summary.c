/* profile_summary.csv of vaitrace: some lines about the tool, "DPU Summary", a header, a row per kernel and core, and rows
 * of functions of the CPU, which have no header.
 *
 *   Kernel Name,Number Of Runs,CU Full Name,Minimum Time (ms),Average Time (ms),Maximum Time (ms),Workload(GOP),
 *     DPU Performance(GOP/s),Mem IO(MB),Mem Bandwidth(MB/s),
 *   subgraph_conv,60,DPUCZDX8G_1:batch-1,0.371,0.417,0.440,0.029,69.194,0.103,251.848,
 *   xir::XrtCu::run,600,CPU,10.982,11.020,11.310,
 *
 * The header does not change with the version, but what stands below it does:
 *   version    DPU Performance    MB      Mem Bandwidth
 *   1.4        GOP/s              10^6    Mem IO / average time
 *   2.0, 2.5   GOP/s              2^20    Mem IO * 1024 / average time in ms
 *   3.0, 3.5   percent of peak    10^6    Mem IO / time of the hardware's counter, which is shorter
 * Each row is held against these; what all rows agree on is believed, and what stays open is left out and said. Names
 * and functions may hold commas, so that columns are counted from the right. Rows of one kernel on several cores become
 * one. Functions of the CPU nest in each other and are timed per call: they are remarks, not phases. What is printed as
 * 0.000 is merely small, so not known.
 */
#include "core/error.h"
#include "measure/importer.h"
#include "measure/tally.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_PIECES = 128, MAX_FUNCTIONS = 20, MAX_HARDWARE_TIMES = 8 };

/* Three decimals: half of the last one. */
#define ROUNDING 0.0005

typedef enum column {
    NAME,
    RUNS,
    CU,
    MINIMUM,
    AVERAGE,
    MAXIMUM,
    WORKLOAD,
    PERFORMANCE,
    MEM_IO,
    BANDWIDTH,
    COLUMNS
} column;

static const char *const headings[COLUMNS] = {
    "Kernel Name",       "Number Of Runs",     "CU Full Name",  "Minimum Time (ms)",
    "Average Time (ms)", "Maximum Time (ms)",  "Workload(GOP)", "DPU Performance(GOP/s)",
    "Mem IO(MB)",        "Mem Bandwidth(MB/s)"};

typedef struct kernel {
    const char *name;
    uint64_t runs, line;
    double batch;                                                               /* images of a run */
    double minimum, average, maximum, workload, performance, mem_io, bandwidth; /* as printed */
} kernel;

/* How many rows agree with a reading and with no other. */
typedef struct votes {
    unsigned ops_per_s, percent, binary, decimal;
} votes;

typedef enum section { ABOVE, HEADING, ROWS } section;

typedef struct reading {
    import_state *in;
    row_tally *names;
    kernel *kernels;
    uint32_t n_kernels;
    section section;
    votes votes;
    unsigned n_functions;
    bool several_cores, small, batches;
} reading;

/* --- what the columns mean ---------------------------------------------------------------------------- */

static double error_of(double printed)
{
    return ROUNDING / printed;
}

static bool agrees(double ratio, double tolerance)
{
    return fabs(ratio - 1) <= tolerance;
}

static double batch_of(text_span cu)
{
    static const char word[] = "batch-";
    const char *at = cu.length ? memmem(cu.text, cu.length, word, strlen(word)) : NULL;
    uint64_t batch = 1;
    if (at) {
        text_span digits = {at + strlen(word), cu.length - (size_t)(at + strlen(word) - cu.text)};
        if (span_id(digits, "batch", 0, &batch, NULL) != ROOF_OK || !batch)
            return 1;
    }
    return (double)batch;
}

/* GOP/s or percent: only where the digits suffice to tell. */
static void vote_on_performance(votes *v, const kernel *k)
{
    const double tolerance = error_of(k->workload) + error_of(k->average) + error_of(k->performance) + 1e-3;
    const double per_image = k->workload / k->average * 1e3;
    if (!(tolerance < 0.2))
        return;
    if (agrees(k->performance / per_image, tolerance) ||
        agrees(k->performance / (per_image * k->batch), tolerance))
        v->ops_per_s++;
    else if (k->performance <= 100)
        v->percent++;
}

static void vote_on_megabytes(votes *v, const kernel *k)
{
    const double tolerance = error_of(k->mem_io) + error_of(k->average) + error_of(k->bandwidth);
    const double ratio = k->bandwidth * k->average / (k->mem_io * 1e3);
    bool decimal = agrees(ratio, tolerance), binary = agrees(ratio / 1.024, tolerance);
    v->decimal += decimal && !binary;
    v->binary += binary && !decimal;
}

static bool is_ops_per_s(const votes *v)
{
    return v->ops_per_s && !v->percent;
}

static bool is_percent(const votes *v)
{
    return v->percent && !v->ops_per_s;
}

/* Bytes of a megabyte, or NaN. */
static double megabyte(const votes *v)
{
    if (is_percent(v))
        return 1e6;
    if (!is_ops_per_s(v) || (v->binary && v->decimal) || (!v->binary && !v->decimal))
        return NAN;
    return v->binary ? 1024.0 * 1024.0 : 1e6;
}

/* --- rows --------------------------------------------------------------------------------------------- */

static roof_status check_heading(const roof_line *line, roof_error *err)
{
    text_span pieces[MAX_PIECES];
    size_t n = span_split((text_span){line->text, line->length}, ',', pieces, MAX_PIECES);
    for (size_t c = 0; c < COLUMNS; c++)
        if (c >= n || !span_is(pieces[c], headings[c])) {
            char shown[SHOWN_SIZE];
            return error_line(err, ROOF_E_DATA, line->number, "column %zu is '%s', want '%s'", c + 1,
                              span_show(c < n ? pieces[c] : span_of(""), shown), headings[c]);
        }
    return ROOF_OK;
}

/* The columns of a row: the last ones are counted from the right, and what is left of them is the name. */
static void align(const roof_line *line, const text_span *pieces, size_t n, size_t n_columns,
                  text_span *columns)
{
    size_t n_rest = n_columns - 1;
    for (size_t c = 0; c < n_rest; c++)
        columns[c + 1] = pieces[n - n_rest + c];
    const text_span *last = &pieces[n - n_columns]; /* of the name */
    columns[0] = span_trim((text_span){line->text, (size_t)(last->text + last->length - line->text)});
}

static roof_status read_kernel(kernel *k, const text_span *columns, uint64_t line, roof_error *err)
{
    const struct {
        column column;
        double *target;
    } numbers[] = {{MINIMUM, &k->minimum},    {AVERAGE, &k->average},         {MAXIMUM, &k->maximum},
                   {WORKLOAD, &k->workload},  {PERFORMANCE, &k->performance}, {MEM_IO, &k->mem_io},
                   {BANDWIDTH, &k->bandwidth}};
    TRY(import_check_name(columns[NAME].text, columns[NAME].length, line, err));
    TRY(span_count(columns[RUNS], headings[RUNS], line, &k->runs, err));
    if (!k->runs)
        return error_line(err, ROOF_E_DATA, line, "%s is 0, want how often it ran", headings[RUNS]);
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) {
        column c = numbers[i].column;
        TRY(span_number(columns[c], headings[c], line, numbers[i].target, err));
    }
    if (k->minimum > k->average || k->average > k->maximum)
        return error_line(err, ROOF_E_DATA, line,
                          "minimum %g, average %g and maximum %g ms are not in this order", k->minimum,
                          k->average, k->maximum);
    return ROOF_OK;
}

/* The same kernel on another core. Sizes are of the compiled model, so that they are the same. */
static void merge(kernel *into, const kernel *k)
{
    double runs = (double)into->runs + (double)k->runs;
    into->average += (k->average - into->average) * ((double)k->runs / runs);
    into->minimum = k->minimum < into->minimum ? k->minimum : into->minimum;
    into->maximum = k->maximum > into->maximum ? k->maximum : into->maximum;
    into->performance = NAN;
    if (into->mem_io < k->mem_io || into->mem_io > k->mem_io)
        into->mem_io = NAN;
    into->bandwidth = NAN;
    into->runs += k->runs;
}

static roof_status add_kernel(reading *r, const text_span *columns, uint64_t line, roof_error *err)
{
    kernel k = {.line = line};
    uint64_t tag;
    uint32_t row;
    TRY(read_kernel(&k, columns, line, err));
    k.batch = batch_of(columns[CU]);
    vote_on_performance(&r->votes, &k);
    vote_on_megabytes(&r->votes, &k);
    memcpy(&tag, &k.workload, sizeof tag);
    TRY(tally_row_of(r->names, columns[NAME], tag, &row, err));
    k.name = tally_name(r->names, row);
    if (row < r->n_kernels) {
        merge(&r->kernels[row], &k);
        r->several_cores = true;
        return ROOF_OK;
    }
    if (!array_grow((void **)&r->kernels, r->n_kernels, sizeof *r->kernels))
        return error_memory(err);
    r->kernels[r->n_kernels++] = k;
    return ROOF_OK;
}

static roof_status remark_function(reading *r, const text_span *columns, uint64_t line, roof_error *err)
{
    enum { FUNCTION, CALLS, DEVICE, LEAST, MEAN, MOST };
    char shown[SHOWN_SIZE], number[REMARK_NUMBER_SIZE];
    uint64_t calls;
    double mean;
    TRY(span_count(columns[CALLS], headings[RUNS], line, &calls, err));
    TRY(span_number(columns[MEAN], headings[AVERAGE], line, &mean, err));
    if (r->n_functions++ < MAX_FUNCTIONS)
        import_note(r->in, "CPU function %s: %llu calls of %s ms on average",
                    span_show(columns[FUNCTION], shown), (unsigned long long)calls,
                    import_number(number, mean));
    return ROOF_OK;
}

static roof_status read_row(reading *r, const roof_line *line, roof_error *err)
{
    enum { CPU_COLUMNS = 6 };
    text_span pieces[MAX_PIECES], columns[COLUMNS];
    size_t n = span_split((text_span){line->text, line->length}, ',', pieces, MAX_PIECES);
    if (n > MAX_PIECES)
        return error_line(err, ROOF_E_LIMIT, line->number, "more than %d fields", MAX_PIECES);
    if (n > 1 && !pieces[n - 1].length)
        n--; /* rows end with a comma */
    if (n >= CPU_COLUMNS && span_is(pieces[n - 4], "CPU")) {
        align(line, pieces, n, CPU_COLUMNS, columns);
        return remark_function(r, columns, line->number, err);
    }
    if (n < COLUMNS)
        return error_line(err, ROOF_E_DATA, line->number, "a row of %zu fields, want %d: is the file whole?",
                          n, COLUMNS);
    align(line, pieces, n, COLUMNS, columns);
    return add_kernel(r, columns, line->number, err);
}

static roof_status read_line(void *reading_, const roof_line *line, roof_error *err)
{
    reading *r = reading_;
    switch (r->section) {
    case ABOVE:
        if (strcmp(line->text, "DPU Summary") == 0)
            r->section = HEADING;
        return ROOF_OK;
    case HEADING:
        r->section = ROWS;
        return check_heading(line, err);
    case ROWS:
        if (!line->length)
            r->section = ABOVE;
        return line->length ? read_row(r, line, err) : ROOF_OK;
    }
    return ROOF_OK;
}

/* --- the document ------------------------------------------------------------------------------------- */

static double seconds(double printed_ms)
{
    return printed_ms > 0 ? printed_ms / 1e3 : NAN;
}

static roof_status fill_layer(reading *r, const kernel *k, roof_run *run, roof_error *err)
{
    roof_measured_layer *layer = run_add_layer(run);
    roof_layer_counters *c = layer ? layer_counters_of(r->in->out, layer) : NULL;
    if (!c)
        return error_memory(err);
    layer->name = k->name;
    layer->time.count = k->runs;
    layer->time.min_s = seconds(k->minimum);
    layer->time.mean_s = seconds(k->average);
    layer->time.max_s = seconds(k->maximum);
    r->small = r->small || !(k->minimum > 0) || !(k->workload > 0) || !(k->mem_io > 0);
    c->device = "DPU";
    r->batches = r->batches || k->batch > 1;
    c->workload_ops = k->batch > 1 ? ROOF_UNKNOWN : count_from(k->workload * 1e9);
    c->total_bytes = count_from(k->mem_io * megabyte(&r->votes));
    c->bytes_origin = c->total_bytes != ROOF_UNKNOWN ? ROOF_BYTES_STATIC : ROOF_BYTES_UNSTATED;
    if (is_ops_per_s(&r->votes) && k->performance > 0)
        c->ops_per_s = k->performance * 1e9;
    return ROOF_OK;
}

static void remark_hardware_times(reading *r)
{
    for (uint32_t i = 0; i < r->n_kernels && i < MAX_HARDWARE_TIMES; i++) {
        const kernel *k = &r->kernels[i];
        double hardware_ms = k->mem_io / k->bandwidth * 1e3;
        char shown[SHOWN_SIZE], number[REMARK_NUMBER_SIZE];
        if (hardware_ms > 0 && hardware_ms < k->average)
            import_note(r->in, "%s: %s ms by the hardware's counter (Mem IO / Mem Bandwidth)",
                        span_show(span_of(k->name), shown), import_number(number, hardware_ms));
    }
}

static void remark_columns(reading *r)
{
    const votes *v = &r->votes;
    double bytes = megabyte(v);
    if (is_percent(v)) {
        import_note(
            r->in,
            "the column 'DPU Performance(GOP/s)' holds percent, as Vitis AI 3.x writes it, and is left "
            "out");
        remark_hardware_times(r);
    } else if (!is_ops_per_s(v)) {
        import_note(r->in,
                    "whether the column 'DPU Performance(GOP/s)' holds GOP/s or percent cannot be told from "
                    "the rows, and it is left out");
    }
    if (isnan(bytes))
        import_note(r->in,
                    "whether MB are 10^6 or 2^20 bytes depends on the version of the tool and cannot be told "
                    "from the rows, so bytes are left out");
    else
        import_note(r->in, "1 MB is %s bytes here", bytes > 1e6 ? "2^20" : "10^6");
    if (r->several_cores)
        import_note(r->in, "rows of one kernel on several cores are one row");
    if (r->batches)
        import_note(r->in, "a run works on several images: whether the workload is of one or of all is not "
                           "documented, so it is left out");
    if (r->small)
        import_note(r->in, "what the tool wrote as 0.000 is not known");
    if (r->n_functions > MAX_FUNCTIONS)
        import_note(r->in, "%u more functions of the CPU", r->n_functions - MAX_FUNCTIONS);
}

static roof_status finish(void *reading_, roof_error *err)
{
    reading *r = reading_;
    roof_run_mode mode;
    if (!r->n_kernels)
        return error_set(err, ROOF_E_DATA, "no row of a DPU kernel, want some below 'DPU Summary'");
    TRY(import_mode(r->in, r->n_kernels, &mode, err));
    roof_run *run = NULL;
    TRY(import_add_run(r->in, NULL, mode, &run, err));
    for (uint32_t i = 0; i < r->n_kernels; i++)
        TRY(fill_layer(r, &r->kernels[i], run, err));
    remark_columns(r);
    import_sum_up(r->in, run);
    return ROOF_OK;
}

static roof_status begin(void *reading_, roof_error *err)
{
    reading *r = reading_;
    r->names = tally_new(r->in->out);
    return r->names ? ROOF_OK : error_memory(err);
}

static void end(void *reading_)
{
    reading *r = reading_;
    tally_free(r->names);
    free(r->kernels);
}

const importer_def importer_profile_summary = {.id = "profile_summary",
                                               .marks = {{SNIFF_SURE, {"DPU Summary\n", "Kernel Name"}},
                                                         {SNIFF_SURE, {"DPU Summary\r\n", "Kernel Name"}},
                                                         {SNIFF_LIKELY, {"DPU Summary\n"}},
                                                         {SNIFF_LIKELY, {"DPU Summary\r\n"}}},
                                               .reading_bytes = sizeof(reading),
                                               .begin = begin,
                                               .line = read_line,
                                               .finish = finish,
                                               .end = end};
