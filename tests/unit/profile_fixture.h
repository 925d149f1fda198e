/* tests/unit/profile_fixture.h - small measured documents with a prediction inside, written as a few words.
 *
 * The hardware of these predictions runs at 1 MHz, so that a cycle is a microsecond. Layers and rows are
 * lists such as "conv1=100 pool1:alu=20": a name, after ':' the engine that it keeps busy (conv if not
 * given), after '=' microseconds.
 */
#ifndef ROOF_TESTS_PROFILE_FIXTURE_H
#define ROOF_TESTS_PROFILE_FIXTURE_H

#include "core/text.h"
#include "measure/profile/profile.h"
#include "roofline/calibrate.h"
#include "roofline/reconcile.h"
#include "tests/support/memory_io.h"
#include "tests/unit/fixture.h"
#include "roofline/words.h"

static inline roof_measured *pf_read(const char *json)
{
    memory_source m = {json, strlen(json), 0};
    roof_measured *out = NULL;
    roof_error err;
    if (measured_codec_read(memory_read, &m, "profile.json", &out, &err) != ROOF_OK)
        fail_msg("%s\n%s", fx_message(&err), json);
    return out;
}

typedef struct pf_word {
    char name[80], engine[16];
    double us;
    bool has_time;
} pf_word;

/* The next word of a list; false at its end. */
static inline bool pf_next(const char **list, pf_word *w)
{
    char word[128];
    int used = 0;
    if (sscanf(*list, " %127s%n", word, &used) != 1)
        return false;
    *list += used;
    char *equal = strrchr(word, '='), *colon;
    w->has_time = equal != NULL;
    w->us = equal ? strtod(equal + 1, NULL) : 0;
    if (equal)
        *equal = '\0';
    colon = strrchr(word, ':');
    bool engine = colon && (strcmp(colon, ":alu") == 0 || strcmp(colon, ":host") == 0);
    snprintf(w->engine, sizeof w->engine, "%s", engine ? colon + 1 : "conv");
    if (engine)
        *colon = '\0';
    for (char *p = word; *p; p++) /* blanks in names are written as ~ */
        if (*p == '~')
            *p = ' ';
    snprintf(w->name, sizeof w->name, "%s", word);
    return true;
}

/* ,"prediction":{...} */
static inline void pf_put_prediction(textbuf *out, const char *layers, const char *estimate_of)
{
    pf_word w;
    double sum = 0;
    unsigned n = 0;
    text_puts(
        out,
        ",\"prediction\":{\"schema\":\"roofline.prediction/"
        "1\",\"model\":{\"name\":\"net\",\"compiled\":true},"
        "\"hardware\":{"
        "\"id\":\"test\",\"name\":\"Test\",\"clock_hz\":1e6,\"bandwidth_bytes_per_s\":1e9},\"layers\":[");
    for (const char *list = layers; pf_next(&list, &w); n++) {
        bool host = strcmp(w.engine, "host") == 0;
        text_printf(out, "%s{\"index\":%u,\"name\":\"%s\",\"type\":\"%s\",\"device\":\"%s\"", n ? "," : "",
                    n + 1, w.name, strcmp(w.engine, "alu") == 0 ? "conv+dw" : "conv", host ? "CPU" : "DPU");
        if (!host)
            text_printf(out,
                        ",\"workload_ops\":%.0f,\"cycles\":{\"conv\":%.0f,\"alu\":%.0f,\"ideal\":%.0f},"
                        "\"bound\":\"%s\","
                        "\"ideal_s\":%.9f",
                        w.us * 1e6, strcmp(w.engine, "alu") == 0 ? w.us / 4 : w.us,
                        strcmp(w.engine, "alu") == 0 ? w.us : 0, w.us, w.engine, w.us * 1e-6);
        text_puts(out, "}");
        sum += host ? 0 : w.us;
    }
    text_printf(out, "],\"total\":{\"boundaries\":%u,\"ideal_s\":%.9f,\"floor_s\":%.9f", n, sum * 1e-6,
                sum * 0.5e-6);
    text_puts(out, estimate_of ? ",\"estimate_of\":\"" : "");
    text_puts(out, estimate_of ? estimate_of : "");
    text_puts(out, estimate_of ? "\"}}" : "}}");
}

typedef struct pf_experiment {
    const char *model, *hardware; /* NULL: "net", "test" */
    const char *layers;           /* NULL: no prediction */
    double bypass_us, per_layer_us, sum_us;
    const char *rows;        /* NULL: none */
    const char *more;        /* members of the per-layer run, ending with a comma */
    const char *estimate_of; /* of the prediction */
} pf_experiment;

static inline void pf_put_rows(textbuf *out, const char *rows)
{
    pf_word w;
    unsigned n = 0;
    text_puts(out, ",\"layers\":[");
    for (const char *list = rows; pf_next(&list, &w); n++) {
        char *at = strchr(w.name, '@'); /* "3@conv" has the index 3 */
        text_printf(out, "%s{\"name\":\"%s\"", n ? "," : "", at ? at + 1 : w.name);
        if (at)
            text_printf(out, ",\"index\":%d", atoi(w.name));
        if (w.has_time)
            text_printf(out, ",\"mean_s\":%.12f", w.us * 1e-6);
        text_puts(out, "}");
    }
    text_puts(out, "]");
}

static inline void pf_put_experiment(textbuf *out, const pf_experiment *e)
{
    text_printf(out, "{\"model\":{\"name\":\"%s\"},\"hardware\":{\"id\":\"%s\"},\"runs\":[",
                e->model ? e->model : "net", e->hardware ? e->hardware : "test");
    if (e->bypass_us > 0)
        text_printf(out, "{\"mode\":\"bypass\",\"total\":{\"mean_s\":%.12f}}", e->bypass_us * 1e-6);
    if (e->per_layer_us > 0 || e->sum_us > 0 || e->rows) {
        text_printf(out, "%s{%s\"mode\":\"per_layer\"", e->bypass_us > 0 ? "," : "", e->more ? e->more : "");
        if (e->per_layer_us > 0)
            text_printf(out, ",\"total\":{\"mean_s\":%.12f}", e->per_layer_us * 1e-6);
        if (e->sum_us > 0)
            text_printf(out, ",\"sum_of_layers_s\":%.12f", e->sum_us * 1e-6);
        if (e->rows)
            pf_put_rows(out, e->rows);
        text_puts(out, "}");
    }
    text_puts(out, "]");
    if (e->layers)
        pf_put_prediction(out, e->layers, e->estimate_of);
    text_puts(out, "}");
}

/* A reconciliation with what it was made from. */
typedef struct pf_result {
    roof_measured *measured;
    const roof_prediction **predictions;
    roof_reconciliation *r;
} pf_result;

static inline pf_result pf_reconcile_document(const char *json, const roof_reconcile_options *options)
{
    pf_result p = {.measured = pf_read(json)};
    roof_error err;
    p.predictions = calloc(p.measured->n_experiments + 1, sizeof *p.predictions);
    assert_non_null(p.predictions);
    for (uint32_t i = 0; i < p.measured->n_experiments; i++)
        p.predictions[i] = p.measured->experiments[i].prediction;
    if (roof_reconcile(p.measured, p.predictions, options, &p.r, &err) != ROOF_OK)
        fail_msg("%s\n%s", fx_message(&err), json);
    return p;
}

/* What a document tells of its device. predictions: of its experiments, in order. */
static inline roof_calibration *pf_calibrate(const char *json, const roof_prediction *const *predictions)
{
    roof_measured *measured = pf_read(json);
    roof_reconciliation *r = NULL;
    roof_calibration *c = NULL;
    roof_error err;
    if (roof_reconcile(measured, predictions, NULL, &r, &err) != ROOF_OK ||
        roof_calibrate(r, &c, &err) != ROOF_OK)
        fail_msg("%s", fx_message(&err));
    roof_reconciliation_free(r);
    roof_measured_free(measured);
    return c;
}

static inline pf_result pf_reconcile(const pf_experiment *experiments, size_t n)
{
    textbuf text;
    text_init(&text, TEXT_MAX_BYTES);
    text_puts(&text, "{\"schema\":\"roofline.measured/1\",\"experiments\":[");
    for (size_t i = 0; i < n; i++) {
        text_puts(&text, i ? "," : "");
        pf_put_experiment(&text, &experiments[i]);
    }
    text_puts(&text, "]}");
    pf_result p = pf_reconcile_document(text.bytes, NULL);
    text_free(&text);
    return p;
}

static inline void pf_free(pf_result *p)
{
    roof_reconciliation_free(p->r);
    free((void *)p->predictions);
    roof_measured_free(p->measured);
}

/* A sentence, until the next one of its kind is asked for; NULL: there is none. */
static inline const char *pf_sentence(const roof_reconciliation *r, roof_sentence_kind kind, uint32_t i)
{
    static char texts[ROOF_SENTENCE_KINDS][ROOF_SENTENCE_SIZE];
    return roof_sentence(r, kind, i, texts[kind]);
}

/* The text of the first finding of a kind, until that of another reconciliation is asked for, or NULL. */
static inline const char *pf_finding(const roof_reconciliation *r, roof_finding_kind kind)
{
    static char texts[ROOF_FINDING_COUNT][ROOF_SENTENCE_SIZE];
    for (uint32_t i = 0; i < r->n_findings; i++)
        if (r->findings[i].kind == kind)
            return roof_sentence(r, ROOF_SENTENCE_FINDING, i, texts[kind]);
    return NULL;
}

static inline const roof_match *pf_unit(const roof_reconciled *e, const char *name)
{
    for (uint32_t i = 0; i < e->n_matches; i++)
        if (strcmp(e->matches[i].name, name) == 0)
            return &e->matches[i];
    fail_msg("no unit '%s'", name);
    return NULL;
}

/* Documents with and without each of their parts, and with what contradicts itself: what holds for all,
 * holds. */
static const pf_experiment pf_documents[] = {
    {.layers = "a=100 b=50", .bypass_us = 200, .per_layer_us = 400, .sum_us = 300, .rows = "a=180 b=120"},
    {.layers = "a=100 b=50", .bypass_us = 200, .rows = "a=180 b=120"},
    {.layers = "a=100 b=50", .rows = "a=180 b=120"},
    {.layers = "a=100 b=50", .bypass_us = 200},
    {.layers = "a=100 b=50", .per_layer_us = 400},
    {.bypass_us = 200, .per_layer_us = 400, .rows = "a=180 b=120"},
    {.layers = "a=100 b=50", .bypass_us = 200, .per_layer_us = 400, .sum_us = 350, .rows = "a=180"},
    {.layers = "a=100 b=50 c=10", .bypass_us = 200, .per_layer_us = 400, .rows = "a=180 x=20 b=120"},
    {.layers = "a=100 b=50 c=1", .rows = "a=120 a=130 b=60 c=5"},
    {.layers = "a=100 b=50", .bypass_us = 120, .per_layer_us = 90, .rows = "a=50 b=60"},
    {.layers = "a=100 h:host=0", .bypass_us = 300, .per_layer_us = 400, .rows = "a=180 h=150"},
    {.layers = "a=100 b=9", .rows = "a~+~b=120"},
    {.layers = "a=100 b=9", .rows = "a/x=90 a/y=30 b=10"},
    {.layers = "a=100", .bypass_us = 1, .per_layer_us = 1e6, .rows = "a=1e6"},
    {.layers = "a=1e6", .bypass_us = 1, .per_layer_us = 2, .rows = "a=1"},
    {.layers = "a=100 b=100", .bypass_us = 250, .per_layer_us = 300, .rows = "a=0 b=200"},
    {.layers = "a=100", .bypass_us = 120, .rows = "a"},
    {.layers = "a=33.333333 b=66.666667 c=0.1", .rows = "a=33.3333337 b=99.9999991 c=77.7777777"},
};
enum { PF_DOCUMENTS = COUNT(pf_documents) };

#endif
