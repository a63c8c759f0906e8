/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The size of the terminal behind stdout. */
#ifndef PCB_COMMON_BASE_TERMINAL_SIZE_H
#define PCB_COMMON_BASE_TERMINAL_SIZE_H

/* Both are 0 if stdout is no terminal or the size is unknown. */
struct terminal_size {
	unsigned columns, lines;
};

struct terminal_size terminal_size(void);

#endif
