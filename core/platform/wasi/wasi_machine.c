/* Jobs, clocks, settings, and programs, of which there is one: a host that can draw has a file, GNUPLOT. The
 * folder to run in and the arguments are written to it in one call; the host runs gnuplot before the call
 * returns. Then "0" is read from the file where it ended well, else another digit; and behind that, what it
 * said. */
#include "core/platform/platform.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
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

static const char GNUPLOT[] = "/dev/gnuplot";
enum { ENDED_WELL = 1, ENDED_BADLY }; /* processes; none is still running when anybody hears of it */

/* Its folder and what it is given, each with a NUL behind it. NULL without memory. */
static char *request_of(const os_program *program, size_t *length)
{
    char *here = program->folder[0] == '/' ? strdup("") : getcwd(NULL, 0), *request = NULL;
    FILE *f = open_memstream(&request, length);
    if (f && here)
        fprintf(f, "%s%s%s%c", here, *here ? "/" : "", program->folder, '\0');
    for (char *const *one = program->arguments + 1; f && *one; one++)
        fprintf(f, "%s%c", *one, '\0');
    const bool is_whole = f && fclose(f) == 0 && here;
    free(here);
    if (is_whole)
        return request;
    free(request);
    return NULL;
}

int os_start(const os_program *program, os_process *out)
{
    *out = (os_process){.messages = OS_NONE, .requests = OS_NONE, .answers = OS_NONE, .starting = OS_NONE};
    const bool draws = strcmp(program->arguments[0], "gnuplot") == 0 && program->folder;
    const int file = draws ? open(GNUPLOT, O_RDWR) : OS_NONE;
    if (file < 0)
        return ENOENT;
    char answer = '\0';
    size_t length = 0;
    char *request = request_of(program, &length);
    const int code = !request                                          ? ENOMEM
                     : write(file, request, length) != (ssize_t)length ? EIO
                     : read(file, &answer, 1) != 1                     ? EIO
                                                                       : 0;
    free(request);
    if (code) {
        close(file);
        return code;
    }
    out->id = answer == '0' ? ENDED_WELL : ENDED_BADLY;
    out->messages = file;
    return 0;
}

int os_started(os_process *process)
{
    return process->id ? 0 : ENOENT;
}

bool os_send(int requests, const char *text, size_t length)
{
    (void)requests, (void)text, (void)length;
    return false;
}

int os_await(const int *files, bool *is_ready, size_t n, int most_ms)
{
    int ready = 0;
    (void)most_ms;
    for (size_t i = 0; i < n; i++)
        ready += is_ready[i] = files[i] >= 0;
    return ready;
}

bool os_has_ended(int process)
{
    (void)process;
    return true;
}

os_end_state os_end(int process)
{
    return (os_end_state){.is_success = process == ENDED_WELL};
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

int64_t os_file_time_ns(void)
{
    struct timespec now;
    clock_gettime(CLOCK_REALTIME, &now);
    return (int64_t)now.tv_sec * 1000000000 + now.tv_nsec;
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
