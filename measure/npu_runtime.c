#include "measure/npu_runtime.h"
#include "core/error.h"
#include "core/quantity.h"
#include "measure/npu_text.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

bool roof_npu_runtime_is_config(roof_span message)
{
    return roof_span_begins(message, "s:config:");
}

static roof_status set_clock(roof_npu_runtime *r, roof_st_domain domain, roof_span value, roof_error *err)
{
    char text[40], shown[ROOF_SHOWN_SIZE];
    double hz = NAN;
    bool fits = value.length && value.length < sizeof text;
    if (fits) {
        memcpy(text, value.text, value.length);
        text[value.length] = '\0';
    }
    bool is_bare = fits && roof_number_parse(text, value.length, &hz) == value.length; /* in Hz */
    if (!fits || (!is_bare && roof_quantity_parse(text, "Hz", &hz, NULL) != ROOF_OK) ||
        !(hz >= 1 && isfinite(hz)))
        return roof_fail(err, ROOF_E_DATA, "%s_freq is '%s', want a clock, as in 800MHz",
                         roof_st_domain_text(domain), roof_span_show(value, shown));
    /* whole MHz say nothing new of a clock that is known to the Hertz */
    if (floor(r->clocks.hz[domain] / 1e6) * 1e6 != hz)
        r->clocks.hz[domain] = hz;
    return ROOF_OK;
}

/* "fpu,npu_cache=1,mcu_freq=800MHz," and more on the next line, as the article breaks it. */
static roof_status read_attributes(roof_npu_runtime *r, roof_span value, roof_error *err)
{
    r->attributes_go_on = value.length && value.text[value.length - 1] == ',';
    while (value.length) {
        roof_span piece = roof_span_trim(roof_npu_until(&value, ","));
        for (unsigned i = 0; i < ROOF_ST_DOMAINS; i++) {
            char key[16];
            snprintf(key, sizeof key, "%s_freq=", roof_st_domain_text(i));
            if (roof_span_begins(piece, key))
                ROOF_TRY(
                    set_clock(r, i, (roof_span){piece.text + strlen(key), piece.length - strlen(key)}, err));
        }
        roof_npu_scan(&value, ",", NULL);
    }
    return ROOF_OK;
}

/* "s:config:mcu_freq:800000000": exact, where attributes are in whole MHz. */
roof_status roof_npu_runtime_config(roof_npu_runtime *r, roof_span message, roof_error *err)
{
    for (unsigned i = 0; i < ROOF_ST_DOMAINS; i++) {
        char key[32];
        snprintf(key, sizeof key, "s:config:%s_freq:", roof_st_domain_text(i));
        if (roof_span_begins(message, key))
            return set_clock(r, i, (roof_span){message.text + strlen(key), message.length - strlen(key)},
                             err);
    }
    return ROOF_OK;
}

/* Versions, which decide about times; models of one file mostly have the same. */
static roof_status remark(roof_npu_runtime *r, roof_import *in, const char *what, roof_span value,
                          roof_error *err)
{
    char shown[ROOF_SHOWN_SIZE];
    roof_measured *m = in->out;
    roof_span_show(value, shown);
    if (r->remarked && strstr(r->remarked, shown))
        return ROOF_OK;
    size_t length = (r->remarked ? strlen(r->remarked) : 0) + strlen(shown) + 2;
    enum { MOST_BYTES = 2000 };
    char text[MOST_BYTES];
    if (length >= sizeof text)
        return ROOF_OK;
    snprintf(text, sizeof text, "%s%s\n", r->remarked ? r->remarked : "", shown);
    r->remarked = roof_measured_text(m, text, strlen(text));
    roof_import_note(in, "%s: %s", what, shown);
    return r->remarked ? ROOF_OK : roof_fail_memory(err);
}

roof_status roof_npu_runtime_line(roof_npu_runtime *r, roof_import *in, roof_span message, roof_error *err)
{
    static const char *const remarked[] = {"tools", "runtime lib", "device.desc"};
    roof_span key, value;
    if (r->attributes_go_on)
        return read_attributes(r, message, err);
    if (!roof_st_cut_pair(message, &key, &value) || !value.length)
        return ROOF_OK;
    if (roof_span_is(key, "device.attrs"))
        return read_attributes(r, value, err);
    for (size_t i = 0; i < sizeof remarked / sizeof *remarked; i++)
        if (roof_span_is(key, remarked[i]))
            return remark(r, in, remarked[i], value, err);
    return ROOF_OK;
}

roof_status roof_npu_runtime_check(roof_npu_runtime *r, roof_st_domain domain, double mhz, uint64_t line,
                                   roof_error *err)
{
    double *hz = &r->clocks.hz[domain];
    if (isnan(mhz))
        return ROOF_OK;
    if (isnan(*hz))
        *hz = mhz * 1e6;
    if (floor(*hz / 1e6) != mhz)
        return roof_fail_line(err, ROOF_E_DATA, line,
                              "a block with %s_freq=%.0fMHz, where %.6g MHz was stated",
                              roof_st_domain_text(domain), mhz, *hz / 1e6);
    return ROOF_OK;
}
