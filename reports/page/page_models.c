/* The charts and tables: of all models, then of each. */
#include "measure/units/unit_facts.h"
#include "reports/page/page_parts.h"
#include "reports/page/page_work.h"
#include "reports/tables/reconcile/reconcile_view.h"
#include "roofline/words.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* A small disc is met where a finger or a pointer is near it. */
#define LEAST_SPOT_PX 4.0

/* --- figures ------------------------------------------------------------------------------------------ */

/* The row of the table for each number of a layer, 0 where none is listed: rows of a profile may stand for several layers,
 * or leave some out. */
typedef struct row_map {
    uint32_t *rows;
    uint32_t n;
} row_map;

static row_map map_rows(const report_page *page, uint32_t model)
{
    const page_model *m = &page->models[model];
    const roof_prediction *p = m->prediction;
    const roof_reconciled *e = m->experiment && m->experiment->layer_run ? m->experiment : NULL;
    row_map map = {.n = p ? p->n_layers + 1 : 0};
    map.rows = NEW_ARRAY(page->arena, uint32_t, map.n);
    map.n = map.rows ? map.n : 0;
    for (uint32_t i = 0; i < map.n && !e && i < p->n_layers; i++)
        if (p->layers[i].index < map.n)
            map.rows[p->layers[i].index] = p->layers[i].index;
    for (uint32_t i = 0; e && map.n && i < e->n_units; i++) {
        const roof_unit *u = &e->units[i];
        for (uint32_t k = 0; k < u->n_layers && !u->is_unlisted; k++) {
            uint32_t number = unit_layer(e, u, k)->index;
            if (number < map.n && !map.rows[number])
                map.rows[number] = unit_layer(e, u, 0)->index;
        }
    }
    return map;
}

/* Links to the rows of the table, laid over the picture where their marks are. In px of its canvas, as the picture is. */
static void put_spots(const report_page *page, const page_figure *f, const page_spots *of, textbuf *out)
{
    const row_map map = map_rows(page, f->model);
    text_printf(
        out,
        "<svg class=\"spots\" viewBox=\"0 0 %g %g\" role=\"group\" aria-label=\"layers of this picture\">\n",
        of->canvas.width_px, of->canvas.height_px);
    for (size_t i = 0; i < of->n; i++) {
        const figure_spot *s = &of->spots[i];
        const px_box *b = &s->box;
        uint32_t row = s->row < map.n ? map.rows[s->row] : 0;
        text_printf(out, row ? "<a href=\"#layers-%u-%u\"" : "<a role=\"img\" tabindex=\"-1\"", f->model + 1,
                    row);
        html_printf(out, " class=\"%s%s\" data-kind=\"%s\"><title>%s</title>", s->bound,
                    s->is_estimated ? " estimated" : "", s->kind, s->text);
        if (s->roof_y_px == s->roof_y_px) /* it is known */
            text_printf(out, "<path d=\"M%.1f %.1fV%.1fm-9 0h18\"/>", b->x_px, b->y_px, s->roof_y_px);
        if (s->is_round)
            text_printf(out, "<circle cx=\"%.1f\" cy=\"%.1f\" r=\"%.1f\"/>", b->x_px, b->y_px,
                        fmax(LEAST_SPOT_PX, b->half_width_px));
        else
            text_printf(out, "<rect x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" height=\"%.1f\"/>",
                        b->x_px - b->half_width_px, b->y_px - b->half_height_px, 2 * b->half_width_px,
                        2 * b->half_height_px);
        text_puts(out, "</a>\n");
    }
    text_puts(out, "</svg>\n");
}

/* NULL for svg: nothing. The picture's names are made unique by its place on the page. */
static roof_status put_picture(const report_page *page, uint32_t number, bool wide, textbuf *out,
                               roof_error *err)
{
    const page_figure *f = &page->figures[number];
    const char *svg = wide ? f->wide_svg : f->narrow_svg;
    const page_spots *spots = wide ? &f->wide_spots : &f->narrow_spots;
    char prefix[32];
    if (!svg)
        return ROOF_OK;
    snprintf(prefix, sizeof prefix, "f%u%c-", number + 1, wide ? 'w' : 'n');
    const svg_words words = {prefix, f->title, f->caption};
    size_t before = out->length;
    text_printf(out, "<div class=\"%s\">", !f->narrow_svg ? "any" : wide ? "wide" : "narrow");
    roof_status status = svg_inline(svg, strlen(svg), &words, out, err);
    if (status == ROOF_OK && spots->n)
        put_spots(page, f, spots, out);
    if (status == ROOF_OK)
        text_puts(out, "</div>\n");
    else if (!out->failed)
        out->length = before;
    return status;
}

/* What the reader can do without the picture. */
static void put_no_picture(const page_figure *f, const char *why, textbuf *out)
{
    html_printf(out,
                "<p class=\"note\"><strong>%s</strong></p>\n"
                "<p class=\"note\">%s The data and the script lie beside this page: "
                "<code>gnuplot %s.gp</code> makes <code>%s.svg</code>.</p>\n",
                f->title, why, f->stem, f->stem);
}

static void put_figure(const report_page *page, uint32_t number, textbuf *out)
{
    const page_figure *f = &page->figures[number];
    char why[256];
    roof_error err;
    text_printf(out, "<figure id=\"figure-%s\">\n", f->stem);
    if (!f->wide_svg) {
        put_no_picture(f, "gnuplot did not draw this chart.", out);
    } else if (put_picture(page, number, true, out, &err) != ROOF_OK ||
               put_picture(page, number, false, out, &err) != ROOF_OK) {
        snprintf(why, sizeof why, "The picture cannot be shown here: %.200s.", err.what);
        put_no_picture(f, why, out);
    }
    html_printf(out, "<figcaption>%s <span class=\"files\">", f->caption);
    if (f->wide_svg)
        text_printf(out, "<a href=\"%s.svg\">svg</a> ", f->stem);
    text_printf(out, "<a href=\"%s.gp\">gp</a> <a href=\"%s.dat\">dat</a></span></figcaption>\n</figure>\n",
                f->stem, f->stem);
}

static void put_figures(const report_page *page, uint32_t model, bool first, textbuf *out)
{
    for (uint32_t i = 0; i < page->n_figures; i++)
        if (page->figures[i].model == model && page->figures[i].is_first == first)
            put_figure(page, i, out);
}

void page_put_first_figures(const report_page *page, uint32_t model, textbuf *out)
{
    put_figures(page, model, true, out);
}

/* --- all models --------------------------------------------------------------------------------------- */

static void put_measured(const report_page *page, const roof_reconciliation *r, textbuf *out)
{
    cell_grid grid;
    remarks lines = {.arena = page->arena};
    char text[ROOF_SENTENCE_SIZE], ceiling[ROOF_SENTENCE_SIZE];
    view_models(r, &grid, page->arena);
    page_put_grid(&grid, "models", "Measured models", out);
    view_fits(r, &grid, page->arena);
    page_put_grid(&grid, "fits", "Fits over all models; * marks the chosen line", out);
    view_where(r, true, &grid, page->arena);
    page_put_grid(&grid, "where", "Where the time goes", out);
    view_times(r, &grid, page->arena);
    page_put_grid(&grid, "times", "Times of whole inferences", out);
    view_energies(r, &grid, page->arena);
    page_put_grid(&grid, "energy",
                  "Energy of an inference, best first of those that cover the same; 1/J is 1/s/W", out);
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

bool page_is_of_boards(const report_page *page)
{
    const char *first = NULL;
    for (uint32_t i = 0; i < page->n_models; i++) {
        const roof_prediction *p = page->models[i].prediction;
        if (p && first && strcmp(first, p->hardware.id) != 0)
            return true;
        first = p && !first ? p->hardware.id : first;
    }
    return false;
}

bool page_has_study(const report_page *page)
{
    bool any = page->input->reconciliation != NULL || page->input->n_predictions > 1;
    for (uint32_t i = 0; i < page->n_figures && !any; i++)
        any = page->figures[i].model == ROOF_NONE;
    return any;
}

void page_put_study(const report_page *page, textbuf *out)
{
    cell_grid grid;
    put_figures(page, ROOF_NONE, false, out);
    if (page->input->reconciliation)
        put_measured(page, page->input->reconciliation, out);
    if (page->input->n_predictions > 1) {
        view_predictions(page->input->predictions, page->input->n_predictions, &grid, page->arena);
        page_put_grid(&grid, "predictions", "Predicted models", out);
    }
}

/* --- one model ---------------------------------------------------------------------------------------- */

static void put_sentences(const report_page *page, const page_model *m, textbuf *out)
{
    const roof_prediction *p = m->prediction;
    if (page->n_models == 1 && !m->experiment)
        return; /* they are the page's verdict */
    if (!p) {
        text_puts(
            out, "<p class=\"lead\">The profile names no model, so there is no ideal to compare with.</p>\n");
        return;
    }
    if (p->placement)
        html_printf(out, "<p class=\"lead\">%s.</p>\n", p->placement);
    html_printf(out, "<p class=\"lead\">%s. %s %s</p>\n", p->verdict[0], p->verdict[1], p->verdict[2]);
}

static void put_facts(const report_page *page, const page_model *m, textbuf *out)
{
    remarks lines = {.arena = page->arena}, all = lines;
    if (m->experiment)
        view_lines(page->input->reconciliation, m->experiment, LINES_ALL, &lines);
    if (m->prediction)
        prediction_summarise(m->prediction, &all);
    for (size_t i = 0; i < all.n; i++) /* the page has places of their own for two of them */
        if (strcmp(all.items[i].label, "hardware") != 0 && strcmp(all.items[i].label, "findings") != 0)
            remarks_add(&lines, all.items[i].label, "%s", all.items[i].text);
    page_put_remarks("facts short", &lines, out);
}

static void put_layers(const report_page *page, uint32_t model, textbuf *out)
{
    const page_model *m = &page->models[model];
    const roof_reconciled *e = m->experiment;
    cell_grid grid;
    uint32_t left_out = 0, all;
    html_table table = {.id = "layers",
                        .number = model + 1,
                        .filter = "filter layers",
                        .n_totals = 1,
                        .bar = "share",
                        .screen = "shape",
                        .has_anchors = true,
                        .bound = "bound"};
    table.caption = text_or_empty(arena_printf(page->arena, "Layers of %s", m->name));
    if (e && e->layer_run) {
        left_out = view_units(page->input->reconciliation, e, PAGE_MOST_ROWS, (name_prefixes){"", 0}, &grid,
                              page->arena);
        all = e->n_units;
    } else if (!m->prediction) {
        return;
    } else {
        const layers_view view = {.details = true, .is_page = true, .most = PAGE_MOST_ROWS};
        left_out = view_layers(m->prediction, &view, &grid, page->arena);
        all = m->prediction->n_layers;
        table.n_totals = last_rows_of(m->prediction);
    }
    table.n_screen = page_add_work(
        &(chart_source){
            .prediction = m->prediction,
            .experiment = e && e->layer_run ? e : NULL,
            .reconciliation = page->input->reconciliation,
        },
        &grid);
    table.prefix = name_prefix_of(m->prediction);
    text_puts(out, "<h3>Layers</h3>\n");
    if (left_out)
        text_printf(
            out, "<p class=\"note\">The %u largest of %u rows; <a href=\"%s\">%s</a> has all of them.</p>\n",
            all - left_out, all, m->rows_file, m->rows_file);
    grid_put_html(&grid, &table, out);
}

/* All that was counted of them: each epoch, and all together in the foot. */
static void put_epoch_counts(const report_page *page, uint32_t model, const roof_epochs *e, textbuf *out)
{
    enum {
        MOST_EPOCHS = PAGE_MOST_ROWS / 32
    }; /* a row of at most 16 stream engines in two directions each */
    static const struct {
        const char *id, *caption;
    } tables[EPOCH_TABLES] = {
        [EPOCH_CYCLES] = {"epoch-cycles", "Cycles of the host's and the NPU's clock by phase, and of the "
                                          "core beside estimate and ideal"},
        [EPOCH_STREAMS] = {"streams", "Stream engines: cycles in which they were active, and their buffers"},
        [EPOCH_BURSTS] = {"bursts", "Bursts by length at each bus interface"},
        [EPOCH_CACHES] = {"cache", "The NPU's cache"},
        [EPOCH_POOLS] = {"pools", "Bytes and rates of each memory and bus interface"},
        [EPOCH_WORK] = {"work", "Operations and units, as the compiler planned them"},
    };
    for (int i = 0; i < EPOCH_TABLES; i++) {
        cell_grid grid;
        html_table table = {
            .id = tables[i].id, .number = model + 1, .caption = tables[i].caption, .filter = "filter epochs"};
        table.n_totals = view_epoch_table(e, (epoch_table)i, MOST_EPOCHS, &grid, page->arena);
        if (grid.n_rows)
            html_printf(out, "<h4>%s</h4>\n", tables[i].caption);
        grid_put_html(&grid, &table, out);
    }
}

/* What the epochs of a Neural-ART did while they were profiled: the lines and tables of `roofline reconcile`. */
static void put_epochs(const report_page *page, uint32_t model, textbuf *out)
{
    const roof_reconciled *of = page->models[model].experiment;
    const roof_epochs *e = of ? of->epochs : NULL;
    const html_table types = {"epoch-types", model + 1, .caption = "Time by type of epoch", .bar = "share"},
                     flows = {"flows", model + 1, .caption = "Bytes and rates of memories and buses"},
                     epochs = {"epochs", model + 1, "Epochs by their phases", "filter epochs",
                               .bar = "share"};
    remarks lines = {.arena = page->arena};
    cell_grid grid;
    if (!e)
        return;
    text_puts(out, "<h3>Epochs</h3>\n");
    view_epoch_lines(e, &lines);
    page_put_remarks("facts short", &lines, out);
    view_epoch_types(e, &grid, page->arena);
    grid_put_html(&grid, &types, out);
    view_epoch_flows(e, &grid, page->arena);
    grid_put_html(&grid, &flows, out);
    if (view_epochs(e, PAGE_MOST_ROWS, &grid, page->arena))
        text_printf(out, "<p class=\"note\">The %u longest of %u epochs.</p>\n", (unsigned)PAGE_MOST_ROWS,
                    e->n_rows);
    grid_put_html(&grid, &epochs, out);
    put_epoch_counts(page, model, e, out);
}

/* How busy units of the accelerator were, by kind of layer and in each. */
static void put_busy(const report_page *page, uint32_t model, textbuf *out)
{
    const roof_reconciled *e = page->models[model].experiment;
    const html_table types = {"busy-types", model + 1, .caption = "How busy units were, by kind of layer",
                              .bar = "share"},
                     layers = {"busy", model + 1, "How busy units were in each layer", "filter layers",
                               .bar = "share"};
    cell_grid grid;
    if (!e || !e->busy)
        return;
    text_puts(out, "<h3>Units</h3>\n");
    view_busy_types(e, &grid, page->arena);
    grid_put_html(&grid, &types, out);
    if (view_busy(e, PAGE_MOST_ROWS, (name_prefixes){"", 0}, &grid, page->arena))
        text_printf(out, "<p class=\"note\">The %u longest of %u layers.</p>\n", (unsigned)PAGE_MOST_ROWS,
                    e->n_units);
    grid_put_html(&grid, &layers, out);
}

static void put_alternatives(const report_page *page, uint32_t model, textbuf *out)
{
    const roof_prediction *p = page->models[model].prediction;
    const html_table table = {
        .id = "what-if", .number = model + 1, .caption = "The same model with another workload"};
    cell_grid grid;
    if (!p || !p->n_alternatives)
        return;
    text_puts(out, "<h3>What if</h3>\n");
    view_alternatives(p, &grid, page->arena);
    grid_put_html(&grid, &table, out);
}

/* What engines wait for, a table for each part of the network. */
static void put_schedule(const report_page *page, uint32_t model, textbuf *out)
{
    const roof_prediction *p = page->models[model].prediction;
    cell_grid grid;
    if (!p || !p->schedule.n_parts)
        return;
    text_puts(
        out,
        "<h3>Schedule</h3>\n<p class=\"note\">Shares of the scheduled time in which an engine is busy, waits "
        "for another one, or has finished. Path is the engine's share of the critical path.</p>\n");
    for (uint32_t i = 0; i < p->schedule.n_parts; i++) {
        const char *heading = schedule_heading(p, i, page->arena);
        const html_table table = {.id = text_or_empty(arena_printf(page->arena, "schedule-%u", model + 1)),
                                  .number = i + 1,
                                  .caption = heading ? heading : "What engines wait for"};
        if (heading)
            html_printf(out, "<h4>%s</h4>\n", heading);
        view_schedule(p, i, &grid, page->arena);
        grid_put_html(&grid, &table, out);
    }
}

static void put_what_ifs(const report_page *page, uint32_t model, textbuf *out)
{
    const roof_prediction *p = page->models[model].prediction;
    const html_table table = {
        .id = "faster", .number = model + 1, .caption = "What would make the schedule shorter"};
    cell_grid grid;
    if (!p)
        return;
    view_what_ifs(p, &grid, page->arena);
    if (!grid.n_rows)
        return;
    text_puts(out, "<h3>What would make it faster</h3>\n<p class=\"note\">The same code with one engine "
                   "twice as fast, or without one of the layers that have most of the critical path. A gain "
                   "is the part of the time that is saved.</p>\n");
    grid_put_html(&grid, &table, out);
}

void page_put_model(const report_page *page, uint32_t model, textbuf *out)
{
    const page_model *m = &page->models[model];
    put_sentences(page, m, out);
    put_figures(page, model, false, out);
    put_facts(page, m, out);
    put_alternatives(page, model, out);
    put_schedule(page, model, out);
    put_what_ifs(page, model, out);
    put_epochs(page, model, out);
    put_busy(page, model, out);
    page_put_changes(page, model, out);
    put_layers(page, model, out);
}

/* --- calibration -------------------------------------------------------------------------------------- */

void page_put_calibration(const report_page *page, textbuf *out)
{
    const roof_calibration *c = page->input->calibration;
    cell_grid grid;
    html_printf(out,
                "<p>Parameters of this hardware, fitted to the profiles, for <code>roofline predict</code> "
                "with <code class=\"option\">--calibration</code>: %s.</p>\n",
                view_calibration_line(c, page->arena));
    view_calibration(c, &grid, page->arena);
    const html_table table = {.id = "parameters", .caption = "Parameters of the calibration"};
    grid_put_html(&grid, &table, out);
}
