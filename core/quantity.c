#include "core/quantity.h"
#include "core/arena.h"
#include "core/error.h"
#include "core/named.h"
#include "core/platform/platform.h"
#include "core/print.h"
#include "core/text.h"

#include <float.h>
#include <inttypes.h>
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

/* No honest number is longer: 767 digits decide any double. */
enum { LONGEST_NUMBER_BYTES = 1100 };

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

static size_t digits_at(const char *text, size_t at, size_t length)
{
    size_t n = 0;
    while (at + n < length && is_digit(text[at + n]))
        n++;
    return n;
}

/* Of [+-]digits[.digits][e[+-]digits]. No hexadecimal, "inf" or "nan". */
size_t number_length(const char *text, size_t length, bool is_json)
{
    const size_t first = length && (text[0] == '-' || (text[0] == '+' && !is_json)) ? 1 : 0;
    size_t whole = digits_at(text, first, length), fraction = 0, at = first + whole;
    if (is_json && (!whole || (whole > 1 && text[first] == '0')))
        return 0;
    if (at < length && text[at] == '.') {
        fraction = digits_at(text, at + 1, length);
        at += whole + fraction && (fraction || !is_json) ? 1 + fraction : 0;
    }
    if (whole + fraction == 0)
        return 0;
    if (at < length && (text[at] == 'e' || text[at] == 'E')) {
        size_t sign = at + 1 < length && (text[at + 1] == '-' || text[at + 1] == '+') ? 1 : 0;
        size_t exponent = digits_at(text, at + 1 + sign, length);
        at += exponent ? 1 + sign + exponent : 0;
    }
    return at;
}

/* Most numbers in documents have few digits: a whole number below 2^53 and a power of ten up to 10^22 are
 * exact doubles, so that one multiplication or division rounds once, as strtod does (W. Clinger, "How to Read
 * Floating Point Numbers Accurately", 1990). A profile of a million rows was read a quarter faster. */
static bool parse_exactly(const char *token, size_t length, double *out)
{
    static const double powers[] = {1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,  1e8,  1e9,  1e10, 1e11,
                                    1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};
    enum { MOST_DIGITS = 15, MOST_POWER = 22 };
    if (FLT_EVAL_METHOD != 0) /* an x87 rounds twice */
        return false;
    bool negative = token[0] == '-';
    uint64_t digits = 0;
    int n_digits = 0, power = 0, exponent = 0;
    size_t i = negative || token[0] == '+' ? 1 : 0;
    for (bool point = false; i < length && token[i] != 'e' && token[i] != 'E'; i++) {
        if (token[i] == '.') {
            point = true;
            continue;
        }
        n_digits += digits || token[i] != '0';
        if (n_digits > MOST_DIGITS)
            return false;
        digits = 10 * digits + (uint64_t)(token[i] - '0');
        power -= point;
        if (power < -2 * MOST_POWER)
            return false;
    }
    if (i < length) {
        bool minus = token[++i] == '-';
        i += minus || token[i] == '+';
        for (; i < length; i++) {
            exponent = 10 * exponent + (token[i] - '0');
            if (exponent > 4 * MOST_POWER)
                return false;
        }
        power += minus ? -exponent : exponent;
    }
    if (power < -MOST_POWER || power > MOST_POWER)
        return false;
    double value = power < 0 ? (double)digits / powers[-power] : (double)digits * powers[power];
    *out = negative ? -value : value;
    return true;
}

static size_t number_parse_as(const char *text, size_t length, bool is_json, double *out)
{
    char token[LONGEST_NUMBER_BYTES + 1];
    size_t used = number_length(text, length, is_json);
    if (used == 0 || used > LONGEST_NUMBER_BYTES)
        return 0;
    if (parse_exactly(text, used, out))
        return used;
    memcpy(token, text, used);
    token[used] = '\0';
    return os_number(token, out) ? used : 0;
}

size_t number_parse(const char *text, size_t length, double *out)
{
    return number_parse_as(text, length, false, out);
}

bool number_parse_json(const char *text, size_t length, double *out)
{
    return number_parse_as(text, length, true, out) == length;
}

/* Up to 10^27 they are exact in a long double of 64 bits. */
static const long double powers_of_ten[] = {
    1e0L,  1e1L,  1e2L,  1e3L,  1e4L,  1e5L,  1e6L,  1e7L,  1e8L,  1e9L,  1e10L, 1e11L, 1e12L,
    1e13L, 1e14L, 1e15L, 1e16L, 1e17L, 1e18L, 1e19L, 1e20L, 1e21L, 1e22L, 1e23L, 1e24L, 1e25L,
    1e26L, 1e27L, 1e28L, 1e29L, 1e30L, 1e31L, 1e32L, 1e33L, 1e34L, 1e35L, 1e36L};

static long double scale_by_ten(double value, int exponent)
{
    return exponent >= 0 ? value * powers_of_ten[exponent] : value / powers_of_ten[-exponent];
}

/* As %g has it: fixed notation for exponents from -4 to n - 1. Returns the length; text needs 40
 * bytes. */
static int put_digits(char *text, const char *digits, int last, int exponent, int n)
{
    int used = 0;
    if (exponent < -4 || exponent >= n) {
        text[used++] = digits[0];
        if (last)
            text[used++] = '.';
        for (int i = 1; i <= last; i++)
            text[used++] = digits[i];
        text[used++] = 'e';
        text[used++] = exponent < 0 ? '-' : '+';
        text[used++] = (char)('0' + abs(exponent) / 10);
        text[used++] = (char)('0' + abs(exponent) % 10);
        return used;
    }
    int first = exponent < 0 ? exponent : 0, end = last > exponent ? last : exponent;
    int point = exponent < 0 ? first : exponent;
    for (int i = first; i <= end; i++) {
        text[used++] = i < 0 || i > last ? '0' : digits[i];
        if (i == point && end > point)
            text[used++] = '.';
    }
    return used;
}

enum { DIGITS = 12 }; /* of what was computed */

static bool has_twelve_digits(double magnitude)
{
    return magnitude >= 1e-24 && magnitude < 1e24;
}

/* The power of ten of the first of n digits. */
static int decimal_exponent(double magnitude, int n)
{
    int binary;
    frexp(magnitude, &binary);
    int exponent = (int)floor((binary - 1) * 0.30102999566398120); /* log10(2): the exponent, or one less */
    return exponent + (scale_by_ten(magnitude, n - 1 - exponent) >= powers_of_ten[n]);
}

/* A number of n digits, at most 15, as %g has it. Returns the length; text needs 40 bytes. */
static int put_rounded(char *text, double value, int n)
{
    char digits[16] = "0";
    int used = 0, last = n - 1, exponent = decimal_exponent(fabs(value), n);
    uint64_t whole = (uint64_t)llroundl(scale_by_ten(fabs(value), n - 1 - exponent));
    if ((long double)whole >= powers_of_ten[n]) { /* 9.999... rounded up */
        whole /= 10;
        exponent++;
    }
    for (int i = n - 1; i >= 0; i--, whole /= 10)
        digits[i] = (char)('0' + whole % 10);
    while (last > 0 && digits[last] == '0')
        last--;
    if (value < 0)
        text[used++] = '-';
    return used + put_digits(text + used, digits, last, exponent, n);
}

/* True if the digits are those of the value, none else. */
static bool reads_back(const char *text, double value)
{
    double back = 0;
    return number_parse(text, strlen(text), &back) && !(back < value) && !(back > value);
}

int number_format(char *buffer, size_t size, double value)
{
    static const char *const formats[] = {"%.15g", "%.16g", "%.17g"};
    char number[64] = "null";
    /* A decimal of 15 digits that reads back is the only one: DBL_DIG. */
    const bool is_usual = fabs(value) >= 1e-20 && fabs(value) < 1e20;
    if (is_usual)
        number[put_rounded(number, value, DBL_DIG)] = '\0';
    if (isfinite(value) && !(is_usual && reads_back(number, value)))
        for (size_t i = 0; i < N_OF(formats); i++) {
            print_into(number, sizeof number, formats[i], value);
            if (reads_back(number, value))
                break;
        }
    return print_text(buffer, size, number, strlen(number));
}

static double decimal(int64_t digits, int exponent)
{
    char text[40];
    double value = 0;
    snprintf(text, sizeof text, "%" PRId64 "e%d", digits, exponent);
    number_parse(text, strlen(text), &value);
    return value;
}

void number_split(double *whole, double *part, double *rest)
{
    enum { MOST_NEIGHBOURS = 4096 };  /* what is lost of the last bit changes slowly from one to the next */
    if (!has_twelve_digits(*whole)) { /* by Sterbenz one of these differences is exact */
        *rest = *whole - *part;
        *part = *whole - *rest;
        return;
    }
    int scale = DIGITS - 1 - decimal_exponent(*whole, DIGITS);
    int64_t all = llroundl(scale_by_ten(*whole, scale)), some = llroundl(scale_by_ten(*part, scale));
    *whole = decimal(all, -scale);
    for (int i = 0; i < MOST_NEIGHBOURS; i++) {
        int64_t digits = some + (i % 2 ? -(i + 1) / 2 : i / 2);
        *part = decimal(digits, -scale);
        *rest = decimal(all - digits, -scale);
        if (!(*part + *rest < *whole) && !(*part + *rest > *whole))
            return;
    }
}

/* snprintf takes 0.5 us a number and was a third of the time of a large prediction; scaling by a power of ten
 * and rounding to an integer takes a tenth of that. 12 digits leave 24 of the long double's 64 bits for the
 * one rounding of the product. */
int number_format_derived(char *buffer, size_t size, double value)
{
    char text[40];
    if (!has_twelve_digits(fabs(value)))
        return value == 0 ? print_text(buffer, size, "0", 1) : number_format(buffer, size, value);
    return print_text(buffer, size, text, (size_t)put_rounded(text, value, DIGITS));
}

double number_as_derived(double value)
{
    char text[40];
    double out = value;
    int length = number_format_derived(text, sizeof text, value);
    return isfinite(value) && number_parse(text, (size_t)length, &out) ? out : value;
}

/* ---- rounded sizes ---- */

/* The bytes of a unit behind a number, 0 for what is none. */
static uint64_t size_unit(const char *text, size_t length)
{
    static const char *const units[] = {"B", "kB", "MB", "GB"};
    while (length && *text == ' ') {
        text++;
        length--;
    }
    if (length == 2 && memcmp(text, "KB", 2) == 0)
        return 1024;
    for (unsigned i = 0; i < sizeof units / sizeof *units; i++)
        if (length == strlen(units[i]) && memcmp(text, units[i], length) == 0)
            return UINT64_C(1) << (10 * i);
    return 0;
}

/* Digits d with k of them behind the point stand for what lies within half a unit of the last one: from (2d -
 * 1) / 2 10^k to (2d + 1) / 2 10^k units. With d below 2^30 and k at most 6 all of that fits 64 bits. */
bool size_parse(const char *text, size_t length, uint64_t *bytes)
{
    uint64_t digits = 0, scale = 1;
    size_t at = 0, places = 0, seen = 0;
    for (bool point = false; at < length && (is_digit(text[at]) || (text[at] == '.' && !point)); at++) {
        if (text[at] == '.') {
            point = true;
            continue;
        }
        digits = 10 * digits + (uint64_t)(text[at] - '0');
        seen++;
        places += point;
        scale *= point ? 10 : 1;
        if (places > 6 || digits >= UINT64_C(1) << 30)
            return false;
    }
    uint64_t unit = seen ? size_unit(text + at, length - at) : 0;
    if (!unit)
        return false;
    uint64_t low = digits ? (2 * digits - 1) * unit : 0, high = (2 * digits + 1) * unit;
    uint64_t first = (low + 2 * scale - 1) / (2 * scale), last = high / (2 * scale);
    *bytes = first == last ? first : ROOF_UNKNOWN;
    return true;
}

/* ---- counts ---- */

double quotient_of(double a, double b)
{
    double quotient = a / b;
    return fabs(quotient) < 1e300 ? quotient : NAN; /* and still a number in percent */
}

double known_count(uint64_t count)
{
    return count == ROOF_UNKNOWN ? NAN : (double)count;
}

/* Thousands apart, decimals behind the point. Returns the length. */
static int put_spaced(char *buffer, size_t size, uint64_t whole, int decimals, bool is_negative)
{
    char digits[40];
    size_t n = 0, at = 0;
    for (int place = 0; whole || place <= decimals; place++, whole /= 10) {
        if (place > decimals && (place - decimals) % 3 == 0)
            digits[n++] = ' ';
        if (place == decimals && decimals)
            digits[n++] = '.';
        digits[n++] = (char)('0' + whole % 10);
    }
    if (is_negative)
        digits[n++] = '-';
    for (; at < n && at + 1 < size; at++)
        buffer[at] = digits[n - 1 - at];
    if (size)
        buffer[at] = '\0';
    return (int)n;
}

int count_format(char *buffer, size_t size, uint64_t value)
{
    return value == ROOF_UNKNOWN ? snprintf(buffer, size, "unknown")
                                 : put_spaced(buffer, size, value, 0, false);
}

int number_format_spaced(char *buffer, size_t size, double value, int decimals)
{
    static const double scales[] = {1, 10, 100, 1000};
    if (!(fabs(value) < 1e15))
        return print_into(buffer, size, "%.3g", value);
    return put_spaced(buffer, size, (uint64_t)(fabs(value) * scales[decimals] + 0.5), decimals, value < 0);
}

int number_format_fixed(char *buffer, size_t size, double value, int decimals, bool has_sign)
{
    double shown = fabs(value) < 0.5 * pow(10, -decimals) ? 0 : value;
    return print_into(buffer, size, has_sign ? "%+.*f" : "%.*f", decimals, shown);
}

typedef struct prefix {
    const char *text;
    double factor;
    bool is_small; /* m, u, n: 12m would be read as minutes or mega, so these need their unit, a second */
} prefix;

/* Longest first, so that "Mi" is not read as "M" and a stray "i". */
static const prefix prefixes[] = {
    {"Ki", 1024.0, false},       {"Mi", 1048576.0, false},
    {"Gi", 1073741824.0, false}, {"Ti", 1099511627776.0, false},
    {"k", 1e3, false},           {"M", 1e6, false},
    {"G", 1e9, false},           {"T", 1e12, false},
    {"m", 1e-3, true},           {"u", 1e-6, true},
    {"n", 1e-9, true},
};

/* True for units of which thousandths are meant as often as not. */
static bool is_small_unit(const char *unit)
{
    return strcmp(unit, "s") == 0 || strcmp(unit, "W") == 0;
}

/* The factor that the rest of a quantity stands for: a prefix, the unit, both or neither; else 0. */
static double suffix_factor(const char *rest, const char *unit)
{
    if (!*rest || strcmp(rest, unit) == 0)
        return 1;
    FOR_EACH(const prefix, p, prefixes, N_OF(prefixes)) {
        const size_t length = strlen(p->text);
        const char *behind = strncmp(rest, p->text, length) == 0 ? rest + length : NULL;
        if (behind && (p->is_small ? is_small_unit(unit) && strcmp(behind, unit) == 0
                                   : !*behind || strcmp(behind, unit) == 0))
            return p->factor;
    }
    return 0;
}

/* The same in whatever case, "300mhz", "1GHZ"; *prefix: "M", as it is written right. Thousandths are told
 * from millions by case alone, where there are both. */
static double loose_factor(const char *rest, const char *unit, const char **right)
{
    *right = "";
    if (!*unit)
        return 0;
    if (strcasecmp(rest, unit) == 0)
        return 1;
    FOR_EACH(const prefix, p, prefixes, N_OF(prefixes)) {
        const size_t length = strlen(p->text);
        const bool is_alike = is_small_unit(unit) ? p->is_small && strncmp(rest, p->text, length) == 0
                                                  : !p->is_small && strncasecmp(rest, p->text, length) == 0;
        if (is_alike && strcasecmp(rest + length, unit) == 0) {
            *right = p->text;
            return p->factor;
        }
    }
    return 0;
}

/* "mHz" is a thousandth of a hertz, "Gb/s" counts bits: what they are may be meant. */
static bool may_be_meant(const char *rest, const char *unit)
{
    bool has_upper = false;
    for (const char *c = rest + (*rest != '\0'); *c; c++)
        has_upper |= *c >= 'A' && *c <= 'Z';
    return (strchr(unit, 'B') && strchr(rest, 'b')) ||
           (*rest == 'm' && !is_small_unit(unit) && (has_upper || strcmp(unit, "Hz") != 0));
}

static roof_status fail_quantity(const char *text, const char *unit, const char *why, roof_error *err)
{
    char shown[100];
    const char *prefixed = is_small_unit(unit) ? "m" : "M";
    quote_text(shown, sizeof shown, text, strlen(text));
    return error_set(err, ROOF_E_USAGE, "'%s' %s, want a number such as 12%s or 1.5%s%s", shown, why, unit,
                     prefixed, unit);
}

/* The number as it was given, with the prefix and the unit that may be meant. */
static roof_status fail_meant(const char *text, const char *why, const char *with, const char *unit,
                              roof_error *err)
{
    char shown[100];
    const char *number = text + strspn(text, " ");
    return error_set(err, ROOF_E_USAGE, "'%s' %s; did you mean %.*s%s%s?",
                     quote_text(shown, sizeof shown, text, strlen(text)), why,
                     (int)strspn(number, "0123456789.eE+-"), number, with, unit);
}

/* Counts of lanes or operations per cycle read better whole; the rest takes a prefix. */
static const char whole_units[] = "count lanes cycles B/cycle ops/cycle MACs/cycle ratio %";

/* How other units are shown, and of which a bare number probably lacks a prefix, and that prefix. */
static const struct unit {
    const char *name;
    bool has_large, has_small; /* k M G T P; m u n p */
    const char *meant;         /* NULL: a bare number is one */
    double below;              /* numbers so small are meant with it, 300000000 is not */
} units[] = {
    {"", false, false, NULL, 0},    {"s", false, true, "m", INFINITY}, {"J", true, true, NULL, 0},
    {"W", true, true, NULL, 0},     {"V", true, true, NULL, 0},        {"Hz", true, false, "M", 1e5},
    {"B/s", true, false, "G", 1e5}, {"ops/s", true, false, "G", 1e5},  {"B", true, false, "Ki", 1e3},
    {NULL, true, false, NULL, 0}, /* any other */
};

static const struct unit *find_unit(const char *name)
{
    const struct unit *unit = units;
    const char *as = text_has_word(whole_units, name) ? "" : name;
    while (unit->name && strcmp(unit->name, as) != 0)
        unit++;
    return unit;
}

roof_status quantity_parse(const char *text, const char *unit, double *out, roof_error *err)
{
    double value = 0;
    const char *rest = text + strspn(text, " ");
    size_t used = number_parse(rest, strlen(rest), &value);
    if (!used)
        return fail_quantity(text, unit, "does not begin with a number", err);
    rest += used;
    rest += strspn(rest, " ");
    double factor = suffix_factor(rest, unit);
    const char *right = "";
    if (!(factor > 0)) {
        factor = loose_factor(rest, unit, &right);
        if (factor > 0 && may_be_meant(rest, unit))
            return fail_meant(text, strchr(rest, 'b') ? "counts bits" : "is a thousandth", right, unit, err);
    }
    if (!(factor > 0))
        return fail_quantity(text, unit, "has a unit that does not fit", err);
    if (signbit(value) && value < 0)
        return fail_quantity(text, unit, "is negative", err);
    if (!isfinite(value * factor))
        return fail_quantity(text, unit, "is too large", err);
    const struct unit *known = find_unit(unit);
    if (!*rest && known->meant)
        return fail_meant(text, "has no unit", value < known->below ? known->meant : "", unit, err);
    *out = fabs(value * factor);
    return ROOF_OK;
}

static const struct {
    const char *text;
    double factor;
} shown_prefixes[] = {{"P", 1e15}, {"T", 1e12}, {"G", 1e9},  {"M", 1e6},  {"k", 1e3},
                      {"", 1},     {"m", 1e-3}, {"u", 1e-6}, {"n", 1e-9}, {"p", 1e-12}};

enum { SHOWN_PREFIXES = sizeof shown_prefixes / sizeof *shown_prefixes, PREFIX_NONE = 5 };

static bool is_whole(double value)
{
    return fabs(value) < 1e15 && !(value < floor(value)) && !(value > floor(value));
}

/* Takes the largest prefix that leaves at least 1 in front of the point, within what the unit takes. */
double quantity_shown(double value, const char *unit, const char **letter)
{
    char number[32];
    double rounded = value; /* to four significant digits, so that 999.96 k becomes 1 M and not 1000 k */
    print_into(number, sizeof number, "%.3e", value);
    number_parse(number, strlen(number), &rounded);
    const struct unit *known = find_unit(unit);
    size_t i = known->has_large ? 0 : PREFIX_NONE, last = known->has_small ? SHOWN_PREFIXES - 1 : PREFIX_NONE;
    while (i < last && fabs(rounded) < shown_prefixes[i].factor)
        i++;
    i = fabs(rounded) > 0 ? i : PREFIX_NONE;
    *letter = shown_prefixes[i].text;
    return i == PREFIX_NONE && is_whole(value) ? value : rounded / shown_prefixes[i].factor;
}

int quantity_format(char *buffer, size_t size, double value, const char *unit)
{
    char number[32];
    const char *letter;
    if (!isfinite(value))
        return snprintf(buffer, size, "unknown");
    const double shown = quantity_shown(value, unit, &letter);
    print_into(number, sizeof number, "%.*g", !*letter && is_whole(value) ? 15 : 4, shown);
    return snprintf(buffer, size, "%s%s%s%s", number, *unit || *letter ? " " : "", letter, unit);
}

bool hex_parse(const char *text, uint64_t *out)
{
    const size_t digits = strncmp(text, "0x", 2) == 0 ? strspn(text + 2, "0123456789abcdefABCDEF") : 0;
    if (digits == 0 || digits > 16 || text[2 + digits])
        return false;
    *out = strtoull(text + 2, NULL, 16);
    return true;
}
