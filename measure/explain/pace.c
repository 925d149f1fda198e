/* Numbers as people write them. */
#include "roofline/explanation.h"
#include "core/core.h"

#include <ctype.h>
#include <strings.h>

/* clang-format off */
static const struct unit {
    const char *word;
    double factor; /* of a time to seconds, of a rate to a second */
    bool is_rate, is_of_tokens;
} units[] = {
#define RATE(word) {(word), 1, true, false}
#define TOKENS(word) {(word), 1, true, true}
#define TIME(word, factor) {(word), (factor), false, false}
    RATE("fps"), RATE("frames/s"), RATE("frames per second"), RATE("hz"), RATE("it/s"), RATE("inferences/s"),
    RATE("inferences per second"), RATE("inf/s"), RATE("images/s"), RATE("img/s"), RATE("ips"), RATE("qps"),
    RATE("samples/s"), RATE("/s"), TOKENS("tokens/s"), TOKENS("tokens/sec"), TOKENS("tokens per second"),
    TOKENS("token/s"), TOKENS("tok/s"), TOKENS("t/s"), TOKENS("tps"), TIME("ms", 1e-3), TIME("msec", 1e-3),
    TIME("ms/inference", 1e-3), TIME("us", 1e-6), TIME("\xc2\xb5s", 1e-6), TIME("\xce\xbcs", 1e-6), TIME("ns", 1e-9),
    TIME("s", 1), TIME("sec", 1), TIME("seconds", 1), TIME("s/it", 1), TIME("min", 60),
    {"ms/token", 1e-3, false, true}, {"s/token", 1, false, true},
};
/* clang-format on */

/* The unit of the longest word that the text begins with; NULL: none. */
static const struct unit *take_unit(const char **at)
{
    const struct unit *found = NULL;
    size_t longest = 0;
    for (size_t i = 0; i < N_OF(units); i++) {
        const size_t n = strlen(units[i].word);
        if (n > longest && strncasecmp(*at, units[i].word, n) == 0 && !isalnum((unsigned char)(*at)[n]) &&
            (*at)[n] != '/') {
            longest = n;
            found = &units[i];
        }
    }
    *at += longest + strspn(*at + longest, " \t");
    return found;
}

static bool take_pace(const char **at, roof_pace *out)
{
    double number = 0;
    *at += strspn(*at, " \t");
    *at += number_parse(*at, strlen(*at), &number);
    *at += strspn(*at, " \t");
    const struct unit *unit = number > 0 && isfinite(number) ? take_unit(at) : NULL;
    if (!unit)
        return false;
    *out = (roof_pace){unit->is_rate ? unit->factor / number : number * unit->factor, NAN, unit->is_rate,
                       unit->is_of_tokens};
    return out->seconds >= 1e-9 && out->seconds <= 1e7;
}

roof_status roof_pace_parse(const char *text, roof_pace *out, roof_error *err)
{
    const char *at = text;
    roof_pace other = {NAN, NAN, false, false};
    *out = other;
    if (!text)
        return ROOF_OK;
    bool is_good = take_pace(&at, out);
    if (is_good && (*at == '(' || *at == ',' || *at == ';')) {
        const bool is_open = *at++ == '(';
        is_good = take_pace(&at, &other) && other.is_rate != out->is_rate && (!is_open || *at++ == ')');
        out->latency_s = out->is_rate ? other.seconds : out->seconds;
        out->seconds = out->is_rate ? out->seconds : other.seconds;
        out->is_rate = true;
    }
    return is_good && !*at
               ? ROOF_OK
               : error_set(err, ROOF_E_USAGE,
                           "'%s' is no time and no rate; want a number with its unit, such as 29fps, 33.9ms, "
                           "10.4tokens/s or '29.5 FPS (33.9 ms)'",
                           SHOWN_TEXT(text));
}
