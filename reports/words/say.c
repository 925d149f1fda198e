#include "reports/words/say.h"

sentence say_into(char *buffer)
{
    *buffer = '\0';
    return (sentence){.text = buffer, .room = ROOF_SENTENCE_SIZE};
}

void say_format(sentence *s, const char *format, ...)
{
    const size_t room = s->text ? s->room - s->length : 0;
    va_list args;
    va_start(args, format);
    int n = print_list(s->text ? s->text + s->length : NULL, room, format, args);
    va_end(args);
    if (n > 0)
        s->length += !s->text || (size_t)n < room ? (size_t)n : room - 1;
}

/* --- operands ----------------------------------------------------------------------------------------- */

/* Times by their names in documents. */
static const char *member_words(const char *name)
{
    static const char *const words[][2] = {{"ideal_s", "the ideal"},
                                           {"bypass_s", "the latency"},
                                           {"per_layer_s", "the per-layer time"},
                                           {"sum_of_layers_s", "the sum of layers"},
                                           {"stated_sum_of_layers_s", "the stated sum of layers"},
                                           {"listed_s", "the sum of the rows"}};
    for (size_t i = 0; i < N_OF(words); i++)
        if (strcmp(words[i][0], name) == 0)
            return words[i][1];
    return name;
}

static void add_plain(sentence *s, const roof_operand *o)
{
    char text[40];
    if (o->text || !o->unit)
        say_format(s, "%s", o->unit ? member_words(o->text) : text_or_empty(o->text));
    else if (strcmp(o->unit, "count") == 0)
        say_format(s, "%.0f", o->number);
    else if (strcmp(o->unit, "times") == 0) {
        double times = o->number > 1 ? o->number : 1 / o->number;
        if (times < 1e15)
            say_format(s, "%.0f times%s", times, o->number > 1 ? "" : " less than");
        else
            say_format(s, "more than 10^15 times%s", o->number > 1 ? "" : " less than");
    } else if (strcmp(o->unit, "thousands") == 0) {
        /* Powers of a thousand between a time and the same in another unit: 1 to 3; below 0: too small. */
        int thousands = (int)o->number;
        static const struct {
            const char *factor, *unit;
        } slips[] = {
            {"1 000", "milliseconds"}, {"1 000 000", "microseconds"}, {"1 000 000 000", "nanoseconds"}};
        int i = abs(thousands) - 1;
        say_format(s, "%s times too %s", slips[i].factor, thousands > 0 ? "large" : "small");
        if (thousands > 0)
            say_format(s, ", as if %s were seconds", slips[i].unit);
    } else {
        quantity_format(text, sizeof text, o->number, o->unit);
        say_format(s, "%s", text);
    }
}

/* As what stands between the braces wants it: [+][.]digits[scale], <bytes, or #. */
static void add_shown(sentence *s, const char *how, const roof_operand *o)
{
    static const struct {
        char letter;
        double one;
    } scales[] = {{'%', 0.01}, {'k', 1e3}, {'M', 1e6}, {'G', 1e9}};
    bool sign = *how == '+', fixed = how[sign] == '.';
    double value = o->number;
    char *end, spaced[40];
    if (*how == '<') {
        say_format(s, "%.*s", (int)strtol(how + 1, NULL, 10), text_or_empty(o->text));
        return;
    }
    if (*how == '#') {
        count_format(spaced, sizeof spaced, value < 0x1p64 ? (uint64_t)value : ROOF_UNKNOWN);
        say_format(s, "%s", spaced);
        return;
    }
    int digits = (int)strtol(how + sign + fixed, &end, 10);
    for (size_t i = 0; i < N_OF(scales); i++)
        if (*end == scales[i].letter)
            value = scales[i].one < 1 ? value * 100 : value / scales[i].one;
    say_format(s, fixed ? sign ? "%+.*f" : "%.*f" : "%.*g", digits, value);
}

/* --- templates ---------------------------------------------------------------------------------------- */

/* True if an operand says something: a text, a count above 0, a number that is known. */
static bool is_said(const roof_operand *o)
{
    if (o->text || !o->unit)
        return o->text;
    return strcmp(o->unit, "count") == 0 ? o->number > 0 : !isnan(o->number);
}

void say_with(sentence *s, const char *words, const roof_operand *operands)
{
    const roof_operand *next = operands, *part = NULL; /* part: its first one, within [? and ] */
    size_t begin = 0;
    if (!operands) {
        say_format(s, "%s", words);
        return;
    }
    for (const char *at = words; *at;) {
        size_t plain = strcspn(at, part ? "{]" : "{[");
        plain += at[plain] == '[' && at[plain + 1] != '?';
        say_format(s, "%.*s", (int)plain, at);
        at += plain;
        if (*at == '[') {
            part = next;
            begin = s->length;
            at += 2;
        } else if (part && *at == ']') {
            next += next == part;
            while (part < next && is_said(part))
                part++;
            s->length = part < next ? begin : s->length;
            if (s->text)
                s->text[s->length] = '\0';
            part = NULL;
            at++;
        }
        if (*at != '{')
            continue;
        const char *how = at + 1;
        size_t length = strcspn(how, "}");
        if (length == 1 && *how == 'u')
            say_format(s, "%s", next[-1].unit);
        else if (memchr(how, '|', length)) {
            const char *bar = memchr(how, '|', length), *end = how + length;
            const double counted =
                (next > operands ? next - 1 : next)->number; /* NaN: a part that is left out */
            if (counted >= 1 && counted < 2)
                say_format(s, "%.*s", (int)(bar - how), how);
            else
                say_format(s, "%.*s", (int)(end - bar - 1), bar + 1);
        } else if (length)
            add_shown(s, how, next++);
        else
            add_plain(s, next++);
        at = how + length + 1;
    }
}

void say(sentence *s, const char *words)
{
    say_with(s, words, NULL);
}

void say_board(sentence *s, const char *hardware)
{
    const char *comma = strstr(hardware, ", ");
    say_format(s, "%.*s", (int)(comma ? (size_t)(comma - hardware) : strlen(hardware)), hardware);
}

/* --- texts of an arena ---------------------------------------------------------------------------------- */

const char *say_quantity(roof_arena *arena, double value, const char *unit)
{
    char text[64];
    quantity_format(text, sizeof text, value, unit);
    return text_or_empty(arena_strdup(arena, text));
}

const char *say_seconds(roof_arena *arena, double seconds)
{
    return say_quantity(arena, seconds, "s");
}

const char *say_count(roof_arena *arena, uint64_t count)
{
    char text[40];
    count_format(text, sizeof text, count);
    return text_or_empty(arena_strdup(arena, text));
}

const char *say_number(roof_arena *arena, double value, int digits)
{
    char text[400] = "?"; /* the largest double has 309 digits */
    if (isfinite(value))
        number_format_fixed(text, sizeof text, value, digits, false);
    return text_or_empty(arena_strdup(arena, text));
}

const char *say_percent(roof_arena *arena, double ratio)
{
    return say_printf(arena, "%s %%", say_number(arena, 100 * ratio, 1));
}

const char *say_plural(uint64_t n)
{
    return n == 1 ? "" : "s";
}

const char *say_words(roof_arena *arena, const char *words, const roof_operand *operands)
{
    sentence s = {.text = NULL};
    say_with(&s, words, operands);
    s = (sentence){.text = NEW_ARRAY(arena, char, s.length + 1), .room = s.length + 1};
    if (s.text)
        say_with(&s, words, operands);
    return text_or_empty(s.text);
}

const char *say_printf(roof_arena *arena, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    const char *text = text_or_empty(arena_vprintf(arena, format, args));
    va_end(args);
    return text;
}

const char *say_text(roof_arena *arena, textbuf *text)
{
    const char *copy = text->failed ? NULL : arena_strdup(arena, text->bytes ? text->bytes : "");
    text_free(text);
    return copy;
}

const char *say_unmarked(roof_arena *arena, const char *name)
{
    static const char *const marks[128] = {
        ['`'] = "\\x60", ['|'] = "\\x7c", ['<'] = "\\x3c", ['>'] = "\\x3e"};
    textbuf out;
    text_init(&out, TEXT_MAX_BYTES);
    text_escaped(&out, name, strlen(name), marks);
    return text_or_empty(say_text(arena, &out));
}

const char *say_joined(roof_arena *arena, const char *list, const char *between, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    const char *more = text_or_empty(arena_vprintf(arena, format, args));
    va_end(args);
    return say_printf(arena, "%s%s%s", list, *list ? between : "", more);
}
