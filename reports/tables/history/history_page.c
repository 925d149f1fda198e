/* Trends of a history as text, Markdown, CSV and JSON, and for two services that watch benchmarks. */
#include "reports/renderers/renderer.h"
#include "reports/tables/history/history_view.h"
#include "reports/words/say.h"

#include <math.h>
#include <string.h>

void trends_put(const rendering *r)
{
    enum { MOST_SENTENCES = 5 };
    const char *sentences[MOST_SENTENCES];
    cell_grid grid;
    remarks lines = {.arena = r->arena};
    size_t n = 0;
    while (n < MOST_SENTENCES && (sentences[n] = history_sentence(r->trends, (uint32_t)n, r->arena)))
        n++;
    writer_verdict(&r->writer, sentences, n);
    history_table(r->trends, &grid, r->arena);
    table_put_arranged(r, &grid);
    text_puts(r->out, "\n");
    history_remarks(r->trends, &lines);
    remarks_put(&lines, &r->writer);
}

void trends_csv(const rendering *r)
{
    cell_grid grid;
    history_begin_csv(&grid, r->arena, r->out);
    table_keep_csv(r, &grid);
    history_add_rows(r->trends, &grid);
    table_put_csv(r, &grid, "median");
}

/* --- JSON ----------------------------------------------------------------------------------------------- */

static void put_points(jsonout *json, const roof_history_series *s)
{
    jsonout_array(json, "points", false);
    for (uint32_t i = 0; i < s->n_points; i++) {
        const roof_history_point *p = &s->points[i];
        jsonout_object(json, NULL, true);
        jsonout_count(json, "run", p->run);
        jsonout_count(json, "added_s", (uint64_t)p->added_s);
        jsonout_string(json, "commit", p->commit);
        jsonout_number(json, "value", p->value);
        jsonout_end(json);
    }
    jsonout_end(json);
}

static void put_segments(jsonout *json, const roof_history_series *s)
{
    jsonout_array(json, "segments", false);
    for (uint32_t i = 0; i < s->n_segments; i++) {
        const roof_history_segment *g = &s->segments[i];
        jsonout_object(json, NULL, true);
        jsonout_count(json, "first_run", s->points[g->first].run);
        jsonout_count(json, "last_run", s->points[g->first + g->n - 1].run);
        jsonout_count(json, "runs", g->n);
        jsonout_string(json, "commit", s->points[g->first].commit);
        jsonout_number(json, "median", g->median);
        jsonout_derived(json, "ratio", g->ratio);
        jsonout_derived_pair(json, "ratio_ci95", g->ratio_ci95);
        jsonout_derived(json, "p", g->p);
        jsonout_end(json);
    }
    jsonout_end(json);
}

static void put_layers(jsonout *json, const roof_history_series *s)
{
    jsonout_array(json, "layers", false);
    for (uint32_t i = 0; i < s->n_layers; i++) {
        const roof_history_layer *l = &s->layers[i];
        jsonout_object(json, NULL, true);
        jsonout_string(json, "name", l->name);
        jsonout_derived(json, "before_s", l->before_s);
        jsonout_derived(json, "difference_s", l->difference_s);
        jsonout_derived_pair(json, "difference_ci95_s", l->difference_ci95_s);
        jsonout_derived(json, "ratio", l->ratio);
        jsonout_derived(json, "p", l->p);
        jsonout_end(json);
    }
    jsonout_end(json);
}

static void put_series(jsonout *json, const roof_history_trends *t, const roof_history_series *s,
                       roof_arena *arena)
{
    const bool is_gate = !isnan(t->factor);
    jsonout_object(json, NULL, false);
    jsonout_string(json, "model", s->key.model);
    jsonout_string(json, "model_hash", s->key.model_hash);
    jsonout_string(json, "device", s->key.device);
    jsonout_string(json, "stack", s->key.stack);
    jsonout_string(json, "mode", s->key.mode);
    jsonout_string(json, "workload", s->key.workload);
    jsonout_string(json, "row", s->row);
    jsonout_string(json, "metric", s->metric->name);
    jsonout_string(json, "unit", s->metric->unit);
    jsonout_bool(json, "is_larger_better", s->metric->is_larger_better);
    jsonout_array(json, "began_with", false);
    for (uint32_t i = 0; i < s->n_begun_by; i++) {
        jsonout_object(json, NULL, true);
        jsonout_string(json, "what", s->begun_by[i].what);
        jsonout_string(json, "before", s->begun_by[i].a);
        jsonout_string(json, "now", s->begun_by[i].b);
        jsonout_end(json);
    }
    jsonout_end(json);
    jsonout_bool(json, "has_conditions", s->has_conditions);
    jsonout_bool(json, "can_tell", s->can_tell);
    jsonout_derived(json, "noise_factor", s->noise_factor);
    jsonout_string(json, "state", is_gate ? roof_held_text(s->state) : NULL);
    jsonout_string(json, "why", is_gate ? s->why : NULL);
    jsonout_string(json, "says", history_series_says(s, arena));
    put_segments(json, s);
    put_layers(json, s);
    put_points(json, s);
    jsonout_end(json);
}

void trends_json(const rendering *r)
{
    const char *line;
    jsonout json;
    jsonout_begin(&json, r->out);
    jsonout_object(&json, NULL, false);
    jsonout_string(&json, "schema", ROOF_HISTORY_TRENDS_SCHEMA);
    jsonout_derived(&json, "factor", r->trends->factor);
    jsonout_array(&json, "series", false);
    for (uint32_t i = 0; i < r->trends->n; i++)
        put_series(&json, r->trends, &r->trends->items[i], r->arena);
    jsonout_end(&json);
    jsonout_array(&json, "verdict", false);
    for (uint32_t i = 0; (line = history_sentence(r->trends, i, r->arena)); i++)
        jsonout_string(&json, NULL, line);
    jsonout_end(&json);
    jsonout_end(&json);
}

/* --- for services that watch benchmarks ----------------------------------------------------------------- */

/* "net on kv260, VART 3.5, bypass (9f1c02ab)": series of graphs that differ have names that do. Both services
 * write a name into comments of pull requests as it is. */
static const char *benchmark_name(const roof_history_series *s, roof_arena *arena)
{
    const char *name = history_series_name(s, arena);
    return say_unmarked(arena,
                        s->key.model_hash ? say_printf(arena, "%s (%.8s)", name, s->key.model_hash) : name);
}

/* Of the newest segment. */
static void extremes(const roof_history_series *s, double *low, double *high)
{
    const roof_history_segment *g = &s->segments[s->n_segments - 1];
    *low = *high = s->points[g->first].value;
    for (uint32_t i = g->first; i < g->first + g->n; i++) {
        *low = fmin(*low, s->points[i].value);
        *high = fmax(*high, s->points[i].value);
    }
}

/* The newest run of each series. github-action-benchmark compares with what it kept of the run before, and
 * takes smaller for better: what is better when it is larger is left out. */
void trends_benchmark(const rendering *r)
{
    jsonout json;
    jsonout_begin(&json, r->out);
    jsonout_array(&json, NULL, false);
    for (uint32_t i = 0; i < r->trends->n; i++) {
        const roof_history_series *s = &r->trends->items[i];
        double low, high;
        if (s->metric->is_larger_better)
            continue;
        extremes(s, &low, &high);
        jsonout_object(&json, NULL, true);
        jsonout_string(&json, "name",
                       say_printf(r->arena, "%s/%s", benchmark_name(s, r->arena), s->metric->name));
        jsonout_string(&json, "unit", s->metric->unit);
        jsonout_number(&json, "value", s->points[s->n_points - 1].value);
        jsonout_string(&json, "range", say_printf(r->arena, "%.6g to %.6g", low, high));
        jsonout_string(&json, "extra", history_series_says(s, r->arena));
        jsonout_end(&json);
    }
    jsonout_end(&json);
}

/* Bencher Metric Format: benchmarks by name, measures by name, of each the value with its limits. */
void trends_bencher(const rendering *r)
{
    jsonout json;
    jsonout_begin(&json, r->out);
    jsonout_object(&json, NULL, false);
    for (uint32_t i = 0; i < r->trends->n; i++) {
        const roof_history_series *s = &r->trends->items[i];
        double low, high;
        extremes(s, &low, &high);
        jsonout_object(&json, benchmark_name(s, r->arena), false);
        jsonout_object(&json, s->metric->name, true);
        jsonout_number(&json, "value", s->points[s->n_points - 1].value);
        jsonout_number(&json, "lower_value", low);
        jsonout_number(&json, "upper_value", high);
        jsonout_end(&json);
        jsonout_end(&json);
    }
    jsonout_end(&json);
}
