#include "core/files/csvin.h"

csvin csvin_from(const void *bytes, uint64_t size, csvin_cell *cells, uint32_t room)
{
    csvin in = {.rest = {bytes, (size_t)size}, .cells = cells, .room = room};
    span_skip(&in.rest, "\xef\xbb\xbf");
    return in;
}

roof_status csvin_next(csvin *in, bool *more, roof_error *err)
{
    char shown[64];
    in->n_cells = 0;
    *more = in->rest.length;
    if (!*more)
        return ROOF_OK;
    text_span line = span_take_line(&in->rest);
    in->line++;
    line.length -= line.length && line.text[line.length - 1] == '\r';
    size_t bad = utf8_first_bad(line.text, line.length), left = line.length - bad;
    if (left)
        return error_line(err, ROOF_E_DATA, in->line, "holds bytes that are no text: '%s'",
                          quote_text(shown, sizeof shown, line.text + bad, left < 8 ? left : 8));
    size_t n = span_trim(line).length ? span_split(line, ',', in->cells, in->room) : 0;
    if (n > in->room)
        return error_line(err, ROOF_E_LIMIT, in->line, "a row of more than %u cells", in->room);
    in->n_cells = (uint32_t)n;
    return ROOF_OK;
}

bool csvin_count(csvin_cell cell, uint64_t *out)
{
    return !span_begins(cell, "0x") && span_take_whole(&cell, out) && !cell.length;
}

bool csvin_is_number(csvin_cell cell)
{
    static const char *const words[] = {"nan", "-nan", "inf", "-inf"};
    double value;
    return SPAN_IS_ONE_OF(words, cell) ||
           (cell.length && number_parse(cell.text, cell.length, &value) == cell.length);
}
