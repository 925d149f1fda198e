#include "reports/page/inline_svg.h"
#include "core/error.h"
#include "reports/page/html.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { DEEPEST = 64, MOST_ATTRIBUTES = 32 };

typedef struct slice {
    const char *at;
    size_t length;
} slice;

typedef struct attribute {
    slice name, value;
} attribute;

typedef struct reader {
    const char *text;
    size_t length, at;
    const svg_words *words;
    textbuf *out;
    slice open[DEEPEST];      /* names of the tags that are open */
    size_t begins[DEEPEST];   /* where each begins in out */
    size_t contents[DEEPEST]; /* and what is in it */
    size_t depth;
    bool has_root, is_done;
    roof_error *err;
} reader;

static bool is(slice s, const char *word)
{
    return s.length == strlen(word) && memcmp(s.at, word, s.length) == 0;
}

static bool is_one_of(slice s, const char *const *words)
{
    for (; *words; words++)
        if (is(s, *words))
            return true;
    return false;
}

static void put(reader *r, slice s)
{
    text_add(r->out, s.at, s.length);
}

static roof_status fail(const reader *r, const char *what, slice about)
{
    char shown[80];
    quote_text(shown, sizeof shown, about.at, about.length);
    return error_at(r->err, ROOF_E_DATA, r->at, "%s '%s'", what, shown);
}

static roof_status fail_cut(const reader *r)
{
    return error_at(r->err, ROOF_E_DATA, r->at, "the picture ends within a tag");
}

/* --- what may pass ------------------------------------------------------------------------------------ */

/* Elements that draw. */
static const char *const drawing[] = {"svg",     "g",           "defs",           "path",
                                      "circle",  "rect",        "polygon",        "polyline",
                                      "line",    "ellipse",     "text",           "tspan",
                                      "use",     "filter",      "feFlood",        "feComposite",
                                      "feMerge", "feMergeNode", "feColorMatrix",  "feBlend",
                                      "pattern", "clipPath",    "linearGradient", "stop",
                                      NULL};

/* Elements that are left out with all that is in them. */
static const char *const left_out[] = {"title", "desc", "metadata", NULL};

/* Attributes of the root that the page decides. */
static const char *const of_the_page[] = {"width", "height", "xmlns", "xmlns:xlink", "version", NULL};

/* A value that would run or fetch something. What gnuplot writes has no reference but url(#...). */
static bool is_unsafe(slice value)
{
    static const char *const words[] = {
        "script:", "expression", "@import", "data:", "http:", "https:", "<", "\\", "/*", "url("};
    for (size_t at = 0; at < value.length; at++)
        for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
            const char *word = words[i], *here = value.at + at;
            if ((*here | 32) != (*word | 32)) /* the first letter, in either case */
                continue;
            size_t length = strlen(word), end = at + length;
            bool found = end <= value.length && strncasecmp(here, word, length) == 0;
            if (found && (word[length - 1] != '(' || end == value.length || value.at[end] != '#'))
                return true;
        }
    return false;
}

static bool is_name_character(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || strchr("-_:.", c);
}

/* --- colours ------------------------------------------------------------------------------------------ */

/* "#0b5394", "rgb( 11,  83, 148)", and words that gnuplot writes for colours of its own. Returns the length, or 0. */
static size_t read_colour(slice s, char before, unsigned long *rgb)
{
    static const struct {
        const char *word;
        unsigned long rgb;
    } words[] = {{"black", 0x000000}, {"white", 0xffffff}, {"gray", 0x808080}, {"lightgrey", 0xd3d3d3}};
    char text[40], parts[3][7];
    int used = 0;
    if (!strchr("#rbwgl", *s.at)) /* as all of them begin */
        return 0;
    snprintf(text, sizeof text, "%.*s", (int)(s.length < sizeof text ? s.length : sizeof text), s.at);
    if (sscanf(text, "#%6[0-9a-fA-F]%n", parts[0], &used) == 1 && used == 7) {
        *rgb = strtoul(parts[0], NULL, 16);
        return 7;
    }
    used = 0;
    if (sscanf(text, "rgb( %3[0-9] , %3[0-9] , %3[0-9] )%n", parts[0], parts[1], parts[2], &used) == 3 &&
        used) {
        unsigned long most = 0;
        *rgb = 0;
        for (int i = 0; i < 3; i++) {
            unsigned long part = strtoul(parts[i], NULL, 10);
            most = part > most ? part : most;
            *rgb = *rgb << 8 | part;
        }
        return most > 255 ? 0 : (size_t)used;
    }
    for (size_t i = 0; i < sizeof words / sizeof *words && !is_name_character(before); i++) {
        size_t length = strlen(words[i].word);
        *rgb = words[i].rgb;
        if (strncmp(text, words[i].word, length) == 0 && (!text[length] || !is_name_character(text[length])))
            return length;
    }
    return 0;
}

/* Attributes whose values are colours, or hold some. */
static const char *const paints[] = {"fill", "stroke", "color", "flood-color", "stop-color", "style", NULL};

/* --- attributes --------------------------------------------------------------------------------------- */

static void put_quoted_character(reader *r, char c)
{
    const char *entity = c == '"' ? "&quot;" : c == '>' ? "&gt;" : NULL;
    text_add(r->out, entity ? entity : &c, entity ? strlen(entity) : 1);
}

static void put_plain(reader *r, slice value)
{
    for (size_t i = 0; i < value.length; i++)
        put_quoted_character(r, value.at[i]);
}

/* Colours and references are rewritten wherever they stand in the value. */
static void put_value(reader *r, slice value, bool paint)
{
    for (size_t i = 0; i < value.length;) {
        slice rest = {value.at + i, value.length - i};
        unsigned long rgb;
        size_t used = paint ? read_colour(rest, i ? value.at[i - 1] : ' ', &rgb) : 0;
        if (used) {
            text_printf(r->out, "var(--c%06lx,#%06lx)", rgb, rgb);
        } else if (rest.length > 5 && memcmp(rest.at, "url(#", 5) == 0) {
            text_printf(r->out, "url(#%s", r->words->prefix);
            used = 5;
        } else {
            put_quoted_character(r, *rest.at);
            used = 1;
        }
        i += used;
    }
}

static roof_status put_reference(reader *r, const attribute *a)
{
    if (a->value.length < 2 || a->value.at[0] != '#')
        return fail(r, "a reference to something else than the picture itself,", a->value);
    text_printf(r->out, " href=\"#%s", r->words->prefix);
    put_plain(r, (slice){a->value.at + 1, a->value.length - 1});
    text_puts(r->out, "\"");
    return ROOF_OK;
}

static roof_status put_attribute(reader *r, const attribute *a)
{
    if (a->name.length > 2 && strncasecmp(a->name.at, "on", 2) == 0)
        return fail(r, "an attribute that runs something,", a->name);
    if (is(a->name, "xlink:href") || is(a->name, "href"))
        return put_reference(r, a);
    if (is_unsafe(a->value))
        return fail(r, "an attribute that fetches something,", a->value);
    text_puts(r->out, " ");
    put(r, a->name);
    text_puts(r->out, "=\"");
    if (is(a->name, "id"))
        text_puts(r->out, r->words->prefix);
    put_value(r, a->value, is_one_of(a->name, paints));
    text_puts(r->out, "\"");
    return ROOF_OK;
}

static void skip_blanks(reader *r)
{
    while (r->at < r->length && strchr(" \t\r\n", r->text[r->at]) && r->text[r->at])
        r->at++;
}

static slice read_name(reader *r)
{
    size_t begin = r->at;
    while (r->at < r->length && r->text[r->at] && is_name_character(r->text[r->at]))
        r->at++;
    return (slice){r->text + begin, r->at - begin};
}

/* NAME = 'VALUE' or "VALUE", with blanks wherever XML allows them. */
static roof_status read_attribute(reader *r, attribute *a)
{
    a->name = read_name(r);
    skip_blanks(r);
    if (!a->name.length || r->at >= r->length || r->text[r->at] != '=')
        return fail(r, "an attribute without a value,", a->name);
    r->at++;
    skip_blanks(r);
    char quote = r->at < r->length ? r->text[r->at] : '\0';
    if (quote != '"' && quote != '\'')
        return fail(r, "an attribute without quotes,", a->name);
    const char *begin = r->text + r->at + 1, *end = memchr(begin, quote, r->length - r->at - 1);
    if (!end)
        return fail_cut(r);
    a->value = (slice){begin, (size_t)(end - begin)};
    r->at += a->value.length + 2;
    skip_blanks(r);
    return ROOF_OK;
}

/* --- tags --------------------------------------------------------------------------------------------- */

static const attribute *find(const attribute *a, size_t n, const char *name)
{
    for (size_t i = 0; i < n; i++)
        if (is(a[i].name, name))
            return &a[i];
    return NULL;
}

static void put_root_words(reader *r)
{
    const svg_words *w = r->words;
    text_printf(r->out,
                " role=\"img\" aria-labelledby=\"%stitle\" aria-describedby=\"%sdesc\">"
                "<title id=\"%stitle\">",
                w->prefix, w->prefix, w->prefix);
    html_between_tags(r->out, "", w->title, "</title>");
    text_printf(r->out, "<desc id=\"%sdesc\">", w->prefix);
    html_between_tags(r->out, "", w->description, "</desc>");
}

/* Without a viewBox the picture could not be scaled. */
static void put_view_box(reader *r, const attribute *a, size_t n)
{
    const attribute *width = find(a, n, "width"), *height = find(a, n, "height");
    if (find(a, n, "viewBox") || !width || !height)
        return;
    text_puts(r->out, " viewBox=\"0 0 ");
    put_plain(r, width->value);
    text_puts(r->out, " ");
    put_plain(r, height->value);
    text_puts(r->out, "\"");
}

static roof_status put_tag(reader *r, slice name, const attribute *a, size_t n, bool is_empty)
{
    bool is_root = !r->has_root;
    if (is_root != is(name, "svg") || !is_one_of(name, drawing))
        return fail(r, is_root ? "not a picture but an element" : "an element that no chart has,", name);
    r->has_root = true;
    text_puts(r->out, "<");
    put(r, name);
    if (is_root)
        put_view_box(r, a, n);
    for (size_t i = 0; i < n; i++)
        if (!is_root || !is_one_of(a[i].name, of_the_page))
            TRY(put_attribute(r, &a[i]));
    if (is_root && !is_empty)
        put_root_words(r);
    else
        text_puts(r->out, is_empty ? "/>" : ">");
    r->is_done = is_root && is_empty;
    return ROOF_OK;
}

/* Goes on behind a text. */
static roof_status skip_to(reader *r, const char *end)
{
    const char *found = memmem(r->text + r->at, r->length - r->at, end, strlen(end));
    if (!found)
        return fail_cut(r);
    r->at = (size_t)(found - r->text) + strlen(end);
    return ROOF_OK;
}

/* The end of a tag. */
static roof_status take_end(reader *r)
{
    if (r->at >= r->length || r->text[r->at] != '>')
        return fail_cut(r);
    r->at++;
    return ROOF_OK;
}

static roof_status read_open_tag(reader *r)
{
    attribute attributes[MOST_ATTRIBUTES];
    size_t n = 0;
    slice name = read_name(r);
    skip_blanks(r);
    while (r->at < r->length && !strchr("/>", r->text[r->at])) {
        if (n == MOST_ATTRIBUTES)
            return fail(r, "too many attributes in", name);
        TRY(read_attribute(r, &attributes[n++]));
    }
    bool is_empty = r->at < r->length && r->text[r->at] == '/';
    r->at += is_empty;
    TRY(take_end(r));
    if (is_one_of(name, left_out)) {
        char end[32];
        snprintf(end, sizeof end, "</%.*s", (int)name.length, name.at);
        TRY(is_empty ? ROOF_OK : skip_to(r, end));
        return is_empty ? ROOF_OK : skip_to(r, ">");
    }
    size_t begin = r->out->length;
    TRY(put_tag(r, name, attributes, n, is_empty));
    if (is_empty)
        return ROOF_OK;
    if (r->depth == DEEPEST)
        return error_at(r->err, ROOF_E_LIMIT, r->at, "tags are nested deeper than %d", DEEPEST);
    r->begins[r->depth] = begin;
    r->contents[r->depth] = r->out->length;
    r->open[r->depth++] = name;
    return ROOF_OK;
}

/* gnuplot opens a group for each change of colour, and most stay empty. */
static bool is_empty_group(const reader *r, slice name)
{
    if (!is(name, "g") || r->out->failed || !r->depth)
        return false;
    for (size_t i = r->contents[r->depth]; i < r->out->length; i++)
        if (!strchr(" \t\r\n", r->out->bytes[i]))
            return false;
    return true;
}

static roof_status read_close_tag(reader *r)
{
    slice name = read_name(r);
    skip_blanks(r);
    TRY(take_end(r));
    if (!r->depth || r->open[r->depth - 1].length != name.length ||
        memcmp(r->open[r->depth - 1].at, name.at, name.length) != 0)
        return fail(r, "an end of an element that is not open,", name);
    r->depth--;
    if (is_empty_group(r, name)) {
        r->out->length = r->begins[r->depth];
        return ROOF_OK;
    }
    text_puts(r->out, "</");
    put(r, name);
    text_puts(r->out, ">");
    r->is_done = !r->depth;
    return ROOF_OK;
}

/* What is not drawn is skipped: comments, prolog, document type. */
static roof_status read_tag(reader *r)
{
    size_t left = r->length - r->at;
    const char *at = r->text + r->at;
    if (left >= 3 && memcmp(at, "!--", 3) == 0)
        return skip_to(r, "-->");
    if (left && *at == '?')
        return skip_to(r, "?>");
    if (left >= 8 && memcmp(at, "!DOCTYPE", 8) == 0 && !r->has_root)
        return skip_to(r, ">");
    if (left && *at == '/') {
        r->at++;
        return read_close_tag(r);
    }
    return read_open_tag(r);
}

static roof_status read_all(reader *r)
{
    while (r->at < r->length && !r->is_done) {
        const char *begin = r->text + r->at, *tag = memchr(begin, '<', r->length - r->at);
        size_t run = tag ? (size_t)(tag - begin) : r->length - r->at;
        if (r->depth)
            put(r, (slice){begin, run}); /* without '<' it is text, and gnuplot has escaped its '&' */
        r->at += run;
        if (!tag)
            break;
        r->at++;
        TRY(read_tag(r));
    }
    return r->is_done ? text_status(r->out, r->err)
                      : error_at(r->err, ROOF_E_DATA, r->at, "the picture is not complete");
}

roof_status svg_inline(const char *svg, size_t length, const svg_words *words, textbuf *out, roof_error *err)
{
    reader r = {.text = svg, .length = length, .words = words, .out = out, .err = err};
    size_t before = out->length;
    roof_status status = read_all(&r);
    if (status != ROOF_OK && !out->failed) {
        out->length = before;
        if (out->bytes)
            out->bytes[before] = '\0';
    }
    return status;
}
