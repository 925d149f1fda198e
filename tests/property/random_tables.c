/* Tables with rows in any order: an importer of a table must give the same rows, each in its place, and what
 * it gives must survive being written and read. ROOF_SEED sets where to start. */
#include "core/text.h"
#include "measure/profile/profile.h"
#include "tests/property/random.h"
#include "tests/unit/imported.h"

enum { TRIALS = 300, MOST_ROWS = 12, ROW_BYTES = 200 };

typedef struct table {
    const char *top, *bottom;
    const char *map;
    void (*row)(char *out, size_t size, unsigned name);
} table;

static double random_ms(void)
{
    return (double)(1 + next_random() % 20000) / 1000;
}

static void csv_samples(char *out, size_t size, unsigned name)
{
    snprintf(out, size, "layer_%u,%.3f\n", name / 3, random_ms());
}

static void csv_summary(char *out, size_t size, unsigned name)
{
    double mean = random_ms();
    snprintf(out, size, "\"layer, %u\",%.3f,%.3f,%u\n", name, mean, mean * 2, 1 + name);
}

static void kernel(char *out, size_t size, unsigned name)
{
    double mean = random_ms();
    snprintf(out, size, "kernel_%u,%u,DPU_1:batch-1,%.3f,%.3f,%.3f,%.3f,%.3f,%.3f,%.3f,\n", name, 10 + name,
             mean, mean, mean, mean / 2, 500.0, mean * 3, 3072.0);
}

static void cells(char *out, size_t size, unsigned name)
{
    snprintf(out, size, "DPU_1 | 1 | layer_%u | 0.5 | %.3f | 5.0 | 1.000 | 0.500 | 0.250 | 7.0\n", name,
             random_ms());
}

static const table tables[] = {
    {"Layer,Time\n", "", "name=Layer,time=Time:ms", csv_samples},
    {"Layer,Time,Max,N\n", "", "name=Layer,time=Time:ms,max=Max:ms,count=N", csv_summary},
    {"Profile Summary\n\nDPU Summary\nKernel Name,Number Of Runs,CU Full Name,Minimum Time (ms),Average Time "
     "(ms),Maximum Time (ms),"
     "Workload(GOP),DPU Performance(GOP/s),Mem IO(MB),Mem Bandwidth(MB/s),\n",
     "", NULL, kernel},
    {"DPU Id | Bat | DPU SubGraph | WL | RT | Perf | LdWB | LdFM | StFM | AvgBw\n---+---\n", "====\n", NULL,
     cells},
};

static roof_measured *import_rows(const table *t, char (*rows)[ROW_BYTES], unsigned n)
{
    char text[4096];
    const roof_import_options options = {.map = t->map, .mode = "per_layer"};
    size_t used = (size_t)snprintf(text, sizeof text, "%s", t->top);
    for (unsigned i = 0; i < n; i++)
        used += (size_t)snprintf(text + used, sizeof text - used, "%s", rows[i]);
    snprintf(text + used, sizeof text - used, "%s", t->bottom);
    return im_import(text, &options);
}

static void shuffle(char (*rows)[ROW_BYTES], unsigned n)
{
    for (unsigned i = n; i > 1; i--) {
        unsigned j = (unsigned)(next_random() % i);
        char row[ROW_BYTES];
        memcpy(row, rows[i - 1], ROW_BYTES);
        memcpy(rows[i - 1], rows[j], ROW_BYTES);
        memcpy(rows[j], row, ROW_BYTES);
    }
}

static bool same_number(double a, double b)
{
    return (isnan(a) && isnan(b)) || fabs(a - b) <= 1e-12 * fabs(a);
}

static bool same_counters(const roof_layer_counters *a, const roof_layer_counters *b)
{
    if (!a || !b)
        return a == b;
    return a->read_bytes == b->read_bytes && a->write_bytes == b->write_bytes &&
           a->total_bytes == b->total_bytes && a->workload_ops == b->workload_ops &&
           same_number(a->ops_per_s, b->ops_per_s);
}

static void want_same_rows(const roof_run *a, const roof_run *b)
{
    assert_int_equal(a->n_layers, b->n_layers);
    assert_int_equal(a->iterations, b->iterations);
    for (uint32_t i = 0; i < a->n_layers; i++) {
        uint32_t j = 0;
        const roof_measured_layer *x = &a->layers[i];
        while (j < b->n_layers && strcmp(b->layers[j].name, x->name) != 0)
            j++;
        assert_true(j < b->n_layers);
        const roof_measured_layer *y = &b->layers[j];
        if (x->time.count != y->time.count || !same_number(x->time.mean_s, y->time.mean_s) ||
            !same_number(x->time.max_s, y->time.max_s) || !same_number(x->time.median_s, y->time.median_s) ||
            !same_counters(x->counters, y->counters))
            fail_msg("row %s depends on the order", x->name);
    }
}

static void the_order_of_rows_changes_nothing_but_the_order(void **state)
{
    (void)state;
    random_state = first_seed();
    for (unsigned trial = 0; trial < TRIALS; trial++) {
        const table *t = &tables[trial % COUNT(tables)];
        char rows[MOST_ROWS][ROW_BYTES];
        unsigned n = 1 + (unsigned)(next_random() % MOST_ROWS);
        for (unsigned i = 0; i < n; i++)
            t->row(rows[i], ROW_BYTES, i);
        roof_measured *first = import_rows(t, rows, n);
        shuffle(rows, n);
        roof_measured *second = import_rows(t, rows, n);
        want_same_rows(im_run(first, 0), im_run(second, 0));
        roof_measured_free(first);
        roof_measured_free(second);
    }
}

static roof_status add_to_text(void *text, const char *bytes, size_t length, roof_error *err)
{
    text_add(text, bytes, length);
    return text_status(text, err);
}

static void what_is_written_reads_back_the_same(void **state)
{
    (void)state;
    random_state = first_seed();
    for (unsigned trial = 0; trial < TRIALS; trial++) {
        const table *t = &tables[trial % COUNT(tables)];
        char rows[MOST_ROWS][ROW_BYTES];
        unsigned n = 1 + (unsigned)(next_random() % MOST_ROWS);
        textbuf text;
        roof_measured *again = NULL;
        for (unsigned i = 0; i < n; i++)
            t->row(rows[i], ROW_BYTES, i);
        roof_measured *m = import_rows(t, rows, n);
        text_init(&text, TEXT_MAX_BYTES);
        assert_int_equal(roof_measured_write(m, (roof_sink){add_to_text, &text}, NULL), ROOF_OK);
        im_text input = {.bytes = text.bytes, .length = text.length};
        assert_int_equal(measured_codec_read(im_read, &input, "file", &again, NULL), ROOF_OK);
        want_same_rows(im_run(m, 0), im_run(again, 0));
        text_free(&text);
        roof_measured_free(m);
        roof_measured_free(again);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_order_of_rows_changes_nothing_but_the_order),
        cmocka_unit_test(what_is_written_reads_back_the_same),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
