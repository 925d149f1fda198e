/* reports/palette.h - the colours of all charts and of the report, by what they mean.
 *
 * Marks have a contrast of at least 3 to 1 on paper (WCAG 2.1, 1.4.11), and those that stand side by side are told apart by
 * people with any kind of colour blindness; tests/unit/test_palette.c computes both. reports/page/page.css has the dark
 * counterpart of each as --cRRGGBB. Shades of busy engines are no marks but a scale, which begins near paper; the numbers
 * stand beside them.
 */
#ifndef ROOF_REPORTS_PALETTE_H
#define ROOF_REPORTS_PALETTE_H

enum {
    ROOF_COLOUR_PAPER = 0xffffff,
    ROOF_COLOUR_INK = 0x1b1f24,
    ROOF_COLOUR_MUTED = 0x57606a, /* secondary text: 6.4 to 1 on paper */
    ROOF_COLOUR_GRID = 0xe4e7eb,
    ROOF_COLOUR_AXIS = 0x8b949e,
    ROOF_COLOUR_ARRAY = 0x0b5394,  /* bound by the MAC array */
    ROOF_COLOUR_SIDE = 0x0f8a5f,   /* bound by another engine: ALU, element-wise */
    ROOF_COLOUR_MEMORY = 0xb86e00, /* bound by the memory or a port to it */
    ROOF_COLOUR_OTHER = 0x757c86,  /* bound not known */
    ROOF_COLOUR_HOST = 0x33373d,   /* what the host takes, outside the accelerator's phases */
    ROOF_COLOUR_OVERHEAD = 0x9f74cf,
    ROOF_COLOUR_GAP = 0xa83222,
    ROOF_COLOUR_COMPUTE_REGION = 0xf1f6fb,
    ROOF_COLOUR_MEMORY_REGION = 0xfdf5ea,
    ROOF_COLOUR_IMPOSSIBLE_REGION = 0xf3f1f1, /* where no point can be */
    ROOF_COLOUR_BAND = 0xe3e9f1,              /* where a line may lie */
    ROOF_COLOUR_FLOOR = 0x8095b1, /* one hue, the darker the more real: floor, ideal, predicted, measured */
    ROOF_COLOUR_IDEAL = 0x567aad,
    ROOF_COLOUR_PREDICTED = 0x2f5487,
    ROOF_COLOUR_MEASURED = 0x1b1f24,
    ROOF_COLOUR_BUSY_LEAST = 0xdbe7f3, /* ends of one hue for shares, read the same by everybody */
    ROOF_COLOUR_BUSY_MOST = 0x08306b
};

/* Shares in so many shades between the two; what does nothing at all stays paper. */
enum { ROOF_BUSY_LEVELS = 16 };

static inline unsigned roof_busy_colour(unsigned level)
{
    unsigned colour = 0;
    for (int shift = 16; shift >= 0; shift -= 8) {
        unsigned from = ROOF_COLOUR_BUSY_LEAST >> shift & 255, to = ROOF_COLOUR_BUSY_MOST >> shift & 255;
        colour |= (from * (ROOF_BUSY_LEVELS - 1 - level) + to * level) / (ROOF_BUSY_LEVELS - 1) << shift;
    }
    return colour;
}

#endif
