#include "reports/embedded.h"

#include <string.h>

const char *embedded_text(const char *name)
{
    for (const embedded_file *e = embedded_texts; e->name; e++)
        if (strcmp(e->name, name) == 0)
            return e->text;
    return "";
}
