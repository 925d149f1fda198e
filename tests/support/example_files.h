/* tests/support/example_files.h - what programs that write the files of an example share: their main, and
 * noise that is the same everywhere. */
#ifndef ROOF_TESTS_EXAMPLE_FILES_H
#define ROOF_TESTS_EXAMPLE_FILES_H

#include "tests/support/text_save.h"

#include <stdint.h>
#include <stdio.h>

typedef struct example_file {
    const char *name;
    void (*put)(textbuf *out);
} example_file;

/* A whole number of [0, range), drawn from seed (Knuth's MMIX). */
static inline uint32_t example_noise(uint64_t *seed, uint32_t range)
{
    *seed = *seed * 6364136223846793005u + 1442695040888963407u;
    return (uint32_t)(*seed >> 33) % range;
}

static inline bool example_write(const char *program, const char *folder, const example_file *file)
{
    char path[4096];
    textbuf text;
    text_init(&text, TEXT_MAX_BYTES);
    file->put(&text);
    int n = snprintf(path, sizeof path, "%s/%s", folder, file->name);
    bool written = n > 0 && (size_t)n < sizeof path && text_save(&text, path, NULL) == ROOF_OK;
    if (!written)
        fprintf(stderr, "%s: cannot write '%s'\n", program, path);
    text_free(&text);
    return written;
}

/* Writes the files into the folder that the only argument names and that exists. Returns the exit status: 0,
 * 1 (cannot write) or 2 (usage). */
static inline int example_main(const char *program, const example_file *files, size_t n, int argc,
                               char **argv)
{
    bool written = argc == 2;
    for (size_t i = 0; written && i < n; i++)
        written = example_write(program, argv[1], &files[i]);
    if (argc != 2)
        fprintf(stderr, "usage: %s FOLDER\n", program);
    return argc != 2 ? 2 : written ? 0 : 1;
}

#endif
