/* What POSIX and WASI are asked in the same words. */
#include "core/platform/platform.h"

#include <stdlib.h>
#include <time.h>
#include <unistd.h>

bool os_is_same(const os_entry *a, const os_entry *b)
{
    return a->device == b->device && a->inode == b->inode;
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
