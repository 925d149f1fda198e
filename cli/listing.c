#include "cli/cli.h"

void cli_put_item(textbuf *out, const char *label, const char *text, size_t column)
{
    size_t width = cli_width();
    if (*label)
        text_printf(out, "  %-*s", (int)column - 2, label);
    put_wrapped(out, text, width > column ? width - column : 1, column);
}
