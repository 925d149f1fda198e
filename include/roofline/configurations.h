/* roofline/configurations.h - size and number of DPU cores to build a board with: resources that each takes
 * of the device, and how many images per second it makes of a network.
 *
 * Units: fps images per second; _s seconds; resources are counts (of LUTs, flip-flops, block RAMs of 36 Kb,
 *   UltraRAMs of 288 Kb, DSP slices), half a block RAM is 0.5; _ratio of what the device has. NaN is unknown.
 * Ownership: a roof_configurations owns everything in it; free it with roof_configurations_free. Graph,
 *   hardware and what is asked are borrowed for the call.
 *
 * A configuration is a size (B512 to B4096 of the DPUCZDX8G) and a number of cores, from one to what the
 * product guide allows (resource.cores_most).
 *
 *   needs  = cores * what the entry of the size states of a core (resource.lut, .registers, .dsp). The values
 *            are of a core without depthwise convolution and other options, so they are the least
 *   memory = cores * resource.banks banks; u banks of each core are UltraRAM (resource.bank_uram each), the
 *            others block RAM (half of resource.bank_bram18 each). u leaves the larger share smallest
 *   DSP    = slices multiply and add ("high"); they only multiply ("low": fewer slices, more LUTs) where that
 *            costs less
 *   share  = needs / what the device has (device.lut, .registers, .bram36, .uram, .dsp of the board's entry)
 *   cost   = the largest share: that resource runs out first. A device holds a configuration whose cost is at
 *            most 1; since needs are the least, it may be too large all the same
 *   order  = by cost, then by DSP slices, then by images per second, most first, then by cores
 *   front  = those that make more images per second than all that cost less
 *
 * Images per second are those of roof_predict with the size's array at the board's clock and memory, by the
 * law of roofline/throughput.h. Its constants were fitted to the size that the board's images have; for
 * others they are carried over. For n cores, more than the board was measured with, contention goes on along
 * its law: memory_all cores_all / n, and per_layer_all along its line in n. Such rates are estimates. A
 * compiled model runs on its own size alone.
 * Source: docs/hardware/dpuczdx8g.md, "Sizes".
 */
#ifndef ROOFLINE_CONFIGURATIONS_H
#define ROOFLINE_CONFIGURATIONS_H

#include "roofline/prediction.h"

ROOF_BEGIN_C

#define ROOF_CONFIGURATIONS_SCHEMA "roofline.configurations/1"

typedef enum roof_resource {
    ROOF_RESOURCE_LUT,
    ROOF_RESOURCE_REGISTERS,
    ROOF_RESOURCE_BRAM36,
    ROOF_RESOURCE_URAM,
    ROOF_RESOURCE_DSP,
    ROOF_RESOURCES
} roof_resource;
ROOF_API const char *roof_resource_word(roof_resource resource);  /* "bram36" */
ROOF_API const char *roof_resource_words(roof_resource resource); /* for people: "BRAM36" */

typedef struct roof_configuration {
    const char *size; /* "B2304" */
    uint32_t cores;
    bool is_low_dsp;
    double needs[ROOF_RESOURCES]; /* of all cores, at least */
    double share_ratio[ROOF_RESOURCES];
    uint32_t uram_banks; /* of each core: its banks that are UltraRAM */
    uint32_t banks;      /* of each core */
    roof_resource binding;
    double cost_ratio; /* the share of it */
    bool is_held;
    uint32_t threads;
    double fps, fps_low, fps_high, latency_s; /* NaN: it is not held, or why says so */
    roof_load_bound bound;
    const char *why;  /* there are no images per second; NULL */
    bool is_own_size; /* of the board's entry: the constants were fitted to it */
    bool is_estimate; /* more cores than the board was measured with */
    bool is_fuller;   /* costs more than what the board is known to be built with */
    bool is_on_front;
    roof_held meets; /* the requested rate, by the range of fps; not known without a range, or of a part */
} roof_configuration;

typedef struct roof_configurations {
    const char *model, *hardware, *board; /* "resnet50", "zcu102", "ZCU102" */
    double device[ROOF_RESOURCES];
    double clock_hz;
    const char *logic_source, *memory_source; /* sources of the needs of logic and of block RAM */
    const char *own_size;                     /* of the board's entry; "" where none has its array */
    const char *only_size;                    /* the model is compiled for it; NULL: it is not compiled */
    uint32_t built_cores;                     /* of own_size, that the board's entry has */
    double built_cost_ratio;                  /* their cost; NaN: unknown */
    uint32_t measured_cores;                  /* that contention on the board is known of; 0: unknown */
    uint32_t asked_threads;                   /* 0: ROOF_THREADS_PER_CORE a core */
    const char *host;
    double host_s, asked_fps; /* NaN: none */
    uint32_t host_layers;     /* rows of the model that the host executes: in none of the times */
    roof_configuration *all;  /* in the order above; those that are not held are last */
    uint32_t n, n_held;
    uint32_t cheapest, most;  /* that is sure to meet asked_fps; of the highest rate. ROOF_NONE: none */
    uint32_t possible;        /* the cheapest of which it is expected, and not known; ROOF_NONE */
    struct roof_arena *arena; /* private */
} roof_configurations;

enum { ROOF_THREADS_PER_CORE = 4 };

typedef struct roof_configurations_request {
    double fps;                          /* more than 0; NaN: none */
    uint32_t threads;                    /* 0: ROOF_THREADS_PER_CORE a core */
    const char *host;                    /* as of roof_load; NULL: none */
    const roof_predict_options *predict; /* of cores, load, busy cores nothing is read; NULL: defaults */
} roof_configurations_request;

/* Says what each configuration of a board takes and makes.
 *
 * out: the caller frees it.
 * Errors: E_DATA where the entry lacks device.* (the message names boards that have it) or no size of its
 *   family states what it takes; E_UNSUPPORTED for a model that is compiled for none of the sizes; E_USAGE
 *   for a rate that is none; those of roof_predict.
 * Cost: a prediction for each that is held, at most some thirty.
 * Example (tests/unit/test_configurations.c): ResNet-50 on zcu102, of which 3 x B4096 needs at least 122 595
 *   of 274 080 LUTs, 1 926 of 2 520 DSP slices and 765 of 912 block RAMs: its cost is 0.839. */
ROOF_API roof_status roof_configurations_find(const roof_graph *graph, const roof_hw *board,
                                              const roof_configurations_request *requested,
                                              roof_configurations **out, roof_error *err);
ROOF_API void roof_configurations_free(roof_configurations *configurations);

ROOF_END_C
#endif
