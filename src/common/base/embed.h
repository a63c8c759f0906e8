/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Files that a program embeds. */
#ifndef PCB_COMMON_BASE_EMBED_H
#define PCB_COMMON_BASE_EMBED_H

#include <stddef.h> /* ISO C wants declarations in a header */

/*
 * Declares `symbol`, the text of a file, which the assembler seeks in the
 * working directory, then below the folders of -I. The Makefile has to name the
 * file as what the object depends on: no compiler does.
 */
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
