/* Load runs of one model: what was planted in a sweep comes out of its fit, and nothing that was not. */
#include "model/predict/closed.h"
#include "tests/property/random.h"
#include "tests/unit/profile_fixture.h"

#include <math.h>

/* A sweep that a closed system made, with so much of noise, up and down in turn, or at random. */
typedef struct planted {
    uint32_t cores;
    double service_s, contention_ratio, host_s, noise_ratio; /* below 0: of any size up to that */
    const char *threads;                                     /* "1 2 3 4" */
} planted;

static double planted_seconds(const void *of, double busy, double *memory_ratio)
{
    const planted *p = of;
    *memory_ratio = NAN;
    return p->service_s * (1 + p->contention_ratio * (busy - 1));
}

static double planted_fps(const planted *p, uint32_t threads)
{
    const closed_system c = {
        .cores = p->cores, .service_s = planted_seconds, .of = p, .host_s = p->host_s, .cpu_cores = NAN};
    roof_load_point x = {0};
    closed_point(&c, threads, &x);
    return x.fps;
}

/* Runs in the order of the list; batch 0: not stated. */
static void put_runs(textbuf *out, const planted *p, unsigned batch)
{
    int used;
    unsigned threads, n = 0;
    random_state += !random_state;
    for (const char *at = p->threads; sscanf(at, " %u%n", &threads, &used) == 1; at += used, n++) {
        const double any = 2 * (double)(next_random() >> 11) / (double)(1ULL << 53) - 1;
        const double noise = p->noise_ratio * (p->noise_ratio < 0 ? any : n % 2 ? 1 : -1);
        const double noisy = planted_fps(p, threads) * (1 + noise);
        text_printf(out, "%s{\"mode\":\"load\",\"threads\":%u", n ? "," : "", threads);
        if (p->cores)
            text_printf(out, ",\"cores\":%u", p->cores);
        if (batch)
            text_printf(out, ",\"batch\":%u", batch);
        text_printf(out, ",\"frames_per_s\":%.12g,\"total\":{\"mean_s\":%.12g}}", noisy * (batch ? batch : 1),
                    threads / noisy);
    }
}

typedef struct sweeping {
    roof_measured *measured;
    roof_reconciliation *r;
} sweeping;

static sweeping sweep_text(const char *experiments)
{
    textbuf text;
    roof_error err;
    sweeping s;
    text_init(&text, TEXT_MAX_BYTES);
    text_printf(&text, "{\"schema\":\"roofline.measured/1\",\"experiments\":[%s]}", experiments);
    s.measured = pf_read(text.bytes);
    if (roof_reconcile(s.measured, NULL, NULL, &s.r, &err) != ROOF_OK)
        fail_msg("%s", fx_message(&err));
    text_free(&text);
    return s;
}

static sweeping sweep_of(const planted *p, unsigned batch)
{
    textbuf text;
    text_init(&text, TEXT_MAX_BYTES);
    text_puts(&text, "{\"model\":{\"name\":\"net\"},\"runs\":[");
    put_runs(&text, p, batch);
    text_puts(&text, "]}");
    const sweeping s = sweep_text(text.bytes);
    text_free(&text);
    return s;
}

static void sweeping_free(sweeping *s)
{
    roof_reconciliation_free(s->r);
    roof_measured_free(s->measured);
}

static void assert_near(const char *what, double got, double want, double tolerance)
{
    if (!(fabs(got - want) <= tolerance))
        fail_msg("%s: got %.9g, want %.9g", what, got, want);
}

static void what_was_planted_comes_out(void **state)
{
    static const planted rows[] = {
        {1, 0.010, 0, 0, 0, "1 2 4"},
        {1, 0.010, 0, 0.004, 0, "1 2 3 4"},
        {2, 0.010, 0, 0, 0, "1 2 3 4"},
        {2, 0.010, 0.25, 0, 0, "1 2 3 4 6"},
        {3, 0.010, 0.2, 0.006, 0, "1 2 3 4 6 9"},
        {3, 0.020, 0, 0.010, 0, "1 2 3 6 9"},
    };
    (void)state;
    for (size_t i = 0; i < COUNT(rows); i++) {
        sweeping s = sweep_of(&rows[i], 0);
        const roof_sweep *sweep = &s.r->sweeps[0];
        assert_int_equal(s.r->n_sweeps, 1);
        assert_near("S(1)", sweep->service_s, rows[i].service_s, 1e-3 * rows[i].service_s);
        assert_near("contention", sweep->contention_ratio, rows[i].contention_ratio, 2e-3);
        assert_near("host", sweep->host_s, rows[i].host_s, 2e-3 * rows[i].service_s);
        assert_int_equal(sweep->has_contention, rows[i].contention_ratio > 0);
        assert_int_equal(sweep->has_host, rows[i].host_s > 0);
        assert_true(sweep->error_ratio < 1e-3 && sweep->left_out_ratio < 5e-3);
        sweeping_free(&s);
    }
}

/* Four points are soon met by three constants, which then say what is not there. */
static void noise_is_no_host_and_no_contention(void **state)
{
    static const planted rows[] = {{2, 0.010, 0, 0, 0.01, "1 2 3 4"},
                                   {2, 0.010, 0, 0, 0.03, "1 2 3 4"},
                                   {1, 0.010, 0, 0, 0.02, "1 2 3 4"},
                                   {4, 0.010, 0, 0, 0.02, "1 2 3 4 6 8"}};
    (void)state;
    for (size_t i = 0; i < COUNT(rows); i++) {
        sweeping s = sweep_of(&rows[i], 0);
        const roof_sweep *sweep = &s.r->sweeps[0];
        assert_false(sweep->has_contention || sweep->has_host);
        assert_near("S(1)", sweep->service_s, rows[i].service_s, 2 * rows[i].noise_ratio * 0.010);
        assert_true(sweep->left_out_ratio >= rows[i].noise_ratio / 2);
        sweeping_free(&s);
    }
}

/* With noise of one per cent the best fit may be a tenth off, which its range has to say. */
static void ranges_hold_what_was_planted(void **state)
{
    enum { SETS = 150 };
    uint32_t inside = 0, with_both = 0;
    (void)state;
    random_state = 71;
    for (int i = 0; i < SETS; i++) {
        const double a = (double)(next_random() >> 11) / (double)(1ULL << 53),
                     b = (double)(next_random() >> 11) / (double)(1ULL << 53);
        const planted p = {2 + (uint32_t)i % 3, 0.010, 0.1 + 0.4 * a,
                           0.002 + 0.008 * b,   -0.01, "1 2 3 4 6 8 12"};
        sweeping s = sweep_of(&p, 0);
        const roof_sweep *sweep = &s.r->sweeps[0];
        with_both += sweep->has_contention && sweep->has_host;
        inside += sweep->has_contention && sweep->has_host && sweep->service_range_s[0] <= p.service_s &&
                  p.service_s <= sweep->service_range_s[1] && sweep->host_range_s[0] <= p.host_s &&
                  p.host_s <= sweep->host_range_s[1];
        sweeping_free(&s);
    }
    assert_true(with_both >= SETS / 2);
    if (inside < 0.9 * with_both)
        fail_msg("%u of %u are inside", inside, with_both);
}

static void too_few_points_tell_the_time_of_an_inference_alone(void **state)
{
    static const planted rows[] = {
        {2, 0.010, 0.3, 0, 0, "1"}, {1, 0.010, 0, 0.004, 0, "1"}, {3, 0.010, 0, 0, 0, "1 2"}};
    (void)state;
    for (size_t i = 0; i < COUNT(rows); i++) {
        sweeping s = sweep_of(&rows[i], 0);
        const roof_sweep *sweep = &s.r->sweeps[0];
        assert_false(sweep->has_contention || sweep->has_host);
        assert_near("with the host's part", sweep->service_s, rows[i].service_s + rows[i].host_s, 1e-9);
        sweeping_free(&s);
    }
}

static void a_batch_is_one_inference(void **state)
{
    static const planted one = {2, 0.010, 0.25, 0, 0, "1 2 3 4 6"};
    sweeping s = sweep_of(&one, 8);
    (void)state;
    assert_near("of a batch", s.r->sweeps[0].service_s, 0.010, 1e-5);
    assert_near("frames", s.r->loads[0].fitted_fps, 800, 1);
    sweeping_free(&s);
}

/* Little's law: a rate, its threads and images of a call tell the mean time of a call, if none is stated. */
static void a_rate_tells_what_a_call_takes(void **state)
{
    static const struct {
        const char *run;
        double latency_s;
        bool is_derived;
    } rows[] = {{"\"threads\":2,\"batch\":5,\"frames_per_s\":1009.56", 10 / 1009.56, true},
                {"\"threads\":5,\"frames_per_s\":1.96", 5 / 1.96, true},
                {"\"threads\":4,\"frames_per_s\":100,\"total\":{\"mean_s\":0.05}", 0.05, false},
                {"\"threads\":4", NAN, false}};
    (void)state;
    for (size_t i = 0; i < COUNT(rows); i++) {
        char text[300];
        snprintf(text, sizeof text, "{\"model\":{\"name\":\"net\"},\"runs\":[{\"mode\":\"load\",%s}]}",
                 rows[i].run);
        sweeping s = sweep_text(text);
        const roof_load_run *load = &s.r->loads[0];
        assert_true(isnan(rows[i].latency_s) ? isnan(load->latency_s)
                                             : fabs(load->latency_s / rows[i].latency_s - 1) < 1e-9);
        assert_int_equal(load->latency_is_derived, rows[i].is_derived);
        assert_true(isnan(load->most_fps)); /* there is no prediction */
        sweeping_free(&s);
    }
}

static void nothing_is_fitted_where_the_cores_are_not_known(void **state)
{
    sweeping s = sweep_text("{\"model\":{\"name\":\"net\"},\"runs\":[{\"mode\":\"load\",\"threads\":1,"
                            "\"frames_per_s\":100},{\"mode\":\"load\",\"threads\":2,\"frames_per_s\":150}]}");
    (void)state;
    assert_int_equal(s.r->sweeps[0].cores, 0);
    assert_true(isnan(s.r->sweeps[0].service_s) && isnan(s.r->loads[0].fitted_fps));
    assert_int_equal(s.r->sweeps[0].knee_threads, 2);
    sweeping_free(&s);
}

static void runs_are_sorted_into_sweeps_by_model_and_threads(void **state)
{
    sweeping s = sweep_text(
        "{\"model\":{\"name\":\"a\"},\"runs\":[{\"mode\":\"load\",\"threads\":4,\"frames_per_s\":4},"
        "{\"mode\":\"load\",\"threads\":1,\"frames_per_s\":1}]},"
        "{\"model\":{\"name\":\"b\"},\"runs\":[{\"mode\":\"load\",\"threads\":2,\"frames_per_s\":5}]},"
        "{\"model\":{\"name\":\"a\"},\"runs\":[{\"mode\":\"load\",\"threads\":2,\"frames_per_s\":3.9},"
        "{\"mode\":\"load\",\"threads\":1,\"frames_per_s\":1}]}");
    static const uint32_t threads[] = {1, 2, 4, 2};
    (void)state;
    assert_int_equal(s.r->n_loads, COUNT(threads)); /* the last one equals one before it */
    assert_int_equal(s.r->n_sweeps, 2);
    for (uint32_t i = 0; i < s.r->n_loads; i++)
        assert_int_equal(s.r->loads[i].run->threads, threads[i]);
    assert_int_equal(s.r->sweeps[0].n_loads, 3);
    assert_int_equal(s.r->sweeps[0].knee_threads, 2);
    assert_string_equal(s.r->loads[s.r->sweeps[1].first_load].model, "b");
    assert_int_equal(s.r->n_findings, 1);
    sweeping_free(&s);
}

/* The law of the hardware, with the host of the sweep, beside what was measured a twentieth above it. */
static void the_law_of_the_hardware_stands_beside(void **state)
{
    static const uint32_t threads[] = {1, 2, 3, 6, 9};
    static const roof_load requested = {threads, COUNT(threads), NULL};
    char path[1024];
    roof_graph *graph;
    roof_error err;
    (void)state;
    snprintf(path, sizeof path, "%s/examples/models/resnet50.onnx", getenv("ROOFLINE_SOURCE_DIR"));
    assert_int_equal(roof_graph_read(path, &graph, &err), ROOF_OK);
    roof_prediction *p = fx_predict(graph, "zcu102", &(roof_predict_options){.load = &requested});
    for (unsigned batch = 1; batch <= 2; batch++) {
        textbuf text;
        text_init(&text, TEXT_MAX_BYTES);
        text_puts(
            &text,
            "{\"schema\":\"roofline.measured/1\",\"experiments\":[{\"model\":{\"name\":\"net\"},\"runs\":[");
        for (size_t i = 0; i < COUNT(threads); i++)
            text_printf(&text,
                        "%s{\"mode\":\"load\",\"threads\":%u,\"cores\":3,\"batch\":%u,\"frames_per_s\":%.9g}",
                        i ? "," : "", threads[i], batch, 1.05 * p->throughput.points[i].fps);
        text_puts(&text, "]}]}");
        roof_measured *m = pf_read(text.bytes);
        roof_reconciliation *r;
        assert_int_equal(roof_reconcile(m, (const roof_prediction *const[]){p}, NULL, &r, &err), ROOF_OK);
        for (size_t i = 0; i < COUNT(threads); i++)
            if (batch > 1) /* of which nothing is predicted */
                assert_true(isnan(r->loads[i].law_fps));
            else
                assert_near("law", r->loads[i].law_fps, p->throughput.points[i].fps,
                            5e-3 * p->throughput.points[i].fps);
        if (batch == 1)
            assert_near("error", r->sweeps[0].law_error_ratio, 1 - 1 / 1.05, 2e-3);
        roof_reconciliation_free(r);
        roof_measured_free(m);
        text_free(&text);
    }
    roof_prediction_free(p);
    roof_graph_free(graph);
}

static void cores_that_are_unequal_are_told(void **state)
{
    sweeping s =
        sweep_text("{\"model\":{\"name\":\"net\"},\"runs\":[{\"mode\":\"load\",\"threads\":3,\"cores\":3,"
                   "\"frames_per_s\":90,\"thread_means_s\":[0.03,0.03,0.039]},"
                   "{\"mode\":\"load\",\"threads\":1,\"cores\":3,\"frames_per_s\":33,"
                   "\"thread_means_s\":[0.01]}]}");
    (void)state;
    assert_near("slowest", s.r->sweeps[0].unequal_ratio, 1.3, 1e-9);
    sweeping_free(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(what_was_planted_comes_out),
                                       cmocka_unit_test(noise_is_no_host_and_no_contention),
                                       cmocka_unit_test(ranges_hold_what_was_planted),
                                       cmocka_unit_test(too_few_points_tell_the_time_of_an_inference_alone),
                                       cmocka_unit_test(a_batch_is_one_inference),
                                       cmocka_unit_test(a_rate_tells_what_a_call_takes),
                                       cmocka_unit_test(nothing_is_fitted_where_the_cores_are_not_known),
                                       cmocka_unit_test(runs_are_sorted_into_sweeps_by_model_and_threads),
                                       cmocka_unit_test(the_law_of_the_hardware_stands_beside),
                                       cmocka_unit_test(cores_that_are_unequal_are_told)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
