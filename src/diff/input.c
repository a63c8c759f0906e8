/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Opens the input, finds its columns and steps through its rows. */
#include "diff/diff.h"

#include "common/stream/columns.h"
#include "common/sys/datadir.h"

#include <sys/stat.h>

/* Samples as input --------------------------------------------------------- */

/* A column requested by its full name is compared as it is. */
static bool
names_samples(char *header, const char *statistic)
{
	bool measures = false;
	char *item;

	while ((item = strsep(&header, ",;\t\"\r\n"))) {
		const char *name = foreign_name(item);

		if (*name && (is_statistic(name) ||
		              (statistic && !strcmp(name, statistic))))
			return false;
		measures = measures || *unit_of(name);
	}
	return measures;
}

static bool
has_samples(const char *path, const char *statistic)
{
	struct stat st;
	bool samples;
	char *line = NULL;
	size_t size = 0;
	FILE *f;

	if (stat(path, &st) || !S_ISREG(st.st_mode) || !(f = fopen(path, "re")))
		return false;
	while (getline(&line, &size, f) > 0 && *line == '#')
		;
	samples = !ferror(f) && !feof(f) && names_samples(line, statistic);
	free(line);
	fclose(f);
	return samples;
}

/* The output of pcb-stats as a file; pcb-stats has reported errors. */
static char *
summarise(const char *path, const char *statistic)
{
	bool tail = statistic && *statistic == 'p';
	const char *unit = tail ? unit_of(statistic) : "";
	char *program = sibling_program("pcb-stats"), *file;
	char *option =
	    tail ? xasprintf("-p%.*s",
	                     (int)(unit - statistic - 1 - (*unit != 0)),
	                     statistic + 1)
	         : xstrdup(statistic ? "-fcsv" : "--histogram");
	char *const argv[] = {program, option, (char *)"--", (char *)path,
	                      NULL};

	for (char *c = option; (c = strchr(c, '_')); c++)
		*c = '.';
	file = program_output(program, argv, false);
	free(option);
	free(program);
	return file;
}

/* As given, and as messages name them. */
static char *const *operands;
static char **files;
static char **names;
static size_t noperands;

struct table *
open_operands(char *const operand[], size_t n, const char *statistic)
{
	struct table *t;

	files = xcalloc(n + 1, sizeof(char *));
	names = xcalloc(n + 1, sizeof(char *));
	operands = operand;
	noperands = n;
	for (size_t i = 0; i < n; i++) {
		files[i] = operand[i];
		if (!has_samples(operand[i], statistic))
			continue;
		files[i] = summarise(operand[i], statistic);
		names[i] = xasprintf("pcb-stats %s", operand[i]);
	}
	t = table_open(files, n);
	table_set_names(t, n ? names : NULL);
	return t;
}

bool
operands_are_samples(void)
{
	return noperands && names[0];
}

const char *
operand_of(const struct table *t)
{
	for (size_t i = 0; i < noperands; i++) {
		if (names[i] && !strcmp(t->file, names[i]))
			return operands[i];
	}
	return t->operand;
}

/* Columns ------------------------------------------------------------------ */

const char *const floor_names[NFLOORS] = {
    [FLOOR_MIN] = "min",
    [FLOOR_P1] = "p1",
    [FLOOR_MODE] = "mode",
};

/* Whether the column is this statistic, followed by a unit. */
static bool
is_called(const char *column, const char *name)
{
	size_t length = strlen(name);

	return column + length + 1 == unit_of(column) &&
	       !strncmp(column, name, length);
}

static bool
fits_statistic(const struct diff_columns *c, const char *name)
{
	const char *unit = unit_of(name);

	if (!*unit || (!c->by && strcmp(unit, "ns") != 0))
		return false;
	if (c->samples && !c->statistic)
		return !is_statistic(name);
	return !strcmp(name, c->statistic) || is_called(name, c->statistic);
}

/* Whether a list has the name. */
static bool
lists(char *const list[], size_t n, const char *name)
{
	return find_word(name, (const char *const *)list, n) < n;
}

static enum role
role_of(const struct diff_columns *c, const char *name)
{
	if (!c->by_operand && lists(c->by, c->nby, name))
		return ROLE_BY;
	if (lists(c->ignore, c->nignore, name))
		return 0;
	/* Where a row comes from does not make it another one. */
	if (!strcmp(name, "file"))
		return 0;
	if (!strcmp(name, "run"))
		return ROLE_RUN;
	if (c->by)
		return ROLE_GROUP;
	if (!strcmp(name, "device"))
		return ROLE_DEVICE;
	if (!strcmp(name, "parent"))
		return ROLE_PARENT;
	if (!strcmp(name, "link"))
		return ROLE_LINK;
	return ROLE_GROUP;
}

/* Dies if the row is a sample, or has a measure besides the default median. */
static void
check_row(const struct diff_columns *c, const struct table *t)
{
	const char *measure = NULL;
	bool sample = true;

	if (c->samples || !is_statistic(c->statistic))
		return;
	for (size_t i = 0; i < t->ncols; i++) {
		if (*t->field[i] && is_statistic(t->name[i]))
			sample = false;
		else if (*t->field[i] && *unit_of(t->name[i]))
			measure = t->name[i];
	}
	if (measure && sample)
		die("%s: these are samples: pipe them through pcb-stats first",
		    t->file);
	if (measure && c->value >= 0 && !strcmp(c->statistic, "median") &&
	    strcmp(unit_of(measure), "pct") != 0)
		die("%s: both %s and %s exist: choose one with --statistic",
		    t->file, t->name[c->value], measure);
}

/* Examines the new columns; dies if more than one fits the statistic. */
static void
update(struct diff_columns *c, const struct table *t)
{
	if (!c->known) {
		c->value = -1;
		for (size_t i = 0; i < NFLOORS; i++)
			c->floor[i] = -1;
	}
	c->key = xreallocarray(c->key, t->ncols, sizeof *c->key);
	for (; c->known < t->ncols; c->known++) {
		const char *name = t->name[c->known];

		for (size_t i = 0; i < NFLOORS; i++) {
			if (is_called(name, floor_names[i]) &&
			    !strcmp(unit_of(name), "ns"))
				c->floor[i] = (ptrdiff_t)c->known;
		}
		if (fits_statistic(c, name)) {
			if (c->value >= 0)
				die("%s: both %s and %s exist: choose one with "
				    "--statistic",
				    t->file, t->name[c->value], name);
			c->value = (ptrdiff_t)c->known;
		} else if (is_identity(name)) {
			c->key[c->nkey++] = (struct key_column){
			    c->known, role_of(c, name),
			    find_word(name, (const char *const *)c->by,
			              c->nby)};
		}
	}
}

static void
need_columns(const struct table *t, char *const name[], size_t n)
{
	for (size_t i = 0; i < n; i++)
		need_given_column(t, name[i]);
}

/* At the end of the input: dies if no part has a required column. */
static void
check(const struct diff_columns *c, const struct table *t)
{
	for (size_t i = 0; c->samples && i < t->ncols; i++) {
		if (is_statistic(t->name[i]))
			die("%s: --samples compares samples, and these are "
			    "statistics",
			    t->file);
	}
	if (c->by ? !c->by_operand && !strcmp(c->by[0], "file") &&
	                table_find(t, "file") < 0
	          : table_find(t, "device") < 0 ||
	                (!c->parents_given && table_find(t, "parent") < 0))
		die("%s: nothing names what to compare: give two files, older "
		    "first, or a column (--by COLUMN)%s",
		    t->file,
		    c->by ? "" : "; links need the columns device and parent");
	if (c->by && !c->by_operand)
		need_columns(t, c->by, c->nby);
	need_columns(t, c->ignore, c->nignore);
	if (c->value < 0)
		no_column(t,
		          c->samples && !c->statistic
		              ? xstrdup("*_ns")
		              : xasprintf("%s%s",
		                          c->given ? c->given : c->statistic,
		                          *unit_of(c->statistic) ? ""
		                          : c->by                ? "_*"
		                                                 : "_ns"),
		          "");
}

bool
diff_columns_has_floor(const struct diff_columns *c, size_t floor)
{
	bool asked = false;

	for (size_t i = 0; i < NFLOORS; i++)
		asked = asked || (c->floor[i] >= 0 && c->floor[i] == c->value);
	return asked && c->floor[floor] >= 0 && c->floor[floor] != c->value;
}

void
diff_columns_free(struct diff_columns *c)
{
	free(c->key);
	free(c->by);
	free(c->ignore);
	*c = (struct diff_columns){0};
}

/* Rows --------------------------------------------------------------------- */

bool
next_value(struct table *t, struct diff_columns *c, double *value)
{
	while (table_next(t)) {
		if (c->known < t->ncols)
			update(c, t);
		check_row(c, t);
		if (c->value >= 0 && *t->field[c->value]) {
			*value = table_number(t, (size_t)c->value);
			return true;
		}
		trace_skipped(t, "the statistic");
		c->skipped++;
	}
	update(c, t);
	check(c, t);
	warn_skipped(c->skipped, t->name[c->value]);
	return false;
}

_Noreturn void
die_repeated(const struct table *t, const struct diff_columns *c)
{
	table_die(t, (size_t)c->value, "a second row with the same keys: %s",
	          table_find(t, "file") >= 0
	              ? "--by file compares files, --by file,COLUMN both"
	              : "add a label (pcb-collect -l) or pool the samples "
	                "(pcb-stats)");
}

void
row_key(struct key *key, const struct table *t, const struct diff_columns *c,
        unsigned roles, const char *device)
{
	key->length = 0;
	for (size_t i = 0; i < c->nkey; i++) {
		const struct key_column *id = &c->key[i];

		if (!(id->role & roles))
			continue;
		key_append(key, id->col,
		           device && id->role == ROLE_DEVICE
		               ? device
		               : t->field[id->col]);
	}
}
