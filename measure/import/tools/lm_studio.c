/* The answer of LM Studio's server to one request, as it is: of /api/v0/chat/completions and /completions,
 *
 *   {"model": "granite-3.0-2b-instruct", ..., "usage": {"prompt_tokens": 24, "completion_tokens": 53, ...},
 *    "stats": {"tokens_per_second": 51.4, "time_to_first_token": 0.111, "generation_time": 0.954,
 *              "stop_reason": "eosFound"},
 *    "model_info": {"arch": "granite", "quant": "Q4_K_M", ...},
 *    "runtime": {"name": "llama.cpp-linux-x86_64-vulkan", "version": "1.3.0", ...}}
 *
 * and of /api/v1/chat, which says neither the weight type nor what ran:
 *
 *   {"model_instance_id": "openai/gpt-oss-20b", "output": [...], "stats": {"input_tokens": 359,
 *    "total_output_tokens": 218, "tokens_per_second": 41.1, "time_to_first_token_seconds": 1.367}}
 *
 * Several answers may stand one after the other. A prompt whose beginning is still in the cache is not read
 * again, which no answer tells.
 */
#include "measure/import/text_points.h"

typedef struct answer {
    const char *model, *instance, *quant, *runtime, *version;
    double prompt_tokens, made_tokens, tokens_per_s, first_s;
} answer;

typedef struct reading {
    import_state *in;
    uint32_t n_answers;
} reading;

#define MEMBER(key_, member, kind) CODEC_AS(key_, answer, member, kind, ALWAYS)

static const codec_object usage_object = {MEMBERS({MEMBER("prompt_tokens", prompt_tokens, POSITIVE)},
                                                  {MEMBER("completion_tokens", made_tokens, POSITIVE)})};
static const codec_object stats_object = {MEMBERS({MEMBER("tokens_per_second", tokens_per_s, POSITIVE)},
                                                  {MEMBER("time_to_first_token", first_s, SECONDS)},
                                                  {MEMBER("time_to_first_token_seconds", first_s, SECONDS)},
                                                  {MEMBER("input_tokens", prompt_tokens, POSITIVE)},
                                                  {MEMBER("total_output_tokens", made_tokens, POSITIVE)})};
static const codec_object info_object = {MEMBERS({MEMBER("quant", quant, NAME)})};
static const codec_object runtime_object = {
    MEMBERS({MEMBER("name", runtime, NAME)}, {MEMBER("version", version, NAME)})};
static const codec_object answer_object = {MEMBERS(
    {MEMBER("model", model, NAME)}, {MEMBER("model_instance_id", instance, NAME)},
    {CODEC_IN("usage", 0, &usage_object)},
    {CODEC_IN("stats", 0, &stats_object),
     .missing =
         "has no stats, which LM Studio's own REST API tells; ask /api/v0 or /api/v1/chat instead of /v1"},
    {CODEC_IN("model_info", 0, &info_object)}, {CODEC_IN("runtime", 0, &runtime_object)})};

static roof_status read_answer(codec *c, const json_event *event, void *target)
{
    reading *r = target;
    answer a = {.model = NULL};
    text_point point = text_point_unknown("lm-studio");
    codec_forget(&answer_object, &a);
    TRY(codec_read_object(c, event, &answer_object, &a));
    r->n_answers++;
    point.model = text_or_null(a.model ? a.model : a.instance);
    point.weight_type = a.quant ? text_weight_type(r->in, span_of(a.quant)) : NULL;
    point.stack_version = a.runtime && a.version ? arena_printf(c->arena, "%s %s", a.runtime, a.version)
                                                 : text_or_null(a.version);
    point.batch = 1;
    text_point_of(&point, ROOF_TEXT_PREFILL, a.prompt_tokens, 0);
    point.time.mean_s = a.first_s;
    TRY(text_point_add(r->in, &point, c->err));
    text_point_of(&point, ROOF_TEXT_DECODE, a.prompt_tokens, a.made_tokens);
    point.time = text_times_of_rate(1, a.tokens_per_s, NAN);
    if (a.quant && !point.weight_type)
        import_note(r->in, "weights are '%.40s', for which there is no type here: none is stated", a.quant);
    return text_point_add(r->in, &point, c->err);
}

static roof_status finish(reading *r, roof_error *err)
{
    (void)err;
    if (r->n_answers)
        import_note(r->in,
                    "the time of the prompt is that to the first token, and is of what was not in the cache; "
                    "a step is the mean of all tokens that were made, and its context the middle of theirs");
    return ROOF_OK;
}

const importer_def importer_lm_studio = {
    .id = "lm_studio",
    .tool = "LM Studio",
    .next = "ask again with prompts of other lengths, and import all answers together",
    .marks = {SURE("\"tokens_per_second\"", "\"time_to_first_token\"", "\"stop_reason\""),
              SURE("\"tokens_per_second\"", "\"time_to_first_token_seconds\"")},
    WHOLE_ONLY("the server times a whole model"),
    .unverified = true,
    .reading_bytes = sizeof(reading),
    .item = read_answer,
    .finish = finish};
