/* Where the time of each layer goes: a bar a layer, cut into what the hardware needs, what is lost, and what timing added.
 * What no layer's bar shows is in the last one, so that the bars sum up to all of the time. */
#include "core/error.h"
#include "core/quantity.h"
#include "reports/chart_bars.h"
#include "reports/palette.h"

#include <math.h>
#include <stdio.h>

typedef struct drawing {
    const chart_source *s;
    chart_rows rows;
    uint32_t n_timed; /* rows with a time */
    bar_page page;
} drawing;

static const chart_row *nth(const drawing *d, uint32_t i)
{
    return &d->rows.rows[d->rows.by_time[i]];
}

static void count(drawing *d)
{
    while (d->n_timed < d->rows.n && nth(d, d->n_timed)->time_s > 0)
        d->n_timed++;
}

/* --- words -------------------------------------------------------------------------------------------- */

/* The fewest layers that take at least half of the time, and how much they take. */
static uint32_t half_of_time(const drawing *d, double *share)
{
    uint32_t n = 0;
    *share = 0;
    for (uint32_t i = 0; i < d->n_timed && *share < 0.5; i++)
        if (!nth(d, i)->is_unlisted) {
            *share += nth(d, i)->share_ratio;
            n++;
        }
    return n;
}

static void say_who(const drawing *d, const char *of, char *text, size_t size)
{
    double share;
    uint32_t n = half_of_time(d, &share);
    const chart_row *unlisted = NULL;
    for (uint32_t i = 0; i < d->n_timed && !unlisted; i++)
        unlisted = nth(d, i)->is_unlisted ? nth(d, i) : NULL;
    if (d->n_timed == 1)
        snprintf(text, size, "one layer takes all of %s", of);
    else if (unlisted)
        snprintf(text, size, "%u listed layer%s take%s %.0f %% of %s, %u not listed %.0f %%", n, bars_s(n),
                 n == 1 ? "s" : "", 100 * share, of, unlisted->n_layers, 100 * unlisted->share_ratio);
    else
        snprintf(text, size, "%u of %u layers take%s %.0f %% of %s", n, d->n_timed, n == 1 ? "s" : "",
                 100 * share, of);
}

/* The sums of the columns of the tables, also where a part is cut in the picture. */
static void say_where(const drawing *d, char *text, size_t size)
{
    static const char *const names[] = {"gap", "host", "overhead"};
    double sums[] = {NAN, NAN, NAN};
    for (uint32_t i = 0; i < d->n_timed; i++) {
        const chart_row *row = nth(d, i);
        const double parts[] = {row->gap_s, row->host_s, row->overhead_s > 0 ? row->overhead_s : NAN};
        for (size_t k = 0; k < sizeof parts / sizeof *parts; k++)
            if (!isnan(parts[k]))
                sums[k] = (isnan(sums[k]) ? 0 : sums[k]) + parts[k];
    }
    size_t used = 0;
    text[0] = '\0';
    for (size_t k = 0; k < sizeof sums / sizeof *sums && used < size; k++)
        if (!isnan(sums[k]))
            used += (size_t)snprintf(text + used, size - used, used ? ", %s %.0f %%" : "; the %s is %.0f %%",
                                     names[k], 100 * sums[k] / d->rows.total_s);
}

/* "; memory binds 62 % of it, MAC array 30 %": the two that bind most. */
static void say_bounds(const drawing *d, char *text, size_t size)
{
    double shares[BOUND_CLASSES] = {0};
    size_t used = 0;
    text[0] = '\0';
    for (uint32_t i = 0; i < d->n_timed; i++)
        shares[nth(d, i)->bound_class] += nth(d, i)->share_ratio;
    for (int rank = 0; rank < 2 && used < size; rank++) {
        int most = 0;
        for (int c = 1; c < BOUND_OTHER; c++)
            most = shares[c] > shares[most] ? c : most;
        if (shares[most] < 0.01)
            break;
        used += (size_t)snprintf(text + used, size - used, rank ? ", %s%s %.0f %%" : "; %s%s binds %.0f %%",
                                 most == BOUND_MEMORY ? "" : "the ", bound_words((bound_kind)most),
                                 100 * shares[most]);
        shares[most] = 0;
    }
}

static const char *title_of(const drawing *d)
{
    char who[200], where[200];
    chart_figure *f = d->page.f;
    say_who(d, d->rows.is_measured ? "the time" : "the ideal time", who, sizeof who);
    if (d->rows.is_measured)
        say_where(d, where, sizeof where);
    else
        say_bounds(d, where, sizeof where);
    return figure_printf(f, "%s: %s%s", bars_subject(d->s, f), who, where);
}

/* --- bars --------------------------------------------------------------------------------------------- */

/* What is predicted with a calibration, or the ideal where it is not below what was measured. */
static double mark_of(const drawing *d, uint32_t index)
{
    const roof_prediction *p = d->s->prediction;
    const chart_row *row = &d->rows.rows[index];
    if (d->rows.is_measured)
        return row->ideal_s > row->time_s * 1.002 ? row->ideal_s : NAN;
    return p && p->layers[index].predicted_s > 0 ? p->layers[index].predicted_s : NAN;
}

/* The text stands behind the mark, so it says which of the two is the mark's. */
static const char *mark_words(const drawing *d, double mark_s)
{
    char time[40];
    chart_figure *f = d->page.f;
    if (isnan(mark_s) || !bars_is_wide(&f->canvas))
        return "";
    quantity_format(time, sizeof time, mark_s, "s");
    return figure_printf(f, "(%s %s)", d->rows.is_measured ? "ideal" : "predicted", time);
}

static void make_bars(const drawing *d, chart_bar *bars, uint32_t n)
{
    for (uint32_t i = 0; i < n; i++) {
        const chart_row *row = nth(d, i);
        bars[i] = bar_empty(chart_row_name(&d->rows, row));
        bars[i].number = bars_number(d->page.f, row);
        bars[i].order = d->rows.by_time[i];
        bars[i].is_others = row->is_unlisted;
        bars[i].mark_s = mark_of(d, d->rows.by_time[i]);
        bars[i].more = mark_words(d, bars[i].mark_s);
        bar_add(&bars[i], row);
    }
}

static void make_others(const drawing *d, chart_bar *bar, uint32_t first)
{
    *bar = bar_empty(figure_printf(d->page.f, "%u others", d->n_timed - first));
    bar->is_others = true;
    for (uint32_t i = first; i < d->n_timed; i++)
        bar_add(bar, nth(d, i));
}

static void add_keys(drawing *d, const chart_bar *bars, uint32_t n)
{
    bool has_mark = false;
    for (uint32_t i = 0; i < n; i++)
        has_mark = has_mark || !isnan(bars[i].mark_s);
    if (has_mark)
        bars_key(&d->page, KEY_MARK, COLOUR_INK, "%s",
                 d->rows.is_measured ? "ideal, above what was measured" : "predicted, with the calibration");
    bars_remarks(&d->page, d->s, &d->rows);
    bars_prefix_key(&d->page, &d->rows);
}

static void say_caption(const drawing *d)
{
    figure_caption(
        d->page.f,
        "A bar for each layer, the longest first. %s The script draws order of execution with in_order = 1.",
        d->rows.is_measured
            ? "From the left: the ideal, coloured by what binds it; the gap, which is what the layer takes "
              "beyond it; what the host takes, where phases tell it apart; the overhead that timing layer by "
              "layer added. They sum up to what was measured."
            : "Its colour says what binds it. Nothing was measured: this is the least that the hardware "
              "needs.");
}

static roof_status draw(const chart_source *s, chart_figure *f, bool *is_empty, roof_error *err)
{
    drawing d = {.s = s};
    d.page = (bar_page){.f = f, .provenance = chart_provenance(s, f)};
    TRY(bars_rows_of(s, f->arena, &d.rows, err));
    count(&d);
    *is_empty = !d.n_timed;
    if (*is_empty)
        return ROOF_OK;
    uint32_t most = bars_most(&f->canvas), n = d.n_timed > most ? most : d.n_timed;
    chart_bar *bars = NEW_ARRAY(f->arena, chart_bar, n);
    if (!bars)
        return error_memory(err);
    make_bars(&d, bars, n);
    if (n < d.n_timed)
        make_others(&d, &bars[n - 1], n - 1);
    add_keys(&d, bars, n);
    d.page.title = title_of(&d);
    d.page.subtitle = s->experiment ? chart_conditions(s, f) : chart_verdict(s, f);
    d.page.axis_title = d.rows.is_measured ? "measured time of a layer" : "ideal time of a layer";
    say_caption(&d);
    return bars_draw(&d.page, bars, n, err);
}

const chart_def chart_waterfall = {
    .id = "waterfall", .name = "Where each layer's time goes", .scope = CHART_MODEL, .draw = draw};
