/* Whatever is wrong with an input, the error names it as the user gave it: no name of a temporary file, none
 * of another one. */
#include "tests/unit/fixture.h"
#include "tests/unit/program.h"
#include "tests/support/skips.h"

#include <sys/stat.h>

static char folder[64];

/* ---- inputs ---- */

static void put(const char *name, const char *text, size_t length)
{
    char path[200];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    FILE *out = fopen(path, "wb");
    assert_non_null(out);
    assert_int_equal(fwrite(text, 1, length, out), length);
    assert_int_equal(fclose(out), 0);
}

static void link_to(const char *example, const char *name)
{
    char target[1000], path[200];
    snprintf(target, sizeof target, "%s/examples/%s", getenv("ROOFLINE_SOURCE_DIR"), example);
    snprintf(path, sizeof path, "%s/%s", folder, name);
    assert_int_equal(symlink(target, path), 0);
}

#define PROFILE(hw, model, more)                                                                             \
    "{\"schema\":\"roofline.measured/1\",\"hardware\":{\"id\":\"" hw                                         \
    "\"},\"experiments\":[{\"model\":{\"path\":\"" model "\"}" more ",\"runs\":[{\"mode\":\"bypass\","       \
    "\"total\":{\"mean_s\":0.005}},{\"mode\":\"per_layer\",\"boundaries\":15,\"total\":{\"mean_s\":0.007},"  \
    "\"layers\":[{\"name\":\"Conv2d_0\",\"mean_s\":0.0005}]}]}]}"

static const struct {
    const char *name, *text;
} files[] = {
    {"measured.json", PROFILE("kv260", "net.xmodel", "")},
    {"elsewhere.json", PROFILE("nowhere", "net.xmodel", "")},
    {"of-noise.json", PROFILE("kv260", "noise", "")},
    {"embedded.json",
     PROFILE("kv260", "net.xmodel", ",\"prediction\":{\"schema\":\"roofline.prediction/9\"}")},
    {"plan.json", PROFILE("kv260", "n6", "")},
    {"of-clock.json", PROFILE("kv260\",\"clock_hz\":\"250MHz", "net.xmodel", "")},
    {"of-item.json", PROFILE("kv260\",\"clock\":\"250MHz", "net.xmodel", "")},
    {"budget.json", "{\"schema\":\"roofline.budget/1\",\"total\":{\"mean_s\":0.05}}"},
    {"no-law.json", "{\"schema\":\"roofline.hardware/1\",\"id\":\"x\",\"family\":\"strange\",\"values\":{}}"},
    {"no-parent.json", "{\"schema\":\"roofline.hardware/1\",\"id\":\"x\",\"extends\":\"nothing\"}"},
    {"profile.csv", "Layer,Mean\nConv2d_0,1.5\n"},
    {"row.map", "# of nobody\nnobody,Conv2d_0\n"},
    {"empty", ""},
    {"text", "hello world\n"},
    {"noise", "\x7f\x01\xff\x02\x03\x04\x05\x06\x07\x08"},
    {"cut.json", "{\"schema\":\"roofline.measured/1\",\"experiments\":[{"},
    {"nonsense.json", "{\"schema\":\"roofline.nonsense/1\"}"},
    {"array.json", "[1,2"},
};

static int begin(void **state)
{
    char path[200];
    (void)state;
    strcpy(folder, "/tmp/roofline-test-XXXXXX");
    if (!mkdtemp(folder))
        return -1;
    for (size_t i = 0; i < COUNT(files); i++)
        put(files[i].name, files[i].text, strlen(files[i].text));
    put("nul", "a\0b\n", 4);
    link_to("kv260/mobilenetv1-b4096.xmodel", "net.xmodel");
    link_to("stm32n6", "n6");
    snprintf(path, sizeof path, "%s/folder", folder);
    return mkdir(path, 0700);
}

static int end(void **state)
{
    char command[100];
    (void)state;
    snprintf(command, sizeof command, "rm -rf '%s'", folder);
    return system(command); /* NOLINT(cert-env33-c): a test's own words */
}

/* ---- one wrong file for each file that is read ---- */

static const char *const wrong[] = {"missing",  "folder",        "empty",      "text", "noise",
                                    "cut.json", "nonsense.json", "array.json", "nul",  "net.xmodel/x"};

static const struct {
    const char *command;
    bool may_be_empty; /* an empty file is one without lines */
} commands[] = {
    {"predict @", false},
    {"predict net.xmodel --hw ./@", false},
    {"predict net.xmodel --calibration @", false},
    {"predict net.xmodel --hw base=@,clock=3MHz", false},
    {"inspect @", false},
    {"import @", false},
    {"import @ --from csv --map name=Layer,time=Mean:ms", false},
    {"import @ --from vaitrace_json", false},
    {"import @ --from npu_profiler", false},
    {"import n6/npu_profiler.log @", false},
    {"reconcile @", false},
    {"reconcile measured.json @", false},
    {"reconcile measured.json --model @", false},
    {"reconcile measured.json --hw ./@", false},
    {"reconcile measured.json --map @", true},
    {"report @ -o report", false},
    {"report measured.json @ -o report", false},
    {"report measured.json --model @ -o report", false},
    {"report measured.json --map @ -o report", true},
    {"report net.xmodel --hw ./@ -o report", false},
    {"report net.xmodel --calibration @ -o report", false},
    {"hw show ./@", false},
    {"hw check @", false},
};

/* The last line that is not empty; what a check found is its result and comes first. */
static const char *last_line(char *text)
{
    size_t length = strlen(text);
    while (length && text[length - 1] == '\n')
        text[--length] = '\0';
    const char *end = strrchr(text, '\n');
    return end ? end + 1 : text;
}

static void assert_names(const char *command, const char *text, const char *want, bool may_succeed)
{
    static program p;
    p = (program){.folder = folder, .path = "/nowhere"};
    program_run_with(&p, command, text);
    const char *line = last_line(p.text);
    int exit_code = program_exit(&p);
    bool succeeded = exit_code == 0 || exit_code == 69; /* without gnuplot */
    if (exit_code < 0 || succeeded != may_succeed || !(succeeded || strstr(line, want)) ||
        strstr(p.text, "/tmp/"))
        fail_msg("%s with %s, exit code %d: %s", command, text, program_exit(&p), p.text);
}

static void an_error_names_the_file_that_is_wrong(void **state)
{
    (void)state;
    if (!getenv("ROOFLINE_EXE"))
        skip_without("the program");
    for (size_t c = 0; c < COUNT(commands); c++)
        for (size_t w = 0; w < COUNT(wrong); w++)
            assert_names(commands[c].command, wrong[w], wrong[w],
                         commands[c].may_be_empty && strcmp(wrong[w], "empty") == 0);
}

/* ---- what documents and options name ---- */

static void an_error_names_the_place_that_is_wrong(void **state)
{
    static const struct {
        const char *command, *want;
    } rows[] = {
        {"reconcile elsewhere.json", "elsewhere.json: /experiments/0: no hardware 'nowhere'"},
        {"report elsewhere.json -o report", "elsewhere.json: /experiments/0: no hardware 'nowhere'"},
        {"reconcile of-noise.json", "noise: "},
        {"reconcile embedded.json", "embedded.json: /experiments/0/prediction/schema: "},
        {"report embedded.json -o report", "embedded.json: /experiments/0/prediction/schema: "},
        {"reconcile plan.json", "n6/network_c_info.json: "},
        {"predict n6 --hw kv260", "n6/network_c_info.json: "},
        {"report net.xmodel n6 --hw kv260 -o report", "n6/network_c_info.json: "},
        {"predict net.xmodel --hw no-law.json", "net.xmodel: hardware 'no-law.json' is of family 'strange'"},
        {"report net.xmodel --hw no-law.json -o report", "net.xmodel: hardware 'no-law.json' is of family"},
        {"reconcile measured.json --hw no-law.json", "net.xmodel: hardware 'no-law.json' is of family"},
        {"predict net.xmodel --hw no-parent.json", "no-parent.json: /extends: no hardware 'nothing'"},
        {"predict net.xmodel --hw mac=2048/cycle", "net.xmodel: hardware 'custom' states no 'clock'"},
        {"reconcile measured.json --map text", "text: want two names, as in row,layer (line 1)"},
        {"reconcile measured.json --map row.map",
         "row.map: no row of a profile has the name 'nobody' (line 2)"},
        {"import profile.csv --map name=None,time=Mean:ms", "profile.csv: "},
        {"predict net.xmodel -o no/out.json", "no/out.json: "},
        {"predict net.xmodel --chart no/chart.svg -o out.txt", "no"},
        {"reconcile measured.json --calibration-out no/c.json", "no/c.json: "},
        {"report net.xmodel -o no/report/x", "no/report/x: "},
        {"import n6/npu_profiler.log -o no/m.json", "no/m.json: "},
        {"hw show kv260 -o no/hw.json", "no/hw.json: "},
    };
    (void)state;
    if (!getenv("ROOFLINE_EXE"))
        skip_without("the program");
    for (size_t i = 0; i < COUNT(rows); i++)
        assert_names(rows[i].command, "", rows[i].want, false);
}

/* ---- what a document says of its hardware ---- */

static const char *first_line(const char *text)
{
    static char line[600];
    snprintf(line, sizeof line, "%.*s", (int)strcspn(text, "\n"), text);
    return line;
}

/* A member of hardware that is not used would make every number another one: nothing comes before it, and no
 * check is kept. */
static void what_is_said_of_hardware_in_vain_comes_first(void **state)
{
    static const struct {
        const char *command, *begins;
        int want;
    } rows[] = {
        {"reconcile of-clock.json",
         "of-clock.json: /hardware/clock_hz (line 1) is no member of hardware, but clock is", 0},
        {"reconcile measured.json of-clock.json", "of-clock.json: /hardware/clock_hz (line 1) is no", 0},
        {"reconcile of-clock.json --hw kv260", "net.xmodel on KV260", 0},
        {"reconcile of-item.json", "net.xmodel on KV260", 0},
        {"compare of-clock.json measured.json",
         "A: of-clock.json: /hardware/clock_hz (line 1) is no member of", 0},
        {"compare measured.json of-clock.json",
         "B: of-clock.json: /hardware/clock_hz (line 1) is no member of", 0},
        {"check of-clock.json --budget budget.json",
         "roofline: of-clock.json: /hardware/clock_hz (line 1) is no", 65},
        {"check of-clock.json --budget budget.json --hw kv260", "PASS", 0},
        {"check of-item.json --budget budget.json", "PASS", 0},
    };
    static program p;
    (void)state;
    if (!getenv("ROOFLINE_EXE"))
        skip_without("the program");
    for (size_t i = 0; i < COUNT(rows); i++) {
        p = (program){.folder = folder, .path = "/nowhere"};
        program_run(&p, rows[i].command);
        if (program_exit(&p) != rows[i].want || strncmp(p.text, rows[i].begins, strlen(rows[i].begins)) != 0)
            fail_msg("%s, exit code %d, begins: %s", rows[i].command, program_exit(&p), first_line(p.text));
    }
    p = (program){.folder = folder, .path = "/nowhere"};
    program_run(&p, "report of-clock.json -o report");
    assert_int_equal(program_exit(&p), 69);
    char path[200], *html = calloc(1, 1 << 20);
    snprintf(path, sizeof path, "%s/report/index.html", folder);
    FILE *in = fopen(path, "rb");
    assert_true(in && html && fread(html, 1, (1 << 20) - 1, in) > 0);
    fclose(in);
    const char *said = strstr(html, "/hardware/clock_hz (line 1)"), *speed = strstr(html, "latency,");
    assert_true(said && speed && said < speed);
    free(html);
}

/* ---- the environment ---- */

/* Of the user's own hardware: neither the model nor the document is to blame. */
static void a_folder_of_hardware_that_cannot_be_read_is_named_alone(void **state)
{
    static const char *const lines[] = {"predict net.xmodel",
                                        "predict net.xmodel --hw kv260",
                                        "predict net.xmodel --hw base=kv260,clock=3MHz",
                                        "predict n6",
                                        "reconcile measured.json",
                                        "reconcile plan.json",
                                        "report net.xmodel -o report"};
    static const char *const variables[] = {"ROOFLINE_HW_PATH=loop", "XDG_CONFIG_HOME"};
    static program p;
    char config[200], want[300], path[200];
    (void)state;
    if (!getenv("ROOFLINE_EXE"))
        skip_without("the program");
    snprintf(path, sizeof path, "%s/loop", folder);
    assert_int_equal(symlink("loop", path), 0);
    snprintf(path, sizeof path, "%s/roofline", folder);
    assert_int_equal(mkdir(path, 0700), 0);
    snprintf(path, sizeof path, "%s/roofline/hw", folder);
    assert_int_equal(symlink("hw", path), 0);
    snprintf(config, sizeof config, "XDG_CONFIG_HOME=%s", folder);
    for (size_t i = 0; i < COUNT(lines); i++)
        for (size_t k = 0; k < COUNT(variables); k++) {
            p = (program){.folder = folder, .path = "/nowhere", .variable = {k ? config : variables[k]}};
            snprintf(want, sizeof want, "roofline: %s%s: cannot read this folder of your own",
                     k ? folder : "", k ? "/roofline/hw" : "loop");
            program_run(&p, lines[i]);
            const char *line = last_line(p.text);
            if (program_exit(&p) != 74 || strncmp(line, want, strlen(want)) != 0 || !strstr(line, "or let "))
                fail_msg("%s with %s, exit code %d: %s", lines[i], p.variable[0], program_exit(&p), p.text);
        }
}

/* The C library's reader of this variable never ends with a margin of 1. */
static void help_is_the_same_whatever_its_format_variable_says(void **state)
{
    static const char *const formats[] = {"ARGP_HELP_FMT=rmargin=1", "ARGP_HELP_FMT=rmargin=40,no-dup-args",
                                          "ARGP_HELP_FMT=nonsense"};
    static program plain, formatted;
    (void)state;
    if (!getenv("ROOFLINE_EXE"))
        skip_without("the program");
    plain = (program){.folder = folder};
    program_run(&plain, "predict --help");
    for (size_t i = 0; i < COUNT(formats); i++) {
        formatted = (program){
            .folder = folder, .variable = {formats[i]}, .output = "help", .most_file_bytes = 1 << 20};
        program_run(&formatted, "predict --help");
        assert_int_equal(program_exit(&formatted), 0);
        assert_string_equal(formatted.text, "");
        formatted = (program){.folder = folder, .variable = {formats[i]}};
        program_run(&formatted, "predict --help");
        assert_string_equal(formatted.text, plain.text);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_error_names_the_file_that_is_wrong),
        cmocka_unit_test(an_error_names_the_place_that_is_wrong),
        cmocka_unit_test(what_is_said_of_hardware_in_vain_comes_first),
        cmocka_unit_test(a_folder_of_hardware_that_cannot_be_read_is_named_alone),
        cmocka_unit_test(help_is_the_same_whatever_its_format_variable_says),
    };
    return cmocka_run_group_tests(tests, begin, end);
}
