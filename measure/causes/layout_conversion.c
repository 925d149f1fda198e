/* ## Costs around the layers
 * ### layout_conversion
 * Condition: rows that only change a layout or a type, or copy, take at least 5 % of the time, and at most 95
 *   %: more is what was to be done. Their types say so (`Transpose`, `Permute`, `Reformat`, `Reorder`,
 *   `Cast`, `Convert`, `Copy`), or their names where a tool has one type for all rows: kernels of a GPU,
 *   layers of TensorRT. A row with an ideal is none: its gap says what it loses.
 * Gain: their time, at most: some of it moves into the layers around them. Sure: bound.
 * Advice: keep tensors in the layout and type that the layers want. Where a conversion stands between two
 *   layers, change one of them, or let the compiler choose the layouts of inputs and outputs. */
#include "measure/causes/cause_rule.h"

#include <ctype.h>

static bool is_conversion(const cause_search *in, const roof_match *u)
{
    return u->n_rows && isnan(u->ideal_s) && conversions_match(u->type, match_row(in->e, u, 0)->name);
}

void cause_layout_conversion(cause_search *in)
{
    if (in->e->has_doubtful_times || !(in->of_s > 0))
        return;
    roof_cause cause = cause_of_matches(in, ROOF_CAUSE_LAYOUT, ROOF_SURE_BOUND, is_conversion);
    if (!(cause.share_ratio >= CAUSE_LEAST_SHARE) || cause.share_ratio > 0.95)
        return;
    cause_sort_units(in, &cause); /* without a bound the longest first */
    cause_add(in, cause,
              REMARK(CAUSE_LAYOUT, AS_COUNT(cause.n_units), AS_SECONDS(cause.gain_s), AS_SECONDS(in->of_s)));
}

/* Words of names, in small letters: "ReformatCopyNode" has "reformat", "copy" and "node". */
enum { LONGEST_WORD = 32 };

/* Words that say it, and beginnings of such as no layer that computes has in its name. */
static const char *const converts_words[] = {"transpose", "transposed", "permute",    "cast",
                                             "copy",      "copies",     "reorder",    "relayout",
                                             "tilize",    "untilize",   "repack",     "contiguous",
                                             "layout",    "nchwtonhwc", "nhwctonchw", "convert",
                                             "move",      "reshard"},
                         *const beginnings[] = {"reformat", "memcpy"},
                         *const pairs[][2] = {{"nchw", "nhwc"},
                                              {"nhwc", "nchw"},
                                              {"interleaved", "sharded"},
                                              {"sharded", "interleaved"}};

/* Words of layers that compute, although a word above stands beside them: a transposed convolution, a product
 * with a transposed matrix. */
static const char *const computes_words[] = {"conv",   "convolution", "deconv", "deconvolution", "conv1d",
                                             "conv2d", "conv3d",      "matmul", "gemm"};

/* The next word of a text: letters and digits, as long as no large letter follows a small one. False at its
 * end. */
static bool next_word(const char **text, char word[LONGEST_WORD])
{
    const char *at = *text;
    size_t n = 0;
    while (*at && !isalnum((unsigned char)*at))
        at++;
    for (const char *from = at; isalnum((unsigned char)*at); at++) {
        if (at > from && isupper((unsigned char)*at) && islower((unsigned char)at[-1]))
            break;
        if (n + 1 < LONGEST_WORD)
            word[n++] = (char)tolower((unsigned char)*at);
    }
    word[n] = '\0';
    *text = at;
    return n > 0;
}

/* True if the words of a text say that it converts, and none that it computes. */
static bool says_conversion(const char *text)
{
    char words[2][LONGEST_WORD] = {"", ""};
    unsigned now = 0;
    bool converts = false, is_sure = false, computes = false;
    while (next_word(&text, words[now])) {
        const char *word = words[now], *before = words[!now];
        if (strcmp(word, "to") == 0)
            continue;
        for (size_t i = 0; i < N_OF(beginnings); i++)
            is_sure = is_sure || strncmp(word, beginnings[i], strlen(beginnings[i])) == 0;
        converts = converts || IS_ONE_OF(converts_words, word);
        computes = computes || IS_ONE_OF(computes_words, word) || strstr(word, "gemm");
        for (size_t i = 0; i < N_OF(pairs); i++)
            converts = converts || (strcmp(before, pairs[i][0]) == 0 && strcmp(word, pairs[i][1]) == 0);
        now = !now;
    }
    return is_sure || (converts && !computes);
}

bool conversions_match(const char *type, const char *name)
{
    static const char *const of_all[] = {"kernel", "tt_dnn_device"}; /* a tool has one of them for all rows */
    char base[400];
    if (type && *type && !IS_ONE_OF(of_all, type))
        return says_conversion(type);
    const char *arguments = name ? strchr(name, '<') : NULL;
    if (!arguments)
        return name && says_conversion(name);
    /* A kernel of C++ is named before the arguments of its template, which may be cast on the way. The
     * function among the arguments says what an elementwise kernel of PyTorch does. */
    snprintf(base, sizeof base, "%.*s", (int)(arguments - name), name);
    return strstr(arguments, "direct_copy_kernel") || says_conversion(base);
}
