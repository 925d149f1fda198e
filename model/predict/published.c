/* Published times: which of them are of a network, and what other devices of a table take of one's time. */
#include "roofline/published.h"
#include "hwdb/hwdb.h"
#include "model/predict/boards.h"

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

/* Times of one table, in milliseconds: a column for each set of it, 0 where it does not have the network. */
enum { MOST_COLUMNS = 17 };
typedef struct published_row {
    const published_network *network;
    double ms[MOST_COLUMNS];
} published_row;

typedef struct published_times {
    const char *source;
    const published_row *rows;
    size_t n;
} published_times;

typedef struct published_set {
    const char *hw, *device, *stack, *software, *data_type;
    uint32_t batch, threads;
    const published_times *times;
    uint32_t column;
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
};
static const published_network networks[] = {
#define PUBLISHED_NETWORK(id, name, height, width, graph)                                                    \
    [NETWORK_##id] = {(name), height, width, GRAPH_##graph},
#include "model/predict/published.def"
#undef PUBLISHED_NETWORK
};

#define T(network, ...) {&networks[NETWORK_##network], {__VA_ARGS__}},
#define N(name, height, width, graph, ...)                                                                   \
    {&(const published_network){(name), height, width, GRAPH_##graph}, {__VA_ARGS__}},
#define PUBLISHED_TIMES(id, source, ...)                                                                     \
    static const published_row rows_##id[] = {__VA_ARGS__};                                                  \
    static const published_times times_##id = {source, rows_##id, N_OF(rows_##id)};
#define PUBLISHED_SET(...)
#include "model/predict/published.def"
#undef PUBLISHED_TIMES
#undef PUBLISHED_SET

static const published_set sets[] = {
#define PUBLISHED_TIMES(...)
#define PUBLISHED_SET(hw, device, stack, software, data_type, batch, threads, times, column)                 \
    {(hw), (device), (stack), (software), (data_type), batch, threads, &times_##times, column},
#include "model/predict/published.def"
#undef PUBLISHED_TIMES
#undef PUBLISHED_SET
#undef T
#undef N
};

/* --- networks ------------------------------------------------------------------------------------------- */

static bool is_between(char c)
{
    return c == '-' || c == '_' || c == ' ' || c == '.';
}

/* As people write them: "MobileNetV3-large" is mobilenet_v3_large. */
static bool are_one_name(const char *a, const char *b)
{
    for (;; a++, b++) {
        while (is_between(*a))
            a++;
        while (is_between(*b))
            b++;
        if (!*a || !*b)
            return !*a && !*b;
        if ((*a | 0x20) != (*b | 0x20) || /* most differ in their first letter */
            text_compare((const char[]){*a, 0}, (const char[]){*b, 0}) != 0)
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

/* Adds a time, which is of the same network or of one with its name. */
static roof_status add_time(const published_set *set, const published_row *row, likeness is,
                            roof_arena *arena, roof_published_time **out, uint32_t *n, roof_error *err)
{
    if (is == OTHER || !(row->ms[set->column] > 0))
        return ROOF_OK;
    return ARENA_ADD(arena, *out, *n, err,
                     (roof_published_time){.network = row->network->name,
                                           .hardware = set->hw,
                                           .device = set->device,
                                           .stack = set->stack,
                                           .software = set->software,
                                           .data_type = set->data_type,
                                           .source = set->times->source,
                                           .batch = set->batch,
                                           .threads = set->threads,
                                           .is_same = is == SAME,
                                           .seconds = row->ms[set->column] / 1e3});
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
    FOR_EACH(const published_set, set, sets, N_OF(sets))
        FOR_EACH(const published_row, row, set->times->rows, strcmp(set->hw, q->hw) ? 0 : set->times->n)
            TRY(add_time(set, row, likeness_of(row->network, network), arena, out, n, err));
    FOR_EACH(roof_published_time, time, *out, *n)
        time->unlikeness = unlikeness(time, q, network->name);
    order_sort(*out, *n, sizeof **out,
               ORDER_BY(RISING(roof_published_time, unlikeness), FALLING(roof_published_time, is_same),
                        RISING(roof_published_time, seconds)));
    return ROOF_OK;
}

static likeness likeness_to(const published_network *n, const roof_published_question *q)
{
    const roof_prediction *p = q->prediction;
    if (!p)
        return !q->name || are_one_name(n->name, q->name) ? SAME_NAME : OTHER;
    return likeness_of(n, &(board_network){p->model.name, p->model.height, p->model.width, &p->total.sums});
}

static roof_status fill_list(const roof_published_question *q, roof_published *all, roof_error *err)
{
    bool is_of_graph[N_OF(graphs)] = {0}; /* by name: then all that is the same graph is the same */
    FOR_EACH(const published_set, set, sets, q->name ? N_OF(sets) : 0)
        FOR_EACH(const published_row, row, set->times->rows, set->column ? 0 : set->times->n)
            is_of_graph[row->network->graph] |= likeness_to(row->network, q) != OTHER;
    is_of_graph[GRAPH_NO_GRAPH] = false;
    FOR_EACH(const published_set, set, sets, N_OF(sets)) {
        const bool is_asked = !all->hardware || strcmp(set->hw, all->hardware) == 0;
        FOR_EACH(const published_row, row, set->times->rows, is_asked ? set->times->n : 0)
            TRY(add_time(set, row, is_of_graph[row->network->graph] ? SAME : likeness_to(row->network, q),
                         all->arena, &all->times, &all->n_times, err));
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

/* The time of a network on a device, by one table; 0: it has none. */
static double seconds_on(const char *hw, const board_set *like, const char *source,
                         const published_network *network)
{
    double seconds = 0;
    FOR_EACH(const published_set, set, sets, N_OF(sets)) {
        if (!is_set_of(set, hw, like) || strcmp(source, set->times->source) != 0)
            continue;
        FOR_EACH(const published_row, row, set->times->rows, set->times->n) {
            const published_network *n = row->network; /* graphs of one may be known on some devices alone */
            if (row->ms[set->column] > 0 && strcmp(n->name, network->name) == 0 &&
                n->height == network->height && n->width == network->width)
                seconds = row->ms[set->column] / 1e3;
        }
    }
    return seconds;
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
    double ratios[MOST_ALIKE], errors[MOST_ALIKE], squares = 0;
    const char *source = NULL;
    uint32_t n = 0;
    FOR_EACH(const published_set, set, sets, N_OF(sets))
        source = !source && is_set_of(set, from_hw, to) ? set->times->source : source;
    FOR_EACH(const published_set, set, sets, N_OF(sets)) {
        if (!source || !is_set_of(set, to->hw, to) || strcmp(source, set->times->source) != 0)
            continue;
        FOR_EACH(const published_row, row, set->times->rows, set->times->n) {
            const double of = seconds_on(from_hw, to, source, row->network);
            if (row->ms[set->column] > 0 && of > 0 && n < MOST_ALIKE)
                ratios[n++] = row->ms[set->column] / 1e3 / of;
        }
    }
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
