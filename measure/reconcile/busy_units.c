/* How busy units were, from the cycles that a profiler counted of them. */
#include "measure/reconcile/steps.h"
#include "model/laws/engine.h"

/* --- units of the accelerator --------------------------------------------------------------------------- */

static bool is_busy(const roof_event *e)
{
    return e->scope == ROOF_COUNTER_UNIT &&
           (e->quantity == ROOF_COUNTER_ACTIVE_CYCLES || e->quantity == ROOF_COUNTER_BUSY_PPM) &&
           e->origin == ROOF_COUNTER_COUNTED && e->name;
}

/* The table of engines tells which unit moves data, else a word in its name. */
static void add_names(const roof_measured_layer *row, roof_busy *b)
{
    static const char *const words[] = {"dma", "load", "store", "read", "write", "mem", "ddr", "dram", "bus"};
    const roof_layer_counters *c = row->counters;
    for (uint32_t i = 0; c && i < c->n_events; i++) {
        const roof_event *event = &c->events[i];
        b->is_by_time = b->is_by_time || (is_busy(event) && event->quantity == ROOF_COUNTER_BUSY_PPM);
        if (!is_busy(event) || WORD_AT(b->names, b->n, event->name) < b->n)
            continue;
        if (b->n == ROOF_MAX_BUSY) {
            b->n_left_out++;
            continue;
        }
        const engine_info *known = engine_named(event->name);
        b->moves[b->n] = known && known->kind == ENGINE_KIND_DATA;
        for (size_t k = 0; !known && k < N_OF(words); k++)
            b->moves[b->n] = b->moves[b->n] || strcasestr(event->name, words[k]);
        b->names[b->n++] = event->name;
    }
}

/* --- ratios ------------------------------------------------------------------------------------------- */

/* Sums of a layer or of several. A unit that some row does not count is unknown of the whole. */
typedef struct busy_sums {
    double busy[ROOF_MAX_BUSY], cycles; /* or, by time, seconds at the peak, and all of them */
} busy_sums;

static busy_sums sums_of_match(const roof_reconciled *e, const roof_busy *b, const roof_match *u)
{
    busy_sums sums = {{0}, 0};
    for (uint32_t i = 0; i < u->n_rows; i++) {
        const roof_measured_layer *row = match_row(e, u, i);
        const roof_layer_counters *c = row->counters;
        double n = row_executions(row), counted[ROOF_MAX_BUSY];
        double cycles = c && c->n_cycles == 1 ? (double)c->cycles->cycles : (double)NAN;
        double whole = b->is_by_time ? row_time_s(e->layer_run, row) : cycles;
        for (uint32_t k = 0; k < b->n; k++)
            counted[k] = NAN;
        for (uint32_t j = 0; c && j < c->n_events; j++) {
            const roof_event *event = &c->events[j];
            double count = (double)event->count;
            uint32_t k = is_busy(event) ? WORD_AT(b->names, b->n, event->name) : b->n;
            if (k == b->n)
                continue;
            bool is_share = event->quantity == ROOF_COUNTER_BUSY_PPM;
            counted[k] = !b->is_by_time ? count
                         : is_share     ? count * 1e-6 * whole
                                        : quotient_of(count, cycles) * whole;
        }
        for (uint32_t k = 0; k < b->n; k++)
            sums.busy[k] += n * counted[k];
        sums.cycles += n * whole;
    }
    return sums;
}

static roof_busy_ratios ratios_of(const roof_busy *b, const busy_sums *sums)
{
    roof_busy_ratios r;
    double most[2] = {NAN, NAN}; /* computing, moving */
    for (uint32_t k = 0; k < ROOF_MAX_BUSY; k++) {
        r.ratios[k] = k < b->n ? quotient_of(sums->busy[k], sums->cycles) : NAN;
        if (k < b->n)
            most[b->moves[k]] = fmax(most[b->moves[k]], r.ratios[k]); /* which passes NaN by */
    }
    r.bound = isnan(most[0]) || isnan(most[1])                 ? ROOF_BUSY_UNKNOWN
              : fmax(most[0], most[1]) < ROOF_BUSY_LEAST_RATIO ? ROOF_BUSY_NEITHER
              : most[1] > most[0]                              ? ROOF_BUSY_MEMORY
                                                               : ROOF_BUSY_COMPUTE;
    return r;
}

roof_busy_ratios roof_match_busy(const roof_reconciled *e, const roof_match *u)
{
    static const roof_busy none;
    const roof_busy *b = e->busy ? e->busy : &none;
    busy_sums sums = sums_of_match(e, b, u);
    return ratios_of(b, &sums);
}

/* --- all of them -------------------------------------------------------------------------------------- */

/* A row that counts no unit is in no ratio of several. */
static void add_unit(roof_reconciled *e, roof_busy *b, const roof_match *u, busy_sums *types)
{
    busy_sums sums = sums_of_match(e, b, u);
    roof_busy_bound bound = ratios_of(b, &sums).bound;
    uint32_t t = attribute_type(e, match_type(u));
    t = t < e->n_types ? t : attribute_type(e, "(others)"); /* of types without a place of their own */
    b->total_s += u->measured_s;
    b->whole.bound_s[bound] += u->measured_s;
    b->types[t].bound_s[bound] += u->measured_s;
    bool any = false;
    for (uint32_t k = 0; k < b->n; k++)
        any = any || !isnan(sums.busy[k]);
    if (!any || isnan(sums.cycles))
        return;
    types[t].cycles += sums.cycles;
    for (uint32_t k = 0; k < b->n; k++)
        types[t].busy[k] += sums.busy[k];
}

void busy_units(reconciler *r, roof_reconciled *e)
{
    const roof_run *run = e->layer_run;
    roof_busy found = {.n = 0};
    for (uint32_t i = 0; run && i < run->n_layers; i++)
        add_names(&run->layers[i], &found);
    if (!found.n || !e->n_types)
        return;
    roof_busy *b = NEW(r->arena, roof_busy);
    busy_sums *types = NEW_ARRAY(r->arena, busy_sums, e->n_types);
    found.types = NEW_ARRAY(r->arena, roof_busy_type, e->n_types);
    if (!b || !types || !found.types)
        return; /* the arena remembers */
    *b = found;
    for (uint32_t i = 0; i < e->n_matches; i++)
        if (!isnan(e->matches[i].measured_s) && !roof_match_is_repeated(&e->matches[i]))
            add_unit(e, b, &e->matches[i], types);
    busy_sums all = {{0}, 0};
    for (uint32_t t = 0; t < e->n_types; t++) {
        b->types[t].busy = ratios_of(b, &types[t]);
        all.cycles += types[t].cycles;
        for (uint32_t k = 0; k < b->n; k++)
            all.busy[k] += types[t].busy[k];
    }
    b->whole.busy = ratios_of(b, &all);
    e->busy = b;
}

WORD_OF(roof_busy_bound_text, roof_busy_bound, bound, NULL, NULL, "memory", "compute", "neither")
