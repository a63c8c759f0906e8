/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Files of src/ as texts of the program. */
#ifndef PCB_COMMON_BASE_EMBED_H
#define PCB_COMMON_BASE_EMBED_H

/* Defines a text, the contents of a file; its path begins in src/. */
/* NOLINTBEGIN(bugprone-macro-parentheses): a declaration takes none. */
#define EMBED(symbol, name)                                                    \
	extern const char symbol[];                                            \
	__asm__(".pushsection .rodata\n"                                       \
	        ".globl " #symbol "\n"                                         \
	        ".hidden " #symbol "\n" #symbol ":\n"                          \
	        ".incbin \"" name "\"\n"                                       \
	        ".byte 0\n"                                                    \
	        ".popsection")
/* NOLINTEND(bugprone-macro-parentheses) */

#endif
