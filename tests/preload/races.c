/* Preloaded into the program by a test, to be in time where a process seldom is: SIGNAL_IN_FORK=FILE sends
 * SIGTERM as soon as the child has made FILE and before its parent knows of it, LATE_FILE=1 makes a file in a
 * folder that is about to be removed. */
/* NOLINTBEGIN(readability-inconsistent-declaration-parameter-name): glibc's are reserved names */
#include <dlfcn.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

__attribute__((visibility("default"))) pid_t fork(void)
{
    union {
        void *object;
        pid_t (*function)(void);
    } real = {dlsym(RTLD_NEXT, "fork")};
    const char *made = getenv("SIGNAL_IN_FORK");
    pid_t child = real.function();
    if (child == 0)
        unsetenv("SIGNAL_IN_FORK");
    bool is_made = false, has_ended = false; /* another child than the one that makes it */
    while (child > 0 && made && !is_made && !has_ended) {
        siginfo_t end = {0};
        has_ended = waitid(P_PID, (id_t)child, &end, WEXITED | WNOHANG | WNOWAIT) == 0 && end.si_pid == child;
        is_made = access(made, F_OK) == 0;
        if (!is_made && !has_ended)
            poll(NULL, 0, 1);
    }
    if (is_made)
        raise(SIGTERM);
    return child;
}

__attribute__((visibility("default"))) int rmdir(const char *folder)
{
    static int calls;
    char late[4096];
    snprintf(late, sizeof late, "%s/late", folder);
    if (getenv("LATE_FILE") && calls++ == 0)
        close(open(late, O_WRONLY | O_CREAT | O_CLOEXEC, 0600));
    return (int)syscall(SYS_unlinkat, AT_FDCWD, folder, AT_REMOVEDIR);
}
/* NOLINTEND(readability-inconsistent-declaration-parameter-name) */
