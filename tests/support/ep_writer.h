/* tests/support/ep_writer.h - reports of the Vitis AI execution provider, as it writes them, of networks that
 * are made up. */
#ifndef ROOF_TESTS_SUPPORT_EP_WRITER_H
#define ROOF_TESTS_SUPPORT_EP_WRITER_H

#include "core/text.h"

/* A tensor is "NAME TYPE DIMS", as in "x 1 1,3,16,16"; "s 1" is a scalar, "-" one that is left out. Lists end
 * with NULL. */
typedef struct epw_node {
    const char *type, *device;
    const char *outputs[4], *inputs[8];
} epw_node;

typedef struct epw_network {
    const epw_node *nodes;
    uint32_t n_nodes;
    const char *const *constants; /* names, for a context; ends with NULL */
} epw_network;

/* A quantised network with one convolution of each kind, a softmax that stayed on the CPU, and conversions at
 * its border: 55,296 + 9,216 + 8,192 + 20,480 MACs. */
extern const epw_network epw_tiny;

/* Adds vitisai_ep_report.json, or context.json of the cache. */
void epw_report(const epw_network *network, textbuf *text);
void epw_context(const epw_network *network, textbuf *text);

#endif
