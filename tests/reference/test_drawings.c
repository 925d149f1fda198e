/* Drawings of real files: nodes of the drawing are the nodes of the file, counted by another reader, and none
 * is lost or invented. Needs the optional folder that ROOFLINE_SHARED names. */
#include "core/protobuf.h"
#include "roofline/model_diff.h"
#include "tests/support/drawn_network.h"
#include "tests/support/skips.h"

#include <glob.h>

/* Types of other domains have that in front. */
static bool is_type(const char *type, text_span op_type)
{
    const size_t length = strlen(type);
    return length >= op_type.length && span_is(op_type, type + length - op_type.length) &&
           (length == op_type.length || type[length - op_type.length - 1] == '.');
}

/* ModelProto 7 graph, GraphProto 1 node, NodeProto 4 op_type: the nodes of the main graph by type, but for
 * constants, which programs that show such files draw in what reads them. */
static uint32_t count_nodes(const roof_graph *g, const char *type)
{
    pb_cursor model = pb_from(g->storage->file.bytes, g->storage->file.size_bytes);
    pb_field f, n, t;
    roof_status status;
    uint32_t found = 0;
    while (pb_each(&model, &f, &status, NULL))
        if (f.number == 7 && f.wire == PB_BYTES) {
            pb_cursor graph = pb_enter(&model, &f);
            while (pb_each(&graph, &n, &status, NULL))
                if (n.number == 1 && n.wire == PB_BYTES) {
                    pb_cursor node = pb_enter(&graph, &n);
                    text_span is = {"", 0};
                    while (pb_each(&node, &t, &status, NULL))
                        is = t.number == 4 ? pb_span(&t) : is;
                    found += type ? is_type(type, is) : !span_is(is, "Constant");
                }
        }
    return found;
}

static void nodes_are_those_of_the_file(void **state)
{
    char pattern[4096];
    glob_t files;
    uint32_t n_nodes = 0;
    (void)state;
    snprintf(pattern, sizeof pattern, "%s/data/models/*.onnx", shared_folder());
    assert_int_equal(glob(pattern, 0, NULL, &files), 0);
    for (size_t i = 0; i < files.gl_pathc; i++) {
        drawn_network d = drawn_from(files.gl_pathv[i], "kv260");
        const uint32_t wanted = count_nodes(d.net.graph, NULL);
        if (d.view.n_ops != wanted)
            fail_msg("%s: %u nodes are drawn, the file has %u", files.gl_pathv[i], d.view.n_ops, wanted);
        for (uint32_t k = 0; k < d.view.n_ops; k++) { /* of each type as many */
            uint32_t drawn = 0;
            for (uint32_t j = 0; j < d.view.n_ops; j++)
                drawn += strcmp(d.view.ops[j].type, d.view.ops[k].type) == 0;
            if (drawn != count_nodes(d.net.graph, d.view.ops[k].type))
                fail_msg("%s: %u nodes %s are drawn, the file has %u", files.gl_pathv[i], drawn,
                         d.view.ops[k].type, count_nodes(d.net.graph, d.view.ops[k].type));
        }
        drawn_check(&d);
        n_nodes += wanted;
        drawn_close(&d);
    }
    print_message("%zu files, %u nodes\n", files.gl_pathc, n_nodes);
    assert_true(files.gl_pathc >= 10);
    globfree(&files);
}

static void every_real_network_is_drawn_whole(void **state)
{
    static const char *const patterns[] = {"data/models/*.tflite", "data/zoo/*.onnx"};
    uint32_t n = 0;
    (void)state;
    for (size_t k = 0; k < COUNT(patterns); k++) {
        char pattern[4096];
        glob_t files;
        snprintf(pattern, sizeof pattern, "%s/%s", shared_folder(), patterns[k]);
        if (glob(pattern, 0, NULL, &files) != 0)
            continue;
        for (size_t i = 0; i < files.gl_pathc; i++, n++) {
            roof_graph *g = NULL;
            roof_error err;
            const bool is_read = roof_graph_read(files.gl_pathv[i], &g, &err) == ROOF_OK && !g->compiled;
            roof_graph_free(g);
            if (!is_read)
                continue;
            drawn_network d = drawn_from(files.gl_pathv[i], "kv260");
            if (d.view.why_not)
                fail_msg("%s: %s", files.gl_pathv[i], d.view.why_not);
            drawn_check(&d);
            drawn_close(&d);
        }
        globfree(&files);
    }
    print_message("%u files\n", n);
    assert_true(n > 0);
}

/* Of every epoch but the first of all something is known that it reads. */
static void plans_of_a_neural_art_are_drawn(void **state)
{
    char pattern[4096];
    glob_t files;
    uint32_t n = 0;
    (void)state;
    snprintf(pattern, sizeof pattern, "%s/data/neural_art/c_info/*c_info.json", shared_folder());
    assert_int_equal(glob(pattern, 0, NULL, &files), 0);
    for (size_t i = 0; i < files.gl_pathc; i++) {
        roof_graph *g = NULL;
        roof_error err;
        const bool is_plan = roof_graph_read(files.gl_pathv[i], &g, &err) == ROOF_OK && roof_plan_of(g);
        roof_graph_free(g);
        if (!is_plan)
            continue;
        drawn_network d = drawn_from(files.gl_pathv[i], "stm32n6");
        uint32_t n_reached = 0;
        bool *reached = calloc(d.view.n_rows, sizeof *reached);
        assert_non_null(reached);
        for (uint32_t k = 0; k < d.view.n_edges; k++)
            reached[d.view.edges[k].to] = true;
        for (uint32_t r = 0; r < d.view.n_rows; r++)
            n_reached += reached[r];
        if (d.view.why_not)
            fail_msg("%s: %s", files.gl_pathv[i], d.view.why_not);
        assert_int_equal(d.view.n_rows, d.prediction->n_layers);
        assert_int_equal(d.view.n_ops, roof_plan_of(d.net.graph)->n_ops);
        print_message("%s: %u of %u epochs are reached\n", strrchr(files.gl_pathv[i], '/') + 1, n_reached,
                      d.view.n_rows);
        assert_true(10 * n_reached >= 9 * (d.view.n_rows - 1) || d.view.n_rows < 10);
        drawn_check_edges(&d);
        drawn_check_blocks(&d);
        free(reached);
        drawn_close(&d);
        n++;
    }
    globfree(&files);
    assert_true(n >= 5);
}

static bool has_edge(const network_view *v, uint32_t from, uint32_t to)
{
    for (uint32_t i = 0; i < v->n_edges; i++)
        if (v->edges[i].from == from && v->edges[i].to == to)
            return true;
    return false;
}

/* What rows of code write and read says who reads whom; the network that it was compiled from knows it. */
static void edges_found_in_code_are_those_of_the_network(void **state)
{
    static const struct {
        const char *graph, *compiled, *hw;
        uint32_t least;
    } files[] = {{"person_detect", "gen_v310_ethos-u55-32_person", "ethos-u55-32", 29},
                 {"person_detect", "gen_v51_ethos-u65-512_person", "ethos-u65-512", 29},
                 {"person_detect", "gen_v51_ethos-u85-1024_person", "ethos-u85-1024", 29},
                 {"mlperf_tiny_kws", "gen_v310so_ethos-u55-128_kws", "ethos-u55-128", 11},
                 {"mlperf_tiny_kws", "gen_v310sz_ethos-u55-256_kws", "ethos-u55-256", 11},
                 {"mlperf_tiny_kws", "gen_v51_ethos-u85-256_kws", "ethos-u85-256", 11}};
    (void)state;
    for (size_t i = 0; i < COUNT(files); i++) {
        char paths[2][4096];
        roof_model_diff *s = NULL;
        roof_error err = {0};
        uint32_t n_found = 0, n_wanted = 0;
        snprintf(paths[0], sizeof paths[0], "%s/data/models/%s.tflite", shared_folder(), files[i].graph);
        snprintf(paths[1], sizeof paths[1], "%s/data/ethosu/%s.tflite", shared_folder(), files[i].compiled);
        drawn_network before = drawn_from(paths[0], files[i].hw), after = drawn_from(paths[1], files[i].hw);
        roof_hw *hw = fx_hw(files[i].hw);
        if (roof_model_diff_find(
                &(roof_model_diff_request){before.net.graph, after.net.graph, paths[0], paths[1], hw}, &s,
                &err) != ROOF_OK)
            fail_msg("%s", fx_message(&err));
        roof_hw_free(hw);
        assert_null(after.view.why_not);
        drawn_check_edges(&after);
        uint32_t *first = calloc(before.view.n_rows, sizeof *first),
                 *last = calloc(before.view.n_rows, sizeof *last);
        assert_true(first && last);
        for (uint32_t k = 0; k < s->n; k++) {
            assert_int_equal(s->items[k].before.n, 1);
            first[s->items[k].before.rows[0]] = s->items[k].after.rows[0];
            last[s->items[k].before.rows[0]] = s->items[k].after.rows[s->items[k].after.n - 1];
        }
        for (uint32_t k = 0; k < before.view.n_edges; k++) {
            const network_edge *e = &before.view.edges[k];
            n_wanted++;
            n_found += has_edge(&after.view, last[e->from], first[e->to]);
        }
        print_message("%s: %u of %u edges\n", files[i].compiled, n_found, n_wanted);
        assert_int_equal(n_found, n_wanted);
        assert_true(n_wanted >= files[i].least);
        free(first);
        free(last);
        roof_model_diff_free(s);
        drawn_close(&before);
        drawn_close(&after);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(nodes_are_those_of_the_file),
        cmocka_unit_test(every_real_network_is_drawn_whole),
        cmocka_unit_test(plans_of_a_neural_art_are_drawn),
        cmocka_unit_test(edges_found_in_code_are_those_of_the_network),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
