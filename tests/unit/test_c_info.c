/* Plans out of c_info.json: three generations say the same, and what is not a plan is refused with what to
 * read instead. */
#include "model/graph/format.h"
#include "roofline/memory.h"
#include "tests/support/c_info_writer.h"
#include "tests/support/plan_check.h"
#include "tests/unit/fixture.h"
#include "tests/unit/folder.h"

#include <ctype.h>
#include <string.h>

static textbuf written(const ci_network *network, ci_dialect dialect)
{
    textbuf text;
    text_init(&text, 1 << 24);
    ci_write(network, dialect, &text);
    assert_false(text.failed);
    return text;
}

static roof_graph *read_text(const char *bytes, size_t size)
{
    roof_graph *graph = NULL;
    roof_error err = {0};
    roof_status status = graph_read_memory((const unsigned char *)bytes, size, "test.json", &graph, &err);
    if (status != ROOF_OK)
        fail_msg("%s", fx_message(&err));
    check_plan(graph);
    return graph;
}

static const roof_epoch *epoch_numbered(const roof_graph *g, uint32_t number)
{
    for (uint32_t i = 0; i < roof_plan_of(g)->n_epochs; i++)
        if (roof_plan_of(g)->epochs[i].number == number)
            return &roof_plan_of(g)->epochs[i];
    return NULL;
}

static void every_generation_says_the_same(void **state)
{
    static const struct {
        uint32_t number;
        roof_epoch_kind kind;
        uint32_t conv_units, macs_per_unit, n_accesses;
        const char *blob;
    } rows[] = {
        {1, ROOF_EPOCH_HW, ROOF_NONE, ROOF_NONE, 1, NULL},
        {2, ROOF_EPOCH_HW, 2, 72, 3, "_ec_blob_2"},
        {3, ROOF_EPOCH_HW, 1, 18, 2, "_ec_blob_2"},
        {4, ROOF_EPOCH_HW, ROOF_NONE, ROOF_NONE, 2, NULL},
        {5, ROOF_EPOCH_HW, 1, 72, 3, NULL},
        {6, ROOF_EPOCH_SW, ROOF_NONE, ROOF_NONE, 1, NULL},
        {7, ROOF_EPOCH_HYBRID, ROOF_NONE, ROOF_NONE, 1, NULL},
    };
    (void)state;
    for (int dialect = 0; dialect < CI_DIALECTS; dialect++) {
        textbuf text = written(&ci_tiny, (ci_dialect)dialect);
        roof_graph *g = read_text(text.bytes, text.length);
        assert_int_equal(roof_plan_of(g)->n_epochs, COUNT(rows));
        assert_int_equal(roof_plan_of(g)->n_blobs, 1);
        assert_int_equal(roof_plan_of(g)->blobs[0].n_epochs, 2);
        assert_string_equal(g->name, "tiny");
        for (size_t i = 0; i < COUNT(rows); i++) {
            const roof_epoch *e = epoch_numbered(g, rows[i].number);
            assert_non_null(e);
            assert_int_equal(e->kind, rows[i].kind);
            assert_int_equal(e->conv_units, rows[i].conv_units);
            assert_int_equal(e->macs_per_unit, rows[i].macs_per_unit);
            assert_int_equal(e->n_accesses, rows[i].n_accesses);
            assert_string_equal(e->blob == ROOF_NONE ? "" : roof_plan_of(g)->blobs[e->blob].name,
                                rows[i].blob ? rows[i].blob : "");
            assert_int_equal(e->stored_vendor_cycles,
                             ci_max_cycles(&ci_tiny, &ci_tiny.epochs[rows[i].number]));
        }
        assert_int_equal(epoch_numbered(g, 7)->outside_bytes, 512);
        roof_graph_free(g);
        text_free(&text);
    }
}

static void flows_lead_from_the_epoch_that_makes_a_tensor(void **state)
{
    (void)state;
    for (int dialect = 0; dialect < CI_DIALECTS; dialect++) {
        textbuf text = written(&ci_tiny, (ci_dialect)dialect);
        roof_graph *g = read_text(text.bytes, text.length);
        const roof_plan *plan = roof_plan_of(g);
        uint32_t n_between = 0, n_within = 0;
        for (uint32_t i = 0; i < plan->n_flows; i++) {
            const roof_plan_flow *f = &plan->flows[i];
            assert_true(f->from < plan->n_epochs && f->to < plan->n_epochs);
            const roof_epoch *from = &plan->epochs[f->from], *to = &plan->epochs[f->to];
            if (f->from_op != ROOF_NONE)
                assert_in_range(f->from_op, from->first_op, from->first_op + from->n_ops - 1);
            if (f->to_op != ROOF_NONE)
                assert_in_range(f->to_op, to->first_op, to->first_op + to->n_ops - 1);
            if (f->from == f->to) {
                assert_int_equal(f->bytes, ROOF_UNKNOWN);
                assert_int_equal(f->to_op, f->from_op + 1); /* as the writer does */
            } else {
                assert_int_equal(f->from + 1, f->to);
                assert_true(f->bytes > 0 && f->bytes <= 65536);
                assert_int_not_equal(plan->pools[f->pool].content, ROOF_POOL_PARAMETERS);
            }
            n_between += f->from != f->to;
            n_within += f->from == f->to;
        }
        assert_true(n_between > 2 && n_within > 2);
        roof_graph_free(g);
        text_free(&text);
    }
}

static void pools_say_what_they_hold(void **state)
{
    textbuf text = written(&ci_tiny, CI_3_0);
    roof_graph *g = read_text(text.bytes, text.length);
    const roof_pool *flash = roof_plan_pool(roof_plan_of(g), "octoFlash"),
                    *ram = roof_plan_pool(roof_plan_of(g), "npuRAM4");
    (void)state;
    assert_int_equal(flash->content, ROOF_POOL_PARAMETERS);
    assert_true(flash->read_only && flash->cached && flash->byte_width == 1 && flash->freq_ratio == 6);
    assert_int_equal(ram->content, ROOF_POOL_FEATURE_MAPS);
    assert_true(!ram->read_only && ram->byte_width == 8 && ram->freq_ratio == 1.25);
    assert_int_equal(ram->address, 0x34270000);
    assert_int_equal(ram->size_bytes, 458752);
    assert_null(roof_plan_pool(roof_plan_of(g), "npuRAM7"));
    roof_graph_free(g);
    text_free(&text);
}

/* Ids are numbers without an order; what a pool holds is known of all pools as soon as the file lists
 * buffers. */
static void pools_are_found_by_their_ids(void **state)
{
    static const char buffers[] =
        "\"buffers\":[{\"id\":1,\"mpool_id\":9,\"is_param\":true},{\"id\":2,\"mpool_id\":4},"
        "{\"id\":3,\"mpool_id\":4,\"is_param\":true},{\"id\":4,\"mpool_id\":5},{\"id\":5,\"mpool_id\":77},"
        "{\"id\":6}],";
    static const char rest[] =
        "\"memory_pools\":[{\"id\":9,\"name\":\"a\"},{\"id\":2,\"name\":\"b\"},{\"id\":5,\"name\":\"c\"},"
        "{\"id\":4,\"name\":\"d\"}],\"memory_accesses\":["
        "{\"node_id\":1,\"mpool_id\":4,\"reads\":40,\"read_cycles\":0,\"writes\":0,\"write_cycles\":0},"
        "{\"node_id\":1,\"mpool_id\":9,\"reads\":90,\"read_cycles\":0,\"writes\":0,\"write_cycles\":0},"
        "{\"node_id\":1,\"mpool_id\":3,\"reads\":30,\"read_cycles\":0,\"writes\":0,\"write_cycles\":0}],"
        "\"graphs\":[{\"nodes\":[{\"id\":1,\"name\":\"epoch_1\"}]}],"
        "\"power_estimates\":[{\"node_id\":1,\"max_cycles\":1}]}";
    static const struct {
        const char *buffers;
        roof_pool_content contents[4];
    } files[] = {
        {buffers, {ROOF_POOL_PARAMETERS, ROOF_POOL_FEATURE_MAPS, ROOF_POOL_FEATURE_MAPS, ROOF_POOL_MIXED}},
        {"", {ROOF_POOL_UNLISTED, ROOF_POOL_UNLISTED, ROOF_POOL_UNLISTED, ROOF_POOL_UNLISTED}}};
    (void)state;
    for (size_t i = 0; i < COUNT(files); i++) {
        char text[2000];
        snprintf(text, sizeof text, "{%s%s", files[i].buffers, rest);
        roof_graph *g = read_text(text, strlen(text));
        const roof_plan *plan = roof_plan_of(g);
        for (uint32_t k = 0; k < plan->n_pools; k++)
            assert_int_equal(plan->pools[k].content, files[i].contents[k]);
        assert_int_equal(plan->n_pools, 4);
        assert_int_equal(plan->n_accesses, 2);
        assert_true(plan->accesses[0].pool == 3 && plan->accesses[0].read_bytes == 40);
        assert_true(plan->accesses[1].pool == 0 && plan->accesses[1].read_bytes == 90);
        assert_int_equal(plan->epochs[0].outside_bytes, 30);
        roof_graph_free(g);
    }
}

static void vendor_is_the_files_own_and_ideal_is_the_memories(void **state)
{
    textbuf text = written(&ci_tiny, CI_2_0);
    roof_graph *g = read_text(text.bytes, text.length);
    roof_hw *hw = fx_hw("stm32n6");
    roof_prediction *p = NULL;
    roof_error err = {0};
    uint64_t vendor = 0;
    (void)state;
    assert_int_equal(roof_predict(g, hw, NULL, &p, &err), ROOF_OK);
    for (uint32_t i = 0; i < p->n_layers; i++) {
        assert_int_equal(p->layers[i].estimate.cycles, p->layers[i].estimate.stored_cycles);
        vendor += p->layers[i].estimate.cycles;
    }
    assert_int_equal(p->total.estimate.cycles, vendor);
    assert_int_equal(p->total.estimate.stored_cycles, vendor);
    const roof_layer_prediction *dense = &p->layers[4], *software = &p->layers[5];
    /* 327680 B of flash: 6 cycles a byte to the compiler, 1e9 / 400e6 = 2.5 in truth */
    assert_int_equal(dense->estimate.cycles, 1966080);
    assert_int_equal(dense->deployed.ideal_cycles, 819200);
    assert_string_equal(p->engines[dense->deployed.bound], "octoFlash");
    assert_int_equal(dense->deployed.traffic.weights_bytes, 327680);
    assert_int_equal(dense->deployed.traffic.input_bytes, 32768);
    assert_int_equal(software->deployed.ideal_cycles, ROOF_UNKNOWN);
    assert_string_equal(software->device, "CPU");
    assert_int_equal(p->total.macs, ROOF_UNKNOWN);
    assert_int_equal(p->total.host_layers, 1);
    /* two blobs' epochs, one start; epochs 1, 4, 5, 6, 7 one each */
    assert_int_equal(p->total.boundaries, 6);
    roof_prediction_free(p);
    roof_hw_free(hw);
    roof_graph_free(g);
    text_free(&text);
}

static void a_batch_runs_the_plan_as_often(void **state)
{
    textbuf text = written(&ci_tiny, CI_4_0);
    roof_graph *g = read_text(text.bytes, text.length);
    roof_hw *hw = fx_hw("stm32n6-normal");
    roof_prediction *one = NULL, *three = NULL;
    const roof_predict_options options = {.batch = 3};
    roof_error err = {0};
    (void)state;
    assert_int_equal(roof_predict(g, hw, NULL, &one, &err), ROOF_OK);
    assert_int_equal(roof_predict(g, hw, &options, &three, &err), ROOF_OK);
    assert_int_equal(three->total.estimate.cycles, 3 * one->total.estimate.cycles);
    assert_int_equal(three->total.deployed.ideal_cycles, 3 * one->total.deployed.ideal_cycles);
    for (uint32_t i = 0; i < one->n_layers; i++) /* every memory and every unit, not only what binds */
        for (uint32_t e = 0; e < one->n_engines && one->layers[i].deployed.cycles; e++) {
            uint64_t once = one->layers[i].deployed.cycles[e];
            assert_int_equal(three->layers[i].deployed.cycles[e], once == ROOF_UNKNOWN ? once : 3 * once);
        }
    assert_int_equal(three->total.deployed.traffic.weights_bytes,
                     3 * one->total.deployed.traffic.weights_bytes);
    assert_int_equal(three->hardware.pools[0].read_bytes, 3 * one->hardware.pools[0].read_bytes);
    roof_prediction_free(one);
    roof_prediction_free(three);
    roof_hw_free(hw);
    roof_graph_free(g);
    text_free(&text);
}

static void what_is_no_plan_is_refused_with_advice(void **state)
{
    static const char graph[] = "\"graphs\":[{\"nodes\":[{\"id\":1,\"name\":\"epoch_1\"}]}]";
    static const struct {
        const char *text, *want;
    } cases[] = {
        {"{\"aton_execution_time\":[{\"counters\":[1,2,3]}]}", "`roofline import` reads them"},
        {"{\"graphs\":[],\"buffers\":[]}", "`stedgeai generate` wrote"},
        {"{GRAPH}", "compiled for a CPU"},
        {"{\"json_schema_version\":\"3.0\"}", "schema '3.0', want 2.0"},
        {"{GRAPH,\"power_estimates\":[{\"node_id\":2}]}", "no graph has a node 2"},
        {"{GRAPH,\"power_estimates\":[{\"node_id\":1},{\"node_id\":1}]}", "is there twice"},
        {"{GRAPH,\"power_estimates\":[{\"max_cycles\":1}]}", "no 'node_id'"},
        {"{GRAPH,\"power_estimates\":[{\"node_id\":1,\"max_cycles\":-1}]}", "/power_estimates/0/max_cycles"},
        {"{GRAPH,\"power_estimates\":[{\"node_id\":1}],\"memory_accesses\":[{\"node_id\":1}]}",
         "lacks one of"},
        {"{\"graphs\":[{\"nodes\":[{\"id\":1,\"name\":\"a\"},{\"id\":1,\"name\":\"b\"}]}],"
         "\"power_estimates\":[{\"node_id\":1}]}",
         "two nodes have the id 1"},
        {"{\"graphs\":[{\"nodes\":[{\"name\":\"a\"}]}]}", "no 'id'"},
        {"{\"graphs\":3}", "want an array"},
        {"{GRAPH,\"memory_pools\":[{\"id\":1,\"name\":\"a\"},{\"id\":2,\"name\":\"a\"}],"
         "\"power_estimates\":[{\"node_id\":1,\"max_cycles\":1}]}",
         "'a' is there twice"},
        {"{GRAPH,\"memory_pools\":[{\"id\":1,\"name\":\"a\"},{\"id\":1,\"name\":\"b\"}],"
         "\"power_estimates\":[{\"node_id\":1,\"max_cycles\":1}]}",
         "the id 1 is there twice"},
        {"{GRAPH,\"memory_pools\":[{\"id\":3,\"name\":\"a\"},{\"id\":2,\"name\":\"b\"},"
         "{\"id\":3,\"name\":\"c\"},{\"id\":2,\"name\":\"d\"}],"
         "\"power_estimates\":[{\"node_id\":1,\"max_cycles\":1}]}",
         "/memory_pools/2: the id 3 is there twice"},
        {"{GRAPH,\"memory_pools\":[{\"name\":\"a\"},{\"name\":\"b\"}],"
         "\"power_estimates\":[{\"node_id\":1,\"max_cycles\":1}]}",
         "/memory_pools/1: the id 18446744073709551615 is there twice"},
        {"{GRAPH,\"power_estimates\":[{\"node_id\":1,\"ops\":0,\"compute_cycles\":0,\"max_cycles\":0}]}",
         "no epoch that runs"},
    };
    (void)state;
    for (size_t i = 0; i < COUNT(cases); i++) {
        char text[1024];
        const char *place = strstr(cases[i].text, "GRAPH");
        roof_graph *g = NULL;
        roof_error err = {0};
        if (place)
            snprintf(text, sizeof text, "%.*s%s%s", (int)(place - cases[i].text), cases[i].text, graph,
                     place + 5);
        else
            snprintf(text, sizeof text, "%s", cases[i].text);
        roof_status status = graph_read_memory((const unsigned char *)text, strlen(text), "t", &g, &err);
        if (roof_status_exit_code(status) != 65)
            fail_msg("case %zu was taken", i);
        if (!strstr(fx_message(&err), cases[i].want))
            fail_msg("case %zu: '%s', want '%s'", i, fx_message(&err), cases[i].want);
    }
}

static void a_cut_file_is_refused_wherever_it_ends(void **state)
{
    textbuf text = written(&ci_tiny, CI_3_0);
    (void)state;
    for (size_t size = 1; size + 2 < text.length; size += 97) {
        roof_graph *g = NULL;
        roof_error err = {0};
        assert_int_not_equal(graph_read_memory((const unsigned char *)text.bytes, size, "t", &g, &err),
                             ROOF_OK);
        assert_null(g);
    }
    text_free(&text);
}

/* Members and lists in any order: the front end sorts them, the compiler does not. */
static void the_order_of_members_does_not_matter(void **state)
{
    static const char text[] =
        "{\"power_estimates\":[{\"max_cycles\":48,\"compute_cycles\":7,\"ops\":3,\"node_id\":5}],"
        "\"memory_accesses\":[{\"writes\":0,\"write_cycles\":0,\"reads\":8,\"read_cycles\":48,\"mpool_id\":2,"
        "\"node_id\":5}],"
        "\"memory_pools\":[{\"name\":\"octoFlash\",\"attributes\":{\"freq_ratio\":6,\"byte_width\":1},\"id\":"
        "2}],"
        "\"graphs\":[{\"nodes\":[{\"subgraph_nodes\":[{\"type\":\"Conv\",\"name\":\"c\",\"id\":6}],"
        "\"mapping\":\"NODE_HW\","
        "\"name\":\"epoch_1\",\"id\":5}]}]}";
    roof_graph *g = read_text(text, strlen(text));
    (void)state;
    assert_int_equal(roof_plan_of(g)->n_epochs, 1);
    assert_int_equal(roof_plan_of(g)->epochs[0].stored_vendor_cycles, 48);
    assert_int_equal(roof_plan_of(g)->epochs[0].n_ops, 1);
    assert_int_equal(roof_plan_of(g)->accesses[0].read_bytes, 8);
    roof_graph_free(g);
}

/* An epoch below a node that has an estimate of the same work, as a blob could: the work counts once. */
static void work_is_counted_once_whatever_is_nested(void **state)
{
    static const char text[] =
        "{\"graphs\":[{\"nodes\":[{\"id\":1,\"name\":\"epoch_1\",\"mapping\":\"NODE_EC\",\"subgraph_nodes\":["
        "{\"id\":2,\"name\":\"epoch_1\",\"mapping\":\"NODE_HW\"},{\"id\":3,\"name\":\"epoch_2\",\"mapping\":"
        "\"NODE_HW\"}]},"
        "{\"id\":4,\"name\":\"epoch_3\",\"mapping\":\"NODE_EC\",\"subgraph_nodes\":["
        "{\"id\":5,\"name\":\"epoch_3\",\"mapping\":\"NODE_HW\"}]}]}],"
        "\"power_estimates\":[{\"node_id\":1,\"max_cycles\":30},{\"node_id\":2,\"max_cycles\":10},"
        "{\"node_id\":3,\"max_cycles\":20},{\"node_id\":4,\"max_cycles\":5}]}";
    roof_graph *g = read_text(text, strlen(text));
    uint64_t sum = 0;
    (void)state;
    for (uint32_t i = 0; i < roof_plan_of(g)->n_epochs; i++)
        sum += roof_plan_of(g)->epochs[i].stored_vendor_cycles;
    assert_int_equal(roof_plan_of(g)->n_epochs, 3);
    assert_int_equal(sum, 35);
    roof_graph_free(g);
}

static textbuf epoch_of_kinds(const char *const *kinds, uint32_t n)
{
    textbuf text;
    text_init(&text, 1 << 24);
    text_puts(&text, "{\"graphs\":[{\"nodes\":[{\"id\":1,\"name\":\"epoch_1\",\"subgraph_nodes\":[");
    for (uint32_t i = 0; i < n; i++)
        text_printf(&text, "%s{\"id\":%u,\"name\":\"n%u\",\"type\":\"%s\"}", i ? "," : "", i + 2, i,
                    kinds[i]);
    text_puts(&text, "]}]}],\"power_estimates\":[{\"node_id\":1,\"max_cycles\":1}]}");
    assert_false(text.failed);
    return text;
}

static void assert_type(const char *const *kinds, uint32_t n, const char *want)
{
    textbuf text = epoch_of_kinds(kinds, n);
    roof_graph *g = read_text(text.bytes, text.length);
    roof_prediction *p = fx_predict(g, "stm32n6", NULL);
    assert_int_equal(p->n_layers, 1);
    assert_int_equal(p->layers[0].n_ops, n);
    assert_string_equal(p->layers[0].type, want);
    roof_prediction_free(p);
    roof_graph_free(g);
    text_free(&text);
}

static void a_row_is_called_by_the_kinds_of_its_operators(void **state)
{
    static const char *const few[] = {"Mul", "Conv", "Add", "Conv", "Mul", "Conv"};
    static const char *const nameless[] = {"", "B", "C"}, *const twice_nameless[] = {"", "B", ""};
    (void)state;
    assert_type(NULL, 0, "epoch");
    assert_type(few, COUNT(few), "2mul+3conv+add");
    assert_type(nameless, COUNT(nameless), "b+c");
    assert_type(twice_nameless, COUNT(twice_nameless), "2+b");
}

/* Kinds beyond the end of the text do not count, the last operator of one within does. */
static void a_row_of_many_kinds_is_called_by_the_first(void **state)
{
    enum { N = 30000 };
    static char names[N][16];
    static const char *kinds[N + 1];
    char want[96] = "", all[400] = "2a";
    (void)state;
    for (uint32_t i = 1; i < N; i++) {
        snprintf(names[i], sizeof names[i], "k%u", i);
        kinds[i] = names[i];
    }
    kinds[0] = kinds[N] = "a";
    for (uint32_t i = 1; i < 50; i++)
        snprintf(all + strlen(all), sizeof all - strlen(all), "+%s", kinds[i]);
    memcpy(want, all, sizeof want - 1);
    assert_type(kinds, N + 1, want);
}

/* As many kinds as have room at all. */
static void the_shortest_kinds_fill_the_text(void **state)
{
    enum { N = 50 };
    static char letters[N][2];
    const char *kinds[N] = {""};
    char want[96] = "";
    (void)state;
    for (uint32_t i = 1, c = '0'; i < N; i++, c++) {
        c += c == '\\';
        letters[i][0] = (char)c;
        kinds[i] = letters[i];
        if (i < N - 1)
            snprintf(want + strlen(want), sizeof want - strlen(want), "%s%c", i > 1 ? "+" : "",
                     tolower((int)c));
    }
    assert_int_equal(strlen(want), sizeof want - 1);
    assert_type(kinds, N, want);
}

static void other_hardware_cannot_run_a_plan(void **state)
{
    textbuf text = written(&ci_tiny, CI_3_0);
    roof_graph *g = read_text(text.bytes, text.length);
    roof_hw *hw = fx_hw("b4096");
    roof_prediction *p = NULL;
    roof_error err = {0};
    (void)state;
    assert_int_equal(roof_predict(g, hw, NULL, &p, &err), ROOF_E_UNSUPPORTED);
    assert_non_null(strstr(fx_message(&err), "--hw stm32n6"));
    roof_hw_free(hw);
    assert_int_equal(roof_hw_of_model(g, &hw, NULL), ROOF_OK);
    assert_string_equal(roof_hw_id(hw), "stm32n6");
    roof_hw_free(hw);
    roof_graph_free(g);
    text_free(&text);
}

static bool is_document(const char *name)
{
    bool is;
    assert_int_equal(roof_is_document(in_folder(name), &is, NULL), ROOF_OK);
    return is;
}

/* A plan and a prediction are both JSON, and commands take both. */
static void a_file_tells_whether_it_is_a_model(void **state)
{
    static const struct {
        const char *text;
        bool is_model, is_document;
    } files[] = {{"{\"buffers\": []}", true, false},
                 {"{ \"json_schema_version\": \"2.0\"}", true, false},
                 {"{\"schema\": \"roofline.prediction/1\"}", false, true},
                 {"{", false, true},
                 {"nothing", false, false},
                 {"", false, false}};
    (void)state;
    for (size_t i = 0; i < COUNT(files); i++) {
        FILE *file = fopen(in_folder("file"), "wb");
        assert_non_null(file);
        assert_true(fputs(files[i].text, file) >= 0);
        assert_int_equal(fclose(file), 0);
        assert_int_equal(roof_graph_is_model(in_folder("file")), files[i].is_model);
        assert_int_equal(is_document("file"), files[i].is_document);
        assert_int_equal(remove(in_folder("file")), 0);
    }
    assert_false(roof_graph_is_model(in_folder("file"))); /* gone */
    assert_false(is_document("file"));
    assert_false(roof_graph_is_model(folder));
    assert_false(is_document(""));
}

static void what_tells_memory_alone_has_no_prediction(void **state)
{
    static const char cpu[] =
        "{\"graphs\":[{\"name\":\"net\",\"nodes\":[{\"id\":0,\"name\":\"conv\"}]}],\"buffers\":[{\"id\":0,"
        "\"name\":"
        "\"a\",\"offset_start\":0,\"size_bytes\":9,\"epochs\":{\"start\":1,\"end\":2},\"mpool_id\":0}],"
        "\"memory_pools\":[{\"id\":0,\"name\":\"heap\",\"size_bytes\":-1,\"used_size_bytes\":9}]}";
    const unsigned char *bytes = (const unsigned char *)cpu;
    const roof_workload requested = {.asks_memory = true};
    roof_graph *graph = NULL;
    roof_memory *memory = NULL;
    roof_hw *hw = NULL;
    roof_prediction *p = NULL;
    roof_error err = {0};
    (void)state;
    assert_int_equal(graph_read_memory(bytes, sizeof cpu - 1, "c", &graph, &err), ROOF_E_DATA);
    assert_int_equal(graph_read_memory_as(bytes, sizeof cpu - 1, "c", &requested, &graph, &err), ROOF_OK);
    assert_int_equal(graph->n_layers, 0);
    assert_int_equal(roof_memory_of(graph, NULL, &memory, &err), ROOF_OK);
    assert_int_equal(memory->pools[0].peak_bytes, 9);
    assert_int_equal(memory->pools[0].size_bytes, ROOF_UNKNOWN);
    assert_int_equal(roof_hw_load("stm32n6", &hw, &err), ROOF_OK);
    assert_int_equal(roof_predict(graph, hw, NULL, &p, &err), ROOF_E_UNSUPPORTED);
    assert_non_null(strstr(err.what, "for its memory alone"));
    roof_hw_free(hw);
    roof_memory_free(memory);
    roof_graph_free(graph);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_generation_says_the_same),
        cmocka_unit_test(flows_lead_from_the_epoch_that_makes_a_tensor),
        cmocka_unit_test(pools_say_what_they_hold),
        cmocka_unit_test(pools_are_found_by_their_ids),
        cmocka_unit_test(vendor_is_the_files_own_and_ideal_is_the_memories),
        cmocka_unit_test(a_batch_runs_the_plan_as_often),
        cmocka_unit_test(what_is_no_plan_is_refused_with_advice),
        cmocka_unit_test(a_cut_file_is_refused_wherever_it_ends),
        cmocka_unit_test(the_order_of_members_does_not_matter),
        cmocka_unit_test(work_is_counted_once_whatever_is_nested),
        cmocka_unit_test(a_row_is_called_by_the_kinds_of_its_operators),
        cmocka_unit_test(a_row_of_many_kinds_is_called_by_the_first),
        cmocka_unit_test(the_shortest_kinds_fill_the_text),
        cmocka_unit_test(other_hardware_cannot_run_a_plan),
        cmocka_unit_test(a_file_tells_whether_it_is_a_model),
        cmocka_unit_test(what_tells_memory_alone_has_no_prediction),
    };
    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
