#include "model/explore/resources.h"
#include "core/core.h"
#include "roofline/predictions.h"

static const struct {
    const char *word, *words;
} resources[ROOF_RESOURCES] = {[ROOF_RESOURCE_LUT] = {"lut", "LUT"},
                               [ROOF_RESOURCE_REGISTERS] = {"registers", "registers"},
                               [ROOF_RESOURCE_BRAM36] = {"bram36", "BRAM36"},
                               [ROOF_RESOURCE_URAM] = {"uram", "URAM"},
                               [ROOF_RESOURCE_DSP] = {"dsp", "DSP"}};

const char *roof_resource_word(roof_resource resource)
{
    return (unsigned)resource < ROOF_RESOURCES ? resources[resource].word : "";
}

const char *roof_resource_words(roof_resource resource)
{
    return (unsigned)resource < ROOF_RESOURCES ? resources[resource].words : "";
}

/* --- needs of one array --------------------------------------------------------------------------------- */

static double share(double needs, double has)
{
    return needs > 0 ? needs / has : 0; /* of what there is none of: infinite */
}

static void set_shares(const double *device, roof_configuration *c)
{
    c->cost_ratio = 0;
    c->binding = ROOF_RESOURCE_LUT;
    for (roof_resource r = 0; r < ROOF_RESOURCES; r++) {
        c->share_ratio[r] = share(c->needs[r], device[r]);
        if (!(c->share_ratio[r] > c->cost_ratio))
            continue;
        c->cost_ratio = c->share_ratio[r];
        c->binding = r;
    }
    c->is_held = c->cost_ratio <= 1;
}

void resources_take(const double device[ROOF_RESOURCES], const core_needs *core, roof_configuration *c)
{
    /* banks of each core that are UltraRAM: what leaves the larger share smallest, of equals the fewest */
    double least = INFINITY;
    c->banks = core->banks;
    for (uint32_t u = 0; u <= core->banks && u <= RESOURCES_MOST_BANKS; u++) {
        const double bram36 = c->cores * (core->banks - u) * core->bank_bram18 / 2,
                     uram = (double)c->cores * u * core->bank_uram;
        const double larger =
            fmax(share(bram36, device[ROOF_RESOURCE_BRAM36]), share(uram, device[ROOF_RESOURCE_URAM]));
        if (u && !(larger < least))
            continue;
        least = larger;
        c->uram_banks = u;
        c->needs[ROOF_RESOURCE_BRAM36] = bram36;
        c->needs[ROOF_RESOURCE_URAM] = uram;
    }
    roof_configuration low = *c;
    c->needs[ROOF_RESOURCE_LUT] = c->cores * core->high.lut;
    c->needs[ROOF_RESOURCE_REGISTERS] = c->cores * core->high.registers;
    c->needs[ROOF_RESOURCE_DSP] = c->cores * core->high.dsp;
    set_shares(device, c);
    low.is_low_dsp = true;
    low.needs[ROOF_RESOURCE_LUT] = low.cores * core->low.lut;
    low.needs[ROOF_RESOURCE_REGISTERS] = low.cores * core->low.registers;
    low.needs[ROOF_RESOURCE_DSP] = low.cores * core->low.dsp;
    set_shares(device, &low);
    if (low.cost_ratio < c->cost_ratio)
        *c = low;
}

/* --- ranking -------------------------------------------------------------------------------------------- */

void resources_compare(roof_configurations *of)
{
    double most = 0;
    /* configurations that need more than 1 do not fit, and are last */
    order_sort(of->all, of->n, sizeof *of->all,
               ORDER_BY(RISING(roof_configuration, cost_ratio),
                        RISING(roof_configuration, needs[ROOF_RESOURCE_DSP]),
                        FALLING(roof_configuration, fps), RISING(roof_configuration, cores)));
    of->n_held = 0;
    of->cheapest = of->possible = of->most = ROOF_NONE;
    for (uint32_t i = 0; i < of->n; i++) {
        roof_configuration *c = &of->all[i];
        of->n_held += c->is_held;
        c->is_fuller = c->is_held && c->cost_ratio > of->built_cost_ratio;
        c->is_on_front = c->is_held && c->fps > most;
        if (c->is_on_front) {
            most = c->fps;
            of->most = i;
        }
        /* more cores than were measured have no range; what leaves out the host makes no more than that */
        const double unknown = c->is_estimate ? NAN : 0;
        const roof_load_point load = {
            .fps = c->fps, .fps_low = c->fps_low + unknown, .fps_high = c->fps_high + unknown};
        const roof_pair pair = {.expected_s = NAN,
                                .best_s = NAN,
                                .load = &load,
                                .host_layers = of->host_s > 0 ? 0 : of->host_layers};
        const roof_answer makes = roof_pair_makes(&pair);
        c->meets = c->is_held ? roof_answer_within(&makes, of->asked_fps, true) : ROOF_HELD_BROKEN;
        if (c->meets == ROOF_HELD_KEPT && of->cheapest == ROOF_NONE)
            of->cheapest = i;
        if (c->meets == ROOF_HELD_NOT_KNOWN && c->fps >= of->asked_fps && of->possible == ROOF_NONE)
            of->possible = i;
    }
    if (of->possible == ROOF_NONE && of->most != ROOF_NONE &&
        of->all[of->most].meets == ROOF_HELD_NOT_KNOWN && !isnan(of->asked_fps))
        of->possible = of->most;
}
