/* --threads of measure and predict: a list that says how many threads there shall be, one after the other. */
#include "cli/cli.h"
#include "core/error.h"

#include <string.h>

/* One number, of so few digits that it cannot overflow. 0: there is none that is allowed. */
static uint32_t take_number(const char **at)
{
    enum { MOST_DIGITS = 6 };
    const size_t n = strspn(*at, "0123456789");
    uint32_t number = 0;
    for (size_t i = 0; i < n && n <= MOST_DIGITS; i++)
        number = number * 10 + (uint32_t)((*at)[i] - '0');
    *at += n;
    return number <= ROOF_MOST_THREADS ? number : 0;
}

roof_status cli_thread_counts(const char *text, uint32_t *out, uint32_t most, uint32_t *n, roof_error *err)
{
    bool is_wanted[ROOF_MOST_THREADS + 1] = {false};
    *n = 0;
    for (const char *at = text;; at++) {
        const uint32_t first = take_number(&at); /* "4" or "4..8" */
        const bool is_range = first && strncmp(at, "..", 2) == 0;
        at += is_range ? 2 : 0;
        const uint32_t last = is_range ? take_number(&at) : first;
        if (!first || last < first || (*at && *at != ','))
            return error_set(
                err, ROOF_E_USAGE,
                "--threads: '%.60s' is no list of numbers of threads, want numbers from 1 to %d and "
                "ranges of them that ascend, such as 1,2,4..8",
                text, ROOF_MOST_THREADS);
        for (uint32_t i = first; i <= last; i++)
            is_wanted[i] = true;
        if (!*at)
            break;
    }
    for (uint32_t i = 1; i <= ROOF_MOST_THREADS; i++) {
        if (is_wanted[i] && *n == most)
            return error_set(err, ROOF_E_USAGE, "--threads: '%.60s' is more than %u numbers of threads", text,
                             most);
        if (is_wanted[i])
            out[(*n)++] = i;
    }
    return ROOF_OK;
}
