/* Files of points from anywhere, signed as if they were ours: what is read of them is bounded by them, and
 * the front rises. */
#include "reports/results/results_line.h"
#include "roofline/pareto.h"
#include "tests/fuzz/fuzz_target.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

enum { MOST_LINES = 200 };

static void check(const roof_pareto *of)
{
    CHECK(of->n_points == (uint64_t)of->n_models * of->n_configurations && of->n_failed <= of->n_points);
    for (uint32_t i = 0; i < of->n_fronts; i++) {
        const roof_pareto_front *front = &of->fronts[i];
        CHECK(front->n <= front->n_compared && front->n_compared <= of->n_configurations);
        for (uint32_t k = 0; k < front->n; k++) {
            CHECK(front->configurations[k] < of->n_configurations);
            CHECK(!k || roof_pareto_front_rate(of, front, front->configurations[k]) >
                            roof_pareto_front_rate(of, front, front->configurations[k - 1]));
        }
    }
}

/* Lines of the input; the first one is of titles, unless they are JSON. Returns how many are points. */
static uint32_t sign(const char *at, const char *end, bool is_json, uint64_t n, textbuf *out)
{
    uint32_t index = 0;
    for (bool is_title = !is_json; at < end && index < MOST_LINES; is_title = false) {
        const char *line_end = memchr(at, '\n', (size_t)(end - at));
        const size_t length = line_end ? (size_t)(line_end - at) : (size_t)(end - at), begin = out->length;
        if (!is_title)
            text_printf(out, is_json ? "{\"index\":%u" : "%u", index++);
        text_add(out, at, length);
        text_puts(out, is_title ? POINTS_LINE_TITLES : is_json ? "}\n" : "\n");
        if (!is_title)
            results_line_sign(out, begin, is_json, "0123456789abcdef", n);
        at += length + 1;
    }
    return index;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (!size)
        return 0;
    const bool is_json = data[0] == 'j';
    const char *at = (const char *)data + 1, *end = at + size - 1;
    char path[64];
    roof_pareto *of;
    roof_error err;
    textbuf text;
    text_init(&text, TEXT_MAX_BYTES);
    const uint32_t n = sign(at, end, is_json, 1, &text);
    text.length = 0;
    sign(at, end, is_json, n ? n : 1, &text);
    const int fd = memfd_create("points", 0);
    CHECK(fd >= 0 && !text.failed);
    CHECK(!text.length || write(fd, text.bytes, text.length) == (ssize_t)text.length);
    text_free(&text);
    snprintf(path, sizeof path, "/proc/self/fd/%d", fd);
    const char *const paths[] = {path};
    if (roof_pareto_read(paths, 1, NULL, ROOF_COSTS, &of, &err) == ROOF_OK)
        check(of);
    roof_pareto_free(of);
    close(fd);
    return 0;
}
