/* Where the time of each layer goes: a bar a layer, cut into what the hardware needs, what is lost, and what
 * timing added. Time that no layer's bar shows is in the last one, so that the bars sum up to all of the
 * time. */
#include "reports/charts/chart_bars.h"

/* --- words -------------------------------------------------------------------------------------------- */

/* "12 of 36 layers take 50 % of the time": the fewest that take at least half of it. */
static const char *who_words(const bar_page *page, uint32_t n_timed, const char *of)
{
    double share = 0;
    uint32_t n = 0;
    const chart_row *unlisted = NULL;
    for (uint32_t i = 0; i < n_timed; i++) {
        const chart_row *row = page->layers.by_time[i];
        if (row->is_unlisted) {
            unlisted = unlisted ? unlisted : row;
        } else if (share < 0.5) {
            share += row->share_ratio;
            n++;
        }
    }
    if (n_timed == 1 && page->layers.is_part)
        return figure_printf(page->f, "one layer is listed, %.1f %% of the time",
                             100 * page->layers.part_ratio);
    if (n_timed == 1)
        return figure_printf(page->f, "%s takes all of %s%s",
                             page->layers.is_part ? "the only layer listed" : "one layer", of,
                             bars_part_words(page));
    const char *take = n == 1 ? "takes" : "take";
    if (!unlisted)
        return figure_printf(page->f, "%u of %u layers %s %.0f %% of %s", n, n_timed, take, 100 * share, of);
    return figure_printf(page->f, "%u listed layer%s %s %.0f %% of %s, %u not listed %.0f %%", n,
                         say_plural(n), take, 100 * share, of, unlisted->n_layers,
                         100 * unlisted->share_ratio);
}

/* "; the gap is 30 %, overhead 12 %": as the tables sum up, also where the picture cuts a part. */
static const char *where_words(const bar_page *page, uint32_t n_timed)
{
    static const char *const names[] = {"gap", "host", "overhead"};
    const char *text = "";
    for (size_t k = 0; k < N_OF(names); k++) {
        double sum = NAN;
        for (uint32_t i = 0; i < n_timed; i++) {
            const chart_row *row = page->layers.by_time[i];
            const double parts[] = {row->gap_s, row->host_s, row->overhead_s > 0 ? row->overhead_s : NAN};
            if (!isnan(parts[k]))
                sum = (isnan(sum) ? 0 : sum) + parts[k];
        }
        if (!isnan(sum))
            text = figure_printf(page->f, text[0] ? "%s, %s %.0f %%" : "%s; the %s is %.0f %%", text,
                                 names[k], 100 * sum / page->layers.total_s);
    }
    return text;
}

/* "; memory binds 62 % of it, the MAC array 30 %": the two that limit most. */
static const char *cause_bound_shares(const bar_page *page, uint32_t n_timed)
{
    double shares[ENGINE_KINDS] = {0};
    const char *text = "";
    for (uint32_t i = 0; i < n_timed; i++)
        shares[page->layers.by_time[i]->bound_class] += page->layers.by_time[i]->share_ratio;
    for (int rank = 0; rank < 2; rank++) {
        engine_kind most = 0;
        for (engine_kind c = 1; c < ENGINE_KIND_OTHER; c++)
            most = shares[c] > shares[most] ? c : most;
        if (shares[most] < 0.01)
            break;
        text = figure_printf(page->f, rank ? "%s, %s%s %.0f %%" : "%s; bottleneck: %s%s %.0f %%", text,
                             most == ENGINE_KIND_DATA ? "" : "the ", bound_styles[most].words,
                             100 * shares[most]);
        shares[most] = 0;
    }
    return text;
}

/* --- the page ----------------------------------------------------------------------------------------- */

static void draw(const chart_source *s, chart_figure *f)
{
    bar_page page;
    bars_begin(&page, s, f);
    bool measured = page.layers.is_measured;
    for (; page.n_bars < page.layers.n && page.layers.by_time[page.n_bars]->time_s > 0; page.n_bars++) {
        const chart_row *row = page.layers.by_time[page.n_bars];
        chart_bar *bar = &page.bars[page.n_bars];
        *bar = bar_of(&page, row);
        bar->is_others = row->is_unlisted;
        if (measured && row->ideal_s > row->time_s * 1.002) { /* the ideal is above what was measured */
            bar->mark_s = row->ideal_s;
            if (f->is_wide)
                bar->more = figure_printf(f, "(ideal %s)", say_quantity(f->arena, row->ideal_s, "s"));
        }
        bar_add(bar, row);
    }
    uint32_t n_timed = page.n_bars, n_alone = page.most - 1;
    if (!n_timed)
        return;
    if (n_timed > page.most)
        bars_join(&page, n_alone, figure_printf(f, "%u others", n_timed - n_alone));
    page.title =
        figure_printf(f, "%s: %s%s", bars_subject(&page),
                      who_words(&page, n_timed, figure_printf(f, "the %s", chart_time_words(&page.layers))),
                      measured ? where_words(&page, n_timed) : cause_bound_shares(&page, n_timed));
    page.axis_title =
        figure_printf(f, "%s%s of a layer", measured ? "measured " : "", chart_time_words(&page.layers));
    f->caption = figure_printf(
        f,
        "A bar for each layer, the longest first. %s For the order of execution set in_order = 1 in the "
        "script.",
        bars_made_of(&page));
    bars_draw(&page);
}

const chart_def chart_waterfall = {
    .id = "waterfall", .script = "time_bars", .scope = CHART_MODEL, .draw = draw};
