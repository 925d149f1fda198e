/* A cycle law of nobody: 64 multiply-accumulates a cycle, and a memory. */
#include "core/error.h"
#include "model/laws/law.h"

enum { COMPUTE, MEMORY, MACS_PER_CYCLE = 64 };

static roof_status configure(const hw_view *view, const roof_program *program, roof_arena *arena,
                             law_fit *out, roof_error *err)
{
    (void)program, (void)arena;
    TRY(law_add_engine(out, &(law_engine){"compute", "multiply-accumulates", 2.0 * MACS_PER_CYCLE}, true,
                       err));
    return law_add_engine(
        out, &(law_engine){"memory", "its memory", view->memory_bytes_per_s / view->clock_hz}, false, err);
}

static roof_status add_op(const void *config, const roof_graph *graph, const roof_demand *demand,
                          uint64_t *cycles, roof_error *err)
{
    (void)config, (void)graph, (void)err;
    cycles[COMPUTE] += demand->macs / MACS_PER_CYCLE + (demand->macs % MACS_PER_CYCLE != 0);
    return ROOF_OK;
}

static roof_status move(const law_fit *fit, const roof_work *work, const roof_traffic *traffic,
                        uint64_t *cycles, roof_error *err)
{
    (void)work, (void)err;
    cycles[MEMORY] = law_cycles_for_bytes(traffic->input_bytes, 1, fit->engines[MEMORY].most_per_cycle);
    return ROOF_OK;
}

static const char *const needed_keys[] = {"clock", "ddr.bandwidth", NULL};

const cycle_law law_toy = {.id = "toy",
                           .doc = "64 multiply-accumulates a cycle",
                           .keys = needed_keys,
                           .configure = configure,
                           .add_op = add_op,
                           .move = move,
                           .engine_of = law_macs_on_array};
