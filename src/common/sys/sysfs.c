/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Finds, reads and writes small files of /proc and /sys. */
#include "common/sys/sysfs.h"

#include "common/sys/root.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <linux/magic.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/vfs.h>
#include <unistd.h>

bool
is_sysfs(const char *path)
{
	struct statfs where;

	return !statfs(path, &where) && where.f_type == SYSFS_MAGIC;
}

bool
is_short(int error)
{
	return error == ENOMEM || error == EMFILE || error == ENFILE;
}

void
die_if_short(const char *path)
{
	if (is_short(errno))
		die_sys("%s", path);
}

void
allow_files(void)
{
	struct rlimit limit;

	if (getrlimit(RLIMIT_NOFILE, &limit))
		return;
	limit.rlim_cur = limit.rlim_max;
	setrlimit(RLIMIT_NOFILE, &limit);
}

/* For glob: an unreadable directory is empty, unless resources are out. */
static int
on_error(const char *path, int error)
{
	errno = error;
	die_if_short(path);
	return 0;
}

void
find_files(glob_t *found, const char *fmt, ...)
{
	int flags = found->gl_pathv ? GLOB_APPEND : 0;
	char pattern[PATH_MAX];
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(pattern, sizeof pattern, fmt, ap);
	va_end(ap);
	if (glob(pattern, flags, on_error, found) == GLOB_NOSPACE)
		die("out of memory");
}

char *
read_first_line(const char *fmt, ...)
{
	char path[PATH_MAX];
	char *line = NULL;
	size_t size = 0;
	va_list ap;
	FILE *f;

	va_start(ap, fmt);
	vsnprintf(path, sizeof path, fmt, ap);
	va_end(ap);
	errno = 0;
	f = fopen(path, "re");
	if (!f) {
		die_if_short(path);
		return NULL;
	}
	if (getline(&line, &size, f) < 0) {
		die_if_short(path);
		free(line);
		line = NULL;
	} else {
		line[strcspn(line, "\n")] = '\0';
	}
	fclose(f);
	return line;
}

char *
read_link_name(const char *fmt, ...)
{
	char path[PATH_MAX], target[PATH_MAX];
	ssize_t n;
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(path, sizeof path, fmt, ap);
	va_end(ap);
	n = readlink(path, target, sizeof target - 1);
	if (n < 0)
		return NULL;
	target[n] = '\0';
	return xstrdup(basename(target));
}

bool
write_line(const char *line, const char *fmt, ...)
{
	char *text = xasprintf("%s\n", line);
	size_t length = strlen(text);
	char path[PATH_MAX];
	ssize_t put = -1;
	va_list ap;
	int fd, error;

	va_start(ap, fmt);
	vsnprintf(path, sizeof path, fmt, ap);
	va_end(ap);
	fd = root_open(path, O_WRONLY | O_TRUNC);
	if (fd >= 0)
		put = write(fd, text, length);
	error = put < 0 ? errno : EIO;
	if (fd >= 0 && close(fd) && put >= 0) {
		error = errno;
		put = -1;
	}
	free(text);
	errno = error;
	return put == (ssize_t)length;
}
