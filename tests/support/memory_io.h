/* tests/support/memory_io.h - documents that come out of memory and go into it, for readers and writers that
 * take a source or a sink. */
#ifndef ROOF_TESTS_MEMORY_IO_H
#define ROOF_TESTS_MEMORY_IO_H

#include "core/text.h"
#include "roofline/measured.h"

#include <string.h>

typedef struct memory_source {
    const char *at;
    size_t left, piece; /* piece: bytes at a time; 0: as many as are wanted */
} memory_source;

/* A json_source; context is a memory_source. */
static inline roof_status memory_read(void *context, char *buffer, size_t size, size_t *got, roof_error *err)
{
    memory_source *m = context;
    (void)err;
    *got = m->left < size ? m->left : size;
    *got = m->piece && m->piece < *got ? m->piece : *got;
    if (*got)
        memcpy(buffer, m->at, *got);
    m->at += *got;
    m->left -= *got;
    return ROOF_OK;
}

/* The same in growing pieces: 1 byte, then 2, and so on, so that every token and line is cut somewhere. */
static inline roof_status memory_read_growing(void *context, char *buffer, size_t size, size_t *got,
                                              roof_error *err)
{
    memory_source *m = context;
    m->piece++;
    return memory_read(m, buffer, size, got, err);
}

/* Of a roof_sink; context is a textbuf. */
static inline roof_status memory_write(void *context, const char *bytes, size_t length, roof_error *err)
{
    (void)err;
    text_add(context, bytes, length);
    return ROOF_OK;
}

#endif
