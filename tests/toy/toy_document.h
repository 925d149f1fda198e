/* What the toy's document is of. */
#ifndef TOY_DOCUMENT_H
#define TOY_DOCUMENT_H

#include <stddef.h>

typedef struct toy_shelf {
    const char *name;
    double n_books, room;
} toy_shelf;

typedef struct toy_library {
    const char *town;
    const toy_shelf *shelves;
    size_t n;
} toy_library;

#endif
