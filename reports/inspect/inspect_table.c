#include "reports/inspect/inspect_table.h"
#include "core/error.h"
#include "reports/scols.h"

#include <stdlib.h>
#include <string.h>
#include <wchar.h>

/* Between two columns, and what a level of a tree costs. */
static const char separator[] = "  ";
enum { SEPARATOR_WIDTH = sizeof separator - 1, TREE_WIDTH = 2, SHORTEST = 16 };

/* --- width of texts ----------------------------------------------------------------------------------- */

/* The next character of valid UTF-8 (names were checked when they were read); a stray byte counts as one. */
static const char *next_character(const char *text, wchar_t *out)
{
    const unsigned char *p = (const unsigned char *)text;
    unsigned n = p[0] >= 0xf0 ? 3 : p[0] >= 0xe0 ? 2 : p[0] >= 0xc0 ? 1 : 0;
    uint32_t value = n ? p[0] & (0x3fu >> n) : p[0];
    for (unsigned i = 1; i <= n; i++) {
        if ((p[i] & 0xc0) != 0x80) {
            *out = '?';
            return text + 1;
        }
        value = value << 6 | (p[i] & 0x3fu);
    }
    *out = (wchar_t)value;
    return text + n + 1;
}

static size_t character_width(wchar_t c)
{
    int width = wcwidth(c); /* -1 for what the locale does not know */
    return width < 0 ? 1 : (size_t)width;
}

size_t inspect_width(const char *text)
{
    size_t width = 0;
    while (*text) {
        wchar_t c;
        text = next_character(text, &c);
        width += character_width(c);
    }
    return width;
}

/* The end of text that takes at most width columns. */
static const char *tail(const char *text, size_t width)
{
    size_t all = inspect_width(text);
    while (all > width) {
        wchar_t c;
        text = next_character(text, &c);
        all -= character_width(c);
    }
    return text;
}

static size_t head_length(const char *text, size_t width)
{
    const char *p = text;
    for (size_t used = 0; *p;) {
        wchar_t c;
        const char *next = next_character(p, &c);
        used += character_width(c);
        if (used > width)
            break;
        p = next;
    }
    return (size_t)(p - text);
}

const char *inspect_shorten(roof_arena *arena, const char *text, size_t width)
{
    if (inspect_width(text) <= width)
        return text;
    if (width < 5)
        return tail(text, width);
    size_t begin = (width - 3) / 3;
    return roof_arena_printf(arena, "%.*s...%s", (int)head_length(text, begin), text,
                             tail(text, width - 3 - begin));
}

/* --- the table ---------------------------------------------------------------------------------------- */

inspect_table *inspect_table_new(roof_arena *arena, const inspect_column *columns, size_t n_columns,
                                 size_t n_rows)
{
    inspect_table *table = ROOF_NEW(arena, inspect_table);
    if (!table || n_columns > INSPECT_MAX_COLUMNS)
        return NULL;
    *table = (inspect_table){.arena = arena, .columns = columns, .n_columns = n_columns, .n_rows = n_rows};
    table->cells = roof_arena_alloc(arena, n_rows, n_columns * sizeof *table->cells);
    table->parents = ROOF_NEW_ARRAY(arena, uint32_t, n_rows);
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
        l->width[c] = inspect_width(t->columns[c].header);
        for (size_t r = 0; r < t->n_rows; r++) {
            size_t width = inspect_width(inspect_table_cell(t, r, c));
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

static bool add_columns(struct libscols_table *scols, const inspect_table *t, const layout *l, bool bold)
{
    for (size_t c = 0; c < t->n_columns; c++) {
        int flags = (t->columns[c].right ? SCOLS_FL_RIGHT : 0) | (t->columns[c].tree ? SCOLS_FL_TREE : 0);
        if (!l->shown[c])
            continue;
        struct libscols_column *column = scols_table_new_column(scols, t->columns[c].header, 0, flags);
        if (!column || (bold && scols_cell_set_color(scols_column_get_header(column), "\033[1m") != 0))
            return false;
    }
    return true;
}

static bool add_row(struct libscols_table *scols, const inspect_table *t, const layout *l, size_t row,
                    struct libscols_line **lines)
{
    struct libscols_line *parent = t->parents[row] == ROOF_NONE ? NULL : lines[t->parents[row]];
    size_t shown = 0;
    lines[row] = scols_table_new_line(scols, parent);
    for (size_t c = 0; lines[row] && c < t->n_columns; c++) {
        const char *text = inspect_table_cell(t, row, c);
        if (!l->shown[c])
            continue;
        size_t prefix = t->columns[c].tree ? (size_t)l->depth[row] * TREE_WIDTH : 0;
        if (t->columns[c].shorten)
            text = inspect_shorten(t->arena, text, l->width[c] > prefix ? l->width[c] - prefix : 1);
        if (!text || scols_line_set_data(lines[row], shown++, text) != 0)
            return false;
    }
    return lines[row] != NULL;
}

static bool print_rows(struct libscols_table *scols, const inspect_table *t, const layout *l, bool bold,
                       roof_text *out)
{
    struct libscols_line **lines = ROOF_NEW_ARRAY(t->arena, struct libscols_line *, t->n_rows);
    char *printed = NULL;
    bool good = lines && add_columns(scols, t, l, bold);
    for (size_t r = 0; good && r < t->n_rows; r++)
        good = add_row(scols, t, l, r, lines);
    if (good && roof_scols_print(scols, &printed)) {
        size_t length = strlen(printed);
        roof_text_add(out, printed, length);
        if (length && printed[length - 1] != '\n')
            roof_text_puts(out, "\n");
    } else {
        good = false;
    }
    free(printed);
    return good;
}

roof_status inspect_table_print(const inspect_table *t, size_t width, bool bold, roof_text *out,
                                roof_error *err)
{
    layout l = {.depth = ROOF_NEW_ARRAY(t->arena, uint32_t, t->n_rows)};
    struct libscols_table *scols = scols_new_table();
    bool good = scols && l.depth && !t->failed;
    if (good) {
        measure(t, &l);
        while (total_width(t, &l, true) > width && drop_column(t, &l))
            continue;
        shorten_columns(t, &l, width);
        /* The width was settled above; a terminal that smartcols finds by itself must not change the
         * output. Texts are safe already, and its own encoding would double every backslash. */
        scols_table_enable_noencoding(scols, 1);
        scols_table_enable_colors(scols, bold);
        scols_table_set_column_separator(scols, separator);
        good = print_rows(scols, t, &l, bold, out);
    }
    scols_unref_table(scols);
    return good ? ROOF_OK : roof_fail_memory(err);
}
