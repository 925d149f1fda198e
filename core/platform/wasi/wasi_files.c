/* Files, folders and pages. */
#include "core/platform/platform.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <wasi/api.h>

/* ---- what is at a path ---- */

/* Rights are those of the host, which says no when a file is opened. */
bool os_may(int at, const char *path, os_right right)
{
    os_entry entry;
    if (right == OS_MAY_READ) {
        int file = os_open(at, path, OS_READ_NOW);
        const bool may = file >= 0;
        os_close(&file);
        return may;
    }
    return os_look(at, path, OS_FOLLOW, &entry);
}

/* ---- the path without links ---- */

typedef struct walk {
    char real[PATH_MAX]; /* so far, without a slash at its end; "" is the root */
    char rest[PATH_MAX]; /* names to come */
    unsigned n_links;
} walk;

/* What a link says takes its place among the names to come. */
static bool follow_link(walk *w, const char *rest)
{
    enum { MOST_LINKS = 40 };
    const ssize_t length = readlink(w->real, w->rest, sizeof w->rest - 1);
    if (length < 0)
        return false;
    if (++w->n_links > MOST_LINKS || (size_t)length + strlen(rest) + 2 > sizeof w->rest) {
        errno = w->n_links > MOST_LINKS ? ELOOP : ENAMETOOLONG;
        return false;
    }
    w->rest[length] = '/';
    memcpy(w->rest + length + 1, rest, strlen(rest) + 1);
    *(*w->rest == '/' ? w->real : strrchr(w->real, '/')) = '\0';
    return true;
}

/* One name further. False: errno says why. */
static bool next_name(walk *w)
{
    char rest[PATH_MAX];
    os_entry entry;
    const char *name = w->rest + strspn(w->rest, "/");
    const size_t length = strcspn(name, "/"), used = strlen(w->real);
    memcpy(rest, name + length, strlen(name + length) + 1);
    const bool stays = !length || (length == 1 && *name == '.');
    if (!stays && length == 2 && memcmp(name, "..", 2) == 0) {
        char *slash = strrchr(w->real, '/');
        *(slash ? slash : w->real) = '\0';
    } else if (!stays) {
        if (used + length + 2 > sizeof w->real) {
            errno = ENAMETOOLONG;
            return false;
        }
        w->real[used] = '/';
        memcpy(w->real + used + 1, name, length);
        w->real[used + 1 + length] = '\0';
        if (!os_look(OS_HERE, w->real, OS_STAY, &entry))
            return false;
        if (entry.kind == OS_LINK)
            return follow_link(w, rest);
    }
    memcpy(w->rest, rest, strlen(rest) + 1);
    return true;
}

char *os_real_path(const char *path)
{
    walk *w = calloc(1, sizeof *w);
    char here[PATH_MAX];
    if (!w)
        return NULL;
    const bool is_whole = *path == '/';
    bool good = *path && (is_whole || getcwd(here, sizeof here));
    if (good && strlen(path) + (is_whole ? 0 : strlen(here)) + 2 > sizeof w->rest) {
        errno = ENAMETOOLONG;
        good = false;
    } else if (!*path) {
        errno = ENOENT;
    }
    if (good)
        stpcpy(is_whole ? w->rest : stpcpy(stpcpy(w->rest, here), "/"), path);
    while (good && *w->rest)
        good = next_name(w);
    char *out = good ? strdup(*w->real ? w->real : "/") : NULL;
    const int why = errno;
    free(w);
    errno = why;
    return out;
}

/* ---- open files ---- */

/* Standard streams have no second number (os_share), so they stay open. */
bool os_close(int *file)
{
    const int was = *file;
    *file = OS_NONE;
    return was <= STDERR_FILENO || close(was) == 0;
}

int os_share(int file)
{
    return file;
}

int os_own_file(const char *folder, const char *name)
{
    (void)folder, (void)name;
    return OS_NONE;
}

int os_memory_file(const void *bytes, size_t length)
{
    (void)bytes, (void)length;
    errno = ENOTSUP;
    return OS_NONE;
}

void os_name_file(int file, char name[OS_FILE_NAME_SIZE])
{
    (void)file;
    *name = '\0';
}

int64_t os_read(int file, void *buffer, size_t size)
{
    return read(file, buffer, size);
}

size_t os_write(int file, const void *bytes, size_t length)
{
    enum { NOBODY_READS = 128 + 13 };
    size_t done = 0;
    while (done < length) {
        const ssize_t n = write(file, (const char *)bytes + done, length - done);
        if (n < 0 && errno == EAGAIN) /* a pipe that the host does not wait for */
            continue;
        if (n < 0 && errno == EPIPE) /* as the signal ends a process */
            _Exit(NOBODY_READS);
        if (n < 0)
            break;
        done += (size_t)n;
    }
    return done;
}

bool os_allow(int file, uint32_t mode)
{
    (void)file, (void)mode;
    return true;
}

uint32_t os_usual_mode(uint32_t mode)
{
    return mode;
}

bool os_lock(int file, bool waits)
{
    (void)file, (void)waits;
    return true;
}

/* ---- pages of memory ---- */

/* A mapped file is addresses whose blocks are read when they are wanted: memory that nobody has touched
 * costs nothing. The file stays open until it is unmapped. */
enum { BLOCK_BYTES = 1 << 16 };

typedef struct file_map {
    struct file_map *next;
    unsigned char *bytes;
    size_t size_bytes;
    int file;
    unsigned char is_there[]; /* a bit of each block */
} file_map;

static file_map *maps;

void *os_map(int *file, uint64_t size_bytes)
{
    if (size_bytes > SIZE_MAX - BLOCK_BYTES) {
        errno = ENOMEM;
        return NULL;
    }
    const size_t size = (size_t)size_bytes;
    if (!file)
        return calloc(1, size);
    file_map *map = calloc(1, sizeof *map + size / BLOCK_BYTES / 8 + 1);
    unsigned char *bytes = map ? malloc(size) : NULL;
    if (!bytes) {
        free(map);
        return NULL;
    }
    *map = (file_map){.next = maps, .bytes = bytes, .size_bytes = size, .file = *file};
    maps = map;
    *file = OS_NONE;
    return bytes;
}

void os_unmap(const void *bytes, uint64_t size_bytes)
{
    (void)size_bytes;
    for (file_map **at = &maps; *at; at = &(*at)->next)
        if ((*at)->bytes == bytes) {
            file_map *map = *at;
            *at = map->next;
            close(map->file);
            free(map);
            break;
        }
    free((void *)(uintptr_t)bytes);
}

/* A file that cannot be read, or has become shorter, ends the module, as it ends a process elsewhere. */
static void read_block(file_map *map, size_t block)
{
    const size_t begin = block * BLOCK_BYTES, left = map->size_bytes - begin,
                 size = left < BLOCK_BYTES ? left : BLOCK_BYTES;
    for (size_t done = 0; done < size;) {
        const ssize_t n = pread(map->file, map->bytes + begin + done, size - done, (off_t)(begin + done));
        if (n <= 0)
            abort();
        done += (size_t)n;
    }
    map->is_there[block / 8] |= (unsigned char)(1 << block % 8);
}

void os_want(const void *wanted, uint64_t n)
{
    const unsigned char *p = wanted;
    for (file_map *map = maps; map; map = map->next) {
        if (p < map->bytes || p >= map->bytes + map->size_bytes)
            continue;
        const size_t begin = (size_t)(p - map->bytes), left = map->size_bytes - begin;
        const size_t end = begin + (n < left ? (size_t)n : left);
        for (size_t block = begin / BLOCK_BYTES; block * BLOCK_BYTES < end; block++)
            if (!(map->is_there[block / 8] & 1 << block % 8))
                read_block(map, block);
        return;
    }
}

void os_let_go(const void *bytes, uint64_t size_bytes)
{
    (void)bytes, (void)size_bytes;
}

void os_prefer_large_pages(void *bytes, size_t size)
{
    (void)bytes, (void)size;
}

/* ---- names ---- */

/* All names of a folder, each with a NUL behind it; the caller frees them. NULL: errno says why. The C
 * library's readdir would take the folder over. */
static char *names_of(int folder, size_t *length)
{
    unsigned char block[4096];
    __wasi_dircookie_t cookie = __WASI_DIRCOOKIE_START;
    char *names = NULL;
    FILE *f = open_memstream(&names, length);
    __wasi_errno_t failure = f ? __WASI_ERRNO_SUCCESS : __WASI_ERRNO_NOMEM;
    for (size_t n = sizeof block; n == sizeof block && !failure;) {
        failure = __wasi_fd_readdir((__wasi_fd_t)folder, block, sizeof block, cookie, &n);
        __wasi_dirent_t entry;
        for (size_t at = 0; !failure && at + sizeof entry <= n; at += sizeof entry + entry.d_namlen) {
            memcpy(&entry, block + at, sizeof entry);
            if (entry.d_namlen > n - at - sizeof entry) /* cut: it is asked for once more */
                break;
            cookie = entry.d_next;
            fwrite(block + at + sizeof entry, 1, entry.d_namlen, f);
            putc('\0', f);
        }
    }
    if (f && fclose(f) != 0 && !failure)
        failure = __WASI_ERRNO_NOMEM;
    if (!failure)
        return names;
    free(names);
    errno = failure;
    return NULL;
}

/* A host may count its names anew when some are removed meanwhile: all are read before the first visit. */
bool os_visit(int folder, os_visitor *each, void *context)
{
    size_t length = 0;
    char *const names = names_of(folder, &length);
    if (!names)
        return false;
    for (const char *name = names; name < names + length; name += strlen(name) + 1)
        if (strcmp(name, ".") != 0 && strcmp(name, "..") != 0 && !each(context, folder, name))
            break;
    free(names);
    return true;
}

bool os_make_folder(int at, const char *path)
{
    return mkdirat(at, path, 0700) == 0;
}

bool os_make_temporary(char *path)
{
    enum { LETTERS = 6, MOST_TRIES = 100 };
    static const char letters[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789";
    char *name = path + strlen(path) - LETTERS;
    unsigned char random[LETTERS];
    for (int i = 0; i < MOST_TRIES && getentropy(random, sizeof random) == 0; i++) {
        for (size_t k = 0; k < LETTERS; k++)
            name[k] = letters[random[k] % (sizeof letters - 1)];
        if (os_make_folder(OS_HERE, path))
            return true;
        if (errno != EEXIST)
            return false;
    }
    return false;
}
