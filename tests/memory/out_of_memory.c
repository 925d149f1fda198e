/* Preloaded into the program: runs its command again and again, and lets another allocation fail each time; once that one
 * alone, once it and all that follow. Whatever fails, the command either does exactly what it does undisturbed, or ends
 * with "out of memory" and leaves nothing behind.
 *
 * The command runs in a child, so the dynamic linker works once for thousands of runs. Environment: ROOF_MEMORY_WORK, a
 * folder of its own; ROOF_MEMORY_ONLY, the number of one allocation, which ends in a trap for a debugger;
 * ROOFLINE_THOROUGH: the second way, which seldom finds what the first does not, for all allocations, not for one in
 * SELDOM. */
/* NOLINTBEGIN(readability-inconsistent-declaration-parameter-name): glibc's are reserved names */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

enum { MOST_FAILURES = 10, EXIT_NO_MEMORY = 70, SELDOM = 5 };
static const char before[] = "before",
                  now[] = "now"; /* folders: what the undisturbed run wrote, what the last one did */

/* --- allocations ---------------------------------------------------------------------------------------- */

/* NOLINTBEGIN(bugprone-reserved-identifier,cert-dcl37-c,cert-dcl51-cpp): glibc's own names, below what is replaced here */
void *__libc_malloc(size_t size);
void *__libc_calloc(size_t count, size_t size);
void *__libc_realloc(void *old, size_t size);
void *__libc_memalign(size_t align, size_t size);
/* NOLINTEND(bugprone-reserved-identifier,cert-dcl37-c,cert-dcl51-cpp) */

static struct {
    unsigned long fails_at; /* 0: none */
    bool and_after, traps;
    bool is_armed;
} plan;
static unsigned long *n_allocations; /* of the last run; the parent reads it */

static bool has_failed(void)
{
    if (!plan.is_armed)
        return false;
    unsigned long i = ++*n_allocations;
    bool fails = plan.fails_at && (i == plan.fails_at || (plan.and_after && i > plan.fails_at));
    if (fails && plan.traps)
        __builtin_trap();
    if (fails)
        errno = ENOMEM;
    return fails;
}

void *malloc(size_t size)
{
    return has_failed() ? NULL : __libc_malloc(size);
}

void *calloc(size_t count, size_t size)
{
    return has_failed() ? NULL : __libc_calloc(count, size);
}

void *realloc(void *old, size_t size)
{
    return has_failed() ? NULL : __libc_realloc(old, size);
}

void *aligned_alloc(size_t align, size_t size)
{
    return has_failed() ? NULL : __libc_memalign(align, size);
}

int posix_memalign(void **out, size_t align, size_t size)
{
    void *p = has_failed() ? NULL : __libc_memalign(align, size);
    if (p)
        *out = p;
    return p ? 0 : ENOMEM;
}

void *mmap(void *address, size_t size, int protection, int flags, int fd, off_t offset)
{
    return has_failed() ? MAP_FAILED
                        : (void *)syscall(SYS_mmap, address, size, protection, flags, fd, offset);
}

/* --- folders -------------------------------------------------------------------------------------------- */

static unsigned n_files;
static bool all_same;

static int count_file(const char *path, const struct stat *st, int type, struct FTW *at)
{
    (void)path, (void)st, (void)type;
    n_files += at->level > 0;
    return 0;
}

static unsigned files_in(const char *folder)
{
    n_files = 0;
    nftw(folder, count_file, 8, FTW_PHYS);
    return n_files;
}

static int remove_file(const char *path, const struct stat *st, int type, struct FTW *at)
{
    (void)st, (void)type;
    return at->level ? remove(path) : 0;
}

static bool same_bytes(int a, int b)
{
    static char from_a[1 << 16], from_b[1 << 16];
    for (off_t at = 0;; at += (off_t)sizeof from_a) {
        ssize_t n = pread(a, from_a, sizeof from_a, at), m = pread(b, from_b, sizeof from_b, at);
        if (n != m || n < 0 || memcmp(from_a, from_b, (size_t)n) != 0)
            return false;
        if (!n)
            return true;
    }
}

static int compare_file(const char *path, const struct stat *st, int type, struct FTW *at)
{
    char other[PATH_MAX];
    (void)st, (void)at;
    snprintf(other, sizeof other, "%s%s", now, path + strlen(before));
    if (type != FTW_F) {
        all_same = all_same && access(other, F_OK) == 0;
        return 0;
    }
    int a = open(path, O_RDONLY | O_CLOEXEC), b = open(other, O_RDONLY | O_CLOEXEC);
    all_same = all_same && a >= 0 && b >= 0 && same_bytes(a, b);
    close(a);
    close(b);
    return 0;
}

static bool is_empty(void)
{
    return files_in(now) == 0;
}

static bool folders_are_same(void)
{
    all_same = files_in(before) == files_in(now);
    nftw(before, compare_file, 8, FTW_PHYS);
    return all_same;
}

/* --- runs ----------------------------------------------------------------------------------------------- */

typedef struct outcome {
    int status, out, err; /* what wait said; descriptors of what was written */
} outcome;

static outcome new_outcome(void)
{
    return (outcome){.out = memfd_create("out", MFD_CLOEXEC), .err = memfd_create("err", MFD_CLOEXEC)};
}

static void redirect(int from, int to)
{
    if (ftruncate(from, 0) != 0 || lseek(from, 0, SEEK_SET) != 0 || dup2(from, to) != to)
        _exit(99);
}

/* True in the child, which goes on to main. */
static bool run(const char *folder, unsigned long fails_at, bool and_after, outcome *o)
{
    *n_allocations = 0;
    pid_t child = fork();
    if (child == 0) {
        redirect(o->out, STDOUT_FILENO);
        redirect(o->err, STDERR_FILENO);
        lseek(STDIN_FILENO, 0, SEEK_SET);
        if (chdir(folder) != 0)
            _exit(99);
        plan.fails_at = fails_at;
        plan.and_after = and_after;
        plan.is_armed = true;
        return true;
    }
    while (waitpid(child, &o->status, 0) < 0 && errno == EINTR)
        ;
    return false;
}

static char *text_of(int fd, char *buffer, size_t size)
{
    ssize_t n = pread(fd, buffer, size - 1, 0);
    buffer[n > 0 ? n : 0] = '\0';
    return buffer;
}

/* The last line is the error; lines of the undisturbed run may come before it. */
static bool says_so(const outcome *o, const outcome *undisturbed)
{
    static const char begins[] = "roofline: ",
                      holds[] = "out of memory"; /* and perhaps at which line of a file */
    char said[8192], usual[8192];
    size_t length = strlen(text_of(o->err, said, sizeof said)), last = length ? length - 1 : 0;
    text_of(undisturbed->err, usual, sizeof usual);
    while (last && said[last - 1] != '\n')
        last--;
    return strstr(said + last, holds) && strncmp(said + last, begins, strlen(begins)) == 0 &&
           strncmp(said, usual, last) == 0;
}

/* NULL, or what is wrong. */
static const char *judge(const outcome *o, const outcome *undisturbed, bool was_empty)
{
    if (!WIFEXITED(o->status))
        return "ended by a signal";
    if (o->status == undisturbed->status) {
        if (!same_bytes(o->out, undisturbed->out) || !same_bytes(o->err, undisturbed->err))
            return "another text";
        return folders_are_same() ? NULL : "other files";
    }
    if (WEXITSTATUS(o->status) != EXIT_NO_MEMORY)
        return "another exit code";
    if (!says_so(o, undisturbed))
        return "does not say that memory ran out, or says more";
    if (lseek(o->out, 0, SEEK_END) != 0)
        return "has written a part of the result";
    return (was_empty ? is_empty() : folders_are_same()) ? NULL : "leaves other files behind";
}

/* --- all of it ------------------------------------------------------------------------------------------ */

static unsigned n_failures;

static void complain(unsigned long i, bool and_after, const char *what, const outcome *o)
{
    char said[500];
    fprintf(stderr, "allocation %lu%s: %s (status 0x%x)\n%s", i, and_after ? " and all that follow" : "",
            what, (unsigned)o->status, text_of(o->err, said, sizeof said));
    n_failures++;
}

/* Each allocation in turn. True in a child. */
static bool fail_each(unsigned long n, bool and_after, const outcome *undisturbed)
{
    outcome o = new_outcome();
    bool is_fresh = !and_after;
    unsigned long step = is_fresh || getenv("ROOFLINE_THOROUGH") ? 1 : SELDOM;
    for (unsigned long i = 1; i <= n && n_failures < MOST_FAILURES; i += step) {
        if (is_fresh)
            nftw(now, remove_file, 8, FTW_PHYS | FTW_DEPTH);
        if (run(now, i, and_after, &o))
            return true;
        const char *what = judge(&o, undisturbed, is_fresh);
        if (what)
            complain(i, and_after, what, &o);
    }
    return false;
}

/* The first round begins with no output file, the second with those of an earlier run. True in a child. */
static bool is_child(void)
{
    outcome undisturbed = new_outcome(), again = new_outcome();
    if (run(before, 0, false, &undisturbed))
        return true;
    unsigned long n = *n_allocations;
    if (!WIFEXITED(undisturbed.status) || WEXITSTATUS(undisturbed.status) == EXIT_NO_MEMORY)
        complain(0, false, "the undisturbed run fails", &undisturbed);
    else if (fail_each(n, false, &undisturbed) || run(now, 0, false, &again) ||
             fail_each(n, true, &undisturbed))
        return true;
    printf("%lu allocations\n", n);
    return false;
}

static void make_empty(const char *folder)
{
    nftw(folder, remove_file, 8, FTW_PHYS | FTW_DEPTH);
    if (mkdir(folder, 0777) != 0 && errno != EEXIST)
        _exit(99);
}

__attribute__((constructor)) static void begin(void)
{
    const char *work = getenv("ROOF_MEMORY_WORK"), *only = getenv("ROOF_MEMORY_ONLY");
    unsetenv("LD_PRELOAD");
    n_allocations =
        mmap(NULL, sizeof *n_allocations, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (n_allocations == MAP_FAILED || !work || (mkdir(work, 0777) != 0 && errno != EEXIST) ||
        chdir(work) != 0)
        _exit(99);
    make_empty(before);
    make_empty(now);
    if (only) {
        plan.fails_at = strtoul(only, NULL, 10);
        plan.is_armed = plan.traps = true;
        return;
    }
    if (is_child())
        return;
    fflush(stdout);
    _exit(n_failures != 0);
}
/* NOLINTEND(readability-inconsistent-declaration-parameter-name) */
