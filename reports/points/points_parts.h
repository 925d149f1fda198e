/* reports/points/points_parts.h - the lines of all parts of a sweep, in the order of their points. */
#ifndef ROOF_REPORTS_POINTS_PARTS_H
#define ROOF_REPORTS_POINTS_PARTS_H

#include "reports/points/points_line.h"

/* Receiver of the lines. context is its own. */
typedef struct points_taker {
    /* Once, before the lines. titles: with the end of their line; "" of JSON lines. */
    roof_status (*begin)(void *context, const char *titles, const points_line *first, roof_error *err);
    roof_status (*line)(void *context, const char *line, size_t length, uint64_t index, roof_error *err);
    void *context;
} points_taker;

/* Errors: those of roof_points_merge; what the taker returns, E_DATA with file and line. */
roof_status points_parts_read(const char *const *paths, uint32_t n, const char *identity,
                              const points_taker *taker, roof_error *err);

#endif
