/* model/lower/fate.h - what becomes of each operator when a graph is lowered, for the rules of a target.
 *
 * Units: rows and operators are indices, ROOF_NONE means none.
 * Ownership: all is of the arenas of the state.
 */
#pragma once

#include "core/core.h"
#include "model/work/cost.h"
#include "roofline/hw.h"
#include "roofline/work.h"

typedef enum lower_fate {
    LOWER_CONSTANT, /* known before the network runs */
    LOWER_INPUT,    /* of the network */
    LOWER_FOLDED,   /* into the operator before it, which makes what it would make */
    LOWER_NAMED,    /* gives what others made another name or shape; takes no time */
    LOWER_ROW,      /* part of a row */
    LOWER_HOST      /* a row of its own, on the CPU */
} lower_fate;

/* The result of lowering for one operator. */
typedef struct lower_op {
    lower_fate fate;
    /* Folded: the operator that makes its output. Part of a row: the one at whose place the row runs. */
    uint32_t into;
    uint32_t readers;    /* of its output, as long as nothing is folded; then of what is made in its place */
    uint32_t depth;      /* of operators that compute up to here, on the longest way */
    uint32_t read_by;    /* bit r: an operator of rule r reads it, conversions between left out */
    uint32_t size;       /* operators of the row that it leads */
    bool halves_mean;    /* a mean over height or width alone, which the next one may complete */
    bool folds_kernel;   /* the columns of its kernel are done as if they were channels */
    uint32_t sub_pixels; /* as roof_demand has it; 0 is 1 */
    bool reshapes;       /* named: in another shape than it is made in */
    const char *reason;  /* on the CPU: why; static */
} lower_op;

/* A map that a row reads: made by another row or by the host, or a part of the network's input. */
typedef struct lower_read {
    uint32_t maker, by; /* operators */
    uint64_t elements;  /* of what is read: a part of what is made, where it is sliced */
    bool reshapes;      /* it is read in another shape than it is made in */
    uint32_t row;       /* its maker, in order of execution; ROOF_NONE: the network's input */
} lower_read;

typedef struct lower_row {
    uint32_t leader;              /* the operator at whose place it runs */
    uint32_t first_op, n_ops;     /* into the state's row_ops: without what is folded */
    uint32_t first_read, n_reads; /* into the state's reads */
} lower_row;

enum { LOWER_RULES = 14 }; /* R1 to R13 */

struct lower_state;
struct program_builder;

/* The rules of one target family. */
typedef struct lowering {
    const char *accelerator; /* runs the rows; the tool's own word */
    const char *stack;       /* its constants of expected times hold for the rows; NULL: no stack's do */
    uint32_t element_bits; /* of what it computes with, whatever the model was trained in; 0: as the model */
    uint32_t launches;     /* of a row */
    uint32_t host_rules;   /* bit r: operators of rule r run on the CPU */
    bool lists_names;      /* operators that only name memory have rows as well, which runtimes time */
    bool is_approximate;   /* its compiler cuts rows otherwise, in ways that are unknown */
    /* Says what becomes of an operator that is not decided yet, behind those that it reads. */
    void (*choose)(struct lower_state *s, uint32_t op);
    /* The bytes of each row; traffic has one for each, all 0. */
    roof_status (*move)(const struct lower_state *s, roof_traffic *traffic);
    /* Further demands of rows, set once they are the program's; NULL: none. */
    roof_status (*describe)(const struct lower_state *s, struct program_builder *b);
} lowering;

typedef struct lower_state {
    const lowering *rules;
    roof_graph *graph; /* the copy */
    const roof_hw *hw;
    uint32_t without_rules; /* bit n: rule n is left out */
    uint32_t *order;        /* of operators */
    lower_op *ops;          /* of the graph's, one each */
    lower_row *rows;        /* in the order of execution */
    uint32_t n_rows;
    uint32_t *row_ops;
    lower_read *reads;
    uint32_t n_reads;
    uint64_t n_steps;              /* back through names, to find what is read */
    uint32_t applied[LOWER_RULES]; /* how often each rule was used */
    roof_arena *arena;             /* of the copy; scratch goes when lowering is done */
    roof_arena *scratch;
    roof_error *err;
} lower_state;

/* lower_residency.c: the bytes of each row, by image_banks of the hardware; without these all stays that rule
 * 3 lets stay. Errors: E_NO_MEMORY, E_LIMIT. */
roof_status lower_residency(const lower_state *s, roof_traffic *traffic);

/* lower_epochs.c: sets epoch of the program's rows, and epochs of the program to what is beside them.
 * Errors: E_NO_MEMORY. */
roof_status lower_epochs_describe(const lower_state *s, struct program_builder *b);

static inline roof_op *op_at(const lower_state *s, uint32_t op)
{
    return &s->graph->ops[op];
}

/* The operator that makes what this one hands on; of none ROOF_NONE. */
uint32_t lower_maker(const lower_state *s, uint32_t op);

/* The row that makes an input for one operator alone: its leader, or ROOF_NONE; also for no input. */
uint32_t lower_row_alone(const lower_state *s, uint32_t input);

/* The first computed input, or ROOF_NONE. */
uint32_t lower_input(const lower_state *s, const roof_op *op);

/* True if an input is computed: a map, not weights or constants. */
bool lower_is_map(const lower_state *s, const roof_edge *edge);

/* Computed inputs: maps, not weights or constants. */
uint32_t lower_count_maps(const lower_state *s, const roof_op *op);

void lower_fold(lower_state *s, uint32_t op, uint32_t into, uint32_t rule);
void lower_name(lower_state *s, uint32_t op, bool reshapes);
void lower_begin_row(lower_state *s, uint32_t op);
/* Puts the row of first in front of that of op, at whose place both run then. */
void lower_join(lower_state *s, uint32_t first, uint32_t op, uint32_t rule);
/* The operator at whose place the row of this one runs. */
uint32_t lower_leader(const lower_state *s, uint32_t op);

/* True if it is part of a row, of the accelerator or the host. */
bool lower_is_executed(const lower_state *s, uint32_t op);

void lower_to_host(lower_state *s, uint32_t op, const char *reason);

/* Why the target does not take an operator of this size (limits.def); NULL: it does, as far as is known. */
const char *lower_limit(const lower_state *s, uint32_t op);
