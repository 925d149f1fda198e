/* The sentences of forms: only this file reads them, so that new wording compiles nothing else. */
#include "reports/words/prediction_words.h"
#include "reports/words/say.h"

/* A form without a sentence has no such number. */
enum {
#define SENTENCE(name, words) SENTENCE_OF_##name,
#include "reports/words/sentences.def"
#undef SENTENCE
};
#define FORM(name, kind) _Static_assert(SENTENCE_OF_##name >= 0, "each form has a sentence");
#include "roofline/forms.def"
#undef FORM

static const char *const sentences[] = {
#define SENTENCE(name, words) [ROOF_FORM_##name] = (words),
#include "reports/words/sentences.def"
#undef SENTENCE
};

void sentences_say_remark(sentence *s, const roof_remark *remark)
{
    say_with(s, sentences[remark->form], remark->operands);
}

const char *roof_remark_sentence(const roof_remark *remark, char *buffer)
{
    sentence s = say_into(buffer);
    sentences_say_remark(&s, remark);
    return buffer;
}

const char *roof_finding_sentence(const roof_finding *finding, char *buffer)
{
    sentence s = say_into(buffer);
    if (finding->text)
        SAY(&s, "{}", AS_TEXT(finding->text));
    else
        sentences_say_remark(&s, &finding->remark);
    return buffer;
}

const char *sentences_finding(const roof_finding *finding, roof_arena *arena)
{
    char text[ROOF_SENTENCE_SIZE];
    return text_or_empty(arena_strdup(arena, roof_finding_sentence(finding, text)));
}
