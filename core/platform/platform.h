/* core/platform/platform.h - the system, as far as the library asks it.
 *
 * Failures: false, -1 or NULL, and errno says why; its values are those of POSIX.
 * Files: an open file or folder is a number, closed by os_close; OS_NONE is no file. Open files are not
 *   passed on to other programs. A path is relative to an open folder, or with OS_HERE to where we are.
 * Calls that a signal interrupts go on by themselves. "In a handler": the function may be called there.
 * Ownership: paths and buffers are borrowed for the call.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include "roofline/status.h"

enum { OS_NONE = -1, OS_INPUT = 0, OS_OUTPUT = 1 };
#ifdef __wasi__
enum { OS_HERE = -2, OS_RESOLVES = 1 };
#else
enum { OS_HERE = -100, OS_RESOLVES = 0 };
#endif

/* ---- what is at a path ---- */

typedef enum os_kind { OS_FILE, OS_FOLDER, OS_LINK, OS_DISK, OS_STREAM } os_kind;

typedef struct os_entry {
    os_kind kind; /* OS_STREAM: a pipe, a terminal, a device that is no disk */
    uint64_t size_bytes, device, inode;
    uint32_t mode; /* rights, as in 0644 */
    uint32_t owner;
    bool is_ours;       /* the owner is the user that we run as */
    bool is_shared;     /* a folder that all may write to, and in which each removes their own alone */
    int64_t written_ns; /* since 1970, of the bytes */
    int64_t changed_ns; /* of the name, the rights or the bytes */
} os_entry;

typedef enum os_links { OS_FOLLOW, OS_STAY } os_links;

/* The file or folder that a path leads to, or the link that it is (OS_STAY). In a handler. */
bool os_look(int at, const char *path, os_links links, os_entry *out);
bool os_look_into(int file, os_entry *out);

bool os_is_same(const os_entry *a, const os_entry *b);

typedef enum os_right { OS_MAY_BE, OS_MAY_READ, OS_MAY_WRITE, OS_MAY_RUN } os_right;
bool os_may(int at, const char *path, os_right right);

/* The path without links; the caller frees it. */
char *os_real_path(const char *path);

/* Where a link leads, NUL-terminated and cut to fit. */
bool os_read_link(const char *link, char *to, size_t size);

/* ---- open files ---- */

typedef enum os_use {
    OS_READ,
    OS_READ_NOW,   /* without waiting for the other end of a pipe */
    OS_READ_OWN,   /* likewise, and no link */
    OS_WRITE_NEW,  /* nothing may be there; of the owner alone */
    OS_WRITE_OVER, /* from the beginning of what is there */
    OS_STREAM_TO,  /* a pipe or a device */
    OS_CONTINUE,   /* read and write, made when it is not there; no link */
    OS_LIST,       /* a folder */
    OS_LIST_OWN    /* a folder, and no link */
} os_use;

/* -1: errno says why. In a handler. */
int os_open(int at, const char *path, os_use use);

/* Closes it, and forgets its number. No file is fine. In a handler. */
bool os_close(int *file);

/* A second number of an open file. */
int os_share(int file);

/* Number of the open file of this process that FOLDER/NAME is (/proc/self/fd/1, where /dev/stdout leads), or
 * OS_NONE. FOLDER has no links. */
int os_own_file(const char *folder, const char *name);

/* A file in memory that holds bytes, for another program to read by the name, or to write to. */
int os_memory_file(const void *bytes, size_t length);
enum { OS_FILE_NAME_SIZE = 64 };
void os_name_file(int file, char name[OS_FILE_NAME_SIZE]);

/* Up to size bytes; 0 is the end. */
int64_t os_read(int file, void *buffer, size_t size);

/* All bytes. Returns how many were written; fewer: errno says why. */
size_t os_write(int file, const void *bytes, size_t length);

/* The file ends there, and is gone on with there. */
bool os_cut(int file, uint64_t bytes);

/* The next byte is the first one. */
void os_rewind(int file);

/* All that was written lies on the disk. */
bool os_sync(int file);

/* Rights of a file or folder; those that a new one would have, out of 0666 or 0777. */
bool os_allow(int file, uint32_t mode);
uint32_t os_usual_mode(uint32_t mode);

/* A lock of this process's open file, which ends when the file is closed. Without waiting: EWOULDBLOCK when
 * another one has it. In a handler. */
bool os_lock(int file, bool waits);

/* ---- pages of memory ---- */

/* A file as bytes to read, of which only what is touched is read; NULL: zeros to write to. Ended by os_unmap.
 * The map may keep the file, which is OS_NONE then. NULL: errno says why. */
void *os_map(int *file, uint64_t size_bytes);
void os_unmap(const void *bytes, uint64_t size_bytes);

/* Called before bytes of a mapped file are looked at, where nothing brings them when they are touched; those
 * beyond its end, and of what is no mapped file, do not matter. */
#ifdef __wasi__
void os_want(const void *bytes, uint64_t n);
#else
static inline void os_want(const void *bytes, uint64_t n)
{
    (void)bytes, (void)n;
}
#endif

/* Pages of a mapped file leave memory, and are read once more when they are touched. */
void os_let_go(const void *bytes, uint64_t size_bytes);

/* Memory that will be touched from end to end: large pages are better for it. */
void os_prefer_large_pages(void *bytes, size_t size);

/* ---- names ---- */

/* Calls each for all names of an open folder but "." and "..", in no order, until it returns false. False:
 * the folder cannot be read. No memory is requested. In a handler. */
typedef bool os_visitor(void *context, int folder, const char *name);
bool os_visit(int folder, os_visitor *each, void *context);

/* A folder for us alone, whatever the umask; the second one replaces the six X that the path ends with. */
bool os_make_folder(int at, const char *path);
bool os_make_temporary(char *path);

/* A name, or an empty folder. In a handler. */
bool os_remove(int at, const char *name);
bool os_remove_folder(int at, const char *name);

/* Takes the place of what is there, in one step. */
bool os_rename(int from_at, const char *from, int to_at, const char *to);

/* A second name of a file. */
bool os_link(const char *from, const char *to);

/* ---- signals and other programs ---- */

/* When a signal ends this program, by the user or by a pipe that nobody reads, undo runs first, in its
 * handler. What was ignored before stays ignored; a limit on the size of files is an error of writing. */
void os_end_with(void (*undo)(void));

/* Between both no handler runs in this thread. */
typedef struct os_signals {
    uint64_t held[16];
} os_signals;
void os_hold_signals(os_signals *before);
void os_release_signals(const os_signals *before);

typedef struct os_program {
    char *const *arguments; /* the program, looked for in PATH, and what it is given; ends with NULL */
    char *const *settings;  /* "NAME=VALUE", of its environment; ends with NULL. NULL: none */
    const char *folder;     /* where it runs; NULL: where we are */
    int output;             /* open file of its standard output; 0: that of its messages */
    bool talks;             /* it reads requests from us and answers; else it has nothing to read */
    bool is_marked;         /* its environment says whose it is, for os_end_marked */
} os_program;

enum { OS_MARK_SIZE = 48 };
typedef struct os_process {
    int id;
    int messages, requests, answers; /* open files; the last two of one that talks, else OS_NONE */
    int starting;                    /* says why it could not start */
    char mark[OS_MARK_SIZE];         /* "" of one that is not marked */
} os_process;

/* Begins a program in a group of its own, which the system ends when we die; called while signals are held,
 * until somebody knows of the process. Then os_started waits until it runs. Returns 0, or the errno that it
 * cannot run for: there is nothing left to end then. */
int os_start(const os_program *program, os_process *out);
int os_started(os_process *process);

/* Text to a program that talks. False: it does not read, or has ended. */
bool os_send(int requests, const char *text, size_t length);

/* Waits until one of n (at most 2) files can be read. Returns how many, 0 after most_ms, -1: errno says why,
 * EINTR when a signal came. */
int os_await(const int *files, bool *is_ready, size_t n, int most_ms);

bool os_has_ended(int process);

typedef struct os_end_state {
    bool is_success; /* it ended by itself, with 0 */
    int signal;      /* that ended it, or 0 */
} os_end_state;

/* Ends a process and its group, if it has not ended yet. In a handler. */
os_end_state os_end(int process);

/* Ends what a marked process started and what has left its group since; NULL: of all that we began. In a
 * handler. */
void os_end_marked(const os_process *process);

/* ---- threads ---- */

/* A job lies in its slot from next to take; slots are used in turns. It belongs to a group, which is opened
 * by the first of its jobs and closed behind the last one. */
typedef struct os_job {
    uint32_t slot;
    uint64_t group, next_group; /* of it, and of the job behind it; ROOF_UNKNOWN: there is none */
} os_job;

/* Jobs in an order, done by several threads, whose results the caller's thread takes in that order.
 * next and close are called by one thread at a time, open and work by several, take by the caller's alone.
 * A failure ends all: no job is begun after it, and those that are done before the first one that is not are
 * still taken. */
typedef struct os_jobs {
    uint32_t n_threads, n_slots;
    void *context;
    bool (*next)(void *context, os_job *job); /* puts the next job into job->slot; false: there is none */
    roof_status (*open)(void *context, uint64_t group, uint32_t place, roof_error *err);
    roof_status (*work)(void *context, uint32_t slot, uint32_t place, roof_error *err);
    roof_status (*take)(void *context, uint32_t slot, roof_error *err);
    void (*close)(void *context, uint32_t place); /* also when open failed; places are 0 to n_threads */
} os_jobs;

/* Fewer threads than were wanted are enough; false: there is no memory for a single one. Signals are left to
 * the caller's thread. *status is the first failure, which err reports. */
bool os_do_jobs(const os_jobs *jobs, roof_status *status, roof_error *err);

/* Processors of the machine, or those of them that this process may use; 0: unknown. */
uint32_t os_processors(bool that_we_may_use);

/* ---- clocks and settings ---- */

/* A clock that only goes on; and the one that files are stamped by, since 1970. */
int64_t os_now_ns(void);
int64_t os_file_time_ns(void);

/* In a handler. */
void os_sleep_ms(int ms);

/* Columns and rows of the terminal that standard output is. False: it is none, or does not tell. */
bool os_terminal_size(uint32_t *columns, uint32_t *rows);

/* A variable of the environment, or NULL. */
const char *os_setting(const char *name);

/* Calls what, out of which os_give_up returns at once: then it is false. For a library whose callbacks cannot
 * fail; what it holds is lost. */
bool os_attempt(void (*what)(void *context), void *context);
_Noreturn void os_give_up(void);

/* strtod with the decimal point, whatever the locale. False without memory. */
bool os_number(const char *text, double *out);
