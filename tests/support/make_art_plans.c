/* make_art_plans - writes plans of public networks (tests/support/art_networks.h) as NAME_c_info.json into a
 * folder that exists. Exit 0, 1 (cannot write) or 2 (usage). */
#include "tests/support/art_networks.h"

#include <stdio.h>
#include <stdlib.h>

static bool write_plan(const char *folder, size_t index, an_plan *plan)
{
    char path[4096];
    textbuf text;
    an_build(index, plan);
    text_init(&text, TEXT_MAX_BYTES);
    ci_write(&plan->network, CI_3_0, &text);
    int n = snprintf(path, sizeof path, "%s/%s_c_info.json", folder, an_name(index));
    FILE *file = !text.failed && n > 0 && (size_t)n < sizeof path ? fopen(path, "wb") : NULL;
    bool written = file && fputs(text.bytes, file) >= 0;
    if (file && fclose(file) != 0)
        written = false;
    if (!written)
        fprintf(stderr, "make_art_plans: cannot write '%s'\n", path);
    text_free(&text);
    return written;
}

int main(int argc, char **argv)
{
    if (argc != 2) {
        fputs("usage: make_art_plans FOLDER\n", stderr);
        return 2;
    }
    an_plan *plan = malloc(sizeof *plan);
    bool written = plan != NULL;
    for (size_t i = 0; written && an_name(i); i++)
        written = write_plan(argv[1], i, plan);
    free(plan);
    return written ? 0 : 1;
}
