/* roof_advice_write_edited: from the file that an advice is of to its copy with edits. */
#include "core/files/mapfile.h"
#include "core/files/outputs.h"
#include "reports/annotations/onnx_rewrite.h"
#include "reports/annotations/onnx_edit.h"
#include "roofline/advise.h"

static bool set_change(const roof_edit_step *s, onnx_change *out)
{
    *out = (onnx_change){.kind = s->kind == ROOF_EDIT_GROUPS ? ONNX_PLAIN
                                 : s->kind == ROOF_EDIT_PADS ? ONNX_PADS
                                 : s->from                   ? ONNX_UNDO
                                                             : ONNX_LEAVE_OUT,
                         .node = s->node};
    if (out->kind == ONNX_UNDO)
        out->before = s->from - 1;
    else
        memcpy(out->pads, s->pads, sizeof out->pads);
    const bool is_known =
        s->kind == ROOF_EDIT_GROUPS || s->kind == ROOF_EDIT_PADS || s->kind == ROOF_EDIT_DROP;
    return is_known && s->node != ROOF_NONE && !(s->kind == ROOF_EDIT_DROP && s->to);
}

static roof_status write_copy(const mapfile *file, onnx_change *changes, uint32_t n, const char *path,
                              uint32_t *n_made, roof_error *err)
{
    outputs set;
    outputs_file *copy = NULL;
    TRY(outputs_begin(&set, err));
    roof_status status = outputs_open(&set, path, &copy, err);
    if (status == ROOF_OK) {
        status = onnx_edit(file->bytes, file->size_bytes, changes, n, (roof_sink){outputs_write, copy},
                           n_made, err);
        if (status == ROOF_OK && !*n_made)
            status = error_set(err, ROOF_E_UNSUPPORTED, "the file allows no edit that keeps the outputs: %s",
                               changes[0].why_not);
        status = outputs_close(copy, status, err);
    }
    return outputs_end(&set, status, err);
}

static roof_status edit_file(const roof_advice *a, const mapfile *file, const char *path, roof_edited *out,
                             roof_arena *arena, roof_error *err)
{
    onnx_change *changes;
    uint32_t n = 0, most = 0;
    /* All steps of edits that keep the outputs and are not slower, each operator once. */
    for (uint32_t i = 0; i < a->n_edits; i++)
        most += a->edits[i].keeps_function ? a->edits[i].n_steps : 0;
    TRY(ARENA_GET(arena, changes, most, err));
    for (uint32_t i = 0; i < a->n_edits; i++)
        for (uint32_t k = 0; a->edits[i].keeps_function && k < a->edits[i].n_steps; k++)
            n += set_change(&a->edits[i].steps[k], &changes[n]);
    if (!n)
        return error_set(err, ROOF_E_USAGE,
                         "no edit of operators that is advised keeps the outputs of the network, so there "
                         "is nothing to write");
    TRY(write_copy(file, changes, n, path, &out->n_made, err));
    out->n_not_made = n - out->n_made;
    for (uint32_t i = n; i-- > 0;)
        out->why_not = changes[i].why_not ? changes[i].why_not : out->why_not;
    return ROOF_OK;
}

roof_status roof_advice_write_edited(const roof_advice *advice, const char *path, roof_edited *out,
                                     roof_error *err)
{
    mapfile file;
    *out = (roof_edited){0};
    if (strcmp(advice->format, "onnx") != 0)
        return error_set(err, ROOF_E_USAGE, "%s: is read as '%.40s', and only an ONNX file can be edited",
                         advice->path, advice->format);
    TRY(onnx_check_output(advice->path, path, err));
    TRY(mapfile_open(advice->path, &file, err));
    roof_arena *arena = arena_new(0);
    roof_status status = arena ? edit_file(advice, &file, path, out, arena, err) : error_memory(err);
    if (status == ROOF_E_DATA || status == ROOF_E_LIMIT || status == ROOF_E_UNSUPPORTED)
        error_prefix(err, "%s", advice->path);
    arena_free(arena);
    mapfile_close(&file);
    return status;
}
