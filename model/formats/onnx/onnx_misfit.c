/* Operators whose operands contradict one another: a call as model/work/extents.h wants it, and what the file
 * declares. */
#include "core/error.h"
#include "model/formats/onnx/onnx_model.h"

#include <string.h>

/* An attribute of one kind or the other; see extents_call. */
static uint32_t numbers_of(void *reader, const char *name, double *out, uint32_t max)
{
    onnx_call *c = reader;
    int64_t whole[2 * ROOF_MAX_DIMS];
    const pb_field field = onnx_attribute(c, name);
    uint32_t n;
    if (!field.number)
        return 0;
    if (strcmp(name, "auto_pad") == 0) {
        const text_span text = onnx_attribute_text(c, name);
        out[0] = span_begins(text, "SAME") ? EXTENTS_SAME
                 : span_is(text, "VALID")  ? EXTENTS_VALID
                                           : EXTENTS_AS_STATED;
        return 1;
    }
    if ((n = onnx_attribute_ints(c, name, whole, 2 * ROOF_MAX_DIMS))) {
        for (uint32_t i = 0; i < n && i < max && i < 2 * ROOF_MAX_DIMS; i++)
            out[i] = (double)whole[i];
        return n <= 2 * ROOF_MAX_DIMS ? n : ROOF_NONE;
    }
    if ((n = onnx_attribute_floats(c, name, out, max)))
        return n;
    whole[0] = onnx_attribute_int(c, name, INT64_MIN);
    out[0] = (double)whole[0];
    return whole[0] == INT64_MIN && onnx_attribute_int(c, name, 0) == 0 ? 0 : 1;
}

static roof_status note_misfit(onnx_reader *r, uint32_t op, const extents_misfit *what)
{
    TRY(ARENA_ADD(r->scratch, r->misfits, r->n_misfits, r->err, (onnx_misfit){op, *what}));
    r->tensors[op].is_doubtful = true;
    return ROOF_OK;
}

roof_status onnx_look_for_misfit(onnx_call *c, const onnx_type *type, uint32_t op)
{
    onnx_reader *r = c->r;
    extents_misfit found;
    if (!type->law)
        return ROOF_OK;
    if (c->n_inputs > r->most_operands) {
        TRY(ARENA_GET(r->scratch, r->operands, c->n_inputs, r->err));
        r->most_operands = c->n_inputs;
    }
    for (uint32_t i = 0; i < c->n_inputs; i++) {
        extents_operand *o = &r->operands[i];
        *o = (extents_operand){.name = c->node->inputs[i],
                               .shape = onnx_input_shape(c, i),
                               .is_left_out = c->inputs[i] == ROOF_NONE};
        o->values = onnx_input_values(c, i, &o->n_values);
    }
    const extents_call call = {.type = type->text,
                               .inputs = r->operands,
                               .n_inputs = c->n_inputs,
                               .n_outputs = c->n_outputs,
                               .opset = r->opset,
                               .numbers = numbers_of,
                               .reader = c};
    const bool is_misfit = extents_contradict(type->law, &call, &found);
    TRY(c->status);
    return is_misfit ? note_misfit(r, op, &found) : ROOF_OK;
}

roof_status onnx_compare_declared(onnx_call *c, uint32_t op, uint32_t output, const onnx_shape *declared)
{
    extents_misfit found;
    /* writers that do not know a shape may leave it without dimensions */
    return declared->n_dims && !c->r->tensors[op].is_doubtful &&
                   extents_declared_otherwise(&c->shapes[output], declared, &found)
               ? note_misfit(c->r, op, &found)
               : ROOF_OK;
}
