/* Profiles of a Neural-ART: a real log of two models, and the lines that ST's article shows of a third, where
 * ../shared has them. The figures were read off the files by eye. */
#include "tests/support/named_events.h"
#include "tests/unit/imported.h"
#include "tests/support/skips.h"

static const char *shared_path(char *buffer, size_t size, const char *name)
{
    snprintf(buffer, size, "%s/%s", shared_folder(), name);
    return buffer;
}

static uint64_t event(const roof_measured_layer *l, const char *name)
{
    return event_count(l->counters->events, l->counters->n_events, name);
}

static uint64_t cycles(const roof_measured_layer *l, uint32_t phase, uint32_t domain)
{
    assert_true(phase < l->counters->n_phases && domain < l->counters->phases[phase].n_cycles);
    return l->counters->phases[phase].cycles[domain].cycles;
}

static void a_real_log_of_two_models_has_their_times_and_counters(void **state)
{
    char path[1024];
    roof_measured *m = NULL;
    roof_error err = {0};
    (void)state;
    shared_path(path, sizeof path, "data/neural_art/profiler_logs/seongmin_npu_profiler.log");
    if (roof_import_file(path, NULL, &m, &err) != ROOF_OK)
        fail_msg("%s", fx_message(&err));
    assert_int_equal(m->n_experiments, 2);
    const roof_run *kws = &m->experiments[0].runs[0], *img = &m->experiments[1].runs[0];
    assert_string_equal(m->experiments[0].model_name, "kws");
    assert_string_equal(m->experiments[1].model_name, "img");
    assert_close(kws->total.mean_s, 817962 / 800e6, 1e-12);
    assert_close(img->total.mean_s, 16177171 / 800e6, 1e-12);
    assert_true(kws->n_layers == 1 && img->n_layers == 2);
    assert_string_equal(kws->layers[0].name, "EpochBlock_1 -> 22");
    assert_close(kws->layers[0].time.mean_s, 0.001022, 0.0000006);
    assert_close(img->layers[0].time.mean_s, 0.020075, 0.0000006);
    assert_string_equal(img->layers[1].name, "epoch_55");
    assert_string_equal(img->layers[1].counters->device, "CPU");
    assert_close(img->layers[1].time.mean_s, 0.000147, 0.0000006);
    assert_true(cycles(&kws->layers[0], 1, 0) == 817199 && cycles(&kws->layers[0], 1, 1) == 1021580);
    assert_true(kws->layers[0].counters->read_bytes == 2796104 &&
                kws->layers[0].counters->write_bytes == 1648488);
    assert_true(event(&img->layers[0], "busif0.read_bytes") == 14321616);
    assert_true(event(&img->layers[0], "cache.read_alloc_misses") == 5852);
    im_want_note(m, "kws: nothing is known of what the compiler planned");
    roof_measured_free(m);
}

/* Three passes of ten inferences: every one is a sample, since the means are those of the blocks. */
static void its_raw_counters_are_the_samples_of_its_blocks(void **state)
{
    char path[1024];
    roof_measured *m = NULL;
    (void)state;
    shared_path(path, sizeof path, "data/neural_art/profiler_logs/seongmin_npu_profiler.log");
    assert_int_equal(roof_import_file(path, NULL, &m, NULL), ROOF_OK);
    const roof_measured_layer *l = m->experiments[0].runs[0].layers;
    assert_int_equal(l->time.count, 30);
    assert_int_equal(m->experiments[1].runs[0].layers[1].time.count, 30);
    assert_close(l->time.samples_s[0], (393 + 817152 + 372) / 800e6, 1e-15);
    /* the profiler prints 209785 for engine 4, the mean of both directions */
    assert_close((double)(event(l, "stream4.in.active_cycles") + event(l, "stream4.out.active_cycles")) / 2,
                 209785, 1);
    assert_false(im_notes_have(m, "left out"));
    roof_measured_free(m);
}

/* The lines of a text from the one that begins with from to the one that begins with to, added to out. */
static void copy_lines(FILE *in, FILE *out, const char *from, const char *to)
{
    char line[4096];
    bool copying = false, done = false;
    rewind(in);
    while (!done && fgets(line, sizeof line, in)) {
        copying = copying || strncmp(line, from, strlen(from)) == 0;
        if (copying)
            fputs(line, out);
        done = copying && strncmp(line, to, strlen(to)) == 0;
    }
    assert_true(done);
}

static void the_article_s_epoch_and_network_have_their_published_numbers(void **state)
{
    char path[1024], *text = NULL;
    size_t length = 0;
    (void)state;
    FILE *in = fopen(shared_path(path, sizeof path, "seeds/003_a695831c2ef4a7f9.txt"), "rb");
    if (!in)
        skip_without(path);
    FILE *out = open_memstream(&text, &length);
    copy_lines(in, out, "Summary 'network'", "noc_freq=");
    copy_lines(in, out, "EpochBlock_186", "total : r=24208");
    copy_lines(in, out, "Final part", "total r/w");
    fclose(in);
    assert_int_equal(fclose(out), 0);
    roof_measured *m = im_import(text, NULL);
    const roof_measured_layer *l = im_run(m, 0)->layers;
    const roof_run *whole = im_run(m, 1);
    assert_string_equal(l->name, "epoch_186");
    assert_true(cycles(l, 0, 0) == 18859 && cycles(l, 1, 0) == 10599 && cycles(l, 2, 0) == 5253);
    assert_true(cycles(l, 1, 1) == 13300);
    assert_true(l->counters->read_bytes == 24288 && l->counters->write_bytes == 7960);
    assert_true(event(l, "compiler.operation.hw.sigmoid") == 1 &&
                event(l, "stream8.out.npuRAM5_bytes") == 1764);
    assert_close(whole->total.mean_s, 0.013649, 0.0000006);
    assert_true(event_count(whole->events, whole->n_events, "npuRAM4.write_bytes") == 301056);
    assert_false(im_notes_have(m, "not understood"));
    roof_measured_free(m);
    free(text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_real_log_of_two_models_has_their_times_and_counters),
        cmocka_unit_test(its_raw_counters_are_the_samples_of_its_blocks),
        cmocka_unit_test(the_article_s_epoch_and_network_have_their_published_numbers),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
