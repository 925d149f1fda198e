/* Operators that the tool left to the CPU, of a network that the accelerator could run as a whole: the first
 * thing to know of its time. */
#include "model/predict/predictor.h"
#include "model/work/opmap.h"
#include "roofline/memory.h"

enum { DISTINCT_TYPES = 64, NAMED_TYPES = 6 };

/* Operators of one type that compute. */
typedef struct placed_type {
    const char *type, *first, *why; /* first: on the CPU, and why it is there, where that is known */
    uint32_t n, on_host;
    uint64_t host_macs;
} placed_type;

/* Placement of a network's nodes. Nodes are all that the file lists: also conversions and moves of data. */
typedef struct placement {
    placed_type types[DISTINCT_TYPES]; /* the last one is all others */
    uint32_t n_types;
    uint32_t nodes, host_nodes, computing, host_computing, convolutions, host_convolutions, host_conversions;
    uint32_t transfers;     /* from one to the other */
    const char *between[2]; /* rows of the accelerator beside the first row of the host; NULL: none */
    uint64_t macs, host_macs;
    bool is_host_unknown; /* some on the CPU have work that is unknown */
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

static bool has_kernel(roof_rule rule)
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
    all->convolutions += has_kernel(op->rule);
    all->macs += known;
    if (!on_host)
        return;
    if (!type->on_host++)
        type->first = row->name;
    type->why = type->why ? type->why : op->why_host;
    type->host_macs += known;
    all->host_computing++;
    all->host_convolutions += has_kernel(op->rule);
    all->host_macs += known;
    all->is_host_unknown = all->is_host_unknown || macs == ROOF_UNKNOWN;
}

/* Rows that others run one after the other hand maps over. */
static void count_transfers(placement *all, const roof_program *program)
{
    const roof_row *before = NULL;
    bool is_first = true;
    FOR_EACH(const roof_row, row, program->rows, program->n_rows) {
        const bool on_host = row->executor == ROOF_BY_HOST;
        if (row->executor == ROOF_BY_NOBODY || row->is_remainder)
            continue;
        const bool changes = before && on_host != (before->executor == ROOF_BY_HOST);
        all->transfers += changes;
        if (changes && is_first) {
            all->between[!on_host] = on_host ? before->name : row->name;
            is_first = on_host;
        }
        before = row;
    }
}

static double percent_of(uint64_t part, uint64_t all)
{
    return all ? 100.0 * (double)part / (double)all : 0;
}

/* --- sentences ---------------------------------------------------------------------------------------- */

/* "Mul (16), Softmax, 3 more types", and why the first of them is there; NULL: unknown. */
static roof_status tell_types(predictor *p, placement *all, const char **list, const char **why)
{
    uint32_t n_listed = 0, left = 0;
    *list = "";
    /* those with most multiply-accumulates on the CPU first, then with most operators */
    order_sort(all->types, all->n_types, sizeof *all->types,
               ORDER_BY(FALLING(placed_type, host_macs), FALLING(placed_type, on_host)));
    FOR_EACH(const placed_type, type, all->types, all->n_types) {
        if (!type->on_host)
            continue;
        *why = *why ? *why : type->why;
        FIND(&p->found, type->first, HOST_FALLBACK, AS_COUNT(type->on_host), AS_COUNT(type->n),
             AS_TEXT(type->type), AS_TEXT(p->program.words[ROOF_BY_HOST]), AS_TEXT(type->first),
             AS("%", percent_of(type->host_macs, all->macs)));
        if (n_listed == NAMED_TYPES) {
            left++;
            continue;
        }
        *list = arena_printf(p->arena, type->on_host > 1 ? "%s%s%s (%" PRIu32 ")" : "%s%s%s", *list,
                             n_listed++ ? ", " : "", type->type, type->on_host);
        TRY(ALLOCATED(*list, p->err));
    }
    if (left)
        *list = arena_printf(p->arena, "%s, %" PRIu32 " more types", *list, left);
    return *list ? ROOF_OK : error_memory(p->err);
}

/* Why, and what it costs: behind the sentence. */
static const char *reasons(predictor *p, const placement *all, const char *why)
{
    const char *text = why ? arena_printf(p->arena, ". Reason: %s", why) : "";
    if (text && all->transfers)
        text = arena_printf(p->arena, "%s. That makes %" PRIu32 " transfer%s", text, all->transfers,
                            all->transfers > 1 ? "s" : "");
    if (text && all->transfers && all->between[0] && all->between[1])
        text =
            arena_printf(p->arena, "%s, first between '%s' and '%s'", text, all->between[0], all->between[1]);
    return text;
}

static const char *sentence(predictor *p, const placement *all, const char *types, const char *why)
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
    const bool is_taken = p->out->facts_of_verdict.taken_from && p->out->hardware.data_type &&
                          p->program.is_lowered && strcmp(own, "device") != 0; /* for an array */
    const char *taken =
        is_taken
            ? arena_printf(p->arena,
                           "Taken as quantised to %s, since as it stands, in floats, the processor runs it: ",
                           p->out->hardware.data_type)
            : "";
    const char *behind = reasons(p, all, why);
    if (!taken || !behind)
        return NULL;
    /* steps before and behind the network are in no compiler's report, nor in a graph */
    const char *only = p->program.is_lowered && strcmp(own, "NPU") == 0
                           ? "; NPU only: changes of layout and type before and behind it are not counted"
                           : "";
    p->out->facts_of_verdict.is_placed_whole = !all->host_computing && !rest[0] && !*only;
    if (!all->host_computing && !rest[0])
        return taken[0] ? arena_printf(p->arena, "%sall %" PRIu32 " computing operators run on the %s%s",
                                       taken, all->computing, own, only)
                        : arena_printf(p->arena, "All computing operators (%" PRIu32 ") run on the %s%s",
                                       all->computing, own, only);
    if (!all->host_computing)
        return arena_printf(p->arena,
                            "All computing operators (%" PRIu32 ") run on the %s; on the %s are only %s",
                            all->computing, own, host, rest);
    if (all->convolutions)
        snprintf(convolutions, sizeof convolutions, "%" PRIu32 " of %" PRIu32 " convolutions and ",
                 all->host_convolutions, all->convolutions);
    const char *share =
        all->is_host_unknown && !all->host_macs
            ? "whose work is unknown"
            : arena_printf(p->arena, "with %s%.3g %% of the MACs", all->is_host_unknown ? "at least " : "",
                           percent_of(all->host_macs, all->macs));
    return share ? arena_printf(p->arena,
                                "%s%s%" PRIu32 " of %" PRIu32 " computing operators (%" PRIu32 " of %" PRIu32
                                " nodes) run on the %s, %s: %s%s%s%s",
                                taken, convolutions, all->host_computing, all->computing, all->host_nodes,
                                all->nodes, host, share, types, rest[0] ? "; besides " : "", rest, behind)
                 : NULL;
}

/* Memories on the chip that maps have, and what stands behind them. */
static const struct {
    const char *const sizes[6], *behind; /* keys, the first ones up to NULL */
} memories[] = {{{"mempool.sram.bytes"}, "mempool.dram.bandwidth"},
                {{"mempool.cpuram2.bytes", "mempool.npuram3.bytes", "mempool.npuram4.bytes",
                  "mempool.npuram5.bytes", "mempool.npuram6.bytes"},
                 "mempool.hyperram.bytes"}};

/* For an uncompiled graph: the least memory of activations if nothing is tiled, as roof_memory_of. */
static roof_status tell_fit(predictor *p, const char **out)
{
    char bytes[80], room[80];
    uint64_t least;
    double size = 0;
    size_t m = 0;
    for (; m < N_OF(memories) && !(size > 0); m++)
        for (size_t k = 0; memories[m].sizes[k]; k++)
            size += hw_view_value(&p->view, 0, "%s", memories[m].sizes[k]);
    if (!(size > 0) || !p->program.is_lowered)
        return ROOF_OK;
    /* *bytes: the least of pools that differ in the bits of an element, 8 or as the file has them. */
    roof_memory *memory = NULL;
    roof_error ignored;
    const roof_status status = roof_memory_of(p->graph, NULL, &memory, &ignored);
    least = ROOF_UNKNOWN;
    for (uint32_t i = 0; status == ROOF_OK && i < memory->n_pools; i++)
        if (strcmp(memory->pools[i].name, "activations") == 0 && memory->pools[i].peak_bytes < least)
            least = memory->pools[i].peak_bytes;
    roof_memory_free(memory);
    TRY(status == ROOF_E_NO_MEMORY ? error_memory(p->err) : ROOF_OK);
    if (least == ROOF_UNKNOWN)
        return ROOF_OK;
    const bool is_behind = hw_view_get(&p->view, memories[m - 1].behind);
    count_format(bytes, sizeof bytes, least);
    count_format(room, sizeof room, (uint64_t)size);
    p->out->facts_of_verdict.is_placed_whole &= (double)least <= size;
    if ((double)least <= size)
        *out = arena_printf(p->arena, "%s. Activations take %s B at least, and fit the %s B on the chip",
                            *out, bytes, room);
    else
        *out = arena_printf(p->arena, "%s: activations take %s B at least, of %s B on the chip. %s",
                            is_behind ? "A part lies in the external RAM, unless it is tiled"
                                      : "It cannot be placed, unless it is tiled",
                            bytes, room, *out);
    return *out ? ROOF_OK : error_memory(p->err);
}

roof_status predictor_placement(predictor *p)
{
    placement *all;
    const char *types, *why = NULL;
    if (!p->program.is_placed)
        return ROOF_OK;
    TRY(ARENA_GET(p->rows, all, 1, p->err));
    for (uint32_t i = 0; i < p->program.n_rows; i++)
        if (!p->program.rows[i].is_remainder)
            count_row(all, p->program.graph, &p->program.rows[i], p->out->layers[i].macs);
    FOR_EACH(const roof_op, op, p->program.graph->ops, p->program.graph->n_ops) {
        bool on_host =
            op->subgraph != ROOF_NONE && p->program.graph->subgraphs[op->subgraph].device == ROOF_DEVICE_CPU;
        all->nodes += op->subgraph != ROOF_NONE;
        all->host_nodes += on_host;
        all->host_conversions += on_host && op->rule == ROOF_RULE_CONVERT;
    }
    count_transfers(all, &p->program);
    TRY(tell_types(p, all, &types, &why));
    p->out->placement = sentence(p, all, types, why);
    if (p->out->placement)
        TRY(tell_fit(p, &p->out->placement));
    return p->out->placement ? ROOF_OK : error_memory(p->err);
}
