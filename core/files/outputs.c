#include "core/files/outputs.h"
#include "core/files/outpath.h"
#include "core/files/input.h"

#include <errno.h>

/* The set that is open. A handler of signals has to find it, and what is called by a command joins it. */
static _Thread_local outputs *volatile current;

/* "PATH: WHAT: why", by errno. Returns ROOF_E_IO, or ROOF_E_NO_MEMORY. */
static roof_status outputs_fail(roof_error *err, const char *path, const char *what)
{
    return error_placed(error_errno(err, ROOF_E_IO, what), err, "%s", path);
}

/* --- temporary folders whose process has died ---------------------------------------------------------- */

/* .roofline-XXXXXX holds new files, and in .was the old ones that they replace (an empty folder of a file's
 * name: there was none). While its process lives it is locked. */
#define TEMPORARY_PREFIX ".roofline-"
#define TEMPORARY_KEPT   ".was"
#define TEMPORARY_DONE   ".done" /* what .was is called once all new files are in their places */

static bool remove_file(void *unused, int folder, const char *name)
{
    (void)unused;
    if (!os_remove(folder, name))
        os_remove_folder(folder, name);
    return true;
}

static void remove_files(int folder)
{
    static const char *const inner[] = {TEMPORARY_KEPT, TEMPORARY_DONE};
    os_visit(folder, remove_file, NULL);
    for (size_t i = 0; i < N_OF(inner); i++) {
        int kept = os_open(folder, inner[i], OS_LIST_OWN);
        if (kept < 0)
            continue;
        os_visit(kept, remove_file, NULL);
        os_close(&kept);
        os_remove_folder(folder, inner[i]);
    }
}

/* Removes a temporary folder and the files in it. A killed program may still end the call that it is in,
 * which makes a file: it is looked again. Safe in a handler of signals. */
static void remove_temporary(const char *temporary)
{
    enum { MOST_ROUNDS = 500, PAUSE_MS = 1 };
    int folder = os_open(OS_HERE, temporary, OS_LIST_OWN);
    if (folder < 0)
        return;
    remove_files(folder);
    for (int i = 0;
         i < MOST_ROUNDS && !os_remove_folder(OS_HERE, temporary) && (errno == ENOTEMPTY || errno == EEXIST);
         i++) {
        os_sleep_ms(PAUSE_MS);
        remove_files(folder);
    }
    os_close(&folder);
}

typedef struct swap {
    int folder;     /* where the files belong */
    int64_t end_ns; /* the last change of a name in the temporary folder */
} swap;

/* A folder in the place of an old file says that there was none. */
static bool put_back(void *swap_, int kept, const char *name)
{
    enum { SECOND_NS = 1000000000 };
    const swap *s = swap_;
    os_entry now, old;
    /* later by a second, since clocks of file systems are coarse */
    const bool is_later =
        os_look(s->folder, name, OS_STAY, &now) && now.changed_ns / SECOND_NS > s->end_ns / SECOND_NS + 1;
    if (!os_look(kept, name, OS_STAY, &old) || is_later)
        return true;
    if (old.kind == OS_FOLDER)
        os_remove(s->folder, name);
    else
        os_rename(kept, name, s->folder, name);
    return true;
}

static bool clear_one(void *unused, int folder, const char *name)
{
    os_entry about;
    (void)unused;
    if (strncmp(name, TEMPORARY_PREFIX, strlen(TEMPORARY_PREFIX)) != 0)
        return true;
    int left = os_open(folder, name, OS_LIST_OWN);
    if (left >= 0 && os_look_into(left, &about) && about.is_ours && os_lock(left, false)) {
        swap s = {.folder = folder, .end_ns = about.written_ns};
        int kept = os_open(left, TEMPORARY_KEPT, OS_LIST_OWN);
        if (kept >= 0)
            os_visit(kept, put_back, &s);
        os_close(&kept);
        remove_files(left);
        os_remove_folder(folder, name);
    }
    os_close(&left);
    return true;
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
    TRY(ALLOCATED(set->arena, err));
    current = set;
    return ROOF_OK;
}

/* --- folders ------------------------------------------------------------------------------------------- */

/* Makes the temporary folder inside parent, where the old files of what a dead process left are put back, and
 * the rest of it is removed. An old file does not take the place of one that somebody has written since.
 * Another process that clears leftovers waits for the lock. */
static bool make_temporary(outputs_folder *f, const char *parent, char *temporary)
{
    int guard = os_open(OS_HERE, parent, OS_LIST);
    if (guard >= 0 && os_lock(guard, true))
        os_visit(guard, clear_one, NULL);
    bool made = os_make_temporary(temporary);
    f->lock = made ? os_open(OS_HERE, temporary, OS_LIST) : OS_NONE;
    int why = errno;
    if (f->lock >= 0) {
        os_lock(f->lock, false);
        f->temporary = temporary;
    } else if (made) {
        os_remove_folder(OS_HERE, temporary);
    }
    os_close(&guard);
    errno = why;
    return f->temporary;
}

/* what: path and real are the arena's. */
static roof_status enter_folder(const outputs_folder *what, const char *parent, outputs_folder **out,
                                roof_error *err)
{
    os_signals before;
    outputs *set = what->set;
    outputs_folder *f = NEW(set->arena, outputs_folder);
    char *temporary = arena_printf(set->arena, "%s/" TEMPORARY_PREFIX "XXXXXX", parent);
    outputs_folder **folders = arena_grow(set->arena, set->folders, set->n_folders, sizeof *set->folders);
    TRY(ALLOCATED(f && temporary && folders, err));
    *out = f;
    *f = *what;
    set->folders = folders;
    /* while names change, and between a folder's making and its entry in the list, no handler may look */
    os_hold_signals(&before);
    bool made = make_temporary(f, parent, temporary);
    int why = errno;
    if (made) {
        folders[set->n_folders] = f;
        set->n_folders = set->n_folders + 1;
    }
    os_release_signals(&before);
    errno = why;
    return made ? ROOF_OK : outputs_fail(err, f->path, "cannot write there");
}

/* A folder that is there. */
static roof_status folder_at(outputs *set, const char *real, const char *shown, outputs_folder **out,
                             roof_error *err)
{
    const outputs_folder what = {.set = set, .path = shown, .real = real};
    *out = NULL;
    for (size_t i = 0; i < set->n_folders && !*out; i++)
        *out = strcmp(set->folders[i]->real, real) == 0 ? set->folders[i] : NULL;
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
    os_entry about;
    set = outermost(set);
    /* "out/" is "out", and "/" stays. */
    size_t length = strlen(path);
    while (length > 1 && path[length - 1] == '/')
        length--;
    char *shown = arena_strndup(set->arena, path, length);
    TRY(ALLOCATED(shown, err));
    if (!os_look(OS_HERE, shown, OS_FOLLOW, &about))
        return errno == ENOENT && may_make ? new_folder(set, shown, out, err)
                                           : outputs_fail(err, shown, "cannot write there");
    if (about.kind != OS_FOLDER)
        return error_in(err, shown, ROOF_E_USAGE, "is a file, want a folder");
    char *real = os_real_path(shown), *mine = real ? arena_strdup(set->arena, real) : NULL;
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
    bool failed = false;
    const char *input = f->was_there ? inputs_find(&f->there, &failed) : NULL;
    return failed ? error_memory(err) : input ? fail_collision(f, "input", input, err) : ROOF_OK;
}

/* --- files --------------------------------------------------------------------------------------------- */

static roof_status enter_file(outputs *set, outputs_file *f, roof_error *err)
{
    outputs_file **files = arena_grow(set->arena, set->files, set->n_files, sizeof *set->files);
    TRY(ALLOCATED(files, err));
    files[set->n_files] = f;
    set->files = files;
    set->n_files = set->n_files + 1;
    /* With two outputs to one file the later one is at fault. */
    TRY(check_inputs(f, err));
    for (size_t i = 0; i < set->n_files && set->files[i] != f; i++) {
        const outputs_file *other = set->files[i];
        const bool is_same = (f->wanted && other->wanted && strcmp(f->wanted, other->wanted) == 0) ||
                             (f->was_there && other->was_there && os_is_same(&f->there, &other->there));
        if (is_same && !other->is_dropped)
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
    const char *name = path_base_name(path);
    TRY(ALLOCATED(shown, err));
    *f = (outputs_file){.path = shown, .fd = OS_NONE};
    *out = f;
    const bool is_new = in && in->is_new;
    if (!in && strcmp(path, "-") == 0) {
        f->path = "standard output";
        t = (outpath){.stream = os_share(OS_OUTPUT)};
        if (t.stream < 0 || !os_look_into(t.stream, &t.about))
            return outputs_fail(err, f->path, "cannot write");
    } else if (is_new) {
        t = (outpath){.stream = OS_NONE, .folder = in->real, .name = name, .full = shown};
    } else {
        TRY(outpath_find(set->arena, path, &t, err));
    }
    if (t.stream >= 0) {
        /* It is written to directly. Two outputs may go to /dev/null, but not to one terminal or pipe. */
        os_entry null;
        f->fd = t.stream;
        f->there = t.about;
        f->was_there = !os_look(OS_HERE, "/dev/null", OS_FOLLOW, &null) || !os_is_same(&null, &t.about);
        if (!in)
            return enter_file(set, f, err);
        os_close(&t.stream);
        return error_set(err, ROOF_E_IO, "%.300s is not a regular file, and only such a file can be replaced",
                         path);
    }
    outputs_folder *folder = in;
    if (!is_new)
        TRY(folder_at(set, t.folder, shown, &folder, err));
    f->folder = folder;
    f->was_there = t.is_there;
    f->there = t.about;
    f->wanted = arena_printf(set->arena, "%s/%s", folder->real, t.name);
    f->ready = arena_printf(set->arena, "%s/%s", folder->temporary, t.name);
    f->kept = arena_printf(set->arena, "%s/" TEMPORARY_KEPT "/%s", folder->temporary, t.name);
    f->made = in ? arena_printf(set->arena, "%s/%s", in->temporary, name) : f->ready;
    TRY(f->wanted && f->ready && f->kept && f->made ? enter_file(set, f, err) : error_memory(err));
    return in && in->keeps && t.is_there ? error_set(err, ROOF_E_USAGE, "%.300s %s", shown, in->keeps)
                                         : ROOF_OK;
}

static roof_status create(outputs_file *f, roof_error *err)
{
    if (f->made)
        f->fd = os_open(OS_HERE, f->made, OS_WRITE_NEW);
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

roof_status outputs_write(void *file_, const char *bytes, size_t length, roof_error *err)
{
    outputs_file *file = file_;
    return os_write(file->fd, bytes, length) == length ? ROOF_OK
                                                       : outputs_fail(err, file->path, "cannot write");
}

roof_status outputs_close(outputs_file *file, roof_status status, roof_error *err)
{
    /* the mode of what is there, else the one that a new file has */
    os_entry now;
    bool is_there = file->made && file->was_there && os_look(OS_HERE, file->wanted, OS_FOLLOW, &now);
    uint32_t mode = is_there ? now.mode : os_usual_mode(0666);
    if (file->made && status == ROOF_OK && !(os_allow(file->fd, mode) && os_sync(file->fd)))
        status = outputs_fail(err, file->path, "cannot write");
    if (!os_close(&file->fd) && status == ROOF_OK)
        status = outputs_fail(err, file->path, "cannot write");
    return status;
}

/* Where a link leads to another folder, what was made is copied there: that may be another disk. */
static roof_status bring(const outputs_file *f, roof_error *err)
{
    char block[4096];
    int64_t n = -1;
    roof_status status = ROOF_OK;
    outputs_file to = *f;
    int from = os_open(OS_HERE, f->made, OS_READ);
    to.fd = from < 0 ? OS_NONE : os_open(OS_HERE, f->ready, OS_WRITE_NEW);
    while (to.fd >= 0 && status == ROOF_OK && (n = os_read(from, block, sizeof block)) > 0)
        status = outputs_write(&to, block, (size_t)n, err);
    THEN(status, n < 0 ? outputs_fail(err, f->path, "cannot write") : ROOF_OK);
    if (to.fd >= 0)
        status = outputs_close(&to, status, err);
    os_close(&from);
    return status;
}

static bool is_made(const outputs_file *f)
{
    return f->made && !f->is_dropped && os_may(OS_HERE, f->made, OS_MAY_BE);
}

/* --- putting in place ---------------------------------------------------------------------------------- */

/* The file in an output's place stays as it is, and gets a second name in the temporary folder. Where there
 * is nothing, a folder of that name says so. */
static bool keep_old(outputs_file *f)
{
    os_entry now;
    bool is_there = os_look(OS_HERE, f->wanted, OS_STAY, &now);
    if (!is_there && errno != ENOENT)
        return false;
    errno = EISDIR;
    if (is_there && now.kind == OS_FOLDER)
        return false;
    if (!f->folder->is_kept && !os_make_folder(f->folder->lock, TEMPORARY_KEPT))
        return false;
    f->folder->is_kept = true;
    if (!is_there)
        return os_make_folder(OS_HERE, f->kept);
    f->is_kept = os_link(f->wanted, f->kept) || os_rename(OS_HERE, f->wanted, OS_HERE, f->kept);
    return f->is_kept;
}

/* A file that is alone needs no way back. */
static bool place_file(outputs_file *f, bool is_alone)
{
    os_entry now;
    const bool needs_a_way_back =
        !is_alone || (os_look(OS_HERE, f->wanted, OS_STAY, &now) && now.kind == OS_FOLDER);
    if (needs_a_way_back && !keep_old(f))
        return false;
    return f->is_placed = os_rename(OS_HERE, f->ready, OS_HERE, f->wanted);
}

/* A name that cannot be changed back leaves the old file in the temporary folder, which then stays. */
static const char *take_back(outputs *set, size_t n)
{
    const char *left = NULL;
    for (size_t i = n; i-- > 0;) {
        outputs_file *f = set->files[i];
        if (f->is_kept && !os_rename(OS_HERE, f->kept, OS_HERE, f->wanted)) {
            left = f->kept;
            f->folder->holds_old = true;
        } else if (!f->is_kept && f->is_placed) {
            os_remove(OS_HERE, f->wanted);
        }
    }
    for (size_t i = 0; i < set->n_folders; i++)
        if (set->folders[i]->is_placed)
            set->folders[i]->is_placed =
                !os_rename(OS_HERE, set->folders[i]->real, OS_HERE, set->folders[i]->temporary);
    return left;
}

static roof_status fail_placing(outputs *set, size_t n, const char *at, roof_error *err)
{
    int why = errno;
    const char *left = take_back(set, n);
    errno = why;
    roof_status status = outputs_fail(err, at, "cannot put the files in place");
    return left ? error_in(err, at, ROOF_E_IO, "cannot put the files in place: %s; what was there is now %s",
                           strerror(why), left)
                : status;
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
        f->is_placed =
            os_allow(f->lock, os_usual_mode(0777)) && os_rename(OS_HERE, f->temporary, OS_HERE, f->real);
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

static bool remove_other(void *staying_, int temporary, const char *name)
{
    const staying *s = staying_;
    for (size_t i = 0; i < s->set->n_files; i++) {
        const outputs_file *f = s->set->files[i];
        if (f->made && !f->is_dropped && f->folder == s->folder &&
            strcmp(strrchr(f->made, '/') + 1, name) == 0)
            return true;
    }
    os_remove(temporary, name);
    return true;
}

static roof_status place(outputs *set, roof_error *err)
{
    os_signals before;
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
            os_visit(set->folders[i]->lock, remove_other, &(staying){set, set->folders[i]});
    os_hold_signals(&before);
    roof_status status = place_all(set, err);
    for (size_t i = 0; i < set->n_folders && status == ROOF_OK; i++)
        if (set->folders[i]->is_kept)
            os_rename(set->folders[i]->lock, TEMPORARY_KEPT, set->folders[i]->lock, TEMPORARY_DONE);
    os_release_signals(&before);
    return status;
}

roof_status outputs_end(outputs *set, roof_status status, roof_error *err)
{
    if (set->outer) {
        for (size_t i = set->before; i < set->outer->n_files && status != ROOF_OK; i++)
            set->outer->files[i]->is_dropped = true;
    } else if (set->arena) {
        THEN(status, place(set, err));
        for (size_t i = 0; i < set->n_files; i++)
            os_close(&set->files[i]->fd);
        for (size_t i = 0; i < set->n_folders; i++) {
            outputs_folder *f = set->folders[i];
            if (!f->is_placed && !f->holds_old)
                remove_temporary(f->temporary);
            os_close(&f->lock);
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
    THEN(status, outputs_close(file, outputs_write(file, bytes, length, err), err));
    return outputs_end(&set, status, err);
}

/* --- files that a program makes ------------------------------------------------------------------------- */

int64_t outputs_made_bytes(const outputs_folder *folder, const char *name)
{
    os_entry made;
    return os_look(folder->lock, name, OS_FOLLOW, &made) ? (int64_t)made.size_bytes : -1;
}

roof_status outputs_replace(const outputs_folder *folder, const char *name, const char *bytes, size_t length,
                            roof_error *err)
{
    outputs_file file = {.path = name, .fd = os_open(folder->lock, name, OS_WRITE_OVER)};
    return file.fd < 0 ? outputs_fail(err, name, "cannot write")
                       : outputs_close(&file, outputs_write(&file, bytes, length, err), err);
}

void outputs_remove(const outputs_folder *folder, const char *name)
{
    os_remove(folder->lock, name);
}

/* --- processes, and a sudden end ------------------------------------------------------------------------ */

static void change_child(int from, int to)
{
    for (size_t i = 0; current && i < OUTPUTS_CHILDREN; i++)
        if (current->children[i] == from) {
            current->children[i] = to;
            return;
        }
}

void outputs_adopt(int process)
{
    change_child(0, process);
}

void outputs_disown(int process)
{
    change_child(process, 0);
}

void outputs_abandon(void)
{
    const outputs *set = current;
    for (size_t i = 0; set && i < OUTPUTS_CHILDREN; i++)
        if (set->children[i])
            os_end(set->children[i]);
    for (size_t i = 0; set && i < set->n_folders; i++)
        remove_temporary(set->folders[i]->temporary);
}
