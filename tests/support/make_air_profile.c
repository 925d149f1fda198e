/* make_air_profile - prints the report of tests/support/air_report_writer.h for Llama 3.2 1B. Exit 0, or 1 (cannot write). */
#include "tests/support/air_report_writer.h"

#include <stdio.h>

int main(void)
{
    textbuf text;
    text_init(&text, TEXT_MAX_BYTES);
    ar_write(&ar_llama, &text);
    bool written = !text.failed && fputs(text.bytes, stdout) >= 0 && fflush(stdout) == 0;
    text_free(&text);
    return written ? 0 : 1;
}
