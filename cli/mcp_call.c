/* A command in a process of its own, which the kernel holds to the folders. */
#include "cli/mcp.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

/* --- Landlock ------------------------------------------------------------------------------------------- */

/* As the kernel has them on every processor. Its header is younger than the oldest system that this is built
 * on. */
enum { CREATE_RULESET = 444, ADD_RULE = 445, RESTRICT_SELF = 446, VERSION = 1, PATH_BENEATH = 1 };
enum { READ_FILE = 1 << 2, READ_DIR = 1 << 3 };

typedef struct ruleset {
    uint64_t files, network, scopes;
} ruleset;

typedef struct __attribute__((packed)) beneath {
    uint64_t allowed;
    int32_t folder;
} beneath;

/* Every right that this version of Landlock knows is handled, so that what is not allowed is denied. */
static size_t rights_of(long version, ruleset *out)
{
    static const unsigned n_rights[] = {0, 13, 14, 15, 15, 16};
    const long last = (long)N_OF(n_rights) - 1;
    *out = (ruleset){.files = (UINT64_C(1) << n_rights[version < last ? version : last]) - 1,
                     .network = version >= 4 ? 3 : 0,
                     .scopes = version >= 6 ? 3 : 0};
    return version >= 6 ? sizeof *out : version >= 4 ? offsetof(ruleset, scopes) : offsetof(ruleset, network);
}

static long landlock_version(void)
{
    return syscall(CREATE_RULESET, NULL, 0, VERSION);
}

bool mcp_can_confine(void)
{
    return landlock_version() > 0;
}

static bool confine(const mcp_folders *folders)
{
    ruleset rights;
    const long version = landlock_version();
    if (version <= 0 || prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0)
        return false;
    const size_t size = rights_of(version, &rights);
    const int rules = (int)syscall(CREATE_RULESET, &rights, size, 0);
    bool held = rules >= 0;
    for (size_t i = 0; held && i < folders->n; i++)
        held = syscall(ADD_RULE, rules, PATH_BENEATH, &(beneath){READ_FILE | READ_DIR, folders->of[i].fd},
                       0) == 0;
    return held && syscall(RESTRICT_SELF, rules, 0) == 0;
}

/* --- the process ---------------------------------------------------------------------------------------- */

/* Descriptions of hardware at home are no folder that was named. A file is written by nobody: what is written
 * is memory, of which there is so much. */
static _Noreturn void run_here(const mcp_line *line, const mcp_folders *folders, const int files[2])
{
    static const char *const forgotten[] = {"HOME", "XDG_CONFIG_HOME", "ROOFLINE_HW_PATH", "LC_ALL"};
    char *words[N_OF(line->words)];
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    for (size_t i = 0; i < N_OF(forgotten); i++)
        unsetenv(forgotten[i]);
    const int nothing = open("/dev/null", O_RDONLY | O_CLOEXEC);
    const struct rlimit most = {MCP_MOST_ANSWER, MCP_MOST_ANSWER}, none = {0, 0};
    const bool is_ready = nothing >= 0 && dup2(nothing, STDIN_FILENO) >= 0 &&
                          dup2(files[0], STDOUT_FILENO) >= 0 && dup2(files[1], STDERR_FILENO) >= 0 &&
                          fchdir(folders->of[0].fd) == 0 && setenv("COLUMNS", "1000", 1) == 0 &&
                          setenv("LC_CTYPE", "C.UTF-8", 1) == 0 && setrlimit(RLIMIT_FSIZE, &most) == 0 &&
                          setrlimit(RLIMIT_CORE, &none) == 0;
    alarm(MCP_MOST_SECONDS);
    if (!is_ready || (!folders->unconfined && !confine(folders))) {
        cli_note("this process cannot be held to the folders: %s", strerror(errno));
        _exit(CLI_IO);
    }
    memcpy(words, line->words, sizeof words);
    exit(cli_dispatch(cli_first_group(), line->n, words));
}

static void take(int file, textbuf *out)
{
    struct stat st;
    char *at = fstat(file, &st) == 0 && st.st_size > 0 ? text_room(out, (size_t)st.st_size) : NULL;
    const ssize_t n = at ? pread(file, at, (size_t)st.st_size, 0) : 0;
    if (n > 0)
        text_wrote(out, (size_t)n);
}

static int wait_for(pid_t pid, textbuf *messages)
{
    int how = 0;
    while (waitpid(pid, &how, 0) < 0 && errno == EINTR)
        continue;
    if (WIFEXITED(how))
        return WEXITSTATUS(how);
    if (WTERMSIG(how) == SIGALRM)
        text_printf(messages, "roofline: took longer than %d s, and was ended; ask about less\n",
                    MCP_MOST_SECONDS);
    else
        text_printf(messages, "roofline: ended by signal %d, which is a fault of roofline\n", WTERMSIG(how));
    return -1;
}

int mcp_run(const mcp_line *line, const char *format, const mcp_folders *folders, textbuf *out,
            textbuf *messages)
{
    char word[40];
    mcp_line own = *line;
    const int files[2] = {memfd_create("answer", MFD_CLOEXEC), memfd_create("messages", MFD_CLOEXEC)};
    snprintf(word, sizeof word, "--format=%s", format);
    own.words[own.format_at] = word;
    const pid_t pid = files[0] >= 0 && files[1] >= 0 ? fork() : -1;
    if (pid == 0)
        run_here(&own, folders, files);
    const int why = errno;
    const int exit_code = pid > 0 ? wait_for(pid, messages) : -1;
    if (pid < 0)
        text_printf(messages, "roofline: no process can be started: %s\n", strerror(why));
    take(files[0], out);
    take(files[1], messages);
    close(files[0]);
    close(files[1]);
    return exit_code;
}
