/* The JSON summary of vaitrace 3.x (--json_summary): somewhere in the document, often in an array per compute unit, objects
 * with a subg_name:
 *   {"subg_name":"subgraph_conv","runs":600,"cu_name":"DPUCZDX8G_1","batch":1,"min_time":11.0,"avg_time":11.044,
 *    "max_time":11.346,"workload":8198000000,"read_weight_bias_size":25557032,"read_feature_map_size":...,
 *    "write_feature_map_size":...,"mem_io_bw":3391.8,"hardware_time":10.905,"depth":1,...}
 * Times are in ms. What units workload and sizes have is not documented, so each row is held against itself: mem_io_bw is
 * in 10^6 bytes per second and divides the sum of the sizes by hardware_time (or avg_time), which tells bytes from MB; a
 * workload is of operations when it is whole and a million or more. What stays open is left out. Sizes are computed from the
 * model. depth 1 is a whole subgraph, 2 a layer. Rows of several compute units are one run each, since "runs" of two of
 * them are of different images.
 */
#include "core/error.h"
#include "core/jsonpull.h"
#include "measure/importer.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_ROWS = 1 << 18, MAX_UNITS = 64, MAX_HARDWARE_TIMES = 8 };

typedef enum field {
    RUNS,
    BATCH,
    MINIMUM,
    AVERAGE,
    MAXIMUM,
    WORKLOAD,
    READ_WEIGHTS,
    READ_FEATURES,
    WRITE_FEATURES,
    BANDWIDTH,
    HARDWARE_TIME,
    DEPTH,
    FIELDS
} field;

static const char *const keys[FIELDS] = {[RUNS] = "runs",
                                         [BATCH] = "batch",
                                         [MINIMUM] = "min_time",
                                         [AVERAGE] = "avg_time",
                                         [MAXIMUM] = "max_time",
                                         [WORKLOAD] = "workload",
                                         [READ_WEIGHTS] = "read_weight_bias_size",
                                         [READ_FEATURES] = "read_feature_map_size",
                                         [WRITE_FEATURES] = "write_feature_map_size",
                                         [BANDWIDTH] = "mem_io_bw",
                                         [HARDWARE_TIME] = "hardware_time",
                                         [DEPTH] = "depth"};

typedef struct kernel {
    const char *name, *unit; /* unit: the compute unit */
    double values[FIELDS];   /* NaN: not there */
} kernel;

typedef struct reading {
    import_state *in;
    jsonpull *puller;
    kernel
        open[JSON_DEEPEST + 1]; /* objects around the current value, any of which may turn out to be a row */
    unsigned depth;
    kernel *rows;
    uint32_t n_rows;
    bool open_sizes, open_work;
} reading;

/* --- reading ------------------------------------------------------------------------------------------ */

static roof_status fail(const reading *r, roof_error *err, const char *what)
{
    char pointer[300];
    jsonpull_pointer(r->puller, pointer, sizeof pointer);
    return error_line(err, ROOF_E_DATA, jsonpull_line(r->puller), "%s: %s", pointer[0] ? pointer : "/", what);
}

static void begin_row(kernel *out)
{
    *out = (kernel){.name = NULL};
    for (int f = 0; f < FIELDS; f++)
        out->values[f] = NAN;
}

static roof_status read_text(reading *r, const json_event *e, const char **out, roof_error *err)
{
    if (e->kind != JSON_STRING)
        return fail(r, err, "want a string");
    if (*out)
        return fail(r, err, "is there twice");
    TRY(import_check_name(e->text, e->text_length, jsonpull_line(r->puller), err));
    *out = measured_text(r->in->out, e->text, e->text_length);
    return *out ? ROOF_OK : error_memory(err);
}

static roof_status read_member(reading *r, const json_event *e, roof_error *err)
{
    kernel *row = &r->open[r->depth];
    if (strcmp(e->key, "subg_name") == 0)
        return read_text(r, e, &row->name, err);
    if (strcmp(e->key, "cu_name") == 0 && e->kind == JSON_STRING)
        return read_text(r, e, &row->unit, err);
    for (int f = 0; f < FIELDS; f++) {
        if (strcmp(e->key, keys[f]) != 0)
            continue;
        if (e->kind == JSON_NUMBER && !(e->number >= 0))
            return fail(r, err, "is negative, want 0 or more");
        if (!isnan(row->values[f]))
            return fail(r, err, "is there twice");
        if (e->kind != JSON_NULL) /* another kind is told when the object turns out to be a row */
            row->values[f] = e->kind == JSON_NUMBER ? e->number : INFINITY;
    }
    return ROOF_OK;
}

static roof_status check_row(const reading *r, const kernel *row, roof_error *err)
{
    char text[120];
    for (int f = 0; f < FIELDS; f++)
        if (isinf(row->values[f])) {
            snprintf(text, sizeof text, "%s is no number", keys[f]);
            return fail(r, err, text);
        }
    if (isnan(row->values[AVERAGE]))
        return fail(r, err, "a row without avg_time");
    if (!isnan(row->values[RUNS]) && (row->values[RUNS] < 1 || row->values[RUNS] != floor(row->values[RUNS])))
        return fail(r, err, "runs is no whole number from 1");
    if (!isnan(row->values[DEPTH]) && row->values[DEPTH] != 1 && row->values[DEPTH] != 2)
        return fail(r, err, "depth is neither 1 (a DPU subgraph) nor 2 (a layer of it)");
    if (row->values[MINIMUM] > row->values[AVERAGE] || row->values[AVERAGE] > row->values[MAXIMUM])
        return fail(r, err, "min_time, avg_time and max_time are not in this order");
    return ROOF_OK;
}

static roof_status end_row(reading *r, roof_error *err)
{
    const kernel *row = &r->open[r->depth];
    if (!row->name)
        return ROOF_OK;
    TRY(check_row(r, row, err));
    if (r->n_rows == MAX_ROWS)
        return error_set(err, ROOF_E_LIMIT, "more than %d rows", MAX_ROWS);
    if (!array_grow((void **)&r->rows, r->n_rows, sizeof *r->rows))
        return error_memory(err);
    r->rows[r->n_rows++] = *row;
    return ROOF_OK;
}

static roof_status read_event(reading *r, const json_event *e, roof_error *err)
{
    if (e->kind == JSON_CLOSE) {
        TRY(end_row(r, err));
        r->depth--;
        return ROOF_OK;
    }
    if (e->key)
        TRY(read_member(r, e, err));
    if (e->kind == JSON_OBJECT || e->kind == JSON_ARRAY)
        begin_row(&r->open[++r->depth]);
    return ROOF_OK;
}

static roof_status read_all(reading *r, roof_error *err)
{
    json_event e = {.kind = JSON_NULL};
    while (e.kind != JSON_DONE) {
        TRY(jsonpull_next(r->puller, &e, err));
        if (e.kind != JSON_DONE)
            TRY(read_event(r, &e, err));
    }
    return ROOF_OK;
}

/* --- units -------------------------------------------------------------------------------------------- */

/* Bytes of one unit of the sizes: 1 or 10^6, whichever agrees with the stated bandwidth; NaN when none does. */
static double size_unit(const kernel *row)
{
    const double *v = row->values;
    double sum = v[READ_WEIGHTS] + v[READ_FEATURES] + v[WRITE_FEATURES];
    double time_ms = v[HARDWARE_TIME] > 0 ? v[HARDWARE_TIME] : v[AVERAGE];
    double want_bytes = v[BANDWIDTH] * 1e6 * time_ms / 1e3;
    static const double units[] = {1, 1e6};
    for (size_t i = 0; i < sizeof units / sizeof *units; i++)
        if (fabs(sum * units[i] / want_bytes - 1) < 0.02)
            return units[i];
    return NAN;
}

static uint64_t operations(const kernel *row)
{
    double work = row->values[WORKLOAD];
    bool whole = work == floor(work) && work >= 1e6 && work < 9e15;
    return whole && !(row->values[BATCH] > 1) ? (uint64_t)work : ROOF_UNKNOWN;
}

/* --- the document ------------------------------------------------------------------------------------- */

static double seconds(double ms)
{
    return ms > 0 ? ms / 1e3 : NAN;
}

static uint64_t bytes(double value)
{
    return value >= 0.5 && value < 9e15 ? (uint64_t)llround(value) : ROOF_UNKNOWN;
}

static roof_status fill_layer(reading *r, const kernel *from, roof_run *run, roof_error *err)
{
    const double *v = from->values, unit = size_unit(from);
    roof_measured_layer *layer = run_add_layer(run);
    roof_layer_counters *c = layer ? layer_counters_of(r->in->out, layer) : NULL;
    if (!c)
        return error_memory(err);
    layer->name = from->name;
    layer->time.count = isnan(v[RUNS]) || v[RUNS] > 9e15 ? ROOF_UNKNOWN : (uint64_t)v[RUNS];
    layer->time.min_s = seconds(v[MINIMUM]);
    layer->time.mean_s = seconds(v[AVERAGE]);
    layer->time.max_s = seconds(v[MAXIMUM]);
    c->device = "DPU";
    c->workload_ops = operations(from);
    c->read_bytes = bytes((v[READ_WEIGHTS] + v[READ_FEATURES]) * unit);
    c->write_bytes = bytes(v[WRITE_FEATURES] * unit);
    if (c->read_bytes != ROOF_UNKNOWN || c->write_bytes != ROOF_UNKNOWN)
        c->bytes_origin = ROOF_BYTES_STATIC;
    r->open_sizes = r->open_sizes || (isnan(unit) && !isnan(v[READ_WEIGHTS]));
    r->open_work = r->open_work || (c->workload_ops == ROOF_UNKNOWN && v[WORKLOAD] > 0);
    return ROOF_OK;
}

static bool same(const char *a, const char *b)
{
    return a == b || (a && b && strcmp(a, b) == 0);
}

/* depth: 1, 2, or 0 for rows that do not tell it. */
static bool belongs(const kernel *row, const char *unit, int depth)
{
    int own = isnan(row->values[DEPTH]) ? 0 : (int)row->values[DEPTH];
    return same(row->unit, unit) && own == depth;
}

static roof_status fill_run(reading *r, const char *unit, int depth, roof_error *err)
{
    static const roof_run_mode modes[] = {[1] = ROOF_RUN_BYPASS, [2] = ROOF_RUN_PER_LAYER};
    roof_run_mode mode = depth ? modes[depth] : ROOF_RUN_BYPASS;
    roof_run *run = NULL;
    size_t n = 0;
    for (uint32_t i = 0; i < r->n_rows; i++)
        n += belongs(&r->rows[i], unit, depth);
    if (!n)
        return ROOF_OK;
    if (!depth)
        TRY(import_mode(r->in, n, &mode, err));
    TRY(import_add_run(r->in, NULL, mode, &run, err));
    for (uint32_t i = 0; i < r->n_rows; i++)
        if (belongs(&r->rows[i], unit, depth))
            TRY(fill_layer(r, &r->rows[i], run, err));
    import_sum_up(r->in, run);
    return ROOF_OK;
}

static void remark(reading *r, unsigned n_units)
{
    char number[REMARK_NUMBER_SIZE];
    for (uint32_t i = 0, n = 0; i < r->n_rows && n < MAX_HARDWARE_TIMES; i++)
        if (r->rows[i].values[HARDWARE_TIME] > 0) {
            import_note(r->in, "%.80s: %s ms by the hardware's counter", r->rows[i].name,
                        import_number(number, r->rows[i].values[HARDWARE_TIME]));
            n++;
        }
    if (n_units > 1)
        import_note(r->in, "a run for each of %u compute units", n_units);
    if (r->open_sizes)
        import_note(
            r->in,
            "sizes that disagree with the bandwidth beside them have no certain unit and are left out");
    if (r->open_work)
        import_note(r->in, "workloads whose unit is not certain, or of batches, are left out");
}

static roof_status finish(void *reading_, roof_error *err)
{
    reading *r = reading_;
    const char *units[MAX_UNITS];
    unsigned n_units = 0;
    if (!r->n_rows)
        return error_set(err, ROOF_E_DATA, "no row, want objects with subg_name and avg_time");
    for (uint32_t i = 0; i < r->n_rows; i++) {
        unsigned u = 0;
        while (u < n_units && !same(units[u], r->rows[i].unit))
            u++;
        if (u == MAX_UNITS)
            return error_set(err, ROOF_E_LIMIT, "more than %d compute units", MAX_UNITS);
        units[u] = r->rows[i].unit;
        n_units += u == n_units;
    }
    for (unsigned u = 0; u < n_units; u++)
        for (int depth = 0; depth <= 2; depth++)
            TRY(fill_run(r, units[u], depth, err));
    remark(r, n_units);
    return ROOF_OK;
}

static roof_status read(void *reading_, jsonpull *puller, roof_error *err)
{
    reading *r = reading_;
    r->puller = puller;
    begin_row(&r->open[0]);
    return read_all(r, err);
}

static void end(void *reading_)
{
    free(((reading *)reading_)->rows);
}

const importer_def importer_vaitrace_json = {.id = "vaitrace_json",
                                             .marks = {{SNIFF_SURE, {"\"subg_name\""}}},
                                             .reading_bytes = sizeof(reading),
                                             .json = read,
                                             .finish = finish,
                                             .end = end};
