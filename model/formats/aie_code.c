/* Control code of an AI Engine array: transactions (insts.bin, insts.txt, DynamicDispatch's .bin) and AIE2 control code as text
 * (xrt-smi's sequences). Text is a word of 8 hexadecimal digits a line; '#' begins a comment.
 *
 * There is no magic: a transaction is known by its header and by a walk to its last word. Code tells what is moved, not what is
 * computed: that is the product that somebody names, or that the file's name tells.
 */
#include "core/error.h"
#include "model/code/aie_code.h"
#include "model/format.h"
#include "model/program_build.h"
#include "model/work/product.h"

#include <inttypes.h>
#include <string.h>

enum { DIGITS = 8, SNIFFED = 1024 };

/* ---- text ------------------------------------------------------------------------------------------------ */

typedef struct hex_text {
    const unsigned char *bytes;
    uint64_t size, at, line;
} hex_text;

static int digit_of(unsigned char c)
{
    return c >= '0' && c <= '9'   ? c - '0'
           : c >= 'a' && c <= 'f' ? c - 'a' + 10
           : c >= 'A' && c <= 'F' ? c - 'A' + 10
                                  : -1;
}

static bool is_blank(unsigned char c)
{
    return c == ' ' || c == '\t' || c == '\r';
}

typedef enum hex_found { HEX_WORD, HEX_END, HEX_OTHER } hex_found;

/* The next word, past blank lines and comments. */
static hex_found next_word(hex_text *t, uint32_t *word)
{
    for (; t->at < t->size; t->at++) {
        unsigned char c = t->bytes[t->at];
        if (c == '#')
            while (t->at + 1 < t->size && t->bytes[t->at + 1] != '\n')
                t->at++;
        else if (c == '\n')
            t->line++;
        else if (!is_blank(c))
            break;
    }
    if (t->at == t->size)
        return HEX_END;
    *word = 0;
    for (int i = 0; i < DIGITS; i++, t->at++) {
        int digit = t->at < t->size ? digit_of(t->bytes[t->at]) : -1;
        if (digit < 0)
            return HEX_OTHER;
        *word = *word << 4 | (uint32_t)digit;
    }
    bool ends =
        t->at == t->size || t->bytes[t->at] == '\n' || t->bytes[t->at] == '#' || is_blank(t->bytes[t->at]);
    return ends ? HEX_WORD : HEX_OTHER;
}

static roof_status read_text(const mapfile *file, roof_arena *scratch, aie_words *out, roof_error *err)
{
    hex_text t = {.bytes = file->bytes, .size = file->size_bytes, .line = 1};
    unsigned char *words;
    uint32_t word;
    hex_found found;
    TRY(ARENA_GET(scratch, words, file->size_bytes / (DIGITS + 1) * 4 + 4, err));
    *out = (aie_words){.bytes = words};
    while ((found = next_word(&t, &word)) == HEX_WORD) {
        const unsigned char bytes[4] = {(unsigned char)word, (unsigned char)(word >> 8),
                                        (unsigned char)(word >> 16), (unsigned char)(word >> 24)};
        memcpy(words + 4 * out->n++, bytes, sizeof bytes);
    }
    if (found == HEX_END)
        return ROOF_OK;
    return error_line(err, ROOF_E_DATA, t.line, "want a word of %d hexadecimal digits", DIGITS);
}

/* The line of a word: errors of a text name that. */
static uint64_t line_of_word(const mapfile *file, uint64_t index)
{
    hex_text t = {.bytes = file->bytes, .size = file->size_bytes, .line = 1};
    uint32_t word;
    for (uint64_t i = 0; next_word(&t, &word) == HEX_WORD && i < index; i++)
        ;
    return t.line;
}

/* ---- reading --------------------------------------------------------------------------------------------- */

static bool is_binary(const unsigned char *bytes, uint64_t size)
{
    const aie_words words = {.bytes = bytes, .n = size / 4};
    return aie_is_txn(&words);
}

static bool aie_code_sniff(const unsigned char *bytes, uint64_t size)
{
    hex_text t = {.bytes = bytes, .size = size < SNIFFED ? size : SNIFFED};
    uint32_t word;
    return is_binary(bytes, size) || (next_word(&t, &word) == HEX_WORD);
}

static roof_status decode(const roof_graph *g, roof_arena *scratch, roof_control_code *out, roof_error *err)
{
    const mapfile *file = &g->storage->file;
    aie_words words = {.bytes = file->bytes, .n = file->size_bytes / 4};
    bool is_text = !is_binary(file->bytes, file->size_bytes);
    if (is_text)
        TRY(read_text(file, scratch, &words, err));
    else if (file->size_bytes % 4)
        return error_at(err, ROOF_E_DATA, file->size_bytes & ~(uint64_t)3, "the code ends within a word");
    roof_status status = aie_is_txn(&words) ? aie_decode_txn(&words, g->storage->arena, out, err)
                                            : aie_decode_ctrlcode(&words, g->storage->arena, out, err);
    if (status == ROOF_E_DATA && is_text && err && err->byte_offset != ROOF_UNKNOWN) {
        err->line = line_of_word(file, err->byte_offset / 4);
        err->byte_offset = ROOF_UNKNOWN;
    }
    return status;
}

static roof_status read_code(roof_graph *g, roof_error *err)
{
    roof_control_code *code;
    TRY(ARENA_GET(g->storage->arena, code, 1, err));
    roof_arena *scratch = arena_new(0);
    roof_status status = scratch ? decode(g, scratch, code, err) : error_memory(err);
    arena_free(scratch);
    g->storage->control_codes = code;
    g->storage->n_control_codes = status == ROOF_OK;
    return status;
}

/* What is written is the whole result, unless it is not known how large its elements are. */
static bool contradicts(const roof_product *p, const roof_control_code *code)
{
    uint64_t least = (uint64_t)p->m * p->n * (p->types[2] ? data_type_bits(p->types[2]) : 8) / 8;
    return !code->unresolved_pushes && code->write_bytes < least;
}

static roof_status find_product(roof_graph *g, roof_error *err)
{
    struct roof_graph_storage *s = g->storage;
    roof_product *product;
    const char *stem = graph_stem(g);
    TRY(arena_status(s->arena, err));
    TRY(ARENA_GET(s->arena, product, 1, err));
    if (s->workload->product) {
        *product = *s->workload->product;
        s->product_source = "asked for";
    } else if (product_of_name(stem, product) && !contradicts(product, s->control_codes)) {
        s->product_source = "the name of the file";
    } else {
        return ROOF_OK;
    }
    s->product = product;
    return ROOF_OK;
}

static const char *target_of(const roof_control_code *code)
{
    return code->generation == 4 ? "AIE2P" : "AIE2";
}

static roof_status aie_code_read(roof_graph *g, roof_error *err)
{
    bool has_code = g->storage->file.bytes != NULL;
    if (has_code)
        TRY(read_code(g, err));
    else
        g->format = "product";
    TRY(find_product(g, err));
    return product_build(g, g->storage->product, graph_stem(g),
                         has_code ? target_of(g->storage->control_codes) : NULL, err);
}

/* ---- work ------------------------------------------------------------------------------------------------ */

static const char *hardware_of(const roof_control_code *code)
{
    return code->generation == 4 ? "npu2" : "npu1"; /* without a generation: AIE2 overlays are of npu1 */
}

static roof_status aie_code_hardware(const roof_graph *g, roof_hw **out, roof_error *err)
{
    return g->compiled ? roof_hw_load(hardware_of(g->storage->control_codes), out, err) : ROOF_OK;
}

static void set_target(program_builder *b, const roof_control_code *code)
{
    roof_target *t = &b->out->target;
    t->hardware = hardware_of(code);
    t->family = "aie";
    t->name = t->text = target_of(code);
    t->plan_of = "control code of an AI Engine array: it holds transfers";
}

static roof_status find_doubts(program_builder *b, const roof_control_code *code)
{
    const struct roof_graph_storage *s = b->graph->storage;
    if (code->unresolved_pushes)
        TRY(program_find(b, ROOF_ABOUT_ROWS, ROOF_FINDING_BYTES_INCOMPLETE, NULL,
                         "%" PRIu64 " of %" PRIu64
                         " pushed descriptors are not written in the code: their bytes are "
                         "not known. The others read %" PRIu64 " B and write %" PRIu64 " B",
                         code->unresolved_pushes, code->pushes, code->read_bytes, code->write_bytes));
    if (!s->product)
        return program_find(
            b, ROOF_ABOUT_ROWS, ROOF_FINDING_COMPUTE_UNKNOWN, NULL,
            "control code says what is moved, not what is computed: the array's cycles are not known");
    return program_find(b, ROOF_ABOUT_ROWS, ROOF_FINDING_PRODUCT, NULL,
                        "taken for a matrix product of M %u, K %u, N %u%s%s: %s", s->product->m,
                        s->product->k, s->product->n,
                        s->product->types[0] ? " in " : ", of data types that nothing tells",
                        s->product->types[0] ? s->product->types[0] : "", s->product_source);
}

static roof_status set_row(program_builder *b, const roof_control_code *code, roof_row *row)
{
    const struct roof_graph_storage *s = b->graph->storage;
    roof_demand *demand;
    row->executor = ROOF_BY_ACCELERATOR;
    row->is_timed = row->is_boundary = true;
    row->part = "";
    TRY(row_set_texts(b, &b->graph->layers[0], row));
    row->work.cycles_basis = ROOF_BASIS_FORMULA;
    if (code)
        aie_set_work(code, &row->work);
    row->macs = row->ops_count = ROOF_UNKNOWN;
    row->is_stated = row->work.hides_compute = !s->product || !s->product->types[0];
    if (!s->product) {
        row->type = "control code";
        return ROOF_OK;
    }
    row->type = "matmul";
    TRY(product_macs(s->product, &row->macs, b->err));
    row->ops_count = 2 * row->macs;
    if (row->is_stated) /* by the name */
        return ROOF_OK;
    TRY(ARENA_GET(b->rows, demand, 1, b->err));
    TRY(product_demand(b->graph, s->product, demand, b->arena, b->err));
    demand->columns = code && code->columns != ROOF_NONE ? code->columns : 0;
    row->work.demands = demand;
    row->work.n_demands = 1;
    if (!code)
        product_traffic(b->graph, s->product, &row->work);
    return ROOF_OK;
}

static roof_status aie_code_program(program_builder *b)
{
    const struct roof_graph_storage *s = b->graph->storage;
    const roof_control_code *code = s->n_control_codes ? s->control_codes : NULL;
    b->out->words[ROOF_BY_HOST] = "CPU";
    b->out->words[ROOF_BY_ACCELERATOR] = b->out->words[ROOF_BY_NOBODY] = b->out->words[ROOF_BY_BOTH] = "NPU";
    TRY(ARENA_GET(b->rows, b->out->rows, 1, b->err));
    if (code) {
        set_target(b, code);
        TRY(find_doubts(b, code));
    } else {
        b->out->name = arena_printf(b->arena, "%ux%ux%u %s", s->product->m, s->product->k, s->product->n,
                                    s->product->types[0]);
    }
    return set_row(b, code, program_next_row(b));
}

static void aie_code_hash(const roof_graph *g, graph_hash_value hash, void *hasher)
{
    for (uint32_t i = 0; i < g->storage->n_control_codes; i++) {
        const roof_control_code *code = &g->storage->control_codes[i];
        hash(hasher, (uint32_t)code->ops);
        for (uint32_t j = 0; j < code->n_channels; j++) {
            hash(hasher,
                 code->channels[j].column * 4 + code->channels[j].channel * 2 + code->channels[j].is_read);
            hash(hasher, (uint32_t)code->channels[j].bytes);
            hash(hasher, (uint32_t)(code->channels[j].bytes >> 32));
        }
    }
}

const graph_format format_aie_code = {
    .id = "aie_code",
    .doc = "control code of AI Engine arrays: insts.bin, insts.txt, DynamicDispatch .bin (TXN 0.1, 1.0), "
           "xrt-smi sequences",
    .takes_product = true,
    .sniff = aie_code_sniff,
    .read = aie_code_read,
    .program = aie_code_program,
    .hardware = aie_code_hardware,
    .hash = aie_code_hash,
};
