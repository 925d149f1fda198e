#include "reports/charts/figure.h"
#include "core/table/grid.h"

#include <stdarg.h>

enum { MARGIN_PX = 16, LABEL_SIZE = 600, BETWEEN_PX = 1 }; /* boxes that do not overlap */

static const char *const anchors[ANCHORS] = {"left", "centre", "right"};

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

roof_status figure_begin(chart_figure *f, const char *script, chart_canvas canvas, roof_error *err)
{
    *f = (chart_figure){.arena = arena_new(0), .script = script, .canvas = canvas, .caption = ""};
    f->is_wide = canvas.width_px > canvas.height_px;
    text_init(&f->variables, TEXT_MAX_BYTES);
    text_init(&f->data, TEXT_MAX_BYTES);
    TRY(ALLOCATED(f->arena, err));
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

/* --- variables and data ------------------------------------------------------------------------------- */

/* unknown: what stands for what is unknown, or infinite, which no axis could show. */
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
    figure_set(f, figure_printf(f, "%s_left", prefix), area->left_px / f->canvas.width_px);
    figure_set(f, figure_printf(f, "%s_right", prefix), area->right_px / f->canvas.width_px);
    figure_set(f, figure_printf(f, "%s_top", prefix), 1 - area->top_px / f->canvas.height_px);
    figure_set(f, figure_printf(f, "%s_bottom", prefix), 1 - area->bottom_px / f->canvas.height_px);
}

void figure_set_height(chart_figure *f, double height_px)
{
    f->canvas.height_px = height_px;
    figure_set(f, "height", height_px);
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

void figure_numbers(chart_figure *f, const double *values, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        if (!at_begin_of_row(f))
            text_puts(&f->data, "\t");
        put_number(&f->data, values[i], "?");
    }
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

/* --- rectangles --------------------------------------------------------------------------------------- */

px_point figure_px_along(double degrees)
{
    double radians = degrees * M_PI / 180;
    return (px_point){cos(radians), -sin(radians)};
}

static const px_point rightwards = {1, 0}, downwards = {0, 1};

/* Half of the shadow that a box throws on an axis. */
static double reach(const px_box *b, px_point axis)
{
    px_point u = figure_px_along(b->degrees);
    return b->half_width_px * fabs(u.x * axis.x + u.y * axis.y) +
           b->half_height_px * fabs(u.x * axis.y - u.y * axis.x);
}

/* The shadows of both do not touch. */
static bool apart(const px_box *a, const px_box *b, px_point axis)
{
    double far = (a->x_px - b->x_px) * axis.x + (a->y_px - b->y_px) * axis.y;
    return fabs(far) > reach(a, axis) + reach(b, axis) + BETWEEN_PX;
}

bool figure_boxes_overlap(const px_box *a, const px_box *b)
{
    px_point u = figure_px_along(a->degrees), v = figure_px_along(b->degrees);
    return !apart(a, b, u) && !apart(a, b, (px_point){-u.y, u.x}) && !apart(a, b, v) &&
           !apart(a, b, (px_point){-v.y, v.x});
}

/* --- places --------------------------------------------------------------------------------------------- */

void figure_keep_free(chart_figure *f, px_box box)
{
    (void)ARENA_ADD(f->arena, f->boxes, f->n_boxes, NULL, box);
}

void figure_avoid(chart_figure *f, px_box box)
{
    (void)ARENA_ADD(f->arena, f->marks, f->n_marks, NULL, box);
}

static bool is_on_any(const px_box *box, const px_box *others, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (figure_boxes_overlap(box, &others[i]))
            return true;
    return false;
}

bool figure_fits(const chart_figure *f, const px_box *box, const plot_area *area)
{
    const plot_area canvas = {0, f->canvas.width_px, 0, f->canvas.height_px}, *in = area ? area : &canvas;
    const double wide = reach(box, rightwards), high = reach(box, downwards);
    return box->x_px - wide >= in->left_px && box->x_px + wide <= in->right_px &&
           box->y_px - high >= in->top_px && box->y_px + high <= in->bottom_px &&
           !is_on_any(box, f->boxes, f->n_boxes);
}

/* --- labels ------------------------------------------------------------------------------------------- */

px_box figure_label_box(const figure_text_label *l)
{
    double half = figure_text_width_px(l->text, l->letter) / 2;
    double off = l->anchor == ANCHOR_LEFT ? half : l->anchor == ANCHOR_RIGHT ? -half : 0;
    px_point u = figure_px_along(l->degrees);
    return (px_box){l->x_px + off * u.x, l->y_px + off * u.y, half, figure_text_height_px(l->letter) / 2,
                    l->degrees};
}

void figure_label(chart_figure *f, const figure_text_label *label)
{
    figure_text_label own = *label;
    own.text = figure_printf(f, "%s", label->text);
    if (ARENA_ADD(f->arena, f->labels, f->n_labels, NULL, own) == ROOF_OK)
        figure_keep_free(f, figure_label_box(&own));
}

void figure_put(chart_figure *f, double x_px, double y_px, label_anchor anchor, letter_kind letter,
                uint32_t colour, const char *text)
{
    figure_label(f, &(figure_text_label){x_px, y_px, 0, anchor, letter, colour, text});
}

bool figure_try_label(chart_figure *f, const figure_text_label *label, const plot_area *area, bool off_marks)
{
    px_box box = figure_label_box(label);
    if (!figure_fits(f, &box, area) || (off_marks && is_on_any(&box, f->marks, f->n_marks)))
        return false;
    figure_label(f, label);
    return true;
}

/* --- ornaments ---------------------------------------------------------------------------------------- */

static const struct {
    const char *name, *columns;
    unsigned n;
} ornament_kinds[ORNAMENTS] = {
    [DISCS] = {"discs-of-legend", "x [px]\ty [px]\tradius [px]\tcolour\tsymbol", 5},
    [RINGS] = {"rings-of-legend", "x [px]\ty [px]\tradius [px]\tcolour", 4},
    [SWATCHES] = {"swatches", "x [px]\ty [px]\tleft\tright\ttop\tbottom\tcolour", 7},
    [RULES] = {"rules", "x [px]\ty [px]\twide [px]\thigh [px]\tcolour", 5},
};

void figure_add(chart_figure *f, figure_ornament o)
{
    if (o.kind == DISCS && !(o.values[4] > 0))
        o.values[4] = SYMBOL_DISC;
    (void)ARENA_ADD(f->arena, f->ornaments, f->n_ornaments, NULL, o);
}

void figure_swatch(chart_figure *f, double left_px, double right_px, double y_px, double half_px,
                   uint32_t colour)
{
    figure_add(f, (figure_ornament){SWATCHES,
                                    {(left_px + right_px) / 2, y_px, left_px, right_px, y_px - half_px,
                                     y_px + half_px, colour}});
}

void figure_hatch(chart_figure *f, double left, double right, double top, double bottom)
{
    const double step_px = 6, height = bottom - top;
    for (int i = 0; i <= (int)((right - left + height) / step_px); i++) {
        double at = left - height + step_px * (i + 0.5), from = fmax(at, left), to = fmin(at + height, right);
        if (to > from)
            figure_add(f, (figure_ornament){
                              RULES, {from, bottom - (from - at), to - from, from - to, COLOUR_OTHER}});
    }
}

void figure_add_spot(chart_figure *f, figure_spot spot)
{
    spot.bound = figure_printf(f, "%s", spot.bound);
    spot.kind = figure_printf(f, "%s", spot.kind);
    spot.text = figure_printf(f, "%s", spot.text);
    (void)ARENA_ADD(f->arena, f->spots, f->n_spots, NULL, spot);
}

static double hundredths(double value)
{
    return round(100 * value) / 100;
}

/* --- the end ------------------------------------------------------------------------------------------ */

static void put_label(chart_figure *f, const figure_text_label *l)
{
    FIGURE_NUMBERS(f, hundredths(l->x_px), hundredths(l->y_px), hundredths(l->degrees), l->colour);
    figure_text(f, l->text);
    figure_end_row(f);
}

roof_status figure_finish(chart_figure *f, roof_error *err)
{
    for (ornament_kind kind = 0; kind < ORNAMENTS; kind++) {
        figure_block(f, ornament_kinds[kind].name, ornament_kinds[kind].columns);
        for (size_t i = 0; i < f->n_ornaments; i++) {
            if (f->ornaments[i].kind != kind)
                continue;
            for (unsigned k = 0; k < ornament_kinds[kind].n; k++)
                FIGURE_NUMBERS(f, hundredths(f->ornaments[i].values[k]));
            figure_end_row(f);
        }
    }
    for (int letter = 0; letter < LETTERS; letter++)
        for (int anchor = 0; anchor < ANCHORS; anchor++) {
            figure_block(f, figure_printf(f, "text-%s-%s", letters[letter].name, anchors[anchor]),
                         "x [px]\ty [px]\tturned [degrees]\tcolour\ttext");
            FOR_EACH(const figure_text_label, l, f->labels, f->n_labels)
                if ((int)l->letter == letter && (int)l->anchor == anchor && l->text[0])
                    put_label(f, l);
            if (!f->block_rows) /* gnuplot (5.4.4) crashes at no label: one off the canvas will do */
                put_label(f, &(figure_text_label){.x_px = -100, .y_px = -100, .text = " "});
        }
    /* gnuplot 5.4.4 crashes at texts from a last block that has none. */
    figure_block(f, "end", "nothing");
    close_block(f);
    TRY(arena_status(f->arena, err));
    TRY(text_status(&f->variables, err));
    return text_status(&f->data, err);
}

/* --- lines of words ----------------------------------------------------------------------------------- */

/* Not within "1 229 GOP/s": a number keeps its digits and its unit, and "[0.136, 0.190]" its ends. */
static bool may_break(const char *text, size_t at)
{
    /* with a prefix or without: "ms", "GOP/s" */
    static const char *const units[] = {"%", "s", "Hz", "B", "B/s", "OP/s", "OPS", "Op/Byte", "inferences/s"};
    size_t open = at;
    while (open && text[open] != '[' && text[open] != ']')
        open--;
    if (text[at] != ' ' ||
        (text[open] == '[' && text[open + 1 + strspn(text + open + 1, "0123456789.,-+ ")] == ']'))
        return false;
    const char *next = text + at + 1;
    const text_span word = {next, strcspn(next, " ,;:)]")}, rest = {next + 1, word.length - 1};
    const bool is_unit = SPAN_IS_ONE_OF(units, word) ||
                         (word.length > 1 && strchr("kMGTmun", *next) && SPAN_IS_ONE_OF(units, rest));
    const bool behind_number = at && text[at - 1] >= '0' && text[at - 1] <= '9';
    return !behind_number || !((*next >= '0' && *next <= '9') || is_unit);
}

/* How many bytes fit on a line: all, up to a place where it may be broken, or a word that is cut. */
static size_t fitting(const char *text, letter_kind letter, double width_px)
{
    size_t fit = 0, length = strlen(text);
    for (size_t i = 1; i <= length && i < LABEL_SIZE; i++) {
        if (i < length && !may_break(text, i))
            continue;
        if (figure_text_bytes_px(text, i, letter) > width_px)
            break;
        fit = i;
    }
    return fit ? fit : strcspn(text, " ");
}

/* The last line takes all that is left, shortened. */
static double put_lines(chart_figure *f, const char *text, letter_kind letter, uint32_t colour, unsigned most,
                        double y_px)
{
    double height = 1.35 * letters[letter].size_px, width = f->canvas.width_px - 2 * MARGIN_PX;
    text = figure_printf(f, "%s", text);
    for (unsigned i = 0; i < most && *text; i++) {
        size_t length = i + 1 < most ? fitting(text, letter, width) : strlen(text);
        const char *line = figure_printf(f, "%.*s", (int)length, text);
        figure_put(f, MARGIN_PX, y_px + height / 2, ANCHOR_LEFT, letter, colour,
                   figure_shorten(f, line, letter, width));
        y_px += height;
        text += length + (text[length] == ' ');
    }
    return y_px;
}

double figure_head(chart_figure *f, const char *title, const char *subtitle)
{
    enum { TITLE_LINES = 4, MORE_LINES = 3 }; /* of a narrow picture */
    f->title = figure_printf(f, "%s", title);
    double y = put_lines(f, title, LETTER_TITLE, COLOUR_INK, TITLE_LINES, MARGIN_PX - 4);
    return put_lines(f, subtitle ? subtitle : "", LETTER_TEXT, COLOUR_MUTED, MORE_LINES, y + 2);
}

double figure_foot(chart_figure *f, const char *provenance)
{
    double height = figure_text_height_px(LETTER_SMALL), y = f->canvas.height_px - 4 - height;
    put_lines(f, provenance, LETTER_SMALL, COLOUR_MUTED, 1, y - 2);
    return y - 4;
}

const char *figure_printf(chart_figure *f, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    const char *text = arena_vprintf(f->arena, format, args);
    va_end(args);
    text = text ? arena_shown(f->arena, text) : NULL; /* now: its width is that of what is drawn */
    return text_or_empty(text);
}

/* --- how large a text is ------------------------------------------------------------------------------ */

/* Advance widths of DejaVu Sans, the widest of the usual sans-serif fonts, in 1/100, from ' ' to '~'. */
// clang-format off
static const unsigned char advances[] = {
    /* space to 7 */
    32, 41, 46, 84, 64, 96, 78, 28, 40, 40, 50, 84, 32, 37, 32, 34, 64, 64, 64, 64, 64, 64, 64, 64,
    /* 8 to O */
    64, 64, 34, 34, 84, 84, 84, 54, 100, 69, 69, 70, 78, 64, 58, 78, 76, 30, 30, 66, 56, 87, 75, 79,
    /* P to g */
    61, 79, 70, 64, 62, 74, 69, 99, 69, 62, 69, 40, 34, 40, 84, 50, 50, 62, 64, 55, 64, 62, 36, 64,
    /* h to ~ */
    64, 28, 28, 58, 28, 98, 64, 62, 64, 64, 42, 53, 40, 64, 60, 82, 60, 60, 53, 64, 34, 64, 84,
};
// clang-format on

/* Width of a text's first bytes, whole characters. From U+3000 on East Asian letters are as wide as high. */
double figure_text_bytes_px(const char *text, size_t bytes, letter_kind letter)
{
    double sum = 0;
    for (size_t i = 0; i < bytes; i++) {
        unsigned char c = (unsigned char)text[i];
        if ((c & 0xc0) != 0x80)
            sum += c >= ' ' && c <= '~' ? advances[c - ' '] : c >= 0xe3 ? 100 : 66;
    }
    return sum / 100 * letters[letter].size_px * (letters[letter].bold ? 1.12 : 1);
}

double figure_text_width_px(const char *text, letter_kind letter)
{
    return figure_text_bytes_px(text, strlen(text), letter);
}

double figure_text_height_px(letter_kind letter)
{
    return 1.2 * letters[letter].size_px;
}

const char *figure_shorten(chart_figure *f, const char *text, letter_kind letter, double width_px)
{
    char buffer[LABEL_SIZE];
    text = figure_printf(f, "%s", text);
    size_t length = strlen(text);
    if (length < LABEL_SIZE && figure_text_width_px(text, letter) <= width_px)
        return text;
    size_t characters = length < LABEL_SIZE / 4 ? length : LABEL_SIZE / 4;
    const char *shown = text_shorten(text, characters, false, buffer, sizeof buffer);
    while (figure_text_width_px(shown, letter) > width_px && characters > 5)
        shown = text_shorten(text, --characters, false, buffer, sizeof buffer);
    return figure_printf(f, "%s", shown);
}
