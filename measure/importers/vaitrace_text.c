/* The tables that vaitrace prints (--txt_summary), alone or in the log of a run.
 *
 *   1.4          DPU | Batch | SubGraph | Workload | Run Time (ms) | Perf(GOP/s) | Mem (MB) | MB/s
 *   2.0, 2.5     DPU Id | Bat | DPU SubGraph | WL | RT | Perf | LdWB | LdFM | StFM | AvgBw
 *   3.x arm64    DPU Id | Bat | DPU SubGraph | WL | SW_RT | HW_RT | Effic | LdWB | LdFM | StFM | AvgBw
 *   3.x x86      DPU Id | Bat | DPU SubGraph | WL | SW_RT | LdWB | LdFM | StFM | AvgBw
 * The order differs between versions, so that columns are found by their headings. Times are in ms, workloads in GOP, sizes
 * in MB, which are 2^20 bytes where the time is headed RT and 10^6 elsewhere. Sizes are computed from the model. "~0" is
 * between 0 and 0.001, so not known. HW_RT, by the hardware's counter, is a remark: other profiles have no such time to
 * compare it with. Names have lost their "subgraph_" and all but their last 60 characters, and stay as printed.
 *
 * A table says nothing of how often a row ran. Rows of different cores therefore cannot be joined: each core of each table
 * is a run of its own. Text around tables is skipped.
 */
#include "core/error.h"
#include "measure/importer.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_PIECES = 64, MAX_ROWS = 1 << 18, MAX_CORES = 64, MAX_FUNCTIONS = 20, MAX_HARDWARE_TIMES = 8 };

typedef enum column {
    CORE,
    BATCH,
    NAME,
    WORKLOAD,
    TIME,
    HARDWARE_TIME,
    PERFORMANCE,
    LOAD_WEIGHTS,
    LOAD_FEATURES,
    STORE_FEATURES,
    MEMORY,
    COLUMNS,
    IGNORED
} column;

/* Headings without their blanks. */
static const struct {
    const char *heading;
    column column;
} headings[] = {{"DPUId", CORE},
                {"DPU", CORE},
                {"Bat", BATCH},
                {"Batch", BATCH},
                {"DPUSubGraph", NAME},
                {"SubGraph", NAME},
                {"WL", WORKLOAD},
                {"Workload", WORKLOAD},
                {"Workload(GOP)", WORKLOAD},
                {"RT", TIME},
                {"SW_RT", TIME},
                {"RunTime(ms)", TIME},
                {"HW_RT", HARDWARE_TIME},
                {"Perf", PERFORMANCE},
                {"Perf(GOP/s)", PERFORMANCE},
                {"LdWB", LOAD_WEIGHTS},
                {"LdFM", LOAD_FEATURES},
                {"StFM", STORE_FEATURES},
                {"Mem(MB)", MEMORY},
                {"Effic", IGNORED},
                {"AvgBw", IGNORED},
                {"MB/s", IGNORED}};

typedef struct row {
    const char *name;
    uint32_t core; /* of the reading */
    double batch, workload, time, hardware_time, performance, load_weights, load_features, store_features,
        memory;
    double megabyte;
} row;

/* A core in one of the tables. */
typedef struct core {
    unsigned table;
    char *name;
    uint32_t n_rows;
} core;

typedef enum state { OUTSIDE, DPU_TABLE, CPU_TABLE } state;

typedef struct reading {
    import_state *in;
    state state;
    column columns[MAX_PIECES]; /* of the table being read */
    size_t n_columns;
    double megabyte;
    unsigned n_tables, n_functions;
    core cores[MAX_CORES];
    uint32_t n_cores, n_rows;
    row *rows;
    bool unclosed, small, batches;
    char report[128]; /* where the log says that the report went */
} reading;

/* --- headings ----------------------------------------------------------------------------------------- */

static bool is_heading(text_span cell, const char *heading)
{
    for (size_t i = 0; i < cell.length; i++) {
        if (cell.text[i] == ' ')
            continue;
        if (cell.text[i] != *heading)
            return false;
        heading++;
    }
    return *heading == '\0';
}

static column column_of(text_span cell)
{
    for (size_t i = 0; i < sizeof headings / sizeof *headings; i++)
        if (is_heading(cell, headings[i].heading))
            return headings[i].column;
    return IGNORED;
}

static bool has(const reading *r, column wanted)
{
    for (size_t i = 0; i < r->n_columns; i++)
        if (r->columns[i] == wanted)
            return true;
    return false;
}

/* Whether a line with '|' begins a table. */
static void begin_table(reading *r, const text_span *cells, size_t n)
{
    if (n < 2 || n > MAX_PIECES)
        return;
    if (is_heading(cells[0], "Function") && is_heading(cells[1], "Device")) {
        r->state = CPU_TABLE;
        return;
    }
    r->n_columns = n;
    r->megabyte = 1e6;
    for (size_t i = 0; i < n; i++) {
        r->columns[i] = column_of(cells[i]);
        if (is_heading(cells[i], "RT"))
            r->megabyte = 1024.0 * 1024.0;
    }
    if (has(r, NAME) && has(r, TIME) && has(r, CORE)) {
        r->state = DPU_TABLE;
        r->n_tables++;
    }
}

/* --- rows --------------------------------------------------------------------------------------------- */

static roof_status core_of(reading *r, text_span name, uint32_t *out, roof_error *err)
{
    uint32_t i = 0;
    while (i < r->n_cores && (r->cores[i].table != r->n_tables || !span_is(name, r->cores[i].name)))
        i++;
    if (i == MAX_CORES)
        return error_set(err, ROOF_E_LIMIT, "more than %d cores and tables", MAX_CORES);
    if (i == r->n_cores) {
        r->cores[i] = (core){.table = r->n_tables, .name = strndup(name.text, name.length)};
        if (!r->cores[i].name)
            return error_memory(err);
        r->n_cores++;
    }
    r->cores[i].n_rows++;
    *out = i;
    return ROOF_OK;
}

static roof_status read_cell(reading *r, text_span cell, const char *what, uint64_t line, double *out,
                             roof_error *err)
{
    *out = NAN;
    if (span_is(cell, "~0")) {
        r->small = true;
        return ROOF_OK;
    }
    return span_number(cell, what, line, out, err);
}

static roof_status read_cells(reading *r, const text_span *cells, uint64_t line, row *out, roof_error *err)
{
    const struct {
        const char *what;
        double *target;
    } targets[COLUMNS] = {[BATCH] = {"the batch", &out->batch},
                          [WORKLOAD] = {"the workload", &out->workload},
                          [TIME] = {"the run time", &out->time},
                          [HARDWARE_TIME] = {"HW_RT", &out->hardware_time},
                          [PERFORMANCE] = {"the performance", &out->performance},
                          [LOAD_WEIGHTS] = {"LdWB", &out->load_weights},
                          [LOAD_FEATURES] = {"LdFM", &out->load_features},
                          [STORE_FEATURES] = {"StFM", &out->store_features},
                          [MEMORY] = {"Mem (MB)", &out->memory}};
    for (size_t i = 0; i < r->n_columns; i++) {
        column c = r->columns[i];
        if (c == NAME) {
            TRY(import_check_name(cells[i].text, cells[i].length, line, err));
            out->name = measured_text(r->in->out, cells[i].text, cells[i].length);
            if (!out->name)
                return error_memory(err);
        } else if (c == CORE) {
            TRY(core_of(r, cells[i], &out->core, err));
        } else if (c != IGNORED && targets[c].target) {
            TRY(read_cell(r, cells[i], targets[c].what, line, targets[c].target, err));
        }
    }
    return ROOF_OK;
}

/* A name may hold '|': what is too much belongs to it. */
static void join_name(const reading *r, text_span *cells, size_t n)
{
    size_t name = 0, extra = n - r->n_columns;
    while (r->columns[name] != NAME)
        name++;
    const text_span *last = &cells[name + extra];
    cells[name].length = (size_t)(last->text + last->length - cells[name].text);
    memmove(cells + name + 1, cells + name + 1 + extra, (n - name - 1 - extra) * sizeof *cells);
}

static roof_status add_row(reading *r, text_span *cells, size_t n, uint64_t line, roof_error *err)
{
    row new = {NULL, 0, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, r->megabyte};
    while (n > r->n_columns && n <= MAX_PIECES && !cells[n - 1].length)
        n--; /* a '|' at the end of the line */
    if (n < r->n_columns || n > MAX_PIECES)
        return error_line(err, ROOF_E_DATA, line, "a row of %zu cells, want %zu: is the table whole?", n,
                          r->n_columns);
    if (n > r->n_columns)
        join_name(r, cells, n);
    if (r->n_rows == MAX_ROWS)
        return error_line(err, ROOF_E_LIMIT, line, "more than %d rows", MAX_ROWS);
    TRY(read_cells(r, cells, line, &new, err));
    if (!array_grow((void **)&r->rows, r->n_rows, sizeof *r->rows))
        return error_memory(err);
    r->rows[r->n_rows++] = new;
    return ROOF_OK;
}

static roof_status remark_function(reading *r, const text_span *cells, size_t n, uint64_t line,
                                   roof_error *err)
{
    char shown[SHOWN_SIZE], number[REMARK_NUMBER_SIZE];
    uint64_t runs;
    double mean;
    if (n < 4 || n > MAX_PIECES)
        return error_line(err, ROOF_E_DATA, line, "a row of %zu cells, want 4: is the table whole?", n);
    TRY(span_count(cells[n - 2], "the number of runs", line, &runs, err));
    TRY(span_number(cells[n - 1], "the average run time", line, &mean, err));
    if (r->n_functions++ < MAX_FUNCTIONS)
        import_note(r->in, "CPU function %s: %llu calls of %s ms on average", span_show(cells[0], shown),
                    (unsigned long long)runs, import_number(number, mean));
    return ROOF_OK;
}

/* --- lines -------------------------------------------------------------------------------------------- */

static bool is_rule(const roof_line *line)
{
    return line->length && strspn(line->text, "-+= ") == line->length;
}

static void remember_report(reading *r, const roof_line *line)
{
    static const char words[] = "Saving report to: ";
    const char *at = strstr(line->text, words);
    if (at)
        quote_text(r->report, sizeof r->report, at + strlen(words), strlen(at + strlen(words)));
}

static roof_status read_line(void *reading_, const roof_line *line, roof_error *err)
{
    reading *r = reading_;
    text_span cells[MAX_PIECES];
    if (is_rule(line)) {
        if (line->text[0] == '=') /* above the headings, and behind the last row */
            r->state = OUTSIDE;
        return ROOF_OK;
    }
    if (!strchr(line->text, '|')) {
        r->unclosed = r->unclosed || r->state == DPU_TABLE;
        r->state = OUTSIDE;
        remember_report(r, line);
        return ROOF_OK;
    }
    size_t n = span_split((text_span){line->text, line->length}, '|', cells, MAX_PIECES);
    switch (r->state) {
    case OUTSIDE:
        begin_table(r, cells, n);
        break;
    case DPU_TABLE:
        return add_row(r, cells, n, line->number, err);
    case CPU_TABLE:
        return remark_function(r, cells, n, line->number, err);
    }
    return ROOF_OK;
}

/* --- the document ------------------------------------------------------------------------------------- */

static roof_status fill_layer(reading *r, const row *from, roof_run *run, roof_error *err)
{
    roof_measured_layer *layer = run_add_layer(run);
    roof_layer_counters *c = layer ? layer_counters_of(r->in->out, layer) : NULL;
    if (!c)
        return error_memory(err);
    layer->name = from->name;
    layer->time.mean_s = from->time > 0 ? from->time / 1e3 : NAN;
    c->device = "DPU";
    c->workload_ops = from->batch > 1 ? ROOF_UNKNOWN : count_from(from->workload * 1e9);
    c->ops_per_s = from->performance > 0 ? from->performance * 1e9 : NAN;
    c->read_bytes = count_from((from->load_weights + from->load_features) * from->megabyte);
    c->write_bytes = count_from(from->store_features * from->megabyte);
    c->total_bytes = count_from(from->memory * from->megabyte);
    if (c->read_bytes != ROOF_UNKNOWN || c->write_bytes != ROOF_UNKNOWN || c->total_bytes != ROOF_UNKNOWN)
        c->bytes_origin = ROOF_BYTES_STATIC;
    r->batches = r->batches || from->batch > 1;
    return ROOF_OK;
}

static roof_status fill_run(reading *r, uint32_t number, roof_run_mode mode, roof_error *err)
{
    roof_run *run = NULL;
    TRY(import_add_run(r->in, NULL, mode, &run, err));
    for (uint32_t i = 0; i < r->n_rows; i++)
        if (r->rows[i].core == number)
            TRY(fill_layer(r, &r->rows[i], run, err));
    import_sum_up(r->in, run);
    return ROOF_OK;
}

static void remark(reading *r)
{
    for (uint32_t i = 0, n = 0; i < r->n_rows && n < MAX_HARDWARE_TIMES; i++)
        if (r->rows[i].hardware_time > 0) {
            char shown[SHOWN_SIZE], number[REMARK_NUMBER_SIZE];
            import_note(r->in, "%s: %s ms by the hardware's counter",
                        span_show(span_of(r->rows[i].name), shown),
                        import_number(number, r->rows[i].hardware_time));
            n++;
        }
    if (r->n_cores > 1)
        import_note(r->in, "%u runs, one of each core in each table", r->n_cores);
    if (r->unclosed)
        import_note(r->in, "a table ends without its last line: rows may be missing");
    if (r->small)
        import_note(r->in, "~0 stands for less than 0.001 and is not known, nor is a sum with it");
    if (r->batches)
        import_note(r->in, "a run works on several images, so workloads are left out");
    import_note(r->in, "the tool removed \"subgraph_\" from names and keeps their last 60 characters");
}

static roof_status fail_without_table(const reading *r, roof_error *err)
{
    return error_set(err, ROOF_E_DATA,
                     "no table with the columns DPU SubGraph and RT or SW_RT%s%s%s; the log of "
                     "vaitrace has one only with --txt_summary, else import vart_trace.csv",
                     r->report[0] ? ": the log says that the report is in '" : "", r->report,
                     r->report[0] ? "'" : "");
}

static roof_status finish(void *reading_, roof_error *err)
{
    reading *r = reading_;
    roof_run_mode mode;
    uint32_t most = 0;
    if (!r->n_rows)
        return fail_without_table(r, err);
    for (uint32_t i = 0; i < r->n_cores; i++)
        most = r->cores[i].n_rows > most ? r->cores[i].n_rows : most;
    TRY(import_mode(r->in, most, &mode, err));
    for (uint32_t i = 0; i < r->n_cores; i++)
        TRY(fill_run(r, i, mode, err));
    remark(r);
    return ROOF_OK;
}

static void end(void *reading_)
{
    reading *r = reading_;
    for (uint32_t i = 0; i < r->n_cores; i++)
        free(r->cores[i].name);
    free(r->rows);
}

const importer_def importer_vaitrace_text = {.id = "vaitrace_text",
                                             .marks = {{SNIFF_SURE, {"DPU SubGraph", "DPU Id"}},
                                                       {SNIFF_SURE, {"|", "SubGraph ", "Run Time"}},
                                                       {SNIFF_LIKELY, {"INFO:root:VART will run xmodel"}}},
                                             .reading_bytes = sizeof(reading),
                                             .line = read_line,
                                             .finish = finish,
                                             .end = end};
