#include "core/files/child.h"
#include "core/files/leftovers.h"
#include "core/files/outputs.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <limits.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static int64_t now_ns(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (int64_t)now.tv_sec * 1000000000 + now.tv_nsec;
}

static int64_t now_ms(void)
{
    return now_ns() / 1000000;
}

int child_ms(double seconds)
{
    return seconds * 1e3 < INT_MAX / 2 ? (int)(seconds * 1e3) : INT_MAX / 2;
}

/* The pipes of a child; errno comes through WHY, which an exec closes. */
enum { MESSAGES, WHY, ANSWERS, REQUESTS, PIPES };

static void close_end(int *fd)
{
    if (*fd >= 0)
        close(*fd);
    *fd = -1;
}

/* fork, since posix_spawn has no way to ask for the parent's death. Only what is safe between fork and exec,
 * and putenv, whose process has one thread. */
static _Noreturn void run(const child_options *options, char *const *arguments, int pipes[PIPES][2],
                          pid_t parent, char *mark)
{
    sigset_t none;
    int in = options->talks ? pipes[REQUESTS][0] : open("/dev/null", O_RDONLY);
    int out = options->talks ? pipes[ANSWERS][1] : options->output ? options->output : pipes[MESSAGES][1];
    sigemptyset(&none);
    signal(SIGPIPE, SIG_DFL);
    signal(SIGXFSZ, SIG_DFL);
    sigprocmask(SIG_SETMASK, &none, NULL);
    bool is_set = !*mark || putenv(mark) == 0;
    for (char *const *s = options->settings; s && *s; s++)
        is_set = is_set && putenv(*s) == 0;
    if (is_set && setpgid(0, 0) == 0 && prctl(PR_SET_PDEATHSIG, SIGKILL) == 0 && getppid() == parent &&
        in >= 0 && dup2(in, STDIN_FILENO) >= 0 && dup2(out, STDOUT_FILENO) >= 0 &&
        dup2(pipes[MESSAGES][1], STDERR_FILENO) >= 0 && (!options->folder || chdir(options->folder) == 0))
        execvp(arguments[0], arguments);
    int code = errno;
    _exit(write(pipes[WHY][1], &code, sizeof code) == (ssize_t)sizeof code ? 127 : 126);
}

static void close_ends(child *c)
{
    close_end(&c->messages);
    close_end(&c->requests);
    close_end(&c->answers);
}

/* What the marks of all children begin with, for who ends them all. */
static char own_mark[32];

int child_start(const child_options *options, char *const *arguments, child *out)
{
    int pipes[PIPES][2];
    sigset_t before;
    pid_t parent = getpid();
    *out = (child){.deadline_ms = now_ms() + options->most_ms, .requests = -1, .answers = -1};
    int code = 0;
    for (size_t i = 0; i < PIPES; i++)
        pipes[i][0] = pipes[i][1] = -1;
    for (size_t i = 0; i < (options->talks ? REQUESTS : ANSWERS) && !code; i++)
        code = pipe2(pipes[i], O_CLOEXEC) == 0 ? 0 : errno;
    /* Requests go through a socket: writing to one whose reader is gone is an error, and no signal. */
    if (!code && options->talks && socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, pipes[REQUESTS]) != 0)
        code = errno;
    if (options->talks || options->output) {
        snprintf(own_mark, sizeof own_mark, "ROOFLINE_CHILD=%d.", (int)parent);
        snprintf(out->mark, sizeof out->mark, "%s%" PRId64, own_mark, now_ns());
    }
    if (!code) {
        outputs_hold_signals(&before); /* else one ends us before anybody knows of the child */
        out->pid = fork();
        if (out->pid == 0)
            run(options, arguments, pipes, parent, out->mark);
        code = out->pid < 0 ? errno : 0;
        if (!code) {
            setpgid(out->pid, out->pid); /* whoever of both comes first */
            outputs_adopt(out->pid);
        }
        outputs_release_signals(&before);
    }
    close_end(&pipes[MESSAGES][1]);
    close_end(&pipes[WHY][1]);
    close_end(&pipes[REQUESTS][0]);
    close_end(&pipes[ANSWERS][1]);
    /* nothing comes where it runs, else the errno with which it could not */
    if (!code && TEMP_FAILURE_RETRY(read(pipes[WHY][0], &code, sizeof code)) == (ssize_t)sizeof code) {
        TEMP_FAILURE_RETRY(waitpid(out->pid, NULL, 0));
        outputs_disown(out->pid);
    }
    close_end(&pipes[WHY][0]);
    out->messages = pipes[MESSAGES][0];
    out->requests = pipes[REQUESTS][1];
    out->answers = pipes[ANSWERS][0];
    if (code)
        close_ends(out);
    return code;
}

/* --- what it says --------------------------------------------------------------------------------------- */

/* A piece of its messages; false: there are no more. */
static bool read_messages(child *c)
{
    char block[4096];
    ssize_t n = read(c->messages, block, sizeof block);
    if (n > 0) {
        /* The beginning of its messages is kept, and the end, which says why it died. */
        const char *from = block;
        size_t size = (size_t)n, room = sizeof c->said - 1 - c->n_said, begin = size < room ? size : room;
        memcpy(c->said + c->n_said, from, begin);
        c->n_said += begin;
        c->said[c->n_said] = '\0';
        if (size > sizeof c->last - 1) {
            from += size - (sizeof c->last - 1);
            size = sizeof c->last - 1;
        }
        size_t stay = c->n_last + size < sizeof c->last ? c->n_last : sizeof c->last - 1 - size;
        memmove(c->last, c->last + c->n_last - stay, stay);
        memcpy(c->last + stay, from, size);
        c->n_last = stay + size;
        c->last[c->n_last] = '\0';
    } else if (n == 0 || errno != EINTR)
        close_end(&c->messages);
    return c->messages >= 0;
}

/* A piece of its answers, behind those that wait to be asked for. */
static child_answer read_answers(child *c)
{
    enum { PIECE = 1 << 16 };
    if (c->lines) /* nothing may be moved from NULL, not even no bytes */
        memmove(c->lines, c->lines + c->n_taken, c->n_lines - c->n_taken);
    c->n_lines -= c->n_taken;
    c->n_searched -= c->n_taken;
    c->n_taken = 0;
    if (c->n_lines > CHILD_LONGEST_LINE)
        return CHILD_FLOOD;
    if (c->lines_room < c->n_lines + PIECE + 1) {
        size_t room = 2 * c->lines_room + PIECE + 1;
        char *grown = realloc(c->lines, room);
        if (!grown)
            return CHILD_NO_MEMORY;
        c->lines = grown;
        c->lines_room = room;
    }
    ssize_t n = read(c->answers, c->lines + c->n_lines, PIECE);
    if (n == 0 || (n < 0 && errno != EINTR))
        return CHILD_CLOSED;
    c->n_lines += n > 0 ? (size_t)n : 0;
    return CHILD_LINE;
}

static bool take_line(child *c, char **line, size_t *length)
{
    char *end = c->n_lines > c->n_searched
                    ? memchr(c->lines + c->n_searched, '\n', c->n_lines - c->n_searched)
                    : NULL;
    c->n_searched = end ? (size_t)(end - c->lines) + 1 : c->n_lines;
    if (!end)
        return false;
    *line = c->lines + c->n_taken;
    *length = (size_t)(end - *line);
    *end = '\0';
    c->n_taken = c->n_searched;
    return true;
}

child_answer child_hear(child *c, int most_ms, char **line, size_t *length)
{
    int64_t until_ms = now_ms() + most_ms;
    if (until_ms > c->deadline_ms)
        until_ms = c->deadline_ms;
    while (!take_line(c, line, length)) {
        int64_t left_ms = until_ms - now_ms();
        struct pollfd wait[2] = {{.fd = c->answers, .events = POLLIN}, {.fd = c->messages, .events = POLLIN}};
        int ready = poll(wait, 2, left_ms > 0 ? (int)left_ms : 0);
        if (ready == 0)
            return CHILD_LATE;
        if (ready < 0 && errno != EINTR)
            return CHILD_CLOSED;
        if (ready > 0 && wait[1].revents)
            read_messages(c);
        if (ready > 0 && wait[0].revents) {
            child_answer answer = read_answers(c);
            if (answer != CHILD_LINE)
                return answer;
        }
    }
    return CHILD_LINE;
}

bool child_say(child *c, const char *text, size_t length)
{
    return c->requests >= 0 &&
           send(c->requests, text, length, MSG_NOSIGNAL | MSG_DONTWAIT) == (ssize_t)length;
}

void child_say_no_more(child *c)
{
    close_end(&c->requests);
}

/* --- its end -------------------------------------------------------------------------------------------- */

/* It may have closed its messages and still run. */
static bool has_ended(const child *c)
{
    siginfo_t info = {0};
    return waitid(P_PID, (id_t)c->pid, &info, WEXITED | WNOHANG | WNOWAIT) == 0 && info.si_pid == c->pid;
}

void child_give(child *c, int most_ms)
{
    c->deadline_ms = now_ms() + most_ms;
}

int child_left_ms(const child *c)
{
    int64_t left_ms = c->deadline_ms - now_ms();
    return left_ms > 0 ? (int)left_ms : 0;
}

bool child_goes_on(child *c, int step_ms)
{
    char block[4096];
    struct pollfd wait[2] = {{.fd = c->messages, .events = POLLIN}, {.fd = c->answers, .events = POLLIN}};
    if (c->timed_out || has_ended(c))
        return false;
    int ready = poll(wait, 2, step_ms);
    if (ready > 0 && wait[0].revents)
        read_messages(c);
    if (ready > 0 && wait[1].revents && read(c->answers, block, sizeof block) == 0)
        close_end(&c->answers);
    c->timed_out = now_ms() >= c->deadline_ms;
    return !c->timed_out;
}

/* --- what it left running ------------------------------------------------------------------------------- */

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
static file_of_process file_of(const char *name, const char *file)
{
    file_of_process f;
    stpcpy(stpcpy(f.path, name), file);
    return f;
}

/* Whether the mark stands in the environment of a process, read in pieces that overlap by its length. */
static bool is_marked(int proc, const char *name, const search *s, bool *is_empty)
{
    char block[4096];
    size_t kept = 0;
    ssize_t n;
    bool found = false;
    int fd = openat(proc, file_of(name, "/environ").path, O_RDONLY | O_CLOEXEC);
    *is_empty = fd >= 0;
    while (fd >= 0 && !found && (n = read(fd, block + kept, sizeof block - kept)) > 0) {
        size_t all = kept + (size_t)n;
        *is_empty = false;
        found = memmem(block, all, s->mark, s->length);
        kept = all < s->length ? all : s->length;
        memmove(block, block + all - kept, kept);
    }
    close_end(&fd);
    return found;
}

/* In the middle of exec a process has a program, but neither environment nor arguments yet. The dead and the
 * threads of the kernel have no program. */
static bool is_between_programs(int proc, const char *name)
{
    char byte;
    int fd = openat(proc, file_of(name, "/cmdline").path, O_RDONLY | O_CLOEXEC);
    bool has_arguments = fd >= 0 && read(fd, &byte, 1) > 0;
    close_end(&fd);
    return !has_arguments && readlinkat(proc, file_of(name, "/exe").path, &byte, 1) > 0;
}

/* An exec between open and read shows an empty environment as well: what is empty is read again. */
static void end_marked(int proc, const char *name, void *search_)
{
    enum { MOST_DIGITS = 20, MOST_READINGS = 4 };
    search *s = search_;
    bool is_empty = true, marked = false, between = false;
    size_t digits = strspn(name, "0123456789");
    if (name[digits] || digits > MOST_DIGITS)
        return;
    for (int i = 0; is_empty && !between && i < MOST_READINGS; i++) {
        marked = is_marked(proc, name, s, &is_empty);
        between = is_empty && is_between_programs(proc, name);
    }
    if (marked)
        kill((pid_t)strtol(name, NULL, 10), SIGKILL);
    s->again |= marked || between;
}

/* Processes of a session of their own have left the group, but not what stands in their environment. */
static void end_marked_all(const char *mark, size_t length)
{
    enum { MOST_ROUNDS = 500, PAUSE_MS = 1 }; /* the ended need time to die */
    search s = {mark, length, *mark != '\0'};
    int proc = s.again ? open("/proc", O_RDONLY | O_DIRECTORY | O_CLOEXEC) : -1;
    for (int i = 0; proc >= 0 && s.again && i < MOST_ROUNDS; i++) {
        s.again = false;
        leftovers_visit(proc, end_marked, &s);
        if (s.again)
            poll(NULL, 0, PAUSE_MS);
    }
    close_end(&proc);
}

void child_end_all(void)
{
    end_marked_all(own_mark, strlen(own_mark));
}

void child_end(child *c)
{
    enum { STEP_MS = 5 };
    int state = 0;
    child_say_no_more(c);
    while (child_goes_on(c, STEP_MS))
        ;
    kill(-c->pid, SIGKILL); /* what it started as well */
    while (waitpid(c->pid, &state, 0) < 0 && errno == EINTR)
        ;
    end_marked_all(c->mark, strlen(c->mark) + 1);
    outputs_disown(c->pid);
    struct pollfd wait = {.fd = c->messages, .events = POLLIN};
    while (c->messages >= 0 && poll(&wait, 1, 0) > 0 && read_messages(c))
        ;
    close_ends(c);
    free(c->lines);
    c->lines = NULL;
    c->signal = WIFSIGNALED(state) && !c->timed_out ? WTERMSIG(state) : 0;
    c->failed = c->timed_out || !WIFEXITED(state) || WEXITSTATUS(state) != 0;
}

void child_end_within(child *c, int most_ms)
{
    child_give(c, most_ms);
    child_end(c);
}
