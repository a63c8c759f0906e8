/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The trace of --debug and PCB_DEBUG. */
#include "common/base/debug.h"

#include "common/base/utf8.h"
#include "common/base/util.h"

#include <fcntl.h>
#include <unistd.h>

unsigned debug_mask;

/* In the order of the bits of enum debug_category. */
static const char *const names[] = {"access",  "device", "pci", "pmu",
                                    "restore", "rows",   "vfio"};

void
debug_enable(const char *source, const char *list)
{
	char **item = list_split(list), *all = NULL;

	for (size_t i = 0; item[i]; i++) {
		const char *word = item[i];
		size_t bit = find_word(word, names, ARRAY_LEN(names));

		if (bit < ARRAY_LEN(names)) {
			debug_mask |= 1u << bit;
		} else if (!strcmp(word, "all")) {
			debug_mask |= (1u << ARRAY_LEN(names)) - 1;
		} else {
			for (bit = 0; bit < ARRAY_LEN(names); bit++)
				xappend(&all, ", ", "%s", names[bit]);
			die_usage("%s '%s': not one of %s or all", source, word,
			          all);
		}
	}
	free(item);
}

/*
 * Always one line, even if a name from outside holds a newline. Opens the file
 * for each line: it then occupies no descriptor of the program, and lines that
 * other processes append stay whole. Does not wait for who reads a FIFO.
 */
void
debug_print(enum debug_category category, const char *fmt, ...)
{
	const char *file = getenv("PCB_DEBUG_FILE");
	int error = errno, fd = STDERR_FILENO;
	struct composed line;
	char *text;
	FILE *to;
	va_list ap;

	va_start(ap, fmt);
	text = xvasprintf(fmt, ap);
	va_end(ap);
	to = compose_begin(&line);
	fprintf(to, "debug: %s: ", names[__builtin_ctz(category)]);
	print_plain(to, text);
	fputc('\n', to);
	free(text);
	text = compose_end(&line, to);
	if (file && *file)
		fd =
		    open(file,
		         O_WRONLY | O_APPEND | O_CREAT | O_NONBLOCK | O_CLOEXEC,
		         0666);
	if (fd >= 0 && write(fd, text, strlen(text)) < 0) {
		/* An error here must not stop the program. */
	}
	if (fd > STDERR_FILENO)
		close(fd);
	free(text);
	errno = error;
}

int
debug_result(enum debug_category category, const char *call, int result)
{
	if (result < 0)
		debug(category, "%s = %d: %s", call, result, strerror(errno));
	else
		debug(category, "%s = %d", call, result);
	return result;
}
