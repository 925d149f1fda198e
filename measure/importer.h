/* measure/importer.h - what an importer is: one tool's file becomes runs of a measured document. Importers know no other
 * importer.
 *
 * An importer is found by the content of a file, never by its name. It reads line by line or value by value, so that
 * memory follows the number of different rows and not the length of the file.
 */
#ifndef ROOF_MEASURE_IMPORTER_H
#define ROOF_MEASURE_IMPORTER_H

#include "measure/profile.h"
#include "roofline/import.h"

/* Bytes of a file that a sniffer sees at most. */
enum { ROOF_SNIFF_BYTES = 4096 };

/* Fills buffer with at most size bytes; *got 0 is the end. */
typedef roof_status (*roof_import_read)(void *context, char *buffer, size_t size, size_t *got,
                                        roof_error *err);

typedef struct roof_import {
    roof_import_read read;
    void *context;
    const char *path;                   /* for remarks; sniffers never see it */
    const roof_import_options *options; /* never NULL */
    roof_measured *out;                 /* has one source, whose tool and notes the importer fills */
} roof_import;

typedef struct roof_importer {
    const char *id, *doc;
    /* How sure it is that the file is its own: 0 not at all; the highest one wins. text is NUL-terminated. */
    unsigned (*sniff)(const char *text, size_t size);
    roof_status (*import)(roof_import *in, roof_error *err);
} roof_importer;

#endif
