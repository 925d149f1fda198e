/* Threads, cores and a host: what the law says where it can be said by hand, and what must hold always. */
#include "model/predict/closed.h"
#include "tests/property/random.h"
#include "tests/unit/fixture.h"

#include <math.h>

/* S(n) = alone + slope (n - 1), of which memory sets a part that grows with n. */
typedef struct linear {
    double alone_s, slope_s, memory_ratio;
} linear;

static void assert_close(const char *what, double got, double want, double tolerance)
{
    if (!(fabs(got - want) <= tolerance * fabs(want)))
        fail_msg("%s: got %.9g, want %.9g", what, got, want);
}

static double linear_seconds(const void *of, double busy, double *memory_ratio)
{
    const linear *l = of;
    *memory_ratio = l->memory_ratio * busy;
    return l->alone_s + l->slope_s * (busy - 1);
}

static closed_system system_of(uint32_t cores, const linear *service, double host_s)
{
    return (closed_system){.cores = cores,
                           .service_s = linear_seconds,
                           .of = service,
                           .host_s = host_s,
                           .cpu_cores = 3.3,
                           .least_cpu_cores = 0.9,
                           .most_cpu_cores = 3.6,
                           .one_thread_error_ratio = 0.1,
                           .error_ratio = 0.2};
}

static void points_are_those_that_can_be_reckoned_by_hand(void **state)
{
    static const linear plain = {0.010, 0, 0}, shared = {0.010, 0.002, 0.1}, of_memory = {0.010, 0.002, 0.2};
    static const struct {
        const char *name;
        uint32_t cores;
        const linear *service;
        double host_s;
        uint32_t threads;
        double fps, busy;
        roof_load_bound bound;
    } rows[] = {
        {"one thread takes turns with its host", 1, &plain, 0.010, 1, 50, 1, ROOF_LOAD_THREADS},
        {"two hide the host", 1, &plain, 0.010, 2, 100, 1, ROOF_LOAD_CORES},
        {"more only wait", 1, &plain, 0.010, 7, 100, 1, ROOF_LOAD_CORES},
        {"one thread keeps one core", 3, &plain, 0, 1, 100, 1, ROOF_LOAD_THREADS},
        {"four on three cores: one has two", 3, &plain, 0.010, 4, 200, 2, ROOF_LOAD_THREADS},
        {"without a host a thread fills its core", 3, &plain, 0, 3, 300, 3, ROOF_LOAD_CORES},
        {"busy cores slow one another", 3, &shared, 0, 3, 3 / 0.014, 3, ROOF_LOAD_CORES},
        {"memory sets most of it", 3, &of_memory, 0, 3, 3 / 0.014, 3, ROOF_LOAD_MEMORY},
        /* n = 2 S / (S + 0.030), S = 0.010 + 0.002 (n - 1) is below 1: one core; with 0.005 of the host
         * n^2 + 4.5 n - 8 = 0 */
        {"hardly busy cores are alone", 2, &shared, 0.030, 2, 50, 1, ROOF_LOAD_THREADS},
        {"a real number of busy cores", 2, &shared, 0.005, 2, 2 / (0.013 + 0.002 * 1.36421), 1.36421,
         ROOF_LOAD_THREADS},
        {"the host's processors", 3, &plain, 0.066, 30, 50, 3, ROOF_LOAD_HOST},
    };
    (void)state;
    for (size_t i = 0; i < COUNT(rows); i++) {
        const closed_system c = system_of(rows[i].cores, rows[i].service, rows[i].host_s);
        uint32_t on_core[3];
        roof_load_point x = {.threads_on_core = on_core};
        closed_point(&c, rows[i].threads, &x);
        assert_close(rows[i].name, x.fps, rows[i].fps, 1e-5);
        assert_close(rows[i].name, x.busy_cores, rows[i].busy, 1e-4);
        assert_string_equal(roof_load_bound_text(x.bound), roof_load_bound_text(rows[i].bound));
        assert_close(rows[i].name, x.fps * x.latency_s, rows[i].threads, 1e-12);
    }
}

static void intervals_are_of_one_thread_of_more_and_of_the_host(void **state)
{
    static const linear plain = {0.010, 0, 0};
    static const struct {
        double host_s;
        uint32_t threads;
        double low, high;
    } rows[] = {{0, 1, 90, 110}, {0, 2, 80, 120}, {0.066, 40, 0.9 / 0.066, 3.6 / 0.066}};
    (void)state;
    for (size_t i = 0; i < COUNT(rows); i++) {
        const closed_system c = system_of(1, &plain, rows[i].host_s);
        roof_load_point x = {0};
        closed_point(&c, rows[i].threads, &x);
        assert_close("low", x.fps_low, rows[i].low, 1e-12);
        assert_close("high", x.fps_high, rows[i].high, 1e-12);
    }
}

static void threads_are_dealt_out_to_cores_in_turn(void **state)
{
    static const linear plain = {0.010, 0, 0};
    static const struct {
        uint32_t threads, on_core[3];
    } rows[] = {{1, {1, 0, 0}}, {3, {1, 1, 1}}, {4, {2, 1, 1}}, {8, {3, 3, 2}}};
    const closed_system c = system_of(3, &plain, 0.001);
    (void)state;
    for (size_t i = 0; i < COUNT(rows); i++) {
        uint32_t on_core[3];
        roof_load_point x = {.threads_on_core = on_core};
        closed_point(&c, rows[i].threads, &x);
        assert_int_equal(x.n_cores, 3);
        assert_memory_equal(on_core, rows[i].on_core, sizeof on_core);
    }
}

static void the_knee_is_the_fewest_threads_that_are_enough(void **state)
{
    static const linear plain = {0.010, 0, 0};
    static const struct {
        double host_s;
        uint32_t threads;
    } rows[] = {{0, 3}, {0.0005, 3}, {0.010, 6}, {0.020, 5 /* of the host */}};
    (void)state;
    for (size_t i = 0; i < COUNT(rows); i++) {
        const closed_system c = system_of(3, &plain, rows[i].host_s);
        roof_load_point knee = {0};
        closed_knee(&c, &knee);
        assert_int_equal(knee.threads, rows[i].threads);
    }
}

static double ratio(void)
{
    return (double)(next_random() >> 11) / (double)(1ULL << 53);
}

/* Never more than the cores give, nor than the threads ask for; on one core never fewer with more threads. */
static void no_point_leaves_its_limits(void **state)
{
    (void)state;
    random_state = 29;
    for (int n = 0; n < 2000; n++) {
        const linear service = {0.001 + 0.02 * ratio(), 0.004 * ratio(), 0.3 * ratio()};
        const uint32_t cores = 1 + (uint32_t)(4 * ratio());
        const closed_system c = system_of(cores, &service, 0.02 * ratio());
        double before = 0;
        for (uint32_t threads = 1; threads <= 12; threads++) {
            roof_load_point x = {0};
            closed_point(&c, threads, &x);
            assert_true(x.busy_cores >= 1 && x.busy_cores <= cores);
            assert_true(x.fps <= cores / service.alone_s * (1 + 1e-9));
            assert_true(x.fps <= threads / (service.alone_s + c.host_s) * (1 + 1e-9));
            assert_true(x.latency_s >= (service.alone_s + c.host_s) * (1 - 1e-9));
            assert_true(cores > 1 || x.fps >= before * (1 - 1e-9));
            before = x.fps;
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(points_are_those_that_can_be_reckoned_by_hand),
                                       cmocka_unit_test(intervals_are_of_one_thread_of_more_and_of_the_host),
                                       cmocka_unit_test(threads_are_dealt_out_to_cores_in_turn),
                                       cmocka_unit_test(the_knee_is_the_fewest_threads_that_are_enough),
                                       cmocka_unit_test(no_point_leaves_its_limits)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
