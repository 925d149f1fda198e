/* What POSIX and WASI are asked in the same words. */
#include "core/platform/platform.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

_Static_assert(OS_HERE == AT_FDCWD, "a path is passed on as it is");

/* ---- what is at a path ---- */

/* A host of WASI may take "link/.." for the folder that the link is in, and POSIX takes it for the one above
 * where it leads: such a path is resolved here. NULL: as it is. The caller frees it. */
static char *resolved(int at, const char *path)
{
    return OS_RESOLVES && at == OS_HERE && strstr(path, "..") ? os_real_path(path) : NULL;
}

static int64_t ns_of(struct timespec t)
{
    return (int64_t)t.tv_sec * 1000000000 + t.tv_nsec;
}

static bool fill_entry(bool is_there, const struct stat *st, os_entry *out)
{
    if (!is_there)
        return false;
    const mode_t mode = st->st_mode;
    *out = (os_entry){.kind = S_ISREG(mode)   ? OS_FILE
                              : S_ISDIR(mode) ? OS_FOLDER
                              : S_ISLNK(mode) ? OS_LINK
                              : S_ISBLK(mode) ? OS_DISK
                                              : OS_STREAM,
                      .size_bytes = (uint64_t)st->st_size,
                      .device = st->st_dev,
                      .inode = st->st_ino,
                      .mode = mode & 0777,
                      .owner = st->st_uid,
                      .is_ours = st->st_uid == geteuid(),
                      .is_shared = (mode & S_ISVTX) && (mode & S_IWOTH),
                      .written_ns = ns_of(st->st_mtim),
                      .changed_ns = ns_of(st->st_ctim)};
    return true;
}

bool os_look(int at, const char *path, os_links links, os_entry *out)
{
    struct stat st;
    char *real = links == OS_FOLLOW ? resolved(at, path) : NULL;
    const bool is_there =
        fstatat(at, real ? real : path, &st, links == OS_STAY ? AT_SYMLINK_NOFOLLOW : 0) == 0;
    const int why = errno;
    free(real);
    errno = why;
    return fill_entry(is_there, &st, out);
}

bool os_look_into(int file, os_entry *out)
{
    struct stat st;
    return fill_entry(fstat(file, &st) == 0, &st, out);
}

bool os_is_same(const os_entry *a, const os_entry *b)
{
    return a->device == b->device && a->inode == b->inode;
}

int os_open(int at, const char *path, os_use use)
{
    static const int flags[] = {
        [OS_READ] = O_RDONLY,
        [OS_READ_NOW] = O_RDONLY | O_NONBLOCK,
        [OS_READ_OWN] = O_RDONLY | O_NONBLOCK | O_NOFOLLOW,
        [OS_WRITE_NEW] = O_WRONLY | O_CREAT | O_EXCL,
        [OS_WRITE_OVER] = O_WRONLY | O_TRUNC,
        [OS_STREAM_TO] = O_WRONLY | O_NOCTTY,
        [OS_CONTINUE] = O_RDWR | O_CREAT | O_NOFOLLOW,
        [OS_LIST] = O_RDONLY | O_DIRECTORY,
        [OS_LIST_OWN] = O_RDONLY | O_DIRECTORY | O_NOFOLLOW,
    };
    char *real = resolved(at, path);
    int file;
    do
        file = openat(at, real ? real : path, flags[use] | O_CLOEXEC, use == OS_WRITE_NEW ? 0600 : 0666);
    while (file < 0 && errno == EINTR);
    const int why = errno;
    free(real);
    errno = why;
    return file;
}

bool os_read_link(const char *link, char *to, size_t size)
{
    const ssize_t length = readlink(link, to, size - 1);
    to[length > 0 ? length : 0] = '\0';
    return length >= 0;
}

bool os_cut(int file, uint64_t bytes)
{
    return ftruncate(file, (off_t)bytes) == 0 && lseek(file, (off_t)bytes, SEEK_SET) >= 0;
}

void os_rewind(int file)
{
    lseek(file, 0, SEEK_SET);
}

bool os_sync(int file)
{
    return fsync(file) == 0;
}

bool os_remove(int at, const char *name)
{
    return unlinkat(at, name, 0) == 0;
}

bool os_remove_folder(int at, const char *name)
{
    return (at == OS_HERE ? rmdir(name) : unlinkat(at, name, AT_REMOVEDIR)) == 0;
}

bool os_rename(int from_at, const char *from, int to_at, const char *to)
{
    return renameat(from_at, from, to_at, to) == 0;
}

bool os_link(const char *from, const char *to)
{
    return link(from, to) == 0;
}

int64_t os_now_ns(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (int64_t)now.tv_sec * 1000000000 + now.tv_nsec;
}

const char *os_setting(const char *name)
{
    return getenv(name);
}
