/* Results of Arm's ML inference advisor (mlia --json) for a network on an Ethos-U: of Vela, which predicts,
 * and of a Corstone FVP, which counts what its model of the NPU does.
 *
 *   {"schema_version": "1.0.0", "tool": {"name": "mlia", ...}, "model": {"name": "net.tflite", ...},
 *    "backends": [{"id": "vela", ...}, {"id": "corstone-300", ...}],
 *    "results": [
 *     {"kind": "performance", "producer": "vela",
 *      "metrics": [{"name": "total_cycles", "unit": "cycles", "value": 84604},
 *                  {"name": "batch_inference_time", "unit": "ms", "value": 0.169209}, ...],
 *      "breakdowns": [{"entity_id": "source_operator/operator/0",
 *                      "metrics": [{"name": "op_cycles", ...}, {"name": "mac_count", ...}, ...]}, ...],
 *      "entities": [{"id": "source_operator/operator/0", "kind": "source_operator", "name": "operator/0",
 *                    "placement": "NPU"}, ...]},
 *     {"kind": "performance", "producer": "corstone-300", "mode": "simulated",
 *      "metrics": [{"name": "npu_total_cycles", "unit": "cycles", "value": 90000}, ...],
 *      "breakdowns": ...}]}
 *
 * Breakdowns of Corstone are rows of the table that Vela wrote beside it: they are no measurement, and are
 * left out. Older files have "name" and "location" in a breakdown in place of an entity. Vela's clock follows
 * only from the time of an inference: total_cycles were cut to a whole number, and the roundest clock that
 * fits is taken.
 * Source: arm/mlia-ethos-u at 04ea2332 (vela) and 0cf0e5dc (corstone), arm/mlia, its schema of outputs.
 * Output of versions before that schema was not at hand.
 */
#include "measure/import/timings.h"
#include "measure/import/tools/arm/ethosu_counts.h"

enum { MOST_METRICS = 256, MOST_ROWS = 4096, MOST_RESULTS = 256 };

typedef struct metric {
    const char *name, *unit;
    double value; /* NaN: not available */
} metric;

typedef struct metric_list {
    metric *list;
    uint32_t n;
} metric_list;

typedef struct breakdown {
    const char *entity_id, *name, *location;
    metric_list metrics;
} breakdown;

typedef struct entity {
    const char *id, *kind, *name, *placement;
} entity;

typedef struct result {
    const char *kind, *producer, *mode;
    metric_list metrics;
    breakdown *rows;
    uint32_t n_rows;
    entity *entities;
    uint32_t n_entities;
} result;

typedef struct reading {
    import_state *in;
    const char *tool, *model; /* their names */
    result *results;
    uint32_t n_results;
} reading;

static const codec_object metric_object = {
    MEMBERS({CODEC(metric, name, SHARED, ALWAYS), .missing = "has no name"},
            {CODEC(metric, unit, SHARED, ALWAYS)}, {CODEC(metric, value, NUMBER, ALWAYS)}),
    .name = "a metric"};
#define METRICS(type)                                                                                        \
    {                                                                                                        \
        CODEC_ITEMS("metrics", type, metrics.list, metrics.n, &metric_object, MOST_METRICS, ALWAYS)          \
    }

static const codec_object breakdown_object = {
    MEMBERS({CODEC(breakdown, entity_id, NAME, ALWAYS)}, {CODEC(breakdown, name, NAME, ALWAYS)},
            {CODEC(breakdown, location, NAME, ALWAYS)}, METRICS(breakdown)),
    .name = "a breakdown"};

static const codec_object entity_object = {
    MEMBERS({CODEC(entity, id, NAME, ALWAYS)}, {CODEC(entity, kind, SHARED, ALWAYS)},
            {CODEC(entity, name, NAME, ALWAYS)}, {CODEC(entity, placement, SHARED, ALWAYS)}),
    .name = "an entity"};

static const codec_object result_object = {
    MEMBERS({CODEC(result, kind, NAME, ALWAYS)}, {CODEC(result, producer, NAME, ALWAYS)},
            {CODEC(result, mode, NAME, ALWAYS)}, METRICS(result),
            {CODEC_ITEMS("breakdowns", result, rows, n_rows, &breakdown_object, MOST_ROWS, ALWAYS)},
            {CODEC_ITEMS("entities", result, entities, n_entities, &entity_object, MOST_ROWS, ALWAYS)}),
    .name = "a result"};

static const codec_object named_object = {MEMBERS({.key = "name", .kind = CODEC_NAME})};

static const codec_object document_object = {
    MEMBERS({CODEC_IN("tool", offsetof(reading, tool), &named_object)},
            {CODEC_IN("model", offsetof(reading, model), &named_object)},
            {CODEC_ITEMS("results", reading, results, n_results, &result_object, MOST_RESULTS, ALWAYS),
             .missing = "has no results"})};

/* --- metrics ------------------------------------------------------------------------------------------ */

static const metric *metric_of(const metric_list *metrics, const char *name)
{
    return NAMED(metrics->list, metrics->n, name, name);
}

static double value_of(const metric_list *metrics, const char *name)
{
    const metric *m = metric_of(metrics, name);
    return m ? m->value : NAN;
}

static const char *producer_of(const result *x)
{
    return x->producer && *x->producer ? x->producer : "a back end that is not named";
}

static roof_status check_count(const char *name, double value, roof_error *err)
{
    return value >= 0 && value <= 0x1p53
               ? ROOF_OK
               : error_data(err, "%s is %g, want a number from 0 to 2^53", SHOWN_TEXT(name), value);
}

/* --- counters of an FVP ------------------------------------------------------------------------------- */

static roof_status add_counted(reading *r, const result *x, roof_error *err)
{
    roof_run *run = NULL;
    ethosu_counts counts = {0};
    TRY(import_add_run(r->in, r->model, ROOF_RUN_BYPASS, &run, err));
    FOR_EACH(const metric, m, x->metrics.list, x->metrics.n) {
        bool is_count = m->unit && (strcmp(m->unit, "cycles") == 0 || strcmp(m->unit, "beats") == 0);
        if (!is_count || isnan(m->value))
            continue;
        TRY(check_count(m->name, m->value, err));
        const uint64_t n = (uint64_t)m->value;
        TRY(ethosu_count_add(r->in, &counts, span_of(m->name),
                             &(ethosu_count){.sum = n, .inferences = 1, .least = n, .most = n}, err));
    }
    run->iterations = 1;
    TRY(ethosu_counts_set(r->in, &counts, run, err));
    if (x->mode)
        import_note(r->in, "counters of %s are %s: those of its model of the NPU", producer_of(x), x->mode);
    import_note_count(r->in, x->n_rows, "rows beside the counters are predicted by Vela, and are left out");
    return ROOF_OK;
}

/* --- what Vela predicts ------------------------------------------------------------------------------- */

/* The roundest number from low to high. */
static double roundest(double low, double high)
{
    double step = pow(10, ceil(log10(high)));
    while (step > (high - low) / 10) {
        double rounded = ceil(low / step) * step;
        if (rounded <= high)
            return rounded;
        step /= 10;
    }
    return low;
}

/* NaN where neither the file nor the user states it. */
static double clock_of(const reading *r, const result *x)
{
    const metric *time = metric_of(&x->metrics, "batch_inference_time");
    time = time ? time : metric_of(&x->metrics, "inference_time");
    if (r->in->told_hz > 0 || !time)
        return r->in->told_hz;
    double cycles = value_of(&x->metrics, "total_cycles"),
           per_s = time->unit && strcmp(time->unit, "ms") == 0 ? 1e3 : 1, hz = cycles / time->value * per_s;
    return hz >= 1 && hz <= 1e12 ? roundest(hz, (cycles + 1) / time->value * per_s) : NAN;
}

static roof_status add_row(reading *r, const result *x, const breakdown *b, double hz, roof_run *run,
                           roof_error *err)
{
    roof_measured *m = r->in->out;
    const entity *e = NAMED(x->entities, x->n_entities, id, b->entity_id);
    double cycles = value_of(&b->metrics, "op_cycles"), macs = value_of(&b->metrics, "mac_count");
    text_span name = span_of(b->name        ? b->name
                             : b->location  ? b->location
                             : b->entity_id ? b->entity_id
                                            : "");
    if (isnan(cycles))
        return ROOF_OK; /* of a whole that rows below it are parts of */
    TRY(check_count("op_cycles", cycles, err));
    (void)span_skip(&name, "source_operator/");
    TRY(HAS_ROOM(m->storage->n_layers++, TIMINGS_MAX_ROWS, err, "rows"));
    roof_measured_layer *layer = run_add_layer(m, run);
    roof_layer_counters *c = layer ? layer_counters_of(m, layer) : NULL;
    TRY(ALLOCATED(c, err));
    TRY(import_keep_name(r->in, name, &layer->name, err));
    if (e && e->kind && strcmp(e->kind, "performance_group") == 0)
        layer->type = e->name;
    c->device = e && e->placement ? e->placement : "NPU";
    c->workload_ops = count_from(2 * macs); /* a MAC is 2 operations */
    layer->basis = ROOF_TIME_ESTIMATED;
    layer->index = run->n_layers;
    layer->time.mean_s = cycles / hz;
    return layer_set_cycles(m, layer, (roof_domain_cycles){.domain = "vela", .cycles = (uint64_t)cycles},
                            err);
}

static roof_status add_predicted(reading *r, const result *x, roof_error *err)
{
    roof_run *run = NULL;
    double hz = clock_of(r, x);
    TRY(import_add_run(r->in, r->model, ROOF_RUN_PER_LAYER, &run, err));
    for (uint32_t i = 0; i < x->n_rows; i++)
        TRY(add_row(r, x, &x->rows[i], hz, run, err));
    if (hz > 0)
        TRY(run_add_clock(r->in->out, run, "vela", hz, err));
    import_note(r->in, "%s predicts this, nothing is measured", producer_of(x));
    if (!(hz > 0))
        import_note(r->in, "there is no clock and no time of an inference, so rows have cycles and no times: "
                           "--map clock=400MHz tells it");
    return ROOF_OK;
}

/* --- the document ------------------------------------------------------------------------------------- */

static bool is_counted(const result *x)
{
    return metric_of(&x->metrics, "npu_total_cycles") || metric_of(&x->metrics, "npu_active_cycles");
}

/* A prediction beside counters would be taken for what the layers of that run took, so it is left out. */
static roof_status finish(reading *r, roof_error *err)
{
    uint32_t n_counted = 0, n_predicted = 0;
    for (uint32_t i = 0; i < r->n_results; i++)
        n_counted += is_counted(&r->results[i]);
    FOR_EACH(const result, x, r->results, r->n_results) {
        bool is_predicted = !is_counted(x) && metric_of(&x->metrics, "total_cycles");
        n_predicted += is_predicted;
        if (is_counted(x))
            TRY(add_counted(r, x, err));
        else if (is_predicted && !n_counted)
            TRY(add_predicted(r, x, err));
    }
    if (!n_counted && !n_predicted)
        return error_data(err, "no result with cycles of an Ethos-U, want npu_total_cycles or total_cycles "
                               "among its metrics: `mlia check --performance` has them");
    if (n_counted) {
        ethosu_remark_clock(r->in);
        import_note_count(r->in, n_predicted,
                          "results of Vela are left out beside counters: import its per-layer.csv alone");
    }
    return ROOF_OK;
}

const importer_def importer_mlia = {
    .id = "mlia",
    .tool = "ML inference advisor",
    .next = "measure it on a board; --map clock=400MHz tells the clock of its NPU",
    .marks = {SURE("\"mlia\"", "\"results\"", "\"metrics\""), LIKELY("\"npu_total_cycles\"", "\"metrics\"")},
    .device = "NPU",
    .takes_map = true,
    .unverified = true,
    .reading_bytes = sizeof(reading),
    .begin = ethosu_begin,
    .document = &document_object,
    .finish = finish};
