#include "roofline/realtime.h"
#include "model/explore/realtime/responses.h"

/* --- words -------------------------------------------------------------------------------------------- */

static const char *const policies[ROOF_REALTIME_POLICIES] = {"fixed", "fifo"};

const char *roof_realtime_policy_word(roof_realtime_policy policy)
{
    return policy < ROOF_REALTIME_POLICIES ? policies[policy] : "";
}

WORD_OF(roof_realtime_kind_word, roof_realtime_kind, kind,
        "", [ROOF_REALTIME_CHANGE_CORES_OF_NETWORKS] = "cores_of_networks",
        [ROOF_REALTIME_CHANGE_POLICY] = "policy", [ROOF_REALTIME_CHANGE_CLOCK] = "clock",
        [ROOF_REALTIME_CHANGE_RATE_OF_ONE] = "rate_of_one", [ROOF_REALTIME_CHANGE_RATES] = "rates",
        [ROOF_REALTIME_CHANGE_CORES] = "cores")

roof_status roof_realtime_policy_parse(const char *text, roof_realtime_policy *out, roof_error *err)
{
    const uint32_t i = WORD_AT(policies, ROOF_REALTIME_POLICIES, text);
    if (i == ROOF_REALTIME_POLICIES)
        return error_set(err, ROOF_E_USAGE,
                         "no policy '%.40s'; there are fixed (each network belongs to a core) and fifo "
                         "(whichever core is free takes the oldest)",
                         text);
    *out = (roof_realtime_policy)i;
    return ROOF_OK;
}

/* --- a rate ------------------------------------------------------------------------------------------- */

enum { RATE_SIZE = 64 };

/* "30fps" is 30 Hz. */
static roof_status parse_hertz(const char *text, size_t length, double *hertz, roof_error *err)
{
    static const char frames[] = "fps";
    const size_t n_frames = sizeof frames - 1;
    char rate[RATE_SIZE];
    roof_error ignored;
    const bool is_frames = length > n_frames && memcmp(text + length - n_frames, frames, n_frames) == 0;
    const size_t n = is_frames ? length - n_frames : length;
    if (n && n + sizeof "Hz" <= sizeof rate) {
        memcpy(rate, text, n);
        memcpy(rate + n, is_frames ? "Hz" : "", is_frames ? sizeof "Hz" : 1);
        if (quantity_parse(rate, "Hz", hertz, &ignored) == ROOF_OK && *hertz > 0)
            return ROOF_OK;
    }
    return error_set(err, ROOF_E_USAGE, "'%.*s' is no rate; want one such as 30Hz or 30fps, more than 0",
                     (int)(length < RATE_SIZE ? length : RATE_SIZE), text);
}

roof_status roof_realtime_rate_parse(const char *text, roof_realtime_task *task, roof_error *err)
{
    const char *slash = strchr(text, '/');
    roof_error ignored;
    double hertz = 0, deadline_s = 0;
    TRY(parse_hertz(text, slash ? (size_t)(slash - text) : strlen(text), &hertz, err));
    if (slash && (quantity_parse(slash + 1, "s", &deadline_s, &ignored) != ROOF_OK || !(deadline_s > 0)))
        return error_set(err, ROOF_E_USAGE, "'%.40s' is no deadline; want a time such as 20ms, more than 0",
                         slash + 1);
    if (deadline_s > 1 / hertz * (1 + 1e-9))
        return error_set(err, ROOF_E_USAGE,
                         "a deadline of %.4g ms is longer than the period of %.4g ms; want at most that",
                         deadline_s * 1e3, 1 / hertz * 1e3);
    task->period_s = 1 / hertz;
    task->deadline_s = deadline_s;
    return ROOF_OK;
}

roof_answer roof_realtime_service(const roof_prediction *prediction, uint32_t busy_cores)
{
    const double all_s = prediction->total.predicted_s, *ends_s = prediction->total.predicted_ci95_s;
    roof_answer out = {.kind = ROOF_EXPECTED,
                       .value = roof_service_s(prediction, busy_cores),
                       .unit = "s",
                       .covers = {.left_out = prediction->total.host_layers}};
    const bool has_ends = all_s > 0 && ends_s[0] > 0 && ends_s[1] > 0;
    out.low = has_ends ? out.value * (ends_s[0] / all_s) : out.value;
    out.high = has_ends ? out.value * (ends_s[1] / all_s) : INFINITY;
    if (!isnan(out.value))
        return out;
    out.kind = prediction->estimate_of ? ROOF_ABOUT : ROOF_AT_LEAST;
    out.value = roof_best_s(prediction);
    out.low = out.high = NAN;
    out.why = prediction->estimate_of;
    return out;
}

/* --- the set that is asked about ---------------------------------------------------------------------- */

#define MOST_SECONDS ((double)NS_MOST * 1e-9)

static bool is_time(double seconds)
{
    return seconds >= 1e-9 && seconds <= MOST_SECONDS;
}

static roof_status check_set(const roof_realtime_set *set, roof_error *err)
{
    if (!set->n_tasks || set->n_tasks > ROOF_REALTIME_MOST_TASKS)
        return error_set(err, ROOF_E_USAGE, "%u networks; want 1 to %d", set->n_tasks,
                         ROOF_REALTIME_MOST_TASKS);
    if (!set->cores || set->cores > ROOF_REALTIME_MOST_CORES)
        return error_set(err, ROOF_E_USAGE, "%u cores; want 1 to %d", set->cores, ROOF_REALTIME_MOST_CORES);
    if (set->policy >= ROOF_REALTIME_POLICIES)
        return error_set(err, ROOF_E_USAGE, "no policy %d", (int)set->policy);
    FOR_EACH(const roof_realtime_task, task, set->tasks, set->n_tasks) {
        const char *name = task->name ? task->name : "";
        if (!is_time(task->period_s))
            return error_set(err, ROOF_E_USAGE, "%.200s: a period of %g s; want 1 ns to %g s", name,
                             task->period_s, MOST_SECONDS);
        if (task->deadline_s != 0 && /* 0 is its own value here: none was given */
            !(is_time(task->deadline_s) && task->deadline_s <= task->period_s * (1 + 1e-9)))
            return error_set(err, ROOF_E_USAGE, "%.200s: a deadline of %g s; want 1 ns to the period, %g s",
                             name, task->deadline_s, task->period_s);
        if (!task->n_services || !task->services)
            return error_set(err, ROOF_E_USAGE, "%.200s: no service time", name);
        for (uint32_t k = 0; k < task->n_services; k++)
            if (!is_time(task->services[k].value))
                return error_set(err, ROOF_E_USAGE, "%.200s: a service time of %g s; want 1 ns to %g s", name,
                                 task->services[k].value, MOST_SECONDS);
        if (task->core != ROOF_NONE && task->core >= set->cores)
            return error_set(err, ROOF_E_USAGE, "%.200s: core %u of %u", name, task->core, set->cores);
    }
    return ROOF_OK;
}

/* --- responses and waits ------------------------------------------------------------------------------ */

static double seconds_of(uint64_t ns)
{
    return ns == NS_UNBOUNDED ? NAN : (double)ns * 1e-9;
}

static roof_status find_delays(const ns_set *ns, const uint64_t *response_ns, uint32_t task,
                               roof_realtime_row *row, roof_arena *arena, roof_error *err)
{
    uint64_t ahead_ns[ROOF_REALTIME_MOST_TASKS];
    roof_realtime_delay *delays;
    TRY(ARENA_GET(arena, delays, ns->n, err));
    const double shared_by = ns_ahead(ns, response_ns, task, ahead_ns);
    for (uint32_t i = 0; i < ns->n; i++)
        if (ahead_ns[i])
            delays[row->n_delays++] = (roof_realtime_delay){i, (double)ahead_ns[i] * 1e-9 / shared_by};
    order_sort(delays, row->n_delays, sizeof *delays, ORDER_BY(FALLING(roof_realtime_delay, seconds)));
    row->delays = delays;
    return ROOF_OK;
}

static void fill_row(const roof_realtime_set *set, const ns_set *ns, const uint64_t *response_ns, uint32_t i,
                     roof_realtime_row *row)
{
    const roof_realtime_task *task = &set->tasks[i];
    const set_variant v = set_as_it_is(set);
    const roof_answer *service = set_service(task, set_busy_cores(set, &v));
    *row = (roof_realtime_row){.name = task->name,
                               .device = task->device,
                               .rate_hz = 1 / task->period_s,
                               .period_s = task->period_s,
                               .deadline_s = task->deadline_s > 0 ? task->deadline_s : task->period_s,
                               .has_own_deadline = task->deadline_s > 0,
                               .service = *service,
                               .core = set->policy == ROOF_REALTIME_FIXED ? ns->tasks[i].core : ROOF_NONE,
                               .utilisation_ratio = service->value / task->period_s,
                               .response_s = seconds_of(response_ns[i]),
                               .highest_rate_hz = set_rate_factor(set, i) / task->period_s};
    row->slack_s = row->response_s - row->deadline_s;
    row->slack_s = isnan(row->slack_s) ? NAN : -row->slack_s;
}

/* Responses with every service at one end of its range: nobody can be sure of less. Where one has no upper
 * end, no response has, since it may be in the way of all. */
static void find_end(const ns_set *ns, bool is_high, roof_realtime_row *rows)
{
    ns_set scaled = *ns;
    uint64_t response_ns[ROOF_REALTIME_MOST_TASKS];
    bool has_end = true, is_told = true;
    for (uint32_t i = 0; i < ns->n; i++) {
        const roof_answer *service = &rows[i].service;
        double low_s, high_s;
        roof_answer_ends(service, &low_s, &high_s);
        const double service_ns =
            ceil((double)ns->tasks[i].service_ns * ((is_high ? high_s : low_s) / service->value));
        has_end = has_end && service_ns <= (double)NS_MOST;
        is_told = is_told && low_s > 0;
        scaled.tasks[i].service_ns = has_end ? (uint64_t)service_ns : ns->tasks[i].service_ns;
    }
    ns_responses(&scaled, response_ns);
    for (uint32_t i = 0; i < ns->n; i++) {
        const double response_s =
            has_end && response_ns[i] != NS_UNBOUNDED ? seconds_of(response_ns[i]) : INFINITY;
        if (is_high)
            rows[i].response_high_s = response_s;
        else
            rows[i].response_low_s = is_told ? response_s : NAN;
    }
}

static roof_status analyse(const roof_realtime_set *set, roof_realtime *out, roof_error *err)
{
    ns_set ns;
    uint64_t response_ns[ROOF_REALTIME_MOST_TASKS];
    roof_realtime_row *rows;
    const set_variant v = set_as_it_is(set);
    TRY(ARENA_GET(out->arena, rows, set->n_tasks, err));
    set_in_ns(set, &v, &ns);
    ns_responses(&ns, response_ns);
    out->busy_cores = set_busy_cores(set, &v);
    for (uint32_t i = 0; i < set->n_tasks; i++) {
        fill_row(set, &ns, response_ns, i, &rows[i]);
        TRY(find_delays(&ns, response_ns, i, &rows[i], out->arena, err));
        rows[i].name = arena_strdup(out->arena, set->tasks[i].name ? set->tasks[i].name : "");
        rows[i].device = rows[i].device ? arena_strdup(out->arena, rows[i].device) : NULL;
    }
    find_end(&ns, false, rows);
    find_end(&ns, true, rows);
    for (uint32_t i = 0; i < set->n_tasks; i++) {
        const roof_answer response = {.kind = ROOF_EXPECTED,
                                      .value = rows[i].response_s,
                                      .low = rows[i].response_low_s,
                                      .high = rows[i].response_high_s};
        rows[i].met = roof_answer_within(&response, seconds_of(ns.tasks[i].deadline_ns), false);
        out->n_missed += rows[i].met == ROOF_HELD_BROKEN;
        out->n_not_known += rows[i].met == ROOF_HELD_NOT_KNOWN;
    }
    out->rows = rows;
    out->n_rows = set->n_tasks;
    double *cores;
    TRY(ARENA_GET(out->arena, cores, ns.cores, err));
    for (uint32_t core = 0; core < ns.cores; core++)
        cores[core] = ns_utilisation(&ns, core);
    out->core_utilisation_ratios = ns.policy == ROOF_REALTIME_FIXED ? cores : NULL;
    out->utilisation_ratio = ns_utilisation(&ns, ROOF_NONE) / ns.cores;
    out->headroom_ratio = set_rate_factor(set, ROOF_NONE);
    if (!(out->headroom_ratio >= 1))
        TRY(set_find_changes(set, out->arena, &out->changes, &out->n_changes, err));
    return arena_status(out->arena, err);
}

roof_status roof_realtime_analyse(const roof_realtime_set *set, roof_realtime **out, roof_error *err)
{
    *out = NULL;
    TRY(check_set(set, err));
    roof_arena *arena;
    roof_realtime *result = NEW_ROOT(&arena, roof_realtime, err);
    if (!result)
        return ROOF_E_NO_MEMORY;
    *result = (roof_realtime){.policy = set->policy,
                              .cores = set->cores,
                              .board_cores = set->board_cores,
                              .hardware = set->hardware ? arena_strdup(arena, set->hardware) : NULL,
                              .clock_hz = set->clock_hz,
                              .arena = arena};
    const roof_status status = arena_settle(arena, analyse(set, result, err), err);
    *out = status == ROOF_OK ? result : NULL;
    return status;
}

ARENA_FREES(roof_realtime_free, roof_realtime, schedule)

/* --- event by event ----------------------------------------------------------------------------------- */

/* A queue that has grown so long is not followed: times are counted without an overflow. */
#define LATEST_NS (UINT64_MAX / 4)

static roof_status simulate(const roof_realtime_set *set, const uint64_t *offset_ns, uint64_t span_ns,
                            uint32_t most_jobs, roof_realtime_run *run, roof_error *err)
{
    ns_set ns;
    ns_simulation s;
    uint64_t end_ns = 0;
    roof_realtime_job *jobs = NULL;
    const set_variant v = set_as_it_is(set);
    set_in_ns(set, &v, &ns);
    ns_simulation_begin(&s, &ns, offset_ns, ROOF_NONE);
    while (ns_simulation_peek(&s) < span_ns && run->n_jobs < most_jobs && end_ns < LATEST_NS) {
        const ns_job job = ns_simulation_next(&s);
        end_ns = job.end_ns;
        TRY(ARENA_ADD(
            run->arena, jobs, run->n_jobs, err,
            (roof_realtime_job){.task = job.task,
                                .core = job.core,
                                .release_s = seconds_of(job.release_ns),
                                .start_s = seconds_of(job.start_ns),
                                .end_s = seconds_of(job.end_ns),
                                .is_late = job.end_ns - job.release_ns > ns.tasks[job.task].deadline_ns}));
        run->n_late += jobs[run->n_jobs - 1].is_late;
    }
    run->is_cut = ns_simulation_peek(&s) < span_ns;
    run->jobs = jobs;
    return ROOF_OK;
}

roof_status roof_realtime_simulate(const roof_realtime_set *set, const double *offsets_s, double span_s,
                                   uint32_t most_jobs, roof_realtime_run **out, roof_error *err)
{
    uint64_t offset_ns[ROOF_REALTIME_MOST_TASKS];
    *out = NULL;
    TRY(check_set(set, err));
    for (uint32_t i = 0; i < set->n_tasks; i++) {
        const double offset_s = offsets_s ? offsets_s[i] : 0;
        if (!(offset_s >= 0 && offset_s <= MOST_SECONDS))
            return error_set(err, ROOF_E_USAGE, "an offset of %g s; want 0 to %g s", offset_s, MOST_SECONDS);
        offset_ns[i] = (uint64_t)(offset_s * 1e9 + 0.5);
    }
    if (!is_time(span_s))
        return error_set(err, ROOF_E_USAGE, "a span of %g s; want 1 ns to %g s", span_s, MOST_SECONDS);
    roof_arena *arena;
    roof_realtime_run *run = NEW_ROOT(&arena, roof_realtime_run, err);
    if (!run)
        return ROOF_E_NO_MEMORY;
    run->arena = arena;
    roof_status status = simulate(set, offset_ns, (uint64_t)(span_s * 1e9), most_jobs, run, err);
    status = arena_settle(arena, status, err);
    *out = status == ROOF_OK ? run : NULL;
    return status;
}

ARENA_FREES(roof_realtime_run_free, roof_realtime_run, run)
