/* The verdict, the models, the fits, then each model: where its time goes, and its layers. */
#include "core/error.h"
#include "reports/paper.h"
#include "reports/reconcile/epoch_view.h"
#include "reports/reconcile/reconcile_view.h"
#include "reports/renderer.h"
#include "roofline/words.h"

/* Units of a model that a page shows; --details shows all. */
enum { MOST_UNITS = 80 };

typedef struct page {
    const roof_reconciliation *r;
    const roof_render_options *options;
    textbuf *out;
    roof_arena *arena;
    size_t width;
    roof_error *err;
} page;

static roof_status put_grid(const page *p, const text_grid *grid)
{
    if (!grid->n_cells && !grid->failed)
        return ROOF_OK;
    TRY(grid_put(grid, p->width, p->options->colour, p->out, p->err));
    text_puts(p->out, "\n");
    return ROOF_OK;
}

static void put_lines(const page *p, const roof_reconciled *e)
{
    view_line lines[VIEW_LINES];
    uint32_t n = view_lines(p->r, e, lines);
    for (uint32_t i = 0; i < n; i++)
        put_labelled(p->out, lines[i].label, lines[i].text, p->width);
}

static roof_status put_epochs(const page *p, const roof_epochs *e)
{
    epoch_line lines[EPOCH_LINES];
    text_grid grid;
    if (!e)
        return ROOF_OK;
    uint32_t n = view_epoch_lines(e, lines);
    for (uint32_t i = 0; i < n; i++)
        put_labelled(p->out, lines[i].label, lines[i].text, p->width);
    text_puts(p->out, "\n");
    view_epoch_types(e, &grid, p->arena);
    TRY(put_grid(p, &grid));
    view_epoch_flows(e, &grid, p->arena);
    TRY(put_grid(p, &grid));
    uint32_t left_out = view_epochs(e, p->options->details ? 0 : MOST_UNITS, &grid, p->arena);
    if (left_out)
        text_printf(p->out, "the %d longest of %u epochs; --details shows all\n", MOST_UNITS, e->n_rows);
    return put_grid(p, &grid);
}

static roof_status put_experiment(const page *p, const roof_reconciled *e)
{
    text_grid grid;
    name_prefixes prefix = name_prefix_of(e->prediction);
    text_shown(p->out, e->model);
    text_puts(p->out, "\n");
    put_lines(p, e);
    text_puts(p->out, "\n");
    TRY(put_epochs(p, e->epochs));
    if (!e->layer_run) /* nothing but layers without a time */
        return ROOF_OK;
    uint32_t left_out = view_units(p->r, e, p->options->details ? 0 : MOST_UNITS, prefix, &grid, p->arena);
    TRY(grid_put(&grid, p->width, p->options->colour, p->out, p->err));
    if (left_out)
        text_printf(p->out, "the %d largest of %u; --details shows all\n", MOST_UNITS, e->n_units);
    put_prefix(p->out, prefix);
    text_puts(p->out, "\n");
    return ROOF_OK;
}

static void put_findings(const page *p)
{
    for (uint32_t i = 0; i < p->r->n_findings; i++) {
        const roof_reconcile_finding *f = &p->r->findings[i];
        char text[ROOF_SENTENCE_SIZE];
        textbuf line;
        text_init(&line, TEXT_MAX_BYTES);
        text_printf(&line, "%s: ", roof_finding_kind_text(f->kind));
        if (f->experiment != ROOF_NONE)
            text_printf(&line, "%s: ", p->r->experiments[f->experiment].model);
        if (f->unit)
            text_printf(&line, "%s: ", f->unit);
        text_puts(&line, roof_sentence(p->r, ROOF_SENTENCE_FINDING, i, text));
        text_puts(p->out, "\n");
        p->out->failed = p->out->failed || line.failed;
        put_wrapped(p->out, line.bytes ? line.bytes : "", p->width - 2, 2);
        text_free(&line);
        text_puts(p->out, "  -> ");
        put_wrapped(p->out, roof_finding_advice(f->kind), p->width - 5, 5);
    }
}

static void put_next(const page *p)
{
    char text[ROOF_SENTENCE_SIZE];
    roof_sentence(p->r, ROOF_SENTENCE_FIT_NEXT, ROOF_FIT_OVERHEAD, text);
    if (text[0])
        put_labelled(p->out, "measure next", text, p->width);
}

static roof_status put_calibration(const page *p)
{
    char text[600];
    text_grid grid;
    if (!p->options->calibration)
        return ROOF_OK;
    view_calibration(p->options->calibration, &grid, p->arena);
    TRY(grid_put(&grid, p->width, p->options->colour, p->out, p->err));
    view_calibration_line(p->options->calibration, text, sizeof text);
    put_wrapped(p->out, text, p->width, 0);
    text_puts(p->out, "\n");
    return ROOF_OK;
}

static roof_status put_page(const page *p)
{
    char text[1024]; /* a sentence, or the summary */
    text_grid grid;
    for (uint32_t i = 0; roof_sentence(p->r, ROOF_SENTENCE_VERDICT, i, text); i++)
        put_wrapped(p->out, text, p->width, 0);
    text_puts(p->out, "\n");
    view_models(p->r, &grid, p->arena);
    TRY(put_grid(p, &grid));
    view_fits(p->r, &grid, p->arena);
    TRY(put_grid(p, &grid));
    view_where(p->r, &grid, p->arena);
    TRY(put_grid(p, &grid));
    for (uint32_t i = 0; i < p->r->n_experiments; i++)
        TRY(put_experiment(p, &p->r->experiments[i]));
    TRY(put_calibration(p));
    if (p->r->n_experiments > 1 && roof_sentence(p->r, ROOF_SENTENCE_CEILING, 0, text))
        put_labelled(p->out, "ceiling", text, p->width);
    put_next(p);
    view_findings_summary(p->r, text, sizeof text);
    put_labelled(p->out, "findings", text, p->width);
    if (p->options->all_findings)
        put_findings(p);
    else if (p->r->n_findings)
        text_puts(p->out, "             --findings lists them with advice\n");
    return ROOF_OK;
}

roof_status reconcile_text(const roof_reconciliation *r, const roof_render_options *options, textbuf *out,
                           roof_error *err)
{
    page p = {.r = r, .options = options, .out = out, .arena = arena_new(0), .err = err};
    p.width = options->width ? options->width : TEXT_DEFAULT_WIDTH;
    roof_status status = p.arena ? put_page(&p) : error_memory(err);
    if (status == ROOF_OK)
        status = arena_status(p.arena, err);
    arena_free(p.arena);
    return status == ROOF_OK ? text_status(out, err) : status;
}
