#include "core/files/leftovers.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdio.h>
#include <stdbool.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

/* readdir allocates, which a handler of signals must not. */
void leftovers_visit(int folder, leftovers_visitor *each, void *with)
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
            if (strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0)
                each(folder, entry->d_name, with);
            at += entry->d_reclen;
        }
}

static int open_folder(int at, const char *name)
{
    return openat(at, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
}

static void remove_file(int folder, const char *name, void *unused)
{
    (void)unused;
    if (unlinkat(folder, name, 0) != 0)
        unlinkat(folder, name, AT_REMOVEDIR);
}

static void remove_files(int folder)
{
    static const char *const inner[] = {LEFTOVERS_KEPT, LEFTOVERS_DONE};
    leftovers_visit(folder, remove_file, NULL);
    for (size_t i = 0; i < sizeof inner / sizeof *inner; i++) {
        int kept = open_folder(folder, inner[i]);
        if (kept < 0)
            continue;
        leftovers_visit(kept, remove_file, NULL);
        close(kept);
        unlinkat(folder, inner[i], AT_REMOVEDIR);
    }
}

/* What was killed may still end the call that it is in, which makes a file: it is looked again. */
void leftovers_remove(const char *temporary)
{
    enum { MOST_ROUNDS = 500, PAUSE_MS = 1 };
    int folder = open_folder(AT_FDCWD, temporary);
    if (folder < 0)
        return;
    remove_files(folder);
    for (int i = 0; i < MOST_ROUNDS && rmdir(temporary) != 0 && (errno == ENOTEMPTY || errno == EEXIST);
         i++) {
        poll(NULL, 0, PAUSE_MS);
        remove_files(folder);
    }
    close(folder);
}

typedef struct swap {
    int folder;          /* where the files belong */
    struct timespec end; /* the last change of a name in the temporary folder */
} swap;

/* A folder in the place of an old file says that there was none. */
static void put_back(int kept, const char *name, void *with)
{
    const swap *s = with;
    struct stat now, old;
    bool is_there = fstatat(s->folder, name, &now, AT_SYMLINK_NOFOLLOW) == 0;
    /* later by a second, since clocks of file systems are coarse */
    bool is_later = is_there && now.st_ctim.tv_sec > s->end.tv_sec + 1;
    if (fstatat(kept, name, &old, AT_SYMLINK_NOFOLLOW) != 0 || is_later)
        return;
    if (S_ISDIR(old.st_mode))
        unlinkat(s->folder, name, 0);
    else
        renameat(kept, name, s->folder, name);
}

static void clear_one(int folder, const char *name, void *with)
{
    struct stat st;
    (void)with;
    if (strncmp(name, LEFTOVERS_PREFIX, strlen(LEFTOVERS_PREFIX)) != 0)
        return;
    int left = open_folder(folder, name);
    if (left >= 0 && fstat(left, &st) == 0 && st.st_uid == geteuid() && flock(left, LOCK_EX | LOCK_NB) == 0) {
        swap s = {.folder = folder, .end = st.st_mtim};
        int kept = open_folder(left, LEFTOVERS_KEPT);
        if (kept >= 0) {
            leftovers_visit(kept, put_back, &s);
            close(kept);
        }
        remove_files(left);
        unlinkat(folder, name, AT_REMOVEDIR);
    }
    if (left >= 0)
        close(left);
}

int leftovers_clear(const char *folder)
{
    int guard = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (guard >= 0 && flock(guard, LOCK_EX) == 0)
        leftovers_visit(guard, clear_one, NULL);
    return guard;
}
