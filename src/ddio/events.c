/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Reads the tables of events and metrics; finds an event by any of its names.
 */
#include "ddio/ddio.h"

#include "common/base/util.h"
#include "common/sys/datadir.h"
#include "common/sys/sysfs.h"

#include <ctype.h>
#include <strings.h>

static struct event *events;
static size_t nevents;

struct metric *metrics;
size_t nmetrics;

/* The tables --------------------------------------------------------------- */

static struct table *
open_shared(const char *name, char **file)
{
	*file = share_find("ddio", name);
	if (!*file)
		die("share/pcb-tools/ddio/%s.csv is not installed", name);
	return table_open(file, 1);
}

/* The index of the column's text among n words. */
static unsigned
need_word(const struct table *t, const char *column, const char *const word[],
          size_t n)
{
	size_t found = find_word(need_text(t, column), word, n);

	if (found == n)
		table_refuse(t, need_column(t, column), "no such word");
	return (unsigned)found;
}

static void
read_events(void)
{
	static const char *const places[] = {"", "socket", "part"};
	char *file;
	struct table *t = open_shared("events", &file);

	while (table_next(t)) {
		unsigned place = need_word(t, "per", places, ARRAY_LEN(places));
		const char *bytes = need_text(t, "bytes");

		array_push(
		    events, nevents,
		    (struct event){
		        .name = xstrdup(need_text(t, "event")),
		        .counted_as = xstrdup(need_text(t, "counted_as")),
		        .of_part = place == 2,
		        .bytes = (unsigned)strtoul(bytes, NULL, 10)});
	}
	table_close(t);
	free(file);
}

/* Free it; NULL if the cell is empty. */
static char *
read_cell(const struct table *t, const char *column)
{
	const char *text = need_text(t, column);

	return *text ? xstrdup(text) : NULL;
}

void
read_metrics(void)
{
	static const char *const formulas[] = {
	    "percent", "per_second", "gbit_s", "ratio", "clocks_as_ns"};
	char *file;
	struct table *t;

	read_events();
	t = open_shared("metrics", &file);
	while (table_next(t)) {
		unsigned formula =
		    need_word(t, "formula", formulas, ARRAY_LEN(formulas));

		array_push(
		    metrics, nmetrics,
		    (struct metric){.name = xstrdup(need_text(t, "metric")),
		                    .formula = (enum formula)formula,
		                    .event = {read_cell(t, "first"),
		                              read_cell(t, "second"),
		                              read_cell(t, "third")},
		                    .whole = read_cell(t, "whole"),
		                    .hit = read_cell(t, "hit"),
		                    .miss = read_cell(t, "miss")});
	}
	table_close(t);
	free(file);
}

/* Names of events ---------------------------------------------------------- */

/* Moves digits behind one of these endings to `part`. */
static void
cut_part(const char *name, size_t *length, char part[PART_MAX])
{
	static const char *const endings[] = {".part", "_iom", "_io_"};
	size_t digits = 0, before;

	*part = '\0';
	while (digits < *length &&
	       isdigit((unsigned char)name[*length - 1 - digits]))
		digits++;
	if (!digits || digits >= PART_MAX)
		return;
	before = *length - digits;
	for (size_t i = 0; i < ARRAY_LEN(endings); i++) {
		size_t ending = strlen(endings[i]);

		if (before < ending || strncasecmp(name + before - ending,
		                                   endings[i], ending) != 0)
			continue;
		memcpy(part, name + before, digits);
		part[digits] = '\0';
		*length = before - ending;
		return;
	}
}

/* The event called `name` in the first n rows; what it counts is above it. */
static const struct event *
find_above(const char *name, size_t n)
{
	for (; n; n--) {
		const struct event *e = &events[n - 1];

		if (strcasecmp(name, e->name) != 0)
			continue;
		if (!*e->counted_as)
			return e;
		name = e->counted_as;
	}
	return NULL;
}

const struct event *
find_event(const char *name, char part[PART_MAX])
{
	const char *slash = strchr(name, '/');
	const struct event *found = NULL;
	size_t length;
	char *bare;

	/* Without PMU, modifiers and part. */
	if (slash)
		name = slash + 1;
	length = strcspn(name, "/ :[,");
	cut_part(name, &length, part);
	bare = xasprintf("%.*s", (int)length, name);
	found = find_above(bare, nevents);
	free(bare);
	return found;
}

char *
unit_in_event(const char *name)
{
	const char *bracket = strchr(name, '[');
	const char *slash = strchr(name, '/');
	const char *from = bracket ? bracket + 1 : slash ? name : "";

	return pmu_unit(from, strcspn(from, "]/"));
}
