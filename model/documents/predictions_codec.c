/* Networks on boards as JSON, docs/schema/predictions-1.schema.json: of each pair what was requested, its
 * figures, which follow from the prediction, and the whole of that. */
#include "model/documents/documents.h"
#include "model/explore/pairs.h"

enum { MOST_PAIRS = 1 << 16 };

static const char *const bases[] = {"mc_code", "file", "formula", "", NULL};

static roof_status read_prediction(codec *c, const json_event *event, void *target)
{
    roof_prediction *p = NULL;
    if (event->kind == JSON_NULL)
        return ROOF_OK;
    TRY(prediction_codec_read(c, event, &p));
    TRY(pairs_own(c->user, p, c->err));
    ((roof_pair *)target)->prediction = p;
    return ROOF_OK;
}

static void write_prediction(codec *c, const char *key, const void *target)
{
    const roof_prediction *p = ((const roof_pair *)target)->prediction;
    codec inner = {.out = c->out, .user = (void *)(uintptr_t)p, .words = c->words};
    if (p)
        codec_write_object(&inner, key, &prediction_object, p);
    else
        jsonout_null(c->out, key);
}

static void write_host_rows(codec *c, const char *key, const void *target)
{
    const roof_pair *pair = target;
    jsonout_array(c->out, key, true);
    for (uint32_t i = 0; i < ROOF_PAIR_HOST_ROWS && pair->host_rows[i]; i++) {
        jsonout_object(c->out, NULL, true);
        jsonout_string(c->out, "name", pair->host_rows[i]->name);
        jsonout_string(c->out, "type", pair->host_rows[i]->type);
        jsonout_end(c->out);
    }
    jsonout_end(c->out);
}

CODEC_WHEN(is_batch, roof_pair, it->batch > 1)

#define SHOWN_AS(member, kind_, how_)                                                                        \
    .key = #member, .kind = CODEC_##kind_, .how = (codec_how)(CODEC_SHOWN | CODEC_##how_),                   \
    .offset = offsetof(roof_pair, member)

static const codec_member pair_members[] = {
    {CODEC(roof_pair, path, TEXT, PLAIN)},
    {CODEC(roof_pair, asked_hw, TEXT, ALWAYS)},
    {CODEC(roof_pair, why, TEXT, ALWAYS)},
    {SHOWN_AS(model, TEXT, ALWAYS)},
    {SHOWN_AS(hardware, TEXT, ZERO)},
    {CODEC_BY("time", 0, NULL, prediction_codec_write_answer)},
    {CODEC_BY("rate", 0, NULL, prediction_codec_write_answer)},
    {SHOWN_AS(expected_s, SECONDS, DERIVED)},
    {SHOWN_AS(expected_ci95_s, SECONDS_PAIR, DERIVED)},
    {SHOWN_AS(best_s, SECONDS, DERIVED)},
    {SHOWN_AS(ideal_s, SECONDS, DERIVED)},
    {SHOWN_AS(expected_per_s, POSITIVE, DERIVED)},
    {SHOWN_AS(busy_cores, SMALL, ALWAYS)},
    {CODEC(roof_pair, batch, SMALL, OMIT_ZERO), .when = is_batch},
    {SHOWN_AS(per_s, POSITIVE, DERIVED)},
    {SHOWN_AS(unit, TEXT, ALWAYS)},
    {SHOWN_AS(bound, TEXT, ALWAYS)},
    {SHOWN_AS(utilisation_ratio, POSITIVE, DERIVED)},
    {SHOWN_AS(macs, COUNT, ALWAYS)},
    {SHOWN_AS(memory_bytes, COUNT, ALWAYS)},
    {SHOWN_AS(layers, SMALL, ALWAYS)},
    {SHOWN_AS(host_layers, SMALL, ALWAYS)},
    {CODEC_BY("host_rows", 0, NULL, write_host_rows)},
    {SHOWN_AS(basis, WORD, ALWAYS), .words = bases},
    {SHOWN_AS(estimate_of, TEXT, ALWAYS)},
    {SHOWN_AS(is_for_other, BOOL, ALWAYS)},
    {SHOWN_AS(data_type, TEXT, ALWAYS)},
    {SHOWN_AS(findings, SMALL, ALWAYS)},
    {CODEC_BY("prediction", 0, read_prediction, write_prediction)},
};

static roof_status end_pair(codec *c, void *target)
{
    roof_pair *pair = target;
    if (!pair->prediction && !pair->why)
        return codec_fail(c, "has neither a prediction nor \"why\" there is none");
    if (pair->prediction)
        pair->why = NULL;
    pairs_describe(pair);
    return ROOF_OK;
}

static const codec_object pair_object = {CODEC_ROWS(pair_members), .name = "a pair", .end = end_pair};

static const codec_member document_members[] = {
    {CODEC_IS(ROOF_PREDICTIONS_SCHEMA)},
    {CODEC_ITEMS("pairs", roof_predictions, pairs, n, &pair_object, MOST_PAIRS, ALWAYS),
     .none = "is empty, want at least one pair", .missing = "has no \"pairs\""},
};

static const codec_object document_object = {CODEC_ROWS(document_members), .name = "the document"};

roof_status predictions_codec_read(json_source source, void *context, const char *name,
                                   roof_predictions **out, roof_error *err)
{
    roof_predictions *all;
    *out = NULL;
    TRY(roof_predictions_new(&all, err));
    codec c = {.arena = all->arena, .user = all, .err = err};
    roof_status status = codec_read_from(&c, source, context, name, &document_object, all);
    THEN(status, arena_status(all->arena, err));
    return GIVE(status, out, all, roof_predictions_free);
}

DOCUMENT_READS(roof_predictions_read, roof_predictions, predictions_codec_read)

void predictions_codec_write(const roof_predictions *all, const prediction_words *words, textbuf *text)
{
    codec_write_document(&document_object, all, NULL, words, text);
}
