#include "reports/timeline/trace_layers.h"

/* As long as each network asks twice, and at least a second. */
#define LEAST_SPAN_S 1
enum { MOST_JOBS = 20000 };

typedef struct realtime_trace {
    traceout *trace;
    const roof_realtime *s;
    const roof_realtime_run *run;
} realtime_trace;

/* Cores come first, then networks, then what is late. */
static uint32_t row_of_network(const realtime_trace *t, uint32_t i)
{
    return TRACEOUT_FIRST_ROW + t->s->cores + i;
}

static double deadline_of(const realtime_trace *t, const roof_realtime_job *job)
{
    return job->release_s + t->s->rows[job->task].deadline_s;
}

static void put_event(const realtime_trace *t, uint32_t row, const char *name, double from_s, double to_s,
                      double end_s, const roof_realtime_job *job)
{
    jsonout *json = &t->trace->json;
    traceout_open(t->trace, row, name, from_s, to_s, end_s);
    jsonout_string(json, "network", t->s->rows[job->task].name);
    traceout_us(t->trace, "waited_us", job->start_s - job->release_s);
    traceout_us(t->trace, "response_us", job->end_s - job->release_s);
    traceout_us(t->trace, "slack_us", deadline_of(t, job) - job->end_s);
    jsonout_bool(json, "is_late", job->is_late);
    traceout_close(t->trace);
}

/* The next job on the same core, or of the same network; INFINITY: none. */
static double begin_of_next(const realtime_trace *t, uint32_t i, bool is_core)
{
    const roof_realtime_job *jobs = t->run->jobs;
    for (uint32_t k = i + 1; k < t->run->n_jobs; k++)
        if (is_core ? jobs[k].core == jobs[i].core : jobs[k].task == jobs[i].task)
            return is_core ? jobs[k].start_s : fmax(jobs[k].release_s, jobs[i].end_s);
    return INFINITY;
}

/* Events of a row do not overlap: an inference that is requested before the last one is done is shown from
 * then on, and its arguments say how long it waited. */
static void put_network(const realtime_trace *t, uint32_t network)
{
    double shown_until_s = 0;
    for (uint32_t i = 0; i < t->run->n_jobs; i++) {
        const roof_realtime_job *job = &t->run->jobs[i];
        if (job->task != network)
            continue;
        const double from_s = fmax(job->release_s, shown_until_s), start_s = fmax(job->start_s, from_s);
        if (start_s > from_s)
            put_event(t, row_of_network(t, network), "waits", from_s, start_s, start_s, job);
        shown_until_s = fmax(job->end_s, from_s);
        if (shown_until_s > start_s)
            put_event(t, row_of_network(t, network), job->is_late ? "runs, late" : "runs", start_s,
                      shown_until_s, begin_of_next(t, i, false), job);
    }
}

/* An instant at each deadline that passes before its inference is done. */
static void put_late(const realtime_trace *t)
{
    /* the row of a point is the job here */
    traceout_point *late = calloc(t->run->n_late, sizeof *late);
    uint32_t n = 0;
    t->trace->json.out->failed |= !late;
    for (uint32_t i = 0; late && i < t->run->n_jobs; i++)
        if (t->run->jobs[i].is_late)
            late[n++] = (traceout_point){i, deadline_of(t, &t->run->jobs[i])};
    if (late)
        order_sort(late, n, sizeof *late, ORDER_BY(RISING(traceout_point, at_s)));
    for (uint32_t i = 0; i < n; i++) {
        const roof_realtime_job *job = &t->run->jobs[late[i].row];
        put_event(t, row_of_network(t, t->s->n_rows), t->s->rows[job->task].name, late[i].at_s, NAN, NAN,
                  job);
    }
    free(late);
}

void traceout_put_realtime(traceout *trace, const roof_realtime *schedule)
{
    roof_realtime_task tasks[ROOF_REALTIME_MOST_TASKS];
    const roof_realtime_set set = {
        .tasks = tasks, .n_tasks = schedule->n_rows, .cores = schedule->cores, .policy = schedule->policy};
    roof_realtime_run *run;
    roof_error err;
    double span_s = LEAST_SPAN_S;
    for (uint32_t i = 0; i < schedule->n_rows; i++) { /* the set that the answer is of */
        const roof_realtime_row *row = &schedule->rows[i];
        tasks[i] = (roof_realtime_task){.name = row->name,
                                        .period_s = row->period_s,
                                        .deadline_s = row->has_own_deadline ? row->deadline_s : 0,
                                        .services = &row->service,
                                        .n_services = 1,
                                        .core = row->core};
        span_s = fmax(span_s, 2 * row->period_s);
    }
    if (roof_realtime_simulate(&set, NULL, span_s, MOST_JOBS, &run, &err) != ROOF_OK) {
        trace->json.out->failed = true;
        return;
    }
    const realtime_trace t = {trace, schedule, run};
    double end_s = 0;
    for (uint32_t i = 0; i < run->n_jobs; i++)
        end_s = fmax(end_s, fmax(run->jobs[i].end_s, deadline_of(&t, &run->jobs[i])));
    traceout_chain(trace, "networks", NULL);
    trace->total_s = end_s;
    traceout_process(trace, end_s, roof_realtime_policy_word(schedule->policy), schedule->hardware,
                     run->is_cut ? ", the first inferences" : "");
    char name[40];
    for (uint32_t core = 0; core < schedule->cores; core++) {
        snprintf(name, sizeof name, "core %u", core);
        traceout_row(trace, TRACEOUT_FIRST_ROW + core, name);
    }
    for (uint32_t i = 0; i < schedule->n_rows; i++)
        traceout_row(trace, row_of_network(&t, i), schedule->rows[i].name);
    if (run->n_late)
        traceout_row(trace, row_of_network(&t, t.s->n_rows), "missed deadlines");
    for (uint32_t core = 0; core < schedule->cores; core++)
        for (uint32_t i = 0; i < run->n_jobs; i++) {
            const roof_realtime_job *job = &run->jobs[i];
            if (job->core == core)
                put_event(&t, TRACEOUT_FIRST_ROW + core, schedule->rows[job->task].name, job->start_s,
                          job->end_s, begin_of_next(&t, i, true), job);
        }
    for (uint32_t i = 0; i < schedule->n_rows; i++)
        put_network(&t, i);
    if (run->n_late)
        put_late(&t);
    roof_realtime_run_free(run);
}
