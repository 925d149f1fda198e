#include "runners/cpu/onednn.h"
#include "core/error.h"
#include "core/named.h"

#include <math.h>
#include <oneapi/dnnl/dnnl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { MOST_ARGUMENTS = STEP_MOST_INPUTS + 4, CACHE_LINE = 64 };

/* A primitive and what it works on. */
typedef struct call {
    dnnl_primitive_t primitive;
    dnnl_exec_arg_t arguments[MOST_ARGUMENTS];
    int n_arguments;
    struct call *next;
} call;

/* A block of memory that is freed at the end. */
typedef struct block {
    void *bytes;
    struct block *next;
} block;

struct onednn {
    roof_arena *arena;
    dnnl_engine_t engine;
    dnnl_stream_t stream;
    dnnl_data_type_t activations, weights, bias;
    size_t element_bytes;
    char version[80];
    call **rows; /* the calls of each row */
    uint32_t n_rows;
    block *blocks;
    uint64_t allocated_bytes, most_bytes;
    uint32_t random;
    void **buffers; /* of each operator */
    roof_status status;
};

typedef dnnl_memory_desc_t layout;

/* One step that is being made. */
typedef struct maker {
    onednn *o;
    const step *step;
    const steps *all;
    call *call;
    dnnl_primitive_desc_t description;
    layout in, out; /* images; a product has others */
} maker;

/* --- memory with random data ---------------------------------------------------------------------------- */

/* xorshift: the same data in every run. */
static void fill(onednn *o, void *bytes, size_t size, dnnl_data_type_t type, float largest)
{
    size_t n = size / dnnl_data_type_size(type);
    for (size_t i = 0; i < n; i++) {
        o->random ^= o->random << 13;
        o->random ^= o->random >> 17;
        o->random ^= o->random << 5;
        float value = ((float)(o->random >> 8) / (float)(1 << 23) - 1) * largest; /* from -1 to 1 */
        uint32_t bits;
        memcpy(&bits, &value, sizeof bits);
        if (type == dnnl_f32)
            ((float *)bytes)[i] = value;
        else if (type == dnnl_bf16)
            ((uint16_t *)bytes)[i] = (uint16_t)(bits >> 16); /* the upper half of a float */
        else if (type == dnnl_s32)
            ((int32_t *)bytes)[i] = (int32_t)(value * 64);
        else
            ((uint8_t *)bytes)[i] =
                type == dnnl_u8 ? (uint8_t)(fabsf(value) * 15) : (uint8_t)(int8_t)(value * 3);
    }
}

static void *allocate(onednn *o, size_t size, dnnl_data_type_t type, float largest)
{
    size_t rounded = (size + CACHE_LINE) / CACHE_LINE * CACHE_LINE;
    const bool fits = rounded >= size && rounded <= o->most_bytes - o->allocated_bytes;
    block *b = NEW(o->arena, block);
    if (b && fits)
        b->bytes = aligned_alloc(CACHE_LINE, rounded);
    if (!b || !b->bytes) {
        o->status = b && !fits ? ROOF_E_LIMIT : ROOF_E_NO_MEMORY;
        return NULL;
    }
    b->next = o->blocks;
    o->blocks = b;
    o->allocated_bytes += rounded;
    memset(b->bytes, 0, rounded);
    fill(o, b->bytes, size, type, largest);
    return b->bytes;
}

/* --- arguments ------------------------------------------------------------------------------------------ */

static bool add_argument(maker *m, int which, const layout *as, void *bytes)
{
    dnnl_exec_arg_t *argument = &m->call->arguments[m->call->n_arguments];
    if (!bytes || dnnl_memory_create(&argument->memory, as, m->o->engine, bytes) != dnnl_success)
        return false;
    argument->arg = which;
    m->call->n_arguments++;
    return true;
}

static bool add_buffer(maker *m, int which, const layout *as, uint32_t op)
{
    void **buffer = &m->o->buffers[op];
    if (!*buffer)
        *buffer = allocate(m->o, m->all->elements[op] * m->o->element_bytes, m->o->activations, 1);
    return add_argument(m, which, as, *buffer);
}

/* Memory of its own, with random data. */
static bool add_filled(maker *m, int which, const layout *as, float largest)
{
    const size_t size = dnnl_memory_desc_get_size(as);
    return size && add_argument(m, which, as, allocate(m->o, size, as->data_type, largest));
}

/* Weights and biases, as the primitive wants them. Sums of products with them stay of the size of what goes
 * in. */
static bool add_constant(maker *m, int which, dnnl_query_t query, double summands)
{
    const layout *as = dnnl_primitive_desc_query_md(m->description, query, 0);
    return as && add_filled(m, which, as, summands > 0 ? (float)sqrt(6 / summands) : 1);
}

static layout by_tag(int n_dims, const int64_t *sizes, dnnl_data_type_t type, dnnl_format_tag_t tag)
{
    layout l;
    dnnl_dims_t dims = {0};
    memcpy(dims, sizes, (size_t)n_dims * sizeof *sizes);
    if (dnnl_memory_desc_init_by_tag(&l, n_dims, dims, type, tag) != dnnl_success)
        memset(&l, 0, sizeof l); /* which no primitive takes */
    return l;
}

static layout image(const step_shape *s, dnnl_data_type_t type)
{
    return by_tag(4, (const int64_t[]){s->n, s->c, s->h, s->w}, type, dnnl_nhwc);
}

static bool create(maker *m)
{
    return dnnl_primitive_create(&m->call->primitive, m->description) == dnnl_success;
}

/* --- one function a kind of step ------------------------------------------------------------------------ */

typedef bool (*make_step)(maker *m);

/* described: the operation has been. */
static bool make_simple(maker *m, dnnl_status_t described, const void *operation)
{
    return described == dnnl_success &&
           dnnl_primitive_desc_create(&m->description, operation, NULL, m->o->engine, NULL) == dnnl_success &&
           create(m) && add_buffer(m, DNNL_ARG_SRC, &m->in, m->step->inputs[0]) &&
           add_buffer(m, DNNL_ARG_DST, &m->out, m->step->out);
}

static bool make_filtered(maker *m)
{
    const step *s = m->step;
    const roof_window *w = &s->window;
    onednn *o = m->o;
    const int64_t g = s->groups;
    const int64_t grouped[] = {g, s->to.c / g, s->in.c / g, w->kernel_h, w->kernel_w};
    const dnnl_dims_t strides = {w->stride_h, w->stride_w}, before = {w->pad_top, w->pad_left},
                      behind = {s->pad_bottom, s->pad_right},
                      dilations = {w->dilation_h - 1, w->dilation_w - 1};
    const layout weights = g > 1 ? by_tag(5, grouped, o->weights, dnnl_format_tag_any)
                                 : by_tag(4, grouped + 1, o->weights, dnnl_format_tag_any),
                 bias = by_tag(1, &s->to.c, o->bias, dnnl_a);
    dnnl_convolution_desc_t operation; /* a deconvolution's is the same type */
    dnnl_status_t status =
        s->kind == STEP_TRANSPOSED
            ? dnnl_dilated_deconvolution_forward_desc_init(
                  &operation, dnnl_forward_inference, dnnl_deconvolution_direct, &m->in, &weights,
                  s->has_bias ? &bias : NULL, &m->out, strides, dilations, before, behind)
            : dnnl_dilated_convolution_forward_desc_init(
                  &operation, dnnl_forward_inference, dnnl_convolution_direct, &m->in, &weights,
                  s->has_bias ? &bias : NULL, &m->out, strides, dilations, before, behind);
    const int64_t inner = s->in.c / g; /* g divides the channels */
    double summands = (double)inner * w->kernel_h * w->kernel_w;
    return make_simple(m, status, &operation) &&
           add_constant(m, DNNL_ARG_WEIGHTS, dnnl_query_weights_md, summands) &&
           (!s->has_bias || add_constant(m, DNNL_ARG_BIAS, dnnl_query_weights_md, 0));
}

static bool make_product(maker *m)
{
    const step_product *p = &m->step->product;
    onednn *o = m->o;
    const int n = p->batch > 1 ? 3 : 2;
    const int64_t left[] = {p->batch, p->rows, p->inner}, right[] = {p->batch, p->inner, p->columns},
                  result[] = {p->batch, p->rows, p->columns}, biases[] = {1, 1, p->columns};
    const dnnl_format_tag_t tag = n == 3 ? dnnl_abc : dnnl_ab;
    m->in = by_tag(n, left + 3 - n, o->activations, tag);
    m->out = by_tag(n, result + 3 - n, o->activations, tag);
    const layout bias = by_tag(n, biases + 3 - n, o->bias, tag),
                 weights = by_tag(n, right + 3 - n, o->weights, dnnl_format_tag_any);
    dnnl_matmul_desc_t operation;
    return make_simple(
               m,
               dnnl_matmul_desc_init(&operation, &m->in, &weights, m->step->has_bias ? &bias : NULL, &m->out),
               &operation) &&
           add_constant(m, DNNL_ARG_WEIGHTS, dnnl_query_weights_md, (double)p->inner) &&
           (!m->step->has_bias || add_filled(m, DNNL_ARG_BIAS, &bias, 1));
}

static bool make_pool(maker *m)
{
    const step *s = m->step;
    const roof_window *w = &s->window;
    const dnnl_dims_t kernel = {w->kernel_h, w->kernel_w}, strides = {w->stride_h, w->stride_w},
                      none = {0, 0}, before = {w->pad_top, w->pad_left},
                      behind = {s->pad_bottom, s->pad_right};
    dnnl_pooling_v2_desc_t operation;
    return make_simple(
        m,
        dnnl_pooling_v2_forward_desc_init(&operation, dnnl_forward_inference,
                                          s->average ? dnnl_pooling_avg_include_padding : dnnl_pooling_max,
                                          &m->in, &m->out, strides, kernel, none, before, behind),
        &operation);
}

static bool make_binary(maker *m)
{
    const step *s = m->step;
    const layout second = image(&s->second, m->o->activations);
    dnnl_binary_desc_t operation;
    return make_simple(m, dnnl_binary_desc_init(&operation, dnnl_binary_add, &m->in, &second, &m->out),
                       &operation) &&
           add_buffer(m, DNNL_ARG_SRC_1, &second, s->inputs[1]);
}

static bool make_scale(maker *m)
{
    const layout factors = image(&(step_shape){1, 1, 1, m->step->in.c}, m->o->activations);
    dnnl_binary_desc_t operation;
    return make_simple(m, dnnl_binary_desc_init(&operation, dnnl_binary_mul, &m->in, &factors, &m->out),
                       &operation) &&
           add_filled(m, DNNL_ARG_SRC_1, &factors, 1);
}

static bool make_unary(maker *m)
{
    dnnl_eltwise_desc_t operation;
    return make_simple(
        m,
        dnnl_eltwise_forward_desc_init(&operation, dnnl_forward_inference, dnnl_eltwise_relu, &m->in, 0, 0),
        &operation);
}

static bool make_softmax(maker *m)
{
    dnnl_softmax_desc_t operation;
    return make_simple(m, dnnl_softmax_forward_desc_init(&operation, dnnl_forward_inference, &m->in, 1),
                       &operation);
}

static bool make_reduce(maker *m)
{
    dnnl_reduction_desc_t operation;
    return make_simple(m, dnnl_reduction_desc_init(&operation, dnnl_reduction_mean, &m->in, &m->out, 0, 0),
                       &operation);
}

static bool make_resize(maker *m)
{
    dnnl_resampling_desc_t operation;
    return make_simple(m,
                       dnnl_resampling_forward_desc_init(&operation, dnnl_forward_inference,
                                                         dnnl_resampling_nearest, NULL, &m->in, &m->out),
                       &operation);
}

static bool make_concat(maker *m)
{
    const step *s = m->step;
    layout *parts = NEW_ARRAY(m->o->arena, layout, s->n_inputs);
    int64_t left = s->to.c;
    if (!parts)
        return false; /* which the arena remembers */
    for (uint32_t i = 0; i < s->n_inputs; i++) {
        int64_t channels = (int64_t)m->all->elements[s->inputs[i]] / (s->to.n * s->to.h * s->to.w);
        parts[i] = image(&(step_shape){s->to.n, s->to.h, s->to.w, channels}, m->o->activations);
        left -= channels;
    }
    if (left || dnnl_concat_primitive_desc_create(&m->description, &m->out, (int)s->n_inputs, 1, parts, NULL,
                                                  m->o->engine) != dnnl_success)
        return false;
    bool good = create(m) && add_buffer(m, DNNL_ARG_DST, &m->out, s->out);
    for (uint32_t i = 0; good && i < s->n_inputs; i++)
        good = add_buffer(m, DNNL_ARG_MULTIPLE_SRC + (int)i, &parts[i], s->inputs[i]);
    return good;
}

/* As many elements as it makes, from the beginning of its first input. */
static bool make_copy(maker *m)
{
    const step *s = m->step;
    uint64_t in = m->all->elements[s->inputs[0]], out = m->all->elements[s->out];
    const int64_t n = (int64_t)(in < out ? in : out);
    const layout row = by_tag(1, &n, m->o->activations, dnnl_a);
    return dnnl_reorder_primitive_desc_create(&m->description, &row, m->o->engine, &row, m->o->engine,
                                              NULL) == dnnl_success &&
           create(m) && add_buffer(m, DNNL_ARG_FROM, &row, s->inputs[0]) &&
           add_buffer(m, DNNL_ARG_TO, &row, s->out);
}

static const make_step makers[STEP_KINDS] = {
    [STEP_CONVOLUTION] = make_filtered, [STEP_TRANSPOSED] = make_filtered,
    [STEP_PRODUCT] = make_product,      [STEP_POOL] = make_pool,
    [STEP_BINARY] = make_binary,        [STEP_UNARY] = make_unary,
    [STEP_SCALE] = make_scale,          [STEP_SOFTMAX] = make_softmax,
    [STEP_REDUCE] = make_reduce,        [STEP_RESIZE] = make_resize,
    [STEP_CONCAT] = make_concat,        [STEP_COPY] = make_copy,
};

/* --- rows ----------------------------------------------------------------------------------------------- */

static void free_call(call *c)
{
    for (int i = 0; i < c->n_arguments; i++)
        dnnl_memory_destroy(c->arguments[i].memory);
    if (c->primitive)
        dnnl_primitive_destroy(c->primitive);
}

/* NULL: there is no such primitive, or no memory, which o->status reports. */
static call *make_call(onednn *o, const steps *all, const step *s)
{
    call *c = NEW(o->arena, call);
    maker m = {.o = o,
               .step = s,
               .all = all,
               .call = c,
               .in = image(&s->in, o->activations),
               .out = image(&s->to, o->activations)};
    if (!c) {
        o->status = ROOF_E_NO_MEMORY;
        return NULL;
    }
    bool made = makers[s->kind](&m);
    if (m.description)
        dnnl_primitive_desc_destroy(m.description);
    if (made)
        return c;
    free_call(c);
    return NULL;
}

static void make_row(onednn *o, steps *all, step_row *row, call **next)
{
    call **first = next;
    for (const step *s = row->first; s && !row->skipped; s = s->next) {
        *next = make_call(o, all, s);
        if (*next)
            next = &(*next)->next;
        else
            row->skipped = arena_printf(o->arena, "oneDNN has no %.60s in this data type and shape", s->type);
    }
    if (!row->skipped)
        return;
    for (call *c = *first; c; c = c->next)
        free_call(c);
    *first = NULL;
    all->macs -= row->macs;
    row->macs = 0;
}

roof_status onednn_make(onednn *o, steps *all, roof_error *err)
{
    TRY(ARENA_GET(o->arena, o->rows, all->n_rows, err));
    TRY(ARENA_GET(o->arena, o->buffers, all->n_buffers, err));
    o->n_rows = all->n_rows;
    for (uint32_t i = 0; i < all->n_rows && o->status == ROOF_OK; i++)
        if (!all->rows[i].skipped)
            make_row(o, all, &all->rows[i], &o->rows[i]);
    if (o->status == ROOF_E_LIMIT)
        return error_set(err, ROOF_E_LIMIT,
                         "its tensors need more than the %.1f GB of memory that this machine can spare",
                         (double)o->most_bytes / 1e9);
    return o->status == ROOF_OK ? arena_status(o->arena, err) : error_memory(err);
}

roof_status onednn_submit(onednn *o, uint32_t row, roof_error *err)
{
    for (const call *c = o->rows[row]; c; c = c->next)
        if (dnnl_primitive_execute(c->primitive, o->stream, c->n_arguments, c->arguments) != dnnl_success)
            return error_set(err, ROOF_E_DEVICE, "oneDNN failed to execute a primitive");
    return ROOF_OK;
}

roof_status onednn_wait(onednn *o, roof_error *err)
{
    return dnnl_stream_wait(o->stream) == dnnl_success
               ? ROOF_OK
               : error_set(err, ROOF_E_DEVICE, "oneDNN failed to wait");
}

/* --- the library ---------------------------------------------------------------------------------------- */

static bool choose_type(onednn *o, const char *name)
{
    static const struct {
        const char *name;
        dnnl_data_type_t activations, weights, bias;
    } types[] = {{"f32", dnnl_f32, dnnl_f32, dnnl_f32},
                 {"bf16", dnnl_bf16, dnnl_bf16, dnnl_bf16},
                 {"int8", dnnl_u8, dnnl_s8, dnnl_s32}};
    const uint32_t i = NAMED_AT(types, N_OF(types), name, name);
    if (i == N_OF(types))
        return false;
    o->activations = types[i].activations;
    o->weights = types[i].weights;
    o->bias = types[i].bias;
    o->element_bytes = dnnl_data_type_size(o->activations);
    return true;
}

static const char *isa_text(dnnl_cpu_isa_t isa)
{
    static const struct {
        dnnl_cpu_isa_t isa;
        const char *text;
    } rows[] = {{dnnl_cpu_isa_sse41, "sse41"},
                {dnnl_cpu_isa_avx, "avx"},
                {dnnl_cpu_isa_avx2, "avx2"},
                {dnnl_cpu_isa_avx2_vnni, "avx2_vnni"},
                {dnnl_cpu_isa_avx512_core, "avx512_core"},
                {dnnl_cpu_isa_avx512_core_vnni, "avx512_core_vnni"},
                {dnnl_cpu_isa_avx512_core_bf16, "avx512_core_bf16"},
                {dnnl_cpu_isa_avx512_core_amx, "avx512_core_amx"}};
    for (size_t i = 0; i < N_OF(rows); i++)
        if (rows[i].isa == isa)
            return rows[i].text;
    return "another instruction set";
}

roof_status onednn_open(const char *data_type, uint64_t seed, roof_arena *arena, onednn **out,
                        roof_error *err)
{
    const dnnl_version_t *version = dnnl_version();
    onednn *o = NEW(arena, onednn);
    TRY(ALLOCATED(o, err));
    *o = (onednn){.arena = arena};
    speak_random(&seed, &o->random, sizeof o->random);
    o->random |= 1; /* which xorshift never leaves 0 from */
    *out = o;
    if (!choose_type(o, data_type))
        return error_set(err, ROOF_E_USAGE, "no data type '%.40s', want f32, bf16 or int8", data_type);
    o->most_bytes = (uint64_t)sysconf(_SC_PHYS_PAGES) * (uint64_t)sysconf(_SC_PAGESIZE) / 4 * 3;
    snprintf(o->version, sizeof o->version, "oneDNN %d.%d.%d, %s", version->major, version->minor,
             version->patch, isa_text(dnnl_get_effective_cpu_isa()));
    if (dnnl_engine_create(&o->engine, dnnl_cpu, 0) != dnnl_success ||
        dnnl_stream_create(&o->stream, o->engine, dnnl_stream_default_flags) != dnnl_success)
        return error_set(err, ROOF_E_DEVICE, "oneDNN cannot use this processor");
    return ROOF_OK;
}

void onednn_share_memory(onednn *o, uint32_t among)
{
    o->most_bytes /= among;
}

const char *onednn_version(const onednn *o)
{
    return o->version;
}

void onednn_close(onednn *o)
{
    if (!o)
        return;
    for (uint32_t i = 0; o->rows && i < o->n_rows; i++)
        for (call *c = o->rows[i]; c; c = c->next)
            free_call(c);
    for (block *b = o->blocks; b; b = b->next)
        free(b->bytes);
    if (o->stream)
        dnnl_stream_destroy(o->stream);
    if (o->engine)
        dnnl_engine_destroy(o->engine);
}
