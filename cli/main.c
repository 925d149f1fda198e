/* roofline - predicts the ideal cycles of compiled neural networks on edge accelerators.
 *
 * To add a command: a line in commands.def and a file cmd_NAME.c.
 */
#include "cli/cli.h"
#include "core/files/input.h"
#include "roofline/version.h"

static const cli_command commands[] = {
#define COMMAND(name, doc, example) {#name, (doc), (example), cmd_##name},
#include "cli/commands.def"
#undef COMMAND
};

static const char *starts[][2] = {
    {"I have a model", "roofline predict net.onnx --hw kv260"},
    {"I have a profile", "roofline reconcile profile.json"},
    {"I have a CI job", "roofline check profile.json --mean 30ms"},
    {"I have a board to choose", "roofline predict net.onnx --hw kv260,zcu104,npu2"},
    {NULL, NULL},
};

static const cli_group roofline = {
    .name = "roofline",
    .usage = "roofline COMMAND [ARGUMENT...]\n"
             "       roofline --help | --version | help COMMAND",
    .intro = "Predicts how long compiled neural networks need on edge accelerators, layer by layer, and what "
             "limits them. Compares that with measured profiles, and lists what costs time.",
    .outro = {"`roofline help COMMAND` shows options and more examples.",
              "Exit codes: 0 done, 1 a check failed (--strict), 64 usage, 65 bad data, 66 input missing, 69 "
              "device unavailable, 70 internal error, 74 input or output failed (a full disk included)."},
    .starts = starts,
    .commands = commands,
    .n_commands = N_OF(commands),
};

int main(int argc, char **argv)
{
    cli_streams_hold();
    cli_streams_guard();
    atexit(cli_streams_finish);
    cli_signals_hold();
    inputs_watch(); /* the whole run: no output takes the place of what was read */
    argp_err_exit_status = CLI_USAGE;
    unsetenv("ARGP_HELP_FMT"); /* help is the same for all, and argp never ends with a margin of 1 */
    if (argc == 2 && (strcmp(argv[1], "--version") == 0 || strcmp(argv[1], "-V") == 0)) {
        printf("roofline %s\n", roof_version());
        return CLI_DONE;
    }
    return cli_dispatch(&roofline, argc, argv);
}
