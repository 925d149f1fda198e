/* core/error.h - filling a roof_error, and adding the place on the way up. */
#ifndef ROOF_CORE_ERROR_H
#define ROOF_CORE_ERROR_H

#include "core/utf8.h" /* messages quote what was found */
#include "roofline/status.h"

/* Writes status and message; where and offset are reset. Returns status, so that a failure is one statement.
 */
roof_status error_set(roof_error *err, roof_status status, const char *format, ...) ROOF_PRINTF(3, 4);

/* The same with a byte offset in the file. */
roof_status error_at(roof_error *err, roof_status status, uint64_t byte_offset, const char *format, ...)
    ROOF_PRINTF(4, 5);

/* The same with a line of a text file. */
roof_status error_line(roof_error *err, roof_status status, uint64_t line, const char *format, ...)
    ROOF_PRINTF(4, 5);

/* Out of memory is so common that it has a name. */
roof_status error_memory(roof_error *err);

/* A call of the system failed, and errno says why: "cannot open: Permission denied", or that memory ran out. */
roof_status error_errno(roof_error *err, roof_status status, const char *what);

/* Puts a place before what err->where already says: "net.xmodel" + "op 'a'" = "net.xmodel: op 'a'". */
void error_prefix(roof_error *err, const char *format, ...) ROOF_PRINTF(2, 3);

#define TRY(call)                                                                                            \
    do {                                                                                                     \
        roof_status try_status_ = (call);                                                                    \
        if (try_status_ != ROOF_OK)                                                                          \
            return try_status_;                                                                              \
    } while (0)

#endif
