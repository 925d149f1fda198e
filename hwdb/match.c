/* From the fingerprint in a model to an entry, corrected by what the fingerprint itself says. */
#include "hwdb/builtin.h"
#include "hwdb/hwdb.h"
#include "roofline/fingerprint.h"

#include <strings.h>

typedef struct fingerprint_value {
    const char *key, *unit;
    uint64_t value; /* ROOF_UNKNOWN: the fingerprint does not say */
    bool is_engine; /* 0 means that it is not built in */
} fingerprint_value;

static uint64_t widen(uint32_t value)
{
    return value == ROOF_NONE ? ROOF_UNKNOWN : value;
}

static roof_status apply_config(roof_hw *hw, const roof_dpu_config *c, roof_error *err)
{
    char source[40];
    const fingerprint_value rows[] = {
        {"conv.pixel_parallel", "lanes", widen(c->pixel_parallel), true},
        {"conv.input_channel_parallel", "lanes", widen(c->input_channel_parallel), true},
        {"conv.output_channel_parallel", "lanes", widen(c->output_channel_parallel), true},
        {"conv.channel_augmentation", "lanes", widen(c->channel_augmentation), false},
        {"alu.pixel_parallel", "lanes", widen(c->alu_pixel_parallel), true},
        {"dwconv.pixel_parallel", "lanes", widen(c->dwconv_pixel_parallel), true},
        {"pool.pixel_parallel", "lanes", widen(c->pool_pixel_parallel), true},
        {"eltwise.pixel_parallel", "lanes", widen(c->eltwise_pixel_parallel), true},
        {"eltwise.channel_parallel", "lanes", widen(c->side_channel_parallel), true},
        {"image_banks.groups", "count", widen(c->image_groups), false},
        {"image_banks.bytes", "B", c->image_bytes, false},
        {"convw.bank_base", "count", widen(c->convw_bank_base), false},
        {"batch", "count", widen(c->batch), true},
        {"aie.cores", "count", widen(c->aie_cores), true},
    };
    if (!roof_hw_get(hw, "conv.pixel_parallel"))
        return ROOF_OK; /* its cost model does not count lanes, see the notes of the entry */
    snprintf(source, sizeof source, "fingerprint 0x%016" PRIx64, c->fingerprint);
    FOR_EACH(const fingerprint_value, t, rows, N_OF(rows)) {
        const roof_quantity q = {t->key, (double)t->value, t->unit, ROOF_KIND_VENDOR_FILE, source, NULL};
        if (t->is_engine && t->value == 0)
            hwdb_hw_remove(hw, t->key);
        else if (t->value != ROOF_UNKNOWN)
            TRY(hwdb_hw_put(hw, &q, source, true, err));
    }
    return ROOF_OK;
}

/* Channels of engines that an entry has only because of the fingerprint, and the other way round. */
static roof_status match_channels(roof_hw *hw, const roof_dpu_config *c, roof_error *err)
{
    static const struct {
        const char *pixels, *channels;
    } engines[] = {{"alu.pixel_parallel", "alu.channel_parallel"},
                   {"dwconv.pixel_parallel", "dwconv.channel_parallel"},
                   {"pool.pixel_parallel", "pool.channel_parallel"}};
    for (size_t i = 0; i < N_OF(engines); i++) {
        const roof_quantity *pixels = roof_hw_get(hw, engines[i].pixels);
        if (!pixels) {
            hwdb_hw_remove(hw, engines[i].channels);
        } else if (!roof_hw_get(hw, engines[i].channels) && c->side_channel_parallel != ROOF_NONE) {
            const roof_quantity q = {engines[i].channels, c->side_channel_parallel, "lanes",
                                     pixels->kind,        pixels->source,           NULL};
            TRY(hwdb_hw_put(hw, &q, q.source, true, err));
        }
    }
    return ROOF_OK;
}

roof_status roof_hw_match(uint64_t fingerprint, roof_hw **out, roof_error *err)
{
    roof_dpu_config config;
    roof_hw *hw = NULL;
    *out = NULL;
    TRY(roof_fingerprint_decode(fingerprint, &config, err));
    /* among entries of the same family, instruction set and size, the one whose listed fingerprint differs
     * in the fewest bits; the first in order of fingerprint on a tie */
    const uint64_t mask = hwdb_fingerprint_mask(fingerprint);
    const hwdb_builtin *entry = NULL;
    int best = 65;
    for (size_t i = 0; i < hwdb_n_builtin_fingerprints; i++) {
        const uint64_t differ = hwdb_builtin_fingerprints[i].fingerprint ^ fingerprint;
        if (differ & mask || __builtin_popcountll(differ) >= best)
            continue;
        best = __builtin_popcountll(differ);
        entry = &hwdb_builtins[hwdb_builtin_fingerprints[i].index];
    }
    if (!entry)
        return error_set(err, ROOF_E_NO_INPUT,
                         "no hardware for fingerprint 0x%016" PRIx64 " (%s); `roofline hw list` names all",
                         fingerprint, config.text);
    roof_status status = roof_hw_load(entry->listing.id, &hw, err);
    THEN(status, apply_config(hw, &config, err));
    THEN(status, match_channels(hw, &config, err));
    char note[300];
    if (status == ROOF_OK) {
        snprintf(
            note, sizeof note,
            "The model's fingerprint tells the engines, not the board: clock, cores and memory are those "
            "of %s%s%s.",
            roof_hw_id(hw), *roof_hw_board(hw) ? " on " : "", roof_hw_board(hw));
        status = hwdb_hw_add_note(hw, note, err);
    }
    return GIVE(status, out, hw, roof_hw_free);
}

/* --- whether two entries are of different devices, where measurements of one say nothing of the other --- */

bool roof_hw_is_other(const roof_hw *a, const roof_hw *b)
{
    /* Keys that distinguish accelerators of one family. */
    static const char *const shapes[] = {"conv.pixel_parallel",
                                         "conv.input_channel_parallel",
                                         "conv.output_channel_parallel",
                                         "mac.int8xint8",
                                         "array.rows",
                                         "batch"};
    if (strcasecmp(roof_hw_id(a), roof_hw_id(b)) == 0)
        return false;
    for (size_t i = 0; i < N_OF(shapes); i++) {
        const roof_quantity *x = roof_hw_get(a, shapes[i]), *y = roof_hw_get(b, shapes[i]);
        if (x && y && x->value != y->value)
            return true;
    }
    const char *of_a = roof_hw_board(a), *of_b = roof_hw_board(b);
    return strcmp(roof_hw_family(a), roof_hw_family(b)) != 0 ||
           (*of_a && *of_b && strcasecmp(of_a, of_b) != 0 && !roof_hw_board_is_assumed(a) &&
            !roof_hw_board_is_assumed(b));
}
