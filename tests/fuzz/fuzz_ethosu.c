/* Driver payloads and command streams of an Ethos-U from untrusted files. The first byte of an input chooses
 * by which core's rules launches are grouped, the rest is the payload: what is accepted has each launch in
 * one layer, layers that add up, cycles that are numbers, and lives that lie in its layers; what is refused
 * names its byte. */
#include "model/code/ethosu/ethosu_lives.h"
#include "model/laws/ethos_u_cycles.h"
#include "tests/fuzz/fuzz_target.h"
#include "tests/support/read_check.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static void check_group(const ethosu_stream *s, uint32_t i, uint64_t *members)
{
    const ethosu_group *g = &s->groups[i];
    uint64_t macs = 0, dma = 0;
    uint32_t launches = 0;
    CHECK(g->stream == s && g->n_members && g->n_launches <= g->n_members);
    for (uint32_t k = 0; k < g->n_members; k++) {
        const ethosu_launch *l = &s->launches[g->members[k]];
        CHECK(l->group == i && (!k || g->members[k] > g->members[k - 1]));
        macs += l->macs;
        dma += l->kind == ETHOSU_DMA ? l->dma_bytes : 0;
        launches += l->kind != ETHOSU_DMA;
        CHECK(l->kind == ETHOSU_DMA || (l->ofm.height && l->ofm.width && l->ofm.depth && l->ifm.height));
        CHECK(ethosu_launch_text(s, l));
    }
    CHECK(macs == g->macs && dma == g->dma_bytes && launches == g->n_launches);
    CHECK(g->dma_lut_bytes <= g->dma_bytes);
    *members += g->n_members;
}

static void check_stream(const ethosu_stream *s)
{
    uint64_t members = 0;
    CHECK(s->n_groups <= s->n_launches && s->n_launches < s->n_commands);
    CHECK(s->n_commands <= s->payload.n_words);
    for (uint32_t i = 0; i < s->n_groups; i++)
        check_group(s, i, &members);
    CHECK(members == s->n_launches);
}

/* Lives lie in cells and layers, with memory that is linear in the input. */
static void check_lives(const ethosu_stream *s, roof_arena *arena)
{
    ethosu_budget budget = ethosu_budget_of(s->payload.n_words);
    for (uint32_t region = ETHOSU_SCRATCH; region < ETHOSU_REGIONS; region++) {
        ethosu_life *lives;
        uint32_t n;
        roof_error err = {0};
        const roof_status status = ethosu_lives_of(s, region, NULL, 0, &budget, arena, &lives, &n, &err);
        CHECK(status == ROOF_OK || status == ROOF_E_LIMIT);
        for (uint32_t i = 0; status == ROOF_OK && i < n; i++) {
            const ethosu_life *l = &lives[i];
            CHECK(l->bytes.lo < l->bytes.hi && l->bytes.lo % ETHOSU_CELL_BYTES == 0 &&
                  l->bytes.hi % ETHOSU_CELL_BYTES == 0);
            CHECK(l->first <= l->last && l->last < s->n_groups);
            CHECK(l->writer == ROOF_NONE ? l->first == 0 : l->writer < s->n_groups);
        }
    }
}

static void check_cycles(const ethosu_stream *s, roof_arena *arena)
{
    static const ethosu_system system = {
        {[ETHOSU_SRAM] = {8, 32, 32, 32}, [ETHOSU_OFF_CHIP_FLASH] = {1, 128, 64, 64}},
        {ETHOSU_OFF_CHIP_FLASH, ETHOSU_SRAM, ETHOSU_SRAM}};
    roof_error err = {0};
    ethosu_estimate *e = NEW_ARRAY(arena, ethosu_estimate, s->n_groups);
    if (!e)
        return;
    roof_status status = ethosu_vela_estimates(s, &system, e, &err);
    CHECK(status == ROOF_OK || status == ROOF_E_UNSUPPORTED);
    for (uint32_t i = 0; i < s->n_groups; i++) {
        ethosu_least least;
        CHECK(status != ROOF_OK || (e[i].npu >= 0 && isfinite(e[i].npu)));
        CHECK(status != ROOF_OK || (e[i].access[ETHOSU_SRAM] >= 0 && isfinite(e[i].access[ETHOSU_SRAM])));
        const roof_status of_least = ethosu_least_cycles(&s->groups[i], &least, &err);
        CHECK(of_least == ROOF_OK || of_least == ROOF_E_LIMIT);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    ethosu_payload payload;
    ethosu_stream stream;
    roof_error err = {0};
    if (!size)
        return 0;
    uint8_t *bytes = malloc(size > 1 ? size - 1 : 1); /* exactly as long: a sanitizer sees a byte too many */
    roof_arena *arena = arena_new(((size_t)1 << 20) + 1024 * size); /* linear in the input, or it fails */
    CHECK(bytes && arena);
    memcpy(bytes, data + 1, size - 1);
    roof_status status = ethosu_open(bytes, size - 1, 0, data[0] & 2, &payload, &err);
    if (status == ROOF_OK)
        status = ethosu_decode(&payload, data[0] & 1, arena, &stream, &err);
    if (status == ROOF_OK) {
        check_stream(&stream);
        check_cycles(&stream, arena);
        check_lives(&stream, arena);
    } else {
        check_refusal(status, &err);
        CHECK(status == ROOF_E_LIMIT || err.byte_offset <= size);
    }
    arena_free(arena);
    free(bytes);
    return 0;
}
