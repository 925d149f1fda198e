/* A network that is edited is the network that is written with other numbers from the start: the same
 * structure, shapes and prediction, for random networks and random edits. ROOF_SEED sets where to start; a
 * failure prints the seed of its network. */
#include "core/text.h"
#include "roofline/advise.h"
#include "roofline/model_diff.h"
#include "tests/property/random.h"
#include "tests/support/edits.h"
#include "tests/support/onnx_text.h"
#include "tests/support/sample.h"

enum { ROUNDS = 600, MOST_UNITS = 5, MOST_CHANNELS = 64, MOST_EDITS = 64, CLASSES = 1000 };

static uint32_t between(uint32_t low, uint32_t high)
{
    return low + (uint32_t)((next_random() >> 33) % (high - low + 1));
}

/* A unit: 1x1 to expanded channels, depthwise or plain kernel, squeeze and excitation, 1x1 back, and what is
 * read is added. All of that but the numbers is the same before and after the edits. */
typedef struct unit {
    bool is_residual, is_plain, is_swish, joins;
    /* what edits change */
    uint32_t expanded, made, kernel, stride, squeezed;
    bool has_squeeze, is_there, is_relu6;
} unit;

typedef struct plan {
    uint32_t height, width, stem;
    unit units[MOST_UNITS];
    uint32_t n_units;
} plan;

static void put_conv(textbuf *t, const char *from, const char *to, uint32_t in, uint32_t out, uint32_t kernel,
                     uint32_t stride, uint32_t groups)
{
    text_printf(t, "weights w_%s float %u,%u,%u,%u;weights b_%s float %u;\n", to, out, in / groups, kernel,
                kernel, to, out);
    text_printf(t, "Conv %s,w_%s,b_%s -> %s group=%u strides=[%u,%u] pads=[%u,%u,%u,%u];\n", from, to, to, to,
                groups, stride, stride, kernel / 2, kernel / 2, kernel / 2, kernel / 2);
}

/* Returns the channels of what the units make, whose name is left in last. */
static uint32_t put_unit(textbuf *t, const unit *u, uint32_t i, uint32_t channels, char last[16])
{
    char names[6][16];
    static const char *const parts[] = {"e", "s", "k", "a", "q", "o"};
    for (size_t k = 0; k < COUNT(parts); k++)
        snprintf(names[k], sizeof names[k], "%s%u", parts[k], i);
    const uint32_t made = u->is_residual ? channels : u->made;
    if (!u->is_there)
        return channels;
    put_conv(t, last, names[0], channels, u->expanded, 1, 1, 1);
    if (!u->is_swish)
        text_printf(t, "Relu %s -> %s;\n", names[0], names[1]);
    else if (u->is_relu6)
        text_printf(t, "Clip %s -> %s;\n", names[0], names[1]);
    else
        text_printf(t, "HardSwish %s -> %s;\n", names[0], names[1]);
    put_conv(t, names[1], names[2], u->expanded, u->expanded, u->kernel, u->stride,
             u->is_plain ? 1 : u->expanded);
    const char *map = names[2];
    if (u->has_squeeze) {
        text_printf(t, "GlobalAveragePool %s -> g%u;\n", map, i);
        text_printf(t, "weights w_h%u float %u,%u,1,1;Conv g%u,w_h%u -> h%u;Relu h%u -> r%u;\n", i,
                    u->squeezed, u->expanded, i, i, i, i, i);
        text_printf(t, "weights w_j%u float %u,%u,1,1;Conv r%u,w_j%u -> j%u;HardSigmoid j%u -> v%u;\n", i,
                    u->expanded, u->squeezed, i, i, i, i, i);
        text_printf(t, "Mul %s,v%u -> %s;\n", map, i, names[4]);
        map = names[4];
    }
    put_conv(t, map, names[3], u->expanded, made, 1, 1, 1);
    if (u->is_residual)
        text_printf(t, "Add %s,%s -> %s;\n", last, names[3], names[5]);
    else if (u->joins)
        text_printf(t, "Concat %s,%s -> %s axis=1;\n", names[3], names[3], names[5]);
    else
        text_printf(t, "Identity %s -> %s;\n", names[3], names[5]);
    snprintf(last, 16, "%s", names[5]);
    return u->joins && !u->is_residual ? 2 * made : made;
}

static roof_graph *write(const plan *p, xm_buffer *bytes)
{
    textbuf t;
    char last[16] = "stem";
    uint32_t channels = p->stem;
    roof_graph *graph = NULL;
    roof_error err = {0};
    text_init(&t, 1 << 20);
    text_printf(&t, "input x float 1,3,%u,%u;\n", p->height, p->width);
    put_conv(&t, "x", "stem", 3, p->stem, 3, 2, 1);
    for (uint32_t i = 0; i < p->n_units; i++)
        channels = put_unit(&t, &p->units[i], i, channels, last);
    /* more classes than channels, since square weights do not tell which dimension is which */
    text_printf(&t, "GlobalAveragePool %s -> pooled;Flatten pooled -> flat;weights fc float %u,%d;", last,
                channels, CLASSES);
    text_printf(&t, "weights fb float %d;Gemm flat,fc,fb -> classes", CLASSES);
    onnx_text_write(t.bytes, bytes);
    text_free(&t);
    if (graph_read_memory(bytes->data + bytes->start, bytes->capacity_bytes - bytes->start, "net.onnx",
                          &graph, &err) != ROOF_OK)
        fail_msg("%s", fx_message(&err));
    return graph;
}

static uint32_t odd(uint32_t most)
{
    return 2 * between(0, most / 2) + 1;
}

static void draw_numbers(unit *u)
{
    /* of one channel shapes do not tell depthwise from plain, and what a flattening keeps */
    u->expanded = between(2, MOST_CHANNELS);
    u->made = between(2, MOST_CHANNELS);
    u->squeezed = between(1, 16);
    u->kernel = odd(7);
    u->stride = u->is_residual ? 1 : between(1, 2);
}

static plan draw(void)
{
    plan p = {.height = between(16, 80), .width = between(16, 80), .stem = between(2, MOST_CHANNELS)};
    p.n_units = between(1, MOST_UNITS);
    for (uint32_t i = 0; i < p.n_units; i++) {
        unit *u = &p.units[i];
        *u = (unit){.is_residual = between(0, 1),
                    .is_plain = between(0, 1),
                    .is_swish = between(0, 1),
                    .is_there = true};
        u->joins = !u->is_residual && between(0, 3) == 0;
        u->has_squeeze = between(0, 1);
        draw_numbers(u);
    }
    return p;
}

/* ---- edits ---- */

typedef struct edits {
    const roof_graph *graph;
    edit list[MOST_EDITS];
    uint32_t n;
} edits;

static void add(edits *e, edit_kind kind, const char *name, uint32_t i, uint32_t value)
{
    char full[16];
    uint32_t op = 0;
    snprintf(full, sizeof full, i == ROOF_NONE ? "%s" : "%s%u", name, i);
    while (op < e->graph->n_ops && strcmp(e->graph->ops[op].name, full) != 0)
        op++;
    assert_true(op < e->graph->n_ops && e->n < MOST_EDITS);
    e->list[e->n++] = (edit){.kind = kind, .op = op, .value = value};
}

/* Changes some numbers of the plan, and says so as edits of the graph. */
static plan change(const plan *before, edits *e)
{
    plan after = *before;
    uint32_t joined = 0; /* channels of the map that units add to, where they are a sum; 0: they are not */
    if (between(0, 1)) {
        after.height = between(16, 80);
        after.width = between(16, 80);
        e->list[e->n++] =
            (edit){.kind = EDIT_INPUT, .op = ROOF_NONE, .value = after.height, .value_w = after.width};
    }
    if (between(0, 1))
        add(e, EDIT_CHANNELS, "stem", ROOF_NONE, after.stem = between(2, MOST_CHANNELS));
    for (uint32_t i = 0; i < after.n_units; i++) {
        unit *u = &after.units[i], drawn = *u;
        draw_numbers(&drawn);
        u->is_there = !u->is_residual || between(0, 4) > 0;
        if (!u->is_there) {
            add(e, EDIT_DROP, "o", i, 0);
            continue;
        }
        if (between(0, 1))
            add(e, EDIT_KERNEL, "k", i, u->kernel = drawn.kernel);
        if (between(0, 1) && !u->is_residual)
            add(e, EDIT_STRIDE, "k", i, u->stride = drawn.stride);
        if (between(0, 1) && !u->is_residual)
            add(e, EDIT_CHANNELS, "a", i, u->made = drawn.made);
        if (u->is_residual && joined) /* what makes a sum is no group with what is added to it */
            add(e, EDIT_CHANNELS, "a", i, joined);
        if (!u->is_residual)
            joined = u->joins ? 2 * u->made : 0;
        if (u->has_squeeze && between(0, 1)) {
            u->has_squeeze = false;
            add(e, EDIT_DROP, "q", i, 0);
        }
        /* channels of a plain kernel and what scales it are one group, those before it another */
        if (between(0, 1)) {
            u->expanded = drawn.expanded;
            add(e, EDIT_CHANNELS, "e", i, u->expanded);
            if (u->is_plain)
                add(e, EDIT_CHANNELS, "k", i, u->expanded);
        }
        if (u->has_squeeze && between(0, 1))
            add(e, EDIT_CHANNELS, "h", i, u->squeezed = drawn.squeezed);
        if (u->is_swish && between(0, 1)) {
            u->is_relu6 = true;
            add(e, EDIT_ACTIVATION, "s", i, 0);
        }
    }
    return after;
}

/* Which operator is not what it should be. */
static const char *first_other(const roof_graph *a, const roof_graph *b)
{
    static char text[200];
    for (uint32_t i = 0; i < a->n_ops && i < b->n_ops; i++) {
        const roof_tensor *x = &a->ops[i].out, *y = &b->ops[i].out;
        if (strcmp(a->ops[i].name, b->ops[i].name) == 0 && x->n_dims == y->n_dims &&
            memcmp(x->dims, y->dims, x->n_dims * sizeof *x->dims) == 0)
            continue;
        snprintf(text, sizeof text, "'%.40s' with %u channels, '%.40s' with %u", a->ops[i].name,
                 x->n_dims ? x->dims[x->n_dims - 1] : 0, b->ops[i].name,
                 y->n_dims ? y->dims[y->n_dims - 1] : 0);
        return text;
    }
    return a->n_ops == b->n_ops ? "no operator's shape" : "other operators";
}

/* Each row is in one pair or alone, and what changes brought is the whole difference. */
static void check_siblings(const roof_graph *g, const roof_graph *edited, const roof_hw *hw, uint64_t seed)
{
    roof_model_diff *s = NULL;
    roof_error err = {0};
    if (roof_model_diff_find(&(roof_model_diff_request){g, edited, "a", "b", hw}, &s, &err) != ROOF_OK)
        fail_msg("ROOF_SEED=%" PRIu64 ": %s", seed, fx_message(&err));
    uint32_t rows[2] = {0, 0};
    double sum_s = s->rest_s;
    for (uint32_t i = 0; i < s->n; i++) {
        rows[0] += s->items[i].before.n;
        rows[1] += s->items[i].after.n;
    }
    for (int k = 0; k < ROOF_DIFF_REASONS; k++)
        sum_s += s->changes[k].difference_s;
    const double difference_s = s->total[1].time_s - s->total[0].time_s;
    if (rows[0] != s->before_prediction->n_layers || rows[1] != s->after_prediction->n_layers)
        fail_msg("ROOF_SEED=%" PRIu64 ": rows are lost or twice", seed);
    if (fabs(sum_s - difference_s) > 1e-9 * s->total[0].time_s)
        fail_msg("ROOF_SEED=%" PRIu64 ": changes are %g s of %g s", seed, sum_s, difference_s);
    roof_model_diff_free(s);
}

static void an_edited_network_is_the_one_written_that_way(void **state)
{
    const uint64_t seed = first_seed();
    roof_hw *hw = fx_hw("kv260");
    uint32_t n_edits = 0;
    (void)state;
    for (uint64_t i = 0, rounds = sample_of(ROUNDS, 3); i < rounds; i++) {
        xm_buffer first = {0}, second = {0};
        random_state = (seed + i) * 0x9e3779b97f4a7c15 + 1;
        const plan before = draw();
        roof_graph *g = write(&before, &first);
        edits e = {.graph = g};
        const plan after = change(&before, &e);
        roof_graph *written = write(&after, &second), *edited = NULL;
        roof_error err = {0};
        if (edit_graph(g, e.list, e.n, &edited, &err) != ROOF_OK)
            fail_msg("ROOF_SEED=%" PRIu64 ": %s", seed + i, fx_message(&err));
        if (strcmp(written->graph_hash, edited->graph_hash) != 0)
            fail_msg("ROOF_SEED=%" PRIu64 ": another structure than when written so: %s", seed + i,
                     first_other(written, edited));
        roof_prediction *a = edits_predict(written, hw), *b = edits_predict(edited, hw);
        if (!edits_are_same(a, b))
            fail_msg("ROOF_SEED=%" PRIu64 ": another prediction than when written so", seed + i);
        check_siblings(g, edited, hw, seed + i);
        n_edits += e.n;
        roof_prediction_free(a);
        roof_prediction_free(b);
        roof_graph_free(edited);
        roof_graph_free(written);
        roof_graph_free(g);
        xm_buffer_free(&first);
        xm_buffer_free(&second);
    }
    print_message("%u edits\n", n_edits);
    assert_true(n_edits > 100);
    roof_hw_free(hw);
}

/* A width of 1 gives every convolution its channels anew, an image of its size every window. */
static void an_edit_to_what_is_there_changes_nothing(void **state)
{
    const uint64_t seed = first_seed();
    roof_hw *hw = fx_hw("kv260");
    (void)state;
    for (uint64_t i = 0, rounds = sample_of(ROUNDS, 3); i < rounds; i++) {
        xm_buffer bytes = {0};
        random_state = (seed + i) * 0x9e3779b97f4a7c15 + 1;
        const plan p = draw();
        roof_graph *g = write(&p, &bytes);
        const edit same[] = {{EDIT_INPUT, ROOF_NONE, p.height, p.width, 0}, {EDIT_WIDTH, ROOF_NONE, 1, 0, 1}};
        for (uint32_t n = 0; n <= COUNT(same); n++) {
            roof_graph *edited = edits_make(g, same, n);
            roof_prediction *a = edits_predict(g, hw), *b = edits_predict(edited, hw);
            if (strcmp(g->graph_hash, edited->graph_hash) != 0 || !edits_are_same(a, b))
                fail_msg("ROOF_SEED=%" PRIu64 ": another network after %u edits that change nothing",
                         seed + i, n);
            roof_prediction_free(a);
            roof_prediction_free(b);
            roof_graph_free(edited);
        }
        roof_graph_free(g);
        xm_buffer_free(&bytes);
    }
    roof_hw_free(hw);
}

/* ---- advice ---- */

static uint32_t op_at(const roof_graph *g, uint32_t node)
{
    for (uint32_t i = 0; i < g->n_ops; i++)
        if (g->ops[i].node == node)
            return i;
    fail_msg("no operator at %u", node);
    return ROOF_NONE;
}

/* The edited network of an advice, made of what the document says alone. */
static void check_promise(const roof_graph *g, const roof_hw *hw, const roof_advice *a, const roof_advised *e)
{
    edit made[MOST_EDITS];
    assert_true(e->n_steps <= MOST_EDITS);
    for (uint32_t i = 0; i < e->n_steps; i++) {
        const roof_edit_step *s = &e->steps[i];
        made[i] = (edit){.kind = (edit_kind)s->kind,
                         .op = *s->op ? op_at(g, s->node) : ROOF_NONE,
                         .value = s->to,
                         .value_w = s->to_w,
                         .factor = s->factor};
    }
    roof_graph *edited = edits_make(g, made, e->n_steps);
    roof_prediction *p = edits_predict(edited, hw);
    const double seconds = roof_layer_seconds(p, NULL), base_s = a->base.time_s;
    /* never slower than promised by more than the interval; and the same law of the same graph says the same
     */
    if (!(base_s - seconds >= e->gain_low_s) || fabs(seconds - e->after.time_s) > 1e-12 * base_s ||
        p->total.macs != e->after.macs || !(e->gain_low_s <= e->gain_s && e->gain_s <= e->gain_high_s))
        fail_msg("%s: promised %g of %g s, got %g s", e->rule, e->after.time_s, base_s, seconds);
    roof_prediction_free(p);
    roof_graph_free(edited);
}

static void an_edit_keeps_what_it_promises(void **state)
{
    enum { MOST_CHECKED = 6 };
    roof_hw *hw = fx_hw("kv260");
    const uint64_t seed = first_seed();
    (void)state;
    for (uint64_t i = 0, rounds = sample_of(ROUNDS / 5, 3); i < rounds; i++) {
        random_state = (seed + i) * 0x9e3779b97f4a7c15 + 1;
        const plan p = draw();
        xm_buffer bytes = {0};
        roof_graph *g = write(&p, &bytes);
        roof_advice *a = NULL;
        roof_error err = {0};
        if (roof_advice_find(g, hw, NULL, &a, &err) != ROOF_OK)
            fail_msg("ROOF_SEED=%" PRIu64 ": %s", seed + i, fx_message(&err));
        assert_int_equal(a->n_candidates, a->n_tried + a->n_slight + a->n_over);
        for (uint32_t k = 0; k < a->n_edits && k < MOST_CHECKED; k++)
            check_promise(g, hw, a, &a->edits[k]);
        if (a->n_combined) {
            check_promise(g, hw, a, &a->combination);
            assert_true(a->combination.gain_s >= a->edits[a->combined[0]].gain_s);
        }
        roof_advice_free(a);
        roof_graph_free(g);
        xm_buffer_free(&bytes);
    }
    roof_hw_free(hw);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_edited_network_is_the_one_written_that_way),
        cmocka_unit_test(an_edit_to_what_is_there_changes_nothing),
        cmocka_unit_test(an_edit_keeps_what_it_promises),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
