/* one_program.c - the main of a program that consists of many tests: it runs the one that its argument names.
 *
 * The main of test_x.c is called main_test_x here (tests/CMakeLists.txt).
 */
#include <stdio.h>
#include <string.h>

#define TEST(name) int main_##name(void);
#include "test_list.def"
#undef TEST

static const struct {
    const char *name;
    int (*run)(void);
} tests[] = {
#define TEST(name) {#name, main_##name},
#include "test_list.def"
#undef TEST
};

int main(int argc, char **argv)
{
    for (size_t i = 0; argc == 2 && i < sizeof tests / sizeof *tests; i++)
        if (strcmp(tests[i].name, argv[1]) == 0)
            return tests[i].run();
    fprintf(stderr, "want the name of one of these tests:\n");
    for (size_t i = 0; i < sizeof tests / sizeof *tests; i++)
        fprintf(stderr, "  %s\n", tests[i].name);
    return 64;
}
