/* Preloaded into the program by a test: from its n-th call on rename fails, or the n-th call kills the
 * process. FAIL_RENAME=n and KILL_RENAME=n count from 1. */
/* NOLINTBEGIN(readability-inconsistent-declaration-parameter-name): glibc's are reserved names */
#include <errno.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <unistd.h>

static long number_of(const char *variable)
{
    const char *text = getenv(variable);
    return text ? strtol(text, NULL, 10) : 0;
}

static bool fails(void)
{
    static long calls;
    long fail = number_of("FAIL_RENAME"), end = number_of("KILL_RENAME");
    calls++;
    if (end && calls >= end)
        raise(SIGKILL);
    errno = EIO;
    return fail && calls >= fail;
}

__attribute__((visibility("default"))) int renameat(int from_at, const char *from, int to_at, const char *to)
{
    return fails() ? -1 : (int)syscall(SYS_renameat2, from_at, from, to_at, to, 0);
}

__attribute__((visibility("default"))) int rename(const char *from, const char *to)
{
    return fails() ? -1 : (int)syscall(SYS_renameat2, -100, from, -100, to, 0);
}
/* NOLINTEND(readability-inconsistent-declaration-parameter-name) */
