/* tests/unit/busy_fixture.h - profiles whose rows count the cycles in which units worked, reconciled without
 * a model. The clock is 1 MHz, so that a cycle is a microsecond.
 *
 * Rows are written as "a CONV 1000 conv=300 load=900; b CPU =500; c ADD ?": a name, a type, cycles or '=' and
 * microseconds or '?' for neither, then busy cycles of units, or, with a '%', shares of their peaks.
 */
#ifndef ROOF_TESTS_BUSY_FIXTURE_H
#define ROOF_TESTS_BUSY_FIXTURE_H

#include "tests/unit/profile_fixture.h"

static inline void bf_put_row(textbuf *out, const char *row, size_t length)
{
    char copy[1024], *save = NULL;
    unsigned n_events = 0;
    snprintf(copy, sizeof copy, "%.*s", (int)length, row);
    const char *name = strtok_r(copy, " ", &save), *type = strtok_r(NULL, " ", &save),
               *time = strtok_r(NULL, " ", &save);
    assert_true(name && type && time);
    text_printf(out, "{\"name\":\"%s\",\"type\":\"%s\"", name, type);
    if (*time == '=')
        text_printf(out, ",\"mean_s\":%.9f", strtod(time + 1, NULL) * 1e-6);
    else if (*time != '?')
        text_printf(out, ",\"cycles\":{\"ipu\":%s}", time);
    text_puts(out, ",\"events\":{");
    for (char *unit; (unit = strtok_r(NULL, " ", &save));) {
        char *count = strchr(unit, '=');
        assert_non_null(count);
        *count = '\0';
        if (strchr(count + 1, '%'))
            text_printf(out, "%s\"unit.%s.busy_ppm\":%.0f", n_events++ ? "," : "", unit,
                        1e4 * strtod(count + 1, NULL));
        else
            text_printf(out, "%s\"unit.%s.active_cycles\":%s", n_events++ ? "," : "", unit, count + 1);
    }
    text_puts(out, "}}");
}

static inline pf_result bf_reconcile(const char *rows)
{
    textbuf text;
    text_init(&text, TEXT_MAX_BYTES);
    text_puts(&text, "{\"schema\":\"roofline.measured/1\",\"experiments\":[{\"model\":{\"name\":\"net\"},"
                     "\"runs\":[{\"mode\":\"per_layer\",\"clocks_hz\":{\"ipu\":1000000},\"layers\":[");
    for (const char *row = rows; *row;) {
        size_t length = strcspn(row, ";");
        text_puts(&text, row > rows ? "," : "");
        bf_put_row(&text, row, length);
        row += length + (row[length] == ';');
    }
    text_puts(&text, "]}]}]}");
    pf_result p = pf_reconcile_document(text.bytes, NULL);
    text_free(&text);
    return p;
}

#endif
