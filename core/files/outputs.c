#include "core/files/outputs.h"
#include "core/files/leftovers.h"
#include "core/files/outpath.h"
#include "core/error.h"
#include "core/files/input.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

/* The set that is open. A handler of signals has to find it, and what is called by a command joins it. */
static _Thread_local outputs *volatile current;

/* "PATH: WHAT: why", by errno. Returns ROOF_E_IO, or ROOF_E_NO_MEMORY. */
static roof_status outputs_fail(roof_error *err, const char *path, const char *what)
{
    roof_status status = error_errno(err, ROOF_E_IO, what);
    if (status != ROOF_E_NO_MEMORY)
        error_prefix(err, "%s", path);
    return status;
}

void outputs_hold_signals(sigset_t *before)
{
    sigset_t all;
    sigfillset(&all);
    pthread_sigmask(SIG_BLOCK, &all, before);
}

void outputs_release_signals(const sigset_t *before)
{
    pthread_sigmask(SIG_SETMASK, before, NULL);
}

/* --- sets ---------------------------------------------------------------------------------------------- */

static outputs *outermost(outputs *set)
{
    return set->outer ? set->outer : set;
}

roof_status outputs_begin(outputs *set, roof_error *err)
{
    *set = (outputs){.outer = current};
    if (set->outer) {
        set->before = set->outer->n_files;
        return ROOF_OK;
    }
    set->arena = arena_new(0);
    if (!set->arena)
        return error_memory(err);
    current = set;
    return ROOF_OK;
}

/* --- folders ------------------------------------------------------------------------------------------- */

static outputs_folder *find_folder(const outputs *set, const char *real)
{
    for (size_t i = 0; i < set->n_folders; i++)
        if (strcmp(set->folders[i]->real, real) == 0)
            return set->folders[i];
    return NULL;
}

/* Makes the temporary folder inside parent. Another process that clears leftovers waits for its lock. */
static bool make_temporary(outputs_folder *f, const char *parent, char *temporary)
{
    int guard = leftovers_clear(parent);
    bool made = mkdtemp(temporary);
    if (made)
        chmod(temporary, 0700); /* whatever the umask took away */
    f->lock = made ? open(temporary, O_RDONLY | O_DIRECTORY | O_CLOEXEC) : -1;
    int why = errno;
    if (f->lock >= 0) {
        flock(f->lock, LOCK_EX | LOCK_NB);
        f->temporary = temporary;
    } else if (made) {
        rmdir(temporary);
    }
    if (guard >= 0)
        close(guard);
    errno = why;
    return f->temporary;
}

/* what: path and real are the arena's. */
static roof_status enter_folder(const outputs_folder *what, const char *parent, outputs_folder **out,
                                roof_error *err)
{
    sigset_t before;
    outputs *set = what->set;
    outputs_folder *f = NEW(set->arena, outputs_folder);
    char *temporary = arena_printf(set->arena, "%s/" LEFTOVERS_PREFIX "XXXXXX", parent);
    outputs_folder **folders = arena_grow(set->arena, set->folders, set->n_folders, sizeof *set->folders);
    if (!f || !temporary || !folders)
        return error_memory(err);
    *out = f;
    *f = *what;
    set->folders = folders;
    outputs_hold_signals(&before);
    bool made = make_temporary(f, parent, temporary);
    int why = errno;
    if (made) {
        folders[set->n_folders] = f;
        set->n_folders = set->n_folders + 1;
    }
    outputs_release_signals(&before);
    errno = why;
    return made ? ROOF_OK : outputs_fail(err, f->path, "cannot write there");
}

/* A folder that is there. */
static roof_status folder_at(outputs *set, const char *real, const char *shown, outputs_folder **out,
                             roof_error *err)
{
    const outputs_folder what = {.set = set, .path = shown, .real = real};
    *out = find_folder(set, real);
    return *out ? ROOF_OK : enter_folder(&what, real, out, err);
}

/* A folder that is not there yet is made beside its place, and is then one rename away from it. */
static roof_status new_folder(outputs *set, const char *path, outputs_folder **out, roof_error *err)
{
    outpath t;
    TRY(outpath_find(set->arena, path, &t, err));
    const outputs_folder what = {.set = set, .path = path, .real = t.full, .is_new = true};
    return enter_folder(&what, t.folder, out, err);
}

roof_status outputs_folder_open(outputs *set, const char *path, bool may_make, outputs_folder **out,
                                roof_error *err)
{
    struct stat st;
    set = outermost(set);
    /* "out/" is "out", and "/" stays. */
    size_t length = strlen(path);
    while (length > 1 && path[length - 1] == '/')
        length--;
    char *shown = arena_strndup(set->arena, path, length);
    if (!shown)
        return error_memory(err);
    if (stat(shown, &st) != 0)
        return errno == ENOENT && may_make ? new_folder(set, shown, out, err)
                                           : outputs_fail(err, shown, "cannot write there");
    if (!S_ISDIR(st.st_mode)) {
        error_set(err, ROOF_E_USAGE, "is a file, want a folder");
        error_prefix(err, "%s", shown);
        return ROOF_E_USAGE;
    }
    char *real = realpath(shown, NULL), *mine = real ? arena_strdup(set->arena, real) : NULL;
    free(real);
    TRY(mine ? folder_at(set, mine, shown, out, err) : error_memory(err));
    (*out)->path = shown; /* and not the name of a file that it was entered for */
    return ROOF_OK;
}

/* --- what is not overwritten ---------------------------------------------------------------------------- */

static roof_status fail_collision(const outputs_file *f, const char *what, const char *other, roof_error *err)
{
    return error_set(err, ROOF_E_USAGE, "%.300s would overwrite the %s %.300s; name another place", f->path,
                     what, other);
}

/* While files are made more inputs may be read. */
static roof_status check_inputs(const outputs_file *f, roof_error *err)
{
    const struct stat st = {.st_dev = f->device, .st_ino = f->inode};
    bool failed = false;
    const char *input = f->was_there ? inputs_find(&st, &failed) : NULL;
    if (failed)
        return error_memory(err);
    return input ? fail_collision(f, "input", input, err) : ROOF_OK;
}

/* --- files --------------------------------------------------------------------------------------------- */

static roof_status enter_file(outputs *set, outputs_file *f, roof_error *err)
{
    outputs_file **files = arena_grow(set->arena, set->files, set->n_files, sizeof *set->files);
    if (!files)
        return error_memory(err);
    files[set->n_files] = f;
    set->files = files;
    set->n_files = set->n_files + 1;
    /* Of two outputs the later one is at fault. */
    TRY(check_inputs(f, err));
    for (size_t i = 0; i < set->n_files && set->files[i] != f; i++) {
        const outputs_file *other = set->files[i];
        bool same = f->wanted && other->wanted && strcmp(f->wanted, other->wanted) == 0;
        if (f->was_there && other->was_there && f->device == other->device && f->inode == other->inode)
            same = true;
        if (same && !other->is_dropped)
            return fail_collision(f, "other output", other->path, err);
    }
    return ROOF_OK;
}

/* in: the folder where somebody makes the file; NULL: the one that it goes to. Both differ when a link leads
 * elsewhere. */
static roof_status add_file(outputs *set, outputs_folder *in, const char *path, outputs_file **out,
                            roof_error *err)
{
    outpath t;
    outputs_file *f = NEW(set->arena, outputs_file);
    char *shown = f ? arena_strdup(set->arena, path) : NULL;
    const char *name = strrchr(path, '/');
    name = name ? name + 1 : path;
    if (!shown)
        return error_memory(err);
    *f = (outputs_file){.path = shown, .fd = -1};
    *out = f;
    const bool is_new = in && in->is_new;
    if (!in && strcmp(path, "-") == 0) {
        f->path = "standard output";
        t = (outpath){.stream = fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, 0)};
        if (!(t.stream >= 0 && fstat(t.stream, &t.st) == 0))
            return outputs_fail(err, f->path, "cannot write");
    } else if (is_new) {
        t = (outpath){.stream = -1, .folder = in->real, .name = name, .full = shown};
    } else {
        TRY(outpath_find(set->arena, path, &t, err));
    }
    if (t.stream >= 0) {
        /* It is written to directly. Two outputs may go to /dev/null, but not to one terminal or pipe. */
        struct stat null;
        f->fd = t.stream;
        f->device = t.st.st_dev;
        f->inode = t.st.st_ino;
        f->was_there = stat("/dev/null", &null) != 0 || null.st_rdev != t.st.st_rdev || S_ISREG(t.st.st_mode);
        if (!in)
            return enter_file(set, f, err);
        close(t.stream);
        return error_set(err, ROOF_E_IO, "%.300s is not a regular file, and only such a file can be replaced",
                         path);
    }
    outputs_folder *folder = in;
    if (!is_new)
        TRY(folder_at(set, t.folder, shown, &folder, err));
    f->folder = folder;
    f->was_there = t.is_there;
    f->device = t.st.st_dev;
    f->inode = t.st.st_ino;
    f->wanted = arena_printf(set->arena, "%s/%s", folder->real, t.name);
    f->ready = arena_printf(set->arena, "%s/%s", folder->temporary, t.name);
    f->kept = arena_printf(set->arena, "%s/" LEFTOVERS_KEPT "/%s", folder->temporary, t.name);
    f->made = in ? arena_printf(set->arena, "%s/%s", in->temporary, name) : f->ready;
    TRY(f->wanted && f->ready && f->kept && f->made ? enter_file(set, f, err) : error_memory(err));
    return in && in->keeps && t.is_there ? error_set(err, ROOF_E_USAGE, "%.300s %s", shown, in->keeps)
                                         : ROOF_OK;
}

static roof_status create(outputs_file *f, roof_error *err)
{
    if (f->made)
        f->fd = open(f->made, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
    return f->fd >= 0 ? ROOF_OK : outputs_fail(err, f->path, "cannot write there");
}

roof_status outputs_open(outputs *set, const char *path, outputs_file **out, roof_error *err)
{
    TRY(add_file(outermost(set), NULL, path, out, err));
    return create(*out, err);
}

static roof_status add_in(outputs_folder *folder, const char *name, outputs_file **out, roof_error *err)
{
    char *path = arena_printf(folder->set->arena, "%s/%s", folder->path, name);
    return path ? add_file(folder->set, folder, path, out, err) : error_memory(err);
}

roof_status outputs_announce(outputs_folder *folder, const char *name, roof_error *err)
{
    outputs_file *file;
    return add_in(folder, name, &file, err);
}

roof_status outputs_open_in(outputs_folder *folder, const char *name, outputs_file **out, roof_error *err)
{
    TRY(add_in(folder, name, out, err));
    return create(*out, err);
}

void outputs_drop(outputs_file *file)
{
    file->is_dropped = true;
}

/* --- getting ready ---------------------------------------------------------------------------------- */

/* Of 0666 or 0777 what open() or mkdir() would give. */
static mode_t without_mask(mode_t mode)
{
    mode_t mask = umask(0);
    umask(mask);
    return mode & ~mask;
}

roof_status outputs_write(void *file_, const char *bytes, size_t length, roof_error *err)
{
    outputs_file *file = file_;
    for (size_t done = 0; done < length;) {
        ssize_t n = TEMP_FAILURE_RETRY(write(file->fd, bytes + done, length - done));
        if (n < 0)
            return outputs_fail(err, file->path, "cannot write");
        done += (size_t)n;
    }
    return ROOF_OK;
}

roof_status outputs_close(outputs_file *file, roof_status status, roof_error *err)
{
    /* the mode of what is there, else the one that open() would give */
    struct stat st;
    bool is_there = file->made && file->was_there && stat(file->wanted, &st) == 0;
    mode_t mode = is_there ? st.st_mode & 0777 : without_mask(0666);
    if (file->made && status == ROOF_OK && (fchmod(file->fd, mode) != 0 || fsync(file->fd) != 0))
        status = outputs_fail(err, file->path, "cannot write");
    if (close(file->fd) != 0 && status == ROOF_OK)
        status = outputs_fail(err, file->path, "cannot write");
    file->fd = -1;
    return status;
}

/* Where a link leads to another folder, what was made is copied there: that may be another disk. */
static roof_status bring(const outputs_file *f, roof_error *err)
{
    char block[4096];
    ssize_t n = -1;
    roof_status status = ROOF_OK;
    outputs_file to = *f;
    int from = open(f->made, O_RDONLY | O_CLOEXEC);
    to.fd = from < 0 ? -1 : open(f->ready, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
    while (to.fd >= 0 && status == ROOF_OK && (n = read(from, block, sizeof block)) > 0)
        status = outputs_write(&to, block, (size_t)n, err);
    if (status == ROOF_OK && n < 0)
        status = outputs_fail(err, f->path, "cannot write");
    if (to.fd >= 0)
        status = outputs_close(&to, status, err);
    if (from >= 0)
        close(from);
    return status;
}

static bool is_made(const outputs_file *f)
{
    return f->made && !f->is_dropped && access(f->made, F_OK) == 0;
}

/* --- putting in place ---------------------------------------------------------------------------------- */

/* What stands in a file's place stays as it is, and gets a second name in the temporary folder. Where there
 * is nothing, a folder of that name says so. */
static bool keep_old(outputs_file *f)
{
    struct stat st;
    bool is_there = lstat(f->wanted, &st) == 0;
    if (!is_there && errno != ENOENT)
        return false;
    errno = EISDIR;
    if (is_there && S_ISDIR(st.st_mode))
        return false;
    int folder = f->folder->lock;
    if (!f->folder->is_kept &&
        (mkdirat(folder, LEFTOVERS_KEPT, 0700) != 0 || fchmodat(folder, LEFTOVERS_KEPT, 0700, 0) != 0))
        return false;
    f->folder->is_kept = true;
    if (!is_there)
        return mkdir(f->kept, 0700) == 0;
    f->is_kept = link(f->wanted, f->kept) == 0 || rename(f->wanted, f->kept) == 0;
    return f->is_kept;
}

/* A file that is alone needs no way back. */
static bool place_file(outputs_file *f, bool is_alone)
{
    struct stat st;
    if (is_alone && (lstat(f->wanted, &st) != 0 || !S_ISDIR(st.st_mode)))
        return f->is_placed = rename(f->ready, f->wanted) == 0;
    return keep_old(f) && (f->is_placed = rename(f->ready, f->wanted) == 0);
}

/* A name that cannot be changed back leaves the old file in the temporary folder, which then stays. */
static const char *take_back(outputs *set, size_t n)
{
    const char *left = NULL;
    for (size_t i = n; i-- > 0;) {
        outputs_file *f = set->files[i];
        if (f->is_kept && rename(f->kept, f->wanted) != 0) {
            left = f->kept;
            f->folder->holds_old = true;
        } else if (!f->is_kept && f->is_placed) {
            unlink(f->wanted);
        }
    }
    for (size_t i = 0; i < set->n_folders; i++)
        if (set->folders[i]->is_placed)
            set->folders[i]->is_placed = rename(set->folders[i]->real, set->folders[i]->temporary) != 0;
    return left;
}

static roof_status fail_placing(outputs *set, size_t n, const char *at, roof_error *err)
{
    int why = errno;
    const char *left = take_back(set, n);
    errno = why;
    roof_status status = outputs_fail(err, at, "cannot put the files in place");
    if (left) {
        error_set(err, ROOF_E_IO, "cannot put the files in place: %s; what was there is now %s",
                  strerror(why), left);
        error_prefix(err, "%s", at);
    }
    return status;
}

static roof_status place_all(outputs *set, roof_error *err)
{
    size_t n_made = 0;
    for (size_t i = 0; i < set->n_files; i++)
        n_made += is_made(set->files[i]);
    for (size_t i = 0; i < set->n_folders; i++) {
        outputs_folder *f = set->folders[i];
        if (!f->is_new)
            continue;
        f->is_placed = chmod(f->temporary, without_mask(0777)) == 0 && rename(f->temporary, f->real) == 0;
        if (!f->is_placed)
            return fail_placing(set, 0, f->path, err);
    }
    for (size_t i = 0; i < set->n_files; i++) {
        outputs_file *f = set->files[i];
        if (f->made && !f->folder->is_new && is_made(f) && !place_file(f, n_made == 1))
            return fail_placing(set, i + 1, f->path, err);
    }
    return ROOF_OK;
}

typedef struct staying {
    const outputs *set;
    const outputs_folder *folder;
} staying;

static void remove_other(int temporary, const char *name, void *with)
{
    const staying *s = with;
    for (size_t i = 0; i < s->set->n_files; i++) {
        const outputs_file *f = s->set->files[i];
        if (f->made && !f->is_dropped && f->folder == s->folder &&
            strcmp(strrchr(f->made, '/') + 1, name) == 0)
            return;
    }
    unlinkat(temporary, name, 0);
}

static roof_status place(outputs *set, roof_error *err)
{
    sigset_t before;
    for (size_t i = 0; i < set->n_files; i++) {
        outputs_file *f = set->files[i];
        if (!f->is_dropped)
            TRY(check_inputs(f, err));
        if (is_made(f) && strcmp(f->made, f->ready) != 0)
            TRY(bring(f, err));
    }
    /* what was made on the way to a new folder, and is not to stay */
    for (size_t i = 0; i < set->n_folders; i++)
        if (set->folders[i]->is_new)
            leftovers_visit(set->folders[i]->lock, remove_other, &(staying){set, set->folders[i]});
    outputs_hold_signals(&before);
    roof_status status = place_all(set, err);
    for (size_t i = 0; i < set->n_folders && status == ROOF_OK; i++)
        if (set->folders[i]->is_kept)
            renameat(set->folders[i]->lock, LEFTOVERS_KEPT, set->folders[i]->lock, LEFTOVERS_DONE);
    outputs_release_signals(&before);
    return status;
}

roof_status outputs_end(outputs *set, roof_status status, roof_error *err)
{
    if (set->outer) {
        for (size_t i = set->before; i < set->outer->n_files && status != ROOF_OK; i++)
            set->outer->files[i]->is_dropped = true;
    } else if (set->arena) {
        if (status == ROOF_OK)
            status = place(set, err);
        for (size_t i = 0; i < set->n_files; i++)
            if (set->files[i]->fd >= 0)
                close(set->files[i]->fd);
        for (size_t i = 0; i < set->n_folders; i++) {
            const outputs_folder *f = set->folders[i];
            if (!f->is_placed && !f->holds_old)
                leftovers_remove(f->temporary);
            if (f->lock >= 0)
                close(f->lock);
        }
        current = NULL;
        arena_free(set->arena);
    }
    *set = (outputs){0};
    return status;
}

roof_status outputs_save(const char *path, const char *bytes, size_t length, roof_error *err)
{
    outputs set;
    outputs_file *file;
    TRY(outputs_begin(&set, err));
    roof_status status = outputs_open(&set, path, &file, err);
    if (status == ROOF_OK)
        status = outputs_close(file, outputs_write(file, bytes, length, err), err);
    return outputs_end(&set, status, err);
}

/* --- processes, and a sudden end ------------------------------------------------------------------------ */

static void change_child(pid_t from, pid_t to)
{
    for (size_t i = 0; current && i < OUTPUTS_CHILDREN; i++)
        if (current->children[i] == from) {
            current->children[i] = to;
            return;
        }
}

void outputs_adopt(pid_t child)
{
    change_child(0, child);
}

void outputs_disown(pid_t child)
{
    change_child(child, 0);
}

void outputs_abandon(void)
{
    const outputs *set = current;
    for (size_t i = 0; set && i < OUTPUTS_CHILDREN; i++)
        if (set->children[i]) {
            kill(-set->children[i], SIGKILL);
            waitpid(set->children[i], NULL, 0);
        }
    for (size_t i = 0; set && i < set->n_folders; i++)
        leftovers_remove(set->folders[i]->temporary);
}
