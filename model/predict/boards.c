#include "model/predict/boards.h"
#include "core/core.h"

#include "model/predict/board_sources.def"

#define BOARD(hw, stack, software, data_type, batch, threads, kind, points, families, verdict, source, ...)  \
    {(hw),         (stack), (software), (data_type),     batch,  threads,                                    \
     BOARD_##kind, points,  families,   BOARD_##verdict, source, __VA_ARGS__},
#define CONSTANTS(factor, median, p90, ...)                                                                  \
    (factor), (median) / 100.0, (p90) / 100.0,                                                               \
    {                                                                                                        \
        __VA_ARGS__                                                                                          \
    }
static const board_set sets[] = {
#include "model/predict/boards.def"
};

const board_set *board_at(const char *hw, size_t i)
{
    for (size_t k = 0; k < N_OF(sets); k++)
        if ((!hw || strcmp(sets[k].hw, hw) == 0) && i-- == 0)
            return &sets[k];
    return NULL;
}

const board_set *board_next(const board_set *set)
{
    const board_set *next = set + 1;
    return next < sets + N_OF(sets) && strcmp(next->hw, set->hw) == 0 ? next : NULL;
}

bool board_has(const char *hw, const char *data_type, uint32_t threads)
{
    for (const board_set *set = data_type ? board_at(hw, 0) : NULL; set; set = board_next(set))
        if (strcmp(set->data_type, data_type) == 0 && (!threads || set->threads == threads))
            return true;
    return false;
}

/* With one context a batch of 8 takes 8 times as long as one, within 8 %. */
enum { MOST_ALIKE = 8 };

const board_set *board_find(const board_question *q, board_kind kind)
{
    const board_set *first = board_at(q->hw, 0);
    for (const board_set *set = first; set; set = board_next(set)) {
        const bool is_any = set->kind != BOARD_ONE_CONTEXT && set->kind != BOARD_CONTEXTS;
        if (strcmp(set->stack, q->stack ? q->stack : first->stack) == 0 &&
            (!q->data_type || strcmp(set->data_type, q->data_type) == 0) &&
            (set->batch == q->batch || (set->kind == BOARD_ONE_CONTEXT && q->batch <= MOST_ALIKE)) &&
            (!q->threads || set->threads == q->threads) && (is_any || set->kind == kind))
            return set;
    }
    return NULL;
}

/* --- the law -------------------------------------------------------------------------------------------- */

static double dense(const board_set *set, const roof_dense_sums *d)
{
    const double k0 = set->constants[BOARD_K0], n0 = set->constants[BOARD_N0];
    return d->macs + k0 * d->macs_over_cin + n0 * d->macs_over_cout + k0 * n0 * d->macs_over_cin_cout;
}

double board_seconds(const board_set *set, const roof_sums *s, double weights_share, bool is_row)
{
    const double *c = set->constants;
    const double units = dense(set, &s->k) + c[BOARD_K1] * dense(set, &s->one) +
                         c[BOARD_DW] * s->depthwise_macs + c[BOARD_MM] * s->product_macs +
                         c[BOARD_F] * (s->map_elements + c[BOARD_OTH] * s->map_elements_without_macs +
                                       c[BOARD_SILU] * s->smooth_elements) +
                         c[BOARD_W] * weights_share * s->weight_elements;
    return (c[BOARD_E] * units / 1e6 + c[BOARD_O] * s->rows + (is_row ? 0 : c[BOARD_C])) / 1e6;
}

/* Bytes of weights that an Edge TPU keeps: its SRAM of 8 MiB (coral.ai, Edge TPU compiler). */
#define CACHED_WEIGHTS 8388608

double board_weights_share(const board_set *set, const roof_sums *sums, uint32_t batch)
{
    if (set->kind == BOARD_CACHED)
        return sums->weight_elements > CACHED_WEIGHTS ? 1 - CACHED_WEIGHTS / sums->weight_elements : 0;
    return set->kind == BOARD_ONE_CONTEXT ? 0 : set->kind == BOARD_CONTEXTS ? 1.0 / batch : 1;
}

/* Leaving out one family at a time on an Edge TPU, 86 of 100 were inside. */
#define CACHED_WIDENING 1.25

double board_factor(const board_set *set)
{
    return set->factor * (set->kind == BOARD_CACHED ? CACHED_WIDENING : 1);
}

/* --- contexts ------------------------------------------------------------------------------------------- */

static const struct {
    const char *hw;
    double most_weights, most_macs;
    uint32_t most_rows; /* 0: any */
    bool takes_attention;
} one_context[] = {
    {"hailo-8", 26e6, 15e9, 0, false},  /* 35 of 35 networks */
    {"hailo-8l", 12e6, 3e9, 53, false}, /* 32 of 35 */
    {"hailo-10h", 12e6, 4e9, 65, true}, /* 29 of 31 */
    {"hailo-15h", 12e6, 4e9, 65, true}, /* 30 of 31 */
};

#define NEAR_RATIO 1.3

bool board_is_one_context(const char *hw, const board_size *size, bool *near)
{
    const uint32_t i = NAMED_AT(one_context, N_OF(one_context), hw, hw);
    *near = false;
    if (i == N_OF(one_context) || (size->has_attention && !one_context[i].takes_attention))
        return false;
    const double ratios[] = {
        size->weights / one_context[i].most_weights, size->macs / one_context[i].most_macs,
        one_context[i].most_rows ? size->mac_rows / (double)one_context[i].most_rows : 0};
    const double most = fmax(ratios[0], fmax(ratios[1], ratios[2]));
    *near = most > 1 / NEAR_RATIO && most < NEAR_RATIO;
    return most <= 1;
}
