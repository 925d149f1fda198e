#include "model/graph/unsupported.h"

#include <stdbool.h>
#include <string.h>

/* Weights of a model are not searched for a word without end. */
enum { MOST_SEARCHED = 16 << 20 };

static bool is_tflite(const unsigned char *bytes, uint64_t size)
{
    return size >= 8 && memcmp(bytes + 4, "TFL3", 4) == 0;
}

/* The operator that stands for a command stream. */
static bool is_of_vela(const unsigned char *bytes, uint64_t size)
{
    static const char op[] = "ethos-u";
    const size_t searched = size < MOST_SEARCHED ? (size_t)size : MOST_SEARCHED;
    return is_tflite(bytes, size) && memmem(bytes, searched, op, sizeof op - 1);
}

#define NOT_COMPILED                                                                                         \
    "not compiled, and what takes time is decided by a compiler: give what it writes, such as the .xmodel "  \
    "of vai_c (AMD DPU), the folder of stedgeai generate (STM32N6), vitisai_ep_report.json (Ryzen AI); "     \
    "`roofline formats` lists what can be read"

static const struct {
    bool (*is)(const unsigned char *bytes, uint64_t size);
    const char *advice;
} kinds[] = {
    {is_of_vela, "is a TFLite model that Vela compiled for an Arm Ethos-U, whose command streams cannot be "
                 "read; what Vela expects of each layer can: `roofline import NAME_per-layer.csv`, written "
                 "by vela --verbose-performance"},
    {is_tflite, "is a TFLite model, " NOT_COMPILED},
};

const char *unsupported_advice(const unsigned char *bytes, uint64_t size)
{
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
        if (kinds[i].is(bytes, size))
            return kinds[i].advice;
    return NULL;
}
