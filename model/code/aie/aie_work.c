/* From decoded control code to what a row asks for. */
#include "model/code/aie/aie_code.h"

#include <string.h>

void aie_set_work(const roof_control_code *code, roof_work *work)
{
    work->busiest_read_bytes = work->busiest_write_bytes = 0;
    for (uint32_t i = 0; i < code->n_channels; i++) {
        uint64_t *most = code->channels[i].is_read ? &work->busiest_read_bytes : &work->busiest_write_bytes;
        if (code->channels[i].bytes > *most)
            *most = code->channels[i].bytes;
    }
    /* of incomplete code a lower bound as well */
    if (!code->is_complete)
        return;
    roof_traffic *t = &work->traffic;
    work->bytes_basis = ROOF_BASIS_CODE;
    if (code->generation != ROOF_NONE) { /* a transaction */
        *t = (roof_traffic){ROOF_UNKNOWN, ROOF_UNKNOWN, code->write_bytes, 0, code->read_bytes};
        return;
    }
    *t = (roof_traffic){.output_bytes = code->write_bytes};
    for (uint32_t i = 0; i < code->n_arguments; i++)
        *(strcmp(code->arguments[i].name, "param") == 0  ? &t->weights_bytes
          : strcmp(code->arguments[i].name, "ctrl") == 0 ? &t->instruction_bytes
                                                         : &t->input_bytes) += code->arguments[i].read_bytes;
}
