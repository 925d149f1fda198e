#include "tests/support/curves.h"
#include "core/arena.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Llama 3.2 1B: 16 layers, hidden 2048, 8 heads of keys and values of 64, 5 bits a weight. Constants of
 * FastFlowLM as docs/hardware/aie.md will have them, rounded. */
enum { LAYERS = 16, KV_BYTES_PER_TOKEN = 32768, CHUNK = 256 };
static const uint64_t parameters = 1235746816, weight_bytes = 772341760, resident_bytes = 1297678336;
static const double bandwidth = 89.6e9, peak_macs = 29.5e12;

static void *take(roof_arena *arena, size_t n, size_t size)
{
    void *made = arena_alloc(arena, n ? n : 1, size);
    if (!made)
        abort();
    return made;
}

static roof_curve *begin(uint32_t n)
{
    roof_arena *arena = arena_new(0);
    if (!arena)
        abort();
    roof_curve *curve = take(arena, 1, sizeof *curve);
    *curve = (roof_curve){.model = "Llama-3.2-1B",
                          .path = "llama-3.2-1b.json",
                          .hardware = "npu2",
                          .hardware_name = "Ryzen AI NPU2",
                          .weights = "q4_1",
                          .cache = "bf16",
                          .stack = "FastFlowLM",
                          .batch = 1,
                          .positions = 131072,
                          .bandwidth_bytes_per_s = bandwidth,
                          .anchor_s = NAN,
                          .arena = arena};
    curve->points = take(arena, n, sizeof *curve->points);
    return curve;
}

static roof_language_memory memory_of(uint32_t tokens)
{
    const double gib = 1 << 30;
    roof_language_memory m = {.need_bytes = resident_bytes + (uint64_t)tokens * KV_BYTES_PER_TOKEN,
                              .available_bytes = UINT64_C(8) << 30,
                              .limit_bytes = 4 * gib,
                              .fails_bytes = 5 * gib,
                              .largest_tokens = 91471};
    m.fits = (double)m.need_bytes <= m.limit_bytes   ? ROOF_MEMORY_FITS
             : (double)m.need_bytes >= m.fails_bytes ? ROOF_MEMORY_FITS_NOT
                                                     : ROOF_MEMORY_UNKNOWN;
    return m;
}

static void sum_up(roof_curve_point *p)
{
    double *parts_s = p->expected.parts_s;
    p->expected.seconds = 0;
    for (int i = 0; i < ROOF_LANGUAGE_PARTS; i++) {
        p->expected.seconds += parts_s[i];
        p->binds = parts_s[i] > parts_s[p->binds] ? (roof_language_part)i : p->binds;
    }
    p->expected.ci95_s[0] = 0.96 * p->expected.seconds;
    p->expected.ci95_s[1] = 1.05 * p->expected.seconds;
}

static roof_curve_point *add(roof_curve *curve, roof_text_phase phase, uint32_t tokens)
{
    roof_curve_point *p = &curve->points[curve->n_points++];
    const double n = tokens;
    const bool is_step = phase == ROOF_TEXT_DECODE;
    *p = (roof_curve_point){.phase = phase,
                            .tokens = tokens,
                            .counts = {.parameters = parameters,
                                       .active_parameters = parameters,
                                       .weight_bytes = weight_bytes,
                                       .streamed_bytes = weight_bytes,
                                       .kv_bytes = (uint64_t)tokens * KV_BYTES_PER_TOKEN,
                                       .kv_bytes_per_token = KV_BYTES_PER_TOKEN,
                                       .cache_bytes = (uint64_t)tokens * KV_BYTES_PER_TOKEN,
                                       .resident_weight_bytes = resident_bytes,
                                       .file_bytes = ROOF_UNKNOWN,
                                       .weight_macs = 973078528,
                                       .attention_macs = is_step ? UINT64_C(65536) * tokens
                                                                 : UINT64_C(32768) * tokens * (tokens + 1)},
                            .expected = {.stack = "FastFlowLM",
                                         .attention = "gqa_h64_kv8",
                                         .points = 34,
                                         .models = 5,
                                         .error = 0.042},
                            .memory = memory_of(tokens)};
    curve->n_decode += is_step;
    if (is_step) {
        p->ideal_parts_s[ROOF_PART_WEIGHTS] = (double)weight_bytes / bandwidth;
        p->ideal_parts_s[ROOF_PART_CACHE] = n * KV_BYTES_PER_TOKEN / bandwidth;
        p->expected.parts_s[ROOF_PART_WEIGHTS] = (double)weight_bytes * 14.6e-12;
        p->expected.parts_s[ROOF_PART_CACHE] = n * LAYERS * 26e-9;
        p->expected.parts_s[ROOF_PART_LAUNCHES] = LAYERS * 0.266e-3;
    } else {
        p->ideal_parts_s[ROOF_PART_ARRAY] = (n * 973078528 + (double)p->counts.attention_macs) / peak_macs;
        p->expected.parts_s[ROOF_PART_LAUNCHES] = ceil(n / CHUNK) * LAYERS * 1.1e-3;
        p->expected.parts_s[ROOF_PART_ARRAY] = n * 973078528 / 1.9e12;
        p->expected.parts_s[ROOF_PART_CACHE] = (double)p->counts.attention_macs / 1.1e12;
    }
    for (int i = 0; i < ROOF_LANGUAGE_PARTS; i++)
        p->ideal_s += p->ideal_parts_s[i];
    sum_up(p);
    return p;
}

static void measure(roof_curve *curve, const roof_curve_measured *measured, uint32_t n)
{
    curve->measured = take(curve->arena, n, sizeof *measured);
    curve->n_measured = n;
    memcpy(curve->measured, measured, n * sizeof *measured);
}

roof_curve *curves_known(void)
{
    static const roof_curve_measured measured[] = {
        {ROOF_TEXT_DECODE, 1024, 0.01550},   {ROOF_TEXT_DECODE, 4096, 0.01715},
        {ROOF_TEXT_DECODE, 24000, 0.02590},  {ROOF_TEXT_DECODE, 32768, 0.02941},
        {ROOF_TEXT_DECODE, 131072, 0.07299}, {ROOF_TEXT_PREFILL, 1007, 0.61},
        {ROOF_TEXT_PREFILL, 8192, 7.4},      {ROOF_TEXT_PREFILL, 32768, 57.1}};
    roof_curve *curve = begin(16);
    for (uint32_t n = 1024; n <= 131072; n *= 2)
        add(curve, ROOF_TEXT_DECODE, n);
    for (uint32_t n = 512; n <= 32768; n *= 2)
        add(curve, ROOF_TEXT_PREFILL, n);
    measure(curve, measured, sizeof measured / sizeof *measured);
    curve->anchor_tokens = 1024;
    curve->anchor_s = 0.0155;
    const double off_s = curve->anchor_s - curve->points[0].expected.seconds;
    for (uint32_t i = 0; i < curve->n_decode; i++) {
        curve->points[i].expected.parts_s[ROOF_PART_LAUNCHES] += off_s;
        sum_up(&curve->points[i]);
    }
    curve->has_session = curve->has_draft = true;
    curve->session = (roof_session){.prompt_tokens = 1024,
                                    .answer_tokens = 256,
                                    .first_s = 0.62,
                                    .last_s = 4.72,
                                    .first_ideal_s = 0.041,
                                    .last_ideal_s = 2.29,
                                    .first_ci95_s = {0.5, 0.78},
                                    .last_ci95_s = {4.1, 5.5},
                                    .tokens_per_s = 62.2,
                                    .tokens_per_s_ci95 = {54.0, 70.8},
                                    .energy_j = 118,
                                    .most_sequences = 40,
                                    .most_tokens_per_s = 1830.5};
    curve->draft = (roof_draft){0.7,           4,      1024,   0.01596, 0.0048,        0.01596,
                                ROOF_AT_LEAST, 2.7731, 1.2592, 0.5528,  "SmolLM2-135M"};
    return curve;
}

static void forget(roof_curve_point *p)
{
    p->expected =
        (roof_language_expectation){.attention = "gqa_h96_kv8",
                                    .seconds = NAN,
                                    .ci95_s = {NAN, NAN},
                                    .parts_s = {NAN, NAN, NAN, NAN},
                                    .points = NAN,
                                    .models = NAN,
                                    .error = NAN,
                                    .not_known = "no model with attention gqa_h96_kv8 was measured"};
    p->memory =
        (roof_language_memory){.need_bytes = p->memory.need_bytes, .limit_bytes = NAN, .fails_bytes = NAN};
    p->binds = p->ideal_parts_s[ROOF_PART_CACHE] > p->ideal_parts_s[ROOF_PART_WEIGHTS] ? ROOF_PART_CACHE
                                                                                       : ROOF_PART_WEIGHTS;
}

roof_curve *curves_bound_only(void)
{
    roof_curve *curve = begin(8);
    for (uint32_t n = 1024; n <= 131072; n *= 2)
        forget(add(curve, ROOF_TEXT_DECODE, n));
    curve->model = "Other-1B";
    curve->path = "other-1b.json";
    curve->stack = NULL;
    curve->positions = 0;
    return curve;
}

roof_curve *curves_of_steps(const uint32_t *contexts, uint32_t n)
{
    roof_curve *curve = begin(n);
    for (uint32_t i = 0; i < n; i++)
        add(curve, ROOF_TEXT_DECODE, contexts[i]);
    return curve;
}

roof_curve *curves_long(uint32_t n)
{
    roof_curve *curve = begin(2 * n);
    for (uint32_t i = 1; i <= n; i++)
        add(curve, ROOF_TEXT_DECODE, 1024 * i);
    for (uint32_t i = 1; i <= n; i++)
        add(curve, ROOF_TEXT_PREFILL, 1024 * i);
    return curve;
}
