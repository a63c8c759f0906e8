/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Changes settings for a measurement, records and restores them. */
#include "collect/host/restore.h"

#include "common/base/debug.h"
#include "common/base/utf8.h"
#include "common/base/util.h"
#include "common/sys/sysfs.h"

#include <dirent.h>
#include <fcntl.h>
#include <limits.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#define PARENT    "/run"
#define NAME      "pcb-tools"
#define DIRECTORY root_path(PARENT "/" NAME)

/* Tries to find a driver's file again: ten seconds. */
#define LOST_TRIES 500

/* Kinds of changes in a record. */
static const char *const kinds[NCHANGE_KINDS] = {"text", "bits", "driver",
                                                 "lost", "name"};

/* Parses a number that this program has written. */
static long
number(const char *text)
{
	return strtol(text, NULL, 10);
}

/* Settings ----------------------------------------------------------------- */

/* The line, or the choice in a line "mq-deadline [none]"; NULL with errno. */
static char *
read_setting(const char *path)
{
	char *line = read_first_line("%s", path);
	char *from = line ? strchr(line, '[') : NULL;
	char *to = from ? strchr(from, ']') : NULL;

	char *chosen;

	if (!to)
		return line;
	*to = '\0';
	chosen = xstrdup(from + 1);
	free(line);
	return chosen;
}

static bool
write_byte(const char *path, off_t at, unsigned char byte)
{
	int fd = root_open(path, O_WRONLY);
	ssize_t put = fd < 0 ? -1 : pwrite(fd, &byte, 1, at);
	int error = put < 0 ? errno : EIO;

	if (fd >= 0 && close(fd) && put >= 0) {
		error = errno;
		put = -1;
	}
	errno = error;
	return put == 1;
}

/* The contents of driver_override, "" if empty; NULL with errno. Free it. */
static char *
get_override(const char *directory)
{
	char *text = read_first_line("%s/driver_override", directory);

	/* The kernel prints this for no text. */
	if (text && !strcmp(text, "(null)"))
		*text = '\0';
	return text;
}

/* The name of the bound driver, "" for none. Free it. */
static char *
driver_name(const char *directory)
{
	char *driver = read_link_name("%s/driver", directory);

	return driver ? driver : xstrdup("");
}

/* write_line to a file of the function's directory, with a trace. */
static bool
write_file(const char *text, const char *directory, const char *file)
{
	bool ok = write_line(text, "%s/%s", directory, file);

	debug(DEBUG_RESTORE, "%s/%s: wrote '%s': %s", directory, file, text,
	      ok ? "done" : strerror(errno));
	return ok;
}

/*
 * Unbinds the function unless it has that driver, writes driver_override and
 * binds it. False with errno; the function may then have no driver.
 */
static bool
bind_driver(const char *directory, const char *driver, const char *override)
{
	const char *bdf = strrchr(directory, '/') + 1;
	char *now = driver_name(directory);
	bool same = !strcmp(now, driver);
	bool ok = same || !*now || write_file(bdf, directory, "driver/unbind");
	char *file;

	free(now);
	if (!ok || !write_file(override, directory, "driver_override"))
		return false;
	if (same || !*driver)
		return true;
	file = xasprintf("subsystem/drivers/%s/bind", driver);
	ok = write_file(bdf, directory, file);
	free(file);
	return ok;
}

/* Its value now, to be compared with those before and wanted; NULL with errno.
 */
static char *
value_of(const struct change *change)
{
	unsigned char byte;

	if (change->kind == CHANGE_DRIVER)
		return driver_name(change->path);
	if (change->kind != CHANGE_BITS)
		return read_setting(change->path);
	if (!read_at(change->path, &byte, 1, change->at))
		return NULL;
	return xasprintf("%u", byte & change->mask);
}

/* What is seen of a setting; none of these: another program changed it. */
enum {
	AS_BEFORE = 1,
	AS_WANTED = 2,
	HALFWAY = 4, /* the function was unbound and not bound again */
	UNREADABLE = 8,
};

/* Reads the setting; UNREADABLE comes with errno. */
static unsigned
look(const struct change *change)
{
	bool driver = change->kind == CHANGE_DRIVER;
	char *text = value_of(change);
	char *override = driver ? get_override(change->path) : NULL;
	int error = errno;
	unsigned seen = 0;

	if (!text || (driver && !override)) {
		seen = error ? UNREADABLE : 0; /* empty: has another value */
	} else {
		if (!strcmp(text, change->wanted))
			seen |= AS_WANTED;
		if (!strcmp(text, change->before) &&
		    (!driver || !strcmp(override, change->override)))
			seen |= AS_BEFORE;
		if (driver && !*text)
			seen |= HALFWAY;
	}
	free(text);
	free(override);
	errno = error;
	return seen;
}

static bool
set(const struct change *change, bool wanted)
{
	const char *text = wanted ? change->wanted : change->before;
	const char *doing = wanted ? "set" : "put back";
	unsigned bits = (unsigned)number(text);
	unsigned char byte;

	if (change->kind != CHANGE_BITS)
		debug(DEBUG_RESTORE, "%s: %s from '%s' to '%s'", change->path,
		      doing, wanted ? change->before : change->wanted, text);
	else
		debug(DEBUG_RESTORE, "%s: %s at 0x%jx, bits 0x%02x to 0x%02x",
		      change->path, doing, (uintmax_t)change->at, change->mask,
		      bits);
	if (change->kind == CHANGE_DRIVER)
		return bind_driver(change->path, text,
		                   wanted ? text : change->override);
	if (change->kind != CHANGE_BITS)
		return write_line(text, "%s", change->path);
	return read_at(change->path, &byte, 1, change->at) &&
	       write_byte(change->path, change->at,
	                  (unsigned char)((byte & ~change->mask) | bits));
}

/*
 * False with errno; errno is 0 if the setting took another value. What is put
 * back is back if it reads so, even if the file could not be closed.
 */
static bool
apply(const struct change *change, bool wanted)
{
	bool is = set(change, wanted);
	int error = is ? 0 : errno;

	if (is || !wanted)
		is = look(change) & (wanted ? AS_WANTED : AS_BEFORE);
	errno = error;
	return is;
}

/* Planning ----------------------------------------------------------------- */

/* Whether another driver loses the setting, so that nobody has to change it. */
static bool
is_lost(enum change_kind kind)
{
	return kind == CHANGE_LOST || kind == CHANGE_LOST_NAME;
}

/* Adds a change; true unless the setting has its value already. */
static bool
plan(struct changes *c, struct change change)
{
	change.already =
	    !is_lost(change.kind) && !strcmp(change.before, change.wanted);
	if (change.already)
		debug(DEBUG_RESTORE, "%s: already as wanted", change.path);
	array_push(c->item, c->n, change);
	c->nchanged += !change.already;
	errno = 0;
	return !change.already;
}

bool
changes_add_text(struct changes *c, const char *path, const char *wanted)
{
	char *before = read_setting(path);

	return before && plan(c, (struct change){.kind = CHANGE_TEXT,
	                                         .path = xstrdup(path),
	                                         .before = before,
	                                         .wanted = xstrdup(wanted)});
}

void
changes_add_lost(struct changes *c, const char *path, const char *again,
                 bool name)
{
	struct stat file;
	char *before;

	if (stat(path, &file) || !S_ISREG(file.st_mode) ||
	    (!name && !(file.st_mode & S_IWUSR)))
		return;
	before = read_setting(path);
	if (before)
		plan(c, (struct change){.kind = name ? CHANGE_LOST_NAME
		                                     : CHANGE_LOST,
		                        .path = xstrdup(again),
		                        .before = before,
		                        .wanted = xstrdup(before)});
}

bool
changes_add_bits(struct changes *c, const char *path, off_t at,
                 unsigned char mask, unsigned char wanted)
{
	unsigned char byte;

	if (!read_at(path, &byte, 1, at))
		return false;
	return plan(c, (struct change){.kind = CHANGE_BITS,
	                               .path = xstrdup(path),
	                               .at = at,
	                               .mask = mask,
	                               .byte = byte,
	                               .before = xasprintf("%u", byte & mask),
	                               .wanted = xasprintf("%u", wanted)});
}

bool
changes_add_driver(struct changes *c, const char *directory, const char *wanted)
{
	char *override = get_override(directory);

	return override &&
	       plan(c, (struct change){.kind = CHANGE_DRIVER,
	                               .path = xstrdup(directory),
	                               .before = driver_name(directory),
	                               .wanted = xstrdup(wanted),
	                               .override = override});
}

/* The record --------------------------------------------------------------- */

/* The last line: nothing is missing. */
#define END "end"

/* Tab-separated cells of a line; the longest kind of line has all. */
enum { KIND, PATH, BEFORE, WANTED, FIRST, SECOND, NCELLS };

/* The path without the root, so that it leads out of no root. */
static char *
portable_path(const char *path)
{
	char here[PATH_MAX];
	const char *below = root_relative(path);

	if (*below == '/' || !getcwd(here, sizeof here))
		return xstrdup(below);
	return xasprintf("%s/%s", here, below);
}

/* Appends the line of a change; false with errno. */
static bool
write_change(int fd, const struct change *change)
{
	char *path = portable_path(change->path);
	const char *kind = change->already ? "same" : kinds[change->kind];
	int put;

	if (change->kind == CHANGE_BITS)
		put = dprintf(fd, "%s\t%s\t%s\t%s\t%u\t%jd\n", kind, path,
		              change->before, change->wanted, change->mask,
		              (intmax_t)change->at);
	else
		put = dprintf(fd, "%s\t%s\t%s\t%s\t%s\n", kind, path,
		              change->before, change->wanted,
		              change->override ? change->override : "");
	free(path);
	return put >= 0;
}

/* Reads the next line into cells, "" for missing ones; false at the end. */
static bool
read_cells(FILE *f, char **line, size_t *size, char *cell[NCELLS])
{
	char *at;

	if (!f || getline(line, size, f) < 0)
		return false;
	at = *line;
	at[strcspn(at, "\n")] = '\0';
	for (size_t i = 0; i < NCELLS; i++) {
		cell[i] = at;
		at += strcspn(at, "\t");
		if (*at)
			*at++ = '\0';
	}
	return true;
}

/* Adds the change in a line, which the caller frees; false if it has none. */
static bool
add_line(struct changes *c, char *cell[NCELLS])
{
	size_t kind = find_word(cell[KIND], kinds, NCHANGE_KINDS);
	struct change change = {.kind = (enum change_kind)kind};

	if (*cell[PATH] != '/' || kind == NCHANGE_KINDS)
		return false;
	change.path = xstrdup(root_path(cell[PATH]));
	change.before = xstrdup(cell[BEFORE]);
	change.wanted = xstrdup(cell[WANTED]);
	change.override = xstrdup(cell[FIRST]);
	change.mask = (unsigned char)number(cell[FIRST]);
	change.at = (off_t)strtoll(cell[SECOND], NULL, 10);
	change.byte = (unsigned char)number(cell[BEFORE]);
	array_push(c->item, c->n, change);
	c->nchanged++;
	/* cppcheck-suppress memleak */
	return true;
}

/* False, after a warning, if a running process has one of the settings. */
static bool
check_other(const struct changes *c, int fd)
{
	FILE *f = fdopen(dup(fd), "r");
	char *cell[NCELLS], *line = NULL;
	size_t size = 0;
	long process = 0;
	bool free_to_go = true;

	while (free_to_go && read_cells(f, &line, &size, cell)) {
		bool watched = !strcmp(cell[KIND], "same");

		if (!strcmp(cell[KIND], "process"))
			process = number(cell[PATH]);
		for (size_t i = 0; i < c->n; i++) {
			char *own = portable_path(c->item[i].path);

			free_to_go =
			    free_to_go && (strcmp(own, cell[PATH]) != 0 ||
			                   (watched && c->item[i].already));
			free(own);
		}
	}
	if (!free_to_go)
		warn("%s: process %ld changed it, or watches it: wait until it "
		     "ends",
		     cell[PATH], process);
	free(line);
	if (f)
		fclose(f);
	return free_to_go;
}

/*
 * Opens and locks the directory; follows no link out of another root. With
 * `make`, creates it if missing. NULL with errno.
 */
static DIR *
open_records(bool make, int lock)
{
	int parent = root_open(root_path(PARENT), O_PATH | O_DIRECTORY);
	int fd = -1;
	DIR *list;

	if (parent < 0)
		return NULL;
	if (!make || !mkdirat(parent, NAME, 0700) || errno == EEXIST)
		fd = openat(parent, NAME,
		            O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
	close_file(parent);
	list = fd < 0 ? NULL : fdopendir(fd);
	if (list && flock(fd, lock)) {
		closedir(list);
		list = NULL;
	}
	return list;
}

/*
 * Opens the next record of this user, whose owner holds a lock on it, and
 * stores its name. -1 behind the last one, or if the list is NULL.
 */
static int
next_record(DIR *list, const char **name)
{
	struct dirent *entry;

	while (list && (entry = readdir(list))) {
		int fd = openat(dirfd(list), entry->d_name,
		                O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
		struct stat file;

		*name = entry->d_name;
		if (fd >= 0 && !strchr(*name, '.') && !fstat(fd, &file) &&
		    S_ISREG(file.st_mode) && file.st_uid == geteuid() &&
		    !(file.st_mode & (S_IWGRP | S_IWOTH)))
			return fd;
		close_file(fd);
	}
	return -1;
}

/* Whether the processes of a record are gone; it is locked then. */
static bool
is_left(int fd)
{
	return !flock(fd, LOCK_EX | LOCK_NB);
}

/* Removes the record; with `keep`, renames it, so that it is none any more. */
static void
remove_record(const struct changes *c, bool keep)
{
	char *aside = keep && c->record ? xasprintf("%s.old", c->record) : NULL;

	if (aside && !rename(c->record, aside))
		warn("%s: nothing else can be restored: this is left of the "
		     "record",
		     aside);
	else if (c->record)
		unlink(c->record);
	free(aside);
}

/* Closes and frees it; the file stays unless removed. */
static void
close_record(struct changes *c)
{
	if (c->record)
		close(c->record_fd);
	free(c->record);
	c->record = NULL;
}

/*
 * Creates a record with the name of this process, or the next free one. False
 * with errno.
 */
static bool
create_record(struct changes *c, int directory)
{
	int fd, error, n = 0;
	char name[64];
	bool ok;

	do {
		snprintf(name, sizeof name, "%d-%d", (int)getpid(), n++);
		fd = openat(directory, name,
		            O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
	} while (fd < 0 && errno == EEXIST);
	if (fd < 0)
		return false;
	c->record = xasprintf("%s/%s", DIRECTORY, name);
	c->record_fd = fd;
	ok = !flock(fd, LOCK_EX) &&
	     dprintf(fd, "process\t%d\n", (int)getpid()) >= 0;
	for (size_t i = 0; ok && i < c->n; i++)
		ok = write_change(fd, &c->item[i]);
	ok = ok && dprintf(fd, END "\n") >= 0;
	error = errno;
	if (!ok) {
		remove_record(c, false);
		close_record(c);
	}
	errno = error;
	return ok;
}

/*
 * Writes the record, if there are changes, before they are made. Returns NULL,
 * or what prevents them, with errno.
 */
static const char *
write_record(struct changes *c)
{
	DIR *list = c->n ? open_records(true, LOCK_EX) : NULL;
	const char *name, *why = NULL;
	int fd;

	while (!why && (fd = next_record(list, &name)) >= 0) {
		if (!is_left(fd) && !check_other(c, fd))
			why = "a setting";
		close(fd);
	}
	if (why)
		errno = EBUSY;
	else if (c->nchanged && (!list || !create_record(c, dirfd(list))))
		why = "the record of changes in " PARENT "/" NAME
		      ", without which nothing is changed";
	if (list)
		closedir(list);
	return why;
}

void
changes_warn_left(void)
{
	/*
	 * Avoids a record that is being created and not locked yet; does not
	 * wait for `restore`.
	 */
	DIR *list = open_records(false, LOCK_SH | LOCK_NB);
	const char *name;
	int fd;

	while ((fd = next_record(list, &name)) >= 0) {
		if (is_left(fd))
			warn("%s/%s: an earlier run left these settings "
			     "changed: "
			     "'pcb-collect restore' restores them",
			     DIRECTORY, name);
		close(fd);
	}
	if (list)
		closedir(list);
}

/* Restoring ---------------------------------------------------------------- */

/* With a command by which the user can restore it. */
static void
warn_of_failure(const struct change *change)
{
	const char *path = change->path, *before = change->before;
	const char *why = change->error ? strerror(change->error)
	                                : "the kernel does not accept it";
	char *bind = NULL;

	if (change->kind == CHANGE_DRIVER) {
		const char *bdf = strrchr(path, '/') + 1;

		if (*before)
			bind = xasprintf("; echo %s >%s/subsystem/drivers/%s/"
			                 "bind",
			                 bdf, path, before);
		warn("%s: cannot restore driver '%s', driver_override '%s': "
		     "%s: echo %s >%s/driver/unbind; echo '%s' "
		     ">%s/driver_override%s",
		     path, before, change->override, why, bdf, path,
		     change->override, path, bind ? bind : "");
	} else if (change->kind == CHANGE_LOST_NAME)
		warn("%s: the disk has not come back under this name: "
		     "look for its new name in /sys/block",
		     path);
	else if (change->kind != CHANGE_BITS)
		warn("%s: cannot restore '%s': %s: echo %s >%s", path, before,
		     why, before, path);
	else
		warn("%s: cannot restore 0x%02x in the bits 0x%02x at 0x%jx: "
		     "%s: printf '\\%03o' | dd of=%s bs=1 seek=%jd "
		     "conv=notrunc",
		     path, (unsigned)number(before), change->mask,
		     (uintmax_t)change->at, why, change->byte, path,
		     (intmax_t)change->at);
	free(bind);
}

/* Finds the file by its pattern, if it exists again. */
static bool
find_again(struct change *change)
{
	glob_t found = {0};
	bool is;

	find_files(&found, "%s", change->path);
	is = found.gl_pathc == 1;
	if (is) {
		free(change->path);
		change->path = xstrdup(found.gl_pathv[0]);
	}
	globfree(&found);
	return is;
}

/* Whether a device has left, with its files: other errors prove nothing. */
static bool
is_gone(const char *path)
{
	return access(path, F_OK) &&
	       (errno == ENOENT || errno == ENOTDIR || errno == ENODEV);
}

/*
 * The driver, another one or the same, has created the file anew, or will: it
 * is waited for, ten seconds in total. If the device is gone, so is the file.
 */
static void
put_lost_back(struct changes *c, struct change *change)
{
	const struct timespec moment = {.tv_nsec = 20000000};
	const struct change *bound = NULL;
	bool name = change->kind == CHANGE_LOST_NAME, is;

	change->end = CHANGE_IS_BACK;
	for (size_t i = 0; i < c->n; i++)
		bound = c->item[i].kind == CHANGE_DRIVER ? &c->item[i] : bound;
	if (!bound || is_gone(bound->path))
		return;
	is = find_again(change);
	while (!is && bound->end != CHANGE_FAILED && !is_gone(bound->path) &&
	       c->lost_tries++ < LOST_TRIES) {
		nanosleep(&moment, NULL);
		is = find_again(change);
	}
	if (is && (look(change) & AS_BEFORE || (!name && apply(change, false))))
		return;
	change->error = is && !name ? errno : ENOENT;
	/* It may have left meanwhile. */
	if (!is_gone(bound->path))
		change->end = CHANGE_FAILED;
}

/* Restores the setting and stores the outcome. */
static void
put_one_back(struct changes *c, struct change *change)
{
	unsigned seen;
	int error;

	if (is_lost(change->kind)) {
		put_lost_back(c, change);
		return;
	}
	seen = look(change);
	error = errno;
	change->end = CHANGE_IS_BACK;
	/* If the device is gone, its settings are, too. */
	if (seen & AS_BEFORE || is_gone(change->path))
		return;
	if (!seen) {
		change->end = CHANGE_IS_ANOTHERS;
		return;
	}
	errno = error;
	/* A driver may refuse the function. */
	if (!(seen & UNREADABLE) &&
	    (change->kind == CHANGE_DRIVER ? set(change, false)
	                                   : apply(change, false)))
		return;
	change->error = errno;
	if (!is_gone(change->path))
		change->end = CHANGE_FAILED;
}

/*
 * Messages come last: if their reader is gone, all is restored already. Nothing
 * is left to restore if a disk has another name; `for_good`, also if it is
 * gone.
 */
static bool
put_all_back(struct changes *c, bool for_good)
{
	const struct change *lacking = NULL;
	bool all = true, left = false, gone = for_good;

	for (size_t i = c->n; i--;) {
		struct change *change = &c->item[i];

		if (!change->already)
			put_one_back(c, change);
		if (change->end != CHANGE_FAILED)
			continue;
		all = false;
		left = left || change->kind != CHANGE_LOST_NAME;
		gone = gone && is_lost(change->kind) && change->error == ENOENT;
	}
	if (!left)
		remove_record(c, false);
	for (size_t i = c->n; i--;) {
		const struct change *change = &c->item[i];

		if (change->end == CHANGE_IS_ANOTHERS)
			warn("%s: another program changed it: left unchanged",
			     change->path);
		if (change->end == CHANGE_FAILED)
			warn_of_failure(change);
		if (change->end == CHANGE_FAILED && is_short(change->error))
			lacking = change;
	}
	/* The guardian tries again. */
	if (lacking)
		die("%s: %s", lacking->path, strerror(lacking->error));
	if (left && gone)
		remove_record(c, true);
	return all;
}

static void
put_back(void *data)
{
	if (!put_all_back(data, false))
		guardian_failed = true;
}

const char *
changes_make(struct changes *c)
{
	const char *why = write_record(c);

	if (why || !c->nchanged)
		return why;
	c->guardian.keep = c->record_fd;
	if (!guardian_start(&c->guardian, put_back, c)) {
		remove_record(c, false);
		return "a process to undo changes";
	}
	for (size_t i = 0; i < c->n; i++) {
		const struct change *change = &c->item[i];

		if (!change->already && !is_lost(change->kind) &&
		    !apply(change, true))
			return change->path;
	}
	return NULL;
}

void
changes_check(const struct changes *c)
{
	for (size_t i = 0; i < c->n; i++) {
		const char *path = c->item[i].path;
		unsigned seen = look(&c->item[i]);
		int error = errno;

		if (seen & AS_WANTED || is_gone(path))
			continue;
		if (seen & UNREADABLE)
			warn("%s: may not have been held to the end: cannot be "
			     "read: %s",
			     path, strerror(error));
		else
			warn("%s: not held to the end: another program changed "
			     "it",
			     path);
	}
}

static void
free_changes(struct changes *c)
{
	for (size_t i = 0; i < c->n; i++) {
		free(c->item[i].path);
		free(c->item[i].before);
		free(c->item[i].wanted);
		free(c->item[i].override);
	}
	free(c->item);
	close_record(c);
	*c = (struct changes){0};
}

void
changes_undo(struct changes *c)
{
	guardian_end(&c->guardian);
	free_changes(c);
}

/* False if something in the record could not be restored. */
static bool
restore_one(int fd, const char *name)
{
	FILE *f = fdopen(dup(fd), "r");
	struct changes c = {.record = xasprintf("%s/%s", DIRECTORY, name),
	                    .record_fd = dup(fd)};
	char *cell[NCELLS], *line = NULL;
	size_t size = 0;
	bool ok = f, whole = false;

	while (read_cells(f, &line, &size, cell)) {
		whole = !strcmp(cell[KIND], END);
		if (!add_line(&c, cell) && !whole &&
		    strcmp(cell[KIND], "process") != 0 &&
		    strcmp(cell[KIND], "same") != 0)
			ok = false;
	}
	if (f)
		fclose(f);
	free(line);
	ok = ok && whole;
	if (!ok)
		warn("%s: not a whole record of changes: left as it is",
		     c.record);
	for (size_t i = 0; ok && i < c.n; i++) {
		print_plain(stdout, c.item[i].path);
		putchar('\n');
	}
	ok = ok && put_all_back(&c, true);
	free_changes(&c);
	return ok;
}

int
changes_restore_left(void)
{
	DIR *list = open_records(false, LOCK_EX);
	int status = STATUS_OK;
	const char *name;
	int fd;

	if (!list && errno != ENOENT)
		die_sys("%s", DIRECTORY);
	while ((fd = next_record(list, &name)) >= 0) {
		if (!is_left(fd))
			warn("%s/%s: its run has not ended: left unchanged",
			     DIRECTORY, name);
		else if (!restore_one(fd, name))
			status = STATUS_TROUBLE;
		close(fd);
	}
	if (list)
		closedir(list);
	return status;
}
