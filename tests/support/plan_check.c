#include "tests/support/plan_check.h"
#include "roofline/render.h"
#include "tests/fuzz/fuzz_target.h"
#include "tests/support/prediction_check.h"
#include "tests/support/read_check.h"

#include <math.h>
#include <string.h>

static void check_pools(const roof_plan *plan)
{
    for (uint32_t i = 0; i < plan->n_pools; i++) {
        const roof_pool *pool = &plan->pools[i];
        check_name(pool->name);
        CHECK(roof_plan_pool(plan, pool->name) == pool); /* names are unique */
        CHECK(pool->byte_width > 0 && (isnan(pool->freq_ratio) || pool->freq_ratio > 0));
    }
}

static void check_ops(const roof_plan *plan)
{
    for (uint32_t i = 0; i < plan->n_ops; i++) {
        check_name(plan->ops[i].name);
        check_text(plan->ops[i].kind);
        check_text(plan->ops[i].unit);
    }
}

static void check_accesses(const roof_plan *plan, const roof_epoch *e)
{
    for (uint32_t i = 0; i < e->n_accesses; i++) {
        const roof_pool_access *a = &plan->accesses[e->first_access + i];
        CHECK(a->pool < plan->n_pools);
        CHECK(a->read_bytes <= INT64_MAX && a->write_bytes <= INT64_MAX);
        CHECK(a->read_bytes || a->write_bytes || a->read_cycles || a->write_cycles);
        for (uint32_t k = 0; k < i; k++)
            CHECK(plan->accesses[e->first_access + k].pool != a->pool);
    }
}

static void check_epoch(const roof_plan *plan, const roof_epoch *e)
{
    CHECK(e->number != ROOF_NONE && e->kind < ROOF_EPOCH_KINDS);
    check_slice(e->first_op, e->n_ops, plan->n_ops);
    check_slice(e->first_access, e->n_accesses, plan->n_accesses);
    CHECK(e->blob == ROOF_NONE || e->blob < plan->n_blobs);
    CHECK(e->compute_cycles != ROOF_UNKNOWN || !e->compute_from_streams);
    CHECK(e->macs_per_unit == ROOF_NONE || (e->macs_per_unit > 0 && e->conv_units > 0));
    check_accesses(plan, e);
}

/* A blob whose number of epochs is not known is one epoch of the plan. */
static void check_blobs(const roof_plan *plan)
{
    uint64_t blob_epochs = 0, in_blobs = 0;
    for (uint32_t i = 0; i < plan->n_epochs; i++)
        in_blobs += plan->epochs[i].blob != ROOF_NONE;
    for (uint32_t i = 0; i < plan->n_blobs; i++) {
        check_name(plan->blobs[i].name);
        CHECK(plan->blobs[i].n_epochs > 0);
        blob_epochs += plan->blobs[i].n_epochs == ROOF_NONE ? 1 : plan->blobs[i].n_epochs;
    }
    CHECK(blob_epochs == in_blobs);
}

void check_plan(const roof_graph *g)
{
    const roof_plan *plan = roof_plan_of(g);
    CHECK(plan && plan->n_epochs == g->n_layers && plan->n_epochs);
    check_pools(plan);
    check_ops(plan);
    for (uint32_t i = 0; i < plan->n_epochs; i++) {
        check_name(g->layers[i].name);
        check_epoch(plan, &plan->epochs[i]);
    }
    check_blobs(plan);
}

static void check_rows(const roof_prediction *p)
{
    uint64_t vendor = 0, ideal = 0;
    bool known = true;
    for (uint32_t i = 0; i < p->n_layers; i++) {
        const roof_layer_prediction *l = &p->layers[i];
        known = known && l->estimate.cycles != ROOF_UNKNOWN;
        vendor += known ? l->estimate.cycles : 0;
        ideal += l->deployed.ideal_cycles == ROOF_UNKNOWN ? 0 : l->deployed.ideal_cycles;
        for (uint32_t e = 0; e < p->n_engines; e++)
            CHECK(l->deployed.cycles[e] == ROOF_UNKNOWN || l->deployed.cycles[e] <= l->deployed.ideal_cycles);
    }
    CHECK(p->total.estimate.cycles == (known ? vendor : ROOF_UNKNOWN));
    CHECK(p->total.deployed.ideal_cycles == ideal);
}

static void check_on(const roof_graph *g, const char *spec, const char *format)
{
    roof_hw *hw = NULL;
    roof_prediction *p = NULL;
    roof_error err = {0};
    const roof_render_options render = {.format = format, .all_findings = true, .width = 100};
    char *text = NULL;
    size_t length = 0;
    CHECK(roof_hw_load(spec, &hw, &err) == ROOF_OK);
    roof_status status = roof_predict(g, hw, NULL, &p, &err);
    CHECK(status == ROOF_OK || err.what[0]);
    if (status == ROOF_OK) {
        check_rows(p);
        check_prediction_comes_back(p, true);
        status = roof_render_whole(p, &render, &text, &length, &err);
        CHECK(status == ROOF_OK || status == ROOF_E_LIMIT);
    }
    free(text);
    roof_prediction_free(p);
    roof_hw_free(hw);
}

void check_plan_prediction(const roof_graph *g)
{
    check_on(g, "stm32n6", "json");
    check_on(g, "base=stm32n6-normal,mempool.octoflash.bandwidth=200MB/s", "text");
}
