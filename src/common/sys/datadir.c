/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Finds and lists files of $(datadir). */
#include "common/sys/datadir.h"

#include "common/base/nearest.h"
#include "common/base/util.h"

#include <dirent.h>
#include <limits.h>
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

/* The running program's directory; NULL if it is not known. Free it. */
static char *
own_directory(void)
{
	char path[PATH_MAX];
	ssize_t length = readlink("/proc/self/exe", path, sizeof path - 1);
	char *slash;

	if (length < 0)
		return NULL;
	path[length] = '\0';
	slash = strrchr(path, '/');
	if (slash)
		*slash = '\0';
	return xstrdup(path);
}

/* In the tree of the program, such as a source tree, or the installed one. */
static char *
directory(const char *kind)
{
	char *own = own_directory();
	char *prefix = own ? xasprintf("%s/..", own) : NULL;
	char *dir =
	    own ? xasprintf("%s/share/pcb-tools/%s", prefix, kind) : NULL;

	if (!dir || access(dir, R_OK | X_OK) ||
	    !is_trusted_tree(prefix, kind)) {
		free(dir);
		dir = xasprintf("%s/%s", PCB_SHAREDIR, kind);
	}
	free(prefix);
	free(own);
	return dir;
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

static int
has_ending(const struct dirent *entry)
{
	return is_file(entry->d_name);
}

/*
 * The names of the files of a kind, NULL behind the last; NULL, with errno, if
 * there is no such directory. Free it by free_names.
 */
static char **
names_in(const char *dir)
{
	struct dirent **entry;
	int n = scandir(dir, &entry, has_ending, alphasort);
	char **name = n < 0 ? NULL : xcalloc((size_t)n + 1, sizeof *name);

	for (int i = 0; i < n; i++) {
		const char *file = entry[i]->d_name;

		name[i] = xasprintf(
		    "%.*s", (int)(strlen(file) - (sizeof ending - 1)), file);
		free(entry[i]);
	}
	if (name)
		free(entry);
	return name;
}

static void
free_names(char **name)
{
	for (char **p = name; p && *p; p++)
		free(*p);
	free(name);
}

const char *
share_hint(const char *kind, const char *name)
{
	struct nearest nearest = {.typed = name};
	char *dir = directory(kind);
	char **known = names_in(dir);
	const char *hint;

	for (char **p = known; p && *p; p++)
		nearest_offer(&nearest, *p);
	hint = nearest_hint(&nearest);
	free_names(known);
	free(dir);
	return hint;
}

void
share_names(const char *kind, const char *prefix)
{
	char *dir = directory(kind);
	char **name = names_in(dir);

	for (char **p = name; p && *p; p++)
		printf("%s%s\n", prefix, *p);
	free_names(name);
	free(dir);
}

void
share_list(const char *kind)
{
	char *dir = directory(kind), *line = NULL;
	char **name = names_in(dir);
	size_t size = 0, columns = terminal_size().columns;

	if (!name)
		die_sys("%s", dir);
	for (char **p = name; *p; p++) {
		char *file = xasprintf("%s/%s%s", dir, *p, ending);
		FILE *f = fopen(file, "r");

		if (!f)
			die_sys("%s", file);
		if (getline(&line, &size, f) < 0 || strncmp(line, "# ", 2) != 0)
			die("%s: the first line does not say what it is", file);
		line[strcspn(line, "\n")] = '\0';
		printf("%-15s ", *p);
		print_wrapped(16, columns ? columns + 1 : 0, line + 2);
		free(file);
		fclose(f);
	}
	free(line);
	free_names(name);
	free(dir);
}

char *
sibling_program(const char *name)
{
	char *own = own_directory();
	char *path = own ? xasprintf("%s/%s", own, name) : NULL;

	free(own);
	if (path && !access(path, X_OK))
		return path;
	free(path);
	return xstrdup(name);
}
