/* Copies of untrusted ONNX files with entries at every node: the copy holds the same fields in the same order
 * but for entries of ours; taking these away and putting them in again changes nothing more; what is refused
 * is explained. */
#include "reports/annotations/onnx_copy.h"
#include "core/protobuf.h"
#include "core/span.h"
#include "tests/fuzz/fuzz_target.h"
#include "tests/support/memory_io.h"
#include "tests/support/read_check.h"

#include <string.h>

enum { MODEL, GRAPH, NODE, LEVELS };

static const struct {
    uint32_t inner, metadata; /* fields */
} levels[LEVELS] = {[MODEL] = {7, 14}, [GRAPH] = {1, 0}, [NODE] = {0, 9}};

static const node_value entry = {"roofline.layer", "a", 0};

/* ---- what a copy may differ in ---- */

static bool is_ours(const pb_cursor *scope, const pb_field *field)
{
    pb_cursor inner = pb_enter(scope, field);
    pb_field f;
    bool more = true, is = false;
    while (more) {
        CHECK(pb_next(&inner, &f, &more, NULL) == ROOF_OK);
        if (more && f.number == 1 && f.wire == PB_BYTES)
            is = span_begins((text_span){(const char *)f.data, f.value}, NODE_VALUES_PREFIX);
    }
    return is;
}

/* The next field that is not ours. false: the end. */
static bool next(pb_cursor *scope, int level, pb_field *f)
{
    bool more = true;
    do
        CHECK(pb_next(scope, f, &more, NULL) == ROOF_OK);
    while (more && levels[level].metadata && f->number == levels[level].metadata && f->wire == PB_BYTES &&
           is_ours(scope, f));
    return more;
}

static void compare(pb_cursor a, pb_cursor b, int level)
{
    for (;;) {
        pb_field x, y;
        bool more = next(&a, level, &x);
        CHECK(next(&b, level, &y) == more);
        if (!more)
            return;
        CHECK(x.number == y.number && x.wire == y.wire);
        if (x.wire == PB_BYTES && levels[level].inner && x.number == levels[level].inner)
            compare(pb_enter(&a, &x), pb_enter(&b, &y), level + 1);
        else
            CHECK(x.value == y.value && (x.wire != PB_BYTES || memcmp(x.data, y.data, x.value) == 0));
    }
}

/* ---- copies ---- */

static roof_status copy(const void *bytes, size_t size, const graph_values *values, textbuf *out,
                        onnx_rewritten *what, roof_error *err)
{
    text_init(out, TEXT_MAX_BYTES);
    return onnx_rewrite(bytes, size, values, (roof_sink){memory_write, out}, what, err);
}

static void check_same(const textbuf *a, const textbuf *b)
{
    CHECK(a->length == b->length && memcmp(a->bytes, b->bytes, a->length) == 0);
}

/* values: an entry for each node. */
static void check_copies(const uint8_t *data, size_t size, const graph_values *values)
{
    textbuf noted, bare, again, back;
    onnx_rewritten what;
    CHECK(copy(data, size, values, &noted, &what, NULL) == ROOF_OK);
    CHECK(what.n_nodes == values->n_nodes);
    compare(pb_from(data, size), pb_from((unsigned char *)noted.bytes, noted.length), MODEL);
    CHECK(copy(noted.bytes, noted.length, NULL, &bare, &what, NULL) == ROOF_OK);
    CHECK(copy(bare.bytes, bare.length, values, &again, &what, NULL) == ROOF_OK);
    check_same(&again, &noted);
    CHECK(copy(again.bytes, again.length, values, &back, &what, NULL) == ROOF_OK);
    check_same(&back, &noted);
    textbuf *texts[] = {&noted, &bare, &again, &back};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        text_free(texts[i]);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    textbuf plain, bare;
    onnx_rewritten what;
    roof_error err = {0};
    text_init(&bare, TEXT_MAX_BYTES);
    roof_status stripped = onnx_strip(data, size, (roof_sink){memory_write, &bare}, &err);
    CHECK(bare.length <= size); /* lengths may be written in fewer bytes, never in more */
    text_free(&bare);
    if (stripped != ROOF_OK)
        check_refusal(stripped, &err);
    roof_status status = copy(data, size, NULL, &plain, &what, &err);
    text_free(&plain);
    if (status != ROOF_OK) {
        check_refusal(status, &err);
        return 0;
    }
    node_values *nodes = calloc(what.n_nodes + 1, sizeof *nodes);
    CHECK(nodes);
    for (uint32_t i = 0; i <= what.n_nodes; i++)
        nodes[i] = (node_values){.node = i, .name = "", .values = {entry}, .n_values = 1};
    graph_values values = {.nodes = nodes, .n_nodes = what.n_nodes, .totals = {entry}, .n_totals = 1};
    check_copies(data, size, &values);
    values.n_nodes++; /* one more than the file has */
    CHECK(copy(data, size, &values, &plain, &what, &err) == ROOF_E_DATA && !plain.length);
    check_refusal(ROOF_E_DATA, &err);
    text_free(&plain);
    free(nodes);
    return 0;
}
