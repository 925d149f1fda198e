#include "core/files/outpath.h"
#include "core/error.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { MOST_LINKS = 40 };

/* Splits path at its last '/', and frees its folder from links. false: errno says why. */
static bool split(roof_arena *arena, const char *path, outpath *t)
{
    const char *slash = strrchr(path, '/');
    char *before = !slash          ? arena_strdup(arena, ".")
                   : slash == path ? arena_strdup(arena, "/")
                                   : arena_strndup(arena, path, (size_t)(slash - path));
    char *real = before ? realpath(before, NULL) : NULL;
    int why = before ? errno : ENOMEM;
    t->folder = real ? arena_strdup(arena, real) : NULL;
    t->name = arena_strdup(arena, slash ? slash + 1 : path);
    t->full =
        t->folder && t->name ? arena_printf(arena, "%s/%s", t->folder[1] ? t->folder : "", t->name) : NULL;
    errno = real ? ENOMEM : why;
    free(real);
    return t->full;
}

/* /proc/self/fd/1, to which /dev/stdout leads: opening it anew would write from the beginning of a file that
 * the shell appends to. -1: another path. */
static int own_descriptor(const outpath *t)
{
    static const char proc[] = "/proc/";
    char *end = NULL;
    size_t length = strlen(t->folder);
    if (strncmp(t->folder, proc, sizeof proc - 1) != 0 ||
        strtol(t->folder + sizeof proc - 1, NULL, 10) != getpid() ||
        strcmp(t->folder + length - 3, "/fd") != 0)
        return -1;
    long n = strtol(t->name, &end, 10);
    return end != t->name && !*end && n >= 0 && n <= INT_MAX ? (int)n : -1;
}

/* As the kernel protects links (protected_symlinks), which following them by hand would go round. */
static bool is_planted(const outpath *t, const struct stat *link)
{
    struct stat folder;
    return stat(t->folder, &folder) == 0 && (folder.st_mode & S_ISVTX) && (folder.st_mode & S_IWOTH) &&
           link->st_uid != geteuid() && link->st_uid != folder.st_uid;
}

static const char *read_link(roof_arena *arena, const outpath *t)
{
    char to[PATH_MAX];
    ssize_t length = readlink(t->full, to, sizeof to - 1);
    if (length < 0)
        return NULL;
    to[length] = '\0';
    return to[0] == '/' ? arena_strdup(arena, to) : arena_printf(arena, "%s/%s", t->folder, to);
}

static roof_status fail_errno(roof_error *err, const char *what)
{
    char doing[80];
    snprintf(doing, sizeof doing, "cannot %s", what);
    return error_errno(err, ROOF_E_IO, doing);
}

static roof_status open_stream(outpath *t, int descriptor, roof_error *err)
{
    if (descriptor >= 0)
        t->stream = fcntl(descriptor, F_DUPFD_CLOEXEC, 0);
    else
        t->stream = open(t->full, O_WRONLY | O_CLOEXEC | O_NOCTTY);
    return t->stream >= 0 && fstat(t->stream, &t->st) == 0 ? ROOF_OK : fail_errno(err, "open for writing");
}

/* One step of a chain of links: *next is where to go on, or NULL at its end. */
static roof_status follow(roof_arena *arena, const char *path, outpath *t, const char **next, roof_error *err)
{
    struct stat link;
    *next = NULL;
    if (!split(arena, path, t))
        return fail_errno(err, "write there");
    int descriptor = own_descriptor(t);
    if (descriptor >= 0)
        return open_stream(t, descriptor, err);
    if (lstat(t->full, &link) != 0)
        return errno == ENOENT && t->name[0] ? ROOF_OK : fail_errno(err, "write there");
    if (S_ISLNK(link.st_mode) && is_planted(t, &link))
        return error_set(err, ROOF_E_IO, "is a link of another user in a folder that all may write to");
    if (S_ISLNK(link.st_mode) && stat(t->full, &t->st) != 0)
        return error_set(err, ROOF_E_IO, "is a link that leads to no file: %s", strerror(errno));
    if (S_ISLNK(link.st_mode) && (S_ISREG(t->st.st_mode) || S_ISLNK(t->st.st_mode)))
        return (*next = read_link(arena, t)) ? ROOF_OK : fail_errno(err, "read the link");
    if (stat(t->full, &t->st) != 0)
        return fail_errno(err, "write");
    t->is_there = true;
    if (S_ISDIR(t->st.st_mode))
        return error_set(err, ROOF_E_IO, "is a directory, want a file name");
    if (S_ISBLK(t->st.st_mode))
        return error_set(err, ROOF_E_IO, "is a block device, want a file name");
    if (!S_ISREG(t->st.st_mode))
        return open_stream(t, -1, err);
    return faccessat(AT_FDCWD, t->full, W_OK, AT_EACCESS) == 0 ? ROOF_OK : fail_errno(err, "write");
}

roof_status outpath_find(roof_arena *arena, const char *path, outpath *out, roof_error *err)
{
    roof_status status = ROOF_OK;
    const char *next = path;
    for (int i = 0; next && status == ROOF_OK; i++) {
        *out = (outpath){.stream = -1};
        errno = ELOOP;
        status = i < MOST_LINKS ? follow(arena, next, out, &next, err) : fail_errno(err, "follow the link");
    }
    if (status != ROOF_OK)
        error_prefix(err, "%s", path);
    return status;
}
