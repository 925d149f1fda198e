/* Other programs: how they are started, heard and ended. */
#include "core/platform/platform.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

/* ---- signals ---- */

_Static_assert(sizeof(sigset_t) <= sizeof(os_signals), "a set of signals fits");

void os_hold_signals(os_signals *before)
{
    sigset_t all, held;
    sigfillset(&all);
    pthread_sigmask(SIG_BLOCK, &all, &held);
    memcpy(before->held, &held, sizeof held);
}

void os_release_signals(const os_signals *before)
{
    sigset_t held;
    memcpy(&held, before->held, sizeof held);
    pthread_sigmask(SIG_SETMASK, &held, NULL);
}

static void (*before_end)(void);

/* The signal then does what it does by default. Not by SA_RESETHAND: the kernel resets before it blocks, and
 * the same signal once more in between, from another child, ends the process before any of this has run. */
static void end_by_signal(int number)
{
    before_end();
    signal(number, SIG_DFL);
    raise(number); /* is delivered when this returns, to the default action */
}

void os_end_with(void (*undo)(void))
{
    static const int ends[] = {SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGPIPE, SIGXCPU};
    struct sigaction action = {.sa_handler = end_by_signal}, before;
    before_end = undo;
    sigfillset(&action.sa_mask);
    signal(SIGPIPE, SIG_DFL); /* `roofline ... | head` ends quietly, whatever was inherited */
    signal(SIGXFSZ, SIG_IGN);
    for (size_t i = 0; i < sizeof ends / sizeof *ends; i++)
        if (sigaction(ends[i], NULL, &before) == 0 && before.sa_handler != SIG_IGN)
            sigaction(ends[i], &action, NULL); /* what nohup ignores stays ignored */
}

/* ---- starting ---- */

/* The pipes of a child; errno comes through WHY, which an exec closes. */
enum { MESSAGES, WHY, ANSWERS, REQUESTS, PIPES };

/* fork, since posix_spawn has no way to ask for the parent's death. Only what is safe between fork and exec,
 * and putenv, whose process has one thread. */
static _Noreturn void become(const os_program *program, int pipes[PIPES][2], pid_t parent, char *mark)
{
    sigset_t none;
    int in = program->talks ? pipes[REQUESTS][0] : open("/dev/null", O_RDONLY);
    int out = program->talks ? pipes[ANSWERS][1] : program->output ? program->output : pipes[MESSAGES][1];
    sigemptyset(&none);
    signal(SIGPIPE, SIG_DFL);
    signal(SIGXFSZ, SIG_DFL);
    sigprocmask(SIG_SETMASK, &none, NULL);
    bool is_set = !*mark || putenv(mark) == 0;
    for (char *const *s = program->settings; s && *s; s++)
        is_set = is_set && putenv(*s) == 0;
    if (is_set && setpgid(0, 0) == 0 && prctl(PR_SET_PDEATHSIG, SIGKILL) == 0 && getppid() == parent &&
        in >= 0 && dup2(in, STDIN_FILENO) >= 0 && dup2(out, STDOUT_FILENO) >= 0 &&
        dup2(pipes[MESSAGES][1], STDERR_FILENO) >= 0 && (!program->folder || chdir(program->folder) == 0))
        execvp(program->arguments[0], program->arguments);
    int code = errno;
    _exit(write(pipes[WHY][1], &code, sizeof code) == (ssize_t)sizeof code ? 127 : 126);
}

/* Beginning of all marks of this process. */
static char own_mark[32];

int os_start(const os_program *program, os_process *out)
{
    int pipes[PIPES][2];
    const pid_t parent = getpid();
    int code = 0;
    *out = (os_process){.id = 0};
    for (size_t i = 0; i < PIPES; i++)
        pipes[i][0] = pipes[i][1] = OS_NONE;
    for (size_t i = 0; i < (program->talks ? REQUESTS : ANSWERS) && !code; i++)
        code = pipe2(pipes[i], O_CLOEXEC) == 0 ? 0 : errno;
    /* Requests go through a socket: writing to one whose reader is gone is an error, and no signal. */
    if (!code && program->talks && socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, pipes[REQUESTS]) != 0)
        code = errno;
    if (program->is_marked) {
        snprintf(own_mark, sizeof own_mark, "ROOFLINE_CHILD=%d.", (int)parent);
        snprintf(out->mark, sizeof out->mark, "%s%" PRId64, own_mark, os_now_ns());
    }
    if (!code) {
        out->id = fork();
        if (out->id == 0)
            become(program, pipes, parent, out->mark);
        code = out->id < 0 ? errno : 0;
        if (!code)
            setpgid(out->id, out->id); /* whoever of both comes first */
    }
    os_close(&pipes[MESSAGES][1]);
    os_close(&pipes[WHY][1]);
    os_close(&pipes[REQUESTS][0]);
    os_close(&pipes[ANSWERS][1]);
    out->messages = pipes[MESSAGES][0];
    out->requests = pipes[REQUESTS][1];
    out->answers = pipes[ANSWERS][0];
    out->starting = pipes[WHY][0];
    if (code) {
        os_close(&out->starting);
        os_close(&out->messages);
        os_close(&out->requests);
        os_close(&out->answers);
    }
    return code;
}

int os_started(os_process *process)
{
    int code = 0;
    /* nothing comes where it runs, else the errno with which it could not */
    if (os_read(process->starting, &code, sizeof code) == (int64_t)sizeof code)
        TEMP_FAILURE_RETRY(waitpid(process->id, NULL, 0));
    os_close(&process->starting);
    if (code) {
        os_close(&process->messages);
        os_close(&process->requests);
        os_close(&process->answers);
    }
    return code;
}

/* ---- talking ---- */

bool os_send(int requests, const char *text, size_t length)
{
    return requests >= 0 && send(requests, text, length, MSG_NOSIGNAL | MSG_DONTWAIT) == (ssize_t)length;
}

int os_await(const int *files, bool *is_ready, size_t n, int most_ms)
{
    struct pollfd wait[2];
    for (size_t i = 0; i < n; i++)
        wait[i] = (struct pollfd){.fd = files[i], .events = POLLIN};
    const int ready = poll(wait, n, most_ms);
    for (size_t i = 0; i < n; i++)
        is_ready[i] = ready > 0 && wait[i].revents;
    return ready;
}

/* ---- ending ---- */

bool os_has_ended(int process)
{
    siginfo_t info = {0};
    return waitid(P_PID, (id_t)process, &info, WEXITED | WNOHANG | WNOWAIT) == 0 && info.si_pid == process;
}

os_end_state os_end(int process)
{
    int state = 0;
    kill(-process, SIGKILL); /* what it started as well */
    TEMP_FAILURE_RETRY(waitpid(process, &state, 0));
    return (os_end_state){.is_success = WIFEXITED(state) && WEXITSTATUS(state) == 0,
                          .signal = WIFSIGNALED(state) ? WTERMSIG(state) : 0};
}

/* All of it is safe in a handler of signals. */
typedef struct search {
    const char *mark;
    size_t length; /* of it, with the NUL at its end or without */
    bool again;    /* one was ended or could not be read: look once more */
} search;

typedef struct file_of_process {
    char path[32];
} file_of_process;

/* The name is of digits alone, and short. */
static file_of_process process_file(const char *name, const char *file)
{
    file_of_process f;
    stpcpy(stpcpy(f.path, name), file);
    return f;
}

/* True where the mark stands in the environment of a process, read in pieces that overlap by its length. */
static bool is_marked(int proc, const char *name, const search *s, bool *is_empty)
{
    char block[4096];
    size_t kept = 0;
    ssize_t n;
    bool found = false;
    int fd = openat(proc, process_file(name, "/environ").path, O_RDONLY | O_CLOEXEC);
    *is_empty = fd >= 0;
    while (fd >= 0 && !found && (n = read(fd, block + kept, sizeof block - kept)) > 0) {
        size_t all = kept + (size_t)n;
        *is_empty = false;
        found = memmem(block, all, s->mark, s->length);
        kept = all < s->length ? all : s->length;
        memmove(block, block + all - kept, kept);
    }
    os_close(&fd);
    return found;
}

/* In the middle of exec a process has a program, but neither environment nor arguments yet. The dead and the
 * threads of the kernel have no program. */
static bool is_between_programs(int proc, const char *name)
{
    char byte;
    int fd = openat(proc, process_file(name, "/cmdline").path, O_RDONLY | O_CLOEXEC);
    bool has_arguments = fd >= 0 && read(fd, &byte, 1) > 0;
    os_close(&fd);
    return !has_arguments && readlinkat(proc, process_file(name, "/exe").path, &byte, 1) > 0;
}

/* An exec between open and read shows an empty environment as well: what is empty is read again. */
static bool end_one(void *search_, int proc, const char *name)
{
    enum { MOST_DIGITS = 20, MOST_READINGS = 4 };
    search *s = search_;
    bool is_empty = true, marked = false, between = false;
    size_t digits = strspn(name, "0123456789");
    if (name[digits] || digits > MOST_DIGITS)
        return true;
    for (int i = 0; is_empty && !between && i < MOST_READINGS; i++) {
        marked = is_marked(proc, name, s, &is_empty);
        between = is_empty && is_between_programs(proc, name);
    }
    if (marked)
        kill((pid_t)strtol(name, NULL, 10), SIGKILL);
    s->again |= marked || between;
    return true;
}

/* Processes of a session of their own have left the group, but not what stands in their environment. */
void os_end_marked(const os_process *process)
{
    enum { MOST_ROUNDS = 500, PAUSE_MS = 1 }; /* the ended need time to die */
    const char *mark = process ? process->mark : own_mark;
    search s = {mark, strlen(mark) + (process ? 1 : 0), *mark != '\0'};
    int proc = s.again ? open("/proc", O_RDONLY | O_DIRECTORY | O_CLOEXEC) : OS_NONE;
    for (int i = 0; proc >= 0 && s.again && i < MOST_ROUNDS; i++) {
        s.again = false;
        os_visit(proc, end_one, &s);
        if (s.again)
            os_sleep_ms(PAUSE_MS);
    }
    os_close(&proc);
}
