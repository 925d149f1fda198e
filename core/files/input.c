#include "core/files/input.h"
#include "core/core.h"

#include <errno.h>

/* --- what was read ------------------------------------------------------------------------------------- */

/* The one state that outlives a call: what reads knows nothing of what will be written. */
static _Thread_local struct {
    struct input_seen {
        char *path;
        os_entry about;
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

void inputs_note(const char *path, const os_entry *about)
{
    if (!watch.is_on || about->kind != OS_FILE)
        return;
    struct input_seen *files = watch.files;
    if ((watch.n & (watch.n - 1)) == 0) /* a power of two: there is no room left */
        files = reallocarray(files, watch.n ? 2 * watch.n : 1, sizeof *files);
    if (files)
        watch.files = files;
    char *copy = files ? strdup(path) : NULL;
    if (copy)
        watch.files[watch.n++] = (struct input_seen){.path = copy, .about = *about};
    else
        watch.failed = true;
}

void inputs_note_path(const char *path)
{
    os_entry about;
    if (path && os_look(OS_HERE, path, OS_FOLLOW, &about))
        inputs_note(path, &about);
}

const char *inputs_find(const os_entry *about, bool *failed)
{
    *failed = watch.failed;
    for (size_t i = 0; i < watch.n; i++)
        if (os_is_same(&watch.files[i].about, about))
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
    *out = (input_file){.fd = is_stdin ? OS_INPUT : os_open(OS_HERE, path, OS_READ),
                        .name = is_stdin ? "standard input" : path,
                        .most_bytes = most_bytes};
    roof_status status = ROOF_OK;
    os_entry about;
    if (out->fd < 0 || !os_look_into(out->fd, &about))
        status = error_errno(err, errno == EIO ? ROOF_E_IO : ROOF_E_NO_INPUT, "cannot open");
    else if (about.kind != OS_FILE) /* a pipe has to be read, and ends at a limit */
        out->most_bytes = most_bytes ? most_bytes : INPUT_MOST_STREAMED_BYTES;
    else if (most_bytes && about.size_bytes > most_bytes)
        status = fail_size(out, err);
    if (status == ROOF_OK)
        inputs_note(out->name, &about);
    else
        input_close(out);
    return error_placed(status, err, "%s", out->name);
}

roof_status input_read(void *input, char *buffer, size_t size, size_t *got, roof_error *err)
{
    input_file *in = input;
    int64_t n = os_read(in->fd, buffer, size);
    if (n < 0 && errno == EISDIR)
        return error_set(err, ROOF_E_NO_INPUT, "is a directory, want a file");
    if (n < 0)
        return error_errno(err, ROOF_E_IO, "cannot read");
    *got = (size_t)n;
    in->read_bytes += *got;
    return in->most_bytes && in->read_bytes > in->most_bytes ? fail_size(in, err) : ROOF_OK;
}

void input_close(input_file *in)
{
    if (in->fd != OS_INPUT)
        os_close(&in->fd);
    in->fd = OS_NONE;
}

roof_status inputs_require(const char *path, roof_error *err)
{
    if (!os_may(OS_HERE, path, OS_MAY_READ))
        return error_placed(error_errno(err, ROOF_E_NO_INPUT, "cannot open"), err, "%s", path);
    inputs_note_path(path);
    return ROOF_OK;
}
