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

int print_text(char *buffer, size_t size, const char *text, size_t length)
{
    const size_t n = length < size ? length : size ? size - 1 : 0;
    if (size) {
        memcpy(buffer, text, n);
        buffer[n] = '\0';
    }
    return (int)length;
}

/* The locale's decimal point, which may have several bytes, becomes '.'. */
static const char *restore_point(char *number)
{
    char *to = number;
    if (!number[strspn(number, "0123456789.+-e ")])
        return number;
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

/* Prints one directive, from behind its % to its letter, into AT with ROOM; takes its arguments. */
static int print_directive(char *at, size_t room, const char **format, va_list *args)
{
    enum { LONGEST = 40, LONGEST_STAR = 12, LONGEST_NUMBER = 400 };
    char directive[LONGEST + LONGEST_STAR + 4] = "%", number[LONGEST_NUMBER] = "unknown";
    const char *f = *format;
    size_t n = 1;
    int longs = 0, star;
    for (; n < LONGEST && *f && strchr(between, *f); f++)
        if (*f != '*')
            directive[n++] = *f;
        else if ((star = va_arg(*args, int)) < 0 && directive[n - 1] == '.')
            directive[--n] = '\0'; /* as many digits as are usual */
        else
            n += (size_t)snprintf(directive + n, LONGEST_STAR, "%d", star);
    for (; longs < 2 && (*f == 'l' || *f == 'z'); longs++)
        directive[n++] = *f++;
    directive[n] = *f;
    *format = f + (*f != '\0');
    // NOLINTBEGIN(clang-diagnostic-format-nonliteral): the compiler has checked the whole format
    switch (directive[n]) {
    case 'e':
    case 'f':
    case 'g': {
        const double value = va_arg(*args, double);
        if (isfinite(value))
            snprintf(number, sizeof number, directive, value);
        const char *text = isfinite(value) ? restore_point(number) : number;
        return print_text(at, room, text, strlen(text));
    }
    case 's':
    case 'p':
        return snprintf(at, room, directive, va_arg(*args, const char *));
    case '%':
        return print_text(at, room, "%", 1);
    default: /* where size_t is, it is as long as a long */
        if (longs == 0)
            return snprintf(at, room, directive, va_arg(*args, int));
        if (longs == 1)
            return snprintf(at, room, directive, va_arg(*args, long));
        return snprintf(at, room, directive, va_arg(*args, long long));
    }
    // NOLINTEND(clang-diagnostic-format-nonliteral)
}

/* Directive by directive, as doubles may be among them that vsnprintf would print as "inf" or "-nan". */
int print_list(char *buffer, size_t size, const char *format, va_list args)
{
    size_t used = 0;
    int length = 0;
    va_list rest; /* as an argument it may be an array, of which there is no pointer to hand on */
    if (!prints_a_double(format))
        return vsnprintf(buffer, size, format, args);
    va_copy(rest, args);
    while (*format && length >= 0) {
        const size_t plain = strcspn(format, "%"), room = used < size ? size - used : 0;
        char *at = room ? buffer + used : NULL;
        if (plain) {
            length = print_text(at, room, format, plain);
            format += plain;
        } else {
            format++;
            length = print_directive(at, room, &format, &rest);
        }
        used += length > 0 ? (size_t)length : 0;
    }
    va_end(rest);
    if (length < 0)
        return length;
    if (buffer && size && !used)
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
