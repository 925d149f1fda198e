/* Control code in files for a Ryzen AI NPU: every node of the tree below an accelerator's subgraph may have a
 * stream. The stream of the subgraph itself moves only a part; the rest comes with control packets. The
 * layers' streams are whole. */
#include "core/error.h"
#include "model/code/aie/aie_code.h"
#include "model/graph/format.h"
#include "model/formats/xir/xir_reader.h"
#include "roofline/fingerprint.h"

#include <string.h>

bool xir_is_array(const roof_xir_subgraph *own)
{
    roof_dpu_config config;
    roof_error ignored;
    return own->fingerprint != ROOF_UNKNOWN &&
           roof_fingerprint_decode(own->fingerprint, &config, &ignored) == ROOF_OK &&
           strcmp(config.family, "aie") == 0;
}

roof_status xir_decode_code(const roof_xir_subgraph *own, roof_arena *arena, roof_control_code *out,
                            roof_error *err)
{
    const roof_code *code = &own->code;
    const aie_words words = {code->bytes, code->length_bytes / 4, code->file_offset};
    if (code->length_bytes % 4)
        return error_at(err, ROOF_E_DATA, code->file_offset + 4 * words.n, "the code ends within a word");
    return aie_decode(&words, false, arena, out, err);
}

/* Code that cannot be decoded is reported where rows are made of it. */
static roof_status add_code(xir_reader *r, uint32_t node, roof_control_code *codes)
{
    roof_error why;
    struct roof_graph_storage *s = r->graph->storage;
    roof_control_code *out = &codes[s->n_control_codes];
    roof_status status = xir_decode_code(&r->subgraphs[node], r->arena, out, &why);
    if (status == ROOF_E_NO_MEMORY)
        return error_memory(r->err);
    if (status != ROOF_OK)
        return ROOF_OK;
    out->layer = r->graph->subgraphs[node].name;
    r->subgraphs[node].control_code = out;
    s->n_control_codes++;
    return ROOF_OK;
}

roof_status xir_decode_codes(xir_reader *r)
{
    bool *is_array;
    roof_control_code *codes;
    TRY(ARENA_GET(r->scratch, is_array, r->graph->n_subgraphs, r->err));
    /* Children have higher indices than their parent, and lie before its next sibling. */

    uint32_t n = 0;
    for (uint32_t i = 0; i < r->graph->n_subgraphs; i++) {
        const roof_subgraph *s = &r->graph->subgraphs[i];
        bool is_device = s->device == ROOF_DEVICE_ACCELERATOR && xir_is_array(&r->subgraphs[i]);
        is_array[i] = is_device || (s->parent != ROOF_NONE && is_array[s->parent]);
        n += is_array[i] && r->subgraphs[i].code.bytes;
    }
    if (!n)
        return ROOF_OK;
    TRY(ARENA_GET(r->arena, codes, n, r->err));
    r->graph->storage->control_codes = codes;
    for (uint32_t i = 0; i < r->graph->n_subgraphs; i++)
        if (is_array[i] && r->subgraphs[i].code.bytes)
            TRY(add_code(r, i, codes));
    return ROOF_OK;
}
