#include "cli/cli.h"
#include "core/arena.h"
#include "core/columns.h"
#include "core/error.h"

#include <stdio.h>
#include <string.h>

enum { LEAST_WRAP = 24 };
static const char separator[] = "  ";

void cli_wrap(const char *text, size_t width, const char *indent, textbuf *out)
{
    size_t column = 0;
    while (*text) {
        size_t length = strcspn(text, " ");
        if (column && column + 1 + length > width) {
            text_printf(out, "\n%s", indent);
            column = 0;
        } else if (column) {
            text_puts(out, " ");
            column++;
        }
        text_escaped(out, text, length, NULL);
        column += length;
        text += length + (text[length] == ' ');
    }
}

void cli_put_item(textbuf *out, const char *label, const char *text, size_t column)
{
    char indent[40];
    size_t width = cli_width();
    snprintf(indent, sizeof indent, "%*s", (int)column, "");
    if (*label)
        text_printf(out, "  %-*s", (int)column - 2, label);
    cli_wrap(text, width > column ? width - column : 1, indent, out);
    text_puts(out, "\n");
}

/* What the columns before the last one take, with what is between them. */
static size_t width_before_last(const char *const *cells, size_t n_columns, size_t n_rows)
{
    size_t used = 0;
    for (size_t c = 0; c + 1 < n_columns; c++) {
        size_t widest = 0;
        for (size_t r = 0; r < n_rows; r++) {
            size_t width = text_width(cells[r * n_columns + c]);
            widest = width > widest ? width : widest;
        }
        used += widest + sizeof separator - 1;
    }
    return used;
}

/* Texts are shown as they are: the database refuses control characters when it reads. */
roof_status cli_listing(const char *const *cells, size_t n_columns, size_t n_rows, size_t width, textbuf *out,
                        roof_error *err)
{
    column_layout table;
    roof_arena *arena = arena_new(0);
    size_t used = width_before_last(cells, n_columns, n_rows);
    size_t last = used + LEAST_WRAP < width ? width - used : LEAST_WRAP; /* but never next to nothing */
    if (!arena)
        return error_memory(err);
    columns_begin(&table, arena, separator);
    for (size_t c = 0; c < n_columns; c++)
        columns_title(&table, cells[c], NULL, 0, false);
    for (size_t i = n_columns; i < n_rows * n_columns; i++) {
        textbuf wrapped;
        text_init(&wrapped, TEXT_MAX_BYTES);
        if ((i + 1) % n_columns == 0)
            cli_wrap(cells[i], last, "", &wrapped);
        table.failed = table.failed || wrapped.failed;
        columns_add(&table, wrapped.bytes ? wrapped.bytes : cells[i], NULL);
        text_free(&wrapped);
    }
    columns_put(&table, out);
    arena_free(arena);
    return text_status(out, err);
}
