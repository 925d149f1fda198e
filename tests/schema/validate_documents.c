/* validate_documents - checks JSON documents against the schemas that they name.
 *
 * usage: validate_documents SCHEMA_FOLDER FILE...
 * A document with "schema": "roofline.NAME/VERSION" is checked against SCHEMA_FOLDER/NAME-VERSION.schema.json. A file
 * that does not begin with '{' is left out, and so are a trace, whose format is Chrome's, and what ST's compiler writes. Prints one line per fault. Exit 0
 * when all fit and there was one, else 1.
 */
#include "tests/schema/json_schema.h"
#include "core/error.h"
#include "roofline/graph.h"

#include <locale.h>
#include <stdio.h>
#include <string.h>

/* A plan and its profiles are JSON of ST's compiler. */
static bool is_vendors(const char *path)
{
    const char *slash = strrchr(path, '/');
    return roof_graph_is_model(path) || strcmp(slash ? slash + 1 : path, "neural_art.json") == 0;
}

static bool is_ours(const char *path)
{
    char begin[24] = "";
    FILE *file = fopen(path, "rb");
    if (file && !fread(begin, 1, sizeof begin - 1, file))
        begin[0] = '\0';
    if (file)
        fclose(file);
    return begin[0] == '{' && !strstr(begin, "\"traceEvents\"") && !is_vendors(path);
}

static roof_status read_schema(const char *folder, const char *id, roof_json **out, roof_error *err)
{
    char path[4096];
    const char *name = strchr(id, '.'), *version = name ? strchr(name, '/') : NULL;
    if (!version)
        return roof_fail(err, ROOF_E_DATA, "its schema is '%.80s', want roofline.NAME/VERSION", id);
    snprintf(path, sizeof path, "%s/%.*s-%s.schema.json", folder, (int)(version - name - 1), name + 1,
             version + 1);
    roof_status status = roof_json_read(path, out, err);
    return status == ROOF_OK ? json_schema_check(*out, err) : status;
}

static roof_status validate_file(const char *folder, const char *path, roof_error *err)
{
    roof_json *document = NULL, *schema = NULL;
    const char *id;
    roof_status status = roof_json_read(path, &document, err);
    if (status == ROOF_OK)
        status = roof_json_string(document, "", "schema", &id, err);
    if (status == ROOF_OK)
        status = read_schema(folder, id, &schema, err);
    if (status == ROOF_OK)
        status = json_schema_validate(schema, document, true, err);
    roof_json_free(document);
    roof_json_free(schema);
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
