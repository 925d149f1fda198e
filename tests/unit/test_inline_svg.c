/* gnuplot's pictures as a part of a page: what is rewritten, what is left out, what is refused. */
#include "reports/words/html.h"
#include "core/arena.h"
#include "reports/embedded.h"
#include "tests/unit/html_fixture.h"

static const svg_words words = {"f1-", "a <title> & more", "how \"to\" read it"};

#define HEAD                                                                                                 \
    "<?xml version=\"1.0\" encoding=\"utf-8\"  standalone=\"no\"?>\n<svg \n width=\"600\" height=\"480\"\n " \
    "viewBox=\"0 0 600 480\"\n xmlns=\"http://www.w3.org/2000/svg\"\n "                                      \
    "xmlns:xlink=\"http://www.w3.org/1999/xlink\"\n>\n"                                                      \
    "<title>Gnuplot</title>\n<desc>Produced by GNUPLOT 5.4 patchlevel 4 </desc>\n"
#define ROOT                                                                                                 \
    "<svg viewBox=\"0 0 600 480\" role=\"img\" aria-labelledby=\"f1-title\" aria-describedby=\"f1-desc\">"   \
    "<title id=\"f1-title\">a &lt;title&gt; &amp; more</title>"                                              \
    "<desc id=\"f1-desc\">how &quot;to&quot; read it</desc>"

static roof_status inlined(const char *svg, textbuf *out, roof_error *err)
{
    size_t length = strlen(svg);
    char *exact = malloc(length + (length == 0)); /* so that a read behind its end is seen */
    assert_non_null(exact);
    memcpy(exact, svg, length);
    text_init(out, TEXT_MAX_BYTES);
    roof_status status = svg_inline(exact, length, &words, out, err);
    free(exact);
    return status;
}

/* Without line breaks between the tags, which mean nothing. */
static void squeeze(char *text)
{
    char *to = text;
    for (const char *from = text; *from; from++)
        if (*from != '\n' && *from != '\t')
            *to++ = *from;
    *to = '\0';
}

typedef struct rewriting {
    const char *body, *want;
} rewriting;

static const rewriting rewritings[] = {
    {"", ""},
    {"<rect x=\"0\" fill=\"#ffffff\"/>", "<rect x=\"0\" fill=\"var(--cffffff,#ffffff)\"/>"},
    {"<rect fill='#0B5394' />", "<rect fill=\"var(--c0b5394,#0b5394)\"/>"},
    {"<path stroke='rgb( 11,  83, 148)'  d='M1,2 L3,4 '/>",
     "<path stroke=\"var(--c0b5394,#0b5394)\" d=\"M1,2 L3,4 \"/>"},
    {"<path style='fill:none; stroke:rgb(11,83,148)'/>",
     "<path style=\"fill:none; stroke:var(--c0b5394,#0b5394)\"/>"},
    {"<g color=\"black\" stroke=\"currentColor\"><path/></g>",
     "<g color=\"var(--c000000,#000000)\" stroke=\"currentColor\"><path/></g>"},
    {"<text fill=\"none\" class=\"black\">black #ffffff</text>",
     "<text fill=\"none\" class=\"black\">black #ffffff</text>"},
    {"<path stroke='blackish rgb(1,2) rgb(300,0,0) #12345'/>",
     "<path stroke=\"blackish rgb(1,2) rgb(300,0,0) #12345\"/>"},
    {"<circle id='gpDot'/><use xlink:href='#gpDot' id=\"a\"/>",
     "<circle id=\"f1-gpDot\"/><use href=\"#f1-gpDot\" id=\"f1-a\"/>"},
    {"<polygon  fill = 'url(#gpPat1)' points = '1,2 3,4 '/>",
     "<polygon fill=\"url(#f1-gpPat1)\" points=\"1,2 3,4 \"/>"},
    {"<g filter='url(#textbox)'><text>a</text></g>", "<g filter=\"url(#f1-textbox)\"><text>a</text></g>"},
    {"<g id=\"gnuplot_plot_1a\" ><title>gnuplot_plot_1a</title><path/></g>",
     "<g id=\"f1-gnuplot_plot_1a\"><path/></g>"},
    {"<g fill=\"none\">\n</g><g><g> </g></g>", ""}, /* groups with nothing in them */
    {"<text>a&lt;b> \"c\"</text>", "<text>a&lt;b> \"c\"</text>"},
    {"<!-- a comment <script> --><path/>", "<path/>"},
    {"<path d='\"><b>'/>", NULL}, /* no '<' in a value */
    {"<path d='\">b'/>", "<path d=\"&quot;&gt;b\"/>"},
    {"<metadata><x><y/></x></metadata><title/>", ""},
};

static void pictures_are_rewritten(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT(rewritings); i++) {
        char svg[2000], want[2000];
        textbuf out;
        roof_error err = {0};
        snprintf(svg, sizeof svg, HEAD "%s\n</svg>\n", rewritings[i].body);
        roof_status status = inlined(svg, &out, &err);
        if (!rewritings[i].want) {
            assert_int_equal(status, ROOF_E_DATA);
            text_free(&out);
            continue;
        }
        if (status != ROOF_OK)
            fail_msg("%s: %s", rewritings[i].body, fx_message(&err));
        snprintf(want, sizeof want, ROOT "%s</svg>", rewritings[i].want);
        squeeze(out.bytes);
        assert_string_equal(out.bytes, want);
        html_check_balanced(out.bytes);
        text_free(&out);
    }
}

static void a_picture_without_view_box_can_be_scaled(void **state)
{
    textbuf out;
    roof_error err = {0};
    (void)state;
    assert_int_equal(inlined("<svg width='300' height='20'><path/></svg>", &out, &err), ROOF_OK);
    assert_non_null(strstr(out.bytes, "<svg viewBox=\"0 0 300 20\" role"));
    text_free(&out);
}

typedef struct refusal {
    const char *svg, *want;
} refusal;

static const refusal refusals[] = {
    {"", "the picture is not complete"},
    {"gnuplot: cannot", "the picture is not complete"},
    {"<svg>", "the picture is not complete"},
    {"<svg><g></svg>", "an end of an element that is not open, 'svg'"},
    {"<html><svg/></html>", "not a picture but an element 'html'"},
    {"<svg><script>alert(1)</script></svg>", "an element that no chart has, 'script'"},
    {"<svg><SCRIPT>alert(1)</SCRIPT></svg>", "an element that no chart has, 'SCRIPT'"},
    {"<svg><foreignObject/></svg>", "an element that no chart has, 'foreignObject'"},
    {"<svg><image href='#a'/></svg>", "an element that no chart has, 'image'"},
    {"<svg><svg/></svg>", "an element that no chart has, 'svg'"},
    {"<svg><![CDATA[<script>]]></svg>", "an attribute without a value, ''"},
    {"<svg><path onclick='x'/></svg>", "an attribute that runs something, 'onclick'"},
    {"<svg OnLoad=\"x\"/>", "an attribute that runs something, 'OnLoad'"},
    {"<svg><use xlink:href='http://a'/></svg>",
     "a reference to something else than the picture itself, 'http://a'"},
    {"<svg><use href='javascript:x'/></svg>",
     "a reference to something else than the picture itself, 'javascript:x'"},
    {"<svg><path fill='url(http://a)'/></svg>", "an attribute that fetches something, 'url(http://a)'"},
    {"<svg><path fill='URL( \"#a\" )'/></svg>", "an attribute that fetches something, 'URL( \"#a\" )'"},
    {"<svg><path style='@import \"a\"'/></svg>", "an attribute that fetches something, '@import \"a\"'"},
    {"<svg><path d='1'", "the picture ends within a tag"},
    {"<svg><path d='1", "the picture ends within a tag"},
    {"<svg><path d", "an attribute without a value, 'd'"},
    {"<svg><path d=1/></svg>", "an attribute without quotes, 'd'"},
    {"<svg><path =/></svg>", "an attribute without a value, ''"},
    {"<svg><title>x</svg>", "the picture ends within a tag"},
    {"<svg><!-- x</svg>", "the picture ends within a tag"},
    {"<", "the picture ends within a tag"},
};

static void what_is_no_chart_is_refused(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT(refusals); i++) {
        textbuf out;
        roof_error err = {0};
        roof_status status = inlined(refusals[i].svg, &out, &err);
        if (status != ROOF_E_DATA || !strstr(err.what, refusals[i].want))
            fail_msg("%s: status %d, '%s', want '%s'", refusals[i].svg, (int)status, err.what,
                     refusals[i].want);
        assert_int_equal(out.length, 0);
        text_free(&out);
    }
}

static void nesting_and_attributes_are_bounded(void **state)
{
    textbuf svg, out;
    roof_error err = {0};
    (void)state;
    text_init(&svg, TEXT_MAX_BYTES);
    text_puts(&svg, "<svg>");
    for (int i = 0; i < 100000; i++)
        text_puts(&svg, "<g>");
    assert_int_equal(inlined(svg.bytes, &out, &err), ROOF_E_LIMIT);
    text_free(&out);
    text_free(&svg);
    text_init(&svg, TEXT_MAX_BYTES);
    text_puts(&svg, "<svg><path");
    for (int i = 0; i < 1000; i++)
        text_printf(&svg, " a%d='1'", i);
    text_puts(&svg, "/></svg>");
    assert_int_equal(inlined(svg.bytes, &out, &err), ROOF_E_DATA);
    text_free(&out);
    text_free(&svg);
}

/* Cut anywhere, it is refused and nothing is read behind its end. */
static void a_cut_picture_is_refused(void **state)
{
    static const char whole[] =
        HEAD "<g id=\"a\" ><title>b</title><path stroke='rgb( 1, 2, 3)' d='M1 2'/><text>x</text></g></svg>";
    (void)state;
    for (size_t length = 0; length + 1 < sizeof whole - 1; length++) {
        char part[sizeof whole];
        textbuf out;
        roof_error err = {0};
        snprintf(part, sizeof part, "%.*s", (int)length, whole);
        assert_int_equal(inlined(part, &out, &err), ROOF_E_DATA);
        text_free(&out);
    }
}

/* What stands before a picture stays when the picture is refused. */
static void a_refused_picture_leaves_nothing(void **state)
{
    textbuf out;
    roof_error err;
    (void)state;
    text_init(&out, TEXT_MAX_BYTES);
    text_puts(&out, "<div>");
    assert_int_equal(svg_inline("<svg><g><b/>", 12, &words, &out, &err), ROOF_E_DATA);
    assert_string_equal(out.bytes, "<div>");
    text_free(&out);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(pictures_are_rewritten),
        cmocka_unit_test(a_picture_without_view_box_can_be_scaled),
        cmocka_unit_test(what_is_no_chart_is_refused),
        cmocka_unit_test(nesting_and_attributes_are_bounded),
        cmocka_unit_test(a_cut_picture_is_refused),
        cmocka_unit_test(a_refused_picture_leaves_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
