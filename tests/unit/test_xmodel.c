/* The reader of .xmodel files: every spelling gives the same graph, odd trees are understood, and whatever is
 * damaged or hostile is refused with a sentence and a place, in little memory. */
#include "tests/unit/fixture.h"
#include "tests/support/skips.h"

#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

/* ---- spellings ---- */

static const struct spelling {
    const char *name;
    xm_options options;
} spellings[] = {
    {"unpacked", {.unpacked = true}},
    {"reversed maps", {.reversed_maps = true}},
    {"int enums", {.int_enums = true}},
    {"op defs", {.with_op_defs = true}},
    {"weights", {.weights_bytes = 100000}},
    {"all of them",
     {.unpacked = true, .reversed_maps = true, .int_enums = true, .with_op_defs = true, .weights_bytes = 5}},
};

static char *dump_of(const char *network, const xm_options *options, bool layer_code)
{
    const xn_config config = {.layer_code = layer_code};
    fx_net net = fx_open(xn_find_network(network)->build(&config, NULL), options);
    char *text = fx_dump(net.graph);
    fx_close(&net);
    return text;
}

static void every_spelling_gives_the_same_graph(void **state)
{
    static const char *const networks[] = {"tiny", "mobilenetv2", "resnet50", "chain", "quantised"};
    (void)state;
    for (size_t n = 0; n < COUNT(networks); n++)
        for (size_t i = 0; i < COUNT(spellings); i++)
            for (int layer_code = 0; layer_code < 2; layer_code++)
                fx_assert_same_dump(spellings[i].name,
                                    dump_of(networks[n], &spellings[i].options, layer_code),
                                    dump_of(networks[n], NULL, layer_code));
}

/* Compilers of 1.1 and 1.2 write the width of a tensor only as an attribute. */
static void a_missing_bit_width_is_taken_from_the_attribute(void **state)
{
    const xm_attr wide = xm_i32("bit_width", 16);
    const fx_op ops[] = {FX("a", "data", {1, 10}, .tensor_extra = &wide, .bit_width = 8),
                         FX("b", "data", {1, 10})};
    const xm_options without = {.no_bit_width = true};
    (void)state;
    fx_net net = fx_open(fx_model(ops, COUNT(ops), NULL), &without);
    assert_int_equal(net.graph->ops[0].out.bit_width, 16);
    assert_int_equal(net.graph->ops[0].out.bytes, 20);
    assert_int_equal(net.graph->ops[1].out.bit_width, 8); /* neither: 8 */
    fx_close(&net);
    net = fx_open(fx_model(ops, COUNT(ops), NULL), NULL);
    assert_int_equal(net.graph->ops[0].out.bit_width, 8); /* the field counts when it is there */
    fx_close(&net);
}

static void a_missing_bit_width_changes_no_tensor_of_the_accelerator(void **state)
{
    const xm_options without = {.no_bit_width = true};
    (void)state;
    fx_net with = fx_open(xn_mobilenet_v2(NULL, NULL), NULL),
           bare = fx_open(xn_mobilenet_v2(NULL, NULL), &without);
    for (uint32_t i = 0; i < with.graph->n_ops; i++)
        if (with.graph->ops[i].layer != ROOF_NONE &&
            with.graph->subgraphs[with.graph->ops[i].subgraph].device == ROOF_DEVICE_ACCELERATOR)
            assert_int_equal(with.graph->ops[i].out.bytes, bare.graph->ops[i].out.bytes);
    fx_close(&with);
    fx_close(&bare);
}

static void the_type_of_a_pooling_is_read_in_both_spellings(void **state)
{
    static const struct {
        const char *name;
        xm_attr kind;
        bool average;
    } rows[] = {{"MAX", {.name = "type", .type = XM_STRING, .value.string = "MAX"}, false},
                {"AVG", {.name = "type", .type = XM_STRING, .value.string = "AVG"}, true},
                {"0", {.name = "type", .type = XM_INT32, .value.i32 = 0}, false},
                {"1", {.name = "type", .type = XM_INT32, .value.i32 = 1}, true}};
    (void)state;
    for (size_t i = 0; i < COUNT(rows); i++) {
        const fx_op ops[] = {
            FX("in", "data", {1, 4, 4, 8}),
            FX("pool", "pool-fix", {1, 2, 2, 8}, .inputs = {"in"}, .kernel = {2, 2}, .extra = &rows[i].kind)};
        fx_net net = fx_open(fx_model(ops, COUNT(ops), NULL), NULL);
        if (net.graph->ops[1].average != rows[i].average)
            fail_msg("type %s", rows[i].name);
        fx_close(&net);
    }
}

static void attributes_end_up_in_the_op(void **state)
{
    const fx_op ops[] = {FX("in", "data", {1, 9, 11, 3}), FX("w", "const", {8, 5, 3, 3}),
                         FX("conv", "conv2d-fix", {1, 6, 7, 8}, .inputs = {"in"}, .weights = "w",
                            .kernel = {3, 5}, .stride = {2, 1}, .dilation = {4, 6}, .pad = {1, 2, 3, 0},
                            .augmentation = 1, .workload_ops = 12345),
                         FX("tile", "tile-fix", {1, 12, 14, 2}, .inputs = {"conv"}, .tile = 2)};
    (void)state;
    fx_net net = fx_open(fx_model(ops, COUNT(ops), NULL), NULL);
    const roof_op *conv = fx_find_op(net.graph, "conv"), *tile = fx_find_op(net.graph, "tile");
    const roof_window want = {.kernel_h = 5,
                              .kernel_w = 3,
                              .stride_h = 1,
                              .stride_w = 2,
                              .dilation_h = 6,
                              .dilation_w = 4,
                              .pad_left = 1,
                              .pad_right = 2,
                              .pad_top = 3,
                              .pad_bottom = 0};
    assert_memory_equal(&conv->window, &want, sizeof want);
    assert_int_equal(conv->stored_workload_ops, 12345);
    assert_int_equal(roof_xir_op_of(net.graph, conv)->channel_augmentation, 1);
    assert_int_equal(conv->out.elements, 6 * 7 * 8);
    assert_int_equal(roof_xir_op_of(net.graph, tile)->tile_stride, 2);
    assert_true(tile->stored_workload_ops == ROOF_UNKNOWN);
    assert_int_equal(conv->n_inputs, 2);
    assert_int_equal(net.graph->edges[conv->first_input + 1].role, ROOF_ROLE_WEIGHTS);
    fx_close(&net);
}

/* A slice of a wider tensor, as the inputs of a concatenation are, or one with a gap behind each pixel. */
static void strides_wider_than_the_shape_make_a_slice(void **state)
{
    static const struct {
        int32_t strides[4];
        bool in_place;
        uint64_t span_bytes;
    } rows[] = {{{512, 128, 32, 1}, true, 1 + 3 * 128 + 3 * 32 + 7},
                {{144, 36, 9, 1}, true, 1 + 3 * 36 + 3 * 9 + 7},
                {{128, 32, 8, 1}, false, 128},
                {{0, 32, 8, 1}, false, 128}};
    (void)state;
    for (size_t i = 0; i < COUNT(rows); i++) {
        const xm_attr stride = {
            .name = "stride", .type = XM_INT32_VEC, .count = 4, .value.i32_vec = rows[i].strides};
        const fx_op op = FX("slice", "data", {1, 4, 4, 8}, .tensor_extra = &stride);
        const fx_op ops[] = {op, FX("relu", "relu", {1, 4, 4, 8}, .inputs = {"slice"})};
        fx_net net = fx_open(fx_model(ops, COUNT(ops), NULL), NULL);
        assert_int_equal(roof_xir_op_of(net.graph, net.graph->ops)->in_place, rows[i].in_place);
        assert_int_equal(net.graph->ops[0].out.bytes, 128);
        assert_int_equal(roof_xir_op_of(net.graph, net.graph->ops)->span_bytes, rows[i].span_bytes);
        fx_close(&net);
    }
}

static void an_op_may_stand_before_its_inputs(void **state)
{
    const fx_op ops[] = {FX("relu", "relu", {1, 8}, .inputs = {"in"}), FX("in", "data", {1, 8})};
    (void)state;
    fx_net net = fx_open(fx_model(ops, COUNT(ops), NULL), NULL);
    assert_int_equal(net.graph->edges[net.graph->ops[0].first_input].op, 1);
    fx_close(&net);
}

/* ---- trees ---- */

typedef struct node {
    const char *name;
    int parent; /* row; -1: the root */
    const char *device, *op;
    const char *order[3]; /* children_topological_sort */
} node;

static const fx_op tree_ops[] = {FX("in", "data-fix", {1, 8}),
                                 FX("a", "relu", {1, 8}, .inputs = {"in"}),
                                 FX("b", "relu", {1, 8}, .inputs = {"a"}),
                                 FX("c", "relu", {1, 8}, .inputs = {"b"}),
                                 FX("up", "upload", {1, 8}, .inputs = {"in"}),
                                 FX("d", "relu", {1, 8}, .inputs = {"c"})};

static xm_attrs node_attrs(xm_model *m, const node *n)
{
    fx_attrs attrs = {0};
    size_t listed = 0;
    while (listed < COUNT(n->order) && n->order[listed])
        listed++;
    if (n->device)
        fx_put(&attrs, xm_string("device", n->device));
    if (listed)
        fx_put(&attrs, xm_string_vec(m, "children_topological_sort", n->order, listed));
    return xm_attrs_copy(m, attrs.list, attrs.count);
}

/* Children of a row come in the order of the table. */
static void build_children(xm_model *m, xm_subgraph *s, const node *nodes, size_t n, int self)
{
    size_t count = 0, at = 0;
    for (size_t i = 0; i < n; i++)
        count += nodes[i].parent == self;
    xm_subgraph *children = count ? xm_add_children(m, s, count) : NULL;
    for (size_t i = 0; i < n; i++) {
        if (nodes[i].parent != self)
            continue;
        xm_subgraph *child = &children[at++];
        child->name = nodes[i].name;
        child->attrs = node_attrs(m, &nodes[i]);
        if (nodes[i].op)
            child->op_names = xm_copy(m, &nodes[i].op, child->n_op_names = 1, sizeof nodes[i].op);
        build_children(m, child, nodes, n, (int)i);
    }
}

static fx_net tree_of(const node *nodes, size_t n)
{
    xm_model *m = fx_model(tree_ops, COUNT(tree_ops), NULL);
    build_children(m, m->root, nodes, n, -1);
    return fx_written(m, NULL);
}

/* "subgraph/layer:ops" of every layer, in order of execution. */
static const char *layers_of(const roof_graph *g)
{
    static char text[512];
    int used = 0;
    text[0] = '\0';
    for (uint32_t i = 0; i < g->n_layers; i++) {
        const roof_layer *l = &g->layers[i];
        used += snprintf(text + used, sizeof text - (size_t)used, "%s%s/%s:", i ? " " : "",
                         g->subgraphs[l->subgraph].name, l->name);
        for (uint32_t o = 0; o < l->n_ops; o++)
            used += snprintf(text + used, sizeof text - (size_t)used, "%s",
                             g->ops[g->layer_ops[l->first_op + o]].name);
    }
    return text;
}

static const node listed_tree[] = {{"u", -1, "USER", "in", {0}},
                                   {"dpu", -1, "DPU", NULL, {"lb", "la"}},
                                   {"la", 1, NULL, "a", {0}},
                                   {"lb", 1, NULL, "b", {0}}};
static const node unlisted_tree[] = {
    {"dpu", -1, "DPU", NULL, {0}}, {"lb", 0, NULL, "b", {0}}, {"la", 0, NULL, "a", {0}}};
static const node upload_tree[] = {
    {"dpu", -1, "DPU", NULL, {"la"}}, {"up", 0, NULL, "up", {0}}, {"la", 0, NULL, "a", {0}}};
static const node leaf_tree[] = {{"dpu", -1, "DPU", "a", {0}}};
static const node three_levels[] = {{"dpu", -1, "DPU", NULL, {"lb", "la"}},
                                    {"tile", 0, NULL, NULL, {0}},
                                    {"la", 1, NULL, "a", {0}},
                                    {"lb", 1, NULL, "b", {0}}};
static const node listed_tiles[] = {{"dpu", -1, "DPU", NULL, {"t1", "t0"}},
                                    {"t0", 0, NULL, NULL, {0}},
                                    {"x", 1, NULL, "a", {0}},
                                    {"y", 1, NULL, "b", {0}},
                                    {"t1", 0, NULL, "c", {0}}};
static const node same_names[] = {{"x", -1, "DPU", NULL, {"x", "y"}}, {"x", 0, NULL, "a", {0}},
                                  {"y", 0, NULL, "b", {0}},           {"y", -1, "DPU", NULL, {"x", "y"}},
                                  {"x", 3, NULL, "c", {0}},           {"y", 3, NULL, "d", {0}}};
static const node nearer_first[] = {{"dpu", -1, "DPU", NULL, {"x"}},
                                    {"tile", 0, NULL, NULL, {0}},
                                    {"x", 1, NULL, "a", {0}},
                                    {"x", 0, NULL, "b", {0}}};
static const node with_host[] = {{"p", -1, "DPU", NULL, {"la"}},
                                 {"la", 0, NULL, "a", {0}},
                                 {"host", -1, "CPU", "b", {0}},
                                 {"q", -1, "DPU", NULL, {"lc"}},
                                 {"lc", 3, NULL, "c", {0}}};

static void layers_follow_the_order_of_execution(void **state)
{
    static const struct {
        const char *name;
        const node *nodes;
        size_t n;
        const char *want;
    } rows[] = {
        {"children_topological_sort rules", listed_tree, COUNT(listed_tree), "dpu/lb:b dpu/la:a"},
        {"without it, the order of the file", unlisted_tree, COUNT(unlisted_tree), "dpu/lb:b dpu/la:a"},
        {"upload is a child, not a layer", upload_tree, COUNT(upload_tree), "dpu/la:a"},
        {"a DPU subgraph without children", leaf_tree, COUNT(leaf_tree), "dpu/dpu:a"},
        {"grandchildren, below a tile", three_levels, COUNT(three_levels), "dpu/lb:b dpu/la:a"},
        {"a tile with superlayers inside is one layer", listed_tiles, COUNT(listed_tiles),
         "dpu/t1:c dpu/t0:ab"},
        {"names are looked up within the parent", same_names, COUNT(same_names), "x/x:a x/y:b y/x:c y/y:d"},
        {"a child comes before a grandchild of its name", nearer_first, COUNT(nearer_first), "dpu/x:b"},
        {"host subgraphs are layers between", with_host, COUNT(with_host), "p/la:a host/host:b q/lc:c"},
    };
    (void)state;
    for (size_t i = 0; i < COUNT(rows); i++) {
        fx_net net = tree_of(rows[i].nodes, rows[i].n);
        fx_read(&net, "net.xmodel");
        if (strcmp(layers_of(net.graph), rows[i].want) != 0)
            fail_msg("%s: %s, want %s", rows[i].name, layers_of(net.graph), rows[i].want);
        fx_close(&net);
    }
}

static void an_unlisted_upload_belongs_to_the_subgraph_and_to_no_layer(void **state)
{
    (void)state;
    fx_net net = tree_of(upload_tree, COUNT(upload_tree));
    fx_read(&net, "net.xmodel");
    assert_int_equal(fx_find_op(net.graph, "up")->layer, ROOF_NONE);
    assert_int_equal(fx_find_op(net.graph, "up")->subgraph, fx_dpu(net.graph));
    fx_close(&net);
}

static const node twice_tree[] = {{"dpu", -1, "DPU", NULL, {"la", "la"}}, {"la", 0, NULL, "a", {0}}};
static const node no_child_tree[] = {{"dpu", -1, "DPU", NULL, {"la", "lz"}}, {"la", 0, NULL, "a", {0}}};
static const node great_grandchild[] = {{"dpu", -1, "DPU", NULL, {"la"}},
                                        {"t", 0, NULL, NULL, {0}},
                                        {"tt", 1, NULL, NULL, {0}},
                                        {"la", 2, NULL, "a", {0}}};
static const node unknown_op[] = {{"dpu", -1, "DPU", NULL, {"la"}}, {"la", 0, NULL, "nowhere", {0}}};
static const node only_host[] = {{"u", -1, "USER", "in", {0}}, {"host", -1, "CPU", "a", {0}}};
static const node no_device[] = {{"u", -1, NULL, "in", {0}}};

#define LEFT_TO_THE_HOST                                                                                     \
    "has no subgraph for a DPU: the compiler left everything to the host, so there are no accelerator "      \
    "layers to analyse; "                                                                                    \
    "compile the quantised model for the target"

static void impossible_trees_are_refused(void **state)
{
    static const struct {
        const char *name;
        const node *nodes;
        size_t n;
        roof_status status;
        const char *want;
    } rows[] = {
        {"a layer twice", twice_tree, COUNT(twice_tree), ROOF_E_DATA,
         "subgraph 'dpu': children_topological_sort names 'la' twice"},
        {"no such layer", no_child_tree, COUNT(no_child_tree), ROOF_E_DATA,
         "subgraph 'dpu': children_topological_sort names 'lz' which is no child"},
        {"a layer too deep down", great_grandchild, COUNT(great_grandchild), ROOF_E_DATA,
         "subgraph 'dpu': children_topological_sort names 'la' which is no child"},
        {"an op that is not there", unknown_op, COUNT(unknown_op), ROOF_E_DATA,
         "subgraph 'la' names op 'nowhere', which the file does not have"},
        {"everything on the CPU", only_host, COUNT(only_host), ROOF_E_UNSUPPORTED, LEFT_TO_THE_HOST},
        {"no device at all", no_device, COUNT(no_device), ROOF_E_UNSUPPORTED, LEFT_TO_THE_HOST},
    };
    (void)state;
    for (size_t i = 0; i < COUNT(rows); i++) {
        fx_net net = tree_of(rows[i].nodes, rows[i].n);
        uint64_t at = fx_refused(rows[i].name, &net, rows[i].status, rows[i].want);
        assert_true(rows[i].status == ROOF_E_UNSUPPORTED ? at == ROOF_UNKNOWN : at < net.size_bytes);
        fx_close(&net);
    }
}

static void a_quantised_file_has_a_layer_for_each_op_that_computes(void **state)
{
    static const char *const want[] = {"conv0", "relu0", "pool0", "dw1", "conv1", "add1", "fc"};
    (void)state;
    fx_net net = fx_open(xn_quantised(NULL, NULL), NULL);
    assert_false(net.graph->compiled);
    assert_int_equal(net.graph->n_layers, COUNT(want));
    for (uint32_t i = 0; i < net.graph->n_layers; i++) {
        assert_string_equal(net.graph->layers[i].name, want[i]);
        assert_int_equal(net.graph->layers[i].n_ops, 1);
    }
    fx_close(&net);
}

static void a_quantised_file_is_put_into_an_order_that_can_run(void **state)
{
    const fx_op ops[] = {FX("last", "relu", {1, 8}, .inputs = {"middle"}),
                         FX("middle", "relu", {1, 8}, .inputs = {"in"}), FX("in", "data", {1, 8})};
    (void)state;
    fx_net net = fx_open(fx_model(ops, COUNT(ops), NULL), NULL);
    assert_string_equal(net.graph->layers[0].name, "middle");
    assert_string_equal(net.graph->layers[1].name, "last");
    fx_close(&net);
}

static void a_circle_of_ops_is_refused(void **state)
{
    const fx_op ops[] = {FX("a", "relu", {1, 8}, .inputs = {"b"}), FX("b", "relu", {1, 8}, .inputs = {"c"}),
                         FX("c", "relu", {1, 8}, .inputs = {"a"})};
    const fx_op self[] = {FX("a", "relu", {1, 8}, .inputs = {"a"})};
    (void)state;
    fx_net net = fx_written(fx_model(ops, COUNT(ops), NULL), NULL);
    fx_refused("three", &net, ROOF_E_DATA, "ops feed each other in a circle through 'a'");
    fx_close(&net);
    net = fx_written(fx_model(self, 1, NULL), NULL);
    fx_refused("itself", &net, ROOF_E_DATA, "ops feed each other in a circle through 'a'");
    fx_close(&net);
}

static void a_recurrent_network_is_refused_and_named(void **state)
{
    (void)state;
    fx_net net = fx_written(xn_rnn(NULL, NULL), NULL);
    fx_refused("rnn", &net, ROOF_E_UNSUPPORTED,
               "is a recurrent network for the DPU-for-RNN (target U50): one operator stands for the whole "
               "network, its layers "
               "exist only inside the instructions, so there is nothing to analyse per layer");
    fx_close(&net);
}

/* ---- what the file says about the target ---- */

static void the_target_is_read(void **state)
{
    const xn_config config = {.arch = xn_find_arch("B3136"), .layer_code = true};
    (void)state;
    fx_net net = fx_open(xn_tiny(&config, NULL), NULL);
    const roof_graph *g = net.graph;
    const roof_subgraph *s = &g->subgraphs[fx_dpu(g)];
    const roof_xir_subgraph *own = roof_xir_subgraph_of(g, s);
    const roof_code *code = &roof_xir_layer_of(g, g->layers)->code;
    assert_string_equal(g->compiler, "xcompiler.3.5.0");
    assert_string_equal(g->format, "xmodel");
    assert_string_equal(g->name, "tiny");
    assert_string_equal(s->target, "DPUCZDX8G_ISA1_B3136");
    assert_true(own->fingerprint == 0x0101000056010406);
    assert_string_equal(own->code_mode, "function");
    assert_true(own->code.bytes == net.bytes + own->code.file_offset);
    assert_int_equal(code->length_bytes > 0, 1);
    assert_true(code->bytes != own->code.bytes);
    fx_close(&net);
}

static void registers_tell_constants_from_data(void **state)
{
    const xm_options weights = {.weights_bytes = 4321};
    (void)state;
    fx_net net = fx_open(xn_tiny(NULL, NULL), &weights);
    const roof_xir_subgraph *s = roof_xir_subgraph_of(net.graph, &net.graph->subgraphs[fx_dpu(net.graph)]);
    assert_int_equal(s->n_registers, 4);
    for (uint32_t i = 0; i < 4; i++) {
        const roof_register *r = &s->registers[i];
        assert_int_equal(r->constant, r->id == 0);
        assert_int_equal(r->parameter_bytes, r->id == 0 ? 4321 : 0);
        assert_true(r->size_bytes != ROOF_UNKNOWN);
    }
    fx_close(&net);
}

/* ---- graph_hash ---- */

enum { HASH_SIZE = sizeof((roof_graph *)NULL)->graph_hash };

static void hash_of(fx_net net, char hash[HASH_SIZE])
{
    fx_read(&net, "net.xmodel");
    memcpy(hash, net.graph->graph_hash, HASH_SIZE);
    fx_close(&net);
}

static void the_hash_does_not_see_names_weights_or_order_of_maps(void **state)
{
    const fx_op ops[] = {FX("in", "data", {1, 8}), FX("a", "relu", {1, 8}, .inputs = {"in"})};
    const fx_op renamed[] = {FX("input", "data", {1, 8}), FX("z", "relu", {1, 8}, .inputs = {"input"})};
    char want[HASH_SIZE], got[HASH_SIZE];
    (void)state;
    hash_of(fx_written(fx_model(ops, COUNT(ops), NULL), NULL), want);
    hash_of(fx_written(fx_model(renamed, COUNT(renamed), NULL), NULL), got);
    assert_string_equal(got, want);
    assert_int_equal(strlen(got), HASH_SIZE - 1);
    hash_of(fx_written(xn_tiny(NULL, NULL), NULL), want);
    for (size_t i = 0; i < COUNT(spellings); i++) {
        hash_of(fx_written(xn_tiny(NULL, NULL), &spellings[i].options), got);
        assert_string_equal(got, want);
    }
}

static void the_hash_sees_structure_and_shapes(void **state)
{
    const fx_op in = FX("in", "data", {1, 8, 8, 4}), w = FX("w", "const", {4, 3, 3, 4});
    const fx_op conv = FX("c", "conv2d", {1, 8, 8, 4}, .inputs = {"in"}, .weights = "w", .kernel = {3, 3},
                          .stride = {1, 1}, .dilation = {1, 1}, .pad = {1, 1, 1, 1});
    fx_op changed[] = {conv, conv, conv, conv, conv, conv, conv, conv, conv, conv};
    changed[1].type = "depthwise-conv2d";
    changed[2].dims[1] = 7;
    memcpy(changed[3].dims, (const uint32_t[9]){8, 8, 4}, sizeof changed[3].dims);
    changed[4].kernel[0] = 5;
    changed[5].stride[0] = 2;
    changed[6].dilation[1] = 2;
    changed[7].pad[3] = 2;
    changed[8].weights = NULL;
    changed[9].bit_width = 16;
    char hashes[COUNT(changed)][HASH_SIZE];
    (void)state;
    for (size_t i = 0; i < COUNT(changed); i++) {
        const fx_op ops[] = {in, w, changed[i]};
        hash_of(fx_written(fx_model(ops, COUNT(ops), NULL), NULL), hashes[i]);
        for (size_t j = 0; j < i; j++)
            if (strcmp(hashes[i], hashes[j]) == 0)
                fail_msg("change %zu and change %zu have the same hash", i, j);
    }
}

/* ---- damaged ---- */

static roof_status read_quietly(const uint8_t *bytes, size_t size, roof_error *err)
{
    roof_graph *graph = NULL;
    roof_status status = graph_read_memory(bytes, size, "net.xmodel", &graph, err);
    if (status == ROOF_OK && (!graph->n_ops || !graph->n_layers))
        fail_msg("a graph without ops or layers counts as good");
    roof_graph_free(graph);
    return status;
}

/* A file cut between two top-level fields behind the tree is a smaller file, and good. */
static void a_truncated_file_is_an_error_at_every_byte(void **state)
{
    size_t good = 0;
    (void)state;
    fx_net net = fx_written(xn_tiny(NULL, NULL), NULL);
    for (size_t size = 0; size < net.size_bytes; size++) {
        uint8_t *cut = fx_copy(net.bytes, size);
        roof_error err = {.byte_offset = ROOF_UNKNOWN};
        roof_status status = read_quietly(cut, size, &err);
        if (status == ROOF_OK)
            good++;
        else if (status != ROOF_E_DATA || err.byte_offset > size)
            fail_msg("cut to %zu bytes: status %d at byte %" PRIu64 ": %s", size, (int)status,
                     err.byte_offset, err.what);
        free(cut);
    }
    assert_true(good <= 3); /* one for each graph attribute: libs_info, origin, return_ops */
    fx_close(&net);
}

static void a_flipped_bit_never_crashes(void **state)
{
    size_t refused = 0;
    (void)state;
    fx_net net = fx_written(xn_tiny(NULL, NULL), NULL);
    for (size_t bit = 0; bit < 8 * 4096 && bit < 8 * net.size_bytes; bit++) {
        roof_error err = {0};
        net.bytes[bit / 8] ^= (uint8_t)(1u << bit % 8);
        refused += read_quietly(net.bytes, net.size_bytes, &err) != ROOF_OK;
        net.bytes[bit / 8] ^= (uint8_t)(1u << bit % 8);
    }
    assert_true(refused > 1000);
    fx_close(&net);
}

/* ---- hostile, by hand ---- */

/* Field number and content of a message, as bytes that the caller frees. */
static fx_net nested(uint32_t field, size_t depth)
{
    xm_buffer b = {0};
    for (size_t i = 0; i < depth; i++)
        xm_message_begin(&b, field, 0);
    fx_net net = {.bytes = fx_copy(b.data + b.start, (size_t)b.total_bytes),
                  .size_bytes = (size_t)b.total_bytes};
    xm_buffer_free(&b);
    return net;
}

static void ten_thousand_levels_are_refused(void **state)
{
    (void)state;
    fx_net tree = nested(10, 10000), net = fx_written(xn_quantised(NULL, NULL), NULL);
    assert_in_range(tree.size_bytes, 30000, 40000);
    uint64_t at = fx_refused("nothing else", &tree, ROOF_E_LIMIT, "subgraphs are nested more than 32 deep");
    assert_in_range(at, 32 * 2, 34 * 5);
    fx_append(&tree, net.bytes, net.size_bytes);
    assert_int_equal(
        fx_refused("before a network", &tree, ROOF_E_LIMIT, "subgraphs are nested more than 32 deep"), at);
    fx_close(&tree);
    fx_close(&net);
}

/* An op with the given message as its output tensor, behind a good file. */
static fx_net with_tensor(const xm_buffer *tensor)
{
    xm_buffer b = {0};
    fx_net net = fx_written(xn_quantised(NULL, NULL), NULL);
    xm_put_raw(&b, tensor->data + tensor->start, (size_t)tensor->total_bytes);
    xm_message_begin(&b, 5, 0);
    xm_put_string(&b, 2, "data");
    xm_put_string(&b, 1, "odd");
    xm_message_begin(&b, 5, 0);
    fx_append(&net, b.data + b.start, (size_t)b.total_bytes);
    xm_buffer_free(&b);
    return net;
}

static void put_dims(xm_buffer *b, const uint64_t *dims, size_t n)
{
    for (size_t i = n; i-- > 0;)
        xm_put_varint(b, dims[i]);
    xm_message_begin(b, 2, 0);
}

#define TENSOR_OVERFLOWS "op 'odd': the product of the tensor's dimensions overflows 64 bits"

static void impossible_dimensions_are_refused(void **state)
{
    static const uint64_t big = UINT32_MAX;
    const struct {
        const char *name;
        uint64_t dims[9];
        size_t n;
        const char *want;
    } rows[] = {
        {"2^96", {big, big, big}, 3, TENSOR_OVERFLOWS},
        {"2^256", {big, big, big, big, big, big, big, big}, 8, TENSOR_OVERFLOWS},
        {"elements fit, bytes do not", {big, big}, 2, "op 'odd': the tensor's size overflows 64 bits"},
        {"nine", {1, 1, 1, 1, 1, 1, 1, 1, 1}, 9, "op 'odd': tensor has more than 8 dimensions"},
        {"33 bits", {1, (uint64_t)1 << 32}, 2, "op 'odd': tensor dimension 4294967296 does not fit 32 bits"},
    };
    (void)state;
    for (size_t i = 0; i < COUNT(rows); i++) {
        xm_buffer b = {0};
        put_dims(&b, rows[i].dims, rows[i].n);
        fx_net net = with_tensor(&b);
        assert_true(fx_refused(rows[i].name, &net, ROOF_E_LIMIT, rows[i].want) < net.size_bytes);
        fx_close(&net);
        xm_buffer_free(&b);
    }
}

static void eight_dimensions_and_none_are_fine(void **state)
{
    static const uint64_t eight[] = {1, 2, 1, 2, 1, 2, 1, 2};
    xm_buffer b = {0};
    (void)state;
    put_dims(&b, eight, 8);
    fx_net net = with_tensor(&b);
    fx_read(&net, "net.xmodel");
    assert_int_equal(fx_find_op(net.graph, "odd")->out.elements, 16);
    fx_close(&net);
    xm_buffer_clear(&b);
    net = with_tensor(&b);
    fx_read(&net, "net.xmodel");
    assert_int_equal(fx_find_op(net.graph, "odd")->out.elements, 1);
    assert_int_equal(fx_find_op(net.graph, "odd")->out.bytes, 1);
    fx_close(&net);
    xm_buffer_free(&b);
}

static void a_length_beyond_the_file_is_refused(void **state)
{
    static const struct {
        const char *name;
        unsigned char bytes[12];
        size_t size;
        const char *want;
    } rows[] = {
        {"a billion bytes",
         {0x2a, 0x80, 0x94, 0xeb, 0xdc, 0x03},
         6,
         "field 5 claims 1000000000 bytes, but 0 are left: the file is truncated or damaged"},
        {"2^63",
         {0x2a, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x01},
         11,
         "field 5 claims 9223372036854775808 bytes, but 0 are left: the file is truncated or damaged"},
        {"one more than there is",
         {0x52, 0x03, 0x0a, 0x00},
         4,
         "field 10 claims 3 bytes, but 2 are left: the file is truncated or damaged"},
        {"a number of 65 bits",
         {0x2a, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x02},
         11,
         "a number has more than 64 bits"},
        {"a group", {0x2b}, 1, "field 5 has wire type 3, want 0, 1, 2 or 5"},
        {"field 0", {0x02, 0x00}, 2, "field number 0 is not valid protobuf"},
        {"an op that is a number", {0x28, 0x07}, 2, "op (field 5) has wire type 0, want 2"},
        {"an op of nothing", {0x2a, 0x00}, 2, "op 32 has no name"},
    };
    (void)state;
    for (size_t i = 0; i < COUNT(rows); i++) {
        fx_net net = fx_written(xn_quantised(NULL, NULL), NULL);
        uint64_t start = net.size_bytes;
        fx_append(&net, rows[i].bytes, rows[i].size);
        assert_in_range(fx_refused(rows[i].name, &net, ROOF_E_DATA, rows[i].want), start, net.size_bytes);
        fx_close(&net);
    }
}

static void what_is_no_model_is_refused(void **state)
{
    static const struct {
        const char *name;
        unsigned char bytes[16];
        size_t size;
        const char *want;
    } rows[] = {
        {"a PNG",
         {0x89, 'P', 'N', 'G', 0x0d, 0x0a, 0x1a, 0x0a, 0, 0},
         10,
         "starts with 89 50 4e 47 0d 0a 1a 0a and is no known model; `roofline formats` lists what can be "
         "read"},
        {"text",
         {'{', '}', 0x0a},
         3,
         "is text, and is no known model, nor a profile; `roofline formats` lists what can be read"},
        {"only a name", {0x0a, 0x01, 'x'}, 3, "the file ends without a single op"},
        {"a name cut off",
         {0x0a, 0x09, 'x'},
         3,
         "field 1 claims 9 bytes, but 1 are left: the file is truncated or damaged"},
    };
    (void)state;
    for (size_t i = 0; i < COUNT(rows); i++) {
        fx_net net = {.bytes = fx_copy(rows[i].bytes, rows[i].size), .size_bytes = rows[i].size};
        assert_true(fx_refused(rows[i].name, &net, ROOF_E_DATA, rows[i].want) <= net.size_bytes);
        fx_close(&net);
    }
}

/* The memory of nothing has no first byte. */
static void an_empty_memory_is_refused(void **state)
{
    fx_net net = {.bytes = fx_copy("", 0)};
    roof_graph *graph = NULL;
    roof_error err = {0};
    (void)state;
    assert_int_equal(graph_read_memory(net.bytes, 0, "net.xmodel", &graph, &err), ROOF_E_DATA);
    fx_close(&net);
}

/* ---- names ---- */

#define BAD(what, byte) what " holds byte " byte ", want UTF-8 text without control characters"

static void bad_bytes_in_names_are_refused_where_they_are(void **state)
{
    static const fx_target target = {.name = "DPU\x1b[31m", .fingerprint = FX_B4096};
    const struct {
        const char *name;
        fx_op ops[2];
        const fx_target *target;
        unsigned char byte;
        const char *want;
    } rows[] = {
        {"escape in an op's name",
         {FX("a\x1b[2J", "data", {1}), FX("b", "relu", {1})},
         NULL,
         0x1b,
         BAD("op name", "0x1b")},
        {"line feed", {FX("a", "data", {1}), FX("b\n", "relu", {1})}, NULL, '\n', BAD("op name", "0x0a")},
        {"delete", {FX("a\x7f", "data", {1}), FX("b", "relu", {1})}, NULL, 0x7f, BAD("op name", "0x7f")},
        {"C1 control",
         {FX("a\xc2\x9b", "data", {1}), FX("b", "relu", {1})},
         NULL,
         0xc2,
         BAD("op name", "0xc2")},
        {"invalid UTF-8",
         {FX("a\xff", "data", {1}), FX("b", "relu", {1})},
         NULL,
         0xff,
         BAD("op name", "0xff")},
        {"cut UTF-8",
         {FX("a\xe2\x82", "data", {1}), FX("b", "relu", {1})},
         NULL,
         0xe2,
         BAD("op name", "0xe2")},
        {"overlong",
         {FX("a\xc0\xaf", "data", {1}), FX("b", "relu", {1})},
         NULL,
         0xc0,
         BAD("op name", "0xc0")},
        {"surrogate",
         {FX("a\xed\xa0\x80", "data", {1}), FX("b", "relu", {1})},
         NULL,
         0xed,
         BAD("op name", "0xed")},
        {"type", {FX("a", "da\x01ta", {1}), FX("b", "relu", {1})}, NULL, 0x01, BAD("op type", "0x01")},
        {"target",
         {FX("a", "data", {1}), FX("b", "relu", {1}, .layer = "l")},
         &target,
         0x1b,
         BAD("a string attribute", "0x1b")},
    };
    (void)state;
    for (size_t i = 0; i < COUNT(rows); i++) {
        fx_net net = fx_written(fx_model(rows[i].ops, 2, rows[i].target), NULL);
        roof_error err = {0};
        assert_int_equal(read_quietly(net.bytes, net.size_bytes, &err), ROOF_E_DATA);
        if (strcmp(err.what, rows[i].want) != 0)
            fail_msg("%s: '%s', want '%s'", rows[i].name, err.what, rows[i].want);
        if (err.byte_offset >= net.size_bytes || net.bytes[err.byte_offset] != rows[i].byte)
            fail_msg("%s: byte 0x%" PRIx64 " is not the bad one", rows[i].name, err.byte_offset);
        fx_close(&net);
    }
}

static void a_bad_byte_in_the_name_of_a_layer_is_refused(void **state)
{
    static const fx_target target = {.name = "DPU", .fingerprint = FX_B4096};
    const fx_op ops[] = {FX("a", "data", {1}), FX("b", "relu", {1}, .layer = "l\x9f")};
    (void)state;
    fx_net net = fx_written(fx_model(ops, 2, &target), NULL);
    uint64_t at = fx_refused("layer", &net, ROOF_E_DATA, BAD("subgraph name", "0x9f"));
    assert_int_equal(net.bytes[at], 0x9f);
    fx_close(&net);
}

static void names_in_other_scripts_are_fine(void **state)
{
    const fx_op ops[] = {
        FX("Eingang \xc3\xa4/\xe6\xa8\xa1\xe5\x9e\x8b/\xf0\x9f\x9a\x80", "data", {1, 8}),
        FX("b", "relu", {1, 8}, .inputs = {"Eingang \xc3\xa4/\xe6\xa8\xa1\xe5\x9e\x8b/\xf0\x9f\x9a\x80"})};
    (void)state;
    fx_net net = fx_open(fx_model(ops, 2, NULL), NULL);
    assert_string_equal(net.graph->ops[0].name, ops[0].name);
    fx_close(&net);
}

/* ---- attributes and edges that contradict the format ---- */

static const int32_t one[] = {3}, three[] = {3, 3, 3}, negative[] = {3, -3}, huge[] = {3, 65537};
static const int32_t five[] = {1, 1, 1, 1, 1}, far_away[] = {0, 0, 0, -65537}, backwards[] = {8, -1};
static const xm_attr kernel_one = {.name = "kernel", .type = XM_INT32_VEC, .count = 1, .value.i32_vec = one};
static const xm_attr kernel_three = {
    .name = "kernel", .type = XM_INT32_VEC, .count = 3, .value.i32_vec = three};
static const xm_attr kernel_text = {.name = "kernel", .type = XM_STRING, .value.string = "3x3"};
static const xm_attr kernel_huge = {
    .name = "kernel", .type = XM_INT32_VEC, .count = 2, .value.i32_vec = huge};
static const xm_attr stride_three = {
    .name = "stride", .type = XM_INT32_VEC, .count = 3, .value.i32_vec = three};
static const xm_attr pad_five = {.name = "pad", .type = XM_INT32_VEC, .count = 5, .value.i32_vec = five};
static const xm_attr workload_text = {.name = "workload", .type = XM_STRING, .value.string = "12"};
static const xm_attr address_text = {.name = "ddr_addr", .type = XM_STRING, .value.string = "12"};

static void wrong_attributes_are_refused_by_op_and_name(void **state)
{
    static const struct {
        const char *name;
        const xm_attr *extra, *tensor_extra;
        unsigned char tag; /* what stands at the byte that the message names */
        const char *want;
    } rows[] = {
        {"one value", &kernel_one, NULL, 0x72, "op 'conv1': 'kernel' has 1 value, want 2"},
        {"three values", &kernel_three, NULL, 0x72, "op 'conv1': 'kernel' has 3 values, want 2"},
        {"three strides", &stride_three, NULL, 0x72, "op 'conv1': 'stride' has 3 values, want 2"},
        {"five pads", &pad_five, NULL, 0x72, "op 'conv1': 'pad' has 5 values, want 4"},
        {"too large", &kernel_huge, NULL, 0x72, "op 'conv1': 'kernel' is 65537, want 0 to 65536"},
        {"a text for numbers", &kernel_text, NULL, 0x5a,
         "op 'conv1': 'kernel' is of attribute kind 11, want a list of integers"},
        {"a text for a number", &workload_text, NULL, 0x5a,
         "op 'conv1': 'workload' is of attribute kind 11, want an integer"},
        {"a text for an address", NULL, &address_text, 0x5a,
         "op 'conv1': 'ddr_addr' is of attribute kind 11, want an integer"},
    };
    (void)state;
    for (size_t i = 0; i < COUNT(rows); i++) {
        const fx_op ops[] = {FX("in", "data", {1, 8}),
                             FX("conv1", "conv2d", {1, 8}, .inputs = {"in"}, .extra = rows[i].extra,
                                .tensor_extra = rows[i].tensor_extra)};
        fx_net net = fx_written(fx_model(ops, 2, NULL), NULL);
        uint64_t at = fx_refused(rows[i].name, &net, ROOF_E_DATA, rows[i].want);
        if (at >= net.size_bytes || net.bytes[at] != rows[i].tag)
            fail_msg("%s: byte 0x%" PRIx64 " is not the value", rows[i].name, at);
        fx_close(&net);
    }
}

/* What is wrong with a negative number is that it is negative. */
static void negative_sizes_are_refused_as_such(void **state)
{
    const xm_attr kernel = {.name = "kernel", .type = XM_INT32_VEC, .count = 2, .value.i32_vec = negative};
    const xm_attr pad = {.name = "pad", .type = XM_INT32_VEC, .count = 4, .value.i32_vec = far_away};
    const xm_attr stride = {.name = "stride", .type = XM_INT32_VEC, .count = 2, .value.i32_vec = backwards};
    const struct {
        const char *name;
        fx_op op;
        const char *number; /* stands in the message, and the message does not call it too large */
    } rows[] = {{"kernel", FX("a", "data", {1, 8}, .extra = &kernel), "-3"},
                {"pad", FX("a", "data", {1, 8}, .extra = &pad), "-65537"},
                {"stride", FX("a", "data", {1, 8}, .tensor_extra = &stride), "-1"}};
    (void)state;
    for (size_t i = 0; i < COUNT(rows); i++) {
        fx_net net = fx_written(fx_model(&rows[i].op, 1, NULL), NULL);
        roof_error err = {0};
        roof_status status = read_quietly(net.bytes, net.size_bytes, &err);
        if (status == ROOF_OK || !strstr(err.what, rows[i].number) || strstr(err.what, "want at most"))
            fail_msg("%s: status %d: '%s'", rows[i].name, (int)status, err.what);
        fx_close(&net);
    }
}

static void wrong_edges_are_refused(void **state)
{
    const fx_op twice[] = {FX("a", "data", {1, 8}), FX("a", "relu", {1, 8}, .inputs = {"a"})};
    const fx_op nowhere[] = {FX("a", "data", {1, 8}), FX("b", "relu", {1, 8}, .inputs = {"c\x1b"})};
    (void)state;
    fx_net net = fx_written(fx_model(twice, 2, NULL), NULL);
    assert_true(fx_refused("twice", &net, ROOF_E_DATA, "two ops are named 'a'") < net.size_bytes);
    fx_close(&net);
    net = fx_written(fx_model(nowhere, 2, NULL), NULL);
    assert_true(fx_refused("nowhere", &net, ROOF_E_DATA,
                           "op 'b': takes input from op 'c\\x1b', which the file does not have") <
                net.size_bytes);
    fx_close(&net);
}

static void a_long_name_keeps_its_end_in_messages(void **state)
{
    char name[400];
    const fx_op ops[] = {FX(name, "data", {1, 8}, .extra = &kernel_one)};
    roof_error err = {0};
    (void)state;
    memset(name, 'x', sizeof name);
    strcpy(name + sizeof name - 8, "/conv_9");
    fx_net net = fx_written(fx_model(ops, 1, NULL), NULL);
    assert_int_equal(read_quietly(net.bytes, net.size_bytes, &err), ROOF_E_DATA);
    assert_non_null(strstr(err.where, "/conv_9'"));
    assert_non_null(strstr(err.where, "..."));
    assert_true(strlen(err.where) < 220);
    fx_close(&net);
}

/* ---- files ---- */

static void errors_of_a_file_name_the_file(void **state)
{
    char path[] = "/tmp/roofline-test-XXXXXX", want[600];
    roof_graph *graph = NULL;
    roof_error err = {0};
    const fx_op ops[] = {FX("conv1", "data", {1, 8}, .extra = &kernel_one)};
    (void)state;
    int fd = mkstemp(path);
    assert_true(fd >= 0);
    fx_net net = fx_written(fx_model(ops, 1, NULL), NULL);
    assert_int_equal(write(fd, net.bytes, net.size_bytes), net.size_bytes);
    close(fd);
    assert_int_equal(roof_graph_read(path, &graph, &err), ROOF_E_DATA);
    unlink(path);
    uint64_t at = fx_refused("the same", &net, ROOF_E_DATA, "op 'conv1': 'kernel' has 1 value, want 2");
    snprintf(want, sizeof want, "%s: op 'conv1': 'kernel' has 1 value, want 2 (byte 0x%" PRIx64 ")", path,
             at);
    assert_string_equal(fx_message(&err), want);
    fx_close(&net);
}

static void a_file_reads_as_its_bytes_do(void **state)
{
    char path[] = "/tmp/roofline-test-XXXXXX", hex[65];
    roof_graph *graph = NULL;
    roof_error err = {0};
    (void)state;
    int fd = mkstemp(path);
    assert_true(fd >= 0);
    fx_net net = fx_open(xn_tiny(NULL, NULL), NULL);
    assert_int_equal(write(fd, net.bytes, net.size_bytes), net.size_bytes);
    close(fd);
    assert_int_equal(roof_graph_read(path, &graph, &err), ROOF_OK);
    unlink(path);
    fx_assert_same_dump("file", fx_dump(graph), fx_dump(net.graph));
    assert_string_equal(graph->path, path);
    assert_int_equal(graph->file_bytes, net.size_bytes);
    assert_int_equal(roof_graph_file_sha256(graph, hex, &err), ROOF_OK);
    assert_int_equal(strlen(hex), 64);
    roof_graph_free(graph);
    roof_graph_free(NULL);
    fx_close(&net);
}

/* ---- memory ---- */

#if defined(__SANITIZE_ADDRESS__)
#define UNDER_ADDRESS_SANITIZER 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define UNDER_ADDRESS_SANITIZER 1
#endif
#endif
#ifndef UNDER_ADDRESS_SANITIZER
#define UNDER_ADDRESS_SANITIZER 0
#endif

static size_t address_space_bytes(void)
{
    unsigned long pages = 0;
    FILE *statm = fopen("/proc/self/statm", "r");
    assert_non_null(statm);
    assert_int_equal(fscanf(statm, "%lu", &pages), 1);
    fclose(statm);
    return pages * (size_t)sysconf(_SC_PAGESIZE);
}

/* Reads in a process of its own that can take 64 MiB more than it has; the status comes back as the exit
 * code. */
static roof_status read_in_64_mib(const fx_net *net)
{
    int wait_status = 0;
    fflush(NULL);
    pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        const rlim_t limit = address_space_bytes() + ((rlim_t)64 << 20);
        roof_error err = {0};
        roof_graph *graph = NULL;
        if (setrlimit(RLIMIT_AS, &(struct rlimit){limit, limit}) != 0)
            _exit(255);
        _exit((int)graph_read_memory(net->bytes, net->size_bytes, "net.xmodel", &graph, &err));
    }
    assert_int_equal(waitpid(child, &wait_status, 0), child);
    assert_true(WIFEXITED(wait_status));
    return (roof_status)WEXITSTATUS(wait_status);
}

/* A million of the smallest fields of a kind. */
static fx_net repeated(const char *head, size_t head_size, const char *field, size_t field_size)
{
    enum { TIMES = 500000 };
    fx_net net = {.size_bytes = head_size + TIMES * field_size};
    net.bytes = malloc(net.size_bytes);
    assert_non_null(net.bytes);
    memcpy(net.bytes, head, head_size);
    for (size_t i = 0; i < TIMES; i++)
        memcpy(net.bytes + head_size + i * field_size, field, field_size);
    return net;
}

static void hostile_files_take_less_than_64_mib(void **state)
{
    static const struct {
        const char *name, *field;
        size_t field_size;
    } rows[] = {{"empty ops", "\x2a\x00", 2},
                {"empty subgraphs", "\x52\x00", 2},
                {"subgraphs with empty children", "\x52\x02\x52\x00", 4},
                {"empty attributes", "\x5a\x00", 2},
                {"ops with an empty input", "\x2a\x04\x22\x02\x12\x00", 6}};
    (void)state;
    if (UNDER_ADDRESS_SANITIZER)
        skip_without("a build without AddressSanitizer"); /* its shadow memory does not fit below any limit */
    for (size_t i = 0; i < COUNT(rows); i++) {
        fx_net net = repeated("\x0a\x01x", 3, rows[i].field, rows[i].field_size);
        roof_status status = read_in_64_mib(&net);
        if (status != ROOF_E_DATA && status != ROOF_E_LIMIT)
            fail_msg("%s: status %d", rows[i].name, (int)status);
        fx_close(&net);
    }
    fx_net tree = nested(10, 10000);
    assert_int_equal(read_in_64_mib(&tree), ROOF_E_LIMIT);
    fx_close(&tree);
}

/* Weights are neither copied nor counted: 200 MB of them fit into 64 MiB, since the file itself is there
 * already. */
static void weights_take_no_memory(void **state)
{
    const xm_options heavy = {.weights_bytes = 200 * 1000 * 1000};
    (void)state;
    if (UNDER_ADDRESS_SANITIZER)
        skip_without("a build without AddressSanitizer");
    fx_net net = fx_written(xn_tiny(NULL, NULL), &heavy);
    assert_true(net.size_bytes > heavy.weights_bytes);
    assert_int_equal(read_in_64_mib(&net), ROOF_OK);
    fx_close(&net);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_spelling_gives_the_same_graph),
        cmocka_unit_test(a_missing_bit_width_is_taken_from_the_attribute),
        cmocka_unit_test(a_missing_bit_width_changes_no_tensor_of_the_accelerator),
        cmocka_unit_test(the_type_of_a_pooling_is_read_in_both_spellings),
        cmocka_unit_test(attributes_end_up_in_the_op),
        cmocka_unit_test(strides_wider_than_the_shape_make_a_slice),
        cmocka_unit_test(an_op_may_stand_before_its_inputs),
        cmocka_unit_test(layers_follow_the_order_of_execution),
        cmocka_unit_test(an_unlisted_upload_belongs_to_the_subgraph_and_to_no_layer),
        cmocka_unit_test(impossible_trees_are_refused),
        cmocka_unit_test(a_quantised_file_has_a_layer_for_each_op_that_computes),
        cmocka_unit_test(a_quantised_file_is_put_into_an_order_that_can_run),
        cmocka_unit_test(a_circle_of_ops_is_refused),
        cmocka_unit_test(a_recurrent_network_is_refused_and_named),
        cmocka_unit_test(the_target_is_read),
        cmocka_unit_test(registers_tell_constants_from_data),
        cmocka_unit_test(the_hash_does_not_see_names_weights_or_order_of_maps),
        cmocka_unit_test(the_hash_sees_structure_and_shapes),
        cmocka_unit_test(a_truncated_file_is_an_error_at_every_byte),
        cmocka_unit_test(a_flipped_bit_never_crashes),
        cmocka_unit_test(ten_thousand_levels_are_refused),
        cmocka_unit_test(impossible_dimensions_are_refused),
        cmocka_unit_test(eight_dimensions_and_none_are_fine),
        cmocka_unit_test(a_length_beyond_the_file_is_refused),
        cmocka_unit_test(what_is_no_model_is_refused),
        cmocka_unit_test(an_empty_memory_is_refused),
        cmocka_unit_test(bad_bytes_in_names_are_refused_where_they_are),
        cmocka_unit_test(a_bad_byte_in_the_name_of_a_layer_is_refused),
        cmocka_unit_test(names_in_other_scripts_are_fine),
        cmocka_unit_test(wrong_attributes_are_refused_by_op_and_name),
        cmocka_unit_test(negative_sizes_are_refused_as_such),
        cmocka_unit_test(wrong_edges_are_refused),
        cmocka_unit_test(a_long_name_keeps_its_end_in_messages),
        cmocka_unit_test(errors_of_a_file_name_the_file),
        cmocka_unit_test(a_file_reads_as_its_bytes_do),
        cmocka_unit_test(hostile_files_take_less_than_64_mib),
        cmocka_unit_test(weights_take_no_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
