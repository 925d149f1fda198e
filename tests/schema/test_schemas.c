/* The schemas of docs/schema: what readers refuse they refuse, and what we write they describe to the last
 * member. Texts stand here with ' for ". */
#include "core/text.h"
#include "measure/profile/profile.h"
#include "model/documents/documents.h"
#include "roofline/render.h"
#include "tests/schema/json_schema.h"
#include "tests/support/curves.h"
#include "tests/support/memory_io.h"
#include "tests/unit/fixture.h"
#include "tests/support/skips.h"

#include <locale.h>

#define RUNS(members)                                                                                        \
    "{'schema':'roofline.measured/1','experiments':[{'runs':[{'mode':'per_layer'" members "}]}]}"
#define TOTAL(members) RUNS(",'total':{" members "}")
#define LAYER(members) RUNS(",'layers':[{" members "}]")

static char *json_of(const char *text)
{
    char *json = strdup(text);
    assert_non_null(json);
    for (char *p = json; *p; p++)
        *p = *p == '\'' ? '"' : *p;
    return json;
}

static cJSON *read_schema(const char *name)
{
    char path[1024];
    cJSON *schema = NULL;
    roof_error err;
    snprintf(path, sizeof path, "%s/docs/schema/%s", getenv("ROOFLINE_SOURCE_DIR"), name);
    if (jsontree_read(path, 0, &schema, &err) != ROOF_OK || json_schema_check(schema, &err) != ROOF_OK)
        fail_msg("%s", fx_message(&err));
    return schema;
}

/* The fault that the schema finds, or "". */
static const char *fault_of(const cJSON *schema, const char *json, bool described)
{
    cJSON *document = NULL;
    roof_error err = {0};
    if (jsontree_parse(json, strlen(json), NULL, &document, &err) != ROOF_OK)
        fail_msg("%s: %s", json, fx_message(&err));
    roof_status status = json_schema_validate(schema, document, described, &err);
    cJSON_Delete(document);
    return status == ROOF_OK ? "" : fx_message(&err);
}

static bool is_read(const char *json)
{
    memory_source source = {json, strlen(json), 0};
    roof_measured *m = NULL;
    roof_status status = measured_codec_read(memory_read, &source, "m.json", &m, NULL);
    roof_measured_free(m);
    return status == ROOF_OK;
}

/* ---- roofline.measured/1 ---- */

static void assert_both_say(const cJSON *schema, const char *text, const char *fault)
{
    char *json = json_of(text);
    const char *got = fault_of(schema, json, false);
    if (strcmp(got, fault) != 0)
        fail_msg("%s\n the schema says '%s', want '%s'", text, got, fault);
    if (is_read(json) != !fault[0])
        fail_msg("%s: the reader does not agree with the schema", text);
    free(json);
}

static void measured_profiles_that_are_read_are_valid(void **state)
{
    static const char *const rows[] = {
        RUNS(""),
        "{'schema':'roofline.measured/"
        "1','source':null,'sources':null,'hardware':null,'experiments':[{'model':null,"
        "'hardware':null,'prediction':null,'runs':[{'mode':'bypass','clocks_hz':null,'total':null,'phases':"
        "null,"
        "'layers':null,'boundaries':null,'warmup':null,'energy_j':null,'sum_of_layers_s':null}]}]}",
        "{'schema':'roofline.measured/1','source':{'tool':null,'files':null,'notes':null},'sources':[{}],"
        "'hardware':{'id':null},'experiments':[{'model':{'path':null},'runs':[{'mode':'bypass'}]}],'later':"
        "1}",
        RUNS(",'layers':[]"),
        RUNS(",'phases':{},'clocks_hz':{},'later':{'a':[]}"),
        RUNS(",'phases':{'DMA [in] <1>_s':0,'run_s':null},'clocks_hz':{']x[':1}"),
        TOTAL("'samples_s':[0,1e12]"),
        TOTAL("'count':1"),
        LAYER("'name':'','cycles':{},'bytes_basis':null,'basis':null,'share_ratio':1"),
        LAYER("'index':4294967294,'samples_s':null,'count':null"),
        LAYER(
            "'name':'a','phase_cycles':{'pre':{'mcu':1,'npu':null},'core':{},'post':null},'events':{'a.b':0,"
            "'c':null}"),
        RUNS(",'phase_cycles':{'core':{'npu':9007199254740992}},'events':null"),
        "{'schema':'roofline.measured/1','experiments':[{'model':{'weight_type':'q4_1','cache_type':null},"
        "'device':{'memory_bytes':34359738368},'stack':'vllm','stack_version':null,'runs':[{'mode':'bypass'}]"
        "}]}",
        "{'schema':'roofline.measured/1','experiments':[{'prediction':{'schema':'roofline.prediction/"
        "1','layers':[]},"
        "'runs':[{'mode':'bypass'}]}]}",
    };
    cJSON *schema = read_schema("measured-1.schema.json");
    (void)state;
    for (size_t i = 0; i < COUNT(rows); i++)
        assert_both_say(schema, rows[i], "");
    cJSON_Delete(schema);
}

static void measured_profiles_that_are_refused_are_not_valid(void **state)
{
    static const struct {
        const char *text, *fault;
    } rows[] = {
        {"[]", "/: want type: object"},
        {"{'schema':'roofline.measured/1'}", "/: lacks: experiments"},
        {"{'schema':'roofline.measured/2','experiments':[{'runs':[{'mode':'bypass'}]}]}",
         "/schema: is not the constant"},
        {"{'schema':'roofline.measured/1','experiments':null}", "/experiments: want type: array"},
        {"{'schema':'roofline.measured/1','experiments':[]}", "/experiments: has too few items"},
        {"{'schema':'roofline.measured/1','experiments':[{}]}", "/experiments/0: lacks: runs"},
        {"{'schema':'roofline.measured/1','experiments':[{'runs':[]}]}",
         "/experiments/0/runs: has too few items"},
        {"{'schema':'roofline.measured/1','experiments':[{'runs':[{'mode':null}]}]}",
         "/experiments/0/runs/0/mode: is none of the values that are allowed"},
        {"{'schema':'roofline.measured/1','experiments':[{'runs':[{'mode':'both'}]}]}",
         "/experiments/0/runs/0/mode: is none of the values that are allowed: both"},
        {"{'schema':'roofline.measured/1','source':[],'experiments':[{'runs':[{'mode':'bypass'}]}]}",
         "/source: fits another number of alternatives than it should, by: oneOf"},
        {"{'schema':'roofline.measured/"
         "1','source':{'files':[null]},'experiments':[{'runs':[{'mode':'bypass'}]}]}",
         "/source: fits another number of alternatives than it should, by: oneOf"},
        {"{'schema':'roofline.measured/"
         "1','experiments':[{'model':{'name':'\\u001b'},'runs':[{'mode':'bypass'}]}]}",
         ""},
        {"{'schema':'roofline.measured/"
         "1','experiments':[{'prediction':{'schema':'x','layers':[]},'runs':[{'mode':'bypass'}]}]}",
         "/experiments/0/prediction/schema: is not the constant"},
        {"{'schema':'roofline.measured/1','experiments':[{'prediction':{'schema':'roofline.prediction/"
         "1'},'runs':[{'mode':'bypass'}]}]}",
         "/experiments/0/prediction: lacks: layers"},
        {"{'schema':'roofline.measured/1','experiments':[{'stack':7,'runs':[{'mode':'bypass'}]}]}",
         "/experiments/0/stack: want type: string or null"},
        {"{'schema':'roofline.measured/1','experiments':[{'model':{'weight_type':4},'runs':[{'mode':'bypass'}"
         "]}]}",
         "/experiments/0/model/weight_type: want type: string or null"},
        {"{'schema':'roofline.measured/1','experiments':[{'device':{'memory_bytes':1.5},'runs':[{'mode':"
         "'bypass'}]}]}",
         "/experiments/0/device/memory_bytes: want type: integer or null"},
        {RUNS(",'boundaries':4294967295"), "/experiments/0/runs/0/boundaries: is more than the maximum"},
        {RUNS(",'warmup':0.5"), "/experiments/0/runs/0/warmup: want type: integer or null"},
        {RUNS(",'iterations':9007199254740994"),
         "/experiments/0/runs/0/iterations: is more than the maximum"},
        {RUNS(",'sum_of_layers_s':1e13"), "/experiments/0/runs/0/sum_of_layers_s: is more than the maximum"},
        {RUNS(",'power_w':-1"), "/experiments/0/runs/0/power_w: is less than the minimum"},
        {RUNS(",'clocks_hz':{'dpu':0.5}"), "/experiments/0/runs/0/clocks_hz/dpu: is less than the minimum"},
        {RUNS(",'clocks_hz':{'':1}"),
         "/experiments/0/runs/0/clocks_hz: has a name that does not match the pattern"},
        {RUNS(",'clocks_hz':{'d\\u0022':1}"),
         "/experiments/0/runs/0/clocks_hz: has a name that does not match the pattern: d\""},
        {RUNS(",'clocks_hz':{'d\\\\':1}"),
         "/experiments/0/runs/0/clocks_hz: has a name that does not match the pattern: d\\"},
        {RUNS(",'phases':{'run':1}"),
         "/experiments/0/runs/0/phases: has a name that does not match the pattern: run"},
        {RUNS(",'phases':{'_s':1}"),
         "/experiments/0/runs/0/phases: has a name that does not match the pattern: _s"},
        {RUNS(",'phases':{'run_s':-1}"), "/experiments/0/runs/0/phases/run_s: is less than the minimum"},
        {RUNS(",'layers':{}"), "/experiments/0/runs/0/layers: want type: array or null"},
        {RUNS(",'layers':[null]"), "/experiments/0/runs/0/layers/0: want type: object"},
        {TOTAL(""),
         "/experiments/0/runs/0/total: fits another number of alternatives than it should, by: oneOf"},
        {TOTAL("'mean_s':'1'"),
         "/experiments/0/runs/0/total: fits another number of alternatives than it should, by: oneOf"},
        {TOTAL("'count':0"),
         "/experiments/0/runs/0/total: fits another number of alternatives than it should, by: oneOf"},
        {TOTAL("'samples_s':[]"),
         "/experiments/0/runs/0/total: fits another number of alternatives than it should, by: oneOf"},
        {TOTAL("'samples_s':[null]"),
         "/experiments/0/runs/0/total: fits another number of alternatives than it should, by: oneOf"},
        {LAYER("'mean_s':1"),
         "/experiments/0/runs/0/layers/0: fits another number of alternatives than it should, by: anyOf"},
        {LAYER("'index':0"), "/experiments/0/runs/0/layers/0/index: is less than the minimum"},
        {LAYER("'name':'a','share_ratio':1.1"),
         "/experiments/0/runs/0/layers/0/share_ratio: is more than the maximum"},
        {LAYER("'name':'a','basis':'guess'"),
         "/experiments/0/runs/0/layers/0/basis: is none of the values that are allowed: guess"},
        {LAYER("'name':'a','bytes_basis':''"),
         "/experiments/0/runs/0/layers/0/bytes_basis: is none of the values that are allowed"},
        {LAYER("'name':'a','cycles':{'dpu':-1}"),
         "/experiments/0/runs/0/layers/0/cycles/dpu: is less than the minimum"},
        {LAYER("'name':'a','phase_cycles':{'pre':{'mcu':0.5}}"),
         "/experiments/0/runs/0/layers/0/phase_cycles/pre/mcu: want type: integer or null"},
        {RUNS(",'phase_cycles':{'pre':1}"),
         "/experiments/0/runs/0/phase_cycles/pre: want type: object or null"},
        {RUNS(",'phase_cycles':{'':{}}"),
         "/experiments/0/runs/0/phase_cycles: has a name that does not match the pattern"},
        {LAYER("'name':'a','events':{'x':-1}"),
         "/experiments/0/runs/0/layers/0/events/x: is less than the minimum"},
        {RUNS(",'phase_kinds':{'run_s':'gpu'}"),
         "/experiments/0/runs/0/phase_kinds/run_s: is none of the values that are allowed: gpu"},
        {RUNS(",'phases':{'run_s':1,'a_s':1},'phase_parents':{'a_s':'run'}"),
         "/experiments/0/runs/0/phase_parents/a_s: does not match: ^([ !#-Z^-~]|\\[|\\]){1,98}_s$"},
        {LAYER("'name':'a','device':7"), "/experiments/0/runs/0/layers/0/device: want type: string or null"},
    };
    cJSON *schema = read_schema("measured-1.schema.json");
    (void)state;
    for (size_t i = 0; i < COUNT(rows); i++)
        assert_both_say(schema, rows[i].text, rows[i].fault);
    cJSON_Delete(schema);
}

/* ---- roofline.reconciliation/1 ---- */

/* Three models with both modes, one of them with the layers of a prediction; five would have a robust line as
 * well. */
static const char study[] =
    "{'schema':'roofline.measured/1','hardware':{'id':'kv260'},'experiments':["
    "{'model':{'name':'a'},'runs':[{'mode':'bypass','total':{'mean_s':0.005},'phases':{'host_s':0.002,'run_s'"
    ":0.003}},"
    "{'mode':'per_layer','boundaries':2,'total':{'mean_s':0.008},'sum_of_layers_s':0.006,"
    "'layers':[{'name':'conv + pool','mean_s':0.004,'std_s':0.001,'count':30},{'index':7,'mean_s':0.001}]}],"
    "'prediction':{'schema':'roofline.prediction/1','layers':[{'name':'conv','type':'conv','device':'DPU',"
    "'cycles':{'conv':300,'ideal':300},'bound':'conv','ideal_s':0.001},{'name':'pool','type':'pool','device':"
    "'DPU',"
    "'ideal_s':0.0005},{'name':'late','type':'conv','device':'DPU','ideal_s':0.0004}]}},"
    "{'model':{'name':'b'},'runs':[{'mode':'bypass','total':{'mean_s':0.006}},{'mode':'per_layer','"
    "boundaries':36,"
    "'total':{'mean_s':0.0113},'sum_of_layers_s':0.009}]},"
    "{'model':{'name':'c'},'runs':[{'mode':'bypass','total':{'mean_s':0.016}},{'mode':'per_layer','"
    "boundaries':55,"
    "'total':{'mean_s':0.0253},'sum_of_layers_s':0.0227}]}]}";

static char *reconciled_as(const char *text, const char *format)
{
    char *json = json_of(text);
    memory_source source = {json, strlen(json), 0};
    roof_measured *m = NULL;
    roof_reconciliation *r = NULL;
    textbuf out;
    const roof_prediction *predictions[8] = {NULL};
    text_init(&out, TEXT_MAX_BYTES);
    assert_int_equal(measured_codec_read(memory_read, &source, "m.json", &m, NULL), ROOF_OK);
    for (uint32_t i = 0; i < m->n_experiments; i++)
        predictions[i] = m->experiments[i].prediction;
    assert_int_equal(roof_reconcile(m, predictions, NULL, &r, NULL), ROOF_OK);
    assert_int_equal(
        roof_render(r, &(roof_render_options){.format = format}, (roof_sink){memory_write, &out}, NULL),
        ROOF_OK);
    roof_reconciliation_free(r);
    roof_measured_free(m);
    free(json);
    return out.bytes;
}

static void reconciliations_are_described_to_the_last_member(void **state)
{
    static const char *const rows[] = {
        study,
        RUNS(""),
        LAYER("'name':'a','mean_s':0"),
        TOTAL("'mean_s':0"),
        "{'schema':'roofline.measured/1','experiments':[{'runs':[{'mode':'bypass','total':{'mean_s':1},"
        "'phases':{'run_s':0.5}}]},{'hardware':{'id':'other'},'runs':[{'mode':'bypass'}]}]}",
    };
    cJSON *schema = read_schema("reconciliation-1.schema.json");
    (void)state;
    for (size_t i = 0; i < COUNT(rows); i++) {
        char *json = reconciled_as(rows[i], "json");
        assert_string_equal(fault_of(schema, json, true), "");
        free(json);
    }
    cJSON_Delete(schema);
}

/* The first find in text becomes replacement. */
static char *changed(const char *text, const char *find, const char *replacement)
{
    char *quoted = json_of(find), *new = json_of(replacement);
    const char *at = strstr(text, quoted);
    if (!at)
        fail_msg("no %s in %s", quoted, text);
    textbuf out;
    text_init(&out, TEXT_MAX_BYTES);
    text_add(&out, text, (size_t)(at - text));
    text_puts(&out, new);
    text_puts(&out, at + strlen(quoted));
    free(quoted);
    free(new);
    return out.bytes;
}

static void reconciliations_that_are_wrong_are_not_valid(void **state)
{
    static const struct {
        const char *find, *replacement, *fault;
    } rows[] = {
        {"reconciliation/1", "reconciliation/2", "/schema: is not the constant"},
        {"'verdict':[", "'verdicts':[", "/: lacks: verdict"},
        {"'verdict':'gap'", "'verdict':'slow'",
         "/experiments/0/layers/0/verdict: is none of the values that are allowed: slow"},
        {"'match':'parts'", "'match':'guessed'",
         "/experiments/0/layers/0/match: is none of the values that are allowed: guessed"},
        {"'confidence_ratio':0.85", "'confidence_ratio':1.5",
         "/experiments/0/layers/0/confidence_ratio: is more than the maximum"},
        {"'matched_rows':['conv + pool']", "'matched_rows':[true]",
         "/experiments/0/layers/0/matched_rows/0: want type: string or integer or null"},
        {"'layers':[1,2]", "'layers':[1]", "/experiments/0/layers/0/layers: has too few items"},
        {"'bypass_s':0.005", "'bypass_s':-1", "/experiments/0/total/bypass_s: is less than the minimum"},
        {"'chosen':'through_origin'", "'chosen':'best'",
         "/overhead_fit/chosen: is none of the values that are allowed: best"},
        {"'unattributed_s':", "'unattributed':", "/experiments/0/total: lacks: unattributed_s"},
        {"'from':'mean'", "'from':'median'", "/ceiling/from: is none of the values that are allowed: median"},
        {"'kind':'host',", "'kind':'other',",
         "/experiments/0/wall: fits another number of alternatives than it should, by: oneOf"},
        {"'findings':[\n  {'kind':'", "'findings':[\n  {'kind':'No ",
         "/findings/0/kind: does not match: ^[a-z_]+$"},
        {"'boundaries':2", "'boundaries':2.5", "/experiments/0/boundaries: want type: integer or null"},
        {"'corrected_ci95_s':[", "'corrected_ci95_s':[0,",
         "/experiments/0/total/corrected_ci95_s: has too many items"},
        {"'slope_s':", "'slope_s':'x',\n'slopes':", "/overhead_fit/slope_s: want type: number or null"},
    };
    cJSON *schema = read_schema("reconciliation-1.schema.json");
    char *json = reconciled_as(study, "json");
    (void)state;
    for (size_t i = 0; i < COUNT(rows); i++) {
        char *wrong = changed(json, rows[i].find, rows[i].replacement);
        assert_string_equal(fault_of(schema, wrong, false), rows[i].fault);
        free(wrong);
    }
    free(json);
    cJSON_Delete(schema);
}

/* ---- the documents in docs/formats/measured.md ---- */

static char *text_of_page(const char *name)
{
    char path[1024], *text;
    size_t length;
    snprintf(path, sizeof path, "%s/docs/%s", getenv("ROOFLINE_SOURCE_DIR"), name);
    FILE *file = fopen(path, "rb"), *copy = open_memstream(&text, &length);
    assert_true(file && copy);
    for (int c; (c = getc(file)) != EOF;)
        putc(c, copy);
    fclose(file);
    assert_int_equal(fclose(copy), 0);
    return text;
}

/* The n-th block of JSON, from 0; its quotes are those of JSON. */
static char *block_of_formats(int n)
{
    char *text = text_of_page("formats/measured.md");
    const char *at = text;
    for (; n >= 0; n--) {
        at = strstr(at, "```json");
        assert_non_null(at);
        at = strchr(at, '\n') + 1;
    }
    const char *end = strstr(at, "```");
    assert_non_null(end);
    char *block = strndup(at, (size_t)(end - at));
    free(text);
    return block;
}

static void the_documents_of_the_manual_are_valid(void **state)
{
    cJSON *schema = read_schema("measured-1.schema.json");
    char *measured = block_of_formats(0), *counted = block_of_formats(1);
    (void)state;
    assert_string_equal(fault_of(schema, measured, true), "");
    assert_both_say(schema, counted, "");
    free(measured);
    free(counted);
    cJSON_Delete(schema);
}

/* ---- words ---- */

static const cJSON *words_of(const cJSON *schema, const char *member)
{
    const cJSON *layer = jsontree_get(jsontree_get(schema, "$defs"), "layer");
    return jsontree_get(jsontree_get(jsontree_get(layer, "properties"), member), "enum");
}

/* A cause without its condition is a claim. */
static void every_cause_has_its_section(void **state)
{
    char *text = text_of_page("causes.md");
    (void)state;
    for (int i = 0; i < ROOF_CAUSE_COUNT; i++) {
        char heading[64];
        snprintf(heading, sizeof heading, "\n### %s\n- **Condition", roof_cause_text((roof_cause_kind)i));
        if (!strstr(text, heading))
            fail_msg("docs/causes.md has no section '### %s' that begins with its condition",
                     roof_cause_text((roof_cause_kind)i));
    }
    free(text);
}

/* Tables show a word of each verdict, which a reader looks up. */
static void every_verdict_has_its_word(void **state)
{
    char *text = text_of_page("words.md");
    (void)state;
    for (int i = 0; i < ROOF_VERDICT_COUNT; i++) {
        char row[64];
        snprintf(row, sizeof row, "\n| %s |", roof_verdict_words((roof_verdict)i));
        if (!strstr(text, row))
            fail_msg("docs/words.md has no row '%s'", row + 1);
    }
    free(text);
}

/* The tables of verdicts and matches grow; the schema has to grow with them. */
static void words_of_the_schema_are_those_of_the_tables(void **state)
{
    cJSON *schema = read_schema("reconciliation-1.schema.json");
    const cJSON *word = cJSON_GetArrayItem(words_of(schema, "verdict"), 0);
    (void)state;
    for (int i = 0; i < ROOF_VERDICT_COUNT; i++, word = word->next)
        assert_string_equal(word ? cJSON_GetStringValue(word) : "", roof_verdict_text((roof_verdict)i));
    assert_null(word);
    word = cJSON_GetArrayItem(words_of(schema, "match"), 0);
    for (int i = 0; i < ROOF_MATCH_COUNT; i++, word = word->next)
        assert_string_equal(word ? cJSON_GetStringValue(word) : "",
                            roof_match_method_text((roof_match_method)i));
    assert_null(word);
    cJSON_Delete(schema);
}

static void reasons_of_siblings_are_those_of_their_schema(void **state)
{
    cJSON *schema = read_schema("siblings-1.schema.json");
    const cJSON *row = jsontree_get(jsontree_get(jsontree_get(schema, "properties"), "rows"), "items");
    const cJSON *reasons = jsontree_get(jsontree_get(row, "properties"), "reasons");
    const cJSON *word = cJSON_GetArrayItem(jsontree_get(jsontree_get(reasons, "items"), "enum"), 0);
    (void)state;
    for (int i = 0; i < ROOF_DIFF_REASONS; i++, word = word->next)
        assert_string_equal(word ? cJSON_GetStringValue(word) : "",
                            roof_diff_reason_word((roof_diff_reason)i));
    assert_null(word);
    cJSON_Delete(schema);
}

/* ---- roofline.predictions/1 ---- */

static void predictions_that_are_refused_are_not_valid(void **state)
{
#define PAIRS(items) "{'schema':'roofline.predictions/1','pairs':[" items "]}"
#define EMPTY        "{'schema':'roofline.prediction/1','layers':[]}"
    static const struct {
        const char *text, *fault;
    } rows[] = {
        {PAIRS("{'path':'a','why':'no','prediction':null}"), ""},
        {PAIRS("{'path':'a','asked_hw':'kv260','why':null,'prediction':" EMPTY ",'later':1}"), ""},
        {"{'schema':'roofline.predictions/1'}", "/: lacks: pairs"},
        {"{'schema':'roofline.predictions/2','pairs':[]}", "/schema: is not the constant"},
        {PAIRS(""), "/pairs: has too few items"},
        {PAIRS("null"), "/pairs/0: want type: object"},
        {PAIRS("{'path':1,'why':'no','prediction':null}"), "/pairs/0/path: want type: string"},
        {PAIRS("{'path':'a','why':'no','prediction':{}}"), "/pairs/0/prediction: lacks: schema"},
        {PAIRS("{'path':'a','why':null,'prediction':{'schema':'roofline.measured/1','layers':[]}}"),
         "/pairs/0/prediction/schema: is not the constant"},
    };
    cJSON *schema = read_schema("predictions-1.schema.json");
    (void)state;
    for (size_t i = 0; i < COUNT(rows); i++) {
        char *json = json_of(rows[i].text);
        memory_source source = {json, strlen(json), 0};
        roof_predictions *all = NULL;
        assert_string_equal(fault_of(schema, json, false), rows[i].fault);
        if ((predictions_codec_read(memory_read, &source, "p.json", &all, NULL) == ROOF_OK) !=
            !rows[i].fault[0])
            fail_msg("%s: the reader does not agree with the schema", rows[i].text);
        roof_predictions_free(all);
        free(json);
    }
    cJSON_Delete(schema);
#undef PAIRS
#undef EMPTY
}

/* ---- roofline.curve/1 ---- */

static void curves_are_described_to_the_last_member(void **state)
{
    roof_curve *curves[] = {curves_known(), curves_bound_only(), curves_long(2)};
    cJSON *schema = read_schema("curve-1.schema.json");
    (void)state;
    for (size_t i = 0; i < COUNT(curves); i++) {
        textbuf text;
        text_init(&text, TEXT_MAX_BYTES);
        assert_int_equal(roof_render(curves[i], &(roof_render_options){.format = "json"},
                                     (roof_sink){memory_write, &text}, NULL),
                         ROOF_OK);
        assert_string_equal(fault_of(schema, text.bytes, true), "");
        text_free(&text);
        roof_curve_free(curves[i]);
    }
    cJSON_Delete(schema);
}

static void curves_that_are_refused_are_not_valid(void **state)
{
#define CURVE(points) "{'schema':'roofline.curve/1','model':'m','points':[" points "]}"
#define STEP(members)                                                                                        \
    "{'phase':'decode','tokens':1,'ideal_s':null,'expected':{},'binds':'weights','memory':{}" members "}"
    static const struct {
        const char *text, *fault;
    } rows[] = {
        {CURVE(STEP("")), ""},
        {CURVE(STEP(",'later':1")), ""},
        {CURVE(""), "/points: has too few items"},
        {"{'schema':'roofline.curve/1','model':'m'}", "/: lacks: points"},
        {"{'schema':'roofline.curve/2','model':'m','points':[" STEP("") "]}", "/schema: is not the constant"},
        {CURVE("null"), "/points/0: want type: object"},
        {CURVE(STEP(",'ideal_parts':{'cache_s':'1'}")),
         "/points/0/ideal_parts/cache_s: want type: number or null"},
    };
    cJSON *schema = read_schema("curve-1.schema.json");
    (void)state;
    for (size_t i = 0; i < COUNT(rows); i++) {
        char *json = json_of(rows[i].text);
        memory_source source = {json, strlen(json), 0};
        roof_curve *curve = NULL;
        assert_string_equal(fault_of(schema, json, false), rows[i].fault);
        if ((curve_codec_read(memory_read, &source, "c.json", &curve, NULL) == ROOF_OK) != !rows[i].fault[0])
            fail_msg("%s: the reader does not agree with the schema", rows[i].text);
        roof_curve_free(curve);
        free(json);
    }
    cJSON_Delete(schema);
#undef CURVE
#undef STEP
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(reasons_of_siblings_are_those_of_their_schema),
        cmocka_unit_test(predictions_that_are_refused_are_not_valid),
        cmocka_unit_test(curves_are_described_to_the_last_member),
        cmocka_unit_test(curves_that_are_refused_are_not_valid),
        cmocka_unit_test(measured_profiles_that_are_read_are_valid),
        cmocka_unit_test(measured_profiles_that_are_refused_are_not_valid),
        cmocka_unit_test(reconciliations_are_described_to_the_last_member),
        cmocka_unit_test(reconciliations_that_are_wrong_are_not_valid),
        cmocka_unit_test(the_documents_of_the_manual_are_valid),
        cmocka_unit_test(every_cause_has_its_section),
        cmocka_unit_test(every_verdict_has_its_word),
        cmocka_unit_test(words_of_the_schema_are_those_of_the_tables),
    };
    if (!setlocale(LC_CTYPE, "C.UTF-8")) /* patterns speak of characters, not of bytes */
        skip_without("the locale C.UTF-8");
    return cmocka_run_group_tests(tests, NULL, NULL);
}
