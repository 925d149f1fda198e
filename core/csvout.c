#include "core/csvout.h"
#include "core/quantity.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

void roof_csv_text(roof_text *out, const char *text)
{
    static const char *const replacements[128] = {['"'] = "\"\""};
    bool formula = text && text[0] && strchr("=+-@", text[0]);
    bool quoted = formula || (text && strpbrk(text, ",\""));
    if (!text)
        return;
    roof_text_puts(out, formula ? "\"'" : quoted ? "\"" : "");
    roof_text_escaped(out, text, strlen(text), replacements);
    roof_text_puts(out, quoted ? "\"" : "");
}

void roof_csv_next_text(roof_text *out, const char *text)
{
    roof_text_puts(out, ",");
    roof_csv_text(out, text);
}

void roof_csv_next_count(roof_text *out, uint64_t value)
{
    if (value == ROOF_UNKNOWN)
        roof_text_puts(out, ",");
    else
        roof_text_printf(out, ",%" PRIu64, value);
}

void roof_csv_next_number(roof_text *out, double value)
{
    char number[40] = "";
    if (isfinite(value))
        roof_number_format_derived(number, sizeof number, value);
    roof_text_printf(out, ",%s", number);
}
