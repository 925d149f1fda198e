/* Reports in a browser: what every page has to be like, for measured and predicted models, and names that attack the page. */
#include "tests/browser/checks.h"
#include "tests/browser/page_fixture.h"

#include <dirent.h>
#include <fcntl.h>
#include <limits.h>
#include <spawn.h>
#include <sys/stat.h>
#include <sys/wait.h>

typedef struct report_case {
    const char *name;
    const char *arguments[8]; /* behind "report": paths below the source's root, options */
    unsigned charts;          /* at least, at each width */
    unsigned filters, columns;
} report_case;

static const report_case reports[] = {
    {"kv260", {"examples/kv260/measured.json"}, 3, 3, 50},
    {"zcu104", {"examples/zcu104-resnet50/measured.json"}, 1, 1, 30},
    {"stm32n6", {"examples/stm32n6/measured.json"}, 1, 2, 40},
    {"predicted", {"examples/models/mobilenetv2-b4096.xmodel"}, 1, 1, 20},
    {"devices",
     {"examples/models/mobilenetv1-b4096.xmodel", "examples/models/resnet50-b4096.xmodel", "--hw=kv260",
      "--hw=zcu102"},
     4,
     4,
     60},
    {"hostile", {"tests/support/hostile_prediction.json"}, 0, 1, 10},
};

/* Runs the program in the source's root, so that the names of files are short. */
static void write_report(const report_case *r, const char *out)
{
    const char *root = getenv("ROOFLINE_SOURCE_DIR"), *program = getenv("ROOFLINE_EXE");
    char *arguments[12] = {"roofline", "report", "-o", (char *)(uintptr_t)out};
    posix_spawn_file_actions_t actions;
    pid_t pid;
    int state = 0;
    for (size_t i = 0; r->arguments[i]; i++)
        arguments[4 + i] = (char *)(uintptr_t)r->arguments[i];
    assert_int_equal(posix_spawn_file_actions_init(&actions), 0);
    assert_int_equal(posix_spawn_file_actions_addchdir_np(&actions, root ? root : "."), 0);
    assert_int_equal(posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, "/dev/null", O_WRONLY, 0), 0);
    assert_int_equal(posix_spawn(&pid, program ? program : "roofline", &actions, NULL, arguments, environ),
                     0);
    posix_spawn_file_actions_destroy(&actions);
    assert_int_equal(waitpid(pid, &state, 0), pid);
    if (!WIFEXITED(state) || WEXITSTATUS(state) != 0)
        fail_msg("%s: roofline report ended with %d", r->name, WIFEXITED(state) ? WEXITSTATUS(state) : -1);
}

static void remove_report(const char *path)
{
    char file[600];
    DIR *d = opendir(path);
    assert_non_null(d);
    for (struct dirent *e; (e = readdir(d));)
        if (e->d_name[0] != '.' && snprintf(file, sizeof file, "%s/%s", path, e->d_name) < (int)sizeof file)
            unlink(file);
    closedir(d);
    assert_int_equal(rmdir(path), 0);
}

static void check_looked(const report_case *r, const check_result *result)
{
    const struct {
        check_id id;
        unsigned least;
    } wanted[] = {{CHECK_CHARTS, 2 * r->charts}, {CHECK_FILTERING, r->filters}, {CHECK_SORTING, r->columns}};
    for (size_t i = 0; i < COUNT(wanted); i++)
        if (result->looked[wanted[i].id] < wanted[i].least)
            fail_msg("%s: %s looked at %u, want %u or more", r->name, check_name(wanted[i].id),
                     result->looked[wanted[i].id], wanted[i].least);
}

/* For whoever wants to see what was checked: PNGs in the build's folder screenshots/. */
static void keep_screenshots(const report_case *r, const char *file)
{
    static const struct {
        const char *name;
        page_view view;
    } views[] = {{"wide", {.width_px = 1280, .height_px = 900}},
                 {"narrow", {.width_px = 400, .height_px = 900}},
                 {"dark", {.width_px = 1280, .height_px = 900, .dark = true}}};
    const char *build = getenv("ROOFLINE_BUILD_DIR");
    char place[PATH_MAX], path[PATH_MAX];
    snprintf(place, sizeof place, "%s/screenshots", build ? build : ".");
    mkdir(place, 0777);
    for (size_t i = 0; i < COUNT(views); i++) {
        page *p = NULL;
        struct stat st;
        if (snprintf(path, sizeof path, "%s/%s-%s.png", place, r->name, views[i].name) >= (int)sizeof path)
            fail_msg("the path of the screenshots is too long");
        MUST(page_new(shared, &p, &failure));
        MUST(page_open(p, file, &views[i].view, &failure));
        MUST(page_screenshot(p, path, &failure));
        page_free(p);
        assert_int_equal(stat(path, &st), 0);
        assert_true(st.st_size > 20000);
    }
}

static void reports_pass_all_checks(void **state)
{
    (void)state;
    if (!getenv("ROOFLINE_EXE"))
        skip();
    for (size_t i = 0; i < COUNT(reports); i++) {
        char path[200], file[220];
        check_result result;
        snprintf(path, sizeof path, "%s", in_folder(reports[i].name));
        snprintf(file, sizeof file, "%s/index.html", path);
        check_result_init(&result);
        write_report(&reports[i], path);
        MUST(check_file(shared, file, &result, &failure));
        keep_screenshots(&reports[i], file);
        remove_report(path);
        if (result.problems.length)
            fail_msg("%s:\n%s", reports[i].name, result.problems.bytes);
        check_looked(&reports[i], &result);
        check_result_free(&result);
    }
}

/* What a closed table says when it is printed, and what a script in a name did: nothing. */
static void names_of_layers_run_nothing(void **state)
{
    static const report_case hostile = {"hostile", {"tests/support/hostile_prediction.json"}, 0, 0, 0};
    page *p = NULL;
    cJSON *value = NULL;
    char path[200], file[220];
    (void)state;
    if (!getenv("ROOFLINE_EXE"))
        skip();
    snprintf(path, sizeof path, "%s", in_folder("names"));
    snprintf(file, sizeof file, "%s/index.html", path);
    write_report(&hostile, path);
    MUST(page_new(shared, &p, &failure));
    MUST(page_open(p, file, NULL, &failure));
    MUST(page_eval(
        p, "window.attacked === undefined && document.scripts.length === 1 && document.images.length === 0",
        &value, &failure));
    assert_true(cJSON_IsTrue(value));
    cJSON_Delete(value);
    MUST(page_eval(p, "document.querySelector('tbody td.name').textContent", &value, &failure));
    assert_string_equal(cJSON_GetStringValue(value), "<script>window.attacked=1</script>");
    cJSON_Delete(value);
    page_free(p);
    remove_report(path);
}

int main(void)
{
    char path[PATH_MAX];
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(reports_pass_all_checks),
        cmocka_unit_test(names_of_layers_run_nothing),
    };
    if (!browser_find(path))
        return browser_skipped();
    return cmocka_run_group_tests(tests, start_browser, close_browser);
}
