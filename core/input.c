#include "core/input.h"
#include "core/error.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdbool.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static roof_status fail_size(const roof_input *in, roof_error *err)
{
    return roof_fail(err, ROOF_E_LIMIT, "is larger than %" PRIu64 " MiB, the most that is read here",
                     in->most_bytes >> 20);
}

/* A file tells its size at once; a pipe has to be read, and ends at a limit. */
static bool is_too_large(roof_input *in)
{
    struct stat st;
    bool is_file = fstat(in->fd, &st) == 0 && S_ISREG(st.st_mode);
    if (!is_file && !in->most_bytes)
        in->most_bytes = ROOF_INPUT_MOST_STREAMED_BYTES;
    return is_file && in->most_bytes && (uint64_t)st.st_size > in->most_bytes;
}

roof_status roof_input_open(const char *path, uint64_t most_bytes, roof_input *out, roof_error *err)
{
    bool is_stdin = strcmp(path, "-") == 0;
    *out = (roof_input){.fd = is_stdin ? STDIN_FILENO : open(path, O_RDONLY | O_CLOEXEC),
                        .name = is_stdin ? "standard input" : path,
                        .most_bytes = most_bytes};
    roof_status status = ROOF_OK;
    if (out->fd < 0)
        status = roof_fail_errno(err, errno == EIO ? ROOF_E_IO : ROOF_E_NO_INPUT, "cannot open");
    else if (is_too_large(out))
        status = fail_size(out, err);
    if (status == ROOF_OK)
        return status;
    roof_input_close(out);
    roof_error_prefix(err, "%s", out->name);
    return status;
}

roof_status roof_input_read(void *input, char *buffer, size_t size, size_t *got, roof_error *err)
{
    roof_input *in = input;
    ssize_t n;
    do
        n = read(in->fd, buffer, size);
    while (n < 0 && errno == EINTR);
    if (n < 0 && errno == EISDIR)
        return roof_fail(err, ROOF_E_NO_INPUT, "is a directory, want a file");
    if (n < 0)
        return roof_fail_errno(err, ROOF_E_IO, "cannot read");
    *got = (size_t)n;
    in->read_bytes += *got;
    if (in->most_bytes && in->read_bytes > in->most_bytes)
        return fail_size(in, err);
    return ROOF_OK;
}

void roof_input_close(roof_input *in)
{
    if (in->fd > STDIN_FILENO)
        close(in->fd);
    in->fd = -1;
}
