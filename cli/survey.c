/* All commands and their options. Each command keeps its table to itself, so it is run: where it would parse
 * its command line it states its options (take_options) and is done. */
#include "cli/cli.h"
#include "roofline/advise.h"
#include "roofline/hw.h"
#include "roofline/realtime.h"

static struct {
    cli_survey *out;
    roof_arena *arena;
    cli_surveyed_command *command; /* that is asked */
} asking;

/* --- what the words of a command line may be ------------------------------------------------------------ */

/* The i-th name; NULL behind the last. */
static const char *hardware(size_t i)
{
    return roof_hw_builtin(i) ? roof_hw_builtin(i)->id : NULL;
}

static const char *policy(size_t i)
{
    return i < ROOF_REALTIME_POLICIES ? roof_realtime_policy_word((roof_realtime_policy)i) : NULL;
}

static const char *mode(size_t i)
{
    return i < ROOF_RUN_LOAD ? roof_run_mode_text((roof_run_mode)i) : NULL;
}

static const char *quantity(size_t i)
{
    return roof_advice_metric_word((roof_advice_metric)i);
}

/* By the name of the argument in the help. */
static const struct {
    const char *argument, *words;
    const char *(*name)(size_t i); /* more of them; NULL: none */
} known_words[] = {
    {"HW", "", hardware},
    {"PHASE", "prefill decode both", NULL},
    {"WHEN", "auto always never", NULL},
    {"SHELL", "bash zsh fish", NULL},
    {"RULE", "", roof_edit_rule_name},
    {"QUANTITY", "", quantity},
    {"POLICY", "", policy},
    {"MODE", "", mode},
    {"TOOL", "", roof_importer_name},
};
static const char of_files[] = "HW FILE FILE.onnx MODEL MODEL@RATE MEASURED BUDGET MAP A B";

static cli_values values_of(const char *argument)
{
    const size_t i = NAMED_AT(known_words, N_OF(known_words), argument, argument);
    const char *(*name)(size_t) = i < N_OF(known_words) ? known_words[i].name : NULL;
    cli_values out = {.words = i < N_OF(known_words) ? known_words[i].words : "",
                      .files = argument && text_has_word(of_files, argument),
                      .folders = argument && text_has_word("DIR FOLDER", argument)};
    for (size_t k = 0; out.words && name && name(k); k++)
        out.words = arena_printf(asking.arena, "%s%s%s", out.words, *out.words ? " " : "", name(k));
    return out;
}

/* "text, json or csv" as "text json csv". */
static const char *format_words(const cli_output *output)
{
    char names[160];
    cli_format_names(output, names, sizeof names);
    const char *words = "";
    for (char *at = NULL, *word = strtok_r(names, ", ", &at); word && words; word = strtok_r(NULL, ", ", &at))
        if (strcmp(word, "or") != 0)
            words = arena_printf(asking.arena, "%s%s%s", words, *words ? " " : "", word);
    return words;
}

/* --- options -------------------------------------------------------------------------------------------- */

static void add_options(cli_surveyed_command *to, const struct argp *argp)
{
    for (const struct argp_option *o = argp->options; o && (o->name || o->key || o->doc || o->group); o++) {
        if ((!o->name && !o->key) || o->flags & (OPTION_HIDDEN | OPTION_ALIAS | OPTION_DOC))
            continue;
        const int kind = o->key >= CLI_FLAG && o->key < CLI_MOST_KEY ? o->key & ~CLI_PLACE : 0;
        const cli_surveyed_option more = {.name = o->name,
                                          .letter = (char)(o->key > ' ' && o->key < 0x7f ? o->key : 0),
                                          .argument = o->arg,
                                          .doc = text_or_empty(o->doc),
                                          .kind = kind,
                                          .may_lack_argument = o->flags & OPTION_ARG_OPTIONAL,
                                          .may_be_repeated = kind == CLI_LIST,
                                          .values = values_of(o->arg)};
        (void)ARENA_ADD(asking.arena, to->options, to->n_options, NULL, more);
    }
    for (const struct argp_child *child = argp->children; child && child->argp; child++)
        add_options(to, child->argp);
}

static void take_options(const struct argp *argp, const void *input)
{
    cli_surveyed_command *c = asking.command;
    add_options(c, argp);
    /* what has these children has their input */
    for (size_t i = 0; i < c->n_options && argp->children == cli_output_child; i++)
        if (c->options[i].argument && strcmp(c->options[i].argument, "FORMAT") == 0) {
            c->options[i].values.words = format_words(&((const cli_arguments *)input)->output);
            c->options[i].doc = "Format of the output";
        }
    /* The first word: "MODEL" of "MODEL [-- COMMAND...]". */
    size_t length = argp->args_doc ? strcspn(argp->args_doc, " .[\n") : 0;
    c->argument = length ? arena_strndup(asking.arena, argp->args_doc, length) : NULL;
    c->values = values_of(c->argument);
}

/* --- commands ------------------------------------------------------------------------------------------- */

/* Stops where memory runs out, which the arena tells. */
static void ask_all(const cli_group *group, const char *path)
{
    cli_survey *out = asking.out;
    FOR_EACH(const cli_command, command, group->commands, group->n_commands) {
        const cli_surveyed_command more = {
            .path = arena_printf(asking.arena, "%s%s%s", path, *path ? " " : "", command->name),
            .group = path,
            .doc = text_or_empty(command->doc),
            .is_hidden = !command->doc};
        if (ARENA_ADD(asking.arena, out->commands, out->n_commands, NULL, more) != ROOF_OK)
            return;
        asking.command = &out->commands[out->n_commands - 1];
        char name[] = "roofline", *arguments[] = {name, NULL};
        command->run(1, arguments);
    }
}

static void take_group(const cli_group *group)
{
    asking.command->is_group = true;
    ask_all(group, asking.command->path);
}

roof_status cli_survey_commands(roof_arena *arena, cli_survey *out, roof_error *err)
{
    *out = (cli_survey){0};
    asking.arena = arena;
    asking.out = out;
    cli_request = &(const cli_asking){take_options, take_group};
    ask_all(cli_first_group(), "");
    cli_request = NULL;
    return arena_status(arena, err);
}
