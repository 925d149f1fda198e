/* Random predictions and calibrations: what was written is read as the same, member by member, and written
 * the same, byte by byte. ROOF_SEED sets where to start; a failure prints the seed of its document. */
#include "core/error.h"
#include "model/documents/documents.h"
#include "reports/words/prediction_words.h"
#include "tests/property/random.h"
#include "tests/support/codec_random.h"
#include "tests/support/memory_io.h"
#include "tests/unit/fixture.h"

enum { DOCUMENTS = 3000 };

static uint64_t seed_random(uint64_t i)
{
    uint64_t seed = first_seed() + i;
    random_state = seed * 0x9e3779b97f4a7c15 + 1;
    return seed;
}

static uint32_t below(uint32_t n)
{
    return (uint32_t)((next_random() >> 11) % n);
}

static void assert_same(uint64_t seed, const char *difference, const textbuf *first, const textbuf *second)
{
    if (difference)
        fail_msg("ROOF_SEED=%" PRIu64 ": %s came back as something else\n%s", seed, difference, first->bytes);
    size_t same = 0;
    while (first->bytes[same] && first->bytes[same] == second->bytes[same])
        same++;
    size_t from = same < 60 ? 0 : same - 60;
    if (first->bytes[same] || second->bytes[same])
        fail_msg("ROOF_SEED=%" PRIu64 ": got\n%.200s\nwant\n%.200s", seed, second->bytes + from,
                 first->bytes + from);
}

/* ---- predictions ---- */

static const char *engines[] = {"conv", "alu", "dd\xc3\xa9r.0"};

static uint64_t *random_cycles(roof_arena *arena)
{
    uint64_t *cycles = NEW_ARRAY(arena, uint64_t, COUNT(engines));
    for (size_t e = 0; e < COUNT(engines); e++)
        cycles[e] = below(4) ? next_random() >> (11 + below(53)) : ROOF_UNKNOWN;
    return cycles;
}

static uint32_t random_engine(void)
{
    return below(4) ? below(COUNT(engines)) : ROOF_NONE;
}

static void random_cost(roof_cost *cost, roof_arena *arena)
{
    cost->cycles = random_cycles(arena);
    cost->ideal_cycles = below(4) ? next_random() >> 12 : ROOF_UNKNOWN;
    cost->bound = random_engine();
}

static void random_transfers(roof_layer_prediction *l, roof_arena *arena)
{
    l->transfers = NEW_ARRAY(arena, roof_transfer, COUNT(engines));
    for (uint32_t e = 0; e < COUNT(engines); e++)
        if (below(2))
            l->transfers[l->n_transfers++] = (roof_transfer){
                .memory = e, .read_bytes = below(2) ? below(1000) : ROOF_UNKNOWN, .write_bytes = below(1000)};
}

static void random_layer(roof_prediction *p, uint32_t i, roof_arena *arena)
{
    roof_layer_prediction *l = &p->layers[i];
    random_cost(&l->deployed, arena);
    random_cost(&l->alone, arena);
    l->index = below(2) ? i + 1 : below(1000000);
    l->executor = below(2) ? ROOF_BY_NOBODY : ROOF_BY_ACCELERATOR;
    l->repeat = 1 + below(100);
    l->estimate.cycles = below(2) ? next_random() >> 12 : ROOF_UNKNOWN;
    l->estimate.bound = random_engine();
    l->roof = random_engine();
    l->n_operators = l->n_nodes = l->n_operators < l->n_nodes ? l->n_operators : l->n_nodes;
    for (uint32_t k = 0; k < l->n_nodes; k++)
        l->nodes[k] = below(1000000);
    if (p->hardware.has_pools)
        random_transfers(l, arena);
}

static roof_prediction *random_prediction(roof_arena *arena)
{
    roof_prediction *p = NEW(arena, roof_prediction);
    codec_fill(&prediction_object, p, next_random, arena);
    p->engines = engines;
    p->n_engines = COUNT(engines);
    for (uint32_t i = 0; i < p->hardware.n_ceilings; i++)
        ((roof_ceiling *)p->hardware.ceilings)[i].engine = engines[below(COUNT(engines))];
    for (uint32_t i = 0; i < p->hardware.n_constants; i++)
        ((roof_quantity *)p->hardware.constants)[i].key = "clock";
    for (uint32_t i = 0; i < p->hardware.n_constants; i++)
        ((roof_quantity *)p->hardware.constants)[i].kind = (roof_value_kind)below(ROOF_KIND_COUNT);
    for (uint32_t i = 0; i < p->hardware.n_pools; i++)
        p->hardware.pools[i].name = engines[below(COUNT(engines))];
    p->options.batch = below(100);
    if (!(p->hardware.clock_hz > 0)) /* at which no cycle would ever end: it is read as not known */
        p->hardware.clock_hz = NAN;
    random_cost(&p->total.deployed, arena);
    random_cost(&p->total.alone, arena);
    p->total.estimate.cycles = below(2) ? next_random() >> 12 : ROOF_UNKNOWN;
    p->total.floor_bound = random_engine();
    for (uint32_t i = 0; i < p->n_layers; i++)
        random_layer(p, i, arena);
    for (uint32_t i = 0; i < p->n_findings; i++)
        p->findings[i].kind = (roof_finding_kind)below(ROOF_FINDING_COUNT);
    return p;
}

static roof_prediction *read_prediction(uint64_t seed, const textbuf *text)
{
    json_event event;
    roof_error err = {0};
    roof_prediction *p = NULL;
    codec c = {.puller = jsonpull_of_memory(text->bytes, text->length), .err = &err};
    assert_non_null(c.puller);
    assert_int_equal(jsonpull_next(c.puller, &event, NULL), ROOF_OK);
    if (prediction_codec_read(&c, &event, &p) != ROOF_OK)
        fail_msg("ROOF_SEED=%" PRIu64 ": %s\n%s", seed, fx_message(&err), text->bytes);
    jsonpull_free(c.puller);
    return p;
}

static void assert_same_cycles(const roof_prediction *got, const roof_cost *g, const roof_cost *w)
{
    for (size_t e = 0; got->n_engines && e < COUNT(engines); e++)
        assert_int_equal(g->cycles[e], w->cycles[e]);
    assert_int_equal(g->ideal_cycles, w->ideal_cycles);
}

static void predictions_come_back(void **state)
{
    (void)state;
    for (uint64_t i = 0; i < DOCUMENTS; i++) {
        textbuf first, second;
        uint64_t seed = seed_random(i);
        roof_arena *arena = arena_new(0);
        assert_non_null(arena);
        roof_prediction *want = random_prediction(arena);
        text_init(&first, TEXT_MAX_BYTES);
        text_init(&second, TEXT_MAX_BYTES);
        prediction_codec_write(want, &words_of_predictions, &first);
        roof_prediction *got = read_prediction(seed, &first);
        want->causes = got->causes; /* which are not read but found again */
        want->n_causes = got->n_causes;
        text_free(&first);
        text_init(&first, TEXT_MAX_BYTES);
        prediction_codec_write(want, &words_of_predictions, &first);
        prediction_codec_write(got, &words_of_predictions, &second);
        assert_same(seed, codec_difference(&prediction_object, want, got, want), &first, &second);
        for (uint32_t k = 0; k < want->n_layers; k++)
            assert_same_cycles(got, &got->layers[k].deployed, &want->layers[k].deployed);
        assert_same_cycles(got, &got->total.deployed, &want->total.deployed);
        text_free(&first);
        text_free(&second);
        roof_prediction_free(got);
        arena_free(arena);
    }
}

/* ---- calibrations ---- */

static roof_calibration *random_calibration(void)
{
    roof_calibration *c = roof_calibration_new();
    assert_non_null(c);
    codec_fill(&calibration_object, c, next_random, c->arena);
    const codec_member *parameters = calibration_object.members;
    while (strcmp(parameters->key, "parameters") != 0)
        parameters++;
    if (!c->n_parameters)
        codec_fill(parameters->object, &c->parameters[c->n_parameters++], next_random, c->arena);
    for (uint32_t i = 0; i < c->n_parameters; i++) {
        roof_parameter *p = &c->parameters[i];
        p->value = (double)(1 + below(1000)) / 1000;
        p->most = below(2) ? INFINITY : 1 + (double)below(1000);
        p->most += p->value >= p->most;
        for (uint32_t k = 0; k < c->n_parameters; k++)
            c->covariance[i][k] = (double)below(1000) / 500 - 1;
    }
    return c;
}

static void calibrations_come_back(void **state)
{
    (void)state;
    for (uint64_t i = 0; i < DOCUMENTS; i++) {
        textbuf first, second;
        roof_error err = {0};
        uint64_t seed = seed_random(i);
        roof_calibration *want = random_calibration(), *got = NULL;
        text_init(&first, TEXT_MAX_BYTES);
        text_init(&second, TEXT_MAX_BYTES);
        assert_int_equal(roof_calibration_write(want, (roof_sink){memory_write, &first}, NULL), ROOF_OK);
        memory_source source = {first.bytes, first.length, 1 + below(5000)};
        if (calibration_read_from(memory_read, &source, "c.json", &got, &err) != ROOF_OK)
            fail_msg("ROOF_SEED=%" PRIu64 ": %s\n%s", seed, fx_message(&err), first.bytes);
        assert_int_equal(roof_calibration_write(got, (roof_sink){memory_write, &second}, NULL), ROOF_OK);
        assert_same(seed, codec_difference(&calibration_object, want, got, NULL), &first, &second);
        text_free(&first);
        text_free(&second);
        roof_calibration_free(got);
        roof_calibration_free(want);
    }
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(predictions_come_back),
        cmocka_unit_test(calibrations_come_back),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
