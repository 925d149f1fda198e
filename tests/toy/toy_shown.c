/* Prints the toy's document in each format that a document has: toy_shown */
#include "roofline/render.h"
#include "tests/toy/toy_document.h"

#include <stdio.h>
#include <stdlib.h>

int main(void)
{
    static const toy_shelf shelves[] = {{"poems", 30, 40}, {"maps", 9, 12}};
    static const toy_library town = {"Ely", shelves, 2};
    static const char *const formats[] = {"text", "markdown", "csv", "json"};
    for (size_t i = 0; i < sizeof formats / sizeof *formats; i++) {
        char *text;
        size_t length;
        roof_error err;
        const roof_render_options options = {.format = formats[i]};
        if (roof_render_text(ROOF_DOCUMENT_TOY, &town, &options, &text, &length, &err) != ROOF_OK)
            return 1;
        printf("== %s\n%s", formats[i], text);
        free(text);
    }
    return 0;
}
