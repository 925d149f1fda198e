/* `roofline sweep` as it is run: killed at any time, on a full disk, in parts by GNU parallel; how it says
 * what is wrong. */
#include "tests/support/sample.h"
#include "tests/support/skips.h"
#include "tests/unit/program.h"
#include "tests/unit/sweep_fixture.h"

#include <errno.h>
#include <poll.h>
#include <sys/stat.h>

/* Two models, four devices, 25 clocks: 200 points, of which a chunk is a twelfth. */
static void save_plan(void)
{
    static const char head[] =
        "{\"schema\": \"roofline.sweep/1\",\n"
        " \"models\": [\"@/models/mobilenetv1-b4096.xmodel\", \"@/models/resnet50.onnx\"],\n"
        " \"devices\": [\"kv260\", \"zcu104\", \"b1024\", \"npu2\"],\n"
        " \"clocks\": [\"200MHz\"";
    char text[4000];
    size_t used = (size_t)snprintf(text, sizeof text, "%s", head);
    for (int i = 1; i < 25; i++)
        used += (size_t)snprintf(text + used, sizeof text - used, ", \"%dMHz\"", 200 + 10 * i);
    snprintf(text + used, sizeof text - used, "]}\n");
    sweep_save_plan("plan.json", text);
}

static program p;

static int setup(void **state)
{
    if (make_folder(state) != 0)
        return -1;
    save_plan();
    p = (program){.folder = folder};
    return 0;
}

static int teardown(void **state)
{
    sweep_remove("plan.json");
    return remove_folder(state);
}

static void must_run(const char *command_line)
{
    program_run(&p, command_line);
    if (program_exit(&p) != 0)
        fail_msg("%s: exit code %d: %s", command_line, program_exit(&p), p.text);
}

static char *whole_sweep(size_t *length)
{
    must_run("sweep plan.json --jobs 1 -o p.csv");
    char *bytes = sweep_bytes("p.csv", length);
    assert_non_null(bytes);
    sweep_remove("p.csv");
    return bytes;
}

static uint64_t size_of(const char *name)
{
    char path[SWEEP_PATH];
    struct stat st;
    return stat(sweep_path(path, name), &st) == 0 ? (uint64_t)st.st_size : 0;
}

/* --- killed --------------------------------------------------------------------------------------------- */

/* Starts a sweep, and kills it once its file has so many bytes; it may have ended before. */
static void kill_at(uint64_t bytes)
{
    char *arguments[] = {(char *)(unsigned long)"roofline",  (char *)(unsigned long)"sweep",
                         (char *)(unsigned long)"plan.json", (char *)(unsigned long)"-o",
                         (char *)(unsigned long)"p.csv",     NULL};
    const int nowhere = open("/dev/null", O_WRONLY | O_CLOEXEC);
    assert_true(nowhere >= 0);
    fflush(NULL);
    const pid_t child = fork();
    if (child == 0)
        program_exec(&p, arguments, nowhere);
    int state;
    while (waitpid(child, &state, WNOHANG) == 0)
        if (size_of("p.csv.part") >= bytes) {
            kill(child, SIGKILL);
            waitpid(child, &state, 0);
            break;
        }
    close(nowhere);
    assert_true(WIFSIGNALED(state) || (WIFEXITED(state) && WEXITSTATUS(state) == 0));
}

static void what_is_killed_at_any_time_goes_on_to_the_same_bytes(void **state)
{
    const unsigned n = sample_of(100, 10);
    size_t length;
    char *bytes = whole_sweep(&length);
    uint64_t seed = 1;
    unsigned n_gone_on = 0;
    (void)state;
    for (unsigned i = 0; i < n; i++) {
        /* a few times in a row, ever later; the first time perhaps before there is a file */
        for (uint64_t at = 0; at < length;) {
            seed = seed * 6364136223846793005u + 1442695040888963407u; /* Knuth's MMIX */
            kill_at(at);
            at += 1 + (seed >> 33) % length;
        }
        n_gone_on += size_of("p.csv.part") > 0 && size_of("p.csv.part") < length;
        must_run("sweep plan.json -o p.csv");
        sweep_same("killed and gone on with", "p.csv", bytes, length);
        assert_int_equal(size_of("p.csv.part"), 0);
        sweep_remove("p.csv");
    }
    if (!n_gone_on)
        fail_msg("none of %u sweeps was killed on its way", n);
    free(bytes);
}

/* --- a full disk ---------------------------------------------------------------------------------------- */

static void a_full_disk_leaves_what_is_finished(void **state)
{
    static const unsigned parts[] = {0, 1, 3, 9};
    size_t length;
    char *bytes = whole_sweep(&length);
    (void)state;
    for (size_t i = 0; i < COUNT(parts); i++) {
        p.most_file_bytes = (rlim_t)(length * parts[i] / 10 + 100);
        program_run(&p, "sweep plan.json -o p.csv");
        if (program_exit(&p) != 74 || !strstr(p.text, "p.csv.part: cannot write: File too large"))
            fail_msg("exit code %d: %s", program_exit(&p), p.text);
        assert_true(size_of("p.csv") == 0 && size_of("p.csv.part") <= p.most_file_bytes);
        unsigned kept = 0, found = 0;
        const char *note = strstr(p.text, "\nroofline: ");
        assert_int_equal(!note, parts[i] == 0);
        if (note)
            assert_int_equal(sscanf(note, "\nroofline: %u of 200 points are kept in 'p.csv.part'; ", &kept),
                             1);
        p.most_file_bytes = 0;
        must_run("sweep plan.json -o p.csv");
        if (note)
            assert_int_equal(sscanf(p.text, "roofline: %u of 200 points were there already", &found), 1);
        assert_int_equal(kept, found);
        sweep_same("gone on with", "p.csv", bytes, length);
        sweep_remove("p.csv");
    }
    program_run(&p, "sweep plan.json -o /dev/full");
    assert_int_equal(program_exit(&p), 74);
    free(bytes);
}

/* --- in parts ------------------------------------------------------------------------------------------- */

static void standard_output_has_the_same_bytes(void **state)
{
    size_t length;
    char *bytes = whole_sweep(&length);
    (void)state;
    p.output = "out.csv";
    must_run("sweep plan.json");
    p.output = NULL;
    sweep_same("standard output", "out.csv", bytes, length);
    sweep_remove("out.csv");
    free(bytes);
}

static void eight_processes_at_a_time_make_the_bytes_of_one(void **state)
{
    enum { PARTS = 8 };
    size_t length;
    char *bytes = whole_sweep(&length), name[20];
    pid_t children[PARTS];
    int status;
    (void)state;
    fflush(NULL);
    for (int i = 0; i < PARTS; i++)
        if ((children[i] = fork()) == 0) {
            char shard[20];
            snprintf(shard, sizeof shard, "%d/%d", i + 1, PARTS);
            snprintf(name, sizeof name, "part-%d", i + 1);
            char *arguments[] = {(char *)(unsigned long)"roofline",
                                 (char *)(unsigned long)"sweep",
                                 (char *)(unsigned long)"plan.json",
                                 (char *)(unsigned long)"--shard",
                                 shard,
                                 (char *)(unsigned long)"-o",
                                 name,
                                 NULL};
            program_exec(&p, arguments, 2);
        }
    for (int i = 0; i < PARTS; i++) {
        assert_int_equal(waitpid(children[i], &status, 0), children[i]);
        assert_int_equal(status, 0);
    }
    must_run(
        "sweep --merge part-8 part-1 part-2 part-3 part-4 part-5 part-6 part-7 --plan plan.json -o p.csv");
    sweep_same("merged", "p.csv", bytes, length);
    p.output = "out.csv"; /* a pipe would be closed where the kept text ends */
    must_run("sweep --merge part-1 part-2 part-3 part-4 part-5 part-6 part-7 part-8");
    p.output = NULL;
    sweep_same("merged to standard output", "out.csv", bytes, length);
    sweep_remove("out.csv");
    sweep_remove("p.csv");
    for (int i = 1; i <= PARTS; i++) {
        snprintf(name, sizeof name, "part-%d", i);
        sweep_remove(name);
    }
    free(bytes);
}

/* --- what is wrong -------------------------------------------------------------------------------------- */

static void a_wrong_command_line_says_what_is_wanted(void **state)
{
    static const struct {
        const char *command_line, *want;
        int exit_code;
    } cases[] = {
        {"sweep", "which plan?", 64},
        {"sweep none.json", "none.json: cannot open", 66},
        {"sweep plan.json other.json", "one plan at a time", 64},
        {"sweep plan.json --shard 0/2", "--shard: '0/2' is no part, want I/N", 64},
        {"sweep plan.json --shard 3/2", "--shard: '3/2' is no part", 64},
        {"sweep plan.json --shard 1", "--shard: '1' is no part", 64},
        {"sweep plan.json --shard 1/2x", "--shard: '1/2x' is no part", 64},
        {"sweep plan.json --shard /2", "--shard: '/2' is no part", 64},
        {"sweep plan.json --format text", "no format 'text', want csv or jsonl", 64},
        {"sweep plan.json -o p.json", "end the name in .csv or .jsonl", 64},
        {"sweep plan.json --jobs 5000", "want at most 1024", 64},
        {"sweep plan.json --shards 3", "Add --emit slurm or --emit parallel", 64},
        {"sweep plan.json --plan plan.json", "--plan: the plan that --merge holds parts against", 64},
        {"sweep plan.json --emit pbs -o p.csv", "no engine 'pbs', want slurm or parallel", 64},
        {"sweep plan.json --emit slurm", "name the file of all points with -o", 64},
        {"sweep plan.json --emit slurm -o p.csv --shard 1/2", "leave --shard out", 64},
        {"sweep --merge plan.json", "plan.json: is no file of points", 65},
        {"sweep --merge plan.json --jobs 2", "--merge: parts are put together as they are", 64},
        {"sweep plan.json -o plan.json --format csv", "plan.json: is an input", 64},
    };
    (void)state;
    for (size_t i = 0; i < COUNT(cases); i++) {
        program_run(&p, cases[i].command_line);
        if (program_exit(&p) != cases[i].exit_code || !strstr(p.text, cases[i].want))
            fail_msg("%s: exit code %d, want %d: '%s', want '%s'", cases[i].command_line, program_exit(&p),
                     cases[i].exit_code, p.text, cases[i].want);
    }
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_is_killed_at_any_time_goes_on_to_the_same_bytes),
        cmocka_unit_test(a_full_disk_leaves_what_is_finished),
        cmocka_unit_test(standard_output_has_the_same_bytes),
        cmocka_unit_test(eight_processes_at_a_time_make_the_bytes_of_one),
        cmocka_unit_test(a_wrong_command_line_says_what_is_wanted),
    };
    if (!getenv("ROOFLINE_EXE"))
        skip_without("the program");
    return cmocka_run_group_tests_name("cmd_sweep", tests, setup, teardown);
}
