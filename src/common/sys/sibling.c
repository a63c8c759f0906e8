/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Finds other programs of the suite. */
#include "common/sys/sibling.h"

#include "common/base/util.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

char *
sibling_program(const char *name)
{
	char self[PATH_MAX];
	ssize_t n = readlink("/proc/self/exe", self, sizeof self - 1);
	char *slash, *path;

	if (n <= 0)
		return xstrdup(name);
	self[n] = '\0';
	slash = strrchr(self, '/');
	path =
	    xasprintf("%.*s/%s", slash ? (int)(slash - self) : 0, self, name);
	if (!access(path, X_OK))
		return path;
	free(path);
	return xstrdup(name);
}
