/* profile_export_genai_perf.json of NVIDIA's genai-perf: each metric with its unit and its statistics, and
 * what was requested.
 *
 *   {"request_throughput": {"unit": "requests/sec", "avg": 1.2},
 *    "time_to_first_token": {"unit": "ms", "avg": 41.2, "p99": 52.0, "p95": ..., "p50": ..., "min": ...,
 *      "max": ..., "std": 2.1},
 *    "inter_token_latency": {"unit": "ms", "avg": 8.3, ...},
 *    "output_sequence_length": {"unit": "tokens", "avg": 128, ...},
 *    "input_sequence_length": {"unit": "tokens", "avg": 1024, ...},
 *    "input_config": {"model": ["llama-3.1-8b"], "backend": "vllm", "concurrency": 1, ...}}
 *
 * Newer versions have model_names, and the concurrency deeper in input_config. Times of tokens are there of
 * --streaming only.
 */
#include "measure/import/text_points.h"

typedef struct metric {
    const char *unit;
    double avg, p50, p95, p99, min, max, std;
} metric;

typedef struct reading {
    import_state *in;
    metric first, between, input, output;
    const char *model, *backend;
    double concurrency;
} reading;

static const codec_object metric_object = {
    MEMBERS({CODEC(metric, unit, NAME, ALWAYS)}, {CODEC(metric, avg, POSITIVE, ALWAYS)},
            {CODEC(metric, p50, POSITIVE, ALWAYS)}, {CODEC(metric, p95, POSITIVE, ALWAYS)},
            {CODEC(metric, p99, POSITIVE, ALWAYS)}, {CODEC(metric, min, POSITIVE, ALWAYS)},
            {CODEC(metric, max, POSITIVE, ALWAYS)}, {CODEC(metric, std, POSITIVE, ALWAYS)})};

/* ---- the request ------------------------------------------------------------------------------------- */

static roof_status read_name(codec *c, const json_event *event, void *target)
{
    const char **out = target;
    if (event->kind == JSON_ARRAY)
        return codec_read_array(c, event, read_name, target);
    if (event->kind != JSON_STRING || !event->text_length || *out)
        return jsonpull_skip(c->puller, c->err); /* of several models the first */
    *out = arena_strndup(c->arena, event->text, event->text_length);
    return *out ? import_check_name(span_of(*out), c->err) : error_memory(c->err);
}

/* However deep. */
static roof_status read_asked(codec *c, const json_event *event, void *target)
{
    reading *r = target;
    if (event->kind == JSON_OBJECT)
        return codec_read_members(c, event, read_asked, target);
    if (strcmp(event->key, "concurrency") == 0 && event->kind == JSON_NUMBER && event->number >= 1)
        r->concurrency = event->number;
    if (strcmp(event->key, "model") == 0 || strcmp(event->key, "model_names") == 0)
        return read_name(c, event, &r->model);
    if (strcmp(event->key, "backend") == 0)
        return read_name(c, event, &r->backend);
    return jsonpull_skip(c->puller, c->err);
}

static const codec_object document_object = {
    MEMBERS({CODEC_IN("time_to_first_token", offsetof(reading, first), &metric_object)},
            {CODEC_IN("inter_token_latency", offsetof(reading, between), &metric_object),
             .missing = "has no inter_token_latency, which genai-perf tells with --streaming"},
            {CODEC_IN("input_sequence_length", offsetof(reading, input), &metric_object),
             .missing = "has no input_sequence_length"},
            {CODEC_IN("output_sequence_length", offsetof(reading, output), &metric_object),
             .missing = "has no output_sequence_length"},
            {CODEC_BY("input_config", 0, read_asked, NULL), .how = CODEC_EVERY})};

/* ---- points ------------------------------------------------------------------------------------------ */

static roof_status times_of(const metric *m, const char *name, roof_times *out, roof_error *err)
{
    double unit_s = 0;
    *out = times_unknown();
    if (span_unit(span_of(text_or_empty(m->unit)), false, &unit_s) != UNIT_TIME)
        return error_data(err, "/%s/unit: found '%.40s', want ns, us, ms or s", name,
                          m->unit ? m->unit : "nothing");
    const double per_s = round(1 / unit_s);
    out->mean_s = m->avg / per_s;
    out->median_s = m->p50 / per_s;
    out->p95_s = m->p95 / per_s;
    out->p99_s = m->p99 / per_s;
    out->min_s = m->min / per_s;
    out->max_s = m->max / per_s;
    out->std_s = m->std / per_s;
    return ROOF_OK;
}

static roof_status finish(reading *r, roof_error *err)
{
    import_state *in = r->in;
    text_point point = text_point_unknown(text_or_null(r->backend));
    point.model = r->model;
    point.batch = 1;
    text_point_of(&point, ROOF_TEXT_PREFILL, r->input.avg, 0);
    if (r->first.unit && r->concurrency <= 1) {
        TRY(times_of(&r->first, "time_to_first_token", &point.time, err));
        TRY(text_point_add(in, &point, err));
    } else if (r->first.unit) {
        import_note(in, "the time to the first token holds waiting for other requests, and is left out; "
                        "--concurrency 1 times prompts alone");
    }
    text_point_of(&point, ROOF_TEXT_DECODE, r->input.avg, r->output.avg);
    point.batch = r->concurrency;
    TRY(times_of(&r->between, "inter_token_latency", &point.time, err));
    TRY(text_point_add(in, &point, err));
    import_note(in, "lengths are means over requests; the context of a step is that of the prompt and half "
                    "of the answer, and its batch the concurrency");
    if (isnan(r->concurrency))
        import_note(in, "how many requests ran together is not stated: the batch is unknown");
    return ROOF_OK;
}

const importer_def importer_genai_perf = {
    .id = "genai_perf",
    .tool = "genai-perf",
    .next = "run genai-perf with --concurrency 1 and several --synthetic-input-tokens-mean",
    .marks = {SURE("\"inter_token_latency\"", "\"input_sequence_length\"", "\"input_config\"")},
    WHOLE_ONLY("the benchmark times a whole model"),
    .unverified = true,
    READING(reading, .concurrency = NAN),
    .document = &document_object,
    .finish = finish};
