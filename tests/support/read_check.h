/* tests/support/read_check.h - what holds for all that readers of untrusted files hand out: texts, pieces of
 * arrays, refusals. A promise that is broken aborts.
 */
#ifndef ROOF_TESTS_SUPPORT_READ_CHECK_H
#define ROOF_TESTS_SUPPORT_READ_CHECK_H

#include <stdint.h>
#include "roofline/status.h"

/* UTF-8 without control characters. */
void check_text(const char *text);

/* The same, and not empty. */
void check_name(const char *text);

/* first and n name a piece of an array of room entries. */
void check_slice(uint32_t first, uint32_t n, uint32_t room);

/* The data is at fault, and the message says so in one line. */
void check_refusal(roof_status status, const roof_error *err);

#endif
