/* tests/support/xmodel_networks.h - networks compiled for DPUCZDX8G ISA1 by a small compiler of our own.
 *
 * What comes out has the structure of what xcompiler 3.5 writes: graph, subgraph tree, attributes, `workload`
 * and an instruction stream that decodes with the public instruction tables (Xilinx/Vitis-AI,
 * dpuczdx8g_isa1.h). It is meant to be read, not to be run: transfers, cycle counts and parameter memory
 * addresses are right, addresses in the image memory are plausible, what waits for what follows a rule of our
 * own (every token that is left is taken, in an order that can run), and quantisation shifts are made up.
 *
 * The code promises, and a test may rely on it, for every network and every size of the DPU:
 * - every constant byte is loaded exactly once;
 * - engine cycles are exactly those of xn_summary, which come from closed formulas and not from the stream;
 * - a feature map that fits into half of the image memory (rows spread over its banks, pixels in whole words)
 * stays there, unless the network ends with it. Any other is saved exactly once, and loaded exactly once by
 * each consumer whose weights fit into the weight memory (all do on B4096); other consumers read it once per
 * piece of the weights, and a downsampling reads only the pixels it keeps. The image, with channel
 * augmentation, is read OW * KW / IW times;
 * - the code of a superlayer alone loads its inputs and saves its output, also those that would stay in the
 * image memory; of these, each is loaded once;
 * - a layer loads its constants before it computes, and nothing of the next layer; addresses of the workspace
 * are used again by later layers.
 *
 * Units in names. Ownership: the model owns everything, the layers of the summary included.
 */
#ifndef ROOF_TESTS_XMODEL_NETWORKS_H
#define ROOF_TESTS_XMODEL_NETWORKS_H

#include "xmodel_writer.h"

/* Parallelism as in PG338, table "DPUCZDX8G architectures"; fingerprints as in the target files of
 * Xilinx/Vitis-AI. */
typedef struct xn_arch {
    const char *name;
    uint32_t pixel_parallel, input_channel_parallel, output_channel_parallel, alu_pixel_parallel;
    uint64_t fingerprint;
} xn_arch;

const xn_arch *xn_find_arch(const char *name); /* "B512" .. "B4096"; NULL when unknown */

typedef struct xn_config {
    const xn_arch *arch; /* NULL: B4096 */
    size_t n_layers;     /* of the network "chain"; 0: 10 */
    bool layer_code;     /* superlayers have code of their own, as compilers up to 2.5 wrote it */
    bool quantised;      /* not compiled: the graph that the others are compiled from; its summary is empty */
} xn_config;

typedef struct xn_costs {
    uint64_t macs, workload_ops, constant_bytes;
    uint64_t conv_cycles, alu_cycles, eltwise_cycles;
} xn_costs;

typedef struct xn_layer_summary {
    const char *name;
    xn_costs costs;
    uint64_t load_bytes, save_bytes; /* feature maps, as the stream moves them */
} xn_layer_summary;

typedef struct xn_summary {
    size_t n_layers; /* as listed in children_topological_sort */
    const xn_layer_summary *layers;
    xn_costs total;                     /* of the DPU */
    uint64_t input_bytes, output_bytes; /* of the network */
    uint64_t spilled_bytes;             /* feature maps that leave the chip, the output included */
    uint64_t load_bytes, save_bytes, code_bytes;
} xn_summary;

typedef struct xn_network {
    const char *name, *doc;
    xm_model *(*build)(const xn_config *config, xn_summary *summary);
} xn_network;

const xn_network *xn_networks(size_t *count);
const xn_network *xn_find_network(const char *name); /* NULL when unknown */

/* config and summary may be NULL. Files without DPU code have an empty summary. */
xm_model *xn_mobilenet_v1(const xn_config *config, xn_summary *summary);
xm_model *xn_mobilenet_v2(const xn_config *config, xn_summary *summary);
xm_model *xn_resnet50(const xn_config *config, xn_summary *summary);
xm_model *xn_resnet50_downsampled(const xn_config *config, xn_summary *summary);
xm_model *xn_chain(const xn_config *config, xn_summary *summary);
xm_model *xn_tiny(const xn_config *config, xn_summary *summary);
xm_model *xn_quantised(const xn_config *config, xn_summary *summary);
xm_model *xn_rnn(const xn_config *config, xn_summary *summary);

#endif
