/* Matches: layers and rows that belong together, with the bound of the layers and the time of the rows. */
#include "measure/profile/profile.h"
#include "measure/reconcile/steps.h"

/* A stated sum that is larger than the listed rows by more than rounding has layers that are not listed. */
#define UNLISTED_RATIO 0.01

/* --- building ----------------------------------------------------------------------------------------- */

typedef struct builder {
    reconciler *r;
    roof_reconciled *e;
    const row_matching *m;
    uint32_t *number; /* of the match that begins with a layer; ROOF_NONE: none does */
} builder;

/* NULL for a layer that no profile times, and for no layer. */
static roof_match *match_of(const builder *b, uint32_t layer)
{
    uint32_t number = layer == ROOF_NONE ? ROOF_NONE : b->number[b->m->first_joined[layer]];
    return number == ROOF_NONE ? NULL : &b->e->matches[number];
}

/* Numbers matches in the order of execution; a row without a layer is one of its own. Returns how many. */
static uint32_t number_matches(builder *b)
{
    const row_matching *m = b->m;
    const roof_prediction *p = b->e->prediction;
    uint32_t n = 0, without_layer = 0;
    for (uint32_t i = 0; i < m->n_layers; i++)
        b->number[i] = m->first_joined[i] == i && layer_is_timed(&p->layers[i]) ? 0 : ROOF_NONE;
    for (uint32_t i = 0; i < m->n_rows; i++) {
        uint32_t layer = m->layer_of_row[i];
        without_layer += layer == ROOF_NONE;
        if (layer != ROOF_NONE)
            b->number[m->first_joined[layer]] = 0;
    }
    for (uint32_t i = 0; i < m->n_layers; i++)
        if (b->number[i] != ROOF_NONE)
            b->number[i] = n++;
    return n + without_layer;
}

static roof_match *add_match(roof_reconciled *e, const char *name, const char *type)
{
    roof_match *u = &e->matches[e->n_matches++];
    /* NOLINTNEXTLINE(clang-analyzer-core.NullDereference): number_matches counted them */
    *u = (roof_match){.name = name, .type = type, .bound = ROOF_NONE, .method = ROOF_MATCH_NONE};
    return u;
}

static void add_row(const builder *b, uint32_t row)
{
    roof_match *u = match_of(b, b->m->layer_of_row[row]);
    const roof_measured_layer *l = &b->e->layer_run->layers[row];
    roof_match_method how = (roof_match_method)b->m->how[row];
    if (!u)
        u = add_match(b->e, l->name ? l->name : "(no name)", l->type);
    if (b->m->repeated[row])
        u->notes = ROOF_NOTE(ROOF_FINDING_REPEATED_ROW);
    if (how == ROOF_MATCH_EPOCHS && u->n_layers > 1 && !u->n_rows)
        u->name = l->name; /* a program's name says more than its first epoch's */
    if (!u->n_rows || how > u->method)
        u->method = how; /* the weakest of its rows */
    u->n_rows++;
}

/* The layers and rows of one match behind those of the other, each from its last one on. */
static void fill_matches(const builder *b)
{
    roof_reconciled *e = b->e;
    roof_match *behind = e->matches + e->n_matches; /* rows without a layer are the last matches */
    FOR_EACH(roof_match, u, e->matches, e->n_matches) {
        u->layer = e->n_layer_order += u->n_layers;
        u->row = e->n_row_order += u->n_rows;
    }
    for (uint32_t i = b->m->n_layers; i-- > 0;)
        if (match_of(b, i))
            e->layer_order[--match_of(b, i)->layer] = i;
    for (uint32_t i = b->m->n_rows; i-- > 0;) {
        uint32_t row = b->m->row_order[i], layer = b->m->layer_of_row[row];
        roof_match *u = match_of(b, layer);
        if (!u)
            u = --behind;
        e->row_order[--u->row] = row;
    }
}

/* --- times and bounds --------------------------------------------------------------------------------- */

/* Parts are timed one after the other, so their variances add. Executions of one row are not distinguished,
 * so their deviations add, and a row alone keeps the CoV of one execution. */
static void sum_rows(const roof_reconciled *e, roof_match *u)
{
    double variance = 0;
    u->measured_s = u->n_rows ? 0 : NAN;
    u->host_s = u->n_rows ? 0 : NAN;
    for (uint32_t i = 0; i < u->n_rows; i++) {
        const roof_measured_layer *row = match_row(e, u, i);
        const roof_layer_counters *c = row->counters;
        double n = row_executions(row), std_s = n * row->time.std_s;
        /* the CPU's time in one execution: copies, or all outside the accelerator's core phase */
        double outside_s = !c ? NAN
                           : isnan(c->run_s)
                               ? known_count(cycles_outside_core(c->phases, c->n_phases, "mcu")) /
                                     run_clock_hz(e->layer_run, "mcu")
                               : add_if_known(c->write_s, c->read_s);
        u->measured_s += row_inference_s(e->layer_run, row);
        u->host_s += n * outside_s;
        variance += std_s * std_s;
    }
    if (u->host_s > u->measured_s * (1 - 1e-9)) /* rounding; a part never exceeds its whole */
        u->host_s = u->measured_s;
    u->cov_ratio = u->n_rows ? quotient_of(sqrt(variance), u->measured_s) : NAN;
    if (u->n_rows == 1 && isnan(variance)) /* as printed is better than unknown */
        u->cov_ratio = roof_match_printed_cov(e, u);
}

/* The schedule of a layer's own code, where the run executes it alone; NaN: there is none. */
static double scheduled_s(const roof_run *run, const roof_prediction *p, const roof_layer_prediction *layer)
{
    bool is_alone = run && run->mode == ROOF_RUN_PER_LAYER && layer->has_alone;
    uint32_t lanes = p->hardware.batch_lanes ? p->hardware.batch_lanes : 1;
    uint32_t passes = p->options.batch ? (p->options.batch - 1) / lanes + 1 : 1;
    return is_alone ? known_count(layer->schedule.alone_cycles) * passes / p->hardware.clock_hz : NAN;
}

static void sum_layers(const roof_reconciled *e, roof_match *u)
{
    double largest = -1;
    const roof_run *run = e->layer_run ? e->layer_run : e->per_layer;
    u->ideal_s = u->scheduled_s = u->n_layers ? 0 : NAN;
    for (uint32_t i = 0; i < u->n_layers; i++) {
        const roof_layer_prediction *layer = match_layer(e, u, i);
        const roof_cost *cost = layer_cost(run, layer);
        double ideal_s = cost->ideal_s * layer_repeat(layer);
        u->ideal_s += ideal_s;
        u->scheduled_s += scheduled_s(run, e->prediction, layer) * layer_repeat(layer);
        if (ideal_s > largest) {
            largest = ideal_s;
            u->bound = cost->bound;
        }
    }
    if (u->ideal_s == 0 && u->n_layers && match_layer(e, u, 0)->executor == ROOF_BY_HOST)
        u->ideal_s = NAN; /* the CPU's work has no bound here */
}

/* --- what the profile does not list ------------------------------------------------------------------- */

static bool is_left_over(const roof_reconciled *e, const roof_match *u)
{
    return !u->n_rows && u->n_layers && layer_is_accelerated(match_layer(e, u, 0));
}

/* Layers that the profile sums up without listing them become one match, at the end. The arena remembers when
 * there is no memory for its name. */
static void join_unlisted(const builder *b)
{
    roof_reconciled *e = b->e;
    const roof_run *run = e->layer_run;
    double rest = run ? run->sum_of_layers_s - e->total.listed_s : NAN;
    uint32_t kept = 0, n_left = 0, untimed = 0;
    if (!run || !(rest > UNLISTED_RATIO * run->sum_of_layers_s))
        return;
    for (uint32_t i = 0; i < e->n_matches; i++) {
        n_left += is_left_over(e, &e->matches[i]);
        untimed += e->matches[i].n_rows && isnan(e->matches[i].measured_s);
    }
    if (n_left < 1 || untimed) /* then the rest is also the time of listed rows */
        return;
    roof_match joined = {.name =
                             arena_printf(b->r->arena, "(%u layer%s absent)", n_left, n_left == 1 ? "" : "s"),
                         .method = ROOF_MATCH_UNLISTED,
                         .layer = e->n_layer_order,
                         .n_layers = n_left,
                         .row = e->n_row_order,
                         .is_unlisted = true,
                         .cov_ratio = NAN,
                         .host_s = NAN};
    for (uint32_t i = 0; i < e->n_matches; i++) {
        if (is_left_over(e, &e->matches[i]))
            e->layer_order[e->n_layer_order++] = e->layer_order[e->matches[i].layer];
        else
            e->matches[kept++] = e->matches[i];
    }
    uint32_t listed = run_executions(run);
    joined.boundaries =
        e->boundaries != ROOF_NONE && e->boundaries > listed ? e->boundaries - listed : n_left;
    sum_layers(e, &joined);
    joined.bound = ROOF_NONE; /* its layers have many */
    joined.measured_s = rest;
    e->matches[kept] = joined;
    e->n_matches = kept + 1;
}

/* --- all of it ---------------------------------------------------------------------------------------- */

static uint32_t stated_boundaries(const roof_run *run)
{
    return run->boundaries != ROOF_NONE ? run->boundaries : run->launches;
}

/* A whole-network run has those alone at which the CPU starts the next piece of a network. */
static uint32_t boundaries_of(const roof_reconciled *e)
{
    static const double listed_ratio = 0.97; /* rows that take less of the stated sum are a selection */
    const roof_run *run = e->per_layer;
    if (!run)
        return e->bypass && e->prediction && e->prediction->is_started_by_rows ? stated_boundaries(e->bypass)
                                                                               : ROOF_NONE;
    if (stated_boundaries(run) != ROOF_NONE)
        return stated_boundaries(run);
    uint32_t n = run_executions(run);
    const bool is_part = run_rows_s(run) < listed_ratio * run->sum_of_layers_s && !e->per_layer->is_recording;
    for (uint32_t i = 0; i < e->n_matches; i++)
        n -= roof_match_is_repeated(&e->matches[i]) ? match_executions(e, &e->matches[i]) : 0;
    if (run->n_layers && !is_part)
        return n;
    return e->prediction ? e->prediction->total.boundaries : ROOF_NONE;
}

roof_status matches_make(reconciler *r, roof_reconciled *e, const row_matching *m)
{
    builder b = {.r = r, .e = e, .m = m};
    TRY(ARENA_GET(r->arena, b.number, m->n_layers, r->err));
    /* each layer may be there once more, among those that are not listed */
    TRY(ARENA_GET(r->arena, e->layer_order, (size_t)2 * m->n_layers, r->err));
    TRY(ARENA_GET(r->arena, e->row_order, m->n_rows, r->err));
    TRY(ARENA_GET(r->arena, e->matches, (size_t)number_matches(&b) + 1, r->err));
    for (uint32_t k = 0; k < m->n_layers; k++)
        if (b.number[k] != ROOF_NONE)
            add_match(e, e->prediction->layers[k].name, e->prediction->layers[k].type);
    for (uint32_t k = 0; k < m->n_layers; k++)
        if (match_of(&b, k))
            match_of(&b, k)->n_layers++;
    for (uint32_t k = 0; k < m->n_rows; k++)
        add_row(&b, m->row_order[k]);
    fill_matches(&b);
    e->boundaries = e->per_layer && e->per_layer->is_recording ? ROOF_NONE : boundaries_of(e);
    e->total.listed_s = NAN; /* when no row has a time */
    FOR_EACH(roof_match, u, e->matches, e->n_matches) {
        sum_rows(e, u);
        sum_layers(e, u);
        for (uint32_t j = 0; j < (u->n_rows ? u->n_rows : u->n_layers); j++) {
            double one = u->n_rows ? row_executions(match_row(e, u, j)) : layer_repeat(match_layer(e, u, j));
            u->executions =
                !j || u->executions == (uint32_t)one ? (uint32_t)one : 0; /* 0: of several numbers */
        }
        if (roof_match_is_repeated(u) || !u->n_rows)
            continue;
        u->boundaries = e->layer_run == e->per_layer ? match_executions(e, u) : 0;
        e->total.listed_s = add_if_known(e->total.listed_s, u->measured_s);
    }
    join_unlisted(&b);
    if (m->unsorted)
        TELL(r, e, NULL, UNSORTED, NO_OPERANDS);
    return ROOF_OK;
}
