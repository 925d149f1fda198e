#include "measure/reconcile/kernel_names.h"

#include <ctype.h>
#include <string.h>

/* Names of so many letters alone say nothing: "Kernel", "run". */
enum { SAYS_LITTLE = 6 };

/* Where the arguments of a template or a function begin; Julia writes them as [v1](Array). */
static const char *arguments_of(const char *name)
{
    const char *at = name;
    while (*at && *at != '<' && *at != '(' && !(*at == '[' && strstr(at, "](")))
        at++;
    return at;
}

const char *kernel_base_name(const char *name, roof_arena *arena)
{
    static const char anonymous[] = "(anonymous namespace)";
    const char *end = arguments_of(name);
    while (strncmp(end, anonymous, sizeof anonymous - 1) == 0)
        end = arguments_of(end + sizeof anonymous - 1);
    const char *from = end;
    while (from > name && (isalnum((unsigned char)from[-1]) || from[-1] == '_'))
        from--;
    if (end - from <= SAYS_LITTLE && from > name + 2 && from[-1] == ':') /* "Kernel" of "cutlass::Kernel" */
        for (from -= 2; from > name && (isalnum((unsigned char)from[-1]) || from[-1] == '_');)
            from--;
    if (!*end || from == end || memchr(name, '/', (size_t)(end - name)))
        return name;
    return arena_strndup(arena, from, (size_t)(end - from));
}
