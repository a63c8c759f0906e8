/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Input files as lines, with a limit on their length. */
#include "common/stream/lines.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#ifndef READ_SIZE /* a fuzz target defines it, smaller than a line */
#define READ_SIZE ((size_t)1 << 18)
#endif
#define RANGE_READ (READ_SIZE / 4)
#define PIPE_SIZE  (1 << 20)

static char dash[] = "-";
char *const lines_stdin[1] = {dash};

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
	size_t least = in->stop ? RANGE_READ : READ_SIZE, room;
	ssize_t got;

	if (in->eof)
		return false;
	if (in->pos)
		memmove(in->buffer, in->buffer + in->pos, in->end - in->pos);
	in->end -= in->pos;
	in->pos = 0;
	if (in->size - in->end < least) {
		in->size += least;
		in->buffer =
		    xreallocarray(in->buffer, in->size + LINES_SLACK, 1);
	}
	room = in->size - in->end;
	if (in->stop && room > (size_t)(in->stop - in->at))
		room = (size_t)(in->stop - in->at);
	do
		got = in->stop
		          ? pread(in->fd, in->buffer + in->end, room, in->at)
		          : read(in->fd, in->buffer + in->end, room);
	while (got < 0 && errno == EINTR);
	if (got < 0 && in->stop)
		got = 0; /* the reader of the whole file will say so */
	if (got < 0)
		die_sys("%s", in->file);
	in->at += got;
	in->end += (size_t)got;
	in->buffer[in->end] = '\0';
	in->eof = !got;
	if (got)
		in->unended = in->buffer[in->end - 1] != '\n';
	return got > 0;
}

char *
lines_next(struct lines *in, size_t *length)
{
	const char *lf;
	size_t searched = 0;
	char *line;

	do {
		line = in->buffer + in->pos;
		*length = in->end - in->pos;
		lf = memchr(line + searched, '\n', *length - searched);
		searched = *length;
	} while (!lf && searched <= RECORD_MAX && lines_fill(in));
	line = in->buffer + in->pos;
	if (lf)
		*length = (size_t)(lf - line) + 1;
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

void
lines_check(const struct lines *in, const char *line, size_t length)
{
	if (memchr(line, '\0', length))
		lines_die(in, NULL, NUL_BYTE);
}

bool
lines_open_next(struct lines *in)
{
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
	in->pos = in->end = 0;
	in->next = 1;
	in->eof = false;
	while (in->end < 3 && lines_fill(in))
		;
	if (!in->end && in->fd == STDIN_FILENO)
		die("no input (did the program before it fail?)");
	if (!in->end)
		die("%s: 0 bytes: nothing to read", in->file);
	if (!strncmp(in->buffer, "\xef\xbb\xbf", 3))
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

off_t
lines_tell(const struct lines *in, off_t *size)
{
	struct stat st;
	off_t at;

	if (fstat(in->fd, &st) || !S_ISREG(st.st_mode))
		return -1;
	at = lseek(in->fd, 0, SEEK_CUR);
	if (at < 0)
		return -1;
	*size = st.st_size;
	return at - (off_t)(in->end - in->pos);
}

off_t
lines_after(const struct lines *in, off_t at)
{
	char text[4096];
	ssize_t got;

	while ((got = pread(in->fd, text, sizeof text, at)) > 0) {
		const char *lf = memchr(text, '\n', (size_t)got);

		if (lf)
			return at + (lf - text) + 1;
		at += got;
	}
	return at;
}

void
lines_seek(struct lines *in, off_t at)
{
	if (lseek(in->fd, at, SEEK_SET) < 0)
		die_sys("%s", in->file);
	in->pos = in->end = 0;
	*in->buffer = '\0';
	in->eof = in->unended = false;
}
