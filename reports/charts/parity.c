/* Ideal against measured: how many times its bound each layer takes, and what is left when the profiling
 * overhead is subtracted. Both axes are logarithmic and the same, so that a factor is a distance from the
 * diagonal, wherever a layer is. */
#include "reports/charts/chart_discs.h"

enum { MOST_DROPS = 100, MOST_NUMBERS = 16 };

/* How many times the bound, with a line each. */
static const double factors[] = {1, 2, 5, 10};

typedef struct drawing {
    chart_figure *f;
    const roof_reconciled *e;
    chart_discs discs; /* both axes in scale.unit; ranked: impossible ones first, then the largest gap */
    chart_scale scale;
    uint32_t n_impossible, n_above, n_drops;
    double longest_s;
    bool has_overhead, has_host, has_deviations;
} drawing;

/* --- what is drawn ------------------------------------------------------------------------------------ */

static bool has_place(const chart_row *row)
{
    return row->number && row->ideal_s > 0 && row->measured_s > 0 && isfinite(row->ideal_s) &&
           isfinite(row->measured_s);
}

static bool is_impossible(const chart_row *row)
{
    return row->verdict == ROOF_VERDICT_IMPOSSIBLE;
}

/* Impossible times come first, then the largest gap. */
static int larger_gap_first(const void *a_, const void *b_)
{
    const chart_row *a = (*(const chart_disc *const *)a_)->row, *b = (*(const chart_disc *const *)b_)->row;
    if (is_impossible(a) != is_impossible(b))
        return is_impossible(a) ? -1 : 1;
    if (a->gap_s != b->gap_s && !isnan(a->gap_s) && !isnan(b->gap_s))
        return (a->gap_s > b->gap_s) == !is_impossible(a) ? -1 : 1;
    return a < b ? -1 : a > b;
}

/* Words for the overhead that is subtracted from measured times; "" for none. */
static const char *taken_off(const drawing *d)
{
    static const char *const words[2][2] = {
        {"", "the profiling overhead"}, {"the host's part", "the profiling overhead and the host's part"}};
    return words[d->has_host][d->has_overhead];
}

/* With too many rows to draw, impossible ones have a half to themselves. Places are in seconds here. */
static void choose(drawing *d)
{
    chart_discs *c = &d->discs;
    uint32_t reserved = d->n_impossible < MOST_DISCS / 2 ? d->n_impossible : MOST_DISCS / 2;
    uint32_t room[] = {MOST_DISCS - reserved, reserved};
    for (uint32_t i = 0; i < c->rows.n; i++) {
        const chart_row *row = c->rows.by_time[i];
        /* A row for all layers that the profile only sums up has no number, and their time. */
        const disc_kind kind = !row->number && row->measured_s > 0 && row->ideal_s > 0 ? DISC_SUM
                               : !has_place(row)                                       ? DISC_LEFT_OUT
                               : room[is_impossible(row)]                              ? DISC_DRAWN
                                                                                       : DISC_SMALL;
        room[is_impossible(row)] -= kind == DISC_DRAWN;
        /* An arrow leads to its time without the profiling overhead and the CPU's part. */
        const double own_s = (isnan(row->corrected_s) ? row->measured_s : row->corrected_s) -
                             (row->host_s > 0 ? row->host_s : 0);
        discs_take(c, row, kind, row->ideal_s, row->measured_s,
                   own_s > 0 && own_s < row->measured_s ? own_s : (double)NAN);
    }
    if (c->n_drawn)
        qsort(c->ranked, c->n_drawn, sizeof *c->ranked, larger_gap_first);
}

/* --- axes --------------------------------------------------------------------------------------------- */

/* 1, 2 or 5 of a decade, at value or below. */
static double round_down(double value)
{
    double power = pow(10, floor(log10(value)));
    return power * (value >= 5 * power ? 5 : value >= 2 * power ? 2 : 1);
}

static void set_axes(chart_discs *c, double low, double high)
{
    const chart_axis axis = {.min = low, .max = high, .is_log = true};
    chart_plane_set_axes(&c->plane, axis, axis);
}

static bool reaches_out(const chart_discs *c, bool at_top)
{
    for (uint32_t i = 0; i < c->n_drawn; i++) {
        px_point at = chart_plane_at(&c->plane, c->drawn[i].x, c->drawn[i].y);
        double r = fmax(8, c->drawn[i].radius_px);
        if (at_top ? at.x + r > c->plane.area.right_px || at.y - r < c->plane.area.top_px
                   : at.x - r < c->plane.area.left_px || at.y + r > c->plane.area.bottom_px)
            return true;
    }
    return false;
}

/* The least range in steps of 1, 2 and 5 that holds the discs, at least a decade. */
static void choose_axes(drawing *d)
{
    enum { TRIALS = 8 };
    chart_discs *c = &d->discs;
    axis_extent e = EXTENT_EMPTY;
    for (uint32_t i = 0; i < c->n_drawn; i++) {
        chart_extent_take(&e, c->drawn[i].x);
        chart_extent_take(&e, c->drawn[i].y);
    }
    d->longest_s = e.high;
    d->scale = chart_scale_of(e.high);
    for (uint32_t i = 0; i < c->n_drawn; i++) {
        c->drawn[i].x *= d->scale.factor;
        c->drawn[i].y *= d->scale.factor;
        c->drawn[i].to_y *= d->scale.factor;
    }
    double low = round_down(e.low * d->scale.factor),
           high = chart_axis_nice_step(e.high * d->scale.factor, 1);
    high = fmax(high, 10 * low);
    set_axes(c, low, high);
    for (int i = 0; i < TRIALS && reaches_out(c, true); i++)
        set_axes(c, low, high = chart_axis_nice_step(high * 1.2, 1));
    for (int i = 0; i < TRIALS && reaches_out(c, false); i++)
        set_axes(c, low = round_down(low / 1.2), high);
    chart_plane_put_axes(&c->plane, NULL, 34, figure_printf(d->f, "Measured [%s]", d->scale.unit),
                         figure_printf(d->f, "Ideal [%s]", d->scale.unit));
}

/* Where y = factor * x enters and leaves the picture. */
static plane_line line_of(const drawing *d, double factor)
{
    const chart_axis *x = &d->discs.plane.x;
    double from = fmax(x->min, x->min / factor), to = fmin(x->max, x->max / factor);
    return (plane_line){from, from * factor, to, to * factor};
}

/* --- legend ------------------------------------------------------------------------------------------- */

static double key_lines(const drawing *d)
{
    return 5.0 + (d->n_impossible > 0) + d->discs.has_estimated;
}

/* Four digits of the longest; a profile seldom has more. */
static const char *time_text(const drawing *d, double seconds)
{
    int whole = (int)fmax(0, floor(log10(d->longest_s * d->scale.factor)));
    if (isnan(seconds))
        return "?";
    return figure_printf(d->f, "%.*f", whole < 3 ? 3 - whole : 1, seconds * d->scale.factor);
}

static void put_legend(drawing *d)
{
    static const char *const titles[] = {"measured", "ideal", "gap"};
    const char *longest = d->n_drops == MOST_DROPS ? figure_printf(d->f, ", the longest %u", d->n_drops) : "";
    chart_legend_head(&d->discs, figure_printf(d->f, "layer [%s]", d->scale.unit), titles, 3);
    for (uint32_t i = 0; i < d->discs.n_numbers; i++) {
        const chart_row *row = d->discs.ranked[i]->row;
        const char *const values[] = {time_text(d, row->measured_s), time_text(d, row->ideal_s),
                                      time_text(d, row->gap_s)};
        chart_legend_row(&d->discs, row, values, 3);
    }
    const chart_discs *c = &d->discs;
    double others_s = 0;
    uint32_t n = c->n_drawn - c->n_numbers;
    for (uint32_t i = c->n_numbers; i < c->n_drawn; i++)
        others_s += isnan(c->ranked[i]->row->gap_s) ? 0 : c->ranked[i]->row->gap_s;
    if (n)
        chart_legend_remark(&d->discs, "%u other layer%s: gap %s", n, say_plural(n),
                            say_quantity(d->f->arena, others_s, "s"));
    if (c->sum)
        chart_legend_remark(&d->discs, "%.80s: gap %s", c->sum->name,
                            say_quantity(d->f->arena, c->sum->gap_s, "s"));
    if (c->n_small)
        chart_legend_remark(&d->discs, "%u of the shortest are not drawn", c->n_small);
    if (c->n_left_out)
        chart_legend_remark(&d->discs, "%u without measured or ideal time: %.1f %% of the time",
                            c->n_left_out, 100 * c->left_out_share);
    chart_legend_begin_key(&d->discs, key_lines(d));
    chart_legend_remark(&d->discs, "mark: measured; area: share of the time");
    if (d->has_deviations)
        chart_legend_remark(&d->discs, "bar through a mark: one standard deviation");
    if (d->discs.has_estimated)
        chart_legend_remark(&d->discs, "hollow mark: estimated, not measured");
    if (d->n_drops)
        chart_legend_mark(&d->discs, RINGS, COLOUR_INK,
                          figure_printf(d->f, "without %s%s", taken_off(d), longest));
    if (d->n_impossible)
        chart_legend_mark(&d->discs, RULES, COLOUR_GAP, "faster than the bound: impossible");
}

/* --- the page ----------------------------------------------------------------------------------------- */

/* Counts are of rows that have both times. */
static const char *verdict(drawing *d)
{
    const char *subject = chart_subject(d->e, d->f), *off = taken_off(d);
    const chart_row *worst = d->discs.ranked[0]->row;
    uint32_t n = d->discs.n_drawn + d->discs.n_small, n_such = d->n_impossible ? d->n_impossible : d->n_above;
    const char *are = n_such == 1 ? "is" : "are";
    if (d->n_impossible)
        return figure_printf(d->f, "%s: %u of %u layers %s faster than the bound, which is impossible",
                             subject, n_such, n, are);
    if (!(worst->gap_s > 0))
        return figure_printf(d->f, "%s: every layer reaches its bound", subject);
    return figure_printf(d->f, "%s: %s%s%s%u of %u layers %s slower than the bound; most by %s, layer %u, %s",
                         subject, off[0] ? "without " : "", off, off[0] ? ", " : "", n_such, n, are,
                         say_quantity(d->f->arena, worst->gap_s, "s"), worst->number,
                         prediction_name_without(d->discs.rows.prefix, worst->name));
}

static void draw(const chart_source *s, chart_figure *f)
{
    drawing d = {.f = f, .e = s->experiment};
    if (!d.e || !d.e->prediction)
        return;
    discs_begin(&d.discs, s, f, 40, 76);
    FOR_EACH(const chart_row, row, d.discs.rows.rows, d.discs.rows.n) {
        if (!has_place(row))
            continue;
        d.n_impossible += is_impossible(row);
        d.n_above += row->gap_s > 0;
        d.has_overhead = d.has_overhead || row->overhead_s > 0;
        d.has_host = d.has_host || row->host_s > 0;
    }
    choose(&d);
    if (!d.discs.n_drawn)
        return;
    double top = figure_head(f, verdict(&d), chart_conditions(s, f));
    /* A square, the legend beside it or below. */
    const double bottom = figure_foot(f, chart_provenance(s, f)), left = 70, foot = 50,
                 width = f->canvas.width_px,
                 room = f->is_wide ? bottom - top - 10 - foot : (bottom - top) * 0.62 - foot,
                 side = fmax(40, fmin(room, width - left - (f->is_wide ? 300 : AXIS_END_PX))),
                 begin = f->is_wide ? left : left + (width - left - AXIS_END_PX - side) / 2;
    const plot_area plot = d.discs.plane.area = (plot_area){begin, begin + side, top + 10, top + 10 + side};
    d.discs.legend = f->is_wide ? (plot_area){plot.right_px + 40, width - 16, top + 10, bottom - 2}
                                : (plot_area){16, width - 16, plot.bottom_px + foot + 2, bottom - 2};
    chart_legend_begin(&d.discs, key_lines(&d) + 4, MOST_NUMBERS);
    choose_axes(&d);
    const chart_axis *x = &d.discs.plane.x;
    figure_block(d.f, "bounds", "ideal\tmeasured\ttimes the bound");
    for (size_t i = 0; i < N_OF(factors); i++) {
        plane_line line = line_of(&d, factors[i]);
        FIGURE_ROW(d.f, line.from_x, line.from_y, factors[i]);
        FIGURE_ROW(d.f, line.to_x, line.to_y, factors[i]);
        figure_gap(d.f);
    }
    chart_plane_avoid_line(&d.discs.plane, (plane_line){x->min, x->min, x->max, x->max}, 1.5);
    discs_put_points(&d.discs,
                     "number\tmeasured - overhead - host\tideal\tmeasured\tshare [%]\tradius "
                     "[px]\tcolour\tverdict\tlayer\testimated: 1\tsymbol",
                     true);
    figure_block(d.f, "deviations", "ideal\tmeasured - deviation\tmeasured + deviation");
    for (uint32_t i = 0; i < d.discs.n_drawn; i++) { /* one of them either way, where the profile tells it */
        const chart_disc *disc = &d.discs.drawn[i];
        const double cov = disc->row->cov_ratio, least = d.discs.plane.y.min, most = d.discs.plane.y.max;
        if (!(cov > 0))
            continue;
        d.has_deviations = true;
        FIGURE_ROW(d.f, disc->x, fmax(least, disc->y * (1 - cov)), fmin(most, disc->y * (1 + cov)));
    }
    d.n_drops = discs_put_arrows(&d.discs, "corrected", "ideal\tmeasured\tmeasured - overhead - host",
                                 d.discs.n_drawn, MOST_DROPS, 4);
    const chart_discs *c = &d.discs;
    figure_block(d.f, "below-bound", "number\tideal\tmeasured\tlayer");
    for (uint32_t i = 0; i < c->n_drawn && is_impossible(c->ranked[i]->row); i++) {
        FIGURE_NUMBERS(d.f, c->ranked[i]->row->number, c->ranked[i]->x, c->ranked[i]->y);
        figure_text(d.f, c->ranked[i]->row->name);
        figure_end_row(d.f);
    }
    /* Along lines at 45 degrees, above them: from the upper end down, first where no disc is in the way. */
    const along_line along = {.first = 0.97, .span = -0.95, .steps = 24, .above_only = true};
    const chart_plane *plane = &d.discs.plane;
    figure_put(d.f, plane->area.right_px - 8, plane->area.bottom_px - 14, ANCHOR_RIGHT, LETTER_SMALL,
               COLOUR_MUTED, "impossible: below the bound");
    for (size_t i = 0; i < N_OF(factors); i++) {
        const char *text = i ? figure_printf(d.f, "%g times", factors[i]) : "at its bound";
        if (plane->x.max / plane->x.min > factors[i])
            chart_plane_label_line(plane, text, i ? LETTER_SMALL : LETTER_BOLD, line_of(&d, factors[i]),
                                   &along);
    }
    discs_number(&d.discs, 7, " ", 3);
    put_legend(&d);
    const char *drops = figure_printf(
        f, "A line leads down to the time without %s; the distance from there to the bold line is the gap.",
        taken_off(&d));
    f->caption = figure_printf(
        f,
        "Each mark is a layer: its measured time over its ideal time. On the bold line a layer runs at its "
        "bound; each dashed line is the stated factor slower. No layer can be below the bold line. %s",
        d.n_drops ? drops : "The profiling overhead is unknown, so nothing is subtracted.");
}

const chart_def chart_parity = {.id = "parity", .scope = CHART_MODEL, .draw = draw};
