/* tests/support/lm_config_writer.h - writes config.json files of language models as Hugging Face's library
 * does. */
#ifndef ROOF_TESTS_SUPPORT_LM_CONFIG_WRITER_H
#define ROOF_TESTS_SUPPORT_LM_CONFIG_WRITER_H

#include <stdbool.h>
#include <stdint.h>
#include "core/text.h"

typedef struct lmw_model {
    const char *name, *family;
    uint32_t hidden, inner, layers, heads, kv_heads, vocab, positions;
    uint32_t head_dim, window; /* 0: the file does not say */
    bool is_tied;
    uint64_t parameters;      /* as published */
    const char *quantization; /* NULL, or an object */
} lmw_model;

/* Published models; the last one has no name. */
extern const lmw_model lmw_models[];

/* Writes the document behind what text holds. */
void lmw_write(const lmw_model *model, textbuf *text);

#endif
