#include "core/table/grid.h"
#include "core/table/writer.h"

void grid_put_markdown(const cell_grid *t, textbuf *out)
{
    static const char *const rules[2][2] = {{"| --- ", "| --: "}, {"|---", "|---:"}};
    uint8_t columns[GRID_MOST_COLUMNS];
    size_t n = t->is_sparse ? grid_seen(t, columns) : t->n_shown;
    if (!t->is_sparse) /* shows columns without values as well */
        memcpy(columns, t->shown, sizeof t->shown);
    for (size_t i = 0; i < n; i++) {
        const char *unit = grid_unit(t, &t->columns[columns[i]]);
        text_puts(out, "| ");
        writer_put_markdown(out, t->columns[columns[i]].title);
        text_puts(out, unit ? " " : "");
        writer_put_markdown(out, unit ? unit : "");
        text_puts(out, " ");
    }
    text_puts(out, "|\n");
    for (size_t i = 0; i < n; i++)
        text_puts(out, rules[t->is_sparse][grid_is_number(&t->columns[columns[i]])]);
    text_puts(out, "|\n");
    for (size_t r = 0; r < t->n_rows; r++) {
        for (size_t i = 0; i < n; i++) {
            size_t column = columns[i];
            char buffer[CELL_SIZE];
            const grid_cell *cell = &t->rows[r][column];
            const char *text = grid_show(t, cell, buffer);
            bool is_code = t->columns[column].kind == COLUMN_NAME && !t->is_sparse && !cell->is_label &&
                           *text && *text != '(';
            text_puts(out, "| ");
            for (uint32_t p = column == t->shown[0] && t->parents ? t->parents[r] : ROOF_NONE; p != ROOF_NONE;
                 p = t->parents[p])
                text_puts(out, "&nbsp;&nbsp;"); /* Markdown would swallow others */
            if (is_code)
                writer_put_markdown_code(out, text);
            else
                writer_put_markdown(out, text);
            text_puts(out, " ");
        }
        text_puts(out, "|\n");
    }
}
