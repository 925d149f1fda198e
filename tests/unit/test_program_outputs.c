/* What the program does to files: all commands follow links, overwrite no input, leave all outputs or none,
 * and nothing when they are ended on the way. */
#include "tests/unit/fixture.h"
#include "tests/unit/folder.h"
#include "tests/unit/processes.h"
#include "tests/unit/program.h"

#include <dirent.h>
#include <sys/stat.h>

/* ---- files ---- */

static char *contents(const char *path, size_t *size)
{
    FILE *file = fopen(path, "rb");
    if (!file)
        fail_msg("no %s", path);
    char *bytes = calloc(1, 4 << 20);
    assert_non_null(bytes);
    *size = fread(bytes, 1, (4 << 20) - 1, file);
    fclose(file);
    return bytes;
}

static void write_bytes(const char *path, const char *bytes, size_t size)
{
    FILE *file = fopen(path, "wb");
    assert_non_null(file);
    assert_int_equal(fwrite(bytes, 1, size, file), size);
    assert_int_equal(fclose(file), 0);
}

static void write_text(const char *name, const char *text)
{
    write_bytes(in_folder(name), text, strlen(text));
}

static void copy(const char *from, const char *name)
{
    size_t size;
    char path[600], *bytes;
    snprintf(path, sizeof path, "%s/examples/%s", getenv("ROOFLINE_SOURCE_DIR"), from);
    bytes = contents(path, &size);
    write_bytes(in_folder(name), bytes, size);
    free(bytes);
}

/* Names, sizes and kinds of all files in a folder and those below, in any order: a hash of each is added. */
static uint64_t state_of(const char *where)
{
    uint64_t sum = 0;
    DIR *dir = opendir(where);
    assert_non_null(dir);
    for (struct dirent *e; (e = readdir(dir));) {
        char path[600];
        struct stat st;
        uint64_t hash = 14695981039346656037U;
        size_t size = 0;
        if (strcmp(e->d_name, ".") == 0 || strcmp(e->d_name, "..") == 0)
            continue;
        snprintf(path, sizeof path, "%s/%s", where, e->d_name);
        assert_int_equal(lstat(path, &st), 0);
        char *bytes = S_ISREG(st.st_mode) ? contents(path, &size) : NULL;
        for (const char *p = e->d_name; *p; p++)
            hash = (hash ^ (unsigned char)*p) * 1099511628211U;
        for (size_t i = 0; i < size; i++)
            hash = (hash ^ (unsigned char)bytes[i]) * 1099511628211U;
        sum += hash ^ (S_ISDIR(st.st_mode) ? state_of(path) : 0);
        free(bytes);
    }
    closedir(dir);
    return sum;
}

static bool is_leftover(const char *name)
{
    return strncmp(name, ".roofline-", strlen(".roofline-")) == 0;
}

static size_t count_leftovers(const char *where)
{
    size_t n = 0;
    DIR *dir = opendir(where);
    assert_non_null(dir);
    for (struct dirent *e; (e = readdir(dir));)
        n += is_leftover(e->d_name);
    closedir(dir);
    return n;
}

static void remove_tree(const char *where)
{
    DIR *dir = opendir(where);
    for (struct dirent *e; dir && (e = readdir(dir));) {
        char path[600];
        snprintf(path, sizeof path, "%s/%s", where, e->d_name);
        if (strcmp(e->d_name, ".") != 0 && strcmp(e->d_name, "..") != 0 && unlink(path) != 0)
            remove_tree(path);
    }
    if (dir)
        closedir(dir);
    rmdir(where);
}

/* A folder as somebody works in it. */
static void put_inputs(void)
{
    static const char *const files[][2] = {
        {"kv260/mobilenetv1-b4096.xmodel", "mobilenetv1-b4096.xmodel"},
        {"kv260/mobilenetv1-b4096.xmodel", "m.xmodel"},
        {"kv260/mobilenetv1-b4096.xmodel", "x.dat"},
        {"kv260/mobilenetv1-b4096.xmodel", "y.gp"},
        {"kv260/mobilenetv1-b4096.xmodel", "there/report.csv"},
        {"stm32n6/network_c_info.json", "plan/network_c_info.json"},
        {"stm32n6/stm32n6.mpool", "plan/stm32n6.mpool"},
    };
    static program p;
    assert_int_equal(mkdir(in_folder("plan"), 0755), 0);
    assert_int_equal(mkdir(in_folder("there"), 0755), 0);
    for (size_t i = 0; i < COUNT(files); i++)
        copy(files[i][0], files[i][1]);
    write_text("layers.csv", "Layer,Mean\nconv1,1.5\n");
    write_text("map.txt", "");
    write_text(
        "measured.json",
        "{\"schema\":\"roofline.measured/1\",\"experiments\":[{\"model\":{\"path\":\"mobilenetv1-b4096."
        "xmodel\"},\"hardware\":{\"id\":\"kv260\"},\"runs\":[{\"mode\":\"bypass\",\"total\":{\"mean_s\":0."
        "005343}}]}]}");
    write_text(
        "there/measured.json",
        "{\"schema\":\"roofline.measured/1\",\"experiments\":[{\"model\":{\"path\":\"report.csv\"},"
        "\"hardware\":{\"id\":\"kv260\"},\"runs\":[{\"mode\":\"bypass\",\"total\":{\"mean_s\":0.01}}]}]}");
    p = (program){.folder = folder};
    program_run(&p, "reconcile measured.json --calibration-out c.json -o out.txt");
    assert_int_equal(program_exit(&p), 0);
    program_run(&p, "hw show b4096 -o hw.json");
    assert_int_equal(program_exit(&p), 0);
    program_run(&p, "hw show b4096 -o z.gp --format json");
    assert_int_equal(program_exit(&p), 0);
}

static int make_inputs(void **state)
{
    if (!getenv("ROOFLINE_EXE") || make_folder(state) != 0)
        return -1;
    put_inputs();
    return 0;
}

static int remove_inputs(void **state)
{
    (void)state;
    remove_tree(folder);
    return access(folder, F_OK) == 0 ? -1 : 0;
}

/* Of a report, whose files may be replaced. */
#define OLD_PAGE "<title>roofline report: old</title>"

static void fail_run(const char *command_line, const program *p, const char *why)
{
    fail_msg("roofline %s: %s; it ended with %d (state %#x) and said:\n%s", command_line, why,
             program_exit(p), (unsigned)p->state, p->text);
}

/* ---- no input is overwritten ---- */

static void no_command_overwrites_what_it_reads_or_writes(void **state)
{
    static const struct {
        const char *command_line, *one, *other, *input;
    } rows[] = {
        {"inspect m.xmodel -o m.xmodel", "m.xmodel", "m.xmodel", NULL},
        {"inspect m.xmodel -o ./m.xmodel", "./m.xmodel", "m.xmodel", NULL},
        {"inspect plan -o plan/stm32n6.mpool", "plan/stm32n6.mpool", "plan/stm32n6.mpool", NULL},
        {"predict m.xmodel -o m.xmodel", "m.xmodel", "m.xmodel", NULL},
        {"predict m.xmodel --hw ./hw.json -o hw.json", "hw.json", "./hw.json", NULL},
        {"predict m.xmodel --hw b4096 --calibration c.json -o c.json", "c.json", "c.json", NULL},
        {"predict plan -o plan/network_c_info.json", "plan/network_c_info.json", "plan/network_c_info.json",
         NULL},
        {"predict plan -o plan/stm32n6.mpool", "plan/stm32n6.mpool", "plan/stm32n6.mpool", NULL},
        {"predict x.dat --hw b4096 --chart x.svg", "./x.dat", "x.dat", NULL},
        {"predict y.gp --hw b4096 --chart y.svg", "./y.gp", "y.gp", NULL},
        {"predict m.xmodel --hw ./z.gp --chart z.svg", "./z.gp", "./z.gp", NULL},
        {"predict m.xmodel --hw b4096 --chart new.svg -o new.gp", "new.gp", "./new.gp", NULL},
        {"import layers.csv --map name=Layer,time=Mean:ms -o layers.csv", "layers.csv", "layers.csv", NULL},
        {"import layers.csv --map name=Layer,time=Mean:ms --model m.xmodel -o m.xmodel", "m.xmodel",
         "m.xmodel", NULL},
        {"import - --map name=Layer,time=Mean:ms -o layers.csv", "layers.csv", "standard input",
         "layers.csv"},
        {"reconcile measured.json -o measured.json", "measured.json", "measured.json", NULL},
        {"reconcile measured.json -o mobilenetv1-b4096.xmodel", "mobilenetv1-b4096.xmodel",
         "mobilenetv1-b4096.xmodel", NULL},
        {"reconcile measured.json --calibration-out mobilenetv1-b4096.xmodel", "mobilenetv1-b4096.xmodel",
         "mobilenetv1-b4096.xmodel", NULL},
        {"reconcile measured.json --map map.txt -o map.txt", "map.txt", "map.txt", NULL},
        {"reconcile measured.json --calibration-out new -o new", "new", "new", NULL},
        {"report there/measured.json -o there", "there/report.csv", "there/report.csv", NULL},
        {"hw show ./hw.json -o hw.json", "hw.json", "./hw.json", NULL},
    };
    static program p;
    (void)state;
    for (size_t i = 0; i < COUNT(rows); i++) {
        uint64_t before = state_of(folder);
        char input[200];
        snprintf(input, sizeof input, "%s", in_folder(rows[i].input ? rows[i].input : ""));
        p = (program){.folder = folder, .input = rows[i].input ? input : NULL};
        program_run(&p, rows[i].command_line);
        const char *said = strstr(p.text, "would overwrite the");
        if (program_exit(&p) != 64 || !said)
            fail_run(rows[i].command_line, &p, "want 64 and what would be overwritten");
        if (!said || !strstr(said, rows[i].other) || !strstr(p.text, rows[i].one))
            fail_run(rows[i].command_line, &p, "want both names");
        if (state_of(folder) != before)
            fail_run(rows[i].command_line, &p, "something has changed");
    }
}

/* ---- links, devices ---- */

/* Commands with one output; %s is its name. */
static const char *const single[] = {
    "predict m.xmodel --hw b4096 -o %s",
    "predict m.xmodel --hw b4096 --format json -o %s",
    "inspect m.xmodel -o %s",
    "import layers.csv --map name=Layer,time=Mean:ms -o %s",
    "reconcile measured.json -o %s",
    "reconcile measured.json --calibration-out %s",
    "hw list -o %s",
    "hw show b4096 -o %s",
};

static void every_command_follows_links_and_writes_to_devices(void **state)
{
    static program p;
    char line[200];
    (void)state;
    for (size_t i = 0; i < COUNT(single); i++) {
        struct stat st;
        size_t n, m;
        p = (program){.folder = folder};
        snprintf(line, sizeof line, single[i], "direct");
        program_run(&p, line);
        char *want = contents(in_folder("direct"), &n), *got;
        write_text("target", "old");
        assert_int_equal(symlink("target", in_folder("link")), 0);
        snprintf(line, sizeof line, single[i], "link");
        program_run(&p, line);
        got = contents(in_folder("target"), &m);
        if (program_exit(&p) != 0 || n != m || memcmp(want, got, n) != 0 ||
            lstat(in_folder("link"), &st) != 0 || !S_ISLNK(st.st_mode))
            fail_run(line, &p, "want the link and a new file behind it");
        free(got);
        /* with --calibration-out the page goes there as well, which are two outputs to one file */
        bool is_second = strstr(line, "--calibration-out");
        p = (program){.folder = folder, .output = "shell's"};
        snprintf(line, sizeof line, single[i], "/dev/stdout");
        program_run(&p, line);
        got = contents(in_folder("shell's"), &m);
        if (is_second ? program_exit(&p) != 64 : program_exit(&p) != 0 || n != m || memcmp(want, got, n) != 0)
            fail_run(line, &p, "want it in the shell's file");
        free(got);
        snprintf(line, sizeof line, single[i], "/dev/null");
        program_run(&p, line);
        assert_int_equal(program_exit(&p), 0);
        snprintf(line, sizeof line, single[i], "/dev/full");
        program_run(&p, line);
        assert_int_equal(program_exit(&p), 74);
        free(want);
        static const char *const made[] = {"direct", "target", "link", "shell's"};
        for (size_t k = 0; k < COUNT(made); k++)
            unlink(in_folder(made[k]));
    }
    assert_int_equal(stat("/dev/stdout", &(struct stat){0}), 0);
}

static void outputs_are_all_there_or_none(void **state)
{
    static const struct {
        const char *command_line;
        int want;
    } rows[] = {
        {"reconcile measured.json -o a.json --calibration-out /dev/full", 74},
        {"reconcile measured.json -o /dev/full --calibration-out a.json", 74},
        {"reconcile measured.json -o missing/a.json --calibration-out a.json", 74},
        {"reconcile measured.json -o a.json --calibration-out missing/a.json", 74},
        {"predict m.xmodel --hw b4096 -o a.json --chart missing/a.svg", 74},
        {"predict m.xmodel --hw b4096 -o /dev/full --chart a.svg", 74},
        {"predict m.xmodel --hw b4096 -o missing/a.json --chart a.svg", 74},
    };
    static program p;
    (void)state;
    for (size_t i = 0; i < COUNT(rows); i++) {
        uint64_t before = state_of(folder);
        p = (program){.folder = folder};
        program_run(&p, rows[i].command_line);
        if (program_exit(&p) != rows[i].want)
            fail_run(rows[i].command_line, &p, "want 74");
        if (state_of(folder) != before)
            fail_run(rows[i].command_line, &p, "something is there");
    }
}

/* A board may be busy for an hour: what cannot be written is found out before. */
static void measure_starts_nothing_whose_output_it_cannot_write(void **state)
{
    static const struct {
        const char *output;
        int want;
    } rows[] = {{"missing/m.json", 74}, {"plan", 74}, {"m.xmodel", 64}, {"./m.xmodel", 64}};
    static const char *const lines[] = {"measure m.xmodel --on mark -o %s",
                                        "measure m.xmodel --on command -o %s -- touch started"};
    static program p;
    char line[200], where[200];
    (void)state;
    write_text("roofline-run-mark", "#!/bin/sh\n/usr/bin/touch started\n/bin/touch started\n");
    assert_int_equal(chmod(in_folder("roofline-run-mark"), 0755), 0);
    snprintf(where, sizeof where, "ROOFLINE_RUNNER_PATH=%s", folder);
    uint64_t before = state_of(folder);
    for (size_t i = 0; i < COUNT(rows); i++)
        for (size_t k = 0; k < COUNT(lines); k++) {
            p = (program){.folder = folder, .variable = {where}};
            snprintf(line, sizeof line, lines[k], rows[i].output);
            program_run(&p, line);
            if (program_exit(&p) != rows[i].want || !strstr(p.text, rows[i].output))
                fail_run(line, &p, "want the output's fault");
            if (state_of(folder) != before)
                fail_run(line, &p, "something was started");
        }
    p = (program){.folder = folder, .variable = {where}};
    program_run(&p,
                "measure m.xmodel --on mark -o m.json"); /* which has no faults: it is started, and fails */
    assert_int_equal(program_exit(&p), 69);
    assert_int_equal(unlink(in_folder("started")), 0);
    assert_int_equal(unlink(in_folder("roofline-run-mark")), 0);
}

static bool holds(const char *name, const char *text)
{
    size_t n = 0;
    char *bytes = access(in_folder(name), F_OK) == 0 ? contents(in_folder(name), &n) : NULL;
    bool same = bytes && strcmp(bytes, text) == 0;
    free(bytes);
    return same;
}

/* ---- exit codes ---- */

/* Documents of one network that is measured, and of one whose time is 1 000 times too large. */
#define MEASURED(experiments) "{\"schema\":\"roofline.measured/1\",\"experiments\":[" experiments "]}"
#define EXPERIMENT(seconds)                                                                                  \
    "{\"model\":{\"path\":\"mobilenetv1-b4096.xmodel\"},\"hardware\":{\"id\":\"kv260\"},"                    \
    "\"runs\":[{\"mode\":\"bypass\",\"total\":{\"mean_s\":" seconds "}}]}"

static void put_failing_inputs(void)
{
    static const char *const lines[] = {"history add measured.json --db runs.db",
                                        "sweep plan.json -o points.csv"};
    static program p;
    write_text("no-model", "text\n");
    write_text("no-comparison.json", MEASURED(EXPERIMENT("5.3")));
    write_text(
        "half-compared.json",
        MEASURED("{\"model\":{\"path\":\"m.xmodel\",\"name\":\"m\"},\"hardware\":{\"id\":\"kv260\"},"
                 "\"runs\":[{\"mode\":\"bypass\",\"total\":{\"mean_s\":0.0053}}]}," EXPERIMENT("5.3")));
    write_text("budget.json", "{\"schema\":\"roofline.budget/1\",\"total\":{\"mean_s\":0.001}}");
    write_text("plan.json",
               "{\"schema\":\"roofline.sweep/1\",\"models\":[\"m.xmodel\"],\"devices\":[\"kv260\"]}");
    copy("models/mobilenetv2.onnx", "net.onnx");
    copy("npu2/llama-3.2-1b.json", "language.json");
    for (size_t i = 0; i < COUNT(lines); i++) {
        p = (program){.folder = folder};
        program_run(&p, lines[i]);
        if (program_exit(&p) != 0)
            fail_run(lines[i], &p, "want 0");
    }
    assert_int_equal(mkdir(in_folder("review"), 0755), 0);
    write_text("review/index.html", OLD_PAGE);
    write_text("old", "old");
}

/* Each command that has -o, and each that writes several files, with what fails last. */
static const struct {
    const char *line;
    int exit_code;
} failing[] = {
    {"predict no-model -o old", 65},
    {"predict m.xmodel --hw b4096 --chart nowhere/x.svg -o old", 74},
    {"predict no-model --hw b4096,kv260 -o old", 65},
    {"predict m.xmodel --hw b4096,kv260 --chart nowhere/x.svg -o old", 74},
    {"predict language.json --hw npu2 --context 1k,2k --chart nowhere/x.svg -o old", 74},
    {"reconcile no-comparison.json -o old", 65},
    {"reconcile no-comparison.json --format json -o old", 65},
    {"reconcile no-comparison.json --calibration-out old", 65},
    {"report no-comparison.json -o review", 65},
    {"report measured.json --baseline no-model -o review", 65},
    {"compare measured.json no-model -o old", 65},
    {"compare m.xmodel mobilenetv1-b4096.xmodel --hw b4096 --chart nowhere/x.svg -o old", 74},
    {"compare net.onnx m.xmodel --hw b4096 --chart nowhere/x.svg -o old", 74},
    {"check measured.json --budget no-model -o old", 65},
    {"schedule m.xmodel@30Hz no-model@3Hz --hw b4096 -o old", 65},
    {"explain no-model --measured 5ms --hw b4096 -o old", 65},
    {"sweep no-model -o old", 65},
    {"sweep --merge no-model -o old", 65},
    {"sweep --merge points.csv --chart nowhere/x.svg -o old", 74},
    {"sweep --merge points.csv --page nowhere/x.html -o old", 74},
    {"advise m.xmodel --hw b4096 -o old", 65},
    {"published no-network --hw no-model -o old", 66},
    {"inspect no-model -o old", 65},
    {"inspect m.xmodel --memory --chart nowhere/x.svg -o old", 74},
    {"import no-model -o old", 65},
    {"measure m.xmodel --on nowhere -o old", 69},
    {"history list --db no-model -o old", 65},
    {"history show 99 --db runs.db -o old", 64},
    {"history trend --db runs.db --page nowhere/x.html -o old", 74},
    {"history gate --db runs.db --factor 0 -o old", 64},
    {"hw list no-argument -o old", 64},
    {"hw show no-model -o old", 66},
    {"hw probe no-argument -o old", 64},
};

/* Each command of the help texts whose own has -o. */
static void want_rows_for_all(void)
{
    static const char *const groups[] = {"", "history ", "hw "};
    static program all, one;
    char line[100], wanted[100];
    for (size_t g = 0; g < COUNT(groups); g++) {
        static const char heading[] = "\nCommands:\n";
        all = (program){.folder = folder};
        snprintf(line, sizeof line, "%s--help", groups[g]);
        program_run(&all, line);
        const char *at = strstr(all.text, heading);
        assert_non_null(at);
        for (at += strlen(heading); strncmp(at, "  ", 2) == 0; at = strchr(at, '\n') + 1) {
            snprintf(wanted, sizeof wanted, "%s%.*s ", groups[g], (int)strcspn(at + 2, " \n"), at + 2);
            one = (program){.folder = folder};
            snprintf(line, sizeof line, "%s--help", wanted);
            program_run(&one, line);
            bool is_there = !strstr(one.text, "\n  -o ");
            for (size_t i = 0; i < COUNT(failing) && !is_there; i++)
                is_there = strncmp(failing[i].line, wanted, strlen(wanted)) == 0;
            if (!is_there)
                fail_msg("'%s' has -o, and no row in the table of failing commands", wanted);
        }
    }
}

static void what_fails_replaces_nothing(void **state)
{
    static program p;
    (void)state;
    put_failing_inputs();
    for (size_t i = 0; i < COUNT(failing); i++) {
        uint64_t before = state_of(folder);
        p = (program){.folder = folder};
        program_run(&p, failing[i].line);
        if (program_exit(&p) != failing[i].exit_code)
            fail_run(failing[i].line, &p, "another exit code is wanted");
        if (state_of(folder) != before)
            fail_run(failing[i].line, &p, "something has changed");
    }
    want_rows_for_all();
}

/* A check that fails is a result, and so is a comparison of some of several; so is all but a picture, where
 * nothing can draw it. */
static void a_failed_check_is_written(void **state)
{
    static const struct {
        const char *line;
        int exit_code;
    } rows[] = {{"check measured.json --budget budget.json -o old", 1},
                {"reconcile half-compared.json -o old", 1},
                {"predict m.xmodel no-model --hw b4096 --strict -o old", 1},
                {"history gate --db runs.db -o old", 1},
                {"predict m.xmodel --hw b4096 --chart x.svg -o old", 69},
                {"predict m.xmodel --hw b4096,kv260 --chart x.svg -o old", 69},
                {"compare net.onnx m.xmodel --hw b4096 --chart x.svg -o old", 69},
                {"inspect m.xmodel --memory --chart x.svg -o old", 69},
                {"sweep --merge points.csv --chart x.svg -o old", 69},
                {"history trend --db runs.db --page x.html -o old", 69}};
    static program p;
    (void)state;
    for (size_t i = 0; i < COUNT(rows); i++) {
        write_text("old", "old");
        p = (program){.folder = folder, .path = "/nowhere"};
        program_run(&p, rows[i].line);
        if (program_exit(&p) != rows[i].exit_code)
            fail_run(rows[i].line, &p, "another exit code is wanted");
        if (holds("old", "old"))
            fail_run(rows[i].line, &p, "the old file is there");
    }
    remove_tree(in_folder("review"));
}

/* ---- sudden ends ---- */

static void a_limit_on_files_is_a_full_disk(void **state)
{
    static program p;
    char line[200];
    (void)state;
    write_text("old", "old");
    uint64_t before = state_of(folder);
    for (size_t i = 0; i < COUNT(single); i++) {
        p = (program){.folder = folder, .most_file_bytes = 10};
        snprintf(line, sizeof line, single[i], "old");
        program_run(&p, line);
        if (program_exit(&p) != 74 || !strstr(p.text, "File too large"))
            fail_run(line, &p, "want 74, and that a file is too large");
        if (state_of(folder) != before)
            fail_run(line, &p, "something has changed");
    }
    p = (program){.folder = folder, .most_file_bytes = 10};
    program_run(&p, "report measured.json -o new");
    assert_int_equal(program_exit(&p), 74);
    program_run(&p, "predict m.xmodel --hw b4096 --chart new.svg");
    assert_int_equal(program_exit(&p), 74);
    assert_true(state_of(folder) == before);
    unlink(in_folder("old"));
}

/* A gnuplot that begins a picture, sends its parent a signal, and hangs. */
static void put_gnuplot(const char *hangs)
{
    char script[200];
    adopt_orphans();
    assert_int_equal(mkdir(in_folder("bin"), 0755), 0);
    snprintf(script, sizeof script, "#!/bin/sh\nPATH=/usr/bin:/bin\ntouch half.svg\n%s\n", hangs);
    write_text("bin/gnuplot", script);
    assert_int_equal(chmod(in_folder("bin/gnuplot"), 0755), 0);
}

static void a_signal_leaves_no_file_and_no_process(void **state)
{
    static const struct {
        const char *name;
        int number;
    } signals[] = {{"INT", SIGINT}, {"TERM", SIGTERM}, {"HUP", SIGHUP}, {"QUIT", SIGQUIT}, {"XCPU", SIGXCPU}};
    static const char *const lines[] = {"report m.xmodel --hw b4096 -o new",
                                        "report m.xmodel --hw b4096 -o review",
                                        "predict m.xmodel --hw b4096 --chart review/old.svg -o review/old"};
    static program p;
    char path[200], name[40];
    (void)state;
    put_gnuplot("kill -$SIGNAL $PPID\nsleep 600");
    assert_int_equal(mkdir(in_folder("review"), 0755), 0);
    write_text("review/index.html", OLD_PAGE);
    write_text("review/old.svg", "old");
    snprintf(path, sizeof path, "%s", in_folder("bin"));
    for (size_t i = 0; i < COUNT(signals); i++)
        for (size_t k = 0; k < COUNT(lines); k++) {
            uint64_t before = state_of(folder);
            snprintf(name, sizeof name, "SIGNAL=%s", signals[i].name);
            p = (program){.folder = folder, .path = path, .variable = {name}};
            program_run(&p, lines[k]);
            if (!WIFSIGNALED(p.state) || WTERMSIG(p.state) != signals[i].number)
                fail_run(lines[k], &p, signals[i].name);
            if (!all_have_ended())
                fail_run(lines[k], &p, "gnuplot goes on");
            if (state_of(folder) != before)
                fail_run(lines[k], &p, "something has changed");
        }
    remove_tree(in_folder("review"));
    remove_tree(in_folder("bin"));
}

/* A signal that comes between the start of a child and its entry in the list, and a file that a killed
 * process makes while its folder is removed. */
static void a_signal_in_the_wrong_moment_leaves_nothing_either(void **state)
{
    static const struct {
        const char *hangs, *variable;
    } rows[] = {{"sleep 600 & touch \"$0\".runs; wait", "SIGNAL_IN_FORK"},
                {"kill -TERM $PPID; sleep 600", "LATE_FILE"}};
    static program p;
    char path[200], runs[200], variable[300];
    (void)state;
    for (size_t i = 0; i < COUNT(rows); i++) {
        uint64_t before = state_of(folder);
        put_gnuplot(rows[i].hangs);
        snprintf(path, sizeof path, "%s", in_folder("bin"));
        snprintf(runs, sizeof runs, "%s", in_folder("bin/gnuplot.runs"));
        snprintf(variable, sizeof variable, "%s=%s", rows[i].variable, runs);
        p = (program){.folder = folder,
                      .path = path,
                      .preload = getenv("ROOFLINE_PRELOAD_RACES"),
                      .variable = {variable}};
        program_run(&p, "report m.xmodel --hw b4096 -o new");
        assert_true(WIFSIGNALED(p.state) && WTERMSIG(p.state) == SIGTERM);
        if (!all_have_ended())
            fail_run(variable, &p, "gnuplot goes on");
        remove_tree(in_folder("bin"));
        if (state_of(folder) != before)
            fail_run(variable, &p, "something has changed");
    }
}

/* What nobody can clear is cleared by the next run; gnuplot ends with its parent. */
static void a_killed_run_is_cleared_by_the_next(void **state)
{
    static program p;
    char path[200];
    (void)state;
    put_gnuplot("kill -KILL $PPID\nexec sleep 600");
    assert_int_equal(mkdir(in_folder("review"), 0755), 0);
    write_text("review/index.html", OLD_PAGE);
    uint64_t before = state_of(folder);
    snprintf(path, sizeof path, "%s", in_folder("bin"));
    p = (program){.folder = folder, .path = path};
    program_run(&p, "report m.xmodel --hw b4096 -o review");
    assert_true(WIFSIGNALED(p.state));
    assert_true(all_have_ended());
    assert_int_equal(count_leftovers(in_folder("review")), 1);
    p = (program){.folder = folder};
    program_run(&p, "hw list -o review/list");
    assert_int_equal(program_exit(&p), 0);
    unlink(in_folder("review/list"));
    assert_true(state_of(folder) == before);
    remove_tree(in_folder("review"));
    remove_tree(in_folder("bin"));
}

/* ---- names that do not change ---- */

static const char *const replaced[] = {"index.html", "prediction-m.json", "prediction-m.csv", "roofline-m.gp",
                                       "roofline-m.dat"};

/* At its place, or kept in a leftover. */
static bool is_somewhere(const char *name)
{
    char path[400];
    snprintf(path, sizeof path, "review/%s", name);
    bool found = holds(path, OLD_PAGE);
    DIR *dir = opendir(in_folder("review"));
    assert_non_null(dir);
    for (struct dirent *e; (e = readdir(dir));) {
        snprintf(path, sizeof path, "review/%.60s/.was/%s", e->d_name, name);
        found = found || (is_leftover(e->d_name) && holds(path, OLD_PAGE));
    }
    closedir(dir);
    return found;
}

/* Whichever rename fails, and however many after it, or whichever is the last that a killed process did: each
 * old file is in its place or kept, and the next run puts all of them back. */
static void no_failing_rename_loses_an_old_file(void **state)
{
    static const char *const ways[] = {"FAIL_RENAME=%d", "KILL_RENAME=%d"};
    static program p;
    char variable[40], name[100];
    int renames = 0;
    (void)state;
    for (size_t way = 0; way < COUNT(ways); way++)
        for (int n = 1, done = 0; !done; n++) {
            assert_int_equal(mkdir(in_folder("review"), 0755), 0);
            for (size_t i = 0; i < COUNT(replaced); i++) {
                snprintf(name, sizeof name, "review/%s", replaced[i]);
                write_text(name, OLD_PAGE);
            }
            uint64_t before = state_of(in_folder("review"));
            snprintf(variable, sizeof variable, ways[way], n);
            p = (program){.folder = folder,
                          .path = "/nowhere",
                          .preload = getenv("ROOFLINE_PRELOAD_RENAMES"),
                          .variable = {variable}};
            program_run(&p, "report m.xmodel --hw b4096 -o review");
            done = program_exit(&p) == 69; /* all went well, but for gnuplot, which is not there */
            for (size_t i = 0; i < COUNT(replaced) && !done; i++)
                if (!is_somewhere(replaced[i]))
                    fail_run(variable, &p, replaced[i]);
            if (!done && way == 0)
                assert_int_equal(program_exit(&p), 74);
            p = (program){.folder = folder};
            program_run(&p, "hw list -o review/list");
            assert_int_equal(program_exit(&p), 0);
            unlink(in_folder("review/list"));
            assert_int_equal(count_leftovers(in_folder("review")), 0);
            if (!done && state_of(in_folder("review")) != before)
                fail_run(variable, &p, "not all old files are back");
            renames = n;
            remove_tree(in_folder("review"));
        }
    assert_true(renames > (int)COUNT(replaced));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(no_command_overwrites_what_it_reads_or_writes),
        cmocka_unit_test(every_command_follows_links_and_writes_to_devices),
        cmocka_unit_test(outputs_are_all_there_or_none),
        cmocka_unit_test(measure_starts_nothing_whose_output_it_cannot_write),
        cmocka_unit_test(what_fails_replaces_nothing),
        cmocka_unit_test(a_failed_check_is_written),
        cmocka_unit_test(a_limit_on_files_is_a_full_disk),
        cmocka_unit_test(a_signal_leaves_no_file_and_no_process),
        cmocka_unit_test(a_signal_in_the_wrong_moment_leaves_nothing_either),
        cmocka_unit_test(a_killed_run_is_cleared_by_the_next),
        cmocka_unit_test(no_failing_rename_loses_an_old_file),
    };
    return cmocka_run_group_tests(tests, make_inputs, remove_inputs);
}
