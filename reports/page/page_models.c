#include "reports/page/page_sections.h"
#include "model/predict/calibrated.h"
#include "reports/tables/reconcile/reconcile_tables.h"
#include "reports/tables/reconcile/epoch_tables.h"
#include "reports/words/prediction_words.h"
#include "roofline/words.h"

/* --- all models --------------------------------------------------------------------------------------- */

static const reconcile_table tables_of_all[] = {
    {"models", "Measured models", .view = reconcile_view_models},
    {"fits", "Fits over all models; * marks the chosen line", .view = reconcile_view_fits},
    {"where", "Where the time goes", .view = reconcile_view_where},
    {"times", "Times of whole inferences", .view = reconcile_view_times},
    {"energy", "Energy of an inference, best first of those that cover the same; 1/J is 1/s/W",
     .view = reconcile_view_energies},
    {"loads", "Under load, by the number of threads that call the device at the same time",
     .view = reconcile_view_loads},
    {"curves", "Measured times over context and prompt, beside limit, expectation and line",
     .view = timed_view_points},
    {"steps", "What a step is made of, by the line through each curve", .view = timed_view_lines},
    {"growths", "What grew along a curve, and from one curve of a model to the next",
     .view = timed_view_growths},
    {"constants", "Constants of a stack by the steps of several models", .view = timed_view_constants},
    {"stack-models", "How far these constants carry", .view = timed_view_models},
};

static void put_measured(const report_page *page, const roof_reconciliation *r, textbuf *out)
{
    const reconcile_scope scope = {.r = r, .is_page = true, .arena = page->arena};
    cell_grid grid;
    remarks lines = {.arena = page->arena};
    char text[ROOF_SENTENCE_SIZE], ceiling[ROOF_SENTENCE_SIZE];
    for (size_t i = 0; i < N_OF(tables_of_all); i++) {
        tables_of_all[i].view(&scope, &grid);
        page_put_grid(&grid, tables_of_all[i].id, tables_of_all[i].caption, out);
    }
    bool has_ceiling = roof_sentence(r, ROOF_SENTENCE_CEILING, 0, ceiling) &&
                       !r->experiments[r->ceiling.experiment].epochs; /* whose phases say more */
    for (uint32_t i = 0; roof_sentence(r, ROOF_SENTENCE_STATISTIC, i, text); i++) {
        remarks_add(&lines, i ? "" : "statistics", "%s", text);
        has_ceiling = has_ceiling && strcmp(text, ceiling) != 0;
    }
    if (has_ceiling)
        remarks_add(&lines, "ceiling", "%s", ceiling);
    remarks_add(&lines, "measure next", "%s",
                roof_sentence(r, ROOF_SENTENCE_FIT_NEXT, ROOF_FIT_OVERHEAD, text));
    page_put_remarks("facts", &lines, out);
}

void page_put_all_models(const report_page *page, textbuf *out)
{
    static const struct {
        roof_text_phase phase;
        const char *id, *title;
    } phases[] = {{ROOF_TEXT_DECODE, "curve-steps", "Steps"},
                  {ROOF_TEXT_PREFILL, "curve-prompts", "Prompts"}};
    cell_grid grid;
    page_put_figures(page, ROOF_NONE, PLACE_MODEL, out);
    if (page->input->reconciliation)
        put_measured(page, page->input->reconciliation, out);
    for (uint32_t i = 0; i < page->input->n_curves; i++) { /* steps, prompts and what stands below them */
        const curve_view v = {page->input->curves[i], true, page->arena};
        remarks lines = {.arena = page->arena};
        for (size_t t = 0; t < N_OF(phases); t++) {
            curve_table(&v, phases[t].phase, &grid);
            page_put_grid(&grid, say_printf(page->arena, "%s-%u", phases[t].id, i + 1),
                          say_printf(page->arena, "%s of %s", phases[t].title, v.curve->model), out);
        }
        curve_remarks(&v, &lines);
        page_put_remarks("facts", &lines, out);
    }
    const predictions_view v = page_pairs(page);
    if (v.n > 1) {
        remarks lines = {.arena = page->arena};
        predictions_table(&v, &grid);
        page_put_grid(&grid, "predictions", "Predicted models", out);
        predictions_remarks(&v, &lines);
        if (lines.n)
            page_put_remarks("facts", &lines, out);
    }
}

/* --- what was measured of a model ----------------------------------------------------------------------- */

static void put_table(const reconcile_table *table, const reconcile_scope *s, uint32_t model, textbuf *out)
{
    cell_grid grid;
    table->view(s, &grid);
    if (grid.left_out)
        text_printf(out, "<p class=\"note\">The %u longest of %zu %ss.</p>\n", (unsigned)PAGE_MOST_ROWS,
                    grid.n_rows - grid.n_last + grid.left_out, grid.what);
    grid_put_html(&grid,
                  &(html_table){.id = table->id,
                                .number = model + 1,
                                .caption = table->caption,
                                .filter = table->filter,
                                .bar = table->bar},
                  out);
}

/* The lines and tables of `roofline reconcile`; then all counters of epochs, with sums in the foot. */
static void put_epochs(const reconcile_scope *s, uint32_t model, textbuf *out)
{
    static const reconcile_table tables[] = {
        {"epoch-types", "Time by type of epoch", epoch_view_types, "share", NULL},
        {"flows", "Bytes and rates of memories and buses", epoch_view_flows, NULL, NULL},
        {"epochs", "Epochs by their phases", epoch_view_rows, "share", "filter epochs"}};
    enum { MOST_EPOCHS = PAGE_MOST_ROWS / 32 }; /* each has up to 16 stream engines in two directions */
    remarks lines = {.arena = s->arena};
    text_puts(out, "<h3>Epochs</h3>\n");
    epoch_view_lines(s->e->epochs, &lines);
    page_put_remarks("facts short", &lines, out);
    for (size_t i = 0; i < N_OF(tables); i++)
        put_table(&tables[i], s, model, out);
    for (epoch_table which = 0; which < EPOCH_TABLES; which++) {
        cell_grid grid;
        epoch_view_table(s->e->epochs, which, MOST_EPOCHS, &grid, s->arena);
        grid_put_html(&grid,
                      &(html_table){.id = epoch_tables[which].id,
                                    .number = model + 1,
                                    .caption = epoch_tables[which].caption,
                                    .heading = 4,
                                    .filter = "filter epochs"},
                      out);
    }
}

/* --- what was predicted of a model ---------------------------------------------------------------------- */

/* Behind its heading, where the table has rows. */
static void put_predicted_view(const report_page *page, uint32_t model, const char *heading, const char *id,
                               const char *caption,
                               void (*view)(const roof_prediction *p, cell_grid *grid, roof_arena *arena),
                               textbuf *out)
{
    cell_grid grid;
    view(page->models[model].prediction, &grid, page->arena);
    text_puts(out, grid.n_rows ? heading : "");
    grid_put_html(&grid, &(html_table){.id = id, .number = model + 1, .caption = caption}, out);
}

static void put_what_is_predicted(const report_page *page, uint32_t model, textbuf *out)
{
    const roof_prediction *p = page->models[model].prediction;
    if (p->n_alternatives)
        put_predicted_view(page, model, "<h3>What if</h3>\n", "what-if",
                           "The same model with another workload", prediction_view_alternatives, out);
    /* Inferences/s by threads, where the prediction is of a load. */
    const char *said = prediction_load(p, 0, page->arena), *limit = prediction_load(p, 1, page->arena);
    if (said)
        html_printf(out, "<h3>In use</h3>\n<p>%s %s</p>\n", said, text_or_empty(limit));
    if (said && limit)
        put_predicted_view(page, model, "", "load", "Inferences/s and latency by threads",
                           prediction_view_load, out);
    /* For what engines wait, in a table for each part of the network. */
    if (p->schedule.n_parts)
        text_puts(out,
                  "<h3>Schedule</h3>\n<p class=\"note\">Shares of the scheduled time in which an engine is "
                  "busy, waits for another one, or has finished. Path is the engine's share of the "
                  "critical path.</p>\n");
    for (uint32_t i = 0; i < p->schedule.n_parts; i++) {
        const char *heading = prediction_schedule_heading(p, i, page->arena);
        const html_table table = {.id = say_printf(page->arena, "schedule-%u", model + 1),
                                  .number = i + 1,
                                  .caption = heading ? heading : "What engines wait for",
                                  .heading = heading ? 4 : 0};
        cell_grid grid;
        prediction_view_schedule(p, i, &grid, page->arena);
        grid_put_html(&grid, &table, out);
    }
    put_predicted_view(
        page, model,
        "<h3>What would make it faster</h3>\n<p class=\"note\">The same code with one engine "
        "twice as fast, or without one of the layers that have most of the critical path. A gain "
        "is the part of the time that is saved.</p>\n",
        "faster", "What would make the schedule shorter", prediction_view_what_ifs, out);
}

/* --- one model ---------------------------------------------------------------------------------------- */

static void put_sentences(const report_page *page, const page_model *m, textbuf *out)
{
    const roof_prediction *p = m->prediction;
    if (!p) {
        text_puts(
            out, "<p class=\"lead\">The profile names no model, so there is no ideal to compare with.</p>\n");
        return;
    }
    roof_arena *arena = page->arena;
    const char *verdict = say_printf(arena, "%s %s %s", prediction_verdict(p, 0, arena),
                                     prediction_verdict(p, 1, arena), prediction_verdict(p, 2, arena));
    const char *leads[] = {
        p->placement && !p->facts_of_verdict.is_placed_whole ? say_printf(arena, "%s.", p->placement) : "",
        page->n_models > 1 || m->experiment ? verdict : "", /* else they are the page's verdict */
        prediction_verdict(p, 3, arena), p->n_published ? prediction_published_first(p, arena) : ""};
    for (size_t i = 0; i < N_OF(leads); i++) {
        text_puts(out, *leads[i] ? "<p class=\"lead\">" : "");
        html_sentence(out, leads[i]);
        text_puts(out, *leads[i] ? "</p>\n" : "");
    }
}

/* A row a layer, and behind the columns of the profile or of the prediction those of the chart. */
static void put_layers(const report_page *page, uint32_t model, const reconcile_scope *s, textbuf *out)
{
    const page_model *m = &page->models[model];
    const roof_prediction *p = m->prediction;
    const roof_reconciled *e = s->e && s->e->layer_run ? s->e : NULL;
    const layers_view view = {.details = true, .is_page = true, .most = PAGE_MOST_ROWS};
    html_table table = {.id = "layers",
                        .number = model + 1,
                        .caption = say_printf(s->arena, "Layers of %s", m->name),
                        .filter = "filter layers",
                        .bar = "share",
                        .has_anchors = true,
                        .bound = "bound",
                        .marks = m->peaks,
                        .n_marks = m->peaks ? m->table_rows.n : 0,
                        .mark_href = say_printf(s->arena, "#memory-%u", model + 1)};
    cell_grid grid;
    if (e)
        reconcile_view_matches(s, &grid);
    else if (p)
        prediction_view_layers(p, &view, &grid, s->arena);
    else
        return;
    table.prefix = prediction_name_prefix(p);
    text_puts(out, "<h3>Layers</h3>\n");
    if (grid.left_out) {
        uint32_t all = e ? e->n_matches : p->n_layers;
        text_printf(
            out, "<p class=\"note\">The %u largest of %u rows; <a href=\"%s\">%s</a> has all of them.</p>\n",
            all - (unsigned)grid.left_out, all, m->rows_file, m->rows_file);
    }
    grid_put_html(&grid, &table, out);
}

void page_put_model(const report_page *page, uint32_t model, textbuf *out)
{
    const page_model *m = &page->models[model];
    const reconcile_scope scope = {.r = page->input->reconciliation,
                                   .e = m->experiment,
                                   .most = PAGE_MOST_ROWS,
                                   .is_page = true,
                                   .arena = page->arena};
    put_sentences(page, m, out);
    page_put_figures(page, model, PLACE_MODEL, out);
    remarks lines = {.arena = page->arena}, all = lines;
    if (m->experiment)
        reconcile_view_lines(page->input->reconciliation, m->experiment, LINES_ALL, &lines);
    if (m->prediction)
        prediction_summarise(m->prediction, &all);
    for (size_t i = 0; i < all.n; i++) /* the page has places of their own for two of them */
        if (strcmp(all.items[i].label, "hardware") != 0 && strcmp(all.items[i].label, "findings") != 0)
            remarks_add(&lines, all.items[i].label, "%s", all.items[i].text);
    page_put_remarks("facts short", &lines, out);
    if (m->prediction)
        put_what_is_predicted(page, model, out);
    if (m->experiment && m->experiment->epochs)
        put_epochs(&scope, model, out);
    if (m->experiment && m->experiment->busy) {
        /* How busy units of the accelerator were, by layer type and in each. */
        static const reconcile_table tables[] = {
            {"busy-types", "How busy units were, by layer type", busy_view_types, "share", NULL},
            {"busy", "How busy units were in each layer", busy_view_matches, "share", "filter layers"}};
        text_puts(out, "<h3>Units</h3>\n");
        for (size_t i = 0; i < N_OF(tables); i++)
            put_table(&tables[i], &scope, model, out);
    }
    page_put_memory(page, model, out);
    page_put_graph(page, model, out);
    page_put_changes(page, model, out);
    put_layers(page, model, &scope, out);
}

/* --- calibration -------------------------------------------------------------------------------------- */

void page_put_calibration(const report_page *page, textbuf *out)
{
    const roof_calibration *c = page->input->calibration;
    cell_grid grid;
    html_printf(out,
                "<p>Parameters of this hardware, fitted to the profiles, for <code>roofline predict</code> "
                "with <code class=\"option\">--calibration</code>: %s.</p>\n",
                text_or_empty(calibration_describe(c, page->arena)));
    reconcile_view_calibration(c, &grid, page->arena);
    grid_put_html(&grid, &(html_table){.id = "parameters", .caption = "Parameters of the calibration"}, out);
}
