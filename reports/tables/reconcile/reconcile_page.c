/* The verdict, the models, the fits, then each model: where its time goes, and its layers. */
#include "reports/renderers/renderer.h"
#include "reports/tables/reconcile/reconcile_tables.h"
#include "reports/tables/reconcile/epoch_tables.h"
#include "reports/words/cause_words.h"
#include "measure/matches/match_facts.h"
#include "model/predict/calibrated.h"
#include "roofline/words.h"

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
    reconcile_scope scope;
    bool is_brief; /* without statistics: on a terminal, where nobody asks for rows or details */
    bool is_short; /* with a few rows that were requested, and little else */
    bool is_of_several, is_text, has_details;
} page;

static void put(const page *p, const char *text)
{
    text_puts(p->to->out, text);
}

/* A table, and an empty line below it. Where it has no rows, Markdown has the line alone. */
static void put_table(const page *p, cell_grid *grid)
{
    if (grid->n_rows && grid->what)
        table_put_arranged(p->to, grid);
    else if (grid->n_rows)
        grid_put(grid, &p->to->writer);
    put(p, grid->n_rows || !p->is_text ? "\n" : "");
}

static void put_view(const page *p, reconcile_view *view)
{
    cell_grid grid;
    view(&p->scope, &grid);
    put_table(p, &grid);
}

/* The same where a table without rows leaves no trace. */
static void put_if_any(const page *p, cell_grid *grid)
{
    if (grid->n_rows)
        put_table(p, grid);
}

static void put_view_if_any(const page *p, reconcile_view *view)
{
    cell_grid grid;
    view(&p->scope, &grid);
    put_if_any(p, &grid);
}

/* Lines, and an empty one below them. */
static void put_lines(const page *p, const remarks *lines)
{
    remarks_put(lines, &p->to->writer);
    put(p, lines->n ? "\n" : "");
}

/* --- a model ------------------------------------------------------------------------------------------- */

/* Counters are those of all epochs together, with details those of each. */
static void put_epochs(const page *p)
{
    static const epoch_table tables[] = {EPOCH_CYCLES, EPOCH_POOLS,  EPOCH_STREAMS,
                                         EPOCH_BURSTS, EPOCH_CACHES, EPOCH_WORK};
    enum { OF_DETAILS = 2 };
    const roof_epochs *e = p->scope.e->epochs;
    cell_grid grid;
    remarks lines = {.arena = p->scope.arena};
    epoch_view_lines(e, &lines);
    remarks_put(&lines, &p->to->writer);
    put(p, "\n");
    put_view(p, epoch_view_types);
    put_view(p, epoch_view_flows);
    for (size_t i = p->has_details ? 0 : OF_DETAILS; i < N_OF(tables); i++) {
        epoch_view_table(e, tables[i], p->has_details ? UINT32_MAX : 0, &grid, p->scope.arena);
        if (i < OF_DETAILS)
            put_table(p, &grid);
        else
            put_if_any(p, &grid);
    }
    put_view(p, epoch_view_rows);
}

/* Bars say at a glance what a table says in full: of one model, and of all with --details. */
static bool has_waterfalls(const page *p)
{
    return p->is_text && (!p->is_of_several || p->has_details);
}

static void put_units(const page *p)
{
    cell_grid grid;
    remarks absent = {.arena = p->scope.arena};
    reconcile_view_matches(&p->scope, &grid);
    table_put_arranged(p->to, &grid);
    if (!p->is_brief || !p->is_of_several) {
        prediction_put_prefix(p->to->out, p->scope.prefix);
        reconcile_view_absent(p->scope.e, p->scope.prefix, p->has_details, &absent);
        put(p, absent.n && !p->is_text ? "\n" : "");
        remarks_put(&absent, &p->to->writer);
    }
    put(p, "\n");
    if (p->is_text && (p->has_details || reconcile_has_buffer_times(p->scope.e)))
        put_view(p, reconcile_view_row_times);
    if (p->is_text && p->has_details)
        put_view(p, reconcile_view_stages);
    if (p->is_text && p->has_details)
        put_view(p, reconcile_view_blocks);
}

static void put_experiment(const page *p)
{
    const roof_reconciled *e = p->scope.e;
    remarks lines = {.arena = p->scope.arena};
    bool is_short = p->is_brief && p->is_of_several;
    if (p->is_short) {
        if (p->is_of_several)
            writer_title(&p->to->writer, reconcile_name_on_hardware(p->scope.r, e, p->scope.arena));
        if (e->layer_run)
            put_units(p);
        return;
    }
    writer_title(&p->to->writer, reconcile_name_on_hardware(p->scope.r, e, p->scope.arena));
    const line_scope shown = !p->is_text ? LINES_OF_MARKDOWN : is_short ? LINES_BRIEF : LINES_ALL;
    reconcile_view_lines(p->scope.r, e, shown, &lines);
    remarks_put(&lines, &p->to->writer);
    put(p, is_short ? "" : "\n");
    if (has_waterfalls(p)) {
        cell_grid grid;
        reconcile_view_waterfall(&e->deployed, "whole network", p->scope.is_ascii, &grid, p->scope.arena);
        put_if_any(p, &grid);
        reconcile_view_waterfall(&e->layer_by_layer,
                                 isnan(e->total.per_layer_s) ? "sum of layers" : "per-layer run",
                                 p->scope.is_ascii, &grid, p->scope.arena);
        put_if_any(p, &grid);
    }
    if (e->epochs)
        put_epochs(p);
    if (e->busy) {
        put_view(p, busy_view_types);
        put_view(p, busy_view_matches);
    }
    put_view_if_any(p, busy_view_rates);
    if (e->layer_run || !p->is_text) /* else nothing but layers without a time */
        put_units(p);
}

/* --- all of them --------------------------------------------------------------------------------------- */

static void put_calibration(const page *p)
{
    const text_writer *writer = &p->to->writer;
    const roof_calibration *c = p->to->options->calibration;
    cell_grid grid;
    if (!c)
        return;
    const char *line = text_or_empty(calibration_describe(c, p->scope.arena));
    if (!p->is_text)
        writer_title(writer, "Calibration");
    reconcile_view_calibration(c, &grid, p->scope.arena);
    grid_put(&grid, writer);
    if (p->is_text) {
        writer_put_wrapped(writer->out, line, writer->width, 0);
        put(p, "\n");
    } else {
        put(p, "\n");
        writer_put_markdown(writer->out, line);
        put(p, "\n\n");
    }
}

static void put_findings(const page *p)
{
    const roof_reconciliation *r = p->scope.r;
    finding_groups groups = {.arena = p->scope.arena, .has_few_notes = p->is_brief};
    if (p->is_short && !p->to->options->all_findings)
        return;
    if (!p->is_text)
        writer_title(&p->to->writer, "Findings");
    FOR_EACH(const roof_finding, f, r->findings, r->n_findings) {
        const char *model = f->experiment == ROOF_NONE ? NULL : r->experiments[f->experiment].model;
        uint64_t n = f->remark.form == ROOF_FORM_MORE ? (uint64_t)f->remark.operands[0].number : 1;
        finding_groups_add(&groups, f, model, n);
    }
    finding_groups_put(&groups, &p->to->writer, p->to->options);
}

static void put_advice(const page *p)
{
    const roof_reconciliation *r = p->scope.r;
    remarks lines = {.arena = p->scope.arena};
    char text[ROOF_SENTENCE_SIZE];
    if ((!p->is_text || p->is_of_several) && !p->is_brief && roof_sentence(r, ROOF_SENTENCE_CEILING, 0, text))
        remarks_add(&lines, "ceiling", "%s", text);
    remarks_add(&lines, "measure next", "%s",
                roof_sentence(r, ROOF_SENTENCE_FIT_NEXT, ROOF_FIT_OVERHEAD, text));
    remarks_put(&lines, &p->to->writer);
    put(p, p->is_text ? "" : "\n");
}

static void put_verdict(const page *p)
{
    enum { MOST = 16 };
    const char *sentences[MOST];
    char text[ROOF_SENTENCE_SIZE];
    uint32_t n = 0;
    while (n < MOST && roof_sentence(p->scope.r, ROOF_SENTENCE_VERDICT, n, text))
        sentences[n++] = text_or_empty(arena_strdup(p->scope.arena, text));
    writer_verdict(&p->to->writer, sentences, n);
}

/* Sentences left out of the first answer. */
static void put_below(const page *p)
{
    char text[ROOF_SENTENCE_SIZE];
    remarks lines = {.arena = p->scope.arena};
    for (uint32_t i = 0; roof_sentence(p->scope.r, ROOF_SENTENCE_BELOW, i, text); i++)
        remarks_add(&lines, i ? " " : "also", "%s", text);
    put_lines(p, &lines);
}

static void put_causes(const page *p)
{
    remarks lines = {.arena = p->scope.arena};
    uint32_t most = p->is_of_several ? MOST_CAUSES_OF_SEVERAL : MOST_CAUSES;
    reconcile_view_causes(p->scope.r, p->has_details ? 0 : most, &lines);
    put_lines(p, &lines);
}

static void put_where(const page *p)
{
    if ((!has_waterfalls(p) || p->is_of_several) && !p->is_brief)
        put_view(p, reconcile_view_where);
}

static void put_times(const page *p)
{
    double deadline_s = p->to->options->deadline_s;
    remarks lines = {.arena = p->scope.arena};
    if (deadline_s > 0 || (!p->is_short && !(p->is_brief && p->is_of_several)))
        put_view(p, reconcile_view_times);
    if (!(deadline_s > 0))
        return;
    reconcile_view_deadline(p->scope.r, deadline_s, &lines);
    remarks_put(&lines, &p->to->writer);
    put(p, "\n");
}

static void put_experiments(const page *p)
{
    page one = *p;
    for (uint32_t i = 0; i < p->scope.r->n_experiments; i++) {
        one.scope.e = &p->scope.r->experiments[i];
        if (experiment_is_point(one.scope.e)) /* which the table of curves has */
            continue;
        one.scope.prefix =
            p->is_text ? prediction_name_prefix(one.scope.e->prediction) : (name_prefixes){"", 0};
        put_experiment(&one);
    }
}

/* The statistics that the verdict rests on, below the tables that it is of. */
static void put_fits(const page *p)
{
    char text[ROOF_SENTENCE_SIZE];
    remarks lines = {.arena = p->scope.arena};
    if (p->is_brief)
        return;
    put_view(p, reconcile_view_fits);
    for (uint32_t i = 0; roof_sentence(p->scope.r, ROOF_SENTENCE_STATISTIC, i, text); i++)
        remarks_add(&lines, i ? " " : "statistics", "%s", text);
    put_lines(p, &lines);
}

static void put_end(const page *p)
{
    if (p->is_brief)
        writer_put_wrapped(
            p->to->out,
            p->is_short
                ? "--details shows causes, where the time goes, and findings"
                : "--details shows all rows, the times of every run, where the time goes, and statistics",
            p->to->writer.width, 0);
    if (table_is_off_screen(p->to)) {
        put(p, "\n");
        put_verdict(p);
    }
}

static void put_curves(const page *p)
{
    static reconcile_view *const views[] = {timed_view_points, timed_view_lines, timed_view_growths,
                                            timed_view_constants, timed_view_models};
    for (size_t i = 0; i < N_OF(views); i++)
        put_view_if_any(p, views[i]);
}

/* A part of the page: a function, a table, or one that leaves no trace where it has no rows. */
typedef struct part {
    enum {
        ON_BOTH,
        IN_MARKDOWN,
        ON_TERMINALS,
        ALWAYS
    } where; /* ALWAYS: also where a few rows are requested */
    void (*put)(const page *p);
    reconcile_view *view, *if_any;
} part;

/* The page in its order. The summary of all models stands above them in Markdown; on a terminal, where one
 * reads from the end, below them. */
static const part of_models[] = {{ALWAYS, .put = put_verdict},
                                 {ON_BOTH, .put = put_causes},
                                 {ON_BOTH, .view = reconcile_view_models},
                                 {ON_BOTH, .put = put_where},
                                 {ALWAYS, .put = put_times},
                                 {ON_BOTH, .if_any = reconcile_view_energies},
                                 {ON_BOTH, .if_any = reconcile_view_loads},
                                 {ON_BOTH, .put = put_curves},
                                 {IN_MARKDOWN, .put = put_advice},
                                 {ALWAYS, .put = put_experiments},
                                 {ALWAYS, .put = put_below},
                                 {ON_BOTH, .put = put_fits},
                                 {ON_BOTH, .put = put_calibration},
                                 {ON_TERMINALS, .put = put_advice},
                                 {ALWAYS, .put = put_findings},
                                 {ALWAYS, .put = put_end}};

static const part of_curves[] = {{ALWAYS, .put = put_verdict},
                                 {ALWAYS, .put = put_curves},
                                 {ALWAYS, .put = put_below},
                                 {ALWAYS, .if_any = reconcile_view_energies},
                                 {ALWAYS, .if_any = reconcile_view_loads},
                                 {ALWAYS, .put = put_calibration},
                                 {ALWAYS, .put = put_findings}};

static const part of_loads[] = {
    {ALWAYS, .put = put_verdict}, {ALWAYS, .if_any = reconcile_view_loads}, {ALWAYS, .put = put_findings}};

static void put_parts(const page *p, const part *parts, size_t n)
{
    FOR_EACH(const part, one, parts, n) {
        if (one->where != ALWAYS &&
            (p->is_short || (one->where != ON_BOTH && (one->where == IN_MARKDOWN) == p->is_text)))
            continue;
        if (one->put)
            one->put(p);
        else if (one->view)
            put_view(p, one->view);
        else
            put_view_if_any(p, one->if_any);
    }
}

void reconcile_put(const rendering *r)
{
    const roof_reconciliation *all = r->reconciliation;
    page p = {.to = r,
              .scope = {.r = all, .is_ascii = r->writer.is_ascii, .arena = r->arena},
              .is_of_several = all->n_experiments > 1,
              .is_text = !r->writer.is_markdown,
              .has_details = r->options->details};
    p.is_short = table_is_short(r);
    p.is_brief = p.is_text && !p.has_details && (!r->selection->is_asked || p.is_short);
    if (reconciliation_is_of_curves(all)) {
        put_parts(&p, of_curves, N_OF(of_curves));
    } else if (!all->n_experiments) {
        put_parts(&p, of_loads, N_OF(of_loads));
    } else {
        const uint32_t of_each = ALL_OF_SEVERAL / all->n_experiments; /* of few models more of each */
        if (!r->selection->has_most && !p.has_details)                /* rows of a model's table */
            r->selection->order.most = !p.is_text                   ? MOST_IN_MARKDOWN
                                       : !p.is_brief                ? MOST_ON_TERMINALS
                                       : !p.is_of_several           ? MOST_AT_FIRST
                                       : of_each > LEAST_OF_SEVERAL ? of_each
                                                                    : LEAST_OF_SEVERAL;
        p.scope.most = table_rows_at_most(r);
        put_parts(&p, of_models, N_OF(of_models));
    }
}
