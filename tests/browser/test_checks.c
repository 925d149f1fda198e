/* The checks of pages: a good page passes all, and each check was seen to find what it looks for. */
#include "tests/browser/checks.h"
#include "tests/browser/page_fixture.h"

/* ---- a good page ---- */

static const char good_head[] =
    "<meta name=viewport content='width=device-width'>"
    "<style>:root{color-scheme:light dark;--bar:#1f5fa8;--on-bar:#fff}"
    "@media(prefers-color-scheme:dark){:root{--bar:#8ab8e8;--on-bar:#101010}}"
    "svg{max-width:100%;height:auto}svg text{fill:CanvasText;font:12px sans-serif}.scroll{overflow-x:auto}"
    ".on{fill:var(--on-bar)}.bar{fill:var(--bar)}td{white-space:nowrap}</style>"
    "<link rel=icon href='data:image/gif;base64,R0lGODlhAQABAAAAACH5BAEKAAEALAAAAAABAAEAAAICTAEAOw=='>";

static const char sort_script[] =
    "<script>for(const table of document.querySelectorAll('table.sortable'))"
    "table.querySelectorAll('th button').forEach((button,column)=>{button.disabled=false;button.onclick=()=>{"
    "const th=button.parentElement,up=th.ariaSort!=='ascending';"
    "const value=r=>r.cells[column].dataset.value??r.cells[column].textContent;"
    "const unknown=t=>t===''||t==='?';const body=table.tBodies[0];"
    "const order=(x,y)=>{const a=value(x),b=value(y);"
    "if(unknown(a)||unknown(b))return unknown(a)-unknown(b);"
    "const d=isNaN(a)||isNaN(b)?a.localeCompare(b):a-b;return up?d:-d};"
    "body.append(...[...body.rows].sort(order));"
    "for(const other of table.querySelectorAll('th'))other.ariaSort=null;"
    "th.ariaSort=up?'ascending':'descending'}});</script>";

static const char filter_script[] =
    "<script>for(const input of document.querySelectorAll('input.filter')){input.hidden=false;"
    "input.addEventListener('input',()=>{const "
    "rows=[...document.getElementById(input.dataset.table).tBodies[0].rows];"
    "for(const r of rows)r.hidden=!r.textContent.toLowerCase().includes(input.value.toLowerCase());"
    "input.parentElement.querySelector('.filter-count').textContent="
    "rows.filter(r=>!r.hidden).length+' of '+rows.length})}</script>";

static const char good_chart[] =
    "<figure><svg viewBox='0 0 600 200' width=600 height=200><rect class=bar x=10 y=10 width=300 height=30 />"
    "<text class=on x=20 y=30>in the bar</text><text x=320 y=30>beside it</text>"
    "<text><tspan x=20 y=80>two lines,</tspan><tspan x=20 y=100>one text</tspan></text>"
    /* their upright boxes overlap, they do not */
    "<text transform='translate(200 180) rotate(-45)'>a turned label</text>"
    "<text transform='translate(222 180) rotate(-45)'>another of them</text>"
    "<defs><text x=20 y=30>in the bar</text></defs></svg><figcaption>A chart</figcaption></figure>";

static const char good_table[] =
    "<section><input class=filter data-table=t hidden><span class=filter-count></span><div class=scroll>"
    "<table class=sortable id=t><thead><tr><th><button disabled>layer</button><th><button "
    "disabled>time</button>"
    "<th><button disabled>share</button></thead><tbody>"
    "<tr><td>conv1<td data-value=900>0.9 us<td>12.5<tr><td>conv10<td data-value=''>never<td>?"
    "<tr><td>conv2<td data-value=1e3>1 us<td>3<tr><td>pool<td data-value=-5>less<td></tbody></table></div>"
    "<div class=scroll><table><tr><td><div style='width:2000px'>wide</div></table></div></section>";

static void a_good_page_passes_all(void **state)
{
    static char body[8000];
    check_result result;
    (void)state;
    snprintf(body, sizeof body,
             "<h1>Good</h1><p>Text</p>%s%s%s%s<details><summary>more</summary>%s</details>", good_chart,
             good_table, sort_script, filter_script, good_chart);
    check_result_init(&result);
    MUST(check_file(shared, write_page(good_head, body), &result, &failure));
    unlink(in_folder("a page.html"));
    if (result.problems.length)
        fail_msg("%s", result.problems.bytes);
    static const unsigned want[CHECK_COUNT] = {
        [CHECK_CHARTS] = 4,  [CHECK_OVERFLOW] = 14, [CHECK_OVERLAPS] = 24,     [CHECK_LEAVING] = 24,
        [CHECK_SORTING] = 3, [CHECK_FILTERING] = 1, [CHECK_CONTRAST] = 2 * 32, [CHECK_SCRIPTLESS] = 9,
        [CHECK_CONSOLE] = 1, [CHECK_FETCHING] = 1};
    for (check_id id = 0; id < CHECK_COUNT; id++)
        if (result.looked[id] != want[id])
            fail_msg("%s looked at %u, want %u", check_name(id), result.looked[id], want[id]);
    check_result_free(&result);
}

/* ---- pages with a fault each, and pages that only look as if they had one ---- */

typedef struct row {
    check_id id;
    const char *head, *body;
    const char *want; /* in the problems; "": there are none */
    int width_px;
} row;

#define SVG(...)   "<figure><svg width=300 height=100>" __VA_ARGS__ "</svg></figure>"
#define DARK       "<style>:root{color-scheme:light dark}</style>"
#define TABLE(...) "<table class=sortable id=t><thead><tr><th>n</thead><tbody>" __VA_ARGS__ "</tbody></table>"
#define FILTER     "<input class=filter data-table=t><b class=filter-count></b>"
#define ON_CLICK(code)                                                                                       \
    "<script>let n=0;const body=document.querySelector('tbody');document.querySelector('th').onclick=()=>{"  \
    "const rows=[...body.rows].sort((a,b)=>a.textContent-b.textContent);n++;" code "}</script>"

static const row rows[] = {
    {CHECK_CONSOLE, "", "<script>console.error('bad',{a:1},2)</script>", "console: console: bad Object 2\n",
     0},
    {CHECK_CONSOLE, "", "<script>console.assert(false,'odd');console.log('fine')</script>",
     "console: assertion: odd\n", 0},
    {CHECK_CONSOLE, "", "<script>throw Error('thrown')</script>", "console: exception: Error: thrown", 0},
    {CHECK_CONSOLE, "", "<script>Promise.reject(Error('late'))</script>", "console: exception: Error: late",
     0},
    {CHECK_CONSOLE, "", "<img src=http://example.invalid/x.png>",
     "ERR_NAME_NOT_RESOLVED http://example.invalid/x.png", 0},
    {CHECK_CONSOLE, "", "<script>console.warn('only a warning')</script>", "", 0},
    {CHECK_FETCHING, "", "<img src=http://example.invalid/x.png>", "fetching: http://example.invalid/x.png\n",
     0},
    {CHECK_FETCHING, "<link rel=stylesheet href=style.css>", "", "/style.css\n", 0},
    {CHECK_FETCHING, "", "<script>fetch('https://example.invalid/a').catch(()=>0)</script>",
     "https://example.invalid/a", 0},
    {CHECK_FETCHING, "", "<script>new WebSocket('ws://example.invalid/')</script>", "ws://example.invalid/",
     0},
    {CHECK_FETCHING, "",
     "<style>@font-face{font-family:f;src:url(http://example.invalid/f)}p{font-family:f}</style><p>x",
     "http://example.invalid/f", 0},
    {CHECK_FETCHING, "",
     "<img src='data:image/gif;base64,R0lGODlhAQABAAAAACH5BAEKAAEALAAAAAABAAEAAAICTAEAOw=='>", "", 0},

    {CHECK_CHARTS, "",
     "<figure style=display:none><svg width=99 height=99><path d='M0 0h9' stroke=red /></svg></figure>",
     "svg is not visible", 0},
    {CHECK_CHARTS, "",
     "<div style=opacity:0><div class=chart style='height:99px;background:red'>x</div></div>",
     "div.chart \"x\" is not visible", 0},
    {CHECK_CHARTS, "",
     "<figure><svg width=300 height=100><rect width=9 height=9 /></svg>"
     "<svg width=300 height=100 style='display:none'><rect width=9 height=9 /></svg></figure>",
     "", 0},
    {CHECK_CHARTS, "",
     "<figure><svg width=300 height=100 style='display:none'><rect width=9 height=9 /></svg>"
     "<svg width=300 height=100 style='display:none'><rect width=9 height=9 /></svg></figure>",
     "is not visible", 0},
    {CHECK_CHARTS, "", "<figure><svg width=300 height=40><rect width=9 height=9 /></svg></figure>",
     "is only 300 x 40 px", 0},
    {CHECK_CHARTS, "", SVG("<g></g><defs><rect width=9 height=9 /></defs>"), "svg has nothing drawn in it",
     0},
    {CHECK_CHARTS, "", SVG("<rect width=9 height=9 fill=none />"), "svg has nothing drawn in it", 0},
    {CHECK_CHARTS, "", SVG("<rect width=0 height=0 />"), "svg has nothing drawn in it", 0},
    {CHECK_CHARTS, "", SVG("<line x2=9 y2=9 stroke=red />"), "", 0},
    {CHECK_CHARTS, "",
     "<div class=chart style=height:99px><div style='height:9px;background:red'></div></div>", "", 0},

    {CHECK_OVERFLOW, "", SVG("<rect width=9 height=9 />"), "", 400},
    {CHECK_OVERFLOW, "", "<figure id=f><svg width=600 height=99><text y=20>x</text></svg></figure>",
     "svg \"x\" in #f goes from 48 to 648 px in a viewport of 400", 400},
    {CHECK_OVERFLOW, "", "<figure id=f><svg width=600 height=99></svg></figure>", "svg in #f makes it so",
     400},
    {CHECK_OVERFLOW, "",
     "<p id=p>"
     "Loremipsumdolorsitametconsecteturadipiscingelitseddoeiusmodtemporincididunt</p>",
     "p#p \"Loremipsumdolorsitametconsecteturadipis…\" makes it so", 400},
    {CHECK_OVERFLOW, "<style>body{overflow-x:hidden}</style>",
     "<table><td><div style=width:900px>x</div></table>", "table \"x\" goes from 8 to", 400},
    {CHECK_OVERFLOW, "",
     "<div style='overflow-x:auto'><table><td><div style=width:900px>x</div></table></div>", "", 400},
    {CHECK_OVERFLOW, "",
     "<div style='overflow:hidden'><table><td><div style=width:900px>x</div></table></div>",
     "table \"x\" goes from 8 to", 400},

    {CHECK_OVERLAPS, "", SVG("<text x=20 y=50>first</text><text x=30 y=55>second</text>"),
     "text \"first\" and text \"second\" overlap by", 0},
    {CHECK_OVERLAPS, "",
     SVG("<text x=20 y=50>first</text><text transform='translate(60 80)rotate(-60)'>second</text>"), "", 0},
    {CHECK_OVERLAPS, "",
     SVG("<text x=20 y=50>first and long</text><g transform='translate(50 80)'>"
         "<text transform='rotate(-60)'>second</text></g>"),
     "text \"first and long\" and text \"second\" overlap by", 0},
    /* Turned alike and side by side: only turned boxes are apart; a little closer they are not. */
    {CHECK_OVERLAPS, "",
     SVG("<text transform='translate(50 90)rotate(-45)'>one label</text>"
         "<text transform='translate(80 90)rotate(-45)'>one label</text>"),
     "", 0},
    {CHECK_OVERLAPS, "",
     SVG("<text transform='translate(50 90)rotate(-45)'>one label</text>"
         "<text transform='translate(60 90)rotate(-45)'>one label</text>"),
     "overlap by", 0},
    {CHECK_OVERLAPS, "",
     SVG("<text x=20 y=50>first</text><text x=20 y=50> </text><text x=20 y=50 opacity=0>x</text>"), "", 0},
    {CHECK_OVERLAPS, "", SVG("<text x=20 y=50>first</text>") SVG("<text x=20 y=50>second</text>"), "", 0},
    {CHECK_OVERLAPS, "",
     SVG("<text><tspan x=20 y=20>upper</tspan><tspan x=200 y=80>lower</tspan></text>"
         "<text x=100 y=50>between</text>"),
     "", 0},

    {CHECK_LEAVING, "", SVG("<text x=280 y=50>too long</text>"), "text \"too long\" leaves the svg by", 0},
    {CHECK_LEAVING, "", SVG("<text x=20 y=5>too high</text>"), "text \"too high\" leaves the svg by", 0},
    {CHECK_LEAVING, "", SVG("<text transform='translate(20 20)rotate(-90)'>too high</text>"),
     "leaves the svg by", 0},
    {CHECK_LEAVING, "", SVG("<text x=20 y=20 transform='translate(0 9)'>inside</text>"), "", 0},

    {CHECK_SORTING, "", TABLE("<tr><td>2<tr><td>10<tr><td>1"),
     "column \"n\" of table#t is not ascending after a click: 2, 10, 1", 0},
    {CHECK_SORTING, "", TABLE("<tr><td>2<tr><td>10<tr><td>1") ON_CLICK("body.append(...rows)"),
     "is not descending after a click: 1, 2, 10", 0},
    {CHECK_SORTING, "",
     TABLE("<tr><td>2<tr><td>10<tr><td>1") ON_CLICK("body.append(...n%2?rows:rows.reverse())"), "", 0},
    {CHECK_SORTING, "",
     TABLE("<tr><td>2<tr><td>10<tr><td>1") ON_CLICK("rows.sort();body.append(...n%2?rows:rows.reverse())"),
     "", 0},
    {CHECK_SORTING, "",
     TABLE("<tr><td>b2<tr><td>b10<tr><td>a") ON_CLICK("rows.sort((a,b)=>a.textContent<b.textContent?-1:1);"
                                                      "body.append(...n%2?rows:rows.reverse())"),
     "", 0},
    {CHECK_SORTING, "",
     TABLE("<tr><td>2<tr><td>10<tr><td>1") ON_CLICK("rows.sort((a,b)=>a.textContent<b.textContent?-1:1);"
                                                    "body.append(...n%2?rows:rows.reverse())"),
     "is not ascending after a click: 1, 10, 2", 0},
    {CHECK_SORTING, "",
     TABLE("<tr><td>2<tr><td data-value=''>0<tr><td>1") ON_CLICK("body.append(...n%2?rows:rows.reverse())"),
     "is not ascending after a click: ?, 1, 2", 0},
    {CHECK_SORTING, "",
     TABLE("<tr><td>2<tr><td>3<tr><td>1")
         ON_CLICK("body.append(...n%2?rows:rows.reverse());body.deleteRow(0)"),
     "sorting changed the rows themselves", 0},
    {CHECK_SORTING, "", "<div style='position:fixed;inset:0'></div>" TABLE("<tr><td>2"),
     "column \"n\" of table#t cannot be clicked", 0},

    {CHECK_FILTERING, "", "<section>" FILTER TABLE("<tr><td>conv<tr><td>pool") "</section>",
     "\"conv\" leaves 1 rows that do not contain it", 0},
    {CHECK_FILTERING, "",
     FILTER TABLE("<tr><td>conv<tr><td>pool") "<script>document.querySelector('input').oninput=()=>{for("
                                              "const r of document.querySelectorAll('tbody tr'))"
                                              "r.hidden=true}</script>",
     "\"conv\" hides 1 rows that contain it", 0},
    {CHECK_FILTERING, "",
     FILTER TABLE("<tr><td>conv<tr><td>pool") "<script>document.querySelector('input').oninput=e=>{for(const "
                                              "r of document.querySelectorAll('tbody tr'))"
                                              "r.hidden=!r.textContent.includes(e.target.value)}</script>",
     "\"conv\" leaves 1 rows, b.filter-count says otherwise", 0},
    {CHECK_FILTERING, "",
     FILTER TABLE(
         "<tr><td>conv<tr><td>pool") "<script>document.querySelector('input').oninput=e=>{for(const r of "
                                     "document.querySelectorAll('tbody tr'))"
                                     "r.hidden=r.hidden||!r.textContent.includes(e.target.value)}</script>",
     "cleared, it still hides 2 rows", 0},
    {CHECK_FILTERING, "", "<input class=filter data-table=u><b class=filter-count></b>",
     "names no table: data-table=\"u\"", 0},
    {CHECK_FILTERING, "", "<section>" FILTER "</section>" TABLE("<tr><td>1"),
     "is not in the section of its table", 0},
    {CHECK_FILTERING, "", "<input class=filter data-table=t>" TABLE("<tr><td>1"),
     "has no .filter-count beside it", 0},

    {CHECK_SCRIPTLESS, "",
     "<table><tr hidden><td>conv1</table><script>document.querySelector('tr').hidden=false</script>",
     "tr \"conv1\" is not visible", 0},
    {CHECK_SCRIPTLESS, "", "<section>" FILTER "</section>", "input.filter looks as if it worked", 0},
    {CHECK_SCRIPTLESS, "", "<table class=sortable><th><button>n</button></table>",
     "button \"n\" looks as if it worked", 0},
    {CHECK_SCRIPTLESS, "", "<div inert><input class=filter></div><input class=filter disabled>", "", 0},

    {CHECK_CONTRAST, DARK, "<p>fine</p><p>", "", 0},
    {CHECK_CONTRAST, DARK, "<p style=color:#888>grey</p>",
     "p \"grey\" has a contrast of 3.54: #888888 on #ffffff (light)", 0},
    {CHECK_CONTRAST, DARK, "<p style=color:#555>grey</p>", " on #121212 (dark)", 0},
    {CHECK_CONTRAST, "", "<p style=color:#555>not dark at all</p>", "", 0},
    {CHECK_CONTRAST,
     "<style>p{color:#111;transition:color 60s}@media(prefers-color-scheme:dark){p{color:#eee}}</style>" DARK,
     "<p>on its way</p>", "", 0},
    {CHECK_CONTRAST, "", "<p style=opacity:.5>faded</p>", "p \"faded\" has a contrast of", 0},
    {CHECK_CONTRAST, "",
     "<table style=background:#ccc><tr style='background:#0008'><th>n<td style=background:#fff>n</table>",
     "th \"n\" has a contrast of", 0},
    {CHECK_CONTRAST, "", "<h1 style='background:linear-gradient(#fff,#222)'>x</h1>",
     "h1 \"x\" has a contrast of", 0},
    {CHECK_CONTRAST, "", SVG("<rect width=200 height=90 fill=#223 /><text x=20 y=50>on a bar</text>"),
     "text \"on a bar\" has a contrast of", 0},
    {CHECK_CONTRAST, "",
     SVG("<text x=20 y=50>before a bar</text><rect x=250 width=50 height=90 fill=#223 />"), "", 0},
    {CHECK_CONTRAST, "",
     SVG("<rect width=200 height=90 fill=#223 /><text x=20 y=50 fill=#fff>on a bar</text>"), "", 0},
    {CHECK_CONTRAST, "", SVG("<text x=20 y=50 fill=#fff>lost</text>"), "text \"lost\" has a contrast of 1.00",
     0},
    {CHECK_CONTRAST, "",
     SVG("<rect width=200 height=90 fill=#223 /><text x=20 y=50 stroke=#fff stroke-width=3 "
         "paint-order=stroke>with a rim</text>"),
     "", 0},
};

static void each_check_finds_its_fault(void **state)
{
    unsigned failed = 0;
    (void)state;
    for (size_t i = 0; i < COUNT(rows); i++) {
        const row *r = &rows[i];
        check_result result;
        check_result_init(&result);
        page *p = open_page(r->head, r->body, &(page_view){.width_px = r->width_px});
        MUST(check_run(p, r->id, &result, &failure));
        const char *got = result.problems.length ? result.problems.bytes : "";
        if (r->want[0] ? !strstr(got, r->want) : got[0] != '\0') {
            print_error("row %zu: %s%s\n  want '%s'\n  got '%s'\n", i, r->head, r->body, r->want, got);
            failed++;
        }
        close_page(p);
        check_result_free(&result);
    }
    assert_int_equal(failed, 0);
}

static void each_check_has_a_row_that_fails(void **state)
{
    (void)state;
    for (check_id id = 0; id < CHECK_COUNT; id++) {
        unsigned failing = 0;
        for (size_t i = 0; i < COUNT(rows); i++)
            failing += rows[i].id == id && rows[i].want[0];
        assert_true(failing > 0);
    }
}

int main(void)
{
    char path[PATH_MAX];
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_check_has_a_row_that_fails),
        cmocka_unit_test(a_good_page_passes_all),
        cmocka_unit_test(each_check_finds_its_fault),
    };
    if (!browser_find(path))
        return browser_skipped();
    return cmocka_run_group_tests(tests, start_browser, close_browser);
}
