#include "model/code/aie/aie_shim.h"

enum {
    DESCRIPTORS_AT = 0x1D000,
    QUEUES_AT = 0x1D204, /* every 8 bytes one: S2MM 0, S2MM 1, MM2S 0, MM2S 1 */
    FIRST_READ_CHANNEL = 2,
    MOST_BUFFERS = 256
};

uint32_t aie_shim_descriptor_at(uint32_t offset, uint32_t *word)
{
    uint32_t at = (offset - DESCRIPTORS_AT) / 4;
    if (offset < DESCRIPTORS_AT || at >= AIE_DESCRIPTORS * AIE_DESCRIPTOR_WORDS)
        return ROOF_NONE;
    *word = at % AIE_DESCRIPTOR_WORDS;
    return at / AIE_DESCRIPTOR_WORDS;
}

static roof_status open_column(aie_shim *s, uint32_t column)
{
    if (s->columns[column])
        return ROOF_OK;
    TRY(ARENA_GET(s->scratch, s->columns[column], AIE_DESCRIPTORS, s->err));
    for (uint32_t i = 0; i < AIE_DESCRIPTORS; i++)
        s->columns[column][i].buffer = ROOF_NONE;
    return ROOF_OK;
}

/* ---- pushes -------------------------------------------------------------------------------------------- */

static roof_status add_bytes(aie_shim *s, uint64_t *sum, uint64_t bytes)
{
    if (__builtin_add_overflow(*sum, bytes, sum))
        return error_set(s->err, ROOF_E_LIMIT, "the bytes of its transfers overflow 64 bits");
    return ROOF_OK;
}

roof_status aie_shim_move(aie_shim *s, const aie_transfer *t)
{
    uint32_t channel = t->channel + (t->is_read ? FIRST_READ_CHANNEL : 0);
    uint32_t i = 0;
    while (i < s->n_buffers && s->buffers[i].number != t->buffer)
        i++;
    if (i == MOST_BUFFERS)
        return error_set(s->err, ROOF_E_LIMIT, "transfers of more than %d arguments", MOST_BUFFERS);
    if (i == s->n_buffers)
        TRY(ARENA_ADD(s->scratch, s->buffers, s->n_buffers, s->err, (aie_buffer){.number = t->buffer}));
    TRY(add_bytes(s, &s->buffers[i].bytes[t->is_read], t->bytes));
    TRY(add_bytes(s, &s->channels[t->column][channel], t->bytes));
    return add_bytes(s, t->is_read ? &s->out->read_bytes : &s->out->write_bytes, t->bytes);
}

/* The descriptors of a chain in order. Returns how many; 0: one was never written, or there is no end. */
static uint32_t follow_chain(const aie_shim *s, uint32_t column, uint32_t first,
                             const aie_descriptor *chain[AIE_DESCRIPTORS])
{
    uint32_t at = first;
    for (uint32_t n = 0; n < AIE_DESCRIPTORS;) {
        const aie_descriptor *d = s->columns[column] ? &s->columns[column][at] : NULL;
        if (!d || !(d->written & 1))
            return 0;
        chain[n++] = d;
        uint32_t control = d->words[AIE_DESCRIPTOR_WORDS - 1];
        if (!(control >> 26 & 1))
            return n;
        at = control >> 27 & 15;
    }
    return 0;
}

/* ---- registers ----------------------------------------------------------------------------------------- */

roof_status aie_shim_write(aie_shim *s, uint32_t column, uint32_t row, uint32_t offset, uint32_t value)
{
    uint32_t word, descriptor = row ? ROOF_NONE : aie_shim_descriptor_at(offset, &word);
    const uint32_t queue = (offset - QUEUES_AT) / 8;
    if (!row && offset >= QUEUES_AT && (offset - QUEUES_AT) % 8 == 0 && queue < AIE_CHANNELS) {
        const aie_descriptor *chain[AIE_DESCRIPTORS];
        uint32_t n = follow_chain(s, column, value & 15, chain);
        uint64_t times = (value >> 16 & 255) + 1;
        s->out->pushes++;
        s->out->unresolved_pushes += n == 0;
        for (uint32_t i = 0; i < n; i++) {
            const aie_transfer t = {.column = column,
                                    .channel = queue % FIRST_READ_CHANNEL,
                                    .buffer = chain[i]->buffer,
                                    .is_read = queue >= FIRST_READ_CHANNEL,
                                    .bytes = 4 * times * chain[i]->words[0]};
            TRY(aie_shim_move(s, &t));
        }
        return ROOF_OK;
    }
    if (descriptor == ROOF_NONE) {
        s->out->configuration_bytes += 4;
        return ROOF_OK;
    }
    TRY(open_column(s, column));
    aie_descriptor *d = &s->columns[column][descriptor];
    d->words[word] = value;
    d->written |= 1u << word;
    if (word == 1 || word == 2) /* the address: it points elsewhere now */
        d->buffer = ROOF_NONE;
    return ROOF_OK;
}

roof_status aie_shim_name(aie_shim *s, uint32_t column, uint32_t descriptor, uint32_t buffer)
{
    TRY(open_column(s, column));
    s->columns[column][descriptor].buffer = buffer;
    return ROOF_OK;
}

/* ---- the result ---------------------------------------------------------------------------------------- */

roof_status aie_shim_finish(const aie_shim *s, const char *const *names, uint32_t n, roof_arena *arena)
{
    bool only_reads = s->out->generation != ROOF_NONE && s->out->read_bytes && !s->out->write_bytes;
    s->out->is_complete = !s->out->unresolved_pushes && !only_reads;
    roof_code_argument *arguments;
    TRY(ARENA_GET(arena, arguments, s->n_buffers, s->err));
    for (uint32_t i = 0; i < s->n_buffers; i++) {
        const aie_buffer *b = &s->buffers[i];
        arguments[i] = (roof_code_argument){
            .name = b->number == ROOF_NONE ? "?"
                    : names && b->number < n
                        ? names[b->number]
                        : arena_printf(arena, names ? "class %" PRIu32 : "%" PRIu32, b->number),
            .read_bytes = b->bytes[true],
            .write_bytes = b->bytes[false]};
    }
    s->out->arguments = arguments;
    s->out->n_arguments = s->n_buffers;
    TRY(arena_status(arena, s->err));
    static const uint32_t order[AIE_CHANNELS] = {2, 3, 0, 1};
    roof_code_channel *channels = NULL;
    for (uint32_t column = 0; column < AIE_COLUMNS; column++)
        for (uint32_t i = 0; i < AIE_CHANNELS; i++) {
            uint64_t bytes = s->channels[column][order[i]];
            if (!bytes)
                continue;
            TRY(ARENA_ADD(arena, channels, s->out->n_channels, s->err,
                          (roof_code_channel){.column = column,
                                              .channel = order[i] % FIRST_READ_CHANNEL,
                                              .is_read = order[i] >= FIRST_READ_CHANNEL,
                                              .bytes = bytes}));
        }
    s->out->channels = channels;
    return ROOF_OK;
}

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
