/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Chooses the columns, and reads rows into the histograms of their groups;
 * other threads read later parts of a large file.
 */
#include "stats/stats.h"

#include "common/base/debug.h"
#include "common/base/number.h"
#include "common/cli/option_table.h"
#include "common/stream/columns.h"

#include <pthread.h>
#include <sched.h>

/* Columns ------------------------------------------------------------------ */

static bool
is_wanted(const struct columns *c, const char *name)
{
	for (size_t i = 0; i < c->nby; i++) {
		if (!strcmp(name, c->by[i]))
			return true;
	}
	return false;
}

static void
forget_by(struct columns *c)
{
	while (c->nby)
		free(c->by[--c->nby]);
}

static const char *
add_by(void *to, const char *name)
{
	struct columns *c = to;

	if (!*name || is_wanted(c, name))
		return "an empty name, or a repeated one";
	c->by = xreallocarray(c->by, c->nby + 1, sizeof *c->by);
	c->by[c->nby++] = xstrdup(name);
	return NULL;
}

const char *
columns_parse_by(struct columns *c, const char *list)
{
	forget_by(c);
	return *list ? option_each_word(list, c, add_by) : NULL;
}

static bool
has_unit(const char *name)
{
	return *unit_of(name);
}

/* The median column of pcb-stats output; NULL: the input has none. */
static const char *
find_median(const struct table *t)
{
	for (size_t i = 0; i < t->ncols; i++) {
		if (!strncmp(t->name[i], "median_", strlen("median_")))
			return t->name[i];
	}
	return NULL;
}

static const char *
choose_measure(const struct table *t)
{
	static const char *const usual[] = {"latency_ns", "bandwidth_gbit_s",
	                                    "value"};
	char *candidates;
	size_t n;

	for (size_t i = 0; i < ARRAY_LEN(usual); i++) {
		if (table_find(t, usual[i]) >= 0)
			return usual[i];
	}
	candidates = list_columns(t, has_unit, &n);
	if (!n) {
		free(candidates);
		candidates = list_columns(t, NULL, NULL);
		warn("%s: no column with a unit, such as latency_ns: choose "
		     "one with -c: %s",
		     t->file, candidates);
	} else if (n > 1 && find_median(t)) {
		warn(
		    "%s: these are statistics, and pcb-stats needs samples; -c "
		    "%s summarises the medians",
		    t->file, find_median(t));
	} else if (n > 1) {
		warn("%s: several columns to summarise: choose one with -c: %s",
		     t->file, candidates);
	}
	free(candidates);
	if (n != 1)
		exit(STATUS_TROUBLE);
	for (n = 0; !has_unit(t->name[n]); n++)
		;
	return t->name[n];
}

/*
 * The table's name of a column given by index, from 1, or by its name in a
 * foreign file.
 */
static const char *
name_of(const struct table *t, const char *column)
{
	ptrdiff_t renamed;
	uint64_t n;

	if (table_find(t, column) >= 0)
		return column;
	if (!parse_integer(column, &n) && n && n + t->name_files <= t->ncols)
		return t->name[n - 1 + t->name_files];
	renamed = table_find(t, foreign_name(column));
	return renamed < 0 ? column : t->name[renamed];
}

/*
 * Examines new columns. The first call chooses the measure if none is given; it
 * dies if there is no candidate or more than one.
 */
static void
columns_update(struct columns *c, const struct table *t)
{
	if (!c->measure)
		c->measure = choose_measure(t);
	else
		c->measure = name_of(t, c->measure);
	c->measure_col = table_find(t, c->measure);
	c->count_col =
	    strcmp(c->measure, "count") != 0 ? table_find(t, "count") : -1;
	c->key = xreallocarray(c->key, t->ncols, sizeof *c->key);
	for (; c->known < t->ncols; c->known++) {
		const char *name = t->name[c->known];
		bool wanted = is_wanted(c, name);

		if (c->by_identity)
			wanted = !wanted && is_identity(name);
		if (strcmp(name, c->measure) != 0 &&
		    (wanted || !strcmp(name, "kind")))
			c->key[c->nkey++] = c->known;
	}
}

/* At the end of the input: dies if no part has a column that was named. */
static void
columns_check(const struct columns *c, const struct table *t)
{
	need_given_column(t, c->measure);
	for (size_t i = 0; i < c->nby; i++) {
		const char *name = c->by[i];

		need_given_column(t, name);
		if (!strcmp(name, c->measure))
			die("%s: the value column cannot be %s", name,
			    c->by_identity ? "pooled over" : "grouped by");
		if (c->by_identity && !is_identity(name))
			die("%s: not a key column: nothing to pool over", name);
		if (!strcmp(name, "count"))
			die("count: a weight is not a key column");
	}
}

void
columns_free(struct columns *c)
{
	forget_by(c);
	free(c->by);
	free(c->key);
	*c = (struct columns){0};
}

/* Rows --------------------------------------------------------------------- */

/*
 * Values of a timer repeat, and counting a known text takes a third of the time
 * of parsing it: a cache with one entry per hash.
 */
#define TALLY_BITS  14
#define TALLY_TEXTS (1 << TALLY_BITS)

/* Samples of one text and one group, by its index. */
struct tallied {
	uint64_t text; /* as word_of gives it */
	size_t group;
	uint64_t count; /* 0: unused */
	double value;
};

/*
 * A thread's rows. Those of another group than the row before wait, because it
 * takes half of the time to look up the groups of many rows at once.
 */
struct reading {
	struct table *table;
	struct columns columns;
	struct groups groups;
	struct tallied *tally;
	uintmax_t skipped; /* rows without a measure */

	bool is_range; /* leaves a bad row to the owner, */
	bool left_row; /* as it has done with the last one */

	bool counted; /* the row before */
	size_t group; /* its group, unless it waits */
	struct key key[KEYS_AT_ONCE];
	struct tallied waiting[KEYS_AT_ONCE];
	size_t nwaiting;
};

/* A text of 1 to 7 bytes as a number, the first byte lowest; 0 for others. */
static uint64_t
word_of(const char *text)
{
	uint64_t word = 0;

	for (unsigned i = 0; i < 56; i += 8) {
		if (!*text)
			return word;
		word |= (uint64_t)(unsigned char)*text++ << i;
	}
	return *text ? 0 : word;
}

static struct tallied *
find_tallied(struct tallied tally[], const struct tallied *sample)
{
	uint64_t hash =
	    (sample->text + sample->group) * UINT64_C(0x9e3779b97f4a7c15);

	return &tally[hash >> (64 - TALLY_BITS)];
}

static _Noreturn void
die_uncountable(const struct reading *r)
{
	table_die(r->table, (size_t)r->columns.measure_col,
	          "more samples than can be counted");
}

static void
add(const struct reading *r, const struct tallied *samples)
{
	if (samples->count &&
	    !histogram_add(&r->groups.histogram[samples->group], samples->value,
	                   samples->count))
		die_uncountable(r);
}

/* Adds the rows that wait; sets the group of the last one. */
static void
add_waiting(struct reading *r)
{
	key_set_prefetch(&r->groups.keys, r->key, r->nwaiting);
	for (size_t i = 0; i < r->nwaiting; i++) {
		r->group = groups_find(&r->groups, &r->key[i]);
		r->waiting[i].group = r->group;
		add(r, &r->waiting[i]);
	}
	r->nwaiting = 0;
}

/* Whether this row has the group of the row before; if not, makes its key. */
static bool
same_group(struct reading *r)
{
	const struct columns *c = &r->columns;
	struct key *key = &r->key[r->nwaiting];

	if (r->counted && r->table->changed == (size_t)c->measure_col)
		return true;
	key->length = 0;
	for (size_t i = 0; i < c->nkey; i++)
		key_append(key, c->key[i], r->table->field[c->key[i]]);
	if (r->nwaiting)
		return key_equal(key, key - 1);
	return r->groups.keys.n &&
	       key_equal(key, &r->groups.keys.key[r->group]);
}

/* Takes a row; in a range, false for a bad one, which it leaves. */
static bool
take_row(struct reading *r)
{
	const struct table *t = r->table;
	struct columns *c = &r->columns;
	struct tallied sample = {.count = 1}, *entry = NULL;
	const char *text, *why;

	if (c->known < t->ncols)
		columns_update(c, t);
	text = table_text(t, c->measure_col);
	if (same_group(r)) {
		if (r->nwaiting)
			add_waiting(r);
		sample.group = r->group;
		sample.text = c->count_col < 0 ? word_of(text) : 0;
		entry = find_tallied(r->tally, &sample);
		if (sample.text && entry->text == sample.text &&
		    entry->group == sample.group) {
			entry->count++;
			r->counted = true;
			return true;
		}
	}
	r->counted = false;
	if (!*text) {
		trace_skipped(t, c->measure);
		r->skipped++;
		return true;
	}
	why = parse_number(text, &sample.value);
	if (why && r->is_range) {
		r->left_row = true;
		return false;
	}
	if (why)
		table_refuse(t, (size_t)c->measure_col, why);
	sample.count = table_weight(t, c->count_col);
	if (!sample.count)
		return true;
	r->counted = true;
	if (!entry) {
		r->waiting[r->nwaiting++] = sample;
		if (r->nwaiting == KEYS_AT_ONCE)
			add_waiting(r);
	} else if (sample.text) {
		add(r, entry);
		*entry = sample;
	} else {
		add(r, &sample);
	}
	return true;
}

/* Reads a row; false at the end. Dies if the input is bad, but in a range. */
static inline bool
read_row(struct reading *r)
{
	return table_next(r->table) && take_row(r);
}

/* Adds all samples so far. More rows may follow. */
static void
add_all(struct reading *r)
{
	add_waiting(r);
	for (size_t i = 0; i < TALLY_TEXTS; i++) {
		add(r, &r->tally[i]);
		r->tally[i] = (struct tallied){0};
	}
}

static void
reading_free(struct reading *r)
{
	for (size_t i = 0; i < KEYS_AT_ONCE; i++)
		free(r->key[i].bytes);
	free(r->tally);
}

/* Ranges ------------------------------------------------------------------- */

#define LEAST_BYTES (UINT64_C(4) << 20)
#define ROW_BYTES   16 /* of a short row */

struct division
division_by_cpus(void)
{
	struct division division = {.threads = 1, .least = LEAST_BYTES};
	cpu_set_t cpus;

	if (!sched_getaffinity(0, sizeof cpus, &cpus))
		division.threads = (size_t)CPU_COUNT(&cpus);
	if (division.threads > DIVISION_MAX)
		division.threads = DIVISION_MAX;
	return division;
}

static void *
read_range(void *data)
{
	struct reading *r = data;

	while (read_row(r))
		;
	add_all(r);
	return NULL;
}

/* Takes up what a thread has read, if the table is there. */
static void
take_range(struct reading *r, struct reading *range)
{
	struct groups *from = &range->groups;

	if (!table_join(r->table, range->table, range->left_row))
		return;
	add_all(r);
	for (size_t k = 0; k < from->keys.n; k++) {
		size_t group = groups_find(&r->groups, &from->keys.key[k]);

		if (!histogram_merge(&r->groups.histogram[group],
		                     &from->histogram[k]))
			die_uncountable(r);
	}
	r->skipped += range->skipped;
}

/* Reads the rest of a large file in ranges. */
static void
read_in_ranges(struct reading *r, struct division division)
{
	const struct columns *c = &r->columns;
	struct reading range[DIVISION_MAX];
	pthread_t thread[DIVISION_MAX];
	bool threaded[DIVISION_MAX] = {false};
	uint64_t begin[DIVISION_MAX + 1];
	size_t n;

	/* Rows are traced in order, and weights may exceed the largest count.
	 */
	if (debug_mask & DEBUG_ROWS || c->measure_col < 0 || c->count_col >= 0)
		return;
	n = table_ranges(r->table, division.threads, division.least, begin);
	if (n == 1)
		return;
	begin[n] = 0;
	for (size_t i = n; i--;) {
		range[i] = (struct reading){
		    .table = table_fork(r->table, begin[i], begin[i + 1]),
		    .columns = *c,
		    .tally = xcalloc(TALLY_TEXTS, sizeof *r->tally),
		    .is_range = true,
		};
		threaded[i] = i && !pthread_create(&thread[i], NULL, read_range,
		                                   &range[i]);
		if (!threaded[i])
			read_range(&range[i]);
	}
	for (size_t i = 0; i < n; i++) {
		if (threaded[i])
			pthread_join(thread[i], NULL);
	}
	for (size_t i = 0; i < n; i++) {
		while (table_tell(r->table) < begin[i] && read_row(r))
			;
		take_range(r, &range[i]);
	}
	for (size_t i = 0; i < n; i++) {
		table_close_fork(range[i].table);
		groups_free(&range[i].groups);
		reading_free(&range[i]);
	}
}

/* All rows ----------------------------------------------------------------- */

/* With more groups, single samples deserve a warning. */
#define MANY_GROUPS 1000

/* The number of distinct texts of a column. */
static size_t
count_values(const struct groups *g, size_t col)
{
	struct key_set texts = {0};
	size_t n;

	for (size_t k = 0; k < g->keys.n; k++)
		key_set_intern_text(&texts, key_find(&g->keys.key[k], col));
	n = texts.n;
	key_set_free(&texts);
	return n;
}

/*
 * Groups of single samples have a key column too many; but a run has only one
 * bandwidth.
 */
static void
warn_of_singles(const struct table *t, const struct columns *c,
                const struct groups *g)
{
	size_t singles = 0, most = 0, col = 0;

	for (size_t k = 0; k < g->keys.n; k++)
		singles += g->histogram[k].n == 1;
	if (g->keys.n <= MANY_GROUPS || singles <= g->keys.n / 2 ||
	    !strcmp(c->measure, "bandwidth_gbit_s"))
		return;
	for (size_t i = 0; i < c->nkey; i++) {
		size_t values = count_values(g, c->key[i]);

		if (values > most) {
			most = values;
			col = c->key[i];
		}
	}
	warn("%zu of %zu groups have only one sample; '%s' has %zu values: "
	     "--pool pools over a column",
	     singles, g->keys.n, t->name[col], most);
}

void
read_samples(struct table *t, struct columns *c, struct groups *g,
             struct division division)
{
	uintmax_t alone = 0; /* rows until which it reads alone */
	struct reading r = {.table = t,
	                    .columns = *c,
	                    .groups = *g,
	                    .tally = xcalloc(TALLY_TEXTS, sizeof *r.tally)};

	while (read_row(&r)) {
		if (division.threads < 2 || t->rows < alone)
			continue;
		read_in_ranges(&r, division);
		/* Not at each of many lines that are not plain. */
		alone = t->rows + division.least / ROW_BYTES;
	}
	columns_update(&r.columns, t);
	columns_check(&r.columns, t);
	add_all(&r);
	for (size_t i = 0; i < r.groups.keys.n; i++)
		histogram_finish(&r.groups.histogram[i]);
	reading_free(&r);
	*c = r.columns;
	*g = r.groups;
	warn_of_singles(t, c, g);
	warn_skipped(r.skipped, c->measure);
}
