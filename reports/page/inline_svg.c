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

typedef struct reader {
    const char *text;
    size_t length, at;
    const svg_words *words;
    textbuf *out;
    slice open[DEEPEST];      /* names of the tags that are open */
    size_t begins[DEEPEST];   /* where each begins in out */
    size_t contents[DEEPEST]; /* and what is in it */
    size_t depth;
    slice width, height; /* of the root */
    bool has_root, has_view_box, is_done;
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
    char text[40], hex[7];
    unsigned long parts[3];
    int used = 0;
    if (!strchr("#rbwgl", *s.at)) /* as all of them begin */
        return 0;
    snprintf(text, sizeof text, "%.*s", (int)(s.length < sizeof text ? s.length : sizeof text), s.at);
    if (sscanf(text, "#%6[0-9a-fA-F]%n", hex, &used) == 1 && used == 7) {
        *rgb = strtoul(hex, NULL, 16);
        return 7;
    }
    used = 0;
    if (sscanf(text, "rgb( %3lu , %3lu , %3lu )%n", &parts[0], &parts[1], &parts[2], &used) == 3 && used) {
        *rgb = parts[0] << 16 | parts[1] << 8 | parts[2];
        return parts[0] > 255 || parts[1] > 255 || parts[2] > 255 ? 0 : (size_t)used;
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
            const char *entity = *rest.at == '"' ? "&quot;" : *rest.at == '>' ? "&gt;" : NULL;
            text_add(r->out, entity ? entity : rest.at, entity ? strlen(entity) : 1);
            used = 1;
        }
        i += used;
    }
}

static roof_status put_attribute(reader *r, slice name, slice value)
{
    bool is_reference = is(name, "xlink:href") || is(name, "href");
    if (name.length > 2 && strncasecmp(name.at, "on", 2) == 0)
        return fail(r, "an attribute that runs something,", name);
    if (is_reference && (value.length < 2 || value.at[0] != '#'))
        return fail(r, "a reference to something else than the picture itself,", value);
    if (!is_reference && is_unsafe(value))
        return fail(r, "an attribute that fetches something,", value);
    text_puts(r->out, " ");
    put(r, is_reference ? (slice){"href", 4} : name);
    text_puts(r->out, is_reference ? "=\"#" : "=\"");
    if (is_reference || is(name, "id"))
        text_puts(r->out, r->words->prefix);
    put_value(r, (slice){value.at + is_reference, value.length - is_reference}, is_one_of(name, paints));
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
static roof_status read_attribute(reader *r, slice *name, slice *value)
{
    *name = read_name(r);
    skip_blanks(r);
    if (!name->length || r->at >= r->length || r->text[r->at] != '=')
        return fail(r, "an attribute without a value,", *name);
    r->at++;
    skip_blanks(r);
    char quote = r->at < r->length ? r->text[r->at] : '\0';
    if (quote != '"' && quote != '\'')
        return fail(r, "an attribute without quotes,", *name);
    const char *begin = r->text + r->at + 1, *end = memchr(begin, quote, r->length - r->at - 1);
    if (!end)
        return fail_cut(r);
    *value = (slice){begin, (size_t)(end - begin)};
    r->at += value->length + 2;
    skip_blanks(r);
    return ROOF_OK;
}

/* --- tags --------------------------------------------------------------------------------------------- */

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
static void put_view_box(reader *r)
{
    if (r->has_view_box || !r->width.at || !r->height.at)
        return;
    text_puts(r->out, " viewBox=\"0 0 ");
    put_value(r, r->width, false);
    text_puts(r->out, " ");
    put_value(r, r->height, false);
    text_puts(r->out, "\"");
}

static roof_status copy_attributes(reader *r, slice tag)
{
    skip_blanks(r);
    for (size_t n = 0; r->at < r->length && !strchr("/>", r->text[r->at]); n++) {
        slice name, value;
        if (n == MOST_ATTRIBUTES)
            return fail(r, "too many attributes in", tag);
        TRY(read_attribute(r, &name, &value));
        if (r->has_root || !is_one_of(name, of_the_page))
            TRY(put_attribute(r, name, value));
        if (!r->has_root && is(name, "width"))
            r->width = value;
        if (!r->has_root && is(name, "height"))
            r->height = value;
        r->has_view_box = r->has_view_box || is(name, "viewBox");
    }
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

static roof_status skip_element(reader *r, slice name)
{
    char end[32];
    snprintf(end, sizeof end, "</%.*s", (int)name.length, name.at);
    TRY(skip_to(r, ">"));
    if (r->text[r->at - 2] == '/')
        return ROOF_OK;
    TRY(skip_to(r, end));
    return skip_to(r, ">");
}

/* What was written of an element that may not pass is taken back with all of the picture. */
static roof_status read_open_tag(reader *r)
{
    bool is_root = !r->has_root;
    size_t begin = r->out->length;
    slice name = read_name(r);
    if (is_one_of(name, left_out))
        return skip_element(r, name);
    text_puts(r->out, "<");
    put(r, name);
    TRY(copy_attributes(r, name));
    bool is_empty = r->at < r->length && r->text[r->at] == '/';
    r->at += is_empty;
    TRY(take_end(r));
    if (is_root != is(name, "svg") || !is_one_of(name, drawing))
        return fail(r, is_root ? "not a picture but an element" : "an element that no chart has,", name);
    if (is_root)
        put_view_box(r);
    if (is_root && !is_empty)
        put_root_words(r);
    else
        text_puts(r->out, is_empty ? "/>" : ">");
    r->has_root = true;
    r->is_done = is_root && is_empty;
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
