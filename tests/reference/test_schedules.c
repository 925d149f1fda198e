/* Instruction streams of real files, where ../shared has them: each one, of a subgraph or of a layer alone,
 * balances, and what holds for every schedule holds for its own; so do the sums and bounds of each file's
 * prediction. Prints how many there were. */
#include "model/code/dpu/dpu_stream.h"
#include "tests/support/schedule_check.h"
#include "tests/unit/fixture.h"
#include "tests/support/skips.h"

#include <glob.h>

static const char *shared;

/* ---- streams, by instruction set ---- */

static const uint16_t sets[] = {0x0100, 0x0101, 0x0601, 0x0602, 0x0603, 0x0900, 0x0901};

static struct {
    unsigned subgraphs, layers;
    uint64_t instructions;
} seen[COUNT(sets)];

static void check_code(const char *path, const char *name, const roof_xir_subgraph *own,
                       const roof_code *code, bool is_layer)
{
    char text[200];
    stream_cost cost;
    roof_stream stream;
    roof_error err = {0};
    size_t set = 0;
    const dpu_isa *isa =
        code->bytes && own->fingerprint != ROOF_UNKNOWN ? dpu_isa_of(own->fingerprint) : NULL;
    if (!isa)
        return;
    roof_arena *arena = arena_new(0);
    while (set < COUNT(sets) && dpu_isa_of((uint64_t)sets[set] << 48) != isa)
        set++;
    assert_true(set < COUNT(sets));
    if (dpu_total(own, isa, code, arena, &cost, &stream, &err) != ROOF_OK)
        fail_msg("%s: %s: %s", path, name, fx_message(&err));
    if (schedule_fault(&stream, text, sizeof text))
        fail_msg("%s: %s: %s", path, name, text);
    *(is_layer ? &seen[set].layers : &seen[set].subgraphs) += 1;
    seen[set].instructions += stream.n_instructions;
    arena_free(arena);
}

static void check_codes(const char *path, const roof_graph *g)
{
    for (uint32_t i = 0; i < g->n_subgraphs; i++) {
        const roof_subgraph *s = &g->subgraphs[i];
        const roof_xir_subgraph *own = roof_xir_subgraph_of(g, s);
        if (s->device != ROOF_DEVICE_ACCELERATOR || s->depth != 1)
            continue;
        check_code(path, s->name, own, &own->code, false);
        for (uint32_t l = 0; l < s->n_layers; l++) {
            const roof_layer *layer = &g->layers[s->first_layer + l];
            check_code(path, layer->name, own, &roof_xir_layer_of(g, layer)->code, true);
        }
    }
}

/* ---- predictions ---- */

static void check_part(const char *path, const roof_schedule_part *part)
{
    uint64_t critical = 0;
    for (uint32_t e = 0; e < part->n_engines; e++) {
        const roof_schedule_engine *engine = &part->engines[e];
        uint64_t sum = engine->busy_cycles + engine->tail_cycles;
        for (uint32_t i = 0; i < engine->n_waits; i++)
            sum += engine->waits[i].cycles;
        if (engine->tail_cycles != ROOF_UNKNOWN && sum != part->scheduled_cycles)
            fail_msg("%s: %s of %s is busy, waits and is done for %" PRIu64 " of %" PRIu64 " cycles", path,
                     engine->name, part->subgraph, sum, part->scheduled_cycles);
        critical += engine->critical_cycles;
    }
    if (critical != part->scheduled_cycles)
        fail_msg("%s: the critical path of %s has %" PRIu64 " of %" PRIu64 " cycles", path, part->subgraph,
                 critical, part->scheduled_cycles);
}

static unsigned n_scheduled, n_expected;

static void check_prediction(const char *path, const roof_prediction *p)
{
    assert_int_equal(fx_count_findings(p, ROOF_FINDING_UNBALANCED_CODE), 0);
    for (uint32_t i = 0; i < p->schedule.n_parts; i++)
        check_part(path, &p->schedule.parts[i]);
    if (p->schedule.scheduled_cycles == ROOF_UNKNOWN)
        return;
    n_scheduled++;
    if (p->schedule.scheduled_cycles < p->total.floor_cycles)
        fail_msg("%s: %" PRIu64 " cycles scheduled, the floor is %" PRIu64, path,
                 p->schedule.scheduled_cycles, p->total.floor_cycles);
    if (p->total.predicted_s < p->schedule.scheduled_s || p->schedule.alone_expected_s < p->schedule.alone_s)
        fail_msg("%s: %g s expected, %g s at best", path, p->total.predicted_s, p->schedule.scheduled_s);
    n_expected += isnan(p->total.predicted_s) ? 0 : 1;
    if (strstr(path, "__MobileNetV2.xmodel"))
        assert_int_equal(p->schedule.scheduled_cycles, 489380);
}

static void predict(const char *path, const roof_graph *g)
{
    roof_hw *hw = NULL;
    roof_prediction *p = NULL;
    roof_error err = {0};
    if (roof_hw_of_model(g, &hw, &err) != ROOF_OK) /* families that nobody describes */
        hw = NULL;
    if (hw && roof_predict(g, hw, NULL, &p, &err) != ROOF_OK)
        fail_msg("%s: %s", path, fx_message(&err));
    if (p)
        check_prediction(path, p);
    roof_prediction_free(p);
    roof_hw_free(hw);
}

/* ---- every file ---- */

static void every_stream_of_every_file_has_a_schedule_that_closes(void **state)
{
    static const char *const folders[] = {"xmodel", "xmodel_blocks"};
    unsigned files = 0, streams = 0;
    (void)state;
    for (size_t f = 0; f < COUNT(folders); f++) {
        char pattern[4096];
        glob_t found;
        snprintf(pattern, sizeof pattern, "%s/data/%s/*.xmodel", shared, folders[f]);
        assert_int_equal(glob(pattern, 0, NULL, &found), 0);
        for (size_t i = 0; i < found.gl_pathc; i++) {
            roof_graph *g;
            if (roof_graph_read(found.gl_pathv[i], &g, NULL) != ROOF_OK)
                continue; /* as test_xmodel_tables says it must */
            check_codes(found.gl_pathv[i], g);
            predict(found.gl_pathv[i], g);
            roof_graph_free(g);
            files++;
        }
        globfree(&found);
    }
    for (size_t s = 0; s < COUNT(sets); s++) {
        print_message("%s: %u streams of subgraphs, %u of layers, %" PRIu64 " instructions\n",
                      dpu_isa_name(dpu_isa_of((uint64_t)sets[s] << 48)), seen[s].subgraphs, seen[s].layers,
                      seen[s].instructions);
        streams += seen[s].subgraphs + seen[s].layers;
    }
    print_message("%u streams of %u files, %u files scheduled, %u with an expected time\n", streams, files,
                  n_scheduled, n_expected);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_stream_of_every_file_has_a_schedule_that_closes)};
    shared = shared_folder();
    return cmocka_run_group_tests(tests, NULL, NULL);
}
