/* reports/renderers/renderer.h - what a renderer is: one output format for the documents that it can show.
 * Renderers know no other renderer. */
#pragma once

#include "core/table/grid.h"
#include "core/table/writer.h"
#include "roofline/render.h"

/* The rows and the order that a reader asks of tables. */
typedef struct table_selection {
    grid_order order;    /* most: of every table; 0: all */
    char column[64];     /* order.column */
    bool is_asked;       /* for anything at all */
    bool has_most;       /* for a number of rows; without it a document may set one */
    bool is_found;       /* some table has the column */
    const char *columns; /* of tables that do not: ", layer, ideal" */
} table_selection;

/* A document and what it is written on. A failed allocation is remembered by the text or by the arena. */
typedef struct rendering {
    union { /* the document, as its kind says */
        const void *document;
        const roof_prediction *prediction;
        const roof_graph *graph;
        const roof_reconciliation *reconciliation;
        const roof_comparison *comparison;
        const roof_checks *checks;
        const roof_predictions *predictions;
        const roof_model_diff *diff;
        const roof_realtime *realtime;
        const roof_configurations *configurations;
        const roof_curve *curve;
        const roof_history_trends *trends;
        const roof_advice *advice;
    };
    const roof_render_options *options;
    textbuf *out;
    text_writer writer; /* with that text, for people */
    roof_arena *arena;  /* of what is needed on the way */
    table_selection *selection;
} rendering;

/* Reads the reader's options. Errors: E_USAGE. */
roof_status table_selection_make(table_selection *selection, const roof_render_options *options,
                                 roof_error *err);

/* True if a reader requests so few rows that a screen holds them: text has them, the first answer and what
 * belongs to it; --details has the rest. */
bool table_is_short(const rendering *r);

/* Rows at most that a view has to give; 0: all, since they are sorted, or all are shown. */
uint32_t table_rows_at_most(const rendering *r);

/* Sorts and cuts a table whose rows may be chosen, and prints it. Below it stands how many rows are not
 * shown, and their share of the time where a column and a sum tell it. */
void table_put_arranged(const rendering *r, cell_grid *grid);

/* The same of a table of CSV: to be called when it has begun, and behind its last row. */
void table_keep_csv(const rendering *r, cell_grid *grid);
void table_put_csv(const rendering *r, cell_grid *grid, const char *largest);

/* True if the text is longer than the reader's terminal, so that its beginning is out of sight. */
bool table_is_off_screen(const rendering *r);

/* Writes the whole document. */
typedef void renderer_put(const rendering *r);

/* The formats that every document has; another one names those that it can show. */
typedef enum format_kind { FORMAT_OWN, FORMAT_PEOPLE, FORMAT_JSON, FORMAT_CSV, FORMAT_KINDS } format_kind;

typedef struct renderer_def {
    const char *id;
    format_kind kind;
    bool is_markdown;
    struct {
        renderer_put *put;
        roof_document document;
    } own[3];                      /* of FORMAT_OWN: what it can show */
    bool has_tables, has_lines;    /* whose rows can be sorted and chosen; lines for people */
    bool shows_operators;          /* of the model's file, which the prediction has to name */
    bool has_metrics, needs_graph; /* options.metric, options.graph */
} renderer_def;

/* Each document for people (text and Markdown), as JSON and as CSV: reports/tables. */
#define DOCUMENT(kind, words, stem) renderer_put stem##_put, stem##_json, stem##_csv;
#define DOCUMENT_VIEW(kind, words, stem)
#include "roofline/documents.def"
#undef DOCUMENT
#undef DOCUMENT_VIEW

/* Documents in formats of their own. */
renderer_put reconcile_trace, realtime_trace, trends_benchmark, trends_bencher;

/* "FAIL: 1 of 4 checks, conv+eltwise efficiency 0.2836, limit at least 0.5; 3 kept." */
const char *checks_verdict(roof_arena *arena, const roof_checks *checks);

/* A value that a check found or wants, in its unit: "33.3 ms", "1.05". */
const char *check_value(roof_arena *arena, const roof_check *check, double value);
/* What was found, and of what it is: "expected 10.96 ms (9.354 ms to 12.85 ms) of the accelerator's part". */
const char *check_found(roof_arena *arena, const roof_check *check);

/* Epochs in the layout of npu_profiler.py (ST Edge AI), with what that does not print beside it. */
renderer_put like_npu_profiler_put;

/* Checks that options.like is available. Errors: E_USAGE (a layout that there is not, a format beside text),
 * E_DATA (the profiles have nothing of that tool). */
roof_status like_check(const roof_reconciliation *r, const roof_render_options *options, roof_error *err);
