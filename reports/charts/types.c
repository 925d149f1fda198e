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
    chart_rows rows;
    kind *kinds; /* in order of execution of their first layers, then by time */
    uint32_t n, n_layers;
    bar_page page;
} drawing;

static const char *type_of(const chart_row *row)
{
    return row->is_unlisted ? "(not listed)" : row->type && row->type[0] ? row->type : "(not known)";
}

static bool is_known(const drawing *d, const chart_row *row)
{
    return !isnan(d->rows.is_measured ? row->measured_s : row->ideal_s);
}

static void add(kind *k, const chart_row *row)
{
    bar_add(&k->bar, row);
    k->n_layers += row->is_unlisted ? row->n_layers : 1;
}

static roof_status collect(drawing *d, roof_error *err)
{
    roof_arena *arena = d->page.f->arena;
    namemap *map = namemap_new(arena, d->rows.n);
    d->kinds = NEW_ARRAY(arena, kind, d->rows.n);
    if (!map || !d->kinds)
        return error_memory(err);
    for (uint32_t i = 0; i < d->rows.n; i++) {
        const chart_row *row = &d->rows.rows[i];
        const char *type = type_of(row);
        if (!is_known(d, row))
            continue;
        uint32_t at = namemap_find(map, type, strlen(type));
        if (at == ROOF_NONE) {
            at = d->n++;
            d->kinds[at].bar = bar_empty(type);
            d->kinds[at].bar.order = i;
            if (!namemap_add(map, type, strlen(type), at))
                return error_memory(err);
        }
        add(&d->kinds[at], row);
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
    chart_figure *f = d->page.f;
    uint32_t n = d->n - first;
    const char *name = figure_printf(f, "%u other kind%s", n, bars_s(n));
    kind others = {.bar = bar_empty(name)};
    others.bar.is_others = true;
    for (uint32_t i = first; i < d->n; i++) {
        const kind *k = &d->kinds[i];
        for (int part = 0; part < BAR_PARTS; part++)
            others.bar.parts_s[part] += k->bar.parts_s[part];
        others.bar.time_s += k->bar.time_s;
        others.bar.share_ratio += k->bar.share_ratio;
        others.n_layers += k->n_layers;
    }
    d->kinds[first] = others;
    d->n = first + 1;
}

static const char *title_of(const drawing *d, const chart_source *s)
{
    chart_figure *f = d->page.f;
    const kind *first = &d->kinds[0], *second = &d->kinds[1];
    const char *subject = bars_subject(s, f), *of = d->rows.is_measured ? "time" : "ideal time";
    const char *name = figure_shorten(f, first->bar.name, LETTER_TITLE, f->canvas.width_px * 0.4);
    if (d->n == 1)
        return figure_printf(f, "%s: all of the %s is in layers of one kind, %s", subject, of, name);
    return figure_printf(f, "%s: %s takes %.0f %% of the %s in %u of %u layers; %s takes %.0f %%", subject,
                         name, 100 * first->bar.share_ratio, of, first->n_layers, d->n_layers,
                         figure_shorten(f, second->bar.name, LETTER_TITLE, f->canvas.width_px * 0.4),
                         100 * second->bar.share_ratio);
}

static void say_caption(const drawing *d)
{
    figure_caption(
        d->page.f,
        "The time of all layers of a kind together, the largest first; shares sum up to 100 %%. %s",
        d->rows.is_measured ? "From the left: the ideal, coloured by what binds it, the gap, what the host "
                              "takes, the overhead "
                              "that timing layer by layer added."
                            : "Colours say what binds the layers. Nothing was measured: this is the ideal.");
}

static roof_status draw_kinds(drawing *d, roof_error *err)
{
    chart_figure *f = d->page.f;
    chart_bar *bars = NEW_ARRAY(f->arena, chart_bar, d->n);
    if (!bars)
        return error_memory(err);
    for (uint32_t i = 0; i < d->n; i++) {
        bars[i] = d->kinds[i].bar;
        bars[i].more = figure_printf(f, "%u layer%s", d->kinds[i].n_layers, bars_s(d->kinds[i].n_layers));
    }
    return bars_draw(&d->page, bars, d->n, err);
}

static roof_status draw(const chart_source *s, chart_figure *f, bool *is_empty, roof_error *err)
{
    drawing d = {.page = {.f = f, .provenance = chart_provenance(s, f)}};
    TRY(bars_rows_of(s, f->arena, &d.rows, err));
    TRY(collect(&d, err));
    sort(&d);
    *is_empty = !d.n;
    if (*is_empty)
        return ROOF_OK;
    if (d.n > MOST_KINDS)
        join_others(&d, MOST_KINDS);
    d.page.title = title_of(&d, s);
    d.page.subtitle = s->experiment ? chart_conditions(s, f) : chart_verdict(s, f);
    d.page.axis_title =
        d.rows.is_measured ? "measured time of all layers of a kind" : "ideal time of all layers of a kind";
    bars_remarks(&d.page, s, &d.rows);
    say_caption(&d);
    return draw_kinds(&d, err);
}

const chart_def chart_types = {
    .id = "types", .name = "Time by kind of layer", .scope = CHART_MODEL, .draw = draw};
