/* Networks at a rate as text, Markdown, CSV and JSON, and as a timeline. */
#include "reports/renderers/renderer.h"
#include "reports/tables/periodic/periodic_view.h"
#include "reports/timeline/trace_periodic.h"

void periodic_put(const rendering *r)
{
    enum { MOST_SENTENCES = 3 };
    const char *sentences[MOST_SENTENCES];
    cell_grid grid;
    remarks lines = {.arena = r->arena};
    size_t n = 0;
    while (n < MOST_SENTENCES && (sentences[n] = periodic_sentence(r->periodic, (uint32_t)n, r->arena)))
        n++;
    writer_verdict(&r->writer, sentences, n);
    periodic_table(r->periodic, &grid, r->arena);
    table_put_arranged(r, &grid);
    text_puts(r->out, "\n");
    periodic_remarks(r->periodic, &lines);
    remarks_put(&lines, &r->writer);
}

void periodic_csv(const rendering *r)
{
    cell_grid grid;
    periodic_begin_csv(&grid, r->arena, r->out);
    table_keep_csv(r, &grid);
    periodic_add_rows(r->periodic, &grid);
    table_put_csv(r, &grid, "response_s");
}

void periodic_trace(const rendering *r)
{
    traceout trace;
    const char *line;
    traceout_begin(&trace, r->out);
    traceout_put_periodic(&trace, r->periodic);
    traceout_verdict(&trace);
    for (uint32_t i = 0; (line = periodic_sentence(r->periodic, i, r->arena)); i++)
        jsonout_string(&trace.json, NULL, line);
    traceout_end(&trace);
}

/* --- JSON --------------------------------------------------------------------------------------------- */

static void put_core(jsonout *json, uint32_t core)
{
    jsonout_count(json, "core", core == ROOF_NONE ? ROOF_UNKNOWN : core);
}

static void put_row(jsonout *json, const roof_periodic *s, const roof_periodic_row *row)
{
    jsonout_object(json, NULL, false);
    jsonout_string(json, "name", row->name);
    jsonout_derived(json, "rate_hz", row->rate_hz);
    jsonout_derived(json, "service_s", row->service.value);
    jsonout_bool(json, "is_lower_bound", roof_answer_is_bound(row->service.kind));
    jsonout_answer(json, "service", &row->service);
    put_core(json, row->core);
    jsonout_derived(json, "utilisation_ratio", row->utilisation_ratio);
    jsonout_derived(json, "response_s", row->response_s);
    jsonout_derived(json, "deadline_s", row->deadline_s);
    jsonout_derived(json, "slack_s", row->slack_s);
    jsonout_derived(json, "response_low_s", row->response_low_s);
    jsonout_derived(json, "response_high_s", row->response_high_s);
    if (row->met == ROOF_HELD_NOT_KNOWN)
        jsonout_null(json, "is_met");
    else
        jsonout_bool(json, "is_met", row->met == ROOF_HELD_KEPT);
    jsonout_derived(json, "highest_rate_hz", row->highest_rate_hz);
    jsonout_array(json, "delays", false);
    for (uint32_t i = 0; i < row->n_delays; i++) {
        jsonout_object(json, NULL, true);
        jsonout_count(json, "network", row->delays[i].task);
        jsonout_string(json, "name", s->rows[row->delays[i].task].name);
        jsonout_derived(json, "delay_s", row->delays[i].seconds);
        jsonout_end(json);
    }
    jsonout_end(json);
    jsonout_end(json);
}

static void put_change(jsonout *json, const roof_periodic *s, const roof_periodic_change *c,
                       roof_arena *arena)
{
    jsonout_object(json, NULL, false);
    jsonout_string(json, "kind", roof_periodic_kind_word(c->kind));
    jsonout_string(json, "says", periodic_change(s, c, arena));
    jsonout_derived(json, "size_ratio", c->size_ratio);
    jsonout_derived(json, "factor", c->factor);
    jsonout_count(json, "network", c->task == ROOF_NONE ? ROOF_UNKNOWN : c->task);
    jsonout_count(json, "cores", c->cores);
    jsonout_bool(json, "is_beyond_board", c->is_beyond_board);
    jsonout_string(json, "policy", roof_periodic_policy_word(c->policy));
    if (c->core_of) {
        jsonout_array(json, "core_of", true);
        for (uint32_t i = 0; i < s->n_rows; i++)
            jsonout_count(json, NULL, c->core_of[i]);
        jsonout_end(json);
    } else {
        jsonout_null(json, "core_of");
    }
    jsonout_end(json);
}

static void put_cores(jsonout *json, const roof_periodic *s)
{
    jsonout_count(json, "cores", s->cores);
    jsonout_count(json, "board_cores", s->board_cores ? s->board_cores : ROOF_UNKNOWN);
    jsonout_count(json, "busy_cores", s->busy_cores);
    jsonout_derived(json, "utilisation_ratio", s->utilisation_ratio);
    if (s->core_utilisation_ratios) {
        jsonout_array(json, "core_utilisation_ratios", true);
        for (uint32_t i = 0; i < s->cores; i++)
            jsonout_derived(json, NULL, s->core_utilisation_ratios[i]);
        jsonout_end(json);
    } else {
        jsonout_null(json, "core_utilisation_ratios");
    }
}

void periodic_json(const rendering *r)
{
    const roof_periodic *s = r->periodic;
    const char *line;
    jsonout json;
    jsonout_begin(&json, r->out);
    jsonout_object(&json, NULL, false);
    jsonout_string(&json, "schema", ROOF_PERIODIC_SCHEMA);
    jsonout_string(&json, "hardware", s->hardware);
    jsonout_string(&json, "policy", roof_periodic_policy_word(s->policy));
    put_cores(&json, s);
    jsonout_count(&json, "missed", s->n_missed);
    jsonout_derived(&json, "headroom_ratio", s->headroom_ratio);
    jsonout_array(&json, "networks", false);
    for (uint32_t i = 0; i < s->n_rows; i++)
        put_row(&json, s, &s->rows[i]);
    jsonout_end(&json);
    jsonout_array(&json, "changes", false);
    for (uint32_t i = 0; i < s->n_changes; i++)
        put_change(&json, s, &s->changes[i], r->arena);
    jsonout_end(&json);
    jsonout_array(&json, "verdict", false);
    for (uint32_t i = 0; (line = periodic_sentence(s, i, r->arena)); i++)
        jsonout_string(&json, NULL, line);
    jsonout_end(&json);
    jsonout_end(&json);
}
