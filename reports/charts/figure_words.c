/* The words of a figure: how large they are, what fits. */
#include "core/table/grid.h"
#include "reports/charts/figure.h"

#include <stdarg.h>
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
    return text_or_empty(text);
}

/* --- how large a text is ------------------------------------------------------------------------------ */

/* Advance widths of DejaVu Sans in 1/100 of its size, the widest of the usual sans-serif fonts, from ' ' to
 * '~'. */
// clang-format off
static const unsigned char advances[] = {
    /* space to 7 */
    32, 41, 46, 84, 64, 96, 78, 28, 40, 40, 50, 84, 32, 37, 32, 34, 64, 64, 64, 64, 64, 64, 64, 64,
    /* 8 to O */
    64, 64, 34, 34, 84, 84, 84, 54, 100, 69, 69, 70, 78, 64, 58, 78, 76, 30, 30, 66, 56, 87, 75, 79,
    /* P to g */
    61, 79, 70, 64, 62, 74, 69, 99, 69, 62, 69, 40, 34, 40, 84, 50, 50, 62, 64, 55, 64, 62, 36, 64,
    64, 28, 28, 58, 28, 98, 64, 62, 64, 64, 42, 53, 40, 64, 60, 82, 60, 60, 53, 64, 34, 64, 84,     /* h to ~ */
};
// clang-format on

/* The width of a text's first bytes, which are whole characters. From U+3000 on East Asian letters are as
 * wide as high. */
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

double figure_text_line_px(letter_kind letter)
{
    return 1.35 * letters[letter].size_px;
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
