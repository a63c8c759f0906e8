/* Names of columns: those a table has, those a result is to have. */
#ifndef PCB_COMMON_NAMES_H
#define PCB_COMMON_NAMES_H

#include "common/out.h"
#include "common/table.h"

/*
 * The columns of the table that `pick` says yes to (NULL: all), with ", "
 * between; NULL if there is none. *n, where not NULL, is how many there are.
 * Free the text.
 */
char *list_columns(const struct table *t, bool (*pick)(const char *),
                   size_t *n);

/*
 * Dies where the table, read to its end, has no column of this name, and says
 * which it has.
 */
void need_column(const struct table *t, const char *name);

/* The header of a result, name by name. Zero-initialise. */
struct header {
	char **name;
	size_t n;
};

/* Takes ownership of the name; dies if it is there already. */
void header_add(struct header *h, char *name);

/* out_begin with these names, which are released. */
void header_write(struct header *h, struct out *o);

#endif
