#include "core/savefile.h"
#include "core/error.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static roof_status fail(const roof_savefile *file, const char *what, roof_error *err)
{
    roof_fail(err, ROOF_E_IO, "cannot %s: %s", what, strerror(errno));
    roof_error_prefix(err, "%s", file->path);
    return ROOF_E_IO;
}

static roof_status begin_special(roof_savefile *file, roof_error *err)
{
    file->fd = open(file->path, O_WRONLY | O_CLOEXEC);
    return file->fd >= 0 ? ROOF_OK : fail(file, "open for writing", err);
}

static roof_status begin_temporary(roof_savefile *file, roof_error *err)
{
    file->temporary = malloc(strlen(file->path) + sizeof ".XXXXXX");
    if (!file->temporary)
        return roof_fail_memory(err);
    sprintf(file->temporary, "%s.XXXXXX", file->path);
    file->fd = mkostemp(file->temporary, O_CLOEXEC);
    if (file->fd >= 0)
        return ROOF_OK;
    roof_status status = fail(file, "create a file beside it", err);
    free(file->temporary);
    return status;
}

roof_status roof_savefile_begin(roof_savefile *file, const char *path, roof_error *err)
{
    struct stat st;
    *file = (roof_savefile){.path = path, .fd = -1};
    if (stat(path, &st) != 0 || S_ISREG(st.st_mode))
        return begin_temporary(file, err);
    if (!S_ISDIR(st.st_mode))
        return begin_special(file, err);
    roof_fail(err, ROOF_E_IO, "is a directory, want a file name");
    roof_error_prefix(err, "%s", path);
    return ROOF_E_IO;
}

roof_status roof_savefile_write(void *file_, const char *bytes, size_t length, roof_error *err)
{
    roof_savefile *file = file_;
    for (size_t done = 0; done < length;) {
        ssize_t n = write(file->fd, bytes + done, length - done);
        if (n < 0 && errno == EINTR)
            continue;
        if (n < 0)
            return fail(file, "write", err);
        done += (size_t)n;
    }
    return ROOF_OK;
}

/* New files get the mode that open() would have given them; mkostemp makes them private. */
static mode_t wanted_mode(const char *path)
{
    struct stat st;
    if (stat(path, &st) == 0)
        return st.st_mode & 0777;
    mode_t mask = umask(0);
    umask(mask);
    return 0666 & ~mask;
}

roof_status roof_savefile_end(roof_savefile *file, roof_status status, roof_error *err)
{
    if (file->temporary && status == ROOF_OK &&
        (fchmod(file->fd, wanted_mode(file->path)) != 0 || fsync(file->fd) != 0))
        status = fail(file, "write", err);
    if (close(file->fd) != 0 && status == ROOF_OK)
        status = fail(file, "write", err);
    if (file->temporary && status == ROOF_OK && rename(file->temporary, file->path) != 0)
        status = fail(file, "replace", err);
    if (file->temporary && status != ROOF_OK)
        unlink(file->temporary);
    free(file->temporary);
    return status;
}
