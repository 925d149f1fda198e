/* Operators that the tool left to the host, of a network that the accelerator could run as a whole: the first
 * thing to know of its time. */
#include "core/error.h"
#include "core/named.h"
#include "model/predict/predictor.h"
#include "model/work/opmap.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

enum { DISTINCT_TYPES = 64, NAMED_TYPES = 6 };

/* Operators of one type that compute. */
typedef struct placed_type {
    const char *type, *first; /* first: on the host */
    uint32_t n, on_host;
    uint64_t host_macs;
} placed_type;

/* Who runs what of a network. Nodes are what the file lists: also conversions, and what only moves data. */
typedef struct placement {
    placed_type types[DISTINCT_TYPES]; /* the last one is all others */
    uint32_t n_types;
    uint32_t nodes, host_nodes, computing, host_computing, convolutions, host_convolutions, host_conversions;
    uint64_t macs, host_macs;
    bool is_host_unknown; /* some on the host have work that is not known */
} placement;

static placed_type *type_at(placement *all, const char *type)
{
    const uint32_t t = NAMED_AT(all->types, all->n_types, type, type);
    if (t == DISTINCT_TYPES)
        return &all->types[t - 1];
    if (t == all->n_types)
        all->types[all->n_types++] = (placed_type){.type = t + 1 == DISTINCT_TYPES ? "other types" : type};
    return &all->types[t];
}

static bool is_convolution(roof_rule rule)
{
    return rule_has_macs(rule) && rule != ROOF_RULE_MATMUL;
}

static void count_row(placement *all, const roof_graph *g, const roof_row *row, uint64_t macs)
{
    const roof_op *op = &g->ops[row->work.demands->op];
    bool on_host = row->executor == ROOF_BY_HOST;
    placed_type *type = type_at(all, op->type);
    uint64_t known = macs == ROOF_UNKNOWN ? 0 : macs;
    type->n++;
    all->computing++;
    all->convolutions += is_convolution(op->rule);
    all->macs += known;
    if (!on_host)
        return;
    if (!type->on_host++)
        type->first = row->name;
    type->host_macs += known;
    all->host_computing++;
    all->host_convolutions += is_convolution(op->rule);
    all->host_macs += known;
    all->is_host_unknown = all->is_host_unknown || macs == ROOF_UNKNOWN;
}

/* The one with most multiply-accumulates on the host, then with most operators, that was not yet taken. */
static placed_type *next_on_host(placement *all, const bool *taken)
{
    placed_type *best = NULL;
    for (uint32_t t = 0; t < all->n_types; t++) {
        placed_type *type = &all->types[t];
        bool is_more = !best || type->host_macs > best->host_macs ||
                       (type->host_macs == best->host_macs && type->on_host > best->on_host);
        if (type->on_host && !taken[t] && is_more)
            best = type;
    }
    return best;
}

static double percent_of(uint64_t part, uint64_t all)
{
    return all ? 100.0 * (double)part / (double)all : 0;
}

/* --- sentences ---------------------------------------------------------------------------------------- */

/* "Mul (16), Softmax, 3 more types" */
static roof_status tell_types(predictor *p, placement *all, const char **list)
{
    bool taken[DISTINCT_TYPES] = {false};
    placed_type *type;
    uint32_t told = 0, left = 0;
    *list = "";
    while ((type = next_on_host(all, taken))) {
        taken[type - all->types] = true;
        FIND(&p->found, type->first, HOST_FALLBACK, AS_COUNT(type->on_host), AS_COUNT(type->n),
             AS_TEXT(type->type), AS_TEXT(p->program.words[ROOF_BY_HOST]), AS_TEXT(type->first),
             AS("%", percent_of(type->host_macs, all->macs)));
        if (told == NAMED_TYPES) {
            left++;
            continue;
        }
        *list = arena_printf(p->arena, type->on_host > 1 ? "%s%s%s (%" PRIu32 ")" : "%s%s%s", *list,
                             told++ ? ", " : "", type->type, type->on_host);
        if (!*list)
            return error_memory(p->err);
    }
    if (left)
        *list = arena_printf(p->arena, "%s, %" PRIu32 " more types", *list, left);
    return *list ? ROOF_OK : error_memory(p->err);
}

static const char *sentence(predictor *p, const placement *all, const char *types)
{
    const char *host = p->program.words[ROOF_BY_HOST], *own = p->program.words[ROOF_BY_ACCELERATOR];
    char convolutions[80] = "", rest[160];
    /* "what only moves data (20) and conversions of data types (4), ..." */
    uint32_t moves = all->host_nodes - all->host_computing - all->host_conversions;
    size_t used = 0;
    rest[0] = '\0';
    if (moves)
        used = (size_t)snprintf(rest, sizeof rest, "what only moves data (%" PRIu32 ")", moves);
    if (all->host_conversions && used < sizeof rest)
        snprintf(rest + used, sizeof rest - used,
                 "%sconversions of data types (%" PRIu32 "), as is usual at the border", used ? " and " : "",
                 all->host_conversions);
    if (!all->host_computing && !rest[0])
        return arena_printf(p->arena, "All computing operators (%" PRIu32 ") run on the %s", all->computing,
                            own);
    if (!all->host_computing)
        return arena_printf(p->arena,
                            "All computing operators (%" PRIu32 ") run on the %s; on the %s are only %s",
                            all->computing, own, host, rest);
    if (all->convolutions)
        snprintf(convolutions, sizeof convolutions, "%" PRIu32 " of %" PRIu32 " convolutions and ",
                 all->host_convolutions, all->convolutions);
    const char *share =
        all->is_host_unknown && !all->host_macs
            ? "whose work is not known"
            : arena_printf(p->arena, "with %s%.3g %% of the MACs", all->is_host_unknown ? "at least " : "",
                           percent_of(all->host_macs, all->macs));
    return share ? arena_printf(p->arena,
                                "%s%" PRIu32 " of %" PRIu32 " computing operators (%" PRIu32 " of %" PRIu32
                                " nodes) run on the %s, %s: %s%s%s",
                                convolutions, all->host_computing, all->computing, all->host_nodes,
                                all->nodes, host, share, types, rest[0] ? "; besides " : "", rest)
                 : NULL;
}

roof_status predictor_placement(predictor *p)
{
    placement *all;
    const char *types;
    if (!p->program.is_placed)
        return ROOF_OK;
    TRY(ARENA_GET(p->rows, all, 1, p->err));
    for (uint32_t i = 0; i < p->program.n_rows; i++)
        if (!p->program.rows[i].is_remainder)
            count_row(all, p->program.graph, &p->program.rows[i], p->prediction->layers[i].macs);
    for (uint32_t i = 0; i < p->program.graph->n_ops; i++) {
        const roof_op *op = &p->program.graph->ops[i];
        bool on_host =
            op->subgraph != ROOF_NONE && p->program.graph->subgraphs[op->subgraph].device == ROOF_DEVICE_CPU;
        all->nodes += op->subgraph != ROOF_NONE;
        all->host_nodes += on_host;
        all->host_conversions += on_host && op->rule == ROOF_RULE_CONVERT;
    }
    TRY(tell_types(p, all, &types));
    p->prediction->placement = sentence(p, all, types);
    return p->prediction->placement ? ROOF_OK : error_memory(p->err);
}
