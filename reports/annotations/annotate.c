/* From a file to its copy, and roof_annotate: from the file that was predicted. */
#include "roofline/annotate.h"
#include "core/files/outputs.h"
#include "core/platform/platform.h"
#include "reports/annotations/onnx_copy.h"

roof_status onnx_copy_file(const char *input, const char *path,
                           roof_status (*make)(void *context, const mapfile *file, roof_sink sink,
                                               roof_error *err),
                           void *context, roof_error *err)
{
    os_entry in, out;
    outputs set;
    outputs_file *copy = NULL;
    mapfile file;
    /* The set of outputs refuses this as well, where inputs are watched. */
    if (os_look(OS_HERE, input, OS_FOLLOW, &in) && os_look(OS_HERE, path, OS_FOLLOW, &out) &&
        os_is_same(&in, &out))
        return error_set(err, ROOF_E_USAGE, "%s: is the model itself; want the name of another file", path);
    TRY(mapfile_open_sparse(input, &file, err));
    roof_status status = outputs_begin(&set, err);
    if (status == ROOF_OK) {
        status = outputs_open(&set, path, &copy, err);
        THEN(status, outputs_close(copy, make(context, &file, (roof_sink){outputs_write, copy}, err), err));
        status = outputs_end(&set, status, err);
    }
    if (status == ROOF_E_DATA || status == ROOF_E_LIMIT || status == ROOF_E_UNSUPPORTED)
        error_prefix(err, "%s", input);
    mapfile_close(&file);
    return status;
}

/* Texts of a protobuf message are UTF-8, whatever names are. */
static void make_utf8(node_value *values, uint32_t n, roof_arena *arena)
{
    FOR_EACH(node_value, value, values, n)
        value->text = arena_utf8(arena, value->text, strlen(value->text));
}

typedef struct annotating {
    const graph_values *values;
    roof_annotated *out;
} annotating;

static roof_status rewrite(void *context, const mapfile *file, roof_sink sink, roof_error *err)
{
    const annotating *a = context;
    onnx_rewritten rewritten = {0};
    const roof_status status = onnx_rewrite(file->bytes, file->size_bytes, a->values, sink, &rewritten, err);
    *a->out = (roof_annotated){a->values->n_nodes, rewritten.n_nodes, rewritten.has_external_data};
    return status;
}

roof_status roof_annotate(const roof_prediction *prediction, const char *path, roof_annotated *out,
                          roof_error *err)
{
    graph_values values;
    if (strcmp(prediction->model.format, "onnx") != 0)
        return error_set(err, ROOF_E_USAGE,
                         "%s: is read as '%.40s', and only an ONNX file has room for numbers of others; "
                         "`--format netron` writes them into a file of their own",
                         prediction->model.path, prediction->model.format);
    roof_arena *arena = arena_new(0);
    roof_status status = arena && node_values_make(prediction, arena, &values) ? ROOF_OK : error_memory(err);
    if (status == ROOF_OK) {
        make_utf8(values.totals, values.n_totals, arena);
        FOR_EACH(node_values, node, values.nodes, values.n_nodes)
            make_utf8(node->values, node->n_values, arena);
        status = arena_status(arena, err);
    }
    if (status == ROOF_OK && !values.n_nodes)
        status = error_set(err, ROOF_E_USAGE, "the prediction names no operators of the file");
    THEN(status, onnx_copy_file(prediction->model.path, path, rewrite, &(annotating){&values, out}, err));
    arena_free(arena);
    return status;
}
