/* Profiles whose rows ran different numbers of times: their shares are of the whole recording, whatever the
 * tool; told how many inferences it is of, they are of one inference where that is a whole number of
 * launches. In all of them an elementwise kernel ran 40 times for 4 us and a product of matrices twice for 20
 * us: 160 us and 40 us. */
#include "roofline/import.h"
#include "tests/support/nsys_export.h"
#include "tests/unit/folder.h"
#include "tests/unit/profile_fixture.h"

enum { ELEMENTWISE = 40, PRODUCTS = 2 };

static const char
    nsys_csv[] = "Time (%),Total Time (ns),Instances,Avg (ns),Med (ns),Min (ns),Max (ns),StdDev (ns),Name\n"
                 "80.0,160000,40,4000.0,4000.0,3800,4400,100.0,elementwise\n"
                 "20.0,40000,2,20000.0,20000.0,19900,20100,50.0,gemm\n",
    rocprofv3[] = "\"Name\",\"Calls\",\"TotalDurationNs\",\"AverageNs\",\"Percentage\",\"MinNs\",\"MaxNs\"\n"
                  "\"elementwise\",40,160000,4000.0,80.0,3800,4400\n"
                  "\"gemm\",2,40000,20000.0,20.0,19900,20100\n",
    sqlite[] =
        "CREATE TABLE StringIds (id INTEGER PRIMARY KEY, value TEXT NOT NULL);"
        "INSERT INTO StringIds VALUES (1, 'elementwise'), (2, 'gemm');"
        "CREATE TABLE CUPTI_ACTIVITY_KIND_KERNEL (start INTEGER NOT NULL, end INTEGER NOT NULL, "
        "deviceId INTEGER, demangledName INTEGER NOT NULL);"
        "WITH RECURSIVE n(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i < 39) "
        "INSERT INTO CUPTI_ACTIVITY_KIND_KERNEL SELECT i * 5000, i * 5000 + 4000, 0, 1 FROM n;"
        "INSERT INTO CUPTI_ACTIVITY_KIND_KERNEL VALUES (300000, 320000, 0, 2), (330000, 350000, 0, 2);";

static roof_measured *import_bytes(const void *bytes, size_t length, const roof_import_options *options)
{
    roof_measured *m = NULL;
    roof_error err = {0};
    FILE *file = fopen(in_folder("profile"), "wb");
    assert_true(bytes && file && fwrite(bytes, 1, length, file) == length);
    fclose(file);
    if (roof_import_file(in_folder("profile"), options, &m, &err) != ROOF_OK)
        fail_msg("%s", fx_message(&err));
    remove(in_folder("profile"));
    return m;
}

static roof_measured *from_sqlite(const roof_import_options *options)
{
    size_t length;
    unsigned char *bytes = nx_export(sqlite, &length);
    roof_measured *m = import_bytes(bytes, length, options);
    sqlite3_free(bytes);
    return m;
}

static void put_kernel(textbuf *out, const char *name, int at_us, int us)
{
    text_printf(
        out, "%s{\"ph\":\"X\",\"cat\":\"kernel\",\"name\":\"%s\",\"pid\":0,\"tid\":7,\"ts\":%d,\"dur\":%d}",
        out->bytes[out->length - 1] == '}' ? "," : "", name, at_us, us);
}

static roof_measured *from_trace(const roof_import_options *options)
{
    textbuf text;
    text_init(&text, TEXT_MAX_BYTES);
    text_puts(&text, "{\"schemaVersion\":1,\"deviceProperties\":[],\"traceEvents\":[");
    for (int i = 0; i < ELEMENTWISE; i++)
        put_kernel(&text, "elementwise", 5 * i, 4);
    for (int i = 0; i < PRODUCTS; i++)
        put_kernel(&text, "gemm", 300 + 30 * i, 20);
    text_puts(&text, "]}");
    roof_measured *m = import_bytes(text.bytes, text.length, options);
    text_free(&text);
    return m;
}

static roof_measured *import_source(int source, const roof_import_options *options)
{
    switch (source) {
    case 0:
        return import_bytes(nsys_csv, sizeof nsys_csv - 1, options);
    case 1:
        return import_bytes(rocprofv3, sizeof rocprofv3 - 1, options);
    case 2:
        return from_sqlite(options);
    default:
        return from_trace(options);
    }
}

static const roof_run *im_run(const roof_measured *m, uint32_t run)
{
    return &m->experiments[0].runs[run];
}

static void im_want_note(const roof_measured *m, const char *words)
{
    if (!m->sources[0].notes || !strstr(m->sources[0].notes, words))
        fail_msg("no '%s' in: %s", words, m->sources[0].notes ? m->sources[0].notes : "nothing");
}

static void assert_close(double a, double b, double tolerance)
{
    if (!(fabs(a - b) <= tolerance))
        fail_msg("%.12g, want %.12g", a, b);
}

static const roof_match *unit_named(const roof_reconciled *e, const char *name)
{
    for (uint32_t i = 0; i < e->n_matches; i++)
        if (strcmp(e->matches[i].name, name) == 0)
            return &e->matches[i];
    fail_msg("no row '%s'", name);
    return NULL;
}

static roof_reconciliation *reconcile(const roof_measured *m)
{
    roof_reconciliation *r = NULL;
    roof_error err;
    if (roof_reconcile(m, NULL, NULL, &r, &err) != ROOF_OK)
        fail_msg("%s", fx_message(&err));
    return r;
}

static const char *const tools[] = {"nsys_csv", "rocprofv3", "nsys_sqlite", "kineto"};

static void shares_are_of_all_launches_of_a_recording(void **state)
{
    (void)state;
    for (int i = 0; i < (int)COUNT(tools); i++) {
        roof_measured *m = import_source(i, NULL);
        const roof_run *run = im_run(m, 0);
        assert_string_equal(m->sources[0].tool, tools[i]);
        assert_true(run->is_recording);
        assert_int_equal(run->iterations, ROOF_UNKNOWN);
        roof_reconciliation *r = reconcile(m);
        const roof_reconciled *e = &r->experiments[0];
        assert_true(e->is_recording);
        assert_close(e->total.sum_of_layers_s, 200e-6, 1e-12);
        assert_close(roof_match_share(e, unit_named(e, "elementwise")), 0.8, 1e-9);
        assert_close(roof_match_share(e, unit_named(e, "gemm")), 0.2, 1e-9);
        assert_int_equal(unit_named(e, "elementwise")->executions, ELEMENTWISE);
        roof_reconciliation_free(r);
        roof_measured_free(m);
    }
}

static void inferences_that_divide_the_launches_make_one_inference(void **state)
{
    (void)state;
    for (int i = 0; i < (int)COUNT(tools); i++) {
        roof_measured *m = import_source(i, &(roof_import_options){.inferences = 2});
        const roof_run *run = im_run(m, 0);
        assert_false(run->is_recording);
        assert_int_equal(run->iterations, 2);
        assert_int_equal(run->launches, 21);
        assert_close(run->sum_of_layers_s, 100e-6, 1e-12);
        roof_reconciliation *r = reconcile(m);
        assert_close(roof_match_share(&r->experiments[0], unit_named(&r->experiments[0], "elementwise")), 0.8,
                     1e-9);
        roof_reconciliation_free(r);
        roof_measured_free(m);
    }
}

static void inferences_that_do_not_divide_them_are_told_and_shares_stay(void **state)
{
    (void)state;
    for (int i = 0; i < (int)COUNT(tools); i++) {
        roof_measured *m = import_source(i, &(roof_import_options){.inferences = 3});
        const roof_run *run = im_run(m, 0);
        assert_true(run->is_recording);
        assert_int_equal(run->iterations, 3);
        assert_close(run->sum_of_layers_s, 200e-6 / 3, 1e-12);
        im_want_note(m, "'elementwise' ran 40 times, 13.333 times an inference on average");
        roof_reconciliation *r = reconcile(m);
        assert_close(roof_match_share(&r->experiments[0], unit_named(&r->experiments[0], "elementwise")), 0.8,
                     1e-9);
        assert_false(r->experiments[0].is_recording); /* but of one inference on average */
        assert_close(r->experiments[0].total.sum_of_layers_s, 200e-6 / 3, 1e-12);
        assert_close(unit_named(&r->experiments[0], "elementwise")->measured_s, 160e-6 / 3, 1e-12);
        roof_reconciliation_free(r);
        roof_measured_free(m);
    }
}

/* Of a recording, with a run as deployed beside it and a model whose layers have these names. */
static roof_measured *read_recording(const char *layers)
{
    textbuf text;
    text_init(&text, TEXT_MAX_BYTES);
    text_puts(&text,
              "{\"schema\":\"roofline.measured/1\",\"experiments\":[{\"model\":{\"name\":\"net\"},\"runs\":["
              "{\"mode\":\"per_layer\",\"whole_recording\":true,\"layers\":["
              "{\"name\":\"elementwise\",\"mean_s\":4e-6,\"count\":40},"
              "{\"name\":\"gemm\",\"mean_s\":2e-5,\"count\":2}]}]");
    pf_put_prediction(&text, layers, NULL);
    text_puts(&text, "}]}");
    roof_measured *m = pf_read(text.bytes);
    text_free(&text);
    return m;
}

static void rows_that_are_layers_are_compared_launch_by_launch(void **state)
{
    roof_measured *m = read_recording("elementwise=3 gemm=15");
    roof_reconciliation *r = NULL;
    const roof_prediction *p[] = {m->experiments[0].prediction};
    (void)state;
    assert_int_equal(roof_reconcile(m, p, NULL, &r, NULL), ROOF_OK);
    assert_false(r->experiments[0].is_recording);
    assert_close(unit_named(&r->experiments[0], "gemm")->measured_s, 20e-6, 1e-12);
    assert_close(unit_named(&r->experiments[0], "gemm")->ideal_s, 15e-6, 1e-12);
    roof_reconciliation_free(r);
    roof_measured_free(m);
}

static void a_run_as_deployed_is_no_measure_of_a_recording(void **state)
{
    roof_measured *m = pf_read(
        "{\"schema\":\"roofline.measured/1\",\"experiments\":[{\"model\":{\"name\":\"net\"},\"runs\":["
        "{\"mode\":\"bypass\",\"total\":{\"mean_s\":1e-4}},"
        "{\"mode\":\"per_layer\",\"whole_recording\":true,\"layers\":["
        "{\"name\":\"elementwise\",\"mean_s\":4e-6,\"count\":40},"
        "{\"name\":\"gemm\",\"mean_s\":2e-5,\"count\":2}]}]}]}");
    roof_reconciliation *r = reconcile(m);
    (void)state;
    assert_true(isnan(r->experiments[0].total.inflation_ratio));
    assert_int_equal(r->experiments[0].boundaries, ROOF_NONE);
    roof_reconciliation_free(r);
    roof_measured_free(m);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(shares_are_of_all_launches_of_a_recording),
        cmocka_unit_test(inferences_that_divide_the_launches_make_one_inference),
        cmocka_unit_test(inferences_that_do_not_divide_them_are_told_and_shares_stay),
        cmocka_unit_test(rows_that_are_layers_are_compared_launch_by_launch),
        cmocka_unit_test(a_run_as_deployed_is_no_measure_of_a_recording),
    };
    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
