/* Jobs, clocks, settings, and programs, of which there are none. */
#include "core/platform/platform.h"

#include <errno.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

/* ---- signals and other programs ---- */

void os_end_with(void (*undo)(void))
{
    (void)undo;
}

void os_hold_signals(os_signals *before)
{
    *before = (os_signals){{0}};
}

void os_release_signals(const os_signals *before)
{
    (void)before;
}

int os_start(const os_program *program, os_process *out)
{
    (void)program;
    *out = (os_process){.messages = OS_NONE, .requests = OS_NONE, .answers = OS_NONE, .starting = OS_NONE};
    return ENOENT;
}

int os_started(os_process *process)
{
    (void)process;
    return ENOENT;
}

bool os_send(int requests, const char *text, size_t length)
{
    (void)requests, (void)text, (void)length;
    return false;
}

int os_await(const int *files, bool *is_ready, size_t n, int most_ms)
{
    (void)files, (void)most_ms;
    for (size_t i = 0; i < n; i++)
        is_ready[i] = false;
    return 0;
}

bool os_has_ended(int process)
{
    (void)process;
    return true;
}

os_end_state os_end(int process)
{
    (void)process;
    return (os_end_state){.is_success = false};
}

void os_end_marked(const os_process *process)
{
    (void)process;
}

/* ---- threads ---- */

uint32_t os_processors(bool that_we_may_use)
{
    (void)that_we_may_use;
    return 1;
}

/* One after the other, each in the first slot and the first place. */
bool os_do_jobs(const os_jobs *jobs, roof_status *status, roof_error *err)
{
    bool is_open = false;
    os_job job = {.next_group = ROOF_UNKNOWN};
    *status = ROOF_OK;
    while (*status == ROOF_OK) {
        job = (os_job){.next_group = ROOF_UNKNOWN};
        if (!jobs->next(jobs->context, &job))
            break;
        if (!is_open)
            *status = jobs->open(jobs->context, job.group, 0, err);
        is_open = true;
        if (*status == ROOF_OK)
            *status = jobs->work(jobs->context, job.slot, 0, err);
        if (*status == ROOF_OK)
            *status = jobs->take(jobs->context, job.slot, err);
        if (job.next_group != job.group) {
            jobs->close(jobs->context, 0);
            is_open = false;
        }
    }
    if (is_open)
        jobs->close(jobs->context, 0);
    return true;
}

/* ---- clocks and settings ---- */

static int64_t clock_ns(clockid_t clock)
{
    struct timespec now;
    clock_gettime(clock, &now);
    return (int64_t)now.tv_sec * 1000000000 + now.tv_nsec;
}

int64_t os_now_ns(void)
{
    return clock_ns(CLOCK_MONOTONIC);
}

int64_t os_file_time_ns(void)
{
    return clock_ns(CLOCK_REALTIME);
}

void os_sleep_ms(int ms)
{
    const struct timespec wait = {ms / 1000, ms % 1000 * 1000000L};
    nanosleep(&wait, NULL);
}

/* A host that has a terminal says so by COLUMNS and LINES. */
bool os_terminal_size(uint32_t *columns, uint32_t *rows)
{
    const char *width = getenv("COLUMNS"), *height = getenv("LINES");
    *columns = width ? (uint32_t)strtoul(width, NULL, 10) : 0;
    *rows = height ? (uint32_t)strtoul(height, NULL, 10) : 0;
    return isatty(STDOUT_FILENO);
}

const char *os_setting(const char *name)
{
    return getenv(name);
}

/* There is no way out of a callback: the module ends, and the host says so. */
bool os_attempt(void (*what)(void *context), void *context)
{
    what(context);
    return true;
}

_Noreturn void os_give_up(void)
{
    abort();
}

/* The C library has one locale. */
bool os_number(const char *text, double *out)
{
    *out = strtod(text, NULL);
    return true;
}

/* A folder that we are in is no notion of WASI: the host says it. */
__attribute__((constructor(102))) static void enter_folder(void)
{
    const char *folder = getenv("PWD");
    if (folder)
        chdir(folder);
}
