/* Power beside times: which run it belongs to, and what it makes of one inference. */
#include "measure/import/power.h"
#include "measure/profile/run_facts.h"
#include "roofline/import.h"

/* --- which run ---------------------------------------------------------------------------------------- */

/* Nothing says that they are of different models or hardware. */
static bool is_same(const roof_experiment *a, const roof_experiment *b)
{
    return names_agree(a->model_name, b->model_name) && names_agree(a->hardware_id, b->hardware_id);
}

/* The run of a document that takes the power of an experiment, NULL for any; and how many there are. */
typedef struct receiver {
    roof_run *run;
    const roof_experiment *of;
    uint32_t n;
} receiver;

/* mode: NULL for any. */
static receiver find_mode(const roof_measured *m, const roof_experiment *from, const roof_run_mode *mode)
{
    receiver found = {NULL, NULL, 0};
    FOR_EACH(const roof_experiment, e, m->experiments, m->n_experiments) {
        if (from && !is_same(e, from))
            continue;
        FOR_EACH(roof_run, run, e->runs, e->n_runs) {
            if (run->mode == ROOF_RUN_LOAD) /* power times a latency is no energy: several are under way */
                continue;
            if (run_has_power(run) || !run_has_time(run) || (mode && run->mode != *mode))
                continue;
            found = (receiver){run, e, found.n + 1};
        }
    }
    return found;
}

/* Where several could take it, the only one of the mode does. */
static receiver find_receiver(const roof_measured *m, const roof_experiment *from, roof_run_mode mode)
{
    receiver same = find_mode(m, from, &mode);
    return same.n == 1 ? same : find_mode(m, from, NULL);
}

/* --- within a document -------------------------------------------------------------------------------- */

static void move_power(const roof_run *from, roof_run *to)
{
    to->energy_j = from->energy_j;
    to->power_w = from->power_w;
    to->idle_power_w = from->idle_power_w;
    to->power_scope = from->power_scope;
}

/* True if the power of another run could be that of the receiver as well. */
static bool is_contested(const roof_measured *m, const roof_run *power, const roof_experiment *receiver_of)
{
    FOR_EACH(const roof_experiment, e, m->experiments, m->n_experiments)
        for (uint32_t k = 0; k < e->n_runs; k++)
            if (&e->runs[k] != power && run_has_power_alone(&e->runs[k]) && is_same(e, receiver_of))
                return true;
    return false;
}

/* A run with nothing but power gives it to the only run that it can belong to, and is taken out, with its
 * experiment where that was all it had. False: there is none. */
static bool join_next(roof_measured *m)
{
    for (uint32_t i = 0; i < m->n_experiments; i++) {
        roof_experiment *e = &m->experiments[i];
        for (uint32_t k = 0; k < e->n_runs; k++) {
            const roof_run *power = &e->runs[k];
            const receiver to =
                run_has_power_alone(power) ? find_receiver(m, e, power->mode) : (receiver){NULL, NULL, 0};
            if (to.n != 1 || is_contested(m, power, to.of))
                continue;
            move_power(power, to.run);
            e->n_runs--;
            memmove(e->runs + k, e->runs + k + 1, (e->n_runs - k) * sizeof *e->runs);
            if (!e->n_runs)
                measured_remove_experiment(m, i);
            return true;
        }
    }
    return false;
}

uint32_t roof_measured_join_power(roof_measured *m)
{
    enum { MOST_ALONE = 64 }; /* each of them is held against all runs */
    uint32_t n = 0, n_joined = 0;
    for (uint32_t i = 0; i < m->n_experiments; i++)
        for (uint32_t k = 0; k < m->experiments[i].n_runs; k++)
            n += run_has_power_alone(&m->experiments[i].runs[k]);
    while (n <= MOST_ALONE && n_joined < n && join_next(m))
        n_joined++;
    return n_joined;
}

/* --- of a file ---------------------------------------------------------------------------------------- */

/* The window of a log, and what ran in it, as far as they are known. */
typedef struct log_part {
    const roof_power_options *options;
    const roof_power_trace *trace;
    power_window window;
    double idle_w, time_s; /* time_s: of one inference; NaN: unknown */
    uint64_t inferences;   /* 0: unknown */
    bool is_idle_seen;
} log_part;

static roof_status find_power(const roof_measured *power, const roof_run **out, roof_error *err)
{
    uint32_t n = 0;
    for (uint32_t i = 0; i < power->n_experiments; i++)
        for (uint32_t k = 0; k < power->experiments[i].n_runs; k++)
            if (run_has_power(&power->experiments[i].runs[k])) {
                *out = &power->experiments[i].runs[k];
                n++;
            }
    if (n == 1)
        return ROOF_OK;
    return error_data(err,
                      n ? "power of %u devices, want that of one: leave its rows alone in the file"
                        : "%u runs with power, want one: is it the file of a power meter?",
                      n);
}

static roof_status check_window(const log_part *l, roof_error *err)
{
    const roof_power_options *o = l->options;
    const power_window all = power_over(l->trace, NAN, NAN);
    if (isnan(all.energy_j))
        return error_data(err,
                          "its samples have no times, so that no window and no energy can be taken of them: "
                          "leave out --during and --inferences, which makes the energy power x time");
    if (o->from_s >= o->to_s)
        return error_data(err, "the window from %g s to %g s has no length", o->from_s, o->to_s);
    if (o->from_s > all.seconds || o->to_s > all.seconds * (1 + 1e-9))
        return error_data(err, "the log covers %g s, and the window goes to %g s", all.seconds,
                          isnan(o->to_s) ? o->from_s : o->to_s);
    return ROOF_OK;
}

static const char *idle_text(const log_part *l, char buffer[80])
{
    if (isnan(l->idle_w))
        return "idle power is unknown, and included";
    snprintf(buffer, 80, "without %s of idle power%s", SHOWN_QUANTITY(l->idle_w, "W"),
             l->is_idle_seen ? ", the mean before the window" : "");
    return buffer;
}

/* "4.6 W while it ran (200 J in 43.5 s, 100 inferences), ..." */
static const char *tell(const log_part *l, const roof_run *run, roof_arena *arena)
{
    char idle[80];
    const char *power = SHOWN_QUANTITY(run->power_w, "W");
    if (!l->trace)
        return arena_printf(arena, "its energy and power are those of the run");
    if (!l->inferences)
        return arena_printf(arena,
                            "%s while it ran; how many inferences did is not stated, so that energy is power "
                            "x time, as if it never waited; %s",
                            power, idle_text(l, idle));
    double spare = 1 - (double)l->inferences * l->time_s / l->window.seconds;
    const char *busy =
        isnan(spare) ? ""
        : spare < -0.02
            ? "; they take longer than the window one after the other: did several run at once?"
            : arena_printf(arena, "; nothing ran in %.0f %% of the window, whose energy is included",
                           100 * fmax(spare, 0));
    return arena_printf(arena, "%s while it ran: %s in %s, %llu inferences; %s%s", power,
                        SHOWN_QUANTITY(l->window.energy_j, "J"), SHOWN_QUANTITY(l->window.seconds, "s"),
                        (unsigned long long)l->inferences, idle_text(l, idle), busy ? busy : "");
}

static roof_status measure_window(log_part *l, roof_run *run, roof_error *err)
{
    enum { LEAST_IDLE = 3 };
    const double before = 0.8; /* the last fifth may be that of something starting */
    const roof_power_options *o = l->options;
    bool is_cut = !isnan(o->from_s) || !isnan(o->to_s);
    if (is_cut || o->inferences)
        TRY(check_window(l, err));
    l->window = power_over(l->trace, o->from_s, o->to_s);
    if (is_cut && !l->window.n)
        return error_data(err, "no sample in the window");
    l->idle_w = o->idle_power_w;
    if (isnan(l->idle_w) && !isnan(o->from_s)) {
        /* Samples before the window are idle when all are below its mean, and their mean by a tenth. */
        const power_window quiet = power_over(l->trace, NAN, before * o->from_s);
        l->is_idle_seen = quiet.n >= LEAST_IDLE && quiet.most_w < l->window.mean_w &&
                          quiet.mean_w < 0.9 * l->window.mean_w && quiet.mean_w >= 0;
        l->idle_w = l->is_idle_seen ? quiet.mean_w : NAN;
    }
    if (l->idle_w > l->window.mean_w)
        return error_data(err, "idle power of %g W is more than the %g W while it ran", l->idle_w,
                          l->window.mean_w);
    /* As many as the user says; or those of the run, where they are what the window was filled with. */
    double filled =
        run->iterations == ROOF_UNKNOWN ? NAN : (double)run->iterations * l->time_s / l->window.seconds;
    l->inferences = o->inferences ? o->inferences : filled >= 0.8 && filled <= 1.02 ? run->iterations : 0;
    double net_j = l->window.energy_j - (isnan(l->idle_w) ? 0 : l->idle_w * l->window.seconds);
    run->power_w = l->window.mean_w;
    run->idle_power_w = l->idle_w;
    run->energy_j = l->inferences ? net_j / (double)l->inferences : NAN;
    return ROOF_OK;
}

roof_status roof_measured_lay_power(roof_measured *into, roof_measured *power,
                                    const roof_power_options *options, const char **how, roof_error *err)
{
    const roof_run *from = NULL;
    const receiver to = find_receiver(into, NULL, ROOF_RUN_BYPASS);
    TRY(find_power(power, &from, err));
    if (to.n != 1)
        return error_data(
            err, "%u runs have a time and no power, want one: import the one that it was measured of alone",
            to.n);
    log_part l = {.options = options,
                  .trace = from->power_trace,
                  .idle_w = NAN,
                  .time_s = times_typical(&to.run->total)};
    roof_run laid = *to.run;
    move_power(from, &laid);
    if (!l.trace && !(isnan(options->from_s) && isnan(options->to_s)))
        return error_data(err, "it has no samples, of which --during could take some");
    if (l.trace)
        TRY(measure_window(&l, &laid, err));
    else if (options->inferences == 0 && !isnan(options->idle_power_w))
        laid.idle_power_w = options->idle_power_w;
    *how = tell(&l, &laid, power->storage->arena);
    TRY(arena_status(power->storage->arena, err));
    TRY(source_add_note(power, &power->sources[0], *how, err));
    uint32_t n = power->n_experiments;
    power->n_experiments = 0; /* its run is that of into now */
    roof_status status = roof_measured_merge(into, power, err);
    power->n_experiments = status == ROOF_OK ? 0 : n;
    if (status == ROOF_OK)
        move_power(&laid, to.run);
    return status;
}
