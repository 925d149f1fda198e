#include "reports/page/page_sections.h"

/* --- which is which ----------------------------------------------------------------------------------- */

/* A, of the baseline, beside B, of the report. */
static roof_status compare(page_baseline *baseline, roof_compare_side a, roof_compare_side b, roof_error *err)
{
    a.name = "baseline";
    b.name = "report";
    TRY(roof_compare(&a, &b, &baseline->comparisons[baseline->n], err));
    baseline->n++;
    return ROOF_OK;
}

/* True if the rows of a source are those of the runs of a mode. */
static bool has_rows_of(const roof_reconciled *e, const char *mode)
{
    return !e || (e->layer_run && strcmp(mode, roof_run_mode_text(e->layer_run->mode)) == 0);
}

static void set_before(report_page *page, page_model *m, const roof_compared_run *runs, uint32_t n,
                       chart_source old)
{
    chart_source *before = NEW(page->arena, chart_source);
    if (!before)
        return;
    *before = old;
    m->before = before;
    m->changes = runs;
    m->n_changes = n;
    for (uint32_t i = 0; i < n; i++)
        if (has_rows_of(m->experiment, runs[i].mode) && has_rows_of(old.experiment, runs[i].mode))
            m->layer_changes = &runs[i];
}

/* The runs of a model follow each other, and have the names of their experiments. */
static void set_measured(report_page *page, page_model *m, const roof_comparison *c)
{
    const roof_reconciliation *r = page->input->baseline;
    uint32_t first = 0, end, k = 0;
    while (first < c->n_runs && c->runs[first].model_b != m->experiment->model)
        first++;
    for (end = first; end < c->n_runs && c->runs[end].model_b == m->experiment->model;)
        end++;
    if (first == end)
        return;
    while (r->experiments[k].model != c->runs[first].model)
        k++;
    const roof_reconciled *e = &r->experiments[k];
    set_before(page, m, &c->runs[first], end - first,
               (chart_source){.prediction = e->prediction, .experiment = e, .reconciliation = r});
}

/* Finds the same name on the same hardware, else the same name; where each side has one alone, that one. */
static const roof_prediction *find_prediction(const roof_report_input *in, const roof_prediction *p)
{
    const roof_prediction *found = NULL;
    for (uint32_t i = in->n_baseline_predictions; i-- > 0;) {
        const roof_prediction *old = in->baseline_predictions[i];
        bool is_alone = in->n_baseline_predictions == 1 && in->n_predictions == 1;
        bool is_same = strcmp(text_or_empty(old->model.name), text_or_empty(p->model.name)) == 0;
        if (is_same && strcmp(old->hardware.id, p->hardware.id) == 0)
            return old;
        if (is_same || is_alone)
            found = old;
    }
    return found;
}

roof_status page_baseline_find(report_page *page, page_baseline *baseline, roof_error *err)
{
    const roof_report_input *in = page->input;
    bool is_found = false;
    if (!in->baseline && !in->n_baseline_predictions)
        return ROOF_OK;
    baseline->comparisons = NEW_ARRAY(page->arena, roof_comparison *, 1 + (size_t)in->n_predictions);
    TRY(ALLOCATED(baseline->comparisons, err));
    if (in->reconciliation && in->baseline)
        TRY(compare(baseline, (roof_compare_side){.measured = in->baseline},
                    (roof_compare_side){.measured = in->reconciliation}, err));
    const roof_comparison *measured = baseline->n ? baseline->comparisons[0] : NULL;
    FOR_EACH(page_model, m, page->models, page->n_models) {
        if (m->experiment && measured)
            set_measured(page, m, measured);
        const roof_prediction *old = m->experiment ? NULL : find_prediction(page->input, m->prediction);
        if (old) {
            TRY(compare(baseline, (roof_compare_side){.prediction = old},
                        (roof_compare_side){.prediction = m->prediction}, err));
            const roof_comparison *c = baseline->comparisons[baseline->n - 1];
            set_before(page, m, c->runs, c->n_runs, (chart_source){.prediction = old});
        }
        is_found = is_found || m->before;
    }
    TRY(arena_status(page->arena, err));
    return is_found ? ROOF_OK
                    : error_data(err,
                                 "the baseline has none of these models; '%.80s' is wanted, measured where "
                                 "it is measured here, else predicted",
                                 page->models[0].name);
}

/* --- what differs ------------------------------------------------------------------------------------- */

/* "now -2.0 %", "~ now +0.3 %, within noise", or "not comparable with the baseline: clock". */
const char *page_say_change(const report_page *page, const page_model *m)
{
    const roof_compared *t = &m->changes->total;
    for (uint32_t i = 0; i < m->changes->n_unlike; i++)
        if (m->changes->unlike[i].is_apart)
            return say_printf(page->arena, "not comparable with the baseline: %s",
                              m->changes->unlike[i].what);
    const char *change =
        isnan(t->ratio) ? "not known" : say_printf(page->arena, "now %+.1f %%", 100 * (t->ratio - 1));
    if (t->test == ROOF_TEST_NONE || t->is_shown)
        return change;
    return say_printf(page->arena,
                      t->is_told ? "~ %s, within noise" : "? %s, which so few samples do not show", change);
}

void page_put_changes(const report_page *page, uint32_t model, textbuf *out)
{
    const page_model *m = &page->models[model];
    if (!m->n_changes)
        return;
    text_puts(out, "<h3>Compared with the baseline</h3>\n<p class=\"note\">A is the baseline, B is this "
                   "report. ~: no difference is shown, noise explains it; ?: the profiles have too little to "
                   "tell a change of 5 %.</p>\n");
    for (uint32_t i = 0; i < m->n_changes; i++) {
        const roof_compared_run *run = &m->changes[i];
        const html_table table = {.id = say_printf(page->arena, "changes-%u", model + 1),
                                  .number = i + 1,
                                  .caption = "Differences to the baseline",
                                  .filter = "filter layers"};
        cell_grid grid;
        if (m->n_changes > 1)
            html_printf(out, "<h4>%s</h4>\n",
                        strcmp(run->mode, "per_layer") == 0 ? "Per-layer run" : "Deployed");
        html_printf(out, "<p>%s %s</p>\n", compare_say_total(page->arena, run),
                    compare_say_layers(page->arena, run));
        compare_view_rows(run, &grid, page->arena);
        grid_arrange(&grid, &(grid_order){.largest = grid.largest, .most = PAGE_MOST_ROWS});
        if (grid.left_out)
            text_printf(out, "<p class=\"note\">The %u largest differences.</p>\n", (unsigned)PAGE_MOST_ROWS);
        grid_put_html(&grid, &table, out);
    }
}
