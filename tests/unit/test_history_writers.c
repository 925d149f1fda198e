/* Several programs that write one history at a time, some of which are killed while they do, and disks that
 * are full. */
#include "roofline/history.h"
#include "tests/support/history_runs.h"
#include "tests/unit/fixture.h"
#include "tests/unit/folder.h"
#include "tests/unit/program.h"

#include <sqlite3.h>
#include <sys/stat.h>
#include <time.h>

static const char *db_path(void)
{
    static char path[128];
    snprintf(path, sizeof path, "%s/runs.db", folder);
    return path;
}

static int remove_db(void **state)
{
    (void)state;
    char journal[160];
    unlink(db_path());
    snprintf(journal, sizeof journal, "%s-journal", db_path());
    unlink(journal);
    return 0;
}

/* In a child: adds documents from `first` on, and writes a byte to the pipe for each that is in. */
static void add_and_tell(uint64_t first, uint64_t n, int told)
{
    roof_history *h;
    roof_history_added added;
    roof_error err;
    if (roof_history_open(db_path(), ROOF_HISTORY_WRITE, &h, &err) != ROOF_OK) {
        fprintf(stderr, "%s: %s\n", err.where, err.what);
        _exit(1);
    }
    for (uint64_t i = 0; i < n; i++) {
        const history_document d = {first + i, "net", 0.002, true, true, 0};
        if (history_add_document(h, &d, &added, &err) != ROOF_OK || added.was_there) {
            fprintf(stderr, "%s: %s\n", err.where, err.what);
            _exit(2);
        }
        if (write(told, "", 1) != 1)
            _exit(3);
    }
    roof_history_close(h);
    _exit(0);
}

static pid_t start(uint64_t first, uint64_t n, int *told)
{
    int ends[2];
    assert_int_equal(pipe2(ends, O_CLOEXEC), 0);
    fflush(NULL);
    pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        close(ends[0]);
        add_and_tell(first, n, ends[1]);
    }
    close(ends[1]);
    *told = ends[0];
    return child;
}

/* The one number that a query gives; the file was opened by SQLite alone, and holds what it should. */
static int64_t number_of(const char *sql)
{
    sqlite3 *db = NULL;
    sqlite3_stmt *q = NULL;
    assert_int_equal(sqlite3_open(db_path(), &db), SQLITE_OK);
    assert_int_equal(sqlite3_prepare_v2(db, sql, -1, &q, NULL), SQLITE_OK);
    assert_int_equal(sqlite3_step(q), SQLITE_ROW);
    int64_t n = sqlite3_column_int64(q, 0);
    sqlite3_finalize(q);
    sqlite3_close(db);
    return n;
}

static void is_whole(int64_t least_documents)
{
    assert_int_equal(number_of("SELECT integrity_check = 'ok' FROM pragma_integrity_check"), 1);
    const int64_t n = number_of("SELECT count(*) FROM documents");
    assert_true(n >= least_documents);
    assert_int_equal(number_of("SELECT count(*) FROM runs"), 2 * n); /* no document is there in part */
    assert_int_equal(number_of("SELECT count(*) FROM layers"), 2 * n);
    assert_int_equal(number_of("SELECT count(*) FROM metrics"), 9 * n);
    assert_int_equal(number_of("SELECT count(*) FROM series"), n ? 2 : 0);
}

/* Four begin with no file at all, so that they also race to make it. */
static void several_writers_all_succeed(void **state)
{
    (void)state;
    enum { WRITERS = 4, EACH = 20 };
    pid_t children[WRITERS];
    int told[WRITERS];
    for (int i = 0; i < WRITERS; i++)
        children[i] = start(1000 * (uint64_t)(i + 1), EACH, &told[i]);
    for (int i = 0; i < WRITERS; i++) {
        int status;
        assert_int_equal(waitpid(children[i], &status, 0), children[i]);
        assert_true(WIFEXITED(status) && WEXITSTATUS(status) == 0);
        close(told[i]);
    }
    is_whole(WRITERS * EACH);
    assert_int_equal(number_of("SELECT count(*) FROM documents"), WRITERS * EACH);
}

/* Killed after so many documents that it told of, wherever it is in the next one, once with no file
 * before. */
static void a_killed_writer_leaves_what_it_told_of(void **state)
{
    (void)state;
    enum { KILLS = 24 };
    uint64_t first = 1;
    int64_t told_of = 0;
    for (int kill_after = 0; kill_after < KILLS; kill_after++) {
        int told, status;
        char bytes[64];
        ssize_t got;
        pid_t child = start(first, 1000000, &told);
        for (int n = 0; n < kill_after % 4; n++, told_of++)
            assert_int_equal(read(told, bytes, 1), 1);
        struct timespec wait = {.tv_nsec = 137000L * kill_after}; /* somewhere in the next one */
        nanosleep(&wait, NULL);
        kill(child, SIGKILL);
        assert_int_equal(waitpid(child, &status, 0), child);
        assert_true(WIFSIGNALED(status));
        while ((got = read(told, bytes, sizeof bytes)) > 0)
            told_of += got;
        close(told);
        first += 1000000;
        roof_history *h = NULL;
        roof_error err = {0};
        roof_status opened = roof_history_open(db_path(), ROOF_HISTORY_READ, &h, &err); /* undoes the rest */
        assert_true(opened == ROOF_OK || (told_of == 0 && opened == ROOF_E_NO_INPUT));
        roof_history_close(h);
        if (opened == ROOF_OK)
            is_whole(told_of);
    }
    int told, status;
    pid_t child = start(first, 3, &told);
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_true(WIFEXITED(status) && WEXITSTATUS(status) == 0);
    close(told);
    is_whole(told_of + 3);
}

/* Dies in the middle of a write: the first one beyond so many bytes of a file, the journal's or the
 * database's. */
static void a_writer_that_dies_at_any_page_leaves_no_part(void **state)
{
    (void)state;
    enum { PAGE = 4096, PAGES = 31, STEP = 2, BEFORE = 3 };
    unsigned died = 0, with_journal = 0;
    for (rlim_t pages = 1; pages <= PAGES; pages += STEP) {
        int told[2], status, ends;
        pid_t child = start(1, BEFORE, &ends);
        assert_int_equal(waitpid(child, &status, 0), child);
        close(ends);
        assert_int_equal(pipe2(told, O_CLOEXEC), 0);
        fflush(NULL);
        child = fork();
        if (child == 0) {
            signal(SIGXFSZ, SIG_DFL);
            if (setrlimit(RLIMIT_CORE, &(struct rlimit){0, 0}) != 0 ||
                setrlimit(RLIMIT_FSIZE, &(struct rlimit){pages * PAGE + 100, pages * PAGE + 100}) != 0)
                _exit(4);
            add_and_tell(1000, 300, told[1]);
        }
        close(told[1]);
        assert_int_equal(waitpid(child, &status, 0), child);
        died += WIFSIGNALED(status);
        char bytes[512], journal[160];
        const ssize_t n_told = read(told[0], bytes, sizeof bytes);
        close(told[0]);
        snprintf(journal, sizeof journal, "%s-journal", db_path());
        with_journal += access(journal, F_OK) == 0;
        roof_history *h = NULL;
        roof_error err;
        assert_int_equal(roof_history_open(db_path(), ROOF_HISTORY_READ, &h, &err), ROOF_OK);
        roof_history_close(h);
        is_whole(BEFORE + n_told);
        remove_db(NULL);
    }
    assert_true(died == (PAGES + 1) / STEP &&
                with_journal > died / 2); /* it was in the middle of something */
}

/* A file that may not grow is a full disk to SQLite: what was there stays, and more can be added later. */
static void a_full_disk_keeps_what_was_there(void **state)
{
    (void)state;
    static program p;
    char command[400];
    FILE *file = fopen(in_folder("m.json"), "w");
    assert_non_null(file);
    fputs("{\"schema\":\"roofline.measured/1\",\"experiments\":[{\"model\":{\"name\":\"net\"},\"runs\":[",
          file);
    fputs("{\"mode\":\"per_layer\",\"layers\":[", file);
    for (int i = 0; i < 2000; i++)
        fprintf(file, "%s{\"name\":\"a-layer-with-a-name-%d\",\"mean_s\":0.001}", i ? "," : "", i);
    fputs("]}]}]}", file);
    fclose(file);
    int told, status;
    pid_t child = start(1, 5, &told);
    assert_int_equal(waitpid(child, &status, 0), child);
    close(told);
    p.folder = folder;
    p.most_file_bytes = 64 << 10;
    program_run(&p, "history add m.json --db runs.db");
    assert_int_equal(program_exit(&p), 74);
    if (!strstr(p.text, "runs.db: ") || !strstr(p.text, "what was there before is kept"))
        fail_msg("%s", p.text);
    is_whole(5);
    assert_int_equal(number_of("SELECT count(*) FROM documents"), 5);
    p.most_file_bytes = 0;
    program_run(&p, "history add m.json --db runs.db");
    assert_int_equal(program_exit(&p), 0);
    assert_int_equal(number_of("SELECT count(*) FROM documents"), 6);
    snprintf(command, sizeof command, "history list --db runs.db -o /dev/full");
    program_run(&p, command);
    assert_int_equal(program_exit(&p), 74);
    unlink(in_folder("m.json"));
}

static void a_document_that_is_not_there_makes_no_history(void **state)
{
    (void)state;
    static program p = {.folder = folder};
    program_run(&p, "history add none.json --db runs.db");
    assert_int_equal(program_exit(&p), 66);
    assert_true(access(db_path(), F_OK) != 0);
}

/* SQLite gets so much memory and no more: a document is added as a whole, or memory ran out and nothing was
 * changed. */
static void without_memory_a_document_is_added_whole_or_not_at_all(void **state)
{
    (void)state;
    unsigned n_failed = 0, n_added = 0;
    int told, status;
    pid_t child = start(1, 3, &told);
    assert_int_equal(waitpid(child, &status, 0), child);
    close(told);
    for (sqlite3_int64 limit = 1000; limit < 400000; limit += limit / 15) {
        roof_history *h = NULL;
        roof_history_added added;
        roof_error err = {0};
        const history_document d = {1000 + n_added, "net", 0.002, true, true, 0};
        sqlite3_hard_heap_limit64(sqlite3_memory_used() + limit);
        roof_status done = roof_history_open(db_path(), ROOF_HISTORY_WRITE, &h, &err);
        if (done == ROOF_OK)
            done = history_add_document(h, &d, &added, &err);
        roof_history_close(h);
        sqlite3_hard_heap_limit64(0);
        assert_true(done == ROOF_OK || done == ROOF_E_NO_MEMORY);
        n_added += done == ROOF_OK;
        n_failed += done != ROOF_OK;
        is_whole(3 + n_added);
        assert_int_equal(number_of("SELECT count(*) FROM documents"), 3 + n_added);
    }
    assert_true(n_failed > 10 && n_added > 10);
}

/* Reading needs no right to write. */
static void a_file_that_is_read_only_is_read(void **state)
{
    (void)state;
    int told, status;
    pid_t child = start(1, 3, &told);
    assert_int_equal(waitpid(child, &status, 0), child);
    close(told);
    assert_int_equal(chmod(db_path(), 0400), 0);
    roof_history *h;
    roof_history_runs *runs;
    roof_error err;
    assert_int_equal(roof_history_open(db_path(), ROOF_HISTORY_READ, &h, &err), ROOF_OK);
    assert_int_equal(roof_history_list(h, NULL, 10, &runs, &err), ROOF_OK);
    assert_int_equal(runs->n, 6);
    roof_history_runs_free(runs);
    roof_history_close(h);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_teardown(several_writers_all_succeed, remove_db),
        cmocka_unit_test_teardown(a_killed_writer_leaves_what_it_told_of, remove_db),
        cmocka_unit_test_teardown(a_writer_that_dies_at_any_page_leaves_no_part, remove_db),
        cmocka_unit_test_teardown(a_full_disk_keeps_what_was_there, remove_db),
        cmocka_unit_test_teardown(a_document_that_is_not_there_makes_no_history, remove_db),
        cmocka_unit_test_teardown(without_memory_a_document_is_added_whole_or_not_at_all, remove_db),
        cmocka_unit_test_teardown(a_file_that_is_read_only_is_read, remove_db),
    };
    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
