/* Selection and order of table rows, as a reader requests. */
#include "reports/words/say.h"
#include "reports/renderers/renderer.h"

roof_status table_selection_make(table_selection *selection, const roof_render_options *o, roof_error *err)
{
    static const char *const directions[] = {[GRID_ASCENDING] = ":asc", [GRID_DESCENDING] = ":desc"};
    const char *sort = o->sort ? o->sort : "", *colon = strchr(sort, ':');
    size_t length = colon ? (size_t)(colon - sort) : strlen(sort);
    const uint32_t direction = WORD_AT(directions, N_OF(directions), colon); /* or behind them all */
    *selection = (table_selection){.columns = "", .is_asked = *sort || o->most_rows};
    selection->has_most = o->most_rows != 0;
    selection->order.most = o->most_rows == ROOF_NONE ? 0 : o->most_rows;
    if (direction < N_OF(directions))
        selection->order.direction = (grid_direction)direction;
    if ((colon && direction == N_OF(directions)) || length >= sizeof selection->column ||
        (o->sort && !length))
        return error_set(err, ROOF_E_USAGE,
                         "sort by '%.80s': want the title of a column, and perhaps :asc or :desc behind it",
                         sort);
    memcpy(selection->column, sort, length);
    selection->order.column = length ? selection->column : NULL;
    return ROOF_OK;
}

bool table_is_short(const rendering *r)
{
    return !r->writer.is_markdown && !r->options->details && r->options->most_rows &&
           r->options->most_rows != ROOF_NONE;
}

uint32_t table_rows_at_most(const rendering *r)
{
    return r->selection->order.column ? 0 : (uint32_t)r->selection->order.most;
}

/* A table without the column stays as it is, and shows the rows of the largest times; where their order is
 * what is requested, those that cost most first. */
static void arrange(const rendering *r, cell_grid *grid)
{
    grid_order order = r->selection->order;
    order.largest = grid->largest;
    grid->is_ranked = grid->is_ranked && r->selection->has_most && order.most;
    if (order.column && grid_find_column(grid, order.column) != ROOF_NONE) {
        r->selection->is_found = true;
    } else if (order.column) {
        /* Adds the columns of a table without the one that is requested to those of the message. */
        table_selection *selection = r->selection;
        uint8_t seen[GRID_MOST_COLUMNS];
        size_t n = grid->csv ? grid->n_columns : grid_seen(grid, seen);
        for (size_t i = 0; i < n; i++) {
            const char *title = grid->csv ? grid->columns[i].csv : grid->columns[seen[i]].title;
            if (!title || !*title)
                continue;
            const char *known = say_printf(r->arena, "%s,", selection->columns);
            if (!strstr(known, say_printf(r->arena, ", %s,", title)))
                selection->columns = say_printf(r->arena, "%s, %s", selection->columns, title);
        }
        order.column = NULL;
    }
    if (!grid->left_out)
        grid_arrange(grid, &order);
}

void table_put_arranged(const rendering *r, cell_grid *grid)
{
    const char *part = "";
    arrange(r, grid);
    grid_put(grid, &r->writer);
    if (!grid->left_out)
        return;
    /* The share of the rows that are left out: the sum's less theirs; NaN without such a column or sum. */
    const uint32_t c = grid_find_column(grid, "share");
    double share = NAN;
    for (size_t at = grid->n_rows; grid->n_last && c != ROOF_NONE && at-- > 0;) {
        const grid_cell *cell = &grid->rows[at][c];
        const bool is_sum = at + 1 == grid->n_rows;
        const double of_row = cell->kind == CELL_NUMBER ? cell->number : is_sum ? (double)NAN : 0;
        share = is_sum ? of_row : share - of_row;
    }
    if (!isnan(share))
        part = say_printf(r->arena, ", %s of the time", say_percent(r->arena, fmax(0, share) / 100));
    if (r->writer.is_markdown)
        text_puts(r->writer.out, "\n");
    text_printf(r->writer.out, "and %zu more %s%s%s: --top 0 shows all\n", grid->left_out, grid->what,
                say_plural(grid->left_out), part);
}

void table_keep_csv(const rendering *r, cell_grid *grid)
{
    if (r->selection->is_asked)
        grid->write = NULL;
}

void table_put_csv(const rendering *r, cell_grid *grid, const char *largest)
{
    grid->largest = largest;
    if (!grid->write) { /* rows were kept */
        arrange(r, grid);
        grid_end_csv(grid);
    }
}

bool table_is_off_screen(const rendering *r)
{
    size_t lines = 0;
    for (size_t i = 0; r->options->height && i < r->out->length; i++)
        lines += r->out->bytes[i] == '\n';
    return lines > r->options->height;
}
