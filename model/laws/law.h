/* model/laws/law.h - a cost model: how many cycles the engines of a hardware family need at least.
 *
 * Units: cycles of the accelerator's clock. Every count is a lower bound: an engine at its peak, never
 *   waiting.
 *
 * A law reads hardware and program once (configure) and says which engines and memories there are; then it
 * answers for any number of rows. It knows no file format, no report and no other law. Nothing outside of it
 * asks which law it is.
 */
#pragma once

#include "core/core.h"
#include "model/code/replay.h"
#include "roofline/prediction.h"

/* Where a law finds a value: what the array looks like, and what surrounds it. They differ when a model
 * compiled for one configuration is put on another board. Clock, memory and cores may be overridden
 * (what-ifs). */
typedef struct hw_view {
    /* conv.*, alu.*, dwconv.*, pool.*, eltwise.*, image_banks.*, convw.*, peak, batch. */
    const roof_hw *array;
    const roof_hw *board; /* everything else */
    double clock_hz, memory_bytes_per_s;
    uint32_t cores, batch_lanes; /* images that one pass works on */
    /* Bits of an element in the model's data type: tensors of this width become elements of the type that is
     * computed in. 0: unknown, all tensors do. */
    uint32_t model_bits;
    double rate_ratio; /* the part of the rates that the cores have which were requested; 0: all of it */
    bool lacks_rate;   /* no rate is stated for the type that is computed in: nothing bounds what computes */
} hw_view;

/* NULL when absent. */
const roof_quantity *hw_view_get(const hw_view *view, const char *key);

/* The value of a key, which format makes, such as "expect.%.30s.launch"; otherwise: it is absent. */
double hw_view_value(const hw_view *view, double otherwise, const char *format, ...) ROOF_PRINTF(3, 4);

/* A value that the hardware states for a memory pool: pool "octoFlash", what "bandwidth" is
 * "mempool.octoflash.bandwidth", since keys are in lower case. NULL when absent; a key of more than 79 bytes
 * is. */
const roof_quantity *hw_view_pool(const hw_view *view, const char *pool, const char *what);

/* The value of a key as a whole number in [min, 2^32); absent: *out = otherwise. Errors: E_DATA. */
roof_status hw_view_count(const hw_view *view, const char *key, uint32_t min, uint32_t otherwise,
                          uint32_t *out, roof_error *err);

typedef struct law_engine {
    const char *name;
    const char *meaning; /* the thing that its peak counts, for people */
    /* Operations, 2 per multiply-accumulate, or bytes; 0: the hardware has no such engine. */
    double most_per_cycle;
} law_engine;

/* A law as it meets one kind of hardware and one program. */
typedef struct law_fit {
    const struct cycle_law *law;
    const void *config;
    law_engine engines[ROOF_MAX_ENGINES];
    double reached_per_cycle[ROOF_MAX_ENGINES]; /* the most of each that somebody measured; 0: unknown */
    uint32_t n_engines, n_compute; /* the first n_compute engines compute, the others move data */
    uint32_t n_binding;            /* the first n_binding set the ideal; those behind are shown beside it */
    /* The engine whose cycles are the external memory's, where they are fewer than all bytes make; 0: bytes
     * tell. */
    uint32_t external_memory;
    uint32_t known_at[ROOF_MAX_ENGINES]; /* the law's engine for each that the program knows cycles of */
    uint32_t n_known;
    /* The memories that the program uses, without the bytes moved in them; NULL: it has none. Several
     * of its own may be one: memory_of each of them, into these; NULL: they are the same. */
    roof_pool_rates *memories;
    uint32_t *memory_of, n_memories;
    bool takes_known_cycles; /* the law has all of these engines */
    uint32_t batch, passes;  /* images; how often the array works for them, its batch lanes full */
    uint32_t weight_reads;   /* how often weights are read for them */
    double clock_hz;
} law_fit;

/* The demand of one operator that is timed by the built-in calibration of its compiler. */
typedef struct demand_load {
    double core_macs; /* multiply-accumulates of each core at work, what fills up tiles included */
    double bytes;     /* all that is moved; NaN: unknown */
    double columns;   /* of the array, that move it */
} demand_load;

/* Cycles of a work on each engine and its traffic, both of the whole batch; basis: of the traffic. */
typedef struct law_cost {
    uint64_t cycles[ROOF_MAX_ENGINES];
    roof_traffic traffic;
    roof_basis basis;
    uint64_t
        given_bytes; /* of the traffic, what there is before the pass: weights, keys and values, inputs */
} law_cost;

/* A cache that the whole pass has, before a memory of this bandwidth. */
typedef struct law_cache {
    double bytes_per_s;
    uint64_t capacity_bytes;
} law_cache;

typedef struct cycle_law {
    const char *id, *doc;
    bool is_partial;       /* leaves engines out that the hardware has; doc says it */
    const char *only_type; /* type that its array multiplies, "int8"; NULL: entries state types, or none */
    bool has_memories;     /* several, under keys of their own: ddr.bandwidth means nothing */
    const char *memory_example; /* one of them, "octoflash" */
    const char *first_engine;   /* its name, where laws share their functions; NULL */
    const char *const *keys;    /* needed keys of the hardware; NULL-terminated */
    /* Fills config, which lives in arena, and the engines. Errors: E_DATA for a value that cannot be. */
    roof_status (*configure)(const hw_view *view, const roof_program *program, roof_arena *arena,
                             law_fit *out, roof_error *err);
    /* Adds the cycles of one operator for one image; ROOF_UNKNOWN: the hardware has no such engine. */
    roof_status (*add_op)(const void *config, const roof_graph *graph, const roof_demand *demand,
                          uint64_t *cycles, roof_error *err);
    /* The traffic of the whole batch on this hardware, and what it rests on; NULL: as the work has it. */
    void (*recount)(const law_fit *fit, const roof_graph *graph, const roof_work *work, law_cost *out);
    /* The part of an operator's multiply-accumulates that another algorithm saves at most; 0: none. Ideals of
     * rows keep them, the floor does not. NULL: the family has one way to multiply. */
    double (*spared_ratio)(const law_fit *fit, const roof_op *op);
    /* The memory of this engine, where a cache before it holds what rows have read; false: none does,
     * and for all engines of a law without it (NULL). */
    bool (*cache_before)(const law_fit *fit, uint32_t engine, law_cache *out);
    /* Cycles of the engines that move data, of the whole batch, as traffic is; work is of one image. Errors:
     * E_LIMIT. */
    roof_status (*move)(const law_fit *fit, const roof_work *work, const roof_traffic *traffic,
                        uint64_t *cycles, roof_error *err);
    /* The engine for ops of this rule, whose cycles add_op counts; ROOF_NONE: none takes time for them. */
    uint32_t (*engine_of)(roof_rule rule);
    /* An assumption about a row, which no source states; false: nothing. NULL: it never does. */
    bool (*assumes)(const law_fit *fit, const roof_graph *graph, const roof_row *row, roof_remark *out);
    /* Changes hw, a copy, to compute in this data type; is_known: a rate of it is stated. NULL: the family
     * has one type. Errors: E_NO_MEMORY. */
    roof_status (*at_type)(roof_hw *hw, const char *type, bool *is_known, roof_error *err);
    /* For families whose models choose among the data types that the hardware states: the rate of one by its
     * own name, "fp16", whose key ends as entries spell it, "peak.f16". NULL: it states none. */
    const roof_quantity *(*rate_of)(const roof_hw *hw, const char *type);
    /* How long the tasks of a stream take at least, which its own replayer runs; NULL: no compiler of the
     * family writes such. */
    void (*timing)(const law_fit *fit, replay_timing *out);
    /* NULL where no constants of compilers are known. Errors: E_LIMIT. */
    roof_status (*load)(const law_fit *fit, const roof_graph *graph, const roof_demand *demand,
                        demand_load *out, roof_error *err);
    /* For programs with memories of their own; NULL where no compiler of the family writes such. The
     * compiler's estimate of a row, and a remark on a row that is beyond what the units can do: false, none;
     * NULL: there never is one. */
    roof_compiler_estimate (*estimate)(const void *config, const roof_row *row);
    bool (*is_beyond_units)(const void *config, const roof_row *row, roof_remark *out);
    /* Assumptions about the whole program; NULL: nothing. */
    void (*tell)(const law_fit *fit, roof_findings *out);
} cycle_law;

/* NULL when no law serves the family. */
const cycle_law *law_of(const char *family);

/* rate_of by the law of the family of the hardware; NULL where there is none, too. */
const roof_quantity *law_rate_of(const roof_hw *hw, const char *type);

/* Configures law, and finds its engines among those that the program knows cycles of. clock, batch lanes:
 * those of view. */
roof_status law_fit_to(const cycle_law *law, const hw_view *view, const roof_program *program, uint32_t batch,
                       roof_arena *arena, law_fit *out, roof_error *err);

/* Adds an engine, the computing ones first. Errors: E_LIMIT. */
roof_status law_add_engine(law_fit *fit, const law_engine *engine, bool computes, roof_error *err);

/* The cost of a work. Errors: E_LIMIT when a count overflows 64 bits. */
roof_status law_apply(const law_fit *fit, const roof_graph *graph, const roof_work *work, law_cost *out,
                      roof_error *err);

/* A row of a pass, with its cycles on each engine. */
typedef struct law_pass_row {
    uint64_t *cycles;
    uint64_t given_bytes;
    uint32_t repeat;
} law_pass_row;

/* Rows of one pass share a cache, where each had been granted all of it: of the X bytes that there are before
 * the pass and that it reads at least X - C come from the memory behind a cache of C bytes, whatever the
 * order. Where a row waits for its x bytes beyond its other cycles c, a cached byte saves time:
 *   T = sum c + (sum (x - c BW)+ - C)+ / BW
 * The waiting that is left is shared out among the rows that wait, so that their ideals sum up to T. The
 * cache that takes the most counts where there are several; least_cycles, of each engine: X - C of each, for
 * the floor, 0 where there is no cache; NULL: they are not wanted.
 * Example (tests/unit/test_law_pass.c): BW 100 GB/s, C 10 MB, rows of 50, 20 and 10 us with 4, 8 and 6 MB: 90
 * us. */
void law_share_caches(const law_fit *fit, const law_pass_row *rows, uint32_t n, uint64_t *least_cycles);

/* value times factor; unknown stays unknown. Errors: E_LIMIT. */
static inline roof_status law_scale(uint64_t *value, uint64_t factor, roof_error *err)
{
    return *value == ROOF_UNKNOWN ||
                   (!__builtin_mul_overflow(*value, factor, value) && *value != ROOF_UNKNOWN)
               ? ROOF_OK
               : error_set(err, ROOF_E_LIMIT, "a count times the batch of %llu overflows 64 bits",
                           (unsigned long long)factor);
}

/* The most that any of n engines takes, and which: the first among equals; none: 0, and engine as it is. */
uint64_t law_most_cycles(const uint64_t *cycles, uint32_t n, uint32_t *engine);

/* ceil(bytes * clock / bandwidth), exact for whole Hz and B/s; 0 for an unlimited (0) bandwidth. */
uint64_t law_cycles_for_bytes(uint64_t bytes, double clock_hz, double bytes_per_s);

/* The same of a memory: ROOF_UNKNOWN where its bandwidth or the bytes are unknown. */
uint64_t law_cycles_of_memory(const law_fit *fit, uint64_t bytes, double bytes_per_s);

/* Adds cycles of an operator to those of an engine; unknown stays unknown. Errors: E_LIMIT. */
roof_status law_add_cycles(uint64_t *sum, checked cycles, const roof_op *op, roof_error *err);

/* An add_op of an array that makes so many multiply-accumulates a cycle, whatever the operator is. */
roof_status law_add_macs(const roof_graph *graph, const roof_demand *demand, double macs_per_cycle,
                         uint64_t *cycles, roof_error *err);

/* An engine_of: the array does all that has multiply-accumulates, and nothing else is known to be done. */
uint32_t law_macs_on_array(roof_rule rule);
