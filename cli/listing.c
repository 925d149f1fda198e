#include "cli/cli.h"
#include "core/error.h"

#include <libsmartcols.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LEAST_WRAP = 24 };
static const char separator[] = "  ";

/* Room for the last column: what the others leave, but never next to nothing. */
static size_t last_width(const char *const *cells, size_t n_columns, size_t n_rows, size_t width)
{
    size_t used = 0;
    for (size_t c = 0; c + 1 < n_columns; c++) {
        size_t widest = 0;
        for (size_t r = 0; r < n_rows; r++) {
            size_t length = strlen(cells[r * n_columns + c]);
            widest = length > widest ? length : widest;
        }
        used += widest + sizeof separator - 1;
    }
    return used + LEAST_WRAP < width ? width - used : LEAST_WRAP;
}

void cli_wrap(const char *text, size_t width, const char *indent, roof_text *out)
{
    size_t column = 0;
    while (*text) {
        size_t length = strcspn(text, " ");
        if (column && column + 1 + length > width) {
            roof_text_printf(out, "\n%s", indent);
            column = 0;
        } else if (column) {
            roof_text_puts(out, " ");
            column++;
        }
        roof_text_escaped(out, text, length, NULL);
        column += length;
        text += length + (text[length] == ' ');
    }
}

void cli_put_item(roof_text *out, const char *label, const char *text, size_t column)
{
    char indent[40];
    size_t width = cli_width();
    snprintf(indent, sizeof indent, "%*s", (int)column, "");
    if (*label)
        roof_text_printf(out, "  %-*s", (int)column - 2, label);
    cli_wrap(text, width > column ? width - column : 1, indent, out);
    roof_text_puts(out, "\n");
}

static bool add_columns(struct libscols_table *table, const char *const *headers, size_t n_columns)
{
    for (size_t c = 0; c < n_columns; c++) {
        bool last = c + 1 == n_columns;
        struct libscols_column *column =
            scols_table_new_column(table, headers[c], 0, last ? SCOLS_FL_WRAP : 0);
        if (!column)
            return false;
        if (last)
            scols_column_set_wrapfunc(column, scols_wrapnl_chunksize, scols_wrapnl_nextchunk, NULL);
    }
    return true;
}

static bool add_row(struct libscols_table *table, const char *const *cells, size_t n_columns, size_t last)
{
    roof_text wrapped;
    struct libscols_line *line = scols_table_new_line(table, NULL);
    bool good = line != NULL;
    roof_text_init(&wrapped, ROOF_TEXT_MAX_BYTES);
    cli_wrap(cells[n_columns - 1], last, "", &wrapped); /* smartcols puts the lines below one another */
    for (size_t c = 0; good && c + 1 < n_columns; c++)
        good = scols_line_set_data(line, c, cells[c]) == 0;
    good = good && !wrapped.failed &&
           scols_line_set_data(line, n_columns - 1, wrapped.bytes ? wrapped.bytes : "") == 0;
    roof_text_free(&wrapped);
    return good;
}

/* Texts are shown as they are: the database refuses control characters when it reads. */
roof_status cli_listing(const char *const *cells, size_t n_columns, size_t n_rows, size_t width,
                        roof_text *out, roof_error *err)
{
    struct libscols_table *table = scols_new_table();
    char *printed = NULL;
    size_t last = last_width(cells, n_columns, n_rows, width);
    bool good = table && add_columns(table, cells, n_columns);
    for (size_t r = 1; good && r < n_rows; r++)
        good = add_row(table, cells + r * n_columns, n_columns, last);
    if (good) {
        scols_table_set_termforce(table, SCOLS_TERMFORCE_NEVER);
        scols_table_enable_noencoding(table, 1);
        scols_table_set_column_separator(table, separator);
        good = scols_print_table_to_string(table, &printed) == 0;
    }
    if (good) {
        roof_text_puts(out, printed);
        if (*printed && printed[strlen(printed) - 1] != '\n')
            roof_text_puts(out, "\n");
    }
    free(printed);
    scols_unref_table(table);
    return good ? roof_text_status(out, err) : roof_fail_memory(err);
}
