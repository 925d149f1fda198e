/* model/code/dpu/dpu_isa.h - the instruction streams (mc_code) of the DPU family, one instruction at a time.
 *
 * A stream is little-endian 32-bit words; bits 31..28 of an instruction's first word are its opcode; the last
 * instruction is END and ends with the stream. Counts in fields are value - 1.
 * Source: Xilinx/Vitis-AI src/vai_runtime/vart/trace/vaitrace/writer/parser/dpu_mc_parser/inc/
 *   (dpuczdx8g_isa0.h, dpuczdx8g_isa1.h, dpucvdx8g_isa1.h .. isa3.h, dpucv2dx8g_isa0.h, dpucv2dx8g_isa1.h).
 *
 * Units: bytes of external memory; cycles of the engine.
 */
#pragma once

#include <stdbool.h>
#include "roofline/work.h"
#include "roofline/xir.h"

typedef enum dpu_opcode {
    DPU_LOAD,
    DPU_SAVE,
    DPU_CONV,
    DPU_ALU,
    DPU_ELEW,
    DPU_INIT,
    DPU_OTHER,
    DPU_END
} dpu_opcode;

/* Instructions of one queue start in the order of the stream. Numbers: bits of masks. */
enum { DPU_QUEUE_LOAD, DPU_QUEUE_SAVE, DPU_QUEUE_CONV, DPU_QUEUE_MISC, DPU_QUEUES };

typedef struct dpu_isa dpu_isa;

/* By fingerprint (bits 63..56 family, 55..48 instruction set); NULL when no table is public. */
const dpu_isa *dpu_isa_of(uint64_t fingerprint);
const char *dpu_isa_name(const dpu_isa *isa);
/* True when the fields that make up engine cycles are known for this instruction set; then is_timed says it
 * of each instruction. */
bool dpu_isa_has_cycles(const dpu_isa *isa);

typedef struct dpu_instruction {
    dpu_opcode opcode;
    uint32_t length_bytes; /* of the instruction itself */
    uint8_t queue;
    uint8_t waits_for,
        lets_go;  /* bit q: a token from, and one to, queue q; its own bit: the queue's self token */
    uint8_t port; /* of a SAVE */
    /* LOAD and SAVE */
    uint64_t transfer_bytes, address, span_bytes; /* span: from the first to behind the last byte touched */
    int32_t reg_id;
    uint32_t bank_id, bank_address, rows, row_bytes;
    bool is_apart; /* its rows do not lie side by side */
    /* engines */
    uint64_t cycles; /* issue slots */
    uint64_t pixels; /* output positions times channel groups: cycles without kernel, all rows of a block */
    uint32_t weights_address; /* in the weight banks */
    uint32_t mode;            /* ALU: exec_mode */
    bool is_timed;            /* its cycles are known */
    bool is_repeated;         /* a LOAD that differs from the one before it in addresses and banks only */
} dpu_instruction;

enum { DPU_MOST_LOAD_WORDS = 6 };

typedef struct dpu_decoder {
    const dpu_isa *isa;
    const unsigned char *next, *end;
    uint64_t file_offset;
    /* state that INIT instructions leave for the engines */
    uint32_t conv_kernel_slots, alu_kernel_slots, alu_length, alu_groups, alu_mode;
    dpu_instruction in; /* the last that was decoded */
    /* Where it stands, if it is a LOAD; else NULL. Most LOADs repeat the one before at another address; what
     * is the same then has a bit here. */
    const unsigned char *last_load;
    unsigned char same_bits[4 * DPU_MOST_LOAD_WORDS];
} dpu_decoder;

dpu_decoder dpu_decode(const dpu_isa *isa, const roof_code *code);

/* Decodes the next instruction into decoder->in; *more is false behind END. Errors: E_DATA (opcode that the
 * set does not have, words cut off, END before the last word, no END), with the offset in the file. */
roof_status dpu_next(dpu_decoder *decoder, bool *more, roof_error *err);
