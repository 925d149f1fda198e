#include "core/files/input.h"
#include "core/error.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* --- what was read ------------------------------------------------------------------------------------- */

/* The one state that outlives a call: what reads knows nothing of what will be written. */
static _Thread_local struct {
    struct input_seen {
        char *path;
        dev_t device;
        ino_t inode;
    } * files;
    size_t n;
    bool is_on, failed; /* out of memory: not all is noted */
} watch;

bool inputs_watch(void)
{
    bool is_new = !watch.is_on;
    watch.is_on = true;
    return is_new;
}

void inputs_unwatch(void)
{
    while (watch.n)
        free(watch.files[--watch.n].path);
    free(watch.files);
    watch.files = NULL;
    watch.is_on = watch.failed = false;
}

void inputs_note(const char *path, const struct stat *st)
{
    if (!watch.is_on || !S_ISREG(st->st_mode))
        return;
    struct input_seen *files = watch.files;
    if ((watch.n & (watch.n - 1)) == 0) /* a power of two: there is no room left */
        files = reallocarray(files, watch.n ? 2 * watch.n : 1, sizeof *files);
    if (files)
        watch.files = files;
    char *copy = files ? strdup(path) : NULL;
    if (copy)
        watch.files[watch.n++] = (struct input_seen){.path = copy, .device = st->st_dev, .inode = st->st_ino};
    else
        watch.failed = true;
}

void inputs_note_path(const char *path)
{
    struct stat st;
    if (path && stat(path, &st) == 0)
        inputs_note(path, &st);
}

const char *inputs_find(const struct stat *st, bool *failed)
{
    *failed = watch.failed;
    for (size_t i = 0; i < watch.n; i++)
        if (watch.files[i].device == st->st_dev && watch.files[i].inode == st->st_ino)
            return watch.files[i].path;
    return NULL;
}

/* --- reading ------------------------------------------------------------------------------------------- */

static roof_status fail_size(const input_file *in, roof_error *err)
{
    return error_set(err, ROOF_E_LIMIT, "is larger than %" PRIu64 " MiB, the most that is read here",
                     in->most_bytes >> 20);
}

roof_status input_open(const char *path, uint64_t most_bytes, input_file *out, roof_error *err)
{
    bool is_stdin = strcmp(path, "-") == 0;
    *out = (input_file){.fd = is_stdin ? STDIN_FILENO : open(path, O_RDONLY | O_CLOEXEC),
                        .name = is_stdin ? "standard input" : path,
                        .most_bytes = most_bytes};
    roof_status status = ROOF_OK;
    struct stat st = {0};
    if (out->fd < 0 || fstat(out->fd, &st) != 0)
        status = error_errno(err, errno == EIO ? ROOF_E_IO : ROOF_E_NO_INPUT, "cannot open");
    else if (!S_ISREG(st.st_mode)) /* a pipe has to be read, and ends at a limit */
        out->most_bytes = most_bytes ? most_bytes : INPUT_MOST_STREAMED_BYTES;
    else if (most_bytes && (uint64_t)st.st_size > most_bytes)
        status = fail_size(out, err);
    if (status == ROOF_OK) {
        inputs_note(out->name, &st);
        return status;
    }
    input_close(out);
    error_prefix(err, "%s", out->name);
    return status;
}

roof_status input_read(void *input, char *buffer, size_t size, size_t *got, roof_error *err)
{
    input_file *in = input;
    ssize_t n = TEMP_FAILURE_RETRY(read(in->fd, buffer, size));
    if (n < 0 && errno == EISDIR)
        return error_set(err, ROOF_E_NO_INPUT, "is a directory, want a file");
    if (n < 0)
        return error_errno(err, ROOF_E_IO, "cannot read");
    *got = (size_t)n;
    in->read_bytes += *got;
    if (in->most_bytes && in->read_bytes > in->most_bytes)
        return fail_size(in, err);
    return ROOF_OK;
}

void input_close(input_file *in)
{
    if (in->fd > STDIN_FILENO)
        close(in->fd);
    in->fd = -1;
}

static size_t read_block(input_file *in, char *block, size_t size)
{
    size_t got = 1, all = 0;
    while (got && all < size && input_read(in, block + all, size - all, &got, NULL) == ROOF_OK)
        all += got;
    return all;
}

bool input_is_same(const char *a, const char *b)
{
    char x[2048], y[sizeof x];
    struct stat s, t;
    input_file in_a, in_b;
    if (stat(a, &s) != 0 || stat(b, &t) != 0)
        return false;
    if (s.st_dev == t.st_dev && s.st_ino == t.st_ino)
        return true;
    if (!S_ISREG(s.st_mode) || !S_ISREG(t.st_mode) || s.st_size != t.st_size)
        return false;
    if (input_open(a, 0, &in_a, NULL) != ROOF_OK)
        return false;
    bool is_same = input_open(b, 0, &in_b, NULL) == ROOF_OK;
    for (size_t got = 1; is_same && got;) {
        got = read_block(&in_a, x, sizeof x);
        is_same = read_block(&in_b, y, sizeof y) == got && memcmp(x, y, got) == 0;
    }
    if (in_b.fd >= 0)
        input_close(&in_b);
    input_close(&in_a);
    return is_same;
}

roof_status inputs_require(const char *path, roof_error *err)
{
    if (access(path, R_OK) != 0) {
        error_errno(err, ROOF_E_NO_INPUT, "cannot open");
        error_prefix(err, "%s", path);
        return ROOF_E_NO_INPUT;
    }
    inputs_note_path(path);
    return ROOF_OK;
}
