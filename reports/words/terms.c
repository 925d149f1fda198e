/* The words of lists: what documents write, and what it means. */
#include "reports/words/say.h"
#include "roofline/words.h"

static const char *const finding_words[] = {
#define FINDING(name, severity, kind, words, advice) (words),
#include "roofline/findings.def"
#undef FINDING
};

static const struct {
    const char *word;
    double confidence;
} matches[] = {
#define MATCH(name, word, confidence, meaning) [ROOF_MATCH_##name] = {(word), (confidence)},
#include "roofline/matches.def"
#undef MATCH
};

static const struct {
    const char *word, *words, *meaning;
} verdicts[] = {
#define VERDICT(name, word, words, meaning) [ROOF_VERDICT_##name] = {(word), (words), (meaning)},
#include "roofline/verdicts.def"
#undef VERDICT
};

const char *roof_match_method_text(roof_match_method match)
{
    return (unsigned)match < ROOF_MATCH_COUNT ? matches[match].word : "unknown";
}

double roof_match_method_confidence(roof_match_method match)
{
    return (unsigned)match < ROOF_MATCH_COUNT ? matches[match].confidence : 0;
}

const char *roof_verdict_text(roof_verdict verdict)
{
    return (unsigned)verdict < ROOF_VERDICT_COUNT ? verdicts[verdict].word : "unknown";
}

const char *roof_verdict_words(roof_verdict verdict)
{
    return (unsigned)verdict < ROOF_VERDICT_COUNT ? verdicts[verdict].words : "unknown";
}

const char *roof_verdict_meaning(roof_verdict verdict)
{
    return (unsigned)verdict < ROOF_VERDICT_COUNT ? verdicts[verdict].meaning : "";
}

const char *roof_part_meaning(roof_part_id part)
{
    static const char *const meanings[] = {
#define PART(name, word, meaning) [ROOF_PART_##name] = (meaning),
#include "roofline/parts.def"
#undef PART
    };
    return (unsigned)part < ROOF_PART_COUNT ? meanings[part] : "";
}

const char *roof_findings_words(roof_finding_kind kind, uint64_t count, char *buffer)
{
    sentence s = say_into(buffer);
    if ((unsigned)kind < ROOF_FINDING_COUNT)
        SAY(&s, finding_words[kind], AS_COUNT(count));
    return buffer;
}
