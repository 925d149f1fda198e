/* measure/import/power.h - watts over time, the energy of a window of them, and what importers of power have.
 *
 * Units: s since the first sample, W, J.
 * Ownership: samples live as long as the document, and so does what a run keeps of a trace.
 *
 * Between two samples the power is taken to change evenly (the trapezoid). A trace of a log without times has
 * a mean alone.
 */
#pragma once

#include "measure/import/importer.h"
#include "measure/import/fields.h"

enum { POWER_MAX_SAMPLES = 1 << 22 };

typedef struct power_sample {
    double at_s, watts; /* at_s: NaN in a trace without times */
} power_sample;

typedef struct roof_power_trace {
    power_sample *samples;  /* in order of time */
    uint32_t n, n_left_out; /* left out: without a value */
} roof_power_trace;

/* Errors: E_LIMIT, E_NO_MEMORY, E_DATA for what is no number of watts. */
roof_status power_add(roof_measured *m, roof_power_trace *trace, power_sample sample, roof_error *err);

/* A window of a trace. */
typedef struct power_window {
    double seconds, energy_j; /* NaN without times; no longer than the trace */
    double mean_w;            /* over time; of the samples where there are no times */
    double most_w, longest_s; /* of the samples in it; between two samples */
    uint32_t n;               /* samples in it */
} power_window;

/* from_s, to_s: NaN for the beginning and the end of the trace.
 * Example (tests/unit/test_power_trace.c): 1 W at 0 s and 3 W at 2 s are 4 J, 2.5 J in the second one. */
power_window power_over(const roof_power_trace *trace, double from_s, double to_s);

/* "51.94 mW" in a buffer of its own, for remarks. */
enum { POWER_SHOWN_SIZE = 40 };
const char *power_shown(char buffer[POWER_SHOWN_SIZE], double value, const char *unit);
#define SHOWN_QUANTITY(value, unit) power_shown((char[POWER_SHOWN_SIZE]){""}, (value), (unit))

/* --- for importers -------------------------------------------------------------------------------------- */

/* Energy and power of a run cover what the user says, else this. */
void power_set_scope(import_state *in, roof_run *run, const char *scope);

/* A run that has nothing but the mean power of a trace, with remarks on what the trace is. scope: as above.
 * Errors: E_DATA for a trace without samples, E_NO_MEMORY. */
roof_status power_add_run(import_state *in, const roof_power_trace *trace, const char *scope,
                          roof_error *err);

/* Remark on times that are no moments for other files. */
void power_remark_local_times(import_state *in);

/* ---- the moments of a log, as seconds since its first one ----
 *
 * Taken are numbers with a unit, times of day, and dates with a time: "1.5", "18:31:48", "2026/08/17
 * 22:35:54.844", "2026-08-17T22:35:54Z", "08-17-2026 22:35:54". A number without a unit is taken for the time
 * since 1970 where its size tells the unit: 10 digits are seconds, 13 ms, 16 us, 19 ns. Whole numbers are
 * subtracted as such, since 1.7e18 ns have more digits than a double.
 */

/* Begins as {0}, or with unit_s. */
typedef struct timestamp_clock {
    double unit_s;           /* of plain numbers, 1e-3 for ms; 0: not stated by the heading */
    bool is_begun, is_local; /* local: a time of day without its zone */
    int64_t first, days;     /* days: how often a time of day went through midnight */
    double first_rest, last_s;
} timestamp_clock;

/* Errors: E_DATA for what is no time, a number without a unit, and a time before the one before it. */
roof_status timestamp_read(timestamp_clock *clock, text_span text, double *at_s, roof_error *err);
