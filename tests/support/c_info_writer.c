#include "tests/support/c_info_writer.h"
#include "core/json/jsonout.h"
#include "roofline/status.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

enum { IDS_PER_EPOCH = 100, FIRST_BUFFER = 1, OUTSIDE_POOL = 0 };

static uint64_t larger(uint64_t a, uint64_t b)
{
    return a > b ? a : b;
}

uint64_t ci_max_cycles(const ci_network *n, const ci_epoch *e)
{
    uint64_t most = e->compute_cycles;
    for (uint32_t i = 0; i < e->n_accesses; i++) {
        const ci_access *a = &e->accesses[i];
        if (a->pool == ROOF_NONE)
            continue;
        const ci_pool *p = &n->pools[a->pool];
        uint64_t occupied = (a->reads + a->writes) * p->ratio_percent / (100 * (uint64_t)p->byte_width);
        most = larger(larger(most, occupied), larger(a->read_cycles, a->write_cycles));
    }
    return most;
}

static uint64_t epoch_id(uint32_t epoch)
{
    return (uint64_t)IDS_PER_EPOCH * (epoch + 1);
}

static void put_node_begin(jsonout *j, uint64_t id, const char *name, const char *mapping)
{
    jsonout_object(j, NULL, false);
    jsonout_count(j, "id", id);
    jsonout_count(j, "macc", 0);
    jsonout_string(j, "mapping", mapping);
    jsonout_string(j, "name", name);
    jsonout_array(j, "original_nodes", true);
    jsonout_end(j);
}

static void put_kind(jsonout *j, ci_dialect dialect, const char *kind, const char *unit)
{
    char described[80] = "";
    jsonout_object(j, "attributes", true);
    if (dialect != CI_2_0 && unit)
        jsonout_string(j, "HWUnit", unit);
    jsonout_end(j);
    if (kind[0] && dialect == CI_2_0)
        snprintf(described, sizeof described, "Node kind=%s", kind);
    if (dialect == CI_2_0)
        jsonout_string(j, "description", described);
    else
        jsonout_string(j, "type", kind);
}

static void put_ops(jsonout *j, const ci_epoch *e, uint64_t id, const char *mapping, ci_dialect dialect)
{
    jsonout_array(j, "subgraph_nodes", false);
    for (uint32_t i = 0; i < e->n_ops; i++) {
        put_node_begin(j, id + 1 + i, e->ops[i].name, mapping);
        put_kind(j, dialect, e->ops[i].kind, e->ops[i].unit);
        jsonout_array(j, "subgraph_nodes", true);
        jsonout_end(j);
        jsonout_end(j);
    }
    jsonout_end(j);
}

static void put_epoch(jsonout *j, const ci_network *n, uint32_t i, ci_dialect dialect)
{
    const ci_epoch *e = &n->epochs[i];
    char name[40], described[120] = "";
    bool flat = dialect == CI_2_0 && e->blob;
    snprintf(name, sizeof name, "epoch_%u", e->number);
    put_node_begin(j, epoch_id(i), name, flat ? "NODE_EC" : e->mapping);
    if (flat)
        snprintf(described, sizeof described, "Epoch Controller %s", e->blob);
    if (dialect == CI_2_0)
        jsonout_string(j, "description", described);
    else
        put_kind(j, dialect, "", NULL);
    put_ops(j, e, epoch_id(i), e->mapping, dialect);
    jsonout_end(j);
}

static bool same_blob(const ci_epoch *a, const ci_epoch *b)
{
    return a->blob && b->blob && strcmp(a->blob, b->blob) == 0;
}

static void put_nodes(jsonout *j, const ci_network *n, ci_dialect dialect)
{
    jsonout_array(j, "nodes", false);
    for (uint32_t i = 0; i < n->n_epochs; i++) {
        const ci_epoch *e = &n->epochs[i];
        bool nested = dialect == CI_4_0 && e->blob;
        if (nested && (i == 0 || !same_blob(e, &n->epochs[i - 1]))) {
            put_node_begin(j, epoch_id(i) + IDS_PER_EPOCH - 1, e->blob, "NODE_EC");
            jsonout_array(j, "subgraph_nodes", false);
        }
        put_epoch(j, n, i, dialect);
        if (nested && (i + 1 == n->n_epochs || !same_blob(e, &n->epochs[i + 1]))) {
            jsonout_end(j);
            jsonout_end(j);
        }
    }
    jsonout_end(j);
}

/* ---- buffers, and the edges that lead from them to operators ---- */

enum { USED_BYTES = 65536 }; /* of every pool */

typedef void (*each_input)(jsonout *j, const ci_network *n, uint64_t buffer, uint64_t node, uint32_t bits,
                           bool parameter);

static uint32_t pool_for(const ci_network *n, bool parameter)
{
    for (uint32_t i = 0; i < n->n_pools; i++)
        if (n->pools[i].parameters == parameter)
            return i;
    return 0;
}

static void put_buffer(jsonout *j, const ci_network *n, uint64_t buffer, uint64_t node, uint32_t bits,
                       bool parameter)
{
    enum { SLOTS = 4, SLOT_BYTES = USED_BYTES / SLOTS, PARAMETER_BYTES = 4096 };
    const uint64_t k = buffer - FIRST_BUFFER, slot = k % SLOTS;
    char name[40];
    uint32_t epoch = 0;
    while (epoch + 1 < n->n_epochs && epoch_id(epoch + 1) <= node)
        epoch++;
    const uint32_t last = n->epochs[epoch].number, first = last ? last - 1 : 0;
    snprintf(name, sizeof name, "buffer_%llu", (unsigned long long)buffer);
    jsonout_object(j, NULL, true);
    jsonout_object(j, "epochs", true); /* made in the one before; parameters are there throughout */
    jsonout_count(j, "end", parameter ? n->epochs[n->n_epochs - 1].number : last);
    jsonout_count(j, "start", parameter ? 0 : first);
    jsonout_end(j);
    jsonout_count(j, "id", buffer);
    jsonout_bool(j, "is_param", parameter);
    jsonout_count(j, "mpool_id", pool_for(n, parameter) + 1);
    jsonout_string(j, "name", name);
    jsonout_count(j, "nbits", bits);
    jsonout_count(j, "offset_start", parameter ? k * PARAMETER_BYTES : slot * SLOT_BYTES);
    jsonout_count(j, "size_bytes", parameter ? PARAMETER_BYTES : SLOT_BYTES - 4096 * (SLOTS - 1 - slot));
    jsonout_end(j);
}

static void put_end(jsonout *j, const char *end, uint64_t node)
{
    jsonout_object(j, end, true);
    jsonout_count(j, "node_id", node);
    jsonout_count(j, "port", 0);
    jsonout_end(j);
}

static void put_edge_of(jsonout *j, const char *kind, uint64_t buffer, uint64_t start, uint64_t end)
{
    jsonout_object(j, NULL, true);
    jsonout_count(j, "buffer", buffer);
    jsonout_string(j, "edge_kind", kind);
    put_end(j, "end", end);
    put_end(j, "start", start);
    jsonout_end(j);
}

/* Features come from the last operator of the epoch before, parameters from the first epoch. */
static void put_edge(jsonout *j, const ci_network *n, uint64_t buffer, uint64_t node, uint32_t bits,
                     bool parameter)
{
    uint32_t epoch = 0;
    (void)bits;
    while (epoch + 1 < n->n_epochs && epoch_id(epoch + 1) <= node)
        epoch++;
    const uint32_t from = parameter || !epoch ? 0 : epoch - 1;
    put_edge_of(j, "EDGE_MEMORY", buffer, epoch_id(from) + n->epochs[from].n_ops, node);
}

/* From unit to unit, in the order of operators. */
static void put_streams(jsonout *j, const ci_network *n)
{
    for (uint32_t i = 0; i < n->n_epochs; i++)
        for (uint32_t k = 1; k < n->epochs[i].n_ops; k++)
            put_edge_of(j, "EDGE_INTERNAL", 0, epoch_id(i) + k, epoch_id(i) + 1 + k);
}

static void for_each_input(jsonout *j, const ci_network *n, each_input each)
{
    uint64_t buffer = FIRST_BUFFER;
    for (uint32_t i = 0; i < n->n_epochs; i++)
        for (uint32_t k = 0; k < n->epochs[i].n_ops; k++) {
            const ci_op *op = &n->epochs[i].ops[k];
            if (op->feature_bits)
                each(j, n, buffer++, epoch_id(i) + 1 + k, op->feature_bits, false);
            if (op->weight_bits)
                each(j, n, buffer++, epoch_id(i) + 1 + k, op->weight_bits, true);
        }
}

/* ---- lists ---- */

static void put_pools(jsonout *j, const ci_network *n)
{
    jsonout_array(j, "memory_pools", false);
    for (uint32_t i = 0; i < n->n_pools; i++) {
        const ci_pool *p = &n->pools[i];
        jsonout_object(j, NULL, true);
        char address[24];
        snprintf(address, sizeof address, "%" PRIu64, p->address);
        jsonout_string(j, "address", address);
        jsonout_object(j, "attributes", true);
        jsonout_count(j, "byte_width", p->byte_width);
        jsonout_number(j, "freq_ratio", p->ratio_percent / 100.0);
        jsonout_end(j);
        jsonout_string(j, "cacheable", p->cached ? "CACHEABLE_ON" : "CACHEABLE_OFF");
        jsonout_count(j, "id", i + 1);
        jsonout_string(j, "name", p->name);
        jsonout_string(j, "rights", p->read_only ? "ACC_READ" : "ACC_WRITE");
        jsonout_count(j, "size_bytes", p->size_bytes);
        jsonout_array(j, "subpools", true);
        jsonout_end(j);
        jsonout_count(j, "used_size_bytes", USED_BYTES);
        jsonout_end(j);
    }
    jsonout_end(j);
}

static void put_accesses(jsonout *j, const ci_network *n)
{
    jsonout_array(j, "memory_accesses", false);
    for (uint32_t i = 0; i < n->n_epochs; i++)
        for (uint32_t k = 0; k < n->epochs[i].n_accesses; k++) {
            const ci_access *a = &n->epochs[i].accesses[k];
            jsonout_object(j, NULL, true);
            jsonout_count(j, "mpool_id", a->pool == ROOF_NONE ? OUTSIDE_POOL : a->pool + 1);
            jsonout_count(j, "node_id", epoch_id(i));
            jsonout_count(j, "read_cycles", a->read_cycles);
            jsonout_count(j, "reads", a->reads);
            jsonout_count(j, "write_cycles", a->write_cycles);
            jsonout_count(j, "writes", a->writes);
            jsonout_end(j);
        }
    jsonout_end(j);
}

static void put_estimates(jsonout *j, const ci_network *n)
{
    jsonout_array(j, "power_estimates", false);
    for (uint32_t i = 0; i < n->n_epochs; i++) {
        const ci_epoch *e = &n->epochs[i];
        jsonout_object(j, NULL, true);
        jsonout_number(j, "average_acc_power_mw", 59.5);
        jsonout_count(j, "compute_cycles", e->compute_cycles);
        jsonout_count(j, "max_cycles", ci_max_cycles(n, e));
        jsonout_count(j, "node_id", epoch_id(i));
        jsonout_count(j, "ops", e->ops_count);
        jsonout_end(j);
    }
    jsonout_end(j);
}

static void put_blobs(jsonout *j, const ci_network *n)
{
    jsonout_array(j, "ec_blobs_info", false);
    for (uint32_t i = 0; i < n->n_epochs; i++) {
        const ci_epoch *e = &n->epochs[i];
        if (!e->blob)
            continue;
        bool first = i == 0 || !same_blob(e, &n->epochs[i - 1]);
        if (first) {
            jsonout_object(j, NULL, true);
            jsonout_bool(j, "encrypted", false);
            jsonout_string(j, "name", e->blob);
            jsonout_array(j, "nodes_id", true);
        }
        jsonout_count(j, NULL, epoch_id(i));
        if (i + 1 == n->n_epochs || !same_blob(e, &n->epochs[i + 1])) {
            jsonout_end(j);
            jsonout_end(j);
        }
    }
    jsonout_end(j);
}

static void put_environment(jsonout *j, const ci_network *n, ci_dialect dialect)
{
    static const char *const versions[CI_DIALECTS] = {"2.0.0", "3.0.0", "4.0.1"};
    jsonout_object(j, "environment", false);
    jsonout_array(j, "tools", false);
    jsonout_object(j, NULL, true);
    jsonout_object(j, "input_model", true);
    jsonout_string(j, "name", n->name);
    jsonout_end(j);
    jsonout_string(j, "name", "ST.EdgeAI.Core");
    jsonout_string(j, "version", versions[dialect]);
    jsonout_end(j);
    jsonout_end(j);
    jsonout_end(j);
}

void ci_write(const ci_network *n, ci_dialect dialect, textbuf *out)
{
    jsonout j;
    jsonout_begin(&j, out);
    jsonout_object(&j, NULL, false);
    jsonout_array(&j, "buffers", false);
    for_each_input(&j, n, put_buffer);
    jsonout_end(&j);
    if (dialect != CI_2_0)
        put_blobs(&j, n);
    put_environment(&j, n, dialect);
    jsonout_array(&j, "graphs", false);
    jsonout_object(&j, NULL, false);
    jsonout_array(&j, "edges", false);
    for_each_input(&j, n, put_edge);
    put_streams(&j, n);
    jsonout_end(&j);
    jsonout_count(&j, "id", 1);
    jsonout_string(&j, "name", "Default");
    put_nodes(&j, n, dialect);
    jsonout_end(&j);
    jsonout_end(&j);
    jsonout_string(&j, "json_schema_version", "2.0");
    put_accesses(&j, n);
    put_pools(&j, n);
    put_estimates(&j, n);
    jsonout_end(&j);
    text_add(out, "\n", 1);
}

/* ---- a network of every kind of epoch ---- */

enum { RAM, RAM2, FLASH };

static const ci_pool tiny_pools[] = {
    {"npuRAM5", 8, 125, false, false, false, 0x342e0000, 448 << 10},
    {"npuRAM4", 8, 125, false, false, false, 0x34270000, 448 << 10},
    {"octoFlash", 1, 600, true, true, true, 0x71000000, 112 << 20},
    {"hyperRAM", 2, 500, false, false, true, 0x90000000, 32 << 20},
    {"cpuRAM2", 8, 250, false, false, false, 0x34100000, 1 << 20},
};
static const ci_op parameters[] = {{"Conv2D_1_weights", "Param", NULL, 0, 0}};
static const ci_op copy[] = {{"Identity_1", "Identity", "NULL_UNIT 0", 8, 0}};
static const ci_op conv[] = {{"Conv2D_2", "Conv", "CONV_ACC_V2 0", 8, 8},
                             {"Conv2D_2_ca_pipe_1", "Conv", "CONV_ACC_V2 1", 8, 8},
                             {"Conv2D_2_mul_scale", "Mul", "ARITH_ACC_V2 0", 0, 16},
                             {"Conv2D_2_off_bias", "Add", "ARITH_ACC_V2 1", 0, 32}};
/* 20 multiply-accumulates a cycle of operands of 16 bits by one unit, which does 18 */
static const ci_op wide[] = {{"Conv2D_3", "Conv", "CONV_ACC_V2 0", 16, 16}};
static const ci_op pool[] = {{"AveragePool_4", "AveragePool", "POOL_ACC_V2 0", 8, 0}};
static const ci_op dense[] = {{"Gemm_5", "Conv", "CONV_ACC_V2 0", 8, 8},
                              {"Gemm_5_bias", "Add", "ARITH_ACC_V2 0", 0, 32}};
static const ci_op software[] = {{"Softmax_6", "Softmax", NULL, 8, 0}};
static const ci_op hybrid[] = {{"Resize_7", "Resize", NULL, 8, 0}};
static const ci_op nothing[] = {{"Return_8", "Return", NULL, 0, 0}};
static const ci_access copy_moves[] = {{RAM, 49152, 49152, 49152 * 125 / 800, 49152 * 125 / 800}};
static const ci_access conv_moves[] = {{RAM, 49152, 0, 49152 * 125 / 800, 0},
                                       {RAM2, 0, 131072, 0, 131072 * 125 / 800},
                                       {FLASH, 4608, 0, 27648, 0}};
/* weights of 16 bits: the compiler counts their cycles by elements, half of the occupancy */
static const ci_access wide_moves[] = {{RAM, 65536, 32768, 32768 * 125 / 800, 16384 * 125 / 800},
                                       {FLASH, 3600, 0, 10800, 0}};
static const ci_access pool_moves[] = {{RAM2, 131072, 0, 20480, 0}, {RAM, 0, 32768, 0, 5120}};
static const ci_access dense_moves[] = {
    {RAM, 32768, 0, 5120, 0}, {FLASH, 327680, 0, 1966080, 0}, {RAM2, 0, 10, 0, 1}};
static const ci_access software_moves[] = {{RAM2, 10, 10, 1, 1}};
static const ci_access hybrid_moves[] = {{RAM, 4096, 16384, 640, 2560}, {ROOF_NONE, 512, 0, 0, 0}};

#define LIST(items) (items), sizeof(items) / sizeof *(items)
static const ci_epoch tiny_epochs[] = {
    {0, "NODE_NO_X", NULL, 0, 0, LIST(parameters), NULL, 0},
    {1, "NODE_HW", NULL, 0, 0, LIST(copy), LIST(copy_moves)},
    {2, "NODE_HW", "_ec_blob_2", 15000000, 65536, LIST(conv), LIST(conv_moves)},
    {3, "NODE_HW", "_ec_blob_2", 1310720, 32768, LIST(wide), LIST(wide_moves)},
    {4, "NODE_HW", NULL, 32768, 32768, LIST(pool), LIST(pool_moves)},
    {5, "NODE_HW", NULL, 655370, 327680, LIST(dense), LIST(dense_moves)},
    {6, "NODE_SW", NULL, 0, 10, LIST(software), LIST(software_moves)},
    {7, "NODE_SW_HW", NULL, 0, 16384, LIST(hybrid), LIST(hybrid_moves)},
    {8, "NODE_NO_X", NULL, 0, 0, LIST(nothing), NULL, 0},
};
const ci_network ci_tiny = {"tiny", LIST(tiny_pools), LIST(tiny_epochs)};
