/* Adds to a plan how large the programs of the epoch controller are. The compiler writes them as arrays of C
 * into NAME_ecblobs.h, which an application compiles:
 *
 *   static const uint64_t _ec_blob_net_2[1288] =        before 3.0 "_ec_blob_2 []"
 *   {
 *     0x00000a07ca057a7aUL, 0x0000007d0000005dUL,
 *   };
 *
 * Numbers are counted and not read.
 */
#include "core/error.h"
#include "core/files/mapfile.h"
#include "core/namemap.h"
#include "core/quantity.h"
#include "model/formats/neural_art/plan_build.h"

#include <math.h>
#include <string.h>

static const char blob_begins[] = "_ec_blob_";

static bool is_of_name(char c)
{
    return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

static text_span behind(text_span span, size_t n)
{
    return (text_span){span.text + n, span.length - n};
}

static void skip_blanks(text_span *rest)
{
    while (rest->length && strchr(" \t\r\n", *rest->text))
        *rest = behind(*rest, 1);
}

/* Constants up to the end of the array, which rest is left behind; ROOF_UNKNOWN: it has none. */
static uint64_t count_constants(text_span *rest)
{
    uint64_t n = 0;
    bool is_inside = false;
    for (; rest->length && *rest->text != '}'; *rest = behind(*rest, 1)) {
        const bool is = is_of_name(*rest->text);
        n += is && !is_inside;
        is_inside = is;
    }
    return rest->length ? n : ROOF_UNKNOWN;
}

/* Behind the name of an array: "[1288] =\n{ ... }". ROOF_UNKNOWN: it is no array, or not of so many. */
static uint64_t take_array(text_span *rest)
{
    double stated = NAN;
    skip_blanks(rest);
    if (!span_skip(rest, "["))
        return ROOF_UNKNOWN;
    const size_t length = number_parse(rest->text, rest->length, &stated);
    *rest = behind(*rest, length);
    if (!span_skip(rest, "]"))
        return ROOF_UNKNOWN;
    skip_blanks(rest);
    if (!span_skip(rest, "="))
        return ROOF_UNKNOWN;
    skip_blanks(rest);
    if (!span_skip(rest, "{"))
        return ROOF_UNKNOWN;
    const uint64_t n = count_constants(rest);
    return !length || (n != ROOF_UNKNOWN && stated == (double)n) ? n : ROOF_UNKNOWN;
}

/* Bytes of an element, by the type that stands before the array's name; 0: another one. */
static uint64_t element_bytes(const char *begin, const char *name)
{
    static const struct {
        const char *type;
        uint64_t bytes;
    } types[] = {{"uint64_t ", 8}, {"uint32_t ", 4}, {"uint8_t ", 1}};
    for (size_t i = 0; i < sizeof types / sizeof *types; i++) {
        const size_t n = strlen(types[i].type);
        if ((size_t)(name - begin) >= n && memcmp(name - n, types[i].type, n) == 0)
            return types[i].bytes;
    }
    return 0;
}

roof_status plan_apply_blobs(roof_plan *plan, text_span text, roof_arena *arena, roof_error *err)
{
    namemap *blobs = namemap_new(arena, plan->n_blobs);
    text_span rest = text;
    TRY(ALLOCATED(blobs, err));
    for (uint32_t i = 0; i < plan->n_blobs; i++)
        namemap_add(blobs, plan->blobs[i].name, strlen(plan->blobs[i].name), i);
    while (span_skip_past(&rest, blob_begins)) {
        const char *name = rest.text - (sizeof blob_begins - 1);
        while (rest.length && is_of_name(*rest.text))
            rest = behind(rest, 1);
        const uint32_t at = namemap_find(blobs, name, (size_t)(rest.text - name));
        const uint64_t bytes = element_bytes(text.text, name), n = bytes ? take_array(&rest) : ROOF_UNKNOWN;
        if (at != ROOF_NONE && n != ROOF_UNKNOWN)
            plan->blobs[at].bytes = n * bytes;
    }
    return ROOF_OK;
}

roof_status plan_read_blobs(roof_plan *plan, const char *path, roof_arena *arena, roof_error *err)
{
    mapfile file = {0};
    roof_error why;
    roof_status status = mapfile_open(path, &file, &why);
    if (status == ROOF_OK)
        status = plan_apply_blobs(plan, (text_span){(const char *)file.bytes, (size_t)file.size_bytes}, arena,
                                  err);
    else if (status == ROOF_E_NO_MEMORY)
        return error_memory(err);
    mapfile_close(&file);
    return status == ROOF_E_NO_MEMORY ? status : ROOF_OK; /* a plan does without */
}
