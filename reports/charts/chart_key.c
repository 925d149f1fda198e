#include "reports/charts/figure.h"

enum { MARGIN_PX = 16, LINE_PX = 18, BESIDE_PX = 6, SMALL_PX = 14, WIDE_PX = 22, STEP_PX = 7, AREA_PX = 5 };

#define LINE_HALF_PX 1.1

static void put_mark(chart_figure *f, const chart_key *key, double x, double y)
{
    static const struct {
        unsigned n;
        double step_px, width_px, half_px;
    } swatches[] = {[KEY_SWATCH] = {1, 0, SMALL_PX, 6},
                    [KEY_HATCHED] = {1, 0, SMALL_PX, 6},
                    [KEY_BACK] = {1, 0, SMALL_PX, 6},
                    [KEY_CROSSED] = {1, 0, SMALL_PX, 6},
                    [KEY_THIN] = {1, 0, SMALL_PX, 2.5},
                    [KEY_LINE] = {1, 0, WIDE_PX, LINE_HALF_PX},
                    [KEY_DASHES] = {3, 8.5, 5, LINE_HALF_PX},
                    [KEY_AREA] = {1, 0, WIDE_PX, AREA_PX},
                    [KEY_SCALE] = {BUSY_LEVELS, STEP_PX, STEP_PX, 6}};
    const bool is_disc = key->mark == KEY_DISC,
               is_hatched = key->mark == KEY_HATCHED || key->mark == KEY_CROSSED,
               is_back = key->mark == KEY_BACK || key->mark == KEY_CROSSED;
    for (unsigned i = 0; i < swatches[key->mark].n; i++) {
        const double left = i * swatches[key->mark].step_px;
        figure_swatch(f, x + left, x + (left + swatches[key->mark].width_px), y, swatches[key->mark].half_px,
                      key->mark == KEY_SCALE ? busy_colour(i) : key->colour);
    }
    for (int i = 0; i < 2 && (key->mark == KEY_MARK || key->mark == KEY_RULE); i++)
        figure_add(f, key->mark == KEY_MARK ? (figure_ornament){RULES, {x + 7 + i, y - 6, 0, 12, key->colour}}
                                            : (figure_ornament){RULES, {x + 9 * i, y, 5, 0, key->colour}});
    if (key->mark == KEY_DOT || is_disc)
        figure_add(f,
                   (figure_ornament){
                       DISCS, {x + (is_disc ? WIDE_PX : SMALL_PX) / 2.0, y, is_disc ? 4 : 2.5, key->colour}});
    if (key->mark == KEY_UNKNOWN)
        figure_hatch(f, x, x + SMALL_PX, y - 6, y + 6);
    if (key->mark == KEY_AREA)
        figure_swatch(f, x, x + WIDE_PX, y - AREA_PX, LINE_HALF_PX, key->edge);
    /* As in the plot: what is lost is hatched, so that it is told from its neighbours without colours too. */
    for (int i = 0; i < 4 && (is_hatched || is_back); i++) {
        double left = x - 6 + 5 * i, from = fmax(left, x), to = fmin(left + 12, x + SMALL_PX),
               off = 6 - (from - left);
        if (is_hatched)
            figure_add(f, (figure_ornament){RULES, {from, y - off, to - from, to - from, COLOUR_PAPER}});
        if (is_back)
            figure_add(f, (figure_ornament){RULES, {from, y + off, to - from, from - to, COLOUR_PAPER}});
    }
}

double chart_key_put(chart_figure *f, double top_px, const chart_key *keys, size_t n)
{
    const double left = MARGIN_PX, right = f->canvas.width_px - MARGIN_PX;
    double x = left, y = top_px + LINE_PX / 2.0;
    for (size_t i = 0; i < n; i++) {
        const bool is_wide = keys[i].mark >= KEY_LINE;
        const double mark = !keys[i].mark               ? 0
                            : keys[i].mark == KEY_SCALE ? BUSY_LEVELS * STEP_PX + BESIDE_PX
                            : is_wide                   ? WIDE_PX + BESIDE_PX
                                                        : SMALL_PX + BESIDE_PX;
        if (!keys[i].words)
            continue;
        const char *words = figure_shorten(f, keys[i].words, LETTER_SMALL, right - left - mark);
        const double width = mark + figure_text_width_px(words, LETTER_SMALL);
        if (x > left && x + width > right) {
            x = left;
            y += LINE_PX;
        }
        put_mark(f, &keys[i], x, y);
        figure_put(f, x + mark, y, ANCHOR_LEFT, LETTER_SMALL, mark > 0 ? COLOUR_INK : COLOUR_MUTED, words);
        x += width + (is_wide ? 22 : 16);
    }
    return n ? y + LINE_PX / 2.0 : top_px;
}
