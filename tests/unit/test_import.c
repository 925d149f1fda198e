/* Choosing an importer, and what every imported document has. */
#include "core/text.h"
#include "tests/support/text_save.h"
#include "tests/unit/folder.h"
#include "tests/unit/imported.h"

#include <stdio.h>

static void the_importer_is_found_by_content_or_named(void **state)
{
    static const im_bad rows[] = {
        {"empty", "", {0}, ROOF_E_DATA, 0, "the file is empty"},
        {"a letter", "Dear Sir,\n", {0}, ROOF_E_DATA, 0, "`roofline formats` lists those that are"},
        {"no such tool", "x", {.from = "gcc"}, ROOF_E_USAGE, 0, "no importer 'gcc'; `roofline formats`"},
        {"the wrong tool", "a,b\n1,2\n", {.from = "vart_raw"}, ROOF_E_DATA, 1, "was the file cut here?"},
        {"a list of files",
         "{\"schema_version\": 1, \"files\": []}",
         {0},
         ROOF_E_DATA,
         0,
         "only lists other files"},
        {"a table that is known",
         "a,[Debug]\nb,device_trace=off\n",
         {0},
         ROOF_E_DATA,
         0,
         "the settings of XRT"},
        {"another summary",
         "Profile Summary\nProfiled application: x\na,b\n",
         {0},
         ROOF_E_DATA,
         0,
         "summary.csv counts calls"},
        {"ours already",
         "{\"schema\":\"roofline.measured/1\"}",
         {0},
         ROOF_E_DATA,
         0,
         "a measured document already"},
    };
    (void)state;
    for (size_t i = 0; i < COUNT(rows); i++)
        im_refuse(&rows[i]);
}

static void importers_have_names_and_docs(void **state)
{
    size_t n = 0;
    (void)state;
    for (; roof_importer_name(n); n++) {
        assert_string_equal(importer_at(n)->id, roof_importer_name(n));
        assert_non_null(roof_importer_doc(n));
    }
    assert_true(n >= 8);
    assert_null(roof_importer_doc(n));
    assert_null(importer_at(n));
}

static void the_document_names_its_source_model_and_hardware(void **state)
{
    const roof_import_options options = {
        .map = "name=L,time=T:s", .model = "models/net.v2.xmodel", .hardware = "kv260", .mode = "per_layer"};
    roof_measured *m = im_import("L,T\na,1\n", &options);
    const roof_experiment *e = &m->experiments[0];
    (void)state;
    assert_int_equal(m->n_sources, 1);
    assert_string_equal(m->sources[0].tool, "csv");
    assert_string_equal(m->sources[0].files[0], "file");
    assert_null(m->sources[0].notes);
    assert_string_equal(e->model_path, "models/net.v2.xmodel");
    assert_string_equal(e->model_name, "net.v2");
    assert_string_equal(e->hardware_id, "kv260");
    assert_int_equal(e->runs[0].mode, ROOF_RUN_PER_LAYER);
    roof_measured_free(m);
}

static roof_status add_to_text(void *text, const char *bytes, size_t length, roof_error *err)
{
    text_add(text, bytes, length);
    return text_status(text, err);
}

static void write_to(const roof_measured *m, textbuf *out)
{
    text_init(out, TEXT_MAX_BYTES);
    assert_int_equal(roof_measured_write(m, (roof_sink){add_to_text, out}, NULL), ROOF_OK);
}

/* Whatever importers put into a document, the reader must take. */
static void what_is_imported_and_written_reads_back_the_same(void **state)
{
    static const struct {
        const char *text, *map;
    } rows[] = {
        {"L;T;S;N;K\na;1;0.1;3;conv\n\"b \\ \"\"\xc3\xa4\";0.001;;7;\n",
         "name=L,time=T:ms,std=S:ms,count=N,type=K"},
        {"L,T\na,1\na,1.0000000000000002\nb,0\n", "name=L,time=T:s"},
        {"L,P,C\na,60,12\nb,40,8\n", "name=L,share=P:%,cycles=C:npu"},
        {"#SECTION:TRACE;\nbatch:1;classname:dpu-runner;depth:1;pid:7;subgraph:a;ts:0;workload:12;\n"
         "classname:dpu-controller;device_core_idx:0;event_state:1;pid:7;ts:1;\n"
         "classname:dpu-controller;device_core_idx:0;event_state:0;hwconuter:9;pid:7;ts:2;\n",
         NULL},
        {"Profile Summary\n\nDPU Summary\nKernel Name,Number Of Runs,CU Full Name,Minimum Time (ms),Average "
         "Time (ms),Maximum Time "
         "(ms),Workload(GOP),DPU Performance(GOP/s),Mem IO(MB),Mem Bandwidth(MB/s),\n"
         "a,60,D:batch-1,0.000,0.001,2.100,1.000,500.000,10.000,5120.000,\nb,60,D:batch-1,1.9,2.0,2.1,1.0,"
         "500.0,10.0,5120.0,\n",
         NULL},
        {"DPU Id | Bat | DPU SubGraph | WL | RT | LdWB | LdFM | StFM\nD | 1 | a | ~0 | ~0 | 1 | 1 | "
         "~0\n====\n",
         NULL},
        {"FPS= 50 number_of_frames= 3000 time= 60.0 seconds.\n", NULL},
    };
    (void)state;
    for (size_t i = 0; i < COUNT(rows); i++) {
        const roof_import_options options = {.map = rows[i].map};
        roof_measured *first = im_import(rows[i].text, &options), *second = NULL;
        textbuf a, b;
        roof_error err = {0};
        const char *path = in_folder("measured.json");
        write_to(first, &a);
        assert_int_equal(text_save(&a, path, &err), ROOF_OK);
        if (roof_measured_read(path, &second, &err) != ROOF_OK)
            fail_msg("%s\n%s", fx_message(&err), a.bytes);
        write_to(second, &b);
        assert_string_equal(a.bytes, b.bytes);
        remove(path);
        text_free(&a);
        text_free(&b);
        roof_measured_free(first);
        roof_measured_free(second);
    }
}

static void files_that_cannot_be_opened_say_so(void **state)
{
    roof_measured *m = NULL;
    roof_error err = {0};
    (void)state;
    assert_int_equal(roof_import_file(in_folder("none"), NULL, &m, &err), ROOF_E_NO_INPUT);
    assert_non_null(strstr(err.where, "none"));
    assert_int_equal(roof_import_file(folder, NULL, &m, &err), ROOF_E_NO_INPUT);
    assert_null(m);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_importer_is_found_by_content_or_named),
        cmocka_unit_test(importers_have_names_and_docs),
        cmocka_unit_test(the_document_names_its_source_model_and_hardware),
        cmocka_unit_test(what_is_imported_and_written_reads_back_the_same),
        cmocka_unit_test(files_that_cannot_be_opened_say_so),
    };
    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
