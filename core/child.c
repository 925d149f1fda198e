#include "core/child.h"
#include "core/outputs.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static int64_t now_ms(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (int64_t)now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

/* fork, since posix_spawn has no way to ask for the parent's death. Only what is safe between fork and exec. why: a pipe
 * that an exec closes, for errno. */
static _Noreturn void run(const char *folder, char *const *arguments, const int *messages, int why,
                          pid_t parent)
{
    sigset_t none;
    int nothing = open("/dev/null", O_RDONLY);
    sigemptyset(&none);
    signal(SIGPIPE, SIG_DFL);
    signal(SIGXFSZ, SIG_DFL);
    sigprocmask(SIG_SETMASK, &none, NULL);
    if (setpgid(0, 0) == 0 && prctl(PR_SET_PDEATHSIG, SIGKILL) == 0 && getppid() == parent && nothing >= 0 &&
        dup2(nothing, STDIN_FILENO) >= 0 && dup2(messages[1], STDOUT_FILENO) >= 0 &&
        dup2(messages[1], STDERR_FILENO) >= 0 && chdir(folder) == 0)
        execvp(arguments[0], arguments);
    int code = errno;
    _exit(write(why, &code, sizeof code) == (ssize_t)sizeof code ? 127 : 126);
}

/* The errno with which it could not be run, or 0 when it runs. */
static int read_why(int fd)
{
    int code = 0;
    ssize_t n = TEMP_FAILURE_RETRY(read(fd, &code, sizeof code));
    return n == (ssize_t)sizeof code ? code : 0;
}

int child_start(const char *folder, char *const *arguments, int most_ms, child *out)
{
    int messages[2], why[2], code = 0;
    pid_t parent = getpid();
    *out = (child){.deadline_ms = now_ms() + most_ms};
    if (pipe2(messages, O_CLOEXEC) != 0)
        return errno;
    if (pipe2(why, O_CLOEXEC) != 0) {
        code = errno;
        close(messages[0]);
        close(messages[1]);
        return code;
    }
    out->pid = fork();
    if (out->pid == 0)
        run(folder, arguments, messages, why[1], parent);
    code = out->pid < 0 ? errno : 0;
    close(messages[1]);
    close(why[1]);
    if (!code) {
        setpgid(out->pid, out->pid); /* whoever of both comes first */
        outputs_adopt(out->pid);
        code = read_why(why[0]);
        if (code) {
            TEMP_FAILURE_RETRY(waitpid(out->pid, NULL, 0));
            outputs_disown(out->pid);
        }
    }
    close(why[0]);
    out->messages = messages[0];
    if (code)
        close(messages[0]);
    return code;
}

/* One piece of what it says. false: it ended, or its time has. */
static bool listen_to(child *c, size_t *used)
{
    char block[512];
    int64_t left_ms = c->deadline_ms - now_ms();
    struct pollfd wait = {.fd = c->messages, .events = POLLIN};
    int ready = poll(&wait, 1, left_ms > 0 ? (int)left_ms : 0);
    c->timed_out = ready == 0;
    if (ready <= 0)
        return ready < 0 && errno == EINTR;
    ssize_t n = read(c->messages, block, sizeof block);
    if (n <= 0)
        return n < 0 && errno == EINTR;
    size_t room = sizeof c->said - 1 - *used, keep = (size_t)n < room ? (size_t)n : room;
    memcpy(c->said + *used, block, keep);
    *used += keep;
    return true;
}

/* It may have closed its messages and still run. */
static bool has_ended(const child *c)
{
    siginfo_t info = {0};
    return waitid(P_PID, (id_t)c->pid, &info, WEXITED | WNOHANG | WNOWAIT) == 0 && info.si_pid == c->pid;
}

static void wait_until_deadline(child *c)
{
    enum { STEP_MS = 5 };
    while (!c->timed_out && !has_ended(c)) {
        poll(NULL, 0, STEP_MS);
        c->timed_out = now_ms() >= c->deadline_ms;
    }
}

void child_end(child *c)
{
    size_t used = 0;
    int state = 0;
    while (listen_to(c, &used))
        ;
    c->said[used] = '\0';
    close(c->messages);
    wait_until_deadline(c);
    kill(-c->pid, SIGKILL); /* what it started as well */
    TEMP_FAILURE_RETRY(waitpid(c->pid, &state, 0));
    outputs_disown(c->pid);
    c->failed = c->timed_out || !WIFEXITED(state) || WEXITSTATUS(state) != 0;
}
