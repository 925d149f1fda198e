/* reports/charts/palette.h - the colours of all charts and of the report, by what they mean.
 *
 * Marks have a contrast of at least 3 to 1 on paper (WCAG 2.1, 1.4.11), and those that stand side by side
 * are distinguished by people with any kind of colour blindness; tests/unit/test_palette.c computes both.
 * reports/page/page.css has the dark counterpart of each as --cRRGGBB. Shades of busy engines are no marks
 * but a scale, which begins near paper; the numbers stand beside them.
 */
#pragma once

enum {
    COLOUR_PAPER = 0xffffff,
    COLOUR_INK = 0x1b1f24,
    COLOUR_MUTED = 0x57606a, /* secondary text: 6.4 to 1 on paper */
    COLOUR_GRID = 0xe4e7eb,
    COLOUR_AXIS = 0x8b949e,
    COLOUR_ARRAY = 0x0b5394,  /* bound by the MAC array */
    COLOUR_SIDE = 0x0f8a5f,   /* bound by another engine: ALU, element-wise */
    COLOUR_MEMORY = 0xb86e00, /* bound by the memory or a port to it */
    COLOUR_OTHER = 0x757c86,  /* bound unknown */
    COLOUR_HOST = 0x33373d,   /* what the CPU takes, outside the accelerator's phases */
    COLOUR_OVERHEAD = 0x9f74cf,
    COLOUR_GAP = 0xa83222,
    COLOUR_COMPUTE_REGION = 0xf1f6fb,
    COLOUR_MEMORY_REGION = 0xfdf5ea,
    COLOUR_IMPOSSIBLE_REGION = 0xf3f1f1, /* where no point can be */
    COLOUR_BAND = 0xe3e9f1,              /* where a line may lie */
    COLOUR_FLOOR = 0x8095b1, /* one hue, the darker the more real: floor, ideal, predicted, measured */
    COLOUR_IDEAL = 0x567aad,
    COLOUR_PREDICTED = 0x2f5487,
    COLOUR_MEASURED = 0x1b1f24,
    COLOUR_BUSY_LEAST = 0xdbe7f3, /* ends of one hue for shares, read the same by everybody */
    COLOUR_BUSY_MOST = 0x08306b,
    COLOUR_SAVE = 0x8a6d3b,      /* beside the memory's colour, where loading and saving are apart */
    COLOUR_WAIT_LOAD = 0xf2dcb8, /* a pale one of what is waited for */
    COLOUR_WAIT_SAVE = 0xe6dfd2,
    COLOUR_WAIT_ARRAY = 0xc4d7ec,
    COLOUR_WAIT_SIDE = 0xbfe3d3,
    COLOUR_STRIP = 0x9db2c9, /* layers take turns in two shades, with letters on them */
    COLOUR_STRIP_PALE = 0xd5dee8
};

/* Shares in so many shades between the two; what does nothing at all stays paper. */
enum { BUSY_LEVELS = 16 };

static inline unsigned busy_colour(unsigned level)
{
    unsigned colour = 0;
    for (int shift = 16; shift >= 0; shift -= 8) {
        unsigned from = COLOUR_BUSY_LEAST >> shift & 255, to = COLOUR_BUSY_MOST >> shift & 255;
        colour |= (from * (BUSY_LEVELS - 1 - level) + to * level) / (BUSY_LEVELS - 1) << shift;
    }
    return colour;
}
