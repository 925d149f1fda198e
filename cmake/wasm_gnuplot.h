/* cmake/wasm_gnuplot.h - the configuration of gnuplot for WebAssembly, in place of what its configure would
 * find out. Its sources stay as they are; scripts/wasm.sh compiles them.
 *
 * A jump goes back to the command line after an error: of a script nothing goes on there, so it ends.
 */
#ifndef WASM_GNUPLOT_H
#define WASM_GNUPLOT_H

#define HAVE_ATEXIT        1
#define HAVE_DECL_SIGNGAM  1
#define HAVE_DIRENT_H      1
#define HAVE_ERF           1
#define HAVE_ERFC          1
#define HAVE_ERRNO_H       1
#define HAVE_FLOAT_H       1
#define HAVE_FSEEKO        1
#define HAVE_GETCWD        1
#define HAVE_INTTYPES_H    1
#define HAVE_JN            1
#define HAVE_LANGINFO_H    1
#define HAVE_LGAMMA        1
#define HAVE_TGAMMA        1
#define HAVE_LIMITS_H      1
#define HAVE_LOCALE_H      1
#define HAVE_MATH_H        1
#define HAVE_MEMCPY        1
#define HAVE_MEMMOVE       1
#define HAVE_MEMSET        1
#define HAVE_SETVBUF       1
#define HAVE_STDBOOL_H     1
#define HAVE_STDINT_H      1
#define HAVE_STDIO_H       1
#define HAVE_STDLIB_H      1
#define HAVE_STPCPY        1
#define HAVE_STRCASECMP    1
#define HAVE_STRCHR        1
#define HAVE_STRCSPN       1
#define HAVE_STRDUP        1
#define HAVE_STRERROR      1
#define HAVE_STRINGIZE     1
#define HAVE_STRING_H      1
#define HAVE_STRINGS_H     1
#define HAVE_STRNCASECMP   1
#define HAVE_STRNDUP       1
#define HAVE_STRNLEN       1
#define HAVE_STRRCHR       1
#define HAVE_STRSTR        1
#define HAVE_SYS_PARAM_H   1
#define HAVE_SYS_STAT_H    1
#define HAVE_SYS_TIME_H    1
#define HAVE_SYS_TYPES_H   1
#define HAVE_TIME_H        1
#define HAVE_UNISTD_H      1
#define HAVE_USLEEP        1
#define HAVE_VFPRINTF      1
#define HAVE_WCHAR_H       1
#define HAVE_WCWIDTH       1
#define HAVE__BOOL         1
#define NO_BITMAP_SUPPORT  1
#define STDC_HEADERS       1
#define TIME_WITH_SYS_TIME 1
#define X_DISPLAY_MISSING  1
#define HAVE_OFF_T         1
#define GNUPLOT_PS_DIR     "/"
#define PACKAGE            "gnuplot"
#define PACKAGE_VERSION    "5.4"
#define VERSION            "5.4"
#define VERSION_MAJOR      "5"

/* what this C library lacks */
#include <stdio.h>
#include <stdlib.h>
#define _SETJMP_H
typedef int jmp_buf[1];
#define setjmp(environment)         ((void)(environment), 0)
#define longjmp(environment, value) exit(EXIT_FAILURE)
#define system(command)             ((void)(command), -1)
#define tmpfile()                   ((FILE *)NULL)

#endif
