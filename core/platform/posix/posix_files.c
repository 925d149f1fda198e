/* Files, folders and pages. */
#include "core/platform/platform.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

/* ---- what is at a path ---- */

bool os_may(int at, const char *path, os_right right)
{
    static const int rights[] = {
        [OS_MAY_BE] = F_OK, [OS_MAY_READ] = R_OK, [OS_MAY_WRITE] = W_OK, [OS_MAY_RUN] = X_OK};
    return faccessat(at, path, rights[right], AT_EACCESS) == 0;
}

char *os_real_path(const char *path)
{
    return realpath(path, NULL);
}

/* ---- open files ---- */

bool os_close(int *file)
{
    const int was = *file;
    *file = OS_NONE;
    return was < 0 || close(was) == 0;
}

int os_share(int file)
{
    return fcntl(file, F_DUPFD_CLOEXEC, 0);
}

int os_own_file(const char *folder, const char *name)
{
    static const char proc[] = "/proc/";
    char *end = NULL;
    if (strncmp(folder, proc, sizeof proc - 1) != 0 ||
        strtol(folder + sizeof proc - 1, NULL, 10) != getpid() ||
        strcmp(folder + strlen(folder) - 3, "/fd") != 0)
        return OS_NONE;
    const long n = strtol(name, &end, 10);
    return end != name && !*end && n >= 0 && n <= INT_MAX ? (int)n : OS_NONE;
}

int os_memory_file(const void *bytes, size_t length)
{
    int file = memfd_create("bytes", MFD_CLOEXEC);
    if (file >= 0 && os_write(file, bytes, length) < length)
        os_close(&file);
    return file;
}

void os_name_file(int file, char name[OS_FILE_NAME_SIZE])
{
    snprintf(name, OS_FILE_NAME_SIZE, "/proc/%ld/fd/%d", (long)getpid(), file);
}

int64_t os_read(int file, void *buffer, size_t size)
{
    return TEMP_FAILURE_RETRY(read(file, buffer, size));
}

size_t os_write(int file, const void *bytes, size_t length)
{
    size_t done = 0;
    while (done < length) {
        const ssize_t n = TEMP_FAILURE_RETRY(write(file, (const char *)bytes + done, length - done));
        if (n < 0)
            break;
        done += (size_t)n;
    }
    return done;
}

bool os_allow(int file, uint32_t mode)
{
    return fchmod(file, mode) == 0;
}

uint32_t os_usual_mode(uint32_t mode)
{
    const mode_t mask = umask(0);
    umask(mask);
    return mode & ~mask;
}

bool os_lock(int file, bool waits)
{
    return flock(file, waits ? LOCK_EX : LOCK_EX | LOCK_NB) == 0;
}

/* ---- pages of memory ---- */

void *os_map(int *file, uint64_t size_bytes)
{
    const bool is_memory = !file;
    void *map = mmap(NULL, (size_t)size_bytes, is_memory ? PROT_READ | PROT_WRITE : PROT_READ,
                     is_memory ? MAP_PRIVATE | MAP_ANONYMOUS : MAP_PRIVATE, is_memory ? OS_NONE : *file, 0);
    return map == MAP_FAILED ? NULL : map;
}

void os_unmap(const void *bytes, uint64_t size_bytes)
{
    munmap((void *)(uintptr_t)bytes, (size_t)size_bytes);
}

void os_let_go(const void *bytes, uint64_t size_bytes)
{
    madvise((void *)(uintptr_t)bytes, (size_t)size_bytes, MADV_DONTNEED);
}

void os_prefer_large_pages(void *bytes, size_t size)
{
    enum { PAGE = 4096 };
    const size_t before = (size_t)(-(uintptr_t)bytes % PAGE);
    if (size > before)
        madvise((char *)bytes + before, size - before, MADV_HUGEPAGE);
}

/* ---- names ---- */

/* readdir allocates, which a handler of signals must not. */
bool os_visit(int folder, os_visitor *each, void *context)
{
    union {
        struct dirent64 entry; /* for its alignment */
        char bytes[4096];
    } block;
    ssize_t n;
    lseek(folder, 0, SEEK_SET);
    while ((n = getdents64(folder, block.bytes, sizeof block.bytes)) > 0)
        for (ssize_t at = 0; at < n;) {
            const struct dirent64 *entry = (const struct dirent64 *)(const void *)(block.bytes + at);
            if (strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0 &&
                !each(context, folder, entry->d_name))
                return true;
            at += entry->d_reclen;
        }
    return n == 0;
}

bool os_make_folder(int at, const char *path)
{
    return mkdirat(at, path, 0700) == 0 && fchmodat(at, path, 0700, 0) == 0;
}

bool os_make_temporary(char *path)
{
    const bool made = mkdtemp(path);
    if (made)
        chmod(path, 0700); /* whatever the umask took away */
    return made;
}
