#include "xmodel_networks.h"

#include <stdlib.h>
#include <string.h>

/* Words of one bank of any on-chip memory of the DPUCZDX8G (target files of Xilinx/Vitis-AI: bank_depth). */
enum { BANK_WORDS = 2048 };

/* The ALU and the element-wise engine count channel groups in eight bits. */
enum { MOST_GROUPS = 256 };

/* Registers that hold base addresses, in the order in which xcompiler uses them. */
enum { REG_CONST = 0, REG_WORKSPACE = 1, REG_INPUT = 2, REG_OUTPUT = 3 };

enum { CONST_ALIGNMENT_BYTES = 64, PAGE_BYTES = 4096, INTERFACE_ALIGNMENT_BYTES = 16 };

static const xn_arch archs[] = {
    {"B512", 4, 8, 8, 2, 0x0101000056010200},    {"B800", 4, 10, 10, 2, 0x0101000056010201},
    {"B1024", 8, 8, 8, 4, 0x0101000056010402},   {"B1152", 4, 12, 12, 2, 0x0101000056010203},
    {"B1600", 8, 10, 10, 4, 0x0101000056010404}, {"B2304", 8, 12, 12, 4, 0x0101000056010405},
    {"B3136", 8, 14, 14, 4, 0x0101000056010406}, {"B4096", 8, 16, 16, 4, 0x0101000056010407},
};

const xn_arch *xn_find_arch(const char *name)
{
    for (size_t i = 0; i < sizeof archs / sizeof *archs; i++)
        if (strcmp(archs[i].name, name) == 0)
            return &archs[i];
    return NULL;
}

/* ---- the network before compilation ---- */

typedef enum op_kind {
    OP_INPUT,
    OP_CONV,
    OP_DEPTHWISE,
    OP_MAX_POOL,
    OP_AVG_POOL,
    OP_ADD,
    OP_RESHAPE
} op_kind;

/* exec_mode is that of the ALU: 0 depthwise, 2 average pooling, 3 maximum pooling, as seen in compiled files.
 */
static const struct kind_traits {
    const char *xir_type, *pool_type;
    bool has_weights, on_alu;
    uint32_t exec_mode;
} traits[] = {
    [OP_INPUT] = {.xir_type = "upload"},
    [OP_CONV] = {.xir_type = "conv2d-fix", .has_weights = true},
    [OP_DEPTHWISE] = {.xir_type = "depthwise-conv2d-fix", .has_weights = true, .on_alu = true},
    [OP_MAX_POOL] = {.xir_type = "pool-fix", .pool_type = "MAX", .on_alu = true, .exec_mode = 3},
    [OP_AVG_POOL] = {.xir_type = "pool-fix", .pool_type = "AVG", .on_alu = true, .exec_mode = 2},
    [OP_ADD] = {.xir_type = "eltwise-fix"},
    [OP_RESHAPE] = {.xir_type = "reshape-fix"},
};

typedef struct shape {
    uint32_t height, width, channels;
} shape;

/* Windows are square, and padded alike in both directions: before is left and top, after right and bottom. */
typedef struct window {
    uint32_t kernel, stride, before, after;
} window;

typedef struct net_op {
    op_kind kind;
    const char *name;
    uint32_t input, operand; /* producers; operand is the second input of an addition */
    window window;
    uint32_t channels; /* of the output of a convolution */
    bool relu;

    /* found by add_op and place */
    shape in, out;
    uint32_t layer, last_use; /* layers */
    bool augmented; /* channel augmentation: a row of the window is one vector of KW * IC channels */
    bool resident;  /* stays in the image memory */
    bool internal;  /* never leaves its layer */
    uint32_t reg_id, ddr_addr, weights_addr, bias_addr;
} net_op;

typedef struct net_layer {
    const char *name;
    uint32_t first_op, n_ops;
    const uint8_t *code;
    size_t code_bytes;
    uint64_t load_bytes, save_bytes;
} net_layer;

typedef struct net {
    const xn_arch *arch;
    xm_model *model;
    const char *origin, *weights_suffix, *bias_suffix;
    bool softmax;
    net_op *ops;
    net_layer *layers;
    uint32_t n_ops, ops_capacity, n_layers, layers_capacity;
    uint32_t const_bytes, workspace_bytes, input_bytes, output_bytes; /* of the four registers */
    const uint8_t *code;
    size_t code_bytes;
} net;

static uint32_t ceil_div(uint32_t value, uint32_t by)
{
    return (value + by - 1) / by;
}

static uint32_t round_up(uint32_t value, uint32_t to)
{
    return ceil_div(value, to) * to;
}

static uint32_t smaller(uint32_t a, uint32_t b)
{
    return a < b ? a : b;
}

static uint32_t shape_bytes(shape s)
{
    return s.height * s.width * s.channels;
}

static net net_new(const char *graph_name, const xn_config *config, shape image, const char *input_name)
{
    net n = {.arch = config && config->arch ? config->arch : xn_find_arch("B4096"),
             .model = xm_model_new(graph_name),
             .origin = "pytorch",
             .weights_suffix = "_weights",
             .bias_suffix = "_bias",
             .ops = xm_checked_realloc(NULL, 16, sizeof *n.ops),
             .n_ops = 1,
             .ops_capacity = 16};

    n.ops[0] = (net_op){.kind = OP_INPUT, .name = input_name, .in = image, .out = image};
    return n;
}

static void begin_layer(net *n, const char *name)
{
    if (n->n_layers == n->layers_capacity) {
        n->layers_capacity = n->layers_capacity ? 2 * n->layers_capacity : 16;
        n->layers = xm_checked_realloc(n->layers, n->layers_capacity, sizeof *n->layers);
    }
    n->layers[n->n_layers++] = (net_layer){.name = name, .first_op = n->n_ops};
}

static shape output_shape(const net_op *op)
{
    const window *w = &op->window;
    shape out = op->in;

    if (op->kind == OP_ADD)
        return out;
    if (op->kind == OP_RESHAPE)
        return (shape){1, 1, shape_bytes(op->in)};
    out.height = (op->in.height + w->before + w->after - w->kernel) / w->stride + 1;
    out.width = (op->in.width + w->before + w->after - w->kernel) / w->stride + 1;
    if (op->kind == OP_CONV)
        out.channels = op->channels;
    return out;
}

/* Appends an op to the newest layer; returns its index, by which others name it as their input. */
static uint32_t add_op(net *n, net_op op)
{
    op.layer = op.last_use = n->n_layers - 1;
    op.in = n->ops[op.input].out;
    op.out = output_shape(&op);
    op.augmented = op.kind == OP_CONV && op.input == 0 && op.window.kernel > 1 &&
                   op.window.kernel * op.in.channels <= 2 * n->arch->input_channel_parallel;
    n->ops[op.input].last_use = op.layer;
    if (op.kind == OP_ADD)
        n->ops[op.operand].last_use = op.layer;
    if (n->n_ops == n->ops_capacity) {
        n->ops_capacity *= 2;
        n->ops = xm_checked_realloc(n->ops, n->ops_capacity, sizeof *n->ops);
    }
    n->ops[n->n_ops] = op;
    n->layers[n->n_layers - 1].n_ops++;
    return n->n_ops++;
}

/* ---- closed formulas ---- */

static uint64_t kernel_area(const net_op *op)
{
    return (uint64_t)op->window.kernel * op->window.kernel;
}

/* A pooling over single pixels: a copy of every stride-th pixel of every stride-th row. */
static bool is_downsampling(const net_op *op)
{
    return traits[op->kind].pool_type && op->window.kernel == 1 && op->window.stride > 1;
}

static uint32_t weights_bytes(const net_op *op)
{
    uint32_t area = op->window.kernel * op->window.kernel;

    return op->kind == OP_CONV ? op->out.channels * area * op->in.channels : area * op->out.channels;
}

/* With channel augmentation, rows of the window are vectors; otherwise its points are. */
static uint64_t conv_steps(const xn_arch *arch, const net_op *op)
{
    if (op->augmented)
        return (uint64_t)op->window.kernel *
               ceil_div(op->window.kernel * op->in.channels, arch->input_channel_parallel);
    return kernel_area(op) * ceil_div(op->in.channels, arch->input_channel_parallel);
}

static xn_costs op_costs(const xn_arch *arch, const net_op *op)
{
    uint64_t out = shape_bytes(op->out);
    uint64_t groups = ceil_div(op->out.channels, arch->output_channel_parallel);
    uint64_t alu_points =
        (uint64_t)ceil_div(op->out.height, arch->alu_pixel_parallel) * op->out.width * groups;
    xn_costs c = {0};

    if (op->kind == OP_CONV) {
        c.macs = out * kernel_area(op) * op->in.channels;
        c.conv_cycles = (uint64_t)ceil_div(op->out.height, arch->pixel_parallel) * op->out.width * groups *
                        conv_steps(arch, op);
    } else if (op->kind == OP_DEPTHWISE) {
        c.macs = out * kernel_area(op);
    } else if (op->kind == OP_MAX_POOL || op->kind == OP_AVG_POOL) {
        c.workload_ops = out * kernel_area(op) * (op->kind == OP_AVG_POOL ? 2 : 1);
    } else if (op->kind == OP_ADD) {
        c.workload_ops = 2 * out;
        c.eltwise_cycles = alu_points;
    }
    if (traits[op->kind].on_alu)
        c.alu_cycles = alu_points * kernel_area(op);
    if (traits[op->kind].has_weights) {
        c.workload_ops = 2 * c.macs + out; /* one addition of a bias each */
        c.constant_bytes = (uint64_t)weights_bytes(op) + op->out.channels;
    }
    return c;
}

/* As workload, on the padded shapes: what xcompiler stores as workload_on_arch. */
static uint64_t op_workload_on_arch(const xn_arch *arch, const net_op *op)
{
    uint32_t rows = op->kind == OP_CONV ? arch->pixel_parallel : arch->alu_pixel_parallel;
    uint64_t out = (uint64_t)round_up(op->out.height, rows) * op->out.width *
                   round_up(op->out.channels, arch->output_channel_parallel);
    uint64_t area = kernel_area(op);

    switch (op->kind) {
    case OP_CONV:
        if (op->augmented)
            return (2 * op->window.kernel * arch->input_channel_parallel + 1) * out;
        return (2 * area * round_up(op->in.channels, arch->input_channel_parallel) + 1) * out;
    case OP_DEPTHWISE:
        return (2 * area + 1) * out;
    case OP_MAX_POOL:
        return area * out;
    case OP_AVG_POOL:
        return 2 * area * out;
    case OP_ADD:
        return 2 * out;
    case OP_INPUT:
    case OP_RESHAPE:
        break;
    }
    return 0;
}

static void add_costs(xn_costs *sum, const xn_costs *c)
{
    sum->macs += c->macs;
    sum->workload_ops += c->workload_ops;
    sum->constant_bytes += c->constant_bytes;
    sum->conv_cycles += c->conv_cycles;
    sum->alu_cycles += c->alu_cycles;
    sum->eltwise_cycles += c->eltwise_cycles;
}

/* ---- placement ---- */

/* Rows go round over the banks of one of the two groups; each pixel takes whole words. */
static bool fits_on_chip(const xn_arch *arch, shape s)
{
    uint64_t words = (uint64_t)ceil_div(s.height, arch->pixel_parallel) * s.width *
                     ceil_div(s.channels, arch->input_channel_parallel);

    return words <= BANK_WORDS;
}

typedef struct live_map {
    uint32_t addr, size_bytes, last_use;
} live_map;

/* Maps in the workspace that somebody still needs, by address. Networks have few at a time. */
typedef struct live_maps {
    live_map list[64];
    uint32_t count;
} live_maps;

static void forget_maps(live_maps *live, uint32_t layer)
{
    uint32_t kept = 0;

    for (uint32_t i = 0; i < live->count; i++)
        if (live->list[i].last_use >= layer)
            live->list[kept++] = live->list[i];
    live->count = kept;
}

/* First fit, so that addresses are used again as in real files. */
static uint32_t place_map(live_maps *live, live_map map)
{
    uint32_t at = 0;

    map.addr = 0;
    while (at < live->count && live->list[at].addr - map.addr < map.size_bytes) {
        map.addr = live->list[at].addr + live->list[at].size_bytes;
        at++;
    }
    if (live->count == sizeof live->list / sizeof *live->list)
        xm_die("xmodel networks: too many feature maps alive at a time");
    memmove(&live->list[at + 1], &live->list[at], (live->count - at) * sizeof map);
    live->list[at] = map;
    live->count++;
    return map.addr;
}

static void place_constants(net *n)
{
    uint64_t at = 0;

    for (uint32_t i = 1; i < n->n_ops; i++) {
        net_op *op = &n->ops[i];
        if (!traits[op->kind].has_weights)
            continue;
        op->bias_addr = (uint32_t)at;
        at += round_up(op->out.channels, CONST_ALIGNMENT_BYTES);
        op->weights_addr = (uint32_t)at;
        at += round_up(weights_bytes(op), CONST_ALIGNMENT_BYTES);
        if (at > INT32_MAX / 2)
            xm_die("xmodel networks: the constants do not fit into the address space");
    }
    n->const_bytes = round_up((uint32_t)at, PAGE_BYTES);
}

/* The image starts behind room for the padding that a load with channel augmentation reads along. */
static void place_interface(net *n)
{
    net_op *image = &n->ops[0];
    net_op *out = &n->ops[n->n_ops - 1];
    const window *w = &n->ops[1].window;
    uint32_t row_bytes = image->out.width * image->out.channels;
    uint32_t before = w->before * (row_bytes + image->out.channels);

    image->reg_id = REG_INPUT;
    image->ddr_addr = round_up(before, INTERFACE_ALIGNMENT_BYTES);
    n->input_bytes = round_up(image->ddr_addr + shape_bytes(image->out) + w->after * image->out.channels,
                              INTERFACE_ALIGNMENT_BYTES);
    n->output_bytes = round_up(shape_bytes(out->out), INTERFACE_ALIGNMENT_BYTES);
    /* a reshape is another name for the same bytes */
    for (; out->kind == OP_RESHAPE; out = &n->ops[out->input]) {
        out->reg_id = REG_OUTPUT;
        out->resident = out->internal = false;
    }
    out->reg_id = REG_OUTPUT;
    out->ddr_addr = 0;
    out->resident = out->internal = false;
}

static void place(net *n)
{
    live_maps live = {0};

    for (uint32_t l = 0; l < n->n_layers; l++) {
        const net_layer *layer = &n->layers[l];
        forget_maps(&live, l);
        for (uint32_t i = layer->first_op; i < layer->first_op + layer->n_ops; i++) {
            net_op *op = &n->ops[i];
            op->reg_id = REG_WORKSPACE;
            op->internal = i + 1 < layer->first_op + layer->n_ops;
            op->resident = op->internal || fits_on_chip(n->arch, op->out);
            if (op->internal || op->kind == OP_RESHAPE || i + 1 == n->n_ops)
                continue;
            op->ddr_addr =
                place_map(&live, (live_map){.size_bytes = shape_bytes(op->out), .last_use = op->last_use});
            uint32_t end = op->ddr_addr + shape_bytes(op->out);
            n->workspace_bytes = end > n->workspace_bytes ? end : n->workspace_bytes;
        }
    }
    place_interface(n);
    place_constants(n);
}

/* ---- instructions ---- */

enum { OPCODE_LOAD = 0x0, OPCODE_ALUINIT = 0x1, OPCODE_ALU = 0x2, OPCODE_SAVE = 0x4, OPCODE_END = 0x7 };
enum { OPCODE_CONV = 0x8, OPCODE_CONVINIT = 0x9, OPCODE_ELEWINIT = 0xd, OPCODE_ELEW = 0xe };

/* Words of an instruction by opcode. */
static const uint8_t instruction_words[16] = {
    [OPCODE_LOAD] = 5, [OPCODE_SAVE] = 5, [OPCODE_CONVINIT] = 4, [OPCODE_CONV] = 5, [OPCODE_ALUINIT] = 6,
    [OPCODE_ALU] = 5,  [OPCODE_END] = 1,  [OPCODE_ELEWINIT] = 3, [OPCODE_ELEW] = 3,
};

/* A field of an instruction as a number: word, lowest bit, width. Those that are set here, from
 * dpuczdx8g_isa1.h of Xilinx/Vitis-AI; counts, sizes and jumps are stored less one. */
#define FIELD(word, low, width) ((word) << 16 | (low) << 8 | (width))

enum {
    LOAD_BANK_ADDR = FIELD(0, 0, 12),
    LOAD_BANK_ID = FIELD(0, 14, 6),
    LOAD_JUMP_WRITE = FIELD(1, 0, 10),
    LOAD_JUMP_READ = FIELD(1, 10, 16),
    LOAD_LENGTH = FIELD(2, 0, 10),
    LOAD_CHANNEL = FIELD(2, 10, 14),
    LOAD_REG_ID = FIELD(3, 0, 3),
    LOAD_PAD_END = FIELD(3, 22, 5),
    LOAD_PAD_START = FIELD(3, 27, 5),
    LOAD_DDR_ADDR = FIELD(4, 0, 29),
};
enum {
    SAVE_BANK_ADDR = FIELD(0, 0, 12),
    SAVE_BANK_ID = FIELD(0, 14, 6),
    SAVE_JUMP_READ = FIELD(1, 0, 10),
    SAVE_JUMP_WRITE = FIELD(1, 10, 16),
    SAVE_LENGTH = FIELD(2, 0, 10),
    SAVE_CHANNEL = FIELD(2, 10, 12),
    SAVE_REG_ID = FIELD(3, 0, 3),
    SAVE_DDR_ADDR = FIELD(4, 0, 29),
};
enum {
    CONVINIT_JUMP_READ = FIELD(0, 0, 10),
    CONVINIT_SHIFT_CUT = FIELD(0, 10, 6),
    CONVINIT_ACT_TYPE = FIELD(0, 16, 4),
    CONVINIT_SHIFT_BIAS = FIELD(1, 10, 6),
    CONVINIT_JUMP_WRITE = FIELD(2, 0, 10),
    CONVINIT_VALID_ROWS = FIELD(2, 13, 3),
    CONVINIT_KERNEL_H = FIELD(2, 24, 4),
    CONVINIT_STRIDE_H = FIELD(2, 28, 4),
    CONVINIT_KERNEL_W = FIELD(3, 24, 4),
    CONVINIT_STRIDE_W = FIELD(3, 28, 4),
};
enum {
    CONV_ADDR_IN = FIELD(0, 0, 12),
    CONV_PAD_TOP = FIELD(0, 12, 4),
    CONV_PAD_LEFT = FIELD(0, 16, 4),
    CONV_ADDR_OUT = FIELD(1, 0, 12),
    CONV_PAD_BOTTOM = FIELD(1, 12, 4),
    CONV_PAD_RIGHT = FIELD(1, 16, 4),
    CONV_CHANNEL_GROUP = FIELD(1, 24, 8),
    CONV_ADDR_WEIGHTS = FIELD(2, 0, 12),
    CONV_BANK_IN = FIELD(2, 12, 6),
    CONV_LENGTH = FIELD(2, 22, 10),
    CONV_ADDR_BIAS = FIELD(3, 0, 12),
    CONV_BANK_OUT = FIELD(3, 12, 6),
    CONV_CHANNEL_OFFSET = FIELD(4, 24, 5),
};
enum {
    ALUINIT_KERNEL_W = FIELD(0, 0, 8),
    ALUINIT_KERNEL_H = FIELD(0, 8, 8),
    ALUINIT_EXEC_MODE = FIELD(0, 16, 4),
    ALUINIT_STRIDE_W = FIELD(1, 16, 8),
    ALUINIT_STRIDE_H = FIELD(1, 24, 8),
    ALUINIT_LENGTH = FIELD(2, 0, 11),
    ALUINIT_CHANNEL_GROUP = FIELD(2, 16, 8),
    ALUINIT_SHIFT_CUT = FIELD(3, 6, 6),
    ALUINIT_ACT_TYPE = FIELD(3, 18, 4),
    ALUINIT_JUMP_READ = FIELD(4, 13, 10),
    ALUINIT_JUMP_WRITE = FIELD(5, 13, 10),
};
enum {
    ALU_ADDR_OUT = FIELD(0, 0, 14),
    ALU_BANK_OUT = FIELD(0, 14, 6),
    ALU_ADDR_IN = FIELD(1, 0, 14),
    ALU_BANK_IN = FIELD(1, 14, 6),
    ALU_VALID_ROWS = FIELD(1, 20, 3),
    ALU_PAD_BOTTOM = FIELD(1, 23, 8),
    ALU_PAD_RIGHT = FIELD(2, 14, 8),
    ALU_PAD_LEFT = FIELD(2, 22, 4),
    ALU_PAD_TOP = FIELD(2, 26, 4),
    ALU_ADDR_WEIGHTS = FIELD(3, 14, 14),
    ALU_ADDR_BIAS = FIELD(4, 14, 14),
};
enum {
    ELEWINIT_BANK_IN = FIELD(0, 14, 6),
    ELEWINIT_ADDR_IN = FIELD(1, 0, 14),
    ELEWINIT_ID = FIELD(1, 27, 2),
    ELEWINIT_JUMP_READ = FIELD(2, 0, 12),
};
enum {
    ELEW_LENGTH = FIELD(0, 0, 11),
    ELEW_ACT_TYPE = FIELD(0, 11, 1),
    ELEW_BANK_OUT = FIELD(0, 14, 6),
    ELEW_ADDR_OUT = FIELD(1, 0, 14),
    ELEW_NUM = FIELD(1, 27, 2),
    ELEW_VALID_ROWS = FIELD(1, 29, 3),
    ELEW_JUMP_WRITE = FIELD(2, 0, 12),
    ELEW_CHANNEL_GROUP = FIELD(2, 17, 8),
};

static uint32_t field_width(uint32_t field)
{
    return field & 0xff;
}

typedef struct field_value {
    uint32_t field, value;
} field_value;

typedef struct code {
    uint8_t *bytes; /* little endian words */
    size_t n_bytes, capacity_bytes;
} code;

static void emit(code *c, uint32_t opcode, const field_value *values, size_t count)
{
    uint32_t words[6] = {opcode << 28};
    size_t n_words = instruction_words[opcode];

    for (size_t i = 0; i < count; i++) {
        uint32_t word = values[i].field >> 16, low = values[i].field >> 8 & 0xff;
        if (values[i].value >> field_width(values[i].field))
            xm_die("xmodel networks: opcode %u, word %u, bit %u cannot hold %u", opcode, word, low,
                   values[i].value);
        words[word] |= values[i].value << low;
    }
    if (c->capacity_bytes - c->n_bytes < 4 * n_words) {
        c->capacity_bytes = c->capacity_bytes ? 2 * c->capacity_bytes : 1024;
        c->bytes = xm_checked_realloc(c->bytes, c->capacity_bytes, 1);
    }
    for (size_t i = 0; i < n_words; i++)
        for (unsigned shift = 0; shift < 32; shift += 8)
            c->bytes[c->n_bytes++] = (uint8_t)(words[i] >> shift);
}

#define EMIT(code, opcode, ...)                                                                              \
    emit((code), (opcode), (const field_value[]){__VA_ARGS__},                                               \
         sizeof((const field_value[]){__VA_ARGS__}) / sizeof(field_value))

/* ---- code of a layer ---- */

/* A layer has a head (convolution, or an op of the ALU) and perhaps a tail (ALU or addition) that takes the
 * rows of the head as they appear. Output channels are worked on in pieces whose weights fit into the weight
 * memory. */
typedef struct generator {
    const net *net;
    const xn_arch *arch;
    code code;
    bool standalone; /* nothing is in the image memory when the layer begins, or may stay there */
    uint64_t load_bytes, save_bytes;
    uint32_t weights_cursor, bias_cursor, alu_cursor; /* next free words of the parameter memories */

    const net_op *head, *tail, *output;
    net_op sampling;            /* stands for a head whose loads leave out what it would skip */
    uint32_t sample_step;       /* rows and columns of the head's input from one that is loaded to the next */
    uint32_t bank_in, bank_out; /* first banks of the image groups */
    uint32_t weights_base, head_bias_base, tail_bias_base, alu_base;
    uint32_t words_per_group;       /* of the weight memory */
    uint32_t first_group, n_groups; /* the piece */

    uint32_t init_rows;                                               /* of the last CONVINIT */
    uint32_t rows_loaded, operand_rows_loaded, rows_done, rows_saved; /* done: by the tail */
} generator;

typedef struct transfer {
    uint32_t reg_id, ddr_addr;
    uint32_t line_bytes, n_lines, line_stride_bytes;
    uint32_t bank_id, bank_addr, bank_step; /* words from line to line */
    uint32_t pad_start, pad_end;            /* bytes of the line outside the image */
} transfer;

static void emit_load(generator *g, const transfer *t)
{
    uint32_t stride = t->n_lines > 1 ? t->line_stride_bytes : t->line_bytes;

    EMIT(&g->code, OPCODE_LOAD, {LOAD_BANK_ADDR, t->bank_addr % BANK_WORDS}, {LOAD_BANK_ID, t->bank_id},
         {LOAD_JUMP_WRITE, t->n_lines > 1 ? t->bank_step - 1 : 0}, {LOAD_JUMP_READ, stride - 1},
         {LOAD_LENGTH, t->n_lines - 1}, {LOAD_CHANNEL, t->line_bytes - 1}, {LOAD_REG_ID, t->reg_id},
         {LOAD_PAD_START, t->pad_start}, {LOAD_PAD_END, t->pad_end}, {LOAD_DDR_ADDR, t->ddr_addr});
    if (t->reg_id != REG_CONST)
        g->load_bytes += (uint64_t)t->n_lines * t->line_bytes;
}

static void emit_save(generator *g, const transfer *t)
{
    uint32_t stride = t->n_lines > 1 ? t->line_stride_bytes : t->line_bytes;

    EMIT(&g->code, OPCODE_SAVE, {SAVE_BANK_ADDR, t->bank_addr % BANK_WORDS}, {SAVE_BANK_ID, t->bank_id},
         {SAVE_JUMP_READ, t->n_lines > 1 ? t->bank_step - 1 : 0}, {SAVE_JUMP_WRITE, stride - 1},
         {SAVE_LENGTH, t->n_lines - 1}, {SAVE_CHANNEL, t->line_bytes - 1}, {SAVE_REG_ID, t->reg_id},
         {SAVE_DDR_ADDR, t->ddr_addr});
    g->save_bytes += (uint64_t)t->n_lines * t->line_bytes;
}

/* Splits what the fields of one instruction cannot express; emit_piece is emit_load or emit_save. */
static void move(generator *g, const transfer *whole, void (*emit_piece)(generator *g, const transfer *t))
{
    uint32_t channel_width = emit_piece == emit_load ? field_width(LOAD_CHANNEL) : field_width(SAVE_CHANNEL);
    uint32_t icp = g->arch->input_channel_parallel;
    uint32_t most_bytes = (1u << channel_width) / icp * icp;
    uint32_t most_lines = 1u << field_width(LOAD_LENGTH);

    if (whole->line_stride_bytes > 1u << field_width(LOAD_JUMP_READ) ||
        whole->bank_step > 1u << field_width(LOAD_JUMP_WRITE))
        most_lines = 1;
    for (uint32_t byte = 0; byte < whole->line_bytes; byte += most_bytes) {
        for (uint32_t line = 0; line < whole->n_lines; line += most_lines) {
            transfer t = *whole;
            t.line_bytes = smaller(most_bytes, whole->line_bytes - byte);
            t.n_lines = smaller(most_lines, whole->n_lines - line);
            t.ddr_addr += byte + line * whole->line_stride_bytes;
            t.bank_addr += byte / icp + line * whole->bank_step;
            emit_piece(g, &t);
        }
    }
}

/* Parameter memories are filled round; a tensor begins anew at word 0 rather than wrap in the middle. */
static uint32_t take_words(uint32_t *cursor, uint32_t words)
{
    if (words > BANK_WORDS)
        xm_die("xmodel networks: %u words do not fit into a parameter memory", words);
    uint32_t at = *cursor + words > BANK_WORDS ? 0 : *cursor;
    *cursor = at + words;
    return at;
}

/* Parameter banks follow the two groups of image banks: convolution weights (one bank for each output channel
 * that is computed at a time), depthwise weights, biases. */
static uint32_t weights_bank(const xn_arch *arch)
{
    return 2 * arch->pixel_parallel;
}

static uint32_t alu_bank(const xn_arch *arch)
{
    return weights_bank(arch) + arch->output_channel_parallel;
}

static uint32_t bias_bank(const xn_arch *arch)
{
    return alu_bank(arch) + 1;
}

static uint32_t load_bias(generator *g, const net_op *op)
{
    uint32_t words = ceil_div(op->out.channels, g->arch->input_channel_parallel);
    uint32_t at = take_words(&g->bias_cursor, words);

    move(g,
         &(transfer){.reg_id = REG_CONST,
                     .ddr_addr = op->bias_addr,
                     .line_bytes = op->out.channels,
                     .n_lines = 1,
                     .bank_id = bias_bank(g->arch),
                     .bank_addr = at},
         emit_load);
    return at;
}

static uint32_t load_depthwise_weights(generator *g, const net_op *op)
{
    uint32_t words = ceil_div(op->out.channels, g->arch->input_channel_parallel);
    uint32_t area = (uint32_t)kernel_area(op);
    uint32_t at = take_words(&g->alu_cursor, area * words);

    move(g,
         &(transfer){.reg_id = REG_CONST,
                     .ddr_addr = op->weights_addr,
                     .line_bytes = op->out.channels,
                     .n_lines = area,
                     .line_stride_bytes = op->out.channels,
                     .bank_id = alu_bank(g->arch),
                     .bank_addr = at,
                     .bank_step = words},
         emit_load);
    return at;
}

/* The filters of a group of output channels, one to each bank: a line each, where the vectors of a filter
 * follow each other in the bank as they do in memory. */
static void load_filters(generator *g, uint32_t group)
{
    const net_op *op = g->head;
    uint32_t ocp = g->arch->output_channel_parallel, icp = g->arch->input_channel_parallel;
    uint32_t first_channel = (g->first_group + group) * ocp;
    uint32_t filter_bytes = weights_bytes(op) / op->out.channels;
    uint32_t depth = op->augmented ? op->window.kernel * op->in.channels : op->in.channels;
    uint32_t line_bytes = depth % icp ? depth : filter_bytes;

    for (uint32_t bank = 0; bank < smaller(ocp, op->out.channels - first_channel); bank++)
        move(g,
             &(transfer){.reg_id = REG_CONST,
                         .ddr_addr = op->weights_addr + (first_channel + bank) * filter_bytes,
                         .line_bytes = line_bytes,
                         .line_stride_bytes = line_bytes,
                         .n_lines = filter_bytes / line_bytes,
                         .bank_step = ceil_div(line_bytes, icp),
                         .bank_id = weights_bank(g->arch) + bank,
                         .bank_addr = g->weights_base + group * g->words_per_group},
             emit_load);
}

static uint32_t first_channel(const generator *g)
{
    return g->first_group * g->arch->output_channel_parallel;
}

static uint32_t piece_channels(const generator *g)
{
    return smaller(g->n_groups * g->arch->output_channel_parallel,
                   g->output->out.channels - first_channel(g));
}

static uint32_t pixel_words(const generator *g, shape s)
{
    return ceil_div(s.channels, g->arch->input_channel_parallel);
}

/* Where a row lies in its group of image banks, as a ring of rows. */
static uint32_t row_bank(const generator *g, uint32_t row)
{
    return row % g->arch->pixel_parallel;
}

static uint32_t row_addr(const generator *g, shape s, uint32_t row)
{
    return row / g->arch->pixel_parallel * s.width * pixel_words(g, s) % BANK_WORDS;
}

/* For each output pixel of a row the whole row of the window, so that neighbours are read again. */
static void load_augmented_row(generator *g, const net_op *image, uint32_t row)
{
    const window *w = &g->head->window;
    uint32_t ic = image->out.channels;
    uint32_t right = (g->head->out.width - 1) * w->stride + w->kernel;
    uint32_t edge = w->before + image->out.width;
    uint32_t words = ceil_div(w->kernel * ic, g->arch->input_channel_parallel);

    move(g,
         &(transfer){.reg_id = image->reg_id,
                     .ddr_addr = image->ddr_addr + row * image->out.width * ic - w->before * ic,
                     .line_bytes = w->kernel * ic,
                     .n_lines = g->head->out.width,
                     .line_stride_bytes = w->stride * ic,
                     .bank_id = g->bank_in + row_bank(g, row),
                     .bank_addr = row / g->arch->pixel_parallel * g->head->out.width * words,
                     .bank_step = words,
                     .pad_start = w->before * ic,
                     .pad_end = right > edge ? (right - edge) * ic : 0},
         emit_load);
}

/* Rows up to end that are not there yet; a convolution needs all channels, everything else those of the
 * piece. */
static void load_rows(generator *g, const net_op *map, uint32_t *loaded, uint32_t end)
{
    bool of_head = map == &g->net->ops[g->head->input];
    bool all_channels = g->head->kind == OP_CONV && of_head;
    shape on_chip = of_head ? g->head->in : map->out;
    uint32_t step = of_head ? g->sample_step : 1;
    uint32_t row_bytes = step * map->out.width * map->out.channels;
    transfer t = {.reg_id = map->reg_id,
                  .line_bytes = all_channels ? map->out.channels : piece_channels(g),
                  .n_lines = on_chip.width,
                  .line_stride_bytes = step * map->out.channels};

    /* a convolution loads a map that stays on chip for its first piece, and for the others as well */
    if (map->resident && (!g->standalone || (all_channels && g->first_group > 0)))
        return;
    for (; *loaded < end; ++*loaded) {
        if (all_channels && g->head->augmented) {
            load_augmented_row(g, map, *loaded);
            continue;
        }
        t.ddr_addr = map->ddr_addr + *loaded * row_bytes + (all_channels ? 0 : first_channel(g));
        t.bank_id = g->bank_in + row_bank(g, *loaded);
        t.bank_addr = row_addr(g, on_chip, *loaded);
        t.bank_step = ceil_div(t.line_bytes, g->arch->input_channel_parallel);
        move(g, &t, emit_load);
    }
}

static void save_rows(generator *g, uint32_t end)
{
    const net_op *out = g->output;
    uint32_t row_bytes = out->out.width * out->out.channels;
    transfer t = {.reg_id = out->reg_id,
                  .line_bytes = piece_channels(g),
                  .n_lines = out->out.width,
                  .line_stride_bytes = out->out.channels,
                  .bank_step = ceil_div(piece_channels(g), g->arch->input_channel_parallel)};

    if (out->resident && !g->standalone)
        return;
    for (; g->rows_saved < end; g->rows_saved++) {
        t.ddr_addr = out->ddr_addr + g->rows_saved * row_bytes + first_channel(g);
        t.bank_id = g->bank_out + row_bank(g, g->rows_saved);
        t.bank_addr = row_addr(g, out->out, g->rows_saved) + g->first_group;
        move(g, &t, emit_save);
    }
}

static void init_conv(generator *g, uint32_t n_rows)
{
    const net_op *op = g->head;

    if (g->init_rows == n_rows)
        return;
    g->init_rows = n_rows;
    EMIT(&g->code, OPCODE_CONVINIT, {CONVINIT_JUMP_READ, pixel_words(g, op->in) - 1}, {CONVINIT_SHIFT_CUT, 6},
         {CONVINIT_ACT_TYPE, op->relu}, {CONVINIT_SHIFT_BIAS, 6},
         {CONVINIT_JUMP_WRITE, pixel_words(g, op->out) - 1}, {CONVINIT_VALID_ROWS, n_rows - 1},
         {CONVINIT_KERNEL_H, op->window.kernel - 1}, {CONVINIT_STRIDE_H, op->window.stride - 1},
         {CONVINIT_KERNEL_W, op->augmented ? 0 : op->window.kernel - 1},
         {CONVINIT_STRIDE_W, op->augmented ? 0 : op->window.stride - 1});
}

static uint32_t pad_above(const net_op *op, uint32_t row)
{
    return op->window.before - smaller(op->window.before, row * op->window.stride);
}

static uint32_t pad_below(const net_op *op, uint32_t end)
{
    uint32_t last = (end - 1) * op->window.stride + op->window.kernel;
    uint32_t edge = op->window.before + op->in.height;

    return last > edge ? last - edge : 0;
}

/* One instruction computes a group of output channels of PP rows; longer rows than the field holds take
 * several. The first rows bring the weights of each group. */
static void convolve(generator *g, uint32_t row, uint32_t end)
{
    const net_op *op = g->head;
    uint32_t top = row * op->window.stride - smaller(op->window.before, row * op->window.stride);
    uint32_t depth = op->augmented ? op->window.kernel * op->in.channels : op->in.channels;
    uint32_t inner = ceil_div(depth, g->arch->input_channel_parallel);
    uint32_t most = 1u << field_width(CONV_LENGTH);

    init_conv(g, end - row);
    for (uint32_t i = 0; i < g->n_groups; i++) {
        uint32_t group = g->first_group + i;
        if (row == 0)
            load_filters(g, i);
        for (uint32_t x = 0; x < op->out.width; x += most)
            EMIT(&g->code, OPCODE_CONV, {CONV_ADDR_IN, row_addr(g, op->in, top)},
                 {CONV_PAD_TOP, pad_above(op, row)}, {CONV_PAD_LEFT, op->augmented ? 0 : op->window.before},
                 {CONV_ADDR_OUT,
                  (row_addr(g, op->out, row) + x * pixel_words(g, op->out) + group) % BANK_WORDS},
                 {CONV_PAD_BOTTOM, pad_below(op, end)},
                 {CONV_PAD_RIGHT, op->augmented ? 0 : op->window.after}, {CONV_CHANNEL_GROUP, inner - 1},
                 {CONV_ADDR_WEIGHTS, g->weights_base + i * g->words_per_group},
                 {CONV_BANK_IN, g->bank_in + row_bank(g, top)},
                 {CONV_LENGTH, smaller(most, op->out.width - x) - 1},
                 {CONV_ADDR_BIAS, g->head_bias_base + group}, {CONV_BANK_OUT, g->bank_out + row_bank(g, row)},
                 {CONV_CHANNEL_OFFSET, inner * g->arch->input_channel_parallel - depth});
    }
}

static void init_alu(generator *g, const net_op *op)
{
    EMIT(&g->code, OPCODE_ALUINIT, {ALUINIT_KERNEL_W, op->window.kernel - 1},
         {ALUINIT_KERNEL_H, op->window.kernel - 1}, {ALUINIT_EXEC_MODE, traits[op->kind].exec_mode},
         {ALUINIT_STRIDE_W, op->window.stride - 1}, {ALUINIT_STRIDE_H, op->window.stride - 1},
         {ALUINIT_LENGTH, op->out.width - 1}, {ALUINIT_CHANNEL_GROUP, g->n_groups - 1},
         {ALUINIT_SHIFT_CUT, 6}, {ALUINIT_ACT_TYPE, op->relu},
         {ALUINIT_JUMP_READ, pixel_words(g, op->in) - 1}, {ALUINIT_JUMP_WRITE, pixel_words(g, op->out) - 1});
}

static void run_alu(generator *g, const net_op *op, uint32_t row, uint32_t end)
{
    uint32_t bank_in = op == g->head ? g->bank_in : g->bank_out;
    uint32_t top = row * op->window.stride - smaller(op->window.before, row * op->window.stride);

    EMIT(&g->code, OPCODE_ALU, {ALU_ADDR_OUT, (row_addr(g, op->out, row) + g->first_group) % BANK_WORDS},
         {ALU_BANK_OUT, g->bank_out + row_bank(g, row)},
         {ALU_ADDR_IN, (row_addr(g, op->in, top) + g->first_group) % BANK_WORDS},
         {ALU_BANK_IN, bank_in + row_bank(g, top)}, {ALU_VALID_ROWS, end - row - 1},
         {ALU_PAD_BOTTOM, pad_below(op, end)}, {ALU_PAD_RIGHT, op->window.after},
         {ALU_PAD_LEFT, op->window.before}, {ALU_PAD_TOP, pad_above(op, row)},
         {ALU_ADDR_WEIGHTS, g->alu_base + g->first_group},
         {ALU_ADDR_BIAS, op == g->tail ? g->tail_bias_base : g->head_bias_base});
}

static void run_eltwise(generator *g, const net_op *op, uint32_t row, uint32_t end)
{
    uint32_t addr = (row_addr(g, op->out, row) + g->first_group) % BANK_WORDS;
    uint32_t words = pixel_words(g, op->out);

    EMIT(&g->code, OPCODE_ELEWINIT, {ELEWINIT_BANK_IN, g->bank_in + row_bank(g, row)},
         {ELEWINIT_ADDR_IN, addr}, {ELEWINIT_ID, 0}, {ELEWINIT_JUMP_READ, words - 1});
    EMIT(&g->code, OPCODE_ELEWINIT, {ELEWINIT_BANK_IN, g->bank_out + row_bank(g, row)},
         {ELEWINIT_ADDR_IN, addr}, {ELEWINIT_ID, 1}, {ELEWINIT_JUMP_READ, words - 1});
    EMIT(&g->code, OPCODE_ELEW, {ELEW_LENGTH, op->out.width - 1}, {ELEW_ACT_TYPE, op->relu},
         {ELEW_BANK_OUT, g->bank_out + row_bank(g, row)}, {ELEW_ADDR_OUT, addr}, {ELEW_NUM, 1},
         {ELEW_VALID_ROWS, end - row - 1}, {ELEW_JUMP_WRITE, words - 1},
         {ELEW_CHANNEL_GROUP, g->n_groups - 1});
}

/* Input rows that must be there before output rows up to end can be computed. The last take what is left,
 * also rows that no window touches: maps are read whole. */
static uint32_t rows_needed(const net_op *op, uint32_t end)
{
    if (end == op->out.height)
        return op->in.height;
    if (op->kind == OP_ADD)
        return end;
    return smaller(op->in.height, (end - 1) * op->window.stride + op->window.kernel - op->window.before);
}

static void run_tail(generator *g, uint32_t rows_ready)
{
    const net_op *op = g->tail;

    while (g->rows_done < op->out.height) {
        uint32_t end = smaller(g->rows_done + g->arch->alu_pixel_parallel, op->out.height);
        if (rows_needed(op, end) > rows_ready)
            break;
        if (op->kind == OP_ADD) {
            load_rows(g, &g->net->ops[op->operand], &g->operand_rows_loaded, end);
            run_eltwise(g, op, g->rows_done, end);
        } else {
            run_alu(g, op, g->rows_done, end);
        }
        g->rows_done = end;
    }
}

static void run_piece(generator *g)
{
    const net_op *head = g->head;
    uint32_t step = head->kind == OP_CONV ? g->arch->pixel_parallel : g->arch->alu_pixel_parallel;

    g->rows_loaded = g->operand_rows_loaded = g->rows_done = g->rows_saved = 0;
    for (uint32_t row = 0; row < head->out.height; row += step) {
        uint32_t end = smaller(row + step, head->out.height);
        load_rows(g, &g->net->ops[head->input], &g->rows_loaded, rows_needed(head, end));
        if (head->kind == OP_CONV)
            convolve(g, row, end);
        else
            run_alu(g, head, row, end);
        if (g->tail)
            run_tail(g, end);
        save_rows(g, g->tail ? g->rows_done : end);
    }
}

/* A downsampling whose input is not on chip takes only the pixels it keeps; the ALU then copies what is
 * small. */
static void sample_input(generator *g)
{
    g->sample_step = 1;
    if (!is_downsampling(g->head) || g->net->ops[g->head->input].resident)
        return;
    g->sample_step = g->head->window.stride;
    g->sampling = *g->head;
    g->sampling.in = g->head->out;
    g->sampling.window.stride = 1;
    g->head = &g->sampling;
}

/* Which ops of the layer make it up; false when it emits no code. */
static bool start_layer(generator *g, uint32_t index)
{
    const net_layer *layer = &g->net->layers[index];
    const net_op *ops = &g->net->ops[layer->first_op];
    uint32_t n_ops = layer->n_ops;

    while (n_ops && ops[n_ops - 1].kind == OP_RESHAPE)
        n_ops--;
    if (n_ops == 0)
        return false;
    if (n_ops > 2)
        xm_die("xmodel networks: layer %s has more ops than a layer can fuse", layer->name);
    g->head = &ops[0];
    g->tail = n_ops > 1 ? &ops[1] : NULL;
    g->output = g->tail ? g->tail : g->head;
    sample_input(g);
    g->bank_in = index % 2 ? g->arch->pixel_parallel : 0;
    g->bank_out = index % 2 ? 0 : g->arch->pixel_parallel;
    g->init_rows = 0;
    g->words_per_group = g->head->kind == OP_CONV ? (uint32_t)conv_steps(g->arch, g->head) : 1;
    return true;
}

static void generate_layer(generator *g, uint32_t index)
{
    if (!start_layer(g, index))
        return;
    uint32_t n_groups = ceil_div(g->output->out.channels, g->arch->output_channel_parallel);
    uint32_t most = smaller(BANK_WORDS / g->words_per_group, MOST_GROUPS);
    for (g->first_group = 0; g->first_group < n_groups; g->first_group += most) {
        g->n_groups = smaller(most, n_groups - g->first_group);
        if (g->first_group == 0 && traits[g->head->kind].has_weights)
            g->head_bias_base = load_bias(g, g->head);
        if (g->head->kind == OP_CONV)
            g->weights_base = take_words(&g->weights_cursor, g->n_groups * g->words_per_group);
        if (g->first_group == 0 && g->tail && traits[g->tail->kind].has_weights)
            g->tail_bias_base = load_bias(g, g->tail);
        const net_op *alu = traits[g->head->kind].on_alu ? g->head : g->tail;
        if (g->first_group == 0 && alu && alu->kind == OP_DEPTHWISE)
            g->alu_base = load_depthwise_weights(g, alu);
        if (alu && traits[alu->kind].on_alu)
            init_alu(g, alu);
        run_piece(g);
    }
}

/* ---- tokens: what waits for what ---- */

enum { LOADS, SAVES, CONVS, OTHERS, QUEUES };

static unsigned queue_of(uint32_t opcode)
{
    static const uint8_t queues[16] = {
        [OPCODE_SAVE] = SAVES, [OPCODE_END] = SAVES,      [OPCODE_CONV] = CONVS,  [OPCODE_CONVINIT] = CONVS,
        [OPCODE_ALU] = OTHERS, [OPCODE_ALUINIT] = OTHERS, [OPCODE_ELEW] = OTHERS, [OPCODE_ELEWINIT] = OTHERS,
    };
    return queues[opcode];
}

/* Instructions of one queue that follow each other. */
typedef struct batch {
    size_t first, last; /* where they stand */
    bool exists, is_linked[QUEUES];
} batch;

static uint32_t opcode_at(const code *c, size_t at)
{
    return c->bytes[at + 3] >> 4;
}

static void set_bits(code *c, size_t at, uint32_t bits)
{
    for (unsigned i = 0; i < 4; i++)
        c->bytes[at + i] |= (uint8_t)(bits >> 8 * i);
}

static uint32_t waiting_for(unsigned queue)
{
    return UINT32_C(1) << (24 + queue);
}

static uint32_t letting_go(unsigned queue)
{
    return UINT32_C(1) << (20 + queue);
}

/* The first of a batch waits for the last of another one, once. */
static void link(code *c, batch *from, unsigned from_queue, size_t first, unsigned queue)
{
    if (!from->exists || from->is_linked[queue])
        return;
    from->is_linked[queue] = true;
    set_bits(c, from->last, letting_go(queue));
    set_bits(c, first, waiting_for(from_queue));
}

/* Saves go to two ports in turn, two at once; an odd one is alone. */
static void pair_saves(code *c, const batch *b)
{
    unsigned i = 0;
    for (size_t at = b->first; at <= b->last; at += 4 * (size_t)instruction_words[OPCODE_SAVE], i++) {
        bool is_second = i % 2, is_last = at == b->last;
        if (is_second)
            set_bits(c, at + 4, UINT32_C(1) << 29);
        set_bits(c, at,
                 (is_second ? 0 : waiting_for(SAVES)) | (is_second || is_last ? letting_go(SAVES) : 0));
    }
}

typedef struct batches {
    batch last[QUEUES], before[QUEUES]; /* before: as they were at the last batch of loads */
} batches;

static bool loads_constants(const code *c, size_t at)
{
    return (c->bytes[at + 12] & 7) == REG_CONST;
}

/* A layer's first loads wait for all that was saved; rows behind them have room for two steps, and weights
 * for all. Its first convolution waits for what the ALU made, the others run while the ALU takes the rows
 * that are there. */
static void link_batch(code *c, batches *b, unsigned queue, size_t first, bool begins_layer)
{
    if (queue == SAVES) {
        bool others =
            b->last[OTHERS].exists && (!b->last[CONVS].exists || b->last[OTHERS].last > b->last[CONVS].last);
        link(c, &b->last[others ? OTHERS : CONVS], others ? OTHERS : CONVS, first, SAVES);
    } else if (queue != LOADS) {
        link(c, &b->last[LOADS], LOADS, first, queue);
        if (queue == OTHERS || begins_layer)
            link(c, &b->last[queue == OTHERS ? CONVS : OTHERS], queue == OTHERS ? CONVS : OTHERS, first,
                 queue);
    } else if (begins_layer) {
        for (unsigned q = SAVES; q < QUEUES; q++)
            link(c, &b->last[q], q, first, LOADS);
    } else if (!loads_constants(c, first)) {
        for (unsigned q = SAVES; q < QUEUES; q++)
            if (b->before[q].exists && b->before[q].last != b->last[q].last)
                link(c, &b->before[q], q, first, LOADS);
    }
}

static void add_tokens(code *c, const size_t *layers, size_t n_layers)
{
    batches b = {0};
    size_t layer = 0, start = 0, words;
    for (size_t at = 0; at < c->n_bytes;) {
        unsigned queue = queue_of(opcode_at(c, at));
        batch now = {.first = at, .last = at, .exists = true};
        for (; at < c->n_bytes && queue_of(opcode_at(c, at)) == queue; at += 4 * words) {
            words = instruction_words[opcode_at(c, at)];
            now.last = at;
            if (queue != SAVES)
                set_bits(c, at, waiting_for(queue) | letting_go(queue));
        }
        for (; layer < n_layers && layers[layer] <= now.last; layer++)
            start = layers[layer];
        bool begins_layer = !b.last[queue].exists || b.last[queue].last < start;
        if (queue == SAVES)
            pair_saves(c, &now);
        link_batch(c, &b, queue, now.first, begins_layer);
        if (queue == LOADS)
            memcpy(b.before, b.last, sizeof b.before);
        b.last[queue] = now;
    }
}

static void keep_code(net *n, code *c, const size_t *layers, size_t n_layers, const uint8_t **bytes,
                      size_t *n_bytes)
{
    add_tokens(c, layers, n_layers);
    EMIT(c, OPCODE_END, {LOAD_BANK_ADDR, 0});
    set_bits(c, c->n_bytes - 4, waiting_for(SAVES) | letting_go(SAVES));
    *bytes = xm_copy(n->model, c->bytes, c->n_bytes, 1);
    *n_bytes = c->n_bytes;
    free(c->bytes);
    *c = (code){0};
}

static void generate(net *n, bool layer_code)
{
    generator whole = {.net = n, .arch = n->arch};
    size_t *layers = xm_checked_realloc(NULL, n->n_layers, sizeof *layers);

    for (uint32_t l = 0; l < n->n_layers; l++) {
        uint64_t loaded = whole.load_bytes, saved = whole.save_bytes;
        layers[l] = whole.code.n_bytes;
        generate_layer(&whole, l);
        n->layers[l].load_bytes = whole.load_bytes - loaded;
        n->layers[l].save_bytes = whole.save_bytes - saved;
    }
    keep_code(n, &whole.code, layers, n->n_layers, &n->code, &n->code_bytes);
    free(layers);
    for (uint32_t l = 0; layer_code && l < n->n_layers; l++) {
        generator alone = {.net = n, .arch = n->arch, .standalone = true};
        generate_layer(&alone, l);
        if (alone.code.n_bytes)
            keep_code(n, &alone.code, NULL, 0, &n->layers[l].code, &n->layers[l].code_bytes);
    }
}

/* ---- the graph ---- */

/* Attributes come in the order of their names, the order of a map being free. */
typedef struct attr_list {
    xm_attr items[24];
    size_t count;
} attr_list;

static void put(attr_list *list, xm_attr attr)
{
    if (list->count == sizeof list->items / sizeof *list->items)
        xm_die("xmodel networks: more attributes than foreseen, at %s", attr.name);
    list->items[list->count++] = attr;
}

static xm_attrs keep(xm_model *m, const attr_list *list)
{
    return xm_attrs_copy(m, list->items, list->count);
}

static xm_arg one_arg(xm_model *m, const char *name, const char *producer)
{
    return (xm_arg){.name = name, .producers = xm_copy(m, &producer, 1, sizeof producer), .n_producers = 1};
}

static xm_attr pair(xm_model *m, const char *name, uint32_t value)
{
    return xm_i32_vec(m, name, (const int32_t[]){(int32_t)value, (int32_t)value}, 2);
}

/* [left, right, top, bottom] */
static xm_attr pad(xm_model *m, const window *w)
{
    int32_t before = (int32_t)w->before, after = (int32_t)w->after;

    return xm_i32_vec(m, "pad", (const int32_t[]){before, after, before, after}, 4);
}

static void put_quantisation(attr_list *list, int32_t fix_point)
{
    put(list, xm_i32("bit_width", 8));
    put(list, xm_i32("fix_point", fix_point));
    put(list, xm_bool("if_signed", true));
    put(list, xm_string("round_mode", "DPU_ROUND"));
}

typedef struct location {
    uint32_t reg_id, ddr_addr;
    bool in_ddr;
} location;

static void put_location(attr_list *list, location at)
{
    put(list, xm_i32("ddr_addr", (int32_t)at.ddr_addr));
    put(list, xm_i32("location", at.in_ddr));
    put(list, xm_i32("reg_id", (int32_t)at.reg_id));
}

/* Bytes from one index to the next, for each dimension. */
static xm_attr strides(xm_model *m, const uint32_t *dims, size_t n_dims)
{
    int32_t values[4], bytes = 1;

    for (size_t i = n_dims; i-- > 0;) {
        values[i] = bytes;
        bytes *= (int32_t)dims[i];
    }
    return xm_i32_vec(m, "stride", values, n_dims);
}

static xm_tensor xint8_tensor(xm_model *m, const char *name, const uint32_t *dims, size_t n_dims)
{
    return (xm_tensor){.name = name,
                       .dims = xm_copy(m, dims, n_dims, sizeof *dims),
                       .n_dims = n_dims,
                       .data_type = XM_XINT,
                       .bit_width = 8};
}

static xm_tensor float_tensor(xm_model *m, const char *name, const uint32_t *dims, size_t n_dims)
{
    xm_tensor tensor = xint8_tensor(m, name, dims, n_dims);

    tensor.data_type = XM_REAL;
    tensor.bit_width = 32;
    return tensor;
}

/* A reshape flattens to [N, C]; everything else is NHWC. */
static size_t op_dims(const net_op *op, uint32_t dims[4])
{
    if (op->kind == OP_RESHAPE) {
        dims[0] = 1;
        dims[1] = op->out.channels;
        return 2;
    }
    dims[0] = 1;
    dims[1] = op->out.height;
    dims[2] = op->out.width;
    dims[3] = op->out.channels;
    return 4;
}

static xm_tensor op_tensor(net *n, const net_op *op)
{
    uint32_t dims[4];
    size_t n_dims = op_dims(op, dims);
    attr_list attrs = {0};
    xm_tensor tensor = xint8_tensor(n->model, xm_format(n->model, "%s_fix", op->name), dims, n_dims);

    put_quantisation(&attrs, 4);
    put_location(&attrs, (location){op->reg_id, op->ddr_addr, !op->internal});
    if (!op->internal)
        put(&attrs, strides(n->model, dims, n_dims));
    tensor.attrs = keep(n->model, &attrs);
    return tensor;
}

/* The weights themselves are not here: a compiled file has them in reg_id_to_parameter_value. */
static void emit_const(net *n, const char *name, const uint32_t *dims, size_t n_dims, uint32_t ddr_addr)
{
    xm_model *m = n->model;
    attr_list attrs = {0}, tensor_attrs = {0};
    int32_t shape_values[4];

    for (size_t i = 0; i < n_dims; i++)
        shape_values[i] = (int32_t)dims[i];
    put(&attrs, xm_bytes(m, "data", (xm_blob){0}));
    put(&attrs, xm_string("data_type", "XINT8"));
    put(&attrs, xm_string("device", "DPU"));
    put(&attrs, xm_i32_vec(m, "shape", shape_values, n_dims));
    put_quantisation(&tensor_attrs, 7);
    put_location(&tensor_attrs, (location){REG_CONST, ddr_addr, true});
    xm_op op = {.name = name, .type = "const-fix", .attrs = keep(m, &attrs)};
    op.output = xint8_tensor(m, xm_format(m, "%s_fix", name), dims, n_dims);
    op.output.attrs = keep(m, &tensor_attrs);
    xm_add_op(m, &op);
}

static const char *weights_name(const net *n, const net_op *op)
{
    return xm_format(n->model, "%s%s", op->name, n->weights_suffix);
}

static const char *bias_name(const net *n, const net_op *op)
{
    return xm_format(n->model, "%s%s", op->name, n->bias_suffix);
}

static void emit_constants(net *n, const net_op *op)
{
    uint32_t kernel = op->window.kernel;
    const uint32_t conv_dims[] = {op->out.channels, kernel, kernel, op->in.channels};
    const uint32_t depthwise_dims[] = {1, kernel, kernel, op->out.channels};
    const uint32_t bias_dims[] = {op->out.channels};

    emit_const(n, weights_name(n, op), op->kind == OP_CONV ? conv_dims : depthwise_dims, 4, op->weights_addr);
    emit_const(n, bias_name(n, op), bias_dims, 1, op->bias_addr);
}

/* -128 is what xcompiler writes for the parameters of an activation that the op does not have. */
static void put_conv_attrs(net *n, attr_list *list, const net_op *op)
{
    put(list, xm_bool("bias_term", true));
    if (op->augmented)
        put(list, xm_i32("channel_augmentation", 1));
    put(list, xm_string("device", "DPU"));
    put(list, pair(n->model, "dilation", 1));
    put(list, xm_i32("group", op->kind == OP_DEPTHWISE ? (int32_t)op->in.channels : 1));
    put(list, xm_i32("hsigmoid_in", -128));
    put(list, xm_i32("in_dim", (int32_t)op->in.channels));
    put(list, pair(n->model, "kernel", op->window.kernel));
    put(list, xm_string("nonlinear", op->relu ? "RELU" : "NONE"));
    put(list, xm_i32("out_dim", (int32_t)op->out.channels));
    put(list, pad(n->model, &op->window));
    put(list, xm_string("pad_mode", "FLOOR"));
    put(list, xm_i32("shift_hsigmoid", -128));
    put(list, xm_i32("shift_hswish", -128));
    put(list, pair(n->model, "stride", op->window.stride));
}

static void put_op_attrs(net *n, attr_list *list, const net_op *op)
{
    if (traits[op->kind].has_weights) {
        put_conv_attrs(n, list, op);
        return;
    }
    put(list, xm_string("device", "DPU"));
    if (op->kind == OP_RESHAPE) {
        put(list, xm_i32_vec(n->model, "shape", (const int32_t[]){1, (int32_t)op->out.channels}, 2));
    } else if (op->kind == OP_ADD) {
        put(list, xm_string("nonlinear", op->relu ? "RELU" : "NONE"));
        put(list, xm_string("type", "ADD"));
    } else if (traits[op->kind].pool_type) {
        put(list, pair(n->model, "kernel", op->window.kernel));
        put(list, pad(n->model, &op->window));
        put(list, pair(n->model, "stride", op->window.stride));
        put(list, xm_string("type", traits[op->kind].pool_type));
    }
}

static void emit_op(net *n, const net_op *op)
{
    xm_model *m = n->model;
    attr_list attrs = {0};
    const net_op *ops = n->ops;
    const char *producers[2] = {op->kind == OP_INPUT ? op->name : ops[op->input].name, NULL};
    size_t n_producers = 1, n_args = 1;
    xm_arg args[3];

    if (op->kind != OP_INPUT && op->input == 0)
        producers[0] = xm_format(m, "%s_upload_0", ops[0].name);
    if (op->kind == OP_ADD) {
        producers[1] = producers[0];
        producers[0] = ops[op->operand].name;
        n_producers = 2;
    }
    args[0] = (xm_arg){"input", xm_copy(m, producers, n_producers, sizeof *producers), n_producers};
    if (traits[op->kind].has_weights) {
        emit_constants(n, op);
        args[n_args++] = one_arg(m, "weights", weights_name(n, op));
        args[n_args++] = one_arg(m, "bias", bias_name(n, op));
    }
    put_op_attrs(n, &attrs, op);
    xn_costs costs = op_costs(n->arch, op);
    if (costs.workload_ops) {
        put(&attrs, xm_u64("workload", costs.workload_ops));
        put(&attrs, xm_u64("workload_on_arch", op_workload_on_arch(n->arch, op)));
    }
    xm_op out = {.name = op->kind == OP_INPUT ? xm_format(m, "%s_upload_0", op->name) : op->name,
                 .type = traits[op->kind].xir_type,
                 .attrs = keep(m, &attrs),
                 .args = xm_copy(m, args, n_args, sizeof *args),
                 .n_args = n_args,
                 .output = op_tensor(n, op)};
    if (op->kind == OP_INPUT)
        out.output.name = xm_format(m, "%s_fix_upload_0", op->name);
    xm_add_op(m, &out);
}

static void emit_image(net *n)
{
    xm_model *m = n->model;
    const net_op *image = &n->ops[0];
    uint32_t dims[4];
    int32_t shape_values[4];
    attr_list attrs = {0}, tensor_attrs = {0};

    size_t n_dims = op_dims(image, dims);
    for (size_t i = 0; i < n_dims; i++)
        shape_values[i] = (int32_t)dims[i];
    put(&attrs, xm_string("data_type", "XINT8"));
    put(&attrs, xm_string("device", "USER"));
    put(&attrs, xm_i32_vec(m, "shape", shape_values, n_dims));
    put_quantisation(&tensor_attrs, 6);
    xm_op op = {.name = image->name, .type = "data-fix", .attrs = keep(m, &attrs)};
    op.output = xint8_tensor(m, xm_format(m, "%s_fix", image->name), dims, n_dims);
    op.output.attrs = keep(m, &tensor_attrs);
    xm_add_op(m, &op);
}

/* What follows the last op of the DPU. */
typedef struct cpu_part {
    const char *download, *fix2float, *softmax; /* names of ops; softmax may be NULL */
    uint64_t workload_ops;
} cpu_part;

static cpu_part emit_cpu_part(net *n)
{
    xm_model *m = n->model;
    const net_op *last = &n->ops[n->n_ops - 1];
    uint32_t dims[4];
    size_t n_dims = op_dims(last, dims);
    attr_list download = {0}, quantisation = {0}, fix2float = {0}, softmax = {0};
    cpu_part cpu = {.download = xm_format(m, "%s_download_0", last->name),
                    .fix2float = xm_format(m, "%s_fix2float", last->name)};

    put(&download, xm_string("device", "DPU"));
    put_quantisation(&quantisation, 4);
    xm_op op = {.name = cpu.download, .type = "download", .attrs = keep(m, &download), .n_args = 1};
    xm_arg arg = one_arg(m, "input", last->name);
    op.args = xm_copy(m, &arg, 1, sizeof arg);
    op.output = xint8_tensor(m, xm_format(m, "%s_fix_download_0", last->name), dims, n_dims);
    op.output.attrs = keep(m, &quantisation);
    xm_add_op(m, &op);

    put(&fix2float, xm_i32("bit_width", 8));
    put(&fix2float, xm_string("device", "CPU"));
    put(&fix2float, xm_i32("fix_point", 4));
    put(&fix2float, xm_bool("if_signed", true));
    put(&fix2float, xm_string("round_mode", "DPU_ROUND"));
    op = (xm_op){.name = cpu.fix2float, .type = "fix2float", .attrs = keep(m, &fix2float), .n_args = 1};
    arg = one_arg(m, "input", cpu.download);
    op.args = xm_copy(m, &arg, 1, sizeof arg);
    op.output = float_tensor(m, cpu.fix2float, dims, n_dims);
    xm_add_op(m, &op);
    if (!n->softmax)
        return cpu;

    cpu.softmax = xm_format(m, "%s_softmax", last->name);
    cpu.workload_ops = 3 * (uint64_t)shape_bytes(last->out) - 1;
    put(&softmax, xm_i32("axis", -1));
    put(&softmax, xm_string("device", "CPU"));
    put(&softmax, xm_u64("workload", cpu.workload_ops));
    op = (xm_op){.name = cpu.softmax, .type = "softmax", .attrs = keep(m, &softmax), .n_args = 1};
    arg = one_arg(m, "input", cpu.fix2float);
    op.args = xm_copy(m, &arg, 1, sizeof arg);
    op.output = float_tensor(m, cpu.softmax, dims, n_dims);
    xm_add_op(m, &op);
    return cpu;
}

/* ---- the subgraph tree ---- */

static void put_workload(attr_list *list, uint64_t workload_ops, uint64_t on_arch)
{
    put(list, xm_u64("workload", workload_ops));
    put(list, xm_u64("workload_on_arch", on_arch));
}

static void leaf(xm_model *m, xm_subgraph *s, const char *const *op_names, size_t n_op_names)
{
    s->name = s->name ? s->name : xm_format(m, "subgraph_%s", op_names[0]);
    s->op_names = xm_copy(m, op_names, n_op_names, sizeof *op_names);
    s->n_op_names = n_op_names;
}

static xm_attr runner(xm_model *m, const char *run)
{
    const xm_entry entries[] = {
        {"ref", {.string = "libvart-cpu-runner.so"}},
        {"run", {.string = run}},
        {"sim", {.string = "libvart-sim-runner.so"}},
    };

    return xm_map(m, "runner", XM_MAP_STRING, entries, sizeof entries / sizeof *entries);
}

/* A superlayer: its ops with their constants, and code of its own where the compiler is asked for it. */
static void emit_superlayer(net *n, const net_layer *layer, xm_subgraph *s)
{
    xm_model *m = n->model;
    const char *names[16] = {0};
    size_t n_names = 0;
    uint64_t workload_ops = 0, on_arch = 0;
    attr_list attrs = {0};
    bool computes = false;

    for (uint32_t i = layer->first_op; i < layer->first_op + layer->n_ops; i++) {
        const net_op *op = &n->ops[i];
        if (traits[op->kind].has_weights) {
            names[n_names++] = weights_name(n, op);
            names[n_names++] = bias_name(n, op);
        }
        names[n_names++] = op->name;
        workload_ops += op_costs(n->arch, op).workload_ops;
        on_arch += op_workload_on_arch(n->arch, op);
        computes |= op->kind != OP_RESHAPE;
    }
    s->name = layer->name;
    leaf(m, s, names, n_names);
    if (layer->code_bytes) {
        put(&attrs, xm_bytes(m, "mc_code", (xm_blob){layer->code, layer->code_bytes}));
        put(&attrs, xm_bytes(m, "mc_code_preload", (xm_blob){0}));
    }
    if (!computes)
        put(&attrs, xm_bool("skip_code_gen", true));
    put_workload(&attrs, workload_ops, on_arch);
    s->attrs = keep(m, &attrs);
}

static void put_registers(xm_model *m, attr_list *list, const net *n)
{
    const xm_entry types[] = {{"REG_0", {.string = "CONST"}},
                              {"REG_1", {.string = "DATA"}},
                              {"REG_2", {.string = "DATA"}},
                              {"REG_3", {.string = "DATA"}}};
    const xm_entry types_v2[] = {{"REG_0", {.string = "CONST"}},
                                 {"REG_1", {.string = "WORKSPACE"}},
                                 {"REG_2", {.string = "INTERFACE"}},
                                 {"REG_3", {.string = "INTERFACE"}}};
    const xm_entry segments[] = {{"REG_0", {.string = "W0"}},
                                 {"REG_1", {.string = "D0"}},
                                 {"REG_2", {.string = "D0"}},
                                 {"REG_3", {.string = "D0"}}};
    const xm_entry parameters[] = {{"REG_0", {.bytes = {0}}}};
    const xm_entry sizes[] = {{"REG_0", {.i32 = (int32_t)n->const_bytes}},
                              {"REG_1", {.i32 = (int32_t)n->workspace_bytes}},
                              {"REG_2", {.i32 = (int32_t)n->input_bytes}},
                              {"REG_3", {.i32 = (int32_t)n->output_bytes}}};

    put(list, xm_map(m, "reg_id_to_context_type", XM_MAP_STRING, types, 4));
    put(list, xm_map(m, "reg_id_to_context_type_v2", XM_MAP_STRING, types_v2, 4));
    put(list, xm_map(m, "reg_id_to_hw_segment", XM_MAP_STRING, segments, 4));
    put(list, xm_map(m, "reg_id_to_parameter_value", XM_MAP_BYTES, parameters, 1));
    put(list, xm_map(m, "reg_id_to_size", XM_MAP_INT32, sizes, 4));
}

typedef struct work_sum {
    uint64_t ops, on_arch;
} work_sum;

static work_sum sum_work(const net *n)
{
    work_sum sum = {0};

    for (uint32_t i = 1; i < n->n_ops; i++) {
        sum.ops += op_costs(n->arch, &n->ops[i]).workload_ops;
        sum.on_arch += op_workload_on_arch(n->arch, &n->ops[i]);
    }
    return sum;
}

/* Named after its first superlayer, as real ones share a name with one of theirs. Upload and download are
 * children that the execution order does not list. */
static void emit_dpu(net *n, xm_subgraph *s, const cpu_part *cpu, bool layer_code)
{
    xm_model *m = n->model;
    attr_list attrs = {0}, upload = {0}, download = {0};
    work_sum sum = sum_work(n);
    xm_subgraph *children = xm_add_children(m, s, (size_t)n->n_layers + 2);
    const char **order = xm_alloc(m, n->n_layers, sizeof *order);
    const char *upload_name = xm_format(m, "%s_upload_0", n->ops[0].name);

    put(&upload, xm_bool("skip_code_gen", true));
    put_workload(&upload, 0, 0);
    put_workload(&download, 0, 0);
    leaf(m, &children[0], &upload_name, 1);
    children[0].attrs = keep(m, &upload);
    for (uint32_t l = 0; l < n->n_layers; l++) {
        emit_superlayer(n, &n->layers[l], &children[1 + l]);
        order[l] = n->layers[l].name;
    }
    leaf(m, &children[1 + n->n_layers], &cpu->download, 1);
    children[1 + n->n_layers].attrs = keep(m, &download);

    s->name = n->layers[0].name;
    put(&attrs, (xm_attr){.name = "children_topological_sort",
                          .type = XM_STRING_VEC,
                          .count = n->n_layers,
                          .value.string_vec = order});
    put(&attrs, xm_string("debug_mode", layer_code ? "function" : "null"));
    put(&attrs, xm_string("device", "DPU"));
    put(&attrs, xm_u64("dpu_fingerprint", n->arch->fingerprint));
    put(&attrs, xm_string("dpu_name", xm_format(m, "DPUCZDX8G_ISA1_%s", n->arch->name)));
    put(&attrs, xm_bool("if_prefetch", false));
    put(&attrs, xm_bytes(m, "mc_code", (xm_blob){n->code, n->code_bytes}));
    put(&attrs, xm_bytes(m, "mc_code_preload", (xm_blob){0}));
    put_registers(m, &attrs, n);
    put(&attrs, runner(m, "libvart-dpu-runner.so"));
    put_workload(&attrs, sum.ops, sum.on_arch);
    s->attrs = keep(m, &attrs);
}

static void emit_tree(net *n, const cpu_part *cpu, bool layer_code)
{
    xm_model *m = n->model;
    attr_list root = {0}, user = {0}, cpu_attrs = {0};
    work_sum sum = sum_work(n);
    xm_subgraph *parts = xm_add_children(m, m->root, 3);
    const char *cpu_ops[] = {cpu->fix2float, cpu->softmax};

    put(&root, xm_bool("fusion", true));
    put(&root, xm_bool("prefetch", true));
    put(&root, xm_bool("profile", false));
    put_workload(&root, sum.ops + cpu->workload_ops, sum.on_arch);
    m->root->attrs = keep(m, &root);

    put(&user, xm_string("device", "USER"));
    put_workload(&user, 0, 0);
    leaf(m, &parts[0], &n->ops[0].name, 1);
    parts[0].attrs = keep(m, &user);

    emit_dpu(n, &parts[1], cpu, layer_code);

    put(&cpu_attrs, xm_string("device", "CPU"));
    put(&cpu_attrs, runner(m, "libvart-cpu-runner.so"));
    put_workload(&cpu_attrs, cpu->workload_ops, 0);
    leaf(m, &parts[2], cpu_ops, cpu->softmax ? 2 : 1);
    parts[2].attrs = keep(m, &cpu_attrs);
}

static void emit_graph_attrs(net *n, const cpu_part *cpu)
{
    xm_model *m = n->model;
    static const xm_entry libraries[] = {
        {"xcompiler.3.5.0", {.string = "0000000000000000000000000000000000000000"}},
        {"xcompiler.3.5.0 : target-factory.3.5.0", {.string = "0000000000000000000000000000000000000000"}},
        {"xcompiler.3.5.0 : xir.3.5.0", {.string = "0000000000000000000000000000000000000000"}},
    };
    const char *last = cpu->softmax ? cpu->softmax : cpu->fix2float;
    attr_list attrs = {0};

    put(&attrs, xm_map(m, "libs_info", XM_MAP_STRING, libraries, sizeof libraries / sizeof *libraries));
    put(&attrs, xm_string("origin", n->origin));
    put(&attrs, xm_string_vec(m, "return_ops", &last, 1));
    m->attrs = keep(m, &attrs);
}

static void summarise(const net *n, xn_summary *summary)
{
    xn_layer_summary *layers = xm_alloc(n->model, n->n_layers, sizeof *layers);

    *summary = (xn_summary){.n_layers = n->n_layers,
                            .layers = layers,
                            .input_bytes = shape_bytes(n->ops[0].out),
                            .output_bytes = shape_bytes(n->ops[n->n_ops - 1].out),
                            .code_bytes = n->code_bytes};
    for (uint32_t l = 0; l < n->n_layers; l++) {
        const net_layer *layer = &n->layers[l];
        layers[l].name = layer->name;
        layers[l].load_bytes = layer->load_bytes;
        layers[l].save_bytes = layer->save_bytes;
        for (uint32_t i = layer->first_op; i < layer->first_op + layer->n_ops; i++) {
            xn_costs c = op_costs(n->arch, &n->ops[i]);
            add_costs(&layers[l].costs, &c);
            if (!n->ops[i].resident && n->ops[i].kind != OP_RESHAPE)
                summary->spilled_bytes += shape_bytes(n->ops[i].out);
        }
        add_costs(&summary->total, &layers[l].costs);
        summary->load_bytes += layer->load_bytes;
        summary->save_bytes += layer->save_bytes;
    }
}

static void quantise(net *n);

/* Takes the network apart; what is left is the model. */
static xm_model *compile(net *n, const xn_config *config, xn_summary *summary)
{
    bool layer_code = config && config->layer_code;

    if (config && config->quantised) {
        quantise(n);
        if (summary)
            *summary = (xn_summary){0};
        free(n->ops);
        free(n->layers);
        return n->model;
    }
    place(n);
    generate(n, layer_code);
    emit_image(n);
    for (uint32_t i = 0; i < n->n_ops; i++)
        emit_op(n, &n->ops[i]);
    cpu_part cpu = emit_cpu_part(n);
    emit_tree(n, &cpu, layer_code);
    emit_graph_attrs(n, &cpu);
    if (summary)
        summarise(n, summary);
    free(n->ops);
    free(n->layers);
    return n->model;
}

/* ---- MobileNetV1 1.0 224, as in TensorFlow-Slim ---- */

static const window point = {1, 1, 0, 0};

/* Padding SAME of a 3x3 window: with stride 2 on even sizes, TensorFlow pads only after. */
static window same3(uint32_t stride)
{
    return (window){3, stride, stride == 1, 1};
}

static net mobilenet_new(const char *graph_name, const xn_config *config)
{
    net n = net_new(graph_name, config, (shape){224, 224, 3}, "input");

    n.origin = "tensorflow";
    n.weights_suffix = "/weights";
    n.bias_suffix = "/biases";
    n.softmax = true;
    return n;
}

/* Pooling into the layer of the last convolution, and a convolution that is the fully connected layer. */
static void add_classifier(net *n, uint32_t at, const char *scope)
{
    xm_model *m = n->model;
    const char *name = xm_format(m, "%s/Conv2d_1c_1x1", scope);

    at = add_op(n, (net_op){.kind = OP_AVG_POOL,
                            .name = xm_format(m, "%s/AvgPool_1a", scope),
                            .input = at,
                            .window = {7, 1, 0, 0}});
    begin_layer(n, xm_format(m, "subgraph_%s", name));
    at = add_op(n, (net_op){.kind = OP_CONV, .name = name, .input = at, .window = point, .channels = 1001});
    add_op(n, (net_op){.kind = OP_RESHAPE, .name = xm_format(m, "%s/SpatialSqueeze", scope), .input = at});
}

xm_model *xn_mobilenet_v1(const xn_config *config, xn_summary *summary)
{
    static const struct {
        uint32_t stride, channels; /* of the depthwise and the pointwise convolution of a block */
    } blocks[13] = {{1, 64},  {2, 128}, {1, 128}, {2, 256}, {1, 256},  {2, 512}, {1, 512},
                    {1, 512}, {1, 512}, {1, 512}, {1, 512}, {2, 1024}, {1, 1024}};
    static const char base[] = "MobilenetV1/MobilenetV1/Conv2d_";
    net n = mobilenet_new("mobilenet_v1_1.0_224", config);
    xm_model *m = n.model;

    begin_layer(&n, xm_format(m, "subgraph_%s0", base));
    uint32_t at = add_op(&n, (net_op){.kind = OP_CONV,
                                      .name = xm_format(m, "%s0", base),
                                      .window = same3(2),
                                      .channels = 32,
                                      .relu = true});
    for (unsigned i = 0; i < 13; i++) {
        at = add_op(&n, (net_op){.kind = OP_DEPTHWISE,
                                 .name = xm_format(m, "%s%u_depthwise", base, i + 1),
                                 .input = at,
                                 .window = same3(blocks[i].stride),
                                 .relu = true});
        begin_layer(&n, xm_format(m, "subgraph_%s%u_pointwise", base, i + 1));
        at = add_op(&n, (net_op){.kind = OP_CONV,
                                 .name = xm_format(m, "%s%u_pointwise", base, i + 1),
                                 .input = at,
                                 .window = point,
                                 .channels = blocks[i].channels,
                                 .relu = true});
    }
    add_classifier(&n, at, "MobilenetV1/Logits");
    return compile(&n, config, summary);
}

/* ---- MobileNetV2 1.0 224, as in TensorFlow-Slim ---- */

typedef struct inverted_residual {
    uint32_t expansion, channels, stride;
} inverted_residual;

/* expand + depthwise, then project and, where shapes allow, add. */
static uint32_t add_inverted_residual(net *n, uint32_t input, unsigned number, inverted_residual block)
{
    xm_model *m = n->model;
    const char *base = xm_format(m, "MobilenetV2/expanded_conv_%u", number);
    uint32_t in_channels = n->ops[input].out.channels;

    begin_layer(n, xm_format(m, "subgraph_%s/expand", base));
    uint32_t at = add_op(n, (net_op){.kind = OP_CONV,
                                     .name = xm_format(m, "%s/expand", base),
                                     .input = input,
                                     .window = point,
                                     .channels = in_channels * block.expansion,
                                     .relu = true});
    at = add_op(n, (net_op){.kind = OP_DEPTHWISE,
                            .name = xm_format(m, "%s/depthwise", base),
                            .input = at,
                            .window = same3(block.stride),
                            .relu = true});
    begin_layer(n, xm_format(m, "subgraph_%s/project", base));
    at = add_op(n, (net_op){.kind = OP_CONV,
                            .name = xm_format(m, "%s/project", base),
                            .input = at,
                            .window = point,
                            .channels = block.channels});
    if (block.stride == 1 && in_channels == block.channels)
        at = add_op(
            n, (net_op){.kind = OP_ADD, .name = xm_format(m, "%s/add", base), .input = at, .operand = input});
    return at;
}

xm_model *xn_mobilenet_v2(const xn_config *config, xn_summary *summary)
{
    static const struct {
        unsigned repeats;
        inverted_residual block; /* the stride is that of the first */
    } stages[] = {{2, {6, 24, 2}}, {3, {6, 32, 2}},  {4, {6, 64, 2}},
                  {3, {6, 96, 1}}, {3, {6, 160, 2}}, {1, {6, 320, 1}}};
    net n = mobilenet_new("mobilenet_v2_1.0_224", config);
    unsigned number = 1;

    begin_layer(&n, "subgraph_MobilenetV2/Conv");
    uint32_t at = add_op(
        &n,
        (net_op){
            .kind = OP_CONV, .name = "MobilenetV2/Conv", .window = same3(2), .channels = 32, .relu = true});
    at = add_op(&n, (net_op){.kind = OP_DEPTHWISE,
                             .name = "MobilenetV2/expanded_conv/depthwise",
                             .input = at,
                             .window = same3(1),
                             .relu = true});
    begin_layer(&n, "subgraph_MobilenetV2/expanded_conv/project");
    at = add_op(&n, (net_op){.kind = OP_CONV,
                             .name = "MobilenetV2/expanded_conv/project",
                             .input = at,
                             .window = point,
                             .channels = 16});
    for (size_t s = 0; s < sizeof stages / sizeof *stages; s++) {
        inverted_residual block = stages[s].block;
        for (unsigned i = 0; i < stages[s].repeats; i++, block.stride = 1)
            at = add_inverted_residual(&n, at, number++, block);
    }
    begin_layer(&n, "subgraph_MobilenetV2/Conv_1");
    at = add_op(&n, (net_op){.kind = OP_CONV,
                             .name = "MobilenetV2/Conv_1",
                             .input = at,
                             .window = point,
                             .channels = 1280,
                             .relu = true});
    add_classifier(&n, at, "MobilenetV2/Logits");
    return compile(&n, config, summary);
}

/* ---- ResNet-50, the original of Caffe: the stride is in the first 1x1 convolution of a stage ---- */

/* A convolution that is a layer of its own. */
static uint32_t add_branch(net *n, const char *name, net_op op)
{
    begin_layer(n, xm_format(n->model, "subgraph_%s", name));
    op.kind = OP_CONV;
    op.name = name;
    return add_op(n, op);
}

typedef struct bottleneck {
    const char *name;                /* "2a" */
    const char *const *downsampling; /* names: ahead of the shortcut's convolution, and of the other */
    uint32_t width, stride;
    bool first; /* has a convolution on the shortcut */
} bottleneck;

static net_op pointwise(uint32_t input, uint32_t stride, uint32_t channels)
{
    return (net_op){.input = input, .window = {1, stride, 0, 0}, .channels = channels};
}

/* The convolutions that reduce the channels and look around. */
static uint32_t add_reduction(net *n, uint32_t input, const bottleneck *b)
{
    xm_model *m = n->model;
    net_op reduce = pointwise(input, b->stride, b->width);

    reduce.relu = true;
    uint32_t at = add_branch(n, xm_format(m, "res%s_branch2a", b->name), reduce);
    return add_branch(n, xm_format(m, "res%s_branch2b", b->name),
                      (net_op){.input = at, .window = {3, 1, 1, 1}, .channels = b->width, .relu = true});
}

/* The last convolution of a block, and the addition of what the others made. */
static uint32_t add_joined(net *n, const char *branch, uint32_t input, uint32_t operand, const bottleneck *b)
{
    xm_model *m = n->model;

    begin_layer(n, xm_format(m, "subgraph_res%s", b->name));
    net_op conv = pointwise(input, 1, 4 * b->width);
    conv.kind = OP_CONV;
    conv.name = xm_format(m, "res%s_%s", b->name, branch);
    uint32_t at = add_op(n, conv);
    return add_op(n, (net_op){.kind = OP_ADD,
                              .name = xm_format(m, "res%s", b->name),
                              .input = at,
                              .operand = operand,
                              .relu = true});
}

static uint32_t add_bottleneck(net *n, uint32_t input, const bottleneck *b)
{
    uint32_t shortcut = input;

    if (b->first)
        shortcut = add_branch(n, xm_format(n->model, "res%s_branch1", b->name),
                              pointwise(input, b->stride, 4 * b->width));
    return add_joined(n, "branch2c", add_reduction(n, input, b), shortcut, b);
}

static uint32_t add_downsampling(net *n, const char *name, uint32_t input, uint32_t stride)
{
    begin_layer(n, xm_format(n->model, "subgraph_%s", name));
    return add_op(n,
                  (net_op){.kind = OP_MAX_POOL, .name = name, .input = input, .window = {1, stride, 0, 0}});
}

/* As an older compiler cut it: strided convolutions read a map that was made small before, one each, and it
 * is the shortcut's convolution that an addition is fused with. */
static uint32_t add_older_bottleneck(net *n, uint32_t input, const bottleneck *b)
{
    bottleneck dense = *b;
    uint32_t shortcut = input;

    if (b->stride > 1) {
        shortcut = add_downsampling(n, b->downsampling[0], input, b->stride);
        input = add_downsampling(n, b->downsampling[1], input, b->stride);
        dense.stride = 1;
    }
    uint32_t at = add_reduction(n, input, &dense);
    if (!b->first)
        return add_joined(n, "branch2c", at, shortcut, b);
    at = add_branch(n, xm_format(n->model, "res%s_branch2c", b->name), pointwise(at, 1, 4 * b->width));
    return add_joined(n, "branch1", shortcut, at, b);
}

typedef struct resnet_cut {
    const char *graph_name, *classifier;
    uint32_t (*add_block)(net *n, uint32_t input, const bottleneck *b);
} resnet_cut;

static uint32_t add_stages(net *n, uint32_t at, const resnet_cut *cut)
{
    /* numbered as in the profile that tests/reference/test_zcu104.c reads */
    static const struct {
        unsigned repeats;
        const char *downsampling[2];
    } stages[] = {{3, {NULL, NULL}},
                  {4, {"fake_downsample_3", "fake_downsample_0"}},
                  {6, {"fake_downsample_5", "fake_downsample_1"}},
                  {3, {"fake_downsample_4", "fake_downsample_2"}}};

    for (unsigned s = 0; s < sizeof stages / sizeof *stages; s++)
        for (unsigned i = 0; i < stages[s].repeats; i++)
            at = cut->add_block(n, at,
                                &(bottleneck){.name = xm_format(n->model, "%u%c", s + 2, 'a' + (int)i),
                                              .downsampling = stages[s].downsampling,
                                              .width = 64u << s,
                                              .stride = s > 0 && i == 0 ? 2 : 1,
                                              .first = i == 0});
    return at;
}

static xm_model *resnet50(const resnet_cut *cut, const xn_config *config, xn_summary *summary)
{
    net n = net_new(cut->graph_name, config, (shape){224, 224, 3}, "data");
    xm_model *m = n.model;

    n.origin = "caffe";
    n.softmax = true;
    begin_layer(&n, "subgraph_conv1");
    uint32_t at = add_op(
        &n, (net_op){.kind = OP_CONV, .name = "conv1", .window = {7, 2, 3, 3}, .channels = 64, .relu = true});
    /* Caffe rounds up: 112 becomes 56, as with one more row and column */
    at = add_op(&n, (net_op){.kind = OP_MAX_POOL, .name = "pool1", .input = at, .window = {3, 2, 0, 1}});
    at = add_stages(&n, at, cut);
    begin_layer(&n, "subgraph_pool5");
    at = add_op(&n, (net_op){.kind = OP_AVG_POOL, .name = "pool5", .input = at, .window = {7, 1, 0, 0}});
    at = add_branch(&n, cut->classifier, pointwise(at, 1, 1000));
    add_op(&n,
           (net_op){.kind = OP_RESHAPE, .name = xm_format(m, "%s_reshaped", cut->classifier), .input = at});
    return compile(&n, config, summary);
}

xm_model *xn_resnet50(const xn_config *config, xn_summary *summary)
{
    return resnet50(&(resnet_cut){"resnet50", "fc1000", add_bottleneck}, config, summary);
}

xm_model *xn_resnet50_downsampled(const xn_config *config, xn_summary *summary)
{
    return resnet50(&(resnet_cut){"resnet50ds", "fc1000_bias", add_older_bottleneck}, config, summary);
}

/* ---- small and large ones for tests ---- */

xm_model *xn_chain(const xn_config *config, xn_summary *summary)
{
    size_t n_layers = config && config->n_layers ? config->n_layers : 10;
    net n = net_new("chain", config, (shape){14, 14, 64}, "input");
    uint32_t at = 0;

    for (size_t i = 0; i < n_layers; i++)
        at = add_branch(&n, xm_format(n.model, "conv%zu", i),
                        (net_op){.input = at, .window = point, .channels = 64, .relu = true});
    return compile(&n, config, summary);
}

xm_model *xn_tiny(const xn_config *config, xn_summary *summary)
{
    net n = net_new("tiny", config, (shape){16, 16, 3}, "input");

    n.softmax = true;
    begin_layer(&n, "subgraph_conv0");
    uint32_t at = add_op(
        &n, (net_op){.kind = OP_CONV, .name = "conv0", .window = {3, 1, 1, 1}, .channels = 16, .relu = true});
    uint32_t pooled =
        add_op(&n, (net_op){.kind = OP_MAX_POOL, .name = "pool0", .input = at, .window = {2, 2, 0, 0}});
    begin_layer(&n, "subgraph_conv1");
    at = add_op(&n,
                (net_op){.kind = OP_CONV, .name = "conv1", .input = pooled, .window = point, .channels = 16});
    at = add_op(&n, (net_op){.kind = OP_ADD, .name = "add1", .input = at, .operand = pooled, .relu = true});
    begin_layer(&n, "subgraph_fc");
    at = add_op(&n,
                (net_op){.kind = OP_CONV, .name = "fc", .input = at, .window = {8, 1, 0, 0}, .channels = 10});
    begin_layer(&n, "subgraph_fc_reshaped");
    add_op(&n, (net_op){.kind = OP_RESHAPE, .name = "fc_reshaped", .input = at});
    return compile(&n, config, summary);
}

/* ---- a file that is quantised and not compiled: float types, ops "fix" between them, no subgraphs ---- */

typedef struct quantised_op {
    const char *type, *name;
    const char *inputs[2]; /* names without "_fix" */
    window window;
    uint32_t dims[4];
    uint32_t in_channels; /* of ops with weights */
    size_t n_dims;
    bool has_no_data;  /* lengths alone are there of its weights */
    uint32_t channels; /* that a reshape makes; 0: it is none */
} quantised_op;

static void add_quantised(xm_model *m, const char *type, const char *name, const attr_list *attrs,
                          const xm_arg *args, size_t n_args, const uint32_t *dims, size_t n_dims)
{
    xm_op op = {.name = name, .type = type, .attrs = keep(m, attrs), .n_args = n_args};

    op.args = xm_copy(m, args, n_args, sizeof *args);
    op.output = float_tensor(m, name, dims, n_dims);
    xm_add_op(m, &op);
}

static void add_fix(xm_model *m, const char *of, const uint32_t *dims, size_t n_dims)
{
    attr_list attrs = {0};
    xm_arg arg = one_arg(m, "input", of);

    put_quantisation(&attrs, 5);
    add_quantised(m, "fix", xm_format(m, "%s_fix", of), &attrs, &arg, 1, dims, n_dims);
}

static void add_quantised_const(xm_model *m, const char *name, const uint32_t *dims, size_t n_dims,
                                bool has_data)
{
    attr_list attrs = {0};
    int32_t shape_values[4];
    uint64_t n_elements = 1;

    for (size_t i = 0; i < n_dims; i++) {
        shape_values[i] = (int32_t)dims[i];
        n_elements *= dims[i];
    }
    put(&attrs, xm_bytes(m, "data", (xm_blob){.size_bytes = has_data ? 4 * n_elements : 0}));
    put(&attrs, xm_string("data_type", "float32"));
    put(&attrs, xm_i32_vec(m, "shape", shape_values, n_dims));
    add_quantised(m, "const", name, &attrs, NULL, 0, dims, n_dims);
    add_fix(m, name, dims, n_dims);
}

static void put_window(xm_model *m, attr_list *attrs, const window *w)
{
    put(attrs, pair(m, "kernel", w->kernel));
    put(attrs, pad(m, w));
    put(attrs, xm_string("pad_mode", "FLOOR"));
    put(attrs, pair(m, "stride", w->stride));
}

static size_t add_quantised_weights(xm_model *m, const quantised_op *q, attr_list *attrs, xm_arg *args)
{
    bool depthwise = strcmp(q->type, "depthwise-conv2d") == 0;
    uint32_t k = q->window.kernel, channels = q->dims[3];
    const uint32_t dims[] = {depthwise ? 1 : channels, k, k, depthwise ? channels : q->in_channels};

    add_quantised_const(m, xm_format(m, "%s_weight", q->name), dims, 4, !q->has_no_data);
    add_quantised_const(m, xm_format(m, "%s_bias", q->name), &channels, 1, !q->has_no_data);
    put(attrs, xm_bool("bias_term", true));
    put(attrs, pair(m, "dilation", 1));
    put(attrs, xm_i32("group", depthwise ? (int32_t)channels : 1));
    put(attrs, xm_i32("in_dim", (int32_t)q->in_channels));
    put(attrs, xm_i32("out_dim", (int32_t)channels));
    args[0] = one_arg(m, "weights", xm_format(m, "%s_weight_fix", q->name));
    args[1] = one_arg(m, "bias", xm_format(m, "%s_bias_fix", q->name));
    return 2;
}

static void add_quantised_op(xm_model *m, const quantised_op *q)
{
    attr_list attrs = {0};
    const char *producers[2];
    size_t n_producers = 0, n_args = 1;
    xm_arg args[3];

    for (; n_producers < 2 && q->inputs[n_producers]; n_producers++)
        producers[n_producers] = xm_format(m, "%s_fix", q->inputs[n_producers]);
    args[0] = (xm_arg){"input", xm_copy(m, producers, n_producers, sizeof *producers), n_producers};
    if (q->in_channels)
        n_args += add_quantised_weights(m, q, &attrs, &args[1]);
    if (q->window.kernel)
        put_window(m, &attrs, &q->window);
    if (strcmp(q->type, "maxpool2d") == 0 || strcmp(q->type, "avgpool2d") == 0)
        put(&attrs, xm_bool("global", false));
    if (strcmp(q->type, "softmax") == 0)
        put(&attrs, xm_i32("axis", -1));
    if (q->channels)
        put(&attrs, xm_i32_vec(m, "shape", (const int32_t[]){1, (int32_t)q->channels}, 2));
    add_quantised(m, q->type, q->name, &attrs, args, n_args, q->dims, q->n_dims);
    add_fix(m, q->name, q->dims, q->n_dims);
}

static void add_quantised_image(xm_model *m, const char *name, const uint32_t dims[4])
{
    attr_list image = {0};
    int32_t values[4];

    for (size_t i = 0; i < 4; i++)
        values[i] = (int32_t)dims[i];
    put(&image, xm_string("data_type", "FLOAT32"));
    put(&image, xm_i32_vec(m, "shape", values, 4));
    add_quantised(m, "data", name, &image, NULL, 0, dims, 4);
    add_fix(m, name, dims, 4);
}

/* All operators are of the root, which no tool has cut yet. */
static void finish_quantised(xm_model *m, const char *origin)
{
    attr_list attrs = {0};
    const char **names = xm_alloc(m, m->n_ops, sizeof *names);

    for (size_t i = 0; i < m->n_ops; i++)
        names[i] = m->ops[i].name;
    m->root->op_names = names;
    m->root->n_op_names = m->n_ops;
    put(&attrs, xm_string("origin", origin));
    m->attrs = keep(m, &attrs);
}

/* The same network before it is compiled: an activation is an operator of its own, which others read. */
static void quantise(net *n)
{
    static const char *const types[] = {
        [OP_CONV] = "conv2d",
        [OP_DEPTHWISE] = "depthwise-conv2d",
        [OP_MAX_POOL] = "maxpool2d",
        [OP_AVG_POOL] = "avgpool2d",
        [OP_ADD] = "add",
        [OP_RESHAPE] = "reshape",
    };
    xm_model *m = n->model;
    const char **made = xm_alloc(m, n->n_ops, sizeof *made); /* the name of what each hands on */
    uint32_t dims[4];

    (void)op_dims(&n->ops[0], dims);
    add_quantised_image(m, n->ops[0].name, dims);
    made[0] = n->ops[0].name;
    for (uint32_t i = 1; i < n->n_ops; i++) {
        const net_op *op = &n->ops[i];
        quantised_op q = {.type = types[op->kind],
                          .name = op->name,
                          .inputs = {made[op->input], op->kind == OP_ADD ? made[op->operand] : NULL},
                          .window = op->window,
                          .in_channels = traits[op->kind].has_weights ? op->in.channels : 0,
                          .has_no_data = true};
        q.n_dims = op_dims(op, q.dims);
        q.channels = op->kind == OP_RESHAPE ? op->out.channels : 0;
        add_quantised_op(m, &q);
        made[i] = op->name;
        if (!op->relu)
            continue;
        q = (quantised_op){.type = "relu", .name = xm_format(m, "%s_relu", op->name), .inputs = {op->name}};
        q.n_dims = op_dims(op, q.dims);
        add_quantised_op(m, &q);
        made[i] = q.name;
    }
    if (n->softmax) {
        quantised_op q = {.type = "softmax",
                          .name = xm_format(m, "%s_softmax", n->ops[n->n_ops - 1].name),
                          .inputs = {made[n->n_ops - 1]}};
        q.n_dims = op_dims(&n->ops[n->n_ops - 1], q.dims);
        add_quantised_op(m, &q);
    }
    finish_quantised(m, n->origin);
}

xm_model *xn_quantised(const xn_config *config, xn_summary *summary)
{
    static const quantised_op ops[] = {
        {"conv2d", "conv0", {"input"}, {3, 1, 1, 1}, {1, 16, 16, 16}, 3, 4, false, 0},
        {"relu", "relu0", {"conv0"}, {0}, {1, 16, 16, 16}, 0, 4, false, 0},
        {"maxpool2d", "pool0", {"relu0"}, {2, 2, 0, 0}, {1, 8, 8, 16}, 0, 4, false, 0},
        {"depthwise-conv2d", "dw1", {"pool0"}, {3, 1, 1, 1}, {1, 8, 8, 16}, 16, 4, false, 0},
        {"conv2d", "conv1", {"dw1"}, {1, 1, 0, 0}, {1, 8, 8, 16}, 16, 4, false, 0},
        {"add", "add1", {"conv1", "pool0"}, {0}, {1, 8, 8, 16}, 0, 4, false, 0},
        {"conv2d", "fc", {"add1"}, {8, 1, 0, 0}, {1, 1, 1, 10}, 16, 4, false, 0},
    };
    static const uint32_t image_dims[] = {1, 16, 16, 3};
    xm_model *m = xm_model_new("tiny_quantised");

    (void)config;
    if (summary)
        *summary = (xn_summary){0};
    add_quantised_image(m, "input", image_dims);
    for (size_t i = 0; i < sizeof ops / sizeof *ops; i++)
        add_quantised_op(m, &ops[i]);
    finish_quantised(m, "pytorch");
    return m;
}

/* ---- a file for the DPU for recurrent networks: one op, no device, everything in attributes ---- */

xm_model *xn_rnn(const xn_config *config, xn_summary *summary)
{
    static const uint8_t instructions[64];
    static const uint32_t dims[] = {INT32_MAX};
    static const char op_name[] = "dummy_data";
    xm_model *m = xm_model_new("rnn");
    attr_list data = {0}, root = {0}, cell = {0};
    const xm_entry run = {"run", {.string = "libvart-rnn-runner.so"}};
    const char *names[] = {op_name};

    (void)config;
    if (summary)
        *summary = (xn_summary){0};
    put(&data, xm_string("data_type", "FLOAT32"));
    put(&data, xm_i32_vec(m, "shape", (const int32_t[]){INT32_MAX}, 1));
    add_quantised(m, "data", op_name, &data, NULL, 0, dims, 1);

    put(&root, xm_i32("batch", 3));
    put(&root, xm_i32("cell_size", 1));
    put(&root, xm_bytes(m, "end_bin_instr", (xm_blob){instructions, sizeof instructions}));
    put(&root, xm_i32("input_float2fix", 13));
    put(&root, xm_string("model_type", "lstm"));
    put(&root, xm_i32("output_fix2float", 15));
    put(&root, xm_map(m, "runner", XM_MAP_STRING, &run, 1));
    put(&root, xm_string("target", "U50"));
    put(&root, xm_bytes(m, "weights", (xm_blob){.size_bytes = 4096}));
    m->root->attrs = keep(m, &root);

    put(&cell, xm_bytes(m, "init_bin_instr", (xm_blob){instructions, sizeof instructions}));
    put(&cell, xm_bytes(m, "loop_bin_instr", (xm_blob){instructions, sizeof instructions}));
    xm_subgraph *child = xm_add_children(m, m->root, 1);
    leaf(m, child, names, 1);
    child->attrs = keep(m, &cell);
    return m;
}

static const xn_network networks[] = {
    {"mobilenetv1", "MobileNetV1 1.0 224 of TensorFlow-Slim, 1001 classes, 15 layers", xn_mobilenet_v1},
    {"mobilenetv2", "MobileNetV2 1.0 224 of TensorFlow-Slim, 1001 classes, 36 layers", xn_mobilenet_v2},
    {"resnet50", "ResNet-50 v1 of Caffe (stride in the 1x1), 1000 classes, 55 layers", xn_resnet50},
    {"resnet50ds",
     "ResNet-50 as an older compiler cut it: 61 superlayers, six of them downsampling ahead of "
     "strided 1x1 convolutions",
     xn_resnet50_downsampled},
    {"chain", "--layers N convolutions 1x1x64->64 on 14x14, for scaling", xn_chain},
    {"tiny", "three layers and a reshape without code, for fuzzing", xn_tiny},
    {"quantised", "a small network that is quantised and not compiled", xn_quantised},
    {"rnn", "a file for the DPU for recurrent networks: no DPU subgraph", xn_rnn},
};

const xn_network *xn_networks(size_t *count)
{
    *count = sizeof networks / sizeof *networks;
    return networks;
}

const xn_network *xn_find_network(const char *name)
{
    for (size_t i = 0; i < sizeof networks / sizeof *networks; i++)
        if (strcmp(networks[i].name, name) == 0)
            return &networks[i];
    return NULL;
}
