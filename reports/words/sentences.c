/* The sentences of forms: the one place that reads their words, so that another wording compiles nothing else. */
#include "core/say.h"

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

void say_remark(sentence *s, const roof_remark *remark)
{
    say_with(s, sentences[remark->form], remark->operands);
}
