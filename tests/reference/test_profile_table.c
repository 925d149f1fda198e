/* The samples of profilers in ../shared against oracle_profiles.tsv: every one that is to be imported is
 * found by its content, and its rows and sums are those that were computed by other means. Prints what held
 * as a table, which docs/profilers.md has. README.md beside the samples explains the columns;
 * tests/checks/shared.cmake checks the others. */
#include "tests/unit/imported.h"
#include "tests/support/skips.h"

#include <dirent.h>
#include <sys/stat.h>

enum { COLUMNS = 14, MOST_IMPORTERS = 128, MOST_SUMS = 16 };
enum {
    FILE_NAME,
    TOOL,
    ALIASES,
    EXPECT,
    MODE,
    N_ROWS,
    ROW_OF,
    SUM_S,
    SUM_RULE,
    OTHER_SUMS,
    TOTAL_S,
    OTHER_TOTALS
};

/* Of an importer. */
static struct {
    unsigned samples, recognised; /* that tools wrote */
    unsigned made, made_read;     /* made from the description of the format */
    unsigned checks, passed;      /* of both */
    unsigned elsewhere;           /* files of other folders that it was found for */
} tallies[MOST_IMPORTERS];

static size_t importer_index(const char *id)
{
    size_t i = 0;
    while (roof_importer_name(i) && strcmp(roof_importer_name(i), id) != 0)
        i++;
    return i;
}

static char *read_text(const char *path)
{
    FILE *file = fopen(path, "rb");
    if (!file)
        fail_msg("%s cannot be read", path);
    assert_int_equal(fseek(file, 0, SEEK_END), 0);
    size_t size = (size_t)ftell(file);
    char *text = calloc(1, size + 1);
    rewind(file);
    assert_non_null(text);
    assert_int_equal(fread(text, 1, size, file), size);
    fclose(file);
    return text;
}

/* The next part of *text up to one of the separators, NUL-terminated; NULL behind the last one. */
static char *next_part(char **text, const char *separators)
{
    char *part = *text;
    if (!part)
        return NULL;
    char *end = strpbrk(part, separators);
    *text = end ? end + 1 : NULL;
    if (end)
        *end = '\0';
    return part;
}

/* --- what a document says ----------------------------------------------------------------------------- */

typedef struct found_values {
    double at[MOST_SUMS];
    unsigned n;
} found_values;

static void add_value(found_values *found, double value)
{
    if (found->n < MOST_SUMS && isfinite(value) && value > 0)
        found->at[found->n++] = value;
}

/* Seconds of a row: its time, its cycles over their clock, its share of the sum. NaN: none of them. */
static double row_time(const roof_run *run, const roof_measured_layer *row)
{
    const roof_layer_counters *c = row->counters;
    if (isfinite(row->time.mean_s) || isfinite(row->time.median_s))
        return isfinite(row->time.mean_s) ? row->time.mean_s : row->time.median_s;
    for (uint32_t i = 0; c && i < c->n_cycles; i++)
        for (uint32_t k = 0; k < run->n_clocks; k++)
            if (strcmp(c->cycles[i].domain, run->clocks[k].domain) == 0)
                return (double)c->cycles[i].cycles / run->clocks[k].hz;
    return c ? c->share_ratio * run->sum_of_layers_s : (double)NAN;
}

static bool is_of_host(const roof_measured_layer *row)
{
    const char *device = row->counters ? row->counters->device : NULL;
    return device && (strcmp(device, "CPU") == 0 || strcmp(device, "host") == 0);
}

/* What the rows of a run add up to: of one inference, of all executions, and likewise without the host's. */
static void add_sums_of_run(const roof_run *run, double sums[4])
{
    for (uint32_t i = 0; i < run->n_layers; i++) {
        const roof_measured_layer *row = &run->layers[i];
        double time_s = row_time(run, row), times = row->time.count ? (double)row->time.count : 1;
        bool host = is_of_host(row);
        if (!isfinite(time_s))
            continue;
        sums[0] += time_s;
        sums[1] += time_s * times;
        sums[2] += host ? 0 : time_s * times;
        sums[3] += time_s * (run->iterations ? (double)run->iterations : 1);
    }
}

static void find_sums(const roof_measured *m, bool each, found_values *found)
{
    double all[4] = {0};
    for (uint32_t e = 0; e < m->n_experiments; e++)
        for (uint32_t r = 0; r < m->experiments[e].n_runs; r++) {
            double one[4] = {0};
            add_sums_of_run(&m->experiments[e].runs[r], one);
            add_value(found, one[0]);
            for (unsigned i = 0; i < COUNT(all); i++)
                all[i] += one[i];
        }
    for (unsigned i = 0; i < (each ? COUNT(all) : 1); i++)
        add_value(found, all[i]);
}

static void find_totals(const roof_measured *m, found_values *found)
{
    for (uint32_t e = 0; e < m->n_experiments; e++)
        for (uint32_t r = 0; r < m->experiments[e].n_runs; r++) {
            const roof_run *run = &m->experiments[e].runs[r];
            add_value(found, isfinite(run->total.mean_s) ? run->total.mean_s : run->total.median_s);
            add_value(found, run->sum_of_layers_s);
        }
}

/* --- held against the oracle -------------------------------------------------------------------------- */

/* Whether a value is one of those accepted, to 0.1 %: "0.5", and "name=0.6;other=0.7". */
static bool one_is_accepted(const found_values *found, const char *value, char *others)
{
    bool accepted = false;
    for (const char *want = value; want; want = next_part(&others, ";")) {
        const char *number = strchr(want, '=') ? strchr(want, '=') + 1 : want;
        double wanted_s = strtod(number, NULL);
        for (unsigned i = 0; *want && i < found->n; i++)
            accepted |= fabs(found->at[i] - wanted_s) <= 1e-3 * wanted_s;
    }
    return accepted;
}

static bool rows_agree(const roof_measured *m, char *wanted)
{
    bool agree = false;
    for (char *want; (want = next_part(&wanted, "|"));) {
        uint32_t n = (uint32_t)strtoul(want, NULL, 10), all = 0;
        for (uint32_t e = 0; e < m->n_experiments; e++)
            for (uint32_t r = 0; r < m->experiments[e].n_runs; r++) {
                agree |= m->experiments[e].runs[r].n_layers == n;
                all += m->experiments[e].runs[r].n_layers;
            }
        agree |= all == n;
    }
    return agree;
}

static void count_check(size_t importer, bool passed, const char *file, const char *what, const char *wanted)
{
    tallies[importer].checks++;
    tallies[importer].passed += passed;
    if (!passed)
        print_error("%s: %s, want %s\n", file, what, wanted);
}

static void check_document(const roof_measured *m, size_t importer, char *const field[COLUMNS])
{
    found_values sums = {.n = 0}, totals = {.n = 0};
    char want[256];
    find_sums(m, strcmp(field[SUM_RULE], "each") == 0, &sums);
    find_totals(m, &totals);
    if (*field[N_ROWS] && *field[N_ROWS] != '~') {
        snprintf(want, sizeof want, "%s", field[N_ROWS]);
        count_check(importer, rows_agree(m, field[N_ROWS]), field[FILE_NAME], "other rows", want);
    }
    if (*field[SUM_S])
        count_check(importer, one_is_accepted(&sums, field[SUM_S], field[OTHER_SUMS]), field[FILE_NAME],
                    "the rows add up to something else", field[SUM_S]);
    /* A tool's total is not asked for of what may be left out. */
    if (*field[TOTAL_S] && (totals.n || strcmp(field[EXPECT], "optional") != 0))
        count_check(importer, one_is_accepted(&totals, field[TOTAL_S], field[OTHER_TOTALS]), field[FILE_NAME],
                    "another total", field[TOTAL_S]);
}

/* Whether the tool of a document is the one of the oracle, by one of its names. */
static bool is_tool(const char *tool, const char *name, char *aliases)
{
    bool is = strstr(tool, name) != NULL;
    for (char *alias; (alias = next_part(&aliases, "|"));)
        is |= *alias && strstr(tool, alias);
    return is;
}

static void check_sample(const char *folder, bool made, char *const field[COLUMNS])
{
    char path[1024];
    roof_measured *m = NULL;
    roof_error err = {0};
    if (strcmp(field[EXPECT], "refuse") == 0)
        return;
    snprintf(path, sizeof path, "%s/%s", folder, field[FILE_NAME]);
    bool good = roof_import_file(path, NULL, &m, &err) == ROOF_OK;
    if (!good && strcmp(field[EXPECT], "import") == 0)
        fail_msg("%s", fx_message(&err));
    size_t importer = importer_index(good ? m->sources[0].tool : field[TOOL]);
    if (good && !is_tool(m->sources[0].tool, field[TOOL], field[ALIASES]))
        fail_msg("%s was taken for a file of %s", path, m->sources[0].tool);
    *(made ? &tallies[importer].made : &tallies[importer].samples) += 1;
    *(made ? &tallies[importer].made_read : &tallies[importer].recognised) += good;
    if (good)
        check_document(m, importer, field);
    roof_measured_free(m);
}

static unsigned check_folder(const char *folder, bool made)
{
    char path[1024];
    unsigned n = 0;
    snprintf(path, sizeof path, "%s/oracle_profiles.tsv", folder);
    char *text = read_text(path), *rest = text;
    next_part(&rest, "\n");
    for (char *line; (line = next_part(&rest, "\n")) && *line; n++) {
        char *field[COLUMNS];
        for (unsigned i = 0; i < COLUMNS; i++) {
            char *part = next_part(&line, "\t");
            field[i] = part ? part : "";
        }
        check_sample(folder, made, field);
    }
    free(text);
    return n;
}

/* --- files of other folders --------------------------------------------------------------------------- */

static void count_folder(const char *folder)
{
    DIR *dir = opendir(folder);
    assert_non_null(dir);
    for (struct dirent *entry; (entry = readdir(dir));) {
        char path[4096];
        struct stat st;
        roof_measured *m = NULL;
        roof_error err = {0};
        snprintf(path, sizeof path, "%s/%s", folder, entry->d_name);
        if (entry->d_name[0] == '.' || strncmp(entry->d_name, "profiles", 8) == 0 || stat(path, &st) != 0)
            continue;
        if (S_ISDIR(st.st_mode))
            count_folder(path);
        else if (roof_import_file(path, NULL, &m, &err) == ROOF_OK)
            tallies[importer_index(m->sources[0].tool)].elsewhere++;
        roof_measured_free(m);
    }
    closedir(dir);
}

/* --- the table ---------------------------------------------------------------------------------------- */

/* "5 of 6", or nothing of none. */
static const char *some_of(char buffer[32], unsigned n, unsigned all)
{
    snprintf(buffer, 32, "%u of %u", n, all);
    return all ? buffer : "";
}

/* Prints a line, which the page has to have. */
static void show_line(const char *page, const char *line, unsigned *missing)
{
    printf("%s", line);
    *missing += strstr(page, line) == NULL;
}

static void show_table(const char *page)
{
    unsigned missing = 0;
    show_line(page,
              "| importer | verified | samples recognised | made samples | checks passed | other files |\n"
              "| --- | --- | --- | --- | --- | --- |\n",
              &missing);
    for (size_t i = 0; roof_importer_name(i); i++) {
        char line[256], read[32], made[32], passed[32], elsewhere[32] = "";
        if (tallies[i].elsewhere)
            snprintf(elsewhere, sizeof elsewhere, "%u", tallies[i].elsewhere);
        snprintf(line, sizeof line, "| `%s` | %s | %s | %s | %s | %s |\n", roof_importer_name(i),
                 roof_importer_is_verified(i) ? "yes" : "no",
                 some_of(read, tallies[i].recognised, tallies[i].samples),
                 some_of(made, tallies[i].made_read, tallies[i].made),
                 some_of(passed, tallies[i].passed, tallies[i].checks), elsewhere);
        show_line(page, line, &missing);
    }
    if (missing)
        fail_msg("docs/profilers.md has %u of these lines otherwise: put the table there", missing);
}

static void every_sample_is_recognised_and_agrees_with_the_oracle(void **state)
{
    char path[1024];
    (void)state;
    snprintf(path, sizeof path, "%s/data/profiles", shared_folder());
    assert_true(check_folder(path, false) >= 100);
    snprintf(path, sizeof path, "%s/data/profiles_synthetic", shared_folder());
    assert_true(check_folder(path, true) >= 12);
    for (size_t i = 0; i < MOST_IMPORTERS; i++)
        assert_int_equal(tallies[i].passed, tallies[i].checks);
}

static void the_page_on_profilers_has_the_table(void **state)
{
    char path[1024];
    (void)state;
    snprintf(path, sizeof path, "%s/data", shared_folder());
    count_folder(path);
    snprintf(path, sizeof path, "%s/docs/profilers.md", getenv("ROOFLINE_SOURCE_DIR"));
    char *page = read_text(path);
    show_table(page);
    free(page);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_sample_is_recognised_and_agrees_with_the_oracle),
        cmocka_unit_test(the_page_on_profilers_has_the_table),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
