#include "cli/cli.h"
#include "core/platform/platform.h"

/* --- help --------------------------------------------------------------------------------------------- */

static int show_help(const cli_group *group, FILE *stream)
{
    textbuf out;
    text_init(&out, TEXT_MAX_BYTES);
    text_printf(&out, "Usage: %s\n", group->usage);
    text_puts(&out, "\nExamples:\n");
    for (size_t i = 0; i < group->n_commands; i++)
        if (group->commands[i].doc)
            text_printf(&out, "  roofline %s\n", group->commands[i].example);
    text_puts(&out, "\n");
    cli_put_item(&out, "", group->intro, 0);
    text_puts(&out, "\nCommands:\n");
    for (size_t i = 0; i < group->n_commands; i++)
        if (group->commands[i].doc)
            cli_put_item(&out, group->commands[i].name, group->commands[i].doc, 13);
    for (size_t i = 0; group->outro[i]; i++) {
        text_puts(&out, "\n");
        cli_put_item(&out, "", group->outro[i], 0);
    }
    if (stream == stdout)
        return cli_write_text(&out, NULL);
    fputs(out.bytes && !out.failed ? out.bytes : "", stream);
    text_free(&out);
    return CLI_USAGE;
}

/* For who types the program's name alone. */
static int show_starts(const cli_group *group)
{
    textbuf out;
    text_init(&out, TEXT_MAX_BYTES);
    for (size_t i = 0; group->starts[i][0]; i++)
        cli_put_item(&out, group->starts[i][0], group->starts[i][1], 28);
    text_printf(&out, "\n`%s help` lists all commands, `%s hw list` all devices, `%s formats` all files.\n",
                group->name, group->name, group->name);
    fputs(out.bytes && !out.failed ? out.bytes : "", stderr);
    text_free(&out);
    return CLI_USAGE;
}

static int fail_unknown(const cli_group *group, const char *name)
{
    char shown[160], word[400];
    const uint32_t near = NEAREST_AT(group->commands, group->n_commands, name, name);
    quote_text(shown, sizeof shown, name, strlen(name));
    if (near < group->n_commands)
        return cli_fail_usage("no command '%s'; did you mean `%s %s`?", shown, group->name,
                              group->commands[near].name);
    if (os_may(OS_HERE, name, OS_MAY_BE))
        return cli_fail_usage("no command '%s'; to analyse that file: `%s %s %s`", shown, group->name,
                              group->commands[0].name, quote_for_shell(word, sizeof word, name, "FILE"));
    return cli_fail_usage("no command '%s'; `%s --help` lists them", shown, group->name);
}

/* --- dispatch ----------------------------------------------------------------------------------------- */

static char help_option[] = "--help";

/* -h alone is a wish for help, which argp calls -? or --help. */
static int run(const cli_group *group, const cli_command *command, int argc, char **argv)
{
    char name[64];
    snprintf(name, sizeof name, "%s %s", group->name, command->name);
    argv[0] = name;
    for (int i = 1; i < argc && strcmp(argv[i], "--") != 0; i++)
        if (strcmp(argv[i], "-h") == 0)
            argv[i] = help_option;
    return command->run(argc, argv);
}

static const cli_group *first;

const cli_group *cli_first_group(void)
{
    return first;
}

int cli_dispatch(const cli_group *group, int argc, char **argv)
{
    first = first ? first : group;
    if (cli_request) {
        cli_request->group(group);
        return CLI_DONE;
    }
    if (argc < 2)
        return group->starts ? show_starts(group) : show_help(group, stderr);
    const bool is_help = strcmp(argv[1], "help") == 0;
    if (strcmp(argv[1], "--help") == 0 || strcmp(argv[1], "-h") == 0 || strcmp(argv[1], "-?") == 0 ||
        (is_help && argc < 3))
        return show_help(group, stdout);
    const char *name = argv[is_help ? 2 : 1];
    const cli_command *command = NAMED(group->commands, group->n_commands, name, name);
    if (!command)
        return fail_unknown(group, name);
    if (!is_help)
        return run(group, command, argc - 1, argv + 1);
    /* `help predict` is `predict --help`, and `help hw show` is `hw show --help`. */
    char *arguments[] = {NULL, argc > 3 ? argv[3] : help_option, argc > 3 ? help_option : NULL, NULL};
    return run(group, command, argc > 3 ? 3 : 2, arguments);
}
