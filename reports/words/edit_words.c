#include "reports/words/prediction_words.h"
#include "reports/words/say.h"

#include <strings.h>

enum { MOST_NAMES = 2 };

static bool is_alike(const roof_edit_step *a, const roof_edit_step *b)
{
    return a->kind == b->kind &&
           (a->kind == ROOF_EDIT_CHANNELS || a->kind == ROOF_EDIT_GROUPS || a->kind == ROOF_EDIT_DROP ||
            (a->from == b->from && a->from_w == b->from_w && a->to == b->to && a->to_w == b->to_w));
}

/* "17 -> 16" where it is not the same for all of them. */
static const char *say_numbers(const roof_edit_step *s, roof_arena *arena)
{
    return say_printf(arena, "%u -> %u", s->from, s->to);
}

static const char *say_names(const roof_edit_step *steps, uint32_t n, bool with_numbers, roof_arena *arena)
{
    const char *list = "";
    for (uint32_t i = 0; i < n && i < MOST_NAMES; i++)
        list = with_numbers ? say_more(arena, list, "%s %s", steps[i].op, say_numbers(&steps[i], arena))
                            : say_more(arena, list, "%s", steps[i].op);
    return n > MOST_NAMES ? say_printf(arena, "%s and %u more", list, n - MOST_NAMES) : list;
}

static const char *say_size(uint32_t h, uint32_t w, roof_arena *arena)
{
    return say_printf(arena, "%ux%u", h, w);
}

/* Words for the operators that go with one that is left out: all that only it reads. */
static const char *what_goes(const char *type)
{
    static const char *const rows[][2] = {{"add", "the residual unit behind "},
                                          {"sum", "the residual unit behind "},
                                          {"eltwise", "the residual unit behind "},
                                          {"mul", "squeeze and excitation at "},
                                          {"transpose", "the transposition undone by "}};
    for (size_t i = 0; type && i < N_OF(rows); i++)
        if (strncasecmp(type, rows[i][0], strlen(rows[i][0])) == 0)
            return rows[i][1];
    return "";
}

/* Words for n steps that are alike. */
static const char *say_alike(const roof_edit_step *s, uint32_t n, roof_arena *arena)
{
    bool is_one = true;
    for (uint32_t i = 1; i < n; i++)
        is_one = is_one && s[i].from == s->from && s[i].to == s->to;
    const char *names = say_names(s, n, s->kind == ROOF_EDIT_CHANNELS && !is_one, arena),
               *numbers = say_numbers(s, arena), *from = say_size(s->from, s->from_w, arena),
               *to = say_size(s->to, s->to_w, arena);
    switch (s->kind) {
    case ROOF_EDIT_CHANNELS:
        return is_one ? say_printf(arena, "channels %s: %s", numbers, names)
                      : say_printf(arena, "channels: %s", names);
    case ROOF_EDIT_KERNEL:
        return say_printf(arena, "kernel %s -> %s: %s", from, to, names);
    case ROOF_EDIT_STRIDE:
        return say_printf(arena, "stride %s: %s", numbers, names);
    case ROOF_EDIT_GROUPS:
        return s->to == 1 ? say_printf(arena, "plain convolution in place of a grouped one: %s", names)
                          : say_printf(arena, "%u groups in place of %u: %s", s->to, s->from, names);
    case ROOF_EDIT_ACTIVATION:
        return say_printf(arena, "ReLU6 in place of %s", names);
    case ROOF_EDIT_DROP:
        return say_printf(arena, "without %s%s", what_goes(s->type), names);
    case ROOF_EDIT_PADS:
        return say_printf(arena, "pads of %s in the convolutions", names);
    case ROOF_EDIT_INPUT:
        return say_printf(arena, "input %s -> %s", from, to);
    case ROOF_EDIT_BATCH:
        return say_printf(arena, "%u image%s at once, not %u", s->to, say_plural(s->to), s->from);
    case ROOF_EDIT_WIDTH:
        return say_printf(arena, "%g times the channels of all layers, in multiples of %u", s->factor, s->to);
    default:
        return "";
    }
}

const char *edit_words(const roof_edit_step *steps, uint32_t n, roof_arena *arena)
{
    const char *list = "";
    for (uint32_t i = 0; i < n;) {
        uint32_t end = i + 1;
        while (end < n && is_alike(&steps[i], &steps[end]))
            end++;
        list = say_joined(arena, list, "; ", "%s", say_alike(&steps[i], end - i, arena));
        i = end;
    }
    return list;
}

const char *edit_accuracy(const roof_advised *edit)
{
    return edit->keeps_function ? "same function" : "needs retraining";
}
