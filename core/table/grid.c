#include "core/table/grid.h"

/* --- cells -------------------------------------------------------------------------------------------- */

grid_cell cell_count(uint64_t count)
{
    return (grid_cell){.kind = count == ROOF_UNKNOWN ? CELL_UNKNOWN : CELL_COUNT, .count = count};
}

grid_cell cell_number(double number, int digits)
{
    return (grid_cell){
        .kind = isfinite(number) ? CELL_NUMBER : CELL_UNKNOWN, .number = number, .digits = (uint8_t)digits};
}

grid_cell cell_signed(double number, int digits)
{
    grid_cell cell = cell_number(number, digits);
    cell.has_sign = true;
    return cell;
}

grid_cell cell_spaced(double number, int digits)
{
    grid_cell cell = cell_number(number, digits);
    cell.is_spaced = true;
    return cell;
}

grid_cell cell_or_none(grid_cell cell)
{
    bool is_zero = cell.kind == CELL_COUNT ? !cell.count
                                           : cell.kind == CELL_NUMBER && fpclassify(cell.number) == FP_ZERO;
    cell.kind = is_zero ? CELL_NONE : cell.kind;
    return cell;
}

grid_cell cell_worded(const char *text, double number, int digits)
{
    grid_cell cell = cell_number(number, digits);
    cell.kind =
        isnan(number) ? CELL_UNKNOWN : CELL_NUMBER; /* the infinite has a word, and its place in an order */
    cell.text = text;
    return cell;
}

const char *grid_show(const cell_grid *t, const grid_cell *cell, char buffer[CELL_SIZE])
{
    const char *dash = t->is_sparse ? "-" : "?";
    switch (cell->kind) {
    case CELL_EMPTY:
        return "";
    case CELL_UNKNOWN:
        return dash;
    case CELL_NONE:
        return "-";
    case CELL_TEXT:
        return *cell->text || !t->is_sparse ? cell->text : dash;
    case CELL_COUNT:
        count_format(buffer, CELL_SIZE, cell->count);
        return buffer;
    case CELL_NUMBER:
    case CELL_VALUE:
        break;
    }
    if (cell->text)
        return cell->text;
    char *const number = buffer + cell->is_about;
    const size_t room = CELL_SIZE - (size_t)cell->is_about;
    *buffer = '~';
    if (cell->is_spaced)
        number_format_spaced(number, room, cell->number, cell->digits);
    else
        number_format_fixed(number, room, cell->number, cell->digits, cell->has_sign);
    return buffer;
}

/* --- the table ---------------------------------------------------------------------------------------- */

void grid_begin(cell_grid *t, roof_arena *arena, const grid_column *columns, size_t n_columns)
{
    bool fits = columns && n_columns <= GRID_MOST_COLUMNS;
    *t = (cell_grid){.arena = arena, .columns = columns, .n_columns = fits ? n_columns : 0, .failed = !fits};
    t->times = (grid_times){1e3, "[ms]", 3};
    for (size_t c = 0; columns && c < t->n_columns; c++) {
        if (!columns[c].title)
            continue;
        size_t i = t->n_shown++;
        for (; i > 0 && columns[t->shown[i - 1]].place > columns[c].place; i--)
            t->shown[i] = t->shown[i - 1];
        t->shown[i] = (uint8_t)c;
    }
}

void grid_hide(cell_grid *t, const char *name)
{
    size_t n = 0;
    for (size_t i = 0; i < t->n_shown; i++)
        if (!text_same(t->columns[t->shown[i]].csv, name))
            t->shown[n++] = t->shown[i];
    t->n_shown = n;
}

void grid_retitle(cell_grid *t, const char *name, const char *title, const char *unit)
{
    grid_column *own = NEW_ARRAY(t->arena, grid_column, t->n_columns);
    for (size_t c = 0; own && c < t->n_columns; c++) {
        own[c] = t->columns[c];
        if (text_same(own[c].csv, name)) {
            own[c].title = title;
            own[c].unit = unit;
        }
    }
    t->columns = own ? own : t->columns;
}

bool grid_is_number(const grid_column *column)
{
    return column->kind >= COLUMN_NUMBER;
}

const char *grid_unit(const cell_grid *t, const grid_column *column)
{
    return column->kind == COLUMN_TIME ? t->times.unit : column->unit;
}

/* As people see it: in the unit and with the digits of its column. */
static grid_cell show_value(const cell_grid *t, const grid_column *column, grid_cell cell)
{
    bool is_time = column->kind == COLUMN_TIME;
    double times = is_time ? t->times.factor : column->times;
    double value = cell.kind == CELL_COUNT ? (double)cell.count : cell.number;
    value = times > 0 ? value * times : column->over > 0 ? value / column->over : value;
    bool is_small = column->format == FORMAT_SMALL && fabs(value) < 0.05;
    grid_cell shown = cell_number(value, is_time ? t->times.digits : is_small ? 3 : column->digits);
    shown.has_sign = column->format == FORMAT_SIGNED;
    shown.is_spaced = column->format >= FORMAT_SPACED;
    shown.colour = cell.colour;
    shown.is_about = cell.is_about;
    return column->format >= FORMAT_DASH ? cell_or_none(shown) : shown;
}

static bool is_document(const cell_grid *t)
{
    return t->csv || t->json;
}

static void fail(cell_grid *t)
{
    t->failed = true;
    if (is_document(t))
        (t->csv ? t->csv : t->json->out)->failed = true;
}

static void keep(cell_grid *t, grid_cell cell)
{
    if (!t->n_cells)
        t->row = NEW_ARRAY(t->arena, grid_cell, t->n_columns);
    if (cell.text)
        cell.text = t->csv ? arena_strdup(t->arena, cell.text) : arena_shown(t->arena, cell.text);
    if (!t->row || (cell.kind == CELL_TEXT && !cell.text)) {
        fail(t);
        return;
    }
    t->row[t->n_cells++] = cell;
    if (t->n_cells < t->n_columns)
        return;
    t->n_cells = 0;
    (void)ARENA_ADD(t->arena, t->rows, t->n_rows, NULL, t->row);
}

void grid_add(cell_grid *t, const grid_cell *cells, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        grid_cell cell = cells[i];
        if (!t->n_columns || (cell.kind == CELL_TEXT && !cell.text)) {
            fail(t);
            continue;
        }
        const grid_column *column = &t->columns[t->n_cells];
        bool is_scaled = column->times > 0 || column->over > 0;
        if (!is_document(t) && (cell.kind == CELL_VALUE || (cell.kind == CELL_COUNT && is_scaled)))
            cell = show_value(t, column, cell);
        else if (cell.kind == CELL_VALUE)
            cell = (grid_cell){.kind = isfinite(cell.number) ? CELL_NUMBER : CELL_UNKNOWN,
                               .number = cell.number,
                               .is_derived = true};
        if (t->write)
            t->write(t, column, &cell);
        else
            keep(t, cell);
    }
}

const void *grid_place_of(const grid_column *column, const grid_row *row)
{
    const char *base = row->is;
    if (column->via)
        base = *(const char *const *)(base + column->via - 1);
    return base ? base + column->at : NULL;
}

grid_cell grid_cell_of(const grid_column *column, const grid_row *row)
{
    const void *at = grid_place_of(column, row);
    double low, high;
    if (!at)
        return cell_empty;
    switch (column->from) {
    case FROM_VALUE:
        return cell_value(*(const double *)at);
    case FROM_NUMBER:
        return cell_number(*(const double *)at, 0);
    case FROM_COUNT:
        return cell_count(*(const uint64_t *)at);
    case FROM_SMALL:
        return cell_count(*(const uint32_t *)at == ROOF_NONE ? ROOF_UNKNOWN : *(const uint32_t *)at);
    case FROM_SIZE:
        return cell_count(*(const uint32_t *)at ? *(const uint32_t *)at : ROOF_UNKNOWN);
    case FROM_FLAG:
        return cell_count(*(const bool *)at);
    case FROM_TEXT:
        return cell_text(*(const char *const *)at ? *(const char *const *)at : "");
    case FROM_CALL:
        return column->cell(row);
    case FROM_MADE:
        return *(const grid_cell *)at;
    case FROM_ANSWER_KIND:
        return cell_text(roof_answer_kind_text(((const roof_answer *)at)->kind));
    case FROM_ANSWER_LOW:
    case FROM_ANSWER_HIGH:
        roof_answer_stated_ends(at, &low, &high);
        return cell_value(column->from == FROM_ANSWER_LOW ? low : high);
    case FROM_ANSWER_LEFT_OUT:
        return cell_count(((const roof_answer *)at)->covers.left_out);
    case FROM_CELL:
    case FROM_JSON:
    case FROM_LIST:
    case FROM_OBJECT:
    case FROM_PAIR:
    case FROM_ANSWER:
        break;
    }
    return cell_empty;
}

void grid_add_row(cell_grid *t, const void *row, const void *document)
{
    const grid_row of = {.is = row, .of = document, .arena = t->arena, .is_document = is_document(t)};
    t->json_row = of;
    for (size_t c = 0; c < t->n_columns; c++) {
        const grid_column *column = &t->columns[c];
        const char *name = t->json ? column->json : t->csv ? column->csv : column->title;
        const grid_cell cell = name ? grid_cell_of(column, &of) : cell_empty;
        grid_add(t, &cell, 1);
    }
}

bool grid_ends_document_row(cell_grid *t)
{
    while (is_document(t) && t->n_cells && !t->failed)
        grid_add(t, &cell_empty, 1);
    return is_document(t);
}

void grid_hang(cell_grid *t, uint32_t parent)
{
    if (is_document(t) || grid_failed(t)) /* perhaps there is no such row */
        return;
    size_t row = t->n_rows - 1;
    (void)ARENA_ADD(t->arena, t->parents, row, NULL, parent);
}

bool grid_failed(const cell_grid *t)
{
    return t->failed || arena_status(t->arena, NULL) != ROOF_OK;
}

/* A column that may be dropped and holds only unknown values. One of rank 0 stays though nothing is in it;
 * where all is unknown, only the first one does. */
static bool hides(const cell_grid *t, size_t column)
{
    bool is_hidden = !t->is_whole && (t->n_rows || t->is_sparse), asks = t->columns[column].rank > 0;
    for (size_t r = 0; r < t->n_rows && is_hidden; r++) {
        const grid_cell *cell = &t->rows[r][column];
        is_hidden = cell->kind == CELL_EMPTY || cell->kind == CELL_UNKNOWN ||
                    (cell->kind == CELL_NONE && t->is_sparse) || (cell->kind == CELL_TEXT && !*cell->text);
        asks = asks || (column != t->shown[0] && cell->kind == CELL_UNKNOWN);
    }
    return is_hidden && asks;
}

size_t grid_seen(const cell_grid *t, uint8_t seen[GRID_MOST_COLUMNS])
{
    size_t n = 0;
    for (size_t i = 0; i < t->n_shown; i++)
        if (!hides(t, t->shown[i]))
            seen[n++] = t->shown[i];
    return n;
}

/* --- which rows, in which order ------------------------------------------------------------------------ */

static char plain(char c)
{
    return c == ' ' || c == '-' ? '_' : c;
}

/* "Sum of layers" begins with "sum_of". */
static bool begins_with(const char *text, const char *name)
{
    for (; *name; text++, name++)
        if (text_compare((const char[]){plain(*text), '\0'}, (const char[]){plain(*name), '\0'}) != 0)
            return false;
    return true;
}

uint32_t grid_find_column(const cell_grid *t, const char *name)
{
    size_t n = strlen(name);
    bool is_csv = t->csv;
    for (size_t i = 0; n && !is_csv && i < t->n_shown; i++) {
        const char *title = t->columns[t->shown[i]].title;
        if (begins_with(title, name) && !title[n])
            return t->shown[i];
    }
    for (int without_unit = 0; n && without_unit <= is_csv; without_unit++)
        for (uint32_t c = 0; c < t->n_columns; c++) {
            const char *csv = t->columns[c].csv;
            if (csv && begins_with(csv, name) && (!csv[n] || (without_unit && csv[n] == '_')))
                return c;
        }
    return ROOF_NONE;
}

/* A row, and what it is sorted by. */
typedef struct ranked_row {
    grid_cell *cells;
    const char *text; /* of what is no number; else NULL */
    double value;     /* NaN: unknown */
    uint32_t place;
    bool is_reversed;
} ranked_row;

/* Unknown values come last, whatever the order is. */
static int by_value(const void *a_, const void *b_)
{
    const ranked_row *a = a_, *b = b_;
    bool a_known = a->text || !isnan(a->value), b_known = b->text || !isnan(b->value);
    int order = b_known - a_known;
    if (!order && a->text && b->text)
        order = text_compare(a->text, b->text);
    else if (!order && a_known)
        order = a->text ? 1 : b->text ? -1 : (a->value < b->value) - (a->value > b->value);
    if (a_known && b_known && a->is_reversed)
        order = -order;
    return order ? order : (a->place > b->place) - (a->place < b->place);
}

static ranked_row rank(const cell_grid *t, const grid_order *order, size_t row, uint32_t column)
{
    const grid_cell *cell = &t->rows[row][column];
    bool is_text = cell->kind == CELL_TEXT && *cell->text && !grid_is_number(&t->columns[column]);
    return (ranked_row){.cells = t->rows[row],
                        .text = is_text ? cell->text : NULL,
                        .value = cell->kind == CELL_NUMBER  ? cell->number
                                 : cell->kind == CELL_COUNT ? (double)cell->count
                                 : cell->kind == CELL_NONE  ? 0
                                                            : (double)NAN,
                        .place = (uint32_t)row,
                        .is_reversed = order->direction == (is_text ? GRID_DESCENDING : GRID_ASCENDING)};
}

void grid_arrange(cell_grid *t, const grid_order *order)
{
    const char *name = order->column ? order->column : order->most ? order->largest : NULL;
    uint32_t column = name ? grid_find_column(t, name) : ROOF_NONE;
    size_t n = t->n_rows > t->n_last ? t->n_rows - t->n_last : 0;
    size_t most = order->most && order->most < n ? order->most : n;
    const bool is_by_column = order->column || t->is_ranked;
    bool stays = column == ROOF_NONE || (!is_by_column && most == n);
    ranked_row *rows = stays ? NULL : NEW_ARRAY(t->arena, ranked_row, n);
    if (!rows)
        return;
    for (size_t r = 0; r < n; r++)
        rows[r] = rank(t, order, r, column);
    qsort(rows, n, sizeof *rows, by_value);
    if (!is_by_column)
        order_sort(rows, most, sizeof *rows, ORDER_BY(RISING(ranked_row, place)));
    for (size_t r = 0; r < most; r++)
        t->rows[r] = rows[r].cells;
    for (size_t r = n; r < t->n_rows; r++)
        t->rows[r - n + most] = t->rows[r];
    t->n_rows -= n - most;
    t->left_out += n - most;
}

typedef struct ranked_value {
    double value;
    uint32_t item;
} ranked_value;

const bool *grid_choose(cell_grid *t, const double *values, size_t stride, uint32_t n, uint32_t most)
{
    if (!most || n <= most || !values)
        return NULL;
    ranked_value *items = NEW_ARRAY(t->arena, ranked_value, n);
    bool *chosen = NEW_ARRAY(t->arena, bool, n);
    if (!items || !chosen)
        return NULL;
    for (uint32_t i = 0; i < n; i++)
        items[i] = (ranked_value){*(const double *)((const char *)values + i * stride), i};
    order_sort(items, n, sizeof *items, ORDER_BY(FALLING(ranked_value, value)));
    for (uint32_t i = 0; i < most; i++)
        chosen[items[i].item] = true;
    t->left_out = n - most;
    return chosen;
}
