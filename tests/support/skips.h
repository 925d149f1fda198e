/* skips.h - tests that cannot run here.
 *
 * A test says what it lacks and is skipped; a program all of whose tests are skipped leaves with 77, which
 * ctest shows as skipped. That holds for every program with cmocka: the linker puts skips.c around cmocka's
 * runner of groups (tests/CMakeLists.txt). The line "SKIPPED: needs WHAT" is what scripts/skipped.sh
 * collects, so two tests that lack the same thing say it in the same words. */
#ifndef ROOF_TESTS_SKIPS_H
#define ROOF_TESTS_SKIPS_H

/* In a test: skips it. In main, before the group: leaves the program with 77. */
_Noreturn void skip_without(const char *what);

/* The optional folder ../shared; without it as above. */
const char *shared_folder(void);

#endif
