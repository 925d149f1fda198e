/* Results that `vllm bench serve --save-result` writes, as its script of older versions did, or
 * --append-result, one result after the other:
 *
 *   {"date": "...", "endpoint_type": "vllm", "backend": "vllm", "model_id": "org/model", "tokenizer_id":
 *    "...", "num_prompts": 100, "request_rate": "inf", "burstiness": 1.0, "max_concurrency": 8, "duration":
 *    41.2, "completed": 100, "total_input_tokens": 102400, "total_output_tokens": 12800, ...,
 *    "mean_ttft_ms": 60.8, "median_ttft_ms": 60.1, "std_ttft_ms": 3.2, "p99_ttft_ms": 71.0,
 *    "mean_tpot_ms": 6.1, ..., "mean_itl_ms": ...}
 *
 * or prints, as bench_serving of SGLang does:
 *
 *   ============ Serving Benchmark Result ============
 *   Backend:                                 sglang                     of SGLang
 *   Max request concurrency:                 8                    "Maximum" of vLLM, where it was limited
 *   Successful requests:                     100
 *   Total input tokens:                      102400
 *   Total generated tokens:                  12800
 *   Mean TTFT (ms):                          60.80
 *   Mean TPOT (ms):                          6.10                       or ITL alone
 *
 * TPOT is a mean over the tokens of a request behind its first one, then over requests. The server works on
 * up to max_concurrency of them in a step. TTFT holds the time for which a request waited for others, unless
 * there is one at a time.
 */
#include "measure/import/text_points.h"

enum { FIRST_TOKEN, OUTPUT_TOKEN, BETWEEN_TOKENS, TOKENS };
enum { MEAN, MEDIAN, STD, P95, P99, STATISTICS };

typedef struct result {
    const char *model, *backend, *endpoint;
    uint64_t completed;
    double concurrency, input_tokens, output_tokens;
    double ms[TOKENS][STATISTICS];
} result;

typedef struct reading {
    import_state *in;
    uint32_t n_results, n_waiting, n_open;
    result printed; /* the one whose lines are read */
    double printed_requests;
    bool is_inside;
} reading;

#define MEMBER(key_, member, kind) CODEC_AS(key_, result, member, kind, ALWAYS)
/* NOLINTBEGIN(bugprone-macro-parentheses): texts that are joined */
#define TIMES(name, of)                                                                                      \
    {MEMBER("mean_" name "_ms", ms[of][MEAN], POSITIVE)},                                                    \
        {MEMBER("median_" name "_ms", ms[of][MEDIAN], POSITIVE)},                                            \
        {MEMBER("std_" name "_ms", ms[of][STD], POSITIVE)},                                                  \
        {MEMBER("p95_" name "_ms", ms[of][P95], POSITIVE)},                                                  \
    {                                                                                                        \
        MEMBER("p99_" name "_ms", ms[of][P99], POSITIVE)                                                     \
    }
/* NOLINTEND(bugprone-macro-parentheses) */

static const codec_object result_object = {MEMBERS(
    {MEMBER("model_id", model, NAME)}, {MEMBER("backend", backend, NAME)},
    {MEMBER("endpoint_type", endpoint, NAME)}, {MEMBER("max_concurrency", concurrency, POSITIVE)},
    {MEMBER("completed", completed, COUNT), .missing = "has no completed, want how many requests there were"},
    {MEMBER("total_input_tokens", input_tokens, POSITIVE), .missing = "has no total_input_tokens"},
    {MEMBER("total_output_tokens", output_tokens, POSITIVE), .missing = "has no total_output_tokens"},
    TIMES("ttft", FIRST_TOKEN), TIMES("tpot", OUTPUT_TOKEN))};

static roof_times times_of(const double ms[STATISTICS], uint64_t count)
{
    roof_times out = times_unknown();
    out.mean_s = ms[MEAN] / 1e3;
    out.median_s = ms[MEDIAN] / 1e3;
    out.std_s = ms[STD] / 1e3;
    out.p95_s = ms[P95] / 1e3;
    out.p99_s = ms[P99] / 1e3;
    out.count = count;
    return out;
}

static roof_status add_result(reading *r, const result *x, roof_error *err)
{
    /* clients for OpenAI's interface are the default, which is vLLM */
    const char *server = x->backend ? x->backend : x->endpoint;
    const bool is_default = !server || !*server || strncmp(server, "openai", 6) == 0;
    text_point point = text_point_unknown(is_default ? "vllm" : server);
    const double prompt = x->input_tokens / (double)x->completed;
    const double made = x->output_tokens / (double)x->completed;
    const bool is_alone = x->concurrency >= 1 && x->concurrency <= 1;
    point.model = text_or_null(x->model);
    text_point_of(&point, ROOF_TEXT_PREFILL, prompt, 0);
    point.batch = 1;
    point.time = times_of(x->ms[FIRST_TOKEN], x->completed);
    if (is_alone)
        TRY(text_point_add(r->in, &point, err));
    r->n_waiting += is_alone ? 0 : 1;
    r->n_open += isnan(x->concurrency) ? 1 : 0;
    text_point_of(&point, ROOF_TEXT_DECODE, prompt, made);
    point.batch = x->concurrency;
    point.time = times_of(x->ms[OUTPUT_TOKEN], x->completed);
    return text_point_add(r->in, &point, err);
}

static roof_status read_result(codec *c, const json_event *event, void *target)
{
    reading *r = target;
    result x = {.model = NULL};
    codec_forget(&result_object, &x);
    TRY(codec_read_object(c, event, &result_object, &x));
    r->n_results++;
    return x.completed ? add_result(r, &x, c->err)
                       : codec_fail(c, "completed is 0, want requests that succeeded");
}

/* ---- as printed -------------------------------------------------------------------------------------- */

/* "Mean TTFT (ms): 60.80" */
static const char *const statistics[STATISTICS] = {"Mean", "Median", "Std", "P95", "P99"};
static const char *const tokens[TOKENS] = {"TTFT", "TPOT", "ITL"};

/* The result whose lines end here. Older versions have no time of an output token but that between two. */
static roof_status take_printed(reading *r, roof_error *err)
{
    result x = r->printed;
    if (!r->is_inside)
        return ROOF_OK;
    r->is_inside = false;
    if (!(r->printed_requests >= 1) || !(x.input_tokens > 0) || !(x.output_tokens > 0))
        return error_data(err, "a result without its successful requests and tokens: is the log whole?");
    x.completed = (uint64_t)r->printed_requests;
    if (isnan(x.ms[OUTPUT_TOKEN][MEAN]))
        memcpy(x.ms[OUTPUT_TOKEN], x.ms[BETWEEN_TOKENS], sizeof *x.ms);
    r->n_results++;
    if (x.ms[FIRST_TOKEN][MEAN] > 0 && !(x.concurrency >= 1 && x.concurrency <= 1))
        import_note(r->in,
                    "the first token came %s ms behind the request on average, waiting for others included",
                    NUMBER(x.ms[FIRST_TOKEN][MEAN]));
    return add_result(r, &x, err);
}

static roof_status begin_printed(reading *r, const line_found *found, roof_error *err)
{
    (void)found;
    TRY(take_printed(r, err));
    codec_forget(&result_object, &r->printed);
    memcpy(r->printed.ms[BETWEEN_TOKENS], r->printed.ms, sizeof *r->printed.ms); /* nothing known */
    r->printed_requests = NAN;
    r->is_inside = true;
    return ROOF_OK;
}

static roof_status take_backend(reading *r, const line_found *found, roof_error *err)
{
    const text_span name = span_trim(found->words[0]);
    return name.length ? import_keep_name(r->in, name, &r->printed.backend, err) : ROOF_OK;
}

static roof_status take_statistic(reading *r, const line_found *found, roof_error *err)
{
    const uint32_t k = SPAN_AT(statistics, STATISTICS, found->words[0]),
                   of = SPAN_AT(tokens, TOKENS, found->words[1]);
    (void)err;
    if (k < STATISTICS && of < TOKENS)
        r->printed.ms[of][k] = found->n[0];
    return ROOF_OK;
}

#define PRINTED(member) .target = offsetof(reading, member)
static const line_field lines[] = {
    {"", .take = begin_printed, .behind = "Serving Benchmark Result"},
    {"Backend: *", .take = take_backend},
    {"Successful requests: #", PRINTED(printed_requests)},
    {"Maximum request concurrency: #", PRINTED(printed.concurrency)},
    {"Max request concurrency: #", PRINTED(printed.concurrency)},
    {"Total input tokens: #", PRINTED(printed.input_tokens)},
    {"Total generated tokens: #", PRINTED(printed.output_tokens)},
    {"* * (ms): ~", .take = take_statistic},
};

static roof_status finish(reading *r, roof_error *err)
{
    import_state *in = r->in;
    TRY(take_printed(r, err));
    if (!r->n_results && !in->out->n_experiments)
        return error_data(err, "no result of a serving benchmark");
    if (r->n_results)
        import_note(in, "lengths are means over requests; the context of a step is that of the prompt and "
                        "half of the answer, and its batch max_concurrency, the most that ran together");
    import_note_count(in, r->n_waiting,
                      "times to the first token hold waiting for other requests, and are left out; "
                      "--max-concurrency 1 times prompts alone");
    import_note_count(in, r->n_open,
                      "results do not say how many requests ran together: their batch is unknown");
    return ROOF_OK;
}

const importer_def importer_vllm_serve = {
    .id = "vllm_serve",
    .tool = "vLLM",
    .next = "run `vllm bench serve --max-concurrency 1 --save-result` with several --random-input-len",
    .marks = {SURE("\"mean_ttft_ms\"", "\"mean_tpot_ms\"", "\"tokenizer_id\""),
              SURE("\"tokenizer_id\"", "\"endpoint_type\"", "\"num_prompts\""),
              SURE(" Serving Benchmark Result ", "TTFT (ms):")},
    WHOLE_ONLY("the benchmark times a whole model"),
    .reading_bytes = sizeof(reading),
    .item = read_result,
    LINES_OF(lines),
    .finish = finish};
