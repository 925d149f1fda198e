/* The verdict, the models, the fits, then each model: where its time goes, and its layers. */
#include "reports/reconcile/reconcile_view.h"
#include "reports/renderer.h"
#include "roofline/words.h"

/* Units of a model that are shown; --details shows all. */
enum { MOST_ON_TERMINALS = 80, MOST_IN_MARKDOWN = 200 };

typedef struct page {
    const roof_reconciliation *r;
    const roof_render_options *options;
    const text_paper *paper;
    roof_arena *arena;
    uint32_t most;
} page;

static void put(const page *p, const char *text)
{
    text_puts(p->paper->out, text);
}

static void put_grid(const page *p, const cell_grid *grid)
{
    if (grid->n_rows)
        grid_put(grid, p->paper);
    put(p, grid->n_rows || p->paper->is_markdown ? "\n" : "");
}

static void put_title(const page *p, const char *title)
{
    if (!p->paper->is_markdown) {
        text_shown(p->paper->out, title);
        put(p, "\n");
        return;
    }
    put(p, "## ");
    put_markdown(p->paper->out, title);
    put(p, "\n\n");
}

static void put_epochs(const page *p, const roof_epochs *e)
{
    cell_grid grid;
    remarks lines = {.arena = p->arena};
    if (!e)
        return;
    view_epoch_lines(e, &lines);
    remarks_put(&lines, p->paper);
    put(p, "\n");
    view_epoch_types(e, &grid, p->arena);
    put_grid(p, &grid);
    view_epoch_flows(e, &grid, p->arena);
    put_grid(p, &grid);
    if (view_epochs(e, p->most, &grid, p->arena) && !p->paper->is_markdown)
        text_printf(p->paper->out, "the %u longest of %u epochs; --details shows all\n", p->most, e->n_rows);
    put_grid(p, &grid);
}

static void put_busy(const page *p, const roof_reconciled *e, name_prefixes prefix)
{
    cell_grid grid;
    if (!e->busy)
        return;
    view_busy_types(e, &grid, p->arena);
    put_grid(p, &grid);
    if (view_busy(e, p->most, prefix, &grid, p->arena) && !p->paper->is_markdown)
        text_printf(p->paper->out, "the %u longest of %u; --details shows all\n", p->most, e->n_units);
    put_grid(p, &grid);
}

static void put_experiment(const page *p, const roof_reconciled *e)
{
    cell_grid grid;
    remarks lines = {.arena = p->arena};
    bool is_text = !p->paper->is_markdown;
    name_prefixes prefix = is_text ? name_prefix_of(e->prediction) : (name_prefixes){"", 0};
    put_title(p, e->model);
    view_lines(p->r, e, !is_text, &lines);
    remarks_put(&lines, p->paper);
    put(p, "\n");
    put_epochs(p, e->epochs);
    put_busy(p, e, prefix);
    if (!e->layer_run && is_text) /* nothing but layers without a time */
        return;
    uint32_t left_out = view_units(p->r, e, p->most, prefix, &grid, p->arena);
    grid_put(&grid, p->paper);
    if (left_out)
        text_printf(p->paper->out,
                    is_text ? "the %u largest of %u; --details shows all\n" : "\nThe %u largest of %u.\n",
                    p->most, e->n_units);
    put_prefix(p->paper->out, prefix);
    put(p, "\n");
}

static void put_calibration(const page *p, const roof_calibration *c)
{
    cell_grid grid;
    const char *line = view_calibration_line(c, p->arena);
    if (p->paper->is_markdown)
        put_title(p, "Calibration");
    view_calibration(c, &grid, p->arena);
    grid_put(&grid, p->paper);
    if (p->paper->is_markdown) {
        put(p, "\n");
        put_markdown(p->paper->out, line);
        put(p, "\n\n");
    } else {
        put_wrapped(p->paper->out, line, p->paper->width, 0);
        put(p, "\n");
    }
}

static void put_findings(const page *p)
{
    const roof_reconciliation *r = p->r;
    const char *summary = findings_summary(p->arena, r->findings, r->n_findings, sizeof *r->findings);
    if (p->paper->is_markdown) {
        put_title(p, "Findings");
        put_markdown(p->paper->out, summary);
        put(p, "\n\n");
    } else {
        paper_item(p->paper, "findings", summary);
    }
    for (uint32_t i = 0; i < r->n_findings && (p->options->all_findings || p->paper->is_markdown); i++) {
        const roof_reconcile_finding *f = &r->findings[i];
        const char *model = f->experiment == ROOF_NONE ? NULL : r->experiments[f->experiment].model;
        char text[ROOF_SENTENCE_SIZE];
        put_finding(p->paper, "", f->kind, model, f->unit, roof_sentence(r, ROOF_SENTENCE_FINDING, i, text));
    }
    put_findings_hint(p->paper, p->options, r->n_findings);
}

/* What all models say together: on a terminal, where one reads from the end, below them. */
static void put_advice(const page *p)
{
    remarks lines = {.arena = p->arena};
    char text[ROOF_SENTENCE_SIZE];
    if ((p->paper->is_markdown || p->r->n_experiments > 1) &&
        roof_sentence(p->r, ROOF_SENTENCE_CEILING, 0, text))
        remarks_add(&lines, "ceiling", "%s", text);
    remarks_add(&lines, "measure next", "%s",
                roof_sentence(p->r, ROOF_SENTENCE_FIT_NEXT, ROOF_FIT_OVERHEAD, text));
    remarks_put(&lines, p->paper);
}

static void put_verdict(const page *p)
{
    enum { MOST = 16 };
    const char *sentences[MOST];
    char text[ROOF_SENTENCE_SIZE];
    uint32_t n = 0;
    while (n < MOST && roof_sentence(p->r, ROOF_SENTENCE_VERDICT, n, text))
        sentences[n++] = text_or_empty(arena_strdup(p->arena, text));
    paper_verdict(p->paper, sentences, n);
}

void reconcile_put(const rendering *r)
{
    const uint32_t most = r->paper.is_markdown ? MOST_IN_MARKDOWN : MOST_ON_TERMINALS;
    const page whole = {r->reconciliation, r->options, &r->paper, r->arena, r->options->details ? 0 : most};
    const page *p = &whole;
    cell_grid grid;
    put_verdict(p);
    view_models(p->r, &grid, p->arena);
    put_grid(p, &grid);
    view_fits(p->r, &grid, p->arena);
    put_grid(p, &grid);
    view_where(p->r, false, &grid, p->arena);
    put_grid(p, &grid);
    view_energies(p->r, &grid, p->arena);
    if (grid.n_rows)
        put_grid(p, &grid);
    if (p->paper->is_markdown) {
        put_advice(p);
        put(p, "\n");
    }
    for (uint32_t i = 0; i < p->r->n_experiments; i++)
        put_experiment(p, &p->r->experiments[i]);
    if (p->options->calibration)
        put_calibration(p, p->options->calibration);
    if (!p->paper->is_markdown)
        put_advice(p);
    put_findings(p);
}
