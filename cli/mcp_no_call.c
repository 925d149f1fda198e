/* A call in WebAssembly, where there is no process of its own for it. */
#include "cli/mcp.h"

bool mcp_can_confine(void)
{
    return false;
}

int mcp_run(const mcp_line *line, const char *format, const mcp_folders *folders, textbuf *out,
            textbuf *messages)
{
    (void)line, (void)format, (void)folders, (void)out;
    text_puts(messages, "roofline: no process can be started here; the native program answers agents\n");
    return -1;
}
