/* roofline/realtime.h - several networks on one device or several, each requested at a rate: how long an
 * answer takes at worst, who delays whom, which deadlines are missed, and what would have to change.
 *
 * A network requests an inference once a period, or less often; the time of the first one is open. The
 * accelerator has equal cores and is not preemptive: an inference that has begun runs to its end. Response is
 * the time from asking to the end of the inference. Times are of the accelerator alone, without the host.
 *
 * Units: _s seconds, _hz per second, _ratio of one; utilisation_ratio of a network: of one core. NaN is
 * unknown, ROOF_NONE is no task or no core.
 * Ownership: a set is the caller's and is borrowed for the call; a roof_realtime and a roof_realtime_run own
 *   everything in them. Free them with roof_realtime_free and roof_realtime_run_free.
 *
 * Symbols: C service time, T period, D deadline of a network, N cores, U the sum of C/T, R response.
 *
 * fixed - each network belongs to a core, and each core serves in the order of requests. The Vitis AI runtime
 *   does so (its runners are bound to core = counter % N). With U <= 1 on the core
 *     R = max over t >= 0 of (sum of (floor(t/T_j) + 1) C_j) - t = sum of C_j     j: networks of the core
 *   and with U > 1 there is no bound. It is exact: some order of events reaches it. The maximum over t is the
 *   known analysis of FIFO queues: Bedarkar, Vardishvili, Bozhko, Maida, Brandenburg, "From Intuition to
 *   Coq: A Case Study in Verified Response-Time Analysis of FIFO Scheduling", RTSS 2022; George, Minet, "A
 *   FIFO worst case analysis for a hard real-time distributed problem with consistency constraints", ICDCS
 *   1997. Since floor(t/T) <= t/T, it is at t = 0. So all networks of a core have one response.
 * fifo - one queue, whichever core is free takes the oldest. A network needs a runner on every core, and may
 *   have two inferences at work at once. With U <= N
 *     R_i = C_i + ahead_i / N
 *   ahead_i: the work at most that was requested before and is not done (docs/realtime.md has the proof). A
 *   bound, not always reached; with one core it is that of fixed. It exists for U <= N and not beyond:
 *   Leontyev, Anderson, "Tardiness Bounds for FIFO Scheduling on Multiprocessors", ECRTS 2007.
 *
 * Times are counted in whole nanoseconds, services rounded up, periods and deadlines down: a bound stays one.
 */
#ifndef ROOFLINE_REALTIME_H
#define ROOFLINE_REALTIME_H

#include "roofline/answer.h"
#include "roofline/prediction.h"

ROOF_BEGIN_C

#define ROOF_REALTIME_SCHEMA "roofline.schedule/1"

enum { ROOF_REALTIME_MOST_TASKS = 64, ROOF_REALTIME_MOST_CORES = 32 };

typedef enum roof_realtime_policy {
    ROOF_REALTIME_FIXED,
    ROOF_REALTIME_FIFO,
    ROOF_REALTIME_POLICIES
} roof_realtime_policy;
ROOF_API const char *roof_realtime_policy_word(roof_realtime_policy policy); /* "fixed" */

/* Reads "fixed" or "fifo". Errors: E_USAGE. */
ROOF_API roof_status roof_realtime_policy_parse(const char *text, roof_realtime_policy *out, roof_error *err);

/* ---- what is asked ---- */

/* A network with a rate. */
typedef struct roof_realtime_task {
    const char *name;
    double period_s;
    double deadline_s; /* at most the period; 0: the period, and changes with it */
    /* C of one inference on a core while 1, 2, ... cores are busy, since they share the memory; the last one
     * is for all larger numbers. The worst case is reckoned with all cores busy that have work. */
    const roof_answer *services;
    uint32_t n_services;
    uint32_t core; /* of fixed; ROOF_NONE: its place in the set modulo the number of cores */
    /* The device that its core is of, in a set of several devices, whose cores stand one behind the other:
     * all tasks name theirs, and their cores, and no change moves them. NULL: there is one device. */
    const char *device;
} roof_realtime_task;

typedef struct roof_realtime_set {
    const roof_realtime_task *tasks; /* in the order in which their runners are created */
    uint32_t n_tasks;
    uint32_t cores;
    uint32_t board_cores; /* that the hardware has; 0: unknown */
    roof_realtime_policy policy;
    const char *hardware; /* for people; NULL: unknown */
    double clock_hz;      /* likewise; 0: unknown */
} roof_realtime_set;

/* Reads "30Hz", "29.97fps", and behind a '/' a deadline, "30Hz/20ms", into a task; the rest of it stays.
 * Errors: E_USAGE for no rate, a rate of 0, a deadline of 0 or longer than the period. Example
 * (tests/unit/test_realtime.c): "50fps/15ms" is a period of 0.02 s and a deadline of 0.015 s. */
ROOF_API roof_status roof_realtime_rate_parse(const char *text, roof_realtime_task *task, roof_error *err);

/* Time of one inference on a core while busy_cores cores work: expected where that is known, else at least
 * the bound; for an estimate about that, which keeps and breaks no deadline.
 * Example (tests/unit/test_realtime.c): layers of the host are in none of it, and leave no upper end. */
ROOF_API roof_answer roof_realtime_service(const roof_prediction *prediction, uint32_t busy_cores);

/* ---- what becomes of it ---- */

typedef struct roof_realtime_delay {
    uint32_t task; /* that is served first; the own one where earlier inferences are in the way */
    double seconds;
} roof_realtime_delay;

typedef struct roof_realtime_row {
    const char *name, *device; /* device: NULL where there is one */
    double rate_hz, period_s, deadline_s;
    roof_answer service; /* with busy_cores of the set busy */
    bool has_own_deadline;
    uint32_t core; /* ROOF_NONE: any */
    double utilisation_ratio;
    double response_s; /* NaN: not bounded, the queue grows for ever */
    /* The same with all services at their lower ends (NaN: one has none), and at their upper ones (INFINITY:
     * not bounded). */
    double response_low_s, response_high_s;
    double slack_s; /* deadline - response: missed by, where it is negative; NaN: not bounded */
    roof_held met;  /* kept where even the upper end is, broken where even the lower one is not */
    const roof_realtime_delay *delays; /* of the worst case, the largest first: response = service + all */
    uint32_t n_delays;
    double highest_rate_hz; /* at which all deadlines are met while the others stay; NaN: at none */
} roof_realtime_row;

/* Kind of change that would make a set fit. */
typedef enum roof_realtime_kind {
    ROOF_REALTIME_CHANGE_CORES_OF_NETWORKS, /* fixed: which network is on which core */
    ROOF_REALTIME_CHANGE_POLICY,
    ROOF_REALTIME_CHANGE_CLOCK,
    ROOF_REALTIME_CHANGE_RATE_OF_ONE,
    ROOF_REALTIME_CHANGE_RATES,
    ROOF_REALTIME_CHANGE_CORES,
    ROOF_REALTIME_CHANGES
} roof_realtime_kind;
ROOF_API const char *roof_realtime_kind_word(roof_realtime_kind kind); /* "rate_of_one" */

typedef struct roof_realtime_change {
    roof_realtime_kind kind;
    double factor;               /* of the clock or the rates; NaN: of another kind */
    double size_ratio;           /* how much the one number changes, relative; 0: none does */
    uint32_t task;               /* whose rate; else ROOF_NONE */
    uint32_t cores;              /* that there are then */
    bool is_beyond_board;        /* more than the hardware is known to have */
    roof_realtime_policy policy; /* that holds then */
    const uint32_t *core_of;     /* of each network; NULL: of another kind */
} roof_realtime_change;

typedef struct roof_realtime {
    roof_realtime_policy policy;
    uint32_t cores, board_cores;
    uint32_t busy_cores; /* that the services are reckoned with */
    const char *hardware;
    double clock_hz;
    const roof_realtime_row *rows; /* as the tasks of the set */
    uint32_t n_rows;
    const double *core_utilisation_ratios; /* of fixed, for each core; NULL: any core does any work */
    double utilisation_ratio;              /* of all cores together */
    uint32_t n_missed, n_not_known;
    double headroom_ratio; /* all rates may be so many times as high; below 1: have to be. NaN: no rate */
    const roof_realtime_change *changes; /* the smallest first; none where all deadlines are met */
    uint32_t n_changes;
    struct roof_arena *arena; /* private */
} roof_realtime;

/* Says what becomes of a set.
 *
 * Changes: which networks share a core (all ways are tried where they are few, else the largest first, each
 *   where it fits), the other policy, more cores (up to twice as many or 8), a higher clock (services go with
 *   1/clock, an assumption: the memory has a clock of its own), lower rates of all or of one. Factors are
 *   rounded so that they suffice as they are. The order: by size_ratio, so what changes no number is first.
 * Cost: of the responses O(n cores) for fixed, about O(n^2) for fifo, some 60 times n + 3 for the changes.
 * Errors: E_USAGE for no task, too many, a period, service or deadline that is none, too many cores;
 *   E_NO_MEMORY.
 * Example (tests/unit/test_realtime.c): on one core, a network of 10 ms at 30 Hz and one of 20 ms at 10 Hz
 *   use 30 % + 20 %, both answer within 30 ms, and all rates may be 1.111 times as high. */
ROOF_API roof_status roof_realtime_analyse(const roof_realtime_set *set, roof_realtime **out,
                                           roof_error *err);
ROOF_API void roof_realtime_free(roof_realtime *schedule);

/* ---- what happens, event by event ---- */

typedef struct roof_realtime_job {
    uint32_t task, core;
    double release_s, start_s, end_s; /* requested, begun, done */
    bool is_late;                     /* behind its deadline */
} roof_realtime_job;

typedef struct roof_realtime_run {
    const roof_realtime_job *jobs; /* in the order of requests, ties in the order of the set */
    uint32_t n_jobs;
    uint32_t n_late;
    bool is_cut;              /* the span has more jobs than were requested */
    struct roof_arena *arena; /* private */
} roof_realtime_run;

/* Simulates a set: each network asks at its offset and once a period from then on.
 *
 * offsets_s: NULL: all ask at once at 0, which on the cores of fixed is the worst case.
 * span_s: jobs that are requested before it; most_jobs: at most so many of them.
 * Errors: as of roof_realtime_analyse; E_USAGE for an offset or a span that is none. */
ROOF_API roof_status roof_realtime_simulate(const roof_realtime_set *set, const double *offsets_s,
                                            double span_s, uint32_t most_jobs, roof_realtime_run **out,
                                            roof_error *err);
ROOF_API void roof_realtime_run_free(roof_realtime_run *run);

ROOF_END_C
#endif
