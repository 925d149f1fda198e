#include "tests/support/network_c_writer.h"
#include "core/text.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* ---- an example ---- */

static const ncw_pool pools[] = {
    {5, "slowFlash", 0x60000000, 1000000, 1, "6", true, true, false},
    {3, "fastRAM", 0x20000000, 65536, 8, "1.25", false, false, false},
    {4, "bigRAM", 0x30000000, 262144, 8, "2.5", false, false, false},
    {9, "fastRAM_bigRAM", 0x20000000, 327680, 8, "2.5", false, false, true},
};

static const ncw_epoch epochs[] = {
    {.number = 1,
     .flags = "pure_hw",
     .npu_cycles = 12288,
     .total_cycles = 12288,
     .ops = {{"CONV_ACC_V2 0", "Conv", "stem", 1}, {"ARITH_ACC_V2 0", "Add", "stem_bias", 0}},
     .streams = {{.raw = true,
                  .pool = 3,
                  .to = 12288,
                  .frames = 1,
                  .bits_in = 8,
                  .bits_out = 8,
                  .comment = "64x64x3(8 bits)"},
                 {.raw = true,
                  .port = 1,
                  .pool = 5,
                  .from = 640,
                  .to = 859,
                  .frames = 1,
                  .bits_in = 24,
                  .bits_out = 24,
                  .comment = "8x3x3x3(8 bits)"},
                 {.output = true,
                  .raw = true,
                  .pool = 3,
                  .from = 16384,
                  .to = 24576,
                  .frames = 1,
                  .bits_in = 16,
                  .bits_out = 16,
                  .comment = "to memory with batch=8"}},
     .moves = {{"fastRAM", 12288, false}, {"slowFlash", 216, false}, {"fastRAM", 8192, true}}},
    {.number = 2,
     .flags = "pure_hw",
     .npu_cycles = 4608,
     .total_cycles = 27648,
     .ops = {{"CONV_ACC_V2 1", "Conv", "deep", 2}, {"CONV_ACC_V2 3", "Conv", "deep_ca_pipe_1", 1}},
     .streams = {{.pool = 3,
                  .from = 16384,
                  .width = 32,
                  .height = 32,
                  .depth = 8,
                  .frames = 16,
                  .bits_in = 8,
                  .bits_out = 16},
                 {.raw = true,
                  .port = 1,
                  .pool = 5,
                  .from = 1024,
                  .to = 5632,
                  .frames = 1,
                  .bits_in = 8,
                  .bits_out = 8,
                  .comment = "16x3x3x32(8 bits)"},
                 {.raw = true,
                  .sync = true,
                  .port = 2,
                  .pool = 4,
                  .to = 16384,
                  .frames = 4,
                  .bits_in = 16,
                  .bits_out = 16,
                  .comment = "partial accumulator 16384 (16 bits)"},
                 {.output = true,
                  .raw = true,
                  .pool = 4,
                  .to = 16384,
                  .frames = 4,
                  .bits_in = 16,
                  .bits_out = 16,
                  .comment = "partial accumulator 16384 (16 bits)"},
                 {.output = true,
                  .pool = 3,
                  .width = 32,
                  .height = 2,
                  .depth = 16,
                  .frames = 2,
                  .bits_in = 8,
                  .bits_out = 8}},
     .moves = {{"fastRAM", 8192, false},
               {"slowFlash", 4608, false},
               {"bigRAM", 65536, false},
               {"bigRAM", 65536, true},
               {"fastRAM", 2048, true}}},
    {.number = 4,
     .flags = "pure_hw",
     .total_cycles = 2560,
     .ops = {{"NULL_UNIT 0", "Identity", "turn", 0}},
     .streams = {{.raw = true, .pool = 3, .to = 64, .frames = 32, .bits_in = 8, .bits_out = 8},
                 {.output = true,
                  .pool = 3,
                  .from = 4096,
                  .width = 2,
                  .height = 32,
                  .depth = 1,
                  .frames = 32,
                  .bits_in = 8,
                  .bits_out = 8}},
     .moves = {{"fastRAM", 2048, false}, {"fastRAM", 2048, true}, {"_user_io_output_0", 100, true}}},
    {.number = 7,
     .flags = "pure_sw",
     .npu_cycles = 2048,
     .total_cycles = 2048,
     .ops = {{"PROCESSOR 0", "Softmax", "classes", 0}}},
    {.number = 8, .flags = "pure_hw", .npu_cycles = 0, .total_cycles = 0},
};

static const ncw_blob blobs[] = {
    {"_ec_blob_own_1", 1, 2}, {"_ec_blob_own_4", 4, 4}, {"_ec_blob_own_8", 8, 8}};

const ncw_network *ncw_example(bool with_blobs)
{
    static const ncw_network plain = {.pools = pools,
                                      .n_pools = sizeof pools / sizeof *pools,
                                      .epochs = epochs,
                                      .n_epochs = sizeof epochs / sizeof *epochs};
    static const ncw_network controlled = {.pools = pools,
                                           .n_pools = sizeof pools / sizeof *pools,
                                           .epochs = epochs,
                                           .n_epochs = sizeof epochs / sizeof *epochs,
                                           .blobs = blobs,
                                           .n_blobs = sizeof blobs / sizeof *blobs};
    return with_blobs ? &controlled : &plain;
}

/* ---- pieces ---- */

static void write_pool(textbuf *t, const ncw_pool *p)
{
    text_printf(t, "/* global pool %u is ? */\n", p->index);
    text_printf(t, "/* index=%u file postfix=X%u name=%s offset=0x%" PRIx64 "  absolute_mode size=%" PRIu64,
                p->index, p->index, p->name, p->address, p->size_bytes);
    text_printf(t, " %s%s THROUGHPUT=HIGH LATENCY=LOW byte width=%u freq ratio=%s",
                p->is_virtual ? "vpool " : "", p->read_only ? "READ_ONLY" : "READ_WRITE", p->byte_width,
                p->freq_ratio);
    text_printf(
        t,
        " burst max length=MAXINT burst penalty=0 pipelined=ON cacheable=%s read_power=1.5 write_power=2"
        " use4initializers=NO score=70  */\n",
        p->cached ? "ON" : "OFF");
}

static void write_op(textbuf *t, const ncw_op *op)
{
    text_printf(t, "  /* Unit= 10 [%s] */\n  /* kind=%s node=%s */\n", op->unit, op->kind, op->name);
    if (strncmp(op->unit, "CONV_ACC", 8) == 0) {
        text_printf(t, "  static const LL_Convacc_InitTypeDef %s_init = {\n", op->name);
        if (op->simd >= 0)
            text_printf(t, "    .simd = %d,\n", op->simd);
        text_puts(t, "    .fsub = -4,\n    .afilt_mode = AFILT_MODE_FRAMEZERO,\n    .nKernels = 8,\n  };\n\n"
                     "  /* Unit=CONV_ACC_V2 */\n");
    }
    text_puts(t, "\n");
}

static void write_stream(textbuf *t, const ncw_stream *s)
{
    text_puts(t, "  /* Unit= 3 [STREAM_ENG_V2 3] */\n");
    text_printf(
        t, "  /* Emit conf for STREAM_ENG_V2 node=n %s ports=%u range=%u[%" PRIu64 ",%" PRIu64 "] */\n\n",
        s->output ? "output" : "input", s->port, s->pool, s->from, s->to);
    text_puts(t, "  static const LL_Streng_TensorInitTypeDef n_dma_init = {\n");
    if (s->comment)
        text_printf(t, "    /* %s */\n", s->comment);
    text_printf(t, "    .dir = %d,\n%s%s", s->output, s->raw ? "    .raw = 1,\n" : "",
                s->sync ? "    .sync_dma = 1,\n" : "");
    text_printf(t,
                "    .addr_base = {(unsigned char *)(0x20000000UL) /* Equivalent hex address = "
                "0x20000000UL */}, /* n */\n"
                "    .offset_start = %" PRIu64 ",\n",
                s->from);
    if (s->raw)
        text_printf(t, "    .offset_end = %" PRIu64 ",\n", s->to);
    text_printf(t,
                "    .fwidth = %u,\n    .fheight = %u,\n    .batch_depth = %u,\n    .frame_tot_cnt = %u,\n",
                s->width, s->height, s->depth, s->frames);
    text_printf(t, "    .nbits_in = %u,\n    .nbits_out = %u,\n  };\n\n", s->bits_in, s->bits_out);
}

static void write_moves(textbuf *t, const ncw_epoch *e, bool output)
{
    text_puts(t, output ? "  /* Dma output bandwidth to memory pools: */\n"
                        : "  /* Dma input bandwidth from memory pools: */\n");
    for (size_t i = 0; i < NCW_MOVES && e->moves[i].pool; i++)
        if (e->moves[i].output == output)
            text_printf(t, "  /* %s %s %" PRIu64 " */\n", e->moves[i].pool, output ? "<-" : "->",
                        e->moves[i].bytes);
    text_puts(t, "\n");
}

static void write_body(textbuf *t, const ncw_epoch *e)
{
    for (size_t i = 0; i < NCW_OPS && e->ops[i].unit; i++)
        write_op(t, &e->ops[i]);
    for (size_t i = 0; i < NCW_STREAMS && e->streams[i].bits_in; i++)
        write_stream(t, &e->streams[i]);
    write_moves(t, e, false);
    write_moves(t, e, true);
}

/* ---- network.c ---- */

static const ncw_blob *blob_of(const ncw_network *n, unsigned number)
{
    for (size_t i = 0; i < n->n_blobs; i++)
        if (number >= n->blobs[i].first && number <= n->blobs[i].last)
            return &n->blobs[i];
    return NULL;
}

static void write_functions(textbuf *t, const ncw_epoch *e, const char *arguments)
{
    bool host = strcmp(e->flags, "pure_sw") == 0;
    text_printf(t, "/* scheduling epoch=%u    nodes=1   --- */\n\n", e->number);
    if (!host) {
        text_printf(t,
                    "static void LL_ATON_Start_EpochBlock_%u(%s)\n{\n  LL_ATON_LIB_UNUSED(epoch_block);\n\n",
                    e->number, arguments);
        write_body(t, e);
        text_puts(t, "}\n\n");
    }
    text_printf(t, "static void LL_ATON_End_EpochBlock_%u(%s)\n{\n  LL_ATON_LIB_UNUSED(epoch_block);\n\n",
                e->number, arguments);
    for (size_t i = 0; host && i < NCW_OPS && e->ops[i].unit; i++)
        text_printf(t, "/* Unit= 27 [%s] */\n/* kind=%s node=%s */\n", e->ops[i].unit, e->ops[i].kind,
                    e->ops[i].name);
    text_puts(t, "}\n\n");
}

typedef struct row {
    const char *flags;
    unsigned first, last;
    uint64_t npu_cycles, total_cycles;
    bool estimated;
} row;

static void write_row(textbuf *t, const row *r, const ncw_blob *blob, bool old)
{
    text_puts(t, "    {\n");
    if (blob)
        text_printf(t, "      .blob_address = (uintptr_t)(%s%s),\n", blob->name, old ? "" : "_address");
    else
        text_printf(t, "      .end_epoch_block = LL_ATON_End_EpochBlock_%u,\n", r->first);
    text_printf(t,
                "      .wait_mask = 0x00000002,\n      .flags = EpochBlock_Flags_epoch_start | "
                "EpochBlock_Flags_epoch_end | %sEpochBlock_Flags_%s,\n#ifdef LL_ATON_EB_DBG_INFO\n",
                blob ? "EpochBlock_Flags_blob | " : "", r->flags);
    text_printf(t, "      .epoch_num = %u,\n      .last_epoch_num = %u,\n", r->first, r->last);
    if (r->estimated)
        text_printf(
            t, "      .estimated_npu_cycles = %" PRIu64 ",\n      .estimated_tot_cycles = %" PRIu64 ",\n",
            r->npu_cycles, r->total_cycles);
    text_puts(t, "#endif // LL_ATON_EB_DBG_INFO\n    },\n");
}

static const char *name_of(const ncw_network *n)
{
    return n->name ? n->name : "own";
}

/* A row of a blob has the sums of its epochs. */
static void write_table(textbuf *t, const ncw_network *n)
{
    const char *type = n->old ? "EpochBlock_ItemTypeDef" : "LL_ATON_RT_EpochBlockItem_t";
    text_printf(t,
                "const %s *LL_ATON_EpochBlockItems_%s(void) {\n\n  static const %s "
                "ll_atonn_rt_epoch_block_array[] = {\n",
                type, name_of(n), type);
    for (size_t i = 0; i < n->n_epochs; i++) {
        const ncw_epoch *e = &n->epochs[i];
        const ncw_blob *blob = blob_of(n, e->number);
        row r = {e->flags, e->number, e->number, e->npu_cycles, e->total_cycles, true};
        if (blob)
            r.last = blob->last;
        for (; blob && i + 1 < n->n_epochs && n->epochs[i + 1].number <= blob->last; i++) {
            r.npu_cycles += n->epochs[i + 1].npu_cycles;
            r.total_cycles += n->epochs[i + 1].total_cycles;
        }
        r.estimated = !blob || !n->old;
        write_row(t, &r, blob, n->old);
    }
    text_puts(t, "    {\n      .flags = EpochBlock_Flags_last_eb,\n    },\n  };\n\n\n"
                 "  return ll_atonn_rt_epoch_block_array;\n}\n\n");
}

static void write_network(textbuf *t, const ncw_network *n)
{
    const char *arguments =
        n->old ? "const void *epoch_block"
               : "const LL_ATON_RT_EpochBlockItem_t *epoch_block, const NN_Instance_TypeDef *nn";
    text_puts(t, "/* AUTOGENERATED DO NOT MODIFY */\n\n/**\n  * @file    network.c\n"
                 "  * @brief   NN Code autogenerated DO NOT MODIFY IT\n  */\n\n/*\n"
                 " * GIT_SHA         \"0\"\n * GIT_DESCRIPTION \"own-1.2-3-gabcdef\"\n *\n"
                 " * Command Line options:\n * --optimization = 3\n */\n\n#include \"ll_aton.h\"\n\n"
                 "#if LL_ATON_VERSION_MAJOR != 1 || LL_ATON_VERSION_MINOR != 2 || LL_ATON_VERSION_MICRO != 3"
                 " || LL_ATON_VERSION_DEV != 45\n#  error \"mismatch\"\n#endif\n\n");
    for (size_t i = 0; i < n->n_pools; i++)
        write_pool(t, &n->pools[i]);
    for (size_t i = 0; i < n->n_epochs; i++)
        if (!blob_of(n, n->epochs[i].number))
            write_functions(t, &n->epochs[i], arguments);
    text_puts(t, "/* scheduling DONE                 --- */\n\n");
    write_table(t, n);
}

/* ---- the trace ---- */

static void write_trace(textbuf *t, const ncw_network *n)
{
    text_puts(t, "#include \"ll_aton_NN_interface.h\"\n#include \"ll_aton.h\"\n\n");
    for (size_t b = 0; b < n->n_blobs; b++) {
        text_printf(t, "void trace_ec_%s(void) {\n  ec_trace_start_blob(\"%s\");\n", n->blobs[b].name,
                    n->blobs[b].name);
        for (size_t i = 0; i < n->n_epochs; i++) {
            if (blob_of(n, n->epochs[i].number) != &n->blobs[b])
                continue;
            text_printf(t, "  ec_trace_start_epoch(%u);\n  {\n", n->epochs[i].number);
            write_body(t, &n->epochs[i]);
            text_printf(t, "  }\n  {\n  }\n  ec_trace_end_epoch(%u);\n", n->epochs[i].number);
        }
        text_printf(t, "  ec_trace_end_blob(\"%s\");\n}\n\n", n->blobs[b].name);
    }
    text_printf(
        t, "int main () {\n  ec_trace_init(\"%s_ecblobs.h\", \"%s\");\n  ec_trace_all_blobs_done();\n}\n",
        name_of(n), name_of(n));
}

char *ncw_write(const ncw_network *network, int parts, size_t *length)
{
    textbuf t;
    text_init(&t, TEXT_MAX_BYTES);
    if (parts & NCW_NETWORK)
        write_network(&t, network);
    if (parts & NCW_TRACE)
        write_trace(&t, network);
    char *bytes = NULL;
    if (text_status(&t, NULL) == ROOF_OK && (bytes = malloc(t.length + 1))) {
        memcpy(bytes, t.bytes, t.length + 1);
        *length = t.length;
    }
    text_free(&t);
    return bytes;
}
