/* model/predict/schedule.h - the code of a prediction, which can be replayed again, and its schedule in
 * words.
 *
 * Ownership: everything lives as long as the prediction.
 */
#pragma once

#include "core/core.h"
#include "model/code/replay.h"
#include "roofline/prediction.h"

/* Streams that run to their end, and how long their tasks take. */
typedef struct schedule_code {
    const roof_stream *streams; /* of the parts of the network */
    uint32_t n_streams;
    const roof_stream **alone; /* of each layer, its own code; NULL: it has none */
    replay_timing ideal;
    /* on a board, by the built-in calibration of its compiler or your own; NULL: unknown */
    const replay_timing *expected;
    double passes, clock_hz;
    replay_event *room; /* for the events of any stream, while it is predicted; NULL afterwards */
} schedule_code;

/* A place for each of n rows, 0 or NaN before. seconds: what its instructions move the end of all that ran
 * before them; path_s: what it is of the critical path (NULL: not requested). */
typedef struct schedule_rows {
    double *seconds, *path_s;
    uint32_t n;
} schedule_rows;

/* Replays the whole, or the own code of a layer (NaN without).
 *
 * rows: NULL, or what each of them is of it.
 * Errors: those of code_replayer; a stream that ran once runs with any timing. */
roof_status schedule_replay(const schedule_code *code, const replay_timing *timing, const schedule_rows *rows,
                            double *seconds, roof_error *err);
roof_status schedule_replay_alone(const schedule_code *code, const replay_timing *timing, uint32_t layer,
                                  double *seconds, roof_error *err);

/* Cycles of a point's streams, which ran with those of other points (predictor_replay_points). */
typedef struct schedule_times {
    uint64_t *ideal, *board; /* of each; ROOF_UNKNOWN: it did not run so */
    double *row_cycles;      /* of each row, as the board runs them */
} schedule_times;

/* The whole with other timings: all of them in one pass over the code. */
typedef struct schedule_variant {
    replay_timing timing;
    double clock; /* how many times as fast */
    double seconds;
} schedule_variant;
roof_status schedule_replay_variants(const schedule_code *code, schedule_variant *variants, uint32_t n,
                                     roof_error *err);

/* Bytes per cycle of a port at a clock that is `times` as fast as the one that it was measured at: a faster
 * clock leaves the bytes of the memory in a second, a slower one those of the port in a cycle. */
double schedule_port_at_clock(double bytes_per_cycle, double times);

/* "70 % misc, 18 % load, 12 % conv": the engines of the critical path, the most first. "": no schedule. */
const char *schedule_path(const roof_prediction *prediction, roof_arena *arena);
