/* tests/browser/checks.h - what every page that roofline writes has to be like, whatever is on it.
 *
 * Ownership: a check_result is the caller's; check_result_free empties it.
 *
 * A fault of the page is a line of result->problems; a roof_status says only that the browser failed. A check that finds
 * nothing to look at finds no fault either: callers who know better compare `looked`.
 */
#ifndef ROOF_TESTS_CHECKS_H
#define ROOF_TESTS_CHECKS_H

#include "core/text.h"
#include "tests/browser/page.h"

typedef enum check_id {
    /* Every `figure svg` and `.chart` is visible, more than 50 px wide and high, and has something drawn in it. Of several
     * svg in one figure, which are the same chart for other widths, some may be hidden. */
    CHECK_CHARTS,
    /* The page is no wider than the viewport; every figure, svg and table is inside it, or in a box with overflow-x auto
     * or scroll that is. */
    CHECK_OVERFLOW,
    /* No two texts of an svg overlap by more than 1 px; turned texts are compared as turned boxes. */
    CHECK_OVERLAPS,
    /* No text leaves its svg by more than 1 px. */
    CHECK_LEAVING,
    /* `table.sortable`: a first click on the header of a column (its button, if it has one) sorts the rows ascending, a
     * second one descending: by number where all cells are numbers, else in some alphabetical order. What counts of a cell
     * is its data-value, else its text. Cells that are not known ("", "?", or a dash) come last in both directions. A header
     * with aria-sort="ascending" may sort descending first. The rows stay the same. What belongs below the rows, such as a
     * sum, is in tfoot. */
    CHECK_SORTING,
    /* `input.filter` with data-table="ID", in the section of that table: an input event hides the rows that do not contain
     * the text; the nearest .filter-count has the number of rows that are shown; without a text all are shown. */
    CHECK_FILTERING,
    /* Headings, paragraphs, list items, cells, captions and texts of an svg have a contrast of at least 4.5 to what is
     * behind them, shapes of the svg included, in the light and in the dark scheme. */
    CHECK_CONTRAST,
    /* Opened without script: all rows of tables are visible; filter inputs, and buttons in headers of sortable tables, are
     * hidden, disabled or inert. */
    CHECK_SCRIPTLESS,
    /* No error on the console and no exception since it was opened. */
    CHECK_CONSOLE,
    /* Nothing was fetched but the file itself and data: URLs since it was opened. */
    CHECK_FETCHING,
    CHECK_COUNT
} check_id;

typedef struct check_result {
    textbuf problems;             /* lines "NAME: what is wrong"; bytes is NULL when there are none */
    unsigned looked[CHECK_COUNT]; /* how many charts, texts, columns, inputs, ... a check looked at */
} check_result;

void check_result_init(check_result *result);
void check_result_free(check_result *result);

/* The name with which a check's lines begin: "charts", "overflow", ... */
const char *check_name(check_id id);

/* Asks one thing of an opened page and adds to result. `details` elements are opened. Afterwards the page has the view that
 * it had, but tables may be sorted otherwise. Errors: those of page_eval; E_NO_INPUT when $ROOFLINE_SOURCE_DIR has
 * no tests/browser/checks.js. */
roof_status check_run(page *p, check_id id, check_result *result, roof_error *err);

/* Opens a file in a page of its own and asks everything: what depends on the width at 1280 and at 400 px. */
roof_status check_file(browser *b, const char *path, check_result *result, roof_error *err);

#endif
