/* analyzer.h - what clang-tidy's analyzer has to know and cannot see; scripts/tidy.sh puts it before each file.
 *
 * roof_fail and its kin return the status they are given, never ROOF_OK. Their bodies are in another file, so without
 * this every "failed, out was not filled" looks like "succeeded, out was not filled".
 */
#ifndef ROOF_ANALYZER_H
#define ROOF_ANALYZER_H

#include "core/error.h"

#define roof_fail(err, status, ...) (roof_fail((err), (status), __VA_ARGS__), (status))
#define roof_fail_at(err, status, offset, ...)                                                               \
    (roof_fail_at((err), (status), (offset), __VA_ARGS__), (status))
#define roof_fail_line(err, status, line, ...)                                                               \
    (roof_fail_line((err), (status), (line), __VA_ARGS__), (status))
#define roof_fail_errno(err, status, what) (roof_fail_errno((err), (status), (what)), (status))
#define roof_fail_memory(err) (roof_fail_memory(err), ROOF_E_NO_MEMORY)

#endif
