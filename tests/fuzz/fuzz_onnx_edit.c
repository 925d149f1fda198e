/* Edits of untrusted ONNX files, of every node in turn: a copy is a file that can be edited again, and has as
 * many nodes fewer as were left out; what is not made says why, and without any change made the copy is the
 * file. */
#include "reports/annotations/onnx_copy.h"
#include "core/protobuf.h"
#include "tests/fuzz/fuzz_target.h"
#include "tests/support/memory_io.h"
#include "tests/support/read_check.h"

#include <string.h>

enum { MOST_NODES = 64 };

static uint32_t count_nodes(const void *bytes, size_t size)
{
    pb_cursor model = pb_from(bytes, size);
    pb_field f, inner;
    bool more;
    uint32_t n = 0;
    while (pb_next(&model, &f, &more, NULL) == ROOF_OK && more) {
        if (f.number != MODEL_GRAPH || f.wire != PB_BYTES)
            continue;
        pb_cursor graph = pb_enter(&model, &f);
        while (pb_next(&graph, &inner, &more, NULL) == ROOF_OK && more)
            n += inner.number == GRAPH_NODE && inner.wire == PB_BYTES;
    }
    return n;
}

static roof_status make(const void *bytes, size_t size, onnx_change *changes, uint32_t n, textbuf *out,
                        uint32_t *n_made, roof_error *err)
{
    text_init(out, TEXT_MAX_BYTES);
    return onnx_edit(bytes, size, changes, n, (roof_sink){memory_write, out}, n_made, err);
}

/* Nodes take turns at the kinds of changes, from kind on. */
static void check_edits(const uint8_t *data, size_t size, uint32_t n_nodes, uint32_t kind)
{
    onnx_change changes[MOST_NODES];
    textbuf copy, again;
    uint32_t n = n_nodes < MOST_NODES ? n_nodes : MOST_NODES, n_made, n_gone = 0, n_plain = 0, n_undone = 0,
             unused;
    for (uint32_t i = 0; i < n; i++)
        changes[i] =
            (onnx_change){.kind = (onnx_change_kind)((i + kind) % 4), .node = i, .pads = {1, 2, 0, 1}};
    roof_error err = {0};
    const roof_status status = make(data, size, changes, n, &copy, &n_made, &err);
    if (status != ROOF_OK) { /* more than 2 GiB with weights of zeroes, or a node that is none */
        check_refusal(status, &err);
        CHECK(!copy.length);
        text_free(&copy);
        return;
    }
    for (uint32_t i = 0; i < n; i++) {
        CHECK(!changes[i].why_not || *changes[i].why_not);
        n_gone += !changes[i].why_not && changes[i].kind != ONNX_PLAIN;
        n_plain += !changes[i].why_not && changes[i].kind == ONNX_PLAIN;
        n_undone += !changes[i].why_not && changes[i].kind == ONNX_UNDO;
    }
    CHECK(n_made == n_gone + n_plain);
    const uint32_t left = count_nodes(copy.bytes, copy.length); /* what is undone may go as well */
    CHECK(left <= n_nodes - n_gone && left + n_undone >= n_nodes - n_gone);
    CHECK(n_made || (copy.length == size && memcmp(copy.bytes, data, size) == 0));
    CHECK(make(copy.bytes, copy.length, NULL, 0, &again, &unused, NULL) == ROOF_OK && !unused);
    CHECK(again.length == copy.length && memcmp(again.bytes, copy.bytes, copy.length) == 0);
    text_free(&again);
    text_free(&copy);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    textbuf plain;
    uint32_t n_made;
    roof_error err = {0};
    const roof_status status = make(data, size, NULL, 0, &plain, &n_made, &err);
    const bool is_same = plain.length == size && memcmp(plain.bytes ? plain.bytes : "", data, size) == 0;
    text_free(&plain);
    if (status != ROOF_OK) {
        check_refusal(status, &err);
        return 0;
    }
    CHECK(is_same);
    const uint32_t n_nodes = count_nodes(data, size);
    for (uint32_t kind = 0; kind < 4; kind++)
        check_edits(data, size, n_nodes, kind);
    return 0;
}
