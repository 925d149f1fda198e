#include "core/files/mapfile.h"
#include "core/error.h"
#include "core/files/input.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

roof_status mapfile_open(const char *path, mapfile *out, roof_error *err)
{
    roof_status status = ROOF_OK;
    struct stat st;
    void *map = MAP_FAILED;
    int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK); /* O_NONBLOCK: a FIFO must not hang us */
    if (fd < 0 || fstat(fd, &st) != 0)
        status = error_errno(err, errno == EIO ? ROOF_E_IO : ROOF_E_NO_INPUT, "cannot open");
    else if (S_ISDIR(st.st_mode))
        status = error_set(err, ROOF_E_NO_INPUT, "is a directory, want a file");
    else if (!S_ISREG(st.st_mode))
        status = error_set(err, ROOF_E_NO_INPUT, "is not a regular file");
    else if (st.st_size == 0)
        status = error_at(err, ROOF_E_DATA, 0, "file is empty");
    else if ((uint64_t)st.st_size > SIZE_MAX)
        status = error_set(err, ROOF_E_LIMIT, "file is larger than this machine's address space");
    if (status == ROOF_OK) {
        map = mmap(NULL, (size_t)st.st_size, PROT_READ, MAP_PRIVATE, fd, 0);
        if (map == MAP_FAILED)
            status = error_errno(err, ROOF_E_IO, "cannot map");
    }
    if (status == ROOF_OK) {
        inputs_note(path, &st);
        out->bytes = map;
        out->size_bytes = (uint64_t)st.st_size;
    } else {
        error_prefix(err, "%s", path);
    }
    if (fd >= 0)
        close(fd);
    return status;
}

void mapfile_close(mapfile *file)
{
    if (file->bytes)
        munmap((void *)(uintptr_t)file->bytes, (size_t)file->size_bytes);
    file->bytes = NULL;
    file->size_bytes = 0;
}
