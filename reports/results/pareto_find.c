#include "reports/results/results_line.h"

/* --- costs ---------------------------------------------------------------------------------------------- */

static const char *const cost_words[ROOF_COSTS] = {[ROOF_COST_COMPUTE] = "compute",
                                                   [ROOF_COST_BANDWIDTH] = "bandwidth",
                                                   [ROOF_COST_THREADS] = "threads",
                                                   [ROOF_COST_BATCH] = "batch",
                                                   [ROOF_COST_CLOCK] = "clock"};

const char *roof_cost_word(roof_cost_kind cost)
{
    return cost < ROOF_COSTS ? cost_words[cost] : "none";
}

roof_cost_kind roof_cost_named(const char *word)
{
    return (roof_cost_kind)WORD_AT(cost_words, ROOF_COSTS, word);
}

double roof_swept_cost(const roof_swept_configuration *c, roof_cost_kind cost)
{
    const double costs[ROOF_COSTS] = {[ROOF_COST_COMPUTE] = c->cores * c->peak_ops_per_s,
                                      [ROOF_COST_BANDWIDTH] = c->bandwidth_bytes_per_s,
                                      [ROOF_COST_THREADS] = c->threads,
                                      [ROOF_COST_BATCH] = c->batch,
                                      [ROOF_COST_CLOCK] = c->clock_hz};
    /* 0: not requested, or unknown */
    return cost < ROOF_COSTS && costs[cost] > 0 ? costs[cost] : (double)NAN;
}

/* Among those that are known. */
static bool differs(const roof_pareto *f, roof_cost_kind cost, bool *is_known)
{
    double first = (double)NAN;
    *is_known = false;
    for (uint32_t i = 0; i < f->n_configurations; i++) {
        const double one = roof_swept_cost(&f->configurations[i], cost);
        if (isnan(one))
            continue;
        if (*is_known && (one < first || one > first))
            return true;
        first = one;
        *is_known = true;
    }
    return false;
}

static roof_status choose_cost(roof_pareto *f, roof_cost_kind requested, roof_error *err)
{
    bool is_known[ROOF_COSTS];
    f->cost = requested;
    for (roof_cost_kind cost = 0; cost < ROOF_COSTS; cost++)
        f->varies[cost] = differs(f, cost, &is_known[cost]);
    /* the clock is in the compute already */
    for (roof_cost_kind cost = 0; cost < ROOF_COSTS && f->cost == ROOF_COSTS; cost++)
        f->cost = f->varies[cost] ? cost : ROOF_COSTS;
    for (uint32_t i = 1; i < f->n_configurations; i++) {
        const roof_swept_configuration *c = &f->configurations[i];
        const bool is_same_device = strcmp(c[-1].device, c->device) == 0;
        f->devices_vary = f->devices_vary || !is_same_device;
        f->types_vary =
            f->types_vary || (c->data_type && c[-1].data_type && strcmp(c->data_type, c[-1].data_type) != 0);
        for (roof_cost_kind cost = 0; cost < ROOF_COSTS && is_same_device; cost++) {
            const double a = roof_swept_cost(c - 1, cost), b = roof_swept_cost(c, cost);
            f->is_named[cost] = f->is_named[cost] || a < b || a > b;
        }
    }
    return requested == ROOF_COSTS || is_known[requested]
               ? ROOF_OK
               : error_set(err, ROOF_E_USAGE, "no point has a cost of the kind '%s'",
                           roof_cost_word(requested));
}

/* --- fronts --------------------------------------------------------------------------------------------- */

double roof_pareto_front_rate(const roof_pareto *f, const roof_pareto_front *front, uint32_t configuration)
{
    return front->model == ROOF_NONE ? f->together_per_s[configuration]
                                     : f->rates[(size_t)front->model * f->n_configurations + configuration];
}

bool roof_pareto_front_is_estimate(const roof_pareto *f, const roof_pareto_front *front,
                                   uint32_t configuration)
{
    bool is_any = false;
    for (uint32_t m = 0; m < f->n_models; m++)
        if (front->model == ROOF_NONE ? f->are_together[m] : m == front->model)
            is_any = is_any || f->are_estimates[(size_t)m * f->n_configurations + configuration];
    return is_any;
}

typedef struct candidate {
    double cost, rate;
    uint32_t configuration;
} candidate;

/* In the order of their costs, of one cost the fastest first, each that makes more than all before it. */
static roof_status find_front(const roof_pareto *f, roof_pareto_front *front, roof_error *err)
{
    candidate *all = calloc(f->n_configurations + 1U, sizeof *all);
    double most = 0;
    for (uint32_t i = 0; i < f->n_configurations && all; i++) {
        /* all cost the same where they differ in nothing */
        const double cost = f->cost == ROOF_COSTS ? 1 : roof_swept_cost(&f->configurations[i], f->cost),
                     rate = roof_pareto_front_rate(f, front, i);
        if (isnan(rate))
            front->n_incomplete++;
        else if (isnan(cost))
            front->n_costless++;
        else
            all[front->n_compared++] = (candidate){cost, rate, i};
    }
    if (all)
        order_sort(
            all, front->n_compared, sizeof *all,
            ORDER_BY(RISING(candidate, cost), FALLING(candidate, rate), RISING(candidate, configuration)));
    for (uint32_t i = 0; all && i < front->n_compared; i++)
        if (all[i].rate > most) {
            most = all[i].rate;
            all[front->n++] = all[i];
        }
    front->configurations = all ? calloc(front->n + 1U, sizeof *front->configurations) : NULL;
    for (uint32_t i = 0; front->configurations && i < front->n; i++)
        front->configurations[i] = all[i].configuration;
    free(all);
    return front->configurations ? ROOF_OK : error_memory(err);
}

/* --- several models together ---------------------------------------------------------------------------- */

/* The models that the first configuration with most results has a result for. */
static roof_status put_together(roof_pareto *f, roof_error *err)
{
    double *together;
    uint32_t best = 0;
    TRY(ARENA_GET(f->arena, together, f->n_configurations, err));
    TRY(ARENA_GET(f->arena, f->are_together, f->n_models, err));
    for (uint32_t i = 0; i < f->n_configurations; i++) {
        uint32_t n = 0;
        for (uint32_t m = 0; m < f->n_models; m++)
            n += isnan(f->rates[(size_t)m * f->n_configurations + i]) ? 0 : 1;
        best = n > f->n_together ? i : best;
        f->n_together = n > f->n_together ? n : f->n_together;
    }
    for (uint32_t m = 0; m < f->n_models; m++)
        f->are_together[m] = !isnan(f->rates[(size_t)m * f->n_configurations + best]);
    for (uint32_t i = 0; i < f->n_configurations; i++) {
        double sum = 0;
        for (uint32_t m = 0; m < f->n_models; m++)
            if (f->are_together[m])
                sum += log(f->rates[(size_t)m * f->n_configurations + i]);
        together[i] = f->n_together ? exp(sum / f->n_together) : (double)NAN; /* NaN of one makes it so */
    }
    f->together_per_s = together;
    return ROOF_OK;
}

roof_status pareto_find(roof_pareto *f, roof_cost_kind requested, roof_error *err)
{
    const bool are_few = f->n_models <= ROOF_FRONTS_MOST;
    TRY(choose_cost(f, requested, err));
    if (!are_few)
        TRY(put_together(f, err));
    TRY(ARENA_GET(f->arena, f->fronts, are_few ? f->n_models : 1, err));
    f->n_fronts = are_few ? f->n_models : 1;
    for (uint32_t i = 0; i < f->n_fronts; i++) {
        f->fronts[i].model = are_few ? i : ROOF_NONE;
        TRY(find_front(f, &f->fronts[i], err));
    }
    return ROOF_OK;
}
