/* The words of a figure: how large they are, what fits into a line, head and foot. */
#include "core/grid.h"
#include "core/quantity.h"
#include "reports/figure.h"
#include "reports/palette.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

enum { LABEL_SIZE = 600 };

/* The same sizes and weights as in reports/charts/texts.gp. */
static const struct {
    double size_px;
    bool bold;
} letters[LETTERS] = {
    [LETTER_TITLE] = {16, true},
    [LETTER_TEXT] = {13, false},
    [LETTER_SMALL] = {12, false},
    [LETTER_BOLD] = {12, true},
};

const char *figure_printf(chart_figure *f, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    const char *text = arena_vprintf(f->arena, format, args);
    va_end(args);
    text = text ? arena_shown(f->arena, text) : NULL; /* now: its width is that of what is drawn */
    f->failed = f->failed || !text;
    return text ? text : "";
}

const char *figure_quantity(chart_figure *f, double value, const char *unit)
{
    char text[40];
    quantity_format(text, sizeof text, value, unit);
    return figure_printf(f, "%s", text);
}

const char *plural_s(size_t n)
{
    return n == 1 ? "" : "s";
}

/* --- how large a text is ------------------------------------------------------------------------------ */

/* Advance widths of DejaVu Sans in 1/100 of its size, the widest of the usual sans-serif fonts, from ' ' to '~'. */
// clang-format off
static const unsigned char advances[] = {
    32, 41, 46, 84, 64, 96, 78, 28, 40, 40, 50, 84, 32, 37, 32, 34, 64, 64, 64, 64, 64, 64, 64, 64, /* space to 7 */
    64, 64, 34, 34, 84, 84, 84, 54, 100, 69, 69, 70, 78, 64, 58, 78, 76, 30, 30, 66, 56, 87, 75, 79, /* 8 to O */
    61, 79, 70, 64, 62, 74, 69, 99, 69, 62, 69, 40, 34, 40, 84, 50, 50, 62, 64, 55, 64, 62, 36, 64, /* P to g */
    64, 28, 28, 58, 28, 98, 64, 62, 64, 64, 42, 53, 40, 64, 60, 82, 60, 60, 53, 64, 34, 64, 84,     /* h to ~ */
};
// clang-format on

/* Of its first bytes, which are whole characters. From U+3000 on East Asian letters are as wide as high. */
static double width_of(const char *text, size_t bytes, letter_kind letter)
{
    double sum = 0;
    for (size_t i = 0; i < bytes; i++) {
        unsigned char c = (unsigned char)text[i];
        if ((c & 0xc0) != 0x80)
            sum += c >= ' ' && c <= '~' ? advances[c - ' '] : c >= 0xe3 ? 100 : 66;
    }
    return sum / 100 * letters[letter].size_px * (letters[letter].bold ? 1.12 : 1);
}

double text_width_px(const char *text, letter_kind letter)
{
    return width_of(text, strlen(text), letter);
}

double text_line_px(letter_kind letter)
{
    return 1.35 * letters[letter].size_px;
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

/* The most words from text that fit, in *line; returns what is left. The last line takes all, shortened. */
const char *figure_take_line(chart_figure *f, const char *text, letter_kind letter, double width_px,
                             bool is_last, const char **line)
{
    size_t fit = 0, length = strlen(text), end = strcspn(text, " ");
    bool is_whole = length < LABEL_SIZE && width_of(text, length, letter) <= width_px;
    if (is_whole || is_last) {
        *line = is_whole ? text : figure_shorten(f, text, letter, width_px);
        return text + length;
    }
    for (size_t i = 1; i < length && i < LABEL_SIZE - 1; i++) {
        if (!may_break(text, i))
            continue;
        if (width_of(text, i, letter) > width_px)
            break;
        fit = i;
    }
    *line = figure_printf(f, "%.*s", (int)(fit ? fit : end < LABEL_SIZE ? end : LABEL_SIZE - 1), text);
    if (fit)
        return text + fit + 1;
    *line = figure_shorten(f, *line, letter, width_px); /* one long word: what follows it has its own line */
    return text + end + (text[end] == ' ');
}
