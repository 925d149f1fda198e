/* An importer of nobody: "toy times", then a line a layer, "NAME MILLISECONDS". */
#include "core/error.h"
#include "measure/import/importer.h"

typedef struct reading {
    import_state *in;
    roof_run *run;
} reading;

static roof_status read_line(reading *r, const import_line *line, roof_error *err)
{
    text_span text = {line->text, line->length};
    double milliseconds;
    if (!r->run)
        return import_add_run(r->in, NULL, ROOF_RUN_PER_LAYER, &r->run, err);
    text_span name = span_take_until(&text, " ");
    TRY(span_number(text, "MILLISECONDS", &milliseconds, err));
    roof_measured_layer *row = run_add_layer(r->in->out, r->run);
    if (!row)
        return error_memory(err);
    row->time.mean_s = milliseconds / 1e3;
    return import_keep_name(r->in, name, &row->name, err);
}

static roof_status finish(reading *r, roof_error *err)
{
    return r->run ? ROOF_OK : error_set(err, ROOF_E_DATA, "holds no line");
}

const importer_def importer_toy = {.id = "toy",
                                   .marks = {{SNIFF_SURE, {"toy times"}}},
                                   .device = "TOY",
                                   .mode_why = "a toy times every layer",
                                   .mode = ROOF_RUN_PER_LAYER,
                                   .reading_bytes = sizeof(reading),
                                   .line = read_line,
                                   .finish = finish};
