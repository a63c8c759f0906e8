/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Public files give the facts of tests/data/facts/facts.csv, and no others. */
#include "rig/cmocka.h"

#include "common/facts/facts.h"
#include "common/facts/paste.h"
#include "rig/pci.h"
#include "rig/support.h"

#include <math.h>

/* Those that the table has. */
static bool
is_listed(const struct fact *f)
{
	switch (f->kind) {
	case FACT_LIMIT:
	case FACT_EVENT:
		return true;
	case FACT_NODE:
	case FACT_GEN:
	case FACT_LANES:
	case FACT_MAX_GEN:
	case FACT_MAX_LANES:
	case FACT_PAIR_GEN:
	case FACT_PAIR_LANES:
	case FACT_IDLE:
	case FACT_PSTATE:
	case FACT_REPLAYS:
	case FACT_NAME:
	case FACT_WAY:
	case FACT_PEER:
		return f->source != FROM_LOG;
	case FACT_ABOVE:
		return f->source != FROM_SYSFS;
	default:
		return false;
	}
}

/* What files of an archive's /sys print as, or a text. */
static FILE *
open_source(const char *path)
{
	const char *end = strrchr(path, '.');
	char *command;

	if (strcmp(end, ".bz2") != 0)
		return fopen(path, "r");
	/* Some of its links lead nowhere. */
	command = xasprintf("rm -rf tree && mkdir tree && { tar xjf '%s' -C "
	                    "tree 2>err || :; } && cd tree/* && { grep -rs . "
	                    "sys/devices --include=numa_node "
	                    "--include='*_link_*' || :; } >../../paste",
	                    path);
	run_shell(command);
	free(command);
	return fopen("paste", "r");
}

static struct facts
read_source(const char *path)
{
	struct facts facts = {0};
	FILE *f = open_source(path);
	struct paste *paste;
	char *line;

	assert_non_null(f);
	paste = paste_begin(f);
	while ((line = paste_next(paste)))
		facts_take(&facts, line, paste->column);
	paste_end(paste);
	fclose(f);
	facts_sort(&facts);
	return facts;
}

/* Adds a row of the table for each fact of a file. */
static void
append_facts(char ***rows, size_t *n, const char *name, const char *path)
{
	struct facts facts = read_source(path);

	for (size_t i = 0; i < facts.n; i++) {
		const struct fact *f = &facts.item[i];
		char *row;

		if (!is_listed(f))
			continue;
		row = strchr(f->value, ',')
		          ? xasprintf("%s,%s,%s,\"%s\",", name, f->bdf,
		                      fact_names[f->kind], f->value)
		          : xasprintf("%s,%s,%s,%s,", name, f->bdf,
		                      fact_names[f->kind], f->value);
		if (!isnan(f->time_s))
			xappend(&row, "", "%.6f", f->time_s);
		array_push(*rows, *n, row);
	}
	facts_free(&facts);
}

static int
by_text(const void *a, const void *b)
{
	return strcmp(*(char *const *)a, *(char *const *)b);
}

const struct fixtures fixtures = {enter_scratch, leave_scratch};

TEST(all_facts_are_read)
{
	const char *data = getenv("PCB_TEST_DATA"), *top = getenv("TOP");
	char *table, *line = NULL, **wanted = NULL, **got = NULL;
	char last[256] = "";
	size_t size = 0, n = 0, ngot = 0, wrong = 0, i = 0, k = 0;
	FILE *f;

	if (!data)
		skip();
	table = xasprintf("%s/tests/data/facts/facts.csv", top ? top : ".");
	f = fopen(table, "r");
	assert_non_null(f);
	assert_true(getline(&line, &size, f) > 0);
	while (getline(&line, &size, f) > 0) {
		char *comma = strchr(line, ','), *path;

		line[strcspn(line, "\n")] = '\0';
		array_push(wanted, n, xstrdup(line));
		*comma = '\0';
		if (!strcmp(line, last))
			continue;
		snprintf(last, sizeof last, "%s", line);
		path = xasprintf("%s/machines/%s", data, last);
		append_facts(&got, &ngot, last, path);
		free(path);
	}
	fclose(f);
	if (!wanted || !got) {
		fail_msg("no facts");
		return;
	}
	qsort(wanted, n, sizeof *wanted, by_text);
	qsort(got, ngot, sizeof *got, by_text);
	while (i < n || k < ngot) {
		int order = i == n      ? 1
		            : k == ngot ? -1
		                        : strcmp(wanted[i], got[k]);

		wrong += order != 0;
		if (order)
			printf("%s %s\n",
			       order < 0 ? "not read:" : "not there:",
			       order < 0 ? wanted[i] : got[k]);
		i += order <= 0;
		k += order >= 0;
	}
	assert_int_equal(wrong, 0);
	for (i = 0; i < n; i++)
		free(wanted[i]);
	for (k = 0; k < ngot; k++)
		free(got[k]);
	free(wanted);
	free(got);
	free(line);
	free(table);
}
