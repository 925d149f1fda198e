/* core/quantity.h - numbers with units, in and out, independent of the locale. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include "roofline/status.h"

/* Parses "300MHz", "19.2GB/s", "2048/cycle", "4KiB", "1e9", "12". SI prefixes k M G T (10^3...) and IEC Ki Mi
 * Gi Ti (2^10...) before the unit word; unit is the word that is wanted ("Hz", "B/s", "B", "/cycle", "s",
 * ""). It may be left out behind a prefix, and where one number is as likely as a thousand: of counts and of
 * what is per cycle. In another case, "300mhz", a unit is understood where it can mean nothing else: "300mHz"
 * and "19.2gb/s" are refused with what may be meant. A clock of "300" is refused, since 300 Hz is never
 * meant. SI m u n only before s and W, which must then be written. Spaces around the number are skipped.
 * Errors: E_USAGE, naming text and unit. The result is finite and >= 0. Example (tests/unit/test_quantity.c):
 * "1.5MHz" in "Hz" is 1500000. */
roof_status quantity_parse(const char *text, const char *unit, double *out, roof_error *err);

/* A double that reads back as the same double, shortest of %.15g, %.16g, %.17g, always with '.'; "null" for
 * NaN or infinity. Returns the length. */
int number_format(char *buffer, size_t size, double value);

/* Twelve significant digits without trailing zeros, "1.49333333333e-06"; "null" for NaN or infinity. For
 * values that were computed from measured or documented ones, which are worth fewer. Returns the length. */
int number_format_derived(char *buffer, size_t size, double value);

/* The value that number_format_derived writes: what a document says of it is then all there is. */
double number_as_derived(double value);

/* Cuts a whole into a part and the rest, so that the three close as they are printed and as doubles alike:
 * each is rounded to the twelfth digit of the whole, the part to one near by where doubles would miss a bit.
 * The part lies between minus the whole and twice the whole. Example (tests/unit/test_quantity.c): 0.0053 and
 * 0.004 leave 0.0013, and not 0.0013000000000000008. */
void number_split(double *whole, double *part, double *rest);

/* Locale-free strtod over at most length bytes; returns the bytes used, 0 if there is no number or one of
 * more than 1100 characters. Decimal only: no hexadecimal, "inf", "nan" or leading space. Too large a number
 * is infinite. */
size_t number_parse(const char *text, size_t length, double *out);

/* How many bytes that number has, whatever its size; is_json: as RFC 8259 writes it, without +1, .5, 5. and
 * 01. And whether all of a text is such a number. */
size_t number_length(const char *text, size_t length, bool is_json);
bool number_parse_json(const char *text, size_t length, double *out);

/* "0x101000056010407", of 1 to 16 digits; false for anything else. */
bool hex_parse(const char *text, uint64_t *out);

/* A size that was rounded to the digits shown: "358.626 kB" in B, kB or KB, MB, GB of powers of 1024. *bytes
 * is the only whole number of bytes that is shown so, ROOF_UNKNOWN where there are several. False for what is
 * no such size. Example (tests/unit/test_quantity.c): "448.000 kB" is 458752, "9.73 MB" is unknown. */
bool size_parse(const char *text, size_t length, uint64_t *bytes);

/* a / b; NaN where that is no number or absurdly large, such as a share of nothing. */
double quotient_of(double a, double b);

/* The number, NaN for ROOF_UNKNOWN. */
double known_count(uint64_t count);

/* "1 234 567": thousands apart, as in tables. ROOF_UNKNOWN is "unknown". Returns the length that was wanted.
 */
int count_format(char *buffer, size_t size, uint64_t value);

/* "1 283.4": the same with decimals behind the point, at most 3. From 10^15 on "1.23e+16"; what is no number
 * is "unknown". */
int number_format_spaced(char *buffer, size_t size, double value, int decimals);

/* "-3.70": always so many decimals; has_sign: "+3.7" too. Never minus nothing; "unknown" as above. */
int number_format_fixed(char *buffer, size_t size, double value, int decimals, bool has_sign);

/* Engineering form with at most four significant digits: "1.46 ms", "19.2 GB/s", "300 MHz". Units that count
 * per cycle or per lane take no prefix and stay whole: "4096 ops/cycle". NaN and infinity are "unknown".
 * Returns the length that was wanted. */
int quantity_format(char *buffer, size_t size, double value, const char *unit);

/* The number that is shown so: 1.46 of 0.00146 s; letter: "m", of the prefix. */
double quantity_shown(double value, const char *unit, const char **letter);
