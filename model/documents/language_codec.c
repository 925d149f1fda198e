#include "model/documents/documents.h"
#include "roofline/prediction.h"

const char *const language_phases[] = {"", "prefill", "decode", NULL};
const char *const language_parts[] = {"weights", "cache", "launches", "array", NULL};

#define PART(key_, part_)                                                                                    \
    {                                                                                                        \
        .key = (key_), .kind = CODEC_SECONDS, .how = CODEC_DERIVED, .offset = (part_) * sizeof(double)       \
    }
static const codec_member part_members[] = {
    PART("weights_s", ROOF_PART_WEIGHTS), PART("cache_s", ROOF_PART_CACHE),
    PART("launches_s", ROOF_PART_LAUNCHES), PART("array_s", ROOF_PART_ARRAY)};
const codec_object language_parts_object = {CODEC_ROWS(part_members), .one_line = true};

/* A count of a struct that begins at base. */
#define COUNT_OF(member, base)                                                                               \
    {                                                                                                        \
        .key = #member, .kind = CODEC_COUNT, .how = CODEC_ALWAYS,                                            \
        .offset = (base) + offsetof(roof_language_counts, member)                                            \
    }
#define ALL_COUNTS(base)                                                                                     \
    COUNT_OF(parameters, base), COUNT_OF(active_parameters, base), COUNT_OF(weight_bytes, base),             \
        COUNT_OF(streamed_bytes, base), COUNT_OF(kv_bytes, base), COUNT_OF(kv_bytes_per_token, base),        \
        COUNT_OF(cache_bytes, base), COUNT_OF(state_bytes, base), COUNT_OF(resident_weight_bytes, base),     \
        COUNT_OF(file_bytes, base), COUNT_OF(weight_macs, base), COUNT_OF(attention_macs, base),             \
        COUNT_OF(state_macs, base), COUNT_OF(expert_weights, base)

static const codec_member counts_members[] = {ALL_COUNTS(0)};
const codec_object language_counts_object = {CODEC_ROWS(counts_members)};

#define EXPECTED(member, kind, how) CODEC(roof_language_expectation, member, kind, how)
static const codec_member expected_members[] = {
    {EXPECTED(stack, TEXT, ALWAYS)},
    {EXPECTED(attention, TEXT, ALWAYS)},
    {EXPECTED(seconds, SECONDS, DERIVED)},
    {EXPECTED(ci95_s, SECONDS_PAIR, DERIVED)},
    {CODEC_IN("parts", offsetof(roof_language_expectation, parts_s), &language_parts_object)},
    {EXPECTED(points, POSITIVE, DERIVED)},
    {EXPECTED(models, POSITIVE, DERIVED)},
    {CODEC_AS("error_ratio", roof_language_expectation, error, POSITIVE, DERIVED)},
    {EXPECTED(not_known, TEXT, ALWAYS)},
};
const codec_object language_expected_object = {CODEC_ROWS(expected_members)};

/* Member "fits": true, false, or null where unknown. */
static roof_status read_fits(codec *c, const json_event *event, void *target)
{
    roof_memory_answer *fits = target;
    if (event->kind != JSON_TRUE && event->kind != JSON_FALSE)
        return event->kind == JSON_NULL ? ROOF_OK : codec_fail(c, "want true or false");
    *fits = event->kind == JSON_TRUE ? ROOF_MEMORY_FITS : ROOF_MEMORY_FITS_NOT;
    return ROOF_OK;
}

static void write_fits(codec *c, const char *key, const void *target)
{
    const roof_memory_answer fits = *(const roof_memory_answer *)target;
    if (fits == ROOF_MEMORY_UNKNOWN)
        jsonout_null(c->out, key);
    else
        jsonout_bool(c->out, key, fits == ROOF_MEMORY_FITS);
}

#define IN_MEMORY(key_, member, kind_, how_, base)                                                           \
    {                                                                                                        \
        .key = (key_), .kind = CODEC_##kind_, .how = CODEC_##how_,                                           \
        .offset = (base) + offsetof(roof_language_memory, member)                                            \
    }
#define ALL_OF_MEMORY(base)                                                                                  \
    IN_MEMORY("need_bytes", need_bytes, COUNT, ALWAYS, base),                                                \
        IN_MEMORY("available_bytes", available_bytes, COUNT, ZERO, base),                                    \
        IN_MEMORY("limit_bytes", limit_bytes, POSITIVE, DERIVED, base),                                      \
        IN_MEMORY("fails_bytes", fails_bytes, POSITIVE, DERIVED, base),                                      \
        IN_MEMORY("largest_tokens", largest_tokens, SMALL, ZERO, base),                                      \
    {                                                                                                        \
        CODEC_BY("fits", (base) + offsetof(roof_language_memory, fits), read_fits, write_fits)               \
    }

static const codec_member memory_members[] = {ALL_OF_MEMORY(0)};
const codec_object language_memory_object = {CODEC_ROWS(memory_members)};

#define LANGUAGE(member) offsetof(roof_prediction, language.member)
static const codec_member members[] = {
    {CODEC_WORDS("phase", roof_prediction, language.point.phase, language_phases, ZERO)},
    {CODEC_AS("tokens", roof_prediction, language.point.tokens, SMALL, PLAIN)},
    {CODEC_AS("batch", roof_prediction, language.point.batch, SMALL, PLAIN)},
    {CODEC_AS("weights", roof_prediction, language.point.weights.name, TEXT, ALWAYS)},
    {CODEC_AS("weights_group", roof_prediction, language.point.weights.group, SMALL, OMIT_ZERO)},
    {CODEC_AS("cache", roof_prediction, language.point.cache.name, TEXT, ALWAYS)},
    ALL_COUNTS(LANGUAGE(counts)),
    ALL_OF_MEMORY(LANGUAGE(memory)),
    {CODEC_IN("expected", LANGUAGE(expected), &language_expected_object)},
};
const codec_object language_object = {CODEC_ROWS(members)};
