#include "tests/support/aie_writer.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { DESCRIPTORS_AT = 0x1D000, NOISE = 0x6c656800 /* "leh" */ };

void aw_word(aw_code *c, uint32_t word)
{
    if (c->n == c->room) {
        c->room = c->room ? 2 * c->room : 256;
        c->words = realloc(c->words, c->room * sizeof *c->words);
        if (!c->words)
            abort();
    }
    c->words[c->n++] = word;
}

static void words(aw_code *c, size_t n, const uint32_t *list)
{
    for (size_t i = 0; i < n; i++)
        aw_word(c, list[i]);
}
#define WORDS(c, ...)                                                                                        \
    words((c), sizeof((uint32_t[]){__VA_ARGS__}) / sizeof(uint32_t), (const uint32_t[]){__VA_ARGS__})

aw_code aw_begin(aw_kind kind, uint32_t generation, uint32_t columns)
{
    aw_code c = {.kind = kind};
    uint32_t version = kind == AW_TXN_01 ? 0x0100 : 0x0001;
    if (kind != AW_CTRLCODE)
        WORDS(&c, version | generation << 16 | 6u << 24, columns | 1u << 8 | 0xabcd0000, 0, 0);
    return c;
}

void aw_end(aw_code *c)
{
    if (c->kind == AW_CTRLCODE)
        return;
    c->words[2] = c->ops;
    c->words[3] = (uint32_t)(4 * c->n);
}

void aw_free(aw_code *c)
{
    free(c->words);
    *c = (aw_code){0};
}

static uint32_t address(uint32_t column, uint32_t row, uint32_t offset)
{
    return column << 25 | row << 20 | offset;
}

static uint32_t head(uint32_t opcode, uint32_t column, uint32_t row)
{
    return opcode << 24 | column << 16 | row << 8;
}

void aw_write(aw_code *c, uint32_t column, uint32_t row, uint32_t offset, uint32_t value)
{
    uint32_t at = address(column, row, offset);
    c->ops++;
    if (c->kind == AW_TXN_01)
        WORDS(c, 0 | NOISE, 0, at, 0, value, 24);
    else if (c->kind == AW_TXN_10)
        WORDS(c, 0 | NOISE, at, value);
    else
        WORDS(c, head(2, column, row), offset, value);
}

void aw_mask_write(aw_code *c, uint32_t n_words)
{
    c->ops++;
    if (c->kind == AW_TXN_01) {
        WORDS(c, 3 | NOISE, 0, address(0, 0, 0x1D210), 0, 0xf00, 0x1f00, 4 * n_words);
        if (n_words > 7)
            aw_word(c, 0);
    } else if (c->kind == AW_TXN_10) {
        WORDS(c, 3 | NOISE, address(0, 0, 0x1D210), 0xf00, 0x1f00);
    } else {
        WORDS(c, head(5, 0, 0), 0x1D210, 0xf00);
    }
}

static void patch(aw_code *c, const aw_descriptor *d)
{
    uint32_t at = address(d->column, 0, DESCRIPTORS_AT + 32 * d->number + 4),
             argument = (uint32_t)d->argument;
    if (d->argument == AW_NO_ARGUMENT)
        return;
    c->ops++;
    if (c->kind == AW_TXN_01)
        WORDS(c, 0x81 | NOISE, 48, 0, 0, 0, 0, at, 0, argument, 0, 0x40, 0);
    else
        WORDS(c, 0x81, 24, at, argument, 0x40, 0);
}

void aw_add_descriptor(aw_code *c, const aw_descriptor *d)
{
    uint32_t at = address(d->column, 0, DESCRIPTORS_AT + 32 * d->number);
    uint32_t control = 1u << 25 | (d->next == AW_NO_NEXT ? 0 : 1u << 26 | (uint32_t)d->next << 27);
    c->ops++;
    if (c->kind == AW_TXN_01)
        WORDS(c, 1 | NOISE, 0, at, 48);
    else if (c->kind == AW_TXN_10)
        WORDS(c, 1, at, 44);
    else
        aw_word(c, head(11, d->column, 0) | (uint32_t)(d->argument < 0 ? 0 : d->argument) << 4 | d->number);
    WORDS(c, d->length_words, 0x1234, 0x80, 0x2000003, 0x5, 0x80000000, 0, control);
    if (c->kind != AW_CTRLCODE)
        patch(c, d);
}

void aw_add_push(aw_code *c, const aw_push *p)
{
    uint32_t queue = 0x1D204 + 8 * ((p->is_read ? 2 : 0) + p->channel);
    aw_write(c, p->column, 0, queue, 1u << 31 | p->repeat << 16 | p->descriptor);
}

void aw_sync(aw_code *c)
{
    c->ops++;
    if (c->kind == AW_CTRLCODE)
        WORDS(c, head(3, 0, 0), 0);
    else
        WORDS(c, 0x80 | NOISE, 16, 0, 0x10100);
}

void aw_custom(aw_code *c, uint32_t opcode, uint32_t n_words)
{
    c->ops++;
    WORDS(c, opcode, 4 * n_words);
    for (uint32_t i = 2; i < n_words; i++)
        aw_word(c, i);
}

/* ---- a matrix product ---- */

static void move(aw_code *c, const aw_push *push, uint64_t bytes, uint32_t times, int argument)
{
    const aw_descriptor d = {.column = push->column,
                             .number = push->descriptor,
                             .length_words = (uint32_t)(bytes / 4),
                             .next = AW_NO_NEXT,
                             .argument = argument};
    aw_add_descriptor(c, &d);
    for (uint32_t done = 0; done < times; done += 256) { /* a push repeats at most so often */
        aw_push p = *push;
        p.repeat = (times - done < 256 ? times - done : 256) - 1;
        aw_add_push(c, &p);
    }
}

aw_code aw_write_product(aw_kind kind, uint32_t generation, const aw_product *p)
{
    aw_code c = aw_begin(kind, generation, p->across_m);
    uint64_t a = (uint64_t)p->m * p->k * p->a_bytes / p->across_m,
             b = (uint64_t)p->k * p->n * p->b_bytes / p->across_m,
             result = (uint64_t)p->m * p->n * p->c_bytes / p->across_m;
    for (uint32_t column = 0; column < p->across_m; column++) {
        move(&c, &(aw_push){.column = column, .channel = 0, .descriptor = 0, .is_read = true}, a,
             p->n / (p->tile_n * p->across_n), 0);
        move(&c, &(aw_push){.column = column, .channel = 1, .descriptor = 1, .is_read = true}, b,
             p->m / (p->tile_m * p->across_m), 1);
        move(&c, &(aw_push){.column = column, .channel = 0, .descriptor = 2}, result, 1, 2);
    }
    for (uint32_t column = 0; column < p->across_m; column++)
        aw_sync(&c);
    aw_end(&c);
    return c;
}

char *aw_text(const aw_code *c, size_t *length)
{
    char *text = malloc(9 * c->n + 1);
    if (!text)
        abort();
    for (size_t i = 0; i < c->n; i++)
        sprintf(text + 9 * i, "%08X\n", (unsigned)c->words[i]);
    *length = 9 * c->n;
    return text;
}

/* ---- the same product as IRON writes it ---------------------------------------------------------------- */

static const char *type_of(uint32_t bytes)
{
    return bytes == 1 ? "i8" : bytes == 2 ? "i16" : "i32";
}

static void put_copy(FILE *out, int argument, uint32_t column, uint32_t times, uint64_t elements,
                     const char *type)
{
    for (uint32_t done = 0; done < times; done += 256)
        fprintf(out,
                "      aiex.npu.dma_memcpy_nd(0, 0, %%arg%d[0, 0, 0, 0][%u, 1, 1, %llu][0, 0, 0, 1]) {id = 1 "
                ": i64, "
                "metadata = @%c_%u} : memref<%llux%s>\n",
                argument, times - done < 256 ? times - done : 256, (unsigned long long)elements,
                "ABC"[argument], column, (unsigned long long)elements, type);
}

char *aw_mlir(const aw_product *p, bool is_second, size_t *length)
{
    char *text = NULL;
    FILE *out = open_memstream(&text, length);
    const char *a = type_of(p->a_bytes), *b = type_of(p->b_bytes), *c = type_of(p->c_bytes);
    if (!out)
        abort();
    fprintf(out, "module {\n  aie.device(%s_%ucol) {\n", is_second ? "npu2" : "npu1", p->across_m);
    for (uint32_t i = 0; i < p->across_m; i++)
        fprintf(
            out,
            "    %%tile_%u_0 = aie.tile(%u, 0)\n    %%tile_%u_1 = aie.tile(%u, 1)\n"
            "    aie.objectfifo @A_%u(%%tile_%u_0, {%%tile_%u_1}, 2 : i32) : !aie.objectfifo<memref<64x%s>>\n"
            "    aie.objectfifo @B_%u(%%tile_%u_0, {%%tile_%u_1}, 2 : i32) : !aie.objectfifo<memref<64x%s>>\n"
            "    aie.objectfifo @C_%u(%%tile_%u_1, {%%tile_%u_0}, 2 : i32) : "
            "!aie.objectfifo<memref<64x%s>>\n",
            i, i, i, i, i, i, i, a, i, i, i, b, i, i, i, c);
    fprintf(out,
            "    aiex.runtime_sequence(%%arg0: memref<%ux%ux%s>, %%arg1: memref<%ux%ux%s>, %%arg2: "
            "memref<%ux%ux%s>) {\n",
            p->m, p->k, a, p->k, p->n, b, p->m, p->n, c);
    for (uint32_t i = 0; i < p->across_m; i++) {
        put_copy(out, 0, i, p->n / (p->tile_n * p->across_n), (uint64_t)p->m * p->k / p->across_m, a);
        put_copy(out, 1, i, p->m / (p->tile_m * p->across_m), (uint64_t)p->k * p->n / p->across_m, b);
        put_copy(out, 2, i, 1, (uint64_t)p->m * p->n / p->across_m, c);
    }
    fputs("      aiex.npu.dma_wait {symbol = @C_0}\n    }\n  }\n}\n", out);
    fclose(out);
    return text;
}
