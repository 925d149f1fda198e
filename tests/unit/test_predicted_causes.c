/* Causes of predictions: what is planted comes first, with the gain that follows from the cycles, or that a
 * prediction of the change has; a network in which all is even has none. */
#include "model/predict/causes/predicted_cause.h"
#include "tests/unit/drawn_fixture.h"
#include "tests/unit/fixture.h"

enum { CONV, MEMORY, LAYERS = 4 };

/* Cycles of "conv" and "memory". At 1 MHz a cycle is a microsecond. */
static const uint64_t cycles[LAYERS][2] = {{100, 40}, {60, 80}, {30, 10}, {5, 5}};

static uint64_t cycles_of(uint32_t layer, uint32_t engine)
{
    return cycles[layer][engine];
}

static roof_prediction *network(roof_arena *arena)
{
    roof_prediction *p = df_network(arena, LAYERS, 2, cycles_of);
    p->arena = arena;
    p->engines[MEMORY] = "memory";
    p->total.layers = LAYERS;
    p->options.batch = 1;
    p->total.deployed.traffic.instruction_bytes = ROOF_UNKNOWN;
    p->schedule.scheduled_s = NAN;
    for (uint32_t i = 0; i < LAYERS; i++) {
        p->layers[i].type = "conv";
        p->layers[i].macs = 1000;
    }
    return p;
}

/* ---- planted ---- */

static void plant_nothing(roof_prediction *p)
{
    (void)p;
}

/* Memory twice as slow: it binds all layers but the first. */
static void plant_memory(roof_prediction *p)
{
    p->total.deployed.ideal_cycles = 0;
    for (uint32_t i = 0; i < LAYERS; i++) {
        roof_cost *c = &p->layers[i].deployed;
        c->cycles[MEMORY] *= 4;
        c->bound = c->cycles[MEMORY] > c->cycles[CONV] ? MEMORY : CONV;
        c->ideal_cycles = c->cycles[c->bound];
        p->total.deployed.ideal_cycles += c->ideal_cycles;
    }
    p->total.deployed.ideal_s = (double)p->total.deployed.ideal_cycles / p->hardware.clock_hz;
}

static void plant_lanes(roof_prediction *p)
{
    p->hardware.batch_lanes = 4;
}

static void plant_half_full_lanes(roof_prediction *p)
{
    p->hardware.batch_lanes = 3;
    p->options.batch = 4; /* two passes of three lanes */
}

/* A schedule of 400 us that takes 250 us with instructions at twice the speed. */
static void plant_instructions(roof_prediction *p)
{
    static roof_what_if what_ifs[] = {
        {.label = "fetch x2", .best_s = NAN, .expected_s = 250e-6, .of_causes = true},
        {.label = "conv x2", .best_s = NAN, .expected_s = 390e-6, .of_causes = true}};
    p->schedule.scheduled_s = 300e-6;
    p->total.predicted_s = 400e-6;
    p->schedule.what_ifs = what_ifs;
    p->schedule.n_what_ifs = 2;
}

static void plant_replayed(roof_prediction *p)
{
    static roof_what_if what_ifs[] = {
        {.label = "conv x2", .best_s = 240e-6, .expected_s = NAN, .of_causes = true}};
    p->schedule.scheduled_s = 300e-6;
    p->schedule.what_ifs = what_ifs;
    p->schedule.n_what_ifs = 1;
}

static void plant_fallback(roof_prediction *p)
{
    p->layers[3].executor = ROOF_BY_HOST;
    p->layers[3].deployed.bound = ROOF_NONE;
}

static void what_is_planted_comes_first_with_its_gain(void **state)
{
    static const struct {
        void (*plant)(roof_prediction *p);
        roof_cause_kind kind;
        double gain_us, of_us; /* NaN: not known */
        roof_certainty sure;
        uint32_t n_units, first_unit;
    } rows[] = {
        /* conv binds 100, 30 and 5 of 215, and at twice its speed 50, 15 and 5 are left */
        {plant_nothing, ROOF_CAUSE_COMPUTE, 65, 215, ROOF_SURE_BOUND, 3, 0},
        /* 160, 320, 40, 20: all are bound by memory, and 100, 160, 30, 10 are left */
        {plant_memory, ROOF_CAUSE_MEMORY, 240, 540, ROOF_SURE_BOUND, 4, 1},
        {plant_lanes, ROOF_CAUSE_LANES, 0.75 * 215, 215, ROOF_SURE_BOUND, 0, 0},
        {plant_half_full_lanes, ROOF_CAUSE_LANES, 215 / 3.0, 215, ROOF_SURE_BOUND, 0, 0},
        {plant_instructions, ROOF_CAUSE_INSTRUCTIONS, 150, 400, ROOF_SURE_REPLAY, 0, 0},
        {plant_replayed, ROOF_CAUSE_COMPUTE, 60, 300, ROOF_SURE_REPLAY, 3, 0},
        {plant_fallback, ROOF_CAUSE_FALLBACK, NAN, NAN, ROOF_SURE_GUESS, 1, 3},
    };
    (void)state;
    for (size_t i = 0; i < COUNT(rows); i++) {
        roof_arena *arena = arena_new(0);
        roof_prediction *p = network(arena);
        rows[i].plant(p);
        assert_int_equal(predicted_causes_find(p, NULL), ROOF_OK);
        assert_true(p->n_causes > 0);
        const roof_cause *c = &p->causes[0];
        if (c->kind != rows[i].kind)
            fail_msg("%zu: %s of %g us comes first", i, roof_cause_text(c->kind), 1e6 * c->gain_s);
        assert_int_equal(c->sure, rows[i].sure);
        assert_int_equal(c->n_units, rows[i].n_units);
        assert_true(!c->n_units || c->units[0] == rows[i].first_unit);
        assert_true(isnan(rows[i].gain_us) ? isnan(c->gain_s)
                                           : fabs(1e6 * c->gain_s - rows[i].gain_us) < 1e-6);
        assert_true(isnan(rows[i].of_us) || fabs(c->share_ratio - rows[i].gain_us / rows[i].of_us) < 1e-9);
        arena_free(arena);
    }
}

/* Engines that all take equally long: none of them alone is worth a change. */
static void what_is_even_has_no_cause(void **state)
{
    roof_arena *arena = arena_new(0);
    roof_prediction *p = network(arena);
    (void)state;
    for (uint32_t i = 0; i < LAYERS; i++)
        p->layers[i].deployed.cycles[CONV] = p->layers[i].deployed.cycles[MEMORY] =
            p->layers[i].deployed.ideal_cycles;
    assert_int_equal(predicted_causes_find(p, NULL), ROOF_OK);
    assert_int_equal(p->n_causes, 0);
    arena_free(arena);
}

/* What the cause says of the memory is what a prediction with twice the bandwidth gains. */
static void the_gain_is_that_of_a_prediction_with_twice_the_bandwidth(void **state)
{
    static const char *const bandwidths[] = {"0.6GB/s", "1.2GB/s", "2.4GB/s"};
    (void)state;
    for (size_t i = 0; i < COUNT(bandwidths); i++) {
        char spec[80];
        fx_net net = fx_open(xn_find_network("mobilenetv2")->build(NULL, NULL), NULL);
        snprintf(spec, sizeof spec, "mac=2048/cycle,clock=300MHz,ddr=%s", bandwidths[i]);
        roof_prediction *p = fx_predict(net.graph, spec, NULL), *faster;
        const roof_predict_options twice = {.bandwidth_bytes_per_s = 2 * p->hardware.bandwidth_bytes_per_s};
        faster = fx_predict(net.graph, spec, &twice);
        assert_true(p->n_causes > 0 && p->causes[0].kind == ROOF_CAUSE_MEMORY);
        double gain_s = p->total.deployed.ideal_s - faster->total.deployed.ideal_s;
        assert_true(fabs(p->causes[0].gain_s / gain_s - 1) < 1e-3); /* cycles are whole */
        roof_prediction_free(p);
        roof_prediction_free(faster);
        fx_close(&net);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_is_planted_comes_first_with_its_gain),
        cmocka_unit_test(what_is_even_has_no_cause),
        cmocka_unit_test(the_gain_is_that_of_a_prediction_with_twice_the_bandwidth),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
