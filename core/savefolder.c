#include "core/savefolder.h"
#include "core/error.h"
#include "core/savefile.h"

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static roof_status fail(const char *path, const char *what, roof_error *err)
{
    roof_fail(err, ROOF_E_IO, "cannot %s: %s", what, strerror(errno));
    roof_error_prefix(err, "%s", path);
    return ROOF_E_IO;
}

/* "out/" is "out", and "/" stays. */
static const char *without_slashes(roof_arena *arena, const char *path)
{
    size_t length = strlen(path);
    while (length > 1 && path[length - 1] == '/')
        length--;
    return roof_arena_strndup(arena, path, length);
}

static roof_status check_kind(roof_savefolder *f, roof_error *err)
{
    struct stat st;
    f->is_new = stat(f->path, &st) != 0;
    if (f->is_new || S_ISDIR(st.st_mode))
        return ROOF_OK;
    roof_fail(err, ROOF_E_USAGE, "is a file, want a folder");
    roof_error_prefix(err, "%s", f->path);
    return ROOF_E_USAGE;
}

static roof_status begin(roof_savefolder *f, const char *path, roof_error *err)
{
    f->path = f->arena ? without_slashes(f->arena, path) : NULL;
    if (!f->path)
        return roof_fail_memory(err);
    ROOF_TRY(check_kind(f, err));
    char *temporary = roof_arena_printf(f->arena, f->is_new ? "%s.XXXXXX" : "%s/.XXXXXX", f->path);
    if (!temporary)
        return roof_fail_memory(err);
    if (!mkdtemp(temporary))
        return fail(f->path, "create a folder", err);
    f->temporary = temporary;
    return ROOF_OK;
}

roof_status roof_savefolder_begin(roof_savefolder *f, const char *path, roof_error *err)
{
    *f = (roof_savefolder){.arena = roof_arena_new(0)};
    roof_status status = begin(f, path, err);
    if (status != ROOF_OK) {
        roof_arena_free(f->arena);
        *f = (roof_savefolder){0};
    }
    return status;
}

const char *roof_savefolder_add(roof_savefolder *f, const char *name)
{
    const char *path = roof_arena_printf(f->arena, "%s/%s", f->temporary, name);
    f->files = roof_arena_grow(f->arena, f->files, f->n_files, sizeof *f->files);
    const char *copy = roof_arena_strdup(f->arena, name);
    if (!path || !f->files || !copy)
        return NULL;
    f->files[f->n_files++] = copy;
    return path;
}

roof_status roof_savefolder_text(roof_savefolder *f, const char *name, const roof_text *text, roof_error *err)
{
    const char *path = roof_savefolder_add(f, name);
    return path ? roof_text_save(text, path, err) : roof_fail_memory(err);
}

/* --- putting in place --------------------------------------------------------------------------------- */

/* The mode that mkdir() would have given the folder; mkdtemp makes it private. */
static mode_t usual_mode(void)
{
    mode_t mask = umask(0);
    umask(mask);
    return 0777 & ~mask;
}

static bool join(char *out, size_t size, const char *folder, const char *name, const char *suffix)
{
    return snprintf(out, size, "%s/%s%s", folder, name, suffix) < (int)size;
}

enum { PATH_SIZE = 4096 };

typedef struct places {
    char made[PATH_SIZE], kept[PATH_SIZE], wanted[PATH_SIZE];
} places;

static bool find_places(const roof_savefolder *f, const char *name, places *p)
{
    errno = ENAMETOOLONG;
    return join(p->made, PATH_SIZE, f->temporary, name, "") &&
           join(p->kept, PATH_SIZE, f->temporary, name, ".was") &&
           join(p->wanted, PATH_SIZE, f->path, name, "");
}

/* What stands in a file's place is kept in the temporary folder until all files are in theirs. */
static bool swap_in(const roof_savefolder *f, const char *name, bool *placed)
{
    places p;
    struct stat st;
    if (!find_places(f, name, &p))
        return false;
    if (access(p.made, F_OK) != 0)
        return errno == ENOENT; /* it was announced and not made */
    if (lstat(p.wanted, &st) == 0 && S_ISDIR(st.st_mode)) {
        errno = EISDIR;
        return false;
    }
    bool kept = rename(p.wanted, p.kept) == 0;
    *placed = (kept || errno == ENOENT) && rename(p.made, p.wanted) == 0;
    int why = errno;
    if (!*placed && kept && rename(p.kept, p.wanted) != 0)
        return false; /* the disk is gone: there is nothing left to try */
    errno = why;
    return *placed;
}

static void swap_out(const roof_savefolder *f, const char *name)
{
    places p;
    if (find_places(f, name, &p) && rename(p.wanted, p.made) == 0 && rename(p.kept, p.wanted) != 0)
        return; /* there was none before */
}

static roof_status swap_all(const roof_savefolder *f, roof_error *err)
{
    bool *placed = ROOF_NEW_ARRAY(f->arena, bool, f->n_files);
    if (!placed)
        return roof_fail_memory(err);
    for (size_t i = 0; i < f->n_files; i++) {
        if (swap_in(f, f->files[i], &placed[i]))
            continue;
        roof_status status = fail(f->path, "put the files in place", err);
        while (i-- > 0)
            if (placed[i])
                swap_out(f, f->files[i]);
        return status;
    }
    return ROOF_OK;
}

static bool is_announced(const roof_savefolder *f, const char *name)
{
    for (size_t i = 0; i < f->n_files; i++)
        if (strcmp(f->files[i], name) == 0)
            return true;
    return false;
}

/* Removes what was made on the way, and what was announced too unless it is wanted. Everything there is ours, and no
 * folder. */
static void remove_files(const roof_savefolder *f, bool keep_announced)
{
    char path[PATH_SIZE];
    DIR *folder = opendir(f->temporary);
    for (struct dirent *entry; folder && (entry = readdir(folder));)
        if (strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0 &&
            !(keep_announced && is_announced(f, entry->d_name)) &&
            join(path, sizeof path, f->temporary, entry->d_name, ""))
            unlink(path);
    if (folder)
        closedir(folder);
}

static roof_status put_in_place(const roof_savefolder *f, roof_error *err)
{
    if (!f->is_new)
        return swap_all(f, err);
    remove_files(f, true);
    if (chmod(f->temporary, usual_mode()) != 0 || rename(f->temporary, f->path) != 0)
        return fail(f->path, "put the folder in place", err);
    return ROOF_OK;
}

roof_status roof_savefolder_end(roof_savefolder *f, roof_status status, roof_error *err)
{
    if (!f->arena)
        return status;
    if (status == ROOF_OK)
        status = put_in_place(f, err);
    if (status != ROOF_OK || !f->is_new) {
        remove_files(f, false);
        rmdir(f->temporary);
    }
    roof_arena_free(f->arena);
    *f = (roof_savefolder){0};
    return status;
}
