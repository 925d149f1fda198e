/* roofline completion SHELL: a script, made of the tables of options (survey.c). Each shell has a function
 * that writes its script; what is the same whatever the options are stands in completion.SHELL. */
#include "cli/cli.h"
#include "roofline/version.h"

/* Characters of a shell's quoted text that need more than themselves. */
static const char *const in_zsh[128] = {['\''] = "'\\''", ['['] = "\\[", [']'] = "\\]", [':'] = "\\:"};
static const char *const in_fish[128] = {['\''] = "\\'", ['\\'] = "\\\\"};

/* The first clause of a help text: one line has room for no more. */
static void put_doc(textbuf *out, const char *doc, const char *const quoted[128])
{
    size_t length = strcspn(doc, ";:");
    const char *stop = strstr(doc, ". ");
    text_escaped(out, doc, stop && (size_t)(stop - doc) < length ? (size_t)(stop - doc) : length, quoted);
}

/* --- bash ----------------------------------------------------------------------------------------------- */

static void put_bash_values(textbuf *out, cli_values values)
{
    text_printf(out, "words='%s'%s ;;\n", values.words,
                values.files     ? " files=-f"
                : values.folders ? " files=-d"
                                 : "");
}

/* The names of the commands of a group, with spaces between. */
static void put_commands(textbuf *out, const cli_survey *all, const char *group)
{
    const char *between = "";
    FOR_EACH(const cli_surveyed_command, c, all->commands, all->n_commands)
        if (strcmp(c->group, group) == 0 && !c->is_hidden) {
            text_printf(out, "%s%s", between, c->path + (*group ? strlen(group) + 1 : 0));
            between = " ";
        }
}

static void put_bash_option(textbuf *out, const cli_surveyed_command *c, const cli_surveyed_option *o)
{
    if (!o->argument || (o->may_lack_argument && !*o->values.words && !o->values.files && !o->values.folders))
        return;
    const char *between = "  ";
    if (o->name)
        text_printf(out, "%s'%s --%s'", between, c->path, o->name), between = " | ";
    if (o->letter)
        text_printf(out, "%s'%s -%c'", between, c->path, o->letter);
    text_puts(out, ") ");
    put_bash_values(out, o->values);
}

static void put_bash(textbuf *out, const cli_survey *all, const char *script)
{
    script = cli_put_script(out, script);
    FOR_EACH(const cli_surveyed_command, c, all->commands, all->n_commands)
        if (c->is_group)
            text_printf(out, "  %s) ((COMP_CWORD == at)) || command+=\" ${COMP_WORDS[at]}\" ;;\n", c->path);
    script = cli_put_script(out, script);
    FOR_EACH(const cli_surveyed_command, c, all->commands, all->n_commands)
        for (size_t i = 0; i < c->n_options; i++)
            put_bash_option(out, c, &c->options[i]);
    script = cli_put_script(out, script);
    text_puts(out, "    '') words='");
    put_commands(out, all, "");
    text_puts(out, " help --help --version' ;;\n");
    FOR_EACH(const cli_surveyed_command, c, all->commands, all->n_commands) {
        text_printf(out, "    '%s') words='", c->path);
        put_commands(out, all, c->is_group ? c->path : "-");
        text_puts(out, c->is_group ? "" : "--help");
        for (size_t i = 0; i < c->n_options; i++) {
            if (c->options[i].name)
                text_printf(out, " --%s", c->options[i].name);
            if (c->options[i].letter)
                text_printf(out, " -%c", c->options[i].letter);
        }
        text_puts(out, "' ;;\n");
    }
    script = cli_put_script(out, script);
    FOR_EACH(const cli_surveyed_command, c, all->commands, all->n_commands)
        if (!c->is_group) {
            text_printf(out, "    '%s') ", c->path);
            put_bash_values(out, c->values);
        }
    cli_put_script(out, script);
}

/* --- zsh ------------------------------------------------------------------------------------------------ */

static void put_zsh_commands(textbuf *out, const cli_survey *all, const char *group)
{
    text_printf(out, "      '%s') commands=(", group);
    FOR_EACH(const cli_surveyed_command, c, all->commands, all->n_commands)
        if (strcmp(c->group, group) == 0 && !c->is_hidden) {
            text_printf(out, "\n        '%s:", c->path + (*group ? strlen(group) + 1 : 0));
            put_doc(out, c->doc, in_zsh);
            text_puts(out, "'");
        }
    text_puts(out, *group ? ") ;;\n" : "\n        'help:options and examples of a command') ;;\n");
}

static void put_zsh_values(textbuf *out, const char *argument, cli_values values)
{
    text_puts(out, ":");
    text_escaped(out, argument, strlen(argument), in_zsh);
    if (*values.words && values.files)
        text_printf(out, ":{compadd -- %s; _files}", values.words);
    else if (*values.words)
        text_printf(out, ":(%s)", values.words);
    else
        text_puts(out, values.files ? ":_files" : values.folders ? ":_files -/" : ": ");
}

static void put_zsh_option(textbuf *out, const cli_surveyed_option *o, const char *name, const char *equals)
{
    text_printf(out, " \\\n      '%s%s%s[", o->may_be_repeated ? "*" : "", name, o->argument ? equals : "");
    put_doc(out, o->doc, in_zsh);
    text_puts(out, "]");
    if (o->argument) {
        text_puts(out, o->may_lack_argument ? ":" : "");
        put_zsh_values(out, o->argument, o->values);
    }
    text_puts(out, "'");
}

static void put_zsh(textbuf *out, const cli_survey *all, const char *script)
{
    char name[64];
    script = cli_put_script(out, script);
    put_zsh_commands(out, all, "");
    FOR_EACH(const cli_surveyed_command, c, all->commands, all->n_commands)
        if (c->is_group)
            put_zsh_commands(out, all, c->path);
    script = cli_put_script(out, script);
    FOR_EACH(const cli_surveyed_command, c, all->commands, all->n_commands) {
        if (c->is_group)
            continue;
        text_printf(out, "    '%s') _arguments '--help[options and examples]'", c->path);
        FOR_EACH(const cli_surveyed_option, o, c->options, c->n_options) {
            snprintf(name, sizeof name, "--%s", o->name ? o->name : "");
            if (o->name)
                put_zsh_option(out, o, name, o->may_lack_argument ? "=-" : "=");
            snprintf(name, sizeof name, "-%c", o->letter);
            if (o->letter)
                put_zsh_option(out, o, name, "+");
        }
        if (c->argument) {
            text_puts(out, " \\\n      '*");
            put_zsh_values(out, c->argument, c->values);
            text_puts(out, "'");
        }
        text_puts(out, " ;;\n");
    }
    cli_put_script(out, script);
}

/* --- fish ----------------------------------------------------------------------------------------------- */

#define FISH_FOLDERS " -f -a '(__fish_complete_directories (commandline -ct))'"

static void put_fish_doc(textbuf *out, const char *doc)
{
    text_puts(out, " -d '");
    put_doc(out, doc, in_fish);
    text_puts(out, "'\n");
}

static void put_fish_option(textbuf *out, const cli_surveyed_command *c, const cli_surveyed_option *o)
{
    text_printf(out, "complete -c roofline -n '__roofline_is %s'", c->path);
    if (o->name)
        text_printf(out, " -l %s", o->name);
    if (o->letter)
        text_printf(out, " -s %c", o->letter);
    if (o->argument && !o->may_lack_argument)
        text_puts(out, o->values.files || o->values.folders ? " -r" : " -x");
    if (o->argument && o->values.files)
        text_puts(out, " -F");
    if (o->argument && o->values.folders)
        text_puts(out, FISH_FOLDERS);
    if (o->argument && *o->values.words && !o->may_lack_argument)
        text_printf(out, " -a '%s'", o->values.words);
    put_fish_doc(out, o->doc);
}

static void put_fish(textbuf *out, const cli_survey *all, const char *script)
{
    cli_put_script(out, script);
    FOR_EACH(const cli_surveyed_command, c, all->commands, all->n_commands) {
        if (!c->is_hidden) {
            text_printf(out, "complete -c roofline -n '__roofline_next %s' -a %s", c->group,
                        c->path + (*c->group ? strlen(c->group) + 1 : 0));
            put_fish_doc(out, c->doc);
        }
        if (c->is_group)
            continue;
        text_printf(out, "complete -c roofline -n '__roofline_is %s' -l help -d 'options and examples'\n",
                    c->path);
        for (size_t i = 0; i < c->n_options; i++)
            put_fish_option(out, c, &c->options[i]);
        if (c->values.files)
            text_printf(out, "complete -c roofline -n '__roofline_is %s' -F\n", c->path);
        if (c->values.folders)
            text_printf(out, "complete -c roofline -n '__roofline_is %s'" FISH_FOLDERS "\n", c->path);
        if (*c->values.words)
            text_printf(out, "complete -c roofline -n '__roofline_is %s' -a '%s'\n", c->path,
                        c->values.words);
    }
}

/* --- the command ---------------------------------------------------------------------------------------- */

static const struct shell {
    const char *name, *first_line, *script;
    void (*put)(textbuf *out, const cli_survey *all, const char *script);
} shells[] = {{"bash", "", "completion.bash", put_bash},
              {"zsh", "#compdef roofline\n", "completion.zsh", put_zsh},
              {"fish", "", "completion.fish", put_fish}};

static const char doc[] =
    "Prints a script with which bash, zsh or fish completes the commands of roofline, their options, and the "
    "values of these. An installation has the scripts in the folders where the shells look; this is for a "
    "program that was not installed.\vExamples:\n"
    "  roofline completion bash\n"
    "  roofline completion zsh\n"
    "  roofline completion fish";

static roof_status make_script(cli_writing *w, roof_error *err)
{
    const struct shell *shell = w->of;
    cli_survey all;
    TRY(cli_survey_commands(w->arena, &all, err));
    text_printf(&w->out, "%s# Completion of roofline %s in %s, made by `roofline completion %s`.\n",
                shell->first_line, roof_version(), shell->name, shell->name);
    shell->put(&w->out, &all, cli_script_named(shell->script));
    return ROOF_OK;
}

int cmd_completion(int argc, char **argv)
{
    cli_arguments a = {.what = "shell", .missing = "for which shell? Want bash, zsh or fish"};
    CLI_PARSE(&a, NULL, cli_parse_key, "SHELL", doc, NULL);
    const struct shell *shell = NAMED(shells, N_OF(shells), name, a.files[0]);
    if (!shell)
        return cli_fail_usage("no script for '%.40s', want bash, zsh or fish", a.files[0]);
    return cli_write_made(&a.output, "", shell, make_script);
}
