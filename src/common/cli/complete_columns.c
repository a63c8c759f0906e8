/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "common/cli/complete_columns.h"

#include "common/stream/table.h"

#include <stdio.h>
#include <sys/stat.h>

static bool
is_file(const char *name)
{
	struct stat file;

	return !stat(name, &file) && S_ISREG(file.st_mode);
}

void
complete_columns(size_t n, char *const word[])
{
	struct table *t;
	size_t i = 0;

	while (i < n && !is_file(word[i]))
		i++;
	if (i == n)
		return;
	t = table_open(word + i, 1);
	table_next(t);
	for (size_t col = 0; col < t->ncols; col++)
		puts(t->name[col]);
	table_close(t);
}
