/* Messages are written from the last byte to the first (tests/support/xmodel_writer.h), so each function puts
 * its last field first. */
#include "tests/support/onnx_writer.h"
#include "tests/support/xmodel_writer.h"

#include <stdlib.h>
#include <string.h>

static void put_entries(xm_buffer *b, uint32_t field, const ow_entry *entries)
{
    size_t n = 0;
    while (n < OW_MOST_ENTRIES && entries[n].key)
        n++;
    while (n-- > 0) {
        const uint64_t mark = xm_message_end(b);
        xm_put_string(b, 2, entries[n].value);
        xm_put_string(b, 1, entries[n].key);
        xm_message_begin(b, field, mark);
    }
}

static uint64_t bytes_of(ow_type type)
{
    static const uint64_t bytes[] = {[OW_FLOAT] = 4, [OW_UINT8] = 1, [OW_INT8] = 1,   [OW_INT32] = 4,
                                     [OW_INT64] = 8, [OW_BOOL] = 1,  [OW_FLOAT16] = 2};
    return bytes[type];
}

static void put_tensor(xm_buffer *b, uint32_t field, const ow_tensor *t)
{
    const uint64_t mark = xm_message_end(b);
    uint64_t elements = 1;
    for (uint32_t i = 0; i < t->dims.n; i++)
        elements *= (uint64_t)t->dims.of[i];
    if (t->data == OW_EXTERNAL) {
        xm_put_uint(b, 14, 1); /* data_location EXTERNAL */
        put_entries(b, 13, (ow_entry[OW_MOST_ENTRIES]){{"location", t->location}});
    }
    if (t->data == OW_RAW || t->data == OW_ZEROS) {
        const uint64_t inner = xm_message_end(b);
        if (t->data == OW_RAW)
            xm_put_raw(b, t->raw, t->raw_bytes);
        else
            xm_put_zeros(b, elements * bytes_of(t->type));
        xm_message_begin(b, 9, inner);
    }
    xm_put_string(b, 8, t->name);
    xm_put_uint(b, 2, t->type);
    for (uint32_t i = t->dims.n; i-- > 0;)
        xm_put_int(b, 1, t->dims.of[i]);
    xm_message_begin(b, field, mark);
}

static void put_value(xm_buffer *b, uint32_t field, const ow_value *v)
{
    const uint64_t mark = xm_message_end(b), type = xm_message_end(b), tensor = xm_message_end(b);
    if (!v->has_no_shape) {
        const uint64_t shape = xm_message_end(b);
        for (uint32_t i = v->dims.n; i-- > 0;) {
            const uint64_t dim = xm_message_end(b);
            if (v->dims.of[i] >= 0)
                xm_put_int(b, 1, v->dims.of[i]);
            else
                xm_put_string(b, 2, "N");
            xm_message_begin(b, 1, dim);
        }
        xm_message_begin(b, 2, shape);
    }
    xm_put_uint(b, 1, v->type);
    xm_message_begin(b, 1, tensor);
    xm_message_begin(b, 2, type);
    xm_put_string(b, 1, v->name);
    xm_message_begin(b, field, mark);
}

static void put_graph(xm_buffer *b, uint32_t field, const ow_graph *g);

static void put_attr(xm_buffer *b, const ow_attr *a)
{
    static const uint32_t types[] = {[OW_ATTR_FLOAT] = 1,  [OW_ATTR_INT] = 2,   [OW_ATTR_TEXT] = 3,
                                     [OW_ATTR_TENSOR] = 4, [OW_ATTR_GRAPH] = 5, [OW_ATTR_INTS] = 7};
    const uint64_t mark = xm_message_end(b);
    xm_put_uint(b, 20, types[a->kind]);
    if (a->kind == OW_ATTR_FLOAT)
        xm_put_float(b, 2, a->real);
    else if (a->kind == OW_ATTR_INT)
        xm_put_int(b, 3, a->number);
    else if (a->kind == OW_ATTR_TEXT)
        xm_put_string(b, 4, a->text);
    else if (a->kind == OW_ATTR_TENSOR)
        put_tensor(b, 5, a->tensor);
    else if (a->kind == OW_ATTR_GRAPH)
        put_graph(b, 6, a->graph);
    for (uint32_t i = a->kind == OW_ATTR_INTS ? a->ints.n : 0; i-- > 0;)
        xm_put_int(b, 8, a->ints.of[i]);
    xm_put_string(b, 1, a->name);
    xm_message_begin(b, 5, mark);
}

static void put_names(xm_buffer *b, uint32_t field, const char *const *names)
{
    size_t n = 0;
    while (n < OW_MOST_NAMES && names[n])
        n++;
    while (n-- > 0)
        xm_put_string(b, field, names[n]);
}

static void put_node(xm_buffer *b, const ow_node *node)
{
    const uint64_t mark = xm_message_end(b);
    size_t n = 0;
    put_entries(b, 9, node->metadata);
    if (node->domain)
        xm_put_string(b, 7, node->domain);
    while (n < OW_MOST_ATTRS && node->attrs[n].name)
        n++;
    while (n-- > 0)
        put_attr(b, &node->attrs[n]);
    xm_put_string(b, 4, node->type);
    if (node->name)
        xm_put_string(b, 3, node->name);
    put_names(b, 2, node->outputs);
    put_names(b, 1, node->inputs);
    xm_message_begin(b, 1, mark);
}

static void put_values(xm_buffer *b, uint32_t field, const ow_value *list, size_t n)
{
    while (n-- > 0)
        put_value(b, field, &list[n]);
}

static void put_graph(xm_buffer *b, uint32_t field, const ow_graph *g)
{
    const uint64_t mark = xm_message_end(b);
    put_values(b, 13, g->values.list, g->values.n);
    put_values(b, 12, g->outputs.list, g->outputs.n);
    put_values(b, 11, g->inputs.list, g->inputs.n);
    for (size_t i = g->initializers.n; i-- > 0;)
        put_tensor(b, 5, &g->initializers.list[i]);
    xm_put_string(b, 2, g->name);
    for (size_t i = g->nodes.n; i-- > 0;)
        put_node(b, &g->nodes.list[i]);
    xm_message_begin(b, field, mark);
}

/* Holes of the buffer are runs of zeros, the last of the file first. */
static uint8_t *bytes_in_order(const xm_buffer *b)
{
    uint8_t *bytes = calloc(b->total_bytes ? b->total_bytes : 1, 1);
    uint64_t left = b->total_bytes;
    size_t taken = 0; /* of what is in memory, from its end */
    if (!bytes)
        xm_die("no memory for a model of %llu bytes", (unsigned long long)left);
    for (size_t i = 0; i <= b->n_holes; i++) {
        const size_t all = b->capacity_bytes - b->start;
        const size_t behind = i < b->n_holes ? b->holes[i].bytes_behind : all, n = behind - taken;
        left -= n;
        memcpy(bytes + left, b->data + b->capacity_bytes - behind, n);
        taken = behind;
        left -= i < b->n_holes ? b->holes[i].size_bytes : 0;
    }
    return bytes;
}

uint8_t *ow_write(const ow_model *model, size_t *size_bytes)
{
    xm_buffer b = {0};
    put_entries(&b, 14, model->metadata);
    const uint64_t opset = xm_message_end(&b);
    xm_put_int(&b, 2, model->opset ? model->opset : 17);
    xm_put_string(&b, 1, "");
    xm_message_begin(&b, 8, opset);
    put_graph(&b, 7, &model->graph);
    if (model->producer)
        xm_put_string(&b, 2, model->producer);
    xm_put_int(&b, 1, model->ir_version ? model->ir_version : 8);
    uint8_t *bytes = bytes_in_order(&b);
    *size_bytes = b.total_bytes;
    xm_buffer_free(&b);
    return bytes;
}
