/* Results of lemonade for a language model. Its server, GET /api/v1/stats, has the last request:
 *
 *   {"time_to_first_token": 2.14, "tokens_per_second": 33.33, "input_tokens": 128, "output_tokens": 5,
 *    "decode_token_times": [0.01, 0.02, ...], "prompt_tokens": 9}
 *
 * and its bench, lemonade_stats.yaml in the folder of a build, has means of all iterations. With several
 * prompts each of these is a list, whose n-th items belong together:
 *
 *   checkpoint: amd/Llama-3.2-1B-Instruct-onnx
 *   prompt_tokens:
 *   - 128
 *   - 1024
 *   seconds_to_first_token:
 *   - 0.21
 *   - 0.83
 *
 * input_tokens are those of the prompt that were read, without those that were in the cache.
 */
#include "measure/import/text_points.h"

enum { MOST_PROMPTS = 256 };

enum value { PROMPT, RESPONSE, FIRST_S, FIRST_STD_S, RATE, RATE_STD, ITERATIONS, WARMUP, MADE, VALUES };

static const char *const value_keys[VALUES] = {"prompt_tokens",
                                               "response_tokens",
                                               "seconds_to_first_token",
                                               "std_dev_seconds_to_first_token",
                                               "token_generation_tokens_per_second",
                                               "std_dev_tokens_per_second",
                                               "iterations",
                                               "warmup_iterations",
                                               "output_tokens"};

typedef struct reading {
    import_state *in;
    double values[VALUES][MOST_PROMPTS];
    uint32_t n[VALUES];
    int open; /* behind the value whose list goes on; 0: none */
    const char *model, *dtype, *device;
    /* of a request */
    double input_tokens, output_tokens, all_tokens, first_s, tokens_per_s; /* -1: there is none */
} reading;

/* ---- a request --------------------------------------------------------------------------------------- */

#define MEMBER(key_, member, kind) CODEC_AS(key_, reading, member, kind, ALWAYS)

static const codec_object request_object = {
    MEMBERS({MEMBER("time_to_first_token", first_s, SECONDS)},
            {MEMBER("tokens_per_second", tokens_per_s, POSITIVE),
             .missing = "has no tokens_per_second, want what GET /api/v1/stats of lemonade answers"},
            {MEMBER("input_tokens", input_tokens, POSITIVE), .missing = "has no input_tokens"},
            {MEMBER("output_tokens", output_tokens, POSITIVE), .missing = "has no output_tokens"},
            {MEMBER("prompt_tokens", all_tokens, POSITIVE)})};

static roof_status add_request(reading *r, roof_error *err)
{
    text_point point = text_point_unknown("lemonade");
    const double before = r->all_tokens > r->input_tokens ? r->all_tokens : r->input_tokens;
    point.batch = 1;
    if (before > r->input_tokens) {
        import_note(r->in,
                    "%s of %s tokens of the prompt were in the cache, so that the time to the first token is "
                    "of no whole prompt, and is left out",
                    NUMBER(before - r->input_tokens), NUMBER(before));
    } else {
        text_point_of(&point, ROOF_TEXT_PREFILL, before, 0);
        point.time.mean_s = r->first_s;
        TRY(text_point_add(r->in, &point, err));
    }
    text_point_of(&point, ROOF_TEXT_DECODE, before, r->output_tokens);
    point.time = text_times_of_rate(1, r->tokens_per_s, NAN);
    return text_point_add(r->in, &point, err);
}

/* ---- a bench ----------------------------------------------------------------------------------------- */

static roof_status add_value(reading *r, int which, text_span text, roof_error *err)
{
    double *value = &r->values[which][r->n[which]];
    TRY(HAS_ROOM(r->n[which], MOST_PROMPTS, err, "prompts"));
    *value = NAN;
    if (!span_is(text, "null"))
        TRY(span_number(text, value_keys[which], value, err));
    r->n[which]++;
    return ROOF_OK;
}

/* 'a' and "a" are a */
static roof_status keep_word(reading *r, text_span text, const char **out, roof_error *err)
{
    if (text.length >= 2 && strchr("'\"", *text.text) && text.text[text.length - 1] == *text.text)
        text = (text_span){text.text + 1, text.length - 2};
    return text.length && !span_is(text, "null") ? import_keep_name(r->in, text, out, err) : ROOF_OK;
}

static roof_status read_line(reading *r, const import_line *line, roof_error *err)
{
    text_span text = {line->text, line->length}, rest = text, item = span_trim(text);
    if (span_skip(&item, "- ") && r->open)
        return add_value(r, r->open - 1, span_trim(item), err);
    r->open = 0;
    text_span key = span_until(&rest, ":");
    if (key.length == text.length || !key.length || strchr(" -#", *key.text))
        return ROOF_OK; /* of something deeper */
    const text_span value = span_trim(span_from(text, key.length + 1));
    if (span_is(key, "checkpoint"))
        return keep_word(r, value, &r->model, err);
    if (span_is(key, "dtype"))
        return keep_word(r, value, &r->dtype, err);
    if (span_is(key, "device"))
        return keep_word(r, value, &r->device, err);
    const int i = (int)SPAN_AT(value_keys, VALUES, key);
    if (i == VALUES)
        return ROOF_OK;
    if (r->n[i])
        return error_data(err, "%s is there twice", value_keys[i]);
    r->open = i + 1;
    return value.length ? add_value(r, i, value, err) : ROOF_OK;
}

/* The item of a prompt; NaN: not stated. */
static double of_prompt(const reading *r, int which, uint32_t i)
{
    return i < r->n[which] ? r->values[which][i] : (double)NAN;
}

static roof_status add_prompt(reading *r, uint32_t i, roof_error *err)
{
    text_point point = text_point_unknown("lemonade");
    const double prompt = of_prompt(r, PROMPT, i);
    /* of several prompts the list of answers may have an item for each iteration */
    double made = r->n[RESPONSE] == r->n[PROMPT] ? of_prompt(r, RESPONSE, i) : of_prompt(r, MADE, 0);
    point.model = r->model;
    point.device = r->device;
    if (r->dtype)
        point.weight_type = text_weight_type(r->in, span_of(r->dtype));
    if (!point.weight_type && r->dtype && (strcmp(r->dtype, "int4") == 0 || strcmp(r->dtype, "int8") == 0))
        point.weight_type = r->dtype;
    if (!point.weight_type && r->model)
        point.weight_type = text_weight_type(r->in, span_of(r->model));
    point.batch = 1;
    text_point_of(&point, ROOF_TEXT_PREFILL, prompt, 0);
    point.time.mean_s = of_prompt(r, FIRST_S, i);
    point.time.std_s = of_prompt(r, FIRST_STD_S, i);
    TRY(text_point_add(r->in, &point, err));
    text_point_of(&point, ROOF_TEXT_DECODE, prompt, made);
    point.time = text_times_of_rate(1, of_prompt(r, RATE, i), of_prompt(r, RATE_STD, i));
    return text_point_add(r->in, &point, err);
}

static roof_status finish(reading *r, roof_error *err)
{
    import_state *in = r->in;
    const bool is_request = !(r->tokens_per_s < 0);
    if (!is_request && (!r->n[PROMPT] || r->n[FIRST_S] != r->n[PROMPT] || r->n[RATE] != r->n[PROMPT]))
        return error_data(
            err,
            "%u prompt_tokens, %u seconds_to_first_token, %u token_generation_tokens_per_second: want one of "
            "each for every prompt, as `lemonade ... bench` writes",
            r->n[PROMPT], r->n[FIRST_S], r->n[RATE]);
    if (is_request)
        TRY(add_request(r, err));
    for (uint32_t i = 0; i < r->n[PROMPT]; i++)
        TRY(add_prompt(r, i, err));
    import_note(in, "the time of the prompt is that to the first token; a step is the mean of all tokens "
                    "that were made, and its context the middle of theirs");
    if (is_request)
        import_note(in, "the server does not say which model it was; --model names it");
    return ROOF_OK;
}

const importer_def importer_lemonade = {
    .id = "lemonade",
    .tool = "lemonade",
    .next = "run `lemonade -i MODEL load bench --prompts 128 1024 4096`, which times several lengths",
    .marks = {SURE("\"decode_token_times\"", "\"tokens_per_second\"", "\"output_tokens\""),
              LIKELY("\"time_to_first_token\"", "\"tokens_per_second\"", "\"input_tokens\""),
              SURE("seconds_to_first_token:", "token_generation_tokens_per_second:")},
    WHOLE_ONLY("lemonade times a whole model"),
    .unverified = true,
    READING(reading, .tokens_per_s = -1),
    .line = read_line,
    .document = &request_object,
    .finish = finish};
