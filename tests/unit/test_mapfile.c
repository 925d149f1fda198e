/* Files as bytes: what is no file is refused with a sentence, and never waited for. */
#include "core/files/mapfile.h"
#include "tests/unit/fixture.h"
#include "tests/unit/folder.h"
#include "tests/support/skips.h"

#include <sys/stat.h>
#include <unistd.h>

static void write_file(const char *path, const void *bytes, size_t size)
{
    FILE *file = fopen(path, "wb");
    assert_non_null(file);
    assert_int_equal(fwrite(bytes, 1, size, file), size);
    assert_int_equal(fclose(file), 0);
}

static void assert_refused(const char *path, roof_status status, const char *what)
{
    mapfile file = {0};
    roof_error err = {0};
    char want[300];
    assert_int_equal(mapfile_open(path, &file, &err), status);
    assert_null(file.bytes);
    snprintf(want, sizeof want, "%s: %s", path, what);
    assert_string_equal(fx_message(&err), want);
    assert_int_equal(mapfile_open(path, &file, NULL), status);
}

static void a_file_is_its_bytes(void **state)
{
    const char *path = in_folder("file");
    mapfile file = {0};
    roof_error err = {0};
    char page[10000];
    (void)state;
    for (size_t i = 0; i < sizeof page; i++)
        page[i] = (char)(i * 7);
    write_file(path, page, sizeof page);
    assert_int_equal(mapfile_open(path, &file, &err), ROOF_OK);
    unlink(path); /* the mapping stays */
    assert_int_equal(file.size_bytes, sizeof page);
    assert_memory_equal(file.bytes, page, sizeof page);
    mapfile_close(&file);
    assert_null(file.bytes);
    mapfile_close(&file); /* twice is fine */
}

static void what_is_not_there_is_missing(void **state)
{
    (void)state;
    assert_refused(in_folder("nowhere"), ROOF_E_NO_INPUT, "cannot open: No such file or directory");
    assert_refused(in_folder("no/where"), ROOF_E_NO_INPUT, "cannot open: No such file or directory");
}

static void a_folder_is_no_file(void **state)
{
    (void)state;
    assert_refused(folder, ROOF_E_NO_INPUT, "is a directory, want a file");
}

static void an_empty_file_is_bad_data(void **state)
{
    const char *path = in_folder("empty");
    (void)state;
    write_file(path, "", 0);
    assert_refused(path, ROOF_E_DATA, "file is empty (byte 0x0)");
    unlink(path);
}

/* Nobody writes to it: opening it the usual way would wait for ever, and alarm would end this test. */
static void a_fifo_does_not_hang(void **state)
{
    const char *path = in_folder("fifo");
    (void)state;
    assert_int_equal(mkfifo(path, 0600), 0);
    alarm(60);
    assert_refused(path, ROOF_E_NO_INPUT, "is not a regular file");
    alarm(0);
    unlink(path);
}

static void a_device_is_no_file(void **state)
{
    (void)state;
    assert_refused("/dev/null", ROOF_E_NO_INPUT, "is not a regular file");
    assert_refused("/dev/zero", ROOF_E_NO_INPUT, "is not a regular file");
}

static void a_forbidden_file_cannot_be_opened(void **state)
{
    const char *path = in_folder("secret");
    (void)state;
    if (geteuid() == 0)
        skip_without("a user who is not root"); /* who may read everything */
    write_file(path, "x", 1);
    chmod(path, 0);
    assert_refused(path, ROOF_E_NO_INPUT, "cannot open: Permission denied");
    unlink(path);
}

/* A hole takes no memory to map. */
static void a_large_file_is_not_read(void **state)
{
    const char *path = in_folder("large");
    mapfile file = {0};
    (void)state;
    write_file(path, "x", 1);
    assert_int_equal(truncate(path, (off_t)1 << 32), 0);
    assert_int_equal(mapfile_open(path, &file, NULL), ROOF_OK);
    assert_true(file.size_bytes == (uint64_t)1 << 32);
    assert_int_equal(file.bytes[0], 'x');
    assert_int_equal(file.bytes[((uint64_t)1 << 32) - 1], 0);
    mapfile_close(&file);
    unlink(path);
}

/* What was passed is read once more when it is touched; bytes that are no file are never touched. */
static void a_large_file_that_is_passed_stays_as_it_is(void **state)
{
    enum { SIZE = 40 << 20, WINDOW = 16 << 20 };
    const char *path = in_folder("passed");
    unsigned char *bytes = malloc(SIZE);
    mapfile file = {0};
    (void)state;
    assert_non_null(bytes);
    for (size_t i = 0; i < SIZE; i++)
        bytes[i] = (unsigned char)(i / 4096);
    write_file(path, (const char *)bytes, SIZE);
    assert_int_equal(mapfile_open(path, &file, NULL), ROOF_OK);
    const mapfile both[] = {file, {bytes, SIZE, false}};
    for (size_t k = 0; k < 2; k++) {
        const unsigned char *const begin = both[k].bytes, *kept = begin;
        for (size_t i = 0; i < SIZE; i += 4096) {
            assert_int_equal(begin[i], (unsigned char)(i / 4096));
            kept = mapfile_pass(&both[k], kept, begin + i);
            assert_true(kept == (k == 0 ? begin + i / WINDOW * WINDOW : begin));
        }
        for (size_t i = 0; i < SIZE; i += 4096)
            assert_int_equal(begin[i], (unsigned char)(i / 4096));
    }
    mapfile_close(&file);
    free(bytes);
    unlink(path);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_file_is_its_bytes),
        cmocka_unit_test(what_is_not_there_is_missing),
        cmocka_unit_test(a_folder_is_no_file),
        cmocka_unit_test(an_empty_file_is_bad_data),
        cmocka_unit_test(a_fifo_does_not_hang),
        cmocka_unit_test(a_device_is_no_file),
        cmocka_unit_test(a_forbidden_file_cannot_be_opened),
        cmocka_unit_test(a_large_file_is_not_read),
        cmocka_unit_test(a_large_file_that_is_passed_stays_as_it_is),
    };
    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
