#include "model/explore/realtime/responses.h"

/* --- a set in nanoseconds ------------------------------------------------------------------------------ */

/* Part of a nanosecond; doubles of seconds are no nearer to the written value. */
#define ROUNDING_NS 1e-6

static uint64_t clamped(double ns)
{
    return ns < 1 ? 1 : ns > (double)NS_MOST ? NS_MOST : (uint64_t)ns;
}

static uint64_t ns_down(double seconds)
{
    return clamped(floor(seconds * 1e9 + ROUNDING_NS));
}

set_variant set_as_it_is(const roof_realtime_set *set)
{
    return (set_variant){set->policy, set->cores, 1, 1, ROOF_NONE, NULL};
}

static uint32_t core_of(const roof_realtime_set *set, const set_variant *v, uint32_t i)
{
    const uint32_t own = set->tasks[i].core;
    return v->core_of ? v->core_of[i] : own != ROOF_NONE && own < v->cores ? own : i % v->cores;
}

uint32_t set_busy_cores(const roof_realtime_set *set, const set_variant *v)
{
    bool is_used[ROOF_REALTIME_MOST_CORES] = {false};
    uint32_t n = 0;
    if (v->policy == ROOF_REALTIME_FIFO)
        return set->n_tasks < v->cores ? set->n_tasks : v->cores;
    for (uint32_t i = 0; i < set->n_tasks; i++) {
        const uint32_t core = core_of(set, v, i);
        n += !is_used[core];
        is_used[core] = true;
    }
    return n;
}

const roof_answer *set_service(const roof_realtime_task *task, uint32_t busy_cores)
{
    return &task->services[busy_cores < task->n_services ? busy_cores - 1 : task->n_services - 1];
}

void set_in_ns(const roof_realtime_set *set, const set_variant *v, ns_set *out)
{
    const uint32_t busy = set_busy_cores(set, v);
    *out = (ns_set){.n = set->n_tasks, .cores = v->cores, .policy = v->policy};
    for (uint32_t i = 0; i < set->n_tasks; i++) {
        const roof_realtime_task *task = &set->tasks[i];
        const double factor = v->rate_of == ROOF_NONE || v->rate_of == i ? v->rate_factor : 1;
        const double period_s = task->period_s / factor;
        out->tasks[i] = (ns_task){
            .period_ns = ns_down(period_s),
            .deadline_ns = ns_down(task->deadline_s > 0 ? task->deadline_s : period_s),
            .service_ns = clamped(ceil(set_service(task, busy)->value / v->clock_factor * 1e9 - ROUNDING_NS)),
            .core = core_of(set, v, i)};
    }
}

static bool fits(const roof_realtime_set *set, const set_variant *v)
{
    ns_set ns;
    set_in_ns(set, v, &ns);
    return ns_fits(&ns);
}

/* --- factors ------------------------------------------------------------------------------------------ */

/* The factor that is varied. */
typedef enum factor_kind { FACTOR_OF_CLOCK, FACTOR_OF_RATE } factor_kind;
#define MOST_FACTOR   1e4
#define FACTOR_STEPS  1e4 /* factors are whole numbers of these parts, so that they suffice as printed */
#define BISECTIONS    60
#define MOST_OF_CLOCK 64

static bool fits_by(const roof_realtime_set *set, set_variant v, factor_kind kind, double factor)
{
    v.clock_factor = kind == FACTOR_OF_CLOCK ? factor : 1;
    v.rate_factor = kind == FACTOR_OF_RATE ? factor : 1;
    return fits(set, &v);
}

/* Where fitting begins or ends between two factors of which one fits; in logarithms, since both are far from
 * one another. Returns the one that fits. */
static double border(const roof_realtime_set *set, const set_variant *v, factor_kind kind, double fitting,
                     double other)
{
    for (int i = 0; i < BISECTIONS; i++) {
        const double middle = sqrt(fitting * other);
        if (fits_by(set, *v, kind, middle))
            fitting = middle;
        else
            other = middle;
    }
    return fitting;
}

double set_rate_factor(const roof_realtime_set *set, uint32_t task)
{
    set_variant v = set_as_it_is(set);
    v.rate_of = task;
    if (fits_by(set, v, FACTOR_OF_RATE, MOST_FACTOR))
        return MOST_FACTOR;
    if (!fits_by(set, v, FACTOR_OF_RATE, 1 / MOST_FACTOR))
        return NAN;
    const double factor = border(set, &v, FACTOR_OF_RATE, 1 / MOST_FACTOR, MOST_FACTOR);
    const double rounded = floor(factor * FACTOR_STEPS * (1 + 1e-12)) / FACTOR_STEPS;
    return rounded > 0 && fits_by(set, v, FACTOR_OF_RATE, rounded) ? rounded : factor;
}

/* --- placement of networks on cores --------------------------------------------------------------------- */

enum { MOST_TRIED = 50000 };

typedef struct search {
    const roof_realtime_set *set;
    set_variant v;
    uint32_t order[ROOF_REALTIME_MOST_TASKS]; /* the largest first */
    uint32_t core_of[ROOF_REALTIME_MOST_TASKS];
    uint32_t best[ROOF_REALTIME_MOST_TASKS];
    double least_load; /* of the best */
    uint32_t n_tried;
} search;

static double size_of(const roof_realtime_task *task)
{
    return set_service(task, task->n_services)->value / task->period_s;
}

/* How much of what it may hold the fullest core does: of its time, or of its shortest deadline. The set fits
 * up to 1. */
static double load_of(const ns_set *ns)
{
    double most = 0;
    for (uint32_t core = 0; core < ns->cores; core++) {
        double sum_ns = 0, least_ns = INFINITY;
        for (uint32_t i = 0; i < ns->n; i++)
            if (ns->tasks[i].core == core) {
                sum_ns += (double)ns->tasks[i].service_ns;
                least_ns = fmin(least_ns, (double)ns->tasks[i].deadline_ns);
            }
        most = fmax(most, fmax(sum_ns / least_ns, ns_utilisation(ns, core)));
    }
    return most;
}

static void try_assignment(search *s)
{
    ns_set ns;
    s->v.core_of = s->core_of;
    set_in_ns(s->set, &s->v, &ns);
    const double load = ns_fits(&ns) ? load_of(&ns) : INFINITY;
    s->n_tried++;
    if (!(load < s->least_load))
        return;
    s->least_load = load;
    memcpy(s->best, s->core_of, sizeof s->best);
}

/* Cores are alike: the task at a place goes to one that is used, or to the next one. Counts up like an
 * odometer; false behind the last. */
static bool next_assignment(search *s)
{
    const uint32_t n = s->set->n_tasks;
    for (uint32_t i = n; i-- > 1;) {
        uint32_t used = 0;
        for (uint32_t k = 0; k < i; k++)
            used = s->core_of[k] + 1 > used ? s->core_of[k] + 1 : used;
        const uint32_t most = used < s->v.cores ? used : s->v.cores - 1;
        if (s->core_of[i] < most) {
            s->core_of[i]++;
            memset(&s->core_of[i + 1], 0, (n - i - 1) * sizeof *s->core_of);
            return true;
        }
    }
    return false;
}

/* The largest first, each on the first core that it fits with those that are there: "first fit decreasing".
 * Services as with all cores busy, the worst there is. */
static void try_first_fit(search *s)
{
    uint64_t sum_ns[ROOF_REALTIME_MOST_CORES] = {0}, least_ns[ROOF_REALTIME_MOST_CORES];
    double used[ROOF_REALTIME_MOST_CORES] = {0};
    ns_set ns;
    set_variant v = set_as_it_is(s->set);
    memset(least_ns, 0xff, sizeof least_ns);
    set_in_ns(s->set, &v, &ns);
    for (uint32_t k = 0; k < ns.n; k++) {
        const ns_task *task = &ns.tasks[s->order[k]];
        const double use = (double)task->service_ns / (double)task->period_ns;
        uint32_t core = 0;
        for (; core < ns.cores; core++) {
            const uint64_t least = task->deadline_ns < least_ns[core] ? task->deadline_ns : least_ns[core];
            if (sum_ns[core] + task->service_ns <= least && used[core] + use <= 1) {
                least_ns[core] = least;
                break;
            }
        }
        if (core == ns.cores)
            return;
        sum_ns[core] += task->service_ns;
        used[core] += use;
        s->core_of[s->order[k]] = core;
    }
    try_assignment(s);
}

static roof_status find_assignment(const roof_realtime_set *set, roof_arena *arena, const uint32_t **out,
                                   roof_error *err)
{
    search s = {.set = set, .v = set_as_it_is(set), .least_load = INFINITY};
    *out = NULL;
    if (set->policy != ROOF_REALTIME_FIXED || set->cores < 2 || set->n_tasks < 2)
        return ROOF_OK;
    for (uint32_t i = 0; i < s.set->n_tasks; i++) { /* the largest first */
        uint32_t at = i;
        for (; at && size_of(&s.set->tasks[s.order[at - 1]]) < size_of(&s.set->tasks[i]); at--)
            s.order[at] = s.order[at - 1];
        s.order[at] = i;
    }
    if (pow(set->cores, set->n_tasks > 1 ? set->n_tasks - 1 : 1) <= MOST_TRIED) {
        memset(s.core_of, 0, sizeof s.core_of);
        do
            try_assignment(&s);
        while (s.n_tried < MOST_TRIED && next_assignment(&s));
    } else
        try_first_fit(&s);
    if (isinf(s.least_load))
        return ROOF_OK;
    *out = s.best;
    return ARENA_KEEP(arena, *out, set->n_tasks, err);
}

/* --- all changes ---------------------------------------------------------------------------------------- */

/* Cores that there would have to be; 0: more than can be had. */
static uint32_t cores_that_fit(const roof_realtime_set *set)
{
    enum { LEAST_MOST = 8 };
    const uint32_t board = set->board_cores ? set->board_cores : set->cores;
    const uint32_t wanted = 2 * board > LEAST_MOST ? 2 * board : LEAST_MOST;
    const uint32_t most = wanted < ROOF_REALTIME_MOST_CORES ? wanted : ROOF_REALTIME_MOST_CORES;
    set_variant v = set_as_it_is(set);
    for (v.cores = set->cores + 1; v.cores <= most; v.cores++) {
        uint32_t spread[ROOF_REALTIME_MOST_TASKS];
        for (uint32_t i = 0; i < set->n_tasks; i++)
            spread[i] = i % v.cores;
        v.core_of = spread;
        if (fits(set, &v))
            return v.cores;
    }
    return 0;
}

static roof_realtime_change change_of(const roof_realtime_set *set, roof_realtime_kind kind, double factor,
                                      double size_ratio)
{
    return (roof_realtime_change){.kind = kind,
                                  .factor = factor,
                                  .size_ratio = size_ratio,
                                  .task = ROOF_NONE,
                                  .cores = set->cores,
                                  .policy = set->policy};
}

/* The network whose rate has to fall least. */
static bool best_rate_of_one(const roof_realtime_set *set, roof_realtime_change *out)
{
    *out = change_of(set, ROOF_REALTIME_CHANGE_RATE_OF_ONE, 0, 1);
    for (uint32_t i = 0; set->n_tasks > 1 && i < set->n_tasks; i++) {
        const double factor = set_rate_factor(set, i);
        if (factor > out->factor) {
            out->factor = factor;
            out->task = i;
            out->size_ratio = 1 - factor;
        }
    }
    return out->task != ROOF_NONE;
}

roof_status set_find_changes(const roof_realtime_set *set, roof_arena *arena,
                             const roof_realtime_change **changes, uint32_t *n, roof_error *err)
{
    roof_realtime_change *found;
    const uint32_t *assignment = NULL;
    const bool is_one_device = !set->tasks->device;
    set_variant other = set_as_it_is(set);
    TRY(ARENA_GET(arena, found, ROOF_REALTIME_CHANGES, err));
    if (is_one_device)
        TRY(find_assignment(set, arena, &assignment, err));
    *n = 0;
    if (assignment) {
        found[*n] = change_of(set, ROOF_REALTIME_CHANGE_CORES_OF_NETWORKS, NAN, 0);
        found[(*n)++].core_of = assignment;
    }
    other.policy = set->policy == ROOF_REALTIME_FIXED ? ROOF_REALTIME_FIFO : ROOF_REALTIME_FIXED;
    if (is_one_device && set->cores > 1 && fits(set, &other)) {
        found[*n] = change_of(set, ROOF_REALTIME_CHANGE_POLICY, NAN, 0);
        found[(*n)++].policy = other.policy;
    }
    if (is_one_device && fits_by(set, set_as_it_is(set), FACTOR_OF_CLOCK, MOST_OF_CLOCK)) {
        const set_variant v = set_as_it_is(set);
        const double border_at = border(set, &v, FACTOR_OF_CLOCK, MOST_OF_CLOCK, 1),
                     clock = ceil(border_at * FACTOR_STEPS * (1 - 1e-12)) / FACTOR_STEPS;
        found[(*n)++] = change_of(set, ROOF_REALTIME_CHANGE_CLOCK, clock, clock - 1);
    }
    const double rates = set_rate_factor(set, ROOF_NONE);
    if (!isnan(rates))
        found[(*n)++] = change_of(set, ROOF_REALTIME_CHANGE_RATES, rates, 1 - rates);
    if (best_rate_of_one(set, &found[*n]))
        ++*n;
    const uint32_t cores = is_one_device ? cores_that_fit(set) : 0;
    if (cores) {
        found[*n] = change_of(set, ROOF_REALTIME_CHANGE_CORES, NAN, (double)cores / (double)set->cores - 1);
        found[*n].cores = cores;
        found[(*n)++].is_beyond_board = set->board_cores && cores > set->board_cores;
    }
    order_sort(found, *n, sizeof *found,
               ORDER_BY(RISING(roof_realtime_change, size_ratio), RISING(roof_realtime_change, kind)));
    *changes = found;
    return ROOF_OK;
}
