/* roofline/prediction.h - predicted cost of a network on a described device, layer by layer.
 *
 * Units: cycles are cycles of the accelerator's clock (clock_hz); _s seconds; _bytes bytes of external memory
 *   (DDR); macs multiply-accumulates; ops operations, 1 MAC = 2 ops. Unknown counts are ROOF_UNKNOWN, unknown
 *   doubles are NaN; both are written as null.
 * Ownership: a roof_prediction owns everything in it and borrows nothing; free it with roof_prediction_free.
 *
 * ideal_cycles of a layer = the largest of its engines' cycles: engines work in parallel inside a layer, each
 * at its peak. ideal_cycles of the network = the sum over layers, one after the other, each as often as it is
 * executed: a bound of a per-layer run, and neither bound of a whole-network run.
 * floor_cycles = the largest over engines of the sum over layers: the bound if all layers overlapped.
 * scheduled_cycles = the code replayed, every instruction as early as those that it waits for allow.
 * Bound (roof_best_s) = the scheduled time where there is code, else the floor:
 * floor <= scheduled <= any whole-network run.
 * docs/formats/prediction.md, "bounds", says when they are estimates.
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

/* The engine whose multiply-accumulates are the headline of the hardware is the first of every prediction. */
enum { ROOF_ENGINE_ARRAY = 0 };

/* Estimate of the compiler of a model. */
typedef struct roof_compiler_estimate {
    uint64_t cycles;        /* its own law, recomputed */
    uint64_t stored_cycles; /* as the file states */
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

/* One engine of a schedule: "load", "save", "conv", or "misc" for all others. It takes its instructions in
 * order; waits are those for other engines. busy + waits + tail = scheduled, but for save, whose two ports
 * overlap, and which has no tail. */
typedef struct roof_schedule_engine {
    const char *name;
    uint32_t ports; /* that work side by side: busy for so many times the scheduled cycles at most */
    uint64_t busy_cycles, tail_cycles; /* tail: behind its last instruction */
    uint64_t critical_cycles;          /* of the critical path; their sum over engines is the whole */
    roof_named_cycles *waits;          /* by the engine that it waited for */
    uint32_t n_waits;
    const char *busy_steps,
        *path_steps;              /* when it worked; when the critical path ran through it. NULL: unknown */
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

/* Place of a layer in its part's schedule; cycles from the start of the part. ROOF_UNKNOWN: it has no
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

/* CPU operators by kind. Each of them has a time, is smaller than its time is stated for, or has an unknown
 * time; operators are counted as often as an inference executes them. */
typedef struct roof_host_share {
    const char *kind; /* "softmax"; the type of the file where the hardware has no time of any such kind */
    const char *unit; /* of count: "elements", "bytes"; "" where it has none */
    uint64_t count;   /* of those with a time */
    double about_s;   /* of these, all together; NaN: there are none */
    uint64_t timed, small, unknown;
} roof_host_share;

/* About: the time itself lies between this part and so many times what is said. */
#define ROOF_HOST_FACTOR 2.0

/* Sums over the rows of a lowered graph, of one image, by which expected times on boards are known
 * (docs/hardware/boards.md). Elements, not bytes, so that they are the same in all data types.
 * cin: input channels that one output sees, multiply-accumulates / (output elements * taps of the kernel);
 * cout: output channels of a group. */
typedef struct roof_dense_sums {
    double macs, macs_over_cin, macs_over_cout, macs_over_cin_cout;
} roof_dense_sums;
typedef struct roof_sums {
    roof_dense_sums k, one; /* dense convolutions whose kernel has several taps, or one */
    double depthwise_macs, product_macs;
    double map_elements;              /* read and written by all rows */
    double map_elements_without_macs; /* of these, by rows without multiply-accumulates */
    double smooth_elements; /* written by rows with a sigmoid, an error function, a softmax or a division */
    double weight_elements; /* weights and biases */
    double rows;            /* that have multiply-accumulates or elements */
} roof_sums;

/* A time that somebody published of a network on a device (roofline/published.h). Texts are constant. */
typedef struct roof_published_time {
    const char *network, *hardware, *device; /* as its table calls them; hardware: as --hw does, or "" */
    const char *stack, *software, *data_type, *source;
    uint32_t batch, threads; /* threads 0: nothing to choose */
    bool is_same;            /* the same MACs, weights and input; false: only the name is known to agree */
    uint32_t unlikeness;     /* bits of what differs from the request: stack, type, batch, threads, name */
    double seconds;          /* of one image */
} roof_published_time;

typedef struct roof_layer_prediction {
    uint32_t index; /* from 1, as shown */
    const char *name, *subgraph, *type, *device;
    const char **ops; /* op types in order */
    uint32_t n_ops;
    const char *shape; /* "224x224x3 -> 112x112x32 k3x3 s2x2": for people */
    /* With names_operators: operators of the file that the row stands for, the one that computes most first;
     * operators[i] is the name of the one at the place nodes[i] of the file (roof_op). "": it has none, or
     * one that another operator has too. An operator may be in two rows. */
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
    /* CPU time of its operators, within a factor of ROOF_HOST_FACTOR: in no other time. NaN: not known for
     * all, or smaller than it is stated for. */
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
    /* For models whose compiler states the traffic of each memory, hardware.pools; else unknown and NULL. */
    roof_compiler_estimate estimate;
    roof_transfer *transfers; /* in all memories, which are engines, of the whole batch */
    uint32_t n_transfers;
} roof_layer_prediction;

/* A memory pool, as the model's file and the hardware describe it. */
typedef struct roof_pool_rates {
    const char *name;
    uint32_t engine;           /* into engines */
    uint32_t byte_width;       /* of one cycle of the memory; ROOF_NONE: unknown */
    double freq_ratio;         /* NPU clock / memory clock, as the compiler counts; NaN: unknown */
    double vendor_bytes_per_s; /* by the compiler's figures; NaN: unknown */
    double bytes_per_s;        /* of the memory itself; NaN: unknown */
    bool from_file;            /* the compiler's figures are the model's own, not the device description's */
    bool cached;               /* read through the accelerator's cache */
    uint64_t size_bytes, used_bytes;  /* ROOF_UNKNOWN: unknown */
    uint64_t read_bytes, write_bytes; /* by one inference; ROOF_UNKNOWN likewise */
} roof_pool_rates;

/* The most that one engine does: an operation rate where it computes, a byte rate where it moves data; the
 * other one is NaN. Rates are of one core. */
typedef struct roof_ceiling {
    const char *engine, *meaning; /* meaning: "depthwise convolutions on the ALU" */
    double ops_per_s, bytes_per_s;
    /* the most of it that somebody measured, in the unit of the one that it has; NaN: unknown */
    double reached_per_s;
} roof_ceiling;

/* How many times as fast parts are taken to be; 0: as they are. For compiled code that can be replayed. */
typedef struct roof_speedups {
    double load, save, conv, alu, eltwise;
    double fetch; /* of instructions; only in expected times, since in bounds it takes none */
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

/* Changes that --what-if requests. */
typedef struct roof_what_if_request {
    roof_speedups speedups;
    roof_changes changes;
    bool has_speedups, has_changes;
} roof_what_if_request;

/* Reads "load=2,alu=1.5", "octoFlash=2", "precision=int8": what is no engine of roof_speedups_parse is the
 * name of a memory, which roof_predict looks for. Errors: E_USAGE. Example: tests/unit/test_changes.c. */
ROOF_API roof_status roof_what_if_parse(const char *text, roof_what_if_request *out, roof_error *err);

/* The same code replayed with something changed. */
typedef struct roof_what_if {
    const char *label;         /* "alu x2", "without #5 expanded_conv_2" */
    double best_s;             /* as roof_best_s */
    double expected_s;         /* as total.predicted_s; NaN without */
    double expected_ci95_s[2]; /* as far from it as the ends of total.predicted_s are; NaN without */
    bool of_causes;            /* replayed for the causes alone: best_s is NaN where times are expected */
    bool is_asked;             /* by --what-if: the first of them */
} roof_what_if;

/* Replays of the code with a change, where there is code. */
typedef enum roof_exploring {
    /* evidence of causes: the engines that limit most, and the fetching of instructions, twice as fast */
    ROOF_EXPLORE_CAUSES,
    ROOF_EXPLORE_ALL, /* every engine twice as fast, and each of the layers that would save most left out */
    ROOF_EXPLORE_NOTHING /* then no cause rests on a replay */
} roof_exploring;

/* A time of an image that the caller measured. */
typedef struct roof_own_time {
    const char *name;      /* of the network, or of the device, as --hw names it */
    const roof_sums *sums; /* total.sums of that network's prediction; of a device not read */
    double seconds;
} roof_own_time;

/* Words behind `roofline predict` and `roofline advise` that ask for the same, quoted for a shell: "net.onnx
 * --hw kv260". Sentences name them as the next command. NULL: it cannot be asked for there. */
typedef struct roof_commands {
    const char *predict, *advise;
} roof_commands;

typedef struct roof_predict_options {
    uint32_t batch;               /* images per run; 0 means 1 */
    double clock_hz;              /* 0: the hardware's */
    double bandwidth_bytes_per_s; /* external memory; 0: the device's */
    uint32_t cores;               /* 0: the hardware's */
    /* with how many of them busy expected times are, since they share the memory; 0: all */
    uint32_t busy_cores;
    const roof_load *load;                      /* borrowed for the call; NULL: no inferences/s */
    bool hash;                                  /* SHA-256 of the whole file: reads the weights */
    const struct roof_calibration *calibration; /* borrowed for the call; NULL: only the ideal */
    /* "int8", in which the model is computed; borrowed likewise. NULL: the model's own where the hardware
     * states its rate, else that of the hardware. Not read for a language model, whose workload has it. */
    const char *data_type;
    /* Stack whose constants make expected times where the hardware has such (expect.STACK.METHOD.* in its
     * entry), borrowed likewise; NULL: that of the model's compiler. */
    const char *stack;
    /* For a language model: memory of the machine, 0: not stated; the caller's own measured steps
     * (roof_curve_options). */
    uint64_t memory_bytes;
    const roof_curve_measured *anchors;
    uint32_t n_anchors;
    /* Borrowed likewise, of boards with published times: the caller's own of other networks on this hardware,
     * and of this network on other devices. The surest of the times that follow from them is expected. */
    const roof_own_time *own_times, *other_device_times;
    uint32_t n_own_times, n_other_device_times;
    const roof_speedups *what_if; /* borrowed likewise; NULL: none */
    const roof_changes *changes;  /* borrowed likewise: predicted besides, as an alternative; NULL: none */
    roof_exploring explores;
    /* Rules of lowering an uncompiled graph: bit n leaves out rule n, which rests on timing alone (8). */
    uint32_t without_rules;
    /* Every row is given the operators of the file that it stands for: of thousands, which only programs that
     * show the file's graph need. */
    bool names_operators;
    /* leaves out what engines do over time, which only charts and documents show: busy_steps and the like */
    bool no_steps;
    roof_commands commands; /* borrowed likewise */
} roof_predict_options;

/* The same model with another workload, another data type or faster memories, predicted anew. */
typedef struct roof_alternative {
    const char *label; /* "int8 weights" */
    double ideal_s;
    double yield_per_s; /* as roof_yield_per_s */
    uint64_t bytes;
    bool is_asked; /* by --what-if */
    /* as roof_best_s and total.predicted_s; NaN: unknown, as in documents that were written without */
    double best_s, expected_s, expected_ci95_s[2];
    double most_per_s; /* by best_s, in what yield counts */
} roof_alternative;

typedef struct roof_prediction {
    struct {
        const char *path, *format, *name, *graph_hash, *sha256, *compiler, *target;
        uint64_t fingerprint; /* ROOF_UNKNOWN if none */
        bool compiled;
        roof_address address; /* by what programs that show the file know its operators */
        const char **beside;  /* files of its folder that completed the model's own */
        uint32_t n_beside;
        uint32_t height,
            width; /* of the first image that it reads; 0: none, or it was read from a document */
    } model;
    struct {
        const char *id, *name, *board, *family, *law;
        /* "int8": that multiply-accumulates are done in, of hardware that states rates by data type; NULL */
        const char *data_type;
        double clock_hz, bandwidth_bytes_per_s, peak_ops_per_s;
        uint32_t cores, batch_lanes;  /* batch_lanes: images that one pass of a core works on */
        double launch_floor_s;        /* an empty launch, measured on this board; NaN if not known */
        roof_value_kind weakest_kind; /* of the values that the result rests on */
        const char *weakest_key;
        const roof_ceiling *ceilings; /* in the order of engines; those that are known */
        uint32_t n_ceilings;
        /* All values of the entry, what-ifs included, with their sources; by key. */
        const roof_quantity *constants;
        uint32_t n_constants;
        /* The memories in which something is moved, where the model's compiler states several: has_pools.
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
        roof_sums sums; /* NaN unless a runtime's rules lowered the graph and all of it is known */
        roof_cost deployed;
        bool has_alone;
        roof_cost alone;
        uint64_t floor_cycles;
        uint32_t floor_bound;
        double floor_s, intensity_ops_per_byte;
        double inferences_per_s;                 /* of the ideal time, or of the schedule's, by all cores */
        double most_inferences_per_s;            /* of the bound: what cores, memory and calls allow */
        double predicted_s, predicted_ci95_s[2]; /* by constants or a calibration; NaN without */
        uint32_t busy_cores;                     /* with how many of them busy; 0: nothing is expected */
        /* of one core, one run after the other: never above what empty calls allow */
        double predicted_inferences_per_s;
        double unattributed_bytes_ratio, unattributed_cycles_ratio;
        roof_compiler_estimate estimate; /* sums; ROOF_UNKNOWN unless every layer has one. No bound */
        uint32_t host_layers; /* run by the host, in none of the times but the compiler's estimate */
        roof_yield yield;
    } total;
    /* Schedule of compiled code whose instructions and waits can be read: a lower bound of a whole-network
     * run, as the floor is, and nearer. scheduled_cycles: of all parts and passes; unknown where a part has
     * no schedule. */
    struct {
        uint64_t scheduled_cycles;
        double scheduled_s;
        /* The sum of the schedules of all layers' own codes, and of the expected times of them without what
         * starting them takes: what a per-layer profile runs. NaN where a layer has no code of its own, or
         * nothing is expected. */
        double alone_s, alone_expected_s;
        roof_schedule_part *parts;
        uint32_t n_parts;
        roof_what_if *what_ifs;
        uint32_t n_what_ifs;
    } schedule;
    /* CPU operators, where hardware and file state them: for people, and in no other time. With a calibration
     * expected times hold a constant of their own for it, per_software_epoch_s. */
    struct {
        double about_s, about_ci_s[2]; /* of those with a time; NaN: none has */
        roof_host_share *shares;       /* the longest first, then those without a time */
        uint32_t n_shares;
    } host;
    /* For a language model: the requested point, its counts, expected time and memory. */
    bool is_language;
    struct {
        roof_language_point point;
        roof_language_counts counts;
        roof_language_expectation expected;
        roof_language_memory memory;
    } language;
    roof_throughput throughput; /* points where a load was requested; service wherever a time is expected */
    const roof_fact *facts;     /* of the model */
    uint32_t n_facts;
    roof_published_time *published; /* on this hardware, the most alike first */
    uint32_t n_published;
    roof_alternative *alternatives; /* what if; of models whose workload is the user's to choose */
    uint32_t n_alternatives;
    /* "an uncompiled graph": its times are estimates of that; NULL: bounds. */
    const char *estimate_of;
    const char *calibration; /* source of predicted_s, for people; NULL without */
    roof_finding *findings;
    uint32_t n_findings;
    /* "1 of 303 computing operators ... run on the CPU": before the verdict, which is of the rest. NULL:
     * the file places none. */
    const char *placement;
    const roof_cause *causes; /* causes of time, the first to look at first */
    uint32_t n_causes;
    /* As the document has them that it was read from; NULL: roof_prediction_sentence makes them. */
    const char *verdict[4];
    /* Further facts of the verdict; unknown for a prediction that was read from a document. */
    struct {
        const char *hardware; /* that was requested, though figures may be of hardware.name in its place */
        const char *made_for; /* the hardware that the model was compiled for; NULL: unknown */
        /* "f32": the type of the file, which is computed in as integers, as its compiler or the user
         * quantises it; NULL: it is computed in as it is, or that is not stated */
        const char *taken_from;
        /* source of an expected time: "from 12 published networks of 5 families, RKNN Toolkit 2"; NULL:
         * calibration has it */
        const char *from;
        bool board_is_assumed;
        bool is_placed_whole;    /* all of it runs on the accelerator and fits, which goes without saying */
        roof_remark calibration; /* why the one that was given is not applied, or of what else it is */
        double least_call_s;     /* of an empty launch, else of one in a chain; 0: unknown */
        uint32_t n_binding;      /* the first of engines: those that may set an ideal time */
        roof_commands commands;
    } facts_of_verdict;
    /* private: what can be replayed; NULL: nothing, or it was read from a document */
    const struct schedule_code *code;
    struct roof_arena *arena; /* private */
    /* private: whether a row has an expected time, once all have what they get; else roof_rows_kind looks
     * */
    bool rows_are_timed, has_row_time;
} roof_prediction;

/* Loads the hardware that a model was compiled for: that of its fingerprint, or stm32n6 for a plan, since
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
 * Errors: E_DATA when hw lacks a value that its cost model needs (the message names the key); E_USAGE when
 *   it states no rate of options->data_type (the message has those that it states), and for a clock or a
 *   bandwidth of 100 times its own, which is a slip of a prefix.
 * Example: examples/library/predict.c, tests/unit/test_predict.c.
 */
ROOF_API roof_status roof_predict(const roof_graph *graph, const roof_hw *hw,
                                  const roof_predict_options *options, roof_prediction **out,
                                  roof_error *err);
ROOF_API void roof_prediction_free(roof_prediction *prediction);

/* Ideal cycles of all executions of a layer in one inference; NaN when they are unknown. */
ROOF_API double roof_layer_ideal_cycles(const roof_layer_prediction *layer);

/* Kind of the times by which rows are ranked: expected where that is known, else at least, for the ideal
 * ones. */
ROOF_API roof_answer_kind roof_rows_kind(const roof_prediction *prediction);

/* All executions of a layer in one inference, expected or else ideal; layer NULL: of all. NaN: unknown. */
ROOF_API double roof_layer_seconds(const roof_prediction *prediction, const roof_layer_prediction *layer);

/* True where the host runs a layer, and no time of the prediction has it: for an epoch of a plan at most a
 * constant of a calibration stands for it. An expected time of a language model by whole steps has them all;
 * one by the sum of its kernels leaves out what the host runs. */
ROOF_API bool roof_layer_is_left_out(const roof_prediction *prediction, const roof_layer_prediction *layer);

/* Share of a layer in the expected time, or else in the ideal one. NaN: unknown. */
ROOF_API double roof_layer_share_ratio(const roof_prediction *prediction, const roof_layer_prediction *layer);

/* Expected time of the whole beside its layers: the cost of a call, or the difference of the whole's cost
 * model from those of the layers, which may be below 0. 0 where there is none, or nothing is expected. */
ROOF_API double roof_beside_layers_s(const roof_prediction *prediction);

/* The bound: the scheduled time where there is code, else the floor; no whole-network run is faster. NaN
 * where neither is known. */
ROOF_API double roof_best_s(const roof_prediction *prediction);

/* Expected of an inference on a core while so many cores are busy, a real number, which counts as the next
 * whole one; at most as many as service of throughput is known for. NaN: nothing is expected. */
ROOF_API double roof_service_s(const roof_prediction *prediction, double busy_cores);

/* How many yield.unit (tokens, else inferences) the network makes a second, scheduled or else ideal. */
ROOF_API double roof_yield_per_s(const roof_prediction *prediction);

/* Traffic of a layer in the memory that an engine is; no bytes: the engine is none, or the layer moves
 * nothing. */
ROOF_API roof_transfer roof_layer_transfer(const roof_layer_prediction *layer, uint32_t engine);

/* The sentences on top of a prediction: 0, how fast, the bound, and what is not in them; 1, the bottleneck;
 * 2, the next step, and what it saves, "" where nothing is known of that. Then 3, which stands below: on
 * what they rest, and what comes behind the bottleneck; "" where there is no more to say.
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
