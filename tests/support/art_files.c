#include "tests/support/art_files.h"
#include "tests/support/skips.h"

#include <dirent.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

const char *art_files_folder(void)
{
    static char path[1000];
    snprintf(path, sizeof path, "%s/data/neural_art", shared_folder());
    DIR *dir = opendir(path);
    if (!dir)
        skip_without(path);
    closedir(dir);
    return path;
}

unsigned art_files_visit(const char *folder, const char *begin, const char *end,
                         void (*visit)(const char *path))
{
    char path[2000];
    struct dirent *entry;
    unsigned n = 0;
    snprintf(path, sizeof path, "%s/%s", art_files_folder(), folder);
    DIR *dir = opendir(path);
    assert_non_null(dir);
    while ((entry = readdir(dir))) {
        if (strncmp(entry->d_name, begin, strlen(begin)) != 0 || !ends_with(entry->d_name, end))
            continue;
        snprintf(path, sizeof path, "%s/%s/%s", art_files_folder(), folder, entry->d_name);
        visit(path);
        n++;
    }
    closedir(dir);
    return n;
}

bool ends_with(const char *text, const char *end)
{
    size_t length = strlen(text), n = strlen(end);
    return length >= n && strcmp(text + length - n, end) == 0;
}
