/* core/print.h - formatted text as of printf, and the one place where a number becomes text.
 *
 * No reader is served by "inf" or "-nan": a double that is no number is "unknown", whatever width and digits
 * the format asks for. The decimal point is '.', whatever the caller's locale. Callers that print a number
 * that may be unknown say so in their own words; "unknown" is the last resort.
 */
#pragma once

#include <stdarg.h>
#include <stddef.h>
#include "roofline/status.h"

/* As snprintf: cut to size, the length that was wanted. Conversions: c d e f g i o p s u x X %, and l ll z.
 */
int print_into(char *buffer, size_t size, const char *format, ...) ROOF_PRINTF(3, 4);
int print_list(char *buffer, size_t size, const char *format, va_list args) ROOF_PRINTF(3, 0);

/* The same of a text as it is, which need not end with NUL. */
int print_text(char *buffer, size_t size, const char *text, size_t length);
