/* Real traces of events, where ../shared has them: rows, launches and sums, which were computed from the
 * files by other means. */
#include "measure/import/timings.h"
#include "measure/import/unpack.h"
#include "tests/unit/imported.h"
#include "tests/support/skips.h"

static const char *profile(char *buffer, size_t size, const char *name)
{
    snprintf(buffer, size, "%s/data/%s", shared_folder(), name);
    return buffer;
}

#define KINETO(name) "profiles/kineto/" name ".json"
#define ALEXNET      "profiles/kineto/critical_path_alexnet_benchmark_result_2869224_1695835535_trace.json.gz"

static const struct {
    const char *name, *tool;
    uint32_t n_rows;
    uint64_t n_times, iterations;
    double sum_s; /* of all times of all rows */
    const char *note;
} traces[] = {
    {ALEXNET, "kineto", 16, 79, ROOF_UNKNOWN, 0.010692,
     "19 copies and fills of the device's memory take 55.511 ms"},
    {KINETO("amd_trace_mi250_minitoy_train_ROCm6_2_kineto") ".gz", "kineto", 12, 14, 1, 0.000110881,
     "2 steps are marked, and in 1 of them there are launches"},
    {KINETO("call_stack_backward_thread"), "kineto", 1, 1, 1, 0.000045, "rows are kernels"},
    {KINETO("cpu_only_rank-34.Jul_15_10_52_41.1074.pt.trace") ".gz", "kineto", 1, 4, ROOF_UNKNOWN,
     0.000003964, "some operators are outside of all steps"},
    {KINETO("cupti_profiler_benchmark_result_924719_1679055439_trace") ".gz", "kineto", 16, 77, ROOF_UNKNOWN,
     9.350187, "ranges of CUPTI's profiler"},
    {KINETO("mtia_inference_trace_mtia_inference_rank_0") ".gz", "kineto", 6, 1313, ROOF_UNKNOWN, 0.81212517,
     "some ran at the same time"},
    {KINETO("timeline_analysis_sampled_rank-0") ".gz", "kineto", 194, 1154, 2, 0.606519,
     "50 copies and fills"},
    {KINETO("triton_example_triton_example") ".gz", "kineto", 1, 1, 1, 0.00000176, "rows are kernels"},
    {"profiles/nsys/power_iteration__baseline.json", "nsightful", 10, 3689, ROOF_UNKNOWN, 1.131742684,
     "does not state inferences"},
    {"profiles_synthetic/onnxruntime/profile.json", "onnxruntime", 3, 9, 3, 3 * 0.000144,
     "the first model_run took"},
    {"profiles_synthetic/sigmastar/log_ctrl0_900MHz_timeline.json", "sigmastar_timeline", 4, 4, 1, 0.00018,
     "at 900 MHz, as -f named it"},
};

static void traces_have_the_rows_and_sums_of_their_files(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT(traces); i++) {
        char path[1024];
        roof_measured *m = NULL;
        roof_error err = {0};
        uint64_t n_times = 0;
        double sum_s = 0;
        if (roof_import_file(profile(path, sizeof path, traces[i].name), NULL, &m, &err) != ROOF_OK)
            fail_msg("%s: %s", traces[i].name, fx_message(&err));
        const roof_run *run = im_run(m, 0);
        for (uint32_t k = 0; k < run->n_layers; k++) {
            n_times += run->layers[k].time.count;
            sum_s += run->layers[k].time.mean_s * (double)run->layers[k].time.count;
        }
        if (strcmp(m->sources[0].tool, traces[i].tool) != 0 || run->n_layers != traces[i].n_rows ||
            n_times != traces[i].n_times || run->iterations != traces[i].iterations ||
            fabs(sum_s / traces[i].sum_s - 1) > 1e-9)
            fail_msg("%s: %s, %u rows, %llu times of %.12g s, %llu iterations", traces[i].name,
                     m->sources[0].tool, run->n_layers, (unsigned long long)n_times, sum_s,
                     (unsigned long long)run->iterations);
        im_want_note(m, traces[i].note);
        roof_measured_free(m);
    }
}

/* --- nesting
 * ---------------------------------------------------------------------------------------------- */

typedef struct sums {
    nesting *nesting;
    double all_s, own_s;
} sums;

static roof_status take(void *target, const nested_event *e, roof_error *err)
{
    sums *s = target;
    (void)err;
    s->all_s += event_seconds(e->dur_ps);
    s->own_s += event_seconds(e->self_ps);
    return ROOF_OK;
}

static roof_status add_operator(struct reading *target, const trace_event *e, roof_error *err)
{
    sums *s = (sums *)target;
    return event_is_span(e) && span_is(e->cat, "cpu_op")
               ? nesting_add(s->nesting, e, (nested_event){.row = 0}, err)
               : ROOF_OK;
}

static roof_status read_file(void *context, char *buffer, size_t size, size_t *got, roof_error *err)
{
    (void)err;
    *got = fread(buffer, 1, size, context);
    return ROOF_OK;
}

/* Adding up operators as they stand counts what is inside of them again, here more than three times. */
static void operators_of_a_real_network_are_counted_once(void **state)
{
    char path[1024];
    roof_error err = {0};
    sums s = {.all_s = 0};
    const event_calls calls = {.event = add_operator};
    import_state in = {.scratch = arena_new(0)};
    FILE *file = fopen(profile(path, sizeof path, ALEXNET), "rb");
    (void)state;
    assert_non_null(file);
    unpacker *u = unpack_new(read_file, file, UNPACK_MOST_BYTES);
    text_init(&in.notes, 1 << 16);
    s.nesting = nesting_new(&in, take, &s);
    assert_int_equal(events_each(unpack_read, u, &calls, (struct reading *)&s, in.scratch, NULL, &err),
                     ROOF_OK);
    assert_int_equal(nesting_finish(s.nesting, NULL, &err), ROOF_OK);
    assert_int_equal(in.notes.length, 0);
    assert_close(s.all_s, 140.021746, 1e-9);
    assert_close(s.own_s, 43.334104, 1e-9);
    (void)fclose(file);
    unpack_free(u);
    text_free(&in.notes);
    arena_free(in.scratch);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(traces_have_the_rows_and_sums_of_their_files),
        cmocka_unit_test(operators_of_a_real_network_are_counted_once),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
