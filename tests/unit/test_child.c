/* Another program: where it runs, what of its words is kept, its deadline, and that nothing of it stays. */
#include "core/files/child.h"
#include "tests/unit/fixture.h"
#include "tests/unit/folder.h"
#include "tests/unit/processes.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/stat.h>

enum { LONG_MS = 60000, SHORT_MS = 100 };

static int start(const char *script, int most_ms, child *c)
{
    char *const arguments[] = {(char *)(uintptr_t) "sh", (char *)(uintptr_t) "-c", (char *)(uintptr_t)script,
                               NULL};
    return child_start(&(child_options){.folder = folder, .most_ms = most_ms}, arguments, c);
}

static int run(const char *script, int most_ms, child *c)
{
    int code = start(script, most_ms, c);
    if (!code)
        child_end(c);
    return code;
}

static void what_it_says_and_how_it_ends_is_told(void **state)
{
    static const struct {
        const char *script, *said;
        bool failed;
    } rows[] = {
        {"echo out; echo err >&2", "out\nerr\n", false},
        {"exit 3", "", true},
        {"kill -9 $$", "", true},
        {"read line || echo nothing to read", "nothing to read\n", false},
    };
    (void)state;
    for (size_t i = 0; i < COUNT(rows); i++) {
        child c;
        assert_int_equal(run(rows[i].script, LONG_MS, &c), 0);
        assert_string_equal(c.said, rows[i].said);
        assert_int_equal(c.failed, rows[i].failed);
        assert_false(c.timed_out);
        assert_int_equal(kill(c.process.id, 0), -1);
    }
}

/* The test waits until the child says through a pipe with a name that it has begun, however long that
 * takes. */
static void what_does_not_end_is_ended_at_its_deadline(void **state)
{
    static const struct {
        const char *script, *said;
    } rows[] = {
        {"trap '' TERM; echo begun; : >begun; sleep 60", "begun\n"},
        {": >begun; exec >&- 2>&-; sleep 60", ""}, /* silent, and there */
        {": >begun; while :; do :; done", ""},
    };
    (void)state;
    assert_int_equal(mkfifo(in_folder("begun"), 0600), 0);
    for (size_t i = 0; i < COUNT(rows); i++) {
        child c;
        assert_int_equal(start(rows[i].script, LONG_MS, &c), 0);
        int begun = open(in_folder("begun"), O_RDONLY);
        assert_true(begun >= 0);
        close(begun);
        child_end_within(&c, SHORT_MS);
        assert_string_equal(c.said, rows[i].said);
        assert_true(c.failed && c.timed_out);
        assert_int_equal(kill(c.process.id, 0), -1);
    }
    unlink(in_folder("begun"));
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
    adopt_orphans();
    assert_int_equal(run("sleep 600 >/dev/null 2>&1 & echo $!", LONG_MS, &c), 0);
    assert_true(strtol(c.said, NULL, 10) > 1);
    assert_true(all_have_ended());
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
        cmocka_unit_test(what_does_not_end_is_ended_at_its_deadline),
        cmocka_unit_test(it_runs_in_its_folder),
        cmocka_unit_test(a_flood_is_cut),
        cmocka_unit_test(what_it_started_ends_with_it),
        cmocka_unit_test(what_cannot_be_run_is_told),
    };
    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
