/* replay_seeds.c - runs a fuzz target over files instead of under libFuzzer, so that every build replays the
 * corpus.
 *
 * usage: replay TARGET FILE|FOLDER...
 * The entry of fuzz_TARGET.c is called fuzz_TARGET here (tests/CMakeLists.txt).
 * Each input lies in a heap block of exactly its size: a sanitizer then sees a read of one byte too many.
 * Exit 0 when all inputs ran, 77 (skipped) when there was none, 1 when one could not be read.
 */
#include "tests/fuzz/fuzz_target.h"

#include <dirent.h>
#include <errno.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

typedef int fuzz_target(const uint8_t *data, size_t size);
#define TARGET(name) fuzz_target fuzz_##name;
#include "test_list.def"
#undef TARGET

static const struct {
    const char *name;
    fuzz_target *run;
} targets[] = {
#define TARGET(name) {#name, fuzz_##name},
#include "test_list.def"
#undef TARGET
};

static fuzz_target *target;
static unsigned long inputs, failures;

static void replay_file(const char *path, size_t size)
{
    FILE *file = fopen(path, "rb");
    uint8_t *data = malloc(size); /* malloc(0) may be NULL, and a target must bear that */
    if (!file || (size && !data) || fread(data, 1, size, file) != size) {
        fprintf(stderr, "%s: %s\n", path, strerror(errno));
        failures++;
    } else {
        fprintf(stderr, "%s\n", path); /* so that the last line before a crash names the input */
        target(data, size);
        inputs++;
    }
    free(data);
    if (file)
        fclose(file);
}

static void replay(const char *path);

static int is_visible(const struct dirent *entry)
{
    return entry->d_name[0] != '.';
}

static void replay_folder(const char *path)
{
    struct dirent **entries = NULL;
    int n = scandir(path, &entries, is_visible, alphasort);
    if (n < 0) {
        fprintf(stderr, "%s: %s\n", path, strerror(errno));
        failures++;
    }
    for (int i = 0; i < n; i++) {
        char child[4096];
        snprintf(child, sizeof child, "%s/%s", path, entries[i]->d_name);
        replay(child);
        free(entries[i]);
    }
    free(entries);
}

/* Recurses as deep as folders are nested in the corpus, which is in our hands. */
static void replay(const char *path)
{
    struct stat st;
    if (stat(path, &st) != 0)
        fprintf(stderr, "%s: %s\n", path, strerror(errno)); /* no corpus yet: ends as "skipped" */
    else if (S_ISDIR(st.st_mode))
        replay_folder(path);
    else
        replay_file(path, (size_t)st.st_size);
}

int main(int argc, char **argv)
{
    for (size_t i = 0; argc > 1 && i < sizeof targets / sizeof *targets; i++)
        if (strcmp(targets[i].name, argv[1]) == 0)
            target = targets[i].run;
    if (!target) {
        fprintf(stderr, "usage: replay TARGET FILE|FOLDER...\n");
        return 64;
    }
    for (int i = 2; i < argc; i++)
        replay(argv[i]);
    printf("%lu inputs replayed, %lu could not be read\n", inputs, failures);
    if (failures)
        return 1;
    return inputs ? 0 : 77;
}
