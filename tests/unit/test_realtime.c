/* Networks that share the cores of a device: responses, delays, headroom and changes of sets that can be
 * reckoned by hand, the rates on the command line, and the simulation of a set. */
#include "roofline/realtime.h"
#include "tests/unit/fixture.h"

#define assert_near(got, want, within)                                                                       \
    do {                                                                                                     \
        const double got_ = (got), want_ = (want);                                                           \
        if (!(fabs(got_ - want_) <= (within)))                                                               \
            fail_msg("%s: %.12g, want %.12g", #got, got_, want_);                                            \
    } while (0)

enum { MOST = 24 };
static roof_answer services[MOST];
static roof_realtime_task tasks[MOST];

/* So many milliseconds at so many hertz, within milliseconds or 0. */
typedef struct row {
    double service_ms, rate_hz, deadline_ms;
} row;

static roof_answer exactly(double seconds)
{
    return (roof_answer){.kind = ROOF_MEASURED, .value = seconds, .low = NAN, .high = NAN};
}

static roof_realtime_set set_of(const row *rows, uint32_t n, uint32_t cores, roof_realtime_policy policy)
{
    for (uint32_t i = 0; i < n; i++) {
        services[i] = exactly(rows[i].service_ms * 1e-3);
        tasks[i] = (roof_realtime_task){.name = "net",
                                        .period_s = 1 / rows[i].rate_hz,
                                        .deadline_s = rows[i].deadline_ms * 1e-3,
                                        .services = &services[i],
                                        .n_services = 1,
                                        .core = ROOF_NONE};
    }
    return (roof_realtime_set){
        .tasks = tasks, .n_tasks = n, .cores = cores, .board_cores = cores, .policy = policy};
}

static roof_realtime *analysed(const roof_realtime_set *set)
{
    roof_realtime *schedule = NULL;
    roof_error err = {0};
    if (roof_realtime_analyse(set, &schedule, &err) != ROOF_OK)
        fail_msg("%s", fx_message(&err));
    return schedule;
}

static const roof_realtime_change *change_of(const roof_realtime *s, roof_realtime_kind kind)
{
    for (uint32_t i = 0; i < s->n_changes; i++)
        if (s->changes[i].kind == kind)
            return &s->changes[i];
    return NULL;
}

/* ---- responses ---- */

static void the_example_of_the_header_is_true(void **state)
{
    const row rows[] = {{10, 30, 0}, {20, 10, 0}};
    const roof_realtime_set set = set_of(rows, COUNT(rows), 1, ROOF_REALTIME_FIXED);
    roof_realtime *s = analysed(&set);
    (void)state;
    assert_int_equal(s->n_rows, 2);
    assert_near(s->rows[0].utilisation_ratio, 0.3, 1e-9);
    assert_near(s->rows[1].utilisation_ratio, 0.2, 1e-9);
    assert_near(s->utilisation_ratio, 0.5, 1e-6);
    assert_near(s->core_utilisation_ratios[0], 0.5, 1e-6);
    for (uint32_t i = 0; i < 2; i++) {
        assert_near(s->rows[i].response_s, 0.03, 1e-9);
        assert_int_equal(s->rows[i].met, ROOF_HELD_KEPT);
        assert_int_equal(s->rows[i].n_delays, 1);
        assert_int_equal(s->rows[i].delays[0].task, 1 - i);
    }
    assert_near(s->rows[0].slack_s, 1 / 30.0 - 0.03, 1e-9);
    assert_near(s->rows[0].delays[0].seconds, 0.02, 1e-9);
    assert_near(s->headroom_ratio, 1.1111, 1e-9);
    assert_int_equal(s->n_missed, 0);
    assert_int_equal(s->n_changes, 0);
    roof_realtime_free(s);
}

/* Responses in milliseconds, by hand; 0 is none. */
static void responses_are_those_reckoned_by_hand(void **state)
{
    static const struct {
        row rows[4];
        uint32_t n, cores;
        roof_realtime_policy policy;
        double response_ms[4];
    } cases[] = {
        /* who shares a core: the first with the third */
        {{{4, 50, 0}, {5, 50, 0}, {6, 50, 0}}, 3, 2, ROOF_REALTIME_FIXED, {10, 5, 10}},
        /* all of the time is used, and no more */
        {{{5, 100, 0}, {5, 100, 0}}, 2, 1, ROOF_REALTIME_FIXED, {10, 10}},
        /* one core has too much to do, the other one does not care */
        {{{15, 50, 0}, {5, 50, 0}, {6, 50, 0}}, 3, 2, ROOF_REALTIME_FIXED, {0, 5, 0}},
        /* longer than its period, but it keeps up: 1 at 2 ms, 50 at 100 ms */
        {{{1, 500, 0}, {50, 10, 0}}, 2, 1, ROOF_REALTIME_FIXED, {51, 51}},
        /* as many cores as networks: nobody waits */
        {{{4, 50, 0}, {5, 50, 0}}, 2, 2, ROOF_REALTIME_FIFO, {4, 5}},
        /* three alike on two cores: behind the two others, which begin and end together */
        {{{4, 50, 0}, {4, 50, 0}, {4, 50, 0}}, 3, 2, ROOF_REALTIME_FIFO, {8, 8, 8}},
        /* one of the cores is free as soon as the shorter of the others is done */
        {{{10, 20, 0}, {2, 20, 0}, {3, 20, 0}}, 3, 2, ROOF_REALTIME_FIFO, {12, 5, 5}},
        /* one network that asks twice while it works, on two cores */
        {{{15, 100, 0}}, 1, 2, ROOF_REALTIME_FIFO, {15}},
        /* one core: as bound to it */
        {{{4, 50, 0}, {5, 50, 0}, {6, 50, 0}}, 3, 1, ROOF_REALTIME_FIFO, {15, 15, 15}},
        {{{50, 20, 0}, {50, 20, 0}, {50, 20, 0}}, 3, 2, ROOF_REALTIME_FIFO, {0, 0, 0}},
    };
    (void)state;
    for (size_t k = 0; k < COUNT(cases); k++) {
        const roof_realtime_set set = set_of(cases[k].rows, cases[k].n, cases[k].cores, cases[k].policy);
        roof_realtime *s = analysed(&set);
        for (uint32_t i = 0; i < s->n_rows; i++) {
            const double got_ms = s->rows[i].response_s * 1e3, want_ms = cases[k].response_ms[i];
            if (want_ms > 0 ? !(fabs(got_ms - want_ms) < 1e-5) : !isnan(got_ms))
                fail_msg("case %zu, network %u: %g ms, want %g", k, i, got_ms, want_ms);
            assert_true(want_ms > 0 || (s->rows[i].met == ROOF_HELD_BROKEN && isnan(s->rows[i].slack_s)));
            double sum_s = s->rows[i].service.value;
            for (uint32_t d = 0; d < s->rows[i].n_delays; d++) {
                sum_s += s->rows[i].delays[d].seconds;
                assert_true(!d || s->rows[i].delays[d].seconds <= s->rows[i].delays[d - 1].seconds);
            }
            if (want_ms > 0)
                assert_near(sum_s, s->rows[i].response_s, 2e-9); /* whole nanoseconds, up */
        }
        roof_realtime_free(s);
    }
}

static void a_deadline_of_its_own_decides(void **state)
{
    const row rows[] = {{10, 20, 25}, {15, 20, 24}};
    const roof_realtime_set set = set_of(rows, COUNT(rows), 1, ROOF_REALTIME_FIXED);
    roof_realtime *s = analysed(&set);
    (void)state;
    assert_true(s->rows[0].met == ROOF_HELD_KEPT && s->rows[0].has_own_deadline);
    assert_int_equal(s->rows[1].met, ROOF_HELD_BROKEN);
    assert_near(s->rows[1].slack_s, -0.001, 1e-9);
    assert_int_equal(s->n_missed, 1);
    assert_true(isnan(s->headroom_ratio)); /* a lower rate does not help: each waits for one of the other */
    assert_null(change_of(s, ROOF_REALTIME_CHANGE_RATES));
    assert_int_equal(s->changes[0].kind, ROOF_REALTIME_CHANGE_CLOCK);
    assert_near(s->changes[0].factor, 1.0417, 1e-9); /* 25 / 24, rounded up */
    roof_realtime_free(s);
}

/* More cores share the memory: a network alone has it for itself. */
static void services_are_those_of_busy_cores(void **state)
{
    const roof_answer by_busy[] = {exactly(0.010), exactly(0.012)};
    const row rows[] = {{1, 20, 0}, {1, 20, 0}, {1, 20, 0}};
    (void)state;
    for (uint32_t n = 1; n <= 3; n++) {
        const roof_realtime_set set = set_of(rows, n, 3, ROOF_REALTIME_FIXED);
        for (uint32_t i = 0; i < n; i++) {
            tasks[i].services = by_busy;
            tasks[i].n_services = COUNT(by_busy);
        }
        roof_realtime *s = analysed(&set);
        assert_int_equal(s->busy_cores, n);
        assert_near(s->rows[0].service.value, n == 1 ? 0.010 : 0.012, 0);
        roof_realtime_free(s);
    }
    const roof_realtime_set set = set_of(rows, 2, 2, ROOF_REALTIME_FIXED);
    for (uint32_t i = 0; i < 2; i++) {
        tasks[i].services = by_busy;
        tasks[i].n_services = COUNT(by_busy);
        tasks[i].core = 1; /* both: one core is busy */
    }
    roof_realtime *s = analysed(&set);
    assert_int_equal(s->busy_cores, 1);
    assert_near(s->rows[0].response_s, 0.020, 1e-9);
    assert_int_equal(s->rows[0].core, 1);
    roof_realtime_free(s);
}

/* ---- changes ---- */

static void the_smallest_change_comes_first(void **state)
{
    const row rows[] = {{20, 30, 0}, {20, 10, 0}};
    const roof_realtime_set set = set_of(rows, COUNT(rows), 1, ROOF_REALTIME_FIXED);
    roof_realtime *s = analysed(&set);
    (void)state;
    assert_int_equal(s->n_missed, 1);
    assert_int_equal(s->n_changes, 4);
    assert_int_equal(s->changes[0].kind, ROOF_REALTIME_CHANGE_RATE_OF_ONE); /* 25 Hz: a period of 40 ms */
    assert_int_equal(s->changes[0].task, 0);
    assert_near(s->changes[0].factor, 0.8333, 1e-9);
    assert_near(s->rows[0].highest_rate_hz, 0.8333 * 30, 1e-9);
    assert_true(isnan(s->rows[1].highest_rate_hz)); /* the first one waits for it whatever its rate */
    assert_int_equal(s->changes[1].kind, ROOF_REALTIME_CHANGE_RATES);
    assert_int_equal(s->changes[2].kind, ROOF_REALTIME_CHANGE_CLOCK);
    assert_near(s->changes[2].factor, 1.2001, 1e-9); /* 1.2 lacks a nanosecond */
    assert_int_equal(s->changes[3].kind, ROOF_REALTIME_CHANGE_CORES);
    assert_int_equal(s->changes[3].cores, 2);
    assert_true(s->changes[3].is_beyond_board);
    for (uint32_t i = 1; i < s->n_changes; i++)
        assert_true(s->changes[i].size_ratio >= s->changes[i - 1].size_ratio);
    assert_near(s->headroom_ratio, 0.8333, 1e-9);
    roof_realtime_free(s);
}

/* What is told is done, and all deadlines are met. */
static void every_change_suffices(void **state)
{
    static const struct {
        row rows[5];
        uint32_t n, cores, n_changes;
        roof_realtime_policy policy;
    } cases[] = {
        {{{20, 30, 0}, {20, 10, 0}}, 2, 1, 4, ROOF_REALTIME_FIXED},
        {{{20, 30, 0}, {1, 30, 0}, {20, 30, 0}}, 3, 2, 5, ROOF_REALTIME_FIXED},
        {{{30, 30, 0}, {30, 30, 0}, {1, 30, 0}, {3, 10, 30}, {4, 20, 0}}, 5, 2, 2, ROOF_REALTIME_FIXED},
        {{{20, 30, 0}, {20, 30, 0}, {20, 30, 0}}, 3, 2, 3, ROOF_REALTIME_FIFO},
        {{{40, 30, 0}, {20, 30, 0}}, 2, 2, 3, ROOF_REALTIME_FIXED},
    };
    (void)state;
    for (size_t k = 0; k < COUNT(cases); k++) {
        roof_realtime_set set = set_of(cases[k].rows, cases[k].n, cases[k].cores, cases[k].policy);
        roof_realtime *s = analysed(&set);
        if (s->n_changes != cases[k].n_changes)
            fail_msg("case %zu: %u changes", k, s->n_changes);
        for (uint32_t c = 0; c < s->n_changes; c++) {
            const roof_realtime_change *change = &s->changes[c];
            set = set_of(cases[k].rows, cases[k].n, change->cores, change->policy);
            for (uint32_t i = 0; i < set.n_tasks; i++) {
                const bool is_of = change->kind == ROOF_REALTIME_CHANGE_RATES || change->task == i;
                tasks[i].period_s /= is_of ? change->factor : 1;
                services[i].value /= change->kind == ROOF_REALTIME_CHANGE_CLOCK ? change->factor : 1;
                tasks[i].core = change->core_of ? change->core_of[i] : ROOF_NONE;
            }
            roof_realtime *after = analysed(&set);
            if (after->n_missed)
                fail_msg("case %zu: with the change %s %u are missed", k,
                         roof_realtime_kind_word(change->kind), after->n_missed);
            roof_realtime_free(after);
        }
        roof_realtime_free(s);
    }
}

static void networks_get_other_cores(void **state)
{
    const row rows[] = {{20, 30, 0}, {1, 30, 0}, {20, 30, 0}};
    const roof_realtime_set set = set_of(rows, COUNT(rows), 2, ROOF_REALTIME_FIXED);
    roof_realtime *s = analysed(&set);
    (void)state;
    assert_int_equal(s->n_missed, 2);
    assert_int_equal(s->changes[0].kind, ROOF_REALTIME_CHANGE_CORES_OF_NETWORKS);
    assert_int_not_equal(s->changes[0].core_of[0], s->changes[0].core_of[2]);
    assert_int_equal(s->changes[1].kind, ROOF_REALTIME_CHANGE_POLICY);
    assert_int_equal(s->changes[1].policy, ROOF_REALTIME_FIFO);
    roof_realtime_free(s);
}

/* Too many for all ways to be tried: eight long ones fall onto four of eight cores, sixteen short ones onto
 * the others. */
static void many_networks_are_placed_the_largest_first(void **state)
{
    row rows[MOST];
    (void)state;
    for (uint32_t i = 0; i < MOST; i++)
        rows[i] = i % 8 < 4 && i < 16 ? (row){18, 30, 0} : (row){1, 30, 0};
    const roof_realtime_set set = set_of(rows, MOST, 8, ROOF_REALTIME_FIXED);
    roof_realtime *s = analysed(&set);
    assert_true(s->n_missed > 0);
    assert_int_equal(s->changes[0].kind, ROOF_REALTIME_CHANGE_CORES_OF_NETWORKS);
    for (uint32_t i = 0; i < MOST; i++)
        tasks[i].core = s->changes[0].core_of[i];
    roof_realtime *after = analysed(&set);
    assert_int_equal(after->n_missed, 0);
    roof_realtime_free(after);
    roof_realtime_free(s);
}

/* ---- what is refused ---- */

static void rates_and_deadlines_are_read(void **state)
{
    static const struct {
        const char *text;
        double period_s, deadline_s; /* 0: refused */
        const char *fault;
    } cases[] = {
        {"50fps/15ms", 0.02, 0.015, ""},
        {"30Hz", 1 / 30.0, 0, ""},
        {"0.5Hz", 2, 0, ""},
        {"1kHz", 0.001, 0, ""},
        {"10Hz/100ms", 0.1, 0.1, ""},
        {"30", 0, 0, "'30' is no rate; want one such as 30Hz or 30fps, more than 0"},
        {"", 0, 0, "'' is no rate; want one such as 30Hz or 30fps, more than 0"},
        {"fps", 0, 0, "'fps' is no rate; want one such as 30Hz or 30fps, more than 0"},
        {"0Hz", 0, 0, "'0Hz' is no rate; want one such as 30Hz or 30fps, more than 0"},
        {"-3Hz", 0, 0, "'-3Hz' is no rate; want one such as 30Hz or 30fps, more than 0"},
        {"33ms", 0, 0, "'33ms' is no rate; want one such as 30Hz or 30fps, more than 0"},
        {"30Hz/", 0, 0, "'' is no deadline; want a time such as 20ms, more than 0"},
        {"30Hz/20", 0, 0, "'20' is no deadline; want a time such as 20ms, more than 0"},
        {"30Hz/0s", 0, 0, "'0s' is no deadline; want a time such as 20ms, more than 0"},
        {"10Hz/101ms", 0, 0, "a deadline of 101 ms is longer than the period of 100 ms; want at most that"},
    };
    (void)state;
    for (size_t i = 0; i < COUNT(cases); i++) {
        roof_realtime_task task = {0};
        roof_error err = {0};
        const roof_status status = roof_realtime_rate_parse(cases[i].text, &task, &err);
        if (strcmp(status == ROOF_OK ? "" : err.what, cases[i].fault) != 0)
            fail_msg("%s: '%s'", cases[i].text, err.what);
        assert_near(task.period_s, cases[i].period_s, 1e-12);
        assert_near(task.deadline_s, cases[i].deadline_s, 1e-12);
    }
}

static void sets_that_are_none_are_refused(void **state)
{
    const row rows[] = {{20, 30, 0}, {20, 10, 0}};
    (void)state;
    for (int fault = 0; fault < 10; fault++) {
        roof_realtime_set set = set_of(rows, COUNT(rows), 1, ROOF_REALTIME_FIXED);
        roof_realtime *s;
        roof_realtime_run *run;
        roof_error err;
        set.n_tasks = fault == 0 ? 0 : fault == 1 ? ROOF_REALTIME_MOST_TASKS + 1 : set.n_tasks;
        set.cores = fault == 2 ? 0 : fault == 3 ? ROOF_REALTIME_MOST_CORES + 1 : set.cores;
        tasks[0].period_s = fault == 4 ? 0 : fault == 5 ? (double)NAN : tasks[0].period_s;
        services[1].value = fault == 6 ? 0 : fault == 7 ? 1e300 : services[1].value;
        tasks[1].deadline_s = fault == 8 ? 1 : 0;
        tasks[1].core = fault == 9 ? 1 : ROOF_NONE;
        assert_int_equal(roof_realtime_analyse(&set, &s, &err), ROOF_E_USAGE);
        assert_null(s);
        assert_int_equal(roof_realtime_simulate(&set, NULL, 1, 10, &run, &err), ROOF_E_USAGE);
        assert_null(run);
    }
}

/* ---- event by event ---- */

static void a_run_is_that_of_the_set(void **state)
{
    static const struct {
        uint32_t task, core;
        double release_ms, start_ms, end_ms;
        bool is_late;
    } want[] = {{0, 0, 0, 0, 20, false},    {1, 0, 0, 20, 45, false},     {0, 0, 40, 45, 65, true},
                {0, 0, 80, 80, 100, false}, {1, 0, 100, 100, 125, false}, {0, 0, 120, 125, 145, true}};
    const row rows[] = {{20, 25, 24.9}, {25, 10, 0}};
    const roof_realtime_set set = set_of(rows, COUNT(rows), 1, ROOF_REALTIME_FIXED);
    roof_realtime_run *run;
    roof_error err;
    (void)state;
    assert_int_equal(roof_realtime_simulate(&set, NULL, 0.160, 100, &run, &err), ROOF_OK);
    assert_int_equal(run->n_jobs, COUNT(want));
    assert_int_equal(run->n_late, 2);
    assert_false(run->is_cut);
    for (uint32_t i = 0; i < run->n_jobs; i++) {
        const roof_realtime_job *job = &run->jobs[i];
        assert_int_equal(job->task, want[i].task);
        assert_int_equal(job->core, want[i].core);
        assert_int_equal(job->is_late, want[i].is_late);
        assert_near(job->release_s * 1e3, want[i].release_ms, 1e-6);
        assert_near(job->start_s * 1e3, want[i].start_ms, 1e-6);
        assert_near(job->end_s * 1e3, want[i].end_ms, 1e-6);
    }
    roof_realtime_run_free(run);
    assert_int_equal(roof_realtime_simulate(&set, (const double[]){0.01, 0}, 0.160, 2, &run, &err), ROOF_OK);
    assert_true(run->is_cut);
    assert_int_equal(run->n_jobs, 2);
    assert_int_equal(run->jobs[0].task, 1);
    roof_realtime_run_free(run);
    assert_int_equal(roof_realtime_simulate(&set, (const double[]){-1, 0}, 1, 2, &run, &err), ROOF_E_USAGE);
    assert_int_equal(roof_realtime_simulate(&set, NULL, NAN, 2, &run, &err), ROOF_E_USAGE);
}

/* A queue that grows for ever: the analysis says so, and the simulation shows it. */
static void what_has_no_bound_grows(void **state)
{
    const row rows[] = {{60, 10, 0}, {50, 10, 0}};
    const roof_realtime_set set = set_of(rows, COUNT(rows), 1, ROOF_REALTIME_FIFO);
    roof_realtime_run *run;
    roof_error err;
    roof_realtime *s = analysed(&set);
    (void)state;
    assert_int_equal(s->n_missed, 2);
    assert_int_equal(s->rows[0].n_delays, 0);
    roof_realtime_free(s);
    assert_int_equal(roof_realtime_simulate(&set, NULL, 100, 2000, &run, &err), ROOF_OK);
    const roof_realtime_job *last = &run->jobs[run->n_jobs - 1];
    assert_true(last->end_s - last->release_s > 9.9); /* 10 ms more each of 1000 times */
    roof_realtime_run_free(run);
}

/* A service that is 20 % longer or shorter, one that is a lower bound, and one whose host is left out. */
static void a_deadline_is_held_by_both_ends_of_the_services(void **state)
{
    (void)state;
    static const struct {
        roof_answer_kind kind;
        double low_ms, high_ms;
        double deadline_ms;
        roof_held want;
    } rows[] = {{ROOF_MEASURED, NAN, NAN, 11, ROOF_HELD_KEPT},
                {ROOF_EXPECTED, 8, 12, 13, ROOF_HELD_KEPT},
                {ROOF_EXPECTED, 8, 12, 11, ROOF_HELD_NOT_KNOWN},
                {ROOF_EXPECTED, 8, 12, 9, ROOF_HELD_NOT_KNOWN},
                {ROOF_EXPECTED, 8, 12, 7, ROOF_HELD_BROKEN},
                {ROOF_AT_LEAST, NAN, NAN, 11, ROOF_HELD_NOT_KNOWN},
                {ROOF_AT_LEAST, NAN, NAN, 9, ROOF_HELD_BROKEN},
                {ROOF_EXPECTED, 8, INFINITY, 30, ROOF_HELD_NOT_KNOWN},
                {ROOF_EXPECTED, 8, INFINITY, 7, ROOF_HELD_BROKEN},
                {ROOF_ABOUT, NAN, NAN, 30, ROOF_HELD_NOT_KNOWN},
                {ROOF_ABOUT, NAN, NAN, 7, ROOF_HELD_NOT_KNOWN}};
    for (size_t i = 0; i < COUNT(rows); i++) {
        const roof_answer service = {.kind = rows[i].kind,
                                     .value = 0.010,
                                     .low = rows[i].low_ms * 1e-3,
                                     .high = rows[i].high_ms * 1e-3};
        const roof_realtime_task task = {.name = "net",
                                         .period_s = 0.04,
                                         .deadline_s = rows[i].deadline_ms * 1e-3,
                                         .services = &service,
                                         .n_services = 1,
                                         .core = ROOF_NONE};
        const roof_realtime_set set = {.tasks = &task, .n_tasks = 1, .cores = 1};
        roof_realtime *s = NULL;
        roof_error err;
        assert_int_equal(roof_realtime_analyse(&set, &s, &err), ROOF_OK);
        if (s->rows[0].met != rows[i].want)
            fail_msg("row %zu: %d, want %d (%g to %g)", i, (int)s->rows[0].met, (int)rows[i].want,
                     s->rows[0].response_low_s, s->rows[0].response_high_s);
        assert_int_equal(s->n_missed, rows[i].want == ROOF_HELD_BROKEN);
        assert_int_equal(s->n_not_known, rows[i].want == ROOF_HELD_NOT_KNOWN);
        roof_realtime_free(s);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_deadline_is_held_by_both_ends_of_the_services),
        cmocka_unit_test(the_example_of_the_header_is_true),
        cmocka_unit_test(responses_are_those_reckoned_by_hand),
        cmocka_unit_test(a_deadline_of_its_own_decides),
        cmocka_unit_test(services_are_those_of_busy_cores),
        cmocka_unit_test(the_smallest_change_comes_first),
        cmocka_unit_test(every_change_suffices),
        cmocka_unit_test(networks_get_other_cores),
        cmocka_unit_test(many_networks_are_placed_the_largest_first),
        cmocka_unit_test(rates_and_deadlines_are_read),
        cmocka_unit_test(sets_that_are_none_are_refused),
        cmocka_unit_test(a_run_is_that_of_the_set),
        cmocka_unit_test(what_has_no_bound_grows),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
