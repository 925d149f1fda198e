/* tests/unit/folder.h - a folder of its own for a test that writes files; it must be left empty. make_folder
 * and remove_folder are the setup and teardown of a cmocka group.
 */
#ifndef ROOF_TESTS_FOLDER_H
#define ROOF_TESTS_FOLDER_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static char folder[64];

static inline int make_folder(void **state)
{
    (void)state;
    strcpy(folder, "/tmp/roofline-test-XXXXXX");
    return mkdtemp(folder) ? 0 : -1;
}

static inline int remove_folder(void **state)
{
    (void)state;
    return rmdir(folder);
}

/* Overwritten by the next call. */
static inline const char *in_folder(const char *name)
{
    static char path[128];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    return path;
}

#endif
