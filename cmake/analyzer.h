/* analyzer.h - what clang-tidy's analyzer has to know and cannot see; scripts/tidy.sh puts it before each
 * file.
 *
 * error_set and its kin return the status they are given, never ROOF_OK. Their bodies are in another file, so
 * without this every "failed, out was not filled" looks like "succeeded, out was not filled".
 */
#ifndef ROOF_ANALYZER_H
#define ROOF_ANALYZER_H

#include "core/error.h"

#define error_set(err, status, ...)        (error_set((err), (status), __VA_ARGS__), (status))
#define error_at(err, status, offset, ...) (error_at((err), (status), (offset), __VA_ARGS__), (status))
#define error_line(err, status, line, ...) (error_line((err), (status), (line), __VA_ARGS__), (status))
#define error_errno(err, status, what)     (error_errno((err), (status), (what)), (status))
#define error_memory(err)                  (error_memory(err), ROOF_E_NO_MEMORY)

#endif
