#include "cli/cli.h"
#include "roofline/advise.h"
#include "roofline/measure.h"

static error_t parse(int key, char *arg, struct argp_state *state)
{
    if (key != ARGP_KEY_ARG)
        return ARGP_ERR_UNKNOWN;
    argp_error(state, "takes no arguments, but got '%.60s'", arg);
    return 0;
}

static const char doc[] =
    "Lists the formats that this program reads and writes, families of hardware, and devices to measure on. "
    "Each runner that is found is asked, and says why when it cannot run.\vExamples:\n"
    "  roofline formats";

static void add_pairs(textbuf *out, const char *title, const char *(*name)(size_t),
                      const char *(*text)(size_t), size_t column)
{
    text_printf(out, "%s:\n", title);
    for (size_t i = 0; name(i); i++)
        cli_put_item(out, name(i), text(i), column);
}

static void add_families(textbuf *out)
{
    text_puts(out, "Families of hardware:\n");
    for (size_t i = 0; roof_hw_builtin(i); i++) {
        const char *family = roof_hw_builtin(i)->family;
        unsigned n = 0, before = 0;
        for (size_t k = 0; roof_hw_builtin(k); k++) {
            bool same = strcmp(roof_hw_builtin(k)->family, family) == 0;
            before += same && k < i;
            n += same;
        }
        if (!before)
            text_printf(out, "  %-17s  %u %s in `roofline hw list`\n", family, n,
                        n == 1 ? "entry" : "entries");
    }
}

static roof_status add_runner(void *out, const roof_runner_about *about, roof_error *err)
{
    (void)err;
    cli_put_item(out, about->name, about->text, 21);
    return ROOF_OK;
}

int cmd_formats(int argc, char **argv)
{
    textbuf out;
    roof_error err;
    CLI_PARSE(NULL, NULL, parse, NULL, doc, NULL);
    text_init(&out, TEXT_MAX_BYTES);
    add_pairs(&out, "Models that can be read", roof_format_name, roof_format_doc, 21);
    text_puts(&out, "\n");
    char text[200];
    text_puts(&out, "Measurements that can be imported:\n");
    for (size_t i = 0; roof_importer_name(i); i++) {
        snprintf(text, sizeof text, "%s%s", roof_importer_doc(i),
                 roof_importer_is_verified(i) ? "" : " (unverified)");
        cli_put_item(&out, roof_importer_name(i), text, 21);
    }
    text_puts(&out, "\n");
    cli_put_item(&out, "",
                 "unverified: made from documents of the format, without a file that the tool itself wrote",
                 0);
    text_puts(&out, "\n");
    add_pairs(&out, "Formats that can be written", roof_renderer_name, roof_renderer_doc, 24);
    text_puts(&out, "\n");
    add_pairs(&out, "Rules that find edits (`roofline advise`)", roof_edit_rule_name, roof_edit_rule_doc, 21);
    text_puts(&out, "\n");
    add_families(&out);
    text_puts(&out, "\nDevices that can be measured on (`roofline measure --on`):\n");
    const size_t before = out.length;
    const roof_status status = roof_runners_ask(add_runner, &out, &err);
    if (out.length == before)
        text_puts(&out, "  none: no roofline-run-NAME beside roofline nor in PATH\n");
    if (status == ROOF_OK)
        return cli_write_text(&out, NULL);
    text_free(&out);
    return cli_fail(&err);
}
