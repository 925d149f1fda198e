/* reports/cells.h - the numbers of a prediction as cells of a table for people; shared by the text and
 * Markdown tables.
 *
 * Units: as in the headers. A dash is a zero that says "does not use this"; "?" is a value that is not known.
 */
#ifndef ROOF_REPORTS_CELLS_H
#define ROOF_REPORTS_CELLS_H

#include "core/text.h"
#include "roofline/prediction.h"

enum { ROOF_CELL_SIZE = 160, ROOF_MAX_COLUMNS = 19 + ROOF_MAX_ENGINES };

typedef enum roof_column_kind {
    ROOF_COLUMN_INDEX,
    ROOF_COLUMN_NAME,
    ROOF_COLUMN_TYPE,
    ROOF_COLUMN_SHAPE,
    ROOF_COLUMN_MACS,
    ROOF_COLUMN_OPS,
    ROOF_COLUMN_VENDOR,
    ROOF_COLUMN_BYTES,
    ROOF_COLUMN_ENGINE,
    ROOF_COLUMN_IDEAL,
    ROOF_COLUMN_PREDICTED,
    ROOF_COLUMN_SHARE,
    ROOF_COLUMN_USE,
    ROOF_COLUMN_INTENSITY,
    ROOF_COLUMN_BOUND,
    ROOF_COLUMN_ALONE,
    ROOF_COLUMN_BAR
} roof_column_kind;

typedef struct roof_column {
    roof_column_kind kind;
    const char *title, *unit;
    uint32_t engine;      /* for ROOF_COLUMN_ENGINE */
    bool right;           /* alignment */
    uint32_t rank;        /* the higher, the sooner it is dropped when the table is too wide; 0 stays */
    uint64_t full_cycles; /* for ROOF_COLUMN_BAR: what the longest bar stands for */
} roof_column;

/* The columns worth showing for this prediction, in order. details adds shape, intensity and per-layer code.
 * columns has ROOF_MAX_COLUMNS entries; returns how many are used. */
uint32_t roof_columns_of(const roof_prediction *p, bool details, roof_column *columns);

/* The cell of a layer, or of the total row when row is NULL. The name is given whole: whoever prints shortens
 * it. */
void roof_cell(const roof_prediction *p, const roof_layer_prediction *row, const roof_column *column,
               char cell[ROOF_CELL_SIZE]);

/* What the names of all layers begin with, up to a separator, so that it need not be repeated; text is borrowed and goes on
 * behind length. length is 0 when it is too little to matter. The host's layers, and rows that are no layer, need not have
 * it. */
typedef struct roof_name_prefix {
    const char *text;
    size_t length;
} roof_name_prefix;

/* p may be NULL. */
roof_name_prefix roof_name_prefix_of(const roof_prediction *p);

/* The name without it, where it has it and goes on behind it. */
const char *roof_name_without(roof_name_prefix prefix, const char *name);

/* The line below a table that says what was left out of its names; nothing where that is nothing. */
void roof_put_prefix(roof_text *out, roof_name_prefix prefix);

/* The up to n rows with the largest ideal time, largest first; returns how many. */
uint32_t roof_largest_rows(const roof_prediction *p, uint32_t *rows, uint32_t n);

/* "2 findings: 1 other_target, 1 no_code", or "no findings". */
void roof_findings_summary(const roof_prediction *p, char *text, size_t size);

/* "the instruction stream", "the file", "tensor shapes" for a basis. */
const char *roof_basis_phrase(roof_basis basis);

#endif
