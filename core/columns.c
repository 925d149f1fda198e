#include "core/columns.h"
#include "core/utf8.h"

#include <string.h>

/* --- width of texts ----------------------------------------------------------------------------------- */

const char *text_next(const char *text, uint32_t *character)
{
    utf8_character next = utf8_next(text, strnlen(text, 4));
    *character = next.kind == UTF8_BAD ? '?' : next.code;
    return text + next.length;
}

/* Not wcwidth, which asks the locale. Blocks of Unicode that terminals show so, in order. */
static const struct {
    uint32_t first, last;
    unsigned width;
} widths[] = {
    {0x300, 0x36f, 0},     {0x483, 0x489, 0},     {0x591, 0x5bd, 0},     {0x610, 0x61a, 0},
    {0x64b, 0x65f, 0},     {0x1100, 0x115f, 2},   {0x1ab0, 0x1aff, 0},   {0x1dc0, 0x1dff, 0},
    {0x200b, 0x200f, 0},   {0x20d0, 0x20ff, 0},   {0x2e80, 0x303e, 2},   {0x3041, 0x4dbf, 2},
    {0x4e00, 0xa4cf, 2},   {0xa960, 0xa97c, 2},   {0xac00, 0xd7a3, 2},   {0xf900, 0xfaff, 2},
    {0xfe00, 0xfe0f, 0},   {0xfe20, 0xfe2f, 0},   {0xfe30, 0xfe6f, 2},   {0xff00, 0xff60, 2},
    {0xffe0, 0xffe6, 2},   {0x1f300, 0x1f64f, 2}, {0x1f680, 0x1f6ff, 2}, {0x1f900, 0x1f9ff, 2},
    {0x20000, 0x3fffd, 2}, {0xe0100, 0xe01ef, 0},
};

size_t character_width(uint32_t c)
{
    size_t i = 0, n = sizeof widths / sizeof *widths;
    while (c >= widths[0].first && i < n && c > widths[i].last)
        i++;
    return c >= widths[0].first && i < n && c >= widths[i].first ? widths[i].width : 1;
}

size_t text_width(const char *text)
{
    size_t width = 0;
    while (*text) {
        uint32_t c;
        text = text_next(text, &c);
        width += character_width(c);
    }
    return width;
}

/* --- the table ---------------------------------------------------------------------------------------- */

void columns_begin(column_layout *t, roof_arena *arena, const char *between)
{
    *t = (column_layout){.arena = arena, .between = between};
}

void columns_title(column_layout *t, const char *title, const char *colour, size_t least, bool right)
{
    if (t->n == GRID_MOST_COLUMNS) {
        t->failed = true;
        return;
    }
    t->columns[t->n].right = right;
    t->columns[t->n++].width = least;
    columns_add(t, title, colour);
}

void columns_add(column_layout *t, const char *text, const char *colour)
{
    const char *copy = t->failed || !text ? NULL : *text ? arena_strdup(t->arena, text) : "";
    if (copy) {
        t->cells = arena_grow(t->arena, t->cells, t->n_cells, sizeof *t->cells);
        t->colours = arena_grow(t->arena, t->colours, t->n_cells, sizeof *t->colours);
    }
    if (!copy || !t->cells || !t->colours) {
        t->failed = true;
        return;
    }
    size_t *most = &t->columns[t->n_cells % t->n].width, width = text_width(copy);
    *most = width > *most ? width : *most;
    t->cells[t->n_cells] = copy;
    t->colours[t->n_cells++] = colour;
}

static const char *sequence_of(const char *colour)
{
    static const char *const sequences[][2] = {{"bold", "\033[1m"},      {"red", "\033[31m"},
                                               {"yellow", "\033[1;33m"}, {"blue", "\033[34m"},
                                               {"magenta", "\033[35m"},  {"cyan", "\033[36m"}};
    for (size_t i = 0; colour && i < sizeof sequences / sizeof *sequences; i++)
        if (strcmp(sequences[i][0], colour) == 0)
            return sequences[i][1];
    return NULL;
}

static void put_blanks(textbuf *out, size_t n)
{
    static const char blanks[] = "                                ";
    for (size_t piece; n; n -= piece) {
        piece = n < sizeof blanks - 1 ? n : sizeof blanks - 1;
        text_add(out, blanks, piece);
    }
}

/* Lines of the last column stand below one another. */
static void put_lines(const column_layout *t, const char *text, textbuf *out)
{
    size_t indent = 0;
    for (size_t c = 0; c + 1 < t->n; c++)
        indent += t->columns[c].width + strlen(t->between);
    for (const char *end; (end = strchr(text, '\n')); text = end + 1) {
        text_add(out, text, (size_t)(end - text) + 1);
        put_blanks(out, indent);
    }
    text_puts(out, text);
}

/* owed: blanks before the cell, which are not written when nothing follows them. */
static void put_cell(const column_layout *t, size_t i, size_t *owed, textbuf *out)
{
    size_t c = i % t->n, rest = t->columns[c].width - text_width(t->cells[i]);
    const char *sequence = sequence_of(t->colours[i]);
    bool right = t->columns[c].right, last = c + 1 == t->n;
    size_t left_out = right || last ? 0 : rest;
    if (!sequence && !*t->cells[i]) {
        *owed += rest;
        return;
    }
    put_blanks(out, *owed);
    text_puts(out, sequence ? sequence : "");
    put_blanks(out, right ? rest : 0);
    put_lines(t, t->cells[i], out);
    if (sequence)
        put_blanks(out, left_out);
    text_puts(out, sequence ? "\033[0m" : "");
    *owed = sequence ? 0 : left_out;
}

void columns_put(const column_layout *t, textbuf *out)
{
    out->failed = out->failed || t->failed;
    for (size_t i = 0, owed = 0; !out->failed && i < t->n_cells; i++) {
        put_cell(t, i, &owed, out);
        owed += strlen(t->between);
        if ((i + 1) % t->n == 0) {
            text_puts(out, "\n");
            owed = 0;
        }
    }
}
