#include "reports/words/html.h"

#include <ctype.h>

enum { DEEPEST = 64, MOST_ATTRIBUTES = 32 };

typedef struct open_tag {
    text_span name;
    size_t begin, content; /* where in out it begins, and what is in it */
} open_tag;

typedef struct reader {
    const char *svg;
    text_span rest; /* of it */
    const svg_words *words;
    textbuf *out;
    open_tag open[DEEPEST];
    size_t depth;
    text_span width, height; /* of the root */
    bool has_root, has_view_box, is_done;
    roof_error *err;
} reader;

static size_t place(const reader *r)
{
    return (size_t)(r->rest.text - r->svg);
}

static roof_status fail(const reader *r, const char *what, text_span about)
{
    return error_at(r->err, ROOF_E_DATA, place(r), "%s '%s'", what, SHOWN(about));
}

static roof_status fail_cut(const reader *r)
{
    return error_at(r->err, ROOF_E_DATA, place(r), "the picture ends within a tag");
}

/* --- what may pass ------------------------------------------------------------------------------------ */

/* Elements that draw. */
static const char *const drawing[] = {
    "svg",           "g",        "defs",    "path",        "circle",         "rect",
    "polygon",       "polyline", "line",    "ellipse",     "text",           "tspan",
    "use",           "filter",   "feFlood", "feComposite", "feMerge",        "feMergeNode",
    "feColorMatrix", "feBlend",  "pattern", "clipPath",    "linearGradient", "stop"};

/* Elements that are left out with all that is in them. */
static const char *const left_out[] = {"title", "desc", "metadata"};

/* Attributes of the root that the page decides. */
static const char *const of_the_page[] = {"width", "height", "xmlns", "xmlns:xlink", "version"};

/* A value that would run or fetch something. Output of gnuplot has no reference but url(#...). */
static bool is_unsafe(text_span value)
{
    static const char *const words[] = {
        "script:", "expression", "@import", "data:", "http:", "https:", "<", "\\", "/*", "url("};
    for (size_t at = 0; at < value.length; at++)
        for (size_t i = 0; i < N_OF(words); i++) {
            const char *word = words[i], *here = value.text + at;
            if ((*here | 32) != (*word | 32)) /* the first letter, in either case */
                continue;
            size_t length = strlen(word), end = at + length;
            bool found = end <= value.length && strncasecmp(here, word, length) == 0;
            if (found && (word[length - 1] != '(' || end == value.length || value.text[end] != '#'))
                return true;
        }
    return false;
}

static bool is_name_character(char c)
{
    return isalnum((unsigned char)c) || (c && strchr("-_:.", c));
}

static bool is_blank(char c)
{
    return c && strchr(" \t\r\n", c);
}

/* --- colours ------------------------------------------------------------------------------------------ */

/* "#0b5394", "rgb( 11,  83, 148)", words of gnuplot for colours. Returns the length, or 0. */
static size_t read_colour(text_span s, char before, unsigned long *rgb)
{
    static const struct {
        const char *word;
        unsigned long rgb;
    } words[] = {{"black", 0x000000}, {"white", 0xffffff}, {"gray", 0x808080}, {"lightgrey", 0xd3d3d3}};
    char text[40], hex[7];
    unsigned long parts[3];
    int used = 0;
    if (!strchr("#rbwgl", *s.text)) /* as all of them begin */
        return 0;
    snprintf(text, sizeof text, "%.*s", (int)(s.length < sizeof text ? s.length : sizeof text), s.text);
    if (sscanf(text, "#%6[0-9a-fA-F]%n", hex, &used) == 1 && used == 7) {
        *rgb = strtoul(hex, NULL, 16);
        return 7;
    }
    used = 0;
    /* NOLINTNEXTLINE(cert-err34-c): three digits fit */
    int n = sscanf(text, "rgb( %3lu , %3lu , %3lu )%n", parts, parts + 1, parts + 2, &used);
    if (n == 3 && used) {
        *rgb = parts[0] << 16 | parts[1] << 8 | parts[2];
        return parts[0] > 255 || parts[1] > 255 || parts[2] > 255 ? 0 : (size_t)used;
    }
    for (size_t i = 0; i < N_OF(words) && !is_name_character(before); i++) {
        size_t length = strlen(words[i].word);
        *rgb = words[i].rgb;
        if (strncmp(text, words[i].word, length) == 0 && (!text[length] || !is_name_character(text[length])))
            return length;
    }
    return 0;
}

/* Attributes whose values are colours, or hold some. */
static const char *const paints[] = {"fill", "stroke", "color", "flood-color", "stop-color", "style"};

/* --- attributes --------------------------------------------------------------------------------------- */

/* Colours and references are rewritten wherever they stand in the value. */
static void put_value(reader *r, text_span value, bool paint)
{
    for (char before = ' '; value.length;) {
        unsigned long rgb;
        size_t used = paint ? read_colour(value, before, &rgb) : 0;
        if (used) {
            text_printf(r->out, "var(--c%06lx,#%06lx)", rgb, rgb);
        } else if (value.length > 5 && span_begins(value, "url(#")) {
            text_printf(r->out, "url(#%s", r->words->prefix);
            used = 5;
        } else {
            const char *entity = *value.text == '"' ? "&quot;" : *value.text == '>' ? "&gt;" : NULL;
            text_add(r->out, entity ? entity : value.text, entity ? strlen(entity) : 1);
            used = 1;
        }
        before = value.text[used - 1];
        value = (text_span){value.text + used, value.length - used};
    }
}

static roof_status put_attribute(reader *r, text_span name, text_span value)
{
    bool is_reference = span_is(name, "xlink:href") || span_is(name, "href"),
         paint = SPAN_IS_ONE_OF(paints, name);
    if (name.length > 2 && strncasecmp(name.text, "on", 2) == 0)
        return fail(r, "an attribute that runs something,", name);
    if (is_reference && (value.length < 2 || !span_skip(&value, "#")))
        return fail(r, "a reference to something else than the picture itself,", value);
    if (!is_reference && is_unsafe(value))
        return fail(r, "an attribute that fetches something,", value);
    name = is_reference ? span_of("href") : name;
    text_puts(r->out, " ");
    text_add(r->out, name.text, name.length);
    text_puts(r->out, is_reference ? "=\"#" : "=\"");
    text_puts(r->out, is_reference || span_is(name, "id") ? r->words->prefix : "");
    put_value(r, value, paint);
    text_puts(r->out, "\"");
    return ROOF_OK;
}

/* Takes the wanted characters at the beginning of the rest. */
static text_span take(reader *r, bool (*wanted)(char c))
{
    text_span taken = {r->rest.text, 0};
    while (r->rest.length && wanted(*r->rest.text)) {
        taken.length++;
        r->rest.text++;
        r->rest.length--;
    }
    return taken;
}

/* NAME = 'VALUE' or "VALUE", with blanks wherever XML allows them. */
static roof_status read_attribute(reader *r, text_span *name, text_span *value)
{
    *name = take(r, is_name_character);
    take(r, is_blank);
    if (!name->length || !span_skip(&r->rest, "="))
        return fail(r, "an attribute without a value,", *name);
    take(r, is_blank);
    const char *quote = span_skip(&r->rest, "\"") ? "\"" : span_skip(&r->rest, "'") ? "'" : NULL;
    if (!quote)
        return fail(r, "an attribute without quotes,", *name);
    if (!span_has(r->rest, quote))
        return fail_cut(r);
    *value = span_take_until(&r->rest, quote);
    take(r, is_blank);
    return ROOF_OK;
}

/* --- tags --------------------------------------------------------------------------------------------- */

static roof_status copy_attributes(reader *r, text_span tag)
{
    take(r, is_blank);
    for (size_t n = 0; r->rest.length && !strchr("/>", *r->rest.text); n++) {
        text_span name, value;
        if (n == MOST_ATTRIBUTES)
            return fail(r, "too many attributes in", tag);
        TRY(read_attribute(r, &name, &value));
        if (r->has_root || !SPAN_IS_ONE_OF(of_the_page, name))
            TRY(put_attribute(r, name, value));
        if (!r->has_root && span_is(name, "width"))
            r->width = value;
        if (!r->has_root && span_is(name, "height"))
            r->height = value;
        r->has_view_box = r->has_view_box || span_is(name, "viewBox");
    }
    return ROOF_OK;
}

static roof_status skip_past(reader *r, const char *end)
{
    return span_skip_past(&r->rest, end) ? ROOF_OK : fail_cut(r);
}

/* Output of an element that may not pass is taken back with all of the picture. */
static roof_status read_open_tag(reader *r)
{
    bool is_root = !r->has_root;
    open_tag tag = {.name = take(r, is_name_character), .begin = r->out->length};
    if (SPAN_IS_ONE_OF(left_out, tag.name)) {
        char end[32];
        snprintf(end, sizeof end, "</%.*s", (int)tag.name.length, tag.name.text);
        TRY(skip_past(r, ">"));
        if (r->rest.text[-2] == '/')
            return ROOF_OK;
        TRY(skip_past(r, end));
        return skip_past(r, ">");
    }
    text_puts(r->out, "<");
    text_add(r->out, tag.name.text, tag.name.length);
    TRY(copy_attributes(r, tag.name));
    bool is_empty = span_skip(&r->rest, "/");
    if (!span_skip(&r->rest, ">"))
        return fail_cut(r);
    if (is_root != span_is(tag.name, "svg") || !SPAN_IS_ONE_OF(drawing, tag.name))
        return fail(r, is_root ? "not a picture but an element" : "an element that no chart has,", tag.name);
    /* Without a viewBox the picture could not be scaled. */
    if (is_root && !r->has_view_box && r->width.text && r->height.text) {
        text_puts(r->out, " viewBox=\"0 0 ");
        put_value(r, r->width, false);
        text_puts(r->out, " ");
        put_value(r, r->height, false);
        text_puts(r->out, "\"");
    }
    if (is_root && !is_empty) {
        const svg_words *w = r->words;
        html_printf(r->out,
                    " role=\"img\" aria-labelledby=\"%stitle\" aria-describedby=\"%sdesc\">"
                    "<title id=\"%stitle\">%s</title><desc id=\"%sdesc\">%s</desc>",
                    w->prefix, w->prefix, w->prefix, w->title, w->prefix, w->description);
    } else {
        text_puts(r->out, is_empty ? "/>" : ">");
    }
    r->has_root = true;
    r->is_done = is_root && is_empty;
    if (is_empty)
        return ROOF_OK;
    if (r->depth == DEEPEST)
        return error_at(r->err, ROOF_E_LIMIT, place(r), "tags are nested deeper than %d", DEEPEST);
    tag.content = r->out->length;
    r->open[r->depth++] = tag;
    return ROOF_OK;
}

static roof_status read_close_tag(reader *r)
{
    text_span name = take(r, is_name_character);
    const open_tag *tag = &r->open[r->depth ? r->depth - 1 : 0];
    take(r, is_blank);
    if (!span_skip(&r->rest, ">"))
        return fail_cut(r);
    if (!r->depth || tag->name.length != name.length || memcmp(tag->name.text, name.text, name.length) != 0)
        return fail(r, "an end of an element that is not open,", name);
    r->depth--;
    /* gnuplot opens a group for each change of colour, and most stay empty. */
    bool is_empty = span_is(tag->name, "g") && !r->out->failed && r->depth;
    for (size_t i = tag->content; is_empty && i < r->out->length; i++)
        is_empty = is_blank(r->out->bytes[i]);
    if (is_empty) {
        r->out->length = tag->begin;
        return ROOF_OK;
    }
    text_puts(r->out, "</");
    text_add(r->out, name.text, name.length);
    text_puts(r->out, ">");
    r->is_done = !r->depth;
    return ROOF_OK;
}

/* Skips comments, prolog and document type, which are not drawn. */
static roof_status read_tag(reader *r)
{
    if (span_skip(&r->rest, "!--"))
        return skip_past(r, "-->");
    if (span_skip(&r->rest, "?"))
        return skip_past(r, "?>");
    if (!r->has_root && span_skip(&r->rest, "!DOCTYPE"))
        return skip_past(r, ">");
    return span_skip(&r->rest, "/") ? read_close_tag(r) : read_open_tag(r);
}

roof_status svg_inline(const char *svg, size_t length, const svg_words *words, textbuf *out, roof_error *err)
{
    reader r = {.svg = svg, .rest = {svg, length}, .words = words, .out = out, .err = err};
    size_t before = out->length;
    roof_status status = ROOF_OK;
    while (r.rest.length && !r.is_done && status == ROOF_OK) {
        bool has_tag = span_has(r.rest, "<");
        text_span run = span_take_until(&r.rest, "<");
        if (r.depth)
            text_add(out, run.text, run.length); /* it is text, and gnuplot has escaped its '&' */
        if (has_tag)
            status = read_tag(&r);
    }
    if (status == ROOF_OK)
        status = r.is_done ? text_status(out, err)
                           : error_at(err, ROOF_E_DATA, place(&r), "the picture is not complete");
    if (status != ROOF_OK && !out->failed) {
        out->length = before;
        if (out->bytes)
            out->bytes[before] = '\0';
    }
    return status;
}
