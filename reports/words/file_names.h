/* reports/words/file_names.h - names of files made from names of models, which may hold anything.
 *
 * Units: bytes. Ownership: names are of the arena.
 */
#pragma once

#include "core/core.h"

/* Behind the stem of the same chart for small screens. */
#define STEM_NARROW "-narrow"

typedef struct file_names {
    roof_arena *arena;
    const char **taken;
    size_t n;
} file_names;

enum { STEM_SIZE = 81 };

/* "roofline" and "ResNet-50" make "roofline-resnet-50": a-z, 0-9, '.', '_' and '-', no '.' or '-' at its
 * ends, at most 80 characters. Where that, or that with STEM_NARROW behind it, is taken, it ends in a number.
 * name: NULL or "" for none. NULL without memory. */
const char *file_names_make(file_names *names, const char *what, const char *name);
