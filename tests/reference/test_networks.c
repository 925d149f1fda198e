/* Published frame rates and latencies of whole networks on DPUs: none may be faster than the engines allow.
 * Needs the optional folder that ROOFLINE_SHARED names; without it the test is skipped.
 *
 * The bound is the busiest compute engine's sum over all layers: engines may overlap perfectly, but each has
 * its work to do. A file that was compiled for another size counts by its multiply-accumulates at the peak of
 * the size that was measured. Rows whose clock is not stated are left out, as are those of networks that no
 * file here describes. */
#include "tests/support/accuracy.h"
#include "tests/unit/fixture.h"
#include "tests/support/skips.h"

#include <ctype.h>
#include <unistd.h>

enum { MOST_ROWS = 400, FIELDS = 20 };

/* Columns of dpu_networks.csv. */
enum { NETWORK = 0, FILE_NAME = 1, ARCH = 4, CLOCK = 5, THREADS = 8, METRIC = 10, MS = 13 };

typedef struct row {
    char text[2000];
    const char *fields[FIELDS];
} row;

static row rows[MOST_ROWS];
static size_t n_rows;
static char shared_models[3000];

/* ---- the table ---- */

static bool split(row *r)
{
    char *p = r->text;
    for (int i = 0; i < FIELDS; i++) {
        bool quoted = *p == '"';
        p += quoted;
        r->fields[i] = p;
        for (; *p && (quoted ? *p != '"' : *p != ','); p++)
            ;
        char *to = p;
        if (quoted && *p)
            p++;
        if (*p != ',' && i + 1 < FIELDS)
            return false;
        if (*p)
            p++;
        *to = '\0';
    }
    return true;
}

static bool load(const char *shared)
{
    char path[4096];
    snprintf(path, sizeof path, "%s/data/measured/dpu_networks.csv", shared);
    snprintf(shared_models, sizeof shared_models, "%.2000s/data/xmodel", shared);
    FILE *file = fopen(path, "r");
    while (file && n_rows < MOST_ROWS && fgets(rows[n_rows].text, sizeof rows[n_rows].text, file))
        n_rows += split(&rows[n_rows]);
    if (file)
        fclose(file);
    return n_rows > 1;
}

/* ---- what can be predicted ---- */

/* The same networks in other files: of our own examples, or of another application in the folder. */
static const struct {
    const char *begins, *model;
    bool is_own;
} others[] = {{"cf_resnet50", "examples/models/resnet50-b4096.xmodel", true},
              {"cf_densebox_wider_360_640", "nlp-smartvision__densebox_640_360.xmodel", false}};

static bool path_of(const row *r, char *path, size_t size)
{
    const char *name = r->fields[FILE_NAME];
    snprintf(path, size, "%s/%.*s", shared_models, (int)strcspn(name, " "), name);
    if (*name && access(path, R_OK) == 0)
        return true;
    for (size_t i = 0; i < COUNT(others); i++)
        if (strncmp(r->fields[NETWORK], others[i].begins, strlen(others[i].begins)) == 0) {
            snprintf(path, size, "%s/%s", others[i].is_own ? getenv("ROOFLINE_SOURCE_DIR") : shared_models,
                     others[i].model);
            return true;
        }
    return false;
}

/* "DPUCZDX8G ISA1 B4096" is "b4096"; other families have other laws, and no clock in this table. */
static bool hardware_of(const row *r, char *spec, size_t size)
{
    const char *arch = r->fields[ARCH], *b = strstr(arch, "B");
    while (b && !isdigit((unsigned char)b[1]))
        b = strstr(b + 1, "B");
    if (!b || (strncmp(arch, "DPUCZDX8G", 9) != 0 && b != arch))
        return false;
    snprintf(spec, size, "b%u", (unsigned)strtoul(b + 1, NULL, 10));
    return true;
}

static double clock_of(const row *r)
{
    char *end;
    double mhz = strtod(r->fields[CLOCK], &end);
    return end != r->fields[CLOCK] && !*end ? mhz * 1e6 : 0; /* "325?" was inferred */
}

static double engine_bound_s(const roof_prediction *p)
{
    double most = 0;
    for (uint32_t e = 0; e < p->n_engines; e++) {
        bool compute = strcmp(p->engines[e], "conv") == 0 || strcmp(p->engines[e], "alu") == 0 ||
                       strcmp(p->engines[e], "eltwise") == 0;
        uint64_t cycles = p->total.deployed.cycles[e];
        if (compute && cycles != ROOF_UNKNOWN && (double)cycles > most)
            most = (double)cycles;
    }
    return most / p->hardware.clock_hz;
}

/* A file that was compiled for another size of the DPU says how much work there is, but not how that size
 * would cut it: all multiply-accumulates at the peak of the size that was measured. */
static double peak_bound_s(const roof_prediction *p, const roof_hw *hw, double clock_hz)
{
    return 2 * (double)p->total.macs / (roof_hw_get(hw, "peak")->value * clock_hz);
}

static bool bound_of(const row *r, double *bound_s)
{
    char path[4096], spec[40];
    roof_graph *graph = NULL;
    if (!(clock_of(r) > 0) || !hardware_of(r, spec, sizeof spec) || !path_of(r, path, sizeof path) ||
        roof_graph_read(path, &graph, NULL) != ROOF_OK)
        return false;
    roof_hw *hw = fx_hw(spec);
    roof_prediction *p = NULL;
    roof_predict_options options = {.clock_hz = clock_of(r)};
    bool good = roof_predict(graph, hw, &options, &p, NULL) == ROOF_OK;
    if (good)
        *bound_s = fx_count_findings(p, ROOF_FINDING_OTHER_TARGET) ? peak_bound_s(p, hw, options.clock_hz)
                                                                   : engine_bound_s(p);
    roof_prediction_free(p);
    roof_hw_free(hw);
    roof_graph_free(graph);
    return good && *bound_s > 0;
}

/* ---- the comparison ---- */

static void no_published_network_is_faster_than_its_engines(void **state)
{
    accuracy a = {.what = "DPUCZDX8G, published networks, by their busiest engine"};
    (void)state;
    for (size_t i = 1; i < n_rows; i++) {
        double bound_s, ms = strtod(rows[i].fields[MS], NULL);
        if (!(ms > 0) || !bound_of(&rows[i], &bound_s))
            continue;
        print_message("%-60.60s %s: %g ms, at least %g\n", rows[i].fields[NETWORK], rows[i].fields[METRIC],
                      ms, 1e3 * bound_s);
        accuracy_add_bound(&a, rows[i].fields[NETWORK], bound_s, ms / 1e3);
    }
    accuracy_tell(&a);
    assert_true(accuracy_quantile(&a, 0) >= 1);
    assert_true(a.n >= 100);
}

int main(void)
{
    const char *shared = shared_folder();
    const struct CMUnitTest tests[] = {cmocka_unit_test(no_published_network_is_faster_than_its_engines)};
    if (!load(shared))
        skip_without("the measured networks of ../shared");
    return cmocka_run_group_tests(tests, NULL, NULL);
}
