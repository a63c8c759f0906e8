/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The directory that contains /sys, /proc and /dev: --root. */
#include "common/sys/root.h"

#include "common/base/util.h"

#include <fcntl.h>
#include <linux/openat2.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

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
	struct open_how how = {.flags = (unsigned)flags | O_CLOEXEC,
	                       .resolve = RESOLVE_BENEATH};
	int directory, fd;

	if (!root_length || root_relative(path) == path)
		return open(path, flags | O_CLOEXEC);
	path += root_length + strspn(path + root_length, "/");
	directory = open(root_path(""), O_PATH | O_DIRECTORY | O_CLOEXEC);
	if (directory < 0)
		return -1;
	fd = (int)syscall(SYS_openat2, directory, path, &how, sizeof how);
	close(directory);
	return fd;
}
