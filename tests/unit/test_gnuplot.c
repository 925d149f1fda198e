/* Drawing with an external program: what it is given, and what happens when it is not there, too old or
 * broken. */
#include "reports/charts/chart.h"
#include "reports/embedded.h"
#include "reports/charts/gnuplot.h"
#include "roofline/draw.h"
#include "tests/unit/drawn_folder.h"
#include "tests/unit/fixture.h"
#include "tests/support/skips.h"

#include <dirent.h>
#include <sys/stat.h>

static char old_path[8192];

static bool has_gnuplot(void)
{
    char path[8192 + 16], *save = NULL, *list = strdup(old_path);
    bool found = false;
    assert_non_null(list);
    for (char *place = strtok_r(list, ":", &save); place && !found; place = strtok_r(NULL, ":", &save)) {
        snprintf(path, sizeof path, "%s/gnuplot", place);
        found = access(path, X_OK) == 0;
    }
    free(list);
    return found;
}

static void empty_folder(const char *path)
{
    char file[600];
    struct dirent *entry;
    DIR *dir = opendir(path);
    assert_non_null(dir);
    while ((entry = readdir(dir)))
        if (strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0) {
            snprintf(file, sizeof file, "%s/%s", path, entry->d_name);
            assert_int_equal(remove(file), 0);
        }
    closedir(dir);
}

static unsigned files_in(const char *path)
{
    unsigned n = 0;
    struct dirent *entry;
    DIR *dir = opendir(path);
    assert_non_null(dir);
    while ((entry = readdir(dir)))
        n += strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0;
    closedir(dir);
    return n;
}

static char *read_file(const char *path)
{
    FILE *file = fopen(path, "rb");
    assert_non_null(file);
    char *text = calloc(1, 1 << 20);
    assert_non_null(text);
    assert_true(fread(text, 1, (1 << 20) - 1, file) > 0);
    fclose(file);
    return text;
}

/* A prediction with layers of the given names. */
static roof_prediction *predict_named(const char *const *names, uint32_t n)
{
    xm_model *model = xn_find_network("chain")->build(&(xn_config){.n_layers = n}, NULL);
    fx_net net = fx_open(model, NULL);
    roof_prediction *p = fx_predict(net.graph, "b4096", NULL);
    for (uint32_t i = 0; i < n && i < p->n_layers; i++)
        p->layers[i].name = names[i];
    fx_close(&net);
    return p;
}

/* ---- what is drawn ---- */

static void every_ending_gives_a_picture_of_its_size(void **state)
{
    static const struct {
        const char *name, *begins;
    } rows[] = {{"a.svg", "<?xml"}, {"b.png", "\x89PNG"}, {"c.PDF", "%PDF"}};
    static const char *const names[] = {"conv1", "conv2", "conv3"};
    roof_prediction *p = predict_named(names, 3);
    (void)state;
    p->verdict[0] = "1 < 2 & all"; /* which is the picture's title */
    for (size_t i = 0; i < COUNT(rows) && has_gnuplot(); i++) {
        roof_error err = {0};
        char path[200];
        snprintf(path, sizeof path, "%s", in_folder(rows[i].name));
        if (roof_draw_prediction(p, path, NULL, &err) != ROOF_OK)
            fail_msg("%s", fx_message(&err));
        strcpy(strrchr(path, '.'), i == 2 ? ".pdf" : strrchr(rows[i].name, '.'));
        char *text = read_file(path);
        assert_memory_equal(text, rows[i].begins, strlen(rows[i].begins));
        if (i == 0) {
            assert_non_null(strstr(text, "width=\"936\" height=\"460\""));
            assert_non_null(strstr(text, "<title>1 &lt; 2 &amp; all</title>"));
            assert_non_null(strstr(text, "<desc>Each mark is a layer: "));
            assert_null(strstr(text, "Produced by GNUPLOT"));
            assert_null(strstr(text, "<title>gnuplot"));
            assert_null(strstr(text, "<title>Gnuplot"));
        }
        if (i == 1) /* the header's size, big-endian: twice the canvas, for sharp letters */
            assert_memory_equal(text + 16, "\0\0\x07\x50\0\0\x03\x98", 8);
        free(text);
        assert_int_equal(files_in(folder), 3);
        empty_folder(folder);
    }
    roof_prediction_free(p);
    if (!has_gnuplot())
        skip_without("gnuplot");
}

/* The extent of a word of a PDF in pixels of the canvas; 0 without pdftotext. */
static double width_in_pdf(const char *path, const char *word)
{
    char command[300], line[500], end[60];
    double width_px = 0, from, to, points_a_px = 72.0 / 96;
    snprintf(command, sizeof command, "pdftotext -bbox '%s' - 2>/dev/null", path);
    snprintf(end, sizeof end, ">%s</word>", word);
    FILE *out = popen(command, "r"); /* NOLINT(cert-env33-c): a test's own words */
    assert_non_null(out);
    while (fgets(line, sizeof line, out))
        if (strstr(line, end) &&
            sscanf(line, " <word xMin=\"%lf\" yMin=\"%*f\" xMax=\"%lf\"", &from, &to) == 2)
            width_px = (to - from) / points_a_px;
    pclose(out);
    return width_px;
}

/* Texts of a PDF are as wide as planned, in whatever font stands for Arial: a title that is one is cut. */
static void letters_of_a_pdf_have_their_planned_size(void **state)
{
    static const char *const words[LETTERS] = {"0123456789", "1234567890", "2345678901", "3456789012"};
    const char *stem = "letters";
    chart_figure f;
    roof_error err = {0};
    (void)state;
    assert_int_equal(figure_begin(&f, "devices", (chart_canvas){480, 300}, &err), ROOF_OK);
    figure_set_area(&f, "plot", &(plot_area){10, 470, 200, 290});
    figure_set(&f, "x_max", 1);
    figure_set(&f, "y_top", 0);
    figure_set(&f, "y_bottom", 1);
    figure_block(&f, "x-grid", "at");
    figure_block(&f, "bars", "time\ty [px]\thalf height [px]\tcolour\twhat\tdevice");
    for (int i = 0; i < LETTERS; i++)
        figure_label(&f, &(figure_text_label){.x_px = 20,
                                              .y_px = 30 + 30 * i,
                                              .anchor = ANCHOR_LEFT,
                                              .letter = (letter_kind)i,
                                              .text = words[i]});
    assert_int_equal(figure_finish(&f, &err), ROOF_OK);
    assert_int_equal(save_figure(&f, stem, PICTURE_PDF, &err), ROOF_OK);
    figure_free(&f);
    if (has_gnuplot() && run_script(stem, PICTURE_PDF, &err) != ROOF_OK)
        fail_msg("%s", fx_message(&err));
    double first = width_in_pdf(in_folder("letters.pdf"), words[0]);
    for (int i = 0; i < LETTERS && first > 0; i++) {
        double got = width_in_pdf(in_folder("letters.pdf"), words[i]),
               want = figure_text_width_px(words[i], (letter_kind)i);
        if (!(got > 0.75 * want && got < 1.02 * want))
            fail_msg("letter %d: %g px wide, want at most %g", i, got, want);
    }
    empty_folder(folder);
    if (!(first > 0))
        skip_without(has_gnuplot() ? "pdftotext" : "gnuplot");
}

/* Nothing that a file says is run: no file appears but those of the chart. */
static void hostile_names_stay_text(void **state)
{
    static const char *const names[] = {"a\tb\nc",
                                        "`touch pwned`",
                                        "$(touch pwned)",
                                        "<script>x</script>",
                                        "\\n\\t\\\"",
                                        "{/Bold x} @y ^z _w",
                                        "%s %d %n",
                                        "#comment",
                                        "日本語 äöü",
                                        "a]]>b]]>",
                                        "\"; system(\"touch pwned\"); \"",
                                        "'; system('touch pwned'); '",
                                        ""};
    static const char *const files[] = {"<touch pwned.svg",
                                        "|touch pwned.svg",
                                        "it's.svg",
                                        "`touch pwned`.svg",
                                        "\"; system(\"touch pwned\").svg",
                                        "-e.svg",
                                        "a b.svg"};
    /* in the SVG's own escapes, where they are short enough to stand in the legend */
    static const char *const shown[] = {
        ">`touch pwned`<", ">$(touch pwned)<",     ">&lt;script>x&lt;/script><",
        ">\\n\\t\\\"<",    ">{/Bold x} @y ^z _w<", ">%s %d %n<",
        ">#comment<",      ">日本語 äöü<",         ">a\\x09b\\x0ac<",
        ">a]]&gt;b]]&gt;<"};
    roof_prediction *p = predict_named(names, COUNT(names));
    char here[1000], path[1200];
    (void)state;
    p->verdict[0] = p->verdict[1] = "short"; /* which leaves room for all names */
    p->total.predicted_s = NAN;              /* so that all are as large */
    if (!has_gnuplot())
        skip_without("gnuplot");
    for (size_t i = 0; i < COUNT(files); i++) {
        roof_error err = {0};
        snprintf(path, sizeof path, "%s/%s", folder, files[i]);
        if (roof_draw_prediction(p, path, NULL, &err) != ROOF_OK)
            fail_msg("%s: %s", files[i], fx_message(&err));
        assert_int_equal(files_in(folder), 3);
        char *text = read_file(path);
        for (size_t k = 0; k < COUNT(shown); k++)
            if (!strstr(text, shown[k]))
                fail_msg("%s: no text %s", files[i], shown[k]);
        assert_null(strstr(text, "<script"));
        assert_null(strstr(text, "]]>")); /* which a text of XML may not hold */
        free(text);
        empty_folder(folder);
    }
    assert_non_null(getcwd(here, sizeof here));
    roof_prediction_free(p);
}

static void the_same_prediction_gives_the_same_bytes(void **state)
{
    static const char *const names[] = {"conv1", "conv2", "conv3"};
    roof_prediction *p = predict_named(names, 3);
    char *first[3] = {0};
    (void)state;
    for (int run = 0; run < 2 && has_gnuplot(); run++) {
        static const char *const files[] = {"net.svg", "net.gp", "net.dat"};
        assert_int_equal(roof_draw_prediction(p, in_folder("net.svg"), NULL, NULL), ROOF_OK);
        for (size_t i = 0; i < COUNT(files); i++) {
            char *text = read_file(in_folder(files[i]));
            if (run)
                assert_string_equal(text, first[i]);
            else
                first[i] = strdup(text);
            free(text);
        }
    }
    for (size_t i = 0; i < 3; i++)
        free(first[i]);
    empty_folder(folder);
    roof_prediction_free(p);
    if (!has_gnuplot())
        skip_without("gnuplot");
}

/* ---- what goes wrong ---- */

static void put_program(const char *path, const char *text)
{
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    fputs(text, file);
    fclose(file);
    assert_int_equal(chmod(path, 0755), 0);
}

typedef struct heard {
    roof_draw_progress last;
    double seconds; /* the longest */
} heard;

static void hear(void *heard_, const roof_draw_progress *now)
{
    heard *h = heard_;
    h->last = *now;
    h->seconds = now->waited_s > h->seconds ? now->waited_s : h->seconds;
}

/* Script and data are there, and the message says what to do. */
static void without_gnuplot_script_and_data_are_left(void **state)
{
    static const struct {
        const char *program, *message; /* program: NULL for none */
    } rows[] = {
        {NULL, "gnuplot cannot be started (No such file or directory)"},
        {"#!/bin/sh\nexit 1\n", "gnuplot did not draw net.svg: it said nothing"},
        {"#!/bin/sh\necho >&2; echo '         gnuplot 5.2 or later is needed' >&2; exit 1\n",
         "gnuplot did not draw net.svg: gnuplot 5.2 or later is needed"},
        {"#!/bin/sh\nkill -9 $$\n", "gnuplot did not draw net.svg: it said nothing"},
    };
    static const char *const names[] = {"conv1", "conv2"};
    roof_prediction *p = predict_named(names, 2);
    char programs[100], program[160];
    (void)state;
    snprintf(programs, sizeof programs, "%s", in_folder("bin"));
    snprintf(program, sizeof program, "%s/gnuplot", programs);
    for (size_t i = 0; i < COUNT(rows); i++) {
        roof_error err = {0};
        assert_int_equal(mkdir(programs, 0755), 0);
        if (rows[i].program)
            put_program(program, rows[i].program);
        setenv("PATH", programs, 1);
        roof_status status = roof_draw_prediction(p, in_folder("net.svg"), NULL, &err);
        setenv("PATH", old_path, 1);
        assert_int_equal(status, ROOF_E_DEVICE);
        assert_non_null(strstr(fx_message(&err), rows[i].message));
        assert_non_null(strstr(fx_message(&err), folder));
        assert_int_equal(access(in_folder("net.gp"), F_OK), 0);
        assert_int_equal(access(in_folder("net.dat"), F_OK), 0);
        assert_int_not_equal(access(in_folder("net.svg"), F_OK), 0);
        remove(program);
        assert_int_equal(files_in(folder), 3); /* and the empty folder of programs */
        empty_folder(folder);
    }
    roof_prediction_free(p);
}

/* Of three pictures the first hangs in one process, or the second one does: it is waited for in time of its
 * own, the watch hears of it, and the others are drawn. */
static void a_gnuplot_that_hangs_is_told_of_and_ended(void **state)
{
    static const char hangs_at_b[] = "#!/bin/sh\nPATH=/usr/bin:/bin\nshift\n"
                                     "for script; do svg=${script%.gp}.svg; : >$svg; "
                                     "[ $script = ./b.gp ] && sleep 60; echo '<svg></svg>' >$svg; done\n";
    enum { SHORT_MS = 5000, PICTURES = 3 };
    drawn_picture pictures[PICTURES] = {{.stem = "a"}, {.stem = "b"}, {.stem = "c"}};
    static const char *const files[] = {"a.svg", "b.svg", "c.svg"};
    outputs set = {.arena = arena_new(0)};
    outputs_folder here = {.set = &set, .path = folder, .temporary = folder};
    heard h = {0};
    const roof_draw_watch watch = {hear, &h};
    roof_error why, err;
    char program[160];
    (void)state;
    here.lock = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    for (size_t i = 0; i < PICTURES; i++) {
        pictures[i].folder = &here;
        pictures[i].file = files[i];
    }
    snprintf(program, sizeof program, "%s", in_folder("gnuplot"));
    put_program(program, hangs_at_b);
    setenv("PATH", folder, 1);
    roof_status status = gnuplot_run(pictures, PICTURES, SHORT_MS, &watch, &why, &err);
    setenv("PATH", old_path, 1);
    close(here.lock);
    remove(program);
    assert_int_equal(status, ROOF_OK);
    assert_int_equal(why.status, ROOF_E_DEVICE);
    assert_non_null(
        strstr(fx_message(&why), "gnuplot did not draw b.svg: it took longer than 5 s, and was ended"));
    assert_true(h.last.of == PICTURES && h.last.most_s == 5);
    assert_string_equal(h.last.picture, "b.svg");
    assert_true(h.seconds >= 1);
    assert_non_null(pictures[0].svg);
    assert_null(pictures[1].svg);
    arena_free(set.arena);
    empty_folder(folder);
    assert_true(GNUPLOT_MOST_MS <= 20000);
}

static void a_failed_run_leaves_what_was_there(void **state)
{
    static const char *const names[] = {"conv1"};
    roof_prediction *p = predict_named(names, 1);
    roof_error err;
    (void)state;
    put_program(in_folder("net.svg"), "precious");
    assert_int_equal(roof_draw_prediction(p, in_folder("net.jpeg"), NULL, &err), ROOF_E_USAGE);
    assert_int_equal(roof_draw_prediction(p, in_folder("missing/net.svg"), NULL, &err), ROOF_E_IO);
    assert_int_equal(roof_draw_prediction(p, in_folder(".svg"), NULL, &err), ROOF_E_USAGE);
    p->n_layers = 0;
    assert_int_equal(roof_draw_prediction(p, in_folder("net.svg"), NULL, &err), ROOF_E_DATA);
    char *text = read_file(in_folder("net.svg"));
    assert_string_equal(text, "precious");
    free(text);
    assert_int_equal(files_in(folder), 1);
    empty_folder(folder);
    roof_prediction_free(p);
}

/* A folder stands where the data would go: the picture that was there stays with the script it was drawn
 * from. */
static void all_three_files_are_replaced_or_none(void **state)
{
    static const char *const names[] = {"conv1"};
    roof_prediction *p = predict_named(names, 1);
    roof_error err;
    (void)state;
    put_program(in_folder("net.svg"), "precious");
    assert_int_equal(mkdir(in_folder("net.dat"), 0755), 0);
    if (has_gnuplot())
        assert_int_equal(roof_draw_prediction(p, in_folder("net.svg"), NULL, &err), ROOF_E_IO);
    char *text = read_file(in_folder("net.svg"));
    assert_string_equal(text, "precious");
    free(text);
    assert_int_equal(files_in(folder), 2);
    empty_folder(folder);
    roof_prediction_free(p);
    if (!has_gnuplot())
        skip_without("gnuplot");
}

static void every_chart_has_its_script(void **state)
{
    (void)state;
    for (size_t i = 0; chart_at(i); i++) {
        char name[80];
        snprintf(name, sizeof name, "%s.gp", chart_at(i)->script ? chart_at(i)->script : chart_at(i)->id);
        assert_true(strlen(embedded_text(name)) > 200);
        assert_ptr_equal(chart_named(chart_at(i)->id), chart_at(i));
    }
    assert_string_equal(embedded_text("no such file"), "");
    assert_null(chart_named("pie"));
}

static int setup(void **state)
{
    snprintf(old_path, sizeof old_path, "%s", getenv("PATH"));
    return make_folder(state);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_ending_gives_a_picture_of_its_size),
        cmocka_unit_test(letters_of_a_pdf_have_their_planned_size),
        cmocka_unit_test(hostile_names_stay_text),
        cmocka_unit_test(the_same_prediction_gives_the_same_bytes),
        cmocka_unit_test(without_gnuplot_script_and_data_are_left),
        cmocka_unit_test(a_gnuplot_that_hangs_is_told_of_and_ended),
        cmocka_unit_test(a_failed_run_leaves_what_was_there),
        cmocka_unit_test(all_three_files_are_replaced_or_none),
        cmocka_unit_test(every_chart_has_its_script),
    };
    return cmocka_run_group_tests(tests, setup, remove_folder);
}
