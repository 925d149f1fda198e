#include "core/csvout.h"
#include "core/quantity.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

void roof_csv_text(roof_text *out, const char *text)
{
    bool formula = text && text[0] && strchr("=+-@\t\r", text[0]);
    if (!text)
        return;
    if (!formula && !strpbrk(text, ",\"\r\n")) {
        roof_text_puts(out, text);
        return;
    }
    roof_text_puts(out, formula ? "\"'" : "\"");
    for (const char *p = text; *p; p++) {
        if (*p == '"')
            roof_text_puts(out, "\"");
        roof_text_add(out, p, 1);
    }
    roof_text_puts(out, "\"");
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
