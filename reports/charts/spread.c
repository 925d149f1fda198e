/* How much the time of each layer scatters from run to run, relative to its median, so that layers can be
 * compared. A mean says little about a layer whose samples spread. Where samples are kept, or a range of them
 * is known, it is drawn; where only mean and deviation are known, the coefficient of variation. */
#include "reports/charts/chart_bars.h"
#include "roofline/statistics.h"

#include <gsl/gsl_sort.h>
#include <gsl/gsl_statistics_double.h>

enum { MOST_DOTS = 30 };

/* Dots further out than this many times the widest box and whiskers stand at the edge, as arrows. */
#define FARTHEST_DOT 3.0

/* Percent at either side of the median that the axis shows at least: samples may all be equal. */
#define LEAST_RANGE 0.1

/* The length of an arrow at the edge, as a share of the axis. */
#define ARROW_RATIO 0.02

/* How much a profile tells of a layer's times, the best last: mean and deviation, two ends around a median
 * which somebody kept instead of the samples, all samples. */
typedef enum knowledge { NOTHING, DEVIATION, RANGE, SAMPLES } knowledge;

/* A layer as it is drawn, in percent of its median (of its mean where there is no median); NaN: unknown. */
typedef struct line {
    const chart_row *row;
    knowledge known;
    double low, high; /* of all samples that do not stand out; without any, one standard deviation */
    double first_quartile, third_quartile;
    double dots[MOST_DOTS];
    uint32_t n_dots;
    uint64_t outliers, count;
    double cov_ratio, rest_ratio; /* rest: without the outliers */
    bool is_beyond[2];
} line;

typedef struct drawing {
    line *lines; /* the largest scatter first */
    uint32_t n_lines, n_known, n_high, n_explained;
    bool is_boxes;           /* else all are bars of CoV */
    double low, high, arrow; /* arrow: how long those are that begin as far behind the last dot */
    bar_page page;
} drawing;

/* --- what scatters most ------------------------------------------------------------------------------- */

static knowledge known_of(const chart_row *row)
{
    const roof_times *t = row->times;
    bool has_median = t && t->median_s > 0;
    if (has_median && t->samples_s && t->count > 1 && t->count <= UINT32_MAX)
        return SAMPLES;
    if (has_median && !t->samples_s && t->min_s <= t->median_s &&
        (t->p95_s >= t->median_s || t->max_s >= t->median_s))
        return RANGE;
    return row->cov_ratio >= 0 ? DEVIATION : NOTHING;
}

static bool has_note(const chart_row *row, roof_finding_kind note)
{
    return row->notes & ROOF_NOTE(note);
}

/* True if one or few samples make the scatter high, as the tables say it. */
static bool is_explained(const chart_row *row)
{
    return has_note(row, ROOF_FINDING_ONE_OUTLIER) || has_note(row, ROOF_FINDING_OUTLIERS);
}

static void choose(drawing *d)
{
    const chart_rows *rows = &d->page.layers;
    d->lines = NEW_ARRAY(d->page.f->arena, line, rows->n);
    for (uint32_t i = 0; i < rows->n && d->lines; i++) {
        const chart_row *row = &rows->rows[i];
        line l = {.row = row, .known = known_of(row), .cov_ratio = row->cov_ratio};
        l.high = 100 * l.cov_ratio;
        l.low = -l.high;
        l.first_quartile = l.third_quartile = l.rest_ratio = NAN;
        d->n_high += row->cov_ratio > ROOF_HIGH_COV_RATIO;
        d->n_explained += is_explained(row);
        d->is_boxes = d->is_boxes || l.known >= RANGE;
        if (l.known != NOTHING)
            d->lines[d->n_known++] = l;
    }
    /* The largest CoV first, one that is unknown last; equal ones in order of execution. */
    order_sort(d->lines, d->n_known, sizeof *d->lines, ORDER_BY(FALLING(line, cov_ratio)));
    d->n_lines = d->n_known < d->page.most ? d->n_known : d->page.most;
}

/* --- samples ------------------------------------------------------------------------------------------ */

static double percent_of(double value, double middle)
{
    return 100 * (value / middle - 1);
}

/* Outliers are the samples furthest from the median, so they are at the ends of sorted ones. Samples are
 * finite, so that only memory can fail. */
static void read_samples(line *l, chart_figure *f)
{
    const roof_times *t = l->row->times;
    roof_statistics s;
    double *sorted = NEW_ARRAY(f->arena, double, t->count);
    if (!sorted)
        return;
    memcpy(sorted, t->samples_s, (size_t)(t->count * sizeof *sorted));
    gsl_sort(sorted, 1, (size_t)t->count);
    if (roof_statistics_of(sorted, (size_t)t->count, &s, NULL) != ROOF_OK) {
        f->data.failed = true;
        return;
    }
    uint64_t first = 0, end = s.count;
    for (uint64_t i = 0; i < s.outliers; i++)
        if (s.median - sorted[first] > sorted[end - 1] - s.median)
            first++;
        else
            end--;
    l->count = s.count;
    l->outliers = s.outliers;
    l->rest_ratio = s.cov_without_outliers_ratio;
    l->first_quartile =
        percent_of(gsl_stats_quantile_from_sorted_data(sorted, 1, (size_t)s.count, 0.25), s.median);
    l->third_quartile =
        percent_of(gsl_stats_quantile_from_sorted_data(sorted, 1, (size_t)s.count, 0.75), s.median);
    l->low = fmin(percent_of(sorted[first], s.median), l->first_quartile);
    l->high = fmax(percent_of(sorted[end - 1], s.median), l->third_quartile);
    /* All outliers, or as many evenly chosen as there are dots: samples before first and from end on. */
    const uint64_t n = l->outliers, last = n > 1 ? n - 1 : 1;
    l->n_dots = n < MOST_DOTS ? (uint32_t)n : MOST_DOTS;
    for (uint32_t i = 0; i < l->n_dots; i++) {
        uint64_t at = n <= MOST_DOTS ? i : (uint64_t)((double)i * (double)last / (MOST_DOTS - 1) + 0.5);
        l->dots[i] = percent_of(sorted[at < first ? at : end + (at - first)], s.median);
    }
}

/* --- the axis ----------------------------------------------------------------------------------------- */

/* One sample far out would press all boxes into a line: it gets an arrow at the edge instead. */
static void choose_range(drawing *d)
{
    d->low = -LEAST_RANGE;
    d->high = LEAST_RANGE;
    FOR_EACH(const line, l, d->lines, d->n_lines) {
        d->low = fmin(d->low, l->low);
        d->high = fmax(d->high, l->high);
    }
    double limit = FARTHEST_DOT * fmax(-d->low, d->high);
    FOR_EACH(line, l, d->lines, d->n_lines) {
        for (uint32_t k = 0; k < l->n_dots; k++) {
            if (fabs(l->dots[k]) > limit) {
                l->is_beyond[l->dots[k] > 0] = true;
                continue;
            }
            d->low = fmin(d->low, l->dots[k]);
            d->high = fmax(d->high, l->dots[k]);
        }
    }
    d->arrow = ARROW_RATIO * (d->high - d->low);
}

/* --- words -------------------------------------------------------------------------------------------- */

/* Short where there is little room; the key then says what a star is. */
static const char *value_of(const drawing *d, const line *l)
{
    chart_figure *f = d->page.f;
    const char *cov = "", *name = d->is_boxes && f->is_wide ? "CoV " : "";
    if (l->cov_ratio >= 0)
        cov = figure_printf(f, l->cov_ratio < 1e4 ? "%s%.1f %%" : "%s%.3g %%", name, 100 * l->cov_ratio);
    if (!f->is_wide)
        return figure_printf(f, "%s%s", cov, is_explained(l->row) ? " *" : "");
    if (has_note(l->row, ROOF_FINDING_ONE_OUTLIER))
        return figure_printf(f, "%s, one outlier explains it", cov);
    if (l->outliers)
        return figure_printf(f, "%s, %.1f %% without %llu of %llu", cov, 100 * l->rest_ratio,
                             (unsigned long long)l->outliers, (unsigned long long)l->count);
    return cov;
}

static const char *explained_words(const drawing *d)
{
    const char *alone = "; outliers alone explain";
    uint32_t n_calm = 0;
    for (uint32_t i = 0; i < d->n_lines; i++)
        n_calm +=
            d->lines[i].cov_ratio > ROOF_HIGH_COV_RATIO && d->lines[i].rest_ratio <= ROOF_HIGH_COV_RATIO;
    if (!d->n_explained) /* many outliers, such as of the first of few iterations */
        return !n_calm               ? ""
               : n_calm == d->n_high ? ", and none without its outliers"
                                     : figure_printf(d->page.f, ", and %u fewer without outliers", n_calm);
    if (d->n_explained < d->n_high)
        return figure_printf(d->page.f, "%s %u of them", alone, d->n_explained);
    return figure_printf(d->page.f, "%s %s", alone, d->n_high == 1 ? "it" : "all of them");
}

static const char *title_of(const drawing *d)
{
    chart_figure *f = d->page.f;
    const line *first = &d->lines[0];
    const char *subject = bars_subject(&d->page);
    const char *name = bars_shorten(f, prediction_name_without(d->page.layers.prefix, first->row->name));
    if (!(first->cov_ratio >= 0))
        return figure_printf(f, "%s: the ranges of %u layers", subject, d->n_known);
    const char *most = figure_printf(f, "the most is %.1f %%, by %s", 100 * first->cov_ratio, name);
    if (!d->n_high)
        return figure_printf(f, "%s: no layer scatters by more than 10 %%; %s", subject, most);
    return figure_printf(f, "%s: %u of %u layers scatter%s by more than 10 %%%s; %s", subject, d->n_high,
                         d->n_known, d->n_high == 1 ? "s" : "", explained_words(d), most);
}

/* --- keys --------------------------------------------------------------------------------------------- */

typedef enum look { LOOK_LOW, LOOK_EXPLAINED, LOOK_HIGH, LOOKS } look;

static const chart_key looks[LOOKS] = {
    [LOOK_LOW] = {KEY_SWATCH, COLOUR_ARRAY, .words = "CoV up to 10 %"},
    [LOOK_EXPLAINED] = {KEY_SWATCH, COLOUR_OTHER, .words = "above, one outlier or few explain it"},
    [LOOK_HIGH] = {KEY_HATCHED, COLOUR_GAP, .words = "above, the layer scatters"},
};

static look look_of(const line *l)
{
    if (is_explained(l->row))
        return LOOK_EXPLAINED;
    return l->cov_ratio > ROOF_HIGH_COV_RATIO ? LOOK_HIGH : LOOK_LOW;
}

static void add_keys(drawing *d)
{
    bool used[LOOKS] = {false}, of_kind[SAMPLES + 1] = {false}, dots = false, beyond = false;
    for (uint32_t i = 0; i < d->n_lines; i++)
        if (!d->is_boxes || d->lines[i].known == SAMPLES || is_explained(d->lines[i].row))
            used[look_of(&d->lines[i])] = true;
    for (int k = 0; k < LOOKS; k++) {
        const char *star = k == LOOK_EXPLAINED && !d->page.f->is_wide ? " *" : "";
        if (used[k])
            bars_key(&d->page, looks[k].mark, looks[k].colour,
                     figure_printf(d->page.f, "%s%s", looks[k].words, star));
    }
    FOR_EACH(const line, l, d->lines, d->n_lines) {
        of_kind[l->known] = true;
        dots = dots || l->n_dots;
        beyond = beyond || l->is_beyond[0] || l->is_beyond[1];
    }
    const chart_key keys[] = {
        {KEY_RULE, COLOUR_INK, .words = d->is_boxes ? NULL : "10 %"},
        {KEY_MARK, COLOUR_INK, .words = d->is_boxes ? "median" : NULL},
        {KEY_WORDS, 0, .words = of_kind[SAMPLES] ? "box: quartiles; line: all but outliers" : NULL},
        {KEY_WORDS, 0,
         .words = of_kind[RANGE] ? "line without a box: minimum to 95th percentile or maximum" : NULL},
        {KEY_WORDS, 0,
         .words =
             d->is_boxes && of_kind[DEVIATION] ? "empty box: mean, one standard deviation around it" : NULL},
        {KEY_DOT, COLOUR_INK,
         .words = dots ? figure_printf(d->page.f, "outliers, at most %d", MOST_DOTS) : NULL},
        {KEY_WORDS, 0, .words = beyond ? "arrow: outliers further out" : NULL}};
    for (size_t i = 0; i < N_OF(keys); i++)
        if (keys[i].words)
            bars_key(&d->page, keys[i].mark, keys[i].colour, keys[i].words);
}

/* --- data --------------------------------------------------------------------------------------------- */

static void put_blocks(drawing *d)
{
    bars_block(&d->page, "boxes", "from [%]\tfirst quartile [%]\tthird quartile [%]\tto [%]\tlook\tCoV [%]");
    for (uint32_t i = 0; i < d->n_lines && d->is_boxes; i++) {
        const line *l = &d->lines[i];
        if (l->known >= RANGE)
            BARS_ROW(&d->page, i, l->low, l->first_quartile, l->third_quartile, l->high, look_of(l),
                     100 * l->cov_ratio);
    }
    /* Deviations stand around the mean of lines without a range; on a page of bars all of them are bars. */
    bars_block(&d->page, d->is_boxes ? "deviations" : "bars", "CoV [%]\tlook");
    for (uint32_t i = 0; i < d->n_lines; i++)
        if (d->lines[i].known < RANGE || !d->is_boxes)
            BARS_ROW(&d->page, i, 100 * d->lines[i].cov_ratio, look_of(&d->lines[i]));
    bars_block(&d->page, d->is_boxes ? "bars" : "deviations", "CoV [%]\tlook");
    bars_block(&d->page, "outliers", "sample [%]");
    for (uint32_t i = 0; i < d->n_lines; i++)
        for (uint32_t k = 0; k < d->lines[i].n_dots; k++)
            if (d->lines[i].dots[k] >= d->low && d->lines[i].dots[k] <= d->high)
                BARS_ROW(&d->page, i, d->lines[i].dots[k]);
    bars_block(&d->page, "beyond", "edge [%]\tlength of the arrow [%]");
    for (uint32_t i = 0; i < d->n_lines; i++)
        for (int side = 0; side < 2; side++) {
            double length = side ? d->arrow : -d->arrow;
            if (d->lines[i].is_beyond[side])
                BARS_ROW(&d->page, i, (side ? d->high : d->low) + length, length);
        }
}

static void draw(const chart_source *s, chart_figure *f)
{
    drawing d = {0};
    if (!s->experiment || !s->experiment->layer_run)
        return;
    bars_begin(&d.page, s, f);
    choose(&d);
    if (!d.n_known)
        return;
    FOR_EACH(line, l, d.lines, d.n_lines) {
        if (l->known == SAMPLES)
            read_samples(l, f);
        if (l->known == RANGE) {
            const roof_times *t = l->row->times;
            l->low = percent_of(t->min_s, t->median_s);
            l->high = percent_of(t->p95_s >= t->median_s ? t->p95_s : t->max_s, t->median_s);
        }
    }
    choose_range(&d);
    FOR_EACH(const line, l, d.lines, d.n_lines) {
        chart_bar *bar = &d.page.bars[d.page.n_bars++];
        *bar = bar_of(&d.page, l->row);
        bar->value = value_of(&d, l);
        double end = l->high;
        for (uint32_t k = 0; k < l->n_dots; k++)
            end = fmax(end, l->dots[k] > d.high ? 0 : l->dots[k]);
        bar->end = l->is_beyond[1] ? d.high + 2 * d.arrow : fmax(end, 0);
    }
    double most = 100 * ROOF_HIGH_COV_RATIO, margin = 2 * d.arrow; /* for an arrow at either end */
    d.page.low = d.is_boxes ? d.low - margin : 0;
    d.page.high = d.is_boxes ? d.high + margin : fmax(100 * d.lines[0].cov_ratio, most);
    d.page.line = d.is_boxes ? 0 : most;
    add_keys(&d);
    bars_key_count(&d.page, d.n_known - d.n_lines, "other", "not shown");
    bars_key_count(&d.page, d.page.layers.n - d.n_known, "layer", "of unknown scatter");
    d.page.title = title_of(&d);
    d.page.axis_title =
        d.is_boxes ? "time relative to the layer's median [%]" : "coefficient of variation [%]";
    f->caption = d.is_boxes ? "Samples of each layer relative to their median, the layer with the largest "
                              "coefficient of variation first. The further a line reaches, the less a "
                              "single run says; dots are outliers."
                            : "Standard deviation of each layer's time over its mean, the largest first. The "
                              "samples were not kept. Above 10 % do not rely on the mean of a layer; one "
                              "outlier and a layer that scatters cannot be distinguished.";
    bars_lay_out(&d.page);
    figure_set(f, "high_cov", d.is_boxes ? 0 : most); /* 0: no line */
    put_blocks(&d);
}

const chart_def chart_spread = {.id = "spread", .scope = CHART_MODEL, .draw = draw};
