/* What can be compared: layers and rows that belong together, with the bound of the one and the time of the other. */
#include "core/error.h"
#include "core/quantity.h"
#include "measure/reconciler.h"

#include <math.h>
#include <string.h>

/* A stated sum that is larger than the listed rows by more than rounding has layers that are not listed. */
#define UNLISTED_RATIO 0.01

bool roof_unit_is_repeated(const roof_unit *unit)
{
    return unit->notes & 1u << (ROOF_FINDING_REPEATED_ROW - ROOF_FINDING_FIRST_NOTE);
}

double roof_unit_efficiency(const roof_unit *unit)
{
    return quotient_of(unit->ideal_s, unit->measured_s);
}

const roof_cost *cost_in(const roof_run *run, const roof_layer_prediction *layer)
{
    return run && run->mode == ROOF_RUN_PER_LAYER && layer->has_alone ? &layer->alone : &layer->deployed;
}

/* --- the time of a row -------------------------------------------------------------------------------- */

static double seconds_of_cycles(const roof_run *run, const roof_layer_counters *c)
{
    for (uint32_t i = 0; i < c->n_cycles; i++)
        for (uint32_t k = 0; k < run->n_clocks; k++)
            if (strcmp(c->cycles[i].domain, run->clocks[k].domain) == 0 && run->clocks[k].hz > 0)
                return (double)c->cycles[i].cycles / run->clocks[k].hz;
    return NAN;
}

double row_time_s(const roof_run *run, const roof_measured_layer *row)
{
    double seconds = times_typical(&row->time);
    if (!isnan(seconds) || !row->counters)
        return seconds;
    seconds = seconds_of_cycles(run, row->counters);
    if (!isnan(seconds))
        return seconds;
    double whole = !isnan(run->sum_of_layers_s) ? run->sum_of_layers_s : times_typical(&run->total);
    return row->counters->share_ratio * whole;
}

/* --- building ----------------------------------------------------------------------------------------- */

typedef struct builder {
    reconciler *r;
    roof_reconciled *e;
    row_matching m;
    uint32_t *n_rows, *n_layers; /* of the unit that begins with a layer */
    uint32_t *unit_of_layer;
} builder;

static const roof_layer_prediction *layer_at(const builder *b, uint32_t layer)
{
    return &b->e->prediction->layers[layer];
}

/* Rows that fit nothing stand for themselves. */
static uint32_t count_units(builder *b)
{
    uint32_t n = 0;
    for (uint32_t i = 0; i < b->m.n_rows; i++) {
        uint32_t layer = b->m.layer_of_row[i];
        n += layer == ROOF_NONE;
        if (layer != ROOF_NONE)
            b->n_rows[b->m.first_joined[layer]]++;
    }
    for (uint32_t i = 0; i < b->m.n_layers; i++) {
        uint32_t first = b->m.first_joined[i];
        bool shown = b->n_rows[first] || (first == i && layer_is_timed(layer_at(b, i)));
        b->n_layers[first] += shown;
        n += shown && first == i;
    }
    return n;
}

/* Units of layers in the order of execution; the arrays of layers and rows are filled behind one another. */
static void open_units(builder *b)
{
    roof_reconciled *e = b->e;
    for (uint32_t i = 0; i < b->m.n_layers; i++) {
        uint32_t first = b->m.first_joined[i];
        b->unit_of_layer[i] = ROOF_NONE;
        if (first != i || !b->n_layers[i])
            continue;
        roof_unit *u = &e->units[e->n_units];
        *u = (roof_unit){.name = layer_at(b, i)->name,
                         .type = layer_at(b, i)->type,
                         .layer = e->n_layer_order,
                         .row = e->n_row_order,
                         .bound = ROOF_NONE,
                         .match = ROOF_MATCH_NONE};
        e->n_layer_order += b->n_layers[i];
        e->n_row_order += b->n_rows[i];
        b->unit_of_layer[i] = e->n_units++;
    }
}

static void put_layers(builder *b)
{
    for (uint32_t i = 0; i < b->m.n_layers; i++) {
        uint32_t unit = b->unit_of_layer[b->m.first_joined[i]];
        if (unit == ROOF_NONE)
            continue;
        roof_unit *u = &b->e->units[unit];
        b->e->layer_order[u->layer + u->n_layers++] = i;
    }
}

static void put_rows(builder *b)
{
    roof_reconciled *e = b->e;
    for (uint32_t i = 0; i < b->m.n_rows; i++) {
        uint32_t row = b->m.row_order[i], layer = b->m.layer_of_row[row];
        roof_unit *u;
        if (layer != ROOF_NONE) {
            u = &e->units[b->unit_of_layer[b->m.first_joined[layer]]];
        } else {
            const roof_measured_layer *l = &e->layer_run->layers[row];
            u = &e->units[e->n_units++];
            *u = (roof_unit){.name = l->name ? l->name : "(no name)",
                             .type = l->type,
                             .row = e->n_row_order++,
                             .bound = ROOF_NONE,
                             .match = ROOF_MATCH_NONE,
                             .notes = b->m.repeated[row]
                                          ? 1u << (ROOF_FINDING_REPEATED_ROW - ROOF_FINDING_FIRST_NOTE)
                                          : 0};
        }
        roof_match how = (roof_match)b->m.how[row];
        if (how == ROOF_MATCH_EPOCHS && u->n_layers > 1 && !u->n_rows)
            u->name =
                e->layer_run->layers[row].name; /* "EpochBlock_1 -> 22" says more than its first epoch */
        if (!u->n_rows || how > u->match)
            u->match = how; /* the weakest of its rows */
        e->row_order[u->row + u->n_rows++] = row;
    }
}

/* --- times and bounds --------------------------------------------------------------------------------- */

double roof_unit_printed_cov(const roof_reconciled *e, const roof_unit *u)
{
    return u->n_rows == 1 ? e->layer_run->layers[e->row_order[u->row]].time.cov_ratio : NAN;
}

double roof_unit_share(const roof_reconciled *e, const roof_unit *u)
{
    double share = quotient_of(u->measured_s, e->total.sum_of_layers_s), stated = u->n_rows ? 0 : NAN;
    for (uint32_t i = 0; i < u->n_rows && isnan(share); i++) {
        const roof_layer_counters *c = e->layer_run->layers[e->row_order[u->row + i]].counters;
        stated += c ? c->share_ratio : NAN;
    }
    return isnan(share) ? stated : share;
}

/* Deviations of parts add as squares: they are timed one after the other. */
static void sum_rows(const roof_reconciled *e, roof_unit *u)
{
    double variance = 0;
    u->measured_s = u->n_rows ? 0 : NAN;
    u->host_s = u->n_rows ? 0 : NAN;
    for (uint32_t i = 0; i < u->n_rows; i++) {
        const roof_measured_layer *row = &e->layer_run->layers[e->row_order[u->row + i]];
        u->measured_s += row_time_s(e->layer_run, row);
        u->host_s += row_outside_s(e->layer_run, row);
        variance += row->time.std_s * row->time.std_s;
    }
    if (u->host_s >
        u->measured_s * (1 - 1e-9)) /* all of it, but for rounding; a part never exceeds its whole */
        u->host_s = u->measured_s;
    u->cov_ratio = u->n_rows ? quotient_of(sqrt(variance), u->measured_s) : NAN;
    if (u->n_rows == 1 && isnan(variance)) /* as printed is better than unknown */
        u->cov_ratio = roof_unit_printed_cov(e, u);
}

static void sum_layers(const roof_reconciled *e, roof_unit *u)
{
    double largest = -1;
    u->ideal_s = u->n_layers ? 0 : NAN;
    for (uint32_t i = 0; i < u->n_layers; i++) {
        const roof_layer_prediction *layer = &e->prediction->layers[e->layer_order[u->layer + i]];
        const roof_cost *cost = cost_in(e->layer_run ? e->layer_run : e->per_layer, layer);
        u->ideal_s += cost->ideal_s;
        if (cost->ideal_s > largest) {
            largest = cost->ideal_s;
            u->bound = cost->bound;
        }
    }
    if (u->ideal_s == 0 && u->n_layers &&
        !layer_is_accelerated(&e->prediction->layers[e->layer_order[u->layer]]))
        u->ideal_s = NAN; /* the host's work has no bound here */
}

/* --- what the profile does not list ------------------------------------------------------------------- */

/* Of the rows that have a time; NaN when none has. */
static double listed(const roof_reconciled *e)
{
    double sum = NAN;
    for (uint32_t i = 0; i < e->n_units; i++) {
        const roof_unit *u = &e->units[i];
        if (u->n_rows && !roof_unit_is_repeated(u) && !isnan(u->measured_s))
            sum = (isnan(sum) ? 0 : sum) + u->measured_s;
    }
    return sum;
}

static bool is_left_over(const roof_reconciled *e, const roof_unit *u)
{
    return !u->n_rows && u->n_layers &&
           layer_is_accelerated(&e->prediction->layers[e->layer_order[u->layer]]);
}

/* A selection of layers with the sum of all of them: what is not listed is compared as one unit, at the end. */
static roof_status join_unlisted(builder *b)
{
    roof_reconciled *e = b->e;
    const roof_run *run = e->layer_run;
    double rest = run ? run->sum_of_layers_s - listed(e) : NAN;
    uint32_t kept = 0, kept_layers = 0, n_left = 0, untimed = 0;
    if (!run || !(rest > UNLISTED_RATIO * run->sum_of_layers_s))
        return ROOF_OK;
    for (uint32_t i = 0; i < e->n_units; i++) {
        n_left += is_left_over(e, &e->units[i]);
        untimed += e->units[i].n_rows && isnan(e->units[i].measured_s);
    }
    if (n_left < 1 || untimed) /* the rest is of listed rows as well then */
        return ROOF_OK;
    uint32_t *order = NEW_ARRAY(b->r->arena, uint32_t, e->n_layer_order);
    roof_unit joined = {.match = ROOF_MATCH_UNLISTED,
                        .bound = ROOF_NONE,
                        .is_unlisted = true,
                        .cov_ratio = NAN,
                        .host_s = NAN};
    joined.name = arena_printf(b->r->arena, "(%u layers not listed)", n_left);
    if (!order || !joined.name)
        return error_memory(b->r->err);
    joined.layer = e->n_layer_order - n_left;
    for (uint32_t i = 0; i < e->n_units; i++) {
        roof_unit u = e->units[i];
        if (is_left_over(e, &u)) {
            order[joined.layer + joined.n_layers++] = e->layer_order[u.layer];
            continue;
        }
        for (uint32_t k = 0; k < u.n_layers; k++)
            order[kept_layers + k] = e->layer_order[u.layer + k];
        u.layer = kept_layers;
        kept_layers += u.n_layers;
        e->units[kept++] = u;
    }
    e->layer_order = order;
    joined.row = e->n_row_order;
    joined.boundaries =
        e->boundaries != ROOF_NONE && e->boundaries > b->m.n_rows ? e->boundaries - b->m.n_rows : n_left;
    sum_layers(e, &joined);
    joined.bound = ROOF_NONE; /* of many */
    joined.measured_s = rest;
    e->units[kept] = joined;
    e->n_units = kept + 1;
    return ROOF_OK;
}

/* --- all of it ---------------------------------------------------------------------------------------- */

static uint32_t repeated_rows(const roof_reconciled *e)
{
    uint32_t n = 0;
    for (uint32_t i = 0; i < e->n_units; i++)
        n += roof_unit_is_repeated(&e->units[i]);
    return n;
}

static uint32_t boundaries_of(const roof_reconciled *e)
{
    const roof_run *run = e->per_layer;
    if (!run)
        return ROOF_NONE;
    if (run->boundaries != ROOF_NONE)
        return run->boundaries;
    if (run->launches != ROOF_NONE)
        return run->launches;
    if (run->n_layers)
        return run->n_layers - repeated_rows(e);
    return e->prediction ? e->prediction->total.boundaries : ROOF_NONE;
}

/* A line of the map is of one model; the others do not know it. */
static void add_found(builder *b)
{
    reconciler *r = b->r;
    for (uint32_t i = 0; r->map_found && i < b->m.n_map_lines; i++)
        r->map_found[i] |= b->m.map_found[i];
    if (!r->map_found)
        r->map_found = b->m.map_found;
}

static roof_status build(builder *b)
{
    static const roof_run no_rows;
    roof_reconciled *e = b->e;
    roof_arena *arena = b->r->arena;
    const roof_run *run = e->layer_run ? e->layer_run : &no_rows;
    const char *map = b->r->options ? b->r->options->map : NULL;
    TRY(match_rows(run, e->prediction, map, arena, &b->m, b->r->err));
    add_found(b);
    const roof_prediction *wanted = e->prediction;
    TRY(reconciler_doubt_model(b->r, (uint32_t)(e - b->r->out->experiments), &b->m));
    if (e->prediction != wanted)
        TRY(match_rows(run, NULL, map, arena, &b->m, b->r->err));
    b->n_rows = NEW_ARRAY(arena, uint32_t, b->m.n_layers);
    b->n_layers = NEW_ARRAY(arena, uint32_t, b->m.n_layers);
    b->unit_of_layer = NEW_ARRAY(arena, uint32_t, b->m.n_layers);
    e->layer_order = NEW_ARRAY(arena, uint32_t, b->m.n_layers);
    e->row_order = NEW_ARRAY(arena, uint32_t, b->m.n_rows);
    if (!b->n_rows || !b->n_layers || !b->unit_of_layer || !e->layer_order || !e->row_order)
        return error_memory(b->r->err);
    e->units = NEW_ARRAY(arena, roof_unit, (size_t)count_units(b) + 1);
    if (!e->units)
        return error_memory(b->r->err);
    open_units(b);
    put_layers(b);
    put_rows(b);
    return ROOF_OK;
}

roof_status reconciler_add_units(reconciler *r, uint32_t experiment)
{
    builder b = {.r = r, .e = &r->out->experiments[experiment]};
    roof_reconciled *e = b.e;
    e->layer_run = e->per_layer && e->per_layer->n_layers ? e->per_layer
                   : e->bypass && e->bypass->n_layers     ? e->bypass
                                                          : NULL;
    TRY(build(&b));
    e->boundaries = boundaries_of(e);
    for (uint32_t i = 0; i < e->n_units; i++) {
        sum_rows(e, &e->units[i]);
        sum_layers(e, &e->units[i]);
        bool timed = e->layer_run == e->per_layer && !roof_unit_is_repeated(&e->units[i]);
        e->units[i].boundaries = timed ? e->units[i].n_rows : 0;
    }
    e->total.listed_s = e->layer_run ? listed(e) : NAN;
    TRY(join_unlisted(&b));
    if (b.m.unsorted)
        TRY(add_remark(r, ROOF_FINDING_UNSORTED, experiment, NULL,
                       "the rows are not in the order of their index"));
    return ROOF_OK;
}
