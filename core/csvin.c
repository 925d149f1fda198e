#include "core/csvin.h"
#include "core/error.h"
#include "core/quantity.h"

#include <string.h>

csvin csvin_from(const void *bytes, uint64_t size, csvin_cell *cells, uint32_t room)
{
    const char *text = bytes;
    csvin in = {.at = text, .end = text + size, .cells = cells, .room = room};
    if (size >= 3 && memcmp(text, "\xef\xbb\xbf", 3) == 0)
        in.at += 3;
    return in;
}

static csvin_cell trimmed(const char *at, const char *end)
{
    while (at < end && *at == ' ')
        at++;
    while (end > at && end[-1] == ' ')
        end--;
    return (csvin_cell){at, (size_t)(end - at)};
}

static roof_status split(csvin *in, const char *at, const char *end, roof_error *err)
{
    if (!trimmed(at, end).length)
        return ROOF_OK;
    for (bool last = false; !last;) {
        const char *comma = memchr(at, ',', (size_t)(end - at));
        last = !comma;
        if (in->n_cells == in->room)
            return error_line(err, ROOF_E_LIMIT, in->line, "a row of more than %u cells", in->room);
        in->cells[in->n_cells++] = trimmed(at, last ? end : comma);
        at = last ? end : comma + 1;
    }
    return ROOF_OK;
}

roof_status csvin_next(csvin *in, bool *more, roof_error *err)
{
    char shown[64];
    in->n_cells = 0;
    *more = in->at < in->end;
    if (!*more)
        return ROOF_OK;
    const char *at = in->at, *end = memchr(at, '\n', (size_t)(in->end - at));
    in->line++;
    in->at = end ? end + 1 : in->end;
    if (!end)
        end = in->end;
    if (end > at && end[-1] == '\r')
        end--;
    size_t length = (size_t)(end - at), bad = text_first_bad(at, length);
    if (bad != length)
        return error_line(err, ROOF_E_DATA, in->line, "holds bytes that are no text: '%s'",
                          quote_text(shown, sizeof shown, at + bad, length - bad < 8 ? length - bad : 8));
    return split(in, at, end, err);
}

bool csvin_is(csvin_cell cell, const char *text)
{
    return cell.length == strlen(text) && memcmp(cell.text, text, cell.length) == 0;
}

bool csvin_count(csvin_cell cell, uint64_t *out)
{
    uint64_t value = 0;
    for (size_t i = 0; i < cell.length; i++) {
        unsigned digit = (unsigned char)cell.text[i] - '0';
        if (digit > 9 || value > ((uint64_t)INT64_MAX - digit) / 10)
            return false;
        value = 10 * value + digit;
    }
    *out = value;
    return cell.length > 0;
}

bool csvin_is_number(csvin_cell cell)
{
    static const char *const words[] = {"nan", "-nan", "inf", "-inf"};
    double value;
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (csvin_is(cell, words[i]))
            return true;
    return cell.length && number_parse(cell.text, cell.length, &value) == cell.length;
}
