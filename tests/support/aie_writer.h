/* tests/support/aie_writer.h - writes control code of AI Engine arrays: transactions of both versions, and
 * AIE2 control code.
 *
 * What the formats leave open is filled with noise: bytes of an opcode that nobody clears, addresses,
 * strides.
 * Ownership: aw_free frees the words.
 */
#ifndef ROOF_TESTS_AIE_WRITER_H
#define ROOF_TESTS_AIE_WRITER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef enum aw_kind { AW_TXN_01, AW_TXN_10, AW_CTRLCODE } aw_kind;

typedef struct aw_code {
    aw_kind kind;
    uint32_t *words;
    size_t n, room;
    uint32_t ops;
} aw_code;

enum { AW_NO_ARGUMENT = -1, AW_NO_NEXT = -1 };

/* A descriptor of the shim. argument: of the host, or the class of its buffer; next: the one behind it in a
 * chain. */
typedef struct aw_descriptor {
    uint32_t column, number, length_words;
    int next, argument;
} aw_descriptor;

typedef struct aw_push {
    uint32_t column, channel, descriptor, repeat; /* repeat: 0 is once */
    bool is_read;
} aw_push;

aw_code aw_begin(aw_kind kind, uint32_t generation, uint32_t columns);
void aw_end(aw_code *code); /* what the header counts */
void aw_free(aw_code *code);

void aw_word(aw_code *code, uint32_t word);
void aw_write(aw_code *code, uint32_t column, uint32_t row, uint32_t offset, uint32_t value);
void aw_mask_write(aw_code *code, uint32_t n_words); /* of a transaction 0.1: 7 or 8 words */
void aw_add_descriptor(aw_code *code, const aw_descriptor *d);
void aw_add_push(aw_code *code, const aw_push *p);
void aw_sync(aw_code *code);
void aw_custom(aw_code *code, uint32_t opcode, uint32_t n_words);

/* A matrix product as a compiler writes it: for every column the rows of A, the columns of B and the tiles of
 * C that its cores work on; each moved as often as tiles need it. Sizes are bytes of an element; m, n are
 * multiples of tile times cores. */
typedef struct aw_product {
    uint32_t m, k, n, tile_m, tile_n, across_m, across_n, a_bytes, b_bytes, c_bytes;
} aw_product;
aw_code aw_write_product(aw_kind kind, uint32_t generation, const aw_product *p);

/* The same product as the aie.mlir of IRON. Freed by the caller. */
char *aw_mlir(const aw_product *product, bool is_second, size_t *length);

/* Code as text: a word a line. Freed by the caller. */
char *aw_text(const aw_code *code, size_t *length);

#endif
