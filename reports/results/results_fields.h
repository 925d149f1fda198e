/* reports/results/results_fields.h - some of the fields of a line of points, by the names of their columns.
 *
 * Ownership: names are borrowed; values are good until the next line.
 */
#ifndef ROOF_REPORTS_RESULTS_RESULTS_FIELDS_H
#define ROOF_REPORTS_RESULTS_RESULTS_FIELDS_H

#include "core/text.h"
#include "roofline/results.h"

enum { POINTS_MOST_FIELDS = 24, POINTS_MOST_TITLES = 128 };

typedef struct results_field {
    const char *text; /* "": it is null, or there is no such column */
    double number;    /* NaN: it is none; of a truth 0 or 1 */
} results_field;

typedef struct results_fields {
    const char *const *names;
    size_t n;
    bool is_json;
    uint8_t place[POINTS_MOST_TITLES]; /* of CSV: which of the names a column is, n: none */
    size_t n_titles;
    size_t begins[POINTS_MOST_FIELDS]; /* of the texts */
    textbuf texts;
    results_field values[POINTS_MOST_FIELDS];
} results_fields;

/* names: n of them, at most POINTS_MOST_FIELDS. titles: the first line of CSV; "" of JSON lines.
 * Errors: E_DATA for more titles than POINTS_MOST_TITLES. */
roof_status results_fields_begin(results_fields *fields, const char *const *names, size_t n,
                                 const char *titles, roof_error *err);

/* Reads a whole line into values. Errors: E_DATA for what is no row of these titles or no object of JSON;
 * E_NO_MEMORY. */
roof_status results_fields_read(results_fields *fields, const char *line, size_t length, roof_error *err);
void results_fields_end(results_fields *fields); /* of zeros: nothing */

/* Outcomes of points, "why" and "findings": adds a line to those that failed, or that have findings. */
roof_status results_outcome_begin(results_fields *fields, const char *titles, roof_error *err);
roof_status results_outcome_count(results_fields *fields, const char *line, size_t length,
                                  roof_results_progress *done, roof_error *err);

#endif
