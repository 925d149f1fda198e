#include "reports/results/results_line.h"
#include "core/files/input.h"
#include "core/files/outpath.h"

#include <errno.h>

enum { MOST_OPENINGS = 100 };

static roof_status fail_errno(const results_part *part, const char *what, roof_error *err)
{
    return error_placed(error_errno(err, ROOF_E_IO, what), err, "%s", part->path);
}

/* --- what is there -------------------------------------------------------------------------------------- */

/* The first line that is not wanted there. */
typedef struct kept {
    uint64_t bytes, next;
    roof_results_progress became; /* failed and found */
    bool is_other;                /* a whole line of another plan, or of another part, or no line of points */
    char what[200];
} kept;

/* A line of titles has to be whole; as long as it is not, it is the beginning of what is wanted. */
static bool is_titles(const results_wanted *w, const results_reader *r, kept *out)
{
    if (r->is_whole && r->length == w->titles_length && memcmp(r->line, w->titles, r->length) == 0)
        return true;
    const bool is_torn =
        !r->is_whole && r->length < w->titles_length && memcmp(r->line, w->titles, r->length) == 0;
    out->is_other = !is_torn;
    snprintf(out->what, sizeof out->what, "does not begin as points of this plan do");
    return false;
}

/* True if it is the point that has to come next. A whole line that is not what was written was torn by a
 * machine that went down, unless it is the first one. */
static bool is_next(const results_wanted *w, const results_reader *r, kept *out)
{
    results_line line;
    if (!r->is_whole || !results_line_read(r->line, r->length, w->is_json, &line)) {
        out->is_other = r->is_whole && out->next == w->first;
        snprintf(out->what, sizeof out->what, "holds no points that are whole");
        return false;
    }
    if (strcmp(line.identity, w->swept->identity) != 0) {
        out->is_other = true;
        snprintf(out->what, sizeof out->what,
                 "is of another plan (%s, this one is %s), of other models or devices, or of another version",
                 line.identity, w->swept->identity);
    } else if (line.index != out->next && out->next == w->first) {
        out->is_other = true;
        snprintf(out->what, sizeof out->what,
                 "begins with point %" PRIu64 ", want %" PRIu64 ": it is another part of the plan",
                 line.index, out->next);
    }
    return !out->is_other && line.index == out->next && out->next < w->end;
}

static roof_status read_kept(int fd, const results_wanted *w, kept *out, roof_error *err)
{
    results_reader reader = {.fd = fd};
    results_fields outcome;
    bool goes_on = true;
    *out = (kept){.next = w->first};
    roof_status status = results_outcome_begin(&outcome, w->titles, err);
    while (status == ROOF_OK && goes_on && (status = results_reader_next(&reader, err)) == ROOF_OK &&
           reader.length) {
        const bool expects_titles = reader.number == 1 && w->titles_length;
        goes_on = expects_titles ? is_titles(w, &reader, out) : is_next(w, &reader, out);
        out->bytes = goes_on ? reader.at_bytes : out->bytes;
        out->next += goes_on && !expects_titles;
        if (goes_on && !expects_titles)
            status = results_outcome_count(&outcome, reader.line, reader.length, &out->became, err);
    }
    results_reader_end(&reader);
    results_fields_end(&outcome);
    return status;
}

/* --- opening -------------------------------------------------------------------------------------------- */

/* The file may have taken its place, or may be gone, between opening and locking. */
static roof_status open_locked(results_part *part, roof_error *err)
{
    os_entry own, there;
    for (int i = 0; i < MOST_OPENINGS; i++) {
        part->fd = os_open(OS_HERE, part->full, OS_CONTINUE);
        if (part->fd < 0)
            return fail_errno(part, "cannot open for writing", err);
        if (!os_lock(part->fd, false)) {
            if (errno != EWOULDBLOCK)
                return fail_errno(part, "cannot lock", err);
            return error_in(err, part->path, ROOF_E_IO,
                            "another process writes it; wait for its end, or give each another name");
        }
        if (!os_look_into(part->fd, &own) || own.kind != OS_FILE)
            return error_set(err, ROOF_E_IO, "%.300s is no regular file", part->path);
        if (os_look(OS_HERE, part->full, OS_FOLLOW, &there) && os_is_same(&own, &there))
            return ROOF_OK;
        os_close(&part->fd);
    }
    return error_set(err, ROOF_E_IO, "%.300s: other processes put it in its place again and again",
                     part->path);
}

/* A run that was already there to its end leaves nothing to do. */
static bool is_there(results_part *part, const results_wanted *w)
{
    kept all = {0};
    roof_error ignored;
    os_entry about;
    int file = os_open(OS_HERE, part->place, OS_READ);
    const bool is_complete = file >= 0 && read_kept(file, w, &all, &ignored) == ROOF_OK &&
                             all.next == w->end && os_look_into(file, &about) &&
                             about.size_bytes == all.bytes;
    os_close(&file);
    if (is_complete)
        part->kept = all.became;
    return is_complete;
}

roof_status results_part_begin(results_part *part, roof_arena *arena, const char *path,
                               const results_wanted *w, roof_error *err)
{
    outpath to;
    *part = (results_part){.path = path, .fd = OS_NONE, .next = w->first};
    TRY(outpath_find(arena, strcmp(path, "-") == 0 ? "/dev/stdout" : path, &to, err));
    if (to.stream >= 0) {
        part->fd = to.stream;
        part->is_stream = true;
        return results_part_add(part, w->titles, w->titles_length, err);
    }
    bool failed = false;
    const char *input = to.is_there ? inputs_find(&to.about, &failed) : NULL;
    if (failed)
        return error_memory(err);
    if (input)
        return error_in(err, path, ROOF_E_USAGE,
                        "is an input ('%.200s'), and would be overwritten; give another name", input);
    part->place = to.full;
    if (to.is_there && is_there(part, w)) {
        part->next = w->end;
        part->is_complete = true;
        return ROOF_OK;
    }
    part->path = arena_printf(arena, "%s.part", path);
    part->full = arena_printf(arena, "%s.part", to.full);
    TRY(arena_status(arena, err));
    TRY(open_locked(part, err));
    kept all;
    TRY(read_kept(part->fd, w, &all, err));
    if (all.is_other)
        return error_in(err, part->path, ROOF_E_DATA, "%s; remove it, or give another name as -o", all.what);
    if (!os_cut(part->fd, all.bytes))
        return fail_errno(part, "cannot write", err);
    part->next = all.next;
    part->kept = all.became;
    return all.bytes ? ROOF_OK : results_part_add(part, w->titles, w->titles_length, err);
}

/* --- writing -------------------------------------------------------------------------------------------- */

roof_status results_part_add(results_part *part, const char *bytes, size_t length, roof_error *err)
{
    const size_t n = os_write(part->fd, bytes, length);
    const int why = errno;
    for (size_t i = 0; i < n; i++)
        part->n_lines += bytes[i] == '\n';
    errno = why;
    return n == length ? ROOF_OK : fail_errno(part, "cannot write", err);
}

roof_status results_part_end(results_part *part, roof_status status, roof_error *err)
{
    const bool goes_to_place = status == ROOF_OK && !part->is_stream && !part->is_complete;
    if (goes_to_place && !(os_sync(part->fd) && os_rename(OS_HERE, part->full, OS_HERE, part->place)))
        status = fail_errno(part, "cannot put it in its place", err);
    if (!os_close(&part->fd) && status == ROOF_OK && part->is_stream)
        status = fail_errno(part, "cannot write", err);
    return status;
}
