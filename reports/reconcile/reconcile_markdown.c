/* The same page for reviews and issues. */
#include "core/error.h"
#include "reports/paper.h"
#include "reports/reconcile/epoch_view.h"
#include "reports/reconcile/reconcile_view.h"
#include "reports/renderer.h"
#include "roofline/words.h"

#include <stdio.h>

enum { MOST_UNITS = 200 };

static void put_item(textbuf *out, const char *label, const char *text)
{
    text_printf(out, "- %s: ", label);
    put_markdown(out, text);
    text_puts(out, "\n");
}

static void put_attribution(textbuf *out, const char *label, const roof_attribution *a)
{
    char text[800];
    if (!a->of)
        return;
    view_attribution(a, text, sizeof text);
    put_item(out, label, text);
}

static void put_epochs(const roof_epochs *e, bool all, textbuf *out, roof_arena *arena)
{
    epoch_line lines[EPOCH_LINES];
    text_grid grids[3];
    if (!e)
        return;
    uint32_t n = view_epoch_lines(e, lines);
    for (uint32_t i = 0; i < n; i++)
        put_item(out, lines[i].label, lines[i].text);
    view_epoch_types(e, &grids[0], arena);
    view_epoch_flows(e, &grids[1], arena);
    view_epochs(e, all ? 0 : MOST_UNITS, &grids[2], arena);
    for (int i = 0; i < 3; i++) {
        text_puts(out, "\n");
        if (grids[i].n_cells)
            grid_put_markdown(&grids[i], out);
        out->failed = out->failed || grids[i].failed;
    }
    text_puts(out, "\n");
}

static void put_experiment(const roof_reconciliation *r, const roof_reconciled *e, bool all,
                           roof_arena *arena, textbuf *out)
{
    text_grid grid;
    char text[1024];
    uint32_t i = (uint32_t)(e - r->experiments);
    text_puts(out, "## ");
    put_markdown(out, e->model);
    text_puts(out, "\n\n");
    put_attribution(out, "phases", &e->wall);
    view_types(e, text, sizeof text);
    if (text[0])
        put_item(out, "by kind of layer", text);
    if (roof_sentence(r, ROOF_SENTENCE_SPLIT, i, text))
        put_item(out, "split", text);
    text_puts(out, "\n");
    put_epochs(e->epochs, all, out, arena);
    uint32_t left_out = view_units(r, e, all ? 0 : MOST_UNITS, (name_prefixes){"", 0}, &grid, arena);
    grid_put_markdown(&grid, out);
    if (left_out)
        text_printf(out, "\nThe %d largest of %u.\n", MOST_UNITS, e->n_units);
    text_puts(out, "\n");
    out->failed = out->failed || grid.failed;
}

static void put_findings(const roof_reconciliation *r, textbuf *out)
{
    for (uint32_t i = 0; i < r->n_findings; i++) {
        const roof_reconcile_finding *f = &r->findings[i];
        char text[ROOF_SENTENCE_SIZE];
        text_printf(out, "- %s: ", roof_finding_kind_text(f->kind));
        if (f->experiment != ROOF_NONE) {
            put_markdown(out, r->experiments[f->experiment].model);
            text_puts(out, ": ");
        }
        if (f->unit) {
            put_markdown_code(out, f->unit);
            text_puts(out, ": ");
        }
        put_markdown(out, roof_sentence(r, ROOF_SENTENCE_FINDING, i, text));
        text_puts(out, ". *");
        put_markdown(out, roof_finding_advice(f->kind));
        text_puts(out, "*\n");
    }
}

roof_status reconcile_markdown(const roof_reconciliation *r, const roof_render_options *options, textbuf *out,
                               roof_error *err)
{
    char summary[1024], text[ROOF_SENTENCE_SIZE];
    text_grid grid;
    roof_arena *arena = arena_new(0);
    if (!arena)
        return error_memory(err);
    for (uint32_t i = 0; roof_sentence(r, ROOF_SENTENCE_VERDICT, i, text); i++) {
        text_puts(out, i ? "" : "**");
        put_markdown(out, text);
        text_puts(out, i ? "\n\n" : "**\n\n");
    }
    view_models(r, &grid, arena);
    grid_put_markdown(&grid, out);
    text_puts(out, "\n");
    out->failed = out->failed || grid.failed;
    view_fits(r, &grid, arena);
    if (grid.n_cells)
        grid_put_markdown(&grid, out);
    text_puts(out, "\n");
    view_where(r, &grid, arena);
    grid_put_markdown(&grid, out);
    text_puts(out, "\n");
    if (roof_sentence(r, ROOF_SENTENCE_CEILING, 0, text))
        put_item(out, "ceiling", text);
    put_item(out, "measure next", roof_sentence(r, ROOF_SENTENCE_FIT_NEXT, ROOF_FIT_OVERHEAD, text));
    text_puts(out, "\n");
    for (uint32_t i = 0; i < r->n_experiments; i++)
        put_experiment(r, &r->experiments[i], options->details, arena, out);
    if (options->calibration) {
        text_puts(out, "## Calibration\n\n");
        view_calibration(options->calibration, &grid, arena);
        grid_put_markdown(&grid, out);
        view_calibration_line(options->calibration, summary, sizeof summary);
        text_puts(out, "\n");
        put_markdown(out, summary);
        text_puts(out, "\n\n");
    }
    view_findings_summary(r, summary, sizeof summary);
    text_puts(out, "## Findings\n\n");
    put_markdown(out, summary);
    text_puts(out, "\n\n");
    put_findings(r, out);
    roof_status status = arena_status(arena, err);
    arena_free(arena);
    return status == ROOF_OK ? text_status(out, err) : status;
}
