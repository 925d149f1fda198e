/* Amounts that causes would add on this board, as its entry states them. */
#include "measure/explain/explaining.h"
#include "measure/profile/phases.h"
#include "model/work/cost.h"

typedef struct amounts {
    explaining *x;
    stated_amount *out;
    uint32_t n;
} amounts;

static void state_amount(amounts *l, double amount, double spread, const char *name)
{
    if (amount > 0 && isfinite(amount) && l->n < MOST_STATED)
        l->out[l->n++] = (stated_amount){amount, spread, name};
}

/* A factor that is known within some per cent. */
static void state_factor(amounts *l, double factor, double percent, const char *name)
{
    if (factor > 1.03)
        state_amount(l, factor - 1, percent / 100 * factor / (factor - 1), name);
}

static void state_clock(amounts *l, double hz, double of_hz)
{
    char low[40], high[40];
    quantity_format(low, sizeof low, hz, "Hz");
    quantity_format(high, sizeof high, of_hz, "Hz");
    state_factor(l, of_hz / hz, 5, arena_printf(l->x->arena, "%s of %s", low, high));
}

/* Modes of the entry, and of other entries of the board. */
static void state_clocks(amounts *l, const roof_hw *hw)
{
    const roof_quantity *own = roof_hw_get(hw, "clock"), *q;
    roof_hw *other;
    for (size_t i = 0; own && (q = explaining_value(hw, "clock.", &i));)
        state_clock(l, q->value, own->value);
    for (size_t i = 0; own && (other = explaining_same_board(hw, &i)); roof_hw_free(other)) {
        bool is_new = (q = roof_hw_get(other, "clock"));
        for (uint32_t k = 0; k < l->n && is_new; k++)
            is_new = fabs(l->out[k].amount / (own->value / q->value - 1) - 1) > 0.02;
        if (is_new)
            state_clock(l, q->value, own->value);
    }
}

/* "PCIe gen3 x1" of "link.pcie_gen3_x1", "small network" of "launch.small_network". NULL without memory. */
static const char *say_key(const char *key, roof_arena *arena)
{
    static const struct {
        const char *key, *words;
    } buses[] = {{"pcie", "PCIe"}, {"usb2", "USB 2"}, {"usb3", "USB 3"}};
    const char *name = strchr(key, '.') ? strchr(key, '.') + 1 : key;
    char *words = arena_strdup(arena, name);
    for (char *c = words; c && *c; c++)
        *c = *c == '_' ? ' ' : *c;
    for (size_t i = 0; words && i < N_OF(buses); i++)
        if (strncmp(words, buses[i].key, strlen(buses[i].key)) == 0)
            return arena_printf(arena, "%s%s", buses[i].words, words + strlen(buses[i].key));
    return words;
}

/* Calls, and forms of a link. The link itself is what a form takes more that is clearly slower than the best.
 * Calls over a link cost besides: 151 kB took 7 and 15 ms over USB 2.0, which passes 25 MB/s. */
static void state_values(amounts *l, roof_signature cause, const roof_hw *hw, const char *begin)
{
    const roof_quantity *best = explaining_largest(hw, begin), *q;
    for (size_t i = 0; (q = explaining_value(hw, begin, &i));) {
        const char *name = say_key(q->key, l->x->arena);
        if (cause == ROOF_SIGNATURE_CALL_COST) {
            state_amount(l, q->value, 0.3, arena_printf(l->x->arena, "a call in mode %s", name));
        } else if (cause == ROOF_SIGNATURE_BEYOND_CHIP) {
            state_amount(l, 1 / q->value, 0.7, name);
        } else if (cause == ROOF_SIGNATURE_LINK && q->value < best->value / 1.5) {
            state_amount(l, 1 / q->value - 1 / best->value, 0.7, name);
        } else if (cause == ROOF_SIGNATURE_COPIES && q == best) {
            state_amount(l, 1 / q->value, 0.3, arena_printf(l->x->arena, "%s, in and out in turn", name));
            state_amount(l, 0.5 / q->value, 0.3, arena_printf(l->x->arena, "%s, in and out at once", name));
        }
    }
}

/* (a / b)^2 of the measured input beside the one that it is held against: the file's is measured where a
 * published time is of another network; where the file itself is expected, what was measured had another
 * input. An activation that takes longer: 66.1 inferences/s of YOLOv5s with ReLU on an RK3588, 48.4 with SiLU
 * (airockchip/rknn_model_zoo). */
static void state_networks(amounts *l, const roof_graph *g)
{
    static const uint32_t usual[] = {160, 192, 224, 256, 300, 320, 384,  416, 480,
                                     512, 608, 640, 768, 800, 960, 1024, 1280};
    const roof_explanation *e = l->x->out;
    const bool is_alone = e->traits & ROOF_TRAIT(ALONE);
    uint64_t side = 0;
    if (e->traits & ROOF_TRAIT(SIGMOIDS) && !is_alone)
        state_factor(l, 66.1 / 48.4, 8, "SiLU in place of ReLU");
    for (uint32_t i = 0; g && i < g->n_ops && !side; i++)
        side = g->ops[i].rule == ROOF_RULE_INPUT ? tensor_nhwc(&g->ops[i].out).h : 0;
    for (size_t i = 0; side && i < N_OF(usual); i++) {
        const uint64_t measured = is_alone ? usual[i] : side, held = is_alone ? side : usual[i];
        const double sides =
            explaining_is_faster(e) ? (double)held / (double)measured : (double)measured / (double)held;
        if (sides > 1 && sides < 3)
            state_factor(l, sides * sides, 4,
                         arena_printf(l->x->arena, "an input of %u in place of %u", (uint32_t)measured,
                                      (uint32_t)held));
    }
}

/* Wider types of which the board states a rate: times as expected in each, else bounds. */
static void state_types(amounts *l, const roof_explain_number *requested)
{
    static const char *const types[] = {"f16", "f32"};
    const roof_prediction *p = l->x->first;
    for (size_t i = 0; i < N_OF(types) && p && !p->is_language; i++) {
        roof_prediction *other;
        if (explaining_predict(l->x, requested, l->x->requested->hw, types[i], &other) != ROOF_OK || !other)
            continue;
        const double expected = other->total.predicted_s / p->total.predicted_s;
        state_factor(l, isnan(expected) ? roof_best_s(other) / roof_best_s(p) : expected, 15,
                     arena_printf(l->x->arena, "%s in place of %s", types[i],
                                  p->hardware.data_type ? p->hardware.data_type : "its type"));
        roof_prediction_free(other);
    }
}

uint32_t explaining_amounts(explaining *x, roof_signature cause, stated_amount out[MOST_STATED])
{
    amounts l = {.x = x, .out = out};
    const roof_hw *hw = x->requested->hw;
    const roof_prediction *p = x->first;
    const roof_run *run = x->requested->numbers->run;
    const phase_sums sums = run ? phases_sum(run) : (phase_sums){0};
    if (hw && cause == ROOF_SIGNATURE_CLOCK)
        state_clocks(&l, hw);
    const roof_quantity *cores = hw && cause == ROOF_SIGNATURE_CORES ? roof_hw_get(hw, "processors") : NULL;
    cores = !cores && hw && cause == ROOF_SIGNATURE_CORES ? roof_hw_get(hw, "cores") : cores;
    if (cores) /* 2.62 times as many inferences/s with three of an RK3588, 2.24 with two Cortex-A7 */
        state_amount(&l, 0.85 * (cores->value - 1), 0.3, arena_printf(x->arena, "%.0f cores", cores->value));
    if (hw)
        state_values(&l, cause, hw, cause == ROOF_SIGNATURE_CALL_COST ? "launch." : "link.");
    for (uint32_t i = 0; p && cause == ROOF_SIGNATURE_HOST_WORK && i < p->throughput.n_host_kinds; i++)
        state_amount(&l, p->throughput.host_kinds[i].seconds, 0.5,
                     arena_printf(x->arena, "an application of kind %s", p->throughput.host_kinds[i].kind));
    if (p && cause == ROOF_SIGNATURE_BATCH && p->hardware.batch_lanes > 1)
        state_amount(&l, p->hardware.batch_lanes - 1.0, 0.15,
                     arena_printf(x->arena, "%u lanes", p->hardware.batch_lanes));
    if (run && cause == ROOF_SIGNATURE_HOST_WORK)
        state_amount(&l, sums.of_s[ROOF_PHASE_HOST], 0.1, "phases of the host");
    if (run && cause == ROOF_SIGNATURE_COPIES) /* for each byte */
        state_amount(&l, sums.of_s[ROOF_PHASE_TRANSFER] / x->out->numbers->input_output_bytes, 0.1,
                     "phases of copies");
    if (cause == ROOF_SIGNATURE_NETWORK)
        state_networks(&l, x->requested->numbers->graph);
    if (cause == ROOF_SIGNATURE_DATA_TYPE)
        state_types(&l, x->requested->numbers);
    if (cause == ROOF_SIGNATURE_KERNELS) { /* cases of public questions */
        state_factor(&l, 3.0, 10, "caches off");
        state_factor(&l, 3.8, 10, "no NEON");
        state_factor(&l, 10, 10, "no CMSIS-NN");
        state_factor(&l, 33.6, 10, "no CMSIS-NN, not optimised");
    }
    return l.n;
}
