/* Preloaded into the program: lets each allocation of its command fail; once that one alone, once it and all
 * that follow. Whatever fails, the command either does exactly what it does undisturbed, or ends with "out of
 * memory" and leaves nothing behind.
 *
 * What comes before a failure is done once: the command runs in a process, the trunk, which forks at each
 * allocation. That allocation fails in the branch; the trunk waits, puts back what the two share (where each
 * file is read or written), and goes on. Where the command is about to change more than that (it locks a
 * folder to write there, or asks for its own number to start a process) the trunk stays, and the branches of
 * all later allocations begin there.
 *
 * Most allocations are made again and again by the same chain of calls (27,654 of a curve by 383 chains), and
 * what follows when they fail is the same code. So in full means that the first two of each chain fail, and
 * of the others every tenth; of the second way, which seldom finds what the first does not, every twentieth.
 *
 * Environment: ROOF_MEMORY_WORK, a folder of its own, where the file `allocations` tells how many there were;
 * ROOF_MEMORY_ONLY, the number of one allocation, which ends in a trap for a debugger; ROOFLINE_THOROUGH: in
 * full, without it a sample, evenly spread; ROOFLINE_EVERY, a number: of the sample each so-manyth;
 * ROOF_MEMORY_ALL: every single one; ROOFLINE_TURN, a number: which of those that are evenly spread, so that
 * over days all of them have a turn. */
/* NOLINTBEGIN(readability-inconsistent-declaration-parameter-name): glibc's are reserved names */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <limits.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>
#include <unwind.h>

enum {
    MOST_FAILURES = 10,
    EXIT_NO_MEMORY = 70,
    SAMPLE = 300, /* how many of a sample, and every how many-th in full */
    SELDOM_SAMPLE = 60,
    PART = 10,
    SELDOM_PART = 20,
    OF_EACH_CHAIN = 2,
    MOST_CHAINS = 1 << 16,
    MOST_MARKS = 1 << 20,
    MOST_FILES = 32
};
static const char before[] = "before",
                  now[] = "now"; /* folders: what the undisturbed run wrote, what the last one did */

/* --- allocations ---------------------------------------------------------------------------------------- */

/* NOLINTBEGIN(bugprone-reserved-identifier,cert-dcl37-c,cert-dcl51-cpp): glibc's own names, below what is
 * replaced here */
void *__libc_malloc(size_t size);
void *__libc_calloc(size_t count, size_t size);
void *__libc_realloc(void *old, size_t size);
void *__libc_memalign(size_t align, size_t size);
/* NOLINTEND(bugprone-reserved-identifier,cert-dcl37-c,cert-dcl51-cpp) */

static struct {
    unsigned long fails_at; /* 0: none */
    bool and_after, traps;
    bool is_armed, is_trunk;
} plan;

static struct {
    unsigned long n;        /* allocations of this run up to now */
    unsigned long n_failed; /* that were the first to fail in a run */
    unsigned n_complaints;
    bool is_first[MOST_MARKS]; /* of the undisturbed run, by number: the first ones of their chain of calls */
} * shared;                    /* by all processes */

static bool fails_in_branch(unsigned long i);

static _Unwind_Reason_Code add_caller(struct _Unwind_Context *caller, void *hash)
{
    *(uint64_t *)hash = (*(uint64_t *)hash ^ _Unwind_GetIP(caller)) * UINT64_C(0x100000001b3); /* FNV-1a */
    return _URC_NO_REASON;
}

/* Once there are too many chains to tell them apart, each is a new one. */
static bool is_first_of_chain(void)
{
    static struct {
        uint64_t hash;
        unsigned n;
    } chains[MOST_CHAINS];
    static unsigned n_chains;
    uint64_t hash = UINT64_C(0xcbf29ce484222325);
    plan.is_armed = false;
    _Unwind_Backtrace(add_caller, &hash);
    plan.is_armed = true;
    size_t at = hash % MOST_CHAINS;
    while (chains[at].n && chains[at].hash != hash)
        at = (at + 1) % MOST_CHAINS;
    if (!chains[at].n && n_chains >= MOST_CHAINS / 2)
        return true;
    n_chains += !chains[at].n;
    chains[at].hash = hash;
    return ++chains[at].n <= OF_EACH_CHAIN;
}

static bool has_failed(void)
{
    if (!plan.is_armed)
        return false;
    unsigned long i = ++shared->n;
    if (!plan.is_trunk && !plan.fails_at && i < MOST_MARKS) /* undisturbed */
        shared->is_first[i] = is_first_of_chain();
    bool fails = plan.is_trunk
                     ? fails_in_branch(i)
                     : plan.fails_at && (i == plan.fails_at || (plan.and_after && i > plan.fails_at));
    if (fails && plan.traps)
        __builtin_trap();
    if (fails && i == plan.fails_at)
        shared->n_failed++;
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

static void empty(const char *folder)
{
    nftw(folder, remove_file, 8, FTW_PHYS | FTW_DEPTH);
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

static void wait_for(pid_t child, int *status)
{
    while (waitpid(child, status, 0) < 0 && errno == EINTR)
        ;
}

/* True in the child, which goes on to main. */
static bool run(const char *folder, bool is_trunk, outcome *o)
{
    shared->n = 0;
    pid_t child = _Fork();
    if (child == 0) {
        redirect(o->out, STDOUT_FILENO);
        redirect(o->err, STDERR_FILENO);
        lseek(STDIN_FILENO, 0, SEEK_SET);
        if (chdir(folder) != 0)
            _exit(99);
        plan.is_trunk = is_trunk;
        plan.is_armed = true;
        return true;
    }
    wait_for(child, &o->status);
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

static int complaints = STDERR_FILENO; /* where they go, whatever the command's standard error is */

static void complain(unsigned long i, const char *what, const outcome *o)
{
    char said[500];
    dprintf(complaints, "allocation %lu%s: %s (status 0x%x)\n%s", i,
            plan.and_after ? " and all that follow" : "", what, (unsigned)o->status,
            text_of(o->err, said, sizeof said));
    shared->n_complaints++;
}

/* --- the trunk and its branches
 * -------------------------------------------------------------------------- */

static struct {
    unsigned long n, step, turn; /* allocations of the undisturbed run; which of them fail */
    bool takes_chains;           /* the first ones of each chain fail as well */
    outcome undisturbed, branch;
    bool was_empty; /* there are no outputs of an earlier run */
} trunk;

/* Where each open file is, and how much was written to the outputs: what a branch changes for the trunk. */
typedef struct positions {
    off_t at[MOST_FILES];
} positions;

static void keep(positions *p)
{
    for (int fd = 0; fd < MOST_FILES; fd++)
        p->at[fd] = lseek(fd, 0, SEEK_CUR);
}

static void put_back(const positions *p)
{
    for (int fd = 0; fd < MOST_FILES; fd++)
        if (p->at[fd] >= 0)
            lseek(fd, p->at[fd], SEEK_SET);
    if (ftruncate(STDOUT_FILENO, p->at[STDOUT_FILENO]) != 0 ||
        ftruncate(STDERR_FILENO, p->at[STDERR_FILENO]) != 0)
        _exit(99);
}

/* A branch in which allocation i fails, from here to its end. True in the branch. */
static bool grow_branch(unsigned long i)
{
    const unsigned long n = shared->n;
    positions before_it;
    const int error = errno;
    plan.is_armed = false;
    keep(&before_it);
    pid_t child = _Fork();
    if (child == 0) {
        plan.fails_at = i;
        plan.is_trunk = false;
        plan.is_armed = true;
        return true;
    }
    wait_for(child, &trunk.branch.status);
    if (chdir("..") != 0)
        _exit(99);
    const char *what = judge(&trunk.branch, &trunk.undisturbed, trunk.was_empty);
    if (what)
        complain(i, what, &trunk.branch);
    if (trunk.was_empty && !is_empty())
        empty(now);
    if (chdir(now) != 0 || shared->n_complaints >= MOST_FAILURES)
        _exit(99);
    put_back(&before_it);
    shared->n = n;
    errno = error;
    plan.is_armed = true;
    return false;
}

static bool is_chosen(unsigned long i)
{
    return i % trunk.step == trunk.turn % trunk.step ||
           (trunk.takes_chains && (i >= MOST_MARKS || shared->is_first[i]));
}

static bool fails_in_branch(unsigned long i)
{
    return is_chosen(i) && grow_branch(i);
}

/* The command is about to change what its branches would share. */
static void end_trunk(void)
{
    for (unsigned long i = shared->n + 1; plan.is_armed && plan.is_trunk && i <= trunk.n; i++)
        if (is_chosen(i) && grow_branch(i))
            return;
    if (plan.is_armed && plan.is_trunk)
        _exit(0);
}

int flock(int fd, int operation)
{
    end_trunk();
    return (int)syscall(SYS_flock, fd, operation);
}

/* Who asks is about to start a process that knows its parent. */
pid_t getpid(void)
{
    end_trunk();
    return (pid_t)syscall(SYS_getpid);
}

/* That outputs outlast a loss of power is not what is tested here, and would take most of the time. */
int fsync(int fd)
{
    (void)fd;
    return 0;
}

/* --- all of it ------------------------------------------------------------------------------------------ */

/* Each allocation in turn. True in a child. */
static bool fail_each(bool and_after)
{
    plan.and_after = and_after;
    trunk.was_empty = !and_after;
    const char *turn = getenv("ROOFLINE_TURN"), *every = getenv("ROOFLINE_EVERY");
    const unsigned long part = every ? strtoul(every, NULL, 10) : 1;
    trunk.turn = turn ? strtoul(turn, NULL, 10) : 1;
    trunk.takes_chains = getenv("ROOFLINE_THOROUGH") && !getenv("ROOF_MEMORY_ALL");
    if (trunk.takes_chains)
        trunk.step = and_after ? SELDOM_PART : PART;
    else if (getenv("ROOF_MEMORY_ALL"))
        trunk.step = 1;
    else
        trunk.step = (1 + trunk.n / (unsigned long)(and_after ? SELDOM_SAMPLE : SAMPLE)) * (part ? part : 1);
    if (!trunk.takes_chains && trunk.step > 1)
        dprintf(STDOUT_FILENO, "a sample: one allocation in %lu fails; ROOFLINE_THOROUGH=1 does all\n",
                trunk.step);
    trunk.branch = new_outcome();
    shared->n_failed = 0;
    if (run(now, true, &trunk.branch))
        return true;
    unsigned long n = 0;
    for (unsigned long i = 1; i <= trunk.n; i++)
        n += is_chosen(i);
    if (trunk.takes_chains)
        dprintf(STDOUT_FILENO, "%lu of %lu fail%s: the first ones of each chain of calls, and one in %lu\n",
                n, trunk.n, and_after ? ", with all that follow" : "", trunk.step);
    if (!shared->n_complaints && shared->n_failed != n)
        complain(shared->n_failed, "the last of them that failed", &trunk.branch);
    return false;
}

/* The first round begins with no output file, the second with those of an earlier run. True in a child. */
static bool is_child(void)
{
    outcome again = new_outcome();
    trunk.undisturbed = new_outcome();
    if (run(before, false, &trunk.undisturbed))
        return true;
    trunk.n = shared->n;
    if (!WIFEXITED(trunk.undisturbed.status) || WEXITSTATUS(trunk.undisturbed.status) == EXIT_NO_MEMORY)
        complain(0, "the undisturbed run fails", &trunk.undisturbed);
    else if (fail_each(false))
        return true;
    empty(now);
    return !shared->n_complaints && (run(now, false, &again) || fail_each(true));
}

static void make_empty(const char *folder)
{
    empty(folder);
    if (mkdir(folder, 0777) != 0 && errno != EEXIST)
        _exit(99);
}

__attribute__((constructor)) static void begin(void)
{
    const char *work = getenv("ROOF_MEMORY_WORK"), *only = getenv("ROOF_MEMORY_ONLY");
    unsetenv("LD_PRELOAD");
    complaints = fcntl(STDERR_FILENO, F_DUPFD_CLOEXEC, MOST_FILES);
    shared = mmap(NULL, sizeof *shared, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (complaints < 0 || shared == MAP_FAILED || !work || (mkdir(work, 0777) != 0 && errno != EEXIST) ||
        chdir(work) != 0)
        _exit(99);
    unlink("allocations");
    const int kept = open(".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    char quick[] = "/dev/shm/roofline-memory-XXXXXX"; /* of half the time, most goes into files on a disk */
    const bool is_quick = !only && mkdtemp(quick);
    if (is_quick && chdir(quick) != 0)
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
    printf("%lu allocations\n", trunk.n);
    fflush(stdout);
    if (is_quick) {
        empty(".");
        rmdir(quick);
    }
    FILE *number = fchdir(kept) == 0 ? fopen("allocations", "w") : NULL;
    if (!number || fprintf(number, "%lu\n", trunk.n) < 0 || fclose(number) != 0)
        _exit(99);
    _exit(shared->n_complaints != 0);
}
/* NOLINTEND(readability-inconsistent-declaration-parameter-name) */
