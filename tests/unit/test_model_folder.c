/* Which files of a folder belong to a network: by name, in ST's order, the same whatever order the system
 * lists them in. */
#include "model/formats/neural_art/model_folder.h"
#include "tests/unit/fixture.h"
#include "tests/unit/folder.h"

#include <errno.h>
#include <sys/stat.h>

enum { MOST_FILES = 12 };

#define PROFILE(path) "{\"Profiles\":{\"a\":{\"memory_pool\":\"" path "\"}}}"

/* "name" or "name=content"; a name that ends with '/' is a folder. */
static void make_file(const char *what)
{
    const char *content = strchr(what, '=');
    char name[100];
    snprintf(name, sizeof name, "%.*s", content ? (int)(content - what) : (int)strlen(what), what);
    if (name[strlen(name) - 1] == '/') {
        assert_int_equal(mkdir(in_folder(name), 0700), 0);
        return;
    }
    FILE *file = fopen(in_folder(name), "w");
    assert_non_null(file);
    fputs(content ? content + 1 : "x", file);
    assert_int_equal(fclose(file), 0);
}

static void remove_file(const char *what)
{
    char name[100];
    snprintf(name, sizeof name, "%.*s", (int)strcspn(what, "="), what);
    assert_int_equal(name[strlen(name) - 1] == '/' ? rmdir(in_folder(name)) : unlink(in_folder(name)), 0);
}

/* Files are made in the order given, and removed in the other one. */
static void make_files(const char *const *files)
{
    for (size_t i = 0; files[i]; i++)
        make_file(files[i]);
}

static void remove_files(const char *const *files)
{
    size_t n = 0;
    while (files[n])
        n++;
    while (n)
        remove_file(files[--n]);
}

/* What is behind the folder's path. */
static const char *short_name(const char *path)
{
    if (!path)
        return "-";
    assert_int_equal(strncmp(path, folder, strlen(folder)), 0);
    return path + strlen(folder) + 1;
}

static void describe(const model_folder *f, char *text, size_t size)
{
    size_t at = (size_t)snprintf(text, size, "%s:", f->name ? f->name : "-");
    for (size_t i = 0; i < FOLDER_C_INFOS && f->c_infos[i]; i++)
        at += (size_t)snprintf(text + at, size - at, " %s", short_name(f->c_infos[i]));
    const char *const others[] = {f->network_csv,  f->network_c, f->ecblobs_h,
                                  f->blob_trace_c, f->report,    f->profiles};
    for (size_t i = 0; i < COUNT(others); i++)
        if (others[i])
            at += (size_t)snprintf(text + at, size - at, " %s", short_name(others[i]));
    at += (size_t)snprintf(text + at, size - at, "; pool %s of", short_name(f->mpool));
    for (uint32_t i = 0; i < f->n_mpools; i++)
        at += (size_t)snprintf(text + at, size - at, " %s", short_name(f->mpools[i]));
}

static void assert_found(const char *const *files, const char *want)
{
    roof_arena *arena = arena_new(0);
    model_folder found;
    roof_error err = {0};
    char text[1000] = "";
    make_files(files);
    roof_status status = model_folder_find(folder, arena, &found, &err);
    if (status == ROOF_OK)
        describe(&found, text, sizeof text);
    remove_files(files);
    if (status != ROOF_OK || strcmp(text, want) != 0)
        fail_msg("found %s, want %s: %s", text, want, fx_message(&err));
    arena_free(arena);
}

static void files_of_one_network_are_found(void **state)
{
    static const struct {
        const char *files[MOST_FILES], *want;
    } rows[] = {
        {{NULL}, "-:; pool - of"},
        {{"c_info.json", "network.c", "network.csv", "network_blob_trace.c", "stai_network.c", "s.mpool",
          "atonn_options.ini", "tmp.dot"},
         "network: c_info.json network.csv network.c network_blob_trace.c; pool s.mpool of s.mpool"},
        {{"network_generate_report.txt", "network_c_info.json", "network_ecblobs.h", "network.h", "main.c",
          "util.c"},
         "network: network_c_info.json network_ecblobs.h network_generate_report.txt; pool - of"},
        {{"c_info.json", "network.json", "network_c_info.json", "network.c", "z.c"},
         "network: network_c_info.json network.json c_info.json network.c; pool - of"},
        {{"face.c", "face_c_info.json", "stedgeai_app_main.c"}, "face: face_c_info.json face.c; pool - of"},
        {{"face.c", "face.json", "c_info.json"}, "face: face.json c_info.json face.c; pool - of"},
        {{"face_blob_trace.c", "c_info.json"}, "face: c_info.json face_blob_trace.c; pool - of"},
        {{"a_c_info.json", "b_c_info.json", "a.c", "b.c"}, "-:; pool - of"},
        {{"c_info.json", "a.c", "b.c"}, "-: c_info.json; pool - of"},
        {{"a_c_info.json", "network.c", "z.c"}, "network: network.c; pool - of"},
        {{".network.c", "network.c/", ".s.mpool"}, "-:; pool - of"},
    };
    (void)state;
    for (size_t i = 0; i < COUNT(rows); i++)
        assert_found(rows[i].files, rows[i].want);
}

static void the_table_of_epochs_is_found_under_any_name(void **state)
{
    static const struct {
        const char *files[MOST_FILES], *want;
    } rows[] = {
        {{"traffic.csv=epochs,a (r),", "other.csv=a,b\n", "empty.csv="}, "-: traffic.csv; pool - of"},
        {{"a.csv=epochs,a (r),", "b.csv=epochs,a (r),"}, "-:; pool - of"},
        {{"a.csv=epochs,a (r),", "network.csv"}, "-: network.csv; pool - of"},
        {{"a.csv=epochs,a (r),", "face.csv", "network.csv", "face_c_info.json"},
         "face: face_c_info.json face.csv; pool - of"},
    };
    (void)state;
    for (size_t i = 0; i < COUNT(rows); i++)
        assert_found(rows[i].files, rows[i].want);
}

static void one_pool_file_is_taken_and_the_only_profile_decides_among_several(void **state)
{
    static const struct {
        const char *files[MOST_FILES], *want;
    } rows[] = {
        {{"b.mpool", "a.mpool"}, "-:; pool - of a.mpool b.mpool"},
        {{"b.mpool", "a.mpool", "neural_art.json=" PROFILE("./b.mpool")},
         "-: neural_art.json; pool b.mpool of a.mpool b.mpool"},
        {{"b.mpool", "a.mpool", "user_neuralart_BOARD.json=" PROFILE("/elsewhere/pools/a.mpool")},
         "-: user_neuralart_BOARD.json; pool a.mpool of a.mpool b.mpool"},
        {{"b.mpool", "a.mpool", "neural_art.json=" PROFILE("c.mpool")},
         "-: neural_art.json; pool - of a.mpool b.mpool"},
        {{"b.mpool", "a.mpool",
          "neural_art.json={\"Profiles\":{\"a\":{\"memory_pool\":\"a.mpool\"},\"b\":{\"memory_pool\":\"b."
          "mpool\"}}}"},
         "-: neural_art.json; pool - of a.mpool b.mpool"},
        {{"b.mpool", "a.mpool", "neural_art.json={\"Profiles\":{\"a\":{}}}"},
         "-: neural_art.json; pool - of a.mpool b.mpool"},
        {{"b.mpool", "a.mpool", "neural_art.json=" PROFILE("b.mpool"),
          "neural_art_reloc.json=" PROFILE("a.mpool")},
         "-: neural_art.json; pool b.mpool of a.mpool b.mpool"},
        {{"b.mpool", "a.mpool", "neuralart_x.json=" PROFILE("b.mpool"),
          "neuralart_y.json=" PROFILE("a.mpool")},
         "-:; pool - of a.mpool b.mpool"},
        {{"a.mpool", "neural_art.json=not read when nothing is to be decided"},
         "-: neural_art.json; pool a.mpool of a.mpool"},
    };
    (void)state;
    for (size_t i = 0; i < COUNT(rows); i++)
        assert_found(rows[i].files, rows[i].want);
}

static void a_profile_may_name_a_pool_below_the_folder_but_not_outside(void **state)
{
    static const struct {
        const char *files[MOST_FILES], *want;
    } rows[] = {
        {{"pools/", "pools/p.mpool", "neural_art.json=" PROFILE("./pools/p.mpool")},
         "-: neural_art.json; pool pools/p.mpool of"},
        {{"pools/", "pools/p.mpool", "neural_art.json=" PROFILE("pools/../pools/p.mpool")},
         "-: neural_art.json; pool - of"},
        {{"pools/", "pools/p.txt", "neural_art.json=" PROFILE("pools/p.txt")},
         "-: neural_art.json; pool - of"},
        {{"..p/", "..p/p.mpool", "neural_art.json=" PROFILE("..p/p.mpool")},
         "-: neural_art.json; pool ..p/p.mpool of"},
    };
    (void)state;
    for (size_t i = 0; i < COUNT(rows); i++)
        assert_found(rows[i].files, rows[i].want);
}

static void profiles_that_have_to_decide_and_cannot_be_read_are_an_error(void **state)
{
    static const char *const files[] = {"a.mpool", "b.mpool", "neural_art.json={\n}", NULL};
    roof_arena *arena = arena_new(0);
    model_folder found;
    roof_error err = {0};
    char want[200];
    (void)state;
    make_files(files);
    assert_int_equal(model_folder_find(folder, arena, &found, &err), ROOF_E_DATA);
    remove_files(files);
    snprintf(want, sizeof want, "%s/neural_art.json: has no \"Profiles\" (line 2)", folder);
    assert_string_equal(fx_message(&err), want);
    arena_free(arena);
}

static void slashes_at_the_end_are_one_folder(void **state)
{
    static const char *const files[] = {"network.c", NULL};
    roof_arena *arena = arena_new(0);
    model_folder found;
    char path[100];
    (void)state;
    make_files(files);
    snprintf(path, sizeof path, "%s//", folder);
    assert_int_equal(model_folder_find(path, arena, &found, NULL), ROOF_OK);
    assert_string_equal(short_name(found.network_c), "network.c");
    remove_files(files);
    arena_free(arena);
}

static void what_is_no_folder_is_refused(void **state)
{
    static const char *const files[] = {"network.c", NULL};
    roof_arena *arena = arena_new(0);
    model_folder found;
    roof_error err = {0};
    (void)state;
    make_files(files);
    assert_int_equal(model_folder_find(in_folder("network.c"), arena, &found, &err), ROOF_E_NO_INPUT);
    assert_int_equal(model_folder_find(in_folder("none"), arena, &found, &err), ROOF_E_NO_INPUT);
    assert_int_equal(model_folder_find("", arena, &found, &err), ROOF_E_NO_INPUT);
    remove_files(files);
    arena_free(arena);
}

static void a_folder_of_thousands_of_files_is_not_searched(void **state)
{
    enum { N = FOLDER_MAX_ENTRIES + 1 };
    roof_arena *arena = arena_new(0);
    model_folder found;
    roof_error err = {0};
    char name[40];
    (void)state;
    for (int i = 0; i < N; i++) {
        snprintf(name, sizeof name, "f%d", i);
        make_file(name);
    }
    roof_status full = model_folder_find(folder, arena, &found, &err);
    assert_int_equal(unlink(in_folder("f0")), 0);
    roof_status fits = model_folder_find(folder, arena, &found, NULL);
    for (int i = 1; i < N; i++) {
        snprintf(name, sizeof name, "f%d", i);
        assert_int_equal(unlink(in_folder(name)), 0);
    }
    assert_int_equal(full, ROOF_E_LIMIT);
    assert_int_equal(fits, ROOF_OK);
    assert_non_null(strstr(fx_message(&err), "more than 4096 files"));
    arena_free(arena);
}

static void running_out_of_memory_is_told(void **state)
{
    static const char *const files[] = {"network.c", "network_c_info.json", "network_generate_report.txt",
                                        NULL};
    unsigned refused = 0;
    (void)state;
    make_files(files);
    for (size_t limit = 64; limit <= 65536; limit += 64) {
        roof_arena *arena = arena_new(limit);
        model_folder found;
        roof_error err = {0};
        roof_status status = arena ? model_folder_find(folder, arena, &found, &err) : ROOF_E_NO_MEMORY;
        assert_true(status == ROOF_E_NO_MEMORY || (status == ROOF_OK && found.network_c && found.report));
        refused += status != ROOF_OK;
        arena_free(arena);
    }
    remove_files(files);
    assert_true(refused > 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(files_of_one_network_are_found),
        cmocka_unit_test(the_table_of_epochs_is_found_under_any_name),
        cmocka_unit_test(one_pool_file_is_taken_and_the_only_profile_decides_among_several),
        cmocka_unit_test(a_profile_may_name_a_pool_below_the_folder_but_not_outside),
        cmocka_unit_test(profiles_that_have_to_decide_and_cannot_be_read_are_an_error),
        cmocka_unit_test(slashes_at_the_end_are_one_folder),
        cmocka_unit_test(what_is_no_folder_is_refused),
        cmocka_unit_test(a_folder_of_thousands_of_files_is_not_searched),
        cmocka_unit_test(running_out_of_memory_is_told),
    };
    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
