/* validate_documents - checks JSON documents against the schemas that they name.
 *
 * usage: validate_documents SCHEMA_FOLDER FILE...
 * A document with "schema": "roofline.NAME/VERSION" is checked against
 * SCHEMA_FOLDER/NAME-VERSION.schema.json. A file that does not begin with '{' is left out, and so are those
 * whose format is of Chrome, Netron, Model Explorer or Bencher, and what ST's compiler writes. Ratios of a
 * prediction are computed again from its other members, by the formulas of docs/formats/prediction.md.
 * Prints one line per fault. Exit 0 when all fit and there was one, else 1.
 */
#include "tests/schema/json_schema.h"
#include "core/error.h"
#include "roofline/graph.h"

#include <locale.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

/* Models, and what else of vendors' tools is JSON. */
static bool is_vendors(const char *path)
{
    static const char *const names[] = {"neural_art.json", "record_timer_ts.json", "dpu_timestamp_info.json"};
    const char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path;
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (strcmp(name, names[i]) == 0)
            return true;
    return roof_graph_is_model(path);
}

static bool is_ours(const char *path)
{
    /* a trace, an attachment of Netron, node data and a graph of Model Explorer, metrics of Bencher */
    static const char *const others[] = {"\"traceEvents\"", "\"netron:attachment\"", "\"gradient\"",
                                         "\"graphs\"", "{\"value\":"};
    char begin[128] = "";
    FILE *file = fopen(path, "rb");
    if (file && !fread(begin, 1, sizeof begin - 1, file))
        begin[0] = '\0';
    if (file)
        fclose(file);
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        if (strstr(begin, others[i]))
            return false;
    return begin[0] == '{' && !is_vendors(path);
}

static roof_status read_schema(const char *folder, const char *id, cJSON **out, roof_error *err)
{
    char path[4096];
    const char *name = strchr(id, '.'), *version = name ? strchr(name, '/') : NULL;
    if (!version)
        return error_set(err, ROOF_E_DATA, "its schema is '%.80s', want roofline.NAME/VERSION", id);
    snprintf(path, sizeof path, "%s/%.*s-%s.schema.json", folder, (int)(version - name - 1), name + 1,
             version + 1);
    roof_status status = jsontree_read(path, 0, out, err);
    return status == ROOF_OK ? json_schema_check(*out, err) : status;
}

static double number(const cJSON *node, const char *key)
{
    const cJSON *member = jsontree_get(node, key);
    return member ? cJSON_GetNumberValue(member) : (double)NAN; /* of null too */
}

/* The rate of the ceiling that a row counts operations below. */
static double roof_of(const cJSON *hardware, const cJSON *row)
{
    const cJSON *roof = jsontree_get(row, "roof"),
                *c = cJSON_GetArrayItem(jsontree_get(hardware, "ceilings"), 0);
    for (; c && roof && cJSON_IsString(roof); c = c->next)
        if (strcmp(cJSON_GetStringValue(jsontree_get(c, "engine")), cJSON_GetStringValue(roof)) == 0)
            return number(c, "ops_per_s");
    return NAN;
}

static roof_status check_row(const cJSON *hardware, const cJSON *row, roof_error *err)
{
    double seconds = number(row, "ideal_s"), bytes = number(jsontree_get(row, "bytes"), "total"),
           ops = number(row, "roof_ops_count"), roof = roof_of(hardware, row);
    const struct {
        const char *key;
        double want;
    } ratios[] = {
        {"intensity_ops_per_byte", ops / bytes},
        {"attainable_ops_per_s", ops / seconds},
        {"utilisation_ratio", 2 * number(row, "array_macs") / (seconds * number(hardware, "peak_ops_per_s"))},
    };
    for (size_t i = 0; i < sizeof ratios / sizeof *ratios; i++) {
        double got = number(row, ratios[i].key), want = ratios[i].want;
        if (!isfinite(want) ? !isnan(got) : !(fabs(got - want) <= 1e-10 * want)) /* 12 digits are written */
            return error_set(err, ROOF_E_DATA, "row %g: %s is %.12g, its formula gives %.12g",
                             number(row, "index"), ratios[i].key, got, want);
    }
    if (isfinite(ops) && !(number(row, "attainable_ops_per_s") <= roof * (1 + 1e-10)))
        return error_set(err, ROOF_E_DATA, "row %g is above its roof", number(row, "index"));
    return ROOF_OK;
}

static roof_status check_formulas(const cJSON *prediction, roof_error *err)
{
    const cJSON *hardware = jsontree_get(prediction, "hardware");
    /* the oldest documents have no roof, and other ratios */
    for (const cJSON *row = cJSON_GetArrayItem(jsontree_get(prediction, "layers"), 0); row; row = row->next)
        if (jsontree_get(row, "roof"))
            TRY(check_row(hardware, row, err));
    return ROOF_OK;
}

static roof_status validate_file(const char *folder, const char *path, roof_error *err)
{
    cJSON *document = NULL, *schema = NULL;
    const char *id = NULL;
    roof_status status = jsontree_read(path, 0, &document, err);
    if (status == ROOF_OK)
        id = cJSON_GetStringValue(jsontree_get(document, "schema"));
    if (status == ROOF_OK && !id)
        status = error_set(err, ROOF_E_DATA, "has no schema");
    if (status == ROOF_OK)
        status = read_schema(folder, id, &schema, err);
    if (status == ROOF_OK)
        status = json_schema_validate(schema, document, true, err);
    if (status == ROOF_OK && strcmp(id, "roofline.prediction/1") == 0)
        status = check_formulas(document, err);
    cJSON_Delete(document);
    cJSON_Delete(schema);
    return status;
}

int main(int argc, char **argv)
{
    int valid = 0, faults = 0;
    if (!setlocale(LC_CTYPE, "C.UTF-8")) /* patterns speak of characters, not of bytes */
        fputs("no locale C.UTF-8\n", stderr);
    for (int i = 2; i < argc; i++) {
        roof_error err = {0};
        char message[1500];
        if (!is_ours(argv[i]))
            continue;
        if (validate_file(argv[1], argv[i], &err) == ROOF_OK) {
            valid++;
            continue;
        }
        faults++;
        roof_error_format(&err, message, sizeof message);
        printf("%s: %s\n", argv[i], message);
    }
    printf("%d documents valid, %d not\n", valid, faults);
    return faults || !valid;
}
