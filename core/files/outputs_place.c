#include "core/files/outputs_place.h"
#include "core/files/leftovers.h"
#include "core/files/outpath.h"
#include "core/files/input.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

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

/* --- what is not overwritten ---------------------------------------------------------------------------- */

static roof_status fail_collision(const outputs_file *f, const char *what, const char *other, roof_error *err)
{
    return error_set(err, ROOF_E_USAGE, "%.300s would overwrite the %s %.300s; name another place", f->path,
                     what, other);
}

/* What is read may become more while files are made. */
static roof_status check_inputs(const outputs_file *f, roof_error *err)
{
    const struct stat st = {.st_dev = f->device, .st_ino = f->inode};
    bool failed = false;
    const char *input = f->was_there ? inputs_find(&st, &failed) : NULL;
    if (failed)
        return error_memory(err);
    return input ? fail_collision(f, "input", input, err) : ROOF_OK;
}

/* Of two outputs the later one is at fault. */
roof_status outputs_check(const outputs *set, const outputs_file *f, roof_error *err)
{
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

/* --- getting ready ---------------------------------------------------------------------------------- */

/* Of 0666 or 0777 what open() or mkdir() would give. */
static mode_t without_mask(mode_t mode)
{
    mode_t mask = umask(0);
    umask(mask);
    return mode & ~mask;
}

/* The mode of what is there, else the one that open() would give. */
static mode_t mode_of(const outputs_file *f)
{
    struct stat st;
    return f->was_there && stat(f->wanted, &st) == 0 ? st.st_mode & 0777 : without_mask(0666);
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
    if (file->made && status == ROOF_OK && (fchmod(file->fd, mode_of(file)) != 0 || fsync(file->fd) != 0))
        status = outputs_fail(err, file->path, "cannot write");
    if (close(file->fd) != 0 && status == ROOF_OK)
        status = outputs_fail(err, file->path, "cannot write");
    file->fd = -1;
    return status;
}

/* --- the end ------------------------------------------------------------------------------------------- */

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

/* What stands in a file's place stays as it is, and gets a second name in the temporary folder. Where there is nothing, a
 * folder of that name says so. */
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

static bool place_new_folder(outputs_folder *f)
{
    f->is_placed = chmod(f->temporary, without_mask(0777)) == 0 && rename(f->temporary, f->real) == 0;
    return f->is_placed;
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
    for (size_t i = 0; i < set->n_folders; i++)
        if (set->folders[i]->is_new && !place_new_folder(set->folders[i]))
            return fail_placing(set, 0, set->folders[i]->path, err);
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

roof_status outputs_place(outputs *set, roof_error *err)
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
