#include "tests/browser/browser_process.h"
#include "core/error.h"

#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

int64_t child_now_ms(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (int64_t)now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

static void sleep_ms(long ms)
{
    nanosleep(&(struct timespec){.tv_nsec = ms * 1000000}, NULL);
}

/* ---- what is left behind ---- */

static int remove_entry(const char *path, const struct stat *st, int type, struct FTW *place)
{
    (void)st;
    (void)type;
    (void)place;
    remove(path); /* what fails shows when the folder cannot be removed */
    return 0;
}

/* A process that was killed a moment ago may still be writing, so that a folder fills while it is emptied. */
static void remove_folder(const char *folder)
{
    enum { TRIES = 100, PAUSE_MS = 20, MOST_OPEN = 16 };
    for (int i = 0; i < TRIES; i++) {
        nftw(folder, remove_entry, MOST_OPEN, FTW_DEPTH | FTW_PHYS);
        if (access(folder, F_OK) != 0)
            return;
        sleep_ms(PAUSE_MS);
    }
}

static void kill_group(pid_t group)
{
    if (group > 0)
        kill(-group, SIGKILL);
}

/* What the guard is told: a group once it is started, and that all was done without it. */
typedef struct guard_word {
    pid_t group;
    bool done;
} guard_word;

/* Waits until everybody who could write to fd is gone. */
_Noreturn static void guard(int fd, const char *folder)
{
    guard_word last = {0}, word;
    close_range(0, (unsigned)fd - 1,
                0); /* else whoever reads this program's output would wait for the guard */
    close_range((unsigned)fd + 1, ~0u, 0);
    for (;;) {
        ssize_t got = read(fd, &word, sizeof word);
        if (got == (ssize_t)sizeof word)
            last = word;
        else if (got >= 0 || errno != EINTR)
            break;
    }
    if (!last.done) {
        kill_group(last.group);
        remove_folder(folder);
    }
    _exit(0);
}

/* The guard is no child of this program, nor of its session: who kills either with all its children misses it. */
static roof_status start_guard(child *c, roof_error *err)
{
    int ends[2];
    if (pipe2(ends, O_CLOEXEC) != 0)
        return error_set(err, ROOF_E_IO, "no pipe: %s", strerror(errno));
    pid_t between = fork();
    if (between == 0) {
        setsid();
        close(ends[1]);
        if (fork() == 0)
            guard(ends[0], c->folder);
        _exit(0);
    }
    close(ends[0]);
    c->guard_fd = ends[1];
    if (between < 0)
        return error_set(err, ROOF_E_IO, "no process: %s", strerror(errno));
    while (waitpid(between, NULL, 0) < 0 && errno == EINTR)
        ;
    return ROOF_OK;
}

/* When the guard is gone already there is nobody to tell, and SIGPIPE would end the program. */
static void tell_guard(const child *c, guard_word word)
{
    struct pollfd p = {.fd = c->guard_fd, .events = POLLOUT};
    if (poll(&p, 1, 0) == 1 && !(p.revents & POLLERR) && write(c->guard_fd, &word, sizeof word) < 0)
        fprintf(stderr, "the guard over %s cannot be told: %s\n", c->folder, strerror(errno));
}

roof_status child_prepare(child *c, roof_error *err)
{
    *c = (child){.fd = -1, .guard_fd = -1, .folder = "/tmp/roofline-browser-XXXXXX"};
    if (!mkdtemp(c->folder)) {
        c->folder[0] = '\0';
        return error_set(err, ROOF_E_IO, "no temporary folder in /tmp: %s", strerror(errno));
    }
    return start_guard(c, err);
}

/* ---- start ---- */

/* What the program must find elsewhere than its user has it: it may not write there, and may not read it either. */
static const char *const own_variables[] = {
    "HOME=", "TMPDIR=", "XDG_CONFIG_HOME=", "XDG_CACHE_HOME=", "XDG_DATA_HOME=", "XDG_RUNTIME_DIR="};
enum { OWN_VARIABLES = sizeof own_variables / sizeof *own_variables };

static bool is_own_variable(const char *variable)
{
    for (size_t i = 0; i < OWN_VARIABLES; i++)
        if (strncmp(variable, own_variables[i], strlen(own_variables[i])) == 0)
            return true;
    return strncmp(variable, "DBUS_SESSION_BUS_ADDRESS=", strlen("DBUS_SESSION_BUS_ADDRESS=")) == 0;
}

/* The first OWN_VARIABLES texts are to be freed, and the array. NULL: out of memory. */
static char **make_environment(const child *c)
{
    size_t n = 0, used = 0;
    while (environ[n])
        n++;
    char **made = calloc(n + OWN_VARIABLES + 2, sizeof *made);
    if (!made)
        return NULL;
    for (; used < OWN_VARIABLES; used++)
        if (asprintf(&made[used], "%s%s", own_variables[used], c->folder) < 0)
            made[used] = NULL; /* it ends here: the program then has less of an environment */
    made[used++] = "DBUS_SESSION_BUS_ADDRESS=disabled:"; /* else it may start a bus, which would outlive it */
    for (size_t i = 0; i < n; i++)
        if (!is_own_variable(environ[i]))
            made[used++] = environ[i];
    return made;
}

static void free_environment(char **made)
{
    for (size_t i = 0; made && i < OWN_VARIABLES; i++)
        free(made[i]);
    free(made);
}

static const char *log_path(const child *c, char path[2 * CHILD_FOLDER_SIZE])
{
    snprintf(path, 2 * CHILD_FOLDER_SIZE, "%s/stderr.txt", c->folder);
    return path;
}

/* theirs: above 4, so that no dup2 overwrites what a later one reads. Returns an error number. */
static int spawn(child *c, const char *program, const char *const argv[], int theirs)
{
    char log[2 * CHILD_FOLDER_SIZE];
    char **environment = make_environment(c);
    posix_spawn_file_actions_t files;
    posix_spawnattr_t attributes;
    sigset_t none, normal;
    sigemptyset(&none);
    sigemptyset(&normal);
    sigaddset(&normal, SIGPIPE);
    posix_spawn_file_actions_init(&files);
    posix_spawnattr_init(&attributes);
    posix_spawn_file_actions_addopen(&files, 0, "/dev/null", O_RDONLY, 0);
    posix_spawn_file_actions_addopen(&files, 1, log_path(c, log), O_WRONLY | O_CREAT | O_APPEND, 0600);
    posix_spawn_file_actions_adddup2(&files, 1, 2);
    posix_spawn_file_actions_adddup2(&files, theirs, 3);
    posix_spawn_file_actions_adddup2(&files, theirs, 4);
    posix_spawnattr_setflags(&attributes,
                             POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF);
    posix_spawnattr_setsigmask(&attributes, &none);
    posix_spawnattr_setsigdefault(&attributes, &normal);
    char *const *arguments = (char *const *)(uintptr_t)argv; /* never written to, POSIX says */
    int failure =
        environment ? posix_spawn(&c->pid, program, &files, &attributes, arguments, environment) : ENOMEM;
    if (failure)
        c->pid = 0;
    posix_spawnattr_destroy(&attributes);
    posix_spawn_file_actions_destroy(&files);
    free_environment(environment);
    return failure;
}

roof_status child_start(child *c, const char *program, const char *const argv[], roof_error *err)
{
    enum { ABOVE_STANDARD = 10 };
    int ends[2]; /* sockets: a broken one is an error of send, where a pipe would raise SIGPIPE */
    if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0)
        return error_set(err, ROOF_E_DEVICE, "no socket: %s", strerror(errno));
    int theirs = fcntl(ends[1], F_DUPFD_CLOEXEC, ABOVE_STANDARD);
    close(ends[1]);
    c->fd = ends[0];
    fcntl(c->fd, F_SETFL, O_NONBLOCK);
    int failure = theirs < 0 ? errno : spawn(c, program, argv, theirs);
    if (theirs >= 0)
        close(theirs);
    if (failure)
        return error_set(err, ROOF_E_DEVICE, "%s does not start: %s", program, strerror(failure));
    tell_guard(c, (guard_word){.group = c->pid});
    return ROOF_OK;
}

/* ---- talk ---- */

/* The end of what it said on standard error, in one line. */
static const char *last_words(const child *c, char *shown, size_t size)
{
    char path[2 * CHILD_FOLDER_SIZE], tail[400];
    size_t length = 0;
    FILE *log = fopen(log_path(c, path), "rb");
    if (log) {
        if (fseek(log, -(long)sizeof tail, SEEK_END) != 0)
            rewind(log);
        length = fread(tail, 1, sizeof tail, log);
        fclose(log);
    }
    for (size_t i = 0; i < length; i++)
        tail[i] = tail[i] == '\n' ? ' ' : tail[i];
    while (length && tail[length - 1] == ' ')
        length--;
    return length ? quote_text(shown, size, tail, length) : "nothing";
}

static roof_status has_left(const child *c, roof_error *err)
{
    enum { PATIENCE_MS = 1000, PAUSE_MS = 10 };
    char how[64] = "closed its descriptor 4", words[500];
    siginfo_t info = {0};
    for (int64_t end = child_now_ms() + PATIENCE_MS; !info.si_pid && child_now_ms() < end;) {
        /* Only looked at, not waited for: see child_stop. */
        if (waitid(P_PID, (id_t)c->pid, &info, WEXITED | WNOHANG | WNOWAIT) != 0 || !info.si_pid)
            sleep_ms(PAUSE_MS);
    }
    if (info.si_pid)
        snprintf(how, sizeof how,
                 info.si_code == CLD_EXITED ? "ended with exit status %d" : "was ended by signal %d",
                 info.si_status);
    return error_set(err, ROOF_E_DEVICE, "it %s; its last words: %s", how,
                     last_words(c, words, sizeof words));
}

/* True when fd is ready for events, false when the deadline passed. */
static bool wait_for(int fd, short events, int64_t deadline_ms)
{
    for (;;) {
        int64_t left = deadline_ms - child_now_ms();
        struct pollfd p = {.fd = fd, .events = events};
        int ready = poll(&p, 1, left > 0 ? (int)(left < INT32_MAX ? left : INT32_MAX) : 0);
        if (ready > 0)
            return true;
        if (left <= 0)
            return false;
    }
}

roof_status child_send(child *c, const char *bytes, size_t length, int64_t deadline_ms, roof_error *err)
{
    while (length) {
        ssize_t sent = send(c->fd, bytes, length, MSG_NOSIGNAL);
        if (sent >= 0) {
            bytes += sent;
            length -= (size_t)sent;
        } else if (errno != EAGAIN && errno != EINTR) {
            return has_left(c, err);
        } else if (!wait_for(c->fd, POLLOUT, deadline_ms)) {
            return error_set(err, ROOF_E_DEVICE, "it does not read what it is sent");
        }
    }
    return ROOF_OK;
}

roof_status child_receive(child *c, char *bytes, size_t size, int64_t deadline_ms, size_t *got,
                          roof_error *err)
{
    for (;;) {
        if (child_now_ms() >= deadline_ms) /* looked at first: one who writes without end meets it too */
            return error_set(err, ROOF_E_DEVICE, "it did not answer in time");
        ssize_t received = recv(c->fd, bytes, size, 0);
        *got = received > 0 ? (size_t)received : 0;
        if (received > 0)
            return ROOF_OK;
        if (received == 0 || (errno != EAGAIN && errno != EINTR))
            return has_left(c, err);
        wait_for(c->fd, POLLIN, deadline_ms);
    }
}

/* ---- end ---- */

/* The leader is waited for last: as long as it is not, nobody else can get its number, which names the group. */
void child_stop(child *c)
{
    if (c->pid > 0) {
        kill_group(c->pid);
        while (waitpid(c->pid, NULL, 0) < 0 && errno == EINTR)
            ;
    }
    if (c->fd >= 0)
        close(c->fd);
    if (c->folder[0])
        remove_folder(c->folder);
    if (c->guard_fd >= 0) {
        tell_guard(c, (guard_word){.done = true});
        close(c->guard_fd);
    }
    *c = (child){.fd = -1, .guard_fd = -1};
}
