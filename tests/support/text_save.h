/* tests/support/text_save.h - a text as a file, by way of core/files/outputs.h. */
#ifndef ROOF_TESTS_TEXT_SAVE_H
#define ROOF_TESTS_TEXT_SAVE_H

#include "core/error.h"
#include "core/files/outputs.h"
#include "core/text.h"

static inline roof_status text_save(const textbuf *text, const char *path, roof_error *err)
{
    TRY(text_status(text, err));
    return outputs_save(path, text->bytes, text->length, err);
}

#endif
