/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Changes settings for a measurement, and restores them. */
#include "collect/host/restore.h"

#include "common/base/debug.h"
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
plan(struct changes *c, struct change change)
{
	if (change.already)
		debug(DEBUG_RESTORE, "%s: already as wanted", change.path);
	array_push(c->item, c->n, change);
	c->nchanged += !change.already;
	errno = 0;
	return !change.already;
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
	return plan(c, (struct change){.path = xstrdup(path),
	                               .before = before,
	                               .wanted = xstrdup(wanted),
	                               .already = !strcmp(before, wanted)});
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
		plan(c, (struct change){.path = xstrdup(again),
		                        .before = before,
		                        .wanted = xstrdup(before),
		                        .lost = true,
		                        .name = name});
}

static bool
read_byte(const char *path, off_t at, unsigned char *byte)
{
	int fd = open_file(path);
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
	return plan(c, (struct change){.path = xstrdup(path),
	                               .at = at,
	                               .mask = mask,
	                               .byte = byte,
	                               .bits_before = byte & mask,
	                               .bits_wanted = wanted,
	                               .already = (byte & mask) == wanted});
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
	return plan(c, (struct change){.path = xstrdup(directory),
	                               .before = driver,
	                               .wanted = xstrdup(wanted),
	                               .override = override,
	                               .already = !strcmp(driver, wanted)});
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
	char *text, *override = NULL;
	unsigned char byte;
	unsigned seen = 0;
	int error = 0;

	if (!change->wanted) {
		if (!read_byte(change->path, change->at, &byte))
			return UNREADABLE;
		byte &= change->mask;
		return (byte == change->bits_before ? AS_BEFORE : 0) |
		       (byte == change->bits_wanted ? AS_WANTED : 0);
	}
	text = change->override ? driver_name(change->path)
	                        : read_setting(change->path);
	if (text && change->override)
		override = get_override(change->path);
	if (!text || (change->override && !override)) {
		error = errno;
		seen = error ? UNREADABLE : 0; /* empty: has another value */
	} else {
		if (!strcmp(text, change->wanted))
			seen |= AS_WANTED;
		if (!strcmp(text, change->before) &&
		    (!override || !strcmp(override, change->override)))
			seen |= AS_BEFORE;
		if (override && !*text)
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

/* False with errno; errno is 0 if the setting took another value. */
static bool
apply(const struct change *change, bool wanted)
{
	bool is = set(change, wanted);

	if (is && !(look(change) & (wanted ? AS_WANTED : AS_BEFORE))) {
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
	} else if (change->name) {
		warn("%s: the disk has not come back under this name: it has "
		     "another one, see /sys/block, or none yet",
		     path);
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
	for (size_t i = 0; i < c->n; i++)
		bound = c->item[i].override ? &c->item[i] : bound;
	if (!bound || access(bound->path, F_OK))
		return;
	is = find_again(change);
	while (!is && bound->end != CHANGE_FAILED &&
	       c->lost_tries++ < LOST_TRIES) {
		nanosleep(&moment, NULL);
		is = find_again(change);
	}
	if (is && (look(change) & AS_BEFORE ||
	           (!change->name && apply(change, false))))
		return;
	change->end = CHANGE_FAILED;
	change->error = is && !change->name ? errno : ENOENT;
}

/* Restores the setting and stores the outcome. */
static void
put_one_back(struct changes *c, struct change *change)
{
	unsigned seen;
	int error;

	if (change->lost) {
		put_lost_back(c, change);
		return;
	}
	seen = look(change);
	error = errno;
	change->end = CHANGE_IS_BACK;
	/* If the device is gone, its settings are, too. */
	if (seen & AS_BEFORE || access(change->path, F_OK))
		return;
	if (!seen) {
		change->end = CHANGE_IS_ANOTHERS;
		return;
	}
	errno = error;
	/* A driver may refuse the function. */
	if (seen & UNREADABLE ||
	    !(change->override ? set(change, false) : apply(change, false))) {
		change->end = CHANGE_FAILED;
		change->error = errno;
	}
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
		if (!c->item[i].already)
			put_one_back(c, &c->item[i]);
		if (c->item[i].end != CHANGE_FAILED)
			continue;
		all = false;
		left = left || !c->item[i].name;
		gone = gone && c->item[i].lost && c->item[i].error == ENOENT;
	}
	if (!left)
		record_remove(&c->record, false);
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
		record_remove(&c->record, true);
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
	const char *why = record_write(&c->record, c);

	if (why || !c->nchanged)
		return why;
	c->guardian.keep = c->record.path ? c->record.fd : -1;
	if (!guardian_start(&c->guardian, put_back, c)) {
		record_remove(&c->record, false);
		return "a process to undo changes";
	}
	for (size_t i = 0; i < c->n; i++) {
		const struct change *change = &c->item[i];

		if (!change->already && !change->lost && !apply(change, true))
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

		if (seen & AS_WANTED || access(path, F_OK))
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
	record_close(&c->record);
	*c = (struct changes){0};
}

void
changes_undo(struct changes *c)
{
	guardian_end(&c->guardian);
	free_changes(c);
}

static bool
put_left_back(struct changes *c, bool valid)
{
	bool ok = valid && put_all_back(c, true);

	free_changes(c);
	return ok;
}

int
changes_restore_left(void)
{
	return record_restore(put_left_back);
}
