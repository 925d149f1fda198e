/* What gnulib's configure would find in wasi-libc, for argp: the configuration of its files, and the
 * beginning of the header that the program includes. scripts/wasm.sh puts it there. */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#define _GL_INLINE        inline
#define _GL_EXTERN_INLINE extern inline
#define _GL_INLINE_HEADER_BEGIN
#define _GL_INLINE_HEADER_END
#define _GL_ATTRIBUTE_FORMAT(spec)
#define _GL_ARG_NONNULL(places)
#define _GL_ATTRIBUTE_MALLOC
#define _GL_ATTRIBUTE_DEALLOC(free, i)
#define _GL_ATTRIBUTE_DEALLOC_FREE
#define _GL_ATTRIBUTE_PURE
#define _GL_UNUSED
#define HAVE_STRCHRNUL                          1
#define HAVE_STRNDUP                            1
#define HAVE_MEMPCPY                            1
#define HAVE_DECL_PROGRAM_INVOCATION_NAME       0
#define HAVE_DECL_PROGRAM_INVOCATION_SHORT_NAME 0
/* There is one thread. Declarations come before this (core/platform/wasi/lacks.h). */
#define flockfile(stream)   ((void)(stream))
#define funlockfile(stream) ((void)(stream))
