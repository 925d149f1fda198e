/* Outputs: all files of a set take their places or none does; links are followed, devices written to, nothing
 * that was read is overwritten, and a process that dies leaves nothing that is lost. */
#include "core/files/input.h"
#include "core/files/outputs.h"
#include "core/text.h"
#include "tests/support/text_save.h"
#include "tests/unit/fixture.h"
#include "tests/unit/folder.h"
#include "tests/support/skips.h"

#include <dirent.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/file.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

/* ---- files ---- */

static textbuf text_of(const char *content)
{
    textbuf text;
    text_init(&text, TEXT_MAX_BYTES);
    text_puts(&text, content);
    return text;
}

static void write_file(const char *path, const char *content)
{
    FILE *file = fopen(path, "wb");
    assert_non_null(file);
    fputs(content, file);
    assert_int_equal(fclose(file), 0);
}

static void assert_content(const char *path, const char *want)
{
    char got[256] = "";
    FILE *file = fopen(path, "rb");
    if (!file)
        fail_msg("no %s", path);
    size_t n = fread(got, 1, sizeof got - 1, file);
    fclose(file);
    assert_int_equal(n, strlen(want));
    assert_string_equal(got, want);
}

static const char *path_of(const char *where, const char *name)
{
    static char path[400];
    snprintf(path, sizeof path, "%s/%s", where, name);
    return path;
}

static size_t count_files(const char *where)
{
    size_t n = 0;
    DIR *dir = opendir(where);
    assert_non_null(dir);
    for (struct dirent *e; (e = readdir(dir));)
        n += strcmp(e->d_name, ".") != 0 && strcmp(e->d_name, "..") != 0;
    closedir(dir);
    return n;
}

/* Nothing beside the files that are meant to be there, such as a temporary one. */
static void assert_files_in_folder(size_t want)
{
    assert_int_equal(count_files(folder), want);
}

static void remove_all(const char *where)
{
    DIR *d = opendir(where);
    assert_non_null(d);
    for (struct dirent *e; (e = readdir(d));)
        if (strcmp(e->d_name, ".") != 0 && strcmp(e->d_name, "..") != 0)
            if (unlink(path_of(where, e->d_name)) != 0)
                rmdir(path_of(where, e->d_name));
    closedir(d);
    assert_int_equal(rmdir(where), 0);
}

/* ---- one file ---- */

static void a_new_file_gets_the_usual_mode(void **state)
{
    static const struct {
        mode_t mask, want;
    } rows[] = {{022, 0644}, {077, 0600}, {0, 0666}, {0777, 0}};
    const char *path = in_folder("new");
    (void)state;
    for (size_t i = 0; i < COUNT(rows); i++) {
        textbuf text = text_of("new");
        struct stat st;
        mode_t old = umask(rows[i].mask);
        assert_int_equal(text_save(&text, path, NULL), ROOF_OK);
        assert_int_equal(umask(old), rows[i].mask); /* left as it was */
        assert_int_equal(stat(path, &st), 0);
        assert_int_equal(st.st_mode & 0777, rows[i].want);
        text_free(&text);
        unlink(path);
    }
}

static void an_existing_file_is_replaced_and_keeps_its_mode(void **state)
{
    const char *path = in_folder("old");
    textbuf before = text_of("what was there before, and longer"), after = text_of("after");
    struct stat st;
    (void)state;
    assert_int_equal(text_save(&before, path, NULL), ROOF_OK);
    assert_int_equal(chmod(path, 0640), 0);
    int reader = open(path, 0);
    assert_int_equal(text_save(&after, path, NULL), ROOF_OK);
    assert_content(path, "after");
    assert_int_equal(stat(path, &st), 0);
    assert_int_equal(st.st_mode & 0777, 0640);
    char first[5] = "";
    assert_int_equal(read(reader, first, 4), 4); /* who had it open still reads the old one */
    assert_string_equal(first, "what");
    close(reader);
    assert_files_in_folder(1);
    text_free(&before);
    text_free(&after);
    unlink(path);
}

static void an_empty_text_makes_an_empty_file(void **state)
{
    const char *path = in_folder("empty");
    textbuf text;
    (void)state;
    text_init(&text, 100);
    assert_int_equal(text_save(&text, path, NULL), ROOF_OK);
    assert_content(path, "");
    unlink(path);
}

static void assert_save_fails(const textbuf *text, const char *path, roof_status status, const char *want)
{
    roof_error err = {0};
    assert_int_equal(text_save(text, path, &err), status);
    assert_string_equal(fx_message(&err), want);
}

static void places_that_cannot_be_written_are_errors(void **state)
{
    char want[300];
    textbuf text = text_of("text");
    (void)state;
    snprintf(want, sizeof want, "%s: is a directory, want a file name", folder);
    assert_save_fails(&text, folder, ROOF_E_IO, want);
    snprintf(want, sizeof want, "%s: cannot write there: No such file or directory", in_folder("no/where"));
    assert_save_fails(&text, in_folder("no/where"), ROOF_E_IO, want);
    assert_files_in_folder(0);
    text_free(&text);
}

static void a_full_device_is_an_error(void **state)
{
    textbuf text = text_of("text");
    (void)state;
    assert_save_fails(&text, "/dev/full", ROOF_E_IO, "/dev/full: cannot write: No space left on device");
    assert_int_equal(text_save(&text, "/dev/null", NULL), ROOF_OK);
    text_free(&text);
}

/* A file that may not grow beyond 4 bytes stands for a full disk. */
static void a_write_that_fails_leaves_the_old_file(void **state)
{
    const char *path = in_folder("kept");
    textbuf before = text_of("old"), after = text_of("new, and far too long");
    int wait_status = 0;
    (void)state;
    assert_int_equal(text_save(&before, path, NULL), ROOF_OK);
    fflush(NULL);
    pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        signal(SIGXFSZ, SIG_IGN);
        if (setrlimit(RLIMIT_FSIZE, &(struct rlimit){4, 4}) != 0)
            _exit(255);
        _exit((int)text_save(&after, path, NULL));
    }
    assert_int_equal(waitpid(child, &wait_status, 0), child);
    assert_true(WIFEXITED(wait_status));
    assert_int_equal(WEXITSTATUS(wait_status), ROOF_E_IO);
    assert_content(path, "old");
    assert_files_in_folder(1); /* the temporary file is gone */
    text_free(&before);
    text_free(&after);
    unlink(path);
}

/* ---- folders ---- */

typedef struct opened {
    outputs set;
    outputs_folder *in;
} opened;

static roof_status open_folder(opened *o, const char *where, roof_error *err)
{
    assert_int_equal(outputs_begin(&o->set, err), ROOF_OK);
    return outputs_folder_open(&o->set, where, true, &o->in, err);
}

static void save(opened *o, const char *name, const char *content)
{
    roof_error err;
    outputs_file *file = NULL;
    if (outputs_open_in(o->in, name, &file, &err) != ROOF_OK)
        fail_msg("%s: %s", name, err.what);
    assert_int_equal(outputs_write(file, content, strlen(content), &err), ROOF_OK);
    assert_int_equal(outputs_close(file, ROOF_OK, &err), ROOF_OK);
}

static void assert_file(const char *where, const char *name, const char *want)
{
    assert_content(path_of(where, name), want);
}

static void a_new_folder_appears_whole(void **state)
{
    opened o;
    roof_error err;
    struct stat st;
    char where[100];
    (void)state;
    snprintf(where, sizeof where, "%s", in_folder("new"));
    assert_int_equal(open_folder(&o, in_folder("new//"), &err), ROOF_OK);
    save(&o, "a", "1");
    save(&o, "b", "2");
    assert_int_equal(outputs_announce(o.in, "announced, never made", &err), ROOF_OK);
    assert_int_equal(outputs_announce(o.in, "announced", &err), ROOF_OK);
    write_file(path_of(o.in->temporary, "announced"), "3");
    write_file(path_of(o.in->temporary, "on the way"), "x");
    assert_int_not_equal(stat(where, &st), 0);
    assert_int_equal(outputs_end(&o.set, ROOF_OK, &err), ROOF_OK);
    assert_file(where, "a", "1");
    assert_file(where, "b", "2");
    assert_file(where, "announced", "3");
    assert_int_equal(count_files(where), 3);
    mode_t mask = umask(0);
    umask(mask);
    assert_int_equal(stat(where, &st), 0);
    assert_int_equal(st.st_mode & 0777, 0777 & ~mask);
    remove_all(where);
}

static void a_second_run_replaces_and_keeps_others(void **state)
{
    opened o;
    roof_error err;
    char where[100];
    (void)state;
    snprintf(where, sizeof where, "%s", in_folder("there"));
    assert_int_equal(mkdir(where, 0755), 0);
    write_file(path_of(where, "a"), "old");
    write_file(path_of(where, "own notes"), "mine");
    assert_int_equal(open_folder(&o, where, &err), ROOF_OK);
    save(&o, "a", "new");
    save(&o, "b", "new too");
    assert_file(where, "a", "old");
    assert_int_equal(outputs_end(&o.set, ROOF_OK, &err), ROOF_OK);
    assert_file(where, "a", "new");
    assert_file(where, "b", "new too");
    assert_file(where, "own notes", "mine");
    assert_int_equal(count_files(where), 3);
    remove_all(where);
}

static void after_a_failure_nothing_has_changed(void **state)
{
    opened o;
    roof_error err;
    char where[100];
    (void)state;
    for (int is_new = 0; is_new < 2; is_new++) {
        snprintf(where, sizeof where, "%s", in_folder("there"));
        if (!is_new) {
            assert_int_equal(mkdir(where, 0755), 0);
            write_file(path_of(where, "a"), "old");
        }
        assert_int_equal(open_folder(&o, where, &err), ROOF_OK);
        save(&o, "a", "new");
        assert_int_equal(outputs_end(&o.set, ROOF_E_IO, &err), ROOF_E_IO);
        assert_int_equal(count_files(folder), is_new ? 0 : 1);
        if (!is_new) {
            assert_file(where, "a", "old");
            assert_int_equal(count_files(where), 1);
            remove_all(where);
        }
    }
}

/* A folder is put where the third file goes to, after that was looked at. The first two go back. */
static void a_failure_half_way_is_taken_back(void **state)
{
    opened o;
    roof_error err;
    char where[100];
    (void)state;
    snprintf(where, sizeof where, "%s", in_folder("there"));
    assert_int_equal(mkdir(where, 0755), 0);
    write_file(path_of(where, "a"), "old");
    assert_int_equal(open_folder(&o, where, &err), ROOF_OK);
    save(&o, "a", "new");
    save(&o, "b", "new");
    assert_int_equal(outputs_announce(o.in, "never made", &err), ROOF_OK);
    save(&o, "c", "new");
    assert_int_equal(mkdir(path_of(where, "c"), 0755), 0);
    assert_int_equal(outputs_end(&o.set, ROOF_OK, &err), ROOF_E_IO);
    assert_non_null(strstr(err.what, "cannot put the files in place"));
    assert_file(where, "a", "old");
    assert_int_equal(count_files(where), 2);
    remove_all(where);
}

static void what_is_no_folder_is_refused(void **state)
{
    opened o;
    roof_error err;
    (void)state;
    write_file(in_folder("file"), "x");
    assert_int_equal(open_folder(&o, in_folder("file"), &err), ROOF_E_USAGE);
    assert_int_equal(outputs_end(&o.set, ROOF_E_USAGE, &err), ROOF_E_USAGE);
    assert_int_equal(open_folder(&o, in_folder("no/such/place"), &err), ROOF_E_IO);
    assert_int_equal(outputs_end(&o.set, ROOF_E_IO, &err), ROOF_E_IO);
    unlink(in_folder("file"));
}

/* ---- links and devices ---- */

/* The link stays one, and the file behind it is new. */
static void links_to_files_are_followed(void **state)
{
    static const char *const to[] = {"target", "sub/target", "other link", "sub/../target", "ABSOLUTE"};
    textbuf text = text_of("new");
    (void)state;
    assert_int_equal(mkdir(in_folder("sub"), 0755), 0);
    for (size_t i = 0; i < COUNT(to); i++) {
        struct stat st;
        char target[200], whole[200];
        snprintf(target, sizeof target, "%s", in_folder(i == 1 ? "sub/target" : "target"));
        snprintf(whole, sizeof whole, "%s", strcmp(to[i], "ABSOLUTE") == 0 ? target : to[i]);
        write_file(target, "old");
        assert_int_equal(symlink("target", in_folder("other link")), 0);
        assert_int_equal(symlink(whole, in_folder("link")), 0);
        assert_int_equal(text_save(&text, in_folder("link"), NULL), ROOF_OK);
        assert_int_equal(lstat(in_folder("link"), &st), 0);
        assert_true(S_ISLNK(st.st_mode));
        assert_content(target, "new");
        unlink(target);
        unlink(in_folder("link"));
        unlink(in_folder("other link"));
        assert_int_equal(count_files(in_folder("sub")), 0);
    }
    assert_int_equal(rmdir(in_folder("sub")), 0);
    assert_files_in_folder(0);
    text_free(&text);
}

/* What a program makes by name may go where a link leads, too. */
static void a_link_in_a_folder_is_followed(void **state)
{
    opened o;
    roof_error err;
    (void)state;
    assert_int_equal(mkdir(in_folder("sub"), 0755), 0);
    write_file(in_folder("target"), "old");
    assert_int_equal(symlink("../target", in_folder("sub/a")), 0);
    assert_int_equal(open_folder(&o, in_folder("sub"), &err), ROOF_OK);
    save(&o, "a", "new");
    save(&o, "b", "2");
    assert_int_equal(outputs_end(&o.set, ROOF_OK, &err), ROOF_OK);
    assert_content(in_folder("target"), "new");
    assert_content(in_folder("sub/b"), "2");
    assert_files_in_folder(2);
    unlink(in_folder("target"));
    remove_all(in_folder("sub"));
}

static void links_that_lead_nowhere_are_refused(void **state)
{
    static const struct {
        const char *to, *want;
    } rows[] = {
        {"missing", "is a link that leads to no file: No such file or directory"},
        {"link", "is a link that leads to no file: Too many levels of symbolic links"},
        {".", "is a directory, want a file name"},
    };
    textbuf text = text_of("new");
    (void)state;
    for (size_t i = 0; i < COUNT(rows); i++) {
        char want[300];
        assert_int_equal(symlink(rows[i].to, in_folder("link")), 0);
        snprintf(want, sizeof want, "%s: %s", in_folder("link"), rows[i].want);
        assert_save_fails(&text, in_folder("link"), ROOF_E_IO, want);
        unlink(in_folder("link"));
        assert_files_in_folder(0);
    }
    text_free(&text);
}

/* As the kernel does it in folders such as /tmp. */
static void a_link_of_another_user_in_a_shared_folder_is_refused(void **state)
{
    (void)state;
    if (geteuid() != 0)
        skip_without("root");
    textbuf text = text_of("new");
    char want[300];
    write_file(in_folder("target"), "old");
    assert_int_equal(symlink("target", in_folder("link")), 0);
    assert_int_equal(lchown(in_folder("link"), 12345, 12345), 0);
    assert_int_equal(text_save(&text, in_folder("link"), NULL), ROOF_OK);
    assert_int_equal(chmod(folder, 01777), 0);
    snprintf(want, sizeof want, "%s: is a link of another user in a folder that all may write to",
             in_folder("link"));
    assert_save_fails(&text, in_folder("link"), ROOF_E_IO, want);
    assert_int_equal(chmod(folder, 0700), 0);
    unlink(in_folder("link"));
    unlink(in_folder("target"));
    text_free(&text);
}

/* A child writes "new" to path, with the pipe or file as its standard output; what came out. */
static void written_by_child(const char *path, int standard_output, const char *want)
{
    int state = 0;
    fflush(NULL);
    pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        textbuf text = text_of("new");
        dup2(standard_output, STDOUT_FILENO);
        _exit((int)text_save(&text, path, NULL));
    }
    assert_int_equal(waitpid(child, &state, 0), child);
    assert_int_equal(state, 0);
    assert_content(in_folder("out"), want);
}

/* The shell's file keeps what is in it, also where /dev/stdout is a link of links. */
static void standard_output_by_any_name_is_written_to(void **state)
{
    static const char *const names[] = {"-", "/dev/stdout", "/dev/fd/1", "/proc/self/fd/1", "LINK"};
    (void)state;
    assert_int_equal(symlink("/dev/stdout", in_folder("link")), 0);
    for (size_t i = 0; i < COUNT(names); i++) {
        int fd = open(in_folder("out"), O_WRONLY | O_CREAT | O_TRUNC, 0600);
        assert_true(fd >= 0);
        assert_int_equal(write(fd, "before ", 7), 7);
        written_by_child(strcmp(names[i], "LINK") == 0 ? in_folder("link") : names[i], fd, "before new");
        assert_int_equal(write(fd, " after", 6), 6);
        assert_content(in_folder("out"), "before new after");
        close(fd);
        assert_files_in_folder(2);
    }
    unlink(in_folder("out"));
    unlink(in_folder("link"));
}

static void a_pipe_is_written_to(void **state)
{
    char got[10] = "";
    textbuf text = text_of("new");
    struct stat st;
    (void)state;
    assert_int_equal(mkfifo(in_folder("pipe"), 0600), 0);
    int reader = open(in_folder("pipe"), O_RDONLY | O_NONBLOCK);
    assert_true(reader >= 0);
    assert_int_equal(text_save(&text, in_folder("pipe"), NULL), ROOF_OK);
    assert_int_equal(read(reader, got, sizeof got), 3);
    assert_string_equal(got, "new");
    assert_int_equal(lstat(in_folder("pipe"), &st), 0);
    assert_true(S_ISFIFO(st.st_mode));
    close(reader);
    unlink(in_folder("pipe"));
    text_free(&text);
}

static void a_file_without_the_right_to_write_stays(void **state)
{
    (void)state;
    if (geteuid() == 0)
        skip_without("a user who is not root");
    textbuf text = text_of("new");
    char want[300];
    write_file(in_folder("kept"), "old");
    assert_int_equal(chmod(in_folder("kept"), 0444), 0);
    snprintf(want, sizeof want, "%s: cannot write: Permission denied", in_folder("kept"));
    assert_save_fails(&text, in_folder("kept"), ROOF_E_IO, want);
    unlink(in_folder("kept"));
    text_free(&text);
}

/* ---- what is not overwritten ---- */

/* Names of one file: by itself, through a link, by a second name, through another folder. */
static void what_was_read_is_not_overwritten(void **state)
{
    static const char *const names[] = {"input", "link", "second name", "sub/../input"};
    textbuf text = text_of("new");
    input_file input;
    (void)state;
    assert_int_equal(mkdir(in_folder("sub"), 0755), 0);
    write_file(in_folder("input"), "read");
    assert_int_equal(symlink("input", in_folder("link")), 0);
    char first[128];
    snprintf(first, sizeof first, "%s", in_folder("input"));
    assert_int_equal(link(first, in_folder("second name")), 0);
    assert_true(inputs_watch());
    assert_int_equal(input_open(first, 0, &input, NULL), ROOF_OK);
    input_close(&input);
    for (size_t i = 0; i < COUNT(names); i++) {
        roof_error err = {0};
        assert_int_equal(text_save(&text, in_folder(names[i]), &err), ROOF_E_USAGE);
        assert_non_null(strstr(err.what, in_folder(names[i])));
        assert_non_null(strstr(err.what, first));
        assert_content(in_folder("input"), "read");
    }
    inputs_unwatch();
    assert_int_equal(text_save(&text, in_folder("input"), NULL), ROOF_OK);
    assert_content(in_folder("input"), "new");
    unlink(in_folder("input"));
    unlink(in_folder("link"));
    unlink(in_folder("second name"));
    assert_int_equal(rmdir(in_folder("sub")), 0);
    text_free(&text);
}

static void two_outputs_are_two_files(void **state)
{
    static const struct {
        const char *one, *other;
        roof_status want;
    } rows[] = {
        {"a", "a", ROOF_E_USAGE},         {"a", "./a", ROOF_E_USAGE}, {"new", "./new", ROOF_E_USAGE},
        {"a", "link to a", ROOF_E_USAGE}, {"a", "b", ROOF_OK},
    };
    (void)state;
    for (size_t i = 0; i < COUNT(rows); i++) {
        outputs set;
        roof_error err = {0};
        write_file(in_folder("a"), "old");
        assert_int_equal(symlink("a", in_folder("link to a")), 0);
        assert_int_equal(outputs_begin(&set, &err), ROOF_OK);
        assert_int_equal(outputs_save(in_folder(rows[i].one), "1", 1, &err), ROOF_OK);
        roof_status status = outputs_save(in_folder(rows[i].other), "2", 1, &err);
        assert_int_equal(status, rows[i].want);
        assert_int_equal(outputs_end(&set, status, &err), rows[i].want);
        assert_content(in_folder("a"), rows[i].want == ROOF_OK ? "1" : "old");
        unlink(in_folder("a"));
        unlink(in_folder("b"));
        unlink(in_folder("link to a"));
        assert_files_in_folder(0);
    }
    outputs set;
    assert_int_equal(outputs_begin(&set, NULL), ROOF_OK);
    assert_int_equal(outputs_save("/dev/null", "1", 1, NULL), ROOF_OK);
    assert_int_equal(outputs_end(&set, outputs_save("/dev/null", "2", 1, NULL), NULL), ROOF_OK);
}

/* ---- sets in sets ---- */

static void an_inner_set_waits_for_the_outer_one(void **state)
{
    (void)state;
    for (int fails = 0; fails < 2; fails++) {
        outputs outer;
        roof_error err;
        textbuf text = text_of("inner");
        assert_int_equal(outputs_begin(&outer, &err), ROOF_OK);
        assert_int_equal(outputs_save(in_folder("a"), "outer", 5, &err), ROOF_OK);
        assert_int_equal(text_save(&text, in_folder("b"), &err), ROOF_OK);
        assert_int_not_equal(access(in_folder("b"), F_OK), 0);
        assert_int_equal(outputs_end(&outer, fails ? ROOF_E_DATA : ROOF_OK, &err),
                         fails ? ROOF_E_DATA : ROOF_OK);
        if (!fails) {
            assert_content(in_folder("a"), "outer");
            assert_content(in_folder("b"), "inner");
        }
        unlink(in_folder("a"));
        unlink(in_folder("b"));
        assert_files_in_folder(0);
        text_free(&text);
    }
}

static void what_an_inner_set_gave_up_is_not_placed(void **state)
{
    outputs outer, inner;
    roof_error err;
    (void)state;
    assert_int_equal(outputs_begin(&outer, &err), ROOF_OK);
    assert_int_equal(outputs_save(in_folder("a"), "1", 1, &err), ROOF_OK);
    assert_int_equal(outputs_begin(&inner, &err), ROOF_OK);
    assert_int_equal(outputs_save(in_folder("b"), "2", 1, &err), ROOF_OK);
    assert_int_equal(outputs_end(&inner, ROOF_E_DATA, &err), ROOF_E_DATA);
    assert_int_equal(outputs_end(&outer, ROOF_OK, &err), ROOF_OK);
    assert_content(in_folder("a"), "1");
    assert_files_in_folder(1);
    unlink(in_folder("a"));
}

/* ---- sudden ends ---- */

/* What a process leaves that is killed on the way, as the next one finds it. */
static void left_by_killed_child(const char *where)
{
    int state = 0;
    fflush(NULL);
    pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        opened o;
        roof_error err;
        if (open_folder(&o, where, &err) == ROOF_OK)
            save(&o, "a", "half");
        raise(SIGKILL);
    }
    assert_int_equal(waitpid(child, &state, 0), child);
    assert_true(WIFSIGNALED(state));
}

static void leftovers_are_cleared_by_the_next_set(void **state)
{
    textbuf text = text_of("new");
    (void)state;
    write_file(in_folder("a"), "old");
    left_by_killed_child(folder);
    assert_content(in_folder("a"), "old");
    assert_files_in_folder(2);
    assert_int_equal(text_save(&text, in_folder("a"), NULL), ROOF_OK);
    assert_content(in_folder("a"), "new");
    assert_files_in_folder(1);
    unlink(in_folder("a"));
    text_free(&text);
}

/* Set for a process of its own that saves this file and does nothing else. */
#define SAVE_ONLY "TEST_OUTPUTS_SAVE_ONLY"

static void what_a_living_process_makes_is_left_alone(void **state)
{
    opened o;
    roof_error err;
    (void)state;
    assert_int_equal(open_folder(&o, folder, &err), ROOF_OK);
    save(&o, "mine", "1");
    int state_of = 0;
    fflush(NULL);
    pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        /* the lock is the parent's; a set that was open when it forked is not the child's own */
        char exe[] = "/proc/self/exe";
        setenv(SAVE_ONLY, in_folder("other"), 1);
        execl(exe, exe, "test_outputs", NULL);
        _exit(99);
    }
    assert_int_equal(waitpid(child, &state_of, 0), child);
    assert_int_equal(state_of, 0);
    assert_content(in_folder("other"), "saved");
    assert_int_equal(outputs_end(&o.set, ROOF_OK, &err), ROOF_OK);
    assert_content(in_folder("mine"), "1");
    assert_files_in_folder(2);
    unlink(in_folder("mine"));
    unlink(in_folder("other"));
}

/* A process was killed when it had put a new "a" in place: the old one is back after the next run, but for a
 * file that somebody has written since, and for a set that had all its files in place. */
static void old_files_come_back_after_a_kill(void **state)
{
    static const struct {
        const char *kept_in;
        bool edited;
        const char *want;
    } rows[] = {{".was", false, "old"}, {".was", true, "new"}, {".done", false, "new"}};
    textbuf text = text_of("x");
    (void)state;
    for (size_t i = 0; i < COUNT(rows); i++) {
        char kept[200], file[260];
        assert_int_equal(mkdir(in_folder(".roofline-abcdef"), 0700), 0);
        snprintf(kept, sizeof kept, "%s/%s", in_folder(".roofline-abcdef"), rows[i].kept_in);
        assert_int_equal(mkdir(kept, 0700), 0);
        snprintf(file, sizeof file, "%s/a", kept);
        write_file(file, "old");
        write_file(in_folder(".roofline-abcdef/b"), "new");
        write_file(in_folder("a"), "new");
        if (rows[i].edited) { /* long after */
            const struct timeval long_ago[2] = {{1000000000, 0}, {1000000000, 0}};
            assert_int_equal(utimes(in_folder(".roofline-abcdef"), long_ago), 0);
        }
        assert_int_equal(text_save(&text, in_folder("c"), NULL), ROOF_OK);
        assert_content(in_folder("a"), rows[i].want);
        assert_files_in_folder(2);
        unlink(in_folder("a"));
        unlink(in_folder("c"));
    }
    text_free(&text);
}

static void an_abandoned_set_leaves_nothing(void **state)
{
    outputs set;
    outputs_folder *in;
    roof_error err;
    (void)state;
    write_file(in_folder("a"), "old");
    assert_int_equal(outputs_begin(&set, &err), ROOF_OK);
    assert_int_equal(outputs_save(in_folder("a"), "new", 3, &err), ROOF_OK);
    assert_int_equal(outputs_folder_open(&set, in_folder("new"), true, &in, &err), ROOF_OK);
    write_file(path_of(in->temporary, "by another program"), "x");
    assert_files_in_folder(3);
    pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        setpgid(0, 0);
        for (;;)
            pause();
    }
    setpgid(child, child);
    outputs_adopt(child);
    outputs_abandon();
    assert_int_equal(kill(child, 0), -1);
    assert_files_in_folder(1);
    assert_content(in_folder("a"), "old");
    assert_int_equal(outputs_end(&set, ROOF_E_IO, &err), ROOF_E_IO);
    unlink(in_folder("a"));
}

static int save_only(const char *path)
{
    textbuf text = text_of("saved");
    roof_status status = text_save(&text, path, NULL);
    text_free(&text);
    return (int)status;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_new_file_gets_the_usual_mode),
        cmocka_unit_test(an_existing_file_is_replaced_and_keeps_its_mode),
        cmocka_unit_test(an_empty_text_makes_an_empty_file),
        cmocka_unit_test(places_that_cannot_be_written_are_errors),
        cmocka_unit_test(a_full_device_is_an_error),
        cmocka_unit_test(a_write_that_fails_leaves_the_old_file),
        cmocka_unit_test(a_new_folder_appears_whole),
        cmocka_unit_test(a_second_run_replaces_and_keeps_others),
        cmocka_unit_test(after_a_failure_nothing_has_changed),
        cmocka_unit_test(a_failure_half_way_is_taken_back),
        cmocka_unit_test(what_is_no_folder_is_refused),
        cmocka_unit_test(links_to_files_are_followed),
        cmocka_unit_test(a_link_in_a_folder_is_followed),
        cmocka_unit_test(links_that_lead_nowhere_are_refused),
        cmocka_unit_test(a_link_of_another_user_in_a_shared_folder_is_refused),
        cmocka_unit_test(standard_output_by_any_name_is_written_to),
        cmocka_unit_test(a_pipe_is_written_to),
        cmocka_unit_test(a_file_without_the_right_to_write_stays),
        cmocka_unit_test(what_was_read_is_not_overwritten),
        cmocka_unit_test(two_outputs_are_two_files),
        cmocka_unit_test(an_inner_set_waits_for_the_outer_one),
        cmocka_unit_test(what_an_inner_set_gave_up_is_not_placed),
        cmocka_unit_test(leftovers_are_cleared_by_the_next_set),
        cmocka_unit_test(what_a_living_process_makes_is_left_alone),
        cmocka_unit_test(old_files_come_back_after_a_kill),
        cmocka_unit_test(an_abandoned_set_leaves_nothing),
    };
    if (getenv(SAVE_ONLY))
        return save_only(getenv(SAVE_ONLY));
    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
