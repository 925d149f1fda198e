/* A report's folder: what is in it, and names of files that are safe. */
#include "core/files/sha256.h"
#include "reports/words/file_names.h"
#include "roofline/report.h"
#include "roofline/version.h"
#include "tests/support/history_runs.h"
#include "tests/unit/folder.h"
#include "tests/unit/html_fixture.h"
#include "tests/unit/profile_fixture.h"

#include <dirent.h>
#include <sys/stat.h>

/* ---- files ---- */

static char *read_whole(const char *path)
{
    FILE *f = fopen(path, "rb");
    char *text = calloc(1, 1 << 22);
    if (!f)
        fail_msg("no %s", path);
    assert_non_null(text);
    size_t n = fread(text, 1, (1 << 22) - 1, f);
    text[n] = '\0';
    fclose(f);
    return text;
}

static const char *path_of(const char *where, const char *name)
{
    static char path[400];
    snprintf(path, sizeof path, "%s/%s", where, name);
    return path;
}

static void write_file(const char *path, const char *text)
{
    FILE *f = fopen(path, "wb");
    assert_non_null(f);
    fputs(text, f);
    assert_int_equal(fclose(f), 0);
}

static size_t count_files(const char *where)
{
    size_t n = 0;
    DIR *d = opendir(where);
    assert_non_null(d);
    for (struct dirent *e; (e = readdir(d));)
        n += strcmp(e->d_name, ".") != 0 && strcmp(e->d_name, "..") != 0;
    closedir(d);
    return n;
}

static void remove_all(const char *where)
{
    DIR *d = opendir(where);
    assert_non_null(d);
    for (struct dirent *e; (e = readdir(d));)
        if (strcmp(e->d_name, ".") != 0 && strcmp(e->d_name, "..") != 0)
            if (unlink(path_of(where, e->d_name)) != 0)
                rmdir(path_of(where, e->d_name));
    closedir(d);
    assert_int_equal(rmdir(where), 0);
}

/* ---- stems ---- */

static void stems_are_safe_and_unique(void **state)
{
    static const struct {
        const char *what, *name, *want;
    } rows[] = {
        {"roofline", "resnet50", "roofline-resnet50"},
        {"roofline", "ResNet-50", "roofline-resnet-50"},
        {"roofline", "resnet-50", "roofline-resnet-50-2"}, /* it is taken */
        {"overhead", NULL, "overhead"},
        {"overhead", "", "overhead-2"},
        {"roofline", "../x", "roofline-x"},
        {"roofline", "a/b", "roofline-a-b"},
        {"roofline", "..", "roofline"},
        {"roofline", ".hidden", "roofline-hidden"},
        {"roofline", "a b'c\"d`e$f;g|h\ni", "roofline-a-b-c-d-e-f-g-h-i"},
        {"roofline", "schr\xc3\xa4g", "roofline-schr-g"},
        {"roofline", "\xe5\xb1\x82", "roofline-2"},
        {"roofline", "a-narrow", "roofline-a-narrow"},
        {"roofline", "a", "roofline-a-2"}, /* its small chart would be the one above */
        {"roofline", "x_1.2", "roofline-x_1.2"},
        {"roofline", "x.", "roofline-x-2"},
    };
    file_names stems = {.arena = arena_new(0)};
    (void)state;
    for (size_t i = 0; i < COUNT(rows); i++) {
        const char *got = file_names_make(&stems, rows[i].what, rows[i].name);
        assert_non_null(got);
        if (strcmp(got, rows[i].want) != 0)
            fail_msg("%s, '%s': '%s', want '%s'", rows[i].what, rows[i].name ? rows[i].name : "", got,
                     rows[i].want);
    }
    arena_free(stems.arena);
}

static void long_names_make_short_stems(void **state)
{
    file_names stems = {.arena = arena_new(0)};
    char name[3000];
    (void)state;
    memset(name, 'n', sizeof name - 1);
    name[sizeof name - 1] = '\0';
    for (int i = 0; i < 200; i++) {
        const char *stem = file_names_make(&stems, "roofline", name);
        assert_non_null(stem);
        assert_in_range(strlen(stem), 20, 80);
        for (size_t k = 0; k + 2 < stems.n; k++)
            assert_string_not_equal(stem, stems.taken[k]);
    }
    arena_free(stems.arena);
}

/* ---- files ---- */

static void assert_file(const char *where, const char *name, const char *want)
{
    char *got = read_whole(path_of(where, name));
    assert_string_equal(got, want);
    free(got);
}

static void a_file_has_the_hash_of_its_bytes(void **state)
{
    char hex[SHA256_HEX_SIZE];
    uint64_t size = 0;
    roof_error err;
    (void)state;
    write_file(in_folder("abc"), "abc");
    assert_int_equal(sha256_file(in_folder("abc"), hex, &size, &err), ROOF_OK);
    assert_string_equal(hex, "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
    assert_int_equal(size, 3);
    assert_int_equal(sha256_file(in_folder("none"), hex, &size, &err), ROOF_E_NO_INPUT);
    unlink(in_folder("abc"));
}

/* ---- reports ---- */

static const pf_experiment study = {
    .layers = "net/a=100 net/b:alu=50", .bypass_us = 200, .per_layer_us = 400, .rows = "net/a=180 net/b=120"};

/* Of a measured model, and of a predicted one with a name that is no file's. */
static roof_status write_study(const char *where, const char *predicted_name, roof_error *err)
{
    pf_result r = pf_reconcile(&study, 1);
    roof_prediction *other = fx_hostile_prediction();
    const roof_prediction *const predictions[] = {other};
    write_file(in_folder("input.json"), "{}");
    char input_path[100];
    snprintf(input_path, sizeof input_path, "%s", in_folder("input.json"));
    const char *const files[] = {input_path};
    other->model.name = predicted_name;
    const roof_report_input input = {
        .reconciliation = r.r, .predictions = predictions, .n_predictions = 1, .files = files, .n_files = 1};
    roof_status status = roof_report_write(&input, where, err);
    unlink(in_folder("input.json"));
    roof_prediction_free(other);
    pf_free(&r);
    return status;
}

static void a_report_is_complete_and_the_same_twice(void **state)
{
    static const char *const files[] = {"index.html", "report.json", "report.csv", "prediction-x.json",
                                        "prediction-x.csv"};
    roof_error err = {0};
    char where[100];
    (void)state;
    snprintf(where, sizeof where, "%s", in_folder("review"));
    roof_status status = write_study(where, "../x", &err);
    if (status != ROOF_OK && status != ROOF_E_DEVICE)
        fail_msg("%s", fx_message(&err));
    char *first = read_whole(path_of(where, "index.html"));
    size_t n = count_files(where);
    for (size_t i = 0; i < COUNT(files); i++)
        assert_int_equal(access(path_of(where, files[i]), R_OK), 0);
    assert_non_null(strstr(first, roof_version()));
    assert_non_null(strstr(first, "44136fa355b3678a1146ad16f7e8649e94fb4fc21fe77e8310c060f61caaff8a"));
    assert_non_null(strstr(first, ">../x</h2>"));
    html_check_balanced(first);
    assert_int_equal(write_study(where, "../x", &err), status);
    char *second = read_whole(path_of(where, "index.html"));
    assert_string_equal(first, second);
    assert_int_equal(count_files(where), n);
    free(first);
    free(second);
    remove_all(where);
}

static void unsafe_names_stay_in_the_folder(void **state)
{
    static const char *const names[] = {"../x",       "a/b",      "",   "/etc/passwd",
                                        "index.html", "\xff\xfe", "..", "-rf"};
    (void)state;
    for (size_t i = 0; i < COUNT(names); i++) {
        roof_error err = {0};
        char where[100];
        snprintf(where, sizeof where, "%s", in_folder("review"));
        roof_status status = write_study(where, names[i], &err);
        if (status != ROOF_OK && status != ROOF_E_DEVICE)
            fail_msg("%s: %s", names[i], fx_message(&err));
        assert_int_equal(count_files(folder), 1);
        remove_all(where); /* fails when a folder was made in it */
    }
}

/* A report without pictures says so, and how to draw them. */
static void without_gnuplot_all_but_pictures_is_there(void **state)
{
    roof_error err = {0};
    char where[100], path[4096];
    (void)state;
    snprintf(path, sizeof path, "%s", getenv("PATH") ? getenv("PATH") : "");
    snprintf(where, sizeof where, "%s", in_folder("review"));
    setenv("PATH", "/nowhere", 1);
    roof_status status = write_study(where, "x", &err);
    setenv("PATH", path, 1);
    assert_int_equal(status, ROOF_E_DEVICE);
    assert_non_null(strstr(err.what, where));
    assert_null(strstr(err.what, ".XXXXXX"));
    char *page = read_whole(path_of(where, "index.html"));
    assert_non_null(strstr(page, "gnuplot did not draw this chart."));
    assert_null(strstr(page, "<svg viewBox"));
    html_check_balanced(page);
    free(page);
    assert_int_equal(access(path_of(where, "report.csv"), R_OK), 0);
    assert_int_equal(access(path_of(where, "roofline-x.gp"), R_OK), 0);
    assert_int_equal(access(path_of(where, "roofline-x.dat"), R_OK), 0);
    remove_all(where);
}

#define OLD_PAGE "<!DOCTYPE html><title>roofline report: old</title>"

/* What somebody else wrote stays, by whatever links the folder is reached; a report is replaced. */
static void only_a_report_is_replaced(void **state)
{
    static const struct {
        const char *page, *page_to; /* what index.html holds, or where a link in its place leads */
        const char *other;          /* a file beside it */
        const char *to;             /* how the folder is named */
        const char *refused;        /* NULL: it is written */
    } rows[] = {
        {"mine", NULL, NULL, "at/there", "at/there/index.html"},
        {"mine", NULL, NULL, "link", "link/index.html"},
        {"mine", NULL, NULL, "link/", "link/index.html"},
        {"mine", NULL, NULL, "link-to-link", "link-to-link/index.html"},
        {"mine", NULL, NULL, "link-to-at/there", "link-to-at/there/index.html"},
        {"mine", NULL, NULL, "link-to-at/../link", "link-to-at/../link/index.html"},
        {NULL, "../../page-of-mine", NULL, "at/there", "at/there/index.html"},
        {NULL, "../../page-of-mine", NULL, "link", "link/index.html"},
        {NULL, "../../page-of-ours", NULL, "at/there", "at/there/index.html"}, /* of another folder */
        {NULL, "../../nothing", NULL, "link", "link/index.html"},
        {NULL, NULL, "report.csv", "at/there", "at/there/report.csv"},
        {NULL, NULL, "roofline-x.gp", "link", "link/roofline-x.gp"},
        {"", NULL, NULL, "at/there", "at/there/index.html"},
        {OLD_PAGE, NULL, "report.csv", "at/there", NULL},
        {OLD_PAGE, NULL, "report.csv", "link", NULL},
        {OLD_PAGE, NULL, "report.csv", "link-to-at/there", NULL},
        {NULL, NULL, "notes.txt", "link-to-link", NULL}, /* of no name of ours */
    };
    char at[100], there[100], path[120];
    (void)state;
    snprintf(at, sizeof at, "%s", in_folder("at"));
    snprintf(there, sizeof there, "%s/there", at);
    for (size_t i = 0; i < COUNT(rows); i++) {
        static const char *const links[][2] = {
            {"at/there", "link"}, {"link", "link-to-link"}, {"at", "link-to-at"}};
        roof_error err = {0};
        assert_int_equal(mkdir(at, 0755), 0);
        assert_int_equal(mkdir(there, 0755), 0);
        for (size_t k = 0; k < COUNT(links); k++)
            assert_int_equal(symlink(links[k][0], in_folder(links[k][1])), 0);
        write_file(in_folder("page-of-mine"), "mine");
        write_file(in_folder("page-of-ours"), OLD_PAGE);
        if (rows[i].page)
            write_file(path_of(there, "index.html"), rows[i].page);
        if (rows[i].page_to)
            assert_int_equal(symlink(rows[i].page_to, path_of(there, "index.html")), 0);
        if (rows[i].other)
            write_file(path_of(there, rows[i].other), "mine");
        const size_t before = count_files(there);
        snprintf(path, sizeof path, "%s", in_folder(rows[i].to));
        const roof_status status = write_study(path, "x", &err);
        if (rows[i].refused) {
            char want[300];
            snprintf(want, sizeof want,
                     "%s is not of a report that roofline wrote; name another folder, or remove it",
                     in_folder(rows[i].refused));
            if (status != ROOF_E_USAGE || strcmp(fx_message(&err), want) != 0)
                fail_msg("row %zu: status %d: %s", i, (int)status, fx_message(&err));
            assert_int_equal(count_files(there), before);
            if (rows[i].page)
                assert_file(there, "index.html", rows[i].page);
            if (rows[i].other)
                assert_file(there, rows[i].other, "mine");
        } else if (status != ROOF_OK && status != ROOF_E_DEVICE) { /* without gnuplot */
            fail_msg("row %zu: %s", i, fx_message(&err));
        } else {
            char *page = read_whole(path_of(there, "index.html"));
            assert_non_null(strstr(page, "net"));
            free(page);
            if (strcmp(rows[i].other, "report.csv") != 0)
                assert_file(there, rows[i].other, "mine");
        }
        assert_file(folder, "page-of-mine", "mine");
        assert_file(folder, "page-of-ours", OLD_PAGE);
        remove_all(there);
        remove_all(at);
        for (size_t k = 0; k < COUNT(links); k++)
            unlink(in_folder(links[k][1]));
        unlink(in_folder("page-of-mine"));
        unlink(in_folder("page-of-ours"));
    }
}

static void a_failed_report_leaves_the_old_one(void **state)
{
    roof_error err = {0};
    char where[100];
    (void)state;
    snprintf(where, sizeof where, "%s", in_folder("review"));
    assert_int_equal(mkdir(where, 0755), 0);
    write_file(path_of(where, "report.csv"), "old");
    write_file(path_of(where, "index.html"), OLD_PAGE);
    assert_int_equal(mkdir(path_of(where, "prediction-x.csv"), 0755), 0); /* in the way of a document */
    assert_int_equal(write_study(where, "x", &err), ROOF_E_IO);
    assert_file(where, "report.csv", "old");
    assert_file(where, "index.html", OLD_PAGE);
    assert_int_equal(count_files(where), 3);
    remove_all(where);
    assert_int_equal(roof_report_write(&(roof_report_input){0}, where, &err), ROOF_E_USAGE);
    assert_int_equal(count_files(folder), 0);
}

static void an_input_is_not_overwritten(void **state)
{
    char where[100], input_path[120];
    pf_result r = pf_reconcile(&study, 1);
    const char *const files[] = {input_path};
    const roof_report_input input = {.reconciliation = r.r, .files = files, .n_files = 1};
    roof_error err = {0};
    (void)state;
    snprintf(where, sizeof where, "%s", in_folder("review"));
    snprintf(input_path, sizeof input_path, "%s/report.json", where);
    assert_int_equal(mkdir(where, 0755), 0);
    write_file(input_path, "{}");
    assert_int_equal(roof_report_write(&input, where, &err), ROOF_E_USAGE);
    assert_file(where, "report.json", "{}");
    assert_int_equal(count_files(where), 1);
    remove_all(where);
    pf_free(&r);
}

static void a_missing_input_is_told(void **state)
{
    static const char *const files[] = {"/nowhere/measured.json"};
    pf_result r = pf_reconcile(&study, 1);
    const roof_report_input input = {.reconciliation = r.r, .files = files, .n_files = 1};
    roof_error err = {0};
    (void)state;
    assert_int_equal(roof_report_write(&input, in_folder("review"), &err), ROOF_E_NO_INPUT);
    assert_string_equal(err.where, "/nowhere/measured.json");
    assert_int_equal(count_files(folder), 0);
    pf_free(&r);
}

static void a_baseline_is_compared_or_refused(void **state)
{
    pf_result r = pf_reconcile(&study, 1);
    roof_report_input input = {.reconciliation = r.r, .baseline = r.r};
    roof_error err = {0};
    char where[100];
    (void)state;
    snprintf(where, sizeof where, "%s", in_folder("review"));
    roof_status status = roof_report_write(&input, where, &err);
    assert_true(status == ROOF_OK || status == ROOF_E_DEVICE); /* without gnuplot */
    char *page = read_whole(path_of(where, "index.html"));
    assert_non_null(strstr(page, "<h3>Compared with the baseline</h3>"));
    html_check_balanced(page);
    free(page);
    remove_all(where);
    input.baseline = NULL; /* what was measured is not compared with what was predicted */
    input.baseline_predictions = &r.r->experiments[0].prediction;
    input.n_baseline_predictions = 1;
    assert_int_equal(roof_report_write(&input, where, &err), ROOF_E_DATA);
    assert_non_null(strstr(err.what, "the baseline has none of these models"));
    assert_int_equal(count_files(folder), 0);
    pf_free(&r);
}

/* --- memory --------------------------------------------------------------------------------------------- */

/* The example's plan on its hardware, twice, and what its file tells of memory. */
typedef struct planned {
    roof_graph *graph;
    roof_hw *hw;
    roof_prediction *predictions[2];
    roof_memory *memory;
} planned;

static planned plan_of_example(void)
{
    planned p = {0};
    char path[400];
    roof_error err = {0};
    const char *source = getenv("ROOFLINE_SOURCE_DIR");
    snprintf(path, sizeof path, "%s/examples/stm32n6/network_c_info.json", source ? source : ".");
    assert_int_equal(roof_graph_read(path, &p.graph, &err), ROOF_OK);
    assert_int_equal(roof_hw_load("stm32n6", &p.hw, &err), ROOF_OK);
    for (int i = 0; i < 2; i++)
        assert_int_equal(roof_predict(p.graph, p.hw, NULL, &p.predictions[i], &err), ROOF_OK);
    assert_int_equal(roof_memory_of(p.graph, NULL, &p.memory, &err), ROOF_OK);
    return p;
}

static void free_planned(planned *p)
{
    roof_memory_free(p->memory);
    for (int i = 0; i < 2; i++)
        roof_prediction_free(p->predictions[i]);
    roof_hw_free(p->hw);
    roof_graph_free(p->graph);
}

static void memory_stands_with_links_to_its_layers_and_back(void **state)
{
    enum { KNOWN = 1, SHARED = 2, NOT_KNOWN = 4, NOT_TOLD = 8 };
    static const struct {
        int where; /* in which of the pages it is, or is not */
        const char *text;
        bool is_there;
    } rows[] = {
        {KNOWN | SHARED, "It fits: epoch_1 sets the peak, 28 672 B live of 65 536 B reserved in RAM", true},
        {KNOWN | SHARED, "<a href=\"#layers-1-1\">The peak's row in the table of layers</a>", true},
        {KNOWN, "<p class=\"lead\">It fits", false}, /* the picture's title says it */
        {SHARED, "<p class=\"lead\">It fits: epoch_1 sets the peak",
         true}, /* of the second model, without one */
        {KNOWN | SHARED, "<a href=\"#layers-1-2\"><code>epoch_<wbr>2</code></a>", true},
        {KNOWN | SHARED, "<a class=\"mark\" href=\"#memory-1\">peak of npuRAM5</a>", true},
        {KNOWN | SHARED, "id=\"memory-pools-1\"", true},
        {KNOWN | SHARED, "id=\"memory-live-1\"", true},
        {KNOWN, "<li><a href=\"#memory-1\">Memory</a></li>", true},
        {KNOWN | SHARED, "figure-memory_rows-", true},
        {SHARED, "<a href=\"#memory-1\">Picture and tables</a> are with ", true},
        {SHARED, "<a class=\"mark\" href=\"#memory-2\">peak of npuRAM5</a>", true},
        {SHARED, "id=\"memory-pools-2\"", false},
        {NOT_KNOWN, "What it needs of memory is unknown: a &lt;buffer&gt; ends beyond 2^63 bytes.", true},
        {NOT_KNOWN | NOT_TOLD, "class=\"mark\"", false},
        {NOT_KNOWN | NOT_TOLD, "memory-pools", false},
        {NOT_TOLD, "id=\"memory-1\"", false},
        {NOT_TOLD, "figure-memory_rows", false},
    };
    planned p = plan_of_example();
    char where[100];
    (void)state;
    snprintf(where, sizeof where, "%s", in_folder("review"));
    const roof_report_memory known[] = {{p.predictions[0], p.memory, NULL},
                                        {p.predictions[1], p.memory, NULL}};
    const roof_report_memory not_known = {p.predictions[0], NULL, "a <buffer> ends beyond 2^63 bytes"};
    for (int page = KNOWN; page <= NOT_TOLD; page *= 2) {
        const roof_report_input input = {.predictions = (const roof_prediction *const *)p.predictions,
                                         .n_predictions = page == SHARED ? 2 : 1,
                                         .memories = page == NOT_KNOWN ? &not_known : known,
                                         .n_memories = page == NOT_TOLD ? 0
                                                       : page == SHARED ? 2
                                                                        : 1};
        roof_error err = {0};
        const roof_status status = roof_report_write(&input, where, &err);
        if (status != ROOF_OK && status != ROOF_E_DEVICE)
            fail_msg("%s", fx_message(&err));
        char *html = read_whole(path_of(where, "index.html"));
        html_check_balanced(html);
        for (size_t i = 0; i < COUNT(rows); i++)
            if ((rows[i].where & page) && (strstr(html, rows[i].text) != NULL) != rows[i].is_there)
                fail_msg("page %d: %s %s", page, rows[i].is_there ? "lacks" : "has", rows[i].text);
        free(html);
        remove_all(where);
    }
    free_planned(&p);
}

/* --- a history ------------------------------------------------------------------------------------------ */

static char *page_with(const roof_reconciliation *r, roof_history *h, const char *where)
{
    roof_error err = {0};
    const roof_report_input input = {.reconciliation = r, .history = h};
    const roof_status status = roof_report_write(&input, where, &err);
    if (status != ROOF_OK && status != ROOF_E_DEVICE)
        fail_msg("%s", fx_message(&err));
    char *html = read_whole(path_of(where, "index.html"));
    html_check_balanced(html);
    remove_all(where);
    return html;
}

/* 45 runs and 6 that take 3 % more, mostly in conv2, of a model with a hash. */
static roof_history *make_history(const char *path, uint64_t *noise)
{
    roof_history *h;
    roof_error err = {0};
    assert_int_equal(roof_history_open(path, ROOF_HISTORY_WRITE, &h, &err), ROOF_OK);
    assert_int_equal(history_add_runs(h, (history_document){1, "net", 0.002, true, true, 0}, 45, noise, &err),
                     ROOF_OK);
    assert_int_equal(
        history_add_runs(h, (history_document){46, "net", 0.002, true, true, 0.2}, 6, noise, &err), ROOF_OK);
    return h;
}

static void a_history_shows_since_when_and_with_which_layers(void **state)
{
    static const struct {
        const char *model, *hash, *hardware, *want[4], *lacks;
    } rows[] = {
        {"net",
         "9f1c02ab55d3e871",
         "kv260",
         {"id=\"history\"", "net on kv260, vart, bypass: slower by", "id=\"history-layers-1\"",
          "<code>conv2</code>"},
         "The history has"},
        {"net", NULL, "kv260", {"net on kv260, vart, bypass: slower by"}, "The history has"},
        {"net", NULL, "zcu104", {"The history has net on other hardware alone: kv260."}, "history-levels"},
        {"other",
         NULL,
         "kv260",
         {"The history has no series of other; roofline history add"},
         "history-levels"},
    };
    uint64_t noise = 7;
    char path[128], where[128];
    (void)state;
    snprintf(path, sizeof path, "%s", in_folder("runs.db"));
    snprintf(where, sizeof where, "%s", in_folder("review"));
    roof_history *h = make_history(path, &noise);
    for (size_t i = 0; i < COUNT(rows); i++) {
        char json[600], hash[60] = "";
        if (rows[i].hash)
            snprintf(hash, sizeof hash, ",\"graph_hash\":\"%s\"", rows[i].hash);
        snprintf(
            json, sizeof json,
            "{\"schema\":\"roofline.measured/1\",\"hardware\":{\"id\":\"%s\"},\"experiments\":[{\"model\":"
            "{\"name\":\"%s\"%s},\"runs\":[{\"mode\":\"bypass\",\"total\":{\"mean_s\":0.002}}]}]}",
            rows[i].hardware, rows[i].model, hash);
        pf_result p = pf_reconcile_document(json, NULL);
        char *html = page_with(p.r, h, where);
        for (size_t k = 0; k < COUNT(rows[i].want) && rows[i].want[k]; k++)
            if (!strstr(html, rows[i].want[k]))
                fail_msg("row %zu: the page lacks %s", i, rows[i].want[k]);
        assert_null(strstr(html, rows[i].lacks));
        free(html);
        pf_free(&p);
    }
    roof_history_close(h);
    assert_int_equal(unlink(path), 0);
}

static void trends_have_a_page_of_their_own(void **state)
{
    const roof_history_request requested = {.factor = NAN};
    roof_history_trends *trends;
    roof_error err = {0};
    uint64_t noise = 7;
    char path[128];
    (void)state;
    snprintf(path, sizeof path, "%s", in_folder("runs.db"));
    roof_history *h = make_history(path, &noise);
    assert_int_equal(roof_history_find_trends(h, &requested, &trends, &err), ROOF_OK);
    assert_int_equal(roof_trends_page_write(trends, in_folder("page.svg"), NULL, &err), ROOF_E_USAGE);
    const roof_status status = roof_trends_page_write(trends, in_folder("page.html"), NULL, &err);
    assert_true(status == ROOF_OK || status == ROOF_E_DEVICE);
    char *html = read_whole(in_folder("page.html"));
    html_check_balanced(html);
    assert_non_null(strstr(html, "<h1>net on kv260, vart, bypass: slower by"));
    assert_non_null(strstr(html, "<h3>net on kv260, vart, per_layer</h3>"));
    assert_non_null(strstr(html, "id=\"history-levels\""));
    free(html);
    roof_history_trends_free(trends);
    roof_history_close(h);
    assert_int_equal(unlink(in_folder("page.html")), 0);
    assert_int_equal(unlink(path), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(stems_are_safe_and_unique),
        cmocka_unit_test(long_names_make_short_stems),
        cmocka_unit_test(a_file_has_the_hash_of_its_bytes),
        cmocka_unit_test(a_report_is_complete_and_the_same_twice),
        cmocka_unit_test(unsafe_names_stay_in_the_folder),
        cmocka_unit_test(without_gnuplot_all_but_pictures_is_there),
        cmocka_unit_test(only_a_report_is_replaced),
        cmocka_unit_test(a_failed_report_leaves_the_old_one),
        cmocka_unit_test(an_input_is_not_overwritten),
        cmocka_unit_test(a_missing_input_is_told),
        cmocka_unit_test(a_baseline_is_compared_or_refused),
        cmocka_unit_test(memory_stands_with_links_to_its_layers_and_back),
        cmocka_unit_test(a_history_shows_since_when_and_with_which_layers),
        cmocka_unit_test(trends_have_a_page_of_their_own),
    };
    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
