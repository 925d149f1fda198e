/* core/error.h - filling a roof_error, and adding the place on the way up. */
#pragma once

#include "core/utf8.h" /* messages quote what was found */
#include "roofline/status.h"

/* Writes status and message, with the byte offset or the line in the file or without; where is reset. Returns
 * status, so that a failure is one statement. */
roof_status error_fill(roof_error *err, roof_status status, uint64_t byte_offset, uint64_t line,
                       const char *format, ...) ROOF_PRINTF(5, 6);
#define error_set(err, status, ...)                                                                          \
    error_is_one(error_fill((err), (status), ROOF_UNKNOWN, ROOF_UNKNOWN, __VA_ARGS__))
#define error_at(err, status, offset, ...)                                                                   \
    error_is_one(error_fill((err), (status), (offset), ROOF_UNKNOWN, __VA_ARGS__))
#define error_line(err, status, line, ...)                                                                   \
    error_is_one(error_fill((err), (status), ROOF_UNKNOWN, (line), __VA_ARGS__))

/* Tells an analyser of one file that a failure is no success: what callers rely on behind TRY. */
static inline roof_status error_is_one(roof_status status)
{
    if (status == ROOF_OK)
        __builtin_unreachable();
    return status;
}

/* What was read is not as it should be: the commonest failure of all. */
#define error_data(err, ...) error_set((err), ROOF_E_DATA, __VA_ARGS__)

/* Out of memory is so common that it has a name, and so has its question. */
#define error_memory(err)        error_set((err), ROOF_E_NO_MEMORY, "out of memory")
#define ALLOCATED(is_there, err) ((is_there) ? ROOF_OK : error_memory(err))

/* A step that fails if there are as many as there may be, and another one comes: "more than 8 phases". */
#define HAS_ROOM(n, most, err, what)                                                                         \
    ((n) < (most) ? ROOF_OK : error_set((err), ROOF_E_LIMIT, "more than %d %s", (int)(most), (what)))

/* A call of the system failed, and errno says why: "cannot open: Permission denied", or out of memory. */
roof_status error_fill_errno(roof_error *err, roof_status status, const char *what);
#define error_errno(err, status, what) error_is_one(error_fill_errno((err), (status), (what)))

/* The status of a step; if it fails, its place comes before what err->where already says: "op 'a'" becomes
 * "net.xmodel: op 'a'". Running out of memory has no place. return error_placed(read(i), err, "op %u", i); */
roof_status error_placed(roof_status status, roof_error *err, const char *format, ...) ROOF_PRINTF(3, 4);
#define error_prefix(err, ...) ((void)error_placed(ROOF_E_DATA, (err), __VA_ARGS__))
#define error_in(err, place, status, ...)                                                                    \
    ((void)error_set((err), (status), __VA_ARGS__), error_prefix((err), "%s", (place)), error_is_one(status))

#define TRY(call)                                                                                            \
    do {                                                                                                     \
        roof_status try_status_ = (call);                                                                    \
        if (try_status_ != ROOF_OK)                                                                          \
            return try_status_;                                                                              \
    } while (0)

/* The next step, if those before it went well; for a function that frees something at its end. */
#define THEN(status, call)                                                                                   \
    do {                                                                                                     \
        if ((status) == ROOF_OK)                                                                             \
            (status) = (call);                                                                               \
    } while (0)

/* The last step of a function that makes a value: *out gets it if all went well, else end frees it. */
#define GIVE(status, out, value, end)                                                                        \
    ((status) == ROOF_OK ? (void)(*(out) = (value)) : (end)(value), (status))
