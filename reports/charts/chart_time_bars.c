/* Bars of time: what each is made of, and what the key says of them. */
#include "reports/charts/chart_bars.h"

/* A bar of others this much longer than any of a layer is not drawn: the rest would have no room. */
#define LONGEST_OTHERS 1.25

/* A part that is a smaller share of the whole cannot be seen: it has no key. */
#define LEAST_SEEN_RATIO 1e-4

/* From here on numbers are written with an exponent. */
#define MOST_WRITTEN_OUT 1e6

/* A stated sum that differs by more than this from that of the rows would give other shares. */
#define OTHER_SUM_RATIO 0.0005

chart_bar bar_empty(const char *name)
{
    return (chart_bar){.name = name, .number = "", .more = "", .mark_s = NAN, .order = ROOF_NONE};
}

chart_bar bar_of(const bar_page *page, const chart_row *row)
{
    chart_bar bar = bar_empty(prediction_name_without(page->layers.prefix, row->name));
    bar.order = (uint32_t)(row - page->layers.rows);
    if (row->n_layers && !row->is_unlisted) {
        bar.number = figure_printf(page->f, "%u", row->number);
        bar.row = row;
    }
    return bar;
}

const char *bars_made_of(const bar_page *page)
{
    const chart_rows *layers = &page->layers;
    uint32_t n_known = 0;
    for (uint32_t i = 0; i < layers->n; i++)
        n_known += layers->rows[i].measured_s > 0 && layers->rows[i].ideal_s > 0;
    return layers->is_expected
               ? "From the left: the ideal, coloured by its bottleneck, and what is expected above that."
           : !layers->is_measured ? "Colours show the bottlenecks. Nothing was measured: times are ideal."
           : n_known
               ? "From the left: the ideal, coloured by its bottleneck; the gap; what the CPU takes, where "
                 "phases tell it apart; the overhead of timing. They sum up to the measured time."
               : "No row has a known bound: a bar is what was measured, as a whole.";
}

static double within(double value, double most)
{
    return value > 0 ? fmin(value, most) : 0;
}

static void join(chart_bar *bar, const chart_bar *other)
{
    for (int part = 0; part < BAR_PARTS; part++)
        bar->parts_s[part] += other->parts_s[part];
    bar->is_estimated = bar->is_estimated || other->is_estimated;
    bar->time_s += other->time_s;
    bar->share_ratio += other->share_ratio;
    bar->n_layers += other->n_layers;
}

void bar_add(chart_bar *bar, const chart_row *row)
{
    double ideal = within(row->ideal_s, row->time_s), host = within(row->host_s, row->time_s - ideal);
    double overhead = within(row->overhead_s, row->time_s - ideal - host);
    double rest = row->time_s - ideal - host - overhead;
    chart_bar one = {.time_s = row->time_s,
                     .share_ratio = row->share_ratio,
                     .is_estimated = row->is_estimated,
                     .n_layers = row->is_unlisted ? row->n_layers : 1,
                     .parts_s = {[BAR_HOST] = host, [BAR_OVERHEAD] = overhead}};
    one.parts_s[BAR_IDEAL + row->bound_class] = ideal;
    one.parts_s[row->ideal_s > 0 ? BAR_GAP : BAR_IDEAL + ENGINE_KIND_OTHER] += rest > 0 ? rest : 0;
    join(bar, &one);
}

void bars_join(bar_page *page, uint32_t first, const char *name)
{
    chart_bar others = bar_empty(name);
    others.is_others = true;
    for (uint32_t i = first; i < page->n_bars; i++)
        join(&others, &page->bars[i]);
    page->bars[first] = others;
    page->n_bars = first + 1;
}

static const struct {
    key_mark mark;
    uint32_t colour;
    const char *words, *column;
} part_kinds[BAR_PARTS] = {
    [BAR_IDEAL + ENGINE_KIND_ARRAY] = {KEY_SWATCH, COLOUR_ARRAY, "MAC array", "ideal, MAC array"},
    [BAR_IDEAL + ENGINE_KIND_SIDE] = {KEY_CROSSED, COLOUR_SIDE, "side engine", "ideal, side engine"},
    [BAR_IDEAL + ENGINE_KIND_DATA] = {KEY_BACK, COLOUR_MEMORY, "memory", "ideal, memory"},
    [BAR_IDEAL + ENGINE_KIND_OTHER] = {KEY_SWATCH, COLOUR_OTHER, "bound not known", "bound not known"},
    [BAR_GAP] = {KEY_HATCHED, COLOUR_GAP, "gap", "gap"},
    [BAR_HOST] = {KEY_SWATCH, COLOUR_HOST, "host", "host"},
    [BAR_OVERHEAD] = {KEY_SWATCH, COLOUR_OVERHEAD, "overhead of timing", "overhead"},
};

static time_format format_of(double longest_s, bool are_shares)
{
    time_format t = {.scale = are_shares ? (chart_scale){100, "%"} : chart_scale_of(longest_s)};
    double value = longest_s * t.scale.factor;
    t.decimals = value >= 1000 ? 0 : value >= 100 ? 1 : value >= 10 ? 2 : 3;
    return t;
}

static bool is_drawn(const bar_page *page, const chart_bar *bar)
{
    return !bar->is_others || !(bar->time_s > LONGEST_OTHERS * page->longest_s);
}

/* "not to scale: ideal 45 %, gap 10 %, overhead 45 %", in place of the bar; short in little room. */
static const char *undrawn_words(chart_figure *f, const chart_bar *bar)
{
    const int last_ideal = BAR_IDEAL + ENGINE_KIND_DATA;
    const char *text = "not to scale", *between = ": ";
    double sum = 0;
    for (int k = 0; k < BAR_PARTS && f->is_wide; k++) {
        sum = (k <= last_ideal ? sum : 0) + bar->parts_s[k];
        if (k < last_ideal || !(sum > 0))
            continue;
        text = figure_printf(f, "%s%s%s %.0f %%", text, between,
                             k == last_ideal ? "ideal" : part_kinds[k].column, 100 * sum / bar->time_s);
        between = ", ";
    }
    return figure_printf(f, "%s%s%s", bar->more, bar->more[0] ? "  " : "", text);
}

/* Half of a whisker at the end of a bar, in s; NaN: not stated, or the bar is not of one layer. */
static double deviation_of(const bar_page *page, const chart_bar *bar)
{
    bool known = page->layers.is_measured && bar->row && is_drawn(page, bar) && bar->row->cov_ratio > 0;
    return known ? fmin(1, bar->row->cov_ratio) * bar->time_s : NAN;
}

/* Keys explain the parts that any bar has, marks, and the rows that bars leave out. */
static void add_keys(bar_page *page)
{
    double sums[BAR_PARTS] = {0}, all = 0;
    bool is_estimated = false, has_mark = false, has_deviation = false;
    FOR_EACH(const chart_bar, bar, page->bars, page->n_bars) {
        for (int k = 0; k < BAR_PARTS; k++)
            sums[k] += is_drawn(page, bar) ? bar->parts_s[k] : 0;
        all += bar->time_s;
        is_estimated = is_estimated || bar->is_estimated;
        has_mark = has_mark || !isnan(bar->mark_s);
        has_deviation = has_deviation || !isnan(deviation_of(page, bar));
    }
    for (int k = 0; k < BAR_PARTS; k++) {
        if (!(sums[k] > all * LEAST_SEEN_RATIO))
            continue;
        if (!page->n_keys && k < BAR_IDEAL + ENGINE_KIND_OTHER)
            bars_key(page, KEY_WORDS, 0, "ideal, bound by");
        bars_key(page, part_kinds[k].mark, part_kinds[k].colour,
                 k == BAR_GAP && page->layers.is_expected ? "expected above that" : part_kinds[k].words);
    }
    if (is_estimated)
        bars_key(page, KEY_THIN, COLOUR_MUTED, "thin bar: estimated, in part or all");
    if (has_mark)
        bars_key(page, KEY_MARK, COLOUR_INK, "ideal, above what was measured");
    if (has_deviation)
        bars_key(page, KEY_WORDS, 0, "|-| one standard deviation either way");
    /* On rows without a time, a time of 0, and one below its ideal; on a stated sum that rows do not have. */
    const chart_rows *rows = &page->layers;
    uint32_t without = 0, zero = 0, below = 0;
    FOR_EACH(const chart_row, row, rows->rows, rows->n) {
        bool known = !isnan(rows->is_measured ? row->measured_s : row->ideal_s);
        without += !known;
        zero += known && !(row->time_s > 0);
        below += rows->is_measured && row->time_s > 0 && row->ideal_s > row->time_s * 1.002;
    }
    bars_key_count(page, without, "layer", rows->is_measured ? "without a time" : "without an ideal time");
    bars_key_count(page, zero, "layer", rows->is_measured ? "with a time of 0" : "with an ideal time of 0");
    bars_key_count(page, below, "layer", "faster than the bound: shown as ideal");
    const roof_reconciled *e = rows->is_measured ? page->source->experiment : NULL;
    double stated = e ? e->total.sum_of_layers_s : NAN;
    const double part = quotient_of(rows->total_s, stated);
    if (!isnan(part) && fabs(stated / rows->total_s - 1) > OTHER_SUM_RATIO)
        bars_key(page, KEY_WORDS, 0,
                 figure_printf(page->f, "shares are of the rows, which are %.1f %% of the stated sum",
                               100 * part));
}

static void put_bars(const bar_page *page)
{
    const char *unit = page->format.scale.unit, *columns = "";
    const double factor = page->format.scale.factor;
    roof_arena *arena = page->f->arena;
    for (int k = 0; k < BAR_PARTS; k++)
        columns = say_printf(arena, "%s%s [%s]\t", columns, part_kinds[k].column, unit);
    bars_block(page, "bars", say_printf(arena, "%sall [%s]\tdrawn: 1\testimated: 1", columns, unit));
    for (uint32_t i = 0; i < page->n_bars; i++) {
        const chart_bar *bar = &page->bars[i];
        bars_put_places(page, i);
        for (int k = 0; k < BAR_PARTS; k++)
            FIGURE_NUMBERS(page->f, bar->parts_s[k] * factor);
        FIGURE_ROW(page->f, bar->time_s * factor, is_drawn(page, bar), bar->is_estimated);
    }
    bars_block(page, "marks", "mark");
    for (uint32_t i = 0; i < page->n_bars; i++)
        if (!isnan(page->bars[i].mark_s))
            BARS_ROW(page, i, page->bars[i].mark_s * factor);
    bars_block(page, "deviations", "from\tto");
    for (uint32_t i = 0; i < page->n_bars; i++) {
        const double half = deviation_of(page, &page->bars[i]) * factor, end = page->bars[i].time_s * factor;
        if (!isnan(half))
            BARS_ROW(page, i, end - half, end + half);
    }
}

void bars_draw(bar_page *page)
{
    const bool are_shares = page->layers.are_shares;
    for (uint32_t i = 0; i < page->n_bars; i++)
        if (!page->bars[i].is_others)
            page->longest_s = fmax(page->longest_s, fmax(page->bars[i].time_s, page->bars[i].mark_s));
    if (!(page->longest_s > 0))
        page->longest_s = page->bars[0].time_s;
    page->format = format_of(page->longest_s, are_shares);
    add_keys(page);
    FOR_EACH(chart_bar, bar, page->bars, page->n_bars) {
        double half = deviation_of(page, bar), end = bar->time_s + (isnan(half) ? 0 : half);
        bar->end = is_drawn(page, bar) ? fmax(end, bar->mark_s) * page->format.scale.factor : 0;
        /* A bar that is longer than the axis may be too long for its unit. */
        bool is_longer = bar->time_s * page->format.scale.factor >= 1000;
        time_format own = is_longer ? format_of(bar->time_s, are_shares) : page->format;
        double value = bar->time_s * own.scale.factor, least = pow(10, -own.decimals);
        bool is_less = value < least / 2, is_short = value < MOST_WRITTEN_OUT;
        const char *more = is_drawn(page, bar) ? bar->more : undrawn_words(page->f, bar);
        const char *number = figure_printf(page->f, is_short ? "%s%.*f" : "%s%.*g", is_less ? "<" : "",
                                           is_short ? own.decimals : 3, is_less ? least : value);
        const char *share = are_shares ? "" : figure_printf(page->f, "  %.1f %%", 100 * bar->share_ratio);
        bar->value = figure_printf(page->f, "%s %s%s%s%s", number, own.scale.unit, text_or_empty(share),
                                   more[0] ? "  " : "", more);
        page->high = fmax(page->high, bar->end);
    }
    page->axis_title = figure_printf(page->f, "%s [%s]", page->axis_title, page->format.scale.unit);
    bars_lay_out(page);
    put_bars(page);
}
