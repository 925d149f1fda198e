/* The hardware database: built-in entries, published peaks, fingerprints, user files, one-line descriptions,
 * checks. */
#include "hwdb/builtin.h"
#include "hwdb/hwdb.h"
#include "roofline/fingerprint.h"

#include <glob.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <cmocka.h>

#define COUNT(array) (sizeof(array) / sizeof *(array))

static roof_hw *loaded(const char *spec)
{
    roof_hw *hw = NULL;
    roof_error err = {0};
    if (roof_hw_load(spec, &hw, &err) != ROOF_OK)
        fail_msg("%s: %s: %s", spec, err.where, err.what);
    return hw;
}

static double value_of(const roof_hw *hw, const char *key)
{
    const roof_quantity *q = roof_hw_get(hw, key);
    if (!q)
        fail_msg("%s: no %s", roof_hw_id(hw), key);
    return q->value;
}

static void assert_value(const roof_hw *hw, const char *key, double want)
{
    const double got = value_of(hw, key);
    if (fabs(got - want) > 1e-12 * fabs(want))
        fail_msg("%s: %s is %.17g, want %.17g", roof_hw_id(hw), key, got, want);
}

static void assert_message(const roof_error *err, const char *want)
{
    char got[1400];
    roof_error_format(err, got, sizeof got);
    assert_string_equal(got, want);
}

static void assert_load_fails(const char *spec, roof_status status, const char *want)
{
    roof_hw *hw = (roof_hw *)&hw;
    roof_error err = {0};
    assert_int_equal(roof_hw_load(spec, &hw, &err), status);
    assert_null(hw);
    assert_message(&err, want);
}

/* --- a folder of its own for each test that writes files
 * ---------------------------------------------------------- */

static char folder[64];

static void file_path(char *path, size_t size, const char *name)
{
    snprintf(path, size, "%s/%s", folder, name);
}

static void write_file(const char *name, const char *text)
{
    char path[128];
    file_path(path, sizeof path, name);
    FILE *file = fopen(path, "wb");
    assert_non_null(file);
    assert_int_equal(fwrite(text, 1, strlen(text), file), strlen(text));
    assert_int_equal(fclose(file), 0);
}

static int make_folder(void **state)
{
    (void)state;
    strcpy(folder, "/tmp/test_hw_XXXXXX");
    return mkdtemp(folder) && setenv("ROOFLINE_HW_PATH", folder, 1) == 0 ? 0 : -1;
}

static int remove_folder(void **state)
{
    static const char *const names[] = {
        "a.json",          "b.json", "c.json", "mine.json", "config/roofline/hw/x.json", "config/roofline/hw",
        "config/roofline", "config", ""};
    (void)state;
    for (size_t i = 0; i < COUNT(names); i++) {
        char path[128];
        file_path(path, sizeof path, names[i]);
        remove(path);
    }
    setenv("XDG_CONFIG_HOME", "/nonexistent", 1);
    return unsetenv("ROOFLINE_HW_PATH");
}

static int no_user_files(void **state)
{
    (void)state;
    setenv("XDG_CONFIG_HOME", "/nonexistent", 1);
    return unsetenv("ROOFLINE_HW_PATH");
}

/* --- built-in entries
 * -------------------------------------------------------------------------------------------- */

static void every_builtin_entry_loads_and_every_value_is_worth_reading(void **state)
{
    const roof_hw_listing *listing;
    size_t n = 0;
    (void)state;
    for (; (listing = roof_hw_builtin(n)); n++) {
        roof_hw *hw = loaded(listing->id);
        const roof_quantity *q;
        assert_string_equal(roof_hw_id(hw), listing->id);
        assert_string_equal(roof_hw_name(hw), listing->name);
        assert_string_equal(roof_hw_family(hw), listing->family);
        assert_string_equal(roof_hw_summary(hw), listing->summary);
        assert_true(*listing->summary && *listing->family && *roof_hw_board(hw));
        for (size_t i = 0; (q = roof_hw_at(hw, i)); i++) {
            assert_true(isfinite(q->value) && q->value >= 0);
            assert_true(*q->unit && *q->source && (unsigned)q->kind < ROOF_KIND_COUNT);
            assert_non_null(roof_hw_key_meaning(q->key));
            assert_non_null(roof_hw_origin(hw, q->key));
            assert_true(i == 0 || strcmp(roof_hw_at(hw, i - 1)->key, q->key) < 0);
        }
        roof_hw_free(hw);
    }
    assert_true(n > 40);
}

static void builtin_entries_are_listed_in_order_of_id(void **state)
{
    (void)state;
    for (size_t i = 1; roof_hw_builtin(i); i++)
        assert_true(strcmp(roof_hw_builtin(i - 1)->id, roof_hw_builtin(i)->id) < 0);
}

static void assert_same_text(const char *a, const char *b)
{
    assert_true(!a == !b);
    if (a)
        assert_string_equal(a, b);
}

/* The file of a built-in entry: that of any vendor. */
static void data_path(char *path, size_t size, const char *id)
{
    glob_t found;
    snprintf(path, size, "%s/hwdb/data/*/%s.json", getenv("ROOFLINE_SOURCE_DIR"), id);
    if (glob(path, 0, NULL, &found) != 0 || found.gl_pathc != 1)
        fail_msg("no file of %s, or several", id);
    snprintf(path, size, "%s", found.gl_pathv[0]);
    globfree(&found);
}

static void builtin_entries_are_what_their_files_say(void **state)
{
    (void)state;
    unsetenv("ROOFLINE_HW_PATH");
    for (size_t i = 0; i < hwdb_n_builtins; i++) {
        const hwdb_document file = {.path = (char[512]){0}};
        hwdb_problems *problems = calloc(1, sizeof *problems);
        hwdb_entry is, want;
        assert_non_null(problems);
        problems->arena = arena_new(0);
        data_path((char *)(uintptr_t)file.path, 512, hwdb_builtins[i].listing.id);
        assert_int_equal(hwdb_entry_read(&file, problems, &want, NULL), ROOF_OK);
        assert_int_equal(problems->n, 0);
        assert_int_equal(hwdb_builtin_read(&hwdb_builtins[i], problems->arena, &is, NULL), ROOF_OK);
        const char *const texts[][2] = {{is.id, want.id},
                                        {is.name, want.name},
                                        {is.board, want.board},
                                        {is.family, want.family},
                                        {is.summary, want.summary}};
        for (size_t k = 0; k < sizeof texts / sizeof *texts; k++)
            assert_same_text(texts[k][0], texts[k][1]);
        const hwdb_texts lists[][2] = {{is.aliases, want.aliases},
                                       {is.parents, want.parents},
                                       {is.notes, want.notes},
                                       {is.fingerprints, want.fingerprints}};
        for (size_t k = 0; k < sizeof lists / sizeof *lists; k++) {
            assert_int_equal(lists[k][0].n, lists[k][1].n);
            for (size_t n = 0; n < lists[k][0].n; n++)
                assert_string_equal(lists[k][0].items[n], lists[k][1].items[n]);
        }
        assert_int_equal(is.is_abstract, want.is_abstract);
        assert_int_equal(is.n_values, want.n_values);
        for (size_t k = 0; k < is.n_values; k++) {
            const roof_quantity *a = &is.values[k], *b = &want.values[k];
            assert_string_equal(a->key, b->key);
            assert_string_equal(a->unit, b->unit);
            assert_string_equal(a->source, b->source);
            assert_same_text(a->caveat, b->caveat);
            assert_memory_equal(&a->value, &b->value, sizeof a->value);
            assert_int_equal(a->kind, b->kind);
        }
        arena_free(problems->arena);
        free(problems);
    }
}

static void published_peaks_are_reproduced(void **state)
{
    /* @source PG338 Architecture; PG389 Peak Theoretical Performance Metrics; PG367 Performance; UG1354
     * VCK5000 */
    static const struct {
        const char *id;
        double want_gops, tolerance;
    } rows[] = {
        {"b4096", 1228.8, 1e-9},      {"kv260", 1228.8, 1e-9},      {"zcu102", 3452.9, 0.05},
        {"zcu104", 2457.6, 1e-9},     {"c32b1", 10240, 1e-6},       {"c32b2", 20480, 1e-6},
        {"c32b3", 30720, 1e-6},       {"c32b4", 40960, 1e-6},       {"c32b5", 51200, 1e-6},
        {"c32b6", 61440, 1e-6},       {"c64b1", 20480, 1e-6},       {"c64b2", 40960, 1e-6},
        {"c64b3", 61440, 1e-6},       {"c64b4", 81920, 1e-6},       {"c64b5", 102400, 1e-6},
        {"u50", 7373, 0.5},           {"u50lv", 11264, 0.5},        {"u280", 17203, 0.5},
        {"vck5000-4pe", 40000, 1e-6}, {"vck5000-8pe", 80000, 1e-6},
    };
    (void)state;
    for (size_t i = 0; i < COUNT(rows); i++) {
        roof_hw *hw = loaded(rows[i].id);
        const roof_quantity *rate = roof_hw_get(hw, "peak.rate");
        const double core = rate ? rate->value : value_of(hw, "peak") * value_of(hw, "clock");
        const double got = core * value_of(hw, "cores") / 1e9;
        if (fabs(got - rows[i].want_gops) > rows[i].tolerance)
            fail_msg("%s: %.6f GOP/s, want %.6f", rows[i].id, got, rows[i].want_gops);
        roof_hw_free(hw);
    }
}

/* As documents write them, rounded: dense, halved where they only have sparse ones. */
static void rates_by_data_type_are_those_of_documents(void **state)
{
    static const struct {
        const char *id, *key;
        double published, ratio; /* ratio: of how much a document rounds */
    } rows[] = {
        {"orin-nano-8gb", "peak.int8", 67e12 / 2, 0.01},
        {"orin-nano-8gb", "peak.f16", 17e12, 0.02},
        {"orin-nano-8gb", "ddr.bandwidth", 102e9, 0.01},
        {"orin-nano-8gb-15w", "peak.int8", 20e12, 0.03},
        {"orin-nano-8gb-15w", "peak.f16", 10e12, 0.03},
        {"orin-nano-8gb-15w", "ddr.bandwidth", 68e9, 0.01},
        {"orin-nx-16gb", "peak.int8", 38e12, 0.02},
        {"orin-nx-16gb-25w", "peak.int8", 50e12 - 20e12, 0.01}, /* without two DLAs of 10 */
        {"agx-orin-64gb", "peak.int8", 170e12 / 2, 0.01},
        {"agx-orin-64gb", "peak.f16", 85e12 / 2, 0.01},
        {"agx-orin-64gb", "peak.f32", 5.32e12, 0.01},
        {"t4", "peak.f32", 8.1e12, 0.01},
        {"t4", "peak.f16", 65e12, 0.01},
        {"t4", "peak.int8", 130e12, 0.01},
        {"t4", "peak.int4", 260e12, 0.01},
        {"a100-40gb", "peak.tf32", 312e12 / 2, 1e-9},
        {"a100-40gb", "peak.int8", 1248e12 / 2, 1e-9},
        {"a100-40gb", "ddr.bandwidth", 1555e9, 1e-9},
        {"a100-80gb", "ddr.bandwidth", 2039e9, 1e-9},
        {"h100", "peak.tf32", 989e12 / 2, 0.001},
        {"h100", "peak.bf16", 1979e12 / 2, 0.001},
        {"h100", "peak.int8", 3958e12 / 2, 0.001},
        {"h100", "ddr.bandwidth", 3.35e12, 0.001},
        {"h100-pcie", "peak.tf32", 756e12 / 2, 0.001},
        {"h100-pcie", "peak.bf16", 1513e12 / 2, 0.001},
        {"h100-pcie", "peak.int8", 3026e12 / 2, 0.001},
        {"rtx-4090", "peak.int8", 1321.2e12 / 2, 1e-9},
        {"rtx-4090", "peak.bf16", 330.4e12 / 2, 1e-9},
        {"rtx-4090", "peak.f64", 1.29e12, 0.001},
        {"mi210", "peak.f16", 181e12, 0.001},
        {"mi210", "peak.int8", 181e12, 0.001},
        {"coral-edge-tpu", "peak.int8", 4e12, 1e-9},
        {"hailo-8", "peak.int8", 26e12, 1e-9},
        {"rk3588-npu", "peak.int8", 6e12, 0.03},
        {"imx8mp-npu", "peak.int8", 2.3e12, 1e-9},
        {"imx93-npu", "peak.int8", 0.5e12, 0.03},
        {"meteor-lake-npu", "peak.int8", 2 * 4096 * 1.4e9, 0.01},
        {"wormhole-n150", "peak.bf16", 2 * 74e12, 0.01},
        {"raspberry-pi-5", "ddr.bandwidth", 17e9, 0.01},
    };
    (void)state;
    for (size_t i = 0; i < COUNT(rows); i++) {
        roof_hw *hw = loaded(rows[i].id);
        double is = value_of(hw, rows[i].key);
        if (!(fabs(is - rows[i].published) <= rows[i].ratio * rows[i].published))
            fail_msg("%s: %s is %g, published is %g", rows[i].id, rows[i].key, is, rows[i].published);
        roof_hw_free(hw);
    }
}

/* So that a prediction can say which one it took. */
static void the_rate_of_a_device_is_that_of_a_data_type_of_its_element(void **state)
{
    static const struct {
        const char *key;
        double bytes;
    } types[] = {{"peak.f32", 4}, {"peak.f16", 2}, {"peak.bf16", 2}, {"peak.int8", 1}};
    (void)state;
    for (size_t i = 0; roof_hw_builtin(i); i++) {
        const char *family = roof_hw_builtin(i)->family;
        if (strcmp(family, "cpu") != 0 && strcmp(family, "gpu") != 0 && strcmp(family, "npu") != 0)
            continue;
        roof_hw *hw = loaded(roof_hw_builtin(i)->id);
        bool is_found = false;
        for (size_t t = 0; t < COUNT(types); t++) {
            const roof_quantity *rate = roof_hw_get(hw, types[t].key);
            is_found = is_found || (rate && rate->value == value_of(hw, "peak.rate") &&
                                    types[t].bytes == value_of(hw, "element.bytes"));
        }
        if (!is_found)
            fail_msg("%s: 'peak.rate' is of no type that it states", roof_hw_id(hw));
        roof_hw_free(hw);
    }
}

static void peak_of_every_dpuczdx8g_is_twice_its_lanes(void **state)
{
    (void)state;
    for (size_t i = 0; roof_hw_builtin(i); i++) {
        if (strcmp(roof_hw_builtin(i)->family, "dpuczdx8g") != 0)
            continue;
        roof_hw *hw = loaded(roof_hw_builtin(i)->id);
        assert_value(hw, "peak",
                     2 * value_of(hw, "conv.pixel_parallel") * value_of(hw, "conv.input_channel_parallel") *
                         value_of(hw, "conv.output_channel_parallel"));
        assert_value(hw, "port.bandwidth",
                     value_of(hw, "axi.data_ports") * value_of(hw, "axi.data_port_width"));
        assert_value(hw, "convw.bank_base",
                     value_of(hw, "image_banks.groups") * value_of(hw, "conv.pixel_parallel"));
        roof_hw_free(hw);
    }
}

static void eight_sizes_have_their_names_as_peak(void **state)
{
    static const unsigned sizes[] = {512, 800, 1024, 1152, 1600, 2304, 3136, 4096};
    (void)state;
    for (size_t i = 0; i < COUNT(sizes); i++) {
        for (size_t j = 0; j < 3; j++) {
            char id[32];
            snprintf(id, sizeof id, j == 0 ? "b%u" : j == 1 ? "b%u-isa0" : "b%u-isa0-min", sizes[i]);
            roof_hw *hw = loaded(id);
            assert_value(hw, "peak", sizes[i]);
            roof_hw_free(hw);
        }
    }
}

static void b4096_is_the_one_of_the_kv260(void **state)
{
    static const struct {
        const char *key;
        double want;
        const char *unit;
    } rows[] = {
        {"clock", 300e6, "Hz"},
        {"cores", 1, "count"},
        {"batch", 1, "count"},
        {"conv.pixel_parallel", 8, "lanes"},
        {"conv.input_channel_parallel", 16, "lanes"},
        {"conv.output_channel_parallel", 16, "lanes"},
        {"conv.channel_augmentation", 32, "lanes"},
        {"alu.pixel_parallel", 4, "lanes"},
        {"alu.channel_parallel", 16, "lanes"},
        {"eltwise.pixel_parallel", 4, "lanes"},
        {"eltwise.channel_parallel", 16, "lanes"},
        {"image_banks.groups", 2, "count"},
        {"image_banks.bytes", 524288, "B"},
        {"convw.bank_base", 16, "count"},
        {"axi.data_ports", 2, "count"},
        {"axi.data_port_width", 16, "B"},
        {"axi.instruction_port_width", 4, "B"},
        {"port.bandwidth", 32, "B/cycle"},
        {"ddr.bandwidth", 19.2e9, "B/s"},
        {"ddr.bytes", 4294967296.0, "B"},
        {"peak", 4096, "ops/cycle"},
    };
    roof_hw *hw = loaded("B4096");
    (void)state;
    for (size_t i = 0; i < COUNT(rows); i++) {
        assert_value(hw, rows[i].key, rows[i].want);
        assert_string_equal(roof_hw_get(hw, rows[i].key)->unit, rows[i].unit);
    }
    for (size_t i = 0, others = 0; roof_hw_at(hw, i); i++) {
        const char *key = roof_hw_at(hw, i)->key;
        others += strncmp(key, "expect.", 7) != 0 && strncmp(key, "host.", 5) != 0 &&
                  strncmp(key, "throughput.", 11) != 0 && strncmp(key, "device.", 7) != 0 &&
                  strncmp(key, "resource.", 9) != 0;
        assert_true(others <= COUNT(rows));
    }
    assert_null(roof_hw_get(hw, "dwconv.pixel_parallel"));
    assert_string_equal(roof_hw_id(hw), "b4096");
    assert_string_equal(roof_hw_name(hw), "DPUCZDX8G B4096");
    assert_string_equal(roof_hw_board(hw), "KV260");
    assert_string_equal(roof_hw_family(hw), "dpuczdx8g");
    assert_string_equal(roof_hw_origin(hw, "port.bandwidth"), "dpuczdx8g");
    assert_string_equal(roof_hw_origin(hw, "clock"), "b4096");
    assert_int_equal(roof_hw_get(hw, "clock")->kind, ROOF_KIND_VENDOR_FILE);
    roof_hw_free(hw);
}

/* --- fingerprints
 * ------------------------------------------------------------------------------------------------ */

static void fingerprints_of_real_files_find_their_entry(void **state)
{
    static const struct {
        uint64_t fingerprint;
        const char *want;
    } rows[] = {
        {UINT64_C(0x101000056010407), "b4096"},
        {UINT64_C(0x101000016010407), "b4096"},
        {UINT64_C(0x101000016010406), "b3136"},
        {UINT64_C(0x101000016010402), "b1024"},
        {UINT64_C(0x101000016010405), "b2304"},
        {UINT64_C(0x1000020f6014407), "b4096-isa0-bg2"},
        {UINT64_C(0x1000020f6012203), "b1152-isa0"},
        {UINT64_C(0x603000b56011861), "dpucvdx8g-c32b6"},
        {UINT64_C(0x603000b16011861), "dpucvdx8g-c32b6"},
        {UINT64_C(0x603000b16013831), "dpucvdx8g-c32b3"},
        {UINT64_C(0x601001036088111), "dpucvdx8g-c32b1"},
        {UINT64_C(0x602001036088231), "dpucvdx8g-c32b3"},
        {UINT64_C(0x901400044000e44), "dpucv2dx8g-c20b14"},
        {UINT64_C(0x08000205000943da), "npu1"},
        {UINT64_C(0x20200000010002a), "dpucahx8h-u50"},
        {UINT64_C(0x20200000000002e), "dpucahx8h-u50"},
        {UINT64_C(0x20200000000002a), "dpucahx8h-u50"},
        {UINT64_C(0x501000000140fee), "dpucvdx8h-8pe"},
        {UINT64_C(0x5010000001e082f), "dpucvdx8h-4pe"},
        {UINT64_C(0x501000000160c2f), "dpucvdx8h-6pe"},
    };
    (void)state;
    for (size_t i = 0; i < COUNT(rows); i++) {
        roof_hw *hw = NULL;
        assert_int_equal(roof_hw_match(rows[i].fingerprint, &hw, NULL), ROOF_OK);
        assert_string_equal(roof_hw_id(hw), rows[i].want);
        assert_non_null(roof_hw_note(hw, 0));
        roof_hw_free(hw);
    }
}

static void a_fingerprint_overrides_the_engines_of_its_entry(void **state)
{
    roof_hw *hw = NULL;
    (void)state;
    assert_int_equal(roof_hw_match(UINT64_C(0x0101000053010807), &hw, NULL),
                     ROOF_OK); /* 8 ALU pixels, 3 groups, no augmentation */
    assert_string_equal(roof_hw_id(hw), "b4096");
    assert_value(hw, "alu.pixel_parallel", 8);
    assert_value(hw, "eltwise.pixel_parallel", 8);
    assert_value(hw, "image_banks.groups", 3);
    assert_value(hw, "image_banks.bytes", 786432);
    assert_value(hw, "convw.bank_base", 24);
    assert_value(hw, "conv.channel_augmentation", 0);
    assert_value(hw, "clock", 300e6);
    assert_int_equal(roof_hw_get(hw, "alu.pixel_parallel")->kind, ROOF_KIND_VENDOR_FILE);
    assert_string_equal(roof_hw_get(hw, "alu.pixel_parallel")->source, "fingerprint 0x0101000053010807");
    assert_string_equal(roof_hw_origin(hw, "alu.pixel_parallel"), "fingerprint 0x0101000053010807");
    roof_hw_free(hw);
}

static void an_engine_that_is_not_built_in_is_absent(void **state)
{
    roof_hw *hw = NULL;
    (void)state;
    assert_int_equal(roof_hw_match(UINT64_C(0x01000020f6010407), &hw, NULL),
                     ROOF_OK); /* no depthwise engine */
    assert_null(roof_hw_get(hw, "dwconv.pixel_parallel"));
    assert_null(roof_hw_get(hw, "dwconv.channel_parallel"));
    assert_null(roof_hw_get(hw, "alu.pixel_parallel"));
    assert_value(hw, "pool.pixel_parallel", 4);
    assert_value(hw, "pool.channel_parallel", 16);
    roof_hw_free(hw);
}

static void a_fingerprint_without_entry_says_what_it_is(void **state)
{
    static const struct {
        uint64_t fingerprint;
        roof_status status;
        const char *want;
    } rows[] = {
        {0x40000, ROOF_E_NO_INPUT,
         "no hardware for fingerprint 0x0000000000040000 (unknown family 0x00, feature code 0x40000); "
         "`roofline hw list` names "
         "all"},
        {UINT64_C(0x0101000056010c0f), ROOF_E_DATA,
         "fingerprint 0x0101000056010c0f: DPUCZDX8G has no size number 15"},
        {UINT64_C(0x05010000000fffff), ROOF_E_NO_INPUT,
         "no hardware for fingerprint 0x05010000000fffff (DPUCVDX8H, instruction set 1, feature code 0xfffff "
         "not decoded); "
         "`roofline hw list` names all"},
    };
    (void)state;
    for (size_t i = 0; i < COUNT(rows); i++) {
        roof_hw *hw = (roof_hw *)&hw;
        roof_error err = {0};
        assert_int_equal(roof_hw_match(rows[i].fingerprint, &hw, &err), rows[i].status);
        assert_null(hw);
        assert_message(&err, rows[i].want);
    }
}

static void decoded_fingerprints_are_described_in_one_line(void **state)
{
    static const struct {
        uint64_t fingerprint;
        const char *family, *size, *text;
    } rows[] = {
        {UINT64_C(0x101000056010407), "dpuczdx8g", "B4096",
         "DPUCZDX8G B4096, instruction set 1: convolution 8 x 16 x 16, ALU 4 x 16, element-wise 4 x 16, "
         "channel augmentation 32, 2 "
         "image bank groups"},
        {UINT64_C(0x100002022010100), "dpuczdx8g", "B512",
         "DPUCZDX8G B512, instruction set 0: convolution 4 x 8 x 8, pooling 1 x 8, element-wise 1 x 8, 2 "
         "image bank groups"},
        {UINT64_C(0x603000b56011852), "dpucvdx8g", "C64B5",
         "DPUCVDX8G C64B5, instruction set 3: convolution 8 x 16 x 64, ALU 8 x 16, element-wise 8 x 16, "
         "channel augmentation 32, 2 "
         "image bank groups, batch 5"},
        {UINT64_C(0x901400044000e44), "dpucv2dx8g", "C20B14",
         "DPUCV2DX8G C20B14, instruction set 1: convolution 4 x 32 x 32, ALU 2 x 32, element-wise 2 x 32, "
         "channel augmentation 64, 1 "
         "image bank group, batch 14"},
        {UINT64_C(0x8000205000943da), "aie", "",
         "IPU_PHX, instruction set 0, feature code 0x205000943da not decoded"},
        {0x40000, "", "", "unknown family 0x00, feature code 0x40000"},
    };
    (void)state;
    for (size_t i = 0; i < COUNT(rows); i++) {
        roof_dpu_config c;
        assert_int_equal(roof_fingerprint_decode(rows[i].fingerprint, &c, NULL), ROOF_OK);
        assert_string_equal(c.family, rows[i].family);
        assert_string_equal(c.size, rows[i].size);
        assert_string_equal(c.text, rows[i].text);
    }
}

static void names_that_state_something_else_contradict_the_fingerprint(void **state)
{
    static const struct {
        uint64_t fingerprint;
        const char *name;
        bool contradicts;
    } rows[] = {
        {UINT64_C(0x1000020f6012203), "DPUCZDX8G_ISA0_B1152_01000020F6012203", false},
        {UINT64_C(0x1000020f6012203), "DPUCVDX8G_ISA0_B1152_01000020F6012203", true}, /* family */
        {UINT64_C(0x1000020f6012203), "DPUCZDX8G_ISA1_B1152_01000020F6012203", true}, /* instruction set */
        {UINT64_C(0x1000020f6012203), "DPUCZDX8G_ISA0_B4096_01000020F6012203", true}, /* size */
        {UINT64_C(0x1000020f6012203), "DPUCZDX8G_ISA0_B1152_01000020F6012204", true}, /* fingerprint */
        {UINT64_C(0x1000020f6012203), "my_board", false},
        {UINT64_C(0x1000020f6012203), "", false},
        {UINT64_C(0x603000b56011852), "DPUCVDX8G_ISA3_C64B5", false},
        {UINT64_C(0x603000b56011852), "DPUCVDX8G_ISA3_C32B5", true},
    };
    (void)state;
    for (size_t i = 0; i < COUNT(rows); i++) {
        roof_dpu_config c;
        assert_int_equal(roof_fingerprint_decode(rows[i].fingerprint, &c, NULL), ROOF_OK);
        if (roof_fingerprint_contradicts(&c, rows[i].name) != rows[i].contradicts)
            fail_msg("%s", rows[i].name);
    }
}

static void decoding_agrees_with_the_listed_entries(void **state)
{
    (void)state;
    for (size_t i = 0; i < hwdb_n_builtin_fingerprints; i++) {
        roof_hw *hw = NULL;
        roof_dpu_config c;
        const hwdb_builtin_fingerprint *row = &hwdb_builtin_fingerprints[i];
        assert_int_equal(roof_hw_match(row->fingerprint, &hw, NULL), ROOF_OK);
        assert_string_equal(roof_hw_id(hw), hwdb_builtins[row->index].listing.id);
        assert_int_equal(roof_fingerprint_decode(row->fingerprint, &c, NULL), ROOF_OK);
        assert_string_equal(c.family, roof_hw_family(hw));
        if (c.batch != ROOF_NONE && roof_hw_get(hw, "batch"))
            assert_value(hw, "batch", c.batch);
        roof_hw_free(hw);
    }
}

static void no_fingerprint_crashes_the_decoder(void **state)
{
    (void)state;
    for (unsigned family = 0; family < 256; family++)
        for (unsigned isa = 0; isa < 6; isa++)
            for (unsigned bit = 0; bit < 48; bit++)
                for (unsigned low = 0; low < 16; low++) {
                    roof_dpu_config c;
                    const uint64_t f =
                        (uint64_t)family << 56 | (uint64_t)isa << 48 | UINT64_C(1) << bit | low;
                    if (roof_fingerprint_decode(f, &c, NULL) == ROOF_OK)
                        assert_true(strlen(c.text) > 0);
                }
}

/* --- names and search
 * -------------------------------------------------------------------------------------------- */

static void unknown_names_get_the_nearest_ones(void **state)
{
    (void)state;
    assert_load_fails("b4906", ROOF_E_NO_INPUT,
                      "no hardware 'b4906'; did you mean b4096? `roofline hw list` names all");
    assert_load_fails("kv26", ROOF_E_NO_INPUT,
                      "no hardware 'kv26'; did you mean kv260? `roofline hw list` names all");
    assert_load_fails("zcu103", ROOF_E_NO_INPUT,
                      "no hardware 'zcu103'; did you mean zcu102, zcu104? `roofline hw list` names all");
    assert_load_fails("toaster", ROOF_E_NO_INPUT, "no hardware 'toaster'; `roofline hw list` names all");
    assert_load_fails("", ROOF_E_NO_INPUT, "no hardware ''; `roofline hw list` names all");
    assert_load_fails("x9", ROOF_E_NO_INPUT, "no hardware 'x9'; `roofline hw list` names all");
    assert_load_fails("\x1b[2J", ROOF_E_NO_INPUT, "no hardware '\\x1b[2J'; `roofline hw list` names all");
    assert_load_fails("dpuczdx8g", ROOF_E_USAGE,
                      "'dpuczdx8g' only serves entries that extend it; `roofline hw list` names them");
}

static void aliases_and_capitals_name_the_same_entry(void **state)
{
    static const struct {
        const char *spec, *id;
    } rows[] = {{"KV260-B3136", "b3136"},
                {"smartcam", "b3136"},
                {"VCK190", "dpucvdx8g-c32b6"},
                {"vek280", "dpucv2dx8g-c20b14"},
                {"U50", "dpucahx8h-u50"},
                {"ultra96-v2", "ultra96v2"},
                {"phoenix", "npu1"},
                {"npu4", "npu2"},
                {"Krackan", "npu2"}};
    (void)state;
    for (size_t i = 0; i < COUNT(rows); i++) {
        roof_hw *hw = loaded(rows[i].spec);
        assert_string_equal(roof_hw_id(hw), rows[i].id);
        roof_hw_free(hw);
    }
}

static const char slow_b4096[] =
    "{\"schema\":\"roofline.hardware/1\",\"id\":\"b4096\",\"extends\":\"b4096\",\"notes\":[\"mine\"],"
    "\"values\":{\"clock\":{\"value\":1e8,\"unit\":\"Hz\",\"kind\":\"assumed\",\"source\":\"a test\"}}}";

static void a_user_file_hides_and_extends_the_builtin_entry(void **state)
{
    (void)state;
    write_file("a.json", slow_b4096);
    roof_hw *hw = loaded("b4096");
    assert_value(hw, "clock", 1e8);
    assert_value(hw, "conv.pixel_parallel", 8);
    assert_string_equal(roof_hw_name(hw), "DPUCZDX8G B4096");
    assert_string_equal(roof_hw_note(hw, 0), "mine");
    assert_null(roof_hw_note(hw, 1));
    roof_hw_free(hw);
    hw = loaded("kv260"); /* a built-in entry that extends what the user changed */
    assert_value(hw, "clock", 1e8);
    roof_hw_free(hw);
}

static void the_path_comes_before_the_configuration(void **state)
{
    char path[128], x[128];
    roof_hw *hw;
    (void)state;
    snprintf(path, sizeof path, "%s/config", folder);
    mkdir(path, 0700);
    setenv("XDG_CONFIG_HOME", path, 1);
    strcat(path, "/roofline");
    mkdir(path, 0700);
    strcat(path, "/hw");
    mkdir(path, 0700);
    snprintf(x, sizeof x, "config/roofline/hw/%s", "x.json");
    write_file(x, "{\"schema\":\"roofline.hardware/"
                  "1\",\"id\":\"b4096\",\"extends\":[\"b4096\"],\"values\":{\"clock\":{\"value\":2e8,"
                  "\"unit\":\"Hz\",\"kind\":\"assumed\",\"source\":\"a "
                  "test\"},\"cores\":{\"value\":2,\"unit\":\"count\",\"kind\":"
                  "\"assumed\",\"source\":\"a test\"}}}");
    hw = loaded("b4096");
    assert_value(hw, "clock", 2e8);
    roof_hw_free(hw);
    write_file("a.json", slow_b4096);
    hw = loaded("b4096"); /* extends the one of the configuration, which extends the built-in one */
    assert_value(hw, "clock", 1e8);
    assert_value(hw, "cores", 2);
    assert_value(hw, "peak", 4096);
    roof_hw_free(hw);
    setenv("ROOFLINE_HW_PATH", "/nonexistent::/also-not-there", 1);
    hw = loaded("b4096");
    assert_value(hw, "clock", 2e8);
    roof_hw_free(hw);
}

static void a_broken_user_file_is_named_with_its_place(void **state)
{
    static const struct {
        const char *text, *want;
    } rows[] = {
        {"{", "is not JSON: it ends too early, want the name of a member (line 1)"},
        {"{\"id\":7}", "/id: is a number, want a string"},
        {"{\"schema\":\"roofline.hardware/"
         "1\",\"id\":\"mine\",\"values\":{\"clock\":{\"value\":300,\"unit\":\"MHz\",\"kind\":\"assumed\","
         "\"source\":\"x\"}}}",
         "/values/clock/unit: unit 'MHz' is unknown: write it in Hz, such as 300000000"},
        {"{\"schema\":\"roofline.hardware/"
         "1\",\"id\":\"mine\",\"values\":{\"clock\":{\"value\":300,\"unit\":\"B\",\"kind\":\"assumed\","
         "\"source\":\"x\"}}}",
         "/values/clock: unit 'B' does not fit the key: write it in Hz: the clock that cycles are counted "
         "in"},
        {"{\"schema\":\"roofline.hardware/"
         "1\",\"id\":\"mine\",\"values\":{\"clock\":{\"value\":300,\"unit\":\"Hz\",\"kind\":\"guessed\","
         "\"source\":\"x\"}}}",
         "/values/clock/kind: kind 'guessed' is unknown: known are datasheet, vendor_file, measured, "
         "derived, assumed"},
        {"{\"schema\":\"roofline.hardware/"
         "1\",\"id\":\"mine\",\"values\":{\"clock\":{\"value\":300,\"unit\":\"Hz\",\"kind\":\"assumed\","
         "\"source\":\"\"}}}",
         "/values/clock/source: is empty: leave it out or fill it in"},
        {"{\"schema\":\"roofline.hardware/"
         "1\",\"id\":\"mine\",\"values\":{\"clock\":{\"value\":-1,\"unit\":\"Hz\",\"kind\":\"assumed\","
         "\"source\":\"x\"}}}",
         "/values/clock: the value is negative: a quantity is 0 or more"},
        {"{\"schema\":\"roofline.hardware/1\",\"id\":\"mine\",\"extends\":\"b4906\"}",
         "/extends: no hardware 'b4906'; did you mean b4096? `roofline hw list` names all"},
        {"{\"schema\":\"roofline.hardware/1\",\"id\":\"mine\",\"values\":{\"clock\":{\"kind\":7,"
         "\"source\":8,\"unit\":9,\"value\":null}},\"name\":\"\",\"note\":1}",
         "/name: is empty: leave it out or fill it in"}, /* in this order, whatever that of the members is */
        {"{\"schema\":\"roofline.hardware/1\",\"id\":\"mine\",\"values\":{\"clock\":{\"kind\":7,"
         "\"source\":8,\"unit\":9,\"value\":null}}}",
         "/values/clock/value: is null, want a number"},
        {"{\"schema\":\"roofline.hardware/1\",\"id\":\"mine\",\"values\":{\"clock\":{\"source\":\"x\"}}}",
         "/values/clock/value: is missing, want a number"},
        {"{\"schema\":\"roofline.hardware/1\",\"id\":\"mine\",\"name\":\"a\",\"name\":\"b\"}",
         "the key 'name' is there twice (line 1)"},
        {"{\"schema\":\"roofline.hardware/1\",\"id\":\"mine\",\"values\":{\"clock\":{\"unit\":\"Hz\","
         "\"unit\":\"Hz\"}}}",
         "/values/clock: the key 'unit' is there twice (line 1)"},
        {"{\"schema\":\"roofline.hardware/1\",\"id\":\"mine\",\"values\":{\"clock\":{\"value\":1,"
         "\"unit\":\"Hz\",\"kind\":\"assumed\",\"source\":\"x\"},\"clock\":{\"value\":2,"
         "\"unit\":\"Hz\",\"kind\":\"assumed\",\"source\":\"x\"}}}",
         "/values: the key 'clock' is there twice (line 1)"},
        {"{\"schema\":\"roofline.hardware/9\",\"id\":\"mine\"}",
         "/schema: is 'roofline.hardware/9': want \"roofline.hardware/1\""},
        {"{\"schema\":\"roofline.hardware/1\",\"id\":\"mine\",\"fingerprints\":[\"0x1\",\"12\"]}",
         "/fingerprints/1: want 1 to 16 hexadecimal digits after 0x: write it as \"0x101000056010407\""},
    };
    char path[128], want[400];
    (void)state;
    file_path(path, sizeof path, "mine.json");
    for (size_t i = 0; i < COUNT(rows); i++) {
        write_file("mine.json", rows[i].text);
        snprintf(want, sizeof want, "%s: %s", path, rows[i].want);
        assert_load_fails("mine", ROOF_E_DATA, want);
        if (i > 1) /* these say their id, so that others are still found */
            roof_hw_free(loaded("b4096"));
        assert_load_fails(
            path, ROOF_E_DATA,
            i == 1 ? (snprintf(want, sizeof want, "%s: /schema: is missing: write \"%s\"", path, HWDB_SCHEMA),
                      want)
                   : want);
    }
}

static void count_broken(void *n, const roof_error *why)
{
    assert_true(strstr(why->where, "a.json") || strstr(why->where, "b.json"));
    ++*(unsigned *)n;
}

static void a_broken_user_file_stops_only_what_needs_it(void **state)
{
    static const struct {
        const char *name;
        roof_status status;
        const char *named; /* in the message */
    } rows[] = {{"mine", ROOF_OK, NULL},
                {"b512", ROOF_OK, NULL},
                {"a", ROOF_E_DATA, "a.json"},     /* by the file's name */
                {"b1024", ROOF_E_DATA, "b.json"}, /* by what it says before it breaks off */
                {"nothing", ROOF_E_NO_INPUT, "a.json"}};
    char path[128];
    unsigned n = 0;
    (void)state;
    write_file("a.json", "{");
    write_file("b.json", "{\"schema\":\"roofline.hardware/1\",\"id\":\"b1024\",\"values\":{");
    file_path(path, sizeof path, "c.json");
    assert_int_equal(mkfifo(path, 0600), 0); /* must not be waited for */
    write_file("mine.json", "{\"schema\":\"roofline.hardware/1\",\"id\":\"mine\",\"extends\":\"b4096\"}");
    for (size_t i = 0; i < COUNT(rows); i++) {
        roof_hw *hw = NULL;
        roof_error err = {0};
        char text[1400] = "";
        assert_int_equal(roof_hw_load(rows[i].name, &hw, &err), rows[i].status);
        if (rows[i].status != ROOF_OK)
            roof_error_format(&err, text, sizeof text);
        assert_true(!rows[i].named || strstr(text, rows[i].named));
        roof_hw_free(hw);
    }
    const roof_hw_broken tell = {.tell = count_broken, .context = &n};
    assert_int_equal(roof_hw_find_broken(&tell, NULL), ROOF_OK);
    assert_int_equal(n, 2);
}

static void expect_folder(void *n, const roof_error *why)
{
    assert_non_null(strstr(why->where, "/loop"));
    ++*(unsigned *)n;
}

/* Nor is what is built in taken in its place. */
static void a_folder_that_cannot_be_read_is_named_with_what_to_do(void **state)
{
    roof_hw *hw = NULL;
    roof_error err = {0};
    char path[128];
    unsigned n = 0;
    (void)state;
    file_path(path, sizeof path, "loop");
    assert_int_equal(symlink("loop", path), 0); /* whoever runs the tests, nobody can read it */
    setenv("ROOFLINE_HW_PATH", path, 1);
    assert_int_equal(roof_hw_load("b4096", &hw, &err), ROOF_E_IO);
    assert_string_equal(err.where, path);
    assert_non_null(strstr(err.what, "cannot read this folder of your own descriptions of hardware: "));
    assert_non_null(strstr(err.what, "or let ROOFLINE_HW_PATH name another one"));
    assert_int_equal(roof_hw_match(0x101000056010407, &hw, &err), ROOF_E_IO);
    assert_int_equal(roof_hw_find_broken(&(roof_hw_broken){expect_folder, &n}, NULL), ROOF_OK);
    assert_int_equal(n, 1);
    unlink(path);
}

static void circles_end(void **state)
{
    roof_hw *hw = NULL;
    roof_error err = {0};
    (void)state;
    write_file("a.json",
               "{\"schema\":\"roofline.hardware/1\",\"id\":\"a\",\"extends\":[\"b\",\"b\",\"b\",\"b\"]}");
    write_file("b.json",
               "{\"schema\":\"roofline.hardware/1\",\"id\":\"b\",\"extends\":[\"c\",\"c\",\"c\",\"c\"]}");
    write_file("c.json",
               "{\"schema\":\"roofline.hardware/1\",\"id\":\"c\",\"extends\":[\"a\",\"a\",\"a\",\"a\"]}");
    assert_int_equal(roof_hw_load("a", &hw, &err), ROOF_E_DATA);
    assert_string_equal(err.what, "extends more than 8 levels or 64 entries: is it a circle?");
    write_file("c.json", "{\"schema\":\"roofline.hardware/1\",\"id\":\"c\",\"extends\":\"c\"}");
    assert_int_equal(roof_hw_load("a", &hw, &err), ROOF_E_DATA);
    assert_true(strstr(err.where, "c.json: /extends") != NULL);
}

/* --- one-line descriptions
 * --------------------------------------------------------------------------------------- */

static void a_line_describes_hardware(void **state)
{
    roof_hw *hw = loaded("mac=2048/cycle,clock=300MHz,ddr=19.2GB/s");
    (void)state;
    assert_string_equal(roof_hw_id(hw), "custom");
    assert_string_equal(roof_hw_family(hw), "peak");
    assert_value(hw, "peak", 4096);
    assert_value(hw, "clock", 300e6);
    assert_value(hw, "ddr.bandwidth", 19.2e9);
    assert_value(hw, "cores", 1);
    assert_int_equal(roof_hw_get(hw, "peak")->kind, ROOF_KIND_ASSUMED);
    assert_string_equal(roof_hw_get(hw, "peak")->source, "inline description");
    roof_hw_free(hw);
    hw = loaded(" ops = 1k , clock=1e9Hz, ddr.bandwidth=1GiB/s, name=My NPU, cores=2, launch.floor=50us");
    assert_string_equal(roof_hw_name(hw), "My NPU");
    assert_value(hw, "peak", 1000);
    assert_value(hw, "ddr.bandwidth", 1073741824);
    assert_value(hw, "launch.floor", 50e-6);
    roof_hw_free(hw);
}

static void a_line_changes_an_entry(void **state)
{
    roof_hw *hw = loaded("clock=200MHz,base=b4096,alu.pixel_parallel=8,ddr=9.6GB/s");
    (void)state;
    assert_string_equal(roof_hw_id(hw), "b4096");
    assert_value(hw, "clock", 200e6);
    assert_value(hw, "alu.pixel_parallel", 8);
    assert_value(hw, "ddr.bandwidth", 9.6e9);
    assert_value(hw, "eltwise.pixel_parallel", 4);
    assert_string_equal(roof_hw_origin(hw, "clock"), "inline description");
    roof_hw_free(hw);
    hw = loaded(
        "base=dpuczdx8g-b512,clock=200MHz,cores=1,ddr=2.1GB/s"); /* what is abstract may be completed */
    assert_value(hw, "peak", 512);
    roof_hw_free(hw);
}

static void a_wrong_line_is_a_usage_error_that_names_the_item(void **state)
{
    static const struct {
        const char *spec, *want;
    } rows[] = {
        {"clock=300MHz", "hardware 'clock=300MHz': wants mac=NUMBER/cycle, or base=ENTRY to change one"},
        {"mac=2048,,clock=1Hz", "hardware 'mac=2048,,clock=1Hz': wants KEY=VALUE between the commas"},
        {"mac=", "hardware 'mac=': 'mac': '' does not begin with a number, want a number such as 12/cycle or "
                 "1.5M/cycle"},
        {"base=stm32n6,mempool.octoFlash.bandwidth=1GB/s",
         "hardware 'base=stm32n6,mempool.octoFlash.bandwidth=1GB/s': 'mempool.octoFlash.bandwidth': is no "
         "key; did you "
         "mean mempool.*.bandwidth, * being a name in small letters?"},
        {"mac=1,clok=3", "hardware 'mac=1,clok=3': 'clok': is no key; did you mean clock?"},
        {"mac=1,speed=3", "hardware 'mac=1,speed=3': 'speed': is no key; known are mac, ops, ddr, name, base "
                          "and those of `roofline hw show b4096`"},
        {"mac=1,clock=3s", "hardware 'mac=1,clock=3s': 'clock': '3s' has a unit that does not fit, want a "
                           "number such as 12Hz or 1.5MHz"},
        {"mac=1,clock=300", "hardware 'mac=1,clock=300': 'clock': '300' has no unit; did you mean 300MHz?"},
        {"mac=1,ddr=19.2", "hardware 'mac=1,ddr=19.2': 'ddr': '19.2' has no unit; did you mean 19.2GB/s?"},
        {"mac=1,cores=1.5", "hardware 'mac=1,cores=1.5': 'cores': wants a whole number of count"},
        {"base=b4096,mac=1", "hardware 'base=b4096,mac=1': 'mac': does not change the array of 'b4096'; set "
                             "conv.pixel_parallel and its like"},
        {"mac=1,name=", "hardware 'mac=1,name=': 'name': wants a text of one line"},
    };
    (void)state;
    for (size_t i = 0; i < COUNT(rows); i++)
        assert_load_fails(rows[i].spec, ROOF_E_USAGE, rows[i].want);
    assert_load_fails(
        "base=b4906", ROOF_E_NO_INPUT,
        "hardware 'base=b4906': no hardware 'b4906'; did you mean b4096? `roofline hw list` names all");
}

/* --- changes, checks, hostile input
 * ------------------------------------------------------------------------------ */

static void a_quantity_can_be_replaced_or_added_but_not_in_a_wrong_unit(void **state)
{
    roof_hw *hw = loaded("b4096");
    const roof_quantity *clock = roof_hw_get(hw, "clock");
    roof_error err = {0};
    (void)state;
    assert_int_equal(roof_hw_set(hw, "clock", 250e6, "Hz", "--clock", &err), ROOF_OK);
    assert_ptr_equal(roof_hw_get(hw, "clock"), clock);
    assert_true(clock->value == 250e6 && clock->kind == ROOF_KIND_ASSUMED);
    assert_string_equal(clock->source, "--clock");
    for (unsigned i = 0; i < 100; i++) {
        char key[16];
        snprintf(key, sizeof key, "x.%02u", i);
        assert_int_equal(roof_hw_set(hw, key, i, "count", "a test", NULL), ROOF_OK);
    }
    assert_value(hw, "x.57", 57);
    assert_ptr_equal(roof_hw_get(hw, "clock"), clock);
    assert_int_equal(roof_hw_set(hw, "clock", 250, "MHz", "--clock", &err), ROOF_E_USAGE);
    assert_message(&err, "clock is in Hz, not in MHz");
    assert_int_equal(roof_hw_set(hw, "clock", NAN, "Hz", "--clock", &err), ROOF_E_USAGE);
    assert_message(&err, "clock must be a number from 0 on");
    assert_int_equal(roof_hw_set(hw, "clock", 1, "Hz", "", &err), ROOF_E_USAGE);
    roof_hw_free(hw);
    roof_hw_free(NULL);
}

static void a_description_larger_than_64_mib_is_refused(void **state)
{
    char path[128];
    roof_hw *hw = NULL;
    (void)state;
    write_file("mine.json", "{");
    file_path(path, sizeof path, "mine.json");
    assert_int_equal(truncate(path, (64 << 20) + 1), 0); /* a hole: takes no space */
    assert_int_equal(roof_hw_load(path, &hw, NULL), ROOF_E_LIMIT);
    assert_null(hw);
}

static roof_status load_text(const char *text, size_t size, const char *place, roof_hw **out, roof_error *err)
{
    return hwdb_load((hwdb_document){.text = text, .size = size, .place = place}, out, err);
}

static void a_text_extends_the_builtin_entry_of_its_name(void **state)
{
    roof_hw *hw = NULL;
    (void)state;
    assert_int_equal(load_text(slow_b4096, strlen(slow_b4096), "text", &hw, NULL), ROOF_OK);
    assert_value(hw, "clock", 1e8);
    assert_string_equal(roof_hw_origin(hw, "peak"), "dpuczdx8g-b4096");
    roof_hw_free(hw);
}

/* Another value stands on its own: what was said of the entry's is no longer true. */
static void a_caveat_goes_with_its_value(void **state)
{
    roof_hw *hw = loaded("vck190-aie");
    (void)state;
    assert_null(roof_hw_get(hw, "clock")->caveat); /* the board's own, in place of the one that it extends */
    assert_non_null(strstr(roof_hw_get(hw, "shim.columns")->caveat, "programmable logic"));
    assert_int_equal(roof_hw_set(hw, "shim.columns", 8, "count", "a test", NULL), ROOF_OK);
    assert_null(roof_hw_get(hw, "shim.columns")->caveat);
    roof_hw_free(hw);
    hw = loaded("base=npu1,array.columns=4");
    assert_null(roof_hw_get(hw, "array.columns")->caveat);
    assert_non_null(roof_hw_get(hw, "clock")->caveat);
    roof_hw_free(hw);
}

static void a_key_may_have_several_names_in_it(void **state)
{
    static const struct {
        const char *key, *meaning;
    } rows[] = {{"expect.mlir-air.gemm.t0", "expected time: of one run, whatever its size"},
                {"expect.mlir-air.t0", NULL},
                {"expect.mlir-air.gemm.tile.t0", NULL},
                {"expect..gemm.t0", NULL},
                {"expect.IRON.gemv.t0", NULL},
                {"expect.iron.gemv.", NULL},
                {"mac.", NULL},
                {"mempool.octoflash.bytes", "size of the memory behind a pool"}};
    (void)state;
    for (size_t i = 0; i < COUNT(rows); i++) {
        const char *meaning = roof_hw_key_meaning(rows[i].key);
        if (!rows[i].meaning != !meaning || (meaning && strcmp(meaning, rows[i].meaning) != 0))
            fail_msg("%s: %s", rows[i].key, meaning ? meaning : "unknown");
    }
}

static void a_check_finds_everything_that_is_wrong(void **state)
{
    static const struct {
        bool is_error;
        const char *pointer, *text, *advice;
    } want[] = {
        {true, "/id", "'My Board' cannot be a name",
         "use at most 64 of a-z, 0-9, '.', '_' and '-', a letter or digit first"},
        {true, "/values/clock/unit", "unit 'MHz' is unknown", "write it in Hz, such as 300000000"},
        {true, "/values/ddr.bandwidth/source", "is missing",
         "every value needs value, unit, kind and source"},
        {false, "/values/clok", "no cost model reads this key", "did you mean clock?"},
        {true, "/values/cores", "count cannot be a fraction", "write a whole number up to 2^53"},
        {false, "/vlaues", "unknown member", "it is ignored; is it a typing error?"},
    };
    roof_hw_report *report = NULL;
    char path[128];
    (void)state;
    write_file(
        "mine.json",
        "{\"schema\":\"roofline.hardware/1\",\"id\":\"My Board\",\"values\":{"
        "\"clock\":{\"value\":300,\"unit\":\"MHz\",\"kind\":\"assumed\",\"source\":\"x\"},"
        "\"ddr.bandwidth\":{\"value\":1,\"unit\":\"B/s\",\"kind\":\"assumed\"},"
        "\"clok\":{\"value\":1,\"unit\":\"Hz\",\"kind\":\"assumed\",\"source\":\"x\"},"
        "\"cores\":{\"value\":1.5,\"unit\":\"count\",\"kind\":\"assumed\",\"source\":\"x\"}},\"vlaues\":{}}");
    file_path(path, sizeof path, "mine.json");
    assert_int_equal(roof_hw_check(path, &report, NULL), ROOF_OK);
    for (size_t i = 0; i < COUNT(want); i++) {
        const roof_hw_problem *p = roof_hw_report_problem(report, i);
        assert_non_null(p);
        assert_string_equal(p->pointer, want[i].pointer);
        assert_string_equal(p->text, want[i].text);
        assert_string_equal(p->advice, want[i].advice);
        assert_int_equal(p->is_error, want[i].is_error);
    }
    assert_null(roof_hw_report_problem(report, COUNT(want)));
    assert_null(roof_hw_report_hw(report));
    roof_hw_report_free(report);
}

static void a_check_demands_what_the_cycle_law_needs(void **state)
{
    roof_hw_report *report = NULL;
    char path[128];
    (void)state;
    write_file("mine.json", "{\"schema\":\"roofline.hardware/"
                            "1\",\"id\":\"mine\",\"family\":\"peak\",\"values\":{\"clock\":{\"value\":1e9,"
                            "\"unit\":\"Hz\",\"kind\":\"assumed\",\"source\":\"x\"}}}");
    file_path(path, sizeof path, "mine.json");
    assert_int_equal(roof_hw_check(path, &report, NULL), ROOF_OK);
    assert_string_equal(roof_hw_report_problem(report, 0)->pointer, "/values/peak");
    assert_string_equal(roof_hw_report_problem(report, 0)->text, "is missing, the cost model needs it");
    assert_string_equal(roof_hw_report_problem(report, 1)->pointer, "/values/ddr.bandwidth");
    assert_null(roof_hw_report_problem(report, 2));
    roof_hw_report_free(report);
    write_file("mine.json", slow_b4096);
    assert_int_equal(roof_hw_check(path, &report, NULL), ROOF_OK);
    assert_null(roof_hw_report_problem(report, 0));
    assert_value(roof_hw_report_hw(report), "clock", 1e8);
    assert_string_equal(roof_hw_origin(roof_hw_report_hw(report), "peak"), "dpuczdx8g-b4096");
    roof_hw_report_free(report);
    roof_hw_report_free(NULL);
}

static char *builtin_text(const char *id, size_t *size)
{
    char path[512];
    data_path(path, sizeof path, id);
    FILE *file = fopen(path, "rb");
    char *text = malloc(1 << 16);
    assert_true(file && text);
    *size = fread(text, 1, 1 << 16, file);
    (void)fclose(file);
    return text;
}

static void a_truncated_entry_is_an_error_at_every_byte(void **state)
{
    size_t size = 0;
    char *text = builtin_text("zcu102", &size);
    (void)state;
    while (size && text[size - 1] != '}')
        size--;
    for (size_t n = 0; n < size; n++) {
        char *part = malloc(n ? n : 1); /* exactly this long, for the sanitizer */
        roof_hw *hw = (roof_hw *)&hw;
        roof_error err = {0};
        assert_non_null(part);
        memcpy(part, text, n);
        assert_int_equal(load_text(part, n, "part", &hw, &err), ROOF_E_DATA);
        assert_null(hw);
        assert_true(strncmp(err.where, "part", 4) == 0 && *err.what);
        free(part);
    }
    free(text);
}

static void a_damaged_entry_never_crashes(void **state)
{
    size_t size = 0;
    char *text = builtin_text("zcu102", &size);
    char *copy = malloc(size);
    (void)state;
    assert_non_null(copy);
    for (size_t i = 0; i < size; i++)
        for (unsigned k = 0; k < 6; k++) {
            roof_hw *hw = NULL;
            memcpy(copy, text, size);
            copy[i] = "\"{9\xff,\\"[k];
            load_text(copy, size, "damaged", &hw, NULL);
            roof_hw_free(hw);
        }
    free(copy);
    free(text);
}

static void kinds_have_the_words_of_the_documents(void **state)
{
    static const char *const words[] = {"datasheet", "vendor_file", "measured", "derived", "assumed"};
    (void)state;
    for (unsigned i = 0; i < ROOF_KIND_COUNT; i++)
        assert_string_equal(roof_value_kind_text((roof_value_kind)i), words[i]);
    assert_string_equal(roof_value_kind_text(ROOF_KIND_COUNT), "unknown");
}

#define WITH_FOLDER(test) cmocka_unit_test_setup_teardown(test, make_folder, remove_folder)

static void ceilings_of_a_gpu_are_hardware(void **state)
{
    char path[128];
    (void)state;
    write_file("gpu.csv", "device,HBMBw,HBMBwLow,L2Bw,FP32Flops,MFMAF32Flops,MFMAI8Ops\r\n"
                          "0,1000.5,999,5000,20000,40000,160000\r\n1,1,1,1,1,1,1\r\n");
    snprintf(path, sizeof path, "%s/gpu.csv", folder);
    roof_hw *hw = loaded(path);
    assert_string_equal(roof_hw_family(hw), "cpu");
    assert_value(hw, "ddr.bandwidth", 1000.5e9);
    assert_value(hw, "peak.f32", 40e12); /* the faster of two ways */
    assert_value(hw, "peak.rate", 40e12);
    assert_value(hw, "element.bytes", 4);
    assert_value(hw, "peak.int8", 160e12);
    assert_non_null(strstr(roof_hw_get(hw, "peak.f32")->source, "MFMAF32Flops of device 0"));
    assert_non_null(strstr(roof_hw_note(hw, 0), "more devices"));
    roof_hw_free(hw);
}

static void tables_that_are_no_ceilings_are_refused(void **state)
{
    static const struct {
        const char *text, *words;
    } rows[] = {{"Dispatch_ID,GPU_ID\n0,1\n", "begins with 'Dispatch_ID,GPU_ID'"},
                {"device,HBMBw\n0,1\n", "no columns HBMBw and FP32Flops"},
                {"device,HBMBw,FP32Flops\n0,1\n", "a row of 2 cells, want 3"},
                {"device,HBMBw,FP32Flops\n0,fast,1\n", "HBMBw is 'fast'"},
                {"device,HBMBw,FP32Flops\n0,1,0\n", "FP32Flops is '0', want a number above 0"},
                {"device,HBMBw,FP32Flops", "a row of 1 cells"}};
    (void)state;
    for (size_t i = 0; i < COUNT(rows); i++) {
        char path[128];
        roof_hw *hw = NULL;
        roof_error err = {0};
        write_file("gpu.csv", rows[i].text);
        snprintf(path, sizeof path, "%s/gpu.csv", folder);
        if (roof_hw_load(path, &hw, &err) != ROOF_E_DATA || !strstr(err.what, rows[i].words))
            fail_msg("%s: %s", rows[i].text, err.what);
    }
}

/* ---- sizes ---- */

/* Rows of PG338 v4.0, "RAM Usage", low: half the small blocks of a bank times the banks is what is stated. */
static void a_board_can_be_built_in_eight_sizes(void **state)
{
    static const struct {
        const char *name;
        double peak, bram36;
    } rows[] = {{"DPUCZDX8G B1024", 1024, 104}, {"DPUCZDX8G B1152", 1152, 121},
                {"DPUCZDX8G B1600", 1600, 126}, {"DPUCZDX8G B2304", 2304, 165},
                {"DPUCZDX8G B3136", 3136, 208}, {"DPUCZDX8G B4096", 4096, 255},
                {"DPUCZDX8G B512", 512, 72},    {"DPUCZDX8G B800", 800, 90}};
    roof_hw *board = loaded("zcu102"), *hw;
    roof_error err = {0};
    const char *name;
    (void)state;
    for (size_t i = 0; i < COUNT(rows); i++) {
        assert_int_equal(roof_hw_in_size(board, i, &name, &hw, &err), ROOF_OK);
        assert_non_null(hw);
        assert_string_equal(name, rows[i].name);
        assert_value(hw, "peak", rows[i].peak);
        assert_value(hw, "clock", 281e6);
        assert_value(hw, "cores", 3);
        assert_value(hw, "resource.bram36", rows[i].bram36);
        assert_value(hw, "resource.bram36",
                     value_of(hw, "resource.banks") * value_of(hw, "resource.bank_bram18") / 2);
        assert_string_equal(roof_hw_id(hw), "zcu102");
        roof_hw_free(hw);
    }
    assert_int_equal(roof_hw_in_size(board, COUNT(rows), &name, &hw, &err), ROOF_OK);
    assert_null(hw);
    roof_hw_free(board);
}

static void a_size_changes_the_array_alone(void **state)
{
    roof_hw *board = loaded("base=kv260,clock=200MHz,axi.data_ports=1,alu.pixel_parallel=8"), *hw;
    roof_error err = {0};
    const char *name;
    (void)state;
    assert_int_equal(roof_hw_in_size(board, 2, &name, &hw, &err), ROOF_OK);
    assert_value(hw, "clock", 200e6);
    assert_value(hw, "axi.data_ports", 1);
    assert_value(hw, "alu.pixel_parallel", 4); /* of B1600 */
    assert_string_equal(roof_hw_origin(hw, "conv.pixel_parallel"), "dpuczdx8g-b1600");
    assert_string_equal(roof_hw_origin(hw, "device.lut"), "xck26");
    roof_hw_free(hw);
    roof_hw_free(board);
}

static void hardware_of_other_families_has_no_sizes(void **state)
{
    static const char *const boards[] = {"npu2", "stm32n6", "mac=2048/cycle,clock=300MHz"};
    (void)state;
    for (size_t i = 0; i < COUNT(boards); i++) {
        roof_hw *board = loaded(boards[i]), *hw;
        roof_error err = {0};
        const char *name;
        assert_int_equal(roof_hw_in_size(board, 0, &name, &hw, &err), ROOF_OK);
        assert_null(hw);
        roof_hw_free(board);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_builtin_entry_loads_and_every_value_is_worth_reading),
        cmocka_unit_test(builtin_entries_are_listed_in_order_of_id),
        WITH_FOLDER(builtin_entries_are_what_their_files_say),
        cmocka_unit_test(published_peaks_are_reproduced),
        cmocka_unit_test(rates_by_data_type_are_those_of_documents),
        cmocka_unit_test(the_rate_of_a_device_is_that_of_a_data_type_of_its_element),
        cmocka_unit_test(peak_of_every_dpuczdx8g_is_twice_its_lanes),
        cmocka_unit_test(eight_sizes_have_their_names_as_peak),
        cmocka_unit_test(b4096_is_the_one_of_the_kv260),
        cmocka_unit_test(fingerprints_of_real_files_find_their_entry),
        cmocka_unit_test(a_fingerprint_overrides_the_engines_of_its_entry),
        cmocka_unit_test(an_engine_that_is_not_built_in_is_absent),
        cmocka_unit_test(a_fingerprint_without_entry_says_what_it_is),
        cmocka_unit_test(decoded_fingerprints_are_described_in_one_line),
        cmocka_unit_test(decoding_agrees_with_the_listed_entries),
        cmocka_unit_test(names_that_state_something_else_contradict_the_fingerprint),
        cmocka_unit_test(no_fingerprint_crashes_the_decoder),
        cmocka_unit_test(unknown_names_get_the_nearest_ones),
        cmocka_unit_test(a_caveat_goes_with_its_value),
        cmocka_unit_test(a_key_may_have_several_names_in_it),
        cmocka_unit_test(aliases_and_capitals_name_the_same_entry),
        WITH_FOLDER(a_user_file_hides_and_extends_the_builtin_entry),
        WITH_FOLDER(a_description_larger_than_64_mib_is_refused),
        cmocka_unit_test(a_text_extends_the_builtin_entry_of_its_name),
        WITH_FOLDER(the_path_comes_before_the_configuration),
        WITH_FOLDER(a_broken_user_file_is_named_with_its_place),
        WITH_FOLDER(a_broken_user_file_stops_only_what_needs_it),
        WITH_FOLDER(a_folder_that_cannot_be_read_is_named_with_what_to_do),
        WITH_FOLDER(circles_end),
        cmocka_unit_test(a_line_describes_hardware),
        cmocka_unit_test(a_line_changes_an_entry),
        cmocka_unit_test(a_wrong_line_is_a_usage_error_that_names_the_item),
        cmocka_unit_test(a_quantity_can_be_replaced_or_added_but_not_in_a_wrong_unit),
        WITH_FOLDER(a_check_finds_everything_that_is_wrong),
        WITH_FOLDER(a_check_demands_what_the_cycle_law_needs),
        WITH_FOLDER(ceilings_of_a_gpu_are_hardware),
        WITH_FOLDER(tables_that_are_no_ceilings_are_refused),
        cmocka_unit_test(a_truncated_entry_is_an_error_at_every_byte),
        cmocka_unit_test(a_damaged_entry_never_crashes),
        cmocka_unit_test(kinds_have_the_words_of_the_documents),
        cmocka_unit_test(a_board_can_be_built_in_eight_sizes),
        cmocka_unit_test(a_size_changes_the_array_alone),
        cmocka_unit_test(hardware_of_other_families_has_no_sizes),
    };
    return cmocka_run_group_tests_name("hw", tests, no_user_files, NULL);
}
