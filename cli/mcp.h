/* cli/mcp.h - what the files of `roofline mcp` share: tools, the folders that they may read, and calls.
 *
 * A tool is a command that writes no file. Commands keep their state to themselves and end the process where
 * a line is wrong, so each runs in a process of its own, forked from the server: it reads beneath the folders
 * alone, which the kernel holds (Landlock), also through links, through ".." and by what a model names. It
 * writes to memory alone, and has so many seconds and bytes.
 */
#pragma once

#include <cjson/cJSON.h>
#include "cli/cli.h"
#include "core/json/jsonout.h"

enum { MCP_MOST_FILES = 64, MCP_MOST_SECONDS = 60, MCP_MOST_ANSWER = 16 << 20 };

/* The schemas of docs/schema, by their files, which the build embeds. */
extern const cli_script mcp_schemas[];

typedef struct mcp_tool {
    const char *name, *title, *doc;
    const char *command, *without; /* "hw show", NULL: its name; without files "hw list", NULL: the same */
    const char *said;              /* in place of the first lines of what `without` prints */
    const char *files;             /* what its files are */
    unsigned least_files, most_files;
    const char *left_out;  /* options that write files or change what is printed alone; NULL: those of all */
    const char *documents; /* one of which it answers with: names in docs/schema */
} mcp_tool;

/* NULL: there is no such tool. */
const mcp_tool *mcp_tool_named(const char *name);

/* All of them, as tools/list says them, in the open array. */
void mcp_put_tools(jsonout *json, const cli_survey *survey);

typedef struct mcp_folder {
    const char *name, *real; /* as it was given, and without links */
    int fd;
} mcp_folder;

typedef struct mcp_folders {
    mcp_folder *of;
    size_t n;
    bool unconfined;
} mcp_folders;

/* The line of a command. Its words are the arena's. */
typedef struct mcp_line {
    char *words[3 * MCP_MOST_FILES + 16];
    int n, format_at; /* where the word is that says the format */
    bool has_files;
} mcp_line;

/* Turns arguments of a call into the line of its command. False: they are not as the schema says, or a file
 * is not in the folders; why says which. */
bool mcp_line_of(const mcp_tool *tool, const cli_survey *survey, const mcp_folders *folders,
                 const cJSON *arguments, roof_arena *arena, mcp_line *out, textbuf *why);

/* True if the kernel can hold a process to folders. */
bool mcp_can_confine(void);

/* Runs the line with one more word, format; out and messages get what it prints. Its exit code; -1 where it
 * did not end by itself, and messages say why. */
int mcp_run(const mcp_line *line, const char *format, const mcp_folders *folders, textbuf *out,
            textbuf *messages);
