/* The verdict, the models, the fits, then each model: where its time goes, and its layers. */
#include "core/error.h"
#include "reports/paper.h"
#include "reports/reconcile/epoch_view.h"
#include "reports/reconcile/reconcile_view.h"
#include "reports/renderer.h"

/* Units of a model that a page shows; --details shows all. */
enum { MOST_UNITS = 80 };

typedef struct page {
    const roof_reconciliation *r;
    const roof_render_options *options;
    roof_text *out;
    roof_arena *arena;
    size_t width;
    roof_error *err;
} page;

static roof_status put_grid(const page *p, const roof_grid *grid)
{
    if (!grid->n_cells && !grid->failed)
        return ROOF_OK;
    ROOF_TRY(roof_grid_put(grid, p->width, p->options->colour, p->out, p->err));
    roof_text_puts(p->out, "\n");
    return ROOF_OK;
}

static void put_lines(const page *p, const roof_reconciled *e)
{
    roof_view_line lines[ROOF_VIEW_LINES];
    uint32_t n = roof_view_lines(p->r, e, lines);
    for (uint32_t i = 0; i < n; i++)
        roof_put_labelled(p->out, lines[i].label, lines[i].text, p->width);
}

static roof_status put_epochs(const page *p, const roof_epochs *e)
{
    roof_epoch_line lines[ROOF_EPOCH_LINES];
    roof_grid grid;
    if (!e)
        return ROOF_OK;
    uint32_t n = roof_view_epoch_lines(e, lines);
    for (uint32_t i = 0; i < n; i++)
        roof_put_labelled(p->out, lines[i].label, lines[i].text, p->width);
    roof_text_puts(p->out, "\n");
    roof_view_epoch_types(e, &grid, p->arena);
    ROOF_TRY(put_grid(p, &grid));
    roof_view_epoch_flows(e, &grid, p->arena);
    ROOF_TRY(put_grid(p, &grid));
    uint32_t left_out = roof_view_epochs(e, p->options->details ? 0 : MOST_UNITS, &grid, p->arena);
    if (left_out)
        roof_text_printf(p->out, "the %d longest of %u epochs; --details shows all\n", MOST_UNITS, e->n_rows);
    return put_grid(p, &grid);
}

static roof_status put_experiment(const page *p, const roof_reconciled *e)
{
    roof_grid grid;
    roof_name_prefix prefix = roof_name_prefix_of(e->prediction);
    roof_text_shown(p->out, e->model);
    roof_text_puts(p->out, "\n");
    put_lines(p, e);
    roof_text_puts(p->out, "\n");
    ROOF_TRY(put_epochs(p, e->epochs));
    if (!e->layer_run) /* nothing but layers without a time */
        return ROOF_OK;
    uint32_t left_out =
        roof_view_units(p->r, e, p->options->details ? 0 : MOST_UNITS, prefix, &grid, p->arena);
    ROOF_TRY(roof_grid_put(&grid, p->width, p->options->colour, p->out, p->err));
    if (left_out)
        roof_text_printf(p->out, "the %d largest of %u; --details shows all\n", MOST_UNITS, e->n_units);
    roof_put_prefix(p->out, prefix);
    roof_text_puts(p->out, "\n");
    return ROOF_OK;
}

static void put_findings(const page *p)
{
    for (uint32_t i = 0; i < p->r->n_findings; i++) {
        const roof_reconcile_finding *f = &p->r->findings[i];
        roof_text line;
        roof_text_init(&line, ROOF_TEXT_MAX_BYTES);
        roof_text_printf(&line, "%s: ", roof_finding_kind_text(f->kind));
        if (f->experiment != ROOF_NONE)
            roof_text_printf(&line, "%s: ", p->r->experiments[f->experiment].model);
        if (f->unit)
            roof_text_printf(&line, "%s: ", f->unit);
        roof_text_puts(&line, f->text);
        roof_text_puts(p->out, "\n");
        p->out->failed = p->out->failed || line.failed;
        roof_put_wrapped(p->out, line.bytes ? line.bytes : "", p->width - 2, 2);
        roof_text_free(&line);
        roof_text_puts(p->out, "  -> ");
        roof_put_wrapped(p->out, roof_finding_advice(f->kind), p->width - 5, 5);
    }
}

static void put_next(const page *p)
{
    const roof_overhead_fit *f = &p->r->fits[ROOF_FIT_OVERHEAD];
    if (f->advice && f->advice[0])
        roof_put_labelled(p->out, "measure next", f->advice, p->width);
}

static roof_status put_calibration(const page *p)
{
    char text[600];
    roof_grid grid;
    if (!p->options->calibration)
        return ROOF_OK;
    roof_view_calibration(p->options->calibration, &grid, p->arena);
    ROOF_TRY(roof_grid_put(&grid, p->width, p->options->colour, p->out, p->err));
    roof_view_calibration_line(p->options->calibration, text, sizeof text);
    roof_put_wrapped(p->out, text, p->width, 0);
    roof_text_puts(p->out, "\n");
    return ROOF_OK;
}

static roof_status put_page(const page *p)
{
    char summary[1024];
    roof_grid grid;
    for (uint32_t i = 0; i < p->r->n_verdict; i++)
        roof_put_wrapped(p->out, p->r->verdict[i], p->width, 0);
    roof_text_puts(p->out, "\n");
    roof_view_models(p->r, &grid, p->arena);
    ROOF_TRY(put_grid(p, &grid));
    roof_view_fits(p->r, &grid, p->arena);
    ROOF_TRY(put_grid(p, &grid));
    roof_view_where(p->r, &grid, p->arena);
    ROOF_TRY(put_grid(p, &grid));
    for (uint32_t i = 0; i < p->r->n_experiments; i++)
        ROOF_TRY(put_experiment(p, &p->r->experiments[i]));
    ROOF_TRY(put_calibration(p));
    if (p->r->ceiling.sentence && p->r->n_experiments > 1)
        roof_put_labelled(p->out, "ceiling", p->r->ceiling.sentence, p->width);
    put_next(p);
    roof_view_findings_summary(p->r, summary, sizeof summary);
    roof_put_labelled(p->out, "findings", summary, p->width);
    if (p->options->all_findings)
        put_findings(p);
    else if (p->r->n_findings)
        roof_text_puts(p->out, "             --findings lists them with advice\n");
    return ROOF_OK;
}

roof_status roof_reconcile_text(const roof_reconciliation *r, const roof_render_options *options,
                                roof_text *out, roof_error *err)
{
    page p = {.r = r, .options = options, .out = out, .arena = roof_arena_new(0), .err = err};
    p.width = options->width ? options->width : ROOF_DEFAULT_WIDTH;
    roof_status status = p.arena ? put_page(&p) : roof_fail_memory(err);
    if (status == ROOF_OK)
        status = roof_arena_status(p.arena, err);
    roof_arena_free(p.arena);
    return status == ROOF_OK ? roof_text_status(out, err) : status;
}
