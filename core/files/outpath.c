#include "core/files/outpath.h"

#include <errno.h>
#include <limits.h>

enum { MOST_LINKS = 40 };

/* Splits path at its last '/', and frees its folder from links. false: errno says why. */
static bool split(roof_arena *arena, const char *path, outpath *t)
{
    const char *slash = strrchr(path, '/');
    char *before = !slash          ? arena_strdup(arena, ".")
                   : slash == path ? arena_strdup(arena, "/")
                                   : arena_strndup(arena, path, (size_t)(slash - path));
    char *real = before ? os_real_path(before) : NULL;
    int why = before ? errno : ENOMEM;
    t->folder = real ? arena_strdup(arena, real) : NULL;
    t->name = arena_strdup(arena, slash ? slash + 1 : path);
    t->full =
        t->folder && t->name ? arena_printf(arena, "%s/%s", t->folder[1] ? t->folder : "", t->name) : NULL;
    errno = real ? ENOMEM : why;
    free(real);
    return t->full;
}

/* As the kernel protects links (protected_symlinks), which following them by hand would go round. */
static bool is_planted(const outpath *t, const os_entry *link)
{
    os_entry folder;
    return os_look(OS_HERE, t->folder, OS_FOLLOW, &folder) && folder.is_shared && !link->is_ours &&
           link->owner != folder.owner;
}

static const char *read_link(roof_arena *arena, const outpath *t)
{
    char to[PATH_MAX];
    if (!os_read_link(t->full, to, sizeof to))
        return NULL;
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
    t->stream = descriptor >= 0 ? os_share(descriptor) : os_open(OS_HERE, t->full, OS_STREAM_TO);
    return t->stream >= 0 && os_look_into(t->stream, &t->about) ? ROOF_OK
                                                                : fail_errno(err, "open for writing");
}

/* One step of a chain of links: *next is where to go on, or NULL at its end. */
static roof_status follow(roof_arena *arena, const char *path, outpath *t, const char **next, roof_error *err)
{
    os_entry link;
    *next = NULL;
    if (!split(arena, path, t))
        return fail_errno(err, "write there");
    /* /dev/stdout leads to one: opening it anew would write from the beginning of a file that the shell
     * appends to. */
    int descriptor = os_own_file(t->folder, t->name);
    if (descriptor >= 0)
        return open_stream(t, descriptor, err);
    if (!os_look(OS_HERE, t->full, OS_STAY, &link))
        return errno == ENOENT && t->name[0] ? ROOF_OK : fail_errno(err, "write there");
    const bool is_link = link.kind == OS_LINK;
    if (is_link && is_planted(t, &link))
        return error_set(err, ROOF_E_IO, "is a link of another user in a folder that all may write to");
    if (is_link && !os_look(OS_HERE, t->full, OS_FOLLOW, &t->about))
        return error_set(err, ROOF_E_IO, "is a link that leads to no file: %s", strerror(errno));
    if (is_link && (t->about.kind == OS_FILE || t->about.kind == OS_LINK))
        return (*next = read_link(arena, t)) ? ROOF_OK : fail_errno(err, "read the link");
    if (!os_look(OS_HERE, t->full, OS_FOLLOW, &t->about))
        return fail_errno(err, "write");
    t->is_there = true;
    if (t->about.kind == OS_FOLDER)
        return error_set(err, ROOF_E_IO, "is a directory, want a file name");
    if (t->about.kind == OS_DISK)
        return error_set(err, ROOF_E_IO, "is a block device, want a file name");
    if (t->about.kind != OS_FILE)
        return open_stream(t, OS_NONE, err);
    return os_may(OS_HERE, t->full, OS_MAY_WRITE) ? ROOF_OK : fail_errno(err, "write");
}

roof_status outpath_find(roof_arena *arena, const char *path, outpath *out, roof_error *err)
{
    roof_status status = ROOF_OK;
    const char *next = path;
    for (int i = 0; next && status == ROOF_OK; i++) {
        *out = (outpath){.stream = OS_NONE};
        errno = ELOOP;
        status = i < MOST_LINKS ? follow(arena, next, out, &next, err) : fail_errno(err, "follow the link");
    }
    return error_placed(status, err, "%s", path);
}
