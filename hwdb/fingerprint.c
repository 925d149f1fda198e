#include "hwdb/hwdb.h"
#include "roofline/fingerprint.h"

#include <ctype.h>
#include <limits.h>

/* Reads a field and marks its bits as explained. */
static uint32_t take(roof_dpu_config *c, unsigned low, unsigned width)
{
    const uint64_t mask = ((UINT64_C(1) << width) - 1) << low;
    c->unexplained_bits &= ~mask;
    return (uint32_t)((c->feature_code & mask) >> low);
}

static roof_status fail_size(const roof_dpu_config *c, uint32_t index, roof_error *err)
{
    return error_data(err, "fingerprint 0x%016" PRIx64 ": %s has no size number %u", c->fingerprint, c->name,
                      index);
}

/* --- layouts -------------------------------------------------------------------------------------------- */

/* Source: create_target_DPUCZDX8G_ISA1.cpp: PP_MAP, ICP_MAP, OCP_MAP (the last two are equal). */
static const struct {
    uint8_t pixels, channels;
} czdx8g_sizes[] = {{4, 8},  {4, 10}, {8, 8}, {4, 12}, {8, 10}, {8, 12},
                    {8, 14}, {8, 16}, {4, 4}, {2, 6},  {2, 8},  {2, 4}};

/* Depths of image banks. Source: create_target_DPUCVDX8G_ISA2.cpp and _ISA3.cpp: IMG_RD_MAP, powers of two.
 */
static const uint8_t cvdx8g_depth_log2[] = {13, 13, 12, 13, 12, 14, 14};

enum { CZDX8G_BANK_DEPTH = 2048, CVDX8G_PIXELS = 8, CVDX8G_INPUT_CHANNELS = 16 };

static void take_image_banks(roof_dpu_config *c, uint64_t depth)
{
    c->image_groups = take(c, 24, 2);
    c->image_bytes = (uint64_t)c->image_groups * c->pixel_parallel * c->input_channel_parallel * depth;
    c->convw_bank_base = c->image_groups * c->pixel_parallel;
    c->channel_augmentation = take(c, 26, 1) * 2 * c->input_channel_parallel;
}

/* Instruction set 0: separate engines. Source: create_target_v2.cpp. Bits 29..31, 36 and 37 only add
 * functions (ReLU6, average pooling, multiplication, maximum over channels) and change no speed. */
static void take_separate_engines(roof_dpu_config *c)
{
    c->pool_pixel_parallel = take(c, 8, 4);
    c->dwconv_pixel_parallel = take(c, 12, 4);
    c->eltwise_pixel_parallel = take(c, 16, 4);
    c->alu_pixel_parallel = 0;
    take(c, 29, 3);
    take(c, 36, 2);
}

static roof_status decode_czdx8g(roof_dpu_config *c, roof_error *err)
{
    const uint32_t index = take(c, 0, 4);
    if (index >= N_OF(czdx8g_sizes))
        return fail_size(c, index, err);
    c->pixel_parallel = czdx8g_sizes[index].pixels;
    c->input_channel_parallel = c->output_channel_parallel = czdx8g_sizes[index].channels;
    c->side_channel_parallel = c->input_channel_parallel;
    c->batch = 1;
    take_image_banks(c, CZDX8G_BANK_DEPTH);
    take(c, 28, 1); /* the convolution can apply leaky ReLU */
    if (c->isa == 0) {
        take_separate_engines(c);
    } else {
        c->alu_pixel_parallel = c->eltwise_pixel_parallel = take(c, 8, 4);
        c->dwconv_pixel_parallel = c->pool_pixel_parallel = 0;
        take(c, 29, 2); /* leaky ReLU of the ALU, argmax while saving */
        take(c, 32, 4); /* how many pixels of a row the array takes: bounds stride_out_h only */
    }
    snprintf(c->size, sizeof c->size, "B%u",
             c->pixel_parallel * c->input_channel_parallel * c->output_channel_parallel * 2);
    return ROOF_OK;
}

static uint64_t cvdx8g_depth(uint32_t index)
{
    return index < N_OF(cvdx8g_depth_log2) ? UINT64_C(1) << cvdx8g_depth_log2[index] : 0;
}

/* Bits 8..19 and 32..35. Instruction set 3 has one number for ALU and element-wise; 1 and 2 have a mode
 * before it; 0 has separate engines, unless bit 40 says that there is an ALU (derived from
 * DPUCVDX8G_ISA0_B8192C32B3_ALU.prototxt). */
static uint64_t take_cvdx8g_engines(roof_dpu_config *c)
{
    if (c->isa >= 3) {
        c->alu_pixel_parallel = c->eltwise_pixel_parallel = take(c, 8, 4);
        c->dwconv_pixel_parallel = c->pool_pixel_parallel = 0;
        take(c, 30, 1); /* argmax while saving */
        take(c, 32, 4); /* how many pixels of a row the arrays take: bounds stride_out_h only */
        return cvdx8g_depth(take(c, 12, 4));
    }
    take_separate_engines(c);
    if (c->isa > 0 || take(c, 40, 1)) {
        c->alu_pixel_parallel = c->dwconv_pixel_parallel;
        c->dwconv_pixel_parallel = c->pool_pixel_parallel = 0;
    }
    return cvdx8g_depth(take(c, 32, 4));
}

static roof_status decode_cvdx8g(roof_dpu_config *c, roof_error *err)
{
    static const uint8_t output_channels[] = {16, 32, 64}; /* as many as AI Engines per batch lane */
    const uint32_t index = take(c, 0, 4);
    if (index >= N_OF(output_channels))
        return fail_size(c, index, err);
    c->pixel_parallel = CVDX8G_PIXELS;
    c->input_channel_parallel = c->side_channel_parallel = CVDX8G_INPUT_CHANNELS;
    c->output_channel_parallel = c->aie_cores = output_channels[index];
    c->batch = take(c, 4, 4);
    const uint64_t depth = take_cvdx8g_engines(c);
    take_image_banks(c, depth);
    if (depth == 0)
        c->image_bytes = ROOF_UNKNOWN;
    take(c, 28, 2); /* activations: they change no speed */
    snprintf(c->size, sizeof c->size, "C%uB%u", c->aie_cores, c->batch);
    return ROOF_OK;
}

/* Source: create_target_DPUCV2DX8G_ISA0.cpp and _ISA1.cpp: PP_MAP, ICP_MAP, OCP_MAP, AIE_CORE_N, ALU_PP. */
static roof_status decode_cv2dx8g(roof_dpu_config *c, roof_error *err)
{
    static const struct {
        uint8_t pixels, inputs, outputs;
    } sizes[] = {{1, 16, 16}, {1, 16, 32}, {1, 32, 32}, {2, 32, 32}, {4, 32, 32}};
    enum { BANK_DEPTH = 65528, WEIGHT_BANK = 1 };
    const uint32_t index = take(c, 0, 4), alu_cores = take(c, 4, 4);
    if (index >= N_OF(sizes))
        return fail_size(c, index, err);
    c->pixel_parallel = sizes[index].pixels;
    c->input_channel_parallel = c->side_channel_parallel = sizes[index].inputs;
    c->output_channel_parallel = sizes[index].outputs;
    c->aie_cores = (1u << index) + alu_cores;
    c->alu_pixel_parallel = alu_cores / 2;
    c->eltwise_pixel_parallel = c->alu_pixel_parallel; /* the ALU does element-wise work, too */
    c->dwconv_pixel_parallel = c->pool_pixel_parallel = 0;
    c->batch = take(c, 8, 8);
    c->image_groups = 1;
    c->image_bytes = (uint64_t)c->input_channel_parallel * BANK_DEPTH;
    c->convw_bank_base = WEIGHT_BANK;
    c->channel_augmentation = take(c, 26, 1) * 2 * c->input_channel_parallel;
    take(c, 30, 1); /* argmax while saving */
    snprintf(c->size, sizeof c->size, "C%uB%u", c->aie_cores, c->batch);
    return ROOF_OK;
}

/* Families whose feature codes follow no published rule: the target files that are public, one row each. */
typedef struct known_code {
    uint64_t fingerprint;
    const char *size;
    uint8_t pixels, inputs, outputs, depthwise, pooling, eltwise, side_channels, augmentation, groups,
        weight_bank, batch;
    uint32_t image_bytes;
} known_code;

static const known_code known_codes[] = {
    {UINT64_C(0x020200000010002a), "", 8, 16, 16, 0, 1, 1, 16, 32, 2, 16, 0, 2097152},
    {UINT64_C(0x020200000010002b), "DWC", 8, 16, 16, 2, 1, 1, 16, 32, 2, 16, 0, 2097152},
    {UINT64_C(0x020200000000002e), "ELP2", 8, 16, 16, 0, 1, 2, 16, 32, 2, 16, 0, 2097152},
    {UINT64_C(0x020200000000002a), "", 8, 16, 16, 0, 1, 1, 16, 32, 2, 16, 0, 2097152},
    {UINT64_C(0x030000000000001d), "", 4, 32, 64, 4, 2, 1, 32, 32, 4, 20, 1, 0},
    {UINT64_C(0x030000000000101d), "SP", 4, 32, 64, 4, 2, 1, 32, 32, 4, 20, 1, 0},
    {UINT64_C(0x0501000000140fee), "8PE", 8, 64, 128, 0, 2, 2, 64, 64, 2, 16, 8, 2097152},
    {UINT64_C(0x05010000001e082f), "4PE", 8, 64, 128, 8, 2, 2, 64, 64, 2, 16, 4, 2097152},
    {UINT64_C(0x0501000000160c2f), "6PE-DWC", 8, 64, 128, 8, 2, 2, 64, 64, 2, 16, 6, 2097152},
    {UINT64_C(0x05010000001e082e), "6PE-MISC", 8, 64, 128, 0, 2, 2, 64, 64, 2, 16, 6, 2097152},
    {UINT64_C(0x0700000000000000), "", 8, 16, 16, 4, 2, 2, 16, 16, 3, 24, 4, 3145728},
};

static roof_status decode_by_list(roof_dpu_config *c, roof_error *err)
{
    (void)err;
    FOR_EACH(const known_code, k, known_codes, N_OF(known_codes)) {
        if (k->fingerprint != c->fingerprint)
            continue;
        snprintf(c->size, sizeof c->size, "%s", k->size);
        c->pixel_parallel = k->pixels;
        c->input_channel_parallel = k->inputs;
        c->output_channel_parallel = k->outputs;
        c->dwconv_pixel_parallel = k->depthwise;
        c->pool_pixel_parallel = k->pooling;
        c->eltwise_pixel_parallel = k->eltwise;
        c->side_channel_parallel = k->side_channels;
        c->channel_augmentation = k->augmentation;
        c->image_groups = k->groups;
        c->image_bytes = k->image_bytes ? k->image_bytes : ROOF_UNKNOWN;
        c->convw_bank_base = k->weight_bank;
        c->batch = k->batch ? k->batch : ROOF_NONE;
        c->alu_pixel_parallel = 0;
        c->unexplained_bits = 0;
    }
    return ROOF_OK;
}

/* --- families ------------------------------------------------------------------------------------------- */

/* Source of the codes: target_factory.cpp, type2int. */
typedef struct dpu_family {
    uint32_t code;
    const char *family, *name;
    roof_status (*decode)(roof_dpu_config *, roof_error *);
    uint64_t mask; /* the bits that choose an entry */
} dpu_family;

static const dpu_family families[] = {
    {1, "dpuczdx8g", "DPUCZDX8G", decode_czdx8g, UINT64_C(0xffff00000000000f)},
    {2, "dpucahx8h", "DPUCAHX8H", decode_by_list, UINT64_C(0xff00000000000000)},
    {3, "dpucahx8l", "DPUCAHX8L", decode_by_list, UINT64_C(0xff00000000000000)},
    {4, "dpuczdi4g", "DPUCZDI4G", decode_by_list, UINT64_MAX},
    {5, "dpucvdx8h", "DPUCVDX8H", decode_by_list, UINT64_MAX},
    {6, "dpucvdx8g", "DPUCVDX8G", decode_cvdx8g, UINT64_C(0xff000000000000ff)},
    {7, "dpucadf8h", "DPUCADF8H", decode_by_list, UINT64_C(0xff00000000000000)},
    {8, "aie", "IPU_PHX", decode_by_list, 0xff00000000000000u},
    {9, "dpucv2dx8g", "DPUCV2DX8G", decode_cv2dx8g, UINT64_C(0xff0000000000ffff)},
};

static const dpu_family *find_family(uint64_t fingerprint)
{
    FOR_EACH(const dpu_family, family, families, N_OF(families))
        if (family->code == fingerprint >> 56)
            return family;
    return NULL;
}

uint64_t hwdb_fingerprint_mask(uint64_t fingerprint)
{
    const dpu_family *family = find_family(fingerprint);
    return family ? family->mask : UINT64_MAX;
}

/* --- text ----------------------------------------------------------------------------------------------- */

ROOF_PRINTF(2, 3)
static void append(roof_dpu_config *c, const char *format, ...)
{
    const size_t used = strlen(c->text);
    va_list args;
    va_start(args, format);
    print_list(c->text + used, sizeof c->text - used, format, args);
    va_end(args);
}

static void append_engine(roof_dpu_config *c, const char *name, uint32_t pixels)
{
    if (pixels != ROOF_NONE && pixels > 0)
        append(c, ", %s %u x %u", name, pixels, c->side_channel_parallel);
}

static void describe(roof_dpu_config *c)
{
    if (!*c->family) {
        append(c, "unknown family 0x%02x, feature code 0x%" PRIx64, c->family_code, c->feature_code);
        return;
    }
    append(c, "%s%s%s, instruction set %u", c->name, *c->size ? " " : "", c->size, c->isa);
    if (c->pixel_parallel == ROOF_NONE) {
        append(c, ", feature code 0x%" PRIx64 " not decoded", c->feature_code);
        return;
    }
    append(c, ": convolution %u x %u x %u", c->pixel_parallel, c->input_channel_parallel,
           c->output_channel_parallel);
    append_engine(c, "ALU", c->alu_pixel_parallel);
    append_engine(c, "depthwise", c->dwconv_pixel_parallel);
    append_engine(c, "pooling", c->pool_pixel_parallel);
    append_engine(c, "element-wise", c->eltwise_pixel_parallel);
    if (c->channel_augmentation)
        append(c, ", channel augmentation %u", c->channel_augmentation);
    append(c, ", %u image bank group%s", c->image_groups, c->image_groups == 1 ? "" : "s");
    if (c->batch != ROOF_NONE && c->batch != 1)
        append(c, ", batch %u", c->batch);
}

roof_status roof_fingerprint_decode(uint64_t fingerprint, roof_dpu_config *out, roof_error *err)
{
    const dpu_family *family = find_family(fingerprint);
    roof_dpu_config c;
    memset(&c, UCHAR_MAX, sizeof c); /* ROOF_UNKNOWN, ROOF_NONE */
    c.fingerprint = fingerprint;
    c.family_code = (uint32_t)(fingerprint >> 56);
    c.isa = (uint32_t)(fingerprint >> 48) & 0xff;
    c.unexplained_bits = c.feature_code = fingerprint & UINT64_C(0xffffffffffff);
    c.family = family ? family->family : "";
    c.name = family ? family->name : "";
    c.size[0] = c.text[0] = '\0';
    if (family)
        TRY(family->decode(&c, err));
    describe(&c);
    *out = c;
    return ROOF_OK;
}

/* One part of "DPUCZDX8G_ISA1_B4096_0101000016010407"; parts that are none of these say nothing. */
static bool token_contradicts(text_span token, const roof_dpu_config *c)
{
    char fingerprint[17];
    const char *text = token.text; /* ends with a NUL somewhere behind */
    const size_t length = token.length;
    snprintf(fingerprint, sizeof fingerprint, "%016" PRIX64, c->fingerprint);
    if (length > 4 && span_begins(token, "DPUC"))
        return !span_is(token, c->name);
    if (length > 3 && span_begins(token, "ISA") && strspn(text + 3, "0123456789") >= length - 3)
        return strtoul(text + 3, NULL, 10) != c->isa;
    if (length == 16 && strspn(text, "0123456789ABCDEF") >= length)
        return !span_is(token, fingerprint);
    /* "B4096" or "C32B6": sizes as names of targets and fingerprints write them */
    return c->size[0] && length > 1 && strchr("BC", *text) && isdigit((unsigned char)text[1]) &&
           strspn(text, "BC0123456789") >= length && !span_is(token, c->size);
}

bool roof_fingerprint_contradicts(const roof_dpu_config *c, const char *name)
{
    for (text_span rest = span_of(name); rest.length;)
        if (token_contradicts(span_take_until(&rest, "_"), c))
            return true;
    return false;
}
