#include "cli/cli.h"
#include "core/platform/platform.h"
#include "core/error.h"
#include "core/quantity.h"

#include <stdio.h>
#include <string.h>

/* The name before the next '=', which out has, and how long it is; 0: there is none. */
static size_t take_own_name(const char *at, char out[CLI_OWN_NAME])
{
    const size_t length = strcspn(at, "=");
    if (!at[length] || !length || length >= CLI_OWN_NAME)
        return 0;
    snprintf(out, CLI_OWN_NAME, "%.*s", (int)length, at);
    return length;
}

bool cli_own_are_of_networks(const char *text)
{
    char name[CLI_OWN_NAME];
    return text && take_own_name(text, name) && os_may(OS_HERE, name, OS_MAY_BE);
}

roof_status cli_own_times_parse(const char *option, const char *text, cli_own_times *out, roof_error *err)
{
    out->n = 0;
    for (const char *at = text; at && *at;) {
        char seconds[40];
        const size_t name = out->n < CLI_MOST_OWN ? take_own_name(at, out->names[out->n]) : 0,
                     length = name ? strcspn(at + name + 1, ",") : 0;
        roof_own_time *own = &out->times[out->n];
        if (!length || length >= sizeof seconds)
            return error_set(
                err, ROOF_E_USAGE,
                "--%s: '%.60s' is no list of at most %d measured times; want names and times, such as %s",
                option, text, CLI_MOST_OWN,
                strcmp(option, "at") == 0 ? "a.onnx=15ms,b.onnx=8ms" : "rk3576-npu=15ms");
        snprintf(seconds, sizeof seconds, "%.*s", (int)length, at + name + 1);
        *own = (roof_own_time){.name = out->names[out->n]};
        TRY(quantity_parse(seconds, "s", &own->seconds, err));
        if (!(own->seconds > 0 && own->seconds < 1e4))
            return error_set(err, ROOF_E_USAGE, "--%s: '%s' is no time of an image", option, seconds);
        at += name + 1 + length;
        at += *at == ',';
        out->n++;
    }
    return ROOF_OK;
}

roof_status cli_own_times_sum(cli_own_times *own, const char *hw, const cli_workload *workload,
                              roof_error *err)
{
    const roof_predict_options options = {.explores = ROOF_EXPLORE_NOTHING, .no_steps = true};
    for (uint32_t i = 0; i < own->n; i++) {
        roof_prediction *p = NULL;
        TRY(cli_predict(own->names[i], hw, workload, &options, &p, err));
        own->sums[i] = p->total.sums;
        own->times[i].sums = &own->sums[i];
        roof_prediction_free(p);
        if (!(own->sums[i].rows > 0))
            return error_set(
                err, ROOF_E_USAGE,
                "--at %.200s: its sums are unknown on this hardware, so that its time tells nothing of "
                "others",
                own->names[i]);
    }
    return ROOF_OK;
}
