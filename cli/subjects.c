/* Subjects of `compare` and `check`: measured documents, a prediction as JSON, or a model. */
#include "cli/cli.h"
#include "core/error.h"
#include "core/span.h"

#include <string.h>

void cli_subject_free(cli_subject *subject)
{
    roof_reconciliation_free(subject->measured);
    roof_prediction_free(subject->prediction);
    cli_profiles_free(&subject->profiles);
    *subject = (cli_subject){0};
}

roof_compare_side cli_subject_side(const cli_subject *subject)
{
    return (roof_compare_side){
        .name = subject->name, .measured = subject->measured, .prediction = subject->prediction};
}

roof_status cli_subject_read(const char *const *files, size_t n_files, const cli_profile_options *options,
                             cli_subject *out, roof_error *err)
{
    char schema[80] = "";
    bool is_document;
    if (strcmp(files[0], "-") == 0)
        return error_set(err, ROOF_E_USAGE,
                         "standard input does not say what it is before it is read; name a file");
    out->name = files[0];
    TRY(roof_is_document(files[0], &is_document, err));
    if (is_document)
        TRY(roof_document_schema(files[0], schema, sizeof schema, err));
    if (span_begins(span_of(schema), "roofline.measured/") || (!*schema && cli_is_profile(files[0]))) {
        TRY(cli_profiles_read(files, n_files, options, &out->profiles, err));
        return cli_profiles_reconcile(&out->profiles, &out->measured, err);
    }
    if (n_files > 1)
        return error_set(err, ROOF_E_USAGE,
                         "'%.200s' is one too many: give one prediction or model at a time", files[1]);
    const roof_predict_options with = {.explores = ROOF_EXPLORE_NOTHING};
    if (out->graph)
        return cli_predict_read(out->graph, options->hw, &with, &out->prediction, err);
    if (!is_document)
        return cli_predict(files[0], options->hw, NULL, &with, &out->prediction, err);
    if (span_begins(span_of(schema), "roofline.prediction/"))
        return roof_prediction_read(files[0], &out->prediction, err);
    const roof_status status =
        error_in(err, files[0], ROOF_E_DATA,
                 "%s%s%s, want " ROOF_MEASURED_SCHEMA ", " ROOF_PREDICTION_SCHEMA " or a model",
                 *schema ? "is a document '" : "has no schema", schema, *schema ? "'" : "");
    return cli_wrong_file(files[0], true, status, err);
}
