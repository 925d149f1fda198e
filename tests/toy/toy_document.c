/* Shelves and what they hold: a document by one description, as text, Markdown, CSV and JSON. */
#include "reports/renderers/document.h"
#include "reports/words/say.h"
#include "tests/toy/toy_document.h"

static grid_cell full_of(const grid_row *row)
{
    const toy_shelf *s = row->is;
    return cell_value(s->n_books / s->room);
}

static const grid_column shelves[] = {
    GRID_OF(toy_shelf, name, TEXT, .title = "shelf", .kind = COLUMN_NAME),
    GRID_AS("books", toy_shelf, n_books, VALUE, .title = "books", .kind = COLUMN_NUMBER),
    GRID_BY("full_ratio", full_of, .title = "full", .unit = "[%]", .kind = COLUMN_NUMBER, .times = 100),
};

static const grid_column members[] = {GRID_OF(toy_library, town, TEXT, .title = NULL)};

static void add_shelves(cell_grid *grid, const void *document)
{
    const toy_library *all = document;
    for (size_t i = 0; i < all->n; i++)
        grid_add_row(grid, &all->shelves[i], all);
}

static const char *say_town(const void *document, uint32_t i, roof_arena *arena)
{
    const toy_library *all = document;
    return i ? NULL : say_printf(arena, "%s has %zu shelves.", all->town, all->n);
}

static void add_lines(const void *document, remarks *lines)
{
    (void)document;
    remarks_add(lines, "open", "on every day");
}

const document_view toy_view = {.schema = "toy.library/1",
                                DOCUMENT_MEMBERS(members),
                                DOCUMENT_ROWS("shelves", shelves),
                                .add_rows = add_shelves,
                                .what = "shelf",
                                .largest_csv = "books",
                                .sentence = say_town,
                                .remarks = add_lines};
