#include "tests/support/read_check.h"
#include "core/error.h"
#include "tests/fuzz/fuzz_target.h"

#include <string.h>

void check_text(const char *text)
{
    CHECK(text);
    size_t length = strlen(text);
    CHECK(utf8_first_bad(text, length) == length);
}

void check_name(const char *text)
{
    check_text(text);
    CHECK(*text);
}

void check_slice(uint32_t first, uint32_t n, uint32_t room)
{
    CHECK(first <= room && n <= room - first);
}

void check_refusal(roof_status status, const roof_error *err)
{
    char message[ROOF_ERROR_WHERE_SIZE + ROOF_ERROR_WHAT_SIZE + 64];
    CHECK(err->status == status && roof_status_exit_code(status) == 65 && err->what[0]);
    roof_error_format(err, message, sizeof message);
    check_text(message);
}
