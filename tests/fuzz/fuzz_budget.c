/* Budgets from untrusted files: what can be read is written, read again as the same, and checked; a check has a name, a reason and a
 * state, and the counts are those of the checks. */
#include "core/arena.h"
#include "measure/budget_codec.h"
#include "tests/fuzz/fuzz_target.h"
#include "tests/support/memory_io.h"

#include <math.h>
#include <string.h>

static roof_status read_text(const char *text, size_t length, roof_budget **out)
{
    memory_source source = {text, length, 0};
    return budget_read_from(memory_read, &source, "folder/fuzz.json", out, NULL);
}

static textbuf written(const roof_budget *b)
{
    textbuf text;
    text_init(&text, TEXT_MAX_BYTES);
    codec_write_document(&budget_object, b, NULL, &text);
    CHECK(text_status(&text, NULL) == ROOF_OK);
    return text;
}

static void check_round_trip(const roof_budget *b)
{
    roof_budget *again = NULL;
    textbuf first = written(b);
    CHECK(read_text(first.bytes, first.length, &again) == ROOF_OK);
    textbuf second = written(again);
    CHECK(first.length == second.length && memcmp(first.bytes, second.bytes, first.length) == 0);
    text_free(&first);
    text_free(&second);
    roof_budget_free(again);
}

static void check_prediction(const roof_budget *b)
{
    roof_prediction p = {.model.name = "net"};
    roof_checks *checks = NULL;
    uint32_t counts[ROOF_CHECK_STATES] = {0};
    p.total.floor_s = 0.01;
    p.total.predicted_s = NAN;
    p.schedule.scheduled_s = NAN;
    CHECK(roof_budget_check(b, &(roof_compare_side){"net.json", NULL, &p}, NULL, &checks, NULL) == ROOF_OK);
    for (uint32_t i = 0; i < checks->n; i++) {
        CHECK(checks->items[i].name && checks->items[i].why && checks->items[i].limit >= 0);
        counts[checks->items[i].state]++;
    }
    CHECK(checks->n > 0 && memcmp(counts, checks->counts, sizeof counts) == 0);
    roof_checks_free(checks);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    roof_budget *budget = NULL;
    if (read_text((const char *)data, size, &budget) == ROOF_OK) {
        check_round_trip(budget);
        check_prediction(budget);
    }
    roof_budget_free(budget);
    return 0;
}
