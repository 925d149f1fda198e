/* On a terminal: a text that is longer than the screen ends with its verdict; elsewhere, and where it fits,
 * the verdict is there once. */
#include "tests/unit/fixture.h"
#include "tests/unit/folder.h"
#include "tests/unit/program.h"

#include <sys/ioctl.h>

/* What the program writes to a terminal of so many rows. */
static const char *shown_on(unsigned short rows, const char *model)
{
    static char text[PROGRAM_TEXT];
    char path[128], command[400];
    program p = {.folder = "/", .output = path};
    int terminal = posix_openpt(O_RDWR | O_NOCTTY);
    size_t used = 0;
    assert_true(terminal >= 0 && grantpt(terminal) == 0 && unlockpt(terminal) == 0);
    assert_int_equal(ptsname_r(terminal, path, sizeof path), 0);
    assert_int_equal(ioctl(terminal, TIOCSWINSZ, &(struct winsize){.ws_row = rows, .ws_col = 100}), 0);
    int held = open(path, O_RDWR | O_NOCTTY); /* what was written stays until it is read */
    assert_true(held >= 0);
    snprintf(command, sizeof command, "predict %s --hw b4096 --top 3", model);
    program_run(&p, command);
    assert_int_equal(program_exit(&p), 0);
    assert_int_equal(fcntl(terminal, F_SETFL, O_NONBLOCK), 0);
    for (ssize_t got; (got = read(terminal, text + used, sizeof text - 1 - used)) > 0;)
        used += (size_t)got;
    text[used] = '\0';
    close(held);
    close(terminal);
    return text;
}

static unsigned count_of(const char *text, const char *what)
{
    unsigned n = 0;
    for (const char *at = text; (at = strstr(at, what)); at += strlen(what))
        n++;
    return n;
}

static void the_verdict_is_said_again_below_a_long_text(void **state)
{
    static const struct {
        unsigned short rows;
        unsigned times;
    } cases[] = {{10, 2}, {500, 1}, {0, 1}}; /* 0: a terminal that does not say */
    static const char verdict[] = "mobilenetv2-b4096 on DPUCZDX8G";
    char model[300];
    (void)state;
    snprintf(model, sizeof model, "%s/examples/models/mobilenetv2-b4096.xmodel",
             getenv("ROOFLINE_SOURCE_DIR"));
    for (size_t i = 0; i < COUNT(cases); i++) {
        const char *text = shown_on(cases[i].rows, model);
        assert_int_equal(count_of(text, verdict), cases[i].times);
        assert_memory_equal(text, verdict, sizeof verdict - 1);
    }
    program piped = {.folder = "/", .variable = {"LINES=10"}};
    program_run_with(&piped, "predict @ --hw b4096", model);
    assert_int_equal(count_of(piped.text, verdict), 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(the_verdict_is_said_again_below_a_long_text)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
