/* Reports of the compiler from untrusted files: whatever is accepted lists epochs whose numbers rise, and as
 * a model alone is a plan of which no bytes are known; applied to a plan it leaves one with every index in
 * range. */
#include "model/formats/neural_art/art_report.h"
#include "model/formats/neural_art/plan_build.h"
#include "tests/fuzz/fuzz_target.h"
#include "tests/fuzz/graph_checks.h"
#include "tests/support/read_check.h"

#include <math.h>
#include <string.h>

static void check_report(const art_report *report)
{
    uint64_t room = 0;
    check_text(report->tool);
    check_text(report->network);
    CHECK(report->n_pools <= PLAN_MAX_POOLS && report->n_rows >= 1);
    for (uint32_t i = 0; i < report->n_pools; i++) {
        check_text(report->pools[i].name);
        CHECK(report->pools[i].byte_width == ROOF_NONE && isnan(report->pools[i].freq_ratio));
    }
    for (uint32_t i = 0; i < report->n_rows; i++) {
        const art_row *row = &report->rows[i];
        check_text(row->op);
        CHECK(row->first <= row->last && row->last < ROOF_NONE && row->kind != ROOF_EPOCH_UNKNOWN);
        CHECK(i == 0 || report->rows[i - 1].last < row->first);
        CHECK(row->first == row->last || row->by_controller);
        room += (uint64_t)row->last - row->first + 1;
    }
    CHECK(report->n_epochs >= 1 && report->n_epochs <= room);
}

/* A plan of the epochs 1 to 8, of which nothing but the number is known. */
static void apply(const art_report *report, roof_arena *arena)
{
    roof_epoch epochs[8];
    roof_plan plan = {.epochs = epochs, .n_epochs = 8};
    const char *differs = NULL;
    for (uint32_t i = 0; i < plan.n_epochs; i++)
        epochs[i] = (roof_epoch){.number = i + 1, .blob = ROOF_NONE};
    if (plan_apply_report(&plan, report, arena, &differs, NULL) != ROOF_OK)
        return;
    uint32_t of_blobs = 0, in_blobs = 0;
    for (uint32_t i = 0; i < plan.n_epochs; i++) {
        CHECK((epochs[i].kind == ROOF_EPOCH_UNKNOWN) == (differs != NULL));
        CHECK(epochs[i].blob == ROOF_NONE || epochs[i].blob < plan.n_blobs);
        check_slice(epochs[i].first_op, epochs[i].n_ops, plan.n_ops);
        in_blobs += epochs[i].blob != ROOF_NONE;
    }
    for (uint32_t i = 0; i < plan.n_blobs; i++)
        of_blobs += plan.blobs[i].n_epochs;
    CHECK(of_blobs == in_blobs);
    if (!differs) {
        CHECK(plan_apply_report(&plan, report, arena, &differs, NULL) == ROOF_OK);
        CHECK(!differs); /* what was taken from it is in it */
    }
}

static void check_graph(const roof_graph *g)
{
    if (strcmp(g->format, "generate_report") != 0) /* other formats have targets of their own */
        return;
    CHECK(roof_plan_of(g) && !roof_plan_of(g)->n_accesses);
    for (uint32_t i = 0; i < roof_plan_of(g)->n_epochs; i++)
        CHECK(roof_plan_of(g)->epochs[i].moves_unknown &&
              roof_plan_of(g)->epochs[i].compute_cycles == ROOF_UNKNOWN);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    roof_arena *arena = arena_new(0);
    art_report report;
    roof_error err = {0};
    if (!arena)
        return 0;
    roof_status status = art_report_read_memory(data, size, arena, &report, &err);
    if (status == ROOF_OK) {
        check_report(&report);
        apply(&report, arena);
    } else
        check_refusal(status, &err);
    arena_free(arena);
    graph_checks(data, size, check_graph);
    return 0;
}
