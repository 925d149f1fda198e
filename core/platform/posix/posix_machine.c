/* Processors, clocks, settings. */
#include "core/platform/platform.h"

#include <locale.h>
#include <poll.h>
#include <sched.h>
#include <setjmp.h>
#include <stdlib.h>
#include <sys/ioctl.h>
#include <time.h>
#include <unistd.h>

uint32_t os_processors(bool that_we_may_use)
{
    cpu_set_t set;
    const long n = !that_we_may_use                              ? sysconf(_SC_NPROCESSORS_ONLN)
                   : sched_getaffinity(0, sizeof set, &set) == 0 ? CPU_COUNT(&set)
                                                                 : 0;
    return n > 0 ? (uint32_t)n : 0;
}

int64_t os_file_time_ns(void)
{
    struct timespec now;
    clock_gettime(CLOCK_REALTIME_COARSE, &now);
    return (int64_t)now.tv_sec * 1000000000 + now.tv_nsec;
}

void os_sleep_ms(int ms)
{
    poll(NULL, 0, ms);
}

bool os_terminal_size(uint32_t *columns, uint32_t *rows)
{
    struct winsize size = {0};
    const bool is_told = ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0;
    *columns = size.ws_col;
    *rows = size.ws_row;
    return is_told;
}

static _Thread_local jmp_buf way_out;

bool os_attempt(void (*what)(void *context), void *context)
{
    if (setjmp(way_out))
        return false;
    what(context);
    return true;
}

_Noreturn void os_give_up(void)
{
    longjmp(way_out, 1);
}

/* The caller's locale may write 1,5: strtod alone would stop at the point. glibc keeps one static "C"
 * locale. */
bool os_number(const char *text, double *out)
{
    const locale_t c_locale = newlocale(LC_ALL_MASK, "C", (locale_t)0);
    if (c_locale == (locale_t)0)
        return false;
    *out = strtod_l(text, NULL, c_locale);
    freelocale(c_locale);
    return true;
}
