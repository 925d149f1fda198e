/* tests/support/art_networks.h - plans of public networks for a Neural-ART, derived from the shapes of their
 * layers. They stand in for the compiler's c_info.json of networks that were measured on an STM32N6 but
 * published without one, epoch for epoch.
 *
 * Units: as in c_info_writer.h.
 * Ownership: an an_plan owns everything that its network points to; it must not be copied.
 *
 * Established, by plans of real c_info.json and network.csv files or by what the measured build's generate
 * report prints. While the NPU works, measured epochs take 1.00 to 1.24 times what these rules give, but for
 * those with more than 512 output channels:
 *   - a stream port moves one element a cycle: an epoch computes for as long as the longest of its streams of
 *   feature maps,
 *     kernels and results;
 *   - a convolution is done in iterations over groups of output channels, each of which streams the feature
 *   map again:
 *     8 kernels of 3x3 or 24 of 1x1 at once; a 1x1 kernel takes three input channels a cycle;
 *   - a depthwise convolution is one of groups of 8 channels with all weights between them, so that it has 8
 *   times the
 *     weights, and streams its map once;
 *   - weights come from the flash once;
 *   - the first convolution of MobileNetV2 streams its input four times (605,235 cycles measured, 4 * 150,528
 *   elements);
 *   - maps of MobileNetV2 up to 441 KiB are in npuRAM4 and npuRAM5, the larger one in cpuRAM2 and the first
 *   152 KiB of
 *     npuRAM3: the report prints these sizes.
 * Guessed:
 *   - how many accelerators share the input channels of a 1x1 convolution: as few of 1, 2, 4 as leave each at
 *   most 128
 *     channels (ST recommends 72 to 128), and twice as many where a single iteration does all results (only
 *     so is the first projection to 24 channels as fast as it was measured);
 *   - that no coefficients of scales and offsets are streamed: with more than 512 output channels the
 *   measured times say
 *     that something is, or that kernels are no longer fetched ahead, so that those epochs are up to 2.6
 *     times slower than their plan. They stay in every comparison;
 *   - that the first epochs of MobileNetV2 and of the depthwise network copy the input (1.15 and 1.24 cycles
 *   an element);
 *   - the rounds of a 7x7 kernel, of which the runtime makes three epochs;
 *   - what epochs that are marked as guessed do at all: these are left out of comparisons, and counted.
 */
#ifndef ROOF_TESTS_SUPPORT_ART_NETWORKS_H
#define ROOF_TESTS_SUPPORT_ART_NETWORKS_H

#include "tests/support/c_info_writer.h"

enum { AN_MOST_EPOCHS = 64, AN_MOST_OPS = 6, AN_POOLS = 5, AN_NAME_SIZE = 24 };

typedef struct an_plan {
    ci_network network;
    ci_epoch epochs[AN_MOST_EPOCHS];
    bool guessed[AN_MOST_EPOCHS]; /* what it does is not established */
    ci_op ops[AN_MOST_EPOCHS][AN_MOST_OPS];
    char names[AN_MOST_EPOCHS][AN_MOST_OPS][AN_NAME_SIZE];
    ci_access accesses[AN_MOST_EPOCHS][AN_POOLS];
} an_plan;

/* "mobilenet_v2_224", "conv2d_16f_3x3", ...; NULL behind the last one. */
const char *an_name(size_t index);

/* Plans the network of that index. */
void an_build(size_t index, an_plan *out);

#endif
