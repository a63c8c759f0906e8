/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The terminal, messages, and memory, lists and texts that die without it. */
#include "common/base/util.h"

#include "common/base/utf8.h"

#include <sys/ioctl.h>
#include <unistd.h>

/* The terminal ------------------------------------------------------------- */

static struct terminal_size
terminal_size_of(int fd)
{
	struct winsize size;

	if (!isatty(fd) || ioctl(fd, TIOCGWINSZ, &size))
		return (struct terminal_size){0};
	return (struct terminal_size){size.ws_col, size.ws_row};
}

void
print_wrapped(size_t begin, size_t end, const char *text)
{
	char *words = xstrdup(text);

	print_words(stdout, begin, end, words);
	free(words);
}

struct terminal_size
terminal_size(void)
{
	return terminal_size_of(STDOUT_FILENO);
}

/* Messages ----------------------------------------------------------------- */

const char *program_name = "pcb", *program_mode = "";

char *kept_messages;
static bool keeps_messages;

void
keep_messages(void)
{
	keeps_messages = true;
}

static void
keep(const char *text)
{
	char *longer;

	if (asprintf(&longer, "%s%s%s", kept_messages ? kept_messages : "",
	             kept_messages ? "; " : "", text) < 0)
		return;
	free(kept_messages);
	kept_messages = longer;
}

/*
 * One line, even if a name from outside holds a newline; a terminal gets whole
 * words. Allocates little: memory may be what is missing.
 */
void
complain(int error, const char *fmt, ...)
{
	size_t begin = strlen(program_name) + 2;
	size_t columns = terminal_size_of(STDERR_FILENO).columns;
	char *text, *longer, truncated[256] = "";
	va_list ap;

	va_start(ap, fmt);
	if (vasprintf(&text, fmt, ap) < 0) {
		va_end(ap);
		va_start(ap, fmt);
		vsnprintf(truncated, sizeof truncated, fmt, ap);
		text = NULL;
	}
	va_end(ap);
	if (error && asprintf(&longer, "%s: %s", text ? text : truncated,
	                      strerror(error)) >= 0) {
		free(text);
		text = longer;
	}
	flockfile(stderr);
	fprintf(stderr, "%s: ", program_name);
	print_words(stderr, begin, columns > 2 * begin ? columns + 1 : 0,
	            text ? text : truncated);
	if (keeps_messages && text)
		keep(text);
	free(text);
	funlockfile(stderr);
}

void
try_help(void)
{
	fprintf(stderr, "Try '%s%s --help'.\n", program_name, program_mode);
	exit(STATUS_TROUBLE);
}

/* Memory, lists and texts -------------------------------------------------- */

static void *
checked(void *memory)
{
	if (!memory)
		die("out of memory");
	return memory;
}

void *
xmalloc(size_t size)
{
	return checked(malloc(size ? size : 1));
}

void *
xcalloc(size_t n, size_t size)
{
	return checked(calloc(n ? n : 1, size));
}

void *
xreallocarray(void *old, size_t n, size_t size)
{
	return checked(reallocarray(old, n ? n : 1, size));
}

void *
with_room(void *list, size_t n, size_t size)
{
	return n & (n - 1) ? list : xreallocarray(list, n ? 2 * n : 1, size);
}

char *
xstrdup(const char *text)
{
	return checked(strdup(text));
}

char *
xvasprintf(const char *fmt, va_list ap)
{
	char *text;

	return checked(vasprintf(&text, fmt, ap) < 0 ? NULL : text);
}

char *
xasprintf(const char *fmt, ...)
{
	char *text;
	va_list ap;

	va_start(ap, fmt);
	text = xvasprintf(fmt, ap);
	va_end(ap);
	return text;
}

void
xappend(char **list, const char *between, const char *fmt, ...)
{
	bool first = !*list || !**list;
	char *before = *list, *item;
	va_list ap;

	va_start(ap, fmt);
	item = xvasprintf(fmt, ap);
	va_end(ap);
	*list = xasprintf("%s%s%s", first ? "" : before, first ? "" : between,
	                  item);
	free(before);
	free(item);
}

char **
list_split(const char *list)
{
	size_t size = strlen(list) + 1;
	size_t n = 1;
	char **item;
	char *rest;

	for (const char *at = list; *at; at++)
		n += *at == ',';
	item = xmalloc((n + 1) * sizeof *item + size);
	rest = memcpy(item + n + 1, list, size);
	for (size_t i = 0; i <= n; i++)
		item[i] = strsep(&rest, ",");
	return item;
}

bool
list_has(const char *list, const char *item)
{
	size_t n = strlen(item);

	while (list) {
		if (!strncmp(list, item, n) && (!list[n] || list[n] == ','))
			return true;
		list = strchr(list, ',');
		if (list)
			list++;
	}
	return false;
}

size_t
find_word(const char *text, const char *const word[], size_t n)
{
	size_t i;

	for (i = 0; i < n && strcmp(word[i], text) != 0; i++)
		;
	return i;
}

/* fopencookie(3) wants 0 if nothing could be written. */
static ssize_t
append(void *cookie, const char *from, size_t size)
{
	struct composed *c = cookie;
	char *text = realloc(c->text, c->length + size + 1);

	if (!text)
		return 0;
	memcpy(text + c->length, from, size);
	c->text = text;
	c->length += size;
	text[c->length] = '\0';
	return (ssize_t)size;
}

FILE *
compose_begin(struct composed *c)
{
	static const cookie_io_functions_t functions = {.write = append};
	FILE *to;

	*c = (struct composed){.text = xstrdup("")};
	to = fopencookie(c, "w", functions);
	if (!to)
		die("out of memory");
	return to;
}

char *
compose_end(struct composed *c, FILE *to)
{
	int lost = ferror(to);

	if (fclose(to) || lost)
		die("out of memory");
	return c->text;
}
