/* Published times: which of them are of a network, and what other devices of a table take of one's time. */
#include "roofline/published.h"
#include "core/arena.h"
#include "core/error.h"
#include "core/named.h"
#include "core/order.h"
#include "core/text.h"
#include "hwdb/hwdb.h"
#include "model/predict/boards.h"

#include <math.h>
#include <string.h>

#include "model/predict/board_sources.def"

/* --- the table ------------------------------------------------------------------------------------------ */

typedef struct published_graph {
    uint32_t height, width;
    roof_sums sums;
} published_graph;

typedef struct published_network {
    const char *name;
    uint32_t height, width, graph;
} published_network;

typedef struct published_set {
    const char *hw, *device, *stack, *software, *data_type;
    uint32_t batch, threads;
    const char *source;
} published_set;

#define SUMS(k, k_cin, k_cout, k_both, one, one_cin, one_cout, one_both, ...)                                \
    {                                                                                                        \
        {(k), (k_cin), (k_cout), (k_both)}, {(one), (one_cin), (one_cout), (one_both)}, __VA_ARGS__          \
    }
enum {
    GRAPH_NO_GRAPH,
#define PUBLISHED_GRAPH(id, ...) GRAPH_##id,
#include "model/predict/published.def"
#undef PUBLISHED_GRAPH
};
static const published_graph graphs[] = {
#define PUBLISHED_GRAPH(id, network, family, height, width, ...) [GRAPH_##id] = {height, width, __VA_ARGS__},
#include "model/predict/published.def"
#undef PUBLISHED_GRAPH
};

enum {
#define PUBLISHED_NETWORK(id, ...) NETWORK_##id,
#include "model/predict/published.def"
#undef PUBLISHED_NETWORK
    NETWORKS
};
static const published_network networks[NETWORKS] = {
#define PUBLISHED_NETWORK(id, name, height, width, graph)                                                    \
    [NETWORK_##id] = {(name), height, width, GRAPH_##graph},
#include "model/predict/published.def"
#undef PUBLISHED_NETWORK
};

static const published_set sets[] = {
#define PUBLISHED_SET(...) {__VA_ARGS__},
#define T(network, ms)
#include "model/predict/published.def"
#undef PUBLISHED_SET
#undef T
};

/* Times of the sets, one set after the other; of NETWORKS, which is none, the next one begins. */
static const struct published_entry {
    double ms;
    uint32_t network;
} entries[] = {
#define PUBLISHED_SET(...) {0, NETWORKS},
#define T(network, ms)     {ms, NETWORK_##network},
#include "model/predict/published.def"
#undef PUBLISHED_SET
#undef T
};

/* Goes through the times; begins as {0}. */
typedef struct published_cursor {
    size_t next, n_sets; /* n_sets: that have begun */
    const published_set *set;
    uint32_t network;
    double seconds;
} published_cursor;

static bool next_time(published_cursor *c)
{
    for (; c->next < N_OF(entries) && entries[c->next].network == NETWORKS; c->next++)
        c->set = &sets[c->n_sets++];
    if (c->next == N_OF(entries) || !c->set)
        return false;
    c->network = entries[c->next].network;
    c->seconds = entries[c->next++].ms / 1e3;
    return true;
}

static void skip_set(published_cursor *c)
{
    while (c->next < N_OF(entries) && entries[c->next].network != NETWORKS)
        c->next++;
}

/* --- networks ------------------------------------------------------------------------------------------- */

/* As people write them: "MobileNetV3-large" is mobilenet_v3_large. */
static bool are_one_name(const char *a, const char *b)
{
    static const char between[] = "-_ .";
    for (;; a++, b++) {
        a += strspn(a, between);
        b += strspn(b, between);
        if (!*a || !*b)
            return !*a && !*b;
        if (text_compare((const char[]){*a, 0}, (const char[]){*b, 0}) != 0)
            return false;
    }
}

/* MACs and weights of one network by two exporters, and its depthwise convolutions, differ by no more. */
#define SAME_RATIO     0.03
#define SAME_DEPTHWISE 0.05

static bool is_within(double a, double b, double ratio)
{
    return fabs(a - b) <= ratio * b;
}

static double all_macs(const roof_sums *s)
{
    return s->k.macs + s->one.macs + s->depthwise_macs + s->product_macs;
}

typedef enum likeness { OTHER, SAME_NAME, SAME } likeness;

static likeness likeness_of(const published_network *a, const board_network *b)
{
    const published_graph *g = &graphs[a->graph];
    const bool has_sums = b->sums && !isnan(b->sums->rows),
               fits = !b->height || !a->height || (a->height == b->height && a->width == b->width);
    if (a->graph && has_sums)
        return g->height == b->height && g->width == b->width &&
                       is_within(all_macs(b->sums), all_macs(&g->sums), SAME_RATIO) &&
                       is_within(b->sums->weight_elements, g->sums.weight_elements, SAME_RATIO) &&
                       is_within(b->sums->depthwise_macs, g->sums.depthwise_macs, SAME_DEPTHWISE)
                   ? SAME
                   : OTHER;
    return fits && b->name && are_one_name(a->name, b->name) ? SAME_NAME : OTHER;
}

static roof_published_time shown_time(const published_cursor *c, likeness is)
{
    const published_set *set = c->set;
    return (roof_published_time){.network = networks[c->network].name,
                                 .hardware = set->hw,
                                 .device = set->device,
                                 .stack = set->stack,
                                 .software = set->software,
                                 .data_type = set->data_type,
                                 .source = set->source,
                                 .batch = set->batch,
                                 .threads = set->threads,
                                 .is_same = is == SAME,
                                 .seconds = c->seconds};
}

/* The name separates entries that are equal otherwise. */
static uint32_t unlikeness(const roof_published_time *t, const board_question *q, const char *name)
{
    return (q->stack && strcmp(t->stack, q->stack) != 0 ? 16u : 0) +
           (q->data_type && strcmp(t->data_type, q->data_type) != 0 ? 8u : 0) +
           (t->batch != q->batch ? 4u : 0) + (q->threads && t->threads != q->threads ? 2u : 0) +
           (are_one_name(t->network, name) ? 0 : 1u);
}

roof_status board_published(const board_network *network, const board_question *q, roof_arena *arena,
                            roof_published_time **out, uint32_t *n, roof_error *err)
{
    for (published_cursor c = {0}; next_time(&c);) {
        likeness is = OTHER;
        if (strcmp(c.set->hw, q->hw) != 0)
            skip_set(&c);
        else
            is = likeness_of(&networks[c.network], network);
        if (is == OTHER)
            continue;
        TRY(ARENA_ADD(arena, *out, *n, err, shown_time(&c, is)));
        (*out)[*n - 1].unlikeness = unlikeness(&(*out)[*n - 1], q, network->name);
    }
    order_sort(*out, *n, sizeof **out,
               ORDER_BY(RISING(roof_published_time, unlikeness), FALLING(roof_published_time, is_same),
                        RISING(roof_published_time, seconds)));
    return ROOF_OK;
}

static roof_status fill_list(const roof_published_question *q, roof_published *all, roof_error *err)
{
    likeness is[NETWORKS] = {OTHER};
    bool is_of_graph[N_OF(graphs)] = {0}; /* by name: then all that is the same graph is the same */
    const roof_prediction *p = q->prediction;
    for (uint32_t i = 0; i < NETWORKS; i++) {
        const published_network *n = &networks[i];
        is[i] = p ? likeness_of(
                        n, &(board_network){p->model.name, p->model.height, p->model.width, &p->total.sums})
                : q->name ? are_one_name(n->name, q->name) ? SAME_NAME : OTHER
                          : SAME_NAME;
        is_of_graph[n->graph] = is_of_graph[n->graph] || (q->name && is[i] != OTHER);
    }
    for (uint32_t i = 0; i < NETWORKS; i++)
        if (networks[i].graph && is_of_graph[networks[i].graph])
            is[i] = SAME;
    for (published_cursor c = {0}; next_time(&c);) {
        if (all->hardware && strcmp(c.set->hw, all->hardware) != 0)
            skip_set(&c);
        else if (is[c.network] != OTHER) {
            TRY(ARENA_ADD(all->arena, all->times, all->n_times, err, shown_time(&c, is[c.network])));
        }
    }
    if (all->network)
        order_sort(all->times, all->n_times, sizeof *all->times,
                   ORDER_BY(RISING(roof_published_time, seconds)));
    return ROOF_OK;
}

roof_status roof_published_find(const roof_published_question *q, roof_published **out, roof_error *err)
{
    roof_arena *arena;
    roof_hw *hw = NULL;
    *out = NULL;
    if (q->hw)
        TRY(roof_hw_load(q->hw, &hw, err));
    roof_published *all = arena_root(&arena, sizeof *all, err);
    roof_status status = all ? ROOF_OK : ROOF_E_NO_MEMORY;
    if (all) {
        const char *name = q->prediction ? q->prediction->model.name : q->name;
        all->arena = arena;
        all->network = name ? arena_strdup(arena, name) : NULL;
        all->hardware = hw ? arena_strdup(arena, roof_hw_id(hw)) : NULL;
        status = arena_settle(arena, fill_list(q, all, err), err);
    }
    roof_hw_free(hw);
    if (status == ROOF_OK)
        *out = all;
    return status;
}

ARENA_FREES(roof_published_free, roof_published, published)

/* --- siblings ------------------------------------------------------------------------------------------- */

/* Fewer networks on both devices tell no ratio; more than any set has. */
enum { LEAST_ALIKE = 6, MOST_ALIKE = 256 };

/* As of the factors of sets: scatters that hold 95 of 100, of errors that count no more than this. */
#define SCATTERS       2.2
#define MOST_LOG_ERROR 1.2

static bool is_set_of(const published_set *set, const char *hw, const board_set *like)
{
    return strcmp(set->hw, hw) == 0 && strcmp(set->stack, like->stack) == 0 &&
           strcmp(set->data_type, like->data_type) == 0 && set->batch == like->batch &&
           set->threads == like->threads && !strstr(set->software, ", not wholly") &&
           !strstr(set->software, ", some layers");
}

/* The first network that is called so and has that input: graphs of one may be known on some devices alone.
 * */
static uint32_t first_called_so(uint32_t network)
{
    const published_network *n = &networks[network];
    uint32_t i = 0;
    while (strcmp(networks[i].name, n->name) != 0 || networks[i].height != n->height ||
           networks[i].width != n->width)
        i++;
    return i;
}

double board_median(const double *rising, uint32_t n, uint32_t left_out)
{
    double kept[MOST_ALIKE];
    uint32_t k = 0;
    for (uint32_t i = 0; i < n && k < MOST_ALIKE; i++)
        if (i != left_out)
            kept[k++] = rising[i];
    if (!k)
        return NAN;
    return k % 2 ? kept[k / 2] : (kept[k / 2 - 1] + kept[k / 2]) / 2;
}

board_transfer board_transfer_of(const char *from_hw, const board_set *to)
{
    double of_from[NETWORKS] = {0}, ratios[MOST_ALIKE], errors[MOST_ALIKE], squares = 0;
    const char *source = NULL;
    uint32_t n = 0;
    for (published_cursor c = {0}; next_time(&c);)
        if (is_set_of(c.set, from_hw, to) && (!source || strcmp(source, c.set->source) == 0)) {
            of_from[first_called_so(c.network)] = c.seconds;
            source = c.set->source;
        }
    for (published_cursor c = {0}; next_time(&c) && source && n < MOST_ALIKE;)
        if (is_set_of(c.set, to->hw, to) && strcmp(source, c.set->source) == 0 &&
            of_from[first_called_so(c.network)] > 0)
            ratios[n++] = c.seconds / of_from[first_called_so(c.network)];
    if (n < LEAST_ALIKE)
        return (board_transfer){.networks = n, .ratio = NAN};
    ORDER_VALUES(ratios, n);
    for (uint32_t i = 0; i < n; i++) {
        const double log_error = log(board_median(ratios, n, i) / ratios[i]);
        errors[i] = fabs(expm1(log_error));
        squares += fmin(log_error * log_error, MOST_LOG_ERROR * MOST_LOG_ERROR);
    }
    ORDER_VALUES(errors, n);
    return (board_transfer){n, board_median(ratios, n, n), board_median(errors, n, n),
                            errors[(uint32_t)(0.9 * (n - 1) + 0.5)], exp(SCATTERS * sqrt(squares / n))};
}
