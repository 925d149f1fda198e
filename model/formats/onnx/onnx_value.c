/* Values of small tensors, from which exporters reckon shapes: Shape, Gather, Concat, Cast, Mul and the
 * like. Each has what one row of the standard says (onnx/onnx, docs/Operators.md); NaN is an unknown value.
 */
#include "model/formats/onnx/onnx_model.h"

#include <math.h>

static double apply(onnx_arithmetic what, double a, double b, double third, bool whole)
{
    switch (what) {
    case ONNX_ADD:
        return a + b;
    case ONNX_SUB:
        return a - b;
    case ONNX_MUL:
        return a * b;
    case ONNX_DIV:
        return whole ? trunc(a / b) : a / b;
    case ONNX_MOD:
        return b == 0 ? NAN : a - b * floor(a / b);
    case ONNX_MIN:
        return fmin(a, b);
    case ONNX_MAX:
        return fmax(a, b);
    case ONNX_EQUAL:
        return a == b;
    case ONNX_GREATER:
        return a > b;
    case ONNX_GREATER_OR_EQUAL:
        return a >= b;
    case ONNX_LESS:
        return a < b;
    case ONNX_LESS_OR_EQUAL:
        return a <= b;
    case ONNX_AND:
        return a != 0 && b != 0;
    case ONNX_OR:
        return a != 0 || b != 0;
    case ONNX_NOT:
        return a == 0;
    case ONNX_NEG:
        return -a;
    case ONNX_FLOOR:
        return floor(a);
    case ONNX_CEIL:
        return ceil(a);
    case ONNX_ROUND:
        return nearbyint(a);
    case ONNX_SQRT:
        return sqrt(a);
    case ONNX_ABS:
        return fabs(a);
    case ONNX_CAST:
        return whole ? trunc(a) : a;
    case ONNX_WHERE:
        return a != 0 ? b : third;
    }
    return NAN;
}

/* All values, or one that is for all. */
static bool fits(uint32_t n, uint64_t elements)
{
    return n == 1 || n == elements;
}

void onnx_value_of_elements(onnx_call *c)
{
    const onnx_arithmetic what = (onnx_arithmetic)c->op->detail;
    const uint32_t wanted = what == ONNX_WHERE ? 3 : what >= ONNX_NOT ? 1 : 2;
    /* no half, double, bfloat16 */
    const bool is_whole =
        c->made->type != TYPE_FLOAT && c->made->type != 10 && c->made->type != 11 && c->made->type != 16;
    const uint64_t elements = extents_count(&c->shapes[0]);
    const double *in[3] = {NULL, NULL, NULL};
    uint32_t n[3] = {1, 1, 1};
    for (uint32_t i = 0; i < wanted; i++) {
        in[i] = onnx_input_values(c, i, &n[i]);
        if (!in[i] || !fits(n[i], elements))
            return;
    }
    double *out = onnx_new_values(c, elements);
    for (uint32_t i = 0; out && i < elements; i++) {
        const double a = in[0][n[0] == 1 ? 0 : i], b = in[1] ? in[1][n[1] == 1 ? 0 : i] : 0,
                     third = in[2] ? in[2][n[2] == 1 ? 0 : i] : 0;
        const bool is_known = !isnan(a) && !isnan(b) && !isnan(third);
        out[i] = is_known ? apply(what, a, b, third, is_whole) : NAN;
    }
}

void onnx_value_passes(onnx_call *c)
{
    c->made->values = onnx_input_values(c, 0, &c->made->n_values);
    if (!c->made->values || c->made->n_values != extents_count(&c->shapes[0]))
        c->made->values = NULL;
}

void onnx_value_of_size(onnx_call *c)
{
    double *out = c->in ? onnx_new_values(c, 1) : NULL;
    if (out)
        *out = (double)extents_count(c->in);
}

void onnx_value_joined(onnx_call *c)
{
    const uint64_t elements = extents_count(&c->shapes[0]);
    uint32_t used = 0, n;
    bool any = false;
    if (c->shapes[0].n_dims != 1 || elements > ONNX_MOST_VALUES)
        return;
    double *out = onnx_new_values(c, elements);
    for (uint32_t i = 0; out && i < c->n_inputs; i++) {
        const onnx_shape *in = onnx_input_shape(c, i);
        const double *values = onnx_input_values(c, i, &n);
        const uint64_t count = in ? extents_count(in) : 0;
        for (uint64_t k = 0; k < count && used < elements; k++)
            out[used++] = values && k < n ? values[k] : NAN;
        any = any || values;
    }
    if (!any || used != elements)
        c->made->values = NULL;
}

void onnx_value_filled(onnx_call *c)
{
    onnx_tensor value = {.n_values = 0};
    text_span name;
    pb_cursor tensor = onnx_attribute_message(c, "value", ATTRIBUTE_TENSOR);
    const uint64_t elements = extents_count(&c->shapes[0]);
    if (tensor.file && c->status == ROOF_OK)
        c->status = onnx_read_tensor(c->r, tensor, &value, &name);
    c->made->type = tensor.file ? value.type : c->made->type;
    double *out = elements <= ONNX_MOST_VALUES ? onnx_new_values(c, elements) : NULL;
    for (uint32_t i = 0; out && i < elements; i++)
        out[i] = value.n_values == 1 ? value.values[0] : tensor.file ? NAN : 0;
}

/* The product, largest, smallest or sum of a whole list. */
void onnx_value_reduced(onnx_call *c)
{
    uint32_t n;
    const double *in = onnx_input_values(c, 0, &n);
    double *out = in && extents_count(&c->shapes[0]) == 1 && n ? onnx_new_values(c, 1) : NULL;
    if (!out)
        return;
    *out = in[0];
    for (uint32_t i = 1; i < n; i++)
        *out = isnan(in[i]) ? NAN : apply((onnx_arithmetic)c->op->detail, *out, in[i], 0, false);
}

/* One value for all of a larger shape. */
void onnx_value_repeated(onnx_call *c)
{
    uint32_t n;
    const double *in = onnx_input_values(c, 0, &n);
    const uint64_t elements = extents_count(&c->shapes[0]);
    double *out = in && fits(n, elements) ? onnx_new_values(c, elements) : NULL;
    for (uint32_t i = 0; out && i < elements; i++)
        out[i] = in[n == 1 ? 0 : i];
}
