/* reports/tables/reconcile/reconcile_scope.h - what tables and lines of a reconciliation are of. */
#ifndef ROOF_REPORTS_RECONCILE_SCOPE_H
#define ROOF_REPORTS_RECONCILE_SCOPE_H

#include "reports/words/prediction_tables.h"
#include "roofline/reconcile.h"

typedef struct reconcile_scope {
    const roof_reconciliation *r;
    const roof_reconciled *e; /* the experiment; NULL: all of them */
    name_prefixes prefix;     /* left out of names; length 0: whole names */
    uint32_t most;            /* rows, those of the largest time in the order of execution; 0: all of them */
    bool is_page;             /* sorting may part a row from the one above, so that it has no dittos */
    bool is_ascii;
    roof_arena *arena;
} reconcile_scope;

/* A table that is declared once, for terminals, Markdown and pages. */
typedef void reconcile_view(const reconcile_scope *s, cell_grid *grid);

/* A table of a page. */
typedef struct reconcile_table {
    const char *id, *caption;
    reconcile_view *view;
    const char *bar;    /* the column with bars; NULL: none */
    const char *filter; /* "filter layers"; NULL: it has few rows */
} reconcile_table;

/* Begins a table whose times are in one unit on the whole page. */
void reconcile_begin(const reconcile_scope *s, cell_grid *grid, const grid_column *columns, size_t n);

/* "net"; where there are several kinds of hardware "net on kv260". */
const char *reconcile_name_on_hardware(const roof_reconciliation *r, const roof_reconciled *e,
                                       roof_arena *arena);

#endif
