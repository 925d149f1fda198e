/* Bytes alive at each layer of random command streams, against a map of every byte that every launch touches.
 * ROOF_SEED sets where to start. */
#include "model/code/ethosu/ethosu_lives.h"
#include "tests/property/random.h"
#include "tests/support/ethosu_writer.h"
#include "tests/unit/fixture.h"

#include <stdlib.h>
#include <string.h>

enum { STREAMS = 2000, MOST_LAUNCHES = 12, CELLS = 512, MOST_BYTES = CELLS * ETHOSU_CELL_BYTES };

static uint32_t below(uint32_t n)
{
    return (uint32_t)(next_random() % n);
}

/* ---- streams ---- */

static euw_map random_map(int h, int w, int d)
{
    euw_map m = {.region = below(8) ? 1 : 2, .base = below(48) * 8, .h = h, .w = w, .d = d};
    m.bits = below(4) ? 8 : 16;
    m.is_bricked = below(2);
    m.full_d = below(2) ? d : d + (int)below(3) * 16;
    if (below(4) == 0) {
        m.tile_h = 1 + (int)below((uint32_t)h);
        m.tile_w = 1 + (int)below((uint32_t)w);
        for (int i = 0; i < 3; i++)
            m.tiles[i] = below(64) * 8;
    }
    return m;
}

static euw_launch random_launch(const euw_launch *before)
{
    const int h = 1 + (int)below(3), w = 1 + (int)below(3), d = 1 + (int)below(40), kind = (int)below(8);
    euw_launch l = {.opcode = EUW_ELEMENTWISE, .param = 1, .ofm = random_map(h, w, d)};
    if (before && below(3) == 0) { /* the next rows, or the next slice */
        l = *before;
        l.ofm.base += l.opcode == EUW_DMA ? 0 : (uint32_t)(below(2) ? h * w * d : 16);
        return l;
    }
    if (kind < 3)
        return (euw_launch){EUW_DMA, .from = {(int)below(3), below(64) * 4, 1 + below(200)},
                            .to_region = below(6)   ? 1
                                         : below(2) ? 2
                                                    : EUW_LUT,
                            .to_base = below(64) * 4};
    l.ifm = random_map(h, w, d);
    if (kind < 5) {
        l.ifm2 = random_map(h, w, d);
        l.broadcast2 = below(3) ? (int)below(8) : 0x80;
        return l;
    }
    l.opcode = kind == 5 ? EUW_POOL : EUW_CONV;
    l.param = 0;
    l.kernel = 1 + (int)below(2);
    l.stride = 1 + (int)below(2);
    if (l.opcode == EUW_CONV) {
        l.weights = (euw_span){(int)below(2), below(64) * 4, 1 + below(64)};
        l.scales = (euw_span){(int)below(2), below(64) * 4, below(32)};
    }
    return l;
}

/* ---- the map of bytes ---- */

typedef struct byte_map {
    bool is_touched[CELLS];
} byte_map;

static void mark(byte_map *m, uint64_t at, uint64_t bytes)
{
    for (uint64_t i = at; i < at + bytes; i++) {
        assert_true(i < MOST_BYTES);
        m->is_touched[i / ETHOSU_CELL_BYTES] = true;
    }
}

/* Element by element. A brick has 16 channels, whether or not the map has them. */
static void mark_map(byte_map *b, const ethosu_map *m, uint32_t region)
{
    const uint64_t element = m->element_bits / 8U;
    const bool is_bricked = m->layout == ETHOSU_NHCWB16;
    if (m->storage != ETHOSU_IN_MEMORY || m->region != region)
        return;
    for (uint64_t y = 0; y < m->height; y++)
        for (uint64_t x = 0; x < m->width; x++)
            for (uint64_t c = 0; c < (is_bricked ? (m->depth + 15ULL) / 16 * 16 : m->depth); c++) {
                const bool right = x >= m->tile_width0,
                           low = y >= (right ? m->tile_height1 : m->tile_height0);
                const uint64_t of_y = y - (!low    ? 0
                                           : right ? m->tile_height1
                                                   : m->tile_height0),
                               of_x = x - (right ? m->tile_width0 : 0);
                const uint64_t base = m->base[right + 2 * low] + of_y * m->stride_y;
                mark(b,
                     is_bricked ? base + c / 16 * m->stride_c + (of_x * 16 + c % 16) * element
                                : base + of_x * m->stride_x + c * element,
                     element);
            }
}

static void mark_launch(byte_map *b, const ethosu_launch *l, uint32_t region, bool is_write)
{
    if (l->kind == ETHOSU_DMA) {
        if ((is_write ? l->dma_target_region : l->dma_source_region) == region)
            mark(b, is_write ? l->dma_target : l->dma_source, l->dma_bytes);
        return;
    }
    if (is_write) {
        mark_map(b, &l->ofm, region);
        return;
    }
    mark_map(b, &l->ifm, region);
    if (l->has_ifm2 && !l->ifm2_is_scalar)
        mark_map(b, &l->ifm2, region);
    for (int i = 0; i < ETHOSU_CORES; i++) {
        if (l->weight_region == region)
            mark(b, l->weights[i].base, l->weights[i].bytes);
        if (l->scale_region == region)
            mark(b, l->scales[i].base, l->scales[i].bytes);
    }
}

/* ---- what lives, by the rules as they are told ---- */

/* Layers that take turns, found pair by pair until nothing changes: for each its first and last. */
typedef struct steps {
    uint32_t first[MOST_LAUNCHES], last[MOST_LAUNCHES];
} steps;

static steps steps_of(const ethosu_stream *s)
{
    steps x;
    bool is_same = false;
    for (uint32_t g = 0; g < s->n_groups; g++)
        x.first[g] = x.last[g] = g;
    while (!is_same) {
        is_same = true;
        for (uint32_t a = 0; a < s->n_groups; a++)
            for (uint32_t b = 0; b < s->n_groups; b++) {
                const ethosu_group *p = &s->groups[a], *q = &s->groups[b];
                if (a == b || x.first[a] == x.first[b] || p->first > q->members[q->n_members - 1] ||
                    q->first > p->members[p->n_members - 1])
                    continue;
                const uint32_t lo = x.first[a] < x.first[b] ? a : b, hi = lo == a ? b : a;
                const uint32_t from = x.first[lo], to = x.last[hi] > x.last[lo] ? x.last[hi] : x.last[lo];
                for (uint32_t g = from; g <= to; g++) {
                    x.first[g] = from;
                    x.last[g] = to;
                }
                is_same = false;
            }
    }
    return x;
}

typedef struct access {
    uint32_t first, last;
    bool is_write;
} access;

/* A tensor begins with a write that follows a read, and lives from its first access to its last read. */
static void live(const access *of, uint32_t n, uint32_t n_groups, bool *alive)
{
    uint32_t begin = 0;
    for (uint32_t i = 1; i <= n; i++) {
        if (i < n && !(of[i].is_write && !of[i - 1].is_write))
            continue;
        uint32_t to = of[i - 1].is_write ? n_groups - 1 : 0;
        for (uint32_t k = begin; k < i; k++)
            to = of[k].last > to ? of[k].last : to;
        for (uint32_t g = of[begin].is_write ? of[begin].first : 0; g <= to; g++)
            alive[g] = true;
        begin = i;
    }
}

static void count_cells(const ethosu_stream *s, uint32_t region, uint64_t bytes[MOST_LAUNCHES])
{
    const steps x = steps_of(s);
    static byte_map maps[MOST_LAUNCHES][2];
    memset(maps, 0, sizeof maps);
    for (uint32_t i = 0; i < s->n_launches; i++)
        for (int w = 0; w < 2; w++)
            mark_launch(&maps[i][w], &s->launches[i], region, w);
    for (uint32_t c = 0; c < CELLS; c++) {
        access of[2 * MOST_LAUNCHES];
        bool alive[MOST_LAUNCHES] = {false};
        uint32_t n = 0;
        for (uint32_t i = 0; i < s->n_launches; i++)
            for (int w = 0; w < 2; w++)
                if (maps[i][w].is_touched[c])
                    of[n++] = (access){x.first[s->launches[i].group], x.last[s->launches[i].group], w};
        if (n)
            live(of, n, s->n_groups, alive);
        for (uint32_t g = 0; g < s->n_groups; g++)
            bytes[g] += alive[g] ? ETHOSU_CELL_BYTES : 0;
    }
}

/* The union of lives at a layer. */
static uint64_t union_at(const ethosu_life *lives, uint32_t n, uint32_t group)
{
    bool is_alive[CELLS] = {false};
    uint64_t sum = 0;
    for (uint32_t i = 0; i < n; i++)
        for (uint64_t c = lives[i].bytes.lo / ETHOSU_CELL_BYTES;
             lives[i].first <= group && group <= lives[i].last && c < lives[i].bytes.hi / ETHOSU_CELL_BYTES;
             c++)
            is_alive[c] = true;
    for (uint32_t c = 0; c < CELLS; c++)
        sum += is_alive[c] ? ETHOSU_CELL_BYTES : 0;
    return sum;
}

static void check_stream(const ethosu_stream *s, roof_arena *arena)
{
    for (uint32_t region = ETHOSU_SCRATCH; region <= ETHOSU_SCRATCH_FAST; region++) {
        ethosu_budget budget = ethosu_budget_of(s->payload.n_words);
        uint64_t bytes[MOST_LAUNCHES] = {0};
        ethosu_life *lives;
        uint32_t n;
        roof_error err = {0};
        if (ethosu_lives_of(s, region, NULL, 0, &budget, arena, &lives, &n, &err) != ROOF_OK)
            fail_msg("%s", fx_message(&err));
        count_cells(s, region, bytes);
        for (uint32_t g = 0; g < s->n_groups; g++)
            assert_int_equal(union_at(lives, n, g), bytes[g]);
    }
}

static void lives_are_those_of_a_map_of_bytes(void **state)
{
    (void)state;
    uint32_t n_checked = 0;
    for (int i = 0; i < STREAMS; i++) {
        euw_launch launches[MOST_LAUNCHES];
        const euw_network net = {EUW_U55_128, launches, 1 + below(MOST_LAUNCHES)};
        roof_arena *arena = arena_new(0);
        ethosu_payload payload;
        ethosu_stream stream;
        roof_error err = {0};
        size_t size;
        for (size_t k = 0; k < net.n_launches; k++)
            launches[k] = random_launch(k > 1 && below(2) ? &launches[k - 2] : k ? &launches[k - 1] : NULL);
        unsigned char *bytes = euw_write(&net, &size);
        assert_int_equal(ethosu_open(bytes, size, 0, true, &payload, &err), ROOF_OK);
        if (ethosu_decode(&payload, false, arena, &stream, &err) != ROOF_OK)
            fail_msg("%s", fx_message(&err));
        check_stream(&stream, arena);
        n_checked += stream.n_groups > 2;
        arena_free(arena);
        free(bytes);
    }
    assert_true(n_checked > STREAMS / 2);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(lives_are_those_of_a_map_of_bytes)};
    random_state = first_seed();
    return cmocka_run_group_tests(tests, NULL, NULL);
}
