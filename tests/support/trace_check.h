/* tests/support/trace_check.h - what every trace promises, whatever it is of: processes and rows have names,
 * events of a row come in order and do not overlap, also once a viewer has made whole nanoseconds of them,
 * and arrows go from event to event.
 *
 * Ownership: the document is borrowed; what is returned is good until the next call.
 */
#ifndef ROOF_TESTS_TRACE_CHECK_H
#define ROOF_TESTS_TRACE_CHECK_H

#include "core/json/jsontree.h"

/* What is wrong with the first event that breaks a promise; NULL when all keep them. */
const char *trace_check(const cJSON *document);

#endif
