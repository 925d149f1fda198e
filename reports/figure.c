#include "reports/figure.h"
#include "core/error.h"
#include "core/grid.h"
#include "core/quantity.h"
#include "reports/palette.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

enum { LABEL_SIZE = 600, MARGIN_PX = 16, BETWEEN_PX = 1 };

/* The same sizes and weights as in reports/charts/texts.gp. */
static const struct {
    const char *name;
    double size_px;
    bool bold;
} letters[LETTERS] = {
    [LETTER_TITLE] = {"title", 16, true},
    [LETTER_TEXT] = {"text", 13, false},
    [LETTER_SMALL] = {"small", 12, false},
    [LETTER_BOLD] = {"bold", 12, true},
};

static const char *const anchors[ANCHORS] = {"left", "centre", "right"};

roof_status figure_begin(chart_figure *f, const char *chart, chart_canvas canvas, roof_error *err)
{
    *f = (chart_figure){.arena = arena_new(0), .chart = chart, .canvas = canvas, .title = "", .caption = ""};
    text_init(&f->variables, TEXT_MAX_BYTES);
    text_init(&f->data, TEXT_MAX_BYTES);
    if (!f->arena)
        return error_memory(err);
    figure_set(f, "width", canvas.width_px);
    figure_set(f, "height", canvas.height_px);
    return ROOF_OK;
}

void figure_free(chart_figure *f)
{
    text_free(&f->variables);
    text_free(&f->data);
    arena_free(f->arena);
    f->arena = NULL;
}

static const char *vprint(chart_figure *f, const char *format, va_list args)
{
    const char *text = arena_vprintf(f->arena, format, args);
    const char *shown =
        text ? arena_shown(f->arena, text) : NULL; /* now: its width is that of what is drawn */
    f->failed = f->failed || !shown;
    return shown ? shown : "";
}

const char *figure_printf(chart_figure *f, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    const char *text = vprint(f, format, args);
    va_end(args);
    return text;
}

/* --- variables and data ------------------------------------------------------------------------------- */

/* unknown: what stands for what is not known, or infinite, which no axis could show. */
static void put_number(textbuf *out, double value, const char *unknown)
{
    char text[40];
    if (!isfinite(value)) {
        text_puts(out, unknown);
        return;
    }
    number_format_derived(text, sizeof text, value);
    text_puts(out, text);
}

void figure_set(chart_figure *f, const char *name, double value)
{
    text_printf(&f->variables, "%s = ", name);
    put_number(&f->variables, value, "NaN");
    text_puts(&f->variables, "\n");
}

void figure_set_area(chart_figure *f, const char *prefix, const plot_area *area)
{
    const struct {
        const char *side;
        double part;
    } sides[] = {{"left", area->left_px / f->canvas.width_px},
                 {"right", area->right_px / f->canvas.width_px},
                 {"top", 1 - area->top_px / f->canvas.height_px},
                 {"bottom", 1 - area->bottom_px / f->canvas.height_px}};
    for (size_t i = 0; i < sizeof sides / sizeof *sides; i++) {
        text_printf(&f->variables, "%s_", prefix);
        figure_set(f, sides[i].side, sides[i].part);
    }
}

/* gnuplot stops at a block without data, and an empty text crashes it (5.4.4). */
static void close_block(chart_figure *f)
{
    for (unsigned i = 0; i < f->block_columns && !f->block_rows; i++)
        text_puts(&f->data, i + 1 == f->block_columns ? "?\n" : "?\t");
    f->block_columns = f->block_rows = 0;
}

void figure_block(chart_figure *f, const char *name, const char *columns)
{
    close_block(f);
    f->block_columns = 1;
    for (const char *p = columns; *p; p++)
        f->block_columns += *p == '\t';
    text_printf(&f->data, "%s# %s\n# %s\n", f->data.length ? "\n\n" : "", name, columns);
}

static bool at_begin_of_row(const chart_figure *f)
{
    return !f->data.length || f->data.bytes[f->data.length - 1] == '\n';
}

void figure_number(chart_figure *f, double value)
{
    if (!at_begin_of_row(f))
        text_puts(&f->data, "\t");
    put_number(&f->data, value, "?");
}

/* gnuplot takes a field between quotes as it is, but for doubled quotes and backslashes. */
void figure_text(chart_figure *f, const char *text)
{
    static const char *const replacements[128] = {['"'] = "\"\"", ['\\'] = "\\\\"};
    text_puts(&f->data, at_begin_of_row(f) ? "\"" : "\t\"");
    text_escaped(&f->data, text, strlen(text), replacements);
    text_puts(&f->data, text[0] ? "\"" : " \"");
}

void figure_end_row(chart_figure *f)
{
    text_puts(&f->data, "\n");
    f->block_rows++;
}

void figure_gap(chart_figure *f)
{
    text_puts(&f->data, "\n");
}

/* --- how large a text is ------------------------------------------------------------------------------ */

/* Advance widths of DejaVu Sans in 1/100 of its size, the widest of the usual sans-serif fonts, from ' ' to '~'. */
static const unsigned char advances[] = {32, 41, 46, 84, 64, 96, 78, 28, 40,  40, 50, 84,
                                         32, 37, 32, 34, 64, 64, 64, 64, 64,  64, 64, 64, /* space to 7 */
                                         64, 64, 34, 34, 84, 84, 84, 54, 100, 69, 69, 70,
                                         78, 64, 58, 78, 76, 30, 30, 66, 56,  87, 75, 79, /* 8 to O */
                                         61, 79, 70, 64, 62, 74, 69, 99, 69,  62, 69, 40,
                                         34, 40, 84, 50, 50, 62, 64, 55, 64,  62, 36, 64, /* P to g */
                                         64, 28, 28, 58, 28, 98, 64, 62, 64,  64, 42, 53,
                                         40, 64, 60, 82, 60, 60, 53, 64, 34,  64, 84}; /* h to ~ */

/* Of one character that begins with the byte at p. */
static unsigned advance_of(const unsigned char *p)
{
    if (*p >= ' ' && *p <= '~')
        return advances[*p - ' '];
    return *p >= 0xe3 ? 100 : 66; /* from U+3000 on East Asian letters, as wide as high */
}

double text_width_px(const char *text, letter_kind letter)
{
    double sum = 0;
    for (const unsigned char *p = (const unsigned char *)text; *p; p++)
        if ((*p & 0xc0) != 0x80)
            sum += advance_of(p);
    return sum / 100 * letters[letter].size_px * (letters[letter].bold ? 1.12 : 1);
}

double text_height_px(letter_kind letter)
{
    return 1.2 * letters[letter].size_px;
}

const char *figure_shorten(chart_figure *f, const char *text, letter_kind letter, double width_px)
{
    char buffer[LABEL_SIZE];
    text = figure_printf(f, "%s", text);
    size_t length = strlen(text);
    size_t characters = length < LABEL_SIZE / 4 ? length : LABEL_SIZE / 4;
    const char *shown = text_shorten(text, characters, false, buffer, sizeof buffer);
    while (text_width_px(shown, letter) > width_px && characters > 5)
        shown = text_shorten(text, --characters, false, buffer, sizeof buffer);
    return figure_printf(f, "%s", shown);
}

/* --- boxes -------------------------------------------------------------------------------------------- */

typedef struct point {
    double x, y;
} point;

/* The screen's y points down, angles are counted as if it pointed up. */
static point along(double degrees)
{
    double radians = degrees * M_PI / 180;
    return (point){cos(radians), -sin(radians)};
}

static void corners(const px_box *b, point out[4])
{
    point u = along(b->degrees), v = {-u.y, u.x};
    static const int signs[4][2] = {{-1, -1}, {1, -1}, {1, 1}, {-1, 1}};
    for (int i = 0; i < 4; i++) {
        double a = signs[i][0] * b->half_width_px, c = signs[i][1] * b->half_height_px;
        out[i] = (point){b->x_px + a * u.x + c * v.x, b->y_px + a * u.y + c * v.y};
    }
}

/* Apart along an axis: the shadows that both throw on it do not touch. */
static bool apart(const point *a, const point *b, point axis)
{
    double low[2] = {INFINITY, INFINITY}, high[2] = {-INFINITY, -INFINITY};
    for (int i = 0; i < 4; i++) {
        double p = a[i].x * axis.x + a[i].y * axis.y, q = b[i].x * axis.x + b[i].y * axis.y;
        low[0] = fmin(low[0], p);
        high[0] = fmax(high[0], p);
        low[1] = fmin(low[1], q);
        high[1] = fmax(high[1], q);
    }
    return low[0] > high[1] + BETWEEN_PX || low[1] > high[0] + BETWEEN_PX;
}

bool boxes_overlap(const px_box *a, const px_box *b)
{
    point p[4], q[4];
    const px_box *const both[] = {a, b};
    corners(a, p);
    corners(b, q);
    for (int i = 0; i < 2; i++) {
        point u = along(both[i]->degrees);
        if (apart(p, q, u) || apart(p, q, (point){-u.y, u.x}))
            return false;
    }
    return true;
}

static bool lies_within(const px_box *box, double left, double top, double right, double bottom)
{
    point c[4];
    corners(box, c);
    for (int i = 0; i < 4; i++)
        if (c[i].x < left || c[i].x > right || c[i].y < top || c[i].y > bottom)
            return false;
    return true;
}

static void remember(chart_figure *f, px_box **boxes, size_t *n, px_box box)
{
    px_box *grown = f->failed ? NULL : arena_grow(f->arena, *boxes, *n, sizeof box);
    if (!grown) {
        f->failed = true;
        return;
    }
    *boxes = grown;
    grown[(*n)++] = box;
}

void figure_keep_free(chart_figure *f, px_box box)
{
    remember(f, &f->boxes, &f->n_boxes, box);
}

void figure_avoid(chart_figure *f, px_box box)
{
    remember(f, &f->marks, &f->n_marks, box);
}

static bool is_on_any(const px_box *box, const px_box *others, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (boxes_overlap(box, &others[i]))
            return true;
    return false;
}

bool figure_is_avoided(const chart_figure *f, const px_box *box)
{
    return is_on_any(box, f->marks, f->n_marks);
}

bool figure_fits(const chart_figure *f, const px_box *box, const plot_area *area)
{
    bool inside = area ? lies_within(box, area->left_px, area->top_px, area->right_px, area->bottom_px)
                       : lies_within(box, 0, 0, f->canvas.width_px, f->canvas.height_px);
    return inside && !is_on_any(box, f->boxes, f->n_boxes);
}

/* --- labels ------------------------------------------------------------------------------------------- */

px_box label_box(const figure_text_label *l)
{
    double half = text_width_px(l->text, l->letter) / 2;
    double off = l->anchor == ANCHOR_LEFT ? half : l->anchor == ANCHOR_RIGHT ? -half : 0;
    point u = along(l->degrees);
    return (px_box){.x_px = l->x_px + off * u.x,
                    .y_px = l->y_px + off * u.y,
                    .half_width_px = half,
                    .half_height_px = text_height_px(l->letter) / 2,
                    .degrees = l->degrees};
}

void figure_label(chart_figure *f, const figure_text_label *label)
{
    const char *text = figure_printf(f, "%s", label->text);
    figure_text_label *grown = arena_grow(f->arena, f->labels, f->n_labels, sizeof *grown);
    if (!grown) {
        f->failed = true;
        return;
    }
    f->labels = grown;
    grown[f->n_labels] = *label;
    grown[f->n_labels].text = text;
    figure_keep_free(f, label_box(&grown[f->n_labels++]));
}

bool figure_try_label(chart_figure *f, const figure_text_label *label, const plot_area *area, bool off_marks)
{
    px_box box = label_box(label);
    if (!figure_fits(f, &box, area) || (off_marks && figure_is_avoided(f, &box)))
        return false;
    figure_label(f, label);
    return true;
}

/* Directions in the order that reads best: beside, above, below, then askew. */
static const double directions[] = {0, 180, 90, 270, 45, 135, 315, 225};
static const double distances_px[] = {2, 8, 16, 26, 40, 58, 80, 110};

bool figure_label_point(chart_figure *f, const figure_text_label *label, double radius_px,
                        const plot_area *area, figure_text_label *placed)
{
    const size_t n = sizeof distances_px / sizeof *distances_px,
                 n_directions = sizeof directions / sizeof *directions;
    figure_text_label l = *label;
    l.anchor = ANCHOR_CENTRE;
    px_box size = label_box(&l);
    for (int pass = 0; pass < 2; pass++)
        for (size_t d = 0; d < n; d++)
            for (size_t a = 0; a < n_directions; a++) {
                point u = along(directions[a]);
                double reach = radius_px + distances_px[d];
                l.x_px = label->x_px + u.x * (reach + size.half_width_px);
                l.y_px = label->y_px + u.y * (reach + size.half_height_px);
                if (!figure_try_label(f, &l, area, pass == 0))
                    continue;
                if (placed)
                    *placed = l;
                return true;
            }
    return false;
}

/* --- head and foot ------------------------------------------------------------------------------------ */

/* "%", or a unit with a prefix or without: "ms", "GOP/s", "inferences/s" */
static bool is_unit(const char *word)
{
    static const char *const units[] = {"%", "s", "Hz", "B", "B/s", "OP/s", "OPS", "Op/Byte", "inferences/s"};
    size_t length = strcspn(word, " ,;:)]");
    for (size_t i = 0; i < sizeof units / sizeof *units; i++)
        for (size_t skip = 0; skip < 2; skip++) {
            bool prefixed = !skip || strchr("kMGTmun", word[0]);
            if (prefixed && length > skip && strlen(units[i]) == length - skip &&
                memcmp(word + skip, units[i], length - skip) == 0)
                return true;
        }
    return false;
}

/* "[0.136, 0.190]" */
static bool is_in_interval(const char *text, size_t at)
{
    while (at && text[at] != '[' && text[at] != ']')
        at--;
    return text[at] == '[' && text[at + 1 + strspn(text + at + 1, "0123456789.,-+ ")] == ']';
}

/* Not within "1 229 GOP/s": a number keeps its digits together, and its unit, and an interval its ends. */
static bool may_break(const char *text, size_t at)
{
    if (text[at] != ' ' || is_in_interval(text, at))
        return false;
    bool behind_number = at && text[at - 1] >= '0' && text[at - 1] <= '9';
    bool before_digits = text[at + 1] >= '0' && text[at + 1] <= '9';
    return !behind_number || !(before_digits || is_unit(text + at + 1));
}

/* The most words from text that fit, in line; returns what is left. The last line takes all, shortened. */
static const char *take_line(chart_figure *f, const char *text, letter_kind letter, double width_px,
                             bool is_last, char line[LABEL_SIZE])
{
    size_t fit = 0, length = strlen(text);
    snprintf(line, LABEL_SIZE, "%s", text);
    if (text_width_px(line, letter) <= width_px && length < LABEL_SIZE)
        return text + length;
    if (is_last) {
        snprintf(line, LABEL_SIZE, "%s", figure_shorten(f, text, letter, width_px));
        return text + length;
    }
    for (size_t i = 1; i < length && i < LABEL_SIZE - 1; i++) {
        if (!may_break(text, i))
            continue;
        memcpy(line, text, i);
        line[i] = '\0';
        if (text_width_px(line, letter) > width_px)
            break;
        fit = i;
    }
    if (!fit) { /* one long word: what follows it has a line of its own */
        size_t end = strcspn(text, " ");
        snprintf(line, LABEL_SIZE, "%.*s", (int)(end < LABEL_SIZE ? end : LABEL_SIZE - 1), text);
        const char *shown = figure_shorten(f, line, letter, width_px);
        snprintf(line, LABEL_SIZE, "%s", shown);
        return text + end + (text[end] == ' ');
    }
    memcpy(line, text, fit);
    line[fit] = '\0';
    return text + fit + 1;
}

static double put_lines(chart_figure *f, const char *text, letter_kind letter, uint32_t colour, unsigned most,
                        double y_px)
{
    char line[LABEL_SIZE];
    double height = 1.35 * letters[letter].size_px;
    text = figure_printf(f, "%s", text);
    for (unsigned i = 0; i < most && *text; i++) {
        text = take_line(f, text, letter, f->canvas.width_px - 2 * MARGIN_PX, i + 1 == most, line);
        figure_label(f, &(figure_text_label){.x_px = MARGIN_PX,
                                             .y_px = y_px + height / 2,
                                             .anchor = ANCHOR_LEFT,
                                             .letter = letter,
                                             .colour = colour,
                                             .text = line});
        y_px += height;
    }
    return y_px;
}

double figure_head(chart_figure *f, const char *title, const char *subtitle)
{
    f->title = figure_printf(f, "%s", title);
    double y = put_lines(f, title, LETTER_TITLE, COLOUR_INK, 3, MARGIN_PX - 4);
    return put_lines(f, subtitle ? subtitle : "", LETTER_TEXT, COLOUR_MUTED, 3, y + 2);
}

double figure_foot(chart_figure *f, const char *provenance)
{
    double height = text_height_px(LETTER_SMALL), y = f->canvas.height_px - 4 - height;
    put_lines(f, provenance, LETTER_SMALL, COLOUR_MUTED, 1, y - 2);
    return y - 4;
}

void figure_caption(chart_figure *f, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    f->caption = vprint(f, format, args);
    va_end(args);
}

/* --- axes --------------------------------------------------------------------------------------------- */

double axis_px(const chart_axis *a, double value)
{
    double low = a->is_log ? log10(a->min) : a->min, high = a->is_log ? log10(a->max) : a->max;
    double at = a->is_log ? log10(value) : value;
    return a->from_px + (at - low) / (high - low) * (a->to_px - a->from_px);
}

double nice_step(double range, unsigned n)
{
    if (!(range > 0) || !n || isinf(range))
        return 1;
    double rough = range / n, power = pow(10, floor(log10(rough)));
    static const double steps[] = {1, 2, 5, 10};
    for (size_t i = 0; i < sizeof steps / sizeof *steps; i++)
        if (steps[i] * power >= rough * (1 - 1e-9))
            return steps[i] * power;
    return 10 * power;
}

/* --- ornaments ---------------------------------------------------------------------------------------- */

static const struct {
    const char *name, *columns;
    unsigned n;
} ornament_kinds[ORNAMENTS] = {
    [DISCS] = {"discs-of-legend", "x [px]\ty [px]\tradius [px]\tcolour", 4},
    [RINGS] = {"rings-of-legend", "x [px]\ty [px]\tradius [px]\tcolour", 4},
    [SWATCHES] = {"swatches", "x [px]\ty [px]\tleft\tright\ttop\tbottom\tcolour", 7},
    [ROOF_RULES] = {"rules", "x [px]\ty [px]\twide [px]\thigh [px]\tcolour", 5},
};

static void ornament(chart_figure *f, figure_ornament o)
{
    figure_ornament *grown = f->failed ? NULL : arena_grow(f->arena, f->ornaments, f->n_ornaments, sizeof o);
    if (!grown) {
        f->failed = true;
        return;
    }
    f->ornaments = grown;
    grown[f->n_ornaments++] = o;
}

void figure_disc(chart_figure *f, double x_px, double y_px, double radius_px, uint32_t colour)
{
    ornament(f, (figure_ornament){DISCS, {x_px, y_px, radius_px, colour}});
}

void figure_ring(chart_figure *f, double x_px, double y_px, double radius_px, uint32_t colour)
{
    ornament(f, (figure_ornament){RINGS, {x_px, y_px, radius_px, colour}});
}

void figure_swatch(chart_figure *f, px_box b, uint32_t colour)
{
    ornament(f, (figure_ornament){SWATCHES,
                                  {b.x_px, b.y_px, b.x_px - b.half_width_px, b.x_px + b.half_width_px,
                                   b.y_px - b.half_height_px, b.y_px + b.half_height_px, colour}});
}

void figure_rule(chart_figure *f, double x_px, double y_px, double to_x_px, double to_y_px, uint32_t colour)
{
    ornament(f, (figure_ornament){ROOF_RULES, {x_px, y_px, to_x_px - x_px, to_y_px - y_px, colour}});
}

static void put_ornaments(chart_figure *f, ornament_kind kind)
{
    figure_block(f, ornament_kinds[kind].name, ornament_kinds[kind].columns);
    for (size_t i = 0; i < f->n_ornaments; i++) {
        if (f->ornaments[i].kind != kind)
            continue;
        for (unsigned k = 0; k < ornament_kinds[kind].n; k++)
            figure_number(f, round(100 * f->ornaments[i].values[k]) / 100);
        figure_end_row(f);
    }
}

/* --- the end ------------------------------------------------------------------------------------------ */

static void put_label(chart_figure *f, const figure_text_label *l)
{
    figure_number(f, round(100 * l->x_px) / 100);
    figure_number(f, round(100 * l->y_px) / 100);
    figure_number(f, round(100 * l->degrees) / 100);
    figure_number(f, l->colour);
    figure_text(f, l->text);
    figure_end_row(f);
}

/* gnuplot (5.4.4) crashes when the last block of labels has none that is defined: one that is not on the canvas will do. */
static void put_labels(chart_figure *f, letter_kind letter, label_anchor anchor)
{
    static const figure_text_label nowhere = {.x_px = -100, .y_px = -100, .text = " "};
    char name[40];
    snprintf(name, sizeof name, "text-%s-%s", letters[letter].name, anchors[anchor]);
    figure_block(f, name, "x [px]\ty [px]\tturned [degrees]\tcolour\ttext");
    for (size_t i = 0; i < f->n_labels; i++) {
        const figure_text_label *l = &f->labels[i];
        if (l->letter == letter && l->anchor == anchor && l->text[0])
            put_label(f, l);
    }
    if (!f->block_rows)
        put_label(f, &nowhere);
}

roof_status figure_finish(chart_figure *f, roof_error *err)
{
    for (int kind = 0; kind < ORNAMENTS; kind++)
        put_ornaments(f, (ornament_kind)kind);
    for (int letter = 0; letter < LETTERS; letter++)
        for (int anchor = 0; anchor < ANCHORS; anchor++)
            put_labels(f, (letter_kind)letter, (label_anchor)anchor);
    /* gnuplot 5.4.4 crashes at texts from a last block that has none. */
    figure_block(f, "end", "nothing");
    close_block(f);
    if (f->failed)
        return error_memory(err);
    TRY(text_status(&f->variables, err));
    return text_status(&f->data, err);
}
