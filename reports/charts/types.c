/* Time by kind of layer: what to look at first when a network is changed. The bars sum up to all of the time. */
#include "core/error.h"
#include "core/namemap.h"
#include "reports/chart_bars.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_KINDS = 12 }; /* and the rest as one */

typedef struct drawing {
    chart_bar *kinds; /* in order of execution of their first layers, then by time */
    uint32_t n, n_layers;
    bar_page page;
} drawing;

static roof_status collect(drawing *d, roof_error *err)
{
    const chart_rows *rows = &d->page.layers;
    namemap *map = namemap_new(d->page.f->arena, rows->n);
    d->kinds = NEW_ARRAY(d->page.f->arena, chart_bar, rows->n);
    if (!map || !d->kinds)
        return error_memory(err);
    for (uint32_t i = 0; i < rows->n; i++) {
        const chart_row *row = &rows->rows[i];
        const char *known = row->type && row->type[0] ? row->type : "(not known)";
        const char *type = row->is_unlisted ? "(not listed)" : known;
        if (isnan(rows->is_measured ? row->measured_s : row->ideal_s))
            continue;
        uint32_t at = namemap_find(map, type, strlen(type));
        if (at == ROOF_NONE) {
            at = d->n++;
            d->kinds[at] = bar_empty(type);
            d->kinds[at].order = i;
            if (!namemap_add(map, type, strlen(type), at))
                return error_memory(err);
        }
        bar_add(&d->kinds[at], row);
    }
    return ROOF_OK;
}

static int longer_first(const void *a_, const void *b_)
{
    const chart_bar *a = a_, *b = b_;
    if (a->time_s != b->time_s)
        return a->time_s > b->time_s ? -1 : 1;
    return strcmp(a->name, b->name);
}

/* Kinds without any time have no bar; the key counts their layers. */
static void sort(drawing *d)
{
    qsort(d->kinds, d->n, sizeof *d->kinds, longer_first);
    while (d->n && !(d->kinds[d->n - 1].time_s > 0))
        d->n--;
    for (uint32_t i = 0; i < d->n; i++)
        d->n_layers += d->kinds[i].n_layers;
}

/* All kinds from first on become one. */
static void join_others(drawing *d, uint32_t first)
{
    uint32_t n = d->n - first;
    chart_bar others = bar_empty(figure_printf(d->page.f, "%u other kind%s", n, plural_s(n)));
    others.is_others = true;
    for (uint32_t i = first; i < d->n; i++)
        bar_join(&others, &d->kinds[i]);
    d->kinds[first] = others;
    d->n = first + 1;
}

static const char *title_of(const drawing *d)
{
    chart_figure *f = d->page.f;
    const chart_bar *first = &d->kinds[0], *second = &d->kinds[1];
    const char *subject = bars_subject(&d->page), *of = d->page.layers.is_measured ? "time" : "ideal time";
    const char *name = bars_shorten(f, first->name);
    if (d->n == 1)
        return figure_printf(f, "%s: all of the %s is in layers of one kind, %s", subject, of, name);
    return figure_printf(f, "%s: %s takes %.0f %% of the %s in %u of %u layers; %s takes %.0f %%", subject,
                         name, 100 * first->share_ratio, of, first->n_layers, d->n_layers,
                         bars_shorten(f, second->name), 100 * second->share_ratio);
}

static roof_status draw(const chart_source *s, chart_figure *f, roof_error *err)
{
    drawing d = {0};
    TRY(bars_begin(&d.page, s, f, err));
    TRY(collect(&d, err));
    sort(&d);
    if (!d.n)
        return ROOF_OK;
    if (d.n > MOST_KINDS)
        join_others(&d, MOST_KINDS);
    bool measured = d.page.layers.is_measured;
    d.page.title = title_of(&d);
    d.page.axis_title =
        measured ? "measured time of all layers of a kind" : "ideal time of all layers of a kind";
    bars_remarks(&d.page);
    f->caption = figure_printf(
        f, "The time of all layers of a kind together, the largest first; shares sum up to 100 %%. %s",
        measured ? "From the left: the ideal, coloured by what binds it, the gap, what the host takes, the "
                   "overhead that timing layer by layer added."
                 : "Colours say what binds the layers. Nothing was measured: this is the ideal.");
    for (chart_bar *kind = d.kinds; kind < d.kinds + d.n; kind++)
        kind->more = figure_printf(f, "%u layer%s", kind->n_layers, plural_s(kind->n_layers));
    return bars_draw(&d.page, d.kinds, d.n, err);
}

const chart_def chart_types = {.id = "types", .scope = CHART_MODEL, .draw = draw};
