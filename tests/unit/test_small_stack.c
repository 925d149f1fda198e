/* Every command does with 64 kB of stack, as threads of small systems have. */
#include "tests/support/program.h"
#include "tests/unit/fixture.h"

enum { STACK_BYTES = 64 * 1024 };

#if defined(__SANITIZE_ADDRESS__)
enum { HAS_LARGE_FRAMES = true };
#else
enum { HAS_LARGE_FRAMES = false };
#endif

static const char *const commands[] = {
    "predict @kv260/mobilenetv1-b4096.xmodel --hash --findings",
    "predict @kv260/mobilenetv1-b4096.xmodel --format json -o prediction.json",
    "predict @kv260/mobilenetv1-b4096.xmodel --format csv",
    "predict @kv260/mobilenetv1-b4096.xmodel --format markdown",
    "predict @kv260/mobilenetv1-b4096.xmodel --format trace",
    "predict @stm32n6 --hw stm32n6",
    "predict @stm32n6/network.csv --hw stm32n6",
    "inspect @kv260/mobilenetv1-b4096.xmodel --details",
    "inspect @kv260/mobilenetv1-b4096.xmodel --format csv",
    "inspect @stm32n6 --details",
    "inspect @stm32n6 --format json",
    "inspect @stm32n6 --format markdown",
    "import @stm32n6/npu_profiler.log --model @stm32n6 --hw stm32n6 -o measured.json",
    "import @stm32n6/npu_counters.log --model @stm32n6",
    "import @stm32n6/network_validate_report.txt",
    "import @stm32n6/val.json",
    "reconcile measured.json --details",
    "reconcile @kv260/measured.json --findings --calibration-out calibration.json",
    "predict @kv260/mobilenetv1-b4096.xmodel --hw kv260 --calibration calibration.json",
    "reconcile @kv260/measured.json --format json",
    "reconcile @kv260/measured.json --format csv",
    "reconcile @kv260/measured.json --format markdown",
    "reconcile @kv260/measured.json --format trace",
    "report @kv260/measured.json prediction.json -o report",
    "report @stm32n6/measured.json -o plan-report",
    "hw list",
    "hw show kv260 -o hw.json",
    "hw check hw.json",
    "formats",
    "help predict",
};

static void every_command_does_with_it(void **state)
{
    char examples[1000];
    const program_word words[] = {{"@", examples}, {NULL, NULL}};
    (void)state;
    if (!program_is_there() || HAS_LARGE_FRAMES)
        skip();
    snprintf(examples, sizeof examples, "%s/examples/", getenv("ROOFLINE_SOURCE_DIR"));
    for (size_t i = 0; i < COUNT(commands); i++) {
        program_run run = {
            .command = commands[i], .words = words, .stack_bytes = STACK_BYTES, .without_gnuplot = true};
        program_start(&run);
        bool draws = strncmp(commands[i], "report", 6) == 0;
        if (run.exit_code != 0 && !(draws && run.exit_code == 69)) /* 69: there is no gnuplot */
            fail_msg("%s: exit code %d: %s", commands[i], run.exit_code, run.err);
        program_forget(&run);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(every_command_does_with_it)};
    return cmocka_run_group_tests(tests, program_begin, program_end);
}
