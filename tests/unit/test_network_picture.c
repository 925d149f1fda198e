/* The graph as a picture: files that are left, what is said without dot, names that would end a text. */
#include "roofline/draw.h"
#include "tests/support/drawn_network.h"
#include "tests/support/skips.h"
#include "tests/unit/folder.h"

#include <sys/stat.h>
#include <unistd.h>

static const char net[] = "input x float 1,8,16,16\nweights w float 8,8,3,3;weights v float 8,8,1,1\n"
                          "Conv x,w -> a pads=[1,1,1,1] name=first\nErf a -> b name=odd\n"
                          "Conv b,v -> c name=second\nAdd a,c -> d name=sum\noutput d\n";

/* The beginning of a file; "" where it is not there. */
static const char *read_file(const char *path)
{
    static char text[1 << 16];
    FILE *f = fopen(path, "rb");
    const size_t n = f ? fread(text, 1, sizeof text - 1, f) : 0;
    text[n] = '\0';
    if (f)
        fclose(f);
    return text;
}

static void remove_files(void)
{
    static const char *const names[] = {"graph.svg", "graph.pdf", "graph.dot"};
    for (size_t i = 0; i < COUNT(names); i++)
        unlink(in_folder(names[i]));
}

static bool has_dot(void)
{
    /* NOLINTNEXTLINE(cert-env33-c): a test of what is installed */
    return system("command -v dot >/dev/null 2>&1") == 0;
}

static void a_name_says_that_it_is_a_graph(void **state)
{
    static const struct {
        const char *path;
        bool is_graph;
    } rows[] = {
        {"graph.svg", true},
        {"out/graph.pdf", true},
        {"net-graph.png", true},
        {"roofline.svg", false},
        {"graph", false},
        {"graphs.svg", false},
        {"mygraph.svg", false},
        {"graph/net.svg", false},
        {"-graph.svg", false},
        {"a/b-graph.svg", true},
        {"", false},
        {"x.graph.svg", false},
    };
    (void)state;
    for (size_t i = 0; i < COUNT(rows); i++)
        if (roof_draw_is_graph(rows[i].path) != rows[i].is_graph)
            fail_msg("%s", rows[i].path);
}

static void a_picture_and_its_script_are_left(void **state)
{
    static const struct {
        const char *name, *begins;
    } rows[] = {{"graph.svg", "<?xml"}, {"graph.pdf", "%PDF"}};
    drawn_network d = drawn_of(net);
    (void)state;
    if (!has_dot())
        skip_without("graphviz");
    for (size_t i = 0; i < COUNT(rows); i++) {
        roof_error err = {0};
        if (roof_draw_graph(d.net.graph, d.prediction, 0, in_folder(rows[i].name), &err) != ROOF_OK)
            fail_msg("%s", fx_message(&err));
        assert_memory_equal(read_file(in_folder(rows[i].name)), rows[i].begins, strlen(rows[i].begins));
        const char *script = read_file(in_folder("graph.dot"));
        assert_non_null(strstr(script, "label=\"first\\l"));
        assert_non_null(strstr(script, "label=\"odd\\l"));
    }
    remove_files();
    drawn_close(&d);
}

static void without_dot_the_script_is_left_and_the_message_says_what_to_do(void **state)
{
    const char *before = getenv("PATH");
    assert_non_null(before);
    char *path = strdup(before ? before : "");
    drawn_network d = drawn_of(net);
    roof_error err = {0};
    (void)state;
    assert_int_equal(setenv("PATH", "/nowhere", 1), 0);
    const roof_status status = roof_draw_graph(d.net.graph, d.prediction, 0, in_folder("graph.svg"), &err);
    assert_int_equal(setenv("PATH", path, 1), 0);
    assert_int_equal(status, ROOF_E_DEVICE);
    assert_non_null(strstr(err.what, "install graphviz"));
    assert_string_equal(read_file(in_folder("graph.svg")), "");
    assert_non_null(strstr(read_file(in_folder("graph.dot")), "digraph"));
    remove_files();
    drawn_close(&d);
    free(path);
}

static void names_stay_texts(void **state)
{
    drawn_network d = drawn_of(net);
    roof_error err = {0};
    (void)state;
    d.prediction->model.name = "a\"b\\N<c>&d";
    d.prediction->layers[0].name = "x\"];evil[y=\"";
    roof_draw_graph(d.net.graph, d.prediction, 0, in_folder("graph.svg"), &err);
    const char *script = read_file(in_folder("graph.dot"));
    assert_non_null(strstr(script, "digraph \"a\\\"b\\\\N&lt;c&gt;&amp;d\" {"));
    assert_non_null(strstr(script, "\\\"];evil"));
    assert_null(strstr(script, "x\"]"));
    remove_files();
    drawn_close(&d);
}

/* The place of a node in a script, "pos=x,y"; false: it is not there. */
static bool find_place(const char *script, const char *node, double *x, double *y)
{
    char begin[32];
    snprintf(begin, sizeof begin, "\n%s [", node);
    const char *at = strstr(script, begin), *pos = at ? strstr(at, "pos=\"") : NULL;
    return pos && sscanf(pos, "pos=\"%lf,%lf", x, y) == 2; /* NOLINT(cert-err34-c): of our own script */
}

static void two_networks_stand_in_line(void **state)
{
    static const char newer[] = "input x float 1,8,16,16\nweights w float 8,8,3,3;weights v float 8,8,1,1\n"
                                "Conv x,w -> a pads=[1,1,1,1] name=first\nConv a,v -> c name=second\n"
                                "Add a,c -> d name=sum\noutput d\n";
    drawn_network before = drawn_of(net), after = drawn_of(newer);
    roof_hw *hw = fx_hw("kv260");
    roof_model_diff *s = NULL;
    roof_error err = {0};
    uint32_t n_in_line = 0, n_alone = 0;
    (void)state;
    const roof_model_diff_request requested = {before.net.graph, after.net.graph, "a/old.onnx", "a/new.onnx",
                                               hw};
    assert_int_equal(roof_model_diff_find(&requested, &s, &err), ROOF_OK);
    roof_draw_model_diff(s, before.net.graph, after.net.graph, 0, in_folder("graph.svg"), &err);
    const char *script = read_file(in_folder("graph.dot"));
    assert_non_null(strstr(script, "label=\"old.onnx\""));
    assert_non_null(strstr(script, "label=\"new.onnx\""));
    for (int i = 0; i < 4; i++) {
        char left[16], right[16];
        double x[2], y[2];
        snprintf(left, sizeof left, "nb%d", i);
        snprintf(right, sizeof right, "n%d", i);
        const bool was = find_place(script, left, &x[0], &y[0]), is = find_place(script, right, &x[1], &y[1]);
        n_alone += was != is;
        n_in_line += was && is;
        if (was && is)
            assert_true(y[0] == y[1] && x[0] < x[1]);
    }
    assert_true(n_in_line >= 2 && n_alone >= 1);
    assert_non_null(strstr(script, "style=dashed,width")); /* where one has nothing */
    assert_int_equal(roof_draw_model_diff(s, before.net.graph, after.net.graph, 0, "graph.txt", &err),
                     ROOF_E_USAGE);
    remove_files();
    roof_model_diff_free(s);
    roof_hw_free(hw);
    drawn_close(&before);
    drawn_close(&after);
}

static void what_cannot_be_drawn_is_an_error(void **state)
{
    drawn_network d = drawn_of(net);
    roof_error err = {0};
    (void)state;
    assert_int_equal(roof_draw_graph(d.net.graph, d.prediction, 0, "graph.txt", &err), ROOF_E_USAGE);
    for (uint32_t i = 0; i < d.prediction->n_layers; i++)
        d.prediction->layers[i].n_nodes = 0;
    assert_int_equal(roof_draw_graph(d.net.graph, d.prediction, 0, "graph.svg", &err), ROOF_E_DATA);
    drawn_close(&d);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_name_says_that_it_is_a_graph),
        cmocka_unit_test(a_picture_and_its_script_are_left),
        cmocka_unit_test(without_dot_the_script_is_left_and_the_message_says_what_to_do),
        cmocka_unit_test(names_stay_texts),
        cmocka_unit_test(two_networks_stand_in_line),
        cmocka_unit_test(what_cannot_be_drawn_is_an_error),
    };
    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
