/* Lengths of a context, and the curve of a language model beside what was measured. */
#include "cli/cli.h"
#include "core/error.h"
#include "core/order.h"
#include "core/quantity.h"

#include <stdlib.h>
#include <string.h>

/* --- what is asked -------------------------------------------------------------------------------------- */

/* "4096", "4k": k and M are 1024 and 1024 * 1024, as lengths of contexts are called. 0: no such number. */
static uint32_t take_tokens(const char **at)
{
    enum { MOST_DIGITS = 8, MOST_TOKENS = 1 << 24 };
    const size_t n = strspn(*at, "0123456789");
    uint64_t number = 0;
    for (size_t i = 0; i < n && n <= MOST_DIGITS; i++)
        number = number * 10 + (uint64_t)((*at)[i] - '0');
    *at += n;
    const uint64_t times = **at == 'k' || **at == 'K' ? 1024 : **at == 'M' ? 1024 * 1024 : 1;
    *at += times > 1;
    return number * times <= MOST_TOKENS ? (uint32_t)(number * times) : 0;
}

static bool add(cli_tokens *out, uint32_t tokens)
{
    if (out->n == CLI_MOST_TOKENS)
        return false;
    out->tokens[out->n++] = tokens;
    return true;
}

/* "4k", "1k..128k" (each twice the one before, and the last), "1k..128k:12" (so many, evenly). */
static bool take_range(const char **at, cli_tokens *out)
{
    const uint32_t first = take_tokens(at);
    if (strncmp(*at, "..", 2) != 0)
        return first && add(out, first);
    *at += 2;
    const uint32_t last = take_tokens(at);
    if (!first || last <= first)
        return false;
    if (**at == ':') {
        ++*at;
        const uint32_t n = take_tokens(at);
        if (n < 2 || n > last - first + 1)
            return false;
        for (uint32_t i = 0; i < n; i++)
            if (!add(out, first + (uint32_t)((uint64_t)(last - first) * i / (n - 1))))
                return false;
        return true;
    }
    for (uint64_t x = first; x < last; x *= 2)
        if (!add(out, (uint32_t)x))
            return false;
    return add(out, last);
}

roof_status cli_tokens_parse(const char *option, const char *text, cli_tokens *out, roof_error *err)
{
    out->n = 0;
    for (const char *at = text; text; at++) {
        if (!take_range(&at, out) || (*at && *at != ','))
            return error_set(
                err, ROOF_E_USAGE,
                "--%s: '%.60s' is no list of at most %d numbers; want one such as 4096 or 4k (k is "
                "1024), a list 1k,8k,32k, 1k..128k (each twice the one before) or 1k..128k:12 (so many)",
                option, text, CLI_MOST_TOKENS);
        if (!*at)
            break;
    }
    ORDER_VALUES(out->tokens, out->n);
    uint32_t n = 0;
    for (uint32_t i = 0; i < out->n; i++)
        if (!i || out->tokens[i] != out->tokens[i - 1])
            out->tokens[n++] = out->tokens[i];
    out->n = n;
    return ROOF_OK;
}

roof_status cli_anchors_parse(const char *text, cli_anchors *out, roof_error *err)
{
    out->n = 0;
    for (const char *at = text; text && *at;) {
        char seconds[40];
        roof_curve_measured *x = &out->points[out->n];
        const uint32_t tokens = out->n < CLI_MOST_ANCHORS ? take_tokens(&at) : 0;
        const size_t length = *at == '=' ? strcspn(at + 1, ",") : 0;
        if (!tokens || !length || length >= sizeof seconds)
            return error_set(
                err, ROOF_E_USAGE,
                "--at: '%.60s' is no list of at most %d measured steps; want contexts and times, such as "
                "1k=15.5ms or 1k=15.5ms,32k=28ms",
                text, CLI_MOST_ANCHORS);
        memcpy(seconds, at + 1, length);
        seconds[length] = '\0';
        *x = (roof_curve_measured){.phase = ROOF_TEXT_DECODE, .tokens = tokens};
        TRY(quantity_parse(seconds, "s", &x->seconds, err));
        if (!(x->seconds > 0 && x->seconds < 1e4))
            return error_set(err, ROOF_E_USAGE, "--at: '%s' is no time of a step", seconds);
        at += 1 + length;
        at += *at == ',';
        out->n++;
    }
    return ROOF_OK;
}

/* --- beside what was measured --------------------------------------------------------------------------- */

/* Lengths of a phase, and between the first and the last each that is twice the one before. */
static void list_lengths(const roof_curve_measured *points, uint32_t n, roof_text_phase phase,
                         cli_tokens *out)
{
    uint32_t last = 0;
    out->n = 0;
    for (uint32_t i = 0; i < n; i++) {
        if (points[i].phase != phase || (out->n && points[i].tokens == out->tokens[out->n - 1]))
            continue;
        for (uint64_t x = 2ull * last; last && x < points[i].tokens; x *= 2)
            add(out, (uint32_t)x);
        add(out, last = points[i].tokens);
    }
}

roof_status cli_curve_of_measured(const cli_profiles *profiles, const roof_reconciliation *r, uint32_t curve,
                                  const char *model, const char *hw, roof_curve **out, roof_error *err)
{
    const roof_timed_curve *c = &r->curves[curve];
    const roof_timed_point *points = &r->curve_points[c->first_point];
    const roof_experiment *e = &profiles->measured->experiments[points->experiment];
    const char *path = model ? model : e->resolved_path, *id = hw ? hw : e->hardware_id;
    const cli_workload workload = {
        .data_type = e->weight_type, .cache_type = e->cache_type, .asks_text = true};
    roof_graph *graph = NULL;
    roof_hw *machine = NULL;
    cli_tokens contexts, prompts;
    bool is_document = true;
    *out = NULL;
    if (!path || !id || roof_is_document(path, &is_document, err) != ROOF_OK || is_document ||
        cli_read_model(path, &workload, &graph, err) != ROOF_OK)
        return ROOF_OK; /* which the reconciliation has told of already */
    roof_status status = ROOF_OK;
    roof_curve_measured *measured = calloc(c->n_points, sizeof *measured);
    if (!measured)
        status = error_memory(err);
    for (uint32_t i = 0; i < c->n_points && status == ROOF_OK; i++)
        measured[i] = (roof_curve_measured){points[i].phase, points[i].tokens, points[i].seconds};
    if (status == ROOF_OK && roof_language_of(graph) &&
        (status = roof_hw_load(id, &machine, err)) == ROOF_OK) {
        list_lengths(measured, c->n_points, ROOF_TEXT_DECODE, &contexts);
        list_lengths(measured, c->n_points, ROOF_TEXT_PREFILL, &prompts);
        status = roof_curve_predict(graph, machine,
                                    &(roof_curve_options){.contexts = contexts.tokens,
                                                          .n_contexts = contexts.n,
                                                          .prompts = prompts.tokens,
                                                          .n_prompts = prompts.n,
                                                          .batch = c->batch,
                                                          .stack = c->stack,
                                                          .memory_bytes = e->memory_bytes,
                                                          .measured = measured,
                                                          .n_measured = c->n_points},
                                    out, err);
    }
    free(measured);
    roof_hw_free(machine);
    roof_graph_free(graph);
    return status;
}
