#include "tests/support/onnx_run.h"
#include "core/protobuf.h"
#include "model/formats/onnx/onnx_model.h"

#include <oneapi/dnnl/dnnl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST = 64, DIMS = 4, MOST_INTS = 8 };

typedef struct tensor {
    text_span name;
    int64_t dims[8];
    uint32_t n_dims;
    size_t n;
    float *values;
    int64_t longs[MOST_INTS];
} tensor;

typedef struct node {
    text_span type, inputs[4], output;
    uint32_t n_inputs;
    int64_t pads[MOST_INTS], perm[MOST_INTS], strides[2], dilations[2], group;
} node;

typedef struct machine {
    tensor of[MOST];
    uint32_t n;
    dnnl_engine_t engine;
    dnnl_stream_t stream;
} machine;

static void want(int holds, const char *what)
{
    if (holds)
        return;
    fprintf(stderr, "onnx_run: %s\n", what);
    abort();
}

/* ---- reading ---- */

static tensor *find(machine *m, text_span name)
{
    for (uint32_t i = 0; i < m->n; i++)
        if (m->of[i].name.length == name.length && memcmp(m->of[i].name.text, name.text, name.length) == 0)
            return &m->of[i];
    return NULL;
}

static tensor *make(machine *m, text_span name, const int64_t *dims, uint32_t n_dims)
{
    want(m->n < MOST && n_dims <= 8, "too many tensors");
    tensor *t = &m->of[m->n++];
    *t = (tensor){.name = name, .n_dims = n_dims, .n = 1};
    for (uint32_t i = 0; i < n_dims; i++) {
        t->dims[i] = dims[i];
        t->n *= (size_t)dims[i];
    }
    t->values = calloc(t->n ? t->n : 1, sizeof *t->values);
    want(t->values != NULL, "no memory");
    return t;
}

static void read_ints(pb_cursor *scope, const pb_field *f, int64_t *out, uint32_t most, uint32_t *n)
{
    want(pb_ints(scope, f, "ints", out, most, n, NULL) == ROOF_OK && *n <= most, "numbers");
}

static void read_initializer(machine *m, pb_cursor tensor_message)
{
    int64_t dims[8];
    uint32_t n_dims = 0, n_longs = 0;
    pb_field f;
    roof_status status;
    text_span name = {"", 0}, raw = {"", 0}, floats = {"", 0};
    int64_t type = 0, longs[MOST_INTS];
    for (pb_cursor c = tensor_message; pb_each(&c, &f, &status, NULL);) {
        if (f.number == TENSOR_DIMS)
            read_ints(&c, &f, dims, 8, &n_dims);
        else if (f.number == TENSOR_TYPE)
            type = (int64_t)f.value;
        else if (f.number == TENSOR_NAME)
            name = pb_span(&f);
        else if (f.number == TENSOR_RAW)
            raw = pb_span(&f);
        else if (f.number == TENSOR_FLOATS && f.wire == PB_BYTES)
            floats = pb_span(&f);
        else if (f.number == TENSOR_LONGS)
            read_ints(&c, &f, longs, MOST_INTS, &n_longs);
    }
    tensor *t = make(m, name, dims, n_dims);
    if (type == TYPE_FLOAT) {
        const text_span data = raw.length ? raw : floats;
        want(data.length == 4 * t->n, "a tensor without its data");
        memcpy(t->values, data.text, data.length);
    } else {
        want(raw.length <= sizeof t->longs && n_longs <= MOST_INTS, "whole numbers");
        if (raw.length)
            memcpy(t->longs, raw.text, raw.length);
        else
            memcpy(t->longs, longs, n_longs * sizeof *longs);
    }
}

static void read_attribute(node *n, pb_cursor attribute)
{
    pb_field f;
    roof_status status;
    text_span name = {"", 0};
    int64_t ints[MOST_INTS] = {0}, number = 0;
    uint32_t n_ints = 0;
    for (pb_cursor c = attribute; pb_each(&c, &f, &status, NULL);) {
        if (f.number == ATTRIBUTE_NAME)
            name = pb_span(&f);
        else if (f.number == ATTRIBUTE_INTS)
            read_ints(&c, &f, ints, MOST_INTS, &n_ints);
        else if (f.number == ATTRIBUTE_INT)
            number = (int64_t)f.value;
    }
    if (span_is(name, "pads"))
        memcpy(n->pads, ints, sizeof n->pads);
    else if (span_is(name, "perm"))
        memcpy(n->perm, ints, sizeof n->perm);
    else if (span_is(name, "strides"))
        memcpy(n->strides, ints, sizeof n->strides);
    else if (span_is(name, "dilations"))
        memcpy(n->dilations, ints, sizeof n->dilations);
    else if (span_is(name, "group"))
        n->group = number;
}

static node read_node(pb_cursor message)
{
    node n = {.strides = {1, 1}, .dilations = {1, 1}, .group = 1};
    pb_field f;
    roof_status status;
    for (pb_cursor c = message; pb_each(&c, &f, &status, NULL);) {
        if (f.number == NODE_INPUT && n.n_inputs < 4)
            n.inputs[n.n_inputs++] = pb_span(&f);
        else if (f.number == NODE_OUTPUT)
            n.output = pb_span(&f);
        else if (f.number == NODE_TYPE)
            n.type = pb_span(&f);
        else if (f.number == NODE_ATTRIBUTE)
            read_attribute(&n, pb_enter(&c, &f));
    }
    return n;
}

/* ---- operators ---- */

static dnnl_memory_t memory_of(machine *m, float *values, const int64_t *dims, int n, dnnl_format_tag_t tag,
                               dnnl_memory_desc_t *desc)
{
    dnnl_memory_t memory;
    dnnl_dims_t all = {0};
    memcpy(all, dims, (size_t)n * sizeof *dims);
    want(dnnl_memory_desc_init_by_tag(desc, n, all, dnnl_f32, tag) == dnnl_success, "a shape");
    want(dnnl_memory_create(&memory, desc, m->engine, values) == dnnl_success, "memory of oneDNN");
    return memory;
}

static void convolve(machine *m, const node *n)
{
    enum { SRC, WEIGHTS_OF, BIAS, DST, ARGS };
    tensor *x = find(m, n->inputs[0]), *w = find(m, n->inputs[1]);
    tensor *b = n->n_inputs > 2 ? find(m, n->inputs[2]) : NULL;
    want(x && w && x->n_dims == DIMS && w->n_dims == DIMS, "a convolution of two dimensions");
    int64_t dims[DIMS] = {x->dims[0], w->dims[0]};
    for (int i = 0; i < 2; i++)
        dims[2 + i] =
            (x->dims[2 + i] + n->pads[i] + n->pads[2 + i] - ((w->dims[2 + i] - 1) * n->dilations[i] + 1)) /
                n->strides[i] +
            1;
    tensor *y = make(m, n->output, dims, DIMS);
    const int64_t grouped[] = {n->group, w->dims[0] / n->group, w->dims[1], w->dims[2], w->dims[3]};
    const dnnl_dims_t strides = {n->strides[0], n->strides[1]},
                      dilates = {n->dilations[0] - 1, n->dilations[1] - 1}, begin = {n->pads[0], n->pads[1]},
                      end = {n->pads[2], n->pads[3]};
    dnnl_memory_desc_t d[ARGS];
    dnnl_memory_t memory[ARGS] = {memory_of(m, x->values, x->dims, DIMS, dnnl_nchw, &d[SRC]),
                                  memory_of(m, w->values, grouped, 5, dnnl_goihw, &d[WEIGHTS_OF]), NULL,
                                  memory_of(m, y->values, y->dims, DIMS, dnnl_nchw, &d[DST])};
    if (b)
        memory[BIAS] = memory_of(m, b->values, b->dims, 1, dnnl_x, &d[BIAS]);
    dnnl_convolution_desc_t desc;
    dnnl_primitive_desc_t pd = NULL;
    dnnl_primitive_t primitive = NULL;
    want(dnnl_dilated_convolution_forward_desc_init(&desc, dnnl_forward_inference, dnnl_convolution_direct,
                                                    &d[SRC], &d[WEIGHTS_OF], b ? &d[BIAS] : NULL, &d[DST],
                                                    strides, dilates, begin, end) == dnnl_success &&
             dnnl_primitive_desc_create(&pd, &desc, NULL, m->engine, NULL) == dnnl_success &&
             dnnl_primitive_create(&primitive, pd) == dnnl_success,
         "a convolution of oneDNN");
    const dnnl_exec_arg_t args[] = {{DNNL_ARG_SRC, memory[SRC]},
                                    {DNNL_ARG_WEIGHTS, memory[WEIGHTS_OF]},
                                    {DNNL_ARG_DST, memory[DST]},
                                    {DNNL_ARG_BIAS, memory[BIAS]}};
    want(dnnl_primitive_execute(primitive, m->stream, b ? 4 : 3, args) == dnnl_success &&
             dnnl_stream_wait(m->stream) == dnnl_success,
         "running a convolution");
    dnnl_primitive_destroy(primitive);
    dnnl_primitive_desc_destroy(pd);
    for (int i = 0; i < ARGS; i++)
        if (memory[i])
            dnnl_memory_destroy(memory[i]);
}

static void pad(machine *m, const node *n)
{
    const tensor *x = find(m, n->inputs[0]);
    const tensor *list = n->n_inputs > 1 ? find(m, n->inputs[1]) : NULL;
    const int64_t *pads = list ? list->longs : n->pads;
    want(x && x->n_dims == DIMS, "a map with pads");
    const int64_t dims[] = {x->dims[0], x->dims[1], x->dims[2] + pads[2] + pads[6],
                            x->dims[3] + pads[3] + pads[7]};
    const int64_t h = x->dims[2], w = x->dims[3], planes = x->dims[0] * x->dims[1];
    const float *from = x->values;
    tensor *y = make(m, n->output, dims, DIMS);
    for (int64_t p = 0; p < planes; p++)
        for (int64_t r = 0; r < h; r++)
            memcpy(y->values + (p * dims[2] + r + pads[2]) * dims[3] + pads[3], from + (p * h + r) * w,
                   (size_t)w * sizeof *from);
}

static void transpose(machine *m, const node *n)
{
    const tensor *x = find(m, n->inputs[0]);
    want(x && x->n_dims == DIMS, "a transposition of four dimensions");
    const int64_t *d = x->dims, strides[DIMS] = {d[1] * d[2] * d[3], d[2] * d[3], d[3], 1}, *p = n->perm;
    const int64_t dims[DIMS] = {d[p[0]], d[p[1]], d[p[2]], d[p[3]]};
    const float *from = x->values;
    tensor *y = make(m, n->output, dims, DIMS);
    float *to = y->values;
    for (int64_t a = 0; a < dims[0]; a++)
        for (int64_t b = 0; b < dims[1]; b++)
            for (int64_t c = 0; c < dims[2]; c++)
                for (int64_t e = 0; e < dims[3]; e++)
                    *to++ =
                        from[a * strides[p[0]] + b * strides[p[1]] + c * strides[p[2]] + e * strides[p[3]]];
}

static void elementwise(machine *m, const node *n)
{
    const tensor *x = find(m, n->inputs[0]);
    const tensor *z = span_is(n->type, "Add") ? find(m, n->inputs[1]) : NULL;
    want(x != NULL, "an input");
    tensor *y = make(m, n->output, x->dims, x->n_dims);
    for (size_t i = 0; i < y->n; i++) {
        const float v = x->values[i];
        y->values[i] = z                          ? v + z->values[i]
                       : span_is(n->type, "Relu") ? (v > 0 ? v : 0)
                       : span_is(n->type, "Clip") ? (v < 0   ? 0
                                                     : v > 6 ? 6
                                                             : v)
                                                  : v;
    }
}

static void run_node(machine *m, const node *n)
{
    static const char *const alike[] = {"Relu", "Clip", "Add", "Identity", "Dropout", "Reshape", "Flatten"};
    if (span_is(n->type, "Conv")) {
        convolve(m, n);
        return;
    }
    if (span_is(n->type, "Pad")) {
        pad(m, n);
        return;
    }
    if (span_is(n->type, "Transpose")) {
        transpose(m, n);
        return;
    }
    for (size_t i = 0; i < sizeof alike / sizeof *alike; i++)
        if (span_is(n->type, alike[i])) {
            elementwise(m, n);
            return;
        }
    want(0, "an operator that it does not know");
}

/* ---- all ---- */

static pb_cursor graph_of(const uint8_t *bytes, size_t size)
{
    pb_field f;
    roof_status status;
    for (pb_cursor c = pb_from(bytes, size); pb_each(&c, &f, &status, NULL);)
        if (f.number == MODEL_GRAPH)
            return pb_enter(&c, &f);
    want(0, "a model without a graph");
    abort();
}

/* The shape of the one input that no initializer has. */
static void read_input(machine *m, pb_cursor info, const float *input, size_t n_input)
{
    enum { INFO_NAME = 1, INFO_TYPE = 2, TYPE_TENSOR = 1, TENSOR_SHAPE = 2, SHAPE_DIM = 1, DIM_VALUE = 1 };
    int64_t dims[8];
    uint32_t n_dims = 0;
    text_span name = {"", 0};
    pb_field f;
    roof_status status;
    for (pb_cursor c = info; pb_each(&c, &f, &status, NULL);) {
        if (f.number == INFO_NAME)
            name = pb_span(&f);
        if (f.number != INFO_TYPE)
            continue;
        pb_cursor type = pb_enter(&c, &f);
        while (pb_each(&type, &f, &status, NULL)) {
            pb_cursor tensor_type = pb_enter(&type, &f);
            while (f.number == TYPE_TENSOR && pb_each(&tensor_type, &f, &status, NULL)) {
                pb_cursor shape = pb_enter(&tensor_type, &f);
                const uint32_t number = f.number;
                f.number = TYPE_TENSOR;
                pb_field dim;
                while (number == TENSOR_SHAPE && pb_each(&shape, &dim, &status, NULL)) {
                    pb_field value;
                    pb_cursor one = pb_enter(&shape, &dim);
                    while (pb_each(&one, &value, &status, NULL))
                        if (value.number == DIM_VALUE && n_dims < 8)
                            dims[n_dims++] = (int64_t)value.value;
                }
            }
        }
    }
    if (find(m, name))
        return;
    tensor *x = make(m, name, dims, n_dims);
    want(x->n == n_input, "an input of another size");
    memcpy(x->values, input, n_input * sizeof *input);
}

float *onnx_run(const uint8_t *bytes, size_t size, const float *input, size_t n_input, size_t *n_out)
{
    machine m = {.n = 0};
    const pb_cursor graph = graph_of(bytes, size);
    pb_field f;
    roof_status status;
    want(dnnl_engine_create(&m.engine, dnnl_cpu, 0) == dnnl_success &&
             dnnl_stream_create(&m.stream, m.engine, dnnl_stream_default_flags) == dnnl_success,
         "oneDNN");
    for (pb_cursor c = graph; pb_each(&c, &f, &status, NULL);)
        if (f.number == GRAPH_INITIALIZER)
            read_initializer(&m, pb_enter(&c, &f));
    for (pb_cursor c = graph; pb_each(&c, &f, &status, NULL);)
        if (f.number == GRAPH_INPUT)
            read_input(&m, pb_enter(&c, &f), input, n_input);
    for (pb_cursor c = graph; pb_each(&c, &f, &status, NULL);)
        if (f.number == GRAPH_NODE) {
            const node n = read_node(pb_enter(&c, &f));
            run_node(&m, &n);
        }
    float *out = m.of[m.n - 1].values;
    *n_out = m.of[m.n - 1].n;
    for (uint32_t i = 0; i + 1 < m.n; i++)
        free(m.of[i].values);
    dnnl_stream_destroy(m.stream);
    dnnl_engine_destroy(m.engine);
    return out;
}
