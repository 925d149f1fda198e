/* The roofline chart: what each layer reaches, at how many operations per byte, under the roofs of its
 * hardware.
 *
 * S. Williams, A. Waterman, D. Patterson, "Roofline: An Insightful Visual Performance Model for Multicore
 * Architectures", CACM 52(4), 2009: attainable = min(peak, bandwidth * operational intensity). Engines beside
 * the MAC array are ceilings of their own. */
#include "reports/charts/chart_discs.h"

enum { MOST_ARROWS = 60 };

/* A layer that moved by less stands where it was. */
#define LEAST_MOVE 0.01

static const double giga = 1e9;
static const char columns[] = "intensity [Op/Byte]\tperformance [GOP/s]";

/* A line. The first two are the roof that governs; the others are single engines. */
enum { MEMORY, PEAK, ROOFS };
typedef struct ceiling {
    const char *text;
    double value;           /* GOP/s of an engine that computes, GB/s of one that moves data; NaN: unknown */
    bool moves, is_reached; /* is_reached: the most that was measured, below the engine's peak */
} ceiling;

typedef struct drawing {
    const roof_prediction *p;
    chart_figure *f;
    chart_discs discs;
    chart_plane *plane;     /* of discs: Op/Byte, GOP/s */
    double peak, bandwidth; /* GOP/s, GB/s; NaN: unknown */
    double port;            /* GB/s of the slowest port, where it is slower than the memory; else NaN */
    double knee, last_knee; /* Op/Byte from which memory does not bound the array, and no port does */
    ceiling ceilings[ROOFS + 2 * ROOF_MAX_ENGINES];
    uint32_t n_ceilings, n_moves;
    bool has_before;
} drawing;

/* --- what is drawn ------------------------------------------------------------------------------------ */

static double rate_in(const chart_row *row, double seconds)
{
    return row->ops / seconds / giga;
}

/* Where the disc stands: as measured, or at the ideal where nothing was measured. A layer without operations
 * has no place on a logarithmic axis. */
typedef struct disc_place {
    double x, y, ideal;
    bool is_known;
} disc_place;

static disc_place place_of(const chart_rows *rows, const chart_row *row)
{
    double x = row->ops / row->bytes, ideal = row->ideal_s > 0 ? rate_in(row, row->ideal_s) : NAN;
    double y = rate_in(row, rows->is_measured ? row->measured_s : row->ideal_s);
    return (disc_place){x, y, ideal, x > 0 && y > 0 && isfinite(x) && isfinite(y)};
}

/* --- axes --------------------------------------------------------------------------------------------- */

/* A logarithmic axis has no place for 0. */
static void take_in(axis_extent *e, double value)
{
    if (value > 0)
        chart_extent_take(e, value);
}

/* From a whole decade to 1, 2 or 5 of one, with some room at both ends. */
static chart_axis decades(axis_extent e)
{
    double low = pow(10, floor(log10(e.low * 0.7))), high = chart_axis_nice_step(e.high * 2, 1);
    return (chart_axis){.min = low, .max = fmax(high, 10 * low), .is_log = true};
}

static void extend(const chart_source *source, chart_frame *frame, roof_arena *arena)
{
    const chart_rows rows = chart_rows_of(source, arena);
    for (uint32_t i = 0; i < rows.n && source->prediction; i++) {
        const chart_row *row = rows.by_time[i];
        disc_place at = place_of(&rows, row);
        if (row->is_unlisted || !at.is_known)
            continue;
        take_in(&frame->x, at.x);
        take_in(&frame->y, at.y);
        take_in(&frame->y, at.ideal);
    }
}

static void choose_axes(drawing *d, const chart_frame *frame)
{
    chart_discs *c = &d->discs;
    axis_extent x = frame->x, y = frame->y;
    for (uint32_t i = 0; i < c->n_drawn; i++) {
        take_in(&x, c->drawn[i].x);
        take_in(&y, c->drawn[i].y);
        take_in(&y, c->drawn[i].to_y);
    }
    take_in(&x, d->knee);
    take_in(&x, d->last_knee);
    take_in(&y, d->peak);
    chart_plane_set_axes(d->plane, decades(x), decades(y));
}

/* --- roofs -------------------------------------------------------------------------------------------- */

/* A memory or a port ends where it leaves the picture or meets the peak; an engine begins at the memory. */
static plane_line line_of(const drawing *d, const ceiling *c)
{
    const chart_axis *x = &d->plane->x, *y = &d->plane->y;
    double from = c->moves ? y->min / c->value : c->value / d->bandwidth,
           top = isnan(d->peak) ? y->max : d->peak;
    from = fmax(x->min, from);
    if (!c->moves)
        return (plane_line){from, c->value, x->max, c->value};
    double to = fmin(x->max, top / c->value);
    return (plane_line){from, from * c->value, to, to * c->value};
}

static bool is_inside(const drawing *d, double knee)
{
    return knee > d->plane->x.min && knee < d->plane->x.max;
}

/* Left of the ridge point the memory bounds the array, right of that of the slowest port the array itself;
 * between them that depends on which port the bytes take. */
static void put_regions(drawing *d)
{
    const double knees[] = {d->knee, d->last_knee};
    const plane_line slope = line_of(d, &d->ceilings[MEMORY]);
    figure_block(d->f, "memory-region", columns);
    if (is_inside(d, d->knee)) {
        FIGURE_ROW(d->f, slope.from_x, slope.from_y);
        FIGURE_ROW(d->f, d->knee, d->peak);
    }
    figure_block(d->f, "compute-region", columns);
    if (is_inside(d, d->last_knee)) {
        FIGURE_ROW(d->f, d->last_knee, d->peak);
        FIGURE_ROW(d->f, d->plane->x.max, d->peak);
    }
    figure_block(d->f, "ridge", columns);
    for (int i = 0; i < (d->port > 0 ? 2 : 1); i++) {
        if (!is_inside(d, knees[i]))
            continue;
        FIGURE_ROW(d->f, knees[i], d->plane->y.min);
        FIGURE_ROW(d->f, knees[i], d->peak);
        figure_gap(d->f);
    }
}

/* Engines of the same rate share a line: "load or save". The governing roof has its own. */
static void collect_ceilings(drawing *d)
{
    d->ceilings[MEMORY] = (ceiling){"external memory", d->bandwidth, true, false};
    d->ceilings[PEAK] = (ceiling){"peak", d->peak, false, false};
    d->n_ceilings = ROOFS;
    for (uint32_t i = 0; i < d->p->hardware.n_ceilings; i++) {
        const roof_ceiling *c = &d->p->hardware.ceilings[i];
        bool moves = isnan(c->ops_per_s);
        if (c->reached_per_s > 0)
            d->ceilings[d->n_ceilings++] = (ceiling){figure_printf(d->f, "%s, measured at most", c->engine),
                                                     c->reached_per_s / giga, moves, true};
        double value = (moves ? c->bytes_per_s : c->ops_per_s) / giga;
        if (!(value > 0) || fabs(value / (moves ? d->bandwidth : d->peak) - 1) < 1e-9)
            continue;
        ceiling *same = d->ceilings + ROOFS, *end = d->ceilings + d->n_ceilings;
        while (same < end && !(same->moves == moves && same->value == value))
            same++;
        const char *before = same < end ? figure_printf(d->f, "%s or ", same->text) : "";
        d->n_ceilings += same == end;
        *same = (ceiling){figure_printf(d->f, "%s%s", before, c->engine), value, moves, false};
    }
    d->port = NAN;
    for (uint32_t i = ROOFS; i < d->n_ceilings; i++)
        if (d->ceilings[i].moves && !d->ceilings[i].is_reached && d->ceilings[i].value < d->bandwidth &&
            !(d->port <= d->ceilings[i].value))
            d->port = d->ceilings[i].value;
    d->knee = d->peak / d->bandwidth;
    d->last_knee = d->port > 0 ? d->peak / d->port : d->knee;
}

static bool put_line(drawing *d, const ceiling *c)
{
    const chart_axis *y = &d->plane->y;
    const plane_line line = line_of(d, c);
    bool is_in = c->moves ? c->value > 0 : c->value >= y->min && c->value <= y->max;
    if (!is_in || !(line.from_x < line.to_x))
        return false;
    chart_plane_put_line(d->plane, line, 0.5);
    return true;
}

/* --- labels of roofs ---------------------------------------------------------------------------------- */

/* Along its line, turned with it; from the right end of a level one on, or left of where that begins. Where
 * there is no room off lines and marks it has fewer words, and a slope that is no roof has none. */
static void label_roof(drawing *d, const ceiling *c)
{
    static const along_line sloped = {.first = 0.05, .span = 0.9, .steps = 40},
                            level = {.first = 1, .span = -1, .steps = 80, .may_be_far = true},
                            beside = {.first = 0, .span = -2, .steps = 80};
    const chart_axis *y = &d->plane->y;
    const char *rate = say_quantity(d->f->arena, c->value * giga, c->moves ? "B/s" : "OP/s");
    const char *text = figure_printf(d->f, "%s %s", c->text, rate);
    const plane_line line = line_of(d, c);
    const bool is_roof = c < d->ceilings + ROOFS;
    const letter_kind letter = is_roof ? LETTER_BOLD : LETTER_SMALL;
    if (c->moves ? !(c->value > 0 && line.from_x < line.to_x) : !(c->value > y->min && c->value < y->max))
        return;
    const char *of = c->is_reached                         ? "measured"
                     : !c->moves                           ? c->text
                     : is_roof || d->p->hardware.has_pools ? "memory"
                                                           : "port";
    const char *brief = figure_printf(d->f, "%s %s", of, rate);
    const along_line along = c->moves ? sloped : level;
    along_line off = along;
    off.off_marks = true;
    if (chart_plane_label_line(d->plane, text, letter, line, &off) ||
        chart_plane_label_line(d->plane, brief, letter, line, &off) || (c->moves && !is_roof))
        return;
    if (!chart_plane_label_line(d->plane, text, letter, line, &along) && !c->moves)
        (void)chart_plane_label_line(d->plane, text, letter, line, &beside);
}

/* Near the foot of a line, right of it or left; false where there is no room off lines and marks. */
static bool label_foot(drawing *d, double knee, bool right, double up_px, const char *text)
{
    enum { TRIES = 3, STEP_PX = 9 };
    figure_text_label l = {.letter = LETTER_SMALL, .colour = COLOUR_MUTED, .text = text};
    l.x_px = chart_axis_px(&d->plane->x, knee) + (right ? 6 : -6);
    l.anchor = right ? ANCHOR_LEFT : ANCHOR_RIGHT;
    for (int i = 0; i < TRIES; i++) {
        l.y_px = d->plane->area.bottom_px - up_px - i * STEP_PX;
        if (figure_try_label(d->f, &l, &d->plane->area, true))
            return true;
    }
    return false;
}

static const char *ridge_words(drawing *d, const char *of, double knee)
{
    char value[40];
    number_format_derived(value, sizeof value, round(knee * 10) / 10);
    return figure_printf(d->f, "%s %s Op/Byte", of, value);
}

/* The bounds of the array left and right of the ridges, and their places: a port's beside the memory's. */
static void label_regions(drawing *d)
{
    enum { RIDGE_UP_PX = 12, REGION_UP_PX = 30 };
    double knee = d->knee, last = d->last_knee;
    bool has_port = d->port > 0;
    if (is_inside(d, knee)) {
        const char *text = ridge_words(d, "ridge point", knee);
        if (has_port || !label_foot(d, knee, true, RIDGE_UP_PX, text))
            (void)label_foot(d, knee, false, RIDGE_UP_PX, text);
        (void)label_foot(d, knee, false, REGION_UP_PX, "memory bound");
    }
    if (!is_inside(d, last))
        return;
    if (has_port)
        (void)label_foot(d, last, true, RIDGE_UP_PX, ridge_words(d, "port's ridge", last));
    (void)label_foot(d, last, true, REGION_UP_PX, "compute bound");
    double between_px = chart_axis_px(&d->plane->x, last) - chart_axis_px(&d->plane->x, knee);
    if (has_port && is_inside(d, knee) && between_px > figure_text_width_px("port bound", LETTER_SMALL) + 12)
        (void)label_foot(d, knee, true, REGION_UP_PX, "port bound");
}

/* --- points and legend -------------------------------------------------------------------------------- */

/* From where a layer was in the baseline to where it is. */
static void put_moves(drawing *d, const chart_source *source)
{
    roof_arena *arena = d->f->arena;
    const roof_compared_run *changes = source->changes;
    const chart_rows old = source->before ? chart_rows_of(source->before, arena) : (chart_rows){0};
    uint32_t n = changes && source->before ? changes->n_layers : 0;    /* no fewer than rows of either side */
    const chart_row **before = NEW_ARRAY(arena, const chart_row *, n), /* by row of A */
        **was = NEW_ARRAY(arena, const chart_row *, n);                /* by row of B */
    n = before && was ? n : 0;
    for (uint32_t i = 0; i < old.n; i++)
        if (old.rows[i].row < n)
            before[old.rows[i].row] = &old.rows[i];
    for (uint32_t i = 0; i < n; i++)
        if (changes->layers[i].a_row != ROOF_NONE && changes->layers[i].b_row != ROOF_NONE)
            was[changes->layers[i].b_row] = before[changes->layers[i].a_row];
    figure_block(d->f, "moves", "from [Op/Byte]\tfrom [GOP/s]\tintensity [Op/Byte]\tperformance [GOP/s]");
    FOR_EACH(const chart_disc, disc, d->discs.drawn, d->discs.n_drawn) {
        const chart_row *row = disc->row->row < n ? was[disc->row->row] : NULL;
        const disc_place from = row ? place_of(&old, row) : (disc_place){0};
        if (!from.is_known ||
            (fabs(from.x / disc->x - 1) < LEAST_MOVE && fabs(from.y / disc->y - 1) < LEAST_MOVE))
            continue;
        d->n_moves++;
        FIGURE_ROW(d->f, from.x, from.y, disc->x, disc->y);
    }
}

static double key_lines(const drawing *d)
{
    return 5.0 + d->discs.has_estimated + d->has_before;
}

static void put_legend(drawing *d)
{
    const chart_discs *c = &d->discs;
    const char *value = "share";
    chart_legend_head(&d->discs, "layer", &value, 1);
    for (uint32_t i = 0; i < c->n_numbers; i++) {
        value = figure_printf(d->f, "%.1f %%", 100 * c->ranked[i]->row->share_ratio);
        chart_legend_row(&d->discs, c->ranked[i]->row, &value, 1);
    }
    /* Layers without a line of their own are counted, so that the shares sum up to all of the time. */
    double others = 0;
    for (uint32_t i = 0; i < c->rows.n; i++)
        others += c->rows.rows[i].share_ratio;
    for (uint32_t i = 0; i < c->n_numbers; i++)
        others -= c->ranked[i]->row->share_ratio;
    others -= c->left_out_share + (c->sum ? c->sum->share_ratio : 0);
    uint32_t n = c->n_drawn - c->n_numbers + c->n_small;
    if (n)
        chart_legend_remark(&d->discs, "%u other layer%s: %.1f %%%s", n, say_plural(n), 100 * fmax(0, others),
                            c->n_small ? ", not all drawn" : "");
    if (c->sum)
        chart_legend_remark(&d->discs, "%.80s: %.1f %%", c->sum->name, 100 * c->sum->share_ratio);
    if (c->n_left_out)
        chart_legend_remark(&d->discs, "%u without Op, bytes or time: %.1f %%", c->n_left_out,
                            100 * c->left_out_share);
    chart_legend_begin_key(&d->discs, key_lines(d));
    chart_legend_remark(&d->discs, c->rows.is_measured   ? "mark: measured; area: share of the time"
                                   : c->rows.is_expected ? "mark: ideal; area: share of the expected time"
                                                         : "mark: ideal; area: share of the time");
    chart_legend_remark(&d->discs, "Op: of the engine that takes longest");
    if (c->has_estimated)
        chart_legend_remark(&d->discs, "hollow mark: estimated, not measured");
    if (d->n_moves)
        chart_legend_remark(&d->discs, "square: baseline; an arrow leads from it");
    if (c->rows.is_measured)
        chart_legend_mark(&d->discs, RINGS, COLOUR_INK, "ideal, an arrow from measured");
}

/* --- the page ----------------------------------------------------------------------------------------- */

static void draw(const chart_source *s, chart_figure *f)
{
    drawing d = {.f = f, .p = s->prediction, .plane = &d.discs.plane, .has_before = s->before};
    if (!d.p)
        return;
    discs_begin(&d.discs, s, f, 46, 56);
    for (uint32_t i = 0; i < d.discs.rows.n; i++) {
        const chart_row *row = d.discs.rows.by_time[i];
        const disc_place at = place_of(&d.discs.rows, row);
        discs_take(&d.discs, row,
                   row->is_unlisted ? DISC_SUM
                   : at.is_known    ? DISC_DRAWN
                                    : DISC_LEFT_OUT,
                   at.x, at.y, at.ideal);
    }
    if (!d.discs.n_drawn)
        return;
    double peak = d.p->hardware.peak_ops_per_s, bandwidth = d.p->hardware.bandwidth_bytes_per_s;
    d.peak = peak > 0 ? peak / giga : NAN;
    d.bandwidth = bandwidth > 0 ? bandwidth / giga : NAN;
    double top = figure_head(f, chart_verdict(s, f), chart_conditions(s, f));
    /* The legend stands beside the plot where the canvas is wide, below it where it is high. Its height says
     * how many lines it has: the head, four of the key, three of the rest. */
    const double bottom = figure_foot(f, chart_provenance(s, f)), width = f->canvas.width_px,
                 split = f->is_wide ? width - 300 : top + (bottom - top) * 0.56;
    d.plane->area = (plot_area){76, f->is_wide ? split - 34 : width - AXIS_END_PX, top + 10,
                                f->is_wide ? bottom - 52 : split - 52};
    d.discs.legend =
        (plot_area){f->is_wide ? split : 16, width - 16, f->is_wide ? top + 10 : split, bottom - 2};
    chart_legend_begin(&d.discs, key_lines(&d) + 4.5, LEGEND_MOST_NUMBERS);
    collect_ceilings(&d);
    chart_frame frame = s->frame ? *s->frame : (chart_frame){EXTENT_EMPTY, EXTENT_EMPTY};
    if (s->before)
        extend(s->before, &frame, f->arena);
    choose_axes(&d, &frame);
    chart_plane_put_axes(d.plane, NULL, 44, "Performance [GOP/s], 1 MAC = 2 Op",
                         !d.p->hardware.has_pools ? "Operational intensity [Op/Byte of external memory]"
                         : f->is_wide ? "Operational intensity [Op/Byte of the memory that takes longest]"
                                      : "Op/Byte of the memory that takes longest");
    put_regions(&d);
    figure_block(d.f, "ceilings", columns);
    for (uint32_t i = ROOFS; i < d.n_ceilings; i++)
        if (put_line(&d, &d.ceilings[i]))
            figure_gap(d.f);
    figure_block(d.f, "roof", columns);
    for (uint32_t i = 0; i < ROOFS; i++)
        (void)put_line(&d, &d.ceilings[i]);
    discs_put_points(&d.discs,
                     "number\tideal [GOP/s]\tintensity [Op/Byte]\tperformance [GOP/s]\tshare [%]\tradius "
                     "[px]\tcolour\tbound\tlayer\testimated: 1\tsymbol",
                     false);
    /* From measured up to ideal: on this axis the length of the arrow is the factor that is to be gained. */
    uint32_t n = !d.discs.rows.is_measured        ? 0
                 : d.discs.n_drawn <= MOST_ARROWS ? d.discs.n_drawn
                                                  : d.discs.n_numbers;
    discs_put_arrows(&d.discs, "arrows", "intensity [Op/Byte]\tmeasured [GOP/s]\tideal [GOP/s]", n, n, 3);
    put_moves(&d, s);
    label_roof(&d, &d.ceilings[PEAK]);
    label_roof(&d, &d.ceilings[MEMORY]);
    for (uint32_t i = ROOFS; i < d.n_ceilings; i++)
        label_roof(&d, &d.ceilings[i]);
    label_regions(&d);
    discs_number(&d.discs, 6, ", ", LEGEND_MOST_NUMBERS);
    put_legend(&d);
    const bool has_pools = d.p->hardware.has_pools;
    f->caption = figure_printf(
        f,
        "Each mark is a layer: its performance over its operations per byte of %s. It counts the operations "
        "of the engine that takes longest. The bold line is the roof of the hardware; dashed lines are "
        "single engines and %s.%s %s",
        has_pools ? "the memory that takes longest" : "external memory", has_pools ? "memories" : "ports",
        d.port > 0 ? " The shading shows what bounds the array: memory on the left, computing on the right, "
                     "and a port between the two ridge points."
                   : "",
        d.discs.rows.is_measured ? "An arrow leads from the measured rate to the layer's own ceiling, at "
                                   "its own mix of engines; its length is the factor that could be gained."
                                 : "Nothing was measured: marks show the ideal.");
}

/* On the first screen of a page it stands beside the key figures. */
const chart_def chart_roofline = {
    .id = "roofline", .scope = CHART_MODEL, .wide = {936, 460}, .draw = draw, .extend = extend};
