/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Lists of NAME=VALUE,... from the command line. */
#ifndef PCB_IMPORT_NAME_MAP_H
#define PCB_IMPORT_NAME_MAP_H

#include <stdbool.h>
#include <stddef.h>

/* Zero-initialise; names are unique. */
struct name_map {
	struct name_pair {
		char *name;
		char *value;
		bool used; /* set by name_map_use */
	} * pair;
	size_t n;
};

/*
 * Adds NAME=VALUE; the value follows the last '='. Returns NULL, or why the
 * text is refused: it is no such pair, or repeats a name.
 */
const char *name_map_add(struct name_map *map, const char *text);

/* The value of a name, which is then marked as used, or NULL. */
const char *name_map_use(struct name_map *map, const char *name);

/* The first name that was never used, or NULL. */
const char *name_map_unused(const struct name_map *map);

void name_map_free(struct name_map *map);

#endif
