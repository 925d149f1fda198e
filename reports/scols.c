#include "reports/scols.h"

#include <langinfo.h>
#include <locale.h>
#include <string.h>

bool roof_scols_print(struct libscols_table *table, char **out)
{
    locale_t utf8 = (locale_t)0, before = (locale_t)0;
    scols_table_set_termforce(table, SCOLS_TERMFORCE_NEVER);
    if (strcmp(nl_langinfo(CODESET), "UTF-8") != 0) {
        utf8 = newlocale(LC_CTYPE_MASK, "C.UTF-8", (locale_t)0);
        scols_table_enable_ascii(table, 1);
        if (utf8)
            before = uselocale(utf8);
        else
            scols_table_enable_noencoding(table, 0); /* no such locale: escapes are ugly, but they end */
    }
    bool good = scols_print_table_to_string(table, out) == 0;
    if (utf8) {
        uselocale(before);
        freelocale(utf8);
    }
    return good && *out; /* without memory it may say 0 and give nothing */
}
