#include "collect/changes.h"

#include "common/sysfs.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static struct change *
add(struct changes *c, const char *path)
{
	struct change *change;

	c->item = xreallocarray(c->item, c->n + 1, sizeof *c->item);
	change = &c->item[c->n++];
	*change = (struct change){.path = xstrdup(path)};
	errno = 0;
	return change;
}

bool
changes_add_text(struct changes *c, const char *path, const char *wanted)
{
	char *before = read_first_line("%s", path);
	struct change *change;

	if (!before)
		return false;
	if (!strcmp(before, wanted)) {
		free(before);
		errno = 0;
		return false;
	}
	change = add(c, path);
	change->before = before;
	change->wanted = xstrdup(wanted);
	return true;
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
	struct change *change;

	if (!read_byte(path, at, &byte))
		return false;
	if ((byte & mask) == wanted) {
		errno = 0;
		return false;
	}
	change = add(c, path);
	change->at = at;
	change->mask = mask;
	change->bits_before = byte & mask;
	change->bits_wanted = wanted;
	return true;
}

static bool
write_all(const char *path, int flags, off_t at, const void *bytes, size_t n)
{
	int fd = open(path, O_WRONLY | O_CLOEXEC | flags);
	ssize_t put = fd < 0 ? -1 : pwrite(fd, bytes, n, at);
	int error = put < 0 ? errno : EIO;

	if (fd >= 0 && close(fd) && put >= 0) {
		error = errno;
		put = -1;
	}
	errno = error;
	return put == (ssize_t)n;
}

/* Whether the setting is as it was, or as it was wanted. */
static bool
is_set(const struct change *change, bool wanted)
{
	unsigned char byte;
	char *text;
	bool is;

	if (!change->wanted)
		return read_byte(change->path, change->at, &byte) &&
		       (byte & change->mask) ==
		           (wanted ? change->bits_wanted : change->bits_before);
	text = read_first_line("%s", change->path);
	is = text && !strcmp(text, wanted ? change->wanted : change->before);
	free(text);
	return is;
}

static bool
set(const struct change *change, bool wanted)
{
	const char *text = wanted ? change->wanted : change->before;
	unsigned char bits = wanted ? change->bits_wanted : change->bits_before;
	unsigned char byte;

	if (text) {
		char line[256];
		int n = snprintf(line, sizeof line, "%s\n", text);

		return write_all(change->path, O_TRUNC, 0, line, (size_t)n);
	}
	if (!read_byte(change->path, change->at, &byte))
		return false;
	byte = (unsigned char)((byte & ~change->mask) | bits);
	return write_all(change->path, 0, change->at, &byte, 1);
}

static void
put_back(void *data)
{
	const struct changes *c = data;

	for (size_t i = c->n; i--;) {
		const struct change *change = &c->item[i];

		/* With a device that is gone, so are its settings. */
		if (is_set(change, false) || access(change->path, F_OK))
			continue;
		if (!is_set(change, true))
			warn("%s: changed by somebody else: left as it is",
			     change->path);
		else if (!set(change, false))
			warn_sys("%s: cannot be put back", change->path);
	}
}

const char *
changes_make(struct changes *c)
{
	if (!c->n)
		return NULL;
	if (!guardian_start(&c->guardian, put_back, c))
		return "a process to undo changes";
	for (size_t i = 0; i < c->n; i++) {
		const struct change *change = &c->item[i];

		if (!set(change, true))
			return change->path;
		if (!is_set(change, true)) {
			errno = 0;
			return change->path;
		}
	}
	return NULL;
}

void
changes_undo(struct changes *c)
{
	/* Where it is gone there is only us. */
	if (!guardian_end(&c->guardian))
		put_back(c);
	for (size_t i = 0; i < c->n; i++) {
		free(c->item[i].path);
		free(c->item[i].before);
		free(c->item[i].wanted);
	}
	free(c->item);
	*c = (struct changes){0};
}
