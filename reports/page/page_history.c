#include "reports/page/page_sections.h"

/* --- which series belong to the page -------------------------------------------------------------------- */

/* Names that a model of the page, and its device, may have in a history. NULL: unknown. */
typedef struct names {
    const char *models[4], *devices[4]; /* models: the first is the hash of the graph */
} names;

static bool is_shown(const page_history *h, const roof_history_key *key)
{
    for (uint32_t i = 0; i < h->shown.n; i++) {
        const roof_history_key *k = &h->shown.items[i].key;
        if (strcmp(text_or_empty(k->model), text_or_empty(key->model)) == 0 &&
            strcmp(text_or_empty(k->model_hash), text_or_empty(key->model_hash)) == 0 &&
            strcmp(text_or_empty(k->device), text_or_empty(key->device)) == 0 &&
            strcmp(text_or_empty(k->stack), text_or_empty(key->stack)) == 0 &&
            strcmp(text_or_empty(k->mode), text_or_empty(key->mode)) == 0 &&
            strcmp(text_or_empty(k->workload), text_or_empty(key->workload)) == 0)
            return true;
    }
    return false;
}

/* Takes the trends of the page's device; others lists the devices of the rest. */
static roof_status take_series(report_page *page, page_history *h, const names *n,
                               const roof_history_trends *trends, const char **others, bool *has_any,
                               roof_error *err)
{
    bool is_any = false;
    for (size_t i = 0; i < N_OF(n->devices); i++)
        is_any = is_any || *text_or_empty(n->devices[i]);
    for (uint32_t i = 0; i < trends->n; i++) {
        const roof_history_series *s = &trends->items[i];
        /* what is not stated is not another one */
        if (is_any && *text_or_empty(s->key.device) && !IS_ONE_OF(n->devices, s->key.device)) {
            uint32_t first = 0;
            while (strcmp(text_or_empty(trends->items[first].key.device), s->key.device) != 0)
                first++;
            if (first == i)
                *others = say_more(page->arena, *others, "%s", s->key.device);
            continue;
        }
        *has_any = true;
        if (!is_shown(h, &s->key))
            TRY(ARENA_ADD(page->arena, h->shown.items, h->shown.n, err, *s));
    }
    return ROOF_OK;
}

static roof_status look_for(report_page *page, page_history *h, const page_model *m, roof_error *err)
{
    const roof_reconciled *e = m->experiment;
    const roof_prediction *p = m->prediction;
    const names n = {.models = {p ? p->model.graph_hash : NULL, e ? e->stated_model : NULL,
                                e ? e->model : NULL, p ? p->model.name : NULL},
                     .devices = {e ? e->stated_hardware_id : NULL, e ? e->hardware_id : NULL,
                                 e ? e->device : NULL, p ? p->hardware.id : NULL}};
    const char *others = "";
    bool has_any = false;
    for (size_t i = 0; i < N_OF(n.models) && !*others; i++) {
        const roof_history_request requested = {
            .filter.model = n.models[i], .factor = (double)NAN, .may_be_none = true};
        roof_history_trends *trends;
        if (!*text_or_empty(n.models[i]))
            continue;
        TRY(ARENA_MORE(page->arena, h->trends, h->n, err));
        TRY(roof_history_find_trends(page->input->history, &requested, &trends, err));
        h->trends[h->n++] = trends;
        TRY(take_series(page, h, &n, trends, &others, &has_any, err));
        if (has_any)
            return ROOF_OK;
    }
    TRY(ARENA_ADD(
        page->arena, h->missing, h->n_missing, err,
        *others
            ? say_printf(page->arena, "The history has %s on other hardware alone: %s.", m->name, others)
            : say_printf(page->arena,
                         "The history has no series of %s; roofline history add FILE --db keeps its runs.",
                         m->name)));
    return arena_status(page->arena, err);
}

roof_status page_history_find(report_page *page, page_history *h, roof_error *err)
{
    h->shown.factor = (double)NAN;
    page->history = h;
    for (uint32_t i = 0; i < page->n_models; i++)
        TRY(look_for(page, h, &page->models[i], err));
    return ROOF_OK;
}

/* --- what is shown -------------------------------------------------------------------------------------- */

static const roof_history_trends *trends_of(const report_page *page)
{
    return page->of ? page->of : &page->history->shown;
}

roof_status page_history_draw(const report_page *page, page_drawing *drawing)
{
    const roof_history_trends *t = trends_of(page);
    for (uint32_t i = 0; i < t->n && i < PAGE_MOST_SERIES; i++) {
        const roof_history_series *s = history_ranked(t, i);
        TRY(page_draw(drawing, chart_named("trend"), &(chart_source){.series = s}, s->key.model, i));
    }
    return ROOF_OK;
}

void page_put_series(const report_page *page, textbuf *out)
{
    const roof_history_trends *t = trends_of(page);
    roof_arena *arena = page->arena;
    remarks lines = {.arena = arena};
    cell_grid grid;
    for (uint32_t i = 0; i < t->n && i < PAGE_MOST_SERIES; i++) {
        const roof_history_series *s = history_ranked(t, i);
        html_printf(out, "<h3>%s</h3>\n",
                    history_series_name(s, arena)); /* its picture says what became of it */
        page_put_figures(page, i, PLACE_HISTORY, out);
        history_layers(s, &grid, arena);
        if (s->n_layers)
            page_put_grid(&grid, say_printf(arena, "history-layers-%u", i + 1),
                          "Layers that changed with the last change, beyond noise", out);
    }
    if (t->n > PAGE_MOST_SERIES)
        text_printf(
            out, "<p class=\"note\">%u of %u series have a chart, those whose newest runs are worst.</p>\n",
            (unsigned)PAGE_MOST_SERIES, t->n);
    if (!t->n)
        return;
    history_table(t, &grid, arena);
    page_put_grid(&grid, "history-levels", "Levels between two changes", out);
    history_remarks(t, &lines);
    page_put_remarks("facts", &lines, out);
}

void page_put_history(const report_page *page, textbuf *out)
{
    page_put_series(page, out);
    for (size_t i = 0; i < page->history->n_missing; i++)
        html_printf(out, "<p>%s</p>\n", page->history->missing[i]);
}
