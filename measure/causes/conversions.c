#include "measure/causes/conversions.h"

#include <ctype.h>
#include <stddef.h>
#include <string.h>

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

/* What computes, though its name has such a word: a transposed convolution, a product with a transposed
 * matrix. */
static const char *const computes_words[] = {"conv",   "convolution", "deconv", "deconvolution", "conv1d",
                                             "conv2d", "conv3d",      "matmul", "gemm"};

static bool is_one_of(const char *word, const char *const *words, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (strcmp(word, words[i]) == 0)
            return true;
    return false;
}

#define IS_ONE_OF(word, words) is_one_of((word), (words), sizeof(words) / sizeof *(words))

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

static bool begins_so(const char *word)
{
    for (size_t i = 0; i < sizeof beginnings / sizeof *beginnings; i++)
        if (strncmp(word, beginnings[i], strlen(beginnings[i])) == 0)
            return true;
    return false;
}

/* Whether the words of a text say that it converts, and none that it computes. */
static bool says_conversion(const char *text)
{
    char words[2][LONGEST_WORD] = {"", ""};
    unsigned now = 0;
    bool converts = false, is_sure = false, computes = false;
    while (next_word(&text, words[now])) {
        const char *word = words[now], *before = words[!now];
        if (strcmp(word, "to") == 0)
            continue;
        is_sure = is_sure || begins_so(word);
        converts = converts || IS_ONE_OF(word, converts_words);
        computes = computes || IS_ONE_OF(word, computes_words) || strstr(word, "gemm");
        for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++)
            converts = converts || (strcmp(before, pairs[i][0]) == 0 && strcmp(word, pairs[i][1]) == 0);
        now = !now;
    }
    return is_sure || (converts && !computes);
}

/* A kernel of C++ is what stands before the arguments of its template, which may be cast on the way; of
 * PyTorch's elementwise ones the function among them says what they do. */
static bool kernel_is_conversion(const char *name)
{
    char base[400];
    const char *arguments = strchr(name, '<');
    if (!arguments)
        return says_conversion(name);
    size_t n = (size_t)(arguments - name) < sizeof base ? (size_t)(arguments - name) : sizeof base - 1;
    memcpy(base, name, n);
    base[n] = '\0';
    return strstr(arguments, "direct_copy_kernel") || says_conversion(base);
}

/* Types of which each tool has one for all that it runs. */
static bool says_nothing(const char *type)
{
    static const char *const words[] = {"kernel", "tt_dnn_device"};
    return !type || !*type || IS_ONE_OF(type, words);
}

bool row_is_conversion(const char *type, const char *name)
{
    if (!says_nothing(type))
        return says_conversion(type);
    return name && kernel_is_conversion(name);
}
