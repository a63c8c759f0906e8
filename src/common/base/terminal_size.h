/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The size of the terminal that stdout is. */
#ifndef PCB_COMMON_BASE_TERMINAL_SIZE_H
#define PCB_COMMON_BASE_TERMINAL_SIZE_H

/* Both 0 where stdout is no terminal, or one that does not know its size. */
struct terminal_size {
	unsigned columns, lines;
};

struct terminal_size terminal_size(void);

#endif
