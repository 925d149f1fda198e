/* measure/tally.h - from a stream of timed events to rows: different rows in the order of their first appearance, each
 * with what was measured of it.
 *
 * Units: seconds.
 * Ownership: names and samples that are handed out belong to the document; the tally itself is freed by its maker, at the
 *   latest before the document.
 *
 * Memory: count, mean, deviation, minimum and maximum are always exact. Samples are kept while rows and samples fit into
 * ROOF_TALLY_MAX_SAMPLES, a row counting as ROOF_TALLY_ROW_SAMPLES and the samples of the largest row three times, since
 * they are sorted; then those of all rows are dropped, so that no statistic is of a part.
 */
#ifndef ROOF_MEASURE_TALLY_H
#define ROOF_MEASURE_TALLY_H

#include "measure/fields.h"
#include "measure/importer.h"

enum { ROOF_TALLY_MAX_ROWS = 1 << 18, ROOF_TALLY_MAX_SAMPLES = 1 << 22, ROOF_TALLY_ROW_SAMPLES = 14 };

typedef struct roof_tally roof_tally;

/* NULL without memory. */
roof_tally *roof_tally_new(roof_measured *m);
void roof_tally_free(roof_tally *tally);

/* The row of that name and tag, made if there is none yet. The tag tells rows of one name apart: a workload, an index.
 * Errors: E_LIMIT for too many different rows, E_NO_MEMORY. */
roof_status roof_tally_row(roof_tally *tally, roof_span name, uint64_t tag, uint32_t *row, roof_error *err);

/* One more duration of a row. Errors: E_DATA (negative, not finite), E_NO_MEMORY. */
roof_status roof_tally_add(roof_tally *tally, uint32_t row, double seconds, roof_error *err);

uint32_t roof_tally_rows(const roof_tally *tally);
const char *roof_tally_name(const roof_tally *tally, uint32_t row);
uint64_t roof_tally_count(const roof_tally *tally, uint32_t row); /* of its durations */
bool roof_tally_keeps_samples(const roof_tally *tally);

/* Copies the samples of a row, in their order, to out, which has room for roof_tally_count of them. Only while they are
 * kept. */
void roof_tally_samples(const roof_tally *tally, uint32_t row, double *out);

/* Adds the row to a run, with its name and times, and *out is where it lies. Its samples leave the tally, to which no
 * row can be added from now on. Errors: E_NO_MEMORY. */
roof_status roof_tally_layer(roof_tally *tally, uint32_t row, roof_run *run, roof_measured_layer **out,
                             roof_error *err);

/* A remark when samples were dropped. */
void roof_tally_remark(const roof_tally *tally, roof_import *in);

#endif
