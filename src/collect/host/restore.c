/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Changes settings for a measurement, and restores them. */
#include "collect/host/restore.h"

#include "common/base/debug.h"
#include "common/base/list.h"
#include "common/sys/root.h"
#include "common/sys/sysfs.h"

#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

/* Tries to find a driver's file again: ten seconds. */
#define LOST_TRIES 500

/* Adds a change; true unless the setting has its value already. */
static bool
plan(struct changes *c, struct change change, bool already)
{
	if (already) {
		debug(DEBUG_RESTORE, "%s: already as wanted", change.path);
		array_push(c->unchanged, c->nunchanged, change);
	} else {
		array_push(c->changed, c->nchanged, change);
	}
	errno = 0;
	return !already;
}

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

bool
changes_add_text(struct changes *c, const char *path, const char *wanted)
{
	char *before = read_setting(path);

	if (!before)
		return false;
	return plan(c,
	            (struct change){.path = xstrdup(path),
	                            .before = before,
	                            .wanted = xstrdup(wanted)},
	            !strcmp(before, wanted));
}

void
changes_add_lost(struct changes *c, const char *path, const char *again)
{
	struct stat file;
	char *before;

	if (stat(path, &file) || !S_ISREG(file.st_mode) ||
	    !(file.st_mode & S_IWUSR))
		return;
	before = read_setting(path);
	if (before)
		array_push(c->changed, c->nchanged,
		           (struct change){.path = xstrdup(again),
		                           .before = before,
		                           .wanted = xstrdup(before),
		                           .lost = true});
}

static bool
read_byte(const char *path, off_t at, unsigned char *byte)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	ssize_t got = fd < 0 ? -1 : pread(fd, byte, 1, at);
	int error = got < 0 ? errno : ENODATA;

	if (fd >= 0)
		close(fd);
	errno = error;
	return got == 1;
}

bool
changes_add_bits(struct changes *c, const char *path, off_t at,
                 unsigned char mask, unsigned char wanted)
{
	unsigned char byte;

	if (!read_byte(path, at, &byte))
		return false;
	return plan(c,
	            (struct change){.path = xstrdup(path),
	                            .at = at,
	                            .mask = mask,
	                            .byte = byte,
	                            .bits_before = byte & mask,
	                            .bits_wanted = wanted},
	            (byte & mask) == wanted);
}

/* Drivers of PCI functions ------------------------------------------------- */

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

bool
changes_add_driver(struct changes *c, const char *directory, const char *wanted)
{
	char *override = get_override(directory);
	char *driver;

	if (!override)
		return false;
	driver = driver_name(directory);
	return plan(c,
	            (struct change){.path = xstrdup(directory),
	                            .before = driver,
	                            .wanted = xstrdup(wanted),
	                            .override = override},
	            !strcmp(driver, wanted));
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

/* The errno of reading the setting, or 0. */
static int
why_not_read(const struct change *change)
{
	unsigned char byte;
	char *text;
	int error;

	if (!change->wanted)
		return read_byte(change->path, change->at, &byte) ? 0 : errno;
	text = change->override ? get_override(change->path)
	                        : read_setting(change->path);
	error = text ? 0 : errno;
	free(text);
	return error;
}

/* Whether driver and driver_override are as before, or as wanted. */
static bool
is_bound(const struct change *change, bool wanted)
{
	char *driver = driver_name(change->path);
	char *override = get_override(change->path);
	bool is = override &&
	          !strcmp(driver, wanted ? change->wanted : change->before);

	if (is && !wanted)
		is = !strcmp(override, change->override);
	free(driver);
	free(override);
	return is;
}

/* Whether the setting is as before, or as wanted. */
static bool
is_set(const struct change *change, bool wanted)
{
	unsigned char byte;
	char *text;
	bool is;

	if (change->override)
		return is_bound(change, wanted);
	if (!change->wanted)
		return read_byte(change->path, change->at, &byte) &&
		       (byte & change->mask) ==
		           (wanted ? change->bits_wanted : change->bits_before);
	text = read_setting(change->path);
	is = text && !strcmp(text, wanted ? change->wanted : change->before);
	free(text);
	return is;
}

static bool
set(const struct change *change, bool wanted)
{
	const char *text = wanted ? change->wanted : change->before;
	unsigned char bits = wanted ? change->bits_wanted : change->bits_before;
	const char *doing = wanted ? "set" : "put back";
	unsigned char byte;

	if (text)
		debug(DEBUG_RESTORE, "%s: %s from '%s' to '%s'", change->path,
		      doing, wanted ? change->before : change->wanted, text);
	else
		debug(DEBUG_RESTORE, "%s: %s at 0x%jx, bits 0x%02x to 0x%02x",
		      change->path, doing, (uintmax_t)change->at, change->mask,
		      bits);
	if (text && change->override)
		return bind_driver(change->path, text,
		                   wanted ? text : change->override);
	if (text)
		return write_line(text, "%s", change->path);
	if (!read_byte(change->path, change->at, &byte))
		return false;
	byte = (unsigned char)((byte & ~change->mask) | bits);
	return write_byte(change->path, change->at, byte);
}

/* Whether the function was unbound and not bound again. */
static bool
is_halfway(const struct change *change)
{
	char *driver = driver_name(change->path);
	bool is = change->override && !*driver;

	free(driver);
	return is;
}

/* False with errno; errno is 0 if the setting took another value. */
static bool
apply(const struct change *change, bool wanted)
{
	bool is = set(change, wanted);

	if (is && !is_set(change, wanted)) {
		errno = 0;
		is = false;
	}
	return is;
}

/* With a command by which the user can restore it. */
static void
warn_of_failure(const struct change *change)
{
	const char *path = change->path;
	const char *why = change->error ? strerror(change->error)
	                                : "the kernel does not accept it";

	if (change->override) {
		const char *bdf = strrchr(path, '/') + 1;
		char *bind = *change->before
		                 ? xasprintf("; echo %s >%s/subsystem/drivers/"
		                             "%s/bind",
		                             bdf, path, change->before)
		                 : xstrdup("");

		warn("%s: cannot restore driver '%s', driver_override '%s': "
		     "%s: echo %s >%s/driver/unbind; echo '%s' "
		     ">%s/driver_override%s",
		     path, change->before, change->override, why, bdf, path,
		     change->override, path, bind);
		free(bind);
	} else if (change->before) {
		warn("%s: cannot restore '%s': %s: echo %s >%s", path,
		     change->before, why, change->before, path);
	} else {
		warn("%s: cannot restore 0x%02x in the bits 0x%02x at 0x%jx: "
		     "%s: printf '\\%03o' | dd of=%s bs=1 seek=%jd "
		     "conv=notrunc",
		     path, change->bits_before, change->mask,
		     (uintmax_t)change->at, why, change->byte, path,
		     (intmax_t)change->at);
	}
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

/*
 * The driver, another one or the same, has created the file anew, or will: it
 * is waited for, ten seconds in total. If the device is gone, so is the file.
 */
static void
put_lost_back(struct changes *c, struct change *change)
{
	const struct timespec moment = {.tv_nsec = 20000000};
	const struct change *bound = NULL;
	bool is;

	change->end = CHANGE_IS_BACK;
	for (size_t i = 0; i < c->nchanged; i++)
		bound = c->changed[i].override ? &c->changed[i] : bound;
	if (!bound || access(bound->path, F_OK))
		return;
	is = find_again(change);
	while (!is && bound->end != CHANGE_FAILED &&
	       c->lost_tries++ < LOST_TRIES) {
		nanosleep(&moment, NULL);
		is = find_again(change);
	}
	errno = ENOENT;
	if (is && (is_set(change, false) || apply(change, false)))
		return;
	change->end = CHANGE_FAILED;
	change->error = errno;
}

/* Restores the setting and stores the outcome. */
static void
put_one_back(struct changes *c, struct change *change)
{
	int error;

	if (change->lost) {
		put_lost_back(c, change);
		return;
	}
	change->end = CHANGE_IS_BACK;
	/* If the device is gone, its settings are, too. */
	if (is_set(change, false) || access(change->path, F_OK))
		return;
	error = why_not_read(change);
	if (!error && !is_set(change, true) && !is_halfway(change)) {
		change->end = CHANGE_IS_ANOTHERS;
		return;
	}
	errno = error;
	/* A driver may refuse the function. */
	if (error ||
	    !(change->override ? set(change, false) : apply(change, false))) {
		change->end = CHANGE_FAILED;
		change->error = errno;
	}
}

/* Messages come last: if their reader is gone, all is restored already. */
static bool
put_all_back(struct changes *c)
{
	const struct change *lacking = NULL;
	bool all = true;

	for (size_t i = c->nchanged; i--;)
		put_one_back(c, &c->changed[i]);
	for (size_t i = 0; i < c->nchanged; i++)
		all = all && c->changed[i].end != CHANGE_FAILED;
	if (all)
		record_remove(&c->record);
	for (size_t i = c->nchanged; i--;) {
		const struct change *change = &c->changed[i];

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
	return all;
}

static void
put_back(void *data)
{
	put_all_back(data);
}

const char *
changes_make(struct changes *c)
{
	if (!record_write(&c->record, c)) {
		errno = EBUSY;
		return "a setting";
	}
	if (!c->nchanged)
		return NULL;
	c->guardian.keep = c->record.path ? c->record.fd : -1;
	if (!guardian_start(&c->guardian, put_back, c))
		return "a process to undo changes";
	for (size_t i = 0; i < c->nchanged; i++) {
		if (!c->changed[i].lost && !apply(&c->changed[i], true))
			return c->changed[i].path;
	}
	return NULL;
}

static void
warn_of_lost(const struct change *change, size_t n)
{
	for (; n--; change++) {
		int error;

		if (is_set(change, true) || access(change->path, F_OK))
			continue;
		error = why_not_read(change);
		if (error)
			warn("%s: may not have been held to the end: cannot be "
			     "read: %s",
			     change->path, strerror(error));
		else
			warn("%s: not held to the end: another program changed "
			     "it",
			     change->path);
	}
}

void
changes_check(const struct changes *c)
{
	warn_of_lost(c->changed, c->nchanged);
	warn_of_lost(c->unchanged, c->nunchanged);
}

static void
free_list(struct change *list, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		free(list[i].path);
		free(list[i].before);
		free(list[i].wanted);
		free(list[i].override);
	}
	free(list);
}

static void
free_changes(struct changes *c)
{
	free_list(c->changed, c->nchanged);
	free_list(c->unchanged, c->nunchanged);
	record_close(&c->record);
	*c = (struct changes){0};
}

void
changes_undo(struct changes *c)
{
	/* If the guardian is gone, this process restores. */
	if (!guardian_end(&c->guardian))
		put_back(c);
	free_changes(c);
}

static bool
put_left_back(struct changes *c, bool valid)
{
	bool ok = valid && put_all_back(c);

	free_changes(c);
	return ok;
}

int
changes_restore_left(void)
{
	return record_restore(put_left_back);
}
