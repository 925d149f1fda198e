/* roofline/measured.h - measurements: the document "roofline.measured/1" (docs/schema).
 *
 * Units: _s seconds, _hz Hertz, _bytes bytes of external memory, _j joules, _w watts, ops operations (1 MAC =
 *   2 ops). Unknown counts are ROOF_UNKNOWN, unknown indices ROOF_NONE, unknown doubles NaN; none of them is
 *   written.
 * Shapes: a document has experiments, an experiment is one model on one device, a run is one way of running
 *   it, a layer is one row of a profile. Rows are in the order of the document; index, where stated, is the
 *   order of execution.
 * Ownership: a roof_measured owns everything in it; free it with roof_measured_free.
 *
 * bypass: whole-network run, with no instrumentation inside. per_layer: timed at every layer boundary.
 * load: the same in several threads at once. A thread begins its next inference when its last one is done,
 *   and waits for no other thread, so that a latency holds the waiting for what the threads share.
 */
#ifndef ROOFLINE_MEASURED_H
#define ROOFLINE_MEASURED_H

#include "roofline/prediction.h"
#include "roofline/sink.h"

ROOF_BEGIN_C

#define ROOF_MEASURED_SCHEMA "roofline.measured/1"

/* Repetitions of one duration: the samples, or what somebody kept of them. Where there are samples, all the
 * rest is computed from them, by roof_statistics_of, but for cov_ratio. */
typedef struct roof_times {
    const double *samples_s; /* count of them, as they were taken, one after the other; NULL: not kept */
    uint64_t count;          /* of repetitions */
    /* So many stand before samples_s and in no figure: roof_reconcile leaves out a beginning that is slower.
     * In a document all are samples. */
    uint64_t warm_up;
    double mean_s, std_s, min_s, max_s, median_s, p95_s, p99_s;
    double cov_ratio; /* std / mean as somebody printed it; kept beside what std_s and mean_s make of it */
} roof_times;

/* How a layer's time came about. */
typedef enum roof_time_basis {
    ROOF_TIME_MEASURED,
    ROOF_TIME_ESTIMATED, /* by a simulator or a model of the tool */
    ROOF_TIME_SHARE      /* the tool only said which share of the whole it is */
} roof_time_basis;

typedef enum roof_bytes_origin {
    ROOF_BYTES_UNSTATED,
    ROOF_BYTES_COUNTER, /* counted by hardware */
    ROOF_BYTES_STATIC   /* computed by the tool from the compiled model */
} roof_bytes_origin;

/* Kind of a row's cycles. Only elapsed ones over their clock are a time. */
typedef enum roof_cycles_kind {
    ROOF_CYCLES_ELAPSED,  /* from the begin of the row to its end */
    ROOF_CYCLES_SUMMED,   /* over units that work at the same time */
    ROOF_CYCLES_PREDICTED /* by the tool, which did not count them */
} roof_cycles_kind;

typedef struct roof_domain_cycles {
    const char *domain;
    uint64_t cycles;
} roof_domain_cycles;

/* A phase of a layer or a run ("pre", "core", "post") in cycles of each clock domain that counted it. */
typedef struct roof_phase_cycles {
    const char *name;
    roof_domain_cycles *cycles;
    uint32_t n_cycles;
} roof_phase_cycles;

/* Scope of a count: the part of the device, or the kind of operation, that it is of. docs/formats/measured.md
 * lists the names that documents have for them. */
typedef enum roof_counter_scope {
    ROOF_COUNTER_OTHER,   /* not known: name is that of the document */
    ROOF_COUNTER_BUS,     /* a bus interface, by its index, or by name */
    ROOF_COUNTER_STREAM,  /* a stream engine, by its index; its buffer in a memory, by name */
    ROOF_COUNTER_CACHE,   /* the cache before external memory */
    ROOF_COUNTER_MEMORY,  /* a memory pool, by name */
    ROOF_COUNTER_PROGRAM, /* all that the row or the run stands for */
    ROOF_COUNTER_UNIT,    /* a kind of unit, by name */
    ROOF_COUNTER_TILE,    /* an event that a tile of an array traced: "core_trace for tile3,1.LOCK_STALL" */
    /* buffers that the host shares with the accelerator, as the host writes and reads them */
    ROOF_COUNTER_BUFFER,
    /* epochs that the runtime put behind one of the compiler; of cycles name is the phase */
    ROOF_COUNTER_EXTRA,
    ROOF_COUNTER_OPERATION, /* a kind of operation, by name */
    ROOF_COUNTER_SCOPES
} roof_counter_scope;

typedef enum roof_counter_direction {
    ROOF_COUNTER_UNDIRECTED, /* none, or not stated */
    ROOF_COUNTER_READ,
    ROOF_COUNTER_WRITE
} roof_counter_direction;

typedef enum roof_counter_quantity {
    ROOF_COUNTER_PIECES, /* how many there are */
    ROOF_COUNTER_BYTES,
    ROOF_COUNTER_BURSTS,         /* of so many beats */
    ROOF_COUNTER_ACTIVE_CYCLES,  /* in which an engine was not stalled */
    ROOF_COUNTER_COMPUTE_CYCLES, /* with ideal memory */
    ROOF_COUNTER_MAX_CYCLES,     /* with the memory's limits */
    ROOF_COUNTER_OPS,
    ROOF_COUNTER_HITS,
    ROOF_COUNTER_MISSES,
    ROOF_COUNTER_ALLOC_MISSES,
    ROOF_COUNTER_EVICTIONS,
    ROOF_COUNTER_THROUGHS,
    ROOF_COUNTER_BUSY_PPM, /* of its peak, in millionths: where a tool has shares and no cycles */
    ROOF_COUNTER_IDLE_CYCLES,
    ROOF_COUNTER_TOTAL_CYCLES, /* while it was counted, active or not */
    ROOF_COUNTER_BEATS,        /* transfers over a bus, each as wide as the bus */
    ROOF_COUNTER_RATE_PPM,     /* a share that is no part of the time, in millionths: hits, warps alive */
    ROOF_COUNTER_STALL_PPM     /* of all threads that wait those that wait for this, in millionths */
} roof_counter_quantity;

typedef enum roof_counter_origin {
    ROOF_COUNTER_COUNTED, /* by hardware */
    ROOF_COUNTER_PLANNED, /* by the compiler */
    ROOF_COUNTER_SUMMED   /* planned, and added up by the tool over one inference */
} roof_counter_origin;

/* How often something happened, or what the compiler planned: "busif0.read_bytes" in a document. */
typedef struct roof_event {
    const char *name; /* of a memory, a unit, an operation, or of what is unknown; else NULL */
    roof_counter_scope scope;
    roof_counter_direction direction;
    roof_counter_quantity quantity;
    roof_counter_origin origin;
    uint32_t index, beats; /* of a bus interface or a stream engine; of bursts; else 0 */
    uint64_t count;
} roof_event;

/* Values of a layer that few profiles have, for one execution of it. */
typedef struct roof_layer_counters {
    const char *device;                            /* "DPU", "CPU"; NULL: not stated */
    uint64_t read_bytes, write_bytes, total_bytes; /* total_bytes where a tool does not separate them */
    roof_bytes_origin bytes_origin;
    uint64_t workload_ops;                   /* as the tool counts it; often rounded */
    double share_ratio, ops_per_s, energy_j; /* share_ratio: of one inference, all executions together */
    /* Where a tool separates them: copies to the accelerator, its work, copies back. Together at most the
     * time of the row. */
    double write_s, run_s, read_s;
    roof_domain_cycles *cycles;
    uint32_t n_cycles;
    roof_cycles_kind cycles_kind; /* of all of them */
    roof_phase_cycles *phases;
    uint32_t n_phases;
    roof_event *events;
    uint32_t n_events;
} roof_layer_counters;

typedef struct roof_measured_layer {
    roof_times time; /* of one execution */
    const char *name;
    const char *type;              /* NULL: not stated */
    roof_layer_counters *counters; /* NULL: none of them is stated */
    uint32_t index;                /* order of execution from 1, or ROOF_NONE */
    uint32_t executions; /* by one inference: 16 of a program that 16 equal layers share; 0 means 1 */
    roof_time_basis basis;
} roof_measured_layer;

typedef enum roof_run_mode {
    ROOF_RUN_BYPASS,
    ROOF_RUN_PER_LAYER,
    ROOF_RUN_LOAD,
    ROOF_RUN_MODES
} roof_run_mode;

typedef struct roof_clock {
    const char *domain;
    double hz;
} roof_clock;

/* Owner of a phase's time: accelerator, copies or host. */
typedef enum roof_phase_kind {
    ROOF_PHASE_UNDECLARED, /* not known: counted to neither */
    ROOF_PHASE_ACCELERATOR,
    ROOF_PHASE_TRANSFER, /* copies to and from the accelerator */
    ROOF_PHASE_HOST,
    ROOF_PHASE_KINDS
} roof_phase_kind;

typedef struct roof_phase {
    const char *name;     /* "host", "write", "run", "read", "launch", ...: the key without its "_s" */
    double seconds;       /* of one inference, mean; its parts included */
    const char *parent;   /* the name of the phase that it is a part of; NULL: none */
    roof_phase_kind kind; /* declared, or by its name, or that of its parent */
} roof_phase;

/* How the machine was at one moment of a run. */
typedef struct roof_condition {
    double at_s;          /* since it was begun */
    double clock_hz;      /* of its processors, the mean */
    double temperature_c; /* of its warmest zone */
    double load_ratio;    /* of the last minute: 1 is a process for each processor */
    const char *governor; /* of the clock: "performance", "powersave" */
} roof_condition;

/* Reason why times or bytes of a run are no measurement of this hardware as it is set up. */
typedef enum roof_doubt_kind {
    ROOF_DOUBT_EMULATION,  /* a host computed what the device would do: its times are the host's */
    ROOF_DOUBT_HALF_CLOCK, /* the clock is half of what was expected */
    ROOF_DOUBT_HALF_WIDTH, /* the bus is half as wide as expected */
    ROOF_DOUBT_UNDERFLOW,  /* a difference below 0 that the tool printed as an unsigned number of bytes */
    ROOF_DOUBT_NO_UNIT,    /* a number without a stated unit, which is not used */
    ROOF_DOUBT_LOGGED,     /* a log was being written, which takes time and bandwidth of its own */
    ROOF_DOUBT_KINDS
} roof_doubt_kind;

/* A doubt that an importer found, or a document states. */
typedef struct roof_doubt {
    roof_doubt_kind kind;
    const char *text; /* the figures: "the trace has 450 MHz, --clock said 900 MHz" */
} roof_doubt;

/* Advice of a profiler's rule on a row. Each gain is that of one rule alone, as the profiler estimates
 * it: they do not add up. */
typedef struct roof_tool_rule {
    const char *row, *rule, *text;
    double gain_ratio; /* of the row's time; NaN: not stated, or of a part of the row alone */
} roof_tool_rule;

/* Summary that a tool prints of a loop whose steps it timed, such as the tokens of a language model: the
 * means of three steps show a drift, the extremes its noise. */
typedef struct roof_trend {
    uint64_t steps;                   /* ROOF_UNKNOWN: there is none */
    double first_s, middle_s, last_s; /* of these steps */
    double min_s, max_s, mean_s;      /* of all steps */
    double resolution_s;              /* of the printed digits; NaN: exact */
} roof_trend;

/* One of many equal parts of an inference, such as a language model's layers, that took longest. */
typedef struct roof_standout {
    const char *name;        /* NULL: none does */
    double time_s, others_s; /* others_s: median of the others */
    uint64_t others;
} roof_standout;

typedef struct roof_run {
    roof_run_mode mode;
    /* Core of the accelerator that its rows are of: runs of one experiment that differ in it worked at the
     * same time, and count as one run. NULL: not stated. */
    const char *core;
    uint32_t boundaries, launches; /* of one inference */
    double boundary_cost_s;        /* profiling overhead of one of them, as stated; NaN: not stated */
    uint32_t batch;                /* images that one inference works on; ROOF_NONE: not stated */
    uint32_t threads;              /* of a run of mode load, from 1; ROOF_NONE of any other */
    uint32_t cores;                /* of the device, that they were dealt out to; ROOF_NONE: not stated */
    /* Images a second of a load run: the sum over its threads of their inferences over the sum of their
     * latencies, times batch. The end of a turn, where some threads have nothing left to do, is not in it.
     * NaN: not stated. */
    double frames_per_s;
    /* The mean latency of each thread, since the cores that they work on may differ; NaN of one that did no
     * inference. NULL: not stated. */
    const double *thread_means_s;
    uint64_t warmup, iterations;
    /* Rows ran different numbers of times, so that none of them is of one inference: how often one ran in the
     * whole recording is the count of its time. iterations: the inferences of the recording, where their
     * number is known. */
    bool is_recording;
    roof_clock *clocks;
    uint32_t n_clocks;
    roof_times total;       /* one inference, from end to end; of a load run those of all threads */
    double sum_of_layers_s; /* as stated; the rows below need not be all of them */
    /* of the whole recording: from the beginning of a row's first execution to the end of the last */
    double span_s;
    double busy_s;    /* of that, where any row ran; NaN: unknown, as span_s */
    double setup_s;   /* once before the first inference, and in no time of one */
    roof_trend trend; /* of the inferences, one after the other, or the part of them that the tool timed */
    roof_standout stands_out;
    /* Equal parts of an inference one after the other, such as the layers of a language model, where the tool
     * timed each; NULL: it did not. Rows are in them. */
    const double *blocks_s;
    uint32_t n_blocks;
    roof_phase *phases;
    uint32_t n_phases;
    roof_phase_cycles *phase_cycles; /* of one inference */
    uint32_t n_phase_cycles;
    roof_event *events; /* likewise */
    uint32_t n_events;
    uint64_t read_bytes, write_bytes, total_bytes;
    /* of the device's memory that the model needs at run time, which models may share */
    uint64_t memory_bytes;
    roof_measured_layer *layers;
    uint32_t n_layers;
    double energy_j, power_w; /* of one inference, and while it ran; without what idle_power_w is */
    double idle_power_w;      /* of the machine when nothing runs */
    /* Part that energy and power cover: "board", "module", "package", "GPU", "rail VDD_CPU"; NULL: not
     * stated. */
    const char *power_scope;
    const struct roof_power_trace *power_trace; /* private: samples that are in no document */
    const roof_condition *conditions;
    uint32_t n_conditions;
    roof_doubt *doubts;
    uint32_t n_doubts;
    roof_tool_rule *tool_rules;
    uint32_t n_tool_rules;
} roof_run;

typedef struct roof_experiment {
    const char *model_path;                            /* as in the document; NULL: not stated */
    const char *resolved_path;                         /* the same, as seen from here; NULL likewise */
    const char *model_name, *graph_hash, *hardware_id; /* NULL: not stated */
    const char *model_family; /* networks with one label are alike, for a calibration; NULL: not stated */
    /* For a language model: the part of its work that was measured, and its tokens; 0: not stated. */
    roof_text_phase phase;
    uint32_t prompt_tokens, context_tokens;
    /* Forms that its weights and its KV cache were stored in ("q4_1", "bf16"), and the stack that ran it
     * ("fastflowlm", "llama.cpp"): times of two versions may differ by half. NULL: not stated. */
    const char *weight_type, *cache_type;
    const char *stack, *stack_version;
    uint64_t memory_bytes; /* of the machine; 0: not stated */
    /* Device that a runner stated: a name, and whether it executed the code that the model was compiled to.
     * Where it did not, the model's target says nothing of the device. NULL: not stated. */
    const char *device, *device_data_type;
    bool device_runs_code;
    roof_prediction *prediction; /* embedded in the document; NULL: none */
    roof_run *runs;
    uint32_t n_runs;
    const char *place; /* "measured.json: /experiments/0", for messages */
} roof_experiment;

/* Where a document came from. Merged ones have several. */
typedef struct roof_measured_source {
    const char *tool, *notes; /* NULL: not stated */
    const char **files;
    uint32_t n_files;
} roof_measured_source;

/* A member of a document that nothing reads: mostly a slip. One for each name and kind of object. */
typedef struct roof_unread {
    const char *where; /* of the first one: "m.json: /experiments/0/runs/1/layers/0/mean_ms (line 12)" */
    const char *key, *object; /* "mean_ms", "a row of layers" */
    const char *what;         /* "is no member of a row of layers; did you mean mean_s, in seconds?" */
    uint64_t times;
    bool is_of_hardware; /* every number would be another one with it */
    bool is_read;        /* all the same, as the member that has another name */
} roof_unread;

typedef struct roof_measured {
    roof_measured_source *sources;
    uint32_t n_sources;
    roof_experiment *experiments;
    uint32_t n_experiments;
    roof_unread *unread; /* at most 64 of a document, the last one for all that follow */
    uint32_t n_unread;
    struct roof_measured_storage *storage; /* private */
} roof_measured;

/* The word of a mode as it is written, "per_layer". */
ROOF_API const char *roof_run_mode_text(roof_run_mode mode);

/* "accelerator"; NULL for one that is unknown. */
ROOF_API const char *roof_phase_kind_text(roof_phase_kind kind);

/* Reads a document, value by value, so that memory follows the rows and not the text.
 *
 * path: a file, or "-" for standard input. Paths inside are relative to its folder.
 * out: the caller frees it with roof_measured_free.
 * Errors: E_DATA with a JSON pointer as place (another schema or version, a value of the wrong type,
 *   negative, beyond a double, a minimum above a maximum, a key or an index that is there twice), E_LIMIT
 *   (2^24 rows or more in a document; more than 8 phases, 8 domains of one or 4096 events of a row or a run),
 *   E_NO_INPUT, E_IO.
 * Example (tests/unit/test_measured_codec.c):
 * {"schema":"roofline.measured/1","experiments":[{"model":{"name":"net"},"runs":[
 *   {"mode":"bypass","total":{"samples_s":[0.002,0.004]}}]}]} has a mean of 0.003 s, from 2 samples.
 */
ROOF_API roof_status roof_measured_read(const char *path, roof_measured **out, roof_error *err);
ROOF_API void roof_measured_free(roof_measured *measured);

/* Takes over all of from, whose experiments then stand behind those of into. Runs of one model that came from
 * several documents find each other in roof_reconcile.
 *
 * On success from belongs to into and must not be freed; on failure nothing has changed.
 * Errors: E_NO_MEMORY.
 */
ROOF_API roof_status roof_measured_merge(roof_measured *into, roof_measured *from, roof_error *err);

/* Writes the document as JSON; embedded predictions are left out, since a model's path says the same.
 * Errors: those of the sink, E_NO_MEMORY. */
ROOF_API roof_status roof_measured_write(const roof_measured *measured, roof_sink sink, roof_error *err);

/* The prediction that an experiment is to be held against.
 *
 * hw: a specification as for roof_hw_load, or NULL for the experiment's hardware_id, else what the model was
 * compiled
 *   for.
 * model: a path that replaces the experiment's, or NULL.
 * options: of a prediction that is made now; NULL for defaults.
 * out: the caller frees it; or NULL with ROOF_OK when the document names no model at all, or a device that
 * executed other code than
 *   the model was compiled to, and nothing says which hardware that is. *borrowed says whether it is the
 *   experiment's own, which must not be freed.
 * Errors: those of roof_graph_read, roof_hw_load and roof_predict; E_DATA when the model's graph_hash is not
 *   the one named; E_USAGE when nothing states the hardware.
 */
ROOF_API roof_status roof_experiment_predict(const roof_experiment *experiment, const char *model,
                                             const char *hw, const roof_predict_options *options,
                                             roof_prediction **out, bool *borrowed, roof_error *err);

/* The language model by which an experiment's times over a context are split into parts, for
 * roof_reconcile_options.languages (roof_language_of).
 *
 * model: as above. prediction: what the experiment is held against; NULL: nothing.
 * out: the caller frees it; NULL where it is of no language model, and where a prediction stands in for the
 *   model, since that does not say.
 * Errors: those of roof_graph_read.
 * Example: tests/unit/test_experiment_prediction.c. */
ROOF_API roof_status roof_experiment_language(const roof_experiment *experiment, const char *model,
                                              const roof_prediction *prediction, roof_graph **out,
                                              roof_error *err);

ROOF_END_C
#endif
