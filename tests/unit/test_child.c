/* Another program: where it runs, what of its words is kept, its deadline, and that nothing of it stays. */
#include "core/child.h"
#include "tests/unit/fixture.h"
#include "tests/unit/folder.h"

#include <errno.h>
#include <signal.h>

enum { LONG_MS = 60000, SHORT_MS = 100 };

static int run(const char *script, int most_ms, child *c)
{
    char *const arguments[] = {(char *)(uintptr_t) "sh", (char *)(uintptr_t) "-c", (char *)(uintptr_t)script,
                               NULL};
    int code = child_start(&(child_options){.folder = folder, .most_ms = most_ms}, arguments, c);
    if (!code)
        child_end(c);
    return code;
}

static void what_it_says_and_how_it_ends_is_told(void **state)
{
    static const struct {
        const char *script, *said;
        bool failed, timed_out;
    } rows[] = {
        {"echo out; echo err >&2", "out\nerr\n", false, false},
        {"exit 3", "", true, false},
        {"kill -9 $$", "", true, false},
        {"read line || echo nothing to read", "nothing to read\n", false, false},
        {"trap '' TERM; echo begun; sleep 60", "begun\n", true, true},
        {"exec >&- 2>&-; sleep 60", "", true, true}, /* silent, and there */
        {"while :; do :; done", "", true, true},
    };
    (void)state;
    for (size_t i = 0; i < COUNT(rows); i++) {
        child c;
        assert_int_equal(run(rows[i].script, rows[i].timed_out ? SHORT_MS : LONG_MS, &c), 0);
        assert_string_equal(c.said, rows[i].said);
        assert_int_equal(c.failed, rows[i].failed);
        assert_int_equal(c.timed_out, rows[i].timed_out);
        assert_int_equal(kill(c.pid, 0), -1);
    }
}

static void it_runs_in_its_folder(void **state)
{
    child c;
    char want[100];
    (void)state;
    snprintf(want, sizeof want, "%s\n", folder);
    assert_int_equal(run("pwd", LONG_MS, &c), 0);
    assert_string_equal(c.said, want);
}

/* More than is kept, and than a pipe holds, does not stop it. */
static void a_flood_is_cut(void **state)
{
    child c;
    (void)state;
    assert_int_equal(
        run("i=0; while [ $i -lt 3000 ]; do echo 01234567890123456789012345678901234567890123456789;"
            " i=$((i + 1)); done",
            LONG_MS, &c),
        0);
    assert_false(c.failed);
    assert_int_equal(strlen(c.said), CHILD_SAID_SIZE - 1);
}

static void what_it_started_ends_with_it(void **state)
{
    child c;
    (void)state;
    assert_int_equal(run("sleep 600 >/dev/null 2>&1 & echo $!", LONG_MS, &c), 0);
    pid_t grandchild = (pid_t)strtol(c.said, NULL, 10);
    assert_true(grandchild > 1);
    for (int i = 0; i < 500 && kill(grandchild, 0) == 0; i++)
        usleep(10000); /* init has to wait for it */
    assert_int_equal(kill(grandchild, 0), -1);
}

static void what_cannot_be_run_is_told(void **state)
{
    static char missing[] = "/no/such/program", text[] = "/etc/passwd";
    char *const rows[][2] = {{missing, NULL}, {text, NULL}};
    static const int want[] = {ENOENT, EACCES};
    (void)state;
    for (size_t i = 0; i < COUNT(rows); i++) {
        child c;
        assert_int_equal(child_start(&(child_options){.folder = folder, .most_ms = LONG_MS}, rows[i], &c),
                         want[i]);
    }
    char *const good[] = {(char *)(uintptr_t) "true", NULL};
    child c;
    assert_int_equal(child_start(&(child_options){.folder = "/no/such/folder", .most_ms = LONG_MS}, good, &c),
                     ENOENT);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_it_says_and_how_it_ends_is_told),
        cmocka_unit_test(it_runs_in_its_folder),
        cmocka_unit_test(a_flood_is_cut),
        cmocka_unit_test(what_it_started_ends_with_it),
        cmocka_unit_test(what_cannot_be_run_is_told),
    };
    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
