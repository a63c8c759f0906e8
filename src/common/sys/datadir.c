/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Finds and lists files of $(datadir). */
#include "common/sys/datadir.h"

#include "common/base/nearest.h"
#include "common/base/util.h"

#include <dirent.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static const char ending[] = ".csv";

/*
 * Whether only root, the user and the program's owner, who can change the
 * program anyway, can write to it.
 */
static bool
is_trusted(const char *path)
{
	struct stat file, program;
	bool own_group;

	if (stat(path, &file) || stat("/proc/self/exe", &program))
		return false;
	/* umask 002 makes files writable by the user's own group, or root's. */
	own_group = file.st_gid == file.st_uid;
	return (!file.st_uid || file.st_uid == geteuid() ||
	        file.st_uid == program.st_uid) &&
	       !(file.st_mode & (own_group ? S_IWOTH : S_IWGRP | S_IWOTH));
}

/* From the directory above the program's down to that of a kind. */
static bool
is_trusted_tree(const char *prefix, const char *kind)
{
	static const char *const below[] = {"", "/share", "/share/pcb-tools"};
	char *path = xasprintf("%s/share/pcb-tools/%s", prefix, kind);
	bool trusted = is_trusted(path);

	for (size_t i = ARRAY_LEN(below); trusted && i--;) {
		free(path);
		path = xasprintf("%s%s", prefix, below[i]);
		trusted = is_trusted(path);
	}
	if (!trusted)
		warn("%s: not used, because other users can write to it", path);
	free(path);
	return trusted;
}

/* In the tree of the program, such as a source tree. */
static char *
beside_program(const char *kind)
{
	char path[PATH_MAX];
	ssize_t length = readlink("/proc/self/exe", path, sizeof path - 1);
	char *prefix, *dir = NULL;
	char *slash;

	if (length < 0)
		return NULL;
	path[length] = '\0';
	slash = strrchr(path, '/');
	if (slash)
		*slash = '\0';
	prefix = xasprintf("%s/..", path);
	dir = xasprintf("%s/share/pcb-tools/%s", prefix, kind);
	if (access(dir, R_OK | X_OK) || !is_trusted_tree(prefix, kind)) {
		free(dir);
		dir = NULL;
	}
	free(prefix);
	return dir;
}

/* The directory next to the program, or the installed one. */
static char *
directory(const char *kind)
{
	char *dir = beside_program(kind);

	return dir ? dir : xasprintf("%s/%s", PCB_SHAREDIR, kind);
}

static bool
is_file(const char *name)
{
	size_t length = strlen(name);

	return strchr(name, '/') ||
	       (length >= sizeof ending - 1 &&
	        !strcmp(name + length - (sizeof ending - 1), ending));
}

char *
share_find(const char *kind, const char *name)
{
	char *dir, *file;

	if (is_file(name))
		return xstrdup(name);
	dir = directory(kind);
	file = xasprintf("%s/%s%s", dir, name, ending);
	free(dir);
	if (!access(file, F_OK) && is_trusted(file))
		return file;
	if (!access(file, F_OK))
		die("%s: not used, because other users can write to it", file);
	free(file);
	return NULL;
}

static FILE *
must_open(const char *file)
{
	FILE *f = fopen(file, "r");

	if (f)
		return f;
	die_sys("%s", file);
}

/* The text of a first line "# text". */
static void
list_file(const char *dir, const char *name)
{
	int length = (int)(strlen(name) - (sizeof ending - 1));
	char *file = xasprintf("%s/%s", dir, name);
	FILE *f = must_open(file);
	char *line = NULL;
	size_t size = 0;

	if (getline(&line, &size, f) < 0 || strncmp(line, "# ", 2) != 0)
		die("%s: the first line does not say what it is", file);
	printf("%-15.*s %s", length, name, line + 2);
	free(line);
	free(file);
	fclose(f);
}

static int
has_ending(const struct dirent *entry)
{
	return is_file(entry->d_name);
}

/* The files of a kind; free them. Returns their number, or -1. */
static int
scan(const char *dir, struct dirent ***entry)
{
	return scandir(dir, entry, has_ending, alphasort);
}

static void
free_entries(struct dirent **entry, int n)
{
	for (int i = 0; i < n; i++)
		free(entry[i]);
	if (n >= 0)
		free(entry);
}

static char *
without_ending(char *name)
{
	name[strlen(name) - (sizeof ending - 1)] = '\0';
	return name;
}

const char *
share_hint(const char *kind, const char *name)
{
	struct nearest nearest = {.typed = name};
	char *dir = directory(kind);
	struct dirent **entry;
	int n = scan(dir, &entry);
	const char *hint;

	for (int i = 0; i < n; i++)
		nearest_offer(&nearest, without_ending(entry[i]->d_name));
	hint = nearest_hint(&nearest);
	free_entries(entry, n);
	free(dir);
	return hint;
}

void
share_names(const char *kind, const char *prefix)
{
	char *dir = directory(kind);
	struct dirent **entry;
	int n = scan(dir, &entry);

	for (int i = 0; i < n; i++)
		printf("%s%s\n", prefix, without_ending(entry[i]->d_name));
	free_entries(entry, n);
	free(dir);
}

void
share_list(const char *kind)
{
	char *dir = directory(kind);
	struct dirent **entry;
	int n = scan(dir, &entry);

	if (n < 0)
		die_sys("%s", dir);
	for (int i = 0; i < n; i++)
		list_file(dir, entry[i]->d_name);
	free_entries(entry, n);
	free(dir);
}

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
