/* Databases that Nsight Systems exports: their rows, and what a hostile one cannot do. */
#include "tests/support/nsys_export.h"
#include "tests/unit/folder.h"
#include "tests/unit/imported.h"

static roof_status try_database(const char *script, roof_measured **m, roof_error *err)
{
    size_t length;
    unsigned char *bytes = nx_export(script, &length);
    FILE *file = fopen(in_folder("a.sqlite"), "wb");
    assert_true(bytes && file && fwrite(bytes, 1, length, file) == length);
    fclose(file);
    sqlite3_free(bytes);
    roof_status status = roof_import_file(in_folder("a.sqlite"), NULL, m, err);
    remove(in_folder("a.sqlite"));
    return status;
}

static void kernels_copies_and_fills_are_rows_by_their_names(void **state)
{
    static const struct {
        const char *name, *type;
        double mean_s;
        uint64_t count;
    } rows[] = {{"void gemm<float, 4>(float *)", "kernel", 3e-6, 2},
                {"relu()", "kernel", 5e-7, 1},
                {"[CUDA memcpy Host-to-Device]", "copy", 2.5e-7, 1},
                {"[CUDA memset]", "fill", 1e-7, 1}};
    roof_measured *m = NULL;
    roof_error err = {0};
    (void)state;
    if (try_database(NX_KERNELS NX_COPIES NX_LABELS, &m, &err) != ROOF_OK)
        fail_msg("%s", fx_message(&err));
    const roof_run *run = im_run(m, 0);
    assert_string_equal(m->sources[0].tool, "nsys_sqlite");
    assert_int_equal(run->n_layers, COUNT(rows));
    for (uint32_t i = 0; i < COUNT(rows); i++) {
        assert_string_equal(run->layers[i].name, rows[i].name);
        assert_string_equal(run->layers[i].type, rows[i].type);
        assert_close(run->layers[i].time.mean_s, rows[i].mean_s, 1e-15);
        assert_int_equal(run->layers[i].time.count, rows[i].count);
    }
    im_want_note(m, "streams of a device work at the same time");
    roof_measured_free(m);
}

static void copies_without_labels_have_their_number(void **state)
{
    roof_measured *m = NULL;
    (void)state;
    assert_int_equal(try_database(NX_KERNELS NX_COPIES, &m, NULL), ROOF_OK);
    assert_string_equal(im_run(m, 0)->layers[2].name, "[CUDA memcpy of kind 1]");
    roof_measured_free(m);
}

static void what_has_no_name_or_ends_before_it_begins_is_told(void **state)
{
    roof_measured *m = NULL;
    (void)state;
    assert_int_equal(
        try_database(NX_KERNELS "INSERT INTO CUPTI_ACTIVITY_KIND_KERNEL VALUES (5, 4, 0, 1), (1, 2, 0, 77);",
                     &m, NULL),
        ROOF_OK);
    assert_int_equal(im_run(m, 0)->layers[0].time.count, 2);
    im_want_note(m, "1 executions without a name are left out");
    im_want_note(m, "1 executions that end before they begin are left out");
    roof_measured_free(m);
}

/* Nothing of what a database can do beside holding rows is done. */
static void hostile_databases_are_refused(void **state)
{
    static const struct {
        const char *script;
        roof_status status;
        const char *words;
    } rows[] = {
        {NX_STRINGS, ROOF_E_DATA, "no such table: CUPTI_ACTIVITY_KIND_KERNEL"},
        {NX_STRINGS "CREATE TABLE CUPTI_ACTIVITY_KIND_KERNEL (start, end, demangledName)", ROOF_E_DATA,
         "no execution of a kernel"},
        {NX_STRINGS "CREATE TABLE k (start, end, demangledName); INSERT INTO k VALUES (1, 2, 1); CREATE VIEW "
                    "CUPTI_ACTIVITY_KIND_KERNEL AS SELECT * FROM k",
         ROOF_E_DATA, "access to view"},
        {NX_STRINGS "CREATE TABLE CUPTI_ACTIVITY_KIND_KERNEL (start, end, demangledName AS "
                    "(length(hex(zeroblob(1000)))))",
         ROOF_E_DATA, "tables that compute"},
        {NX_KERNELS "CREATE VIRTUAL TABLE CUPTI_ACTIVITY_KIND_MEMCPY USING fts5(start, end, copyKind)",
         ROOF_E_DATA, "tables that compute"},
        {NX_KERNELS "INSERT INTO CUPTI_ACTIVITY_KIND_KERNEL VALUES ('x', 2, 0, 1)", ROOF_E_DATA,
         "without the times of its start and end"},
        {NX_KERNELS "UPDATE StringIds SET value = char(7)", ROOF_E_DATA, "control characters"},
        {NX_KERNELS "UPDATE StringIds SET value = hex(zeroblob(200000))", ROOF_E_LIMIT, "too big"},
        {"PRAGMA page_size = 512; " NX_KERNELS, ROOF_E_DATA, "pages of 512 bytes"},
        /* no index: each of the rows looks through all of the others */
        {"CREATE TABLE StringIds (id INTEGER, value TEXT); CREATE TABLE CUPTI_ACTIVITY_KIND_KERNEL (start, "
         "end, "
         "demangledName); WITH n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 9000) INSERT INTO "
         "CUPTI_ACTIVITY_KIND_KERNEL SELECT 1, 2, i FROM n; INSERT INTO StringIds SELECT demangledName, 'a' "
         "FROM "
         "CUPTI_ACTIVITY_KIND_KERNEL",
         ROOF_E_LIMIT, "more steps than a database of this size can need"}};
    (void)state;
    for (size_t i = 0; i < COUNT(rows); i++) {
        roof_measured *m = NULL;
        roof_error err = {0};
        if (try_database(rows[i].script, &m, &err) != rows[i].status ||
            !strstr(fx_message(&err), rows[i].words))
            fail_msg("%s: %s", rows[i].script, fx_message(&err));
        assert_null(m);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(kernels_copies_and_fills_are_rows_by_their_names),
        cmocka_unit_test(copies_without_labels_have_their_number),
        cmocka_unit_test(what_has_no_name_or_ends_before_it_begins_is_told),
        cmocka_unit_test(hostile_databases_are_refused),
    };
    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
