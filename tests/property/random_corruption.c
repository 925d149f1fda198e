/* Damaged files: whatever random bytes do to a model, reading and predicting end in an error or in numbers
 * that are numbers. ROOF_SEED sets where to start; a failure prints the seed of its file. */
#include "tests/property/random.h"
#include "tests/unit/fixture.h"

enum { ROUNDS = 20000 };

static size_t below(size_t n)
{
    return (size_t)((next_random() >> 11) % n);
}

/* ---- ways to damage ---- */

static void change_bytes(fx_net *f)
{
    for (size_t n = 1 + below(8); n > 0; n--)
        f->bytes[below(f->size_bytes)] = (uint8_t)next_random();
}

static void flip_bits(fx_net *f)
{
    for (size_t n = 1 + below(4); n > 0; n--)
        f->bytes[below(f->size_bytes)] ^= (uint8_t)(1u << below(8));
}

static void cut(fx_net *f)
{
    fx_net shorter = {.size_bytes = 1 + below(f->size_bytes)};
    shorter.bytes = fx_copy(f->bytes, shorter.size_bytes);
    fx_close(f);
    *f = shorter;
}

/* A piece moves over another one of the same length: fields in places where they do not belong. */
static void move_piece(fx_net *f)
{
    size_t length = 1 + below(f->size_bytes / 4);
    memmove(f->bytes + below(f->size_bytes - length), f->bytes + below(f->size_bytes - length), length);
}

static void repeat_tail(fx_net *f)
{
    size_t start = below(f->size_bytes);
    uint8_t *tail = fx_copy(f->bytes + start, f->size_bytes - start);
    fx_append(f, tail, f->size_bytes - start);
    free(tail);
}

static void extreme_varints(fx_net *f)
{
    for (size_t n = 1 + below(3); n > 0; n--) {
        size_t at = below(f->size_bytes);
        for (size_t i = 0; i < 10 && at + i < f->size_bytes; i++)
            f->bytes[at + i] = i == 9 ? 0x01 : 0xff;
    }
}

static void (*const ways[])(fx_net *f) = {change_bytes, flip_bits,   cut,
                                          move_piece,   repeat_tail, extreme_varints};

/* ---- what must hold ---- */

static void assert_number(uint64_t seed, const char *what, double value)
{
    if (isinf(value) || value < 0)
        fail_msg("ROOF_SEED=%" PRIu64 ": %s is %g", seed, what, value);
}

static void assert_row(uint64_t seed, const roof_layer_prediction *row)
{
    assert_number(seed, "ideal_s", row->deployed.ideal_s);
    assert_number(seed, "ideal_s alone", row->has_alone ? row->alone.ideal_s : 0);
    assert_number(seed, "intensity", row->intensity_ops_per_byte);
    assert_number(seed, "attainable", row->attainable_ops_per_s);
    assert_number(seed, "utilisation", row->utilisation_ratio);
}

static void assert_sane(uint64_t seed, const roof_prediction *p)
{
    uint64_t macs = 0, ideal = 0;
    for (uint32_t i = 0; i < p->n_layers; i++) {
        const roof_layer_prediction *row = &p->layers[i];
        assert_row(seed, row);
        macs += row->macs == ROOF_UNKNOWN ? 0 : row->macs;
        ideal += row->deployed.bytes_basis == ROOF_BASIS_NONE ? 0 : row->deployed.ideal_cycles;
    }
    if (fx_count_findings(p, ROOF_FINDING_MISFIT)) {
        if (p->total.macs != ROOF_UNKNOWN || p->total.deployed.ideal_cycles != ROOF_UNKNOWN)
            fail_msg("ROOF_SEED=%" PRIu64 ": a sum over what cannot run", seed);
        return;
    }
    if (macs != p->total.macs || ideal != p->total.deployed.ideal_cycles)
        fail_msg("ROOF_SEED=%" PRIu64 ": rows do not sum to the total", seed);
    if (!isfinite(p->total.deployed.ideal_s))
        fail_msg("ROOF_SEED=%" PRIu64 ": the total is %g s", seed, p->total.deployed.ideal_s);
    assert_number(seed, "rate", p->total.inferences_per_s);
    assert_number(seed, "unattributed", p->total.unattributed_bytes_ratio);
    assert_true(p->total.unattributed_bytes_ratio <= 1 && p->total.unattributed_cycles_ratio <= 1);
    assert_true(p->total.floor_cycles <= p->total.deployed.ideal_cycles);
}

static void assert_error(uint64_t seed, roof_status status, const roof_error *err)
{
    if (err->status != status || !err->what[0])
        fail_msg("ROOF_SEED=%" PRIu64 ": status %d without an error", seed, (int)status);
    if (status != ROOF_E_DATA && status != ROOF_E_LIMIT && status != ROOF_E_UNSUPPORTED)
        fail_msg("ROOF_SEED=%" PRIu64 ": %s", seed, fx_message(err));
    const char *text = fx_message(err);
    for (; *text; text++)
        if ((unsigned char)*text < 0x20 || *text == 0x7f)
            fail_msg("ROOF_SEED=%" PRIu64 ": the message holds byte 0x%02x", seed, (unsigned char)*text);
}

/* 1 for a file that could still be read. */
static size_t try_file(uint64_t seed, const fx_net *f, const roof_hw *hw)
{
    roof_graph *graph = NULL;
    roof_prediction *p = NULL;
    roof_error err = {0};
    roof_status status = graph_read_memory(f->bytes, f->size_bytes, "damaged.xmodel", &graph, &err);
    if (status != ROOF_OK) {
        assert_error(seed, status, &err);
        return 0;
    }
    status = roof_predict(graph, hw, NULL, &p, &err);
    if (status == ROOF_OK)
        assert_sane(seed, p);
    else
        assert_error(seed, status, &err);
    roof_prediction_free(p);
    roof_graph_free(graph);
    return 1;
}

static void damage_all(const char *network, const xn_config *config)
{
    size_t read = 0;
    roof_hw *hw = fx_hw("b4096");
    fx_net whole = fx_written(xn_find_network(network)->build(config, NULL), NULL);
    for (uint64_t i = 0; i < ROUNDS; i++) {
        uint64_t seed = first_seed() + i;
        random_state = seed * 0x9e3779b97f4a7c15 + 1;
        fx_net f = {.bytes = fx_copy(whole.bytes, whole.size_bytes), .size_bytes = whole.size_bytes};
        for (size_t n = 1 + below(3); n > 0; n--)
            ways[below(COUNT(ways))](&f);
        read += try_file(seed, &f, hw);
        fx_close(&f);
    }
    fx_close(&whole);
    roof_hw_free(hw);
    assert_in_range(read, 1,
                    ROUNDS - 1); /* else nothing was tried beyond the reader, or nothing was damaged */
}

static void damaged_compiled_models_end_in_errors_or_numbers(void **state)
{
    const xn_config config = {.layer_code = true};
    (void)state;
    damage_all("tiny", &config);
}

static void damaged_quantised_models_end_in_errors_or_numbers(void **state)
{
    (void)state;
    damage_all("quantised", NULL);
}

/* Nothing but noise, behind a first byte that looks right. */
static void noise_is_refused(void **state)
{
    roof_hw *hw = fx_hw("b4096");
    (void)state;
    for (uint64_t i = 0; i < ROUNDS; i++) {
        uint64_t seed = first_seed() + i;
        random_state = seed * 0x9e3779b97f4a7c15 + 1;
        fx_net f = {.size_bytes = 1 + below(300)};
        f.bytes = malloc(f.size_bytes);
        assert_non_null(f.bytes);
        for (size_t b = 0; b < f.size_bytes; b++)
            f.bytes[b] = (uint8_t)(next_random() >> 13);
        f.bytes[0] = (const uint8_t[]){0x0a, 0x2a, 0x52, 0x5a}[below(4)];
        assert_int_equal(try_file(seed, &f, hw), 0);
        fx_close(&f);
    }
    roof_hw_free(hw);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(damaged_compiled_models_end_in_errors_or_numbers),
        cmocka_unit_test(damaged_quantised_models_end_in_errors_or_numbers),
        cmocka_unit_test(noise_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
