#include "core/error.h"

#include <errno.h>
#include <stdarg.h>
#include <stdbool.h>
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

static void fill(roof_error *err, roof_status status, const char *format, va_list args)
{
    if (!err)
        return;
    err->status = status;
    err->where[0] = '\0';
    err->byte_offset = ROOF_UNKNOWN;
    err->line = ROOF_UNKNOWN;
    vsnprintf(err->what, sizeof err->what, format, args);
}

roof_status roof_fail(roof_error *err, roof_status status, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    fill(err, status, format, args);
    va_end(args);
    return status;
}

roof_status roof_fail_at(roof_error *err, roof_status status, uint64_t byte_offset, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    fill(err, status, format, args);
    va_end(args);
    if (err)
        err->byte_offset = byte_offset;
    return status;
}

roof_status roof_fail_line(roof_error *err, roof_status status, uint64_t line, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    fill(err, status, format, args);
    va_end(args);
    if (err)
        err->line = line;
    return status;
}

roof_status roof_fail_memory(roof_error *err)
{
    return roof_fail(err, ROOF_E_NO_MEMORY, "out of memory");
}

roof_status roof_fail_errno(roof_error *err, roof_status status, const char *what)
{
    return errno == ENOMEM ? roof_fail_memory(err) : roof_fail(err, status, "%s: %s", what, strerror(errno));
}

void roof_error_prefix(roof_error *err, const char *format, ...)
{
    if (!err)
        return;
    char joined[2 * sizeof err->where]; /* cut at the end, so that the outermost place survives */
    va_list args;
    va_start(args, format);
    int used = vsnprintf(joined, sizeof joined, format, args);
    va_end(args);
    if (used < 0)
        return;
    if ((size_t)used < sizeof joined && err->where[0])
        snprintf(joined + used, sizeof joined - (size_t)used, ": %s", err->where);
    joined[sizeof err->where - 1] = '\0';
    memcpy(err->where, joined, sizeof err->where);
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

/* Length of the valid UTF-8 sequence at p, 0 if there is none (RFC 3629: no surrogates, no overlong forms).
 */
static unsigned long utf8_length(const unsigned char *p, unsigned long n)
{
    if (p[0] < 0x80)
        return 1;
    unsigned long want = p[0] >= 0xc2 && p[0] < 0xe0   ? 2
                         : p[0] >= 0xe0 && p[0] < 0xf0 ? 3
                         : p[0] >= 0xf0 && p[0] < 0xf5 ? 4
                                                       : 0;
    if (!want || want > n)
        return 0;
    for (unsigned long i = 1; i < want; i++)
        if ((p[i] & 0xc0) != 0x80)
            return 0;
    if ((p[0] == 0xe0 && p[1] < 0xa0) || (p[0] == 0xed && p[1] >= 0xa0) || (p[0] == 0xf0 && p[1] < 0x90) ||
        (p[0] == 0xf4 && p[1] >= 0x90))
        return 0;
    return want;
}

/* C1 controls (U+0080..U+009F) steer terminals as well: CSI is U+009B. */
static int is_control(const unsigned char *p, unsigned long length)
{
    return p[0] < 0x20 || p[0] == 0x7f || (length == 2 && p[0] == 0xc2 && p[1] < 0xa0);
}

unsigned long roof_text_first_bad(const char *text, unsigned long length)
{
    const unsigned char *p = (const unsigned char *)text;
    for (unsigned long i = 0; i < length;) {
        if (p[i] >= 0x20 && p[i] < 0x7f) { /* nearly all names are plain ASCII */
            i++;
            continue;
        }
        unsigned long step = utf8_length(p + i, length - i);
        if (!step || is_control(p + i, step))
            return i;
        i += step;
    }
    return length;
}

/* Length of text once it is quoted. */
static unsigned long quoted_length(const unsigned char *p, unsigned long length)
{
    unsigned long quoted = 0;
    for (unsigned long i = 0; i < length;) {
        unsigned long step = utf8_length(p + i, length - i);
        bool bad = !step || is_control(p + i, step);
        quoted += bad ? 4 : step;
        i += bad ? 1 : step;
    }
    return quoted;
}

const char *roof_quote(char *buffer, unsigned long size, const char *text, unsigned long length)
{
    const unsigned char *p = (const unsigned char *)text;
    bool cut = quoted_length(p, length) >= size;
    unsigned long kept = (size - 4) / 8; /* of each end, since a byte may become \xNN */
    unsigned long used = 0;
    for (unsigned long i = 0; i < length && used + 5 < size + (cut ? 0 : 4);) {
        if (cut && i == kept) { /* jump over the middle */
            memcpy(buffer + used, "...", 3);
            used += 3;
            i = length - kept;
            while (i < length && (p[i] & 0xc0) == 0x80)
                i++;
            kept = length; /* no second jump */
            continue;
        }
        unsigned long step = utf8_length(p + i, length - i);
        bool bad = !step || is_control(p + i, step) || (cut && i < kept && i + step > kept);
        if (bad) {
            used += (unsigned long)snprintf(buffer + used, size - used, "\\x%02x", p[i++]);
        } else {
            memcpy(buffer + used, p + i, step);
            used += step;
            i += step;
        }
    }
    buffer[used] = '\0';
    return buffer;
}
