/* Time by kind of layer: what to look at first when a network is changed. The bars sum up to all of the time. */
#include "core/error.h"
#include "core/namemap.h"
#include "reports/chart_bars.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_KINDS = 12 }; /* and the rest as one */

typedef struct kind {
    chart_bar bar;
    uint32_t n_layers;
} kind;

typedef struct drawing {
    kind *kinds; /* in order of execution of their first layers, then by time */
    uint32_t n, n_layers;
    bar_page page;
} drawing;

static roof_status collect(drawing *d, roof_error *err)
{
    const chart_rows *rows = &d->page.layers;
    namemap *map = namemap_new(d->page.f->arena, rows->n);
    d->kinds = NEW_ARRAY(d->page.f->arena, kind, rows->n);
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
            d->kinds[at].bar = bar_empty(type);
            d->kinds[at].bar.order = i;
            if (!namemap_add(map, type, strlen(type), at))
                return error_memory(err);
        }
        bar_add(&d->kinds[at].bar, row);
        d->kinds[at].n_layers += row->is_unlisted ? row->n_layers : 1;
    }
    return ROOF_OK;
}

static int longer_first(const void *a_, const void *b_)
{
    const kind *a = a_, *b = b_;
    if (a->bar.time_s != b->bar.time_s)
        return a->bar.time_s > b->bar.time_s ? -1 : 1;
    return strcmp(a->bar.name, b->bar.name);
}

/* Kinds without any time have no bar; the key counts their layers. */
static void sort(drawing *d)
{
    qsort(d->kinds, d->n, sizeof *d->kinds, longer_first);
    while (d->n && !(d->kinds[d->n - 1].bar.time_s > 0))
        d->n--;
    for (uint32_t i = 0; i < d->n; i++)
        d->n_layers += d->kinds[i].n_layers;
}

/* All kinds from first on become one. */
static void join_others(drawing *d, uint32_t first)
{
    uint32_t n = d->n - first;
    kind others = {.bar = bar_empty(figure_printf(d->page.f, "%u other kind%s", n, plural_s(n)))};
    others.bar.is_others = true;
    for (const kind *k = d->kinds + first; k < d->kinds + d->n; k++) {
        for (int part = 0; part < BAR_PARTS; part++)
            others.bar.parts_s[part] += k->bar.parts_s[part];
        others.bar.time_s += k->bar.time_s;
        others.bar.share_ratio += k->bar.share_ratio;
        others.n_layers += k->n_layers;
    }
    d->kinds[first] = others;
    d->n = first + 1;
}

static const char *title_of(const drawing *d)
{
    chart_figure *f = d->page.f;
    const kind *first = &d->kinds[0], *second = &d->kinds[1];
    const char *subject = bars_subject(&d->page), *of = d->page.layers.is_measured ? "time" : "ideal time";
    const char *name = bars_shorten(f, first->bar.name);
    if (d->n == 1)
        return figure_printf(f, "%s: all of the %s is in layers of one kind, %s", subject, of, name);
    return figure_printf(f, "%s: %s takes %.0f %% of the %s in %u of %u layers; %s takes %.0f %%", subject,
                         name, 100 * first->bar.share_ratio, of, first->n_layers, d->n_layers,
                         bars_shorten(f, second->bar.name), 100 * second->bar.share_ratio);
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
    chart_bar *bars = NEW_ARRAY(f->arena, chart_bar, d.n);
    if (!bars)
        return error_memory(err);
    for (uint32_t i = 0; i < d.n; i++) {
        bars[i] = d.kinds[i].bar;
        bars[i].more = figure_printf(f, "%u layer%s", d.kinds[i].n_layers, plural_s(d.kinds[i].n_layers));
    }
    return bars_draw(&d.page, bars, d.n, err);
}

const chart_def chart_types = {
    .id = "types", .name = "Time by kind of layer", .scope = CHART_MODEL, .draw = draw};
