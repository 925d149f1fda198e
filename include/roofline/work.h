/* roofline/work.h - work of a network for the hardware: rows in the order of execution, each with its work.
 *
 * Units: _bytes bytes; _cycles cycles of the accelerator's clock; macs multiply-accumulates; ops operations,
 *   1 MAC = 2 ops. All counts are of one image. Unknown counts are ROOF_UNKNOWN, unknown indices ROOF_NONE.
 * Shapes: a row is what is executed and timed as one unit: a superlayer of a DPU, an epoch of a plan, a
 *   operator of a graph that computes.
 * Ownership: a program owns its rows and texts and borrows the graph that it was made of; free it with
 *   roof_program_free.
 *
 * A program is in no family's words: what a file's own code or compiler says is cycles of an engine by its
 * name, bytes in a memory by its name. A cost model makes times of it.
 */
#ifndef ROOFLINE_WORK_H
#define ROOFLINE_WORK_H

#include "roofline/finding.h"
#include "roofline/graph.h"

ROOF_BEGIN_C

enum { ROOF_MAX_ENGINES = 24 };

/* Where bytes or cycles come from, best first. */
typedef enum roof_basis {
    ROOF_BASIS_CODE,    /* decoded from the instruction stream */
    ROOF_BASIS_FILE,    /* stated by the file */
    ROOF_BASIS_FORMULA, /* from the shapes of tensors */
    ROOF_BASIS_NONE
} roof_basis;

/* Bytes by their role. */
typedef struct roof_traffic {
    uint64_t weights_bytes, input_bytes, output_bytes, instruction_bytes;
    uint64_t unsplit_bytes; /* read, not split into weights and input; both are unknown then. Else 0 */
} roof_traffic;

/* The sum; instructions that are unknown are left out. ROOF_UNKNOWN when the rest is unknown. */
ROOF_API uint64_t roof_traffic_total(const roof_traffic *traffic);

/* Executor of a row. */
typedef enum roof_executor {
    ROOF_BY_ACCELERATOR,
    ROOF_BY_HOST,
    ROOF_BY_BOTH,   /* a function of the host that uses the accelerator */
    ROOF_BY_NOBODY, /* it only names memory: a reshape, or a concatenation of what lies side by side */
    ROOF_EXECUTORS
} roof_executor;

/* Work of one operator of a row. */
typedef struct roof_demand {
    uint32_t op; /* into graph->ops */
    uint64_t macs,
        ops_count; /* ROOF_UNKNOWN when there is no rule for the operator, or no window for its operations */
    /* r where a pixel shuffle by r takes what it makes, so that channels lie per sub-pixel; else 1. */
    uint32_t sub_pixels;
    bool folds_kernel; /* the compiler has the columns of the kernel done as if they were channels */
    /* For an array of programmable cores; 0 and NULL where not stated. */
    uint32_t columns;                /* of the array, that work on it */
    uint32_t tile_m, tile_k, tile_n; /* of a matrix product, for one core */
    const char *types;  /* of the operands: "bf16", "int16xint8"; NULL: integers of the tensors' widths */
    const char *method; /* how its compiler does it, by which constants of expected times are known: "gemm" */
    uint32_t launches;  /* times that the host or the controller starts it; 0: it has no start of its own */
    uint64_t least_bytes; /* each of its tensors once, for one image */
    uint64_t cast_bytes;  /* moved behind it to bring its result into another data type */
    uint64_t masked_macs; /* multiply-accumulates that are done for nothing, beside macs */
} roof_demand;

/* Traffic of a row in one memory. */
typedef struct roof_transfer {
    uint32_t memory; /* into program->memories; of a layer of a prediction the engine that it is */
    uint64_t read_bytes, write_bytes;
    uint64_t stated_cycles; /* the most that the compiler states for one direction of it; 0: nothing */
} roof_transfer;

/* Units of the array that a compiler put to work on a row. */
typedef struct roof_array_use {
    uint32_t units;          /* ROOF_NONE: unknown */
    uint32_t macs_per_cycle; /* of one of them with these operands; ROOF_NONE: unknown */
    uint32_t other_ops;      /* operators beside those, which take an element a cycle at most */
} roof_array_use;

/* An instruction of compiled code, or several that are alike and follow one another: what it does, and which
 * others it waits for. Queues are in order each and run side by side; a token is what one of them leaves
 * for another (docs/hardware/dpuczdx8g.md, "schedule"). */
typedef enum roof_task_kind {
    ROOF_TASK_LOAD,
    ROOF_TASK_SAVE,
    ROOF_TASK_CONV,
    ROOF_TASK_ALU,
    ROOF_TASK_ELTWISE,
    ROOF_TASK_SETUP, /* takes no time of its queue */
    ROOF_TASK_KINDS
} roof_task_kind;

typedef struct roof_task {
    uint64_t amount; /* cycles, or the bytes that it moves */
    uint32_t row;    /* its row, counted from the first of its part; ROOF_NONE: none */
    uint32_t pieces; /* of equal size, in which it moves its bytes; 1: they lie side by side */
    uint8_t kind;    /* roof_task_kind */
    uint8_t queue, port;
    uint8_t waits_for, lets_go; /* bit q: one token of queue q; one for queue q */
    uint8_t words;              /* of 32 bits */
    uint16_t alike;             /* instructions like it behind it, for which it stands as well */
} roof_task;

/* The tasks of one part of the network, or of one layer, in program order. */
typedef struct roof_stream {
    const char *part;   /* device subgraph */
    uint32_t first_row; /* of the part, into program->rows */
    const roof_task *tasks;
    uint32_t n_tasks, n_instructions;     /* the latter with those that are alike */
    bool is_timed;                        /* false: what some of them take is unknown */
    uint64_t file_offset;                 /* of the first */
    const struct code_replayer *replayer; /* private: who runs it */
} roof_stream;

/* Work of a row. */
typedef struct roof_work {
    const roof_demand *demands;
    uint32_t n_demands;
    roof_traffic traffic;
    roof_basis bytes_basis; /* ROOF_BASIS_NONE: the traffic is unknown */
    const roof_transfer *transfers;
    uint32_t n_transfers;
    const uint64_t *cycles; /* of program->engines, one each; NULL: what shapes make of it */
    roof_basis cycles_basis;
    uint64_t stated_cycles; /* the compiler's estimate of the whole row */
    roof_array_use array;
    /* Bytes of the busiest port between memory and array in each direction; ROOF_UNKNOWN: no code states
     * it. */
    uint64_t busiest_read_bytes, busiest_write_bytes;
    bool hides_compute;                   /* its computation is unknown */
    const roof_stream *stream;            /* of a row alone: its own code; NULL */
    const struct command_group *commands; /* private: launches of a command stream; NULL */
    const struct epoch_work *epoch;       /* private: of a row that an accelerator runs in epochs; NULL */
} roof_work;

/* Subject of a program's finding; findings are reported in this order. */
typedef enum roof_finding_stage {
    ROOF_ABOUT_TARGET,
    ROOF_ABOUT_ROWS,
    ROOF_ABOUT_WHOLE,
    ROOF_FINDING_STAGES
} roof_finding_stage;

/* A function of the host, as far as a file without shapes of operators describes it. Counts are of one image;
 * ROOF_UNKNOWN likewise. Parameters and scratch memory are not counted. */
typedef struct roof_host_op {
    const char *type; /* "Softmax", in the file's words; NULL: there are several, or none is known */
    uint64_t input_elements, input_bytes, output_elements, output_bytes;
    uint64_t row_cells; /* the last dimension of what it makes */
} roof_host_op;

/* Unit of execution and timing. */
typedef struct roof_row {
    const char *name;
    const char *part; /* of the network: a device subgraph, a program of the epoch controller */
    const char *type;
    const char **ops; /* op types in order */
    uint32_t n_ops;
    const char *shape; /* "224x224x3 -> 112x112x32 k3x3 s2x2": for people */
    /* Operators that it stands for, into the ops of the graph that was given, whatever lowering made of that:
     * the one that computes most leads, the others follow in the order of the file; what is folded into one
     * of them is among them. Constants are of no row, nor is what lowering found to name memory alone. An
     * operator that lowering does in two rows is in both. */
    const uint32_t *operators;
    uint32_t n_operators;
    roof_executor executor;
    uint32_t repeat;   /* how often one inference executes it; all counts are of one execution */
    bool is_remainder; /* stands for what no layer owns; its name is in parentheses */
    bool is_boundary;  /* a profile that times every layer stops behind it */
    bool is_stated;    /* counts are those of a compiler, not sums over operators */
    uint64_t macs, ops_count;
    uint64_t workload_ops, stored_workload_ops; /* as the file counts operations */
    bool is_timed;                              /* false: the accelerator's work for it is unknown */
    roof_work work;                             /* as part of the whole network */
    const roof_host_op *host; /* its function of the host, where the graph lacks its operators; NULL */
    const roof_work *alone;   /* as a per-layer profile executes it; NULL: the file has no code for that */
} roof_row;

/* Device that a model was compiled for. */
typedef struct roof_target {
    const char *name;     /* as in the file, "DPUCZDX8G_ISA1_B4096"; NULL: not compiled */
    uint64_t fingerprint; /* ROOF_UNKNOWN: none */
    const char *family;   /* as in the hardware database; "": not known */
    const char *text;     /* for people; "" likewise */
    /* "control code of an AI Engine array: it holds transfers, but no shapes", where no other family can run
     * it; NULL. */
    const char *plan_of;
    const char *hardware; /* the entry for it, where there is but one; NULL */
} roof_target;

/* A figure of the model that no row has: "KV cache", 67108864, "B". */
typedef struct roof_fact {
    const char *name;
    uint64_t value;
    const char *unit; /* "B", or "" */
} roof_fact;

/* Result of an inference, where that has a word of its own. */
typedef struct roof_yield {
    const char *unit; /* "token"; NULL: an inference is counted as such */
    uint32_t count;   /* of them in an inference; 0 without a unit */
    const char *time; /* name of the time of an inference: "TTFT"; NULL likewise */
} roof_yield;

typedef struct roof_program {
    const roof_graph *graph; /* whose operators demands name: that of the file, or what lowering made of it */
    const char *name;        /* of the network, where its compiler knows it; "" */
    roof_target target;
    const char *words
        [ROOF_EXECUTORS]; /* executors of rows, in the tool's own words: "DPU", "CPU"; never the graph's */
    const char *engines[ROOF_MAX_ENGINES]; /* those whose cycles rows may know */
    uint32_t n_engines;
    const roof_pool *memories; /* those in which rows move something; NULL: one, outside of the accelerator */
    uint32_t n_memories;
    roof_row *rows;
    uint32_t n_rows;
    roof_stream *streams;        /* of the parts whose code can be read, in the order of execution */
    uint32_t n_streams, n_parts; /* n_parts: of all that the accelerator runs */
    /* Stack whose compiler makes the rows, by which constants of expected times are found; NULL: unknown. */
    const char *stack;
    const char *whole_method; /* likewise how the whole is done; NULL */
    /* The file says for each operator who runs it, of a network that the accelerator could run as a whole. */
    bool is_placed;
    bool is_lowered;     /* rows are those that the compiler of the hardware would make, by rules */
    bool is_approximate; /* by rules that its compiler does not follow in all */
    const struct epoch_work *epochs; /* private: what is beside such rows; NULL: they are none */
    bool reads_weights_once;         /* a run, however large its batch: a step of a language model */
    bool is_started_by_rows; /* the host starts rows one by one, or parts of the network; false: the whole */
    uint64_t workload_ops, stored_workload_ops; /* of the whole file */
    roof_yield yield;
    const roof_fact *facts;
    uint32_t n_facts;
    roof_findings findings[ROOF_FINDING_STAGES];
    const char **beside; /* files that completed the model's own */
    uint32_t n_beside;
    struct roof_arena *arena; /* private */
} roof_program;

/* Makes the program of a graph.
 *
 * graph: borrowed, and has to live as long as the program.
 * out: the caller frees it.
 * Errors: E_LIMIT when a count overflows 64 bits, E_DATA when shapes contradict each other, E_NO_MEMORY.
 * Example (tests/unit/test_work.c): a convolution of 1x224x224x3 with 32 kernels of 3x3, stride 2, is a row
 * of 10,838,016 macs.
 */
ROOF_API roof_status roof_program_of(const roof_graph *graph, roof_program **out, roof_error *err);
ROOF_API void roof_program_free(roof_program *program);

ROOF_END_C
#endif
