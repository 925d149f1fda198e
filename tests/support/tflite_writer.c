#include "tests/support/tflite_writer.h"
#include "tests/support/ethosu_writer.h"
#include "tests/support/xmodel_writer.h" /* memory that does not run out */

#include <stdlib.h>
#include <string.h>

/* ---- FlatBuffers, written from the first byte to the last: what a table names is put behind it, and the
 * table told where that is ---- */

typedef struct writer {
    unsigned char *bytes;
    size_t n, capacity;
    size_t last_found; /* a tensor: the next one that is asked for is likely behind it */
} writer;

static void put(writer *w, const void *bytes, size_t size)
{
    if (w->capacity - w->n < size) {
        w->capacity = 2 * (w->n + size);
        w->bytes = xm_checked_realloc(w->bytes, w->capacity, 1);
    }
    if (bytes)
        memcpy(w->bytes + w->n, bytes, size);
    else
        memset(w->bytes + w->n, 0, size);
    w->n += size;
}

static void put_number(writer *w, uint64_t value, size_t size)
{
    unsigned char bytes[8];
    for (size_t i = 0; i < size; i++)
        bytes[i] = (unsigned char)(value >> (8 * i));
    put(w, bytes, size);
}

static void set_number(writer *w, size_t at, uint64_t value, size_t size)
{
    for (size_t i = 0; i < size; i++)
        w->bytes[at + i] = (unsigned char)(value >> (8 * i));
}

/* So that what is skip bytes further lies at a multiple of alignment. */
static void align(writer *w, size_t alignment, size_t skip)
{
    while ((w->n + skip) % alignment)
        put_number(w, 0, 1);
}

/* The place names what is put next. */
static void point_here(writer *w, size_t place)
{
    set_number(w, place, w->n - place, 4);
}

/* A field of a table: a number, or, with a place, the name of what is put later. A size of 0: it is left
 * out. */
typedef struct field {
    size_t size;
    uint64_t value;
    size_t *place;
} field;

/* Fields by their numbers. The vtable stands before the table, larger fields before smaller ones. */
static void put_table(writer *w, const field *fields, size_t n)
{
    size_t offsets[16] = {0}, size = 4;
    for (size_t of_size = 8; of_size; of_size /= 2)
        for (size_t i = 0; i < n; i++)
            if (fields[i].size == of_size) {
                offsets[i] = size;
                size += of_size;
            }
    const size_t vtable_bytes = 4 + 2 * n;
    align(w, 8, vtable_bytes + 4); /* fields of eight bytes come first, behind four */
    const size_t vtable = w->n, table = vtable + vtable_bytes;
    put_number(w, vtable_bytes, 2);
    put_number(w, size, 2);
    for (size_t i = 0; i < n; i++)
        put_number(w, offsets[i], 2);
    put(w, NULL, size);
    set_number(w, table, table - vtable, 4);
    for (size_t i = 0; i < n; i++) {
        if (!fields[i].size)
            continue;
        if (fields[i].place)
            *fields[i].place = table + offsets[i];
        else
            set_number(w, table + offsets[i], fields[i].value, fields[i].size);
    }
}

/* The place names a table, which is put next: its vtable comes first. */
static void put_table_at(writer *w, size_t place, const field *fields, size_t n)
{
    size_t vtable_bytes = 4 + 2 * n;
    align(w, 8, vtable_bytes + 4);
    set_number(w, place, w->n + vtable_bytes - place, 4);
    put_table(w, fields, n);
}

static void put_string_at(writer *w, size_t place, const char *text)
{
    align(w, 4, 0);
    point_here(w, place);
    put_number(w, strlen(text), 4);
    put(w, text, strlen(text) + 1);
}

static void put_ints_at(writer *w, size_t place, const int32_t *values, size_t n)
{
    align(w, 4, 0);
    point_here(w, place);
    put_number(w, n, 4);
    for (size_t i = 0; i < n; i++)
        put_number(w, (uint32_t)values[i], 4);
}

/* A vector of tables, which are put later; the place of its first element. */
static size_t put_list_at(writer *w, size_t place, size_t n)
{
    align(w, 4, 0);
    point_here(w, place);
    put_number(w, n, 4);
    put(w, NULL, 4 * n);
    return w->n - 4 * n;
}

/* ---- TFLite ---- */

static size_t count_dims(const int32_t *dims)
{
    size_t n = 0;
    while (n < TFW_DIMS && dims[n])
        n++;
    return n;
}

static uint64_t bytes_of(const tfw_tensor *t)
{
    static const unsigned char bits[] = {
        [TFW_FLOAT32] = 32, [TFW_FLOAT16] = 16, [TFW_INT32] = 32, [TFW_UINT8] = 8, [TFW_INT64] = 64,
        [TFW_STRING] = 8,   [TFW_BOOL] = 8,     [TFW_INT16] = 16, [TFW_INT8] = 8,  [TFW_INT4] = 4};
    uint64_t elements = 1;
    for (size_t i = 0; i < count_dims(t->dims); i++)
        elements *= (uint64_t)t->dims[i];
    return (elements * bits[t->type] + 7) / 8;
}

static int32_t index_of(writer *w, const tfw_network *net, const char *name)
{
    if (strcmp(name, "-") == 0)
        return -1;
    if (name[0] == '#')
        return (int32_t)strtol(name + 1, NULL, 10);
    for (size_t tried = 0; tried < net->n_tensors; tried++) {
        const size_t i = (w->last_found + tried) % net->n_tensors;
        if (!net->tensors[i].name || strcmp(net->tensors[i].name, name) != 0)
            continue;
        w->last_found = i;
        return (int32_t)i;
    }
    xm_die("tflite_writer: no tensor '%s'", name);
}

static void put_names_at(writer *w, size_t place, const tfw_network *net, const char *const *names)
{
    int32_t indices[TFW_SLOTS];
    size_t n = 0;
    for (; n < TFW_SLOTS && names[n]; n++)
        indices[n] = index_of(w, net, names[n]);
    put_ints_at(w, place, indices, n);
}

/* Quantised as a whole, by 0.0078125 and 0. */
static void put_quantization_at(writer *w, size_t place)
{
    size_t scale, zero;
    put_table_at(w, place, (const field[]){{0}, {0}, {4, 0, &scale}, {4, 0, &zero}}, 4);
    align(w, 4, 0);
    point_here(w, scale);
    put_number(w, 1, 4);
    put_number(w, 0x3c000000, 4);
    align(w, 8, 4);
    point_here(w, zero);
    put_number(w, 1, 4);
    put_number(w, 0, 8);
}

static void put_tensor_at(writer *w, size_t place, const tfw_tensor *t, uint32_t buffer)
{
    int32_t length;
    const size_t n_dims = t->payload ? 1 : count_dims(t->dims), n_signature = count_dims(t->signature);
    const bool is_quantised = t->type == TFW_INT8 || t->type == TFW_UINT8;
    size_t shape, name, quantization, signature;
    const field fields[] = {{n_dims ? 4 : 0, 0, &shape},
                            {1, (uint64_t)t->type, NULL},
                            {4, buffer, NULL},
                            {t->name ? 4 : 0, 0, &name},
                            {is_quantised ? 4 : 0, 0, &quantization},
                            {t->is_variable, 1, NULL},
                            {0},
                            {n_signature ? 4 : 0, 0, &signature},
                            {t->has_rank, 1, NULL}};
    put_table_at(w, place, fields, sizeof fields / sizeof *fields);
    if (t->payload) {
        size_t size;
        free(euw_write(t->payload, &size));
        length = (int32_t)size;
    }
    if (n_dims)
        put_ints_at(w, shape, t->payload ? &length : t->dims, n_dims);
    if (t->name)
        put_string_at(w, name, t->name);
    if (is_quantised)
        put_quantization_at(w, quantization);
    if (n_signature)
        put_ints_at(w, signature, t->signature, n_signature);
}

/* Operators of one kind share a code, which is that of the first of them. */
static size_t code_of(const tfw_network *net, size_t op)
{
    const tfw_operator *o = &net->operators[op];
    size_t i = 0;
    for (; i < op; i++) {
        const tfw_operator *other = &net->operators[i];
        if (other->builtin == o->builtin &&
            (!o->custom || !other->custom ? o->custom == other->custom
                                          : strcmp(other->custom, o->custom) == 0))
            break;
    }
    return i;
}

static void put_operator_at(writer *w, size_t place, const tfw_network *net, const tfw_operator *o,
                            uint32_t code)
{
    const bool has_options = o->options.type != 0;
    size_t inputs, outputs, options, custom;
    const field fields[] = {{4, code, NULL},
                            {4, 0, &inputs},
                            {4, 0, &outputs},
                            {has_options, (uint64_t)o->options.type, NULL},
                            {has_options ? 4 : 0, 0, &options},
                            {o->custom ? 4 : 0, 0, &custom}};
    put_table_at(w, place, fields, sizeof fields / sizeof *fields);
    put_names_at(w, inputs, net, o->inputs);
    put_names_at(w, outputs, net, o->outputs);
    if (has_options) {
        field own[TFW_FIELDS] = {0};
        for (size_t i = 0; i < TFW_FIELDS; i++)
            own[i] = (field){o->options.fields[i].size, (uint32_t)o->options.fields[i].value, NULL};
        put_table_at(w, options, own, TFW_FIELDS);
    }
    if (o->custom) {
        static const unsigned char one[] = {1, 4, 1}; /* the number 1, as FlexBuffers have it */
        align(w, 4, 0);
        point_here(w, custom);
        put_number(w, sizeof one, 4);
        put(w, one, sizeof one);
    }
}

static void put_codes_at(writer *w, size_t place, const tfw_network *net, uint32_t *numbers)
{
    uint32_t n = 0;
    for (size_t i = 0; i < net->n_operators; i++) {
        const size_t first = code_of(net, i);
        numbers[i] = first == i ? n++ : numbers[first];
    }
    const size_t codes = put_list_at(w, place, n);
    for (size_t i = 0, k = 0; i < net->n_operators; i++) {
        const tfw_operator *o = &net->operators[i];
        size_t custom;
        if (code_of(net, i) != i)
            continue;
        const field fields[] = {{1, (uint64_t)(o->builtin < 127 ? o->builtin : 127), NULL},
                                {o->custom ? 4 : 0, 0, &custom},
                                {4, 1, NULL},
                                {4, (uint64_t)o->builtin, NULL}};
        put_table_at(w, codes + 4 * k++, fields, sizeof fields / sizeof *fields);
        if (o->custom)
            put_string_at(w, custom, o->custom);
    }
}

static void put_graph_at(writer *w, size_t place, const tfw_network *net, const uint32_t *codes,
                         const tfw_body *of, const char *called)
{
    size_t tensors, inputs, outputs, operators, name;
    const field fields[] = {
        {4, 0, &tensors}, {4, 0, &inputs}, {4, 0, &outputs}, {4, 0, &operators}, {4, 0, &name}};
    put_table_at(w, place, fields, sizeof fields / sizeof *fields);
    const size_t first_tensor = put_list_at(w, tensors, net->n_tensors);
    uint32_t n_buffers = 0; /* the first is empty, then comes one for each constant */
    for (size_t i = 0; i < net->n_tensors; i++) {
        const bool is_constant = net->tensors[i].data != TFW_COMPUTED;
        n_buffers += is_constant;
        put_tensor_at(w, first_tensor + 4 * i, &net->tensors[i], is_constant ? n_buffers : 0);
    }
    put_names_at(w, inputs, net, of->inputs);
    put_names_at(w, outputs, net, of->outputs);
    const size_t first_operator = put_list_at(w, operators, of->n);
    for (size_t i = 0; i < of->n; i++)
        put_operator_at(w, first_operator + 4 * i, net, &net->operators[of->first + i], codes[of->first + i]);
    put_string_at(w, name, called);
}

/* The bytes of a buffer; NULL: zeros. */
static void put_data_at(writer *w, size_t place, const void *bytes, size_t size)
{
    align(w, 16, 4);
    point_here(w, place);
    put_number(w, size, 4);
    put(w, bytes, size);
}

/* What Vela names as metadata, in the last buffers. */
enum { MOST_METADATA = 2 };
typedef struct metadata {
    const char *name;
    unsigned char *bytes;
    size_t size;
} metadata;

static size_t metadata_of(const tfw_network *net, metadata out[MOST_METADATA])
{
    size_t n = 0;
    if (net->vela_version) { /* 16 bytes, as Vela has them */
        out[n] = (metadata){"vela_version", xm_checked_realloc(NULL, 16, 1), 16};
        memset(out[n].bytes, 0, 16);
        memccpy(out[n++].bytes, net->vela_version, '\0', 15);
    }
    if (net->has_plan) { /* version, subgraphs, tensors, an offset each */
        writer words = {0};
        put_number(&words, 0, 4);
        put_number(&words, 1, 4);
        put_number(&words, net->n_tensors, 4);
        for (size_t i = 0; i < net->n_tensors; i++)
            put_number(&words, net->tensors[i].is_placed ? (uint32_t)net->tensors[i].offset : UINT32_MAX, 4);
        out[n++] = (metadata){"OfflineMemoryAllocation", words.bytes, words.n};
    }
    return n;
}

static void put_metadata_at(writer *w, size_t place, const tfw_network *net, const metadata *list, size_t n)
{
    size_t names[MOST_METADATA], buffer = 1;
    for (size_t i = 0; i < net->n_tensors; i++)
        buffer += net->tensors[i].data != TFW_COMPUTED;
    const size_t first = put_list_at(w, place, n);
    for (size_t i = 0; i < n; i++)
        put_table_at(w, first + 4 * i, (const field[]){{4, 0, &names[i]}, {4, buffer + i, NULL}}, 2);
    for (size_t i = 0; i < n; i++)
        put_string_at(w, names[i], list[i].name);
}

/* Returns where each buffer behind the flatbuffer wants to be told its place; 0 for the others. */
static size_t *put_buffers_at(writer *w, size_t place, const tfw_network *net, const metadata *more,
                              size_t n_more)
{
    uint32_t n = 1, k = 1;
    for (size_t i = 0; i < net->n_tensors; i++)
        n += net->tensors[i].data != TFW_COMPUTED;
    n += (uint32_t)n_more;
    size_t *places = xm_checked_realloc(NULL, net->n_tensors + 1, sizeof *places);
    const size_t buffers = put_list_at(w, place, n);
    put_table_at(w, buffers, NULL, 0);
    for (size_t i = 0; i < net->n_tensors; i++) {
        const tfw_tensor *t = &net->tensors[i];
        const bool is_here = t->data != TFW_BEHIND;
        size_t data, offset;
        places[i] = 0;
        if (t->data == TFW_COMPUTED)
            continue;
        const field here[] = {{4, 0, &data}}, behind[] = {{0}, {8, 0, &offset}, {8, bytes_of(t), NULL}};
        put_table_at(w, buffers + 4 * (size_t)k++, is_here ? here : behind, is_here ? 1 : 3);
        if (!is_here) {
            places[i] = offset;
            continue;
        }
        if (t->payload) {
            size_t size;
            unsigned char *bytes = euw_write(t->payload, &size);
            put_data_at(w, data, bytes, size);
            free(bytes);
        } else {
            put_data_at(w, data, t->data == TFW_VALUES ? t->values : NULL, bytes_of(t));
        }
    }
    for (size_t i = 0; i < n_more; i++) {
        size_t data;
        put_table_at(w, buffers + 4 * (size_t)k++, (const field[]){{4, 0, &data}}, 1);
        put_data_at(w, data, more[i].bytes, more[i].size);
    }
    return places;
}

unsigned char *tfw_write(const tfw_network *net, size_t *size_bytes)
{
    writer w = {0};
    size_t codes, subgraphs, description, buffers, list_of_more;
    metadata more[MOST_METADATA];
    const size_t n_more = metadata_of(net, more);
    uint32_t *numbers = xm_checked_realloc(NULL, net->n_operators + 1, sizeof *numbers);
    const field fields[] = {{4, net->version ? net->version : 3, NULL},  {4, 0, &codes},   {4, 0, &subgraphs},
                            {net->description ? 4 : 0, 0, &description}, {4, 0, &buffers}, {0},
                            {n_more ? 4 : 0, 0, &list_of_more}};
    put_number(&w, 0, 4);
    put(&w, "TFL3", 4);
    put_table_at(&w, 0, fields, n_more ? 7 : 5);
    put_codes_at(&w, codes, net, numbers);
    const size_t list = put_list_at(&w, subgraphs, 1 + net->n_bodies + net->n_further);
    tfw_body own = {.n = net->n_main ? net->n_main : net->n_operators};
    memcpy(own.inputs, net->inputs, sizeof own.inputs);
    memcpy(own.outputs, net->outputs, sizeof own.outputs);
    put_graph_at(&w, list, net, numbers, &own, "main");
    for (size_t i = 0; i < net->n_bodies; i++)
        put_graph_at(&w, list + 4 * (1 + i), net, numbers, &net->bodies[i], "body");
    for (uint32_t i = 0; i < net->n_further; i++)
        put_table_at(&w, list + 4 * (1 + net->n_bodies + (size_t)i), NULL, 0);
    if (net->description)
        put_string_at(&w, description, net->description);
    if (n_more)
        put_metadata_at(&w, list_of_more, net, more, n_more);
    size_t *behind = put_buffers_at(&w, buffers, net, more, n_more);
    for (size_t i = 0; i < net->n_tensors; i++)
        if (behind[i]) {
            align(&w, 16, 0);
            set_number(&w, behind[i], w.n, 8);
            put(&w, NULL, bytes_of(&net->tensors[i]));
        }
    for (size_t i = 0; i < n_more; i++)
        free(more[i].bytes);
    free(behind);
    free(numbers);
    *size_bytes = w.n;
    return w.bytes;
}

/* ---- networks ---- */

static const tfw_tensor tiny_tensors[] = {
    TFW_TENSOR("image", TFW_UINT8, {1, 16, 16, 3}, .signature = {-1, 16, 16, 3}),
    TFW_TENSOR("image_q", TFW_INT8, {1, 16, 16, 3}),
    TFW_TENSOR("w1", TFW_INT8, {8, 3, 3, 3}, .data = TFW_ZEROS),
    TFW_TENSOR("b1", TFW_INT32, {8}, .data = TFW_ZEROS),
    TFW_TENSOR("conv", TFW_INT8, {1, 16, 16, 8}),
    TFW_TENSOR("w2", TFW_INT8, {1, 3, 3, 16}, .data = TFW_ZEROS),
    TFW_TENSOR("depthwise", TFW_INT8, {1, 8, 8, 16}),
    TFW_TENSOR("pool", TFW_INT8, {1, 4, 4, 16}),
    TFW_TENSOR("shape", TFW_INT32, {4}, .data = TFW_ZEROS),
    TFW_TENSOR("w3", TFW_INT8, {4, 4, 4, 16}, .data = TFW_BEHIND),
    TFW_TENSOR("up", TFW_INT8, {1, 8, 8, 4}),
    TFW_LIST("axis", 0, 3),
    TFW_TENSOR("left", TFW_INT8, {1, 8, 8, 2}),
    TFW_TENSOR("right", TFW_INT8, {1, 8, 8, 2}),
    TFW_TENSOR("both", TFW_INT8, {1, 8, 8, 4}),
    TFW_TENSOR("w4", TFW_INT8, {20, 256}, .data = TFW_ZEROS),
    TFW_TENSOR("scores", TFW_INT8, {1, 20}),
    TFW_TENSOR("classes", TFW_INT8, {1, 20}),
    TFW_TENSOR("odd", TFW_FLOAT32, {1, 20}),
};
static const tfw_operator tiny_operators[] = {
    {114, .inputs = {"image"}, .outputs = {"image_q"}},
    {3, .inputs = {"image_q", "w1", "b1"}, .outputs = {"conv"}, .options = TFW_CONV(TFW_SAME, 1, 1)},
    {4, .inputs = {"conv", "w2", "-"}, .outputs = {"depthwise"}, .options = TFW_DEPTHWISE(TFW_SAME, 2, 2, 1)},
    {17, .inputs = {"depthwise"}, .outputs = {"pool"}, .options = TFW_POOL(TFW_VALID, 2, 2)},
    {67, .inputs = {"shape", "w3", "pool"}, .outputs = {"up"}, .options = TFW_TRANSPOSED(TFW_SAME, 2)},
    {49, .inputs = {"axis", "up"}, .outputs = {"left", "right"}},
    {2, .inputs = {"right", "left"}, .outputs = {"both"}},
    {9, .inputs = {"both", "w4", "-"}, .outputs = {"scores"}},
    {25, .inputs = {"scores"}, .outputs = {"classes"}},
    {32, .custom = "Oddity", .inputs = {"classes"}, .outputs = {"odd"}},
};
const tfw_network tfw_tiny = {.tensors = tiny_tensors,
                              .n_tensors = sizeof tiny_tensors / sizeof *tiny_tensors,
                              .operators = tiny_operators,
                              .n_operators = sizeof tiny_operators / sizeof *tiny_operators,
                              .inputs = {"image"},
                              .outputs = {"odd"},
                              .description = "made up"};

static const tfw_tensor vela_tensors[] = {
    TFW_TENSOR("input", TFW_INT8, {1, 8, 8, 4}),
    TFW_TENSOR("main_split_1_command_stream", TFW_UINT8, {0}, .data = TFW_PAYLOAD, .payload = &euw_small),
    TFW_TENSOR("main_split_1_flash", TFW_UINT8, {1376}, .data = TFW_ZEROS),
    TFW_TENSOR("main_split_1_scratch", TFW_UINT8, {5120}),
    TFW_TENSOR("main_split_1_scratch_fast", TFW_UINT8, {5120}),
    TFW_TENSOR("npu_out", TFW_INT8, {1, 16}),
    TFW_TENSOR("probabilities", TFW_INT8, {1, 16}),
};
static const tfw_operator vela_operators[] = {
    {32, .custom = "ethos-u",
     .inputs = {"main_split_1_command_stream", "main_split_1_flash", "main_split_1_scratch",
                "main_split_1_scratch_fast", "input"},
     .outputs = {"npu_out"}},
    {25, .inputs = {"npu_out"}, .outputs = {"probabilities"}},
};
const tfw_network tfw_vela = {.tensors = vela_tensors,
                              .n_tensors = sizeof vela_tensors / sizeof *vela_tensors,
                              .operators = vela_operators,
                              .n_operators = sizeof vela_operators / sizeof *vela_operators,
                              .inputs = {"input"},
                              .outputs = {"probabilities"},
                              .description = "Vela Optimised",
                              .vela_version = "3.10.0"};

static const tfw_tensor loop_tensors[] = {TFW_TENSOR("x", TFW_INT8, {1, 4}),
                                          TFW_TENSOR("y", TFW_INT8, {1, 4}),
                                          TFW_TENSOR("z", TFW_INT8, {1, 4}),
                                          TFW_TENSOR("w", TFW_INT8, {4, 4}, .data = TFW_ZEROS),
                                          TFW_TENSOR("i", TFW_INT32, {1}),
                                          TFW_TENSOR("next", TFW_INT32, {1}),
                                          TFW_TENSOR("last", TFW_INT32, {1}),
                                          TFW_TENSOR("goes_on", TFW_BOOL, {1}),
                                          TFW_LIST("begin", 0, 0),
                                          TFW_LIST("end", 0, 3),
                                          TFW_LIST("step", 0, 1)};
static const tfw_operator loop_operators[] = {
    {119, .inputs = {"begin", "x"}, .outputs = {"last", "y"}, .options = {93, {{4, 1}, {4, 2}}}},
    {118, .inputs = {"goes_on", "y"}, .outputs = {"z"}, .options = {92, {{4, 3}, {4, 4}}}},
    {58, .inputs = {"i", "end"}, .outputs = {"goes_on"}},
    {9, .inputs = {"x", "w"}, .outputs = {"y"}},
    {0, .inputs = {"i", "step"}, .outputs = {"next"}},
    {9, .inputs = {"x", "w"}, .outputs = {"y"}},
    {14, .inputs = {"x"}, .outputs = {"y"}},
};
static const tfw_body loop_bodies[] = {{2, 1, {"i", "x"}, {"goes_on"}},
                                       {3, 2, {"i", "x"}, {"next", "y"}},
                                       {5, 1, {"x"}, {"y"}},
                                       {6, 1, {"x"}, {"y"}}};
const tfw_network tfw_loops = {.tensors = loop_tensors,
                               .n_tensors = sizeof loop_tensors / sizeof *loop_tensors,
                               .operators = loop_operators,
                               .n_operators = sizeof loop_operators / sizeof *loop_operators,
                               .n_main = 2,
                               .bodies = loop_bodies,
                               .n_bodies = sizeof loop_bodies / sizeof *loop_bodies,
                               .inputs = {"x", "goes_on"},
                               .outputs = {"z"}};
