/* What must hold for any network: random small ones, compiled without code or only quantised, and chains with
 * code. ROOF_SEED sets where to start; a failure prints the seed of its network. */
#include "tests/property/random.h"
#include "tests/support/sample.h"
#include "tests/unit/fixture.h"

enum { ROUNDS = 400, MOST_OPS = 64, NAME_SIZE = 24 };

static uint32_t between(uint32_t low, uint32_t high)
{
    return low + (uint32_t)((next_random() >> 33) % (high - low + 1));
}

/* ---- random networks ---- */

typedef struct network {
    uint64_t seed;
    fx_op ops[MOST_OPS];
    char names[MOST_OPS][NAME_SIZE], layers[MOST_OPS][NAME_SIZE];
    size_t n_ops, n_layers;
    uint32_t next_address;
} network;

static fx_op *add_op(network *n, const char *type, const uint32_t dims[4])
{
    fx_op *op = &n->ops[n->n_ops];
    *op = (fx_op){
        .name = n->names[n->n_ops], .type = type, .layer = n->n_layers ? n->layers[n->n_layers - 1] : NULL};
    snprintf(n->names[n->n_ops], NAME_SIZE, "op%zu", n->n_ops);
    memcpy(op->dims, dims, 4 * sizeof *dims);
    op->in_ddr = between(0, 2) > 0;
    op->reg_id = n->n_layers ? 1 : 2;
    op->ddr_addr = (int32_t)n->next_address;
    n->next_address += dims[0] * dims[1] * dims[2] * dims[3];
    n->n_ops++;
    return op;
}

static const char *add_constant(network *n, const uint32_t dims[4])
{
    fx_op *op = add_op(n, "const-fix", dims);
    op->in_ddr = true;
    op->reg_id = 0;
    return op->name;
}

static void set_window(fx_op *op, uint32_t kernel)
{
    op->kernel[0] = op->kernel[1] = (int32_t)kernel;
    op->stride[0] = op->stride[1] = 1;
    op->dilation[0] = op->dilation[1] = between(0, 5) ? 1 : (int32_t)between(2, 4);
}

/* A convolution, depthwise convolution, pooling or addition that keeps height and width. */
static const char *add_computation(network *n, const fx_op *input)
{
    const char *const from = input->name;
    uint32_t kind = between(0, 3), kernel = between(0, 1) ? 1 : 3;
    uint32_t in[4], dims[4];
    memcpy(in, input->dims, sizeof in);
    memcpy(dims, in, sizeof dims);
    dims[3] = kind == 0 ? between(1, 80) : in[3];
    const uint32_t conv_weights[4] = {dims[3], kernel, kernel, in[3]},
                   depthwise_weights[4] = {1, kernel, kernel, in[3]};
    const char *weights = kind == 0   ? add_constant(n, conv_weights)
                          : kind == 1 ? add_constant(n, depthwise_weights)
                                      : NULL;
    static const char *const types[] = {"conv2d-fix", "depthwise-conv2d-fix", "pool-fix", "eltwise-fix"};
    fx_op *op = add_op(n, types[kind], dims);
    op->inputs[0] = from;
    op->inputs[1] = kind == 3 ? from : NULL;
    op->weights = weights;
    op->kind = kind == 2 ? (between(0, 1) ? "AVG" : "MAX") : kind == 3 ? "ADD" : NULL;
    if (kind != 3)
        set_window(op, kernel);
    return op->name;
}

static void make_network(network *n, uint64_t seed)
{
    random_state = seed * 0x9e3779b97f4a7c15 + 1;
    *n = (network){.seed = seed};
    const uint32_t image[4] = {1, between(1, 40), between(1, 40), between(1, 40)};
    add_op(n, "data-fix", image)->in_ddr = true;
    for (uint32_t layers = between(1, 8); layers > 0; layers--) {
        snprintf(n->layers[n->n_layers], NAME_SIZE, "layer%zu", n->n_layers);
        n->n_layers++;
        for (uint32_t ops = between(1, 2); ops > 0; ops--)
            add_computation(n, &n->ops[n->n_ops - 1]);
        n->ops[n->n_ops - 1].in_ddr = true;
    }
}

static const fx_target compiled = {
    .name = "DPUCZDX8G_ISA1_B4096", .fingerprint = FX_B4096, .compiler = "xcompiler.3.5.0"};

static fx_net read_network(const network *n, const xm_options *options)
{
    return fx_open(fx_model(n->ops, n->n_ops, n->seed % 4 ? &compiled : NULL), options);
}

/* Runs a check on every random network. */
static void for_each_network(void (*check)(const network *n))
{
    uint64_t seed = first_seed();
    for (uint64_t i = 0, rounds = sample_of(ROUNDS, 4); i < rounds; i++) {
        network n;
        make_network(&n, seed + i);
        check(&n);
    }
}

#define FAIL(n, ...)                                                                                         \
    do {                                                                                                     \
        print_error("ROOF_SEED=%" PRIu64 ": ", (n)->seed);                                                   \
        fail_msg(__VA_ARGS__);                                                                               \
    } while (0)

static uint64_t bytes_of(const roof_traffic *t)
{
    return t->weights_bytes + t->input_bytes + t->output_bytes + t->instruction_bytes;
}

/* ---- bounds ---- */

/* The convolution array at 4096 and the ALU at 2 * 4 * 16 operations a cycle are all that multiplies. */
static void check_bounds(const network *n)
{
    fx_net net = read_network(n, NULL);
    roof_prediction *p = fx_predict(net.graph, "b4096", NULL);
    double ideal = (double)p->total.deployed.ideal_cycles;
    if (ideal < 2. * (double)p->total.macs / (4096 + 128))
        FAIL(n, "%g cycles for %" PRIu64 " MACs", ideal, p->total.macs);
    if (ideal < (double)bytes_of(&p->total.deployed.traffic) / 64)
        FAIL(n, "%g cycles for %" PRIu64 " bytes", ideal, bytes_of(&p->total.deployed.traffic));
    if (p->total.floor_cycles > p->total.deployed.ideal_cycles)
        FAIL(n, "the floor is above the ideal");
    for (uint32_t i = 0; i < p->n_layers; i++)
        for (uint32_t e = 0; p->layers[i].deployed.cycles && e < p->n_engines; e++)
            if (p->layers[i].deployed.cycles[e] != ROOF_UNKNOWN &&
                p->layers[i].deployed.cycles[e] > p->layers[i].deployed.ideal_cycles)
                FAIL(n, "engine %s of %s is slower than the layer", p->engines[e], p->layers[i].name);
    roof_prediction_free(p);
    p = fx_predict(net.graph, "mac=100/cycle,clock=1GHz,ddr=3GB/s", NULL);
    ideal = (double)p->total.deployed.ideal_cycles;
    if (ideal < (double)p->total.macs / 100 || ideal < (double)bytes_of(&p->total.deployed.traffic) / 3)
        FAIL(n, "%g cycles beat the described machine", ideal);
    roof_prediction_free(p);
    fx_close(&net);
}

static void the_ideal_is_not_below_peak_or_bandwidth(void **state)
{
    (void)state;
    for_each_network(check_bounds);
}

static void check_roofs(const network *n)
{
    static const char *const specs[] = {"b4096", "b512", "b1152-isa0", "v70",
                                        "mac=7/cycle,clock=3MHz,ddr=1GB/s"};
    const roof_predict_options options = {.batch = 1 + (uint32_t)(n->seed % 3)};
    fx_net net = read_network(n, NULL);
    for (size_t s = 0; s < COUNT(specs); s++) {
        roof_prediction *p = fx_predict(net.graph, specs[s], &options);
        if (fx_assert_below_roofs(specs[s], p) < 1 && p->total.macs)
            FAIL(n, "%s: no row has a roof", specs[s]);
        roof_prediction_free(p);
    }
    fx_close(&net);
}

/* Additions, pooling and depthwise parts of a layer are done beside its convolution, and do not lift it above
 * the array. */
static void no_layer_is_above_its_roof(void **state)
{
    (void)state;
    for_each_network(check_roofs);
}

/* ---- more hardware is never slower ---- */

static double seconds(const roof_graph *g, const char *spec, const roof_predict_options *options)
{
    roof_prediction *p = fx_predict(g, spec, options);
    double s = p->total.deployed.ideal_s;
    roof_prediction_free(p);
    return s;
}

static void check_more_is_not_slower(const network *n)
{
    static const char *const machines[] = {
        "mac=64/cycle,clock=1MHz,ddr=64MB/s", "mac=65/cycle,clock=1MHz,ddr=64MB/s",
        "mac=4096/cycle,clock=1MHz,ddr=64MB/s", "mac=4096/cycle,clock=1MHz,ddr=640MB/s",
        "mac=4096/cycle,clock=10MHz,ddr=640MB/s"};
    fx_net net = read_network(n, NULL);
    double before = seconds(net.graph, "b4096", NULL);
    for (double factor = 1.1; factor < 20; factor *= 1.7) {
        const roof_predict_options wider = {.bandwidth_bytes_per_s = factor * 19.2e9},
                                   faster = {.clock_hz = factor * 300e6};
        if (seconds(net.graph, "b4096", &wider) > before)
            FAIL(n, "%g times the bandwidth is slower", factor);
        /* cycles are whole: a faster clock may round a transfer up by one of its own, shorter cycles */
        if (seconds(net.graph, "b4096", &faster) > before + (double)(2 * n->n_ops) / faster.clock_hz)
            FAIL(n, "%g times the clock is slower", factor);
    }
    for (size_t i = 1; i < COUNT(machines); i++) {
        double slack =
            i + 1 == COUNT(machines) ? (double)(2 * n->n_ops) * 1e-7 : 0; /* another clock, as above */
        if (seconds(net.graph, machines[i], NULL) > seconds(net.graph, machines[i - 1], NULL) + slack)
            FAIL(n, "%s is slower than %s", machines[i], machines[i - 1]);
    }
    fx_close(&net);
}

static void more_peak_bandwidth_or_clock_is_not_slower(void **state)
{
    (void)state;
    for_each_network(check_more_is_not_slower);
}

/* ---- the order of ops in the file ---- */

static void check_order(const network *n)
{
    network shuffled = *n;
    for (size_t i = 0; i < n->n_ops;
         i++) /* names and layers point into the original, which is the same text */
        for (size_t j = between(0, (uint32_t)i); j < i; j = i) {
            fx_op swap = shuffled.ops[i];
            shuffled.ops[i] = shuffled.ops[j];
            shuffled.ops[j] = swap;
        }
    fx_net a = read_network(n, NULL), b = read_network(&shuffled, NULL);
    roof_prediction *p = fx_predict(a.graph, "b4096", NULL), *q = fx_predict(b.graph, "b4096", NULL);
    if (p->total.macs != q->total.macs || p->total.ops_count != q->total.ops_count ||
        p->n_layers != q->n_layers || p->total.deployed.ideal_cycles != q->total.deployed.ideal_cycles ||
        memcmp(&p->total.deployed.traffic, &q->total.deployed.traffic, sizeof p->total.deployed.traffic) != 0)
        FAIL(n, "the order of ops changes the result: %" PRIu64 " or %" PRIu64 " cycles",
             p->total.deployed.ideal_cycles, q->total.deployed.ideal_cycles);
    roof_prediction_free(p);
    roof_prediction_free(q);
    fx_close(&a);
    fx_close(&b);
}

static void the_order_of_ops_in_the_file_does_not_matter(void **state)
{
    (void)state;
    for_each_network(check_order);
}

/* ---- sums ---- */

static void check_sums(const network *n)
{
    static const char *const specs[] = {"b4096", "b512", "mac=7/cycle,clock=3MHz,ddr=1GB/s"};
    fx_net net = read_network(n, NULL);
    for (size_t s = 0; s < COUNT(specs); s++) {
        roof_prediction *p = fx_predict(net.graph, specs[s], NULL);
        uint64_t macs = 0, ops = 0, ideal = 0, bytes = 0;
        for (uint32_t i = 0; i < p->n_layers; i++) {
            const roof_layer_prediction *row = &p->layers[i];
            macs += row->macs == ROOF_UNKNOWN ? 0 : row->macs;
            ops += row->ops_count == ROOF_UNKNOWN ? 0 : row->ops_count;
            ideal += row->deployed.bytes_basis == ROOF_BASIS_NONE ? 0 : row->deployed.ideal_cycles;
            bytes += row->deployed.bytes_basis == ROOF_BASIS_NONE ? 0 : bytes_of(&row->deployed.traffic);
        }
        if (macs != p->total.macs || ops != p->total.ops_count || ideal != p->total.deployed.ideal_cycles ||
            bytes != bytes_of(&p->total.deployed.traffic))
            FAIL(n, "%s: rows do not sum to the total", specs[s]);
        roof_prediction_free(p);
    }
    fx_close(&net);
}

static void sums_close(void **state)
{
    (void)state;
    for_each_network(check_sums);
}

/* The MACs of a network are those of its ops, whatever layers they are in. */
static void check_macs(const network *n)
{
    uint64_t macs = 0;
    for (size_t i = 0; i < n->n_ops; i++) {
        const fx_op *op = &n->ops[i];
        uint64_t out = (uint64_t)op->dims[0] * op->dims[1] * op->dims[2] * op->dims[3];
        uint64_t kernel = (uint64_t)op->kernel[0] * (uint64_t)op->kernel[1];
        if (strcmp(op->type, "depthwise-conv2d-fix") == 0)
            macs += out * kernel;
        for (size_t j = 0; strcmp(op->type, "conv2d-fix") == 0 && j < i; j++)
            if (strcmp(n->ops[j].name, op->inputs[0]) == 0)
                macs += out * kernel * n->ops[j].dims[3];
    }
    fx_net net = read_network(n, NULL);
    roof_prediction *p = fx_predict(net.graph, "b4096", NULL);
    if (p->total.macs != macs)
        FAIL(n, "%" PRIu64 " MACs, its ops have %" PRIu64, p->total.macs, macs);
    roof_prediction_free(p);
    fx_close(&net);
}

static void the_macs_of_a_network_are_those_of_its_ops(void **state)
{
    (void)state;
    for_each_network(check_macs);
}

/* ---- batch ---- */

static void check_batch(const network *n)
{
    const uint32_t batch = 1 + (uint32_t)(n->seed % 9);
    const roof_predict_options options = {.batch = batch};
    fx_net net = read_network(n, NULL);
    roof_prediction *one = fx_predict(net.graph, "b4096", NULL),
                    *many = fx_predict(net.graph, "b4096", &options);
    if (many->total.macs != batch * one->total.macs ||
        many->total.ops_count != batch * one->total.ops_count ||
        bytes_of(&many->total.deployed.traffic) != batch * bytes_of(&one->total.deployed.traffic))
        FAIL(n, "a batch of %u is not %u times the work", batch, batch);
    for (uint32_t i = 0; i < one->n_layers; i++) {
        const roof_cost *a = &one->layers[i].deployed, *b = &many->layers[i].deployed;
        for (uint32_t e = 0; a->cycles && e < one->n_engines; e++) {
            bool moves = e >= 3; /* load, save, memory: each rounds up once */
            if (a->cycles[e] == ROOF_UNKNOWN)
                continue;
            if (b->cycles[e] > batch * a->cycles[e] ||
                b->cycles[e] + (moves ? batch : 0) < batch * a->cycles[e])
                FAIL(n, "a batch of %u: engine %s takes %" PRIu64 " cycles, one image %" PRIu64, batch,
                     one->engines[e], b->cycles[e], a->cycles[e]);
        }
    }
    roof_prediction_free(one);
    roof_prediction_free(many);
    fx_close(&net);
}

static void everything_is_linear_in_the_batch(void **state)
{
    (void)state;
    for_each_network(check_batch);
}

/* ---- writing and reading ---- */

static void check_spellings(const network *n)
{
    fx_net plain = read_network(n, NULL);
    for (unsigned bits = 1; bits < 16; bits++) {
        const xm_options options = {
            .unpacked = bits & 1, .reversed_maps = bits & 2, .int_enums = bits & 4, .with_op_defs = bits & 8};
        fx_net other = read_network(n, &options);
        char name[64];
        snprintf(name, sizeof name, "ROOF_SEED=%" PRIu64 ", spelling %u", n->seed, bits);
        fx_assert_same_dump(name, fx_dump(other.graph), fx_dump(plain.graph));
        fx_close(&other);
    }
    fx_close(&plain);
}

static void every_spelling_reads_as_the_same_graph(void **state)
{
    (void)state;
    for_each_network(check_spellings);
}

/* ---- chains with code, of any length and size ---- */

static void chains_with_code_cost_what_their_generator_says(void **state)
{
    static const char *const archs[] = {"B512", "B800", "B1024", "B1152", "B1600", "B2304", "B3136", "B4096"};
    (void)state;
    random_state = first_seed();
    for (int round = 0; round < 60; round++) {
        const xn_config config = {.arch = xn_find_arch(archs[between(0, 7)]),
                                  .n_layers = between(1, 60),
                                  .layer_code = between(0, 1)};
        xn_summary summary;
        xm_model *m = xn_chain(&config, &summary);
        fx_net net = fx_open(m, NULL);
        roof_prediction *p = fx_predict(net.graph, "b4096", NULL);
        if (p->total.deployed.cycles[0] != summary.total.conv_cycles || p->total.macs != summary.total.macs ||
            p->total.deployed.traffic.weights_bytes != summary.total.constant_bytes ||
            p->total.deployed.traffic.input_bytes != summary.load_bytes ||
            p->total.deployed.traffic.output_bytes != summary.save_bytes ||
            p->total.unattributed_bytes_ratio > 0)
            fail_msg("%s, %zu layers", config.arch->name, config.n_layers);
        roof_prediction_free(p);
        fx_close(&net);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_ideal_is_not_below_peak_or_bandwidth),
        cmocka_unit_test(no_layer_is_above_its_roof),
        cmocka_unit_test(more_peak_bandwidth_or_clock_is_not_slower),
        cmocka_unit_test(the_order_of_ops_in_the_file_does_not_matter),
        cmocka_unit_test(sums_close),
        cmocka_unit_test(the_macs_of_a_network_are_those_of_its_ops),
        cmocka_unit_test(everything_is_linear_in_the_batch),
        cmocka_unit_test(every_spelling_reads_as_the_same_graph),
        cmocka_unit_test(chains_with_code_cost_what_their_generator_says),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
