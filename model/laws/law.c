#include "model/laws/law.h"
#include "model/work/opmap.h"

#include <ctype.h>

const roof_quantity *hw_view_get(const hw_view *view, const char *key)
{
    static const char *const of_array[] = {
        "conv.", "alu.", "dwconv.", "pool.", "eltwise.", "image_banks.", "convw.", "peak",
        "batch", "aie.", "array.",  "mac.",  "ethos_u.", "shim.",        "tile.",  "memtile."};
    for (size_t i = 0; i < N_OF(of_array); i++)
        if (strncmp(key, of_array[i], strlen(of_array[i])) == 0)
            return roof_hw_get(view->array, key);
    return roof_hw_get(view->board, key);
}

double hw_view_value(const hw_view *view, double otherwise, const char *format, ...)
{
    char key[96];
    va_list args;
    va_start(args, format);
    print_list(key, sizeof key, format, args);
    va_end(args);
    const roof_quantity *q = hw_view_get(view, key);
    return q ? q->value : otherwise;
}

const roof_quantity *hw_view_pool(const hw_view *view, const char *pool, const char *what)
{
    char key[80];
    int n = snprintf(key, sizeof key, "mempool.%s.%s", pool, what);
    if (n < 0 || (size_t)n >= sizeof key)
        return NULL;
    for (char *c = key; *c; c++)
        *c = (char)tolower((unsigned char)*c);
    return hw_view_get(view, key);
}

roof_status hw_view_count(const hw_view *view, const char *key, uint32_t min, uint32_t otherwise,
                          uint32_t *out, roof_error *err)
{
    const roof_quantity *q = hw_view_get(view, key);
    *out = otherwise;
    if (!q)
        return ROOF_OK;
    if (!(q->value >= min && q->value <= UINT32_MAX && q->value == floor(q->value)))
        return error_data(err, "'%s' is %g, want a whole number of at least %u", key, q->value, min);
    *out = (uint32_t)q->value;
    return ROOF_OK;
}

roof_status law_add_cycles(uint64_t *sum, checked cycles, const roof_op *op, roof_error *err)
{
    return *sum == ROOF_UNKNOWN || (!cycles.overflow && checked_add_known(sum, cycles.value))
               ? ROOF_OK
               : error_set(err, ROOF_E_LIMIT, "the cycles of op '%.200s' overflow 64 bits", op->name);
}

roof_status law_add_macs(const roof_graph *graph, const roof_demand *demand, double macs_per_cycle,
                         uint64_t *cycles, roof_error *err)
{
    if (demand->macs == ROOF_UNKNOWN)
        return ROOF_OK;
    const double add = ceil((double)demand->macs / macs_per_cycle);
    const bool overflow = !(add + (double)*cycles < 1.8e19);
    return law_add_cycles(cycles, (checked){overflow ? 0 : (uint64_t)add, overflow}, &graph->ops[demand->op],
                          err);
}

uint32_t law_macs_on_array(roof_rule rule)
{
    return rule_has_macs(rule) ? ROOF_ENGINE_ARRAY : ROOF_NONE;
}

uint64_t law_most_cycles(const uint64_t *cycles, uint32_t n, uint32_t *engine)
{
    uint64_t most = 0;
    for (uint32_t e = 0; e < n; e++)
        if (cycles[e] != ROOF_UNKNOWN && cycles[e] > most) {
            most = cycles[e];
            *engine = e;
        }
    return most;
}

uint64_t law_cycles_for_bytes(uint64_t bytes, double clock_hz, double bytes_per_s)
{
    if (!(bytes_per_s > 0))
        return 0;
    if (clock_hz < 1e15 && bytes_per_s < 1e18 && clock_hz == floor(clock_hz) &&
        bytes_per_s == floor(bytes_per_s)) {
        unsigned __int128 product = (unsigned __int128)bytes * (uint64_t)clock_hz;
        uint64_t rate = (uint64_t)bytes_per_s;
        unsigned __int128 cycles = product / rate + (product % rate != 0);
        return cycles < ROOF_UNKNOWN ? (uint64_t)cycles : ROOF_UNKNOWN - 1;
    }
    double cycles = ceil((double)bytes * clock_hz / bytes_per_s);
    return cycles < 1.8e19 ? (uint64_t)cycles : ROOF_UNKNOWN - 1;
}

uint64_t law_cycles_of_memory(const law_fit *fit, uint64_t bytes, double bytes_per_s)
{
    const bool is_known = bytes_per_s > 0 && bytes != ROOF_UNKNOWN;
    return is_known ? law_cycles_for_bytes(bytes, fit->clock_hz, bytes_per_s) : ROOF_UNKNOWN;
}

/* --- a law as it meets a program ------------------------------------------------------------------------ */

roof_status law_add_engine(law_fit *fit, const law_engine *engine, bool computes, roof_error *err)
{
    TRY(HAS_ROOM(fit->n_engines, ROOF_MAX_ENGINES, err, "engines"));
    fit->engines[fit->n_engines++] = *engine;
    fit->n_compute += computes;
    return ROOF_OK;
}

roof_status law_fit_to(const cycle_law *law, const hw_view *view, const roof_program *program, uint32_t batch,
                       roof_arena *arena, law_fit *out, roof_error *err)
{
    *out = (law_fit){.law = law,
                     .batch = batch,
                     .passes = (batch - 1) / (view->batch_lanes ? view->batch_lanes : 1) + 1,
                     .clock_hz = view->clock_hz};
    out->weight_reads = program->reads_weights_once ? 1 : out->passes;
    TRY(law->configure(view, program, arena, out, err));
    if (!out->n_binding)
        out->n_binding = out->n_engines;
    if (!out->memory_of)
        out->n_memories = program->memories ? program->n_memories : 0;
    out->takes_known_cycles = true;
    for (uint32_t i = 0; i < program->n_engines; i++) {
        const uint32_t e = NAMED_AT(out->engines, out->n_compute, name, program->engines[i]);
        out->known_at[i] = e < out->n_compute ? e : ROOF_NONE;
        out->takes_known_cycles = out->takes_known_cycles && e < out->n_compute;
    }
    out->n_known = program->n_engines;
    return ROOF_OK;
}

roof_status law_apply(const law_fit *fit, const roof_graph *graph, const roof_work *work, law_cost *out,
                      roof_error *err)
{
    uint64_t *cycles = out->cycles;
    for (uint32_t e = 0; e < fit->n_compute; e++)
        cycles[e] = 0;
    if (work->cycles && fit->takes_known_cycles)
        for (uint32_t i = 0; i < fit->n_known; i++)
            cycles[fit->known_at[i]] = work->cycles[i];
    else
        for (uint32_t i = 0; i < work->n_demands; i++)
            TRY(fit->law->add_op(fit->config, graph, &work->demands[i], cycles, err));
    for (uint32_t e = 0; e < fit->n_compute; e++)
        if (work->hides_compute)
            cycles[e] = ROOF_UNKNOWN;
        else
            TRY(law_scale(&cycles[e], fit->passes, err));
    out->traffic = work->traffic;
    out->basis = work->bytes_basis;
    out->given_bytes = 0;
    /* weights and instructions are read once for all images that one pass of the array works on */
    TRY(law_scale(&out->traffic.input_bytes, fit->batch, err));
    TRY(law_scale(&out->traffic.output_bytes, fit->batch, err));
    TRY(law_scale(&out->traffic.unsplit_bytes, fit->batch, err));
    TRY(law_scale(&out->traffic.weights_bytes, fit->weight_reads, err));
    TRY(law_scale(&out->traffic.instruction_bytes, fit->passes, err));
    if (fit->law->recount)
        fit->law->recount(fit, graph, work, out);
    return fit->law->move(fit, work, &out->traffic, cycles, err);
}

/* --- one cache for the whole pass --------------------------------------------------------------------- */

/* Cycles of a pass behind a cache. */
typedef struct shared_cache {
    uint32_t engine;
    double cycles_per_byte, capacity; /* capacity: in cycles of its memory */
    double given, busy, waits;        /* of all rows: what they read, what else they do, what they wait */
} shared_cache;

static double busy_cycles(const law_fit *fit, const law_pass_row *row)
{
    uint32_t engine;
    return (double)law_most_cycles(row->cycles, fit->n_binding, &engine);
}

static double given_cycles(const shared_cache *cache, const law_pass_row *row)
{
    return row->given_bytes == ROOF_UNKNOWN ? 0 : (double)row->given_bytes * cache->cycles_per_byte;
}

/* least: of each engine behind a cache what the pass reads through it at least. */
static bool find_cache(const law_fit *fit, const law_pass_row *rows, uint32_t n, shared_cache *out,
                       uint64_t *least)
{
    double most = -1;
    for (uint32_t e = fit->n_compute; e < fit->n_binding && fit->law->cache_before; e++) {
        law_cache of;
        if (!fit->law->cache_before(fit, e, &of) || !(of.bytes_per_s > 0))
            continue;
        shared_cache c = {.engine = e, .cycles_per_byte = fit->clock_hz / of.bytes_per_s};
        c.capacity = (double)of.capacity_bytes * c.cycles_per_byte;
        for (uint32_t i = 0; i < n; i++) {
            const double busy = busy_cycles(fit, &rows[i]), given = given_cycles(&c, &rows[i]);
            c.given += rows[i].repeat * given;
            c.busy += rows[i].repeat * busy;
            c.waits += rows[i].repeat * fmax(0, given - busy);
        }
        const double left = fmax(fmax(0, c.waits - c.capacity), c.given - c.capacity - c.busy);
        if (least)
            least[e] = (uint64_t)fmin(fmax(0, c.given - c.capacity), 1.8e19);
        if (c.given > c.capacity && left > most) {
            most = left;
            *out = c;
        }
    }
    return most >= 0;
}

void law_share_caches(const law_fit *fit, const law_pass_row *rows, uint32_t n, uint64_t *least_cycles)
{
    shared_cache c = {.engine = ROOF_NONE};
    if (!find_cache(fit, rows, n, &c, least_cycles))
        return;
    const bool waits = c.waits > c.capacity;
    const double left = waits ? 1 - c.capacity / c.waits : 0, read = (c.given - c.capacity) / c.given;
    for (uint32_t i = 0; i < n; i++) {
        const double busy = busy_cycles(fit, &rows[i]), given = given_cycles(&c, &rows[i]);
        /* rows that wait share what the cache cannot hold; where none has to, all read their part in time */
        const double cycles = !waits         ? fmin(busy, given * read)
                              : given > busy ? busy + (given - busy) * left
                                             : given;
        uint64_t *own = &rows[i].cycles[c.engine];
        if (cycles < 1.8e19 && (*own == ROOF_UNKNOWN || (double)*own < floor(cycles)))
            *own = (uint64_t)cycles;
    }
}
