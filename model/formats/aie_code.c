/* Control code of an AI Engine array: transactions (insts.bin, insts.txt, DynamicDispatch's .bin) and AIE2
 * control code as text (xrt-smi's sequences). Text is a word of 8 hexadecimal digits a line; '#' begins a
 * comment.
 *
 * There is no magic: a transaction is known by its header and by a walk to its last word. Code states what is
 * moved, not what is computed: that is the product that the user names, or that the file's name states.
 */
#include "model/code/aie/aie_code.h"
#include "model/formats/ai_engine/code_graph.h"

enum { DIGITS = 8, SNIFFED = 1024 };

/* ---- text ---------------------------------------------------------------------------------------------- */

typedef struct hex_text {
    const unsigned char *bytes;
    uint64_t size, at, line;
} hex_text;

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
        unsigned digit = t->at < t->size ? text_digit((char)t->bytes[t->at]) : 99;
        if (digit > 15)
            return HEX_OTHER;
        *word = *word << 4 | digit;
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

/* ---- reading ------------------------------------------------------------------------------------------- */

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

static roof_status aie_code_read(roof_graph *g, roof_error *err)
{
    if (g->storage->file.bytes) {
        roof_control_code *code;
        TRY(ARENA_GET(g->storage->arena, code, 1, err));
        const mapfile *file = &g->storage->file;
        aie_words words = {.bytes = file->bytes, .n = file->size_bytes / 4};
        bool is_text = !is_binary(file->bytes, file->size_bytes);
        if (is_text)
            TRY(read_text(file, g->storage->scratch, &words, err));
        else if (file->size_bytes % 4)
            return error_at(err, ROOF_E_DATA, file->size_bytes & ~(uint64_t)3, "the code ends within a word");
        roof_status status = aie_decode(&words, aie_is_txn(&words), g->storage->arena, code, err);
        if (status == ROOF_E_DATA && is_text && err && err->byte_offset != ROOF_UNKNOWN) {
            /* errors of a text name the line of the word */
            hex_text t = {.bytes = file->bytes, .size = file->size_bytes, .line = 1};
            uint32_t word;
            for (uint64_t i = 0; next_word(&t, &word) == HEX_WORD && i < err->byte_offset / 4; i++)
                ;
            err->line = t.line;
            err->byte_offset = ROOF_UNKNOWN;
        }
        TRY(status);
        g->storage->control_codes = code;
        g->storage->n_control_codes = 1;
    } else {
        g->format = "product";
    }
    return code_graph_build(g, NULL, err);
}

/* A product alone: its operands, and its result where that was of their type. Code moves bytes of its own. */
static bool aie_code_at_type(const roof_graph *g, const char *type, roof_workload *out, roof_product *product)
{
    const roof_product *own = g->storage->product;
    if (g->storage->file.bytes || !own)
        return false;
    *product = *own;
    product->types[2] =
        own->types[2] && own->types[0] && strcmp(own->types[2], own->types[0]) == 0 ? type : own->types[2];
    product->types[0] = product->types[1] = type;
    *out = (roof_workload){.product = product};
    return true;
}

const graph_format format_aie_code = {
    .id = "aie_code",
    .doc = "control code of AI Engine arrays: insts.bin, insts.txt, DynamicDispatch .bin (TXN 0.1, 1.0), "
           "xrt-smi sequences",
    .sniff = aie_code_sniff,
    .read = aie_code_read,
    .at_type = aie_code_at_type,
    CODE_FORMAT,
};
