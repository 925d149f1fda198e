/* Networks of c_info_writer.h as network.c has them: what is moved in each pool, a stream as long as the
 * epoch computes. */
#include "tests/support/network_c_writer.h"
#include "roofline/status.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST = 16 };

typedef struct converted {
    ncw_pool pools[MOST];
    char ratios[MOST][16];
    ncw_epoch epochs[MOST];
    ncw_blob blobs[MOST];
    ncw_network network;
} converted;

static void add_pool(converted *c, const ci_pool *p, unsigned index)
{
    snprintf(c->ratios[index], sizeof c->ratios[index], "%u.%02u", p->ratio_percent / 100,
             p->ratio_percent % 100);
    c->pools[index] = (ncw_pool){.index = index,
                                 .name = p->name,
                                 .address = p->address,
                                 .size_bytes = p->size_bytes,
                                 .byte_width = p->byte_width,
                                 .freq_ratio = c->ratios[index],
                                 .read_only = p->read_only,
                                 .cached = p->cached};
}

static const char *flags_of(const ci_epoch *e)
{
    return strcmp(e->mapping, "NODE_SW") == 0      ? "pure_sw"
           : strcmp(e->mapping, "NODE_SW_HW") == 0 ? "hybrid"
                                                   : "pure_hw";
}

static void add_ops(ncw_epoch *to, const ci_epoch *e)
{
    for (uint32_t i = 0; i < e->n_ops && i < NCW_OPS; i++)
        to->ops[i] = (ncw_op){e->ops[i].unit ? e->ops[i].unit : "PROCESSOR 0", e->ops[i].kind, e->ops[i].name,
                              e->ops[i].weight_bits == 8 ? 1
                              : e->ops[i].weight_bits    ? 0
                                                         : -1};
}

/* In pieces of a byte, from and to the pool that is used first. */
static void add_stream(ncw_epoch *to, const ci_epoch *e)
{
    if (e->n_accesses && e->compute_cycles)
        to->streams[0] = (ncw_stream){.raw = true,
                                      .pool = e->accesses[0].pool,
                                      .to = e->compute_cycles,
                                      .frames = 1,
                                      .bits_in = 8,
                                      .bits_out = 8};
}

static void add_moves(ncw_epoch *to, const ci_network *n, const ci_epoch *e)
{
    size_t moves = 0;
    for (uint32_t i = 0; i < e->n_accesses; i++) {
        const ci_access *a = &e->accesses[i];
        const char *pool = a->pool == ROOF_NONE ? "_user_io_input_0" : n->pools[a->pool].name;
        if (a->reads && moves < NCW_MOVES)
            to->moves[moves++] = (ncw_move){pool, a->reads, false};
        if (a->writes && moves < NCW_MOVES)
            to->moves[moves++] = (ncw_move){pool, a->writes, true};
    }
}

static void add_epoch(converted *c, const ci_network *n, const ci_epoch *e)
{
    ncw_epoch *to = &c->epochs[c->network.n_epochs++];
    *to = (ncw_epoch){.number = e->number,
                      .flags = flags_of(e),
                      .npu_cycles = e->compute_cycles,
                      .total_cycles = ci_max_cycles(n, e)};
    add_ops(to, e);
    add_stream(to, e);
    add_moves(to, n, e);
    if (!e->blob)
        return;
    ncw_blob *last = c->network.n_blobs ? &c->blobs[c->network.n_blobs - 1] : NULL;
    if (last && strcmp(last->name, e->blob) == 0)
        last->last = e->number;
    else
        c->blobs[c->network.n_blobs++] = (ncw_blob){e->blob, e->number, e->number};
}

char *ncw_write_plan(const ci_network *n, int parts, size_t *length)
{
    converted *c = calloc(1, sizeof *c);
    if (!c || n->n_pools > MOST || n->n_epochs > MOST) {
        free(c);
        return NULL;
    }
    c->network = (ncw_network){
        .name = n->name, .pools = c->pools, .n_pools = n->n_pools, .epochs = c->epochs, .blobs = c->blobs};
    for (uint32_t i = 0; i < n->n_pools; i++)
        add_pool(c, &n->pools[i], i);
    for (uint32_t i = 0; i < n->n_epochs; i++)
        if (strcmp(n->epochs[i].mapping, "NODE_NO_X") != 0)
            add_epoch(c, n, &n->epochs[i]);
    char *text = ncw_write(&c->network, parts, length);
    free(c);
    return text;
}
