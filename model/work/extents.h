/* model/work/extents.h - contradictions among the operands of an operator, in the words of any format.
 *
 * One table, extents.def, says which extents have to agree. A reader hands over an operator as its file
 * has it: names and shapes of what it reads and makes, values of small constants, numbers of its attributes
 * under ONNX's names. Unknown and open extents contradict nothing.
 *
 * Units: extents count elements; axes are counted from 0 on.
 * Ownership: all is borrowed for the call; texts of a misfit are those of what was handed over.
 * Cost: linear in operands and their values.
 * Example (tests/unit/test_extents.c): of a Conv of 8 channels with weights for 64 the misfit is "'c' cannot
 *   run: 'x' has 8 channels, and 'w' wants 64".
 */
#pragma once

#include "core/core.h"
#include "roofline/finding.h"
#include "roofline/graph.h"

typedef struct extents {
    uint64_t dims[ROOF_MAX_DIMS]; /* ROOF_UNKNOWN: left open */
    uint32_t n_dims;              /* ROOF_NONE: unknown, where a reader keeps such shapes */
} extents;

typedef struct extents_operand {
    text_span name;
    const extents *shape; /* NULL: unknown */
    const double *values; /* likewise */
    uint32_t n_values;
    bool is_left_out;
} extents_operand;

/* An operator as its file has it. */
typedef struct extents_call {
    const char *type;
    const extents_operand *inputs;
    const extents_operand *outputs; /* as the file states them, where their shapes are not inferred; NULL */
    extents
        *made; /* becomes what operands that are spread over one another make, where all are known; NULL */
    uint32_t n_inputs, n_outputs;
    uint64_t opset; /* of ONNX's operators; 0: of another format */
    /* At most max numbers of an attribute, "auto_pad" as extents_padding; the result is how many there are,
     * 0: it is not there, ROOF_NONE: what it says is unknown. */
    uint32_t (*numbers)(void *reader, const char *name, double *out, uint32_t max);
    void *reader;
} extents_call;

typedef enum extents_padding { EXTENTS_AS_STATED, EXTENTS_SAME, EXTENTS_VALID } extents_padding;

/* A contradiction: one of the forms of kind MISFIT, and its operands beside the operator's name. */
typedef struct extents_misfit {
    roof_form form;
    text_span of, by; /* empty where the form has none */
    double has, wants;
    char what[40]; /* "channels", "at axis 1" */
} extents_misfit;

typedef struct extents_law extents_law;

/* NULL: nothing is known to have to agree. */
const extents_law *extents_law_of(const char *type);

/* False: nothing contradicts. law may be NULL. */
bool extents_contradict(const extents_law *law, const extents_call *call, extents_misfit *out);

/* The same of a shape that follows from operands, and the one that the file declares. */
bool extents_declared_otherwise(const extents *inferred, const extents *declared, extents_misfit *out);

/* Adds what a misfit says of the operator of that name. Errors: E_NO_MEMORY. */
roof_status extents_tell(const extents_misfit *misfit, const char *name, roof_findings *found,
                         roof_error *err);

/* The product of all extents; ROOF_UNKNOWN: unknown, or more than 64 bits count. shape may be NULL. */
uint64_t extents_count(const extents *shape);
