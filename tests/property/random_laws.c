/* What holds for every law and every entry of the database, whatever the network is: properties P1 and P3 to
 * P5 of docs/hardware/cpu.md, "One cache for the whole pass" (P2 is of rows, tests/unit/test_law_pass.c), and
 * that no answer moves more bytes in its time than its memory does. ROOF_SEED sets where to start. */
#include "core/text.h"
#include "tests/property/random.h"
#include "tests/support/onnx_text_net.h"
#include "tests/support/sample.h"

#include <math.h>

enum { ROUNDS = 24, MOST_CONVOLUTIONS = 5 };

/* Cycles are whole ones, and a batch of no rows has some. */
#define SLACK 1e-3

static uint32_t between(uint32_t low, uint32_t high)
{
    return low + (uint32_t)((next_random() >> 33) % (high - low + 1));
}

typedef struct chain {
    uint32_t n, pixels, channels[MOST_CONVOLUTIONS + 1], kernels[MOST_CONVOLUTIONS];
} chain;

static chain random_chain(void)
{
    chain c = {.n = between(1, MOST_CONVOLUTIONS), .pixels = 1u << between(0, 6)};
    for (uint32_t i = 0; i <= c.n; i++)
        c.channels[i] = 16 * between(1, 64);
    for (uint32_t i = 0; i < c.n; i++)
        c.kernels[i] = between(0, 1) ? 1 : 3;
    return c;
}

/* Convolutions that keep height and width, each with weights of its own. */
static void put_chain(textbuf *text, const chain *c, char name)
{
    text_printf(text, "input %c0 float 1,%u,%u,%u\n", name, c->channels[0], c->pixels, c->pixels);
    for (uint32_t i = 0; i < c->n; i++)
        text_printf(text, "weights %cw%u float %u,%u,%u,%u\nConv %c%u,%cw%u -> %c%u pads=[%u,%u,%u,%u]\n",
                    name, i, c->channels[i + 1], c->channels[i], c->kernels[i], c->kernels[i], name, i, name,
                    i, name, i + 1, c->kernels[i] / 2, c->kernels[i] / 2, c->kernels[i] / 2,
                    c->kernels[i] / 2);
    text_printf(text, "output %c%u\n", name, c->n);
}

/* One of them, or both in one file, one after another. */
static fx_net net_of(const chain *a, const chain *b)
{
    textbuf text;
    text_init(&text, 1 << 16);
    put_chain(&text, a, 'a');
    if (b)
        put_chain(&text, b, 'b');
    fx_net net = onnx_text_net(text.bytes);
    text_free(&text);
    return net;
}

/* NULL: the family predicts no such file. */
static roof_prediction *predicted(const fx_net *net, const roof_hw *hw, uint32_t batch, double bandwidth)
{
    const roof_predict_options options = {.batch = batch, .bandwidth_bytes_per_s = bandwidth};
    roof_prediction *p = NULL;
    roof_error err = {0};
    const roof_status status = roof_predict(net->graph, hw, &options, &p, &err);
    assert_true(status == ROOF_OK || status == ROOF_E_DATA || status == ROOF_E_USAGE);
    return p;
}

typedef struct times {
    double sum_s, best_s; /* of rows one after another; at best */
} times;

static times times_of(const fx_net *net, const roof_hw *hw, uint32_t batch, double bandwidth)
{
    roof_prediction *p = predicted(net, hw, batch, bandwidth);
    const times t = p ? (times){p->total.deployed.ideal_s, roof_best_s(p)} : (times){NAN, NAN};
    roof_prediction_free(p);
    return t;
}

static double largest_cache_bytes(const roof_hw *hw, const char **key)
{
    static const char *const keys[] = {"l1.bytes", "l2.bytes", "l3.bytes"};
    double most = 0;
    for (size_t i = 0; i < COUNT(keys); i++) {
        const roof_quantity *q = roof_hw_get(hw, keys[i]);
        if (q && q->value > most) {
            most = q->value;
            *key = keys[i];
        }
    }
    return most;
}

typedef struct tally {
    const char *families[64];
    uint32_t entries, n_families, checks;
} tally;

static void hold(tally *t, bool holds, const char *id, const char *what, double a, double b)
{
    t->checks++;
    if (!holds)
        fail_msg("ROOF_SEED=%" PRIu64 ": %s: %s: %.9g and %.9g", first_seed(), id, what, a, b);
}

/* At any level no more bytes than its bandwidth has room for, in no answer. */
static void hold_bytes(tally *t, const roof_hw *hw, const roof_prediction *p, double cache_bytes)
{
    const double rate = p->hardware.bandwidth_bytes_per_s, sum_s = p->total.deployed.ideal_s;
    const double weights = (double)p->total.deployed.traffic.weights_bytes;
    const double answers_s[] = {sum_s, roof_best_s(p), p->total.predicted_s};
    for (size_t i = 0; i < COUNT(answers_s); i++)
        if (rate > 0 && !isnan(answers_s[i]) && p->total.deployed.traffic.weights_bytes != ROOF_UNKNOWN)
            hold(t, (weights - cache_bytes) / rate <= answers_s[i] * (1 + SLACK), roof_hw_id(hw), "P1",
                 (weights - cache_bytes) / rate, answers_s[i]);
    for (uint32_t e = 0; e < p->facts_of_verdict.n_binding; e++) {
        const uint64_t cycles = p->total.deployed.cycles[e];
        const double busy_s = cycles == ROOF_UNKNOWN ? 0 : (double)cycles / p->hardware.clock_hz;
        hold(t, busy_s <= sum_s * (1 + SLACK) || isnan(sum_s), roof_hw_id(hw), p->engines[e], busy_s, sum_s);
    }
}

static void check_entry(tally *t, const roof_hw *hw, const chain *a, const chain *b)
{
    const char *id = roof_hw_id(hw), *key = NULL;
    fx_net one = net_of(a, NULL), other = net_of(b, NULL), both = net_of(a, b);
    const double cache_bytes = largest_cache_bytes(hw, &key), bandwidth = roof_hw_own_bandwidth(hw);
    roof_prediction *p = predicted(&one, hw, 1, 0);
    const times first = times_of(&one, hw, 1, 0), second = times_of(&other, hw, 1, 0),
                together = times_of(&both, hw, 1, 0);
    if (p && !isnan(first.sum_s) && !isnan(second.sum_s)) {
        hold_bytes(t, hw, p, cache_bytes);
        const double saved_s = cache_bytes > 0 && bandwidth > 0 ? cache_bytes / bandwidth : 0;
        hold(t, together.sum_s >= (first.sum_s + second.sum_s - saved_s) * (1 - SLACK), id, "P3",
             together.sum_s, first.sum_s + second.sum_s - saved_s);
        if (bandwidth > 0) {
            const times faster = times_of(&one, hw, 1, 1.5 * bandwidth);
            hold(t, faster.sum_s <= first.sum_s * (1 + SLACK) && faster.best_s <= first.best_s * (1 + SLACK),
                 id, "P4, bandwidth", faster.sum_s, first.sum_s);
        }
        if (key) {
            roof_hw *larger;
            roof_error err = {0};
            assert_int_equal(roof_hw_copy(hw, &larger, &err), ROOF_OK);
            assert_int_equal(roof_hw_set(larger, key, floor(1.5 * cache_bytes), "B", "test", &err), ROOF_OK);
            const times of_larger = times_of(&one, larger, 1, 0);
            hold(t, of_larger.sum_s <= first.sum_s * (1 + SLACK), id, "P4, cache", of_larger.sum_s,
                 first.sum_s);
            roof_hw_free(larger);
        }
        times before = first;
        for (uint32_t batch = 2; batch <= 8; batch *= 2) {
            const times now = times_of(&one, hw, batch, 0);
            if (isnan(now.sum_s))
                break;
            hold(t, now.sum_s >= first.sum_s * (1 - SLACK) && now.best_s >= first.best_s * (1 - SLACK), id,
                 "P5, not faster", now.sum_s, first.sum_s);
            /* inputs of the first half may have been in the cache, those of the second not */
            hold(t, now.sum_s <= (2 * before.sum_s + saved_s) * (1 + SLACK), id, "P5, an image", now.sum_s,
                 2 * before.sum_s + saved_s);
            before = now;
        }
    }
    roof_prediction_free(p);
    fx_close(&one);
    fx_close(&other);
    fx_close(&both);
}

static void every_entry_keeps_what_bytes_and_caches_need(void **state)
{
    (void)state;
    tally t = {0};
    random_state = first_seed();
    const uint32_t rounds = sample_of(ROUNDS, 8);
    const roof_hw_listing *entry;
    for (size_t i = 0; (entry = roof_hw_builtin(i)); i++) {
        roof_hw *hw;
        roof_error err = {0};
        const uint32_t before = t.checks;
        assert_int_equal(roof_hw_load(entry->id, &hw, &err), ROOF_OK);
        for (uint32_t round = 0; round < rounds; round++) {
            const chain a = random_chain(), b = random_chain();
            check_entry(&t, hw, &a, &b);
        }
        t.entries += t.checks > before;
        uint32_t k = 0;
        while (k < t.n_families && strcmp(t.families[k], entry->family) != 0)
            k++;
        if (t.checks > before && k == t.n_families && k < COUNT(t.families))
            t.families[t.n_families++] = entry->family;
        roof_hw_free(hw);
    }
    printf("%u checks of %u entries of %u families\n", t.checks, t.entries, t.n_families);
    assert_true(t.entries > 100 && t.n_families >= 10);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(every_entry_keeps_what_bytes_and_caches_need)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
