/* reports/renderers/document.h - a document by one description: its members and the rows of its list as
 * tables of columns (core/table/grid.h), sentences, lines below. Text, Markdown, CSV and JSON follow.
 *
 * A new member is a row of a table here; a new document a view and a line in include/roofline/documents.def.
 */
#pragma once

#include "reports/renderers/renderer.h"

typedef struct document_view {
    const char *schema;
    const grid_column *members; /* of JSON, before the list */
    size_t n_members;
    const char *list; /* its key in JSON; NULL: its rows are not those of CSV, and members have them */
    const grid_column *columns;
    size_t n_columns;
    void (*add_rows)(cell_grid *grid, const void *document); /* people may see fewer than CSV and JSON */
    const char *what, *largest, *largest_csv; /* what a row is, "network"; the columns of the largest */
    void (*begin)(cell_grid *grid, const void *document); /* of people: hides columns; NULL */
    void (*put_tables)(const rendering *r);               /* where there are several; NULL: there is one */
    const grid_column *more;                              /* of JSON, behind the list */
    size_t n_more;
    /* For people, until NULL: the first answer, and what belongs to it but stands below the table (NULL:
     * nothing does); and lines there. */
    const char *(*sentence)(const void *document, uint32_t i, roof_arena *arena);
    const char *(*aside)(const void *document, uint32_t i, roof_arena *arena);
    void (*remarks)(const void *document, remarks *lines);
} document_view;

#define DOCUMENT_MEMBERS(table) .members = (table), .n_members = sizeof(table) / sizeof *(table)
#define DOCUMENT_ROWS(key, table)                                                                            \
    .list = (key), .columns = (table), .n_columns = sizeof(table) / sizeof *(table)
#define DOCUMENT_MORE(table) .more = (table), .n_more = sizeof(table) / sizeof *(table)

/* The table for people. */
void document_table(const document_view *v, const void *document, cell_grid *grid, roof_arena *arena);

void document_put(const rendering *r, const document_view *v);
void document_csv(const rendering *r, const document_view *v);
void document_json(const rendering *r, const document_view *v);

/* The views of documents that have nothing but such tables, by documents.def. */
#define DOCUMENT(kind, words, stem)
#define DOCUMENT_VIEW(kind, words, stem) extern const document_view stem##_view;
#include "roofline/documents.def"
#undef DOCUMENT
#undef DOCUMENT_VIEW
