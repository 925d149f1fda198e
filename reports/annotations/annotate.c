/* roof_annotate: from the file that was predicted to its copy. */
#include "roofline/annotate.h"
#include "core/files/mapfile.h"
#include "core/files/outputs.h"
#include "reports/annotations/onnx_rewrite.h"

/* Texts of a protobuf message are UTF-8, whatever names are. */
static void make_utf8(node_value *values, uint32_t n, roof_arena *arena)
{
    FOR_EACH(node_value, value, values, n)
        value->text = arena_utf8(arena, value->text, strlen(value->text));
}

static bool make_values(const roof_prediction *p, roof_arena *arena, graph_values *out)
{
    if (!node_values_make(p, arena, out))
        return false;
    make_utf8(out->totals, out->n_totals, arena);
    FOR_EACH(node_values, node, out->nodes, out->n_nodes)
        make_utf8(node->values, node->n_values, arena);
    return arena_status(arena, NULL) == ROOF_OK;
}

static roof_status write_copy(const mapfile *file, const graph_values *values, const char *path,
                              roof_annotated *out, roof_error *err)
{
    outputs set;
    outputs_file *copy = NULL;
    onnx_rewritten rewritten = {0};
    TRY(outputs_begin(&set, err));
    roof_status status = outputs_open(&set, path, &copy, err);
    const roof_sink sink = {outputs_write, copy};
    THEN(status, outputs_close(
                     copy, onnx_rewrite(file->bytes, file->size_bytes, values, sink, &rewritten, err), err));
    *out = (roof_annotated){values->n_nodes, rewritten.n_nodes, rewritten.has_external_data};
    return outputs_end(&set, status, err);
}

roof_status roof_annotate(const roof_prediction *prediction, const char *path, roof_annotated *out,
                          roof_error *err)
{
    const char *input = prediction->model.path;
    graph_values values;
    mapfile file;
    if (strcmp(prediction->model.format, "onnx") != 0)
        return error_set(err, ROOF_E_USAGE,
                         "%s: is read as '%.40s', and only an ONNX file has room for numbers of others; "
                         "`--format netron` writes them into a file of their own",
                         input, prediction->model.format);
    TRY(onnx_check_output(input, path, err));
    TRY(mapfile_open(input, &file, err));
    roof_arena *arena = arena_new(0);
    roof_status status = arena && make_values(prediction, arena, &values) ? ROOF_OK : error_memory(err);
    if (status == ROOF_OK && !values.n_nodes)
        status = error_set(err, ROOF_E_USAGE, "the prediction names no operators of the file");
    THEN(status, write_copy(&file, &values, path, out, err));
    if (status == ROOF_E_DATA || status == ROOF_E_LIMIT)
        error_prefix(err, "%s", input);
    arena_free(arena);
    mapfile_close(&file);
    return status;
}
