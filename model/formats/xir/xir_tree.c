/* The tree of subgraphs, with the registers and the code of accelerator subgraphs. */
#include "core/files/csvin.h"
#include "model/code/aie/aie_code.h"
#include "model/formats/xir/xir_reader.h"
#include "model/graph/format.h"
#include "roofline/fingerprint.h"

enum { MAX_TREE_DEPTH = 32 }; /* real trees have four levels */

/* Kept in order of id. NULL without memory. */
static roof_register *find_register(xir_reader *r, roof_xir_subgraph *s, int32_t id)
{
    uint32_t at = s->n_registers;
    while (at && s->registers[at - 1].id >= id)
        at--;
    if (at < s->n_registers && s->registers[at].id == id)
        return &r->registers[at];
    r->registers = arena_grow(r->arena, s->registers, s->n_registers, sizeof *r->registers);
    if (!r->registers)
        return NULL;
    memmove(&r->registers[at + 1], &r->registers[at], (s->n_registers - at) * sizeof *r->registers);
    r->registers[at] = (roof_register){.id = id, .context = "", .size_bytes = ROOF_UNKNOWN};
    s->registers = r->registers;
    s->n_registers++;
    return &r->registers[at];
}

static roof_status set_register(xir_reader *r, roof_xir_subgraph *s, xir_attr *a, text_span key,
                                const pb_cursor *scope, const pb_field *value)
{
    pb_field bytes;
    uint64_t id; /* 12 of "REG_12" */
    if (!span_skip(&key, "REG_") || key.length > 3 || !csvin_count(key, &id) || id >= 256)
        return ROOF_OK;
    roof_register *reg = find_register(r, s, (int32_t)id);
    TRY(ALLOCATED(reg, r->err));
    const bool is_finer = span_is(a->key, "reg_id_to_context_type_v2");
    if (a->field.number == VALUE_MAP_STRING && (is_finer || span_is(a->key, "reg_id_to_context_type"))) {
        /* CODE is the instruction stream of AIE2 files; WORKSPACE and INTERFACE belong to the v2 map */
        static const char *const words[] = {"CONST", "WORKSPACE", "INTERFACE", "CODE", "DATA"};
        const uint32_t word =
            value->wire == PB_BYTES ? SPAN_AT(words, N_OF(words), pb_span(value)) : N_OF(words);
        const char *context = word < N_OF(words) ? words[word] : "";
        if (!is_finer)
            reg->constant = strcmp(context, "CONST") == 0;
        if (is_finer || !*reg->context)
            reg->context = context;
    } else if (a->field.number == VALUE_MAP_INT32 && span_is(a->key, "reg_id_to_size") &&
               value->wire == PB_VARINT) {
        reg->size_bytes = value->value <= INT32_MAX ? value->value : ROOF_UNKNOWN;
    } else if (a->field.number == VALUE_MAP_BYTES && span_is(a->key, "reg_id_to_parameter_value") &&
               value->wire == PB_BYTES) {
        TRY(PB_FIND(pb_enter(scope, value), r->err, {1, &bytes})); /* only their length is of interest */
        if (bytes.data)
            reg->parameter_bytes = bytes.value;
    }
    return ROOF_OK;
}

static roof_status read_register_map(xir_reader *r, roof_xir_subgraph *s, xir_attr *a)
{
    pb_field entry, value;
    text_span key;
    roof_status status;
    TRY(xir_attr_open(a, r->err));
    if (a->field.wire != PB_BYTES || a->field.number < VALUE_MAP_INT32)
        return ROOF_OK;
    pb_cursor map = pb_enter(&a->scope, &a->field);
    while (pb_each(&map, &entry, &status, r->err)) {
        TRY(xir_map_entry(&map, &entry, &key, &value, r->err));
        if (key.length)
            TRY(set_register(r, s, a, key, &map, &value));
    }
    return status;
}

static roof_status copy_attr_text(xir_reader *r, xir_attr *a, const char **out)
{
    text_span text;
    TRY(xir_attr_text(a, &text, r->err));
    *out = arena_strndup(r->arena, text.text, text.length);
    return ALLOCATED(*out, r->err);
}

/* Text of a key in files for the DPU-for-RNN; other kinds of value under these keys are not ours. */
static roof_status read_root_text(xir_reader *r, xir_attr *a, const roof_subgraph *s, text_span *out)
{
    TRY(xir_attr_open(a, r->err));
    return s->depth == 0 && a->field.number == VALUE_STRING ? xir_attr_text(a, out, r->err) : ROOF_OK;
}

static roof_status read_subgraph_attr(xir_reader *r, xir_attr *a, roof_subgraph *s, text_span *child_sort)
{
    roof_xir_subgraph *own = &r->subgraphs[s - r->graph->subgraphs];
    int64_t v;
    roof_status status = ROOF_OK;
    if (span_is(a->key, "device")) {
        TRY(copy_attr_text(r, a, &s->device_name));
        s->device = strcmp(s->device_name, "USER") == 0  ? ROOF_DEVICE_USER
                    : strcmp(s->device_name, "CPU") == 0 ? ROOF_DEVICE_CPU
                    : s->device_name[0]                  ? ROOF_DEVICE_ACCELERATOR
                                                         : ROOF_DEVICE_NONE;
    } else if (span_is(a->key, "dpu_name")) {
        return copy_attr_text(r, a, &s->target);
    } else if (span_is(a->key, "debug_mode")) {
        return copy_attr_text(r, a, &own->code_mode);
    } else if (xir_attr_is_int(a, "dpu_fingerprint", &v, &status, r->err)) {
        own->fingerprint = (uint64_t)v;
    } else if (xir_attr_is_int(a, "workload", &v, &status, r->err)) {
        s->stored_workload_ops = (uint64_t)v;
    } else if (xir_attr_is_int(a, "skip_code_gen", &v, &status, r->err)) {
        own->skip_code_gen = v != 0;
    } else if (xir_attr_is_int(a, "column_number", &v, &status, r->err)) {
        own->columns = v > 0 && v < 128 ? (uint32_t)v : ROOF_NONE;
    } else if (span_is(a->key, "mc_code")) {
        pb_field f;
        TRY(xir_attr_open(a, r->err));
        if (a->field.number != VALUE_BYTES || a->field.wire != PB_BYTES)
            return xir_attr_fail(a, "bytes", r->err);
        TRY(PB_FIND(pb_enter(&a->scope, &a->field), r->err, {1, &f}));
        if (f.data && f.value) {
            os_want(f.data, f.value);
            own->code = (roof_code){f.data, f.value, (uint64_t)(f.data - a->scope.file)};
        }
        return ROOF_OK;
    } else if (span_is(a->key, "children_topological_sort")) {
        TRY(xir_attr_open(a, r->err));
        if (a->field.number == VALUE_STRINGS && a->field.wire == PB_BYTES)
            *child_sort = pb_span(&a->field);
        return ROOF_OK;
    } else if (span_begins(a->key, "reg_id_to") && a->key.length > 9) {
        return read_register_map(r, own, a);
    } else if (span_is(a->key, "target")) {
        return read_root_text(r, a, s, &r->root_target);
    } else if (span_is(a->key, "model_type")) {
        return read_root_text(r, a, s, &r->root_model_type);
    }
    return status;
}

/* Adds a subgraph without any facts. Every leaf of a real tree holds an op. */
static roof_status add_subgraph(xir_reader *r, const pb_field *field, uint32_t parent, uint32_t *self)
{
    roof_graph *g = r->graph;
    uint32_t n = *self = g->n_subgraphs, depth = parent == ROOF_NONE ? 0 : g->subgraphs[parent].depth + 1;
    TRY(pb_want(field, PB_BYTES, "subgraph", r->err));
    if (depth > MAX_TREE_DEPTH)
        return error_at(r->err, ROOF_E_LIMIT, field->offset, "subgraphs are nested more than %d deep",
                        MAX_TREE_DEPTH);
    if (n > 8 * (uint64_t)r->n_refs + 64 || n > XIR_MAX_COUNT)
        return error_at(r->err, ROOF_E_LIMIT, r->root.offset, "more than %u subgraphs for %zu ops", n,
                        r->n_refs);
    TRY(ARENA_MORE(r->scratch, g->subgraphs, n, r->err));
    TRY(ARENA_MORE(r->scratch, r->subgraphs, n, r->err));
    TRY(ARENA_MORE(r->scratch, r->child_sort, n, r->err));
    g->subgraphs[n] = graph_empty_root;
    g->subgraphs[n].parent = parent;
    g->subgraphs[n].depth = depth;
    g->subgraphs[n].first_op = g->n_subgraph_ops;
    r->subgraphs[n] = (roof_xir_subgraph){.code_mode = "", .columns = ROOF_NONE};
    r->child_sort[n] = (text_span){0};
    r->kept = mapfile_pass(&g->storage->file, r->kept, g->storage->file.bytes + field->offset);
    g->n_subgraphs++;
    return ROOF_OK;
}

/* Reads its own members first, then its children, whatever the order in the file: where a subgraph lies is
 * known until another one is added. */
roof_status xir_read_subgraph(xir_reader *r, const pb_cursor *outer, const pb_field *field, uint32_t parent,
                              uint32_t *index)
{
    roof_graph *g = r->graph;
    uint32_t self, last_child = ROOF_NONE;
    pb_field f;
    xir_attr a;
    roof_status status;
    TRY(add_subgraph(r, field, parent, &self));
    roof_subgraph *s = &g->subgraphs[ *index = self];
    pb_cursor pb = pb_enter(outer, field);
    while (pb_each(&pb, &f, &status, r->err)) {
        if (f.number == SUBG_NAME) {
            TRY(xir_copy_text(r, &pb, &f, "subgraph name", &s->name));
        } else if (f.number == SUBG_OP) {
            size_t last = g->n_subgraph_ops ? g->subgraph_ops[g->n_subgraph_ops - 1] : 0;
            TRY(ARENA_MORE(r->scratch, g->subgraph_ops, g->n_subgraph_ops, r->err));
            TRY(xir_find_op(r, &f, last, s->name, &g->subgraph_ops[g->n_subgraph_ops]));
            g->n_subgraph_ops++;
            s->n_ops++;
        } else if (f.number == SUBG_ATTR) {
            TRY(xir_attr_read(&pb, &f, &a, r->err));
            TRY(read_subgraph_attr(r, &a, s, &r->child_sort[self]));
        }
    }
    TRY(status);
    pb = pb_enter(outer, field);
    while (pb_each(&pb, &f, &status, r->err)) {
        uint32_t child;
        if (f.number != SUBG_CHILD)
            continue;
        TRY(xir_read_subgraph(r, &pb, &f, self, &child));
        *(last_child == ROOF_NONE ? &g->subgraphs[self].first_child
                                  : &g->subgraphs[last_child].next_sibling) = child;
        last_child = child;
    }
    return status;
}

/* ---- control code: every node below a subgraph for a Ryzen AI NPU may have a stream. That of the subgraph
 * itself moves only a part; the rest comes with control packets. The layers' streams are whole. ---- */

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
    uint32_t n = 0;
    TRY(ARENA_GET(r->scratch, is_array, r->graph->n_subgraphs, r->err));
    /* Children have higher indices than their parent, and lie before its next sibling. */
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
