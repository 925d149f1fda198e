/* A tensor without a buffer is an activation, alive from who makes it to who reads it last: inputs from
 * the first operator on, outputs to the last one. One that keeps its value between inferences is a
 * variable, and always alive. */
#include "model/formats/tflite/tflite_model.h"
#include "model/formats/ethos_u/npu_streams.h"

typedef struct tensor_life {
    uint32_t first, last;                /* rows; first ROOF_NONE: nobody makes it */
    bool is_input, is_output, is_region; /* region: constants and scratch memory of Vela's */
} tensor_life;

typedef struct tensor_lives {
    const tflite_model *model;
    memory_builder *b;
    tensor_life *of; /* by tensor */
} tensor_lives;

static bool take_tensor(const tensor_lives *l, const fb_vector *list, uint32_t i, uint32_t *tensor)
{
    const int32_t t = fb_int32_of(list, i);
    *tensor = (uint32_t)t;
    return t >= 0 &&
           (uint32_t)t < l->model->tensors.n; /* the reader of the graph refused others of operators */
}

static roof_status find_lives(tensor_lives *l)
{
    const tflite_model *m = l->model;
    uint32_t t;
    TRY(ARENA_GET(l->b->scratch, l->of, m->tensors.n, l->b->err));
    for (t = 0; t < m->tensors.n; t++)
        l->of[t].first = ROOF_NONE;
    for (uint32_t i = 0; i < m->inputs.n; i++)
        if (take_tensor(l, &m->inputs, i, &t)) {
            l->of[t].first = 0;
            l->of[t].is_input = true;
        }
    for (uint32_t i = 0; i < m->operators.n; i++) {
        tflite_operator o;
        TRY(tflite_operator_of(m, i, &o, l->b->err));
        for (uint32_t k = 0; k < o.outputs.n; k++)
            if (take_tensor(l, &o.outputs, k, &t)) {
                l->of[t].first = i < l->of[t].first ? i : l->of[t].first;
                l->of[t].last = i; /* operators come in order */
            }
        for (uint32_t k = 0; k < o.inputs.n; k++)
            if (take_tensor(l, &o.inputs, k, &t))
                l->of[t].last = i;
    }
    for (uint32_t i = 0; i < m->outputs.n; i++)
        if (take_tensor(l, &m->outputs, i, &t)) {
            l->of[t].last = m->operators.n - 1;
            l->of[t].is_output = true;
        }
    return ROOF_OK;
}

typedef enum tensor_pool { ACTIVATIONS, VARIABLES, WEIGHTS, TENSOR_POOLS } tensor_pool;

static roof_status add_tensor(const tensor_lives *l, uint32_t t, const roof_tensor *tensor,
                              const tflite_tensor *more, const uint32_t pools[TENSOR_POOLS])
{
    const tensor_pool of = more->has_data ? WEIGHTS : more->is_variable ? VARIABLES : ACTIVATIONS;
    memory_buffer own = {.name = tensor->name,
                         .offset_bytes = ROOF_UNKNOWN,
                         .bytes = tensor->bytes,
                         .pool = pools[of],
                         .last_row = l->model->operators.n - 1};
    if (of == ACTIVATIONS) {
        if (l->of[t].first == ROOF_NONE)
            return ROOF_OK; /* nobody makes it */
        own.first_row = l->of[t].first;
        own.last_row = l->of[t].last > own.first_row ? l->of[t].last : own.first_row;
    }
    if (!tflite_has_shape(tensor))
        l->b->out->pools[own.pool].why_no_peak = "the file leaves shapes of tensors open";
    return memory_add_buffer(l->b, &own);
}

roof_status tflite_memory(const tflite_model *model, memory_builder *b)
{
    tensor_lives l = {.model = model, .b = b};
    uint32_t pools[TENSOR_POOLS];
    roof_tensor *tensors;
    tflite_tensor *more;
    bool has_variables = false;
    b->out->is_at_least = true;
    for (uint32_t i = 0; i < model->operators.n; i++)
        TRY(memory_add_row(b, b->graph->ops[i].name));
    TRY(find_lives(&l));
    TRY(ARENA_GET2(b->scratch, tensors, more, model->tensors.n, b->err));
    for (uint32_t t = 0; t < model->tensors.n; t++) {
        TRY(tflite_tensor_of(model, t, b->scratch, &tensors[t], &more[t], b->err));
        has_variables = has_variables || (more[t].is_variable && !more[t].has_data);
    }
    static const struct {
        const char *name;
        roof_memory_kind kind;
    } kinds[] = {[ACTIVATIONS] = {"activations", ROOF_MEMORY_RAM},
                 [VARIABLES] = {"variables", ROOF_MEMORY_RAM},
                 [WEIGHTS] = {"weights", ROOF_MEMORY_CONSTANTS}};
    for (int i = 0; i < TENSOR_POOLS; i++) {
        roof_memory_pool *pool;
        if (i == VARIABLES && !has_variables)
            continue;
        TRY(memory_add_pool(l.b, kinds[i].name, kinds[i].kind, 0, l.model->operators.n, &pool, &pools[i]));
        pool->assuming = "as stored";
    }
    for (uint32_t t = 0; t < model->tensors.n; t++)
        TRY(add_tensor(&l, t, &tensors[t], &more[t], pools));
    return ROOF_OK;
}

/* ---- files compiled by Vela ---------------------------------------------------------------------------- */

/* Inputs 1 to 3 of an NPU operator: constants, which several operators may share, and the scratch memories,
 * which are no tensors in them. */
static roof_status set_regions_apart(const tensor_lives *l, uint64_t *read_only_bytes)
{
    enum { READ_ONLY = 1, SCRATCH_FAST = 3 };
    uint32_t t;
    for (uint32_t i = 0; i < l->model->operators.n; i++) {
        tflite_operator o;
        TRY(tflite_operator_of(l->model, i, &o, l->b->err));
        for (uint32_t k = READ_ONLY; tflite_is_npu(&o) && k <= SCRATCH_FAST && k < o.inputs.n; k++) {
            roof_tensor tensor;
            tflite_tensor more;
            if (!take_tensor(l, &o.inputs, k, &t) || l->of[t].is_region)
                continue;
            l->of[t].is_region = true;
            if (k > READ_ONLY)
                continue;
            TRY(tflite_tensor_of(l->model, t, l->b->scratch, &tensor, &more, l->b->err));
            if (__builtin_add_overflow(*read_only_bytes, more.data_bytes, read_only_bytes))
                return error_set(l->b->err, ROOF_E_LIMIT, "its constants overflow 64 bits");
        }
    }
    return ROOF_OK;
}

/* Offsets of tensors in the scratch memory, -1 of one that has none: words are a version, subgraphs, tensors
 * of the first one, and their offsets.
 * Source: nxp-imx/ethos-u-vela, ethosu/vela, tflite_writer. */
static roof_status read_offsets(const tensor_lives *l, fb_vector *offsets)
{
    enum { TENSORS = 2, OFFSETS };
    const fb_vector *any = &l->model->operators;
    text_span found;
    TRY(tflite_metadata(l->model, "OfflineMemoryAllocation", &found, l->b->err));
    const uint64_t at = found.text ? (uint64_t)(found.text - (const char *)any->file) : 0;
    fb_vector words = {any->file, any->file_bytes, at, (uint32_t)(found.length / 4)};
    *offsets = (fb_vector){any->file, any->file_bytes, at + UINT64_C(4) * OFFSETS, 0};
    if (words.n < OFFSETS)
        return ROOF_OK;
    const int32_t n = fb_int32_of(&words, TENSORS);
    if (n < 0 || (uint32_t)n > words.n - OFFSETS)
        return error_at(l->b->err, ROOF_E_DATA, at + UINT64_C(4) * TENSORS,
                        "OfflineMemoryAllocation has %" PRId32 " offsets in %" PRIu32 " words", n,
                        words.n - OFFSETS);
    offsets->n = (uint32_t)n < l->model->tensors.n ? (uint32_t)n : l->model->tensors.n;
    return ROOF_OK;
}

roof_status tflite_npu_memory(const tflite_model *model, memory_builder *b)
{
    tensor_lives l = {.model = model, .b = b};
    npu_plan plan = {.n_operators = model->operators.n};
    npu_tensor *tensors;
    fb_vector offsets;
    TRY(find_lives(&l));
    TRY(read_offsets(&l, &offsets));
    TRY(ARENA_GET(b->scratch, tensors, offsets.n, b->err));
    TRY(set_regions_apart(&l, &plan.read_only_bytes));
    for (uint32_t t = 0; t < offsets.n; t++) {
        const int32_t offset = fb_int32_of(&offsets, t);
        const tensor_life *life = &l.of[t];
        roof_tensor tensor;
        tflite_tensor more;
        if (offset < 0 || life->is_region)
            continue;
        TRY(tflite_tensor_of(model, t, b->scratch, &tensor, &more, b->err));
        if (more.has_data || (life->first == ROOF_NONE && !more.is_variable))
            continue;
        tensors[plan.n_tensors++] =
            (npu_tensor){.name = tensor.name,
                         .offset_bytes = (uint64_t)offset,
                         .bytes = tensor.bytes,
                         .made_by = life->is_input || more.is_variable ? ROOF_NONE : life->first,
                         .used_by = life->is_output || more.is_variable ? ROOF_NONE
                                    : life->last > life->first          ? life->last
                                                                        : life->first};
    }
    order_sort(tensors, plan.n_tensors, sizeof *tensors,
               ORDER_BY(RISING(npu_tensor, made_by), RISING(npu_tensor, offset_bytes)));
    plan.tensors = tensors;
    return npu_memory(b, &plan);
}
