/* The rules of lowering against compiled files: the operators of every part that was compiled for a
 * DPUCZDX8G, fused anew, are its superlayers, and their bytes those of its code. Needs the optional folder
 * that ROOFLINE_SHARED names. */
#include "model/graph/format.h"
#include "model/lower/lower.h"
#include "model/work/opmap.h"
#include "tests/support/skips.h"
#include "tests/unit/fixture.h"

#include <glob.h>
#include <math.h>

/* Bytes of a part that the rules do not tell, by its file, and why. */
static const struct {
    const char *file;
    double most_percent;
    const char *why;
} outliers[] = {
    {"refinedet_pruned", 13, "the compiler (2.0) saved every map, even those of 200 bytes"},
    {"ssd_adas_pruned", 11, "the compiler (2.0) saved every map, even those of 200 bytes"},
    {"ResidualBlock", 7, "rows that overlap between the stripes of a large kernel are loaded twice"},
};

typedef struct totals {
    uint32_t files, parts, layers, same;
    double percent, worst_percent;
} totals;

static bool computes(const roof_graph *g, uint32_t op)
{
    const roof_rule rule = g->ops[op].rule;
    return rule != ROOF_RULE_CONSTANT && (rule_computes(rule) || rule == ROOF_RULE_MOVE);
}

/* Whether the lowered graph has a row of the same operators: those that compute, and no other. */
static bool has_row(const roof_graph *lowered, const roof_graph *g, const roof_layer *layer)
{
    uint32_t row = ROOF_NONE, n = 0;
    for (uint32_t i = 0; i < layer->n_ops; i++) {
        const uint32_t op = g->layer_ops[layer->first_op + i];
        if (!computes(g, op))
            continue;
        if (n++ && lowered->ops[op].layer != row)
            return false;
        row = lowered->ops[op].layer;
    }
    return n == 0 || (row != ROOF_NONE && lowered->layers[row].n_ops == n);
}

static uint64_t bytes_of(const roof_program *p, const char *part)
{
    uint64_t bytes = 0;
    for (uint32_t i = 0; i < p->n_rows; i++) {
        const roof_traffic *t = &p->rows[i].work.traffic;
        if (p->rows[i].executor != ROOF_BY_HOST && (!part || strcmp(p->rows[i].part, part) == 0))
            bytes += t->weights_bytes + t->input_bytes + t->output_bytes;
    }
    return bytes;
}

static const char *reason_of(const char *path, double percent)
{
    for (size_t i = 0; i < sizeof outliers / sizeof *outliers; i++)
        if (strstr(path, outliers[i].file) && fabs(percent) <= outliers[i].most_percent)
            return outliers[i].why;
    return NULL;
}

static void compare(const char *path, totals *all)
{
    roof_graph *g;
    roof_hw *hw = NULL;
    roof_program compiled, lowered;
    roof_error err;
    if (roof_graph_read(path, &g, &err) != ROOF_OK)
        return;
    if (!g->compiled || roof_hw_of_model(g, &hw, &err) != ROOF_OK || !hw ||
        strcmp(roof_hw_family(hw), "dpuczdx8g") != 0) {
        roof_hw_free(hw);
        roof_graph_free(g);
        return;
    }
    const program_lowering by_rules = {lower_program, hw, 0};
    static const workload_convention none;
    roof_arena *arena = arena_new(0);
    assert_int_equal(program_build(g, NULL, NULL, arena, arena, &compiled, &err), ROOF_OK);
    lowered = compiled;
    lowered.n_rows = 0;
    program_builder b = {
        .graph = g, .lowering = &by_rules, .out = &lowered, .arena = arena, .rows = arena, .err = &err};
    assert_int_equal(lower_program(&b, &none), ROOF_OK);
    for (uint32_t i = 0; i < g->n_layers; i++) {
        if (g->subgraphs[g->layers[i].subgraph].device != ROOF_DEVICE_ACCELERATOR)
            continue;
        const bool is_same = has_row(lowered.graph, g, &g->layers[i]);
        all->layers++;
        all->same += is_same;
        if (!is_same)
            print_message("%s: layer %u '%s' is another row\n", path, i + 1, g->layers[i].name);
    }
    const uint64_t want = bytes_of(&compiled, NULL), have = bytes_of(&lowered, NULL);
    const double percent = 100 * ((double)have / (double)want - 1);
    all->files++;
    all->percent += fabs(percent);
    if (fabs(percent) > 3 && !reason_of(path, percent))
        all->worst_percent = fmax(all->worst_percent, fabs(percent));
    print_message("%s: %" PRIu64 " B, want %" PRIu64 " (%+.1f %%)\n", strrchr(path, '/') + 1, have, want,
                  percent);
    arena_free(arena);
    roof_hw_free(hw);
    roof_graph_free(g);
}

static void superlayers_and_their_bytes_are_those_of_compiled_files(void **state)
{
    char pattern[4096];
    totals all = {0};
    glob_t found;
    (void)state;
    snprintf(pattern, sizeof pattern, "%s/data/xmodel*/*.xmodel", shared_folder());
    assert_int_equal(glob(pattern, 0, NULL, &found), 0);
    for (size_t i = 0; i < found.gl_pathc; i++)
        compare(found.gl_pathv[i], &all);
    globfree(&found);
    print_message("%u of %u superlayers of %u files, bytes %.2f %% off in the mean\n", all.same, all.layers,
                  all.files, all.percent / all.files);
    assert_true(all.files >= 20);
    assert_int_equal(all.same, all.layers);
    assert_true(all.percent / all.files <= 2);
    assert_true(all.worst_percent == 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(superlayers_and_their_bytes_are_those_of_compiled_files),
    };
    shared_folder();
    return cmocka_run_group_tests(tests, NULL, NULL);
}
