/* The same page for reviews and issues. */
#include "core/error.h"
#include "reports/paper.h"
#include "reports/reconcile/epoch_view.h"
#include "reports/reconcile/reconcile_view.h"
#include "reports/renderer.h"

#include <stdio.h>

enum { MOST_UNITS = 200 };

static void put_item(roof_text *out, const char *label, const char *text)
{
    roof_text_printf(out, "- %s: ", label);
    roof_put_markdown(out, text);
    roof_text_puts(out, "\n");
}

static void put_attribution(roof_text *out, const char *label, const roof_attribution *a)
{
    char text[800];
    if (!a->of)
        return;
    roof_view_attribution(a, text, sizeof text);
    put_item(out, label, text);
}

static void put_epochs(const roof_epochs *e, bool all, roof_text *out, roof_arena *arena)
{
    roof_epoch_line lines[ROOF_EPOCH_LINES];
    roof_grid grids[3];
    if (!e)
        return;
    uint32_t n = roof_view_epoch_lines(e, lines);
    for (uint32_t i = 0; i < n; i++)
        put_item(out, lines[i].label, lines[i].text);
    roof_view_epoch_types(e, &grids[0], arena);
    roof_view_epoch_flows(e, &grids[1], arena);
    roof_view_epochs(e, all ? 0 : MOST_UNITS, &grids[2], arena);
    for (int i = 0; i < 3; i++) {
        roof_text_puts(out, "\n");
        if (grids[i].n_cells)
            roof_grid_put_markdown(&grids[i], out);
        out->failed = out->failed || grids[i].failed;
    }
    roof_text_puts(out, "\n");
}

static void put_experiment(const roof_reconciliation *r, const roof_reconciled *e, bool all,
                           roof_arena *arena, roof_text *out)
{
    roof_grid grid;
    char text[1024];
    roof_text_puts(out, "## ");
    roof_put_markdown(out, e->model);
    roof_text_puts(out, "\n\n");
    put_attribution(out, "phases", &e->wall);
    roof_view_types(e, text, sizeof text);
    if (text[0])
        put_item(out, "by kind of layer", text);
    if (e->split)
        put_item(out, "split", e->split);
    roof_text_puts(out, "\n");
    put_epochs(e->epochs, all, out, arena);
    uint32_t left_out = roof_view_units(r, e, all ? 0 : MOST_UNITS, (roof_name_prefix){"", 0}, &grid, arena);
    roof_grid_put_markdown(&grid, out);
    if (left_out)
        roof_text_printf(out, "\nThe %d largest of %u.\n", MOST_UNITS, e->n_units);
    roof_text_puts(out, "\n");
    out->failed = out->failed || grid.failed;
}

static void put_findings(const roof_reconciliation *r, roof_text *out)
{
    for (uint32_t i = 0; i < r->n_findings; i++) {
        const roof_reconcile_finding *f = &r->findings[i];
        roof_text_printf(out, "- %s: ", roof_finding_kind_text(f->kind));
        if (f->experiment != ROOF_NONE) {
            roof_put_markdown(out, r->experiments[f->experiment].model);
            roof_text_puts(out, ": ");
        }
        if (f->unit) {
            roof_put_markdown_code(out, f->unit);
            roof_text_puts(out, ": ");
        }
        roof_put_markdown(out, f->text);
        roof_text_puts(out, ". *");
        roof_put_markdown(out, roof_finding_advice(f->kind));
        roof_text_puts(out, "*\n");
    }
}

roof_status roof_reconcile_markdown(const roof_reconciliation *r, const roof_render_options *options,
                                    roof_text *out, roof_error *err)
{
    char summary[1024];
    roof_grid grid;
    roof_arena *arena = roof_arena_new(0);
    if (!arena)
        return roof_fail_memory(err);
    for (uint32_t i = 0; i < r->n_verdict; i++) {
        roof_text_puts(out, i ? "" : "**");
        roof_put_markdown(out, r->verdict[i]);
        roof_text_puts(out, i ? "\n\n" : "**\n\n");
    }
    roof_view_models(r, &grid, arena);
    roof_grid_put_markdown(&grid, out);
    roof_text_puts(out, "\n");
    out->failed = out->failed || grid.failed;
    roof_view_fits(r, &grid, arena);
    if (grid.n_cells)
        roof_grid_put_markdown(&grid, out);
    roof_text_puts(out, "\n");
    roof_view_where(r, &grid, arena);
    roof_grid_put_markdown(&grid, out);
    roof_text_puts(out, "\n");
    if (r->ceiling.sentence)
        put_item(out, "ceiling", r->ceiling.sentence);
    if (r->fits[ROOF_FIT_OVERHEAD].advice)
        put_item(out, "measure next", r->fits[ROOF_FIT_OVERHEAD].advice);
    roof_text_puts(out, "\n");
    for (uint32_t i = 0; i < r->n_experiments; i++)
        put_experiment(r, &r->experiments[i], options->details, arena, out);
    if (options->calibration) {
        roof_text_puts(out, "## Calibration\n\n");
        roof_view_calibration(options->calibration, &grid, arena);
        roof_grid_put_markdown(&grid, out);
        roof_view_calibration_line(options->calibration, summary, sizeof summary);
        roof_text_puts(out, "\n");
        roof_put_markdown(out, summary);
        roof_text_puts(out, "\n\n");
    }
    roof_view_findings_summary(r, summary, sizeof summary);
    roof_text_puts(out, "## Findings\n\n");
    roof_put_markdown(out, summary);
    roof_text_puts(out, "\n\n");
    put_findings(r, out);
    roof_status status = roof_arena_status(arena, err);
    roof_arena_free(arena);
    return status == ROOF_OK ? roof_text_status(out, err) : status;
}
