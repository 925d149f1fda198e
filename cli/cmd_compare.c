#include "cli/cli.h"

typedef struct arguments {
    cli_arguments common;
    const char *hw;
    bool details, strict;
} arguments;

static const struct argp_option options[] = {
    {"hw", CLI_KEY(TEXT, hw), "HW", 0,
     "Of models: the hardware that both are predicted on; without it, what each was compiled for", 0},
    {0, 0, 0, 0, "Contents:", 0},
    {"details", CLI_KEY(FLAG, details), 0, 0, "All layers, not only those that differ most", 0},
    CLI_TABLE_OPTIONS,
    {"strict", CLI_KEY(FLAG, strict), 0, 0, "Exit with 1 when any difference is shown", 0},
    {0},
};

static const char doc[] =
    "Compares two profiles, or two predictions, of one network: the time of an inference and of every "
    "layer, the difference with its 95 % interval, and whether it is more than noise. A and B are "
    "measured documents, predictions as JSON, or models.\v"
    "With samples typical inference (Mann-Whitney's test), mean and tail are looked at, else the mean by "
    "Welch's test on mean, deviation and count. ~ means that no difference is shown, and ? that samples "
    "are too few to exclude one of 5 %; the text says how many are needed. All layers are tested together "
    "(Holm's method), so two runs of the same thing are seldom called different. B / A is above 1 where B "
    "takes longer. What A and B do not have in common, such as batch or hardware, is said first.\n"
    "\n"
    "Examples:\n"
    "  roofline compare old.json new.json\n"
    "  roofline compare old.json new.json --details -o comparison.md\n"
    "  roofline compare prediction.json model.xmodel\n"
    "  roofline compare resnet50.xmodel pruned.xmodel --hw kv260";

static uint32_t count_shown(const roof_comparison *c)
{
    uint32_t n = 0;
    for (uint32_t i = 0; i < c->n_runs; i++)
        n += c->runs[i].n_shown + c->runs[i].total.is_shown + roof_compared_rates_differ(&c->runs[i]);
    return n;
}

static int compare(const arguments *of)
{
    const cli_profile_options about = {.hw = of->hw, .times_alone = true};
    cli_subject a = {0}, b = {0};
    roof_comparison *c = NULL;
    roof_error err;
    roof_status status = cli_subject_read(&of->common.files[0], 1, &about, &a, &err);
    if (status == ROOF_OK)
        status = cli_subject_read(&of->common.files[1], 1, &about, &b, &err);
    const roof_compare_side sides[] = {cli_subject_side(&a), cli_subject_side(&b)};
    if (status == ROOF_OK)
        status = roof_compare(&sides[0], &sides[1], &c, &err);
    if (status == ROOF_OK)
        status = cli_subject_write(c, NULL, &of->common.output, of->details, &err);
    int exit_code = status != ROOF_OK              ? cli_fail(&err)
                    : of->strict && count_shown(c) ? CLI_CHECK_FAILED
                                                   : CLI_DONE;
    roof_comparison_free(c);
    cli_subject_free(&a);
    cli_subject_free(&b);
    return exit_code;
}

int cmd_compare(int argc, char **argv)
{
    static const struct argp argp = {options, cli_parse_key, "A B", doc, cli_output_child, 0, 0};
    static const char missing[] = "what with what? Give two profiles, or two predictions, of one network";
    arguments a = {
        .common = {.options = options, .missing = missing, .output.shows = ROOF_DOCUMENT_COMPARISON}};
    cli_parse(&argp, argc, argv, &a);
    return a.common.n_files == 2 ? compare(&a) : cli_fail_usage("compare: %s", missing);
}
