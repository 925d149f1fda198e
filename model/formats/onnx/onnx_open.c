/* Open dimensions of a file's inputs, and their values from the user: by the input's name
 * ("images=1x3x640x640"), by that of a dimension ("height=640"), or of the only one that is open
 * ("1x3x640x640"); lengths of sequences also as tokens. */
#include "core/findings.h"
#include "core/utf8.h"
#include "model/formats/onnx/onnx_model.h"

#include <strings.h>

/* One item of the list, "name=1x3", name empty where there is none. */
typedef struct asked_shape {
    text_span name;
    onnx_shape shape;
} asked_shape;

/* Reads the item that begins at *at, and goes behind it. */
static roof_status next_item(const char **at, asked_shape *out, roof_error *err)
{
    const char *item = *at, *end = item + strcspn(item, ","),
               *sign = memrchr(item, '=', (size_t)(end - item));
    text_span rest = {sign ? sign + 1 : item, (size_t)(end - (sign ? sign + 1 : item))};
    bool is_whole;
    *out = (asked_shape){.name = {item, sign ? (size_t)(sign - item) : 0}};
    do {
        uint64_t value;
        is_whole = !span_begins(rest, "0x") && span_take_whole(&rest, &value) && value >= 1 &&
                   value <= UINT32_MAX && out->shape.n_dims < ROOF_MAX_DIMS;
        if (is_whole)
            out->shape.dims[out->shape.n_dims++] = value;
    } while (is_whole && (span_skip(&rest, "x") || span_skip(&rest, "X")));
    if (!is_whole || rest.length)
        return error_set(
            err, ROOF_E_USAGE,
            "the shape '%.*s' is none: want INPUT=1x3x640x640 or DIMENSION=640, several with commas",
            (int)((end - item) & 0xff), item);
    *at = end + (*end == ',');
    return ROOF_OK;
}

static bool names_any(text_span name, const char *const *words)
{
    while (*words && !span_mentions(name, *words))
        words++;
    return *words;
}

/* Tokens that a dimension counts, by its name; 0: it counts none, or how many was not stated. */
static uint64_t tokens_asked(onnx_reader *r, const onnx_open *open, uint32_t at)
{
    static const char *const past[] = {"past", NULL}, *const all[] = {"total", "+", NULL},
                             *const some[] = {"seq", "len", "token", NULL};
    const roof_workload *w = r->workload;
    const text_span name = open->names[at];
    if (names_any(name, past) && !names_any(name, all))
        return w->context_tokens;
    if (names_any(name, some) && names_any(name, all))
        return (uint64_t)w->context_tokens + w->prompt_tokens;
    return names_any(name, some) || (at == 1 && open->n_dims == 2) ? w->prompt_tokens : 0;
}

roof_status onnx_give_shape(onnx_reader *r, text_span name, onnx_shape *shape, onnx_open *open)
{
    asked_shape item;
    uint32_t n = 0;
    for (const char *at = r->workload->shapes; at && *at; n++) {
        TRY(next_item(&at, &item, r->err));
        const bool is_input = span_same(item.name, name);
        for (uint32_t i = 0; i < shape->n_dims && !is_input && item.shape.n_dims == 1; i++)
            if (item.name.length && span_same(item.name, open->names[i])) {
                shape->dims[i] = item.shape.dims[0];
                r->asked_used |= 1U << (n & 31);
            }
        if (!is_input && (item.name.length || !open->is_open || r->asked_used >> (n & 31) & 1))
            continue;
        if (item.shape.n_dims != shape->n_dims)
            return error_set(r->err, ROOF_E_USAGE,
                             "input '%.80s' has %u dimensions, and the shape that was given %u", SHOWN(name),
                             shape->n_dims, item.shape.n_dims);
        for (uint32_t i = 0; i < shape->n_dims; i++) {
            if (shape->dims[i] != ROOF_UNKNOWN && shape->dims[i] != item.shape.dims[i])
                return error_set(r->err, ROOF_E_USAGE,
                                 "input '%.80s': its dimension %u is not open, and the shape that was given "
                                 "says %u",
                                 SHOWN(name), i + 1, (uint32_t)item.shape.dims[i]);
            shape->dims[i] = item.shape.dims[i];
        }
        r->asked_used |= 1U << (n & 31);
    }
    for (uint32_t i = 0; i < shape->n_dims; i++) {
        const uint64_t tokens = shape->dims[i] == ROOF_UNKNOWN && i ? tokens_asked(r, open, i) : 0;
        if (tokens) {
            shape->dims[i] = tokens;
            r->tokens_used = true;
        }
    }
    open->is_open = false;
    for (uint32_t i = 0; i < shape->n_dims && i < ROOF_MAX_DIMS; i++)
        if (shape->dims[i] == ROOF_UNKNOWN && (!open->is_open || i)) {
            open->is_open = true;
            open->at = i;
        }
    return ROOF_OK;
}

roof_status onnx_check_given(const onnx_reader *r, roof_error *err)
{
    asked_shape item;
    uint32_t n = 0;
    for (const char *at = r->workload->shapes; at && *at; n++) {
        TRY(next_item(&at, &item, err));
        if (!(r->asked_used >> (n & 31) & 1))
            return error_set(err, ROOF_E_USAGE,
                             item.name.length ? "no input and no open dimension is called '%s'"
                                              : "no input of this file has an open shape%s",
                             item.name.length ? SHOWN(item.name) : "");
    }
    return (r->workload->prompt_tokens || r->workload->context_tokens) && !r->tokens_used
               ? error_set(err, ROOF_E_USAGE, "no input of this file leaves the length of a sequence open")
               : ROOF_OK;
}

roof_status onnx_say_open(onnx_reader *r, text_span name, const onnx_shape *shape, const onnx_open *open)
{
    const char *dimensions = "", *requested = "";
    uint32_t n_open = 0;
    char quoted[256];
    for (uint32_t i = 0; i < shape->n_dims && dimensions && requested; i++) {
        const bool is_open = shape->dims[i] == ROOF_UNKNOWN;
        const uint64_t assumed = i == 0 ? 1 : shape->n_dims == 4 ? 640 : 128;
        requested = arena_printf(r->scratch, "%s%s%" PRIu64, requested, i ? "x" : "",
                                 is_open ? assumed : shape->dims[i]);
        if (!is_open || !i)
            continue;
        dimensions = arena_printf(r->scratch, "%s%s%u", dimensions, n_open++ ? ", " : "", i + 1);
        if (dimensions && open->names[i].length)
            dimensions = arena_printf(r->scratch, "%s ('%s')", dimensions, SHOWN(open->names[i]));
    }
    TRY(arena_status(r->scratch, r->err));
    const char *plain = arena_printf(r->scratch, "%.*s=%s", (int)(name.length & 0xff), name.text, requested),
               *shown = arena_name(r->scratch, name.text, name.length);
    TRY(ALLOCATED(plain && shown, r->err));
    FIND(&r->found, shown, OPEN_DIMENSION, AS_TEXT(shown), AS_COUNT(n_open), AS_TEXT(dimensions),
         AS_TEXT(quote_for_shell(quoted, sizeof quoted, plain, requested)));
    if (r->graph->storage)
        r->graph->storage->is_open = true;
    return ROOF_OK;
}
