/* Texts of VART 2.5 and XRT 2.13 as seen, but for the hang, which is from VART's source (xrt_cu.cpp). */
#include "measure/run/runner.h"

#include <ctype.h>
#include <strings.h>

enum { LONGEST_LINE = 299 }; /* of its last words */

static const struct death {
    const char *mark; /* in its messages */
    const char *sentence, *advice;
} deaths[] = {
    {"!the_factory_methods.empty()", "VART finds no DPU on this machine",
     "run it on the board, with the overlay of the DPU loaded (xmutil loadapp); show_dpu lists what is "
     "there"},
    {"xrt_bin_stream.cpp", "VART finds no xclbin with a DPU",
     "name it in the environment, --set XLNX_VART_FIRMWARE=/path/dpu.xclbin, or in /etc/vart.conf"},
    {"fingerprint check failure", "the model was compiled for another DPU than the one that is there",
     "compile it for that DPU's arch.json; show_dpu has its fingerprint, `roofline inspect` the model's"},
    {"dpu timeout!", "the DPU did not finish in time",
     "load the overlay again or restart the board; XLNX_DPU_TIMEOUT is how many ms VART waits"},
    {"waiting for process to release the resource", "another process has the DPU, and VART waits for it",
     "end that one, or wait longer, --timeout; `fuser /tmp/DPU_0` tells which one it is"},
    {"XIR_READ_PB_FAILURE", "XIR cannot read the model",
     "check that the file is whole and an .xmodel: `roofline inspect` says what is wrong with it"},
    {"XIR_INVALID_ATTR_OCCUR", "the model is of a compiler that this XIR does not read any more",
     "compile it again with Vitis AI 1.3 or later"},
    {"XIR_INVALID_DATA_TYPE", "the model is of a compiler that this XIR does not read any more",
     "compile it again with Vitis AI 1.3 or later"},
    {"VART_RUNNER_CONSTRUCTION_FAIL", "VART cannot load the library that runs the DPU",
     "install libvart-dpu-runner, or name it, --option lib=libvart-dpu-runner.so.2"},
    {"XILINX_XRT not set", "XRT does not find its own libraries",
     "source XRT's setup.sh, or set XILINX_XRT to the folder that has lib/libxrt_core.so.2"},
    {"No such library", "XRT does not find its own libraries",
     "set XILINX_XRT to the folder that has lib/libxrt_core.so.2"},
};

/* "F1122 14:03:07.123456  4711 dpu_controller.cpp:44] Check failed: ...": how glog writes what is fatal. */
static bool is_fatal(text_span line)
{
    return line.length > 5 && line.text[0] == 'F' && isdigit((unsigned char)line.text[1]) &&
           isdigit((unsigned char)line.text[2]);
}

static bool complains(text_span line)
{
    static const char *const words[] = {
        "error", "fatal", "terminate", "what():", "cannot", "failed", "abort"};
    for (size_t i = 0; i < N_OF(words); i++)
        for (size_t at = 0; at + strlen(words[i]) <= line.length; at++)
            if (strncasecmp(line.text + at, words[i], strlen(words[i])) == 0)
                return true;
    return false;
}

/* is NULL: any that says something. */
static bool find_line(const char *text, bool (*is)(text_span line), text_span *out)
{
    text_span rest = span_of(text);
    while (rest.length) {
        *out = span_trim(span_take_line(&rest));
        if (is ? is(*out) : out->length > 0)
            return true;
    }
    return false;
}

roof_status runner_tell_death(const child *c, const char *how, bool has_name, roof_error *err)
{
    bool (*const kinds[])(text_span) = {is_fatal, complains, NULL};
    char shown[400];
    text_span found = {"", 0};
    for (size_t i = 0; i < N_OF(deaths); i++)
        if (strstr(c->said, deaths[i].mark) || strstr(c->last, deaths[i].mark))
            return error_set(err, ROOF_E_DEVICE, "%s%s%s; %s", has_name ? how : "", has_name ? ": " : "",
                             deaths[i].sentence, deaths[i].advice);
    for (size_t i = 0; i < N_OF(kinds); i++)
        if (find_line(c->said, kinds[i], &found) || find_line(c->last, kinds[i], &found))
            break;
    const char *head = memmem(found.text, found.length, "] ", 2); /* of glog: when and where */
    if (head && is_fatal(found)) {
        found.length -= (size_t)(head + 2 - found.text);
        found.text = head + 2;
    }
    quote_text(shown, sizeof shown, found.text, found.length < LONGEST_LINE ? found.length : LONGEST_LINE);
    return error_set(err, ROOF_E_DEVICE, "%s%s%s", how, found.length ? ": " : "", shown);
}
