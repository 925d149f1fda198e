/* tests/unit/html_fixture.h - looking at a page without a browser: whether its tags are balanced, what it
 * holds. */
#ifndef ROOF_TESTS_HTML_FIXTURE_H
#define ROOF_TESTS_HTML_FIXTURE_H

#include "tests/unit/fixture.h"

#include <ctype.h>

enum { HTML_DEEPEST = 100 };

static inline bool html_is_void(const char *name)
{
    static const char *const names[] = {"meta", "link", "input", "wbr", "br", "!doctype", NULL};
    for (size_t i = 0; names[i]; i++)
        if (strcasecmp(names[i], name) == 0)
            return true;
    return false;
}

/* Behind the tag that begins at '<'; quoted values may hold '>'. */
static inline const char *html_end_of_tag(const char *at)
{
    char quote = '\0';
    for (; *at && (quote || *at != '>'); at++)
        quote = quote ? (*at == quote ? '\0' : quote) : *at == '"' || *at == '\'' ? *at : '\0';
    return *at ? at + 1 : NULL;
}

/* The name of a tag; false if it has none. sscanf would look for the end of the whole page each time. */
static inline bool html_read_name(const char *at, char name[24])
{
    size_t n = 0;
    for (; n < 23 && (isalnum((unsigned char)at[n]) || at[n] == '!'); n++)
        name[n] = at[n];
    name[n] = '\0';
    return n > 0;
}

/* Fails unless every element is closed in the order in which they were opened. The text of style and script
 * is skipped. */
static inline void html_check_balanced(const char *html)
{
    char open[HTML_DEEPEST][24];
    size_t depth = 0;
    for (const char *at = strchr(html, '<'), *end; at; at = strchr(end, '<')) {
        char name[24];
        bool closes = at[1] == '/';
        end = html_end_of_tag(at);
        if (!end || !html_read_name(at + 1 + closes, name)) {
            fail_msg("no tag: %.60s", at);
            return;
        }
        if (html_is_void(name) || end[-2] == '/')
            continue;
        if (!closes) {
            assert_true(depth < HTML_DEEPEST);
            strcpy(open[depth++], name);
            bool is_other = strcmp(name, "style") == 0 || strcmp(name, "script") == 0;
            const char *behind = is_other ? strstr(end, "</") : end;
            end = behind ? behind : end + strlen(end);
        } else if (!depth || strcmp(open[--depth], name) != 0) {
            fail_msg("</%s> closes <%s>: %.60s", name, depth < HTML_DEEPEST ? open[depth] : "", at);
        }
    }
    if (depth)
        fail_msg("<%s> stays open", open[depth - 1]);
}

static inline size_t html_count(const char *html, const char *what)
{
    size_t n = 0;
    for (const char *at = html; (at = strstr(at, what)); at += strlen(what))
        n++;
    return n;
}

/* The text between two others, from the first place of the first one on. Overwritten by the next call. */
static inline const char *html_between(const char *html, const char *before, const char *behind)
{
    static char text[4000];
    const char *begin = strstr(html, before), *end = begin ? strstr(begin + strlen(before), behind) : NULL;
    if (!end)
        fail_msg("nothing between '%s' and '%s'", before, behind);
    begin += strlen(before);
    snprintf(text, sizeof text, "%.*s", (int)(end - begin), begin);
    return text;
}

#endif
