/* Names of files, names in documents and arguments that steer terminals, break formats or are not UTF-8:
 * every command shows them the same way in every format, and documents keep them. */
#include "core/json/jsontree.h"
#include "core/utf8.h"
#include "tests/unit/html_fixture.h"
#include "tests/unit/program.h"
#include "tests/support/skips.h"

#include <dirent.h>
#include <locale.h>
#include <sys/stat.h>
#include <unistd.h>
#include <wchar.h>

#define LONG_TEXT "äääääääääääääääääääääääääääääääääääääää" /* names of files end at 255 bytes */
#define BIDI                                                                                                 \
    "\xd8\x9c\xe2\x80\x8e\xe2\x80\x8f\xe2\x80\xaa\xe2\x80\xab\xe2\x80\xac"                                   \
    "\xe2\x80\xad\xe2\x80\xae\xe2\x81\xa6\xe2\x81\xa7\xe2\x81\xa8\xe2\x81\xa9"

static const struct {
    const char *name, *text;
    const char *as_utf8; /* what a document holds; NULL: the text itself */
} hostile[] = {
    {"colour", "a\x1b[31mb\x1b]0;title\a", NULL},
    {"C1", "a\302\2332J\xc2\x80\xc2\x9f-", NULL},
    {"controls", "a\x01\b\x7f\v-", NULL},
    {"lines", "a\nb\r\nc\td", NULL},
    /* NOLINTNEXTLINE(misc-misleading-bidirectional): what is tested */
    {"bidirectional", "a" BIDI "b", NULL},
    {"separators", "a\u2028b\u2029c\ufeffd\uffffe", NULL},
    {"markup", "a<b>&\"'`|*_[x](y)\\,=~#;$(x)]]>", NULL},
    {"formula", "=1+1,\"x\"", NULL},
    {"commands",
     "{}{=system(touch${IFS}PWNED)=}%j$(touch${IFS}PWNED)`touch${IFS}PWNED`;touch${IFS}PWNED|touch${IFS}"
     "PWNED&'",
     NULL},
    {"long", LONG_TEXT LONG_TEXT LONG_TEXT, NULL},
    {"not UTF-8", "a\xff\xfe\x80z", "a\\xff\\xfe\\x80z"},
    {"overlong", "a\xc0\xaf\xe0\x80\xafz", "a\\xc0\\xaf\\xe0\\x80\\xafz"},
    {"surrogate", "a\xed\xa0\x80z", "a\\xed\\xa0\\x80z"},
    {"cut", "a\xe2\x82", "a\\xe2\\x82"},
};

typedef enum output { LINES, JSON, NAMES, CSV, MARKDOWN, HTML, SVG, XML, DATA } output;

static char folder[64];
static program run;
static bool is_drawn; /* gnuplot puts tabs between the elements of an SVG */

/* ---- what holds for every output ---- */

static void assert_safe(const char *what, const char *text, size_t length, bool tabs)
{
    static const wchar_t marks[] =
        L"\u061c\u200e\u200f\u2028\u2029\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069"
        L"\ufeff\ufffe\uffff";
    mbstate_t state = {0};
    for (size_t at = 0; at < length;) {
        wchar_t c = 0;
        size_t n = mbrtowc(&c, text + at, length - at, &state);
        bool valid = n != 0 && n <= length - at;
        bool control = c < ' ' || (c >= 0x7f && c < 0xa0);
        if (!valid || (control && c != '\n' && !(tabs && c == '\t')) || wcschr(marks, c))
            fail_msg("%s: byte %zu, 0x%02x: ...%.*s", what, at, (unsigned char)text[at],
                     (int)(at < 60 ? at : 60), text + (at < 60 ? 0 : at - 60));
        at += valid ? n : 1;
    }
}

static cJSON *parsed(const char *what, const char *text, size_t length)
{
    cJSON *json = NULL;
    roof_error err;
    if (jsontree_parse(text, length, NULL, &json, &err) != ROOF_OK)
        fail_msg("%s: %s", what, fx_message(&err));
    return json;
}

/* Every row has as many fields as the first. */
static void assert_table(const char *what, const char *text, char separator)
{
    size_t fields = 1, first = 0;
    bool quoted = false;
    for (const char *p = text; *p; p++) {
        quoted ^= *p == '"' && separator == ',';
        fields += *p == separator && !quoted && !(separator == '|' && p > text && p[-1] == '\\');
        if (*p != '\n')
            continue;
        assert_false(quoted);
        if (first && fields != first && fields > 1)
            fail_msg("%s: %zu fields, want %zu: %.200s", what, fields, first,
                     p > text + 200 ? p - 200 : text);
        first = fields > 1 ? fields : 0; /* a line without is between tables */
        fields = 1;
    }
}

static void assert_format(const char *what, output format, const char *text, size_t length)
{
    assert_safe(what, text, length, format == DATA || (is_drawn && (format == HTML || format == SVG)));
    if (format == JSON)
        cJSON_Delete(parsed(what, text, length));
    if (format == NAMES) { /* which are put into Markdown and HTML as they are */
        cJSON *names = parsed(what, text, length);
        for (const cJSON *item = names->child; item; item = item->next) {
            const cJSON *name = cJSON_GetObjectItemCaseSensitive(item, "name");
            const char *shown = name ? name->valuestring : item->string;
            if (!shown || strpbrk(shown, "`|<>"))
                fail_msg("%s: the name %s", what, shown);
        }
        cJSON_Delete(names);
    }
    if (format == CSV)
        assert_table(what, text, ',');
    if (format == MARKDOWN)
        assert_table(what, text, '|');
    if (format == HTML || format == SVG)
        html_check_balanced(strstr(text, format == SVG ? "<svg" : "<!"));
    if ((format == SVG || format == XML) && strstr(text, "]]>"))
        fail_msg("%s: a text of XML holds ]]>", what);
}

/* ---- inputs ---- */

/* The whole file, NUL-terminated. */
static char *read_file(const char *place, const char *name, size_t *length)
{
    char path[1400], block[4096], *text = NULL;
    snprintf(path, sizeof path, "%s/%s", place, name);
    FILE *in = fopen(path, "rb"), *out = open_memstream(&text, length);
    if (!in || !out)
        fail_msg("no %s", path);
    for (size_t got; (got = fread(block, 1, sizeof block, in)) > 0;)
        fwrite(block, 1, got, out);
    assert_int_equal(fclose(out), 0);
    fclose(in);
    return text;
}

static void put(const char *name, const char *text)
{
    char path[400];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    FILE *out = fopen(path, "wb");
    assert_non_null(out);
    fputs(text, out);
    assert_int_equal(fclose(out), 0);
}

/* The text as it stands in JSON, with every character escaped that is not ASCII or means something there. */
static void put_escaped(char *out, size_t size, const char *text)
{
    wchar_t c;
    mbstate_t state = {0};
    for (size_t used = 0, n; *text; text += n, used = strlen(out)) {
        n = mbrtowc(&c, text, strlen(text), &state);
        assert_true(n > 0 && n <= strlen(text));
        snprintf(out + used, size - used, "\\u%04x", (unsigned)c);
    }
}

/* A template of a document with every @ replaced. */
static void put_document(const char *name, const char *template, const char *text)
{
    char *document = NULL, escaped[4000] = "";
    size_t length;
    put_escaped(escaped, sizeof escaped, text);
    FILE *out = open_memstream(&document, &length);
    assert_non_null(out);
    for (const char *p = template; *p; p++)
        if (*p == '@')
            fputs(escaped, out);
        else
            fputc(*p, out);
    assert_int_equal(fclose(out), 0);
    put(name, document);
    free(document);
}

#define TIMES "\"mean_s\":0.0004,\"std_s\":0.00001,\"count\":10"
static const char measured[] =
    "{\"schema\":\"roofline.measured/"
    "1\",\"source\":{\"tool\":\"@\",\"files\":[\"@\"],\"notes\":\"@\"},\"experiments\":["
    "{\"model\":{\"path\":\"@.xmodel\",\"name\":\"@\"},\"runs\":[{\"mode\":\"bypass\",\"total\":{" TIMES "}},"
    "{\"mode\":\"per_layer\",\"boundaries\":15,\"total\":{\"mean_s\":0.006},\"layers\":[{\"name\":\"@\","
    "\"type\":\"@\"," TIMES "},"
    "{\"name\":\"Conv2d_3_pointwise\",\"type\":\"@\"," TIMES "}]}]},"
    "{\"model\":{\"name\":\"other @\"},\"runs\":[{\"mode\":\"bypass\",\"total\":{" TIMES "}}]}]}";

static const char hardware[] =
    "{\"schema\":\"roofline.hardware/1\",\"id\":\"mine\",\"extends\":\"b4096\",\"name\":\"n\",\"notes\":[\"a "
    "note\"],\"@\":1}";

/* The prediction of hostile markup, its first name everywhere replaced. */
static void put_prediction(const char *text)
{
    static const char path[] = "tests/support/hostile_prediction.json",
                      name[] = "<script>window.attacked=1</script>";
    size_t length;
    char *document = read_file(getenv("ROOFLINE_SOURCE_DIR"), path, &length);
    for (char *at; (at = strstr(document, name));) {
        *at = '@';
        memmove(at + 1, at + strlen(name), strlen(at + strlen(name)) + 1);
    }
    put_document("prediction.json", document, text);
    free(document);
}

/* A model whose layers have marks in their names, as many bytes as before. */
static void put_model(void)
{
    static const char source[] = "examples/kv260/mobilenetv1-b4096.xmodel", name[] = "Conv2d_",
                      /* NOLINTNEXTLINE(misc-misleading-bidirectional): what is tested */
        marks[] = "\xe2\x80\xa8\xe2\x80\xae_";
    char path[200];
    size_t length;
    char *model = read_file(getenv("ROOFLINE_SOURCE_DIR"), source, &length);
    for (char *at = model; (at = memmem(at, length - (size_t)(at - model), name, strlen(name)));)
        memcpy(at, marks, strlen(name));
    snprintf(path, sizeof path, "%s/marks.xmodel", folder);
    FILE *out = fopen(path, "wb");
    assert_non_null(out);
    assert_int_equal(fwrite(model, 1, length, out), length);
    assert_int_equal(fclose(out), 0);
    free(model);
}

static int begin(void **state)
{
    (void)state;
    setlocale(LC_CTYPE, "C.UTF-8");
    strcpy(folder, "/tmp/roofline-test-XXXXXX");
    if (!mkdtemp(folder))
        return -1;
    put("plain.csv", "Layer,Mean\nconv1,1.5\n");
    put("budget.json", "{\"schema\":\"roofline.budget/1\",\"total\":{\"mean_s\":1}}");
    put_model();
    return 0;
}

static int end(void **state)
{
    char command[100];
    (void)state;
    snprintf(command, sizeof command, "rm -rf '%s'", folder);
    return system(command); /* NOLINT(cert-env33-c): a test's own words */
}

static void put_inputs(size_t i)
{
    char name[600], table[1200];
    bool utf8 = !hostile[i].as_utf8;
    snprintf(name, sizeof name, "%s/%s.xmodel", folder, hostile[i].text);
    unlink(name);
    assert_int_equal(symlink("marks.xmodel", name), 0);
    snprintf(table, sizeof table, "Layer,Mean\n\"%s\",1.5\nconv2,2\n", hostile[i].text);
    put("names.csv", table);
    put_prediction(utf8 ? hostile[i].text : hostile[i].as_utf8);
    put_document("measured.json", measured, utf8 ? hostile[i].text : hostile[i].as_utf8);
    put_document("hw.json", hardware, utf8 ? hostile[i].text : hostile[i].as_utf8);
    snprintf(name, sizeof name, "{\"schema\":\"%s\"}", hostile[i].text);
    put("raw.json", name);
}

/* ---- every command in every format ---- */

enum { ANY = -1 };

static const struct {
    const char *command;
    int exit_code;
    output format;
} commands[] = {
    {"predict @.xmodel --format text --findings --details", 0, LINES},
    {"predict @.xmodel --format json --hash", 0, JSON},
    {"predict @.xmodel --format csv", 0, CSV},
    {"predict @.xmodel --format markdown --findings", 0, MARKDOWN},
    {"predict @.xmodel --format trace", 0, JSON},
    {"inspect @.xmodel --format text --details", 0, LINES},
    {"inspect @.xmodel --format json --details", 0, JSON},
    {"inspect @.xmodel --format csv --details", 0, CSV},
    {"inspect @.xmodel --format markdown --details", 0, MARKDOWN},
    {"import plain.csv --map name=Layer,time=Mean:ms --mode per_layer --model @.xmodel", 0, JSON},
    {"import names.csv --map name=Layer,time=Mean:ms --mode per_layer", ANY, LINES},
    {"import names.csv --map name=@,time=Mean:ms", ANY, LINES},
    {"import names.csv", ANY, LINES},
    {"import plain.csv --from @", 64, LINES},
    {"reconcile measured.json --format text --findings --details", ANY, LINES},
    {"reconcile measured.json --format json", ANY, JSON},
    {"reconcile measured.json --format csv", ANY, CSV},
    {"reconcile measured.json --format markdown --details", ANY, MARKDOWN},
    {"reconcile measured.json --format trace", ANY, LINES},
    {"check measured.json --budget budget.json --format junit", ANY, XML},
    {"check measured.json --budget budget.json --format benchmark", ANY, NAMES},
    {"history add measured.json --db runs.db", 0, LINES},
    {"history trend --db runs.db --format benchmark", 0, NAMES},
    {"history trend --db runs.db --format bencher", 0, NAMES},
    {"reconcile measured.json --map plain.csv --findings", ANY, LINES},
    {"reconcile measured.json --model prediction.json", ANY, LINES},
    {"hw check hw.json", 0, LINES},
    {"hw check @", 66, LINES},
    {"hw show hw.json", 0, LINES},
    {"hw show hw.json --format json", 0, JSON},
    {"hw show @", ANY, LINES},
    {"hw list @", 64, LINES},
    {"hw @", 64, LINES},
    {"@", 64, LINES},
    {"formats @", 64, LINES},
    {"predict no-@", 66, LINES},
    {"predict --@", 64, LINES},
    {"predict -@", ANY, LINES},
    {"predict @.xmodel --hw=@", ANY, LINES},
    {"predict @.xmodel --clock=@", 64, LINES},
    {"predict @.xmodel --batch=@", 64, LINES},
    {"predict @.xmodel --format=@", 64, LINES},
    {"predict @.xmodel --color=@", 64, LINES},
    {"predict @.xmodel --calibration=no-@", 66, LINES},
    {"predict @.xmodel --chart=@", 64, LINES},
    {"predict @.xmodel extra-@", 66, LINES},
    {"predict @.xmodel raw.json --hw kv260,b512", 0, LINES},
    {"predict @.xmodel raw.json --hw kv260,b512 --format json", 0, JSON},
    {"predict @.xmodel raw.json --hw kv260,b512 --format csv", 0, CSV},
    {"predict @.xmodel raw.json --hw kv260,b512 --format markdown", 0, MARKDOWN},
    {"predict @.xmodel -o no/@", 74, LINES},
    {"predict raw.json", 65, LINES},
    {"reconcile raw.json", 65, LINES},
    {"report raw.json -o report", 65, LINES},
    {"report @.xmodel", 64, LINES},
    {"hw check raw.json", 65, LINES},
};

static void every_output_is_text_of_its_format(void **state)
{
    (void)state;
    if (!getenv("ROOFLINE_EXE"))
        skip_without("the program");
    for (size_t i = 0; i < COUNT(hostile); i++) {
        put_inputs(i);
        for (size_t c = 0; c < COUNT(commands); c++) {
            char what[300];
            size_t length;
            run = (program){.folder = folder, .output = "out"};
            program_run_with(&run, commands[c].command, hostile[i].text);
            int exit_code = program_exit(&run);
            snprintf(what, sizeof what, "%s, %s", hostile[i].name, commands[c].command);
            if (exit_code < 0 || (commands[c].exit_code != ANY && exit_code != commands[c].exit_code))
                fail_msg("%s: exit code %d: %s", what, exit_code, run.text);
            char *out = read_file(folder, "out", &length);
            assert_format(what, commands[c].format, out, length);
            assert_safe(what, run.text, strlen(run.text), false);
            free(out);
        }
    }
}

/* ---- commands to copy ---- */

/* What a shell makes of a command: where it is run, and its words; 0 after each. Charts are drawn where their
 * program is, and then the command has made no PWNED where it was or went. */
static void put_shell(const char *command)
{
    char script[4000];
    snprintf(script, sizeof script,
             "roofline() { printf '%%s\\0' \"$PWD\" \"$@\" >\"$here/said\"; }\n"
             "draw() { roofline \"${@:2}\"; ! type -P \"$1\" || command \"$@\"; }\n"
             "gnuplot() { draw gnuplot \"$@\"; }\ndot() { draw dot \"$@\"; }\n"
             "here=$PWD\n%s\n[ ! -e PWNED ] && [ ! -e \"$here/PWNED\" ]\n",
             command);
    put("copied", script);
    snprintf(script, sizeof script, "cd '%s' && rm -f said && bash copied >drawn 2>&1", folder);
    if (system(script) != 0) /* NOLINT(cert-env33-c): what people do */
        fail_msg("it does not run, or runs more: %s", command);
}

static const char broken[] = "#!/bin/sh\necho no >&2\nexit 1\n";

static const struct {
    const char *command, *before; /* in what is said; behind it is the command, perhaps up to a ` */
    const char *programs;         /* the only folder in PATH */
    const char *words[8];         /* @: the name; the first one is where */
} printed[] = {
    {"@.xmodel", "that file: `", "none", {"", "predict", "@.xmodel"}},
    {"report @.xmodel", "a folder: ", "none", {"", "report", "@.xmodel", "-o", "review"}},
    {"predict @.xmodel --chart @/x.svg", "then: ", "none", {"/@", "./x.gp"}},
    {"predict @.xmodel --chart @/@.svg", "hand: ", "broken", {"/@", "@.gp"}},
    {"predict @.xmodel --chart @/@-graph.svg",
     "then: ",
     "none",
     {"/@", "-Kneato", "-n2", "-Tsvg", "-o", "@-graph.svg", "@-graph.dot"}},
    {"predict @.xmodel --chart @/@-graph.svg",
     "hand: ",
     "broken",
     {"/@", "-Kneato", "-n2", "-Tsvg", "@-graph.dot"}},
};

/* A word that has no room is in capitals; a chart's script holds no name of several lines. */
static void commands_to_copy_name_what_was_given(void **state)
{
    char path[600];
    (void)state;
    if (!getenv("ROOFLINE_EXE"))
        skip_without("the program");
    for (size_t k = 0; k < 2; k++) {
        static const char *const programs[] = {"gnuplot", "dot"};
        snprintf(path, sizeof path, "%s/broken", folder);
        mkdir(path, 0700);
        snprintf(path, sizeof path, "broken/%s", programs[k]);
        put(path, broken);
        snprintf(path, sizeof path, "%s/broken/%s", folder, programs[k]);
        assert_int_equal(chmod(path, 0700), 0);
    }
    for (size_t i = 0; i < COUNT(hostile); i++) {
        const char *name = hostile[i].text;
        put_inputs(i);
        snprintf(path, sizeof path, "%s/%s", folder, name);
        mkdir(path, 0700);
        for (size_t c = 0; c < COUNT(printed); c++) {
            char programs[100];
            snprintf(programs, sizeof programs, "%s/%s", folder, printed[c].programs);
            run = (program){.folder = folder, .path = programs};
            program_run_with(&run, printed[c].command, name);
            char *at = strstr(run.text, printed[c].before), *end;
            if (!at && strstr(run.text, "a chart's script cannot hold the name")) {
                assert_true(utf8_before(name, strlen(name), UTF8_MARK) < strlen(name));
                continue;
            }
            if (!at)
                fail_msg("%s, %s: no command in: %s", hostile[i].name, printed[c].command, run.text);
            at += strlen(printed[c].before);
            end = at + strcspn(at, "\n");
            end -= at[-1] == '`' && end > at && end[-1] == '`';
            *end = '\0';
            if (strstr(at, "FOLDER") || strstr(at, "FILE")) {
                char word[100];
                assert_null(quote_for_shell(word, sizeof word, name, NULL));
                continue;
            }
            put_shell(at);
            size_t length, used = 0;
            char *said = read_file(folder, "said", &length), want[1200];
            for (size_t w = 0; w < COUNT(printed[c].words) && printed[c].words[w]; w++) {
                const char *mark = strchr(printed[c].words[w], '@'), *word = printed[c].words[w];
                snprintf(want, sizeof want, "%s%.*s%s%s", w ? "" : folder, mark ? (int)(mark - word) : 100,
                         word, mark ? name : "", mark ? mark + 1 : "");
                if (used >= length || strcmp(said + used, want) != 0)
                    fail_msg("%s, %s: '%s', want the word '%s'", hostile[i].name, at,
                             used < length ? said + used : "", want);
                used += strlen(want) + 1;
            }
            if (used != length)
                fail_msg("%s, %s: more words", hostile[i].name, at);
            free(said);
        }
    }
}

/* ---- documents ---- */

/* A network is the same one, whether its prediction comes from the model or out of a document. */
static void documents_keep_names(void **state)
{
    (void)state;
    if (!getenv("ROOFLINE_EXE"))
        skip_without("the program");
    for (size_t i = 0; i < COUNT(hostile); i++) {
        const char *kept = hostile[i].as_utf8 ? hostile[i].as_utf8 : hostile[i].text;
        char path[600], kept_path[600];
        roof_graph *graph = NULL;
        roof_prediction *saved = NULL;
        roof_error err;
        put_inputs(i);
        run = (program){.folder = folder};
        program_run_with(&run, "predict @.xmodel --hw b4096 -o saved.json", hostile[i].text);
        assert_int_equal(program_exit(&run), 0);
        snprintf(path, sizeof path, "%s/saved.json", folder);
        if (roof_prediction_read(path, &saved, &err) != ROOF_OK)
            fail_msg("%s: %s", hostile[i].name, fx_message(&err));
        snprintf(kept_path, sizeof kept_path, "%s.xmodel", kept);
        assert_string_equal(saved->model.path, kept_path);
        snprintf(path, sizeof path, "%s/%s.xmodel", folder, hostile[i].text);
        assert_int_equal(roof_graph_read(path, &graph, &err), ROOF_OK);
        roof_prediction *made = fx_predict(graph, "b4096", &(roof_predict_options){0});
        assert_string_equal(made->model.name, kept);
        assert_string_equal(saved->model.name, kept);
        roof_prediction_free(made);
        roof_prediction_free(saved);
        roof_graph_free(graph);
    }
}

/* ---- charts and reports ---- */

static void assert_file(const char *what, const char *place, const char *name)
{
    static const struct {
        const char *ending;
        output format;
    } endings[] = {{".html", HTML}, {".svg", SVG},  {".json", JSON},
                   {".csv", CSV},   {".dat", DATA}, {".gp", DATA}};
    size_t length;
    const char *dot = strrchr(name, '.');
    char about[700];
    for (size_t i = 0; dot && i < COUNT(endings); i++) {
        if (strcmp(endings[i].ending, dot) != 0)
            continue;
        char *text = read_file(place, name, &length);
        snprintf(about, sizeof about, "%s, %s", what, name);
        assert_format(about, endings[i].format, text, length);
        free(text);
    }
}

/* gnuplot draws the first and the one of markup; scripts and data are there without it. */
static void every_file_of_a_report_is_text_of_its_format(void **state)
{
    (void)state;
    if (!getenv("ROOFLINE_EXE"))
        skip_without("the program");
    for (size_t i = 0; i < COUNT(hostile); i++) {
        put_inputs(i);
        is_drawn = i == 0 || strcmp(hostile[i].name, "markup") == 0;
        run = (program){.folder = folder, .path = is_drawn ? NULL : "/nowhere"};
        program_run_with(&run, "report @.xmodel prediction.json measured.json -o report-@", hostile[i].text);
        /* 1: the profile is of another network, and the rest is written; 69: without gnuplot as well */
        if (program_exit(&run) != 1 && program_exit(&run) != 69)
            fail_msg("%s: exit code %d: %s", hostile[i].name, program_exit(&run), run.text);
        assert_safe(hostile[i].name, run.text, strlen(run.text), false);
        char place[600];
        unsigned n = 0;
        snprintf(place, sizeof place, "%s/report-%s", folder, hostile[i].text);
        DIR *files = opendir(place);
        assert_non_null(files);
        for (const struct dirent *d; (d = readdir(files)); n++)
            assert_file(hostile[i].name, place, d->d_name);
        closedir(files);
        assert_true(n > 10);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_output_is_text_of_its_format),
        cmocka_unit_test(commands_to_copy_name_what_was_given),
        cmocka_unit_test(documents_keep_names),
        cmocka_unit_test(every_file_of_a_report_is_text_of_its_format),
    };
    return cmocka_run_group_tests(tests, begin, end);
}
