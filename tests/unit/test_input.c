/* Files and standard input as bytes: in order, whole, and no more of them than allowed. */
#include "core/error.h"
#include "core/files/input.h"
#include "tests/unit/fixture.h"
#include "tests/unit/folder.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/stat.h>

enum { MIB = 1 << 20 };

/* A file of size bytes, each of them that of its place modulo 251. */
static const char *make_file(size_t size)
{
    const char *path = in_folder("input");
    FILE *file = fopen(path, "wb");
    assert_non_null(file);
    for (size_t i = 0; i < size; i++)
        assert_true(putc((int)(i % 251), file) != EOF);
    assert_int_equal(fclose(file), 0);
    return path;
}

/* Reads to the end in pieces of at most 1000 bytes; checks every one of them. */
static roof_status read_all(input_file *in, size_t *size, roof_error *err)
{
    *size = 0;
    for (size_t got = 1; got;) {
        char buffer[1000];
        TRY(input_read(in, buffer, sizeof buffer, &got, err));
        assert_true(got <= sizeof buffer);
        for (size_t i = 0; i < got; i++)
            assert_int_equal((unsigned char)buffer[i], (*size + i) % 251);
        *size += got;
    }
    return ROOF_OK;
}

static void a_file_is_read_to_its_end(void **state)
{
    static const size_t sizes[] = {0, 1, 999, 1000, 1001, 70000};
    (void)state;
    for (size_t i = 0; i < COUNT(sizes); i++) {
        const char *path = make_file(sizes[i]);
        input_file in;
        size_t size;
        assert_int_equal(input_open(path, 0, &in, NULL), ROOF_OK);
        assert_string_equal(in.name, path);
        assert_int_equal(read_all(&in, &size, NULL), ROOF_OK);
        assert_int_equal(size, sizes[i]);
        assert_int_equal(in.read_bytes, sizes[i]);
        input_close(&in);
        input_close(&in); /* once more does no harm */
        unlink(path);
    }
}

/* A file says how large it is, so that nothing of it is read. */
static void a_file_above_its_limit_is_not_opened(void **state)
{
    char want[300];
    input_file in;
    roof_error err;
    size_t size;
    (void)state;
    const char *path = make_file(2 * MIB);
    assert_int_equal(input_open(path, 2 * MIB, &in, NULL), ROOF_OK);
    assert_int_equal(read_all(&in, &size, NULL), ROOF_OK);
    assert_int_equal(size, 2 * MIB);
    input_close(&in);
    snprintf(want, sizeof want, "%s: is larger than 1 MiB, the most that is read here", path);
    assert_int_equal(input_open(path, MIB, &in, &err), ROOF_E_LIMIT);
    assert_string_equal(fx_message(&err), want);
    assert_int_equal(in.fd, -1);
    unlink(path);
}

static void fill_pipe(int fd, size_t size)
{
    for (size_t i = 0; i < size; i++) {
        char c = (char)(i % 251);
        if (write(fd, &c, 1) != 1)
            _exit(1);
    }
    _exit(0);
}

/* What a process writes, as the standard input of this one. */
static int replace_stdin(size_t size)
{
    int ends[2], kept = dup(STDIN_FILENO);
    assert_int_equal(pipe(ends), 0);
    fflush(NULL);
    pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        signal(SIGPIPE, SIG_DFL);
        close(ends[0]);
        fill_pipe(ends[1], size);
    }
    close(ends[1]);
    assert_int_equal(dup2(ends[0], STDIN_FILENO), STDIN_FILENO);
    close(ends[0]);
    return kept;
}

static void restore_stdin(int kept)
{
    if (kept >= 0)
        dup2(kept, STDIN_FILENO);
    else
        close(STDIN_FILENO);
    close(kept);
}

static void a_dash_is_standard_input_and_stays_open(void **state)
{
    input_file in;
    size_t size;
    int kept = replace_stdin(100000);
    (void)state;
    assert_int_equal(input_open("-", 0, &in, NULL), ROOF_OK);
    assert_string_equal(in.name, "standard input");
    roof_status status = read_all(&in, &size, NULL);
    input_close(&in);
    bool open_still = fcntl(STDIN_FILENO, F_GETFD) >= 0;
    restore_stdin(kept);
    assert_int_equal(status, ROOF_OK);
    assert_int_equal(size, 100000);
    assert_true(open_still);
}

/* A pipe has no size; it is read up to the limit and no further. */
static void a_pipe_above_its_limit_is_left(void **state)
{
    input_file in;
    roof_error err;
    size_t size;
    int kept = replace_stdin(MIB + 5000);
    (void)state;
    assert_int_equal(input_open("-", MIB, &in, NULL), ROOF_OK);
    roof_status status = read_all(&in, &size, &err);
    input_close(&in);
    restore_stdin(kept);
    assert_int_equal(status, ROOF_E_LIMIT);
    assert_string_equal(fx_message(&err), "is larger than 1 MiB, the most that is read here");
    assert_in_range(size, MIB - 1000, MIB);
}

static void what_cannot_be_read_is_an_error(void **state)
{
    char path[200], want[300];
    input_file in;
    roof_error err;
    size_t size;
    (void)state;
    snprintf(path, sizeof path, "%s", in_folder("none"));
    snprintf(want, sizeof want, "%s: cannot open: No such file or directory", path);
    assert_int_equal(input_open(path, 0, &in, &err), ROOF_E_NO_INPUT);
    assert_string_equal(fx_message(&err), want);
    assert_int_equal(input_open(folder, 5, &in, NULL), ROOF_OK); /* a folder opens, and then has no bytes */
    assert_int_equal(read_all(&in, &size, &err), ROOF_E_NO_INPUT);
    assert_string_equal(fx_message(&err), "is a directory, want a file");
    input_close(&in);
}

/* Nobody named a limit, but /dev/zero has no end. */
static void what_has_no_end_is_read_to_a_limit(void **state)
{
    enum { BLOCK = 1 << 20 };
    char *block = malloc(BLOCK);
    input_file in;
    roof_error err;
    roof_status status = ROOF_OK;
    (void)state;
    assert_non_null(block);
    assert_int_equal(input_open("/dev/zero", 0, &in, NULL), ROOF_OK);
    for (unsigned i = 0; status == ROOF_OK && i <= 2 * (INPUT_MOST_STREAMED_BYTES / BLOCK); i++) {
        size_t got;
        status = input_read(&in, block, BLOCK, &got, &err);
    }
    input_close(&in);
    free(block);
    assert_int_equal(status, ROOF_E_LIMIT);
    assert_string_equal(err.what, "is larger than 1024 MiB, the most that is read here");
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_file_is_read_to_its_end),
        cmocka_unit_test(a_file_above_its_limit_is_not_opened),
        cmocka_unit_test(a_dash_is_standard_input_and_stays_open),
        cmocka_unit_test(a_pipe_above_its_limit_is_left),
        cmocka_unit_test(what_cannot_be_read_is_an_error),
        cmocka_unit_test(what_has_no_end_is_read_to_a_limit),
    };
    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
