/* core/utf8.h - texts from files, command lines and other tools: what of them can be shown as it is, and what
 * is shown instead.
 *
 * One decision for every output. Shown as they are: the characters of valid UTF-8 (RFC 3629: no surrogates,
 * no overlong forms), but for those that act on what shows them: controls (C0, DEL, C1), marks that turn the
 * direction of a line (U+061C, U+200E, U+200F, U+202A..E, U+2066..9), separators of lines (U+2028, U+2029),
 * the byte order mark U+FEFF, and U+FFFE and U+FFFF, which are none. Instead of an ASCII control, and of a
 * byte that is not UTF-8, \xNN is shown, instead of the others \u{NNNN}. Nothing of that has to be shown
 * otherwise, so what was made safe twice is as what was made safe once.
 */
#pragma once

#include <stddef.h>
#include <stdint.h>

/* In the order of what they do: a name that a reader accepts holds nothing from UTF8_CONTROL on. */
typedef enum utf8_kind {
    UTF8_PLAIN,
    UTF8_MARK,    /* no control, but acts on its line */
    UTF8_CONTROL, /* C0, DEL, C1 */
    UTF8_BAD      /* a byte that is not UTF-8 */
} utf8_kind;

typedef struct utf8_character {
    utf8_kind kind;
    uint32_t code;   /* of the character; the byte itself where kind is UTF8_BAD */
    unsigned length; /* in bytes, 1 to 4 */
} utf8_character;

/* The character at the beginning of a text that is not empty. */
utf8_character utf8_next(const char *text, size_t length);

/* How many bytes from the beginning on are of characters of a kind before this one: all of them, or up to the
 * first that is of this kind or a worse one. */
size_t utf8_before(const char *text, size_t length, utf8_kind kind);

/* Shows a character that is not plain. Returns the length, at most four times the character's bytes. */
enum { UTF8_ESCAPE_SIZE = 16 };
size_t utf8_escape(utf8_character character, char escape[UTF8_ESCAPE_SIZE]);

/* Writes text with all that is of this kind or a worse one escaped; there has to be room for four times as
 * many bytes. buffer NULL: only counts them. Returns how many were written. */
size_t utf8_show(char *buffer, const char *text, size_t length, utf8_kind from);

/* Columns of a terminal that text takes, whatever the locale is: two for a wide character, none for a mark
 * that combines with the one before, one for a byte that is not UTF-8. */
size_t utf8_width(const char *text, size_t length);

/* First byte of text that is not valid UTF-8 or is a control character; length if there is none. */
size_t utf8_first_bad(const char *text, size_t length);

/* Makes text safe to show in one line; longer than size is cut in the middle, since the end of a layer's name
 * tells more than its middle. Returns buffer. */
const char *quote_text(char *buffer, size_t size, const char *text, size_t length);

/* The name of a file as one word of a shell, whatever is in it: as it is where nothing of it means anything
 * there, else in quotes, and behind ./ where it would be an option. Characters that are not plain become
 * octal in $'...'; a shell that does not know these takes them for another name, and runs nothing. Returns
 * buffer, or instead where it has no room for all of it: a word that is cut is another one. */
const char *quote_for_shell(char *buffer, size_t size, const char *name, const char *instead);
