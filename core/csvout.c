#include "core/csvout.h"
#include "core/quantity.h"

#include <math.h>
#include <string.h>

void csv_text(textbuf *out, const char *text)
{
    static const char *const replacements[128] = {['"'] = "\"\""};
    bool formula = text && text[0] && strchr("=+-@", text[0]);
    bool quoted = formula || (text && strpbrk(text, ",\""));
    if (!text)
        return;
    text_puts(out, formula ? "\"'" : quoted ? "\"" : "");
    text_escaped(out, text, strlen(text), replacements);
    text_puts(out, quoted ? "\"" : "");
}

void csv_number(textbuf *out, double value)
{
    char number[40] = "";
    if (isfinite(value))
        number_format_derived(number, sizeof number, value);
    text_puts(out, number);
}
