/* Calibrations from untrusted files: what can be read is written, read again, and expects finite times of a
 * prediction. */
#include "core/error.h"
#include "model/documents/documents.h"
#include "tests/fuzz/fuzz_target.h"
#include "tests/support/memory_io.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static roof_status read_text(const char *text, size_t length, roof_calibration **out)
{
    memory_source source = {text, length, 0};
    return calibration_read_from(memory_read, &source, "fuzz.json", out, NULL);
}

static void check_round_trip(const roof_calibration *c)
{
    roof_calibration *again = NULL;
    textbuf text;
    text_init(&text, TEXT_MAX_BYTES);
    CHECK(roof_calibration_write(c, (roof_sink){memory_write, &text}, NULL) == ROOF_OK);
    CHECK(read_text(text.bytes, text.length, &again) == ROOF_OK);
    CHECK(again->n_parameters == c->n_parameters && again->n_left_out == c->n_left_out);
    roof_calibration_free(again);
    text_free(&text);
}

/* Two layers, two engines: one that computes, one that moves data. */
static void check_expected(const roof_calibration *c)
{
    const char *engines[] = {"conv", "load"};
    uint64_t first[] = {1000, 10}, second[] = {10, ROOF_UNKNOWN};
    roof_layer_prediction layers[] = {{.repeat = 1, .deployed = {.cycles = first, .ideal_s = 1e-5}},
                                      {.repeat = 1, .deployed = {.cycles = second, .ideal_s = 1e-7}}};
    roof_prediction p = {.engines = engines, .n_engines = 2, .layers = layers, .n_layers = 2};
    double layer_s[2];
    p.hardware.clock_hz = 1e8;
    roof_expected x = roof_calibration_expect(c, &p, layer_s);
    CHECK(x.total_s >= 0 && layer_s[0] >= 0 && layer_s[1] >= 0);
    CHECK(isnan(x.ci95_s[0]) || x.ci95_s[0] <= x.ci95_s[1]);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    roof_calibration *c = NULL;
    if (read_text((const char *)data, size, &c) == ROOF_OK) {
        check_round_trip(c);
        check_expected(c);
    }
    roof_calibration_free(c);
    return 0;
}
