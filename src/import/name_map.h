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
 * Adds NAME=VALUE,... as given to `option`. The value is what follows the
 * last '='. Without one, and for a name that is there already or empty, it
 * ends the program as a usage error.
 */
void name_map_add(struct name_map *map, const char *option, const char *list);

/* The value of a name, which is marked as used, or NULL. */
const char *name_map_use(struct name_map *map, const char *name);

/* The first name that was never used, or NULL. */
const char *name_map_unused(const struct name_map *map);

void name_map_free(struct name_map *map);

#endif
