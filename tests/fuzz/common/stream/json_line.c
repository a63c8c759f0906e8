/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Whatever a line holds, texts that are taken lie in it and have an end. */
#include "common/stream/json_line.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);

static void
must_lie_in(const char *text, const char *line, size_t size)
{
	if (text < line || text + strlen(text) > line + size)
		abort();
}

int
LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
	struct json_line object = {0};
	char *line = malloc(size + 1);

	if (!line)
		return 0;
	/* Twice: the second row is compared with the first. */
	for (int i = 0; i < 2; i++) {
		memcpy(line, bytes, size);
		line[size] = '\0';
		if (json_line_parse(&object, line))
			continue;
		for (size_t k = 0; k < object.n; k++) {
			must_lie_in(object.name[k], line, size);
			must_lie_in(object.value[k], line, size);
		}
		if (i && object.kind == JSON_ROW && object.renamed)
			abort();
	}
	json_line_free(&object);
	free(line);
	return 0;
}
