/* measure/import/timestamps.h - the moments of a log, as seconds since its first one.
 *
 * Taken are numbers with a unit, times of day, and dates with a time: "1.5", "18:31:48", "2026/08/17
 * 22:35:54.844", "2026-08-17T22:35:54Z", "08-17-2026 22:35:54". A number without a unit is taken for the time
 * since 1970 where its size tells the
 * unit: 10 digits are seconds, 13 ms, 16 us, 19 ns. Whole numbers are subtracted as such, since 1.7e18 ns
 * have more digits than a double.
 */
#ifndef ROOF_MEASURE_IMPORT_TIMESTAMPS_H
#define ROOF_MEASURE_IMPORT_TIMESTAMPS_H

#include "measure/import/fields.h"

/* Begins as {0}, or with unit_s. */
typedef struct timestamp_clock {
    double unit_s;           /* of plain numbers, 1e-3 for ms; 0: not stated by the heading */
    bool is_begun, is_local; /* local: a time of day without its zone */
    int64_t first, days;     /* days: how often a time of day went through midnight */
    double first_rest, last_s;
} timestamp_clock;

/* Errors: E_DATA for what is no time, a number without a unit, and a time before the one before it. */
roof_status timestamp_read(timestamp_clock *clock, text_span text, double *at_s, roof_error *err);

#endif
