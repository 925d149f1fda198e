#include "core/table/grid.h"
#include "core/utf8.h"

/* Columns that names and notes keep while others go, and when nothing else helps; a level of a tree. */
enum {
    SHORT_NAME = 22,
    SHORT_SPARSE_NAME = 16,
    SHORT_NOTE = 24,
    LEAST_NAME = 8,
    LEAST_NOTE = 10,
    TREE_WIDTH = 2
};
enum { LONGEST_NAME = 56 };

typedef struct layout {
    const cell_grid *t;
    const text_writer *writer;
    const char *between;              /* blanks between two columns */
    uint8_t shown[GRID_MOST_COLUMNS]; /* columns that are left */
    uint32_t n;
    size_t widths[GRID_MOST_COLUMNS]; /* of all columns: wanted, then granted */
    const bool *is_last;              /* of rows in a tree: no other one of the same parent follows */
} layout;

static size_t width_of(const char *text)
{
    return utf8_width(text, strlen(text));
}

/* --- shortening --------------------------------------------------------------------------------------- */

/* Bytes of text that take at most width columns. */
static size_t fitting(const char *text, size_t width)
{
    size_t at = 0, length = strlen(text), used = 0;
    while (at < length) {
        size_t next = utf8_next(text + at, length - at).length;
        used += utf8_width(text + at, next);
        if (used > width)
            break;
        at += next;
    }
    return at;
}

const char *text_shorten(const char *text, size_t width, bool two_thirds, char *buffer, size_t size)
{
    size_t length = strlen(text), rest = utf8_width(text, length), skipped = 0;
    if (rest <= width)
        return text;
    width = width < 5 ? 5 : width;
    size_t begin = two_thirds ? (width - 3) / 3 : (width - 3) * 2 / 5;
    if (rest == length) { /* one column a byte */
        skipped = rest - (width - 3 - begin);
        rest = width - 3 - begin;
    }
    while (rest > width - 3 - begin) {
        size_t next = utf8_next(text + skipped, length - skipped).length;
        rest -= utf8_width(text + skipped, next);
        skipped += next;
    }
    snprintf(buffer, size, "%.*s...%s", (int)fitting(text, begin), text, text + skipped);
    return buffer;
}

/* --- fitting ------------------------------------------------------------------------------------------ */

static const char *unit_of(const cell_grid *t, const grid_column *column)
{
    const char *unit = grid_unit(t, column);
    return unit ? unit : "";
}

static void widen(size_t *width, size_t n)
{
    *width = n > *width ? n : *width;
}

static void measure(layout *l)
{
    const cell_grid *t = l->t;
    char buffer[CELL_SIZE];
    for (size_t r = 0; r < t->n_rows; r++)
        for (uint32_t i = 0; i < l->n; i++) {
            uint32_t c = l->shown[i];
            size_t indent = 0;
            for (uint32_t p = t->parents && c == t->shown[0] ? t->parents[r] : ROOF_NONE; p != ROOF_NONE;
                 p = t->parents[p])
                indent += TREE_WIDTH;
            widen(&l->widths[c], width_of(grid_show(t, &t->rows[r][c], buffer)) + indent);
        }
    for (uint32_t i = 0; i < l->n; i++) {
        const grid_column *column = &t->columns[l->shown[i]];
        size_t most = column->kind == COLUMN_NAME && !t->is_sparse ? LONGEST_NAME : SIZE_MAX;
        size_t *width = &l->widths[l->shown[i]];
        most = column->most ? column->most : most;
        *width = *width < most ? *width : most;
        widen(width, width_of(column->title));
        widen(width, width_of(unit_of(t, column)));
    }
}

/* The least width that a column needs: while others may go, or at last. */
static size_t least(const layout *l, uint32_t c, bool at_last)
{
    const grid_column *column = &l->t->columns[c];
    size_t title = width_of(column->title), most;
    switch (column->kind) {
    case COLUMN_NAME:
        most = at_last ? LEAST_NAME : l->t->is_sparse ? SHORT_SPARSE_NAME : SHORT_NAME;
        break;
    case COLUMN_NOTE:
    case COLUMN_WRAPPED:
        most = at_last ? LEAST_NOTE : SHORT_NOTE;
        break;
    default:
        return l->widths[c];
    }
    most = most > title ? most : title;
    most = most < l->widths[c] ? most : l->widths[c];
    return at_last || most > column->least ? most : column->least;
}

static size_t least_width(const layout *l, bool at_last)
{
    size_t sum = l->n ? (l->n - 1) * strlen(l->between) : 0;
    for (uint32_t i = 0; i < l->n; i++)
        sum += least(l, l->shown[i], at_last);
    return sum;
}

/* The column of the highest rank; without one the last, but for the first two and one that is wrapped. */
static bool drop_one(layout *l, bool by_rank)
{
    bool is_wrapped = l->n && l->t->columns[l->shown[l->n - 1]].kind == COLUMN_WRAPPED;
    uint32_t victim = by_rank || l->n < 3 ? 0 : l->n - 1 - is_wrapped;
    for (uint32_t i = 0; by_rank && i < l->n; i++)
        if (l->t->columns[l->shown[i]].rank > l->t->columns[l->shown[victim]].rank)
            victim = i;
    if (!l->n || (by_rank ? !l->t->columns[l->shown[victim]].rank : victim < 2))
        return false;
    memmove(&l->shown[victim], &l->shown[victim + 1], l->n - victim - 1);
    l->n--;
    return true;
}

/* Takes one column at a time from the widest name or note above its least. */
static void shrink(layout *l, size_t *excess, bool names, bool at_last)
{
    while (*excess) {
        uint32_t widest = ROOF_NONE;
        for (uint32_t i = 0; i < l->n; i++) {
            uint32_t c = l->shown[i];
            if ((l->t->columns[c].kind == COLUMN_NAME) == names && l->widths[c] > least(l, c, at_last) &&
                (widest == ROOF_NONE || l->widths[c] > l->widths[widest]))
                widest = c;
        }
        if (widest == ROOF_NONE)
            return;
        l->widths[widest]--;
        --*excess;
    }
}

/* --- trees -------------------------------------------------------------------------------------------- */

static bool *find_last(const cell_grid *t)
{
    size_t n = t->n_rows;
    bool *is_last = NEW_ARRAY(t->arena, bool, n), *seen = NEW_ARRAY(t->arena, bool, n);
    for (size_t r = n; is_last && seen && r-- > 0;) {
        uint32_t parent = t->parents[r];
        is_last[r] = parent != ROOF_NONE && !seen[parent];
        if (parent != ROOF_NONE)
            seen[parent] = true;
    }
    return seen ? is_last : NULL;
}

/* How a row hangs on its parents. */
static const char *branch(const layout *l, size_t row)
{
    static const char *const lines[2][4] = {{"|-", "`-", "| ", "  "}, {"├─", "└─", "│ ", "  "}};
    const char *const *line = lines[!l->writer->is_ascii];
    const uint32_t *parents = l->t->parents;
    if (!l->is_last || parents[row] == ROOF_NONE)
        return "";
    const char *text = line[l->is_last[row]];
    for (uint32_t up = parents[row]; text && parents[up] != ROOF_NONE; up = parents[up])
        text = arena_printf(l->t->arena, "%s%s", line[2 + l->is_last[up]], text);
    return text ? text : "";
}

/* --- printing ----------------------------------------------------------------------------------------- */

static const char *const sequences[] = {[CELL_PLAIN] = "",        [CELL_BOLD] = "\033[1m",
                                        [CELL_RED] = "\033[31m",  [CELL_YELLOW] = "\033[1;33m",
                                        [CELL_BLUE] = "\033[34m", [CELL_MAGENTA] = "\033[35m",
                                        [CELL_CYAN] = "\033[36m"};

static void put_blanks(textbuf *out, size_t n)
{
    static const char blanks[] = "                                ";
    for (size_t piece; n; n -= piece) {
        piece = n < sizeof blanks - 1 ? n : sizeof blanks - 1;
        text_add(out, blanks, piece);
    }
}

typedef struct line {
    const layout *l;
    uint32_t i;   /* of the columns that are shown, the next one */
    size_t start; /* where it stands */
    size_t owed;  /* blanks before it, which are not written when nothing follows them */
} line;

/* How much of a text is shown in a width, and what stands behind it. */
typedef struct piece {
    const char *text, *dots;
    size_t length, width;
} piece;

enum { SHORTENED_SIZE = 4096 };

static piece cut(const layout *l, const grid_column *column, const char *text, size_t width,
                 char buffer[SHORTENED_SIZE])
{
    piece p = {.text = text, .dots = "", .width = width_of(text)};
    bool is_note = column->kind == COLUMN_NOTE;
    if (p.width > width && (is_note || column->kind == COLUMN_NAME || column->most)) {
        p.text = is_note ? text : text_shorten(text, width, l->t->is_sparse, buffer, SHORTENED_SIZE);
        p.dots = is_note ? "..." : "";
    }
    p.length = *p.dots ? fitting(text, width - 3) : strlen(p.text);
    p.width = utf8_width(p.text, p.length) + strlen(p.dots);
    return p;
}

/* before: the branch that the text hangs on. */
static void put_cell(line *at, const char *before, const char *text, cell_colour colour)
{
    char buffer[SHORTENED_SIZE];
    textbuf *out = at->l->writer->out;
    const grid_column *column = &at->l->t->columns[at->l->shown[at->i]];
    const char *sequence = sequences[at->l->writer->has_colour ? colour : CELL_PLAIN];
    size_t width = at->l->widths[at->l->shown[at->i]], indent = width_of(before);
    bool is_right = grid_is_number(column);
    piece p = cut(at->l, column, text, width > indent ? width - indent : 1, buffer);
    size_t rest = width > indent + p.width ? width - indent - p.width : 0;
    size_t behind = is_right || at->i + 1 == at->l->n ? 0 : rest;
    if (!*sequence && !p.width && !indent) {
        at->owed += rest;
    } else {
        put_blanks(out, at->owed);
        text_puts(out, sequence);
        put_blanks(out, is_right ? rest : 0);
        text_puts(out, before);
        if (column->kind == COLUMN_WRAPPED)
            writer_wrap(out, text, width, at->start);
        else
            text_add(out, p.text, p.length);
        text_puts(out, p.dots);
        put_blanks(out, *sequence ? behind : 0);
        text_puts(out, *sequence ? "\033[0m" : "");
        at->owed = *sequence ? 0 : behind;
    }
    at->i++;
    at->owed += strlen(at->l->between);
    at->start += width + strlen(at->l->between);
}

static void put_text(const cell_grid *t, const text_writer *writer)
{
    layout l = {.t = t,
                .writer = writer,
                .between = t->is_sparse ? "  " : " ",
                .is_last = t->parents ? find_last(t) : NULL};
    l.n = (uint32_t)grid_seen(t, l.shown);
    measure(&l);
    size_t width = l.writer->width, total = 0;
    while (least_width(&l, false) > width && drop_one(&l, true))
        continue;
    while (least_width(&l, true) > width && drop_one(&l, false))
        continue;
    for (uint32_t i = 0; i < l.n; i++)
        total += l.widths[l.shown[i]] + (i ? strlen(l.between) : 0);
    size_t excess = total > width ? total - width : 0;
    for (int at_last = 0; at_last < 2; at_last++)
        for (int names = 0; names < 2; names++)
            shrink(&l, &excess, names, at_last);
    line titles = {.l = &l}, units = {.l = &l};
    bool any = false;
    while (titles.i < l.n)
        put_cell(&titles, "", l.t->columns[l.shown[titles.i]].title, l.t->is_sparse ? CELL_BOLD : CELL_PLAIN);
    text_puts(l.writer->out, "\n");
    for (size_t i = 0; i < l.n; i++)
        any = any || *unit_of(l.t, &l.t->columns[l.shown[i]]);
    while (any && units.i < l.n)
        put_cell(&units, "", unit_of(l.t, &l.t->columns[l.shown[units.i]]), CELL_PLAIN);
    text_puts(l.writer->out, any ? "\n" : "");
    for (size_t r = 0; r < t->n_rows; r++) {
        char buffer[CELL_SIZE];
        line at = {.l = &l};
        while (at.i < l.n) {
            uint32_t c = l.shown[at.i];
            const grid_cell *cell = &l.t->rows[r][c];
            put_cell(&at, c == l.t->shown[0] ? branch(&l, r) : "", grid_show(l.t, cell, buffer),
                     cell->colour);
        }
        text_puts(l.writer->out, "\n");
    }
    writer->out->failed = writer->out->failed || arena_status(t->arena, NULL) != ROOF_OK;
}

static void put_markdown(const cell_grid *t, textbuf *out)
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

void grid_put(const cell_grid *t, const text_writer *writer)
{
    writer->out->failed = writer->out->failed || grid_failed(t);
    if (writer->out->failed)
        return;
    if (writer->is_markdown)
        put_markdown(t, writer->out);
    else
        put_text(t, writer);
}
