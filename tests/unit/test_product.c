/* Matrix products that somebody names, or that a file's name tells: what they are, and what is no product. */
#include "model/work/product.h"
#include "tests/unit/fixture.h"

static void check_product(const char *name, const roof_product *got, const roof_product *want)
{
    bool same = got->m == want->m && got->k == want->k && got->n == want->n && got->tile_m == want->tile_m &&
                got->tile_k == want->tile_k && got->tile_n == want->tile_n;
    const char *const got_types[] = {got->types[0], got->types[1], got->types[2], got->cast};
    const char *const want_types[] = {want->types[0], want->types[1], want->types[2], want->cast};
    for (int i = 0; i < 4; i++)
        same = same && !got_types[i] == !want_types[i] &&
               (!got_types[i] || strcmp(got_types[i], want_types[i]) == 0);
    if (!same)
        fail_msg("%s: %ux%ux%u, tile %ux%ux%u, %s %s %s", name, got->m, got->k, got->n, got->tile_m,
                 got->tile_k, got->tile_n, got->types[0], got->types[1], got->types[2]);
}

static void what_is_asked_for_is_understood(void **state)
{
    static const struct {
        const char *text;
        roof_product want;
    } rows[] = {
        {"2048x1024x512:int8->int32:64x128x64",
         {2048, 1024, 512, {"int8", "int8", "int32"}, NULL, 64, 128, 64}},
        {"1x2048x8192:bf16", {1, 2048, 8192, {"bf16", "bf16", "bf16"}, NULL, 0, 0, 0}},
        {"64x64x64:i16xi8", {64, 64, 64, {"int16", "int8", "int16"}, NULL, 0, 0, 0}},
        {"64x64x64:bf16xint4->f32->bf16", {64, 64, 64, {"bf16", "int4", "fp32"}, "bf16", 0, 0, 0}},
    };
    (void)state;
    for (size_t i = 0; i < COUNT(rows); i++) {
        roof_product got;
        roof_error err = {0};
        if (roof_product_parse(rows[i].text, &got, &err) != ROOF_OK)
            fail_msg("%s: %s", rows[i].text, err.what);
        check_product(rows[i].text, &got, &rows[i].want);
    }
}

static void what_is_no_product_is_refused(void **state)
{
    static const char *const rows[] = {"",
                                       "2048",
                                       "2048x1024",
                                       "2048x1024x512",
                                       "0x1x1:bf16",
                                       "1x1x99999999:bf16",
                                       "1x1x1x1:bf16",
                                       "8x8x8:bf17",
                                       "8x8x8:bf16x",
                                       "8x8x8:bf16->",
                                       "8x8x8:bf16->fp32->fp33",
                                       "8x8x8:bf16:4x4",
                                       "8x8x8:bf16:4x4x4:1",
                                       "-8x8x8:bf16",
                                       "8 x8x8:bf16"};
    (void)state;
    for (size_t i = 0; i < COUNT(rows); i++) {
        roof_product got;
        roof_error err;
        if (roof_product_parse(rows[i], &got, &err) != ROOF_E_USAGE)
            fail_msg("'%s' is taken for a product", rows[i]);
    }
}

static void names_of_operators_tell_their_product(void **state)
{
    static const struct {
        const char *stem;
        roof_product want; /* m 0: none */
    } rows[] = {
        {"sc_insts_256x256x256_64x64x32", {256, 256, 256, {0}, NULL, 64, 64, 32}},
        {"insts_288x288x1", {288, 288, 1, {0}, NULL, 0, 0, 0}},
        {"gemm_4x2_a16w8acc16_1024_2560_640", {1024, 2560, 640, {"int16", "int8", "int16"}, NULL, 0, 0, 0}},
        {"a16fw4acc32f_1_11008_4096_128", {1, 11008, 4096, {"bf16", "int4", "fp32"}, NULL, 0, 0, 0}},
        {"mladf_2x4x4_a16fw4acc16f_2048_4096_4096_128",
         {2048, 4096, 4096, {"bf16", "int4", "bf16"}, NULL, 0, 0, 0}},
        {"conv2gemm_4x4_a16w8acc16_1024_1920_640",
         {1024, 1920, 640, {"int16", "int8", "int16"}, NULL, 0, 0, 0}},
        {"xcomconv2d_au16wu8outu16_3x3_s1_512x512x256_256", {0}},
        {"iconv_4x2_a16w8acc16_1024_7_7_1024_8_7_3_3", {0}},
        {"elwadd_4x2_a16a16acc16_1024_640", {0}},
        {"mladfsilu_2x4x4_a16fa16f_1_11008", {0}},
        {"gelu_4x2_a16accbf16_1024_2560", {0}},
        {"photo_640x480x3", {0}},
        {"insts", {0}},
    };
    (void)state;
    for (size_t i = 0; i < COUNT(rows); i++) {
        roof_product got;
        bool found = product_of_name(rows[i].stem, &got);
        if (found != (rows[i].want.m != 0))
            fail_msg("%s: %s", rows[i].stem, found ? "is taken for a product" : "is none");
        if (found)
            check_product(rows[i].stem, &got, &rows[i].want);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_is_asked_for_is_understood),
        cmocka_unit_test(what_is_no_product_is_refused),
        cmocka_unit_test(names_of_operators_tell_their_product),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
