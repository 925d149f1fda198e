#include "reports/embedded.h"

#include <string.h>

const char *roof_embedded_text(const char *name)
{
    for (const roof_embedded *e = roof_embedded_texts; e->name; e++)
        if (strcmp(e->name, name) == 0)
            return e->text;
    return "";
}
