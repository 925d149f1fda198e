/* Checks as JUnit XML: a suite for each model, a case for each check. There is no standard, so this is what
 * all readers take: Jenkins (junit-plugin, and xunit-plugin's junit-10.xsd, the strictest: no properties in
 * cases, suite times of three decimals), GitLab, and the actions of GitHub. A message is an attribute and the
 * text; names of cases are unique; the exit code has the verdict. */
#include "reports/words/say.h"
#include "reports/renderers/renderer.h"

static void put_text(textbuf *out, const char *text)
{
    static const char *const references[128] = {
        ['&'] = "&amp;", ['<'] = "&lt;", ['>'] = "&gt;", ['"'] = "&quot;"};
    text_escaped(out, text, strlen(text), references);
}

static void put_attribute(textbuf *out, const char *name, const char *value)
{
    text_printf(out, " %s=\"", name);
    put_text(out, value);
    text_puts(out, "\"");
}

static void put_counts(textbuf *out, const uint32_t counts[ROOF_HELD_KINDS])
{
    uint32_t failures = counts[ROOF_HELD_BROKEN] + counts[ROOF_HELD_NOT_KNOWN];
    uint32_t all = failures + counts[ROOF_HELD_KEPT] + counts[ROOF_HELD_SKIPPED];
    text_printf(out, " tests=\"%u\" failures=\"%u\" errors=\"0\"", all, failures);
}

static void put_case(const rendering *r, const char *suite, const roof_check *c)
{
    char seconds[40];
    bool is_known = !isnan(c->found), is_time = c->unit[0] == 's' && is_known;
    number_format_fixed(seconds, sizeof seconds, is_time ? c->found : 0, 6, false);
    text_puts(r->out, "    <testcase");
    put_attribute(r->out, "classname", suite);
    put_attribute(r->out, "name",
                  say_printf(r->arena, "%s %s %s", c->name,
                             c->is_least ? ">=" : "<=", check_value(r->arena, c, c->limit)));
    put_attribute(r->out, "time", seconds);
    const char *tag = c->state == ROOF_HELD_KEPT      ? "system-out"
                      : c->state == ROOF_HELD_SKIPPED ? "skipped"
                                                      : "failure",
               *unknown = c->state == ROOF_HELD_BROKEN || c->state == ROOF_HELD_KEPT ? "" : "not known: ",
               *message = is_known ? say_printf(r->arena, "%sfound %s (%s)", unknown,
                                                check_found(r->arena, c), c->why)
                                   : say_printf(r->arena, "%s%s", unknown, c->why);
    text_printf(r->out, ">\n      <%s", tag);
    if (c->state == ROOF_HELD_BROKEN || c->state == ROOF_HELD_NOT_KNOWN)
        put_attribute(r->out, "type", roof_held_text(c->state));
    if (c->state != ROOF_HELD_KEPT)
        put_attribute(r->out, "message", message);
    text_puts(r->out, ">");
    put_text(r->out, message);
    text_printf(r->out, "</%s>\n    </testcase>\n", tag);
}

static void put_checks(const rendering *r)
{
    text_puts(r->out, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites name=\"roofline check\"");
    put_counts(r->out, r->checks->counts);
    text_puts(r->out, " time=\"0.000\">\n");
    const roof_check *items = r->checks->items;
    for (uint32_t first = 0, end; first < r->checks->n; first = end) { /* all of the same model */
        uint32_t counts[ROOF_HELD_KINDS] = {0};
        const char *suite = say_printf(r->arena, "roofline.%s", items[first].model);
        for (end = first; end < r->checks->n && strcmp(items[end].model, items[first].model) == 0; end++)
            counts[items[end].state]++;
        text_puts(r->out, "  <testsuite");
        put_attribute(r->out, "name", suite);
        put_counts(r->out, counts);
        text_printf(r->out, " skipped=\"%u\" time=\"0.000\">\n", counts[ROOF_HELD_SKIPPED]);
        for (uint32_t i = first; i < end; i++)
            put_case(r, suite, &items[i]);
        text_puts(r->out, "  </testsuite>\n");
    }
    text_puts(r->out, "</testsuites>\n");
}

const renderer_def renderer_junit = {.id = "junit", .own = {{put_checks, ROOF_DOCUMENT_CHECKS}}};
