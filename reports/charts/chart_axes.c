#include "reports/charts/chart_axes.h"

enum { MOST_TICKS = 64, BESIDE_PX = 6 };

/* --- ranges ------------------------------------------------------------------------------------------- */

double chart_axis_px(const chart_axis *a, double value)
{
    double low = a->is_log ? log10(a->min) : a->min, high = a->is_log ? log10(a->max) : a->max;
    double at = a->is_log ? log10(value) : value;
    return a->from_px + (at - low) / (high - low) * (a->to_px - a->from_px);
}

double chart_axis_nice_step(double range, unsigned n)
{
    if (!(range > 0) || !n || isinf(range))
        return 1;
    double rough = range / n, power = pow(10, floor(log10(rough)));
    static const double steps[] = {1, 2, 5, 10};
    for (size_t i = 0; i < N_OF(steps); i++)
        if (steps[i] * power >= rough * (1 - 1e-9))
            return steps[i] * power;
    return 10 * power;
}

void chart_extent_take(axis_extent *e, double value)
{
    if (!isfinite(value))
        return;
    e->low = fmin(e->low, value);
    e->high = fmax(e->high, value);
}

chart_axis chart_axis_linear(axis_extent e, double room_ratio)
{
    double low = e.low > e.high ? 0 : fmin(0, e.low), high = e.low > e.high ? 1 : fmax(0, e.high);
    double room = (high - low) * room_ratio;
    if (!(room > 0))
        high = low + 1;
    return (chart_axis){.min = low < 0 ? low - room : 0, .max = high > 0 ? high + room : room};
}

void chart_axis_set(chart_figure *f, const char *prefix, const chart_axis *axis)
{
    figure_set(f, figure_printf(f, "%s_min", prefix), axis->min);
    figure_set(f, figure_printf(f, "%s_max", prefix), axis->max);
}

/* --- numbers at an axis ------------------------------------------------------------------------------- */

/* Ticks of a linear axis are multiples of a step that leaves each number its room. */
static unsigned linear_ticks(const chart_axis *axis, axis_side side, double least, double *out)
{
    double each_px = side == AXIS_BELOW ? 64 : 26;
    double length = fabs(axis->to_px - axis->from_px), range = axis->max - axis->min;
    unsigned n = 0, most = length > each_px ? (unsigned)(length / each_px) : 1;
    double step = fmax(chart_axis_nice_step(range, most), least), first = ceil(axis->min / step - 1e-9);
    for (; n < MOST_TICKS && (first + n) * step <= axis->max + 1e-9 * range; n++)
        out[n] = (first + n) * step;
    return n;
}

/* 1, 2 and 5 times the powers of ten, or the powers alone where that is too many: all of a kind or none,
 * since numbers that are left out here and there make a logarithmic axis hard to read. Or powers of two. */
static unsigned logarithmic_ticks(const chart_axis *axis, axis_side side, double *out)
{
    static const double factors[] = {1, 2, 5};
    const bool are_doublings = axis->numbers == AXIS_DOUBLINGS;
    const double slack = 1e-9, each_px = are_doublings ? 40 : side == AXIS_BELOW ? 42 : 18;
    double base = are_doublings ? 2 : 10, powers = log10(axis->max / axis->min) / log10(base);
    double power_px = fabs(axis->to_px - axis->from_px) / powers;
    size_t n_factors = !are_doublings && power_px * log10(2) >= each_px ? 3 : 1;
    unsigned n = 0;
    int stride = (int)fmax(1, ceil(each_px / power_px));
    int from = (int)floor(log10(axis->min) / log10(base) + slack),
        to = (int)ceil(log10(axis->max) / log10(base));
    if (are_doublings) /* 1k is 2^10: it is there, whatever the stride */
        from = 10 - (10 - from) / stride * stride;
    for (int power = from; power <= to; power += stride)
        for (size_t i = 0; i < n_factors && n < MOST_TICKS; i++) {
            double value = factors[i] * pow(base, power);
            if (value >= axis->min * (1 - slack) && value <= axis->max * (1 + slack))
                out[n++] = value;
        }
    return n;
}

/* A number is left out where another one, or the canvas, leaves no room; some of it is left between two. */
void chart_axis_number(chart_figure *f, const char *name, const chart_axis *axis, axis_side side,
                       const plot_area *area)
{
    double ticks[MOST_TICKS];
    unsigned n = axis->is_log ? logarithmic_ticks(axis, side, ticks)
                              : linear_ticks(axis, side, axis->numbers == AXIS_COUNTS, ticks);
    figure_block(f, name, "at");
    for (unsigned i = 0; i < n; i++) {
        const bool below = side == AXIS_BELOW, is_kilo = axis->numbers == AXIS_DOUBLINGS && ticks[i] >= 1024;
        const double shown = is_kilo ? ticks[i] / 1024 : ticks[i], at = chart_axis_px(axis, ticks[i]);
        const figure_text_label l = {
            .x_px = below ? at : area->left_px - BESIDE_PX,
            .y_px = below ? area->bottom_px + 14 : at,
            .anchor = below ? ANCHOR_CENTRE : ANCHOR_RIGHT,
            .letter = LETTER_SMALL,
            .colour = COLOUR_MUTED,
            .text = figure_printf(f, "%.10g%s", shown == 0 ? 0 : shown, is_kilo ? "k" : "")};
        px_box box = figure_label_box(&l), wider = box;
        wider.half_width_px += below ? BESIDE_PX : 0;
        if (!figure_fits(f, &box, NULL) || !figure_fits(f, &wider, &(plot_area){-99, 1e6, 0, 1e6}))
            continue;
        figure_label(f, &l);
        FIGURE_ROW(f, ticks[i]);
    }
}

/* --- titles ------------------------------------------------------------------------------------------- */

void chart_axis_title_below(chart_figure *f, const plot_area *area, const char *text)
{
    const double margin_px = 4;
    text = figure_shorten(f, text, LETTER_TEXT, f->canvas.width_px - 2 * margin_px);
    const double least = margin_px + figure_text_width_px(text, LETTER_TEXT) / 2,
                 middle = fmin(fmax((area->left_px + area->right_px) / 2, least), f->canvas.width_px - least);
    figure_put(f, middle, area->bottom_px + 36, ANCHOR_CENTRE, LETTER_TEXT, COLOUR_INK, text);
}

void chart_axis_title_left(chart_figure *f, const plot_area *area, double numbers_px, const char *text)
{
    double length = area->bottom_px - area->top_px, x = area->left_px - BESIDE_PX - numbers_px - 12;
    text = figure_shorten(f, text, LETTER_TEXT, length);
    figure_text_label title = {
        x, (area->top_px + area->bottom_px) / 2, 90, ANCHOR_CENTRE, LETTER_TEXT, COLOUR_INK, text};
    while (title.x_px > 0 && !figure_try_label(f, &title, NULL, false))
        title.x_px -= 2;
}

/* --- planes ------------------------------------------------------------------------------------------- */

plot_area chart_page(chart_figure *f, const char *title, const char *subtitle, const chart_key *keys,
                     size_t n_keys, const char *provenance)
{
    double top = figure_head(f, title, subtitle);
    if (n_keys)
        top = chart_key_put(f, top + 4, keys, n_keys);
    return (plot_area){0, f->canvas.width_px, top, figure_foot(f, provenance)};
}

plot_area chart_page_place(const plot_area *page, uint32_t i, uint32_t n, uint32_t across)
{
    const uint32_t rows = (n + across - 1) / across, row = i / across, column = i % across;
    const double width = (page->right_px - page->left_px) / across,
                 height = (page->bottom_px - page->top_px) / rows;
    return (plot_area){page->left_px + column * width, page->left_px + (column + 1) * width,
                       page->top_px + row * height, page->top_px + (row + 1) * height};
}

void chart_plane_set_axes(chart_plane *p, chart_axis x, chart_axis y)
{
    p->x = (chart_axis){x.min, x.max, x.is_log, p->area.left_px, p->area.right_px, x.numbers};
    p->y = (chart_axis){y.min, y.max, y.is_log, p->area.bottom_px, p->area.top_px, y.numbers};
}

/* between: of prefix and name. */
static const char *name_of(const chart_plane *p, const char *between, const char *what)
{
    return figure_printf(p->f, "%s%s%s%s", text_or_empty(p->prefix), p->prefix ? between : "", what,
                         text_or_empty(p->suffix));
}

void chart_plane_block(const chart_plane *p, const char *what, const char *columns)
{
    figure_block(p->f, name_of(p, "-", what), columns);
}

void chart_plane_set(const chart_plane *p, const char *what, double value)
{
    figure_set(p->f, name_of(p, "_", what), value);
}

void chart_plane_put_axes(const chart_plane *p, const plot_area *foot, double numbers_px, const char *left,
                          const char *below)
{
    foot = foot ? foot : &p->area;
    figure_set_area(p->f, p->prefix ? p->prefix : name_of(p, "", "plot"), &p->area);
    chart_axis_number(p->f, name_of(p, "-", "x-grid"), &p->x, AXIS_BELOW, foot);
    chart_axis_number(p->f, name_of(p, "-", "y-grid"), &p->y, AXIS_LEFT, &p->area);
    chart_axis_set(p->f, name_of(p, "_", "x"), &p->x);
    chart_axis_set(p->f, name_of(p, "_", "y"), &p->y);
    if (left)
        chart_axis_title_left(p->f, &p->area, numbers_px, left);
    if (below)
        chart_axis_title_below(p->f, foot, below);
}

void chart_plane_open(chart_plane *p, const plot_area *place, double top_px, chart_axis x, chart_axis y,
                      const char *left, const char *below)
{
    const double numbers_px = 36;
    p->area = (plot_area){place->left_px + numbers_px + 40, place->right_px - AXIS_END_PX,
                          place->top_px + top_px, place->bottom_px - 44};
    chart_plane_set_axes(p, x, y);
    chart_plane_put_axes(p, NULL, numbers_px, left, below);
}

px_point chart_plane_at(const chart_plane *p, double x, double y)
{
    return (px_point){chart_axis_px(&p->x, x), chart_axis_px(&p->y, y)};
}

void chart_plane_avoid_point(const chart_plane *p, double x, double y, double half_px)
{
    px_point at = chart_plane_at(p, x, y);
    figure_avoid(p->f, (px_box){at.x, at.y, half_px, half_px, 0});
}

void chart_plane_avoid_upright(const chart_plane *p, double x, double from_y, double to_y, double pad_px)
{
    px_point from = chart_plane_at(p, x, from_y), to = chart_plane_at(p, x, to_y);
    figure_avoid(p->f, (px_box){from.x, (from.y + to.y) / 2, pad_px, fabs(from.y - to.y) / 2 + pad_px, 0});
}

/* --- lines -------------------------------------------------------------------------------------------- */

/* The screen's y points down, angles are counted as if it pointed up. */
static double degrees_of(px_point from, px_point to)
{
    return atan2(from.y - to.y, to.x - from.x) * 180 / M_PI;
}

static px_box box_between(px_point from, px_point to, double half_width_px)
{
    double half_px = hypot(to.x - from.x, to.y - from.y) / 2;
    return (px_box){(from.x + to.x) / 2, (from.y + to.y) / 2, half_px, half_width_px, degrees_of(from, to)};
}

void chart_plane_avoid_line(const chart_plane *p, plane_line l, double half_width_px)
{
    figure_avoid(p->f, box_between(chart_plane_at(p, l.from_x, l.from_y), chart_plane_at(p, l.to_x, l.to_y),
                                   half_width_px));
}

void chart_plane_put_line(const chart_plane *p, plane_line l, double half_width_px)
{
    FIGURE_ROW(p->f, l.from_x, l.from_y);
    FIGURE_ROW(p->f, l.to_x, l.to_y);
    chart_plane_avoid_line(p, l, half_width_px);
}

/* --- rows of several lines ------------------------------------------------------------------------------ */

void chart_plane_take_rows(axis_extent *x, axis_extent *y, const plane_row *rows, uint32_t n)
{
    for (uint32_t i = 0; i < n; i++) {
        chart_extent_take(x, rows[i].x);
        for (int k = 0; k < PLANE_LINES; k++)
            chart_extent_take(y, rows[i].y[k]);
    }
}

void chart_plane_scale_rows(plane_row *rows, uint32_t n, double factor)
{
    for (uint32_t i = 0; i < n; i++)
        for (int k = 0; k < PLANE_LINES; k++)
            rows[i].y[k] *= factor;
}

void chart_plane_put_rows(const chart_plane *p, const plane_row *rows, uint32_t n, unsigned n_lines,
                          unsigned first_avoided, unsigned end_avoided)
{
    const int pieces = p->x.is_log && !p->y.is_log ? 8 : 1;
    for (uint32_t i = 0; i < n; i++) {
        const plane_row *to = &rows[i], *from = i ? to - 1 : to;
        for (int piece = i ? 1 : pieces; piece <= pieces; piece++) {
            const double part = (double)piece / pieces;
            FIGURE_NUMBERS(p->f, from->x + part * (to->x - from->x));
            for (unsigned k = 0; k < n_lines; k++)
                FIGURE_NUMBERS(p->f, piece < pieces ? from->y[k] + part * (to->y[k] - from->y[k]) : to->y[k]);
            figure_end_row(p->f);
        }
        for (unsigned k = first_avoided; i && k < end_avoided; k++)
            if (isfinite(from->y[k]) && isfinite(to->y[k]))
                chart_plane_avoid_line(p, (plane_line){from->x, from->y[k], to->x, to->y[k]}, 3);
    }
}

/* --- levels ------------------------------------------------------------------------------------------- */

void chart_levels_take(axis_extent *e, const plane_level *levels, size_t n, double most_above)
{
    const double most = most_above * e->high;
    for (size_t i = 0; i < n; i++)
        if (levels[i].value <= most)
            chart_extent_take(e, levels[i].value);
}

/* Off the marks first. */
static void name_level(const chart_plane *p, const plane_level *level, const char *unit, bool from_right)
{
    enum { STEPS = 40, OFF_PX = 10 };
    const plot_area *area = &p->area;
    const double step_px = (area->right_px - area->left_px) / STEPS, y = chart_axis_px(&p->y, level->value);
    figure_text_label l = {
        .anchor = from_right ? ANCHOR_RIGHT : ANCHOR_LEFT, .letter = LETTER_BOLD, .colour = level->colour};
    l.text = figure_printf(p->f, "%s: %s %s", level->words,
                           say_number(p->f->arena, level->value, level->digits), unit);
    for (int i = 0; i < 2 * STEPS; i++) {
        const double off_px = OFF_PX + step_px * (i % STEPS);
        l.x_px = from_right ? area->right_px - off_px : area->left_px + off_px;
        l.y_px = y + (from_right && i % 2 ? OFF_PX : -OFF_PX);
        if (figure_try_label(p->f, &l, area, i < STEPS))
            return;
    }
}

void chart_plane_put_levels(const chart_plane *p, const plane_level *levels, size_t n, const char *unit,
                            bool from_right)
{
    chart_plane_block(p, "levels", "x\tvalue\tcolour");
    for (size_t i = 0; i < 2 * n; i++) {
        const plane_level *level = &levels[i % n];
        const double y = level->value;
        if (!(y > 0 && y <= p->y.max))
            continue;
        if (i >= n) {
            name_level(p, level, unit, from_right);
            continue;
        }
        FIGURE_ROW(p->f, p->x.min, y, level->colour);
        FIGURE_ROW(p->f, p->x.max, y, level->colour);
        figure_gap(p->f);
        chart_plane_avoid_line(p, (plane_line){p->x.min, y, p->x.max, y}, 1);
    }
}

const char *chart_levels_above(chart_figure *f, const chart_axis *y, const plane_level *levels, size_t n,
                               const char *unit)
{
    const char *list = "";
    for (size_t i = 0; i < n; i++)
        if (levels[i].value > y->max)
            list = say_more(f->arena, list, "%s %s %s", levels[i].far ? levels[i].far : levels[i].words,
                            say_number(f->arena, levels[i].value, levels[i].digits), unit);
    return *list ? figure_printf(f, "; above: %s", list) : "";
}

/* --- names of points ------------------------------------------------------------------------------------ */

/* A line from the edge of a text to its point, where that is far; false: it is near. */
static bool leads(const figure_text_label *l, px_point at, double radius_px, px_point *from)
{
    const double near_px = 20;
    double dx = at.x - l->x_px, dy = at.y - l->y_px, far = hypot(dx, dy);
    px_box box = figure_label_box(l);
    double edge = fmin((box.half_width_px + 1) / fabs(dx), (box.half_height_px + 1) / fabs(dy));
    *from = (px_point){l->x_px + edge * dx, l->y_px + edge * dy};
    return far * (1 - edge) > radius_px + near_px;
}

bool chart_plane_name_point(const chart_plane *p, const char *text, double x, double y, double radius_px,
                            bool off_marks)
{
    enum { DIRECTIONS = 8, DISTANCES = 8, PLACES = DIRECTIONS * DISTANCES };
    /* In the order that reads best: beside, above, below, then askew. */
    static const double directions[DIRECTIONS] = {0, 180, 90, 270, 45, 135, 315, 225};
    static const double distances_px[DISTANCES] = {2, 8, 16, 26, 40, 58, 80, 110};
    px_point at = chart_plane_at(p, x, y);
    figure_text_label l = {at.x, at.y, 0, ANCHOR_CENTRE, LETTER_BOLD, COLOUR_INK, text};
    px_box size = figure_label_box(&l);
    /* first where its line goes through no other text, then on any free place, then on what is drawn */
    for (int i = 0; i < (off_marks ? 1 : 3) * PLACES; i++) {
        px_point u = figure_px_along(directions[i % DIRECTIONS]);
        double reach = radius_px + distances_px[i / DIRECTIONS % DISTANCES];
        l.x_px = at.x + u.x * (reach + size.half_width_px);
        l.y_px = at.y + u.y * (reach + size.half_height_px);
        px_point from;
        const bool has_line = leads(&l, at, radius_px, &from);
        const px_box line = box_between(from, at, 0.5);
        if ((i < PLACES && has_line && !figure_fits(p->f, &line, NULL)) ||
            !figure_try_label(p->f, &l, &p->area, i < 2 * PLACES))
            continue;
        size.x_px = l.x_px; /* numbers side by side are no list */
        size.y_px = l.y_px;
        size.half_width_px += 6;
        figure_keep_free(p->f, size);
        if (has_line) {
            figure_add(
                p->f, (figure_ornament){RULES, {from.x, from.y, at.x - from.x, at.y - from.y, COLOUR_MUTED}});
            figure_avoid(p->f, line);
        }
        return true;
    }
    return false;
}

/* Off the marks first, all along the line and then further from it, then anywhere on them. */
bool chart_plane_label_line(const chart_plane *p, const char *text, letter_kind letter, plane_line line,
                            const along_line *along)
{
    px_point from = chart_plane_at(p, line.from_x, line.from_y), to = chart_plane_at(p, line.to_x, line.to_y);
    double dx = to.x - from.x, dy = to.y - from.y, length = hypot(dx, dy);
    const int ways = along->may_be_far ? 2 : 1;
    int sides = along->above_only ? 1 : 2, places = sides * along->steps;
    uint32_t colour = letter == LETTER_BOLD ? COLOUR_INK : COLOUR_MUTED;
    for (int i = 0; i < (along->off_marks ? 1 : 2) * ways * places; i++) {
        double off_px = (i / places % ways ? 2.6 : 1) * (3 + figure_text_height_px(letter) / 2);
        double part = along->first + along->span * (i / sides % along->steps) / (along->steps - 1);
        double sign = i % sides ? -1 : 1, x = from.x + part * dx + sign * off_px * dy / length;
        double y = from.y + part * dy - sign * off_px * dx / length;
        const figure_text_label l = {x, y, degrees_of(from, to), ANCHOR_CENTRE, letter, colour, text};
        if (figure_try_label(p->f, &l, &p->area, i < ways * places))
            return true;
    }
    return false;
}
