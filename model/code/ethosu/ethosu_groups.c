#include "model/code/ethosu/ethosu.h"

/* How far a launch looks back: at rows that take turns in a cascade, and at the DMAs into its weights. No
 * file has a cascade of more than some ten layers; a bound keeps the search linear. */
enum { MOST_OPEN = 32, MOST_DMAS = 64 };

/* A layer to which a further launch may belong. */
typedef struct open_layer {
    uint32_t group;
    uint32_t first, last;  /* launches */
    uint64_t sliced_depth; /* of the slices so far */
    uint64_t version;      /* number of the last DMA into the weights of its last launch; 0: none */
} open_layer;

typedef struct grouper {
    ethosu_stream *s;
    open_layer open[MOST_OPEN]; /* [0]: the one that was launched last */
    uint32_t n_open, n_groups;
    uint32_t dmas[MOST_DMAS]; /* the last ones, in a ring */
    uint64_t n_dmas;
    uint32_t pending; /* DMAs from here on that have no group wait for the next launch */
} grouper;

/* ---- launches that are alike --------------------------------------------------------------------------- */

_Static_assert(offsetof(ethosu_map, is_signed) == 34 && offsetof(ethosu_launch, has_ifm2) == 60,
               "no gaps, whose bytes would be compared");

static bool maps_alike(const ethosu_map *a, const ethosu_map *b)
{
    return memcmp(a, b, offsetof(ethosu_map, is_signed) + sizeof a->is_signed) == 0;
}

static bool launches_alike(const ethosu_launch *a, const ethosu_launch *b)
{
    return memcmp(a, b, offsetof(ethosu_launch, has_ifm2) + sizeof a->has_ifm2) == 0 &&
           (a->kind != ETHOSU_CONV || a->ifm.depth == b->ifm.depth) && a->ofm.width == b->ofm.width &&
           maps_alike(&a->ifm, &b->ifm) && maps_alike(&a->ofm, &b->ofm) &&
           (!a->has_ifm2 || maps_alike(&a->ifm2, &b->ifm2));
}

static bool same_constants(const ethosu_launch *a, const ethosu_launch *b)
{
    return memcmp(a->weights, b->weights, sizeof a->weights) == 0 &&
           memcmp(a->scales, b->scales, sizeof a->scales) == 0;
}

/* The number of the last DMA to where the weights begin, from 1; 0: none brought them. */
static uint64_t version_of(const grouper *g, const ethosu_launch *l)
{
    if (!ethosu_has_weights(l))
        return 0;
    for (uint64_t back = 0; back < MOST_DMAS && back < g->n_dmas; back++) {
        const uint64_t number = g->n_dmas - back;
        const ethosu_launch *dma = &g->s->launches[g->dmas[(number - 1) % MOST_DMAS]];
        if (dma->dma_target_region == l->weight_region && dma->dma_target <= l->weights[0].base &&
            l->weights[0].base - dma->dma_target < dma->dma_bytes)
            return number;
    }
    return 0;
}

/* ---- slices and stripes -------------------------------------------------------------------------------- */

/* The next part of the depth of what the launch before it made, of weights of its own. */
static bool is_slice(const grouper *g, const open_layer *o, const ethosu_launch *l, uint64_t version)
{
    const ethosu_launch *first = &g->s->launches[o->first], *last = &g->s->launches[o->last];
    const uint64_t step = first->ofm.layout == ETHOSU_NHCWB16 ? o->sliced_depth / 16 * first->ofm.stride_c
                                                              : o->sliced_depth * first->ofm.element_bits / 8;
    return ethosu_has_weights(l) && launches_alike(last, l) && last->ofm.height == l->ofm.height &&
           (version != o->version || !same_constants(last, l)) &&
           l->ofm.base[0] == first->ofm.base[0] + step &&
           (l->kind != ETHOSU_CONV || l->ifm.base[0] == first->ifm.base[0]);
}

/* The next rows of what an earlier launch made, of the same weights. is_turn: others ran in between. A launch
 * with weights may write into a rolling buffer; one without is a stripe only where it reads on, too, and
 * takes turns. */
static bool is_stripe(const grouper *g, const open_layer *o, const ethosu_launch *l, uint64_t version,
                      bool is_turn)
{
    const ethosu_launch *last = &g->s->launches[o->last];
    const bool goes_on = l->ofm.base[0] == last->ofm.base[0] + last->ofm.height * last->ofm.stride_y;
    if ((g->s->is_regor && l->kind == ETHOSU_ELEMENTWISE) || !launches_alike(last, l) ||
        last->ofm.depth != l->ofm.depth || version != o->version || !same_constants(last, l) ||
        (l->ofm.height == 1 && l->ofm.width == 1))
        return false;
    if (ethosu_has_weights(l))
        return goes_on || (is_turn && l->ofm.base[0] <= last->ofm.base[0]);
    return is_turn && goes_on &&
           l->ifm.base[0] ==
               last->ifm.base[0] + (uint64_t)last->ofm.height * last->stride_h * last->ifm.stride_y;
}

static ethosu_join find_layer(const grouper *g, const ethosu_launch *l, uint64_t version, uint32_t *place)
{
    *place = 0;
    if (g->n_open && g->s->launches[g->open[0].last].ofm.storage == ETHOSU_CHAINED)
        return ETHOSU_IN_CHAIN;
    if (g->n_open && is_slice(g, &g->open[0], l, version))
        return ETHOSU_AS_SLICE;
    for (*place = 0; *place < g->n_open; (*place)++)
        if (is_stripe(g, &g->open[*place], l, version, *place))
            return ETHOSU_AS_STRIPE;
    return ETHOSU_AS_FIRST;
}

static void add_launch(grouper *g, uint32_t i)
{
    ethosu_launch *l = &g->s->launches[i];
    const uint64_t version = version_of(g, l);
    uint32_t place;
    l->join = find_layer(g, l, version, &place);
    open_layer layer;
    if (l->join == ETHOSU_AS_FIRST) {
        layer = (open_layer){.group = g->n_groups++, .first = i};
        place = g->n_open < MOST_OPEN ? g->n_open++ : MOST_OPEN - 1;
    } else {
        layer = g->open[place];
    }
    memmove(g->open + 1, g->open, place * sizeof *g->open);
    layer.last = i;
    layer.version = version;
    layer.sliced_depth += l->ofm.depth;
    g->open[0] = layer;
    l->group = layer.group;
    for (; g->pending < i; g->pending++)
        if (g->s->launches[g->pending].group == ROOF_NONE)
            g->s->launches[g->pending].group = layer.group;
}

/* ---- facts about a layer ------------------------------------------------------------------------------- */

static checked map_bytes(const ethosu_map *m)
{
    const uint64_t depth = m->layout == ETHOSU_NHCWB16 ? ((uint64_t)m->depth + 15) / 16 * 16 : m->depth;
    return CHECKED_PRODUCT(m->height, m->width, depth, m->element_bits / 8U);
}

static roof_status add(uint64_t *sum, checked term, roof_error *err)
{
    const checked total = checked_plus(term, *sum);
    if (total.overflow || total.value == ROOF_UNKNOWN)
        return error_set(err, ROOF_E_LIMIT, "the bytes or operations of a layer overflow 64 bits");
    *sum = total.value;
    return ROOF_OK;
}

static roof_status sum_launch(ethosu_group *g, const ethosu_launch *l, roof_error *err)
{
    const ethosu_map *const inputs[] = {&l->ifm, l->has_ifm2 && !l->ifm2_is_scalar ? &l->ifm2 : NULL};
    TRY(add(&g->macs, (checked){l->macs, false}, err));
    TRY(add(&g->skipped_macs, (checked){l->skipped_macs, false}, err));
    for (int i = 0; i < 2; i++)
        if (inputs[i] && inputs[i]->storage == ETHOSU_IN_MEMORY)
            TRY(add(&g->moved[inputs[i]->region].read_bytes, map_bytes(inputs[i]), err));
    if (l->ofm.storage == ETHOSU_IN_MEMORY)
        TRY(add(&g->moved[l->ofm.region].write_bytes, map_bytes(&l->ofm), err));
    for (int i = 0; i < ETHOSU_CORES && ethosu_has_weights(l); i++) {
        const checked weights = {l->weights[i].bytes, false}, scales = {l->scales[i].bytes, false};
        TRY(add(&g->weight_bytes, weights, err));
        TRY(add(&g->scale_bytes, scales, err));
        TRY(add(&g->moved[l->weight_region].read_bytes, weights, err));
        TRY(add(&g->moved[l->scale_region].read_bytes, scales, err));
    }
    return ROOF_OK;
}

/* Rows of the input that all stripes together reach: the first ones' pads are above, the last ones' below. */
static uint64_t striped_height(const ethosu_launch *first, const ethosu_launch *last, uint64_t ofm_height)
{
    const uint64_t window = (uint64_t)(first->kernel_h - 1) * first->dilation_h + 1,
                   all = (ofm_height - 1) * first->stride_h + window,
                   pads = first->pad_top + last->pad_bottom;
    const uint64_t seen = all > pads ? all - pads : 1;
    return first->upscale ? (seen + 1) / 2 : seen;
}

static roof_status finish_group(ethosu_stream *s, ethosu_group *g, roof_error *err)
{
    g->first = g->members[0];
    for (uint32_t i = 0; i < g->n_members; i++) {
        const ethosu_launch *l = &s->launches[g->members[i]];
        if (l->kind == ETHOSU_DMA) {
            const checked bytes = {l->dma_bytes, false};
            TRY(add(&g->dma_bytes, bytes, err));
            TRY(add(&g->moved[l->dma_source_region].read_bytes, bytes, err));
            TRY(l->dma_target_region == ETHOSU_REGION_LUT
                    ? add(&g->dma_lut_bytes, bytes, err)
                    : add(&g->moved[l->dma_target_region].write_bytes, bytes, err));
            continue;
        }
        if (!g->n_launches++)
            g->first = g->members[i];
        TRY(sum_launch(g, l, err));
        if (l->join == ETHOSU_AS_FIRST)
            g->ifm = (ethosu_extent){l->ifm.height, l->ifm.width, l->ifm.depth};
        if (l->join == ETHOSU_AS_FIRST || l->join == ETHOSU_IN_CHAIN)
            g->ofm = (ethosu_extent){l->ofm.height, l->ofm.width, l->ofm.depth};
        if (l->join == ETHOSU_AS_SLICE)
            g->ofm.depth += l->ofm.depth;
        if (l->join == ETHOSU_AS_SLICE && l->kind == ETHOSU_DEPTHWISE)
            g->ifm.depth += l->ifm.depth;
        if (l->join == ETHOSU_AS_STRIPE) {
            g->ofm.height += l->ofm.height;
            g->ifm.height = l->kind == ETHOSU_ELEMENTWISE
                                ? g->ofm.height
                                : striped_height(&s->launches[g->first], l, g->ofm.height);
        }
        g->is_sliced = g->is_sliced || l->join == ETHOSU_AS_SLICE;
        g->is_striped = g->is_striped || l->join == ETHOSU_AS_STRIPE;
        g->is_chained = g->is_chained || l->join == ETHOSU_IN_CHAIN;
    }
    return ROOF_OK;
}

static roof_status make_groups(ethosu_stream *s, roof_arena *arena, roof_error *err)
{
    uint32_t *members, n = 0;
    TRY(ARENA_GET(arena, members, s->n_launches, err));
    TRY(ARENA_GET(arena, s->groups, s->n_groups, err));
    for (uint32_t i = 0; i < s->n_launches; i++)
        s->groups[s->launches[i].group].n_members++;
    for (uint32_t i = 0; i < s->n_groups; i++) {
        s->groups[i].stream = s;
        s->groups[i].members = members + n;
        n += s->groups[i].n_members;
        s->groups[i].n_members = 0;
    }
    for (uint32_t i = 0; i < s->n_launches; i++) {
        ethosu_group *g = &s->groups[s->launches[i].group];
        members[(uint32_t)(g->members - members) + g->n_members++] = i;
    }
    for (uint32_t i = 0; i < s->n_groups; i++)
        TRY(finish_group(s, &s->groups[i], err));
    return ROOF_OK;
}

roof_status ethosu_group_launches(ethosu_stream *s, roof_arena *arena, roof_error *err)
{
    grouper g = {.s = s};
    for (uint32_t i = 0; i < s->n_launches; i++) {
        ethosu_launch *l = &s->launches[i];
        if (l->kind != ETHOSU_DMA) {
            add_launch(&g, i);
            continue;
        }
        /* what is brought from the read-only region is for the launch that follows */
        l->group = l->dma_source_region == ETHOSU_READ_ONLY ? ROOF_NONE : g.n_groups++;
        g.dmas[g.n_dmas++ % MOST_DMAS] = i;
    }
    for (; g.pending < s->n_launches; g.pending++) /* for no launch: each is a layer of its own */
        if (s->launches[g.pending].group == ROOF_NONE)
            s->launches[g.pending].group = g.n_groups++;
    s->n_groups = g.n_groups;
    return make_groups(s, arena, err);
}
