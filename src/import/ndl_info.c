/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Parses the info.yml of an ndl run. */
#include "import/ndl_info.h"

#include "common/base/util.h"

#include <stdlib.h>
#include <string.h>

static bool
is_plain(const char *text, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		unsigned char c = (unsigned char)text[i];

		if (c < ' ' || c == 0x7f)
			return false;
	}
	return n > 0;
}

/* The value of a line, without quotes; NULL if it has none. */
static char *
value_of(const char *text)
{
	size_t n;

	text += strspn(text, " \t");
	n = strlen(text);
	while (n && strchr(" \t\r\n", text[n - 1]))
		n--;
	if (n >= 2 && strchr("'\"", *text) && text[n - 1] == *text) {
		text++;
		n -= 2;
	}
	return is_plain(text, n) ? xasprintf("%.*s", (int)n, text) : NULL;
}

static void
read_line(const char *line, struct ndl_info *info)
{
	const struct {
		const char *key;
		char **value;
	} keys[] = {{"toolname:", &info->tool},
	            {"toolver:", &info->version},
	            {"reportid:", &info->report}};

	for (size_t i = 0; i < ARRAY_LEN(keys); i++) {
		size_t n = strlen(keys[i].key);

		if (strncmp(line, keys[i].key, n) != 0)
			continue;
		free(*keys[i].value);
		*keys[i].value = value_of(line + n);
	}
}

void
ndl_info_read(FILE *f, struct ndl_info *info)
{
	char *line = NULL;
	size_t size = 0;

	*info = (struct ndl_info){0};
	while (getline(&line, &size, f) > 0)
		read_line(line, info);
	free(line);
}

void
ndl_info_free(struct ndl_info *info)
{
	free(info->tool);
	free(info->version);
	free(info->report);
	*info = (struct ndl_info){0};
}
