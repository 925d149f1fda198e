#include "core/error.h"
#include "core/named.h"
#include "core/print.h"
#include "model/laws/law.h"
#include "model/work/opmap.h"

#include <ctype.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

static bool belongs_to_array(const char *key)
{
    static const char *const prefixes[] = {
        "conv.", "alu.", "dwconv.", "pool.", "eltwise.", "image_banks.", "convw.", "peak",
        "batch", "aie.", "array.",  "mac.",  "ethos_u.", "shim.",        "tile.",  "memtile."};
    for (size_t i = 0; i < sizeof prefixes / sizeof *prefixes; i++)
        if (strncmp(key, prefixes[i], strlen(prefixes[i])) == 0)
            return true;
    return false;
}

const roof_quantity *hw_view_get(const hw_view *view, const char *key)
{
    return roof_hw_get(belongs_to_array(key) ? view->array : view->board, key);
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
        return error_set(err, ROOF_E_DATA, "'%s' is %g, want a whole number of at least %u", key, q->value,
                         min);
    *out = (uint32_t)q->value;
    return ROOF_OK;
}

roof_status law_add_macs(const roof_graph *graph, const roof_demand *demand, double macs_per_cycle,
                         uint64_t *cycles, roof_error *err)
{
    if (demand->macs == ROOF_UNKNOWN)
        return ROOF_OK;
    const double add = ceil((double)demand->macs / macs_per_cycle);
    if (!(add + (double)*cycles < 1.8e19))
        return error_set(err, ROOF_E_LIMIT, "the cycles of op '%.200s' overflow 64 bits",
                         graph->ops[demand->op].name);
    *cycles += (uint64_t)add;
    return ROOF_OK;
}

uint32_t law_macs_on_array(roof_rule rule)
{
    return rule_has_macs(rule) ? ROOF_ENGINE_ARRAY : ROOF_NONE;
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

/* --- a law as it meets a program ------------------------------------------------------------------------ */

roof_status law_add_engine(law_fit *fit, const law_engine *engine, bool computes, roof_error *err)
{
    if (fit->n_engines == ROOF_MAX_ENGINES)
        return error_set(err, ROOF_E_LIMIT, "more than %d engines", ROOF_MAX_ENGINES);
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

roof_status law_scale(uint64_t *value, uint64_t factor, roof_error *err)
{
    if (*value != ROOF_UNKNOWN && (__builtin_mul_overflow(*value, factor, value) || *value == ROOF_UNKNOWN))
        return error_set(err, ROOF_E_LIMIT, "a count times the batch of %" PRIu64 " overflows 64 bits",
                         factor);
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
    /* weights and instructions are read once for all images that one pass of the array works on */
    TRY(law_scale(&out->traffic.input_bytes, fit->batch, err));
    TRY(law_scale(&out->traffic.output_bytes, fit->batch, err));
    TRY(law_scale(&out->traffic.unsplit_bytes, fit->batch, err));
    TRY(law_scale(&out->traffic.weights_bytes, fit->weight_reads, err));
    TRY(law_scale(&out->traffic.instruction_bytes, fit->passes, err));
    if (fit->law->recount)
        fit->law->recount(fit, graph, work, &out->traffic, &out->basis);
    return fit->law->move(fit, work, &out->traffic, cycles, err);
}
