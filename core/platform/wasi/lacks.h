/* core/platform/wasi/lacks.h - what wasi-libc lacks. Every file of the WebAssembly build begins with it
 * (cmake/Compile.cmake).
 */
#pragma once

#include <stddef.h>
#include <stdio.h>

/* A stream that can be replaced, as glibc's stderr can. */
#undef stderr
#define stderr wasi_messages
extern FILE *wasi_messages;

/* Whoever runs it owns all files. */
#define geteuid() 0

/* Stable, as glibc's is. */
#define qsort_r wasi_sort
void qsort_r(void *items, size_t n, size_t size, int (*compare)(const void *, const void *, void *),
             void *context);
