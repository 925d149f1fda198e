/* Who cannot tell some colours apart reads the charts all the same, in either theme. */
#include "reports/embedded.h"
#include "reports/charts/palette.h"
#include "tests/unit/fixture.h"

typedef struct linear {
    double r, g, b;
} linear;

static const struct {
    const char *name;
    unsigned colour;
    bool is_on_region; /* a disc that shows a little of what lies behind it */
    int group;         /* marks of one group stand side by side */
} marks[] = {
    {"array", COLOUR_ARRAY, true, 0},        {"side engine", COLOUR_SIDE, true, 0},
    {"memory", COLOUR_MEMORY, true, 0},      {"other", COLOUR_OTHER, true, 0},
    {"host", COLOUR_HOST, false, 0},         {"overhead", COLOUR_OVERHEAD, false, 0},
    {"gap", COLOUR_GAP, false, 0},           {"floor", COLOUR_FLOOR, false, 1},
    {"ideal", COLOUR_IDEAL, false, 1},       {"predicted", COLOUR_PREDICTED, false, 1},
    {"measured", COLOUR_MEASURED, false, 1},
};

/* Machado, Oliveira, Fernandes, "A Physiologically-based Model for Simulation of Color Vision Deficiency",
 * 2009, for the whole loss of a cone; of linear light. */
static const struct {
    const char *name;
    double m[3][3];
} eyes[] = {
    {"all cones", {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}},
    {"protanopia",
     {{0.152286, 1.052583, -0.204868}, {0.114503, 0.786281, 0.099216}, {-0.003882, -0.048116, 1.051998}}},
    {"deuteranopia",
     {{0.367322, 0.860646, -0.227968}, {0.280085, 0.672501, 0.047413}, {-0.011820, 0.042940, 0.968881}}},
    {"tritanopia",
     {{1.255528, -0.076749, -0.178779}, {-0.078411, 0.930809, 0.147602}, {0.004733, 0.691367, 0.303900}}},
};

static double light_of(unsigned part)
{
    double v = (part & 255) / 255.0;
    return v <= 0.04045 ? v / 12.92 : pow((v + 0.055) / 1.055, 2.4);
}

static linear light(unsigned colour)
{
    return (linear){light_of(colour >> 16), light_of(colour >> 8), light_of(colour)};
}

/* WCAG 2.1, "contrast ratio". */
static double contrast(unsigned a, unsigned b)
{
    double y[2];
    for (int i = 0; i < 2; i++) {
        linear c = light(i ? b : a);
        y[i] = 0.2126 * c.r + 0.7152 * c.g + 0.0722 * c.b + 0.05;
    }
    return fmax(y[0], y[1]) / fmin(y[0], y[1]);
}

static linear seen_by(size_t eye, unsigned colour)
{
    const double(*m)[3] = eyes[eye].m;
    linear c = light(colour);
    double out[3];
    for (int i = 0; i < 3; i++)
        out[i] = fmin(1, fmax(0, m[i][0] * c.r + m[i][1] * c.g + m[i][2] * c.b));
    return (linear){out[0], out[1], out[2]};
}

static double bent(double t)
{
    return t > 216.0 / 24389 ? cbrt(t) : t * 841 / 108 + 4.0 / 29;
}

/* CIE 1976, in L*a*b* under D65: 2.3 is just seen. */
static double distance(size_t eye, unsigned a, unsigned b)
{
    double lab[2][3];
    for (int i = 0; i < 2; i++) {
        linear c = seen_by(eye, i ? b : a);
        double x = bent((0.4124 * c.r + 0.3576 * c.g + 0.1805 * c.b) / 0.95047),
               y = bent(0.2126 * c.r + 0.7152 * c.g + 0.0722 * c.b),
               z = bent((0.0193 * c.r + 0.1192 * c.g + 0.9505 * c.b) / 1.08883);
        lab[i][0] = 116 * y;
        lab[i][1] = 500 * (x - y);
        lab[i][2] = 200 * (y - z);
    }
    return sqrt(pow(lab[0][0] - lab[1][0], 2) + pow(lab[0][1] - lab[1][1], 2) +
                pow(lab[0][2] - lab[1][2], 2));
}

/* What the page shows in the dark in place of a colour. */
static unsigned dark_of(unsigned colour)
{
    char name[20];
    const char *dark = strstr(embedded_text("page.css"), "prefers-color-scheme: dark");
    assert_non_null(dark);
    snprintf(name, sizeof name, "--c%06x: #", colour);
    const char *at = strstr(dark, name);
    assert_non_null(at);
    return (unsigned)strtoul(at + strlen(name), NULL, 16);
}

static unsigned shown(unsigned colour, bool dark)
{
    return dark ? dark_of(colour) : colour;
}

static void check_contrast(const char *name, unsigned mark, unsigned behind)
{
    if (contrast(mark, behind) < 3)
        fail_msg("%s: #%06x has a contrast of %.2f on #%06x", name, mark, contrast(mark, behind), behind);
}

/* 1/8 of what lies behind a disc shows through it: 0x20 in the scripts. */
static unsigned through(unsigned mark, unsigned behind)
{
    unsigned out = 0;
    for (int shift = 16; shift >= 0; shift -= 8)
        out |= (7 * (mark >> shift & 255) + (behind >> shift & 255)) / 8 << shift;
    return out;
}

static void marks_stand_out_from_what_is_behind_them(void **state)
{
    static const unsigned regions[] = {COLOUR_PAPER, COLOUR_COMPUTE_REGION, COLOUR_MEMORY_REGION,
                                       COLOUR_IMPOSSIBLE_REGION};
    (void)state;
    for (size_t i = 0; i < COUNT(marks); i++)
        for (int dark = 0; dark < 2; dark++) {
            unsigned mark = shown(marks[i].colour, dark);
            check_contrast(marks[i].name, mark, shown(COLOUR_PAPER, dark));
            for (size_t k = 0; k < COUNT(regions) && marks[i].is_on_region; k++) {
                unsigned behind = shown(regions[k], dark);
                check_contrast(marks[i].name, through(mark, behind), behind);
            }
        }
}

static void marks_side_by_side_differ_for_every_eye(void **state)
{
    const double least = 14; /* six times what is just seen */
    (void)state;
    for (size_t i = 0; i < COUNT(marks); i++)
        for (size_t k = 0; k < i; k++)
            for (size_t eye = 0; eye < COUNT(eyes) && marks[i].group == marks[k].group; eye++)
                for (int dark = 0; dark < 2; dark++) {
                    unsigned a = shown(marks[i].colour, dark), b = shown(marks[k].colour, dark);
                    if (distance(eye, a, b) < least)
                        fail_msg("%s and %s with %s: #%06x and #%06x are %.1f apart", marks[i].name,
                                 marks[k].name, eyes[eye].name, a, b, distance(eye, a, b));
                }
}

/* A script that is run by hand has its colours in itself: they are those of the palette, which the page
 * knows. */
static void scripts_use_no_other_colours(void **state)
{
    static const char *const scripts[] = {"begin.gp",     "texts.gp",    "roofline.gp",
                                          "time_bars.gp", "spread.gp",   "parity.gp",
                                          "engines.gp",   "overhead.gp", "devices.gp"};
    (void)state;
    for (size_t i = 0; i < COUNT(scripts); i++)
        for (const char *at = embedded_text(scripts[i]); *at; at++) {
            size_t begin = *at == '#' ? 1 : strncmp(at, "0x", 2) == 0 ? 2 : 0;
            if (begin && strspn(at + begin, "0123456789abcdef") == 6)
                (void)dark_of((unsigned)strtoul(at + begin, NULL, 16));
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(marks_stand_out_from_what_is_behind_them),
        cmocka_unit_test(marks_side_by_side_differ_for_every_eye),
        cmocka_unit_test(scripts_use_no_other_colours),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
