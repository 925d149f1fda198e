#include "core/print.h"

#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

/* Flags, width and digits of a directive, behind its %. */
static const char between[] = "-+ #0123456789.*";

static bool prints_a_double(const char *format)
{
    for (const char *at = strchr(format, '%'); at; at = strchr(at + (*at != '\0'), '%')) {
        at += 1 + strspn(at + 1, between);
        if (*at && strchr("efg", *at))
            return true;
    }
    return false;
}

/* What the locale wrote as decimal point, which may have several bytes, becomes '.'. */
static const char *restore_point(char *number)
{
    char *to = number;
    bool in_point = false;
    for (const char *from = number; *from; from++) {
        bool plain = strchr("0123456789+-eE ", *from) != NULL;
        if (plain)
            *to++ = *from;
        else if (!in_point)
            *to++ = '.';
        in_point = !plain;
    }
    *to = '\0';
    return number;
}

/* Directive by directive, as doubles may be among them that vsnprintf would print as "inf" or "-nan". */
int print_list(char *buffer, size_t size, const char *format, va_list args)
{
    enum { LONGEST_DIRECTIVE = 40, LONGEST_STAR = 12, LONGEST_NUMBER = 400 };
    size_t used = 0;
    if (!prints_a_double(format))
        return vsnprintf(buffer, size, format, args);
    while (*format) {
        char directive[LONGEST_DIRECTIVE + LONGEST_STAR + 4] = "%", number[LONGEST_NUMBER] = "unknown";
        char *at = used < size ? buffer + used : NULL;
        size_t room = at ? size - used : 0, n = 1, plain = strcspn(format, "%");
        double value = 0;
        int length = 0, longs = 0, star;
        if (plain) {
            length = snprintf(at, room, "%.*s", (int)plain, format);
            format += plain;
        } else {
            for (format++; n < LONGEST_DIRECTIVE && *format && strchr(between, *format); format++)
                if (*format != '*')
                    directive[n++] = *format;
                else if ((star = va_arg(args, int)) < 0 && directive[n - 1] == '.')
                    directive[--n] = '\0'; /* as many digits as are usual */
                else
                    n += (size_t)snprintf(directive + n, LONGEST_STAR, "%d", star);
            for (; longs < 2 && (*format == 'l' || *format == 'z'); longs++)
                directive[n++] = *format++;
            directive[n] = *format;
            format += *format != '\0';
            // NOLINTBEGIN(clang-diagnostic-format-nonliteral): the compiler has checked the whole format
            switch (directive[n]) {
            case 'e':
            case 'f':
            case 'g':
                value = va_arg(args, double);
                if (isfinite(value))
                    snprintf(number, sizeof number, directive, value);
                length = snprintf(at, room, "%s", isfinite(value) ? restore_point(number) : number);
                break;
            case 's':
            case 'p':
                length = snprintf(at, room, directive, va_arg(args, const char *));
                break;
            case '%':
                length = snprintf(at, room, "%%");
                break;
            default: /* where size_t is, it is as long as a long */
                length = longs == 0   ? snprintf(at, room, directive, va_arg(args, int))
                         : longs == 1 ? snprintf(at, room, directive, va_arg(args, long))
                                      : snprintf(at, room, directive, va_arg(args, long long));
            }
            // NOLINTEND(clang-diagnostic-format-nonliteral)
        }
        if (length < 0)
            return length;
        used += (size_t)length;
    }
    if (size && !used)
        *buffer = '\0';
    return (int)used;
}

int print_into(char *buffer, size_t size, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    int length = print_list(buffer, size, format, args);
    va_end(args);
    return length;
}
