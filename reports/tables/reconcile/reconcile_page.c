/* The verdict, the models, the fits, then each model: where its time goes, and its layers. */
#include "reports/words/finding_groups.h"
#include "reports/tables/reconcile/reconcile_view.h"
#include "reports/renderers/renderer.h"
#include "roofline/words.h"

#include <math.h>

/* Rows of a table that are shown; --details shows all. */
enum {
    MOST_ON_TERMINALS = 80,
    MOST_AT_FIRST = 20,
    LEAST_OF_SEVERAL = 3,
    ALL_OF_SEVERAL = 10,
    MOST_CAUSES = 5,
    MOST_CAUSES_OF_SEVERAL = 4,
    MOST_IN_MARKDOWN = 200
};

typedef struct page {
    const rendering *to;
    const roof_reconciliation *r;
    const roof_render_options *options;
    const text_paper *paper;
    roof_arena *arena;
    bool is_brief; /* without statistics: on a terminal, where nobody asks for rows or details */
    bool is_of_several;
} page;

/* Of few models more of each. */
static uint32_t rows_of_several(uint32_t n)
{
    return ALL_OF_SEVERAL / n > LEAST_OF_SEVERAL ? ALL_OF_SEVERAL / n : LEAST_OF_SEVERAL;
}

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

/* The same of a table whose rows the reader may choose. */
static void put_rows(const page *p, cell_grid *grid, const table_rows *rows)
{
    if (grid->n_rows)
        put_arranged(p->to, grid, rows);
    put(p, grid->n_rows || p->paper->is_markdown ? "\n" : "");
}

/* What was counted: of all epochs together, with --details of each. */
static void put_epoch_counts(const page *p, const roof_epochs *e)
{
    static const epoch_table tables[] = {EPOCH_STREAMS, EPOCH_BURSTS, EPOCH_CACHES, EPOCH_WORK};
    uint32_t most = p->options->details ? UINT32_MAX : 0;
    cell_grid grid;
    if (most) {
        (void)view_epoch_table(e, EPOCH_CYCLES, most, &grid, p->arena);
        put_grid(p, &grid);
        (void)view_epoch_table(e, EPOCH_POOLS, most, &grid, p->arena);
        put_grid(p, &grid);
    }
    for (size_t i = 0; i < sizeof tables / sizeof *tables; i++) {
        (void)view_epoch_table(e, tables[i], most, &grid, p->arena);
        if (grid.n_rows)
            put_grid(p, &grid);
    }
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
    put_epoch_counts(p, e);
    uint32_t left_out = view_epochs(e, rows_at_most(p->to), &grid, p->arena);
    put_rows(p, &grid, &(table_rows){"epoch", "time", .left_out = left_out});
}

static void put_busy(const page *p, const roof_reconciled *e, name_prefixes prefix)
{
    cell_grid grid;
    if (!e->busy)
        return;
    view_busy_types(e, &grid, p->arena);
    put_grid(p, &grid);
    uint32_t left_out = view_busy(e, rows_at_most(p->to), prefix, &grid, p->arena);
    put_rows(p, &grid, &(table_rows){"layer", "measured", .left_out = left_out});
}

static void put_absent(const page *p, const roof_reconciled *e, name_prefixes prefix)
{
    remarks lines = {.arena = p->arena};
    view_absent(e, prefix, p->options->details, &lines);
    if (lines.n && p->paper->is_markdown)
        put(p, "\n");
    remarks_put(&lines, p->paper);
}

/* Bars say at a glance what a table says in full: of one model, and of all with --details. */
static bool has_waterfalls(const page *p)
{
    return !p->paper->is_markdown && (p->r->n_experiments == 1 || p->options->details);
}

static void put_waterfalls(const page *p, const roof_reconciled *e)
{
    const bool has_total = !isnan(e->total.per_layer_s);
    cell_grid grid;
    if (!has_waterfalls(p))
        return;
    view_waterfall(&e->deployed, "deployed", p->paper->is_ascii, &grid, p->arena);
    if (grid.n_rows)
        put_grid(p, &grid);
    view_waterfall(&e->layer_by_layer, has_total ? "per-layer run" : "sum of layers", p->paper->is_ascii,
                   &grid, p->arena);
    if (grid.n_rows)
        put_grid(p, &grid);
}

static void put_experiment(const page *p, const roof_reconciled *e)
{
    cell_grid grid;
    remarks lines = {.arena = p->arena};
    bool is_text = !p->paper->is_markdown;
    name_prefixes prefix = is_text ? name_prefix_of(e->prediction) : (name_prefixes){"", 0};
    paper_title(p->paper, name_on_hardware(p->r, e, p->arena));
    view_lines(p->r, e,
               !is_text                          ? LINES_OF_MARKDOWN
               : p->is_brief && p->is_of_several ? LINES_BRIEF
                                                 : LINES_ALL,
               &lines);
    remarks_put(&lines, p->paper);
    put(p, p->is_brief && p->is_of_several ? "" : "\n");
    put_waterfalls(p, e);
    put_epochs(p, e->epochs);
    put_busy(p, e, prefix);
    if (!e->layer_run && is_text) /* nothing but layers without a time */
        return;
    uint32_t left_out = view_units(p->r, e, rows_at_most(p->to), prefix, &grid, p->arena);
    put_arranged(p->to, &grid, &(table_rows){"row", "measured", .n_last = 1, .left_out = left_out});
    if (!p->is_brief || !p->is_of_several) {
        put_prefix(p->paper->out, prefix);
        put_absent(p, e, prefix);
    }
    put(p, "\n");
    if (is_text && (p->options->details || has_buffer_times(e))) {
        left_out = view_row_times(p->r, e, rows_at_most(p->to), prefix, &grid, p->arena);
        put_rows(p, &grid, &(table_rows){"row", "mean", .left_out = left_out});
    }
}

static void put_calibration(const page *p, const roof_calibration *c)
{
    cell_grid grid;
    const char *line = view_calibration_line(c, p->arena);
    if (p->paper->is_markdown)
        paper_title(p->paper, "Calibration");
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
    finding_groups groups = {.arena = p->arena, .has_few_notes = p->is_brief};
    char text[ROOF_SENTENCE_SIZE];
    if (p->paper->is_markdown)
        paper_title(p->paper, "Findings");
    for (uint32_t i = 0; i < r->n_findings; i++) {
        const roof_reconcile_finding *f = &r->findings[i];
        const char *model = f->experiment == ROOF_NONE ? NULL : r->experiments[f->experiment].model;
        const char *said = arena_strdup(p->arena, roof_sentence(r, ROOF_SENTENCE_FINDING, i, text));
        uint64_t n = f->remark.form == ROOF_FORM_MORE ? (uint64_t)f->remark.operands[0].number : 1;
        finding_add(&groups, (found){f->kind, model, f->unit, text_or_empty(said), n});
    }
    finding_groups_put(&groups, p->paper, p->options);
}

/* What all models say together: on a terminal, where one reads from the end, below them. */
static void put_advice(const page *p)
{
    remarks lines = {.arena = p->arena};
    char text[ROOF_SENTENCE_SIZE];
    if ((p->paper->is_markdown || p->r->n_experiments > 1) && !p->is_brief &&
        roof_sentence(p->r, ROOF_SENTENCE_CEILING, 0, text))
        remarks_add(&lines, "ceiling", "%s", text);
    remarks_add(&lines, "measure next", "%s",
                roof_sentence(p->r, ROOF_SENTENCE_FIT_NEXT, ROOF_FIT_OVERHEAD, text));
    remarks_put(&lines, p->paper);
}

static void put_times(const page *p)
{
    cell_grid grid;
    remarks lines = {.arena = p->arena};
    view_times(p->r, &grid, p->arena);
    put_rows(p, &grid, &(table_rows){"row", NULL, .n_last = 0});
    if (!(p->options->deadline_s > 0))
        return;
    view_deadline(p->r, p->options->deadline_s, &lines);
    remarks_put(&lines, p->paper);
    put(p, "\n");
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

static void put_causes(const page *p)
{
    remarks lines = {.arena = p->arena};
    view_causes(p->r,
                p->options->details ? 0
                : p->is_of_several  ? MOST_CAUSES_OF_SEVERAL
                                    : MOST_CAUSES,
                &lines);
    remarks_put(&lines, p->paper);
    put(p, lines.n ? "\n" : "");
}

/* What the verdict rests on, below the tables that it is of. */
static void put_statistics(const page *p)
{
    char text[ROOF_SENTENCE_SIZE];
    remarks lines = {.arena = p->arena};
    for (uint32_t i = 0; roof_sentence(p->r, ROOF_SENTENCE_STATISTIC, i, text); i++)
        remarks_add(&lines, i ? " " : "statistics", "%s", text);
    remarks_put(&lines, p->paper);
    put(p, lines.n ? "\n" : "");
}

void reconcile_put(const rendering *r)
{
    const page whole = {.to = r,
                        .r = r->reconciliation,
                        .options = r->options,
                        .paper = &r->paper,
                        .arena = r->arena,
                        .is_brief = !r->paper.is_markdown && !r->options->details && !r->choice->is_asked,
                        .is_of_several = r->reconciliation->n_experiments > 1};
    const page *p = &whole;
    cell_grid grid;
    if (r->options->like) {
        like_npu_profiler_put(r);
        return;
    }
    if (!r->choice->has_most && !r->options->details)
        r->choice->order.most = r->paper.is_markdown ? MOST_IN_MARKDOWN
                                : !p->is_brief       ? MOST_ON_TERMINALS
                                : p->is_of_several   ? rows_of_several(p->r->n_experiments)
                                                     : MOST_AT_FIRST;
    put_verdict(p);
    put_causes(p);
    view_models(p->r, &grid, p->arena);
    put_rows(p, &grid, &(table_rows){"model", NULL, .n_last = 0});
    view_where(p->r, false, &grid, p->arena);
    if ((!has_waterfalls(p) || p->is_of_several) && !p->is_brief)
        put_grid(p, &grid);
    if (!p->is_brief || !p->is_of_several || p->options->deadline_s > 0)
        put_times(p);
    view_energies(p->r, &grid, p->arena);
    if (grid.n_rows)
        put_grid(p, &grid);
    if (p->paper->is_markdown) {
        put_advice(p);
        put(p, "\n");
    }
    for (uint32_t i = 0; i < p->r->n_experiments; i++)
        put_experiment(p, &p->r->experiments[i]);
    if (!p->is_brief) {
        view_fits(p->r, &grid, p->arena);
        put_grid(p, &grid);
        put_statistics(p);
    }
    if (p->options->calibration)
        put_calibration(p, p->options->calibration);
    if (!p->paper->is_markdown)
        put_advice(p);
    put_findings(p);
    if (p->is_brief)
        put_wrapped(p->paper->out,
                    "--details shows all rows, the times of every run, where the time goes, and statistics",
                    p->paper->width, 0);
    if (is_off_screen(r)) {
        put(p, "\n");
        put_verdict(p);
    }
}
