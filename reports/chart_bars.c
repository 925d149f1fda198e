#include "reports/chart_bars.h"
#include "core/error.h"
#include "reports/palette.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

enum {
    MOST_WIDE = 30,
    MOST_NARROW = 24,
    MARGIN_PX = 16,
    LINE_PX = 18,   /* of the key */
    BETWEEN_PX = 6, /* a name and its bar, a bar and its value */
    PAD_PX = 3,     /* above the first row and below the last one */
    TICKS_PX =
        18, /* from the axis down to the middle of its numbers, of its title, to the end of the canvas */
    TITLE_PX = 38,
    BELOW_PX = 72
};

/* A bar of others this much longer than the longest of a layer is not drawn: the scale would leave the rest no room. */
#define LONGEST_OTHERS 1.25

/* A part of the whole that no bar can show. */
#define LEAST_SEEN_RATIO 1e-4

/* From here on numbers are written with an exponent. */
#define MOST_WRITTEN_OUT 1e6

/* A stated sum this far from that of the rows shows in a share of one decimal. */
#define OTHER_SUM_RATIO 0.0005

bool bars_is_wide(const chart_canvas *canvas)
{
    return canvas->width_px >= 700;
}

uint32_t bars_most(const chart_canvas *canvas)
{
    return bars_is_wide(canvas) ? MOST_WIDE : MOST_NARROW;
}

const char *bars_s(uint32_t n)
{
    return n == 1 ? "" : "s";
}

static void put(chart_figure *f, double x_px, double y_px, label_anchor anchor, uint32_t colour,
                const char *text)
{
    figure_label(f, &(figure_text_label){.x_px = x_px,
                                         .y_px = y_px,
                                         .anchor = anchor,
                                         .letter = LETTER_SMALL,
                                         .colour = colour,
                                         .text = text});
}

/* --- key ---------------------------------------------------------------------------------------------- */

void bars_key(bar_page *page, hw_key_kind kind, uint32_t colour, const char *format, ...)
{
    char text[400];
    va_list args;
    if (page->n_keys == PAGE_KEYS)
        return;
    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    page->keys[page->n_keys].kind = kind;
    page->keys[page->n_keys].colour = colour;
    page->keys[page->n_keys++].words = figure_printf(page->f, "%s", text);
}

static void draw_swatch(chart_figure *f, double x, double y, uint32_t colour)
{
    figure_swatch(f, (px_box){.x_px = x + 7, .y_px = y, .half_width_px = 7, .half_height_px = 6}, colour);
}

/* As the scripts hatch what is lost, so that it is told from its neighbours without colours too. */
static void draw_hatched(chart_figure *f, double x, double y, uint32_t colour)
{
    draw_swatch(f, x, y, colour);
    for (int i = 0; i < 4; i++) {
        double left = x - 6 + 5 * i, from = fmax(left, x), to = fmin(left + 12, x + 14);
        figure_rule(f, from, y + 6 - (from - left), to, y + 6 - (to - left), COLOUR_PAPER);
    }
}

static void draw_thin(chart_figure *f, double x, double y, uint32_t colour)
{
    figure_swatch(f, (px_box){.x_px = x + 7, .y_px = y, .half_width_px = 7, .half_height_px = 2.5}, colour);
}

static void draw_mark(chart_figure *f, double x, double y, uint32_t colour)
{
    for (int i = 0; i < 2; i++)
        figure_rule(f, x + 7 + i, y - 6, x + 7 + i, y + 6, colour);
}

static void draw_rule(chart_figure *f, double x, double y, uint32_t colour)
{
    figure_rule(f, x, y, x + 5, y, colour);
    figure_rule(f, x + 9, y, x + 14, y, colour);
}

static void draw_dot(chart_figure *f, double x, double y, uint32_t colour)
{
    figure_disc(f, x + 7, y, 2.5, colour);
}

static const struct {
    double width_px;
    void (*draw)(chart_figure *f, double x, double y, uint32_t colour);
} key_kinds[] = {
    [KEY_WORDS] = {0, NULL},      [KEY_SWATCH] = {20, draw_swatch}, [KEY_HATCHED] = {20, draw_hatched},
    [KEY_THIN] = {20, draw_thin}, [KEY_MARK] = {20, draw_mark},     [KEY_RULE] = {20, draw_rule},
    [KEY_DOT] = {20, draw_dot},
};

/* In lines from top on, each as full as it gets. Returns where they end. */
static double put_key(bar_page *page, double top)
{
    double left = MARGIN_PX, right = page->f->canvas.width_px - MARGIN_PX, x = left, y = top + LINE_PX / 2.0;
    for (uint32_t i = 0; i < page->n_keys; i++) {
        hw_key_kind kind = page->keys[i].kind;
        double mark = key_kinds[kind].width_px;
        const char *words = figure_shorten(page->f, page->keys[i].words, LETTER_SMALL, right - left - mark);
        double width = mark + text_width_px(words, LETTER_SMALL);
        if (x > left && x + width > right) {
            x = left;
            y += LINE_PX;
        }
        if (key_kinds[kind].draw)
            key_kinds[kind].draw(page->f, x, y, page->keys[i].colour);
        put(page->f, x + mark, y, ANCHOR_LEFT, kind == KEY_WORDS ? COLOUR_MUTED : COLOUR_INK, words);
        x += width + 16;
    }
    return page->n_keys ? y + LINE_PX / 2.0 : top;
}

/* --- rows --------------------------------------------------------------------------------------------- */

uint32_t bars_place_in_order(const bar_page *page, uint32_t row)
{
    uint32_t place = 1, order = page->rows[row].order;
    for (uint32_t i = 0; i < page->n_rows; i++)
        place += page->rows[i].order < order || (page->rows[i].order == order && i < row);
    return place;
}

void bars_put_places(const bar_page *page, uint32_t row)
{
    figure_number(page->f, row + 1);
    figure_number(page->f, bars_place_in_order(page, row));
}

static double widest(const bar_page *page, size_t member, letter_kind letter)
{
    double most = 0;
    for (uint32_t i = 0; i < page->n_rows; i++) {
        const char *const *text = (const char *const *)((const char *)&page->rows[i] + member);
        most = fmax(most, text_width_px(*text, letter));
    }
    return most;
}

/* The more rows there are, the nearer they stand; the text of a row always fits its strip. */
static double pitch_of(uint32_t n_rows)
{
    return n_rows <= 4 ? 30 : n_rows <= 12 ? 25 : n_rows <= 20 ? 20 : 17;
}

static double value_width(const bar_page *page, uint32_t row)
{
    double width = text_width_px(page->rows[row].value, LETTER_SMALL);
    return width > 0 ? BETWEEN_PX + width : 0;
}

/* As large as it can be while every value still has room behind its bar, and behind the line. */
static void choose_scale(bar_page *page)
{
    double room = page->plot.right_px - page->plot.left_px, scale = room / (page->high - page->low);
    for (uint32_t i = 0; i < page->n_rows; i++) {
        double length = fmax(page->rows[i].end, page->line) - page->low, left = room - value_width(page, i);
        if (length > 0)
            scale = fmin(scale, fmax(left, 0.1 * room) / length);
    }
    page->x = (chart_axis){.min = page->low,
                           .max = page->low + room / scale,
                           .from_px = page->plot.left_px,
                           .to_px = page->plot.right_px};
}

/* Where the text at the end of a row begins, as a value: behind the line if it would lie on it. */
static double value_at(const bar_page *page, uint32_t row)
{
    double end = page->rows[row].end, line = axis_px(&page->x, page->line);
    double from = axis_px(&page->x, end), to = from + BETWEEN_PX + value_width(page, row);
    return from < line && to > line - BETWEEN_PX ? page->line : end;
}

/* --- the axis ----------------------------------------------------------------------------------------- */

/* Steps so large that no number meets the next one; what gnuplot writes there is kept free. */
static void put_ticks(bar_page *page)
{
    enum { PX_EACH = 60, MOST = 40 };
    double range = page->x.max - page->x.min, width = page->plot.right_px - page->plot.left_px;
    double step = nice_step(range, (unsigned)fmax(2, width / PX_EACH));
    figure_set(page->f, "x_min", page->x.min);
    figure_set(page->f, "x_max", page->x.max);
    figure_set(page->f, "x_step", step);
    double first = ceil(page->x.min / step - 1e-9);
    for (int i = 0; i < MOST && (first + i) * step <= page->x.max + 1e-9 * range; i++) {
        char text[32];
        double value = (first + i) * step;
        snprintf(text, sizeof text, "%g", fabs(value) < step / 2 ? 0 : value);
        figure_keep_free(page->f, label_box(&(figure_text_label){.x_px = axis_px(&page->x, value),
                                                                 .y_px = page->plot.bottom_px + TICKS_PX,
                                                                 .anchor = ANCHOR_CENTRE,
                                                                 .letter = LETTER_SMALL,
                                                                 .text = text}));
    }
}

static void put_axis(bar_page *page)
{
    chart_figure *f = page->f;
    double middle = (page->plot.left_px + page->plot.right_px) / 2;
    const char *title =
        figure_shorten(f, page->axis_title, LETTER_SMALL, f->canvas.width_px - (double)2 * MARGIN_PX);
    double half = text_width_px(title, LETTER_SMALL) / 2;
    middle = fmin(middle, f->canvas.width_px - MARGIN_PX - half);
    put_ticks(page);
    put(f, middle, page->plot.bottom_px + TITLE_PX, ANCHOR_CENTRE, COLOUR_INK, title);
}

/* --- the page ----------------------------------------------------------------------------------------- */

/* Columns of numbers and names, as wide as needed, but never so wide that little is left for bars. */
static void lay_out_columns(bar_page *page, double *number_px, double *name_px, double *name_width)
{
    const chart_canvas *c = &page->f->canvas;
    double number = widest(page, offsetof(bar_row, number), LETTER_BOLD);
    double name = widest(page, offsetof(bar_row, name), LETTER_SMALL);
    *name_width = fmin(name, c->width_px * (bars_is_wide(c) ? 0.26 : 0.3));
    *number_px = MARGIN_PX + number;
    *name_px = *number_px + (number > 0 ? BETWEEN_PX + 1 : 0);
    page->plot.left_px = *name_px + *name_width + 2 * BETWEEN_PX;
    page->plot.right_px = c->width_px - MARGIN_PX - 6;
}

static void keep_strip_free(bar_page *page, uint32_t row, double y, double number_px, double name_px,
                            const char *name)
{
    const bar_row *r = &page->rows[row];
    const figure_text_label labels[] = {
        {number_px, y, 0, ANCHOR_RIGHT, LETTER_BOLD, 0, r->number},
        {name_px, y, 0, ANCHOR_LEFT, LETTER_SMALL, 0, name},
        {axis_px(&page->x, value_at(page, row)) + BETWEEN_PX, y, 0, ANCHOR_LEFT, LETTER_SMALL, 0, r->value}};
    for (size_t i = 0; i < sizeof labels / sizeof *labels; i++)
        if (labels[i].text[0])
            figure_keep_free(page->f, label_box(&labels[i]));
}

static void put_names(bar_page *page, double top)
{
    chart_figure *f = page->f;
    double number_px, name_px, name_width;
    lay_out_columns(page, &number_px, &name_px, &name_width);
    choose_scale(page);
    figure_set(f, "number_x", number_px);
    figure_set(f, "name_x", name_px);
    figure_block(f, "names",
                 "place\tplace in order of execution\twhere its value begins\tnumber\tname\tvalue");
    for (uint32_t i = 0; i < page->n_rows; i++) {
        const bar_row *row = &page->rows[i];
        const char *name = figure_shorten(f, row->name, LETTER_SMALL, name_width);
        bars_put_places(page, i);
        figure_number(f, value_at(page, i));
        figure_text(f, row->number);
        figure_text(f, name);
        figure_text(f, row->value);
        figure_end_row(f);
        keep_strip_free(page, i, top + page->pitch_px * (i + 0.5), number_px, name_px, name);
    }
}

void bars_lay_out(bar_page *page)
{
    chart_figure *f = page->f;
    page->pitch_px = pitch_of(page->n_rows);
    double y = figure_head(f, page->title, page->subtitle);
    page->plot.top_px = put_key(page, y + 6) + 8;
    page->plot.bottom_px = page->plot.top_px + page->n_rows * page->pitch_px + 2 * PAD_PX;
    f->canvas.height_px = ceil(page->plot.bottom_px + BELOW_PX);
    figure_set(f, "height", f->canvas.height_px);
    figure_foot(f, page->provenance);
    put_names(page, page->plot.top_px + PAD_PX);
    figure_set_area(f, "plot", &page->plot);
    figure_set(f, "rows", page->n_rows);
    figure_set(f, "rows_top", page->plot.top_px + PAD_PX);
    figure_set(f, "rows_pitch", page->pitch_px);
    figure_set(f, "rows_pad", PAD_PX / page->pitch_px);
    put_axis(page);
}

const char *bars_number(chart_figure *f, const chart_row *row)
{
    if (!row->n_layers || row->is_unlisted)
        return "";
    return figure_printf(f, "%u", row->number);
}

const char *bars_subject(const chart_source *s, chart_figure *f)
{
    const roof_reconciled *e = s->experiment;
    const char *model = e ? e->model : s->prediction ? s->prediction->model.name : NULL;
    const char *hardware = e ? e->hardware : s->prediction ? s->prediction->hardware.name : NULL;
    bool has_room = hardware && bars_is_wide(&f->canvas);
    double most = f->canvas.width_px * 0.4;
    model = figure_shorten(f, model ? model : "the model", LETTER_TITLE, most);
    hardware = has_room ? figure_shorten(f, hardware, LETTER_TITLE, most) : "";
    return figure_printf(f, "%s%s%s", model, hardware[0] ? " on " : "", hardware);
}

/* --- bars of time ------------------------------------------------------------------------------------- */

chart_bar bar_empty(const char *name)
{
    return (chart_bar){.name = name, .number = "", .more = "", .mark_s = NAN, .order = ROOF_NONE};
}

static double within(double value, double most)
{
    return value > 0 ? fmin(value, most) : 0;
}

void bar_add(chart_bar *bar, const chart_row *row)
{
    bool has_ideal = row->ideal_s > 0;
    double ideal = within(row->ideal_s, row->time_s);
    double host = within(row->host_s, row->time_s - ideal);
    double overhead = within(row->overhead_s, row->time_s - ideal - host);
    double rest = row->time_s - ideal - host - overhead;
    bar->parts_s[BAR_IDEAL + row->bound_class] += ideal;
    bar->parts_s[has_ideal ? BAR_GAP : BAR_IDEAL + BOUND_OTHER] += rest > 0 ? rest : 0;
    bar->parts_s[BAR_HOST] += host;
    bar->parts_s[BAR_OVERHEAD] += overhead;
    bar->is_estimated = bar->is_estimated || row->is_estimated;
    bar->time_s += row->time_s;
    bar->share_ratio += row->share_ratio;
}

static const struct {
    hw_key_kind kind;
    uint32_t colour;
    const char *words, *column;
} part_kinds[BAR_PARTS] = {
    [BAR_IDEAL + BOUND_ARRAY] = {KEY_SWATCH, COLOUR_ARRAY, "MAC array", "ideal, MAC array"},
    [BAR_IDEAL + BOUND_SIDE] = {KEY_SWATCH, COLOUR_SIDE, "side engine", "ideal, side engine"},
    [BAR_IDEAL + BOUND_MEMORY] = {KEY_SWATCH, COLOUR_MEMORY, "memory", "ideal, memory"},
    [BAR_IDEAL + BOUND_OTHER] = {KEY_SWATCH, COLOUR_OTHER, "bound not known", "bound not known"},
    [BAR_GAP] = {KEY_HATCHED, COLOUR_GAP, "gap", "gap"},
    [BAR_HOST] = {KEY_SWATCH, COLOUR_HOST, "host", "host"},
    [BAR_OVERHEAD] = {KEY_SWATCH, COLOUR_OVERHEAD, "overhead of timing", "overhead"},
};

/* What the axis counts in, and how: the longest bar has four digits. */
typedef struct time_format {
    chart_scale scale;
    int decimals;
} time_format;

static time_format format_of(double longest_s)
{
    time_format t = {.scale = chart_scale_of(longest_s)};
    double value = longest_s * t.scale.factor;
    t.decimals = value >= 1000 ? 0 : value >= 100 ? 1 : value >= 10 ? 2 : 3;
    return t;
}

static double end_of(const chart_bar *bar)
{
    return bar->mark_s > bar->time_s ? bar->mark_s : bar->time_s;
}

static double longest_of(const chart_bar *bars, uint32_t n)
{
    double longest = 0;
    for (uint32_t i = 0; i < n; i++)
        if (!bars[i].is_others)
            longest = fmax(longest, end_of(&bars[i]));
    return longest > 0 || !n ? longest : bars[0].time_s;
}

static bool is_drawn(const chart_bar *bar, double longest_s)
{
    return !bar->is_others || !(bar->time_s > LONGEST_OTHERS * longest_s);
}

/* "not to scale: ideal 45 %, gap 10 %, overhead 45 %", in place of the bar; short where there is little room. */
static const char *undrawn_words(chart_figure *f, const chart_bar *bar)
{
    static const struct {
        const char *name;
        int first, end;
    } sums[] = {{"ideal", BAR_IDEAL, BAR_IDEAL + BOUND_OTHER},
                {"bound not known", BAR_IDEAL + BOUND_OTHER, BAR_GAP},
                {"gap", BAR_GAP, BAR_HOST},
                {"host", BAR_HOST, BAR_OVERHEAD},
                {"overhead", BAR_OVERHEAD, BAR_PARTS}};
    const char *text = "not to scale", *between = ": ";
    for (size_t i = 0; i < sizeof sums / sizeof *sums && bars_is_wide(&f->canvas); i++) {
        double sum = 0;
        for (int k = sums[i].first; k < sums[i].end; k++)
            sum += bar->parts_s[k];
        if (!(sum > 0))
            continue;
        text = figure_printf(f, "%s%s%s %.0f %%", text, between, sums[i].name, 100 * sum / bar->time_s);
        between = ", ";
    }
    return figure_printf(f, "%s%s%s", bar->more, bar->more[0] ? "  " : "", text);
}

/* What is longer than the axis may be too long for its unit. */
static const char *value_text(chart_figure *f, const time_format *axis, const chart_bar *bar,
                              double longest_s)
{
    time_format t = bar->time_s * axis->scale.factor >= 1000 ? format_of(bar->time_s) : *axis;
    double value = bar->time_s * t.scale.factor, least = pow(10, -t.decimals);
    bool is_less = value < least / 2;
    const char *more = is_drawn(bar, longest_s) ? bar->more : undrawn_words(f, bar);
    char number[40];
    snprintf(number, sizeof number, value < MOST_WRITTEN_OUT ? "%s%.*f" : "%s%.*g", is_less ? "<" : "",
             value < MOST_WRITTEN_OUT ? t.decimals : 3, is_less ? least : value);
    return figure_printf(f, "%s %s  %.1f %%%s%s", number, t.scale.unit, 100 * bar->share_ratio,
                         more[0] ? "  " : "", more);
}

/* Keys of the parts that any bar has, in front of those that the chart has put there. */
static void add_part_keys(bar_page *page, const chart_bar *bars, uint32_t n)
{
    bar_page others = *page;
    bool ideal = false, estimated = false;
    double longest = longest_of(bars, n);
    page->n_keys = 0;
    for (int k = 0; k < BAR_PARTS; k++) {
        double sum = 0, all = 0;
        for (uint32_t i = 0; i < n; i++) {
            sum += is_drawn(&bars[i], longest) ? bars[i].parts_s[k] : 0;
            all += bars[i].time_s;
        }
        if (!(sum > all * LEAST_SEEN_RATIO))
            continue;
        if (!ideal && k < BAR_IDEAL + BOUND_OTHER) {
            bars_key(page, KEY_WORDS, 0, "ideal, bound by");
            ideal = true;
        }
        bars_key(page, part_kinds[k].kind, part_kinds[k].colour, "%s", part_kinds[k].words);
    }
    for (uint32_t i = 0; i < n && !estimated; i++)
        estimated = bars[i].is_estimated;
    if (estimated)
        bars_key(page, KEY_THIN, COLOUR_MUTED, "thin bar: estimated, in part or all");
    for (uint32_t i = 0; i < others.n_keys; i++)
        bars_key(page, others.keys[i].kind, others.keys[i].colour, "%s", others.keys[i].words);
}

static roof_status make_rows(bar_page *page, const chart_bar *bars, uint32_t n, const time_format *t,
                             roof_error *err)
{
    double longest = longest_of(bars, n);
    bar_row *rows = NEW_ARRAY(page->f->arena, bar_row, n);
    if (!rows)
        return error_memory(err);
    for (uint32_t i = 0; i < n; i++) {
        rows[i] = (bar_row){.number = bars[i].number,
                            .name = bars[i].name,
                            .value = value_text(page->f, t, &bars[i], longest),
                            .order = bars[i].order,
                            .end = is_drawn(&bars[i], longest) ? end_of(&bars[i]) * t->scale.factor : 0};
        page->high = fmax(page->high, rows[i].end);
    }
    page->rows = rows;
    page->n_rows = n;
    return ROOF_OK;
}

static void put_bars(bar_page *page, const chart_bar *bars, const time_format *t)
{
    chart_figure *f = page->f;
    double longest = longest_of(bars, page->n_rows);
    char columns[400];
    int used = snprintf(columns, sizeof columns, "place\tplace in order of execution");
    for (int k = 0; k < BAR_PARTS; k++)
        used += snprintf(columns + used, sizeof columns - (size_t)used, "\t%s [%s]", part_kinds[k].column,
                         t->scale.unit);
    snprintf(columns + used, sizeof columns - (size_t)used, "\tall [%s]\tdrawn: 1\testimated: 1",
             t->scale.unit);
    figure_block(f, "bars", columns);
    for (uint32_t i = 0; i < page->n_rows; i++) {
        bars_put_places(page, i);
        for (int k = 0; k < BAR_PARTS; k++)
            figure_number(f, bars[i].parts_s[k] * t->scale.factor);
        figure_number(f, bars[i].time_s * t->scale.factor);
        figure_number(f, is_drawn(&bars[i], longest));
        figure_number(f, bars[i].is_estimated);
        figure_end_row(f);
    }
}

static void put_marks(bar_page *page, const chart_bar *bars, const time_format *t)
{
    figure_block(page->f, "marks", "place\tplace in order of execution\tmark");
    for (uint32_t i = 0; i < page->n_rows; i++) {
        if (isnan(bars[i].mark_s))
            continue;
        bars_put_places(page, i);
        figure_number(page->f, bars[i].mark_s * t->scale.factor);
        figure_end_row(page->f);
    }
}

roof_status bars_draw(bar_page *page, const chart_bar *bars, uint32_t n, roof_error *err)
{
    const time_format t = format_of(longest_of(bars, n));
    add_part_keys(page, bars, n);
    TRY(make_rows(page, bars, n, &t, err));
    page->axis_title = figure_printf(page->f, "%s [%s]", page->axis_title, t.scale.unit);
    bars_lay_out(page);
    put_bars(page, bars, &t);
    put_marks(page, bars, &t);
    return ROOF_OK;
}

/* --- what is left out --------------------------------------------------------------------------------- */

roof_status bars_rows_of(const chart_source *s, roof_arena *arena, chart_rows *out, roof_error *err)
{
    chart_source source = *s;
    if (s->experiment && !s->experiment->layer_run)
        source.experiment = NULL;
    return chart_rows_of(&source, arena, out, err);
}

static void remark_count(bar_page *page, uint32_t n, const char *what)
{
    if (n)
        bars_key(page, KEY_WORDS, 0, "%u layer%s %s", n, bars_s(n), what);
}

void bars_remarks(bar_page *page, const chart_source *s, const chart_rows *rows)
{
    uint32_t without = 0, zero = 0, below = 0;
    for (uint32_t i = 0; i < rows->n; i++) {
        const chart_row *row = &rows->rows[i];
        bool known = !isnan(rows->is_measured ? row->measured_s : row->ideal_s);
        without += !known;
        zero += known && !(row->time_s > 0);
        below += row->time_s > 0 && row->ideal_s > row->time_s * 1.002;
    }
    remark_count(page, without, rows->is_measured ? "without a time" : "without an ideal time");
    remark_count(page, zero, rows->is_measured ? "with a time of 0" : "with an ideal time of 0");
    remark_count(page, below, "faster than the bound: shown as ideal");
    double stated = rows->is_measured && s->experiment ? s->experiment->total.sum_of_layers_s : NAN;
    if (fabs(stated / rows->total_s - 1) > OTHER_SUM_RATIO)
        bars_key(page, KEY_WORDS, 0, "shares are of the rows, which are %.1f %% of the stated sum",
                 100 * rows->total_s / stated);
}

void bars_prefix_key(bar_page *page, const chart_rows *rows)
{
    if (rows->prefix.length)
        bars_key(page, KEY_WORDS, 0, "names without '%.*s'", (int)fmin(300, (double)rows->prefix.length),
                 rows->prefix.text);
}
