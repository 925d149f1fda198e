/* model/laws/law.h - a cycle law: how many cycles the engines of a hardware family need at least.
 *
 * Units: cycles of the accelerator's clock. Every count is a lower bound: an engine at its peak, never
 *   waiting. A law reads the hardware once (configure), then answers for any number of layers. It knows no
 *   file format, no report and no other law.
 */
#ifndef ROOF_MODEL_LAW_H
#define ROOF_MODEL_LAW_H

#include "core/arena.h"
#include "roofline/prediction.h"

/* Where a law finds a value: what the array looks like, and what surrounds it. They differ when a model
 * compiled for one configuration is put on another board. Clock, memory and cores may be overridden
 * (what-ifs). */
typedef struct hw_view {
    const roof_hw
        *array; /* conv.*, alu.*, dwconv.*, pool.*, eltwise.*, image_banks.*, convw.*, peak, batch */
    const roof_hw *board; /* everything else */
    const roof_plan
        *plan; /* of a model that describes its own memories, which count before the board's; or NULL */
    double clock_hz, memory_bytes_per_s;
    uint32_t cores, batch_lanes; /* images that one pass works on */
} hw_view;

/* NULL when absent. */
const roof_quantity *hw_view_get(const hw_view *view, const char *key);

/* What the hardware says of a memory pool: pool "octoFlash", what "bandwidth" is "mempool.octoflash.bandwidth", since keys are
 * in lower case. NULL when absent; a key of more than 79 bytes is. */
const roof_quantity *hw_view_pool(const hw_view *view, const char *pool, const char *what);

/* The engine whose multiply-accumulates are the hardware's headline is the first of every law. */
enum { ENGINE_ARRAY = 0 };

/* What one epoch of a plan costs. */
typedef struct epoch_cost {
    uint64_t cycles[ROOF_MAX_ENGINES]; /* at least; ROOF_UNKNOWN where nothing is known */
    roof_moved moved[ROOF_MAX_ENGINES];
    uint64_t vendor_cycles; /* the compiler's own law; ROOF_UNKNOWN when it lacks a value */
    uint32_t vendor_bound;  /* engine, or ROOF_NONE */
} epoch_cost;

typedef struct cycle_law cycle_law;
struct cycle_law {
    const char *id, *doc;
    const char *engines[ROOF_MAX_ENGINES];
    uint32_t n_engines, n_compute; /* the first n_compute engines compute, the others move data */
    bool stream_cycles;      /* engines 0, 1, 2 are conv, alu, eltwise of a decoded instruction stream */
    bool peak_only;          /* knows the peak rate only: no engines, no quantisation */
    bool own_memories;       /* several memories under keys of their own; ddr.bandwidth means nothing */
    const char *const *keys; /* what it needs of the hardware; NULL-terminated */
    /* Reads the hardware. config lives in arena. Errors: E_DATA for a value that cannot be. */
    roof_status (*configure)(const hw_view *view, roof_arena *arena, const void **config, roof_error *err);
    /* Adds the op's cycles for one image; ROOF_UNKNOWN in an engine means that the hardware has no such
     * engine. */
    roof_status (*add_op)(const void *config, const roof_graph *graph, const roof_op *op, uint64_t *cycles,
                          roof_error *err);
    /* Cycles of the engines that move data. */
    void (*memory)(const void *config, const roof_traffic *traffic, uint64_t *cycles);
    /* The engine that does ops of this rule, whose cycles add_op counts; ROOF_NONE: none takes time for them. */
    uint32_t (*engine_of)(roof_rule rule);
    /* What an engine does per cycle at most: operations (the first n_compute), 2 per multiply-accumulate, or bytes; 0: the
     * hardware has no such engine. That of ENGINE_ARRAY is the hardware's peak. */
    double (*most_per_cycle)(const void *config, uint32_t engine);
    /* What that most is of, for people; one for each engine. */
    const char *meanings[ROOF_MAX_ENGINES];
    /* For models that carry a plan; NULL where no compiler of the family writes one.
     * adapt: the engines of law, which is a copy of this one, become those that the plan uses. Errors: E_LIMIT, E_DATA.
     * add_pools: what is known of the memories. */
    roof_status (*adapt)(const void *config, const roof_plan *plan, cycle_law *law, roof_error *err);
    void (*epoch)(const void *config, const roof_plan *plan, const roof_epoch *epoch, epoch_cost *out);
    roof_status (*add_pools)(const void *config, const roof_plan *plan, roof_arena *arena,
                             roof_prediction *out, roof_error *err);
    /* Findings on an epoch: the compiler's figure is above what the units can do. false: nothing to say. */
    bool (*epoch_beyond_units)(const void *config, const roof_plan *plan, const roof_epoch *epoch, char *text,
                               size_t size);
};

/* NULL when no law serves the family. */
const cycle_law *law_of(const char *family);
/* The i-th law, NULL past the end. */
const cycle_law *law_at(size_t i);

/* ceil(bytes * clock / bandwidth), exact for whole numbers of Hz and B/s; 0 for an unlimited (0) bandwidth.
 */
uint64_t cycles_for_bytes(uint64_t bytes, double clock_hz, double bytes_per_s);

/* An engine_of: the array does all that has multiply-accumulates, and nothing else is known to be done. */
uint32_t macs_on_array(roof_rule rule);

/* The value of a key as a whole number in [min, 2^32); absent: *out = otherwise. Errors: E_DATA. */
roof_status hw_view_count(const hw_view *view, const char *key, uint32_t min, uint32_t otherwise,
                          uint32_t *out, roof_error *err);

#endif
