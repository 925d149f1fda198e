/* The curve of a language model as JSON, docs/schema/curve-1.schema.json. */
#include "model/documents/documents.h"

enum { MOST_POINTS = 1 << 16 };

#define POINT(member, kind, how) CODEC(roof_curve_point, member, kind, how)
static const codec_member point_members[] = {
    {CODEC_WORDS("phase", roof_curve_point, phase, language_phases, ZERO), .missing = "has no phase"},
    {POINT(tokens, SMALL, PLAIN), .missing = "has no tokens"},
    {CODEC_IN("counts", offsetof(roof_curve_point, counts), &language_counts_object)},
    {POINT(ideal_s, SECONDS, DERIVED)},
    {CODEC_IN("ideal_parts", offsetof(roof_curve_point, ideal_parts_s), &language_parts_object)},
    {CODEC_IN("expected", offsetof(roof_curve_point, expected), &language_expected_object)},
    {CODEC_WORDS("binds", roof_curve_point, binds, language_parts, PLAIN)},
    {CODEC_IN("memory", offsetof(roof_curve_point, memory), &language_memory_object)},
};

/* Checks a step or a prompt, whose phase and length have to be stated. */
static roof_status check_place(codec *c, roof_text_phase phase, uint32_t tokens)
{
    if (phase == ROOF_TEXT_UNSTATED)
        return codec_fail(c, "has no phase, want \"prefill\" or \"decode\"");
    return tokens ? ROOF_OK : codec_fail(c, "tokens are 0, want at least 1");
}

static roof_status end_point(codec *c, void *target)
{
    const roof_curve_point *point = target;
    return check_place(c, point->phase, point->tokens);
}

static const codec_object point_object = {CODEC_ROWS(point_members), .name = "a point", .end = end_point};

static const codec_member measured_members[] = {
    {CODEC_WORDS("phase", roof_curve_measured, phase, language_phases, ZERO), .missing = "has no phase"},
    {CODEC(roof_curve_measured, tokens, SMALL, PLAIN), .missing = "has no tokens"},
    {CODEC(roof_curve_measured, seconds, SECONDS, ALWAYS), .missing = "has no seconds"},
};

static roof_status end_measured(codec *c, void *target)
{
    const roof_curve_measured *m = target;
    TRY(check_place(c, m->phase, m->tokens));
    return m->seconds > 0 ? ROOF_OK : codec_fail(c, "want seconds above 0");
}

static const codec_object measured_object = {CODEC_ROWS(measured_members), .name = "a measured point",
                                             .one_line = true, .end = end_measured};

/* --- questions beside the points ---------------------------------------------------------------------- */

static const codec_member anchor_members[] = {
    {CODEC_AS("tokens", roof_curve, anchor_tokens, SMALL, PLAIN)},
    {CODEC_AS("seconds", roof_curve, anchor_s, SECONDS, ALWAYS)},
    {CODEC_AS("points", roof_curve, n_anchors, SMALL, OMIT_ZERO)},
};

#define SESSION(member, kind, how) CODEC(roof_session, member, kind, how)
static const codec_member session_members[] = {
    {SESSION(prompt_tokens, SMALL, PLAIN)},     {SESSION(answer_tokens, SMALL, PLAIN)},
    {SESSION(first_s, SECONDS, DERIVED)},       {SESSION(last_s, SECONDS, DERIVED)},
    {SESSION(first_ci95_s, PAIR, DERIVED)},     {SESSION(last_ci95_s, PAIR, DERIVED)},
    {SESSION(first_ideal_s, SECONDS, DERIVED)}, {SESSION(last_ideal_s, SECONDS, DERIVED)},
    {SESSION(tokens_per_s, POSITIVE, DERIVED)}, {SESSION(tokens_per_s_ci95, PAIR, DERIVED)},
    {SESSION(energy_j, POSITIVE, DERIVED)},     {SESSION(energy_ci95_j, PAIR, DERIVED)},
    {SESSION(most_sequences, SMALL, ZERO)},     {SESSION(most_tokens_per_s, POSITIVE, DERIVED)},
};

#define DRAFT(member, kind, how) CODEC(roof_draft, member, kind, how)
static roof_status read_is_bound(codec *c, const json_event *event, void *target)
{
    if (event->kind != JSON_TRUE && event->kind != JSON_FALSE)
        return codec_fail(c, "found %s, want true or false", json_kind_text(event->kind));
    *(roof_answer_kind *)target = event->kind == JSON_TRUE ? ROOF_AT_LEAST : ROOF_MEASURED;
    return ROOF_OK;
}

static void write_is_bound(codec *c, const char *key, const void *target)
{
    jsonout_bool(c->out, key, roof_answer_is_bound(*(const roof_answer_kind *)target));
}

static const codec_member draft_members[] = {
    {DRAFT(draft, TEXT, ALWAYS)},
    {DRAFT(accept, POSITIVE, ALWAYS)},
    {DRAFT(ahead, SMALL, PLAIN)},
    {DRAFT(tokens, SMALL, PLAIN)},
    {DRAFT(step_s, SECONDS, DERIVED)},
    {DRAFT(draft_s, SECONDS, DERIVED)},
    {DRAFT(verify_s, SECONDS, DERIVED)},
    {CODEC_BY("is_bound", offsetof(roof_draft, verify_kind), read_is_bound, write_is_bound)},
    {DRAFT(tokens_per_round, POSITIVE, DERIVED)},
    {DRAFT(gain_ratio, POSITIVE, DERIVED)},
    {DRAFT(break_even_accept, POSITIVE, DERIVED)},
};

/* --- the document ------------------------------------------------------------------------------------- */

static void write_verdict(codec *c, const char *key, const void *target)
{
    const curve_words *words = c->words;
    char sentence[ROOF_SENTENCE_SIZE];
    if (!words)
        return;
    jsonout_array(c->out, key, false);
    for (uint32_t i = 0; words->verdict(target, i, sentence); i++)
        jsonout_string(c->out, NULL, sentence);
    jsonout_end(c->out);
}

static const codec_member document_members[] = {
    {CODEC_IS(ROOF_CURVE_SCHEMA)},
    {CODEC_BY("verdict", 0, NULL, write_verdict)},
    {CODEC(roof_curve, model, TEXT, ALWAYS), .missing = "has no \"model\""},
    {CODEC(roof_curve, path, TEXT, ALWAYS)},
    {CODEC(roof_curve, hardware, TEXT, ALWAYS)},
    {CODEC(roof_curve, hardware_name, TEXT, ALWAYS)},
    {CODEC(roof_curve, weights, TEXT, ALWAYS)},
    {CODEC(roof_curve, cache, TEXT, ALWAYS)},
    {CODEC(roof_curve, stack, TEXT, ALWAYS)},
    {CODEC(roof_curve, batch, SMALL, PLAIN)},
    {CODEC(roof_curve, positions, SMALL, ZERO)},
    {CODEC(roof_curve, bandwidth_bytes_per_s, POSITIVE, DERIVED)},
    {CODEC_ITEMS("points", roof_curve, points, n_points, &point_object, MOST_POINTS, ALWAYS),
     .none = "is empty, want at least one point", .missing = "has no \"points\""},
    {CODEC_ITEMS("measured", roof_curve, measured, n_measured, &measured_object, MOST_POINTS, OMIT)},
    {CODEC_IN("anchor", 0, CODEC_LINE_OF(anchor_members)), CODEC_IF(roof_curve, anchor_tokens)},
    {CODEC_IN("session", offsetof(roof_curve, session), CODEC_TABLE(session_members)),
     CODEC_IF(roof_curve, has_session)},
    {CODEC_IN("draft", offsetof(roof_curve, draft), CODEC_TABLE(draft_members)),
     CODEC_IF(roof_curve, has_draft)},
};

static roof_status end_document(codec *c, void *target)
{
    roof_curve *curve = target;
    /* steps first, each phase in ascending order: who shows a curve takes neighbours for its pieces */
    for (uint32_t i = 1; i < curve->n_points; i++) {
        const roof_curve_point *last = &curve->points[i - 1], *point = &curve->points[i];
        if (point->phase == ROOF_TEXT_DECODE && last->phase != ROOF_TEXT_DECODE)
            return codec_fail(c, "point %u is of decode behind one of prefill, want steps first", i);
        if (point->phase == last->phase && point->tokens <= last->tokens)
            return codec_fail(c, "point %u has %u tokens behind %u, want them ascending", i, point->tokens,
                              last->tokens);
    }
    if (!curve->model)
        return codec_fail(c, "\"model\" is null, want its name");
    if (!curve->batch)
        return codec_fail(c, "batch is 0, want at least 1");
    for (curve->n_decode = 0; curve->n_decode < curve->n_points; curve->n_decode++)
        if (curve->points[curve->n_decode].phase != ROOF_TEXT_DECODE)
            break;
    return ROOF_OK;
}

const codec_object curve_object = {CODEC_ROWS(document_members), .name = "the document", .end = end_document};

roof_status curve_codec_read(json_source source, void *context, const char *name, roof_curve **out,
                             roof_error *err)
{
    codec c = {.err = err};
    roof_curve *curve = NEW_ROOT(&c.arena, roof_curve, err);
    *out = NULL;
    if (!curve)
        return ROOF_E_NO_MEMORY;
    codec_forget(&curve_object, curve);
    curve->arena = c.arena;
    curve->batch = 1;
    roof_status status = codec_read_from(&c, source, context, name, &curve_object, curve);
    status = arena_settle(c.arena, status, err);
    *out = status == ROOF_OK ? curve : NULL;
    return status;
}

DOCUMENT_READS(roof_curve_read, roof_curve, curve_codec_read)

void curve_codec_write(const roof_curve *curve, const curve_words *words, textbuf *text)
{
    codec_write_document(&curve_object, curve, NULL, words, text);
}
