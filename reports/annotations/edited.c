/* roof_advice_write_edited: from the file that an advice is of to its copy with edits. */
#include "reports/annotations/onnx_copy.h"
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

typedef struct editing {
    const roof_advice *advice;
    roof_arena *arena;
    roof_edited *out;
} editing;

static roof_status edit(void *context, const mapfile *file, roof_sink sink, roof_error *err)
{
    const editing *to = context;
    const roof_advice *a = to->advice;
    onnx_change *changes;
    uint32_t n = 0, most = 0;
    /* All steps of edits that keep the outputs and are not slower, each operator once. */
    for (uint32_t i = 0; i < a->n_edits; i++)
        most += a->edits[i].keeps_function ? a->edits[i].n_steps : 0;
    TRY(ARENA_GET(to->arena, changes, most, err));
    for (uint32_t i = 0; i < a->n_edits; i++)
        for (uint32_t k = 0; a->edits[i].keeps_function && k < a->edits[i].n_steps; k++)
            n += set_change(&a->edits[i].steps[k], &changes[n]);
    if (!n)
        return error_set(err, ROOF_E_USAGE,
                         "no edit of operators that is advised keeps the outputs of the network, so there "
                         "is nothing to write");
    TRY(onnx_edit(file->bytes, file->size_bytes, changes, n, sink, &to->out->n_made, err));
    if (!to->out->n_made)
        return error_set(err, ROOF_E_UNSUPPORTED, "the file allows no edit that keeps the outputs: %s",
                         changes[0].why_not);
    to->out->n_not_made = n - to->out->n_made;
    for (uint32_t i = n; i-- > 0;)
        to->out->why_not = changes[i].why_not ? changes[i].why_not : to->out->why_not;
    return ROOF_OK;
}

roof_status roof_advice_write_edited(const roof_advice *advice, const char *path, roof_edited *out,
                                     roof_error *err)
{
    *out = (roof_edited){0};
    if (strcmp(advice->format, "onnx") != 0)
        return error_set(err, ROOF_E_USAGE, "%s: is read as '%.40s', and only an ONNX file can be edited",
                         advice->path, advice->format);
    roof_arena *arena = arena_new(0);
    const roof_status status =
        arena ? onnx_copy_file(advice->path, path, edit, &(editing){advice, arena, out}, err)
              : error_memory(err);
    arena_free(arena);
    return status;
}
