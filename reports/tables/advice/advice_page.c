/* An advice as text, Markdown, CSV and JSON. */
#include "reports/renderers/renderer.h"
#include "reports/tables/advice/advice_view.h"
#include "reports/words/edit_words.h"

#include <math.h>

enum { MOST_INDISTINCT = 8 }; /* for people who asked for no number */

static void put_table(const rendering *r, bool is_ranked, uint32_t most)
{
    cell_grid grid;
    advice_table(r->advice, is_ranked, most, &grid, r->arena);
    table_put_arranged(r, &grid);
    text_puts(r->out, "\n");
}

void advice_put(const rendering *r)
{
    enum { MOST_SENTENCES = 3 };
    const roof_advice *a = r->advice;
    const uint32_t n_indistinct = a->n_edits - a->n_distinguishable,
                   most = r->selection->is_asked ? UINT32_MAX : MOST_INDISTINCT;
    const char *sentences[MOST_SENTENCES];
    remarks lines = {.arena = r->arena};
    size_t n = 0;
    while (n < MOST_SENTENCES && (sentences[n] = advice_sentence(a, (uint32_t)n, r->arena)))
        n++;
    writer_verdict(&r->writer, sentences, n);
    if (a->n_distinguishable)
        put_table(r, true, UINT32_MAX);
    if (n_indistinct) {
        writer_title(&r->writer, a->metric == ROOF_ADVICE_TIME
                                     ? "Not distinguishable: they save less than 10 %, and are not ranked"
                                     : "Without a gain of memory");
        put_table(r, false, most);
    }
    if (n_indistinct > most)
        remarks_add(&lines, "left out", "%u more that save less than 10 %%; --top 0, JSON and CSV have all",
                    n_indistinct - most);
    advice_remarks(a, &lines);
    remarks_put(&lines, &r->writer);
}

void advice_csv(const rendering *r)
{
    cell_grid grid;
    advice_begin_csv(&grid, r->arena, r->out);
    table_keep_csv(r, &grid);
    advice_add_rows(r->advice, &grid);
    table_put_csv(r, &grid, "gain_s");
}

/* --- JSON --------------------------------------------------------------------------------------------- */

static void put_saved(jsonout *json, const char *key, int64_t bytes)
{
    if (bytes == INT64_MIN)
        jsonout_null(json, key);
    else
        jsonout_derived(json, key, (double)bytes);
}

static void put_small(jsonout *json, const char *key, uint32_t n)
{
    jsonout_count(json, key, n ? n : ROOF_UNKNOWN);
}

static void put_steps(jsonout *json, const roof_edit_step *steps, uint32_t n)
{
    jsonout_array(json, "steps", false);
    for (uint32_t i = 0; i < n; i++) {
        const roof_edit_step *s = &steps[i];
        jsonout_object(json, NULL, true);
        jsonout_string(json, "kind", roof_edit_kind_word(s->kind));
        jsonout_string(json, "op", *s->op ? s->op : NULL);
        jsonout_string(json, "type", *s->type ? s->type : NULL);
        jsonout_count(json, "node", s->node == ROOF_NONE ? ROOF_UNKNOWN : s->node);
        put_small(json, "from", s->from);
        put_small(json, "to", s->to);
        put_small(json, "from_width", s->from_w);
        put_small(json, "to_width", s->to_w);
        jsonout_derived(json, "factor", s->factor);
        jsonout_end(json);
    }
    jsonout_end(json);
}

static void put_cost(jsonout *json, const char *key, const roof_advice_cost *c)
{
    jsonout_object(json, key, true);
    jsonout_derived(json, "time_s", c->time_s);
    jsonout_count(json, "bytes", c->bytes);
    jsonout_count(json, "memory_bytes", c->memory_bytes);
    jsonout_count(json, "macs", c->macs);
    jsonout_count(json, "ops_count", c->ops_count);
    jsonout_count(json, "parameters", c->parameters);
    jsonout_count(json, "rows", c->rows);
    jsonout_count(json, "host_rows", c->host_rows);
    jsonout_derived(json, "host_about_s", c->host_about_s);
    jsonout_end(json);
}

static void put_members(jsonout *json, const roof_advised *e, roof_arena *arena)
{
    jsonout_string(json, "rule", e->rule);
    jsonout_string(json, "says", edit_words(e->steps, e->n_steps, arena));
    jsonout_bool(json, "keeps_function", e->keeps_function);
    jsonout_string(json, "accuracy", edit_accuracy(e));
    jsonout_bool(json, "is_of_whole", e->is_of_whole);
    jsonout_bool(json, "is_distinguishable", e->is_distinguishable);
    jsonout_bool(json, "is_combined", e->is_combined);
    put_cost(json, "after", &e->after);
    jsonout_derived(json, "gain_s", e->gain_s);
    jsonout_derived(json, "gain_low_s", e->gain_low_s);
    jsonout_derived(json, "gain_high_s", e->gain_high_s);
    jsonout_derived(json, "saving_ratio", e->saving_ratio);
    jsonout_derived(json, "ratio", e->ratio);
    jsonout_derived(json, "ratio_low", e->ratio_low);
    jsonout_derived(json, "ratio_high", e->ratio_high);
    jsonout_string(json, "interval_why", e->interval_why);
    put_saved(json, "bytes_saved", e->bytes_saved);
    put_saved(json, "memory_saved_bytes", e->memory_saved_bytes);
    jsonout_count(json, "rows", e->n_rows);
    jsonout_string(json, "evidence", e->evidence);
    put_steps(json, e->steps, e->n_steps);
}

static void put_refusals(jsonout *json, const roof_advice *a, roof_arena *arena)
{
    jsonout_array(json, "refusals", false);
    for (uint32_t i = 0; i < a->n_refusals; i++) {
        const roof_advice_refusal *f = &a->refusals[i];
        jsonout_object(json, NULL, false);
        jsonout_string(json, "rule", f->rule);
        jsonout_string(json, "says", edit_words(f->steps, f->n_steps, arena));
        jsonout_string(json, "why", f->why);
        put_steps(json, f->steps, f->n_steps);
        jsonout_end(json);
    }
    jsonout_end(json);
}

static void put_counts(jsonout *json, const roof_advice *a)
{
    jsonout_count(json, "candidates", a->n_candidates);
    jsonout_count(json, "tried", a->n_tried);
    jsonout_count(json, "slight", a->n_slight);
    jsonout_count(json, "over", a->n_over);
    jsonout_count(json, "most_tried", a->most_tried);
    jsonout_count(json, "without_gain", a->n_without_gain);
    jsonout_count(json, "refused", a->n_refused);
    jsonout_count(json, "distinguishable", a->n_distinguishable);
}

void advice_json(const rendering *r)
{
    const roof_advice *a = r->advice;
    const char *line;
    jsonout json;
    jsonout_begin(&json, r->out);
    jsonout_object(&json, NULL, false);
    jsonout_string(&json, "schema", ROOF_ADVICE_SCHEMA);
    jsonout_string(&json, "model", a->model);
    jsonout_string(&json, "format", a->format);
    jsonout_string(&json, "path", a->path);
    jsonout_string(&json, "hardware", a->hardware);
    jsonout_string(&json, "metric", roof_advice_metric_word(a->metric));
    jsonout_bool(&json, "is_expected", !roof_answer_is_bound(a->kind));
    jsonout_count(&json, "busy_cores", a->busy_cores ? a->busy_cores : ROOF_UNKNOWN);
    jsonout_string(&json, "why_no_memory", a->why_no_memory);
    put_cost(&json, "base", &a->base);
    put_counts(&json, a);
    jsonout_array(&json, "edits", false);
    for (uint32_t i = 0; i < a->n_edits; i++) {
        jsonout_object(&json, NULL, false);
        put_members(&json, &a->edits[i], r->arena);
        jsonout_end(&json);
    }
    jsonout_end(&json);
    if (a->n_combined) {
        jsonout_object(&json, "combination", false);
        put_members(&json, &a->combination, r->arena);
        jsonout_array(&json, "edits", true);
        for (uint32_t i = 0; i < a->n_combined; i++)
            jsonout_count(&json, NULL, a->combined[i]);
        jsonout_end(&json);
        jsonout_end(&json);
    } else
        jsonout_null(&json, "combination");
    put_refusals(&json, a, r->arena);
    jsonout_array(&json, "verdict", false);
    for (uint32_t i = 0; (line = advice_sentence(a, i, r->arena)); i++)
        jsonout_string(&json, NULL, line);
    jsonout_end(&json);
    jsonout_end(&json);
}
