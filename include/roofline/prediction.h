/* roofline/prediction.h - what a network ought to cost on described hardware, layer by layer.
 *
 * Units: cycles are cycles of the accelerator's clock (clock_hz); _s seconds; _bytes bytes of external memory
 *   (DDR); macs multiply-accumulates; ops operations, 1 MAC = 2 ops. Unknown counts are ROOF_UNKNOWN, unknown
 *   doubles are NaN; both are written as null.
 * Ownership: a roof_prediction owns everything in it and borrows nothing; free it with roof_prediction_free.
 *
 * ideal_cycles of a layer = the largest of its engines' cycles: engines work in parallel inside a layer, each
 * at its peak. ideal_cycles of the network = the sum over layers, one after the other, each as often as it is
 * executed: a bound of a run that is timed layer by layer, and neither bound of a deployed one.
 * floor_cycles = the largest over engines of the sum over layers: what perfect overlap across layers could
 * reach. scheduled_cycles = the code replayed, every instruction as early as what it waits for allows.
 * At best (roof_best_s) = the scheduled time where there is code, else the floor: floor <= scheduled <= any
 * deployed run. docs/formats.md, "bounds", says when they are estimates.
 */
#ifndef ROOFLINE_PREDICTION_H
#define ROOFLINE_PREDICTION_H

#include "roofline/answer.h"
#include "roofline/causes.h"
#include "roofline/hw.h"
#include "roofline/language.h"
#include "roofline/throughput.h"
#include "roofline/work.h"

ROOF_BEGIN_C

#define ROOF_PREDICTION_SCHEMA "roofline.prediction/1"

/* The cost of one layer, or of the whole network, in one way of running it. */
typedef struct roof_cost {
    roof_traffic traffic;
    roof_basis bytes_basis, cycles_basis;
    uint64_t *cycles; /* in the order of roof_prediction.engines; NULL where nothing is known */
    uint64_t ideal_cycles;
    uint32_t bound; /* index of the engine that sets ideal_cycles, or ROOF_NONE */
    double ideal_s;
} roof_cost;

/* The engine whose multiply-accumulates are the hardware's headline is the first of every prediction. */
enum { ROOF_ENGINE_ARRAY = 0 };

/* What the compiler of a model expects. */
typedef struct roof_compiler_estimate {
    uint64_t cycles;        /* its own law, recomputed */
    uint64_t stored_cycles; /* what the file says */
    uint32_t bound;         /* index of the engine that sets cycles, or ROOF_NONE */
} roof_compiler_estimate;

typedef struct roof_named_cycles {
    const char *name;
    uint64_t cycles;
} roof_named_cycles;

/* How much of each of ROOF_SCHEDULE_STEPS equal parts of a schedule's time something takes, a character each:
 * '0' is nothing, 'z' all of it, the digits and letters between them as many 35ths. */
enum { ROOF_SCHEDULE_STEPS = 256 };
typedef struct roof_named_steps {
    const char *name, *steps;
} roof_named_steps;

/* One of them as a ratio; NaN for a character that it cannot be. */
ROOF_API double roof_step_ratio(char step);

/* What one engine of a schedule does: "load", "save", "conv", or "misc" for all others. It takes its
 * instructions in order; waits are those for other engines. busy + waits + tail = scheduled, but for save,
 * whose two ports overlap, and which has no tail. */
typedef struct roof_schedule_engine {
    const char *name;
    uint32_t ports; /* that work side by side: busy for so many times the scheduled cycles at most */
    uint64_t busy_cycles, tail_cycles; /* tail: behind its last instruction */
    uint64_t critical_cycles;          /* of the critical path; their sum over engines is the whole */
    roof_named_cycles *waits;          /* by the engine that it waited for */
    uint32_t n_waits;
    const char *busy_steps,
        *path_steps;              /* when it worked; when the critical path ran through it. NULL: not known */
    roof_named_steps *wait_steps; /* when it waited for what */
    uint32_t n_wait_steps;
} roof_schedule_engine;

/* The schedule of one part of the network: each instruction starts once those that it waits for are done. */
typedef struct roof_schedule_part {
    const char *subgraph;
    uint64_t scheduled_cycles; /* of one pass */
    roof_schedule_engine *engines;
    uint32_t n_engines;
} roof_schedule_part;

/* What a layer is of its part's schedule; cycles from the start of the part. ROOF_UNKNOWN: it has no
 * instruction in one. */
typedef struct roof_layer_schedule {
    uint64_t start_cycles, end_cycles; /* of its first and its last instruction */
    uint64_t critical_cycles;          /* of the critical path, in its instructions */
    uint64_t path_start_cycles;        /* where the critical path reaches it first */
    uint64_t waits_cycles;             /* that engines waited with an instruction of it, all together */
    uint64_t alone_cycles;             /* the schedule of its own code; ROOF_UNKNOWN: it has none */
    /* of the critical path of the expected time, its fetching included; NaN: not replayed */
    double expected_path_s;
} roof_layer_schedule;

/* What the host does, by kinds of operators. Each of them has a time, is smaller than its time is stated for,
 * or has a time that is not known; operators are counted as often as an inference executes them. */
typedef struct roof_host_share {
    const char *kind; /* "softmax"; the type of the file where the hardware has no time of any such kind */
    const char *unit; /* of count: "elements", "bytes"; "" where it has none */
    uint64_t count;   /* of those with a time */
    double about_s;   /* of these, all together; NaN: there are none */
    uint64_t timed, small, unknown;
} roof_host_share;

/* About: the time itself lies between this part and so many times what is said. */
#define ROOF_HOST_FACTOR 2.0

typedef struct roof_layer_prediction {
    uint32_t index; /* from 1, as shown */
    const char *name, *subgraph, *type, *device;
    const char **ops; /* op types in order */
    uint32_t n_ops;
    const char *shape; /* "224x224x3 -> 112x112x32 k3x3 s2x2": for people */
    /* Of a prediction that names_operators: operators of the file that the row stands for, of which the one
     * that computes most leads; operators[i] is the name of the one at the place nodes[i] of the file
     * (roof_op). "": it has none, or one that another operator has too. An operator may be in two rows. */
    const char **operators;
    uint32_t n_operators;
    uint32_t *nodes;
    uint32_t n_nodes;       /* as many */
    roof_executor executor; /* device is the word for it */
    /* how often one inference executes it; all counts and times of the row are of one execution */
    uint32_t repeat;
    bool is_remainder; /* stands for what no layer owns; its name is in parentheses */
    /* macs and ops_count are of the whole batch, the workloads of one image, as the file counts them */
    uint64_t macs, ops_count, workload_ops, stored_workload_ops;
    uint64_t array_macs; /* those of macs that the array does, not a side engine */
    /* Every tensor of each of its operators once, where deployed.traffic may hold besides what tiles read
     * again; else unknown. */
    uint64_t least_bytes;
    roof_cost deployed; /* as part of the whole network */
    roof_layer_schedule schedule;
    bool has_alone;
    /* deployed is this row's share of a pass whose rows share a cache, and no bound of the row by itself;
     * alone is, with the whole cache granted to it. */
    bool shares_cache;
    roof_cost alone;    /* as a per-layer profile executes it, where the file has code for that */
    double predicted_s; /* with a calibration; NaN without */
    /* What the host takes for its operators, within a factor of ROOF_HOST_FACTOR: in no other time. NaN: not
     * known of all, or smaller than it is stated for. */
    double about_s;
    /* On the roofline a row counts the operations of one engine, of those that compute the one with most
     * cycles: roof is its index, whose ceiling no row exceeds; 2 operations for a multiply-accumulate,
     * without what other engines do meanwhile and without bias and activations. ROOF_NONE and ROOF_UNKNOWN
     * where no engine computes, or counts contradict its peak. */
    uint32_t roof;
    uint64_t roof_ops_count;
    double intensity_ops_per_byte; /* roof_ops_count / all bytes */
    double attainable_ops_per_s;   /* roof_ops_count / ideal_s */
    double utilisation_ratio;      /* 2 * array_macs / (ideal_s * hardware.peak_ops_per_s) */
    /* Of models whose compiler tells what is moved in which memory, hardware.pools; else unknown and NULL. */
    roof_compiler_estimate estimate;
    roof_transfer *transfers; /* in all memories, which are engines, of the whole batch */
    uint32_t n_transfers;
} roof_layer_prediction;

/* A memory pool, as the model's file and the hardware describe it. */
typedef struct roof_pool_rates {
    const char *name;
    uint32_t engine;           /* into engines */
    uint32_t byte_width;       /* of one cycle of the memory; ROOF_NONE: not known */
    double freq_ratio;         /* NPU clock / memory clock, as the compiler counts; NaN: not known */
    double vendor_bytes_per_s; /* by the compiler's figures; NaN: not known */
    double bytes_per_s;        /* of the memory itself; NaN: not known */
    bool from_file;            /* the compiler's figures are the model's own, not the hardware entry's */
    bool cached;               /* read through the accelerator's cache */
    uint64_t size_bytes, used_bytes;  /* ROOF_UNKNOWN: not known */
    uint64_t read_bytes, write_bytes; /* by one inference; ROOF_UNKNOWN likewise */
} roof_pool_rates;

/* The most that one engine does: an operation rate where it computes, a byte rate where it moves data; the
 * other one is NaN. Of one core. */
typedef struct roof_ceiling {
    const char *engine, *meaning; /* meaning: "depthwise convolutions on the ALU" */
    double ops_per_s, bytes_per_s;
    /* the most of it that somebody measured, in the unit of the one that it has; NaN: not known */
    double reached_per_s;
} roof_ceiling;

/* How many times as fast parts are taken to be; 0: as they are. For compiled code that can be replayed. */
typedef struct roof_speedups {
    double load, save, conv, alu, eltwise;
    double fetch; /* of instructions; only in expected times, since at best it takes none */
    double clock; /* of the accelerator; its ports take more cycles then, as far as the memory limits them */
} roof_speedups;

/* Reads "load=2,alu=1.5": names of the members above. Errors: E_USAGE. Example:
 * tests/unit/test_schedule.c. */
ROOF_API roof_status roof_speedups_parse(const char *text, roof_speedups *out, roof_error *err);

/* Memories of a plan that are taken to be faster, and the data type that is taken for the network. */
enum { ROOF_MOST_POOL_CHANGES = 8 };
typedef struct roof_pool_change {
    char pool[80];
    double times; /* as fast */
} roof_pool_change;
typedef struct roof_changes {
    roof_pool_change pools[ROOF_MOST_POOL_CHANGES];
    uint32_t n_pools;
    const char *precision; /* "int8": static; NULL: as it is */
} roof_changes;

/* What --what-if asks. */
typedef struct roof_what_if_asked {
    roof_speedups speedups;
    roof_changes changes;
    bool has_speedups, has_changes;
} roof_what_if_asked;

/* Reads "load=2,alu=1.5", "octoFlash=2", "precision=int8": what is no engine of roof_speedups_parse is the
 * name of a memory, which roof_predict looks for. Errors: E_USAGE. Example: tests/unit/test_changes.c. */
ROOF_API roof_status roof_what_if_parse(const char *text, roof_what_if_asked *out, roof_error *err);

/* The same code replayed with something changed. */
typedef struct roof_what_if {
    const char *label; /* "alu x2", "without #5 expanded_conv_2" */
    double best_s;     /* as roof_best_s */
    double expected_s; /* as total.predicted_s; NaN without */
    bool of_causes;    /* replayed for the causes alone: best_s is NaN where times are expected */
    bool is_asked;     /* by --what-if: the first of them */
} roof_what_if;

/* What is replayed with a change, where there is code. */
typedef enum roof_exploring {
    /* what the causes rest on: the engines that bind most, and the fetching of instructions, twice as fast */
    ROOF_EXPLORE_CAUSES,
    ROOF_EXPLORE_ALL, /* every engine twice as fast, and each of the layers that would gain most left out */
    ROOF_EXPLORE_NOTHING /* then no cause rests on a replay */
} roof_exploring;

typedef struct roof_predict_options {
    uint32_t batch;               /* images per run; 0 means 1 */
    double clock_hz;              /* 0: the hardware's */
    double bandwidth_bytes_per_s; /* external memory; 0: the hardware's */
    uint32_t cores;               /* 0: the hardware's */
    /* with how many of them busy expected times are, since they share the memory; 0: all */
    uint32_t busy_cores;
    const roof_load *load;                      /* borrowed for the call; NULL: no frames per second */
    bool hash;                                  /* SHA-256 of the whole file: reads the weights */
    const struct roof_calibration *calibration; /* borrowed for the call; NULL: only the ideal */
    /* "int8", in which the model is computed; borrowed likewise. NULL: the model's own where the hardware
     * states its rate, else the hardware's. Of a language model it is in the workload, and not read here. */
    const char *data_type;
    /* Whose constants make expected times where the hardware has such (expect.STACK.METHOD.* in its entry),
     * borrowed likewise; NULL: the compiler's that the model is of. */
    const char *stack;
    /* Of a language model: memory of the machine, 0: not said; one's own measured steps (roof_curve_options).
     * */
    uint64_t memory_bytes;
    const roof_curve_measured *anchors;
    uint32_t n_anchors;
    const roof_speedups *what_if; /* borrowed likewise; NULL: none */
    const roof_changes *changes;  /* borrowed likewise: predicted besides, as an alternative; NULL: none */
    roof_exploring explores;
    /* Of lowering a graph that nobody compiled: bit n leaves out rule n, which rests on timing alone (8). */
    uint32_t without_rules;
    /* Every row is given the operators of the file that it stands for: of thousands, which only programs that
     * show the file's graph need. */
    bool names_operators;
    /* leaves out what engines do over time, which only charts and documents show: busy_steps and the like */
    bool no_steps;
} roof_predict_options;

/* The same model with another workload, another data type or faster memories, predicted anew. */
typedef struct roof_alternative {
    const char *label; /* "int8 weights" */
    double ideal_s;
    double yield_per_s; /* as roof_yield_per_s */
    uint64_t bytes;
    bool is_asked; /* by --what-if */
} roof_alternative;

typedef struct roof_prediction {
    struct {
        const char *path, *format, *name, *graph_hash, *sha256, *compiler, *target;
        uint64_t fingerprint; /* ROOF_UNKNOWN if none */
        bool compiled;
        roof_address address; /* by what programs that show the file know its operators */
        const char **beside;  /* files of its folder that completed the model's own */
        uint32_t n_beside;
    } model;
    struct {
        const char *id, *name, *board, *family, *law;
        /* "int8": that multiply-accumulates are done in, of hardware that states rates by data type; NULL */
        const char *data_type;
        double clock_hz, bandwidth_bytes_per_s, peak_ops_per_s;
        uint32_t cores, batch_lanes;  /* batch_lanes: images that one pass of a core works on */
        double launch_floor_s;        /* an empty run, measured on this board; NaN if not known */
        roof_value_kind weakest_kind; /* of the values that the result rests on */
        const char *weakest_key;
        const roof_ceiling *ceilings; /* in the order of engines; those that are known */
        uint32_t n_ceilings;
        /* All values of the entry, what-ifs included, with their sources; by key. */
        const roof_quantity *constants;
        uint32_t n_constants;
        /* The memories in which something is moved, where the model's compiler tells of several: has_pools.
         * Else there is one, outside of the accelerator. */
        bool has_pools;
        roof_pool_rates *pools;
        uint32_t n_pools;
    } hardware;
    roof_predict_options options;
    const char **engines; /* "conv", "alu", ... */
    uint32_t n_engines;
    roof_layer_prediction *layers;
    uint32_t n_layers; /* rows, the remainder's included */
    /* The host starts layers one by one, or subgraphs; false: the network as a whole. */
    bool is_started_by_rows;
    struct {
        uint32_t layers, boundaries; /* accelerator layers; those that emit code */
        uint64_t macs, ops_count, workload_ops, stored_workload_ops;
        uint64_t array_macs;
        roof_cost deployed;
        bool has_alone;
        roof_cost alone;
        uint64_t floor_cycles;
        uint32_t floor_bound;
        double floor_s, intensity_ops_per_byte;
        double inferences_per_s;                 /* of the ideal time, or of the schedule's, by all cores */
        double most_inferences_per_s;            /* of the time at best: what cores, memory and calls allow */
        double predicted_s, predicted_ci95_s[2]; /* with a calibration; NaN without */
        uint32_t busy_cores;                     /* with how many of them busy; 0: nothing is expected */
        /* of one core, one run after the other: never above what empty calls allow */
        double predicted_inferences_per_s;
        double unattributed_bytes_ratio, unattributed_cycles_ratio;
        roof_compiler_estimate estimate; /* sums; ROOF_UNKNOWN unless every layer has one. No bound */
        uint32_t host_layers; /* run by the host, in none of the times but the compiler's estimate */
        roof_yield yield;
    } total;
    /* Of compiled code whose instructions, and what they wait for, can be read: a lower bound of a deployed
     * run, as the floor is, and nearer. scheduled_cycles: of all parts and passes; unknown where a part has
     * no schedule. */
    struct {
        uint64_t scheduled_cycles;
        double scheduled_s;
        /* The sum of the schedules of all layers' own codes, and of what to expect of them without what
         * starting them takes: what a per-layer profile runs. NaN where a layer has no code of its own, or
         * nothing is expected. */
        double alone_s, alone_expected_s;
        roof_schedule_part *parts;
        uint32_t n_parts;
        roof_what_if *what_ifs;
        uint32_t n_what_ifs;
    } schedule;
    /* What the host does, where hardware and file tell: for people, and in no other time. With a calibration
     * expected times hold a constant of their own for it, per_software_epoch_s. */
    struct {
        double about_s, about_ci_s[2]; /* of those with a time; NaN: none has */
        roof_host_share *shares;       /* the longest first, then those without a time */
        uint32_t n_shares;
    } host;
    /* Of a language model: what was asked for, its counts, what to expect, and whether it fits. */
    bool is_language;
    struct {
        roof_language_point point;
        roof_language_counts counts;
        roof_language_expectation expected;
        roof_language_memory memory;
    } language;
    roof_throughput throughput; /* points where a load was asked for; service wherever a time is expected */
    const roof_fact *facts;     /* of the model */
    uint32_t n_facts;
    roof_alternative *alternatives; /* what if; of models whose workload is the user's to choose */
    uint32_t n_alternatives;
    /* "an uncompiled graph": its times are estimates of that; NULL: bounds. */
    const char *estimate_of;
    const char *calibration; /* what predicted_s rests on, for people; NULL without */
    roof_finding *findings;
    uint32_t n_findings;
    /* "1 of 303 computing operators ... run on the CPU": before the verdict, which is of the rest. NULL: the
     * file places none. */
    const char *placement;
    const roof_cause *causes; /* what costs time, the first to look at first */
    uint32_t n_causes;
    /* As the document has them that it was read from; NULL: roof_prediction_sentence makes them. */
    const char *verdict[3];
    /* What the verdict tells beside all else; unknown of a prediction that was read. */
    struct {
        const char *hardware; /* that was asked for, though figures may be of hardware.name in its place */
        const char *made_for; /* the hardware that the model was compiled for; NULL: not known */
        /* "f32": the type of the file, which is computed in as integers, as its compiler or the user
         * quantises it; NULL: it is computed in as it is, or nothing tells */
        const char *taken_from;
        bool board_is_assumed;
        roof_remark calibration; /* why the one that was given is not applied, or of what else it is */
        double least_call_s;     /* of an empty call, by the least that the hardware states; 0: not known */
        uint32_t n_binding;      /* the first of engines: those that may set an ideal time */
    } facts_of_verdict;
    /* private: what can be replayed; NULL: nothing, or it was read from a document */
    const struct schedule_code *code;
    struct roof_arena *arena; /* private */
    /* private: whether a row has an expected time, once all have what they get; else roof_rows_kind looks
     * */
    bool rows_are_timed, has_row_time;
} roof_prediction;

/* Loads the hardware that a model was compiled for: what its fingerprint tells, or stm32n6 for a plan, since
 * epochs are planned for one accelerator, whose clocks are the user's to choose.
 *
 * out: the caller frees it; NULL with ROOF_OK when the model is not compiled for any.
 * Errors: those of roof_hw_match and roof_hw_load.
 * Example: tests/unit/test_predict.c.
 */
ROOF_API roof_status roof_hw_of_model(const roof_graph *graph, roof_hw **out, roof_error *err);

/* Predicts the cost of graph on hw.
 *
 * options: NULL for defaults.
 * out: the caller frees it.
 * Errors: E_DATA when hw lacks a value that its cycle law needs (the message names the key); E_USAGE when
 *   it states no rate of options->data_type (the message has those that it states), and for a clock or a
 *   bandwidth of 100 times its own, which is a slip of a prefix.
 * Example: examples/library/predict.c, tests/unit/test_predict.c.
 */
ROOF_API roof_status roof_predict(const roof_graph *graph, const roof_hw *hw,
                                  const roof_predict_options *options, roof_prediction **out,
                                  roof_error *err);
ROOF_API void roof_prediction_free(roof_prediction *prediction);

/* Ideal cycles of all executions of a layer in one inference; NaN when they are not known. */
ROOF_API double roof_layer_ideal_cycles(const roof_layer_prediction *layer);

/* What the times of rows are, by which they are ranked: expected, where that is known; else at least, which
 * are the ideal ones. */
ROOF_API roof_answer_kind roof_rows_kind(const roof_prediction *prediction);

/* All executions of a layer in one inference, expected or else ideal; layer NULL: of all. NaN: not known. */
ROOF_API double roof_layer_seconds(const roof_prediction *prediction, const roof_layer_prediction *layer);

/* Of which part of the expected time, or else of the ideal one, a layer is. NaN: not known. */
ROOF_API double roof_layer_share_ratio(const roof_prediction *prediction, const roof_layer_prediction *layer);

/* What is expected of the whole beside its layers: what a call costs, or what the law of the whole differs by
 * from those of the layers, and then it may be below 0. 0 where that is nothing, or nothing is expected. */
ROOF_API double roof_beside_layers_s(const roof_prediction *prediction);

/* At best: the scheduled time where there is code, else the floor; no deployed run is faster. NaN where
 * neither is known. */
ROOF_API double roof_best_s(const roof_prediction *prediction);

/* Expected of an inference on a core while so many cores are busy, a real number, which counts as the next
 * whole one; at most as many as service of throughput is known for. NaN: nothing is expected. */
ROOF_API double roof_service_s(const roof_prediction *prediction, double busy_cores);

/* How many yield.unit (tokens, else inferences) the network makes a second, scheduled or else ideal. */
ROOF_API double roof_yield_per_s(const roof_prediction *prediction);

/* What a layer moves in the memory that an engine is; no bytes: it is none, or the layer moves nothing. */
ROOF_API roof_transfer roof_layer_transfer(const roof_layer_prediction *layer, uint32_t engine);

/* The sentences on top of a prediction: 0, how fast, and how far from the silicon; 1, what binds; 2, what to
 * do first, and what it gains, "" where nothing is known of that.
 *
 * buffer: ROOF_SENTENCE_SIZE bytes.
 * Result: buffer; NULL behind the last.
 * Example: examples/library/predict.c.
 */
ROOF_API const char *roof_prediction_sentence(const roof_prediction *prediction, uint32_t i, char *buffer);

/* Reads a prediction that was written as JSON (docs/schema/prediction-1.schema.json): a saved prediction is
 * the prediction, but that what no count is behind, such as a calibrated time, has 12 digits.
 *
 * path: a file, or "-" for standard input.
 * Errors: E_DATA with a JSON pointer as place, E_LIMIT, E_NO_INPUT, E_IO.
 * Example (tests/unit/test_prediction_codec.c): what roof_render wrote comes back, and is written
 * the same.
 */
ROOF_API roof_status roof_prediction_read(const char *path, roof_prediction **out, roof_error *err);

ROOF_END_C
#endif
