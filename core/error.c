#include "core/error.h"
#include "core/print.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

static const struct {
    roof_status status;
    int exit_code;
    const char *text;
} statuses[] = {
#define STATUS(name, value, exit_code, text) {ROOF_##name, (exit_code), (text)},
#include "roofline/status.def"
#undef STATUS
};

const char *roof_status_text(roof_status status)
{
    for (unsigned i = 0; i < sizeof statuses / sizeof *statuses; i++)
        if (statuses[i].status == status)
            return statuses[i].text;
    return "unknown status";
}

int roof_status_exit_code(roof_status status)
{
    for (unsigned i = 0; i < sizeof statuses / sizeof *statuses; i++)
        if (statuses[i].status == status)
            return statuses[i].exit_code;
    return 70;
}

roof_status error_fill(roof_error *err, roof_status status, uint64_t byte_offset, uint64_t line,
                       const char *format, ...)
{
    va_list args;
    if (!err)
        return status;
    err->status = status;
    err->where[0] = '\0';
    err->byte_offset = byte_offset;
    err->line = line;
    va_start(args, format);
    print_list(err->what, sizeof err->what, format, args);
    va_end(args);
    return status;
}

roof_status error_fill_errno(roof_error *err, roof_status status, const char *what)
{
    return errno == ENOMEM ? error_memory(err) : error_set(err, status, "%s: %s", what, strerror(errno));
}

roof_status error_placed(roof_status status, roof_error *err, const char *format, ...)
{
    if (!err || status == ROOF_OK || status == ROOF_E_NO_MEMORY)
        return status;
    char joined[2 * sizeof err->where]; /* cut at the end, so that the outermost place survives */
    va_list args;
    va_start(args, format);
    int used = print_list(joined, sizeof joined, format, args);
    va_end(args);
    if (used < 0)
        return status;
    if ((size_t)used < sizeof joined && err->where[0])
        snprintf(joined + used, sizeof joined - (size_t)used, ": %s", err->where);
    joined[sizeof err->where - 1] = '\0';
    memcpy(err->where, joined, sizeof err->where);
    return status;
}

int roof_error_format(const roof_error *err, char *buffer, unsigned long size)
{
    char place[48] = "";
    if (err->byte_offset != ROOF_UNKNOWN)
        snprintf(place, sizeof place, " (byte 0x%llx)", (unsigned long long)err->byte_offset);
    else if (err->line != ROOF_UNKNOWN)
        snprintf(place, sizeof place, " (line %llu)", (unsigned long long)err->line);
    return snprintf(buffer, size, "%s%s%s%s", err->where, err->where[0] ? ": " : "", err->what, place);
}
