#include "core/files/mapfile.h"
#include "core/core.h"
#include "core/files/input.h"

#include <errno.h>

roof_status mapfile_open_sparse(const char *path, mapfile *out, roof_error *err)
{
    roof_status status = ROOF_OK;
    os_entry about;
    const void *map = NULL;
    int file = os_open(OS_HERE, path, OS_READ_NOW); /* a FIFO must not hang us */
    if (file < 0 || !os_look_into(file, &about))
        status = error_errno(err, errno == EIO ? ROOF_E_IO : ROOF_E_NO_INPUT, "cannot open");
    else if (about.kind == OS_FOLDER)
        status = error_set(err, ROOF_E_NO_INPUT, "is a directory, want a file");
    else if (about.kind != OS_FILE)
        status = error_set(err, ROOF_E_NO_INPUT, "is not a regular file");
    else if (about.size_bytes == 0)
        status = error_at(err, ROOF_E_DATA, 0, "file is empty");
    else if (about.size_bytes > SIZE_MAX)
        status = error_set(err, ROOF_E_LIMIT, "file is larger than this machine's address space");
    if (status == ROOF_OK) {
        map = os_map(&file, about.size_bytes);
        if (!map)
            status = error_errno(err, ROOF_E_IO, "cannot map");
    }
    if (status == ROOF_OK) {
        inputs_note(path, &about);
        out->bytes = map;
        out->size_bytes = about.size_bytes;
        out->is_mapped = true;
    }
    os_close(&file);
    return error_placed(status, err, "%s", path);
}

roof_status mapfile_open(const char *path, mapfile *out, roof_error *err)
{
    TRY(mapfile_open_sparse(path, out, err));
    os_want(out->bytes, out->size_bytes);
    return ROOF_OK;
}

void mapfile_close(mapfile *file)
{
    if (file->is_mapped)
        os_unmap(file->bytes, file->size_bytes);
    *file = (mapfile){0};
}

/* Less is not worth the call. A multiple of the page. */
static const size_t LARGE_BYTES = (size_t)16 * 1024 * 1024;

void mapfile_let_go(const mapfile *file)
{
    if (file->is_mapped && file->size_bytes >= LARGE_BYTES)
        os_let_go(file->bytes, file->size_bytes);
}

const unsigned char *mapfile_pass(const mapfile *file, const unsigned char *from, const unsigned char *at)
{
    if (!file->is_mapped || at < from || (size_t)(at - from) < LARGE_BYTES)
        return from;
    const size_t whole = (size_t)(at - file->bytes) / LARGE_BYTES * LARGE_BYTES;
    const size_t gone = (size_t)(from - file->bytes) / LARGE_BYTES * LARGE_BYTES;
    os_let_go(file->bytes + gone, whole - gone);
    return file->bytes + whole;
}
