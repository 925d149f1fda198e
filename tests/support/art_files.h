/* tests/support/art_files.h - what tools of the Neural-ART wrote for others, in ../shared/data/neural_art: it
 * may not be distributed. For programs with cmocka.
 */
#ifndef ROOF_TESTS_SUPPORT_ART_FILES_H
#define ROOF_TESTS_SUPPORT_ART_FILES_H

#include <stdbool.h>

/* The path of ../shared/data/neural_art. Where it is not there, the test that runs is skipped, visibly. */
const char *art_files_folder(void);

/* Calls visit with the path of every file of a folder in it whose name has the beginning and the end. Returns
 * how many there were. */
unsigned art_files_visit(const char *folder, const char *begin, const char *end,
                         void (*visit)(const char *path));

bool ends_with(const char *text, const char *end);

#endif
