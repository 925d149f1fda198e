/* model/predict/boards.h - one law of times on many devices, and its constants.
 *
 * Units: seconds of one inference, of which a batch has as many as images; sums as of roof_sums.
 *   T = c + o rows + E (D(k) + k1 D(1x1) + dw M_dw + mm M_mm + f (A + oth A_o + silu S) + w q W)
 *   D(x) = M + k0 M/cin + n0 M/cout + k0 n0 M/(cin cout), of the dense convolutions of a class
 * It is linear, so that what it says of a row is a share of what it says of all. q: the share of the weights
 * that is read from outside in each inference, by the whole network (docs/hardware/boards.md).
 * Ownership: sets are constant.
 */
#pragma once

#include "roofline/prediction.h"

typedef enum board_constant {
    BOARD_E, /* us of a million multiply-accumulates of a wide dense convolution, in which all but o, c are */
    BOARD_DW,
    BOARD_K0, /* input channels with which half of the array is lost; n0 output channels likewise */
    BOARD_N0,
    BOARD_K1,
    BOARD_MM,
    BOARD_F,
    BOARD_W,
    BOARD_OTH,
    BOARD_SILU,
    BOARD_O, /* us a row */
    BOARD_C, /* us an inference */
    BOARD_CONSTANTS
} board_constant;

typedef enum board_kind {
    BOARD_PLAIN,
    BOARD_CACHED,
    BOARD_ONE_CONTEXT,
    BOARD_CONTEXTS,
    BOARD_FUSING
} board_kind;

typedef enum board_verdict { BOARD_EXPECTED, BOARD_WIDE, BOARD_FACTOR_2, BOARD_NOTHING } board_verdict;

typedef struct board_set {
    const char *hw, *stack, *software, *data_type;
    uint32_t batch, threads;
    board_kind kind;
    uint32_t points, families;
    board_verdict verdict;
    const char *source;
    double factor; /* as it was fitted: board_factor has what it is worth */
    double median_error,
        p90_error; /* of families that were left out, half of them and nine of ten; 0: none was */
    double constants[BOARD_CONSTANTS];
} board_set;

/* The requested set. stack, data_type: NULL, the default; threads 0 likewise. */
typedef struct board_question {
    const char *hw, *stack, *data_type;
    uint32_t batch, threads;
} board_question;

/* The set for it; NULL: there is none. kind: of those that hold all weights or not, which one. */
const board_set *board_find(const board_question *question, board_kind kind);

/* The i-th set of a device, or of all where that is NULL; NULL behind the last. And the next one of the same
 * device. */
const board_set *board_at(const char *hw, size_t i);
const board_set *board_next(const board_set *set);

/* True if a device has sets of a data type, with so many threads unless that is 0; NULL has none.
 */
bool board_has(const char *hw, const char *data_type, uint32_t threads);

/* T of sums, of which share q of the weights is read; is_row: without what an inference costs beside rows.
 * Example (tests/unit/test_boards.c): YOLOv5s on a core of RK3588, 23.373225475743 ms. */
double board_seconds(const board_set *set, const roof_sums *sums, double weights_share, bool is_row);

/* q of a network, by its weights. */
double board_weights_share(const board_set *set, const roof_sums *sums, uint32_t batch);

/* 95 of 100 times lie between T / factor and T factor. */
double board_factor(const board_set *set);

/* True if a chip of several contexts holds a network in one, by rules that were read off published ratios of
 * batch 8 to 1; near: a figure is within 30 % of a limit. A chip without a rule never does. */
typedef struct board_size {
    double weights, macs;
    uint32_t mac_rows;
    bool has_attention; /* a product of two maps */
} board_size;
bool board_is_one_context(const char *hw, const board_size *size, bool *near);

/* --- one's own times (board_own.c) ---------------------------------------------------------------------- */

/* A network's time on the board, of one image. */
typedef struct board_point {
    const roof_sums *sums;
    double seconds;
} board_point;

/* Brings a copy of a set to such times; its errors become those of as many. n: 1 or more. */
void board_calibrate(board_set *set, const board_point *points, uint32_t n);

/* Constants for a device that has none: the geometric mean of its stack's sets; points is of how many. False:
 * there are none. */
bool board_shape(const board_question *question, board_set *out);

/* --- published times (published.c) ---------------------------------------------------------------------- */

/* Data by which a network is found in published tables. height: of its input; 0: unknown. sums: NULL, or
 * NaN. */
typedef struct board_network {
    const char *name;
    uint32_t height, width;
    const roof_sums *sums;
} board_network;

/* Adds its times on the device of the question, those that are as it asks first. */
roof_status board_published(const board_network *network, const board_question *question,
                            struct roof_arena *arena, roof_published_time **out, uint32_t *n,
                            roof_error *err);

/* The time of a set's device in times of another: the median over networks that one table has of both, run
 * alike, and its errors where each network is left out. ratio NaN: too few are. */
typedef struct board_transfer {
    uint32_t networks;
    double ratio, median_error, p90_error, factor; /* factor: as of a set */
} board_transfer;

/* The median of at most 256 rising values, without one of them; left_out n: of all. NaN: of none. */
double board_median(const double *rising, uint32_t n, uint32_t left_out);
board_transfer board_transfer_of(const char *from_hw, const board_set *to);
