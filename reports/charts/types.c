/* Time by layer type: the first thing to look at. The bars sum up to all of the time. */
#include "reports/charts/chart_bars.h"

enum { MOST_KINDS = 12 }; /* and the rest as one */

static const char not_known[] = "(not known)", not_listed[] = "(not listed)";

static const char *title_of(const bar_page *page)
{
    chart_figure *f = page->f;
    const chart_bar *first = &page->bars[0], *second = &page->bars[1];
    const char *subject = bars_subject(page), *of = chart_time_words(&page->layers);
    if (strcmp(first->name, not_listed) == 0 && page->n_bars > 1) { /* no kind, but what was summed up */
        first = second;
        second = &page->bars[0];
    }
    const char *name = bars_shorten(f, first->name);
    uint32_t n_layers = 0;
    for (uint32_t i = 0; i < page->n_bars; i++) {
        n_layers += page->bars[i].n_layers;
        of = strcmp(page->bars[i].name, not_listed) == 0 ? "time" : of; /* with them it is all of it */
    }
    if (page->n_bars == 1)
        return figure_printf(f, "%s: all of the %s%s is in layers of one kind, %s", subject, of,
                             bars_part_words(page), name);
    return figure_printf(f, "%s: %s takes %.0f %% of the %s in %u of %u layers; %s takes %.0f %%", subject,
                         name, 100 * first->share_ratio, of, first->n_layers, n_layers,
                         bars_shorten(f, second->name), 100 * second->share_ratio);
}

static void draw(const chart_source *s, chart_figure *f)
{
    bar_page page;
    bars_begin(&page, s, f);
    page.layers.prefix.length = 0; /* kinds have whole names */
    /* A bar for each kind, in order of execution of their first layers. */
    const chart_rows *rows = &page.layers;
    namemap *map = namemap_new(page.f->arena, rows->n);
    for (uint32_t i = 0; i < rows->n && map; i++) {
        const chart_row *row = &rows->rows[i];
        const char *known = row->type && row->type[0] ? row->type : not_known;
        const char *type = row->is_unlisted ? not_listed : known;
        if (isnan(rows->is_measured ? row->measured_s : row->ideal_s))
            continue;
        if (namemap_add(map, type, strlen(type), page.n_bars)) {
            page.bars[page.n_bars] = bar_empty(type);
            page.bars[page.n_bars++].order = i;
        }
        bar_add(&page.bars[namemap_find(map, type, strlen(type))], row);
    }
    order_sort(page.bars, page.n_bars, sizeof *page.bars,
               ORDER_BY(FALLING(chart_bar, time_s), RISING(chart_bar, name)));
    while (page.n_bars && !(page.bars[page.n_bars - 1].time_s > 0)) /* the key counts their layers */
        page.n_bars--;
    if (!page.n_bars || (page.n_bars == 1 && strcmp(page.bars[0].name, not_known) == 0))
        return;
    uint32_t n_others = page.n_bars - MOST_KINDS;
    if (page.n_bars > MOST_KINDS)
        bars_join(&page, MOST_KINDS, figure_printf(f, "%u other kind%s", n_others, say_plural(n_others)));
    bool measured = page.layers.is_measured;
    page.title = title_of(&page);
    page.axis_title = figure_printf(f, "%s%s of all layers of one type", measured ? "measured " : "",
                                    chart_time_words(&page.layers));
    f->caption = figure_printf(
        f, "The time of all layers of one type together, the largest first; shares sum up to 100 %%. %s",
        bars_made_of(&page));
    FOR_EACH(chart_bar, kind, page.bars, page.n_bars)
        kind->more = figure_printf(f, "%u layer%s", kind->n_layers, say_plural(kind->n_layers));
    bars_draw(&page);
}

const chart_def chart_types = {.id = "types", .script = "time_bars", .scope = CHART_MODEL, .draw = draw};
