/* tests/unit/nodes_fixture.h - a prediction made by hand whose rows stand for operators of a file: one with
 * what is folded into it, one without a name, one that two rows are of, one that the host runs, and a row of
 * none. */
#ifndef ROOF_TESTS_NODES_FIXTURE_H
#define ROOF_TESTS_NODES_FIXTURE_H

#include "tests/unit/fixture.h"

typedef struct nodes_fixture {
    roof_layer_prediction layers[6];
    const char *engines[2];
    roof_prediction prediction;
} nodes_fixture;

static inline roof_layer_prediction nodes_row(const char *name, const char **operators, uint32_t *nodes,
                                              uint32_t n, double ideal_s)
{
    return (roof_layer_prediction){
        .name = name,
        .subgraph = "",
        .type = "",
        .device = "NPU",
        .shape = "",
        .operators = operators,
        .n_operators = n,
        .nodes = nodes,
        .n_nodes = n,
        .repeat = 1,
        .macs = ROOF_UNKNOWN,
        .deployed = {.traffic = {ROOF_UNKNOWN, ROOF_UNKNOWN, ROOF_UNKNOWN, ROOF_UNKNOWN, 0},
                     .bound = ROOF_NONE,
                     .ideal_cycles = ROOF_UNKNOWN,
                     .ideal_s = ideal_s},
        .predicted_s = NAN};
}

/* f: its members point into it, and so it is not copied. */
static inline roof_prediction *nodes_make(nodes_fixture *f)
{
    static const char *conv[] = {"conv", "relu"}, *nameless[] = {""}, *swish[] = {"swish"},
                      *soft[] = {"soft"};
    static uint32_t places[] = {0, 1, 2, 3, 5};
    *f = (nodes_fixture){.engines = {"array", "ddr"}};
    f->layers[0] = nodes_row("a", conv, places, 2, 80.3e-6);
    f->layers[0].macs = 1000;
    f->layers[0].deployed.bound = 0;
    f->layers[0].deployed.traffic = (roof_traffic){10, 20, 30, 0, 0};
    f->layers[1] = nodes_row("b", nameless, places + 2, 1, 0.0123456e-6);
    f->layers[1].repeat = 2; /* times and counts of a row are of one execution */
    f->layers[1].macs = 7;
    f->layers[2] = nodes_row("c", swish, places + 3, 1, 1e-6);
    f->layers[2].macs = 3;
    f->layers[3] = nodes_row("d", swish, places + 3, 1, 2e-6);
    f->layers[3].deployed.bound = 1;
    f->layers[4] = nodes_row("e", soft, places + 4, 1, NAN);
    f->layers[4].device = "CPU";
    f->layers[5] = nodes_row("(not attributed)", NULL, NULL, 0, 0.5e-6);
    for (uint32_t i = 0; i < COUNT(f->layers); i++)
        f->layers[i].index = i + 1;
    f->prediction = (roof_prediction){
        .model = {.path = "net.onnx", .format = "onnx", .name = "net", .address = ROOF_ADDRESS_NAME},
        .hardware = {.name = "board", .clock_hz = 1e9},
        .engines = f->engines,
        .n_engines = COUNT(f->engines),
        .layers = f->layers,
        .n_layers = COUNT(f->layers),
        .total = {.macs = 1020,
                  .deployed = {.traffic = {ROOF_UNKNOWN, ROOF_UNKNOWN, ROOF_UNKNOWN, ROOF_UNKNOWN, 0},
                               .ideal_s = 83.8246912e-6},
                  .floor_cycles = ROOF_UNKNOWN,
                  .floor_s = NAN,
                  .predicted_s = NAN},
        .schedule = {.scheduled_cycles = ROOF_UNKNOWN, .scheduled_s = NAN},
        .options.batch = 1};
    return &f->prediction;
}

/* With expected times: twice the ideal ones. */
static inline roof_prediction *nodes_make_expected(nodes_fixture *f)
{
    roof_prediction *p = nodes_make(f);
    p->total.predicted_s = 0;
    for (uint32_t i = 0; i < p->n_layers; i++) {
        roof_layer_prediction *l = &p->layers[i];
        l->predicted_s = 2 * l->deployed.ideal_s;
        p->total.predicted_s += isnan(l->predicted_s) ? 0 : l->repeat * l->predicted_s;
    }
    return p;
}

#endif
