#include "measure/npu_runtime.h"
#include "core/error.h"
#include "core/quantity.h"
#include "measure/npu_text.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

bool npu_runtime_is_config(text_span message)
{
    return span_begins(message, "s:config:");
}

static roof_status set_clock(npu_runtime *r, st_domain domain, text_span value, roof_error *err)
{
    char text[40], shown[SHOWN_SIZE];
    double hz = NAN;
    bool fits = value.length && value.length < sizeof text;
    if (fits) {
        memcpy(text, value.text, value.length);
        text[value.length] = '\0';
    }
    bool is_bare = fits && number_parse(text, value.length, &hz) == value.length; /* in Hz */
    if (!fits || (!is_bare && quantity_parse(text, "Hz", &hz, NULL) != ROOF_OK) || !(hz >= 1 && isfinite(hz)))
        return error_set(err, ROOF_E_DATA, "%s_freq is '%s', want a clock, as in 800MHz",
                         st_domain_text(domain), span_show(value, shown));
    /* whole MHz say nothing new of a clock that is known to the Hertz */
    if (floor(r->clocks.hz[domain] / 1e6) * 1e6 != hz)
        r->clocks.hz[domain] = hz;
    return ROOF_OK;
}

/* "fpu,npu_cache=1,mcu_freq=800MHz," and more on the next line, as the article breaks it. */
static roof_status read_attributes(npu_runtime *r, text_span value, roof_error *err)
{
    r->attributes_go_on = value.length && value.text[value.length - 1] == ',';
    while (value.length) {
        text_span piece = span_trim(npu_until(&value, ","));
        for (unsigned i = 0; i < ST_DOMAINS; i++) {
            char key[16];
            snprintf(key, sizeof key, "%s_freq=", st_domain_text(i));
            if (span_begins(piece, key))
                TRY(set_clock(r, i, (text_span){piece.text + strlen(key), piece.length - strlen(key)}, err));
        }
        npu_scan(&value, ",", NULL);
    }
    return ROOF_OK;
}

/* "s:config:mcu_freq:800000000": exact, where attributes are in whole MHz. */
roof_status npu_runtime_config(npu_runtime *r, text_span message, roof_error *err)
{
    for (unsigned i = 0; i < ST_DOMAINS; i++) {
        char key[32];
        snprintf(key, sizeof key, "s:config:%s_freq:", st_domain_text(i));
        if (span_begins(message, key))
            return set_clock(r, i, (text_span){message.text + strlen(key), message.length - strlen(key)},
                             err);
    }
    return ROOF_OK;
}

/* Versions, which decide about times; models of one file mostly have the same. */
static roof_status remark(npu_runtime *r, import_state *in, const char *what, text_span value,
                          roof_error *err)
{
    char shown[SHOWN_SIZE];
    roof_measured *m = in->out;
    span_show(value, shown);
    if (r->remarked && strstr(r->remarked, shown))
        return ROOF_OK;
    size_t length = (r->remarked ? strlen(r->remarked) : 0) + strlen(shown) + 2;
    enum { MOST_BYTES = 2000 };
    char text[MOST_BYTES];
    if (length >= sizeof text)
        return ROOF_OK;
    snprintf(text, sizeof text, "%s%s\n", r->remarked ? r->remarked : "", shown);
    r->remarked = measured_text(m, text, strlen(text));
    import_note(in, "%s: %s", what, shown);
    return r->remarked ? ROOF_OK : error_memory(err);
}

roof_status npu_runtime_line(npu_runtime *r, import_state *in, text_span message, roof_error *err)
{
    static const char *const remarked[] = {"tools", "runtime lib", "device.desc"};
    text_span key, value;
    if (r->attributes_go_on)
        return read_attributes(r, message, err);
    if (!st_cut_pair(message, &key, &value) || !value.length)
        return ROOF_OK;
    if (span_is(key, "device.attrs"))
        return read_attributes(r, value, err);
    for (size_t i = 0; i < sizeof remarked / sizeof *remarked; i++)
        if (span_is(key, remarked[i]))
            return remark(r, in, remarked[i], value, err);
    return ROOF_OK;
}

roof_status npu_runtime_check(npu_runtime *r, st_domain domain, double mhz, uint64_t line, roof_error *err)
{
    double *hz = &r->clocks.hz[domain];
    if (isnan(mhz))
        return ROOF_OK;
    if (isnan(*hz))
        *hz = mhz * 1e6;
    if (floor(*hz / 1e6) != mhz)
        return error_line(err, ROOF_E_DATA, line, "a block with %s_freq=%.0fMHz, where %.6g MHz was stated",
                          st_domain_text(domain), mhz, *hz / 1e6);
    return ROOF_OK;
}
