/* The peak and bandwidth law, for hardware of which only the peak rate and the memory are public.
 *
 *   compute  macs / (peak multiply-accumulates of one batch lane a cycle)
 *   memory   bytes / bandwidth
 * Nothing is quantised and no other engine is known, so the bound is looser than that of a family with a law
 * of its own.
 */
#include "model/laws/law.h"

enum { COMPUTE, MEMORY };

typedef struct config {
    double macs_per_cycle; /* of one batch lane */
    double peak_ops_per_cycle;
    double memory_bytes_per_s;
} config;

static roof_status configure(const hw_view *view, const roof_program *program, roof_arena *arena,
                             law_fit *out, roof_error *err)
{
    config *c;
    const roof_quantity *rate = hw_view_get(view, "peak.rate"), *peak = hw_view_get(view, "peak");
    (void)program;
    TRY(ARENA_GET(arena, c, 1, err));
    c->memory_bytes_per_s = view->memory_bytes_per_s;
    /* an array with a clock of its own states a rate per second; cycles are still counted in the common clock
     */
    c->peak_ops_per_cycle = rate ? rate->value / view->clock_hz : peak ? peak->value : 0;
    c->macs_per_cycle = c->peak_ops_per_cycle / 2 / (view->batch_lanes ? view->batch_lanes : 1);
    if (!(c->macs_per_cycle > 0) || isinf(c->macs_per_cycle))
        return error_data(err, "the hardware states neither 'peak' nor 'peak.rate' above 0");
    out->config = c;
    const law_engine compute = {out->law->first_engine, "multiply-accumulates", c->peak_ops_per_cycle},
                     memory = {"memory", "external memory, both directions",
                               c->memory_bytes_per_s > 0 ? c->memory_bytes_per_s / view->clock_hz : 0};
    TRY(law_add_engine(out, &compute, true, err));
    return law_add_engine(out, &memory, false, err);
}

static roof_status add_op(const void *config_, const roof_graph *g, const roof_demand *d, uint64_t *cycles,
                          roof_error *err)
{
    const config *c = config_;
    return law_add_macs(g, d, c->macs_per_cycle, &cycles[COMPUTE], err);
}

static roof_status move(const law_fit *fit, const roof_work *work, const roof_traffic *t, uint64_t *cycles,
                        roof_error *err)
{
    const config *c = fit->config;
    (void)work;
    (void)err;
    cycles[MEMORY] =
        law_cycles_of_memory(fit, t->weights_bytes + t->input_bytes + t->output_bytes + t->instruction_bytes,
                             c->memory_bytes_per_s);
    return ROOF_OK;
}

static const char *const needed_keys[] = {"clock", NULL};

/* One law under two names: what a DPU calls its array, and what any machine computes with. */
#define WHAT_BOTH_HAVE                                                                                       \
    .is_partial = true, .keys = needed_keys, .configure = configure, .add_op = add_op, .move = move,         \
    .engine_of = law_macs_on_array

const cycle_law law_peak_dpu = {
    .id = "peak_dpu",
    .only_type = "int8",
    .doc = "peak rate and bandwidth; the array's inner structure is not public",
    .first_engine = "conv",
    WHAT_BOTH_HAVE,
};

const cycle_law law_peak = {
    .id = "peak",
    .doc = "peak rate and bandwidth of a described machine",
    .first_engine = "compute",
    WHAT_BOTH_HAVE,
};
