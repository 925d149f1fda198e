/* consumer.c - the smallest use of the installed library: prints the sentences of two statuses. */
#include <roofline/status.h>
#include <stdio.h>

int main(void)
{
    printf("%s, %s\n", roof_status_text(ROOF_OK), roof_status_text(ROOF_E_DATA));
    return roof_status_exit_code(ROOF_OK);
}
