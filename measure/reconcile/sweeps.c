#include "measure/reconcile/steps.h"
#include "model/predict/closed.h"
#include "roofline/predictions.h"

/* --- which runs belong together ------------------------------------------------------------------------- */

/* A load run, and the sweep that it belongs to. */
typedef struct placed {
    roof_load_run load;
    uint32_t sweep, threads;
} placed;

static roof_status group(reconciler *r)
{
    roof_reconciliation *out = r->out;
    placed *all;
    TRY(ARENA_GET(r->arena, all, out->n_loads, r->err));
    for (uint32_t i = 0; i < out->n_loads; i++) {
        const roof_load_run *own = &out->loads[i];
        uint32_t first = 0;
        while (!text_same(out->loads[first].model, own->model) ||
               !text_same(out->loads[first].hardware, own->hardware))
            first++;
        all[i] = (placed){*own, first, own->run->threads};
    }
    order_sort(all, out->n_loads, sizeof *all, ORDER_BY(RISING(placed, sweep), RISING(placed, threads)));
    TRY(ARENA_GET(r->arena, out->sweeps, out->n_loads, r->err));
    for (uint32_t i = 0; i < out->n_loads; i++) {
        out->loads[i] = all[i].load;
        if (!i || all[i].sweep != all[i - 1].sweep)
            out->sweeps[out->n_sweeps++] = (roof_sweep){.first_load = i};
        out->sweeps[out->n_sweeps - 1].n_loads++;
    }
    return ROOF_OK;
}

/* --- the fit -------------------------------------------------------------------------------------------- */

/* A closed system whose times are in units of S(1): only ratios are fitted. */
typedef struct shape {
    double contention_ratio, host_ratio;
} shape;

static double shaped_seconds(const void *of, double busy, double *memory_ratio)
{
    *memory_ratio = NAN;
    return 1 + ((const shape *)of)->contention_ratio * (busy - 1);
}

static roof_load_point shaped_point(const shape *s, uint32_t cores, uint32_t threads)
{
    const closed_system c = {
        .cores = cores, .service_s = shaped_seconds, .of = s, .host_s = s->host_ratio, .cpu_cores = NAN};
    roof_load_point x = {0};
    closed_point(&c, threads, &x);
    return x;
}

typedef struct fitted {
    shape shape;
    double service_s, squares;
    uint32_t n; /* points */
} fitted;

/* Points of a fit: runs of a sweep, but for those with as many threads as left_out. */
typedef struct evidence {
    const roof_load_run *loads;
    uint32_t n, cores, left_out;
    bool has_contention, has_host;
} evidence;

/* Rate of a run, inferences/s: a core does a batch at a time. NaN: unknown. */
static double inferences_per_s(const roof_run *run)
{
    return run->frames_per_s > 0 ? run->frames_per_s / run_batch(run) : (double)NAN;
}

static bool counts(const evidence *of, uint32_t i)
{
    const roof_run *run = of->loads[i].run;
    return inferences_per_s(run) > 0 && run->threads != of->left_out && run->threads <= ROOF_MOST_THREADS;
}

/* S(1) of a shape is that of the mean of logarithms. */
static fitted judge(const evidence *of, const shape *s)
{
    double sum = 0, squares = 0;
    uint32_t n = 0;
    for (uint32_t i = 0; i < of->n; i++) {
        if (!counts(of, i))
            continue;
        const double ratio = log(shaped_point(s, of->cores, of->loads[i].run->threads).fps /
                                 inferences_per_s(of->loads[i].run));
        sum += ratio;
        squares += ratio * ratio;
        n++;
    }
    return (fitted){*s, n ? exp(sum / n) : NAN, n ? fmax(0, squares - sum * sum / n) : INFINITY, n};
}

/* Grids around the best of the one before, each a fifth as wide: a few thousand points, and no minimum at the
 * edge, where most are, is missed. */
static fitted fit(const evidence *of)
{
    enum { ROUNDS = 6, STEPS = 10 };
    static const double widest = 2; /* S(2) three times S(1); a host of twice S(1) */
    fitted best = judge(of, &(shape){0, 0});
    for (int round = 0; round < ROUNDS; round++) {
        const double width = widest / pow(5, round);
        const shape middle = round ? best.shape : (shape){widest / 2, widest / 2};
        for (int i = 0; i <= (of->has_contention ? STEPS : 0); i++)
            for (int k = 0; k <= (of->has_host ? STEPS : 0); k++) {
                const double across = width / STEPS;
                const shape s = {
                    of->has_contention ? fmax(0, middle.contention_ratio - width / 2 + i * across) : 0,
                    of->has_host ? fmax(0, middle.host_ratio - width / 2 + k * across) : 0};
                const fitted f = judge(of, &s);
                best = f.squares < best.squares ? f : best;
            }
    }
    return best;
}

/* Finds the constants that the numbers of threads can separate; false: there is nothing to fit. */
static bool find_evidence(evidence *of)
{
    uint32_t distinct = 0, last = 0, above = 0, several = 0;
    bool has_one = false;
    for (uint32_t i = 0; i < of->n; i++) {
        const uint32_t threads = of->loads[i].run->threads;
        if (!counts(of, i) || threads == last)
            continue;
        last = threads;
        distinct++;
        has_one = has_one || threads == 1;
        above += threads > of->cores;
        several += threads > 1;
    }
    of->has_contention = of->cores > 1 && has_one && several;
    of->has_host = above && distinct > above && distinct > 1u + of->has_contention;
    return distinct > 0 && of->cores;
}

/* --- beside the prediction ------------------------------------------------------------------------------ */

/* Between whole numbers of busy cores in proportion: the law's own line bends little there. */
static double predicted_seconds(const void *of, double busy, double *memory_ratio)
{
    const roof_throughput *t = &((const roof_prediction *)of)->throughput;
    const double whole = fmax(1, fmin(floor(busy), t->n_service)), part = fmax(0, busy - whole);
    const uint32_t below = (uint32_t)whole - 1, above = below + 1 < t->n_service ? below + 1 : below;
    *memory_ratio = t->service[below].memory_ratio;
    return t->service[below].seconds + part * (t->service[above].seconds - t->service[below].seconds);
}

static void add_law(const roof_sweep *sweep, roof_load_run *load)
{
    const roof_prediction *p = load->prediction;
    const bool is_known = p && p->throughput.n_service && p->throughput.n_service >= sweep->cores;
    roof_load_point x = {0};
    load->law_fps = NAN;
    if (!is_known || !sweep->cores || run_batch(load->run) > 1 || load->run->threads > ROOF_MOST_THREADS)
        return;
    const closed_system c = {.cores = sweep->cores,
                             .service_s = predicted_seconds,
                             .of = p,
                             .host_s = sweep->has_host ? sweep->host_s : 0,
                             .cpu_cores = NAN};
    closed_point(&c, load->run->threads, &x);
    load->law_fps = x.fps;
}

/* --- a sweep -------------------------------------------------------------------------------------------- */

/* Rate that a fit to all other numbers of threads gives for this one, over the measured one, less 1; NaN
 * where the others separate fewer constants than all of them. */
static double left_out_ratio(const evidence *all, const roof_load_run *load)
{
    const double per_s = inferences_per_s(load->run);
    evidence others = *all;
    others.left_out = load->run->threads;
    if (!(per_s > 0) || load->run->threads > ROOF_MOST_THREADS || !find_evidence(&others) ||
        others.has_contention < all->has_contention || others.has_host < all->has_host)
        return NAN;
    others.has_contention = all->has_contention;
    others.has_host = all->has_host;
    const fitted f = fit(&others);
    return shaped_point(&f.shape, all->cores, load->run->threads).fps / f.service_s / per_s - 1;
}

/* True if one more constant predicts points that are left out, and not only those that it is fitted to: their
 * squares have to be less than two thirds of those without it, which have to be worth it: half a percent. */
static bool foretells(const evidence *with, const evidence *without)
{
    static const double less = 2.0 / 3, worth_it = 0.005 * 0.005;
    double squares[2] = {0, 0};
    uint32_t n = 0;
    for (uint32_t i = 0; i < with->n; i++) {
        const double own = left_out_ratio(with, &with->loads[i]);
        const double other = left_out_ratio(without, &with->loads[i]);
        if (isnan(own) || isnan(other))
            continue;
        squares[0] += own * own;
        squares[1] += other * other;
        n++;
    }
    return n > 1 && squares[0] < less * squares[1] && squares[1] > n * worth_it;
}

/* A constant that predicts nothing is none: four points are soon met by three of them. */
static void choose_constants(evidence *of)
{
    enum { CONTENTION = 1, HOST = 2 };
    const evidence able = *of;
    of->has_contention = of->has_host = false;
    for (int what = CONTENTION; what <= (CONTENTION | HOST); what++) {
        evidence with = *of;
        with.has_contention = what & CONTENTION;
        with.has_host = what & HOST;
        if (with.has_contention <= able.has_contention && with.has_host <= able.has_host &&
            foretells(&with, of))
            *of = with;
    }
}

/* Constants of few points lean on one another: how far each goes while the points are met as well, within a
 * hundredth in the mean of squares, or twice what the best leaves. */
static void find_ranges(roof_sweep *sweep, const evidence *of, const fitted *best)
{
    enum { STEPS = 40 };
    static const double widest = 2, least = 0.01;
    const double n = best->n, rms = fmax(least, 2 * sqrt(best->squares / n));
    for (int i = 0; i <= (of->has_contention ? STEPS : 0); i++)
        for (int k = 0; k <= (of->has_host ? STEPS : 0); k++) {
            const shape s = {widest * i / STEPS, widest * k / STEPS};
            const fitted f = judge(of, &s);
            if (!(f.squares <= n * rms * rms))
                continue;
            range_widen(sweep->service_range_s, f.service_s);
            range_widen(sweep->host_range_s, f.shape.host_ratio * f.service_s);
        }
}

static roof_status fit_sweep(reconciler *r, roof_sweep *sweep)
{
    roof_load_run *loads = &r->out->loads[sweep->first_load];
    evidence all = {loads, sweep->n_loads, sweep->cores, 0, false, false};
    const bool is_fitted = find_evidence(&all);
    choose_constants(&all);
    const fitted f = is_fitted ? fit(&all) : (fitted){{NAN, NAN}, NAN, NAN, 0};
    double *errors[3];
    for (size_t i = 0; i < 3; i++)
        TRY(ARENA_GET(r->arena, errors[i], sweep->n_loads, r->err));
    sweep->has_contention = all.has_contention;
    sweep->has_host = all.has_host;
    sweep->service_s = sweep->service_range_s[0] = sweep->service_range_s[1] = f.service_s;
    sweep->contention_ratio = f.shape.contention_ratio;
    sweep->host_s = sweep->host_range_s[0] = sweep->host_range_s[1] = f.shape.host_ratio * f.service_s;
    if (is_fitted)
        find_ranges(sweep, &all, &f);
    for (uint32_t i = 0; i < sweep->n_loads; i++) {
        roof_load_run *load = &loads[i];
        const double per_s = inferences_per_s(load->run), batch = run_batch(load->run);
        add_law(sweep, load);
        load->latency_is_derived = isnan(load->run->total.mean_s) && per_s > 0;
        load->latency_s = load->latency_is_derived ? load->run->threads / per_s : load->run->total.mean_s;
        load->most_fps = NAN;
        if (load->prediction &&
            (load->prediction->options.batch > 1 ? load->prediction->options.batch : 1) == batch)
            load->most_fps = roof_pair_of(load->prediction).per_s;
        load->fitted_fps = load->left_out_ratio = NAN;
        if (is_fitted && load->run->threads <= ROOF_MOST_THREADS) {
            const roof_load_point x = shaped_point(&f.shape, sweep->cores, load->run->threads);
            load->fitted_fps = x.fps / f.service_s * batch;
            load->bound = x.bound;
            load->left_out_ratio = left_out_ratio(&all, load);
        }
        errors[0][i] = fabs(load->fitted_fps / batch / per_s - 1);
        errors[1][i] = fabs(load->left_out_ratio);
        errors[2][i] = fabs(load->law_fps / per_s - 1);
    }
    sweep->error_ratio = step_fit_median(errors[0], sweep->n_loads);
    sweep->left_out_ratio = step_fit_median(errors[1], sweep->n_loads);
    sweep->law_error_ratio = step_fit_median(errors[2], sweep->n_loads);
    return ROOF_OK;
}

static void find_knee(const roof_load_run *loads, roof_sweep *sweep)
{
    static const double enough = 0.95;
    double most = 0;
    for (uint32_t i = 0; i < sweep->n_loads; i++)
        most = loads[i].run->frames_per_s > most ? loads[i].run->frames_per_s : most;
    for (uint32_t i = 0; i < sweep->n_loads && most > 0 && !sweep->knee_threads; i++)
        if (loads[i].run->frames_per_s >= enough * most) {
            sweep->knee_threads = loads[i].run->threads;
            sweep->knee_fps = loads[i].run->frames_per_s;
        }
}

/* Threads that have a core each show how unequal the cores are. */
static double unequal_ratio(const roof_load_run *loads, const roof_sweep *sweep)
{
    double least = INFINITY, most = 0;
    for (uint32_t i = 0; i < sweep->n_loads; i++) {
        const roof_run *run = loads[i].run;
        for (uint32_t t = 0; run->threads == sweep->cores && run->thread_means_s && t < run->threads; t++)
            if (run->thread_means_s[t] > 0) {
                least = fmin(least, run->thread_means_s[t]);
                most = fmax(most, run->thread_means_s[t]);
            }
    }
    return sweep->cores > 1 && most > 0 ? most / least : (double)NAN;
}

/* Cores: as the runner states, else those of the hardware, where it ran the model's own code there. 0 for
 * more runs than a sweep measures: each is left out in turn, so that the work goes with their square. */
static uint32_t cores_of(const roof_load_run *loads, uint32_t n)
{
    uint32_t cores = 0;
    for (uint32_t i = 0; i < n && !cores; i++)
        cores = loads[i].run->cores == ROOF_NONE ? 0 : loads[i].run->cores;
    if (!cores && loads->prediction)
        cores = loads->prediction->hardware.cores;
    return n <= ROOF_MOST_THREAD_COUNTS && cores <= ROOF_MOST_CORES ? cores : 0;
}

roof_status sweeps_make(reconciler *r)
{
    roof_reconciliation *out = r->out;
    if (!out->n_loads)
        return ROOF_OK;
    TRY(group(r));
    FOR_EACH(roof_sweep, sweep, out->sweeps, out->n_sweeps) {
        const roof_load_run *loads = &out->loads[sweep->first_load];
        sweep->cores = cores_of(loads, sweep->n_loads);
        TRY(fit_sweep(r, sweep));
        find_knee(loads, sweep);
        sweep->unequal_ratio = unequal_ratio(loads, sweep);
    }
    return ROOF_OK;
}
