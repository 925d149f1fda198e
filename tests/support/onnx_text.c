#include "tests/support/onnx_text.h"
#include "core/span.h"
#include "model/formats/onnx/onnx_model.h"
#include "model/work/onnx_ops.h"

#include <stdlib.h>
#include <string.h>

enum { MOST_LINES = 200000, MOST_PARTS = 4096 };

typedef struct text_lines {
    text_span *at;
    size_t n;
} text_lines;

static void die(const char *why, text_span line)
{
    fprintf(stderr, "onnx_text: %s in '%.*s'\n", why, (int)line.length, line.text);
    abort();
}

static void put_text(xm_buffer *b, uint32_t field, text_span text)
{
    uint64_t mark = xm_message_end(b);
    xm_put_raw(b, text.text, text.length);
    xm_message_begin(b, field, mark);
}

static text_span word(text_span *rest)
{
    *rest = span_trim(*rest);
    size_t n = 0;
    bool quoted = false;
    int depth = 0;
    for (; n < rest->length; n++) {
        const char c = rest->text[n];
        quoted ^= c == '"';
        depth += (c == '[' || c == '{') - (c == ']' || c == '}');
        if (c == ' ' && !quoted && !depth)
            break;
    }
    text_span out = {rest->text, n};
    rest->text += n;
    rest->length -= n;
    *rest = span_trim(*rest);
    return out;
}

static long long whole(text_span text)
{
    char copy[64] = "";
    memcpy(copy, text.text, text.length < sizeof copy ? text.length : sizeof copy - 1);
    return strtoll(copy, NULL, 10);
}

static float real(text_span text)
{
    char copy[64] = "";
    memcpy(copy, text.text, text.length < sizeof copy ? text.length : sizeof copy - 1);
    return strtof(copy, NULL);
}

static uint32_t type_of(text_span name)
{
    static const char *const names[] = {"",      "float", "uint8", "int8", "uint16", "int16",  "int32",
                                        "int64", "text",  "bool",  "half", "double", "uint32", "uint64"};
    for (uint32_t i = 1; i < sizeof names / sizeof *names; i++)
        if (span_is(name, names[i]))
            return i;
    die("a type that is not known", name);
    return 0;
}

/* "int64 2 = 1,2" without its name: type, shape and numbers of a TensorProto, last first. zeros: bytes of its
 * weights. */
static void put_tensor(xm_buffer *b, text_span line, text_span name, bool raw, bool zeros)
{
    text_span dims[ROOF_MAX_DIMS + 2], parts[MOST_PARTS], rest = line;
    const uint32_t type = type_of(word(&rest));
    text_span shape = word(&rest);
    const bool is_scalar = span_is(shape, "-");
    const size_t n_dims = is_scalar ? 0 : span_split(shape, ',', dims, ROOF_MAX_DIMS + 2);
    uint64_t elements = 1;
    for (size_t i = 0; i < n_dims; i++)
        elements *= (uint64_t)whole(dims[i]);
    if (span_skip(&rest, "=")) {
        const size_t n = span_split(rest, ',', parts, MOST_PARTS);
        const uint32_t width = onnx_element_bits(type) / 8;
        uint64_t mark = xm_message_end(b);
        for (size_t i = n; i-- > 0;) {
            const int64_t value = whole(parts[i]);
            const float number = real(parts[i]);
            if (type == TYPE_FLOAT)
                xm_put_raw(b, &number, 4);
            else if (raw)
                xm_put_raw(b, &value, width); /* little-endian, as this machine */
            else
                xm_put_varint(b, (uint64_t)value);
        }
        const uint32_t field = type == TYPE_FLOAT   ? TENSOR_FLOATS
                               : type == TYPE_INT64 ? TENSOR_LONGS
                                                    : TENSOR_INTS;
        xm_message_begin(b, raw ? TENSOR_RAW : field, mark);
    } else if (zeros) {
        uint64_t mark = xm_message_end(b);
        xm_put_zeros(b, elements * onnx_element_bits(type) / 8);
        xm_message_begin(b, TENSOR_RAW, mark);
    } else if (name.length) {
        /* weights of which the file has the shape alone lie in another file, which nobody needs here */
        xm_put_uint(b, 14, 1);
        uint64_t entry = xm_message_end(b);
        xm_put_string(b, 2, "weights.bin");
        xm_put_string(b, 1, "location");
        xm_message_begin(b, 13, entry);
    }
    if (name.length)
        put_text(b, TENSOR_NAME, name);
    xm_put_uint(b, TENSOR_TYPE, type);
    for (size_t i = n_dims; i-- > 0;)
        xm_put_int(b, TENSOR_DIMS, whole(dims[i]));
}

/* "x float 1,3,N" as a ValueInfoProto. */
static void put_info(xm_buffer *b, uint32_t field, text_span line)
{
    text_span dims[ROOF_MAX_DIMS + 2], name = word(&line), type = word(&line), shape = word(&line);
    uint64_t info = xm_message_end(b);
    if (type.length) {
        uint64_t outer = xm_message_end(b), tensor = xm_message_end(b);
        if (shape.length) {
            const bool is_scalar = span_is(shape, "-");
            const size_t n = is_scalar ? 0 : span_split(shape, ',', dims, ROOF_MAX_DIMS + 2);
            uint64_t mark = xm_message_end(b);
            for (size_t i = n; i-- > 0;) {
                uint64_t dim = xm_message_end(b);
                if (dims[i].text[0] == '-' || (dims[i].text[0] >= '0' && dims[i].text[0] <= '9'))
                    xm_put_int(b, 1, whole(dims[i]));
                else
                    put_text(b, 2, dims[i]);
                xm_message_begin(b, 1, dim);
            }
            xm_message_begin(b, 2, mark);
        }
        xm_put_uint(b, 1, type_of(type));
        xm_message_begin(b, 1, tensor);
        xm_message_begin(b, 2, outer);
    }
    put_text(b, 1, name);
    xm_message_begin(b, field, info);
}

static void put_graph(xm_buffer *b, const text_lines *lines, size_t from, size_t to, bool zeros);

/* The lines of "graph NAME" up to its end. */
static void put_named_graph(xm_buffer *b, const text_lines *lines, text_span name, bool zeros)
{
    for (size_t i = 0; i < lines->n; i++) {
        text_span line = lines->at[i];
        if (!span_is(word(&line), "graph") || line.length != name.length ||
            memcmp(line.text, name.text, name.length) != 0)
            continue;
        size_t end = i + 1;
        while (end < lines->n && !span_is(lines->at[end], "end"))
            end++;
        put_graph(b, lines, i + 1, end, zeros);
        return;
    }
    die("no graph of that name", name);
}

static void put_attribute(xm_buffer *b, const text_lines *lines, text_span part, bool zeros)
{
    text_span pieces[MOST_PARTS], name = span_take_until(&part, "="), value = part;
    uint64_t mark = xm_message_end(b);
    const bool is_list = span_begins(value, "["), is_float = span_has(value, ".");
    if (is_list) {
        value.text++;
        value.length -= 2;
        const size_t n = value.length ? span_split(value, ',', pieces, MOST_PARTS) : 0;
        xm_put_uint(b, 20, is_float ? 6 : 7);
        for (size_t i = n; i-- > 0;)
            is_float ? xm_put_float(b, ATTRIBUTE_FLOATS, real(pieces[i]))
                     : xm_put_int(b, ATTRIBUTE_INTS, whole(pieces[i]));
    } else if (span_begins(value, "\"")) {
        xm_put_uint(b, 20, 3);
        put_text(b, ATTRIBUTE_TEXT, (text_span){value.text + 1, value.length - 2});
    } else if (span_begins(value, "{")) {
        uint64_t tensor = xm_message_end(b);
        put_tensor(b, (text_span){value.text + 1, value.length - 2}, (text_span){0}, false, false);
        xm_message_begin(b, ATTRIBUTE_TENSOR, tensor);
    } else if (span_begins(value, "@")) {
        uint64_t graph = xm_message_end(b);
        put_named_graph(b, lines, (text_span){value.text + 1, value.length - 1}, zeros);
        xm_message_begin(b, ATTRIBUTE_GRAPH, graph);
    } else if (span_begins(value, "&")) {
        put_text(b, ATTRIBUTE_OF_CALLER, (text_span){value.text + 1, value.length - 1});
    } else if (is_float) {
        xm_put_uint(b, 20, 1);
        xm_put_float(b, ATTRIBUTE_FLOAT, real(value));
    } else {
        xm_put_uint(b, 20, 2);
        xm_put_int(b, ATTRIBUTE_INT, whole(value));
    }
    put_text(b, ATTRIBUTE_NAME, name);
    xm_message_begin(b, NODE_ATTRIBUTE, mark);
}

static void put_names(xm_buffer *b, uint32_t field, text_span list)
{
    text_span names[MOST_PARTS];
    const size_t n = list.length ? span_split(list, ',', names, MOST_PARTS) : 0;
    for (size_t i = n; i-- > 0;)
        put_text(b, field, names[i]);
}

/* "Conv x,w -> y strides=[2,2] name=conv1" as a NodeProto. */
static void put_node(xm_buffer *b, const text_lines *lines, text_span line, bool zeros)
{
    text_span parts[64], name = {0}, domain = {0}, type = word(&line), inputs = {0}, outputs = {0};
    size_t n = 0;
    if (span_has(type, ":"))
        domain = span_take_until(&type, ":");
    if (!span_begins(line, "->"))
        inputs = word(&line);
    if (!span_skip(&line, "->"))
        die("want -> behind the inputs", line);
    outputs = word(&line);
    while (line.length && n < 64)
        parts[n++] = word(&line);
    uint64_t mark = xm_message_end(b);
    if (domain.length)
        put_text(b, NODE_DOMAIN, domain);
    for (size_t i = n; i-- > 0;)
        if (span_begins(parts[i], "name="))
            name = (text_span){parts[i].text + 5, parts[i].length - 5};
        else
            put_attribute(b, lines, parts[i], zeros);
    put_text(b, NODE_TYPE, type);
    if (name.length)
        put_text(b, NODE_NAME, name);
    put_names(b, NODE_OUTPUT, outputs);
    put_names(b, NODE_INPUT, inputs);
    xm_message_begin(b, GRAPH_NODE, mark);
}

static bool is_any(text_span first, const char *const *words)
{
    while (*words && !span_is(first, *words))
        words++;
    return *words;
}

/* Where a block ends that begins at i; i itself where none does. */
static size_t skip_block(const text_lines *lines, size_t i)
{
    static const char *const blocks[] = {"function", "graph", NULL};
    text_span line = lines->at[i];
    if (!is_any(word(&line), blocks))
        return i;
    while (i < lines->n && !span_is(lines->at[i], "end"))
        i++;
    return i;
}

/* Fields of a GraphProto come in the order of their numbers: here from the last to the first. */
static void put_graph(xm_buffer *b, const text_lines *lines, size_t from, size_t to, bool zeros)
{
    static const struct {
        const char *word;
        uint32_t field;
    } infos[] = {{"declare", GRAPH_VALUE_INFO}, {"output", GRAPH_OUTPUT}, {"input", GRAPH_INPUT}};
    static const char *const tensors[] = {"weights", "values", "raw", NULL},
                             *const others[] = {"weights", "values", "raw",      "declare", "output", "input",
                                                "opset",   "graph",  "function", "end",     NULL};
    for (int kind = 0; kind < 5; kind++) {
        /* blocks are found from the front, so their lines are marked first */
        bool *in_block = calloc(to + 1, 1);
        for (size_t i = from; i < to; i++) {
            const size_t end = skip_block(lines, i);
            for (size_t k = i; k <= end && k < to && end > i; k++)
                in_block[k] = true;
            i = end;
        }
        for (size_t i = to; i-- > from;) {
            text_span line = lines->at[i], first = word(&line);
            if (in_block[i])
                continue;
            if (kind < 3 && span_is(first, infos[kind].word)) {
                put_info(b, infos[kind].field, line);
            } else if (kind == 3 && is_any(first, tensors)) {
                uint64_t mark = xm_message_end(b);
                text_span name = word(&line);
                put_tensor(b, line, name, span_is(first, "raw"), zeros);
                xm_message_begin(b, GRAPH_INITIALIZER, mark);
            } else if (kind == 4 && !is_any(first, others)) {
                put_node(b, lines, lines->at[i], zeros);
            }
        }
        if (kind == 3)
            put_text(b, GRAPH_NAME, span_of("made"));
        free(in_block);
    }
}

static void put_function(xm_buffer *b, const text_lines *lines, size_t at)
{
    text_span line = lines->at[at], name, domain;
    word(&line);
    name = word(&line);
    domain = span_take_until(&name, ":");
    text_span inputs = word(&line);
    if (!span_skip(&line, "->"))
        die("want -> behind the inputs of a function", line);
    text_span outputs = word(&line);
    size_t end = at + 1;
    while (end < lines->n && !span_is(lines->at[end], "end"))
        end++;
    uint64_t mark = xm_message_end(b);
    put_text(b, FUNCTION_DOMAIN, domain);
    for (size_t i = end; i-- > at + 1;) {
        uint64_t node = xm_message_end(b);
        xm_buffer own = {0};
        put_node(&own, lines, lines->at[i], false);
        /* a NodeProto has number 1 in a graph and 7 in a function: one byte of tag either way */
        own.data[own.start] = FUNCTION_NODE << 3 | XM_WIRE_LENGTH;
        xm_put_raw(b, own.data + own.start, own.capacity_bytes - own.start);
        xm_buffer_free(&own);
        (void)node;
    }
    put_names(b, FUNCTION_OUTPUT, outputs);
    put_names(b, FUNCTION_INPUT, inputs);
    put_text(b, FUNCTION_NAME, name);
    xm_message_begin(b, MODEL_FUNCTION, mark);
}

static void put_opset(xm_buffer *b, text_span domain, long long version)
{
    uint64_t mark = xm_message_end(b);
    xm_put_uint(b, OPSET_VERSION, (uint64_t)version);
    put_text(b, OPSET_DOMAIN, domain);
    xm_message_begin(b, MODEL_OPSET, mark);
}

static void write_model(const char *text, bool zeros, xm_buffer *b)
{
    text_lines lines = {.at = calloc(MOST_LINES, sizeof *lines.at)};
    text_span rest = span_of(text);
    bool has_opset = false;
    while (rest.length && lines.n < MOST_LINES) {
        size_t n = 0;
        while (n < rest.length && rest.text[n] != ';' && rest.text[n] != '\n')
            n++;
        text_span line = span_trim((text_span){rest.text, n});
        rest.text += n + (n < rest.length);
        rest.length -= n + (n < rest.length);
        if (line.length)
            lines.at[lines.n++] = line;
    }
    for (size_t i = lines.n; i-- > 0;) {
        text_span line = lines.at[i];
        if (span_is(word(&line), "function"))
            put_function(b, &lines, i);
    }
    for (size_t i = lines.n; i-- > 0;) {
        text_span line = lines.at[i], first = word(&line), second = word(&line);
        if (!span_is(first, "opset"))
            continue;
        put_opset(b, line.length ? second : (text_span){"", 0}, whole(line.length ? line : second));
        has_opset = has_opset || !line.length;
    }
    if (!has_opset)
        put_opset(b, (text_span){"", 0}, 13);
    uint64_t mark = xm_message_end(b);
    put_graph(b, &lines, 0, lines.n, zeros);
    xm_message_begin(b, MODEL_GRAPH, mark);
    put_text(b, MODEL_PRODUCER, span_of("roofline"));
    xm_put_uint(b, 1, 8); /* ir_version */
    free(lines.at);
}

void onnx_text_write(const char *text, xm_buffer *out)
{
    *out = (xm_buffer){0};
    write_model(text, false, out);
}

bool onnx_text_save(const char *text, bool with_weights, const char *path)
{
    xm_buffer b = {0};
    FILE *stream = fopen(path, "wb");
    bool written = stream;
    write_model(text, with_weights, &b);
    size_t at = b.start;
    for (size_t i = b.n_holes; i-- > 0 && written;) {
        const size_t hole = b.capacity_bytes - b.holes[i].bytes_behind;
        written =
            fwrite(b.data + at, 1, hole - at, stream) == hole - at &&
            (b.holes[i].size_bytes == 0 || fseek(stream, (long)b.holes[i].size_bytes - 1, SEEK_CUR) == 0) &&
            (b.holes[i].size_bytes == 0 || fputc(0, stream) == 0);
        at = hole;
    }
    written = written && fwrite(b.data + at, 1, b.capacity_bytes - at, stream) == b.capacity_bytes - at;
    xm_buffer_free(&b);
    return stream && fclose(stream) == 0 && written;
}
