#include "reports/inspect/inspect_table.h"
#include "core/columns.h"
#include "core/error.h"

#include <string.h>

/* Between two columns, and what a level of a tree costs. */
static const char separator[] = "  ";
enum { SEPARATOR_WIDTH = sizeof separator - 1, TREE_WIDTH = 2, SHORTEST = 16 };

/* --- width of texts ----------------------------------------------------------------------------------- */

/* The end of text that takes at most width columns. */
static const char *tail(const char *text, size_t width)
{
    size_t all = text_width(text);
    while (all > width) {
        uint32_t c;
        text = text_next(text, &c);
        all -= character_width(c);
    }
    return text;
}

static size_t head_length(const char *text, size_t width)
{
    const char *p = text;
    for (size_t used = 0; *p;) {
        uint32_t c;
        const char *next = text_next(p, &c);
        used += character_width(c);
        if (used > width)
            break;
        p = next;
    }
    return (size_t)(p - text);
}

const char *inspect_shorten(roof_arena *arena, const char *text, size_t width)
{
    if (text_width(text) <= width)
        return text;
    if (width < 5)
        return tail(text, width);
    size_t begin = (width - 3) / 3;
    return arena_printf(arena, "%.*s...%s", (int)head_length(text, begin), text,
                        tail(text, width - 3 - begin));
}

/* --- the table ---------------------------------------------------------------------------------------- */

inspect_table *inspect_table_new(roof_arena *arena, const inspect_column *columns, size_t n_columns,
                                 size_t n_rows)
{
    inspect_table *table = NEW(arena, inspect_table);
    if (!table || n_columns > INSPECT_MAX_COLUMNS)
        return NULL;
    *table = (inspect_table){.arena = arena, .columns = columns, .n_columns = n_columns, .n_rows = n_rows};
    table->cells = arena_alloc(arena, n_rows, n_columns * sizeof *table->cells);
    table->parents = NEW_ARRAY(arena, uint32_t, n_rows);
    if (!table->cells || !table->parents)
        return NULL;
    for (size_t i = 0; i < n_rows; i++)
        table->parents[i] = ROOF_NONE;
    return table;
}

void inspect_table_set(inspect_table *table, size_t row, size_t column, const char *text)
{
    table->failed = table->failed || !text;
    table->cells[row * table->n_columns + column] = text;
}

const char *inspect_table_cell(const inspect_table *table, size_t row, size_t column)
{
    const char *text = table->cells[row * table->n_columns + column];
    return text ? text : "";
}

bool inspect_table_is_empty(const inspect_table *t, size_t column)
{
    for (size_t r = 0; r < t->n_rows; r++) {
        const char *text = inspect_table_cell(t, r, column);
        if (*text && strcmp(text, "-") != 0)
            return false;
    }
    return t->columns[column].drop > 0;
}

/* How a table is laid out in a given width. */
typedef struct layout {
    size_t width[INSPECT_MAX_COLUMNS]; /* wanted, then granted */
    bool shown[INSPECT_MAX_COLUMNS];
    uint32_t *depth; /* of rows, for tree columns */
} layout;

static void measure(const inspect_table *t, layout *l)
{
    for (size_t r = 0; r < t->n_rows; r++)
        l->depth[r] = t->parents[r] == ROOF_NONE ? 0 : l->depth[t->parents[r]] + 1;
    for (size_t c = 0; c < t->n_columns; c++) {
        l->shown[c] = !inspect_table_is_empty(t, c);
        l->width[c] = text_width(t->columns[c].header);
        for (size_t r = 0; r < t->n_rows; r++) {
            size_t width = text_width(inspect_table_cell(t, r, c));
            if (t->columns[c].tree)
                width += (size_t)l->depth[r] * TREE_WIDTH;
            l->width[c] = width > l->width[c] ? width : l->width[c];
        }
    }
}

/* Columns taken when every name is as long as it may be (or as short as it can be). */
static size_t total_width(const inspect_table *t, const layout *l, bool shortest)
{
    size_t total = 0;
    for (size_t c = 0; c < t->n_columns; c++) {
        if (!l->shown[c])
            continue;
        bool cut = shortest && t->columns[c].shorten && l->width[c] > SHORTEST;
        total += (total ? SEPARATOR_WIDTH : 0) + (cut ? SHORTEST : l->width[c]);
    }
    return total;
}

static bool drop_column(const inspect_table *t, layout *l)
{
    size_t worst = t->n_columns;
    for (size_t c = 0; c < t->n_columns; c++)
        if (l->shown[c] && t->columns[c].drop &&
            (worst == t->n_columns || t->columns[c].drop > t->columns[worst].drop))
            worst = c;
    if (worst == t->n_columns)
        return false;
    l->shown[worst] = false;
    return true;
}

/* Takes one column at a time from the widest name until the table fits; from those that are short as well, once there are
 * no others. */
static void shorten_columns(const inspect_table *t, layout *l, size_t width)
{
    enum { LEAST = 8 };
    size_t least = total_width(t, l, true) > width ? LEAST : SHORTEST;
    for (size_t total = total_width(t, l, false); total > width; total--) {
        size_t widest = t->n_columns;
        for (size_t c = 0; c < t->n_columns; c++)
            if (l->shown[c] && t->columns[c].shorten && l->width[c] > least &&
                (widest == t->n_columns || l->width[c] > l->width[widest]))
                widest = c;
        if (widest == t->n_columns)
            return;
        l->width[widest]--;
    }
}

/* Of each row, whether no other one of the same parent follows; and how trees are drawn. */
typedef struct branches {
    const bool *is_last;
    bool ascii;
} branches;

/* How a row hangs on its parents. */
static const char *branch(const inspect_table *t, const branches *tree, size_t row)
{
    static const char *const lines[2][4] = {{"|-", "`-", "| ", "  "}, {"├─", "└─", "│ ", "  "}};
    const char *const *line = lines[!tree->ascii];
    const char *text = t->parents[row] == ROOF_NONE ? "" : line[tree->is_last[row]];
    for (uint32_t up = t->parents[row]; text && up != ROOF_NONE && t->parents[up] != ROOF_NONE;
         up = t->parents[up])
        text = arena_printf(t->arena, "%s%s", line[2 + tree->is_last[up]], text);
    return text;
}

static bool *find_last(const inspect_table *t)
{
    bool *is_last = NEW_ARRAY(t->arena, bool, t->n_rows), *seen = NEW_ARRAY(t->arena, bool, t->n_rows);
    if (!is_last || !seen)
        return NULL;
    for (size_t r = t->n_rows; r-- > 0;) {
        uint32_t parent = t->parents[r];
        is_last[r] = parent != ROOF_NONE && !seen[parent];
        if (parent != ROOF_NONE)
            seen[parent] = true;
    }
    return is_last;
}

static const char *cell_in_tree(const inspect_table *t, const branches *tree, size_t row, const char *text)
{
    const char *before = text ? branch(t, tree, row) : NULL;
    return before && *before ? arena_printf(t->arena, "%s%s", before, text) : before ? text : NULL;
}

static void add_row(column_layout *out, const inspect_table *t, const layout *l, const branches *tree,
                    size_t row)
{
    for (size_t c = 0; c < t->n_columns; c++) {
        const char *text = inspect_table_cell(t, row, c);
        if (!l->shown[c])
            continue;
        size_t prefix = t->columns[c].tree ? (size_t)l->depth[row] * TREE_WIDTH : 0;
        if (t->columns[c].shorten)
            text = inspect_shorten(t->arena, text, l->width[c] > prefix ? l->width[c] - prefix : 1);
        columns_add(out, t->columns[c].tree ? cell_in_tree(t, tree, row, text) : text, NULL);
    }
}

roof_status inspect_table_print(const inspect_table *t, size_t width, const roof_render_options *options,
                                textbuf *out, roof_error *err)
{
    layout l = {.depth = NEW_ARRAY(t->arena, uint32_t, t->n_rows)};
    const branches tree = {.is_last = l.depth ? find_last(t) : NULL, .ascii = options->ascii};
    column_layout columns;
    if (!tree.is_last || t->failed)
        return error_memory(err);
    measure(t, &l);
    while (total_width(t, &l, true) > width && drop_column(t, &l))
        continue;
    shorten_columns(t, &l, width);
    columns_begin(&columns, t->arena, separator);
    for (size_t c = 0; c < t->n_columns; c++)
        if (l.shown[c])
            columns_title(&columns, t->columns[c].header, options->colour ? "bold" : NULL, 0,
                          t->columns[c].right);
    for (size_t r = 0; r < t->n_rows; r++)
        add_row(&columns, t, &l, &tree, r);
    columns_put(&columns, out);
    return text_status(out, err);
}
