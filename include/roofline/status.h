/* roofline/status.h - how a call of libroofline says that it failed, and why.
 *
 * Units: none.
 * Shapes: none.
 * Ownership: roof_error is the caller's; the library writes into it and keeps no pointer to it.
 *
 * Every function that can fail returns a roof_status. ROOF_OK is 0. On failure, and only then, the caller's
 * roof_error is filled; the same structure may serve a chain of calls. err may be NULL wherever it is a
 * parameter. The library never prints, exits or aborts, and keeps no global state.
 */
#ifndef ROOFLINE_STATUS_H
#define ROOFLINE_STATUS_H

#include <stdint.h>

/* Around the declarations of each header: C++ is to look for the names of C. */
#ifdef __cplusplus
#define ROOF_BEGIN_C extern "C" {
#define ROOF_END_C   }
#else
#define ROOF_BEGIN_C
#define ROOF_END_C
#endif

ROOF_BEGIN_C

#if defined(_WIN32) || !defined(__GNUC__)
#define ROOF_API
#define ROOF_PRINTF(text, first)
#else
#define ROOF_API                 __attribute__((visibility("default")))
#define ROOF_PRINTF(text, first) __attribute__((format(printf, text, first)))
#endif

/* A count that is unknown. It is written as null, never as 0. Unknown doubles are NaN. */
#define ROOF_UNKNOWN UINT64_MAX

/* An index that points nowhere. */
#define ROOF_NONE UINT32_MAX

typedef enum roof_status {
#define STATUS(name, value, exit_code, text) ROOF_##name = (value),
#include "roofline/status.def"
#undef STATUS
} roof_status;

enum { ROOF_ERROR_WHERE_SIZE = 512, ROOF_ERROR_WHAT_SIZE = 768 };

typedef struct roof_error {
    roof_status status;
    char where[ROOF_ERROR_WHERE_SIZE]; /* file, then the place in it, outermost first: "net.xmodel: op
                                          'conv1'" */
    char what[ROOF_ERROR_WHAT_SIZE];   /* the message: found, and wanted */
    uint64_t byte_offset;              /* in the file, or ROOF_UNKNOWN */
    uint64_t line;                     /* in a text file, from 1, or ROOF_UNKNOWN */
} roof_error;

/* The sentence that belongs to a status, such as "bad data". Never NULL; static. */
ROOF_API const char *roof_status_text(roof_status status);

/* The process exit code that belongs to a status (design: sysexits numbers): 0, 64, 65, 66, 69, 70 or 74. */
ROOF_API int roof_status_exit_code(roof_status status);

/* Writes the whole message in one line, "net.xmodel: op 'conv1': 'kernel' has 1 value, want 2 (byte 0x1f40)".
 *
 * buffer: size bytes, always NUL-terminated when size > 0.
 * Result: the length that was wanted, as snprintf.
 * Example (tests/unit/test_error.c): where "net.xmodel", what "file is empty", offset 0 gives "net.xmodel:
 *   file is empty (byte 0x0)".
 */
ROOF_API int roof_error_format(const roof_error *err, char *buffer, unsigned long size);

ROOF_END_C
#endif
