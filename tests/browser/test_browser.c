/* Programs that are no browser end in a clear message in bounded time, and leave nothing behind; then, with a browser, what
 * page.h says. */
#include "tests/browser/browser_process.h"
#include "tests/browser/page_fixture.h"

#include <signal.h>
#include <sys/wait.h>

/* ---- this program as another one: $ROOFLINE_PRETEND says which ---- */

static void say(const char *bytes, size_t length)
{
    while (length) {
        ssize_t n = write(4, bytes, length);
        if (n <= 0)
            _exit(1);
        bytes += n;
        length -= (size_t)n;
    }
}

static void pretend_garbage(void)
{
    say("hello", sizeof "hello");
    pause();
}

static void pretend_silence(void)
{
    pause();
}

static void pretend_endless(void)
{
    static const char piece[1 << 16] = "x";
    char filled[sizeof piece];
    memset(filled, 'x', sizeof filled);
    for (;;)
        say(filled, sizeof filled);
}

/* Events for ever, but no answer. */
static void pretend_chatter(void)
{
    static const char event[] = "{\"method\":\"Chatter.event\",\"params\":{}}";
    for (;;) {
        say(event, sizeof event);
        usleep(1000);
    }
}

static void pretend_mute(void)
{
    close(3);
    close(4);
    pause();
}

static void pretend_last_words(void)
{
    fputs("no usable display\n", stderr);
    _exit(3);
}

static void pretend_signal(void)
{
    signal(SIGTERM, SIG_DFL);
    raise(SIGTERM);
}

static void pretend_refusal(void)
{
    static const char answer[] = "{\"id\":1,\"error\":{\"code\":-32601,\"message\":\"'x' wasn't found\"}}";
    say(answer, sizeof answer);
    pause();
}

/* Starts a child and dies without stopping it; says on standard output which folder it had. */
static void pretend_careless(void)
{
    child c;
    const char *argv[] = {"careless", NULL};
    setenv("ROOFLINE_PRETEND", "silence", 1);
    if (child_prepare(&c, NULL) == ROOF_OK && child_start(&c, "/proc/self/exe", argv, NULL) == ROOF_OK)
        dprintf(STDOUT_FILENO, "%d %s\n", (int)c.pid, c.folder);
    raise(SIGKILL);
}

static const struct {
    const char *name;
    void (*run)(void);
} pretences[] = {
    {"garbage", pretend_garbage}, {"silence", pretend_silence}, {"endless", pretend_endless},
    {"chatter", pretend_chatter}, {"mute", pretend_mute},       {"last words", pretend_last_words},
    {"signal", pretend_signal},   {"refusal", pretend_refusal}, {"careless", pretend_careless},
};

static void pretend(const char *name)
{
    for (size_t i = 0; i < COUNT(pretences); i++)
        if (strcmp(pretences[i].name, name) == 0)
            pretences[i].run();
    _exit(99);
}

/* ---- programs that are no browser ---- */

static void no_browser_ends_in_a_message(void **state)
{
    enum { SOON_MS = 700, LONG_MS = 30000 };
    static const struct {
        const char *program, *pretence; /* program NULL: this one */
        unsigned start_ms;
        const char *want;
    } rows[] = {
        {"/bin/false", NULL, LONG_MS, "/bin/false: it ended with exit status 1; its last words: nothing"},
        {"/bin/cat", NULL, LONG_MS, "it ended with exit status 1; its last words: /bin/cat: "},
        {"/no/such/program", NULL, LONG_MS, "/no/such/program does not start: No such file or directory"},
        {NULL, "garbage", LONG_MS, "what it sent is not a message of the DevTools protocol: hello"},
        {NULL, "silence", SOON_MS, "Browser.getVersion: /proc/self/exe: it did not answer in time"},
        {NULL, "chatter", SOON_MS, "it did not answer in time"},
        {NULL, "endless", LONG_MS, "it sent more than 67108864 bytes without an end"},
        {NULL, "mute", LONG_MS, "it closed its descriptor 4; its last words: nothing"},
        {NULL, "last words", LONG_MS, "it ended with exit status 3; its last words: no usable display"},
        {NULL, "signal", LONG_MS, "it was ended by signal 15"},
        {NULL, "refusal", LONG_MS, "Browser.getVersion: 'x' wasn't found"},
    };
    (void)state;
    for (size_t i = 0; i < COUNT(rows); i++) {
        browser *b = NULL;
        roof_error err = {0};
        browser_options options = {.program = rows[i].program ? rows[i].program : "/proc/self/exe",
                                   .start_ms = rows[i].start_ms};
        int64_t start = child_now_ms();
        if (rows[i].pretence)
            setenv("ROOFLINE_PRETEND", rows[i].pretence, 1);
        roof_status status = browser_start(&options, &b, &err);
        unsetenv("ROOFLINE_PRETEND");
        if (status == ROOF_OK || !strstr(message(&err), rows[i].want))
            fail_msg("row %zu: status %d: '%s', want '%s'", i, (int)status, message(&err), rows[i].want);
        assert_null(b);
        assert_true(child_now_ms() - start < LONG_MS);
    }
}

/* Runs this program with an environment of its own and gives its exit status, or minus the signal. */
static int run_self(const char *const settings[][2], char *output, size_t size)
{
    int ends[2], status = 0;
    size_t used = 0;
    ssize_t got = 0;
    assert_int_equal(pipe(ends), 0);
    pid_t pid = fork();
    if (pid == 0) {
        dup2(ends[1], STDOUT_FILENO);
        close(ends[0]);
        close(ends[1]);
        for (size_t i = 0; settings[i][0]; i++)
            setenv(settings[i][0], settings[i][1], 1);
        execl("/proc/self/exe", "test_browser", (char *)NULL);
        _exit(98);
    }
    assert_true(pid > 0);
    close(ends[1]);
    while (used + 1 < size && (got = read(ends[0], output + used, size - 1 - used)) > 0)
        used += (size_t)got;
    output[used] = '\0';
    close(ends[0]);
    assert_int_equal(waitpid(pid, &status, 0), pid);
    return WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status);
}

static void without_a_browser_it_is_skipped(void **state)
{
    static const char *const rows[][3] = {
        {"", "/nonexistent", "\nSKIPPED: no browser: none of chromium, "},
        {"/nonexistent/x", "/usr/bin", "\nSKIPPED: ROOFLINE_BROWSER is no program: /nonexistent/x\n"},
    };
    (void)state;
    for (size_t i = 0; i < COUNT(rows); i++) {
        const char *const settings[][2] = {{"ROOFLINE_BROWSER", rows[i][0]},
                                           {"PATH", rows[i][1]},
                                           {"ROOFLINE_PRETEND", "skip"},
                                           {NULL, NULL}};
        char output[4000] = "\n";
        assert_int_equal(run_self(settings, output + 1, sizeof output - 1), 77);
        if (!strstr(output, rows[i][2]))
            fail_msg("want '%s' in '%s'", rows[i][2], output);
    }
}

/* A process that is gone, or whose parent has not looked after it yet. */
static bool is_gone(int pid)
{
    char path[64], line[64];
    snprintf(path, sizeof path, "/proc/%d/cmdline", pid);
    FILE *f = fopen(path, "rb");
    size_t length = f ? fread(line, 1, sizeof line, f) : 0;
    if (f)
        fclose(f);
    return length == 0;
}

static void a_child_does_not_outlive_a_program_that_was_killed(void **state)
{
    static const char *const settings[][2] = {{"ROOFLINE_PRETEND", "careless"}, {NULL, NULL}};
    char output[200], left[64];
    int pid = 0;
    (void)state;
    assert_int_equal(run_self(settings, output, sizeof output), -SIGKILL);
    assert_int_equal(sscanf(output, "%d %63s", &pid, left), 2); // NOLINT(cert-err34-c): this program wrote it
    int64_t end = child_now_ms() + 20000;
    while ((!is_gone(pid) || access(left, F_OK) == 0) && child_now_ms() < end)
        usleep(10000);
    assert_true(is_gone(pid));
    assert_int_not_equal(access(left, F_OK), 0);
}

/* ---- the page itself ---- */

static void assert_value(page *p, const char *expression, const char *want)
{
    cJSON *value = NULL;
    MUST(page_eval(p, expression, &value, &failure));
    char *text = value ? cJSON_PrintUnformatted(value) : strdup("undefined");
    assert_string_equal(text, want);
    free(text);
    cJSON_Delete(value);
}

static void values_come_back_as_json(void **state)
{
    (void)state;
    page *p = open_page("", "<p>x", NULL);
    assert_value(p, "[1, 'two', {three: null}]", "[1,\"two\",{\"three\":null}]");
    assert_value(p, "new Promise(done => setTimeout(() => done(42), 5))", "42");
    assert_value(p, "undefined", "undefined");
    assert_value(p, "'x'.repeat(300000).length", "300000");
    cJSON *value = NULL;
    roof_error err = {0};
    assert_int_equal(page_eval(p, "(() => { throw Error('no') })()", &value, &err), ROOF_E_DATA);
    assert_non_null(strstr(message(&err), "Error: no"));
    assert_int_equal(page_open(p, "/no/such/page.html", NULL, &err), ROOF_E_NO_INPUT);
    close_page(p);
}

static void a_view_is_what_was_asked_for(void **state)
{
    static const char seen[] = "[innerWidth, innerHeight, matchMedia('(prefers-color-scheme: dark)').matches,"
                               " document.body.className]";
    (void)state;
    page *p = open_page("", "<script>document.body.className='ran'</script>",
                        &(page_view){.width_px = 400, .height_px = 700, .dark = true});
    assert_value(p, seen, "[400,700,true,\"ran\"]");
    MUST(page_set_view(p, &(page_view){.width_px = 1900}, &failure));
    assert_value(p, seen, "[1900,800,false,\"ran\"]");
    MUST(page_reopen(p, &(page_view){.no_script = true}, &failure));
    assert_value(p, seen, "[1280,800,false,\"\"]");
    MUST(page_reopen(p, NULL, &failure));
    assert_value(p, seen, "[1280,800,false,\"ran\"]");
    close_page(p);
}

static void a_click_is_one_of_the_mouse(void **state)
{
    roof_error err = {0};
    (void)state;
    page *p = open_page(
        "",
        "<div style=height:3000px></div><button id=a onclick='this.title=event.isTrusted'>x</button>"
        "<div style=position:relative><button id=b>y</button>"
        "<div style='position:absolute;inset:0'></div></div>",
        NULL);
    MUST(page_click(p, "#a", &failure));
    assert_value(p, "document.querySelector('#a').title", "\"true\"");
    assert_int_equal(page_click(p, "#b", &err), ROOF_E_DATA);
    assert_non_null(strstr(message(&err), "there is DIV in its place"));
    assert_int_equal(page_click(p, "#c", &err), ROOF_E_DATA);
    assert_non_null(strstr(message(&err), "there is no such element"));
    close_page(p);
}

static size_t read_start(const char *path, unsigned char *bytes, size_t size)
{
    FILE *f = fopen(path, "rb");
    assert_non_null(f);
    size_t got = fread(bytes, 1, size, f);
    fclose(f);
    unlink(path);
    return got;
}

static void pictures_have_the_whole_page(void **state)
{
    unsigned char start[32];
    roof_error err = {0};
    (void)state;
    page *p = open_page("<style>body{margin:0}</style>", "<div style='height:3000px;background:red'></div>",
                        &(page_view){.width_px = 500});
    MUST(page_screenshot(p, in_folder("x.png"), &failure));
    assert_int_equal(read_start(in_folder("x.png"), start, sizeof start), sizeof start);
    assert_memory_equal(start, "\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0\x01\xf4\0\0\x0b\xb8", 24); /* 500 x 3000 */
    MUST(page_pdf(p, in_folder("x.pdf"), &failure));
    assert_int_equal(read_start(in_folder("x.pdf"), start, sizeof start), sizeof start);
    assert_memory_equal(start, "%PDF-", 5);
    assert_int_equal(page_pdf(p, "/no/such/folder/x.pdf", &err), ROOF_E_IO);
    close_page(p);
}

static roof_status crash(page *p, roof_error *err)
{
    return page_call(p, "Page.crash", NULL, NULL, err);
}

static roof_status open_dialog(page *p, roof_error *err)
{
    return page_open(p, write_page("", "<script>alert('hello')</script>"), NULL, err);
}

static roof_status run_for_ever(page *p, roof_error *err)
{
    return page_open(p, write_page("", "<script>for(;;);</script>"), NULL, err);
}

/* In browsers of their own, since these are lost by it. */
static void what_blocks_a_page_is_said(void **state)
{
    static const struct {
        roof_status (*block)(page *p, roof_error *err);
        unsigned life_ms;
        const char *want;
    } ways[] = {
        {crash, 0, "the page crashed"},
        {open_dialog, 0, "the page opened a dialog, which nobody answers"},
        {run_for_ever, 6000, "it did not answer in time"},
    };
    (void)state;
    for (size_t i = 0; i < COUNT(ways); i++) {
        browser *b = NULL;
        page *p = NULL;
        roof_error err = {0};
        roof_status status = browser_start(&(browser_options){.life_ms = ways[i].life_ms}, &b, &err);
        if (status == ROOF_OK)
            status = page_new(b, &p, &err);
        if (status == ROOF_OK)
            status = ways[i].block(p, &err);
        if (status != ROOF_E_DEVICE || !strstr(message(&err), ways[i].want))
            fail_msg("status %d: %s, want %s", (int)status, message(&err), ways[i].want);
        if (p) /* at once, since the browser is lost */
            assert_int_equal(page_screenshot(p, in_folder("x.png"), &err), ROOF_E_DEVICE);
        close_page(p);
        browser_close(b);
    }
}

static int run_without_browser(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(no_browser_ends_in_a_message),
        cmocka_unit_test(without_a_browser_it_is_skipped),
        cmocka_unit_test(a_child_does_not_outlive_a_program_that_was_killed),
    };
    return cmocka_run_group_tests_name("without a browser", tests, NULL, NULL);
}

static int run_with_browser(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(values_come_back_as_json),    cmocka_unit_test(a_view_is_what_was_asked_for),
        cmocka_unit_test(a_click_is_one_of_the_mouse), cmocka_unit_test(pictures_have_the_whole_page),
        cmocka_unit_test(what_blocks_a_page_is_said),
    };
    return cmocka_run_group_tests_name("with a browser", tests, start_browser, close_browser);
}

int main(void)
{
    char path[PATH_MAX];
    const char *pretence = getenv("ROOFLINE_PRETEND");
    if (pretence && strcmp(pretence, "skip") != 0)
        pretend(pretence);
    int failed = pretence ? 0 : run_without_browser();
    if (!browser_find(path))
        return failed ? failed : browser_skipped();
    return failed + run_with_browser();
}
