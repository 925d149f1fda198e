#include "measure/import/fields.h"

#include <strings.h>

/* Doubles hold every whole number up to here. */
#define LARGEST_WHOLE 9007199254740992.0

static roof_status fail(text_span s, const char *what, const char *problem, roof_error *err)
{
    if (!s.length)
        return error_data(err, "%.80s is empty, want a number", what);
    return error_data(err, "%.80s is '%s', %s", what, SHOWN(s), problem);
}

roof_status span_number(text_span s, const char *what, double *out, roof_error *err)
{
    double value = 0;
    if (!s.length || number_parse(s.text, s.length, &value) != s.length)
        return fail(s, what, "want a number", err);
    if (isinf(value))
        return fail(s, what, "which is beyond the largest number", err);
    if (value < 0)
        return fail(s, what, "want 0 or more", err);
    *out = value + 0.0; /* "-0" is 0 */
    return ROOF_OK;
}

roof_status span_count(text_span s, const char *what, uint64_t *out, roof_error *err)
{
    double value = 0;
    TRY(span_number(s, what, &value, err));
    if (value > LARGEST_WHOLE || value != floor(value))
        return fail(s, what, "want a whole number", err);
    *out = (uint64_t)value;
    return ROOF_OK;
}

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

roof_status span_id(text_span s, const char *what, uint64_t *out, roof_error *err)
{
    uint64_t value = 0;
    bool good = s.length > 0;
    for (size_t i = 0; good && i < s.length; i++)
        good = is_digit(s.text[i]) && !__builtin_mul_overflow(value, (uint64_t)10, &value) &&
               !__builtin_add_overflow(value, (uint64_t)(s.text[i] - '0'), &value);
    if (!good)
        return fail(s, what, "want a whole number", err);
    *out = value;
    return ROOF_OK;
}

bool span_plain_number(text_span s, char decimal, char buffer[PLAIN_NUMBER_SIZE], text_span *out)
{
    const char thousands = decimal == '.' ? ',' : '.';
    text_span rest = s;
    const size_t whole = span_until(&rest, (const char[]){decimal, '\0'}).length;
    const bool is_apart = whole && memchr(s.text, thousands, whole);
    size_t n = 0;
    if (!whole || s.length >= PLAIN_NUMBER_SIZE)
        return false;
    for (size_t i = 0; i < s.length; i++) {
        const char c = s.text[i];
        const bool parts = c == thousands;
        if (parts != (is_apart && i < whole && (whole - i) % 4 == 0) || (parts && !i))
            return false;
        if (i < whole && !parts && !is_digit(c))
            return false;
        if (!parts)
            buffer[n++] = c == decimal ? '.' : c;
    }
    *out = (text_span){buffer, n};
    return true;
}

uint64_t count_from(double value)
{
    return value >= 0.5 && value <= LARGEST_WHOLE ? (uint64_t)llround(value) : ROOF_UNKNOWN;
}

/* Words of units of a kind. Microwatts are written as uW, with a letter of Greek, or that of micro. */
static const struct unit_word {
    const char *word;
    double scale;
} sizes[] = {{"B", 1},         {"byte", 1},     {"bytes", 1}, {"Byte", 1}, {"Bytes", 1},
             {"kB", 1e3},      {"KB", 1e3},     {"MB", 1e6},  {"GB", 1e9}, {"KiB", 1024},
             {"MiB", 1048576}, {"GiB", 0x1p30}, {NULL, 0}},
  clocks[] = {{"Hz", 1}, {"kHz", 1e3}, {"KHz", 1e3}, {"MHz", 1e6}, {"GHz", 1e9}, {NULL, 0}},
  times[] = {{"ns", 1e-9},        {"nsec", 1e-9}, {"us", 1e-6},   {"usec", 1e-6},
             {"\xc2\xb5s", 1e-6}, {"ms", 1e-3},   {"msec", 1e-3}, {"s", 1},
             {"sec", 1},          {"seconds", 1}, {NULL, 0}},
  powers[] = {{"W", 1},     {"mW", 1e-3}, {"uW", 1e-6}, {"\xc2\xb5W", 1e-6}, {"\xce\xbcW", 1e-6},
              {"watts", 1}, {"watt", 1},  {NULL, 0}},
  currents[] = {{"A", 1}, {"mA", 1e-3}, {"uA", 1e-6}, {NULL, 0}},
  voltages[] = {{"V", 1}, {"mV", 1e-3}, {"uV", 1e-6}, {NULL, 0}},
  *const units[] = {[UNIT_SIZE] = sizes,   [UNIT_CLOCK] = clocks,     [UNIT_TIME] = times,
                    [UNIT_POWER] = powers, [UNIT_CURRENT] = currents, [UNIT_VOLTAGE] = voltages};

unit_kind span_unit(text_span word, bool any_case, double *scale)
{
    for (unit_kind of = UNIT_SIZE; of < N_OF(units); of++)
        for (const struct unit_word *u = units[of]; u->word; u++)
            if (any_case ? strlen(u->word) == word.length && strncasecmp(u->word, word.text, word.length) == 0
                         : span_is(word, u->word)) {
                *scale = u->scale;
                return of;
            }
    return UNIT_NONE;
}

double span_to_base(double value, double scale)
{
    if (scale > 0 && scale < 1)
        return value / round(1 / scale);
    return scale > 0 ? value * scale : value;
}

/* --- patterns ---------------------------------------------------------------------------------------- */

text_span span_from(text_span s, size_t n)
{
    return (text_span){s.text + n, s.length - n};
}

text_span span_to(text_span first, text_span last)
{
    return (text_span){first.text, (size_t)(last.text + last.length - first.text)};
}

/* Digits, and where it may be one, a point with digits and an exponent: C++ prints 4.62513e+06. */
static bool take_number(text_span *s, bool whole, double *out)
{
    enum { MOST_DIGITS = 300 };
    size_t n = 0;
    double value = 0;
    while (n < s->length && (is_digit(s->text[n]) || (!whole && s->text[n] == '.')))
        n++;
    bool has_sign = n + 1 < s->length && (s->text[n + 1] == '+' || s->text[n + 1] == '-');
    size_t digit = n + 1 + has_sign;
    if (!whole && n && digit < s->length && s->text[n] == 'e' && is_digit(s->text[digit]))
        for (n = digit; n < s->length && is_digit(s->text[n]);)
            n++;
    if (!n || n > MOST_DIGITS || number_parse(s->text, n, &value) != n)
        return false;
    if (!isfinite(value) || (whole && value > LARGEST_WHOLE))
        return false;
    *out = value;
    *s = span_from(*s, n);
    return true;
}

text_span span_strip(text_span s, const char *characters)
{
    while (s.length && strchr(characters, *s.text))
        s = span_from(s, 1);
    while (s.length && strchr(characters, s.text[s.length - 1]))
        s.length--;
    return s;
}

bool span_drop(text_span *text, const char *ending)
{
    size_t n = strlen(ending);
    bool found = text->length > n && memcmp(text->text + text->length - n, ending, n) == 0;
    text->length -= found ? n : 0;
    return found;
}

text_span span_until(text_span *text, const char *stops)
{
    text_span before = *text;
    size_t n = 0;
    while (n < text->length && !strchr(stops, text->text[n]))
        n++;
    before.length = n;
    *text = span_from(*text, n);
    return before;
}

text_span span_word_behind(text_span text, const char *key)
{
    if (!span_skip_past(&text, key))
        return span_of("");
    text = span_trim(text);
    return span_until(&text, " \t,");
}

bool span_cut(text_span *text, const char *pattern, double *numbers, text_span *words)
{
    text_span s = *text;
    for (const char *p = pattern; *p; p++) {
        if (*p == '#' || *p == '~') {
            if (!take_number(&s, *p == '#', numbers++))
                return false;
        } else if (*p == '*') {
            text_span word = span_until(&s, (const char[]){p[1], '\0'});
            if (words)
                *words++ = word;
        } else if (*p == ' ') {
            while (s.length && (*s.text == ' ' || *s.text == '\t'))
                s = span_from(s, 1);
        } else if (s.length && *s.text == *p) {
            s = span_from(s, 1);
        } else {
            return false;
        }
    }
    *text = s;
    return true;
}

bool span_scan(text_span *text, const char *pattern, double *out)
{
    return span_cut(text, pattern, out, NULL);
}

bool span_scan_behind(text_span text, const char *label, const char *pattern, double *out)
{
    return span_skip_past(&text, label) && span_scan(&text, pattern, out);
}

roof_status line_take(const line_field *fields, size_t n, text_span line, struct reading *r, roof_error *err)
{
    FOR_EACH(const line_field, f, fields, n) {
        line_found found;
        text_span rest = line;
        if ((f->behind && !span_skip_past(&rest, f->behind)) ||
            !span_cut(&rest, f->pattern, found.n, found.words))
            continue;
        if (f->take)
            return f->take(r, &found, err);
        double *to = (double *)((char *)r + f->target);
        const double *number = found.n;
        for (const char *at = strpbrk(f->pattern, "#~"); at; at = strpbrk(at + 1, "#~"), to++)
            *to = span_to_base(*number++, f->unit) + (f->is_sum ? *to : 0);
        return ROOF_OK;
    }
    return ROOF_OK;
}
