#include "core/json/jsonscan.h"
#include "core/json/jsonpull.h" /* the depth that all readers of JSON share */
#include "core/utf8.h"

/* Classes of a byte, in bits: 1 stands for itself in a string, 2 is blank, 4 may be in a number or a word. */
enum { IN_STRING = 1, BLANK = 2, IN_TOKEN = 4 };

#define DIGITS_4  5, 5, 5, 5
#define PLAIN_4   1, 1, 1, 1
#define LETTERS_8 DIGITS_4, DIGITS_4
#define NONE_8    0, 0, 0, 0, 0, 0, 0, 0

/* ASCII; from 0x80 on 0, since whether a string may hold it is looked into. */
static const unsigned char kinds[256] = {
    /* 0x00 */ NONE_8,    0,      2, 2, 0,        0,         2, 0, 0,
    /* 0x10 */ NONE_8,    NONE_8,
    /* 0x20 */ 3,         1,      0, 1, PLAIN_4,  1,         1, 1, 5, 1, 5, 5, 1,
    /* 0x30 */ LETTERS_8, 5,      5, 1, 1,        PLAIN_4,
    /* 0x40 */ 1,         5,      5, 5, DIGITS_4, LETTERS_8,
    /* 0x50 */ LETTERS_8, 5,      5, 5, 1,        0,         1, 1, 1,
    /* 0x60 */ 1,         5,      5, 5, DIGITS_4, LETTERS_8,
    /* 0x70 */ LETTERS_8, 5,      5, 5, 1,        PLAIN_4};

static bool is_kind(char c, int kind)
{
    return (kinds[(unsigned char)c] & kind) != 0;
}

static scan_result bad(json_scan *s, const char *at, const char *want)
{
    s->at = at;
    s->want = want;
    return SCAN_BAD;
}

/* The end of the bytes in the middle of something. */
static scan_result ran_out(json_scan *s, const char *want)
{
    s->want = want;
    return SCAN_MORE;
}

void jsonscan_space(json_scan *s)
{
    while (is_kind(*s->at, BLANK))
        s->at++;
}

scan_result jsonscan_byte(json_scan *s, char byte, const char *want)
{
    jsonscan_space(s);
    if (s->at >= s->end)
        return ran_out(s, want);
    if (*s->at != byte)
        return bad(s, s->at, want);
    s->at++;
    return SCAN_DONE;
}

/* --- strings -------------------------------------------------------------------------------------------- */

/* At a byte that does not simply stand for itself. */
static scan_result pass_other(json_scan *s, const char **at)
{
    enum { LONGEST_CHARACTER = 4 };
    const char *p = *at;
    size_t left = (size_t)(s->end - p);
    if (!left)
        return ran_out(s, "the rest of a string");
    if (*p == '\\') {
        *at = ++p;
        if (p >= s->end)
            return ran_out(s, "the rest of a string");
        if (*p != 'u') {
            *at = p + 1;
            return *p && strchr("\"\\/bfnrt", *p) ? SCAN_DONE
                                                  : bad(s, p, "one of \"\\/bfnrtu after a backslash");
        }
        for (int i = 1; i <= 4; i++) {
            if (p + i >= s->end)
                return ran_out(s, "the rest of a string");
            if (text_digit(p[i]) > 15)
                return bad(s, p + i, "four hexadecimal digits after \\u");
        }
        *at = p + 5;
        return SCAN_DONE;
    }
    if ((unsigned char)*p < 0x20)
        return bad(s, p, "a string without control characters");
    utf8_character c = utf8_next(p, left);
    if (c.kind == UTF8_BAD)
        return left < LONGEST_CHARACTER && !s->is_all ? ran_out(s, "the rest of a string")
                                                      : bad(s, p, "a string of UTF-8");
    *at = p + c.length;
    return SCAN_DONE;
}

scan_result jsonscan_string(json_scan *s, text_span *inside)
{
    const char *p = s->at;
    scan_result result = p < s->end && *p == '"' ? SCAN_DONE : bad(s, p, "a string");
    for (p++; result == SCAN_DONE;) {
        while (is_kind(*p, IN_STRING))
            p++;
        if (*p == '"')
            break;
        result = pass_other(s, &p);
    }
    if (result == SCAN_DONE) {
        *inside = (text_span){s->at + 1, (size_t)(p - s->at) - 1};
        s->at = p + 1;
    }
    return result;
}

/* --- numbers and words ---------------------------------------------------------------------------------- */

static scan_result pass_token(json_scan *s)
{
    const char *from = s->at, *number = from + number_length(from, (size_t)(s->end - from), true),
               *p = number;
    while (is_kind(*p, IN_TOKEN))
        p++;
    if (p == s->end && !s->is_all)
        return ran_out(s, "a value");
    const text_span token = {from, (size_t)(p - from)};
    const bool is_number = token.length && p == number;
    if (!is_number && !span_is(token, "true") && !span_is(token, "false") && !span_is(token, "null"))
        return bad(s, from, "a value");
    s->at = p;
    return SCAN_DONE;
}

/* --- values --------------------------------------------------------------------------------------------- */

/* Token that may come next. */
enum { VALUE, VALUE_OR_END, NAME, NAME_OR_END, COLON, COMMA_OR_END };

static scan_result pass_name(json_scan *s, json_walk *w)
{
    text_span ignored;
    if (*s->at != '"')
        return bad(s, s->at, "the name of a member");
    w->state = COLON;
    scan_result result = jsonscan_string(s, &ignored);
    if (result != SCAN_DONE)
        w->state = NAME;
    return result;
}

/* One token of a value, which is not a blank. */
static scan_result pass_one(json_scan *s, json_walk *w)
{
    text_span ignored;
    char c = *s->at;
    bool may_end = w->state == VALUE_OR_END || w->state == NAME_OR_END || w->state == COMMA_OR_END;
    if (may_end && w->depth && c == (w->objects & 1 ? '}' : ']')) {
        w->objects >>= 1;
        w->depth--;
        w->state = COMMA_OR_END;
        s->at++;
        return SCAN_DONE;
    }
    if (w->state == NAME || w->state == NAME_OR_END)
        return pass_name(s, w);
    if (w->state == COLON || w->state == COMMA_OR_END) {
        if (c != (w->state == COLON ? ':' : ','))
            return bad(s, s->at, w->state == COLON ? "a colon" : "a comma or the end of an object or array");
        w->state = w->state == COLON || !(w->objects & 1) ? VALUE : NAME;
        s->at++;
        return SCAN_DONE;
    }
    if (c == '{' || c == '[') {
        const bool is_object = c == '{';
        if (w->depth == JSON_DEEPEST)
            return bad(s, s->at, "no more than 64 levels");
        w->objects = w->objects << 1 | is_object;
        w->depth++;
        w->state = is_object ? NAME_OR_END : VALUE_OR_END;
        s->at++;
        return SCAN_DONE;
    }
    scan_result result = c == '"' ? jsonscan_string(s, &ignored) : pass_token(s);
    if (result == SCAN_DONE)
        w->state = COMMA_OR_END;
    return result;
}

scan_result jsonscan_walk(json_scan *s, json_walk *w)
{
    scan_result result = SCAN_DONE;
    do {
        jsonscan_space(s);
        if (s->at >= s->end)
            return ran_out(s, "the rest of a value");
        result = pass_one(s, w);
    } while (result == SCAN_DONE && w->depth);
    return result;
}

scan_result jsonscan_member(json_scan *s, bool is_first, text_span *name, text_span *value)
{
    *name = (text_span){0};
    jsonscan_space(s);
    if (s->at >= s->end)
        return ran_out(s, "the rest of an object");
    if (*s->at == '}') {
        s->at++;
        return SCAN_DONE;
    }
    if (!is_first) {
        if (*s->at != ',')
            return bad(s, s->at, "a comma or the end of an object");
        s->at++;
        jsonscan_space(s);
    }
    if (s->at >= s->end)
        return ran_out(s, "the rest of an object");
    scan_result result = *s->at == '"' ? jsonscan_string(s, name) : bad(s, s->at, "the name of a member");
    if (result == SCAN_DONE)
        result = jsonscan_byte(s, ':', "a colon");
    if (result != SCAN_DONE)
        return result;
    jsonscan_space(s);
    if (*s->at == '"')
        return jsonscan_string(s, value);
    const char *from = s->at;
    result = jsonscan_walk(s, &(json_walk){0});
    *value = (text_span){from, (size_t)(s->at - from)};
    return result;
}
