/* core/json/jsonscan.h - where JSON values end, in one pass over bytes in memory; nothing is copied or
 * converted.
 *
 * For documents of hundreds of megabytes of which little is asked: core/json/jsonpull.h makes an event of
 * every value, and reads 160 to 270 MB/s of trace events, before anybody looks at them; this is three to four
 * times as fast.
 *
 * Ownership: spans point into the bytes. A byte behind the end must be readable and NUL, which is where loops
 *   stop.
 *
 * The grammar is RFC 8259's, strictly, but for what only whoever unescapes a string finds (half a surrogate
 * pair, \u0000).
 */
#pragma once

#include "core/core.h"

typedef enum scan_result {
    SCAN_DONE,
    SCAN_MORE, /* the bytes end before the value does */
    SCAN_BAD   /* at stands where it goes wrong, want says what was wanted there */
} scan_result;

typedef struct json_scan {
    const char *at, *end;
    bool is_all; /* no more bytes will come, so that a number may end at the end */
    const char *want;
} json_scan;

/* Past blanks. */
void jsonscan_space(json_scan *s);

/* A string from its opening quote to behind its closing one; inside: what stands between them, escapes as
 * they are. */
scan_result jsonscan_string(json_scan *s, text_span *inside);

/* Past blanks and the byte, which want names. */
scan_result jsonscan_byte(json_scan *s, char byte, const char *want);

/* A value that may come in pieces: after SCAN_MORE, at is where to go on with more bytes. Begins as {0}. */
typedef struct json_walk {
    uint64_t objects; /* a bit for each open level, the last one lowest */
    unsigned depth;
    int state;
} json_walk;
scan_result jsonscan_walk(json_scan *s, json_walk *walk);

/* A member of an object, and past the comma behind it; value: the inside of a string, else all of it. At
 * first s stands behind the opening brace. SCAN_DONE with a name whose text is NULL: past the closing
 * brace. */
scan_result jsonscan_member(json_scan *s, bool is_first, text_span *name, text_span *value);
