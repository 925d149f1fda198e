/* Every command does with 64 kB of stack, as threads of small systems have. */
#include "tests/unit/fixture.h"
#include "tests/unit/program.h"
#include "tests/support/skips.h"

enum { STACK_BYTES = 64 * 1024 };

#if defined(__SANITIZE_ADDRESS__)
enum { HAS_LARGE_FRAMES = true };
#else
enum { HAS_LARGE_FRAMES = false };
#endif

static char folder[64];

static const char *const commands[] = {
    "predict @/kv260/mobilenetv1-b4096.xmodel --hash --findings",
    "predict @/kv260/mobilenetv1-b4096.xmodel --format json -o prediction.json",
    "predict @/kv260/mobilenetv1-b4096.xmodel --format csv",
    "predict @/kv260/mobilenetv1-b4096.xmodel --format markdown",
    "predict @/kv260/mobilenetv1-b4096.xmodel --format trace",
    "predict @/stm32n6 --hw stm32n6",
    "predict @/stm32n6/network.csv --hw stm32n6",
    "inspect @/kv260/mobilenetv1-b4096.xmodel --details",
    "inspect @/kv260/mobilenetv1-b4096.xmodel --format csv",
    "inspect @/stm32n6 --details",
    "inspect @/stm32n6 --format json",
    "inspect @/stm32n6 --format markdown",
    "import @/stm32n6/npu_profiler.log --model @/stm32n6 --hw stm32n6 -o measured.json",
    "import @/stm32n6/npu_counters.log --model @/stm32n6",
    "import @/stm32n6/network_validate_report.txt",
    "import @/stm32n6/val.json",
    "reconcile measured.json --details",
    "reconcile @/kv260/measured.json --findings --calibration-out calibration.json",
    "predict @/kv260/mobilenetv1-b4096.xmodel --hw kv260 --calibration calibration.json",
    "reconcile @/kv260/measured.json --format json",
    "reconcile @/kv260/measured.json --format csv",
    "reconcile @/kv260/measured.json --format markdown",
    "reconcile @/kv260/measured.json --format trace",
    "report @/kv260/measured.json prediction.json -o report",
    "report @/stm32n6/measured.json -o plan-report",
    "hw list",
    "hw show kv260 -o hw.json",
    "hw check hw.json",
    "formats",
    "help predict",
};

static int make_folder(void **state)
{
    (void)state;
    strcpy(folder, "/tmp/roofline-test-XXXXXX");
    return mkdtemp(folder) ? 0 : -1;
}

static int remove_all(void **state)
{
    char command[100];
    (void)state;
    snprintf(command, sizeof command, "rm -rf '%s'", folder);
    return system(command); /* NOLINT(cert-env33-c): a test's own words */
}

static void every_command_does_with_it(void **state)
{
    static program p;
    char examples[1000];
    (void)state;
    if (!getenv("ROOFLINE_EXE"))
        skip_without("the program");
    if (HAS_LARGE_FRAMES)
        skip_without("a build without sanitizers and coverage");
    snprintf(examples, sizeof examples, "%s/examples", getenv("ROOFLINE_SOURCE_DIR"));
    for (size_t i = 0; i < COUNT(commands); i++) {
        bool draws = strncmp(commands[i], "report", 6) == 0;
        p = (program){.folder = folder, .path = "/nowhere", .output = "out", .stack_bytes = STACK_BYTES};
        program_run_with(&p, commands[i], examples);
        if (program_exit(&p) != 0 && !(draws && program_exit(&p) == 69)) /* 69: there is no gnuplot */
            fail_msg("%s: exit code %d: %s", commands[i], program_exit(&p), p.text);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(every_command_does_with_it)};
    return cmocka_run_group_tests(tests, make_folder, remove_all);
}
