/* Edited networks against files: an edit of nothing is the network, shapes follow as files have them, the
 * gains of known siblings (data/measured/sibling_pairs.tsv), and siblings that edits reach. Needs the
 * optional folder that ROOFLINE_SHARED names. */
#include "model/edit/follow.h"
#include "tests/support/edits.h"
#include "tests/support/pair_rows.h"
#include "tests/support/skips.h"

#include <glob.h>

static const char *const patterns[] = {"data/zoo/*.onnx", "data/models/*.onnx", "data/models/*.tflite"};

/* Calls check with every network that can be edited; returns how many these are. */
static uint32_t for_each_network(void (*check)(const char *name, const roof_graph *g, void *context),
                                 void *context)
{
    char pattern[4096];
    uint32_t n = 0;
    for (size_t k = 0; k < COUNT(patterns); k++) {
        glob_t found;
        snprintf(pattern, sizeof pattern, "%s/%s", shared_folder(), patterns[k]);
        assert_int_equal(glob(pattern, 0, NULL, &found), 0);
        for (size_t i = 0; i < found.gl_pathc; i++) {
            roof_graph *g = NULL;
            roof_error err;
            if (roof_graph_read(found.gl_pathv[i], &g, &err) == ROOF_OK && !g->compiled) {
                check(strrchr(found.gl_pathv[i], '/') + 1, g, context);
                n++;
            }
            roof_graph_free(g);
        }
        globfree(&found);
    }
    return n;
}

/* ---- identity ---- */

static void compare_copy(const char *name, const roof_graph *g, const edit *edits, uint32_t n,
                         const roof_hw *hw)
{
    roof_graph *copy = edits_make(g, edits, n);
    roof_prediction *a = edits_predict(g, hw), *b = edits_predict(copy, hw);
    if (strcmp(g->graph_hash, copy->graph_hash) != 0 || !edits_are_same(a, b))
        fail_msg("%s: is another network after an edit that changes nothing (%u edits)", name, n);
    roof_prediction_free(a);
    roof_prediction_free(b);
    roof_graph_free(copy);
}

static void check_nothing(const char *name, const roof_graph *g, void *context)
{
    compare_copy(name, g, NULL, 0, context);
}

static void an_edit_of_nothing_is_the_same_network(void **state)
{
    roof_hw *hw = fx_hw("kv260");
    (void)state;
    const uint32_t n = for_each_network(check_nothing, hw);
    print_message("%u networks\n", n);
    assert_true(n >= 40);
    roof_hw_free(hw);
}

/* Channels, kernels and strides that are there already. */
static void check_same_values(const char *name, const roof_graph *g, void *context)
{
    edit *edits = calloc(3 * (size_t)g->n_ops + 1, sizeof *edits);
    uint32_t n = 0;
    assert_non_null(edits);
    for (uint32_t i = 0; i < g->n_ops; i++) {
        const roof_op *op = &g->ops[i];
        if (op->out.n_dims != 4 || (op->rule != ROOF_RULE_CONV2D && op->rule != ROOF_RULE_DEPTHWISE))
            continue;
        if (op->rule == ROOF_RULE_CONV2D)
            edits[n++] = (edit){.kind = EDIT_CHANNELS, .op = i, .value = op->out.dims[3]};
        if (op->window.kernel_h == op->window.kernel_w)
            edits[n++] = (edit){.kind = EDIT_KERNEL, .op = i, .value = op->window.kernel_h};
        if (op->window.stride_h == op->window.stride_w)
            edits[n++] = (edit){.kind = EDIT_STRIDE, .op = i, .value = op->window.stride_h};
    }
    compare_copy(name, g, edits, n, context);
    free(edits);
}

static void edits_to_what_is_there_are_the_same_network(void **state)
{
    roof_hw *hw = fx_hw("kv260");
    (void)state;
    for_each_network(check_same_values, hw);
    roof_hw_free(hw);
}

/* ---- shapes ---- */

typedef struct kind {
    char type[48], reason[120];
    uint32_t n;
} kind;

typedef struct shapes {
    uint32_t ops, followed, n_kinds;
    kind kinds[200];
} shapes;

static void note(shapes *all, const char *type, const char *reason)
{
    uint32_t i = 0;
    while (i < all->n_kinds &&
           (strcmp(all->kinds[i].type, type) != 0 || strcmp(all->kinds[i].reason, reason) != 0))
        i++;
    if (i == all->n_kinds) {
        assert_true(i < COUNT(all->kinds));
        snprintf(all->kinds[all->n_kinds].type, sizeof all->kinds->type, "%s", type);
        snprintf(all->kinds[all->n_kinds++].reason, sizeof all->kinds->reason, "%s", reason);
    }
    all->kinds[i].n++;
}

static void check_shapes(const char *name, const roof_graph *g, void *context)
{
    shapes *all = context;
    roof_graph *copy = edits_make(g, NULL, 0);
    unsigned char *is_constant = calloc(g->n_ops, 1), *is_set = calloc(g->n_ops, 1);
    uint32_t *order = calloc(g->n_ops, sizeof *order), *none = calloc(g->n_ops, sizeof *none);
    assert_true(is_constant && is_set && order && none);
    assert_int_equal(graph_topological_order(g, order, NULL), ROOF_OK);
    follower f = {.from = g,
                  .to = copy,
                  .is_constant = is_constant,
                  .is_set = is_set,
                  .channels = none,
                  .groups = none};
    for (uint32_t i = 0; i < g->n_ops; i++) {
        const roof_op *op = &g->ops[order[i]];
        bool constant = op->n_inputs;
        for (uint32_t k = 0; k < op->n_inputs && constant; k++)
            constant = is_constant[g->edges[op->first_input + k].op];
        is_constant[order[i]] = constant || op->rule == ROOF_RULE_CONSTANT;
        if (is_constant[order[i]] || op->rule == ROOF_RULE_INPUT)
            continue;
        const char *reason = follow_shape(&f, order[i]);
        all->ops++;
        all->followed += !reason;
        if (reason)
            note(all, op->type, reason);
    }
    for (uint32_t i = 0; i < g->n_ops; i++)
        if (!follow_same_dims(&g->ops[i].out, &copy->ops[i].out) ||
            memcmp(&g->ops[i].window, &copy->ops[i].window, sizeof g->ops[i].window) != 0)
            fail_msg("%s: '%s' (%s) has another shape or window than the file", name, g->ops[i].name,
                     g->ops[i].type);
    free(is_constant);
    free(is_set);
    free(order);
    free(none);
    roof_graph_free(copy);
}

static void shapes_follow_as_files_have_them(void **state)
{
    static shapes all;
    (void)state;
    for_each_network(check_shapes, &all);
    print_message("%u of %u operators are followed; not:\n", all.followed, all.ops);
    for (uint32_t i = 0; i < all.n_kinds; i++)
        print_message("%6u %-28s %s\n", all.kinds[i].n, all.kinds[i].type, all.kinds[i].reason);
    assert_true(all.followed >= 0.95 * all.ops);
}

/* ---- known siblings ---- */

enum { MOST_PAIRS = 64, MOST_ROWS = 8, MOST_NETWORKS = 64 };

typedef struct pair {
    char family[64], larger[64], smaller[64], files[2][64];
    double gops, law, measured[MOST_ROWS], predicted;
    uint32_t n_rows;
} pair;

typedef struct network {
    char file[64], models[400];
    double seconds;
} network;

static FILE *open_shared(const char *name)
{
    char path[4096];
    snprintf(path, sizeof path, "%s/%s", shared_folder(), name);
    FILE *file = fopen(path, "rb");
    if (!file)
        skip_without(path);
    return file;
}

static roof_graph *read_zoo(const char *file)
{
    char path[4096];
    roof_graph *g = NULL;
    roof_error err;
    snprintf(path, sizeof path, "%s/data/zoo/%s", shared_folder(), file);
    if (roof_graph_read(path, &g, &err) != ROOF_OK)
        fail_msg("%s", fx_message(&err));
    return g;
}

static bool lists(const char *models, const char *label)
{
    const size_t n = strlen(label);
    for (const char *at = strstr(models, label); at; at = strstr(at + 1, label))
        if ((at == models || at[-1] == '|') && (!at[n] || at[n] == '|'))
            return true;
    return false;
}

static uint32_t read_networks(network *networks, const roof_hw *hw)
{
    char line[1024];
    uint32_t n = 0;
    FILE *file = open_shared("data/zoo/zoo.tsv");
    assert_non_null(fgets(line, sizeof line, file));
    while (n < MOST_NETWORKS && fgets(line, sizeof line, file))
        if (sscanf(line, "%63[^\t]\t%*[^\t]\t%*[^\t]\t%399[^\t\n]", networks[n].file, networks[n].models) ==
            2)
            n++;
    fclose(file);
    for (uint32_t i = 0; i < n; i++) {
        roof_graph *g = read_zoo(networks[i].file);
        roof_prediction *p = edits_predict(g, hw);
        networks[i].seconds = p->total.predicted_s;
        roof_prediction_free(p);
        roof_graph_free(g);
    }
    return n;
}

static const network *network_of(const network *networks, uint32_t n, const char *label)
{
    for (uint32_t i = 0; i < n; i++)
        if (lists(networks[i].models, label))
            return &networks[i];
    return NULL;
}

static uint32_t read_pairs(pair *pairs, const network *networks, uint32_t n_networks)
{
    enum {
        FAMILY,
        EDIT,
        LARGER,
        SMALLER,
        GOPS,
        VAI,
        BOARD,
        LARGER_LABEL = 8,
        SMALLER_LABEL,
        MULTI = 17,
        LAW,
        FIELDS = 20
    };
    char line[1024], *f[FIELDS];
    uint32_t n = 0;
    FILE *file = open_shared("data/measured/sibling_pairs.tsv");
    assert_non_null(fgets(line, sizeof line, file));
    while (fgets(line, sizeof line, file)) {
        if (split_row(line, f, FIELDS) != FIELDS || strcmp(f[BOARD], "KV260") != 0 || !*f[LAW] ||
            !*f[MULTI] || (strcmp(f[VAI], "2.5") != 0 && strcmp(f[VAI], "3.0") != 0))
            continue;
        const network *a = network_of(networks, n_networks, f[LARGER_LABEL]),
                      *b = network_of(networks, n_networks, f[SMALLER_LABEL]);
        uint32_t i = 0;
        if (!a || !b)
            continue;
        while (i < n && (strcmp(pairs[i].family, f[FAMILY]) != 0 || strcmp(pairs[i].larger, f[LARGER]) != 0 ||
                         strcmp(pairs[i].smaller, f[SMALLER]) != 0))
            i++;
        assert_true(i < MOST_PAIRS);
        if (i == n) {
            pairs[n] =
                (pair){.gops = atof(f[GOPS]), .law = atof(f[LAW]), .predicted = a->seconds / b->seconds};
            snprintf(pairs[n].family, sizeof pairs->family, "%s", f[FAMILY]);
            snprintf(pairs[n].larger, sizeof pairs->larger, "%s", f[LARGER]);
            snprintf(pairs[n++].smaller, sizeof pairs->smaller, "%s", f[SMALLER]);
        }
        assert_true(pairs[i].n_rows < MOST_ROWS);
        pairs[i].measured[pairs[i].n_rows++] = atof(f[MULTI]);
    }
    fclose(file);
    return n;
}

/* Which of two edits of different families gains more, where that differs by over 5 %. */
static void count_right(const pair *pairs, const double *measured, uint32_t n, uint32_t *requested,
                        uint32_t *right, uint32_t *right_by_gops)
{
    for (uint32_t i = 0; i < n; i++)
        for (uint32_t k = 0; k < i; k++) {
            if (strcmp(pairs[i].family, pairs[k].family) == 0 || fabs(measured[i] / measured[k] - 1) <= 0.05)
                continue;
            const bool is_more = measured[i] > measured[k];
            ++*requested;
            *right += (pairs[i].predicted > pairs[k].predicted) == is_more;
            *right_by_gops += (pairs[i].gops > pairs[k].gops) == is_more;
        }
}

/* The one pair that is 2.6 % from the law of the table, which is further from what was measured: by 7.0 %,
 * and 4.2 % here. The table reckons the scale of a channel by the constant of the element-wise engine, where
 * compiled files have it on the ALU; reckoned so, this pair is 2.99 as there (test_edited_blocks.c). */
static bool is_nearer_than_the_law(const pair *p)
{
    return strstr(p->family, "efficientnet b0");
}

static void known_siblings_gain_what_was_measured(void **state)
{
    static pair pairs[MOST_PAIRS];
    static network networks[MOST_NETWORKS];
    double measured[MOST_PAIRS], errors[MOST_PAIRS], of_gops[MOST_PAIRS], worst_law = 0;
    uint32_t within = 0, requested = 0, right = 0, right_by_gops = 0;
    (void)state;
    roof_hw *hw = fx_hw("kv260");
    const uint32_t n_networks = read_networks(networks, hw), n = read_pairs(pairs, networks, n_networks);
    roof_hw_free(hw);
    assert_true(n >= 14);
    print_message("%-28s %-10s -> %-18s measured     here      law   error of here, law, operations [%%]\n",
                  "family", "larger", "smaller");
    for (uint32_t i = 0; i < n; i++) {
        pair *p = &pairs[i];
        measured[i] = median_of(p->measured, p->n_rows);
        errors[i] = fabs(p->predicted / measured[i] - 1);
        of_gops[i] = fabs(p->gops / measured[i] - 1);
        within += errors[i] <= 0.10;
        print_message("%-28s %-10s -> %-18s %8.3f %8.3f %8.3f %8.1f %6.1f %6.1f\n", p->family, p->larger,
                      p->smaller, measured[i], p->predicted, p->law, 100 * (p->predicted / measured[i] - 1),
                      100 * (p->law / measured[i] - 1), 100 * (p->gops / measured[i] - 1));
        if (!is_nearer_than_the_law(p))
            worst_law = fmax(worst_law, fabs(p->predicted / p->law - 1));
    }
    count_right(pairs, measured, n, &requested, &right, &right_by_gops);
    const double median = median_of(errors, n), median_of_gops = median_of(of_gops, n);
    print_message(
        "%u pairs: error median %.1f %%, worst %.1f %%, %u within 10 %%; operations: %.1f %%, worst %.0f %%; "
        "from the law at most %.2f %%\n",
        n, 100 * median, 100 * errors[n - 1], within, 100 * median_of_gops, 100 * of_gops[n - 1],
        100 * worst_law);
    print_message("which of two edits gains more: right in %u of %u, by operations in %u\n", right, requested,
                  right_by_gops);
    assert_true(worst_law <= 0.02);
    assert_true(median <= 0.05 && median <= median_of_gops / 2);
    assert_true(within >= 0.8 * n && errors[n - 1] <= 0.25);
    assert_true(right >= 0.9 * requested);
}

/* ---- siblings that edits reach ---- */

enum { MOST_EDITS = 1024 };

typedef struct recipe {
    edit edits[MOST_EDITS];
    uint32_t n;
} recipe;

static void add(recipe *r, edit what)
{
    assert_true(r->n < MOST_EDITS);
    r->edits[r->n++] = what;
}

static void half_width_at_160(const roof_graph *g, const roof_graph *sibling, recipe *r)
{
    (void)g;
    (void)sibling;
    add(r, (edit){EDIT_INPUT, ROOF_NONE, 160, 160, 0});
    add(r, (edit){EDIT_WIDTH, ROOF_NONE, 8, 0, 0.5});
}

static void quarter_width_at_128(const roof_graph *g, const roof_graph *sibling, recipe *r)
{
    (void)g;
    (void)sibling;
    add(r, (edit){EDIT_INPUT, ROOF_NONE, 128, 128, 0});
    add(r, (edit){EDIT_WIDTH, ROOF_NONE, 8, 0, 0.25});
}

static uint32_t next_of(const roof_graph *g, uint32_t i, roof_rule rule)
{
    while (i < g->n_ops && g->ops[i].rule != rule)
        i++;
    return i;
}

/* Both round their channels to multiples of 8 in their own way, so each convolution gets the sibling's. */
static void channels_of_the_sibling(const roof_graph *g, const roof_graph *sibling, recipe *r)
{
    for (uint32_t i = next_of(g, 0, ROOF_RULE_CONV2D), k = next_of(sibling, 0, ROOF_RULE_CONV2D);
         i < g->n_ops;
         i = next_of(g, i + 1, ROOF_RULE_CONV2D), k = next_of(sibling, k + 1, ROOF_RULE_CONV2D)) {
        assert_true(k < sibling->n_ops);
        add(r, (edit){EDIT_CHANNELS, i, sibling->ops[k].out.dims[3], 0, 0});
    }
}

static const roof_op *input_of(const roof_graph *g, uint32_t op, uint32_t k)
{
    return &g->ops[g->edges[g->ops[op].first_input + k].op];
}

static bool is_addition(const roof_graph *g, uint32_t op)
{
    return strcmp(g->ops[op].type, "Add") == 0 && g->ops[op].n_inputs == 2 &&
           input_of(g, op, 0)->rule != ROOF_RULE_CONSTANT && input_of(g, op, 1)->rule != ROOF_RULE_CONSTANT;
}

static uint32_t count_units(const roof_graph *g, uint32_t channels)
{
    uint32_t n = 0;
    for (uint32_t i = 0; i < g->n_ops; i++)
        n += is_addition(g, i) && g->ops[i].out.dims[3] == channels;
    return n;
}

/* Units behind the first one of a stage, whose shortcut makes the channels, are left out: their addition, and
 * the activation of what is added where there is one. */
static void as_many_units_as_the_sibling(const roof_graph *g, const roof_graph *sibling, recipe *r)
{
    for (uint32_t channels = 256; channels <= 2048; channels *= 2) {
        const uint32_t most = count_units(g, channels), wanted = count_units(sibling, channels);
        uint32_t unit = 0;
        for (uint32_t i = 0; i < g->n_ops; i++) {
            if (!is_addition(g, i) || g->ops[i].out.dims[3] != channels || unit++ == 0 ||
                unit > 1 + most - wanted)
                continue;
            const bool first_is_branch = input_of(g, i, 0)->rule == ROOF_RULE_CONV2D;
            assert_true(first_is_branch != (input_of(g, i, 1)->rule == ROOF_RULE_CONV2D));
            add(r, (edit){EDIT_DROP, i, first_is_branch, 0, 0});
            for (uint32_t k = 0; k < g->n_ops; k++)
                if (g->ops[k].rule == ROOF_RULE_ACTIVATION && input_of(g, k, 0) == &g->ops[i])
                    add(r, (edit){EDIT_DROP, k, 0, 0, 0});
        }
    }
}

/* Products of a map and its gate: ReLU6 in place of a swish, nothing in place of squeeze and excitation. */
static void relu6_and_no_squeeze(const roof_graph *g, const roof_graph *sibling, recipe *r)
{
    (void)sibling;
    for (uint32_t i = 0; i < g->n_ops; i++) {
        if (strcmp(g->ops[i].type, "Mul") != 0)
            continue;
        const roof_op *a = input_of(g, i, 0), *b = input_of(g, i, 1);
        const bool is_scale = a->out.elements != b->out.elements;
        add(r, is_scale ? (edit){EDIT_DROP, i, a->out.elements < b->out.elements, 0, 0}
                        : (edit){EDIT_ACTIVATION, i, 0, 0, 0});
    }
}

static const struct reached {
    const char *from, *to;
    void (*write)(const roof_graph *g, const roof_graph *sibling, recipe *r);
} reached[] = {
    {"mobilenetv1-1.0.onnx", "mobilenetv1-0.5-160.onnx", half_width_at_160},
    {"mobilenetv1-1.0.onnx", "mobilenetv1-0.25-128.onnx", quarter_width_at_128},
    {"mobilenetv2-1.4.onnx", "mobilenetv2-1.0.onnx", channels_of_the_sibling},
    {"resnet152_slim.onnx", "resnet101_slim.onnx", as_many_units_as_the_sibling},
    {"resnet152_slim.onnx", "resnet50_slim.onnx", as_many_units_as_the_sibling},
    {"resnet101_slim.onnx", "resnet50_slim.onnx", as_many_units_as_the_sibling},
    {"resnetv2-152.onnx", "resnetv2-50.onnx", as_many_units_as_the_sibling},
    {"resnetv2-101.onnx", "resnetv2-50.onnx", as_many_units_as_the_sibling},
    {"efficientnet-b0.onnx", "efficientnet-lite0.onnx", relu6_and_no_squeeze},
};

static void edits_reach_the_sibling_to_the_last_bit(void **state)
{
    roof_hw *hw = fx_hw("kv260");
    uint32_t n_other = 0;
    (void)state;
    for (size_t i = 0; i < COUNT(reached); i++) {
        static recipe r;
        roof_graph *from = read_zoo(reached[i].from), *to = read_zoo(reached[i].to);
        r.n = 0;
        reached[i].write(from, to, &r);
        roof_graph *edited = edits_make(from, r.edits, r.n);
        roof_prediction *a = edits_predict(edited, hw), *b = edits_predict(to, hw);
        const bool is_same = edits_are_same(a, b);
        print_message("%-22s -> %-26s %4u edits %9.6f ms, the file %9.6f ms%s\n", reached[i].from,
                      reached[i].to, r.n, 1e3 * a->total.predicted_s, 1e3 * b->total.predicted_s,
                      is_same ? "" : ": other rows");
        n_other += !is_same;
        roof_prediction_free(a);
        roof_prediction_free(b);
        roof_graph_free(edited);
        roof_graph_free(from);
        roof_graph_free(to);
    }
    roof_hw_free(hw);
    assert_int_equal(n_other, 0);
}

/* ---- advice ---- */

static double combined_s(const char *file, const roof_hw *hw, const char *const *rules, uint32_t *n)
{
    roof_graph *g = read_zoo(file);
    roof_advice *a = NULL;
    roof_error err = {0};
    if (roof_advice_find(g, hw, &(roof_advice_options){.rules = rules}, &a, &err) != ROOF_OK)
        fail_msg("%s: %s", file, fx_message(&err));
    const double seconds = a->combination.after.time_s;
    *n = a->n_combined;
    roof_advice_free(a);
    roof_graph_free(g);
    return seconds;
}

/* Nobody told it of the sibling: it offers what makes lite0 of B0, and predicts it as the file of lite0. */
static void an_advice_for_efficientnet_finds_its_sibling(void **state)
{
    static const char *const rules[] = {"activation", "squeeze", NULL}, *const boards[] = {"kv260", "b4096"};
    (void)state;
    for (size_t i = 0; i < COUNT(boards); i++) {
        roof_hw *hw = fx_hw(boards[i]);
        roof_graph *lite = read_zoo("efficientnet-lite0.onnx");
        roof_prediction *p = edits_predict(lite, hw);
        uint32_t n;
        const double seconds = combined_s("efficientnet-b0.onnx", hw, rules, &n),
                     sibling_s = roof_layer_seconds(p, NULL);
        print_message("%s: B0 with ReLU6 and without squeeze and excitation %.4f ms, lite0 %.4f ms\n",
                      boards[i], 1e3 * seconds, 1e3 * sibling_s);
        assert_int_equal(n, 2);
        assert_true(fabs(seconds / sibling_s - 1) <= 0.02);
        roof_prediction_free(p);
        roof_graph_free(lite);
        roof_hw_free(hw);
    }
}

/* All networks that can be edited get an answer, and no edit of it promises more than all of the time. */
static void advise_one(const char *name, const roof_graph *g, void *context)
{
    roof_advice *a = NULL;
    roof_error err = {0};
    const roof_status status = roof_advice_find(g, context, NULL, &a, &err);
    if (status != ROOF_OK && status != ROOF_E_UNSUPPORTED)
        fail_msg("%s: %s", name, fx_message(&err));
    for (uint32_t i = 0; a && i < a->n_edits; i++)
        if (!(a->edits[i].after.time_s > 0 && a->edits[i].gain_s < a->base.time_s))
            fail_msg("%s: %s promises %g of %g s", name, a->edits[i].rule, a->edits[i].gain_s,
                     a->base.time_s);
    roof_advice_free(a);
}

static void every_network_gets_an_advice(void **state)
{
    static const char *const boards[] = {"kv260", "stm32n6", "npu1", "ethos-u55-128", "rtx-4090"};
    (void)state;
    for (size_t i = 0; i < COUNT(boards); i++) {
        roof_hw *hw = fx_hw(boards[i]);
        assert_true(for_each_network(advise_one, hw) > 20);
        roof_hw_free(hw);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_edit_of_nothing_is_the_same_network),
        cmocka_unit_test(edits_to_what_is_there_are_the_same_network),
        cmocka_unit_test(shapes_follow_as_files_have_them),
        cmocka_unit_test(known_siblings_gain_what_was_measured),
        cmocka_unit_test(edits_reach_the_sibling_to_the_last_bit),
        cmocka_unit_test(an_advice_for_efficientnet_finds_its_sibling),
        cmocka_unit_test(every_network_gets_an_advice),
    };
    shared_folder();
    return cmocka_run_group_tests(tests, NULL, NULL);
}
