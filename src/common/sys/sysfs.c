/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Finds, reads and writes small files of /proc and /sys. */
#include "common/sys/sysfs.h"

#include "common/base/number.h"

#include <ctype.h>
#include <fcntl.h>
#include <limits.h>
#include <linux/magic.h>
#include <linux/openat2.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/vfs.h>
#include <unistd.h>

/* The directory that contains /sys, /proc and /dev: --root ----------------- */

/* Without the slash at its end. */
static const char *root = "";
static size_t root_length;

struct kept_path {
	struct kept_path *next;
	char *path;
};

static struct kept_path *kept;

void
root_set(const char *directory)
{
	root = directory;
	root_length = strlen(directory);
	while (root_length && root[root_length - 1] == '/')
		root_length--;
}

const char *
root_option(void *to, const char *directory)
{
	(void)to;
	root_set(directory);
	return *directory ? NULL : "empty";
}

const char *
root_path(const char *path)
{
	struct kept_path *k = kept;

	if (!root_length)
		return path;
	while (k && (strncmp(k->path, root, root_length) != 0 ||
	             strcmp(k->path + root_length, path) != 0))
		k = k->next;
	if (k)
		return k->path;
	k = xmalloc(sizeof *k);
	k->path = xasprintf("%.*s%s", (int)root_length, root, path);
	k->next = kept;
	kept = k;
	return k->path;
}

const char *
root_relative(const char *path)
{
	if (!strncmp(path, root, root_length) && path[root_length] == '/')
		return path + root_length;
	return path;
}

/* An untrusted user may own files below another root. */
int
root_open(const char *path, int flags)
{
	struct open_how how = {.resolve = RESOLVE_BENEATH};
	int directory, fd;

	flags |= O_CLOEXEC | ((flags & O_PATH) ? 0 : O_NONBLOCK);
	if (!root_length || root_relative(path) == path)
		return open(path, flags);
	how.flags = (unsigned)flags;
	path += root_length + strspn(path + root_length, "/");
	directory = open(root_path(""), O_PATH | O_DIRECTORY | O_CLOEXEC);
	if (directory < 0)
		return -1;
	fd = (int)syscall(SYS_openat2, directory, path, &how, sizeof how);
	close(directory);
	return fd;
}

/* Files -------------------------------------------------------------------- */

int
open_file(const char *path)
{
	int fd = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
	struct stat file;

	if (fd < 0 || (!fstat(fd, &file) &&
	               (S_ISREG(file.st_mode) || S_ISDIR(file.st_mode))))
		return fd;
	close(fd);
	errno = EINVAL;
	return -1;
}

void
close_file(int fd)
{
	int error = errno;

	if (fd > 0)
		close(fd);
	errno = error;
}

bool
read_at(const char *path, void *to, size_t size, off_t at)
{
	int fd = open_file(path);
	ssize_t got = fd < 0 ? -1 : pread(fd, to, size, at);

	if (got >= 0)
		errno = ENODATA;
	close_file(fd);
	return got == (ssize_t)size;
}

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

PRINTF_LIKE(2, 0)
static char *
read_until(int delimiter, const char *fmt, va_list ap)
{
	char path[PATH_MAX], *text = NULL;
	size_t size = 0;
	FILE *f;
	int fd;

	vsnprintf(path, sizeof path, fmt, ap);
	errno = 0;
	fd = delimiter ? open_file(path) : open(path, O_RDONLY | O_CLOEXEC);
	f = fd < 0 ? NULL : fdopen(fd, "r");
	if (!f || getdelim(&text, &size, delimiter, f) < 0) {
		die_if_short(path);
		free(text);
		text = NULL;
	}
	if (f)
		fclose(f);
	return text;
}

char *
read_whole(const char *fmt, ...)
{
	va_list ap;
	char *text;

	va_start(ap, fmt);
	text = read_until('\0', fmt, ap);
	va_end(ap);
	return text;
}

char *
read_first_line(const char *fmt, ...)
{
	va_list ap;
	char *line;

	va_start(ap, fmt);
	line = read_until('\n', fmt, ap);
	va_end(ap);
	if (line)
		line[strcspn(line, "\n")] = '\0';
	return line;
}

uint64_t
read_number(uint64_t otherwise, const char *fmt, ...)
{
	uint64_t number;
	char *text;
	va_list ap;

	va_start(ap, fmt);
	text = read_until('\n', fmt, ap);
	va_end(ap);
	if (text)
		text[strcspn(text, "\n")] = '\0';
	if (!text || parse_integer(text, &number))
		number = otherwise;
	free(text);
	return number;
}

size_t
read_word(const char *path, const char *name, const char *const word[],
          size_t n)
{
	char *text = read_first_line("%s/%s", path, name);
	size_t at = n;

	if (text) {
		text[strcspn(text, " ")] = '\0';
		at = find_word(text, word, n);
	}
	free(text);
	return at;
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

/* Lists and names ---------------------------------------------------------- */

/* More CPUs than any kernel supports. */
#define CPUS_MAX 65536

/* "8" or "0-3". */
static bool
add_range(struct cpulist *list, char *range)
{
	char *dash = strchr(range, '-');
	uint64_t first, last;

	if (dash)
		*dash++ = '\0';
	if (parse_integer(range, &first) ||
	    parse_integer(dash ? dash : range, &last) || first > last ||
	    last >= CPUS_MAX)
		return false;
	for (; first <= last; first++)
		array_push(list->cpu, list->n, (unsigned)first);
	return true;
}

bool
cpulist_parse(const char *text, struct cpulist *list)
{
	char **range = list_split(text ? text : "");
	bool ok = true;

	*list = (struct cpulist){0};
	for (size_t i = 0; ok && range[i]; i++)
		ok = add_range(list, range[i]);
	free(range);
	if (ok)
		return true;
	free(list->cpu);
	*list = (struct cpulist){0};
	return false;
}

bool
aer_next(char **rest, char **name, uint64_t *count)
{
	while ((*name = strsep(rest, "\n"))) {
		char *blank = strrchr(*name, ' ');

		if (!blank || !strncmp(*name, "TOTAL_", 6))
			continue;
		*blank = '\0';
		if (!parse_integer(blank + 1, count))
			return true;
	}
	return false;
}

char *
pmu_unit(const char *pmu, size_t length)
{
	static const char family[] = "uncore_";
	size_t skipped = sizeof family - 1;
	char *unit = xmalloc(length + 1);
	char *to = unit;

	if (length < skipped || strncmp(pmu, family, skipped) != 0)
		skipped = 0;
	for (size_t i = skipped; i < length; i++) {
		bool numbered = skipped && i + 1 < length &&
		                isdigit((unsigned char)pmu[i + 1]);

		if (pmu[i] != '_' || !numbered)
			*to++ = pmu[i];
	}
	*to = '\0';
	return unit;
}
