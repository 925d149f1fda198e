/* The configurations of a board as text, Markdown, CSV and JSON. */
#include "reports/renderers/renderer.h"
#include "reports/tables/configurations/configurations_view.h"

#include <math.h>

void configurations_put(const rendering *r)
{
    enum { MOST_SENTENCES = 3 };
    const char *sentences[MOST_SENTENCES];
    cell_grid grid;
    remarks lines = {.arena = r->arena};
    size_t n = 0;
    while (n < MOST_SENTENCES &&
           (sentences[n] = configurations_sentence(r->configurations, (uint32_t)n, r->arena)))
        n++;
    writer_verdict(&r->writer, sentences, n);
    configurations_table(r->configurations, &grid, r->arena);
    table_put_arranged(r, &grid);
    text_puts(r->out, "\n");
    configurations_remarks(r->configurations, &lines);
    remarks_put(&lines, &r->writer);
}

void configurations_csv(const rendering *r)
{
    cell_grid grid;
    configurations_begin_csv(&grid, r->arena, r->out);
    table_keep_csv(r, &grid);
    configurations_add_rows(r->configurations, &grid);
    table_put_csv(r, &grid, "fps");
}

/* --- JSON --------------------------------------------------------------------------------------------- */

static void put_resources(jsonout *json, const char *key, const double *of)
{
    jsonout_object(json, key, true);
    for (roof_resource r = 0; r < ROOF_RESOURCES; r++)
        jsonout_derived(json, roof_resource_word(r), of[r]);
    jsonout_end(json);
}

static void put_one(jsonout *json, const roof_configuration *c)
{
    jsonout_object(json, NULL, false);
    jsonout_string(json, "size", c->size);
    jsonout_count(json, "cores", c->cores);
    jsonout_string(json, "dsp_usage", c->is_low_dsp ? "low" : "high");
    jsonout_bool(json, "is_held", c->is_held);
    jsonout_derived(json, "cost_ratio", c->cost_ratio);
    jsonout_string(json, "binding", roof_resource_word(c->binding));
    put_resources(json, "needs", c->needs);
    put_resources(json, "share_ratio", c->share_ratio);
    jsonout_count(json, "banks", c->banks);
    jsonout_count(json, "uram_banks", c->uram_banks);
    jsonout_count(json, "threads", c->threads);
    jsonout_derived(json, "fps", c->fps);
    jsonout_derived(json, "fps_low", c->fps_low);
    jsonout_derived(json, "fps_high", c->fps_high);
    jsonout_derived(json, "latency_s", c->latency_s);
    jsonout_string(json, "bound", isnan(c->fps) ? NULL : roof_load_bound_text(c->bound));
    jsonout_string(json, "why", c->why);
    jsonout_bool(json, "is_own_size", c->is_own_size);
    jsonout_bool(json, "is_estimate", c->is_estimate);
    jsonout_bool(json, "is_fuller", c->is_fuller);
    jsonout_bool(json, "is_on_front", c->is_on_front);
    jsonout_bool(json, "meets", c->meets);
    jsonout_bool(json, "meets_low", c->meets_low);
    jsonout_end(json);
}

static void put_index(jsonout *json, const char *key, uint32_t i)
{
    jsonout_count(json, key, i == ROOF_NONE ? ROOF_UNKNOWN : i);
}

void configurations_json(const rendering *r)
{
    const roof_configurations *of = r->configurations;
    const char *line;
    jsonout json;
    jsonout_begin(&json, r->out);
    jsonout_object(&json, NULL, false);
    jsonout_string(&json, "schema", ROOF_CONFIGURATIONS_SCHEMA);
    jsonout_string(&json, "model", of->model);
    jsonout_string(&json, "hardware", of->hardware);
    jsonout_string(&json, "board", of->board);
    put_resources(&json, "device", of->device);
    jsonout_derived(&json, "clock_hz", of->clock_hz);
    jsonout_string(&json, "logic_source", of->logic_source);
    jsonout_string(&json, "memory_source", of->memory_source);
    jsonout_string(&json, "own_size", *of->own_size ? of->own_size : NULL);
    jsonout_string(&json, "only_size", of->only_size);
    jsonout_count(&json, "built_cores", isnan(of->built_cost_ratio) ? ROOF_UNKNOWN : of->built_cores);
    jsonout_derived(&json, "built_cost_ratio", of->built_cost_ratio);
    jsonout_count(&json, "measured_cores", of->measured_cores ? of->measured_cores : ROOF_UNKNOWN);
    jsonout_string(&json, "host", of->host);
    jsonout_derived(&json, "host_s", of->host_s);
    jsonout_count(&json, "host_layers", of->host_layers);
    jsonout_derived(&json, "asked_fps", of->asked_fps);
    put_index(&json, "cheapest", of->cheapest);
    put_index(&json, "surest", of->surest);
    put_index(&json, "most", of->most);
    jsonout_array(&json, "configurations", false);
    for (uint32_t i = 0; i < of->n; i++)
        put_one(&json, &of->all[i]);
    jsonout_end(&json);
    jsonout_array(&json, "verdict", false);
    for (uint32_t i = 0; (line = configurations_sentence(of, i, r->arena)); i++)
        jsonout_string(&json, NULL, line);
    jsonout_end(&json);
    jsonout_end(&json);
}
