#include "measure/import/text_points.h"

#include <ctype.h>

text_point text_point_unknown(const char *stack)
{
    return (text_point){.stack = stack, .tokens = NAN, .batch = NAN, .time = times_unknown()};
}

void text_point_of(text_point *point, roof_text_phase phase, double before, double made)
{
    point->phase = phase;
    point->tokens = phase == ROOF_TEXT_DECODE ? before + made / 2 : before;
}

roof_times text_times_of_rate(double tokens, double tokens_per_s, double std_tokens_per_s)
{
    roof_times out = times_unknown();
    if (!(tokens_per_s > 0))
        return out;
    out.mean_s = tokens / tokens_per_s;
    out.std_s = std_tokens_per_s / tokens_per_s * out.mean_s;
    return out;
}

const char *text_or_null(const char *name)
{
    return name && *name ? name : NULL;
}

static bool is_count(double value)
{
    return value >= 0.5 && value < (double)ROOF_NONE - 0.5;
}

roof_status text_point_add(import_state *in, const text_point *point, roof_error *err)
{
    roof_run *run = NULL;
    const bool is_decode = point->phase == ROOF_TEXT_DECODE;
    const char *phase = is_decode ? "decode" : "prefill";
    if (point->tokens >= (double)ROOF_NONE - 0.5)
        return error_data(err, "%g tokens, want fewer than 2^32", point->tokens);
    if (!(point->time.mean_s > 0) || isinf(point->time.mean_s) || !is_count(point->tokens)) {
        import_note(in, "%s of '%.60s' with %s tokens has no time, and is left out", phase,
                    point->model ? point->model : "?", isnan(point->tokens) ? "?" : NUMBER(point->tokens));
        return ROOF_OK;
    }
    TRY(import_one_model(in, point->model, err));
    roof_experiment *e = import_add_experiment(in, point->model);
    TRY(ALLOCATED(e && (run = experiment_add_run(in->out, e, ROOF_RUN_BYPASS)), err));
    e->phase = point->phase;
    *(is_decode ? &e->context_tokens : &e->prompt_tokens) = (uint32_t)llround(point->tokens);
    e->weight_type = point->weight_type;
    e->cache_type = point->cache_type;
    e->stack = point->stack;
    e->stack_version = point->stack_version;
    e->device = point->device;
    e->device_runs_code = point->device != NULL; /* what its stack made of the model, and nothing else */
    e->memory_bytes = point->memory_bytes;
    e->hardware_id = point->is_elsewhere ? NULL : e->hardware_id;
    run->batch = is_count(point->batch) ? (uint32_t)llround(point->batch) : ROOF_NONE;
    run->total = point->time;
    return ROOF_OK;
}

/* ---- words of tools ---------------------------------------------------------------------------------- */

/* "q4_k" of "Q4_K_M"; 0: it is no type. Types of llama.cpp: F16, BF16, Q4_0, Q4_K_M, IQ4_XS, TQ1_0, MXFP4. */
static size_t type_length(text_span word)
{
    static const char *const whole[] = {"f32", "f16", "bf16"}, *const before[] = {"mxfp", "iq", "tq", "q"};
    if (SPAN_IS_ONE_OF(whole, word))
        return word.length;
    for (size_t i = 0; i < N_OF(before); i++) {
        text_span rest = word;
        if (!span_skip(&rest, before[i]) || !rest.length || !isdigit((unsigned char)*rest.text))
            continue;
        while (rest.length && isdigit((unsigned char)*rest.text))
            rest = span_from(rest, 1);
        if (i && !span_begins(rest, "_")) /* "q4" alone is half of a name */
            continue;
        if (i == 3 && (span_is(rest, "_k_s") || span_is(rest, "_k_m") || span_is(rest, "_k_l")))
            return word.length - 2; /* which tensors are of the next type, not the type */
        return word.length;
    }
    return 0;
}

const char *text_weight_type(import_state *in, text_span words)
{
    enum { LONGEST = 24 };
    char word[LONGEST], found[LONGEST] = "";
    for (size_t at = 0, n; at < words.length; at += n + !n) {
        for (n = 0; at + n < words.length &&
                    (isalnum((unsigned char)words.text[at + n]) || words.text[at + n] == '_');
             n++)
            if (n < LONGEST)
                word[n] = (char)tolower((unsigned char)words.text[at + n]);
        size_t length = n && n < LONGEST ? type_length((text_span){word, n}) : 0;
        if (length) {
            memcpy(found, word, length);
            found[length] = '\0';
        }
    }
    return *found ? measured_text(in->out, found, strlen(found)) : NULL;
}

roof_status text_model_of_path(import_state *in, const char *path, const char **out, roof_error *err)
{
    const char *slash = strrchr(path, '/'), *back = strrchr(path, '\\');
    const char *last = slash > back ? slash : back;
    text_span name = span_of(last && last[1] ? last + 1 : path);
    span_drop(&name, ".gguf");
    return name.length ? import_keep_name(in, name, out, err) : ROOF_OK;
}
