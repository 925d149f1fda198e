/* reports/cells.h - the numbers of a prediction as cells of a table for people; shared by the text and
 * Markdown tables.
 *
 * Units: as in the headers. A dash is a zero that says "does not use this"; "?" is a value that is not known.
 */
#ifndef ROOF_REPORTS_CELLS_H
#define ROOF_REPORTS_CELLS_H

#include "core/text.h"
#include "roofline/prediction.h"

enum { TABLE_CELL_SIZE = 160, LAYER_COLUMNS = 19 + ROOF_MAX_ENGINES };

typedef enum column_kind {
    COLUMN_INDEX,
    COLUMN_NAME,
    COLUMN_TYPE,
    COLUMN_SHAPE,
    COLUMN_MACS,
    COLUMN_OPS,
    COLUMN_VENDOR,
    COLUMN_BYTES,
    COLUMN_ENGINE,
    COLUMN_IDEAL,
    COLUMN_PREDICTED,
    COLUMN_SHARE,
    COLUMN_USE,
    COLUMN_INTENSITY,
    COLUMN_BOUND,
    COLUMN_ALONE,
    COLUMN_BAR
} column_kind;

typedef struct table_column {
    column_kind kind;
    const char *title, *unit;
    uint32_t engine;      /* for COLUMN_ENGINE */
    bool right;           /* alignment */
    uint32_t rank;        /* the higher, the sooner it is dropped when the table is too wide; 0 stays */
    uint64_t full_cycles; /* for COLUMN_BAR: what the longest bar stands for */
} table_column;

/* The columns worth showing for this prediction, in order. details adds shape, intensity and per-layer code.
 * columns has LAYER_COLUMNS entries; returns how many are used. */
uint32_t layer_columns_of(const roof_prediction *p, bool details, table_column *columns);

/* The cell of a layer, or of the total row when row is NULL. The name is given whole: whoever prints shortens
 * it. */
void layer_cell(const roof_prediction *p, const roof_layer_prediction *row, const table_column *column,
                char cell[TABLE_CELL_SIZE]);

/* What the names of all layers begin with, up to a separator, so that it need not be repeated; text is borrowed and goes on
 * behind length. length is 0 when it is too little to matter. The host's layers, and rows that are no layer, need not have
 * it. */
typedef struct name_prefixes {
    const char *text;
    size_t length;
} name_prefixes;

/* p may be NULL. */
name_prefixes name_prefix_of(const roof_prediction *p);

/* The name without it, where it has it and goes on behind it. */
const char *name_without(name_prefixes prefix, const char *name);

/* The line below a table that says what was left out of its names; nothing where that is nothing. */
void put_prefix(textbuf *out, name_prefixes prefix);

/* The up to n rows with the largest ideal time, largest first; returns how many. */
uint32_t largest_rows(const roof_prediction *p, uint32_t *rows, uint32_t n);

/* "2 findings: 1 other_target, 1 no_code", or "no findings". */
void findings_summary(const roof_prediction *p, char *text, size_t size);

/* "the instruction stream", "the file", "tensor shapes" for a basis. */
const char *basis_phrase(roof_basis basis);

#endif
