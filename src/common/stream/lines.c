/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Input files as lines, with a limit on their length. */
#include "common/stream/lines.h"

#include <fcntl.h>
#include <unistd.h>

#ifndef READ_SIZE /* a fuzz target defines it, smaller than a line */
#define READ_SIZE ((size_t)1 << 18)
#endif
#define PIPE_SIZE (1 << 20)

void
lines_complain(const struct lines *in, const char *column, const char *fmt,
               va_list ap)
{
	char *text = xvasprintf(fmt, ap);
	char line[24] = "";

	if (in->line)
		snprintf(line, sizeof line, "%ju:", in->line);
	warn("%s:%s %s%s%s", in->file, line, column ? column : "",
	     column ? ": " : "", text);
	free(text);
}

void
lines_die(const struct lines *in, const char *column, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	lines_complain(in, column, fmt, ap);
	va_end(ap);
	exit(STATUS_TROUBLE);
}

bool
lines_fill(struct lines *in)
{
	size_t room;
	ssize_t got;
	char *to;

	if (in->eof || (in->stop && in->offset >= in->stop))
		return false;
	if (in->pos)
		memmove(in->buffer, in->buffer + in->pos, in->end - in->pos);
	in->end -= in->pos;
	in->pos = 0;
	if (in->size - in->end < READ_SIZE) {
		in->size += READ_SIZE;
		in->buffer =
		    xreallocarray(in->buffer, in->size + LINES_SLACK, 1);
	}
	room = in->size - in->end;
	if (in->stop && in->stop - in->offset < room)
		room = (size_t)(in->stop - in->offset);
	to = in->buffer + in->end;
	do
		got = in->borrowed ? pread(in->fd, to, room, (off_t)in->offset)
		                   : read(in->fd, to, room);
	while (got < 0 && errno == EINTR);
	if (got < 0)
		die_sys("%s", in->file);
	in->end += (size_t)got;
	in->offset += (size_t)got;
	in->buffer[in->end] = '\0';
	in->eof = !got;
	return got > 0;
}

/* The end of the next line, in the buffer; NULL if it has none. */
static const char *
find_lf(struct lines *in)
{
	size_t searched = 0;

	for (;;) {
		size_t unread = in->end - in->pos;
		const char *lf = unread > searched
		                     ? memchr(in->buffer + in->pos + searched,
		                              '\n', unread - searched)
		                     : NULL;

		if (lf || unread > RECORD_MAX)
			return lf;
		searched = unread;
		if (!lines_fill(in))
			return NULL;
	}
}

bool
lines_have_next(struct lines *in)
{
	return find_lf(in);
}

char *
lines_next(struct lines *in, size_t *length)
{
	const char *lf = find_lf(in);
	char *line = in->buffer + in->pos;

	*length = lf ? (size_t)(lf - line) + 1 : in->end - in->pos;
	if (!*length)
		return NULL;
	if (*length > RECORD_MAX)
		lines_die(in, NULL, LONG_RECORD);
	in->pos += *length;
	in->next++;
	return line;
}

void
lines_unread(struct lines *in, size_t length)
{
	in->pos -= length;
	in->next--;
}

uint64_t
lines_tell(const struct lines *in)
{
	return in->offset - (in->end - in->pos);
}

void
lines_seek(struct lines *in, uint64_t offset)
{
	if (!in->borrowed && lseek(in->fd, (off_t)offset, SEEK_SET) < 0)
		die_sys("%s", in->file);
	in->offset = offset;
	in->pos = in->end = 0;
	in->buffer[0] = '\0';
}

void
lines_check(const struct lines *in, const char *line, size_t length)
{
	if (memchr(line, '\0', length))
		lines_die(in, NULL, "a NUL byte: this is not a text file");
}

bool
lines_open_next(struct lines *in)
{
	static const char bom[] = "\xef\xbb\xbf";
	off_t at;

	if (!in->nfiles)
		return false;
	in->operand = in->file = *in->files++;
	in->nfiles--;
	in->fd = STDIN_FILENO;
	if (strcmp(in->operand, "-") != 0)
		in->fd = open(in->operand, O_RDONLY | O_CLOEXEC);
	else
		in->file = "standard input";
	if (in->names && *in->names++)
		in->file = in->names[-1];
	if (in->fd < 0)
		die_sys("%s", in->file);
	/* A larger pipe saves context switches; the kernel may refuse. */
	(void)fcntl(in->fd, F_SETPIPE_SZ, PIPE_SIZE);
	at = lseek(in->fd, 0, SEEK_CUR);
	in->offset = at < 0 ? 0 : (uint64_t)at; /* a pipe has none */
	in->pos = in->end = 0;
	in->next = 1;
	in->eof = false;
	while (in->end < 3 && lines_fill(in))
		;
	if (!in->end && in->fd == STDIN_FILENO)
		die("no input (did the program before it fail?)");
	if (!in->end)
		die("%s: 0 bytes: nothing to read", in->file);
	if (in->end >= 3 && !memcmp(in->buffer, bom, 3))
		in->pos = 3;
	return true;
}

void
lines_close(struct lines *in)
{
	if (in->fd > STDIN_FILENO)
		close(in->fd);
	in->fd = -1;
}
