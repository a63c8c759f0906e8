/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The size of the terminal behind stdout. */
#include "common/base/terminal_size.h"

#include <sys/ioctl.h>
#include <unistd.h>

struct terminal_size
terminal_size(void)
{
	struct winsize size;

	if (!isatty(STDOUT_FILENO) || ioctl(STDOUT_FILENO, TIOCGWINSZ, &size))
		return (struct terminal_size){0};
	return (struct terminal_size){size.ws_col, size.ws_row};
}
