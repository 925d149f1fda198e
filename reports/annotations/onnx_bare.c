/* A copy of an ONNX file without weights: each message in which weights can lie is gone through, and all else
 * is carried. */
#include "reports/annotations/onnx_copy.h"
#include "reports/annotations/wire_copy.h"
#include "roofline/annotate.h"
#include "roofline/graph.h"

enum {
    MODEL,
    GRAPH,
    NODE,
    ATTRIBUTE,
    TENSOR,
    SPARSE,
    FUNCTION,
    GONE, /* as it is no part of the structure, or may be as large as weights */
    PAYLOAD,
    CARRIED
};
enum { DEEPEST = 100, MOST_NUMBERS = 8, MOST_TEXT_BYTES = 1 << 12 };
enum { ATTRIBUTE_TEXT = 4, ATTRIBUTE_FLOATS = 7, ATTRIBUTE_TEXTS = 9 };
enum { TYPE_INT32 = 6, TYPE_INT64 = 7 };

static const struct {
    uint8_t in, field, is;
} parts[] = {
    {MODEL, 6, GONE},       {MODEL, 7, GRAPH},       {MODEL, 14, GONE},       {MODEL, 20, GONE},
    {MODEL, 25, FUNCTION},  {GRAPH, 1, NODE},        {GRAPH, 5, TENSOR},      {GRAPH, 10, GONE},
    {GRAPH, 15, SPARSE},    {NODE, 5, ATTRIBUTE},    {NODE, 6, GONE},         {NODE, 9, GONE},
    {ATTRIBUTE, 5, TENSOR}, {ATTRIBUTE, 6, GRAPH},   {ATTRIBUTE, 10, TENSOR}, {ATTRIBUTE, 11, GRAPH},
    {ATTRIBUTE, 13, GONE},  {ATTRIBUTE, 22, SPARSE}, {ATTRIBUTE, 23, SPARSE}, {FUNCTION, 7, NODE},
    {FUNCTION, 8, GONE},    {SPARSE, 1, TENSOR},     {SPARSE, 2, TENSOR},     {TENSOR, 4, PAYLOAD},
    {TENSOR, 5, PAYLOAD},   {TENSOR, 6, GONE},       {TENSOR, 7, PAYLOAD},    {TENSOR, 9, PAYLOAD},
    {TENSOR, 10, PAYLOAD},  {TENSOR, 11, PAYLOAD},   {TENSOR, 12, GONE},      {TENSOR, 13, GONE},
    {TENSOR, 16, GONE},
};

/* How a field of a message of kind in is copied. */
static unsigned part_of(unsigned in, const pb_field *f)
{
    if (in == ATTRIBUTE &&
        ((f->number == ATTRIBUTE_FLOATS && f->value > 4 * (uint64_t)MOST_NUMBERS) ||
         ((f->number == ATTRIBUTE_TEXT || f->number == ATTRIBUTE_TEXTS) && f->value > MOST_TEXT_BYTES)))
        return f->wire == PB_BYTES ? GONE : CARRIED;
    for (size_t i = 0; i < N_OF(parts); i++)
        if (parts[i].in == in && parts[i].field == f->number)
            return parts[i].is >= GONE || f->wire == PB_BYTES ? parts[i].is : GONE;
    return CARRIED;
}

/* True for a tensor that is a shape, an index or a scale, of which others' shapes are reckoned. */
static bool is_small(wire_copy *to, pb_cursor tensor)
{
    enum { MOST_WHOLE_NUMBERS = 64 };
    checked elements = {1, false};
    uint64_t type = 0;
    int64_t dims[ROOF_MAX_DIMS];
    uint32_t n = 0;
    pb_field f;
    while (wire_each(to, &tensor, &f)) {
        if (f.number == TENSOR_DIMS)
            to->status = pb_ints(&tensor, &f, "the shape of a tensor", dims, ROOF_MAX_DIMS, &n, to->err);
        else if (f.number == TENSOR_TYPE && f.wire == PB_VARINT)
            type = f.value;
    }
    for (uint32_t i = 0; i < n && i < ROOF_MAX_DIMS; i++)
        elements = checked_times(elements, dims[i] < 0 ? UINT64_MAX : (uint64_t)dims[i]);
    const bool is_whole = type == TYPE_INT32 || type == TYPE_INT64;
    return !elements.overflow && n <= ROOF_MAX_DIMS &&
           elements.value <= (is_whole ? MOST_WHOLE_NUMBERS : MOST_NUMBERS);
}

static void copy_message(wire_copy *to, pb_cursor message, unsigned kind, unsigned depth)
{
    const bool keeps = kind != TENSOR || is_small(to, message);
    pb_field f;
    if (depth == DEEPEST)
        to->status = error_at(to->err, ROOF_E_LIMIT, (uint64_t)(message.next - message.file),
                              "graphs lie in one another, more than %d messages deep", DEEPEST);
    while (wire_each(to, &message, &f)) {
        const unsigned part = part_of(kind, &f);
        if (part == CARRIED || (part == PAYLOAD && keeps))
            wire_carry_field(to, &message, &f);
        for (wire_inner in = {.rounds = 0}; part < GONE && wire_within(to, f.number, &in);)
            copy_message(to, pb_enter(&message, &f), part, depth + 1);
    }
}

roof_status onnx_strip(const unsigned char *bytes, uint64_t size, roof_sink sink, roof_error *err)
{
    wire_pieces pieces = {.n = 0};
    wire_copy first = {.err = err}, second = {.pieces = &pieces, .sink = sink, .err = err};
    copy_message(&first, pb_from(bytes, size), MODEL, 0);
    TRY(wire_fits(&first));
    copy_message(&second, pb_from(bytes, size), MODEL, 0);
    return wire_finish(&second);
}

static roof_status strip(void *context, const mapfile *file, roof_sink sink, roof_error *err)
{
    (void)context;
    return onnx_strip(file->bytes, file->size_bytes, sink, err);
}

roof_status roof_strip(const roof_graph *graph, const char *path, roof_error *err)
{
    if (strcmp(graph->format, "onnx") != 0)
        return error_set(err, ROOF_E_USAGE,
                         "%s: is read as '%.40s', and a copy without weights is made of an ONNX file alone",
                         graph->path, graph->format);
    return onnx_copy_file(graph->path, path, strip, NULL, err);
}
