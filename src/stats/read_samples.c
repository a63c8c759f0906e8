/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Reads rows into the histograms of their groups. */
#include "stats/stats.h"

#include "common/base/debug.h"
#include "common/base/number.h"
#include "common/base/parallel.h"

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

/* The samples of a row; 0 if it has none. */
struct sample {
	double value;
	uint64_t count;
	uintmax_t line;
};

/* Rows that table_run gives at once. */
#define RUN_MAX 64

/*
 * Rows of another group than the row before wait, because it takes half of the
 * time to look up the groups of many rows at once.
 */
struct reading {
	struct table *table;
	struct columns *columns;
	struct groups groups; /* of rows with the measure, */
	struct groups others; /* and of those with the other one */
	struct order *order;  /* NULL: not wanted */
	struct tallied *tally;
	uintmax_t skipped; /* rows without a measure */

	size_t group; /* of the last row that did not wait, */
	bool settled; /* which is the row before */
	struct key key[KEYS_AT_ONCE];
	struct sample waiting[KEYS_AT_ONCE];
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

static void
add(struct reading *r, size_t group, struct sample s)
{
	if (tallies_add(&r->groups.samples, group, s.value, s.count))
		return;
	r->table->line = s.line;
	table_die(r->table, (size_t)r->columns->measure_col,
	          "more samples than can be counted");
}

/* Adds the rows that wait; sets the group of the last one. */
static void
add_waiting(struct reading *r)
{
	if (!r->nwaiting)
		return;
	key_set_prefetch(&r->groups.keys, r->key, r->nwaiting);
	for (size_t i = 0; i < r->nwaiting; i++) {
		r->group = key_set_intern(&r->groups.keys, &r->key[i]);
		add(r, r->group, r->waiting[i]);
		if (r->order)
			order_add(r->order, &r->groups.keys, r->group,
			          r->waiting[i].value);
	}
	r->nwaiting = 0;
}

/* Whether this row has the group of the row before; if not, makes its key. */
static bool
same_group(struct reading *r)
{
	const struct columns *c = r->columns;
	struct key *key = &r->key[r->nwaiting];

	key->length = 0;
	for (size_t i = 0; i < c->nkey; i++)
		key_append(key, c->key[i], r->table->field[c->key[i]]);
	if (r->nwaiting)
		return key_equal(key, key - 1);
	return r->groups.keys.n &&
	       key_equal(key, &r->groups.keys.key[r->group]);
}

/* The samples of the current row. */
static struct sample
parse_row(struct reading *r)
{
	const struct table *t = r->table;
	const struct columns *c = r->columns;
	struct sample sample = {.line = t->line};

	if (*table_text(t, c->measure_col)) {
		sample.value = table_number(t, (size_t)c->measure_col);
		sample.count = table_weight(t, c->count_col);
	} else {
		trace_skipped(t, c->measure ? c->measure : "a value");
		r->skipped++;
	}
	return sample;
}

/* Takes the current row, whose group is known. */
static void
count(struct reading *r, uint64_t word)
{
	uint64_t hash = (word + r->group) * UINT64_C(0x9e3779b97f4a7c15);
	struct tallied *entry = &r->tally[hash >> (64 - TALLY_BITS)];
	struct sample sample;

	if (word && entry->text == word && entry->group == r->group) {
		entry->count++;
		if (r->order)
			order_add(r->order, &r->groups.keys, r->group,
			          entry->value);
		return;
	}
	sample = parse_row(r);
	if (r->order && sample.count)
		order_add(r->order, &r->groups.keys, r->group, sample.value);
	if (word) {
		const struct tallied old = *entry;

		*entry = (struct tallied){word, r->group, sample.count,
		                          sample.value};
		sample.value = old.value;
		sample.count = old.count;
		add(r, old.group, sample);
	} else {
		add(r, r->group, sample);
	}
}

/* Takes the next rows as long as only their measure differs. */
static void
take_run(struct reading *r)
{
	struct table *t = r->table;
	const char *text[RUN_MAX];
	size_t n;

	while ((n = table_run(t, text, RUN_MAX))) {
		t->line -= n;
		for (size_t i = 0; i < n; i++) {
			t->line++;
			t->field[t->changed] = text[i];
			count(r, word_of(text[i]));
		}
	}
}

/* Takes the current row if it has the other column in place of the measure. */
static bool
take_other(struct reading *r)
{
	const struct columns *c = r->columns;
	const struct table *t = r->table;
	struct key key = {0};
	size_t group;

	if (c->other_col < 0 || *table_text(t, c->measure_col) ||
	    !*table_text(t, c->other_col))
		return false;
	for (size_t i = 0; i < c->nkey; i++)
		key_append(&key, c->key[i], t->field[c->key[i]]);
	group = key_set_intern(&r->others.keys, &key);
	free(key.bytes);
	if (!tallies_add(&r->others.samples, group,
	                 table_number(t, (size_t)c->other_col),
	                 table_weight(t, c->count_col)))
		table_die(t, (size_t)c->other_col,
		          "more samples than can be counted");
	r->settled = false;
	return true;
}

static void
take_row(struct reading *r)
{
	struct columns *c = r->columns;
	struct table *t = r->table;
	struct sample sample;
	bool alone; /* has the measure changed */

	if (c->known < t->ncols)
		columns_update(c, t);
	if (take_other(r))
		return;
	alone = t->changed == (size_t)c->measure_col;
	if ((r->settled && alone) || same_group(r)) {
		add_waiting(r);
		r->settled = true;
		count(r, c->count_col < 0
		             ? word_of(table_text(t, c->measure_col))
		             : 0);
		if (alone && c->count_col < 0)
			take_run(r);
		return;
	}
	r->settled = false;
	sample = parse_row(r);
	if (!sample.count)
		return;
	r->waiting[r->nwaiting++] = sample;
	if (r->nwaiting == KEYS_AT_ONCE)
		add_waiting(r);
}

/*
 * Takes the current row if there is `more`, and those behind it until there are
 * so many; false if the table ends before. Its two callers share it, because
 * the compiler then makes one function of all that a row needs, which saves a
 * tenth of the time.
 */
__attribute__((noinline)) static bool
read_rows(struct reading *r, bool more, uintmax_t rows)
{
	for (; more; more = table_next(r->table)) {
		take_row(r);
		if (r->table->rows >= rows)
			return true;
	}
	return false;
}

/* Several threads ---------------------------------------------------------- */

/*
 * Bytes that a thread takes at a time at most: twice as many each time as long
 * as all rows are plain, since a row that is not discards what is read behind.
 */
#define RANGE_MAX ((off_t)1 << 21)

/*
 * Rows that one thread reads after such a row: one for so many bytes of the
 * shortest range, and then twice as many each time.
 */
#define PAUSE_BYTES 64
#define PAUSE_MAX   ((uintmax_t)1 << 24)

/* What a thread adds to groups. */
struct share {
	uint32_t *number; /* of its groups, in those of the first thread */
	size_t numbered, room;

	/* Before the range: */
	size_t keys, samples;
	uint64_t total;
};

/* A thread. */
struct reader {
	struct reading r;
	struct share groups, others;

	/* Before the range: */
	uintmax_t skipped;
	struct tallied *tally; /* NULL for the first thread: if a row of its */
	                       /* range is refused, the program will end */

	bool refused; /* a row of the range is bad */
	jmp_buf escape;
};

struct readers {
	struct reader *reader; /* the first one reads all but plain rows, too */
	unsigned n;
	off_t least, most; /* bytes of a range */
	uintmax_t next;    /* row at which to read ranges again */
	uintmax_t pause;
};

static void
begin_reader(struct reader *reader, struct columns *columns, unsigned threads)
{
	struct reading *r = &reader->r;

	r->columns = columns;
	r->groups.samples.share = r->others.samples.share = threads;
	r->tally = xcalloc(TALLY_TEXTS, sizeof *r->tally);
}

static void
mark_share(struct share *p, struct groups *g)
{
	p->keys = g->keys.n;
	p->total = g->samples.total;
	p->samples = tallies_mark(&g->samples);
}

static void
read_range(void *job, size_t i)
{
	struct reader *reader = &((struct readers *)job)->reader[i];
	struct reading *r = &reader->r;

	mark_share(&reader->groups, &r->groups);
	mark_share(&reader->others, &r->others);
	reader->skipped = r->skipped;
	if (reader->tally)
		memcpy(reader->tally, r->tally, TALLY_TEXTS * sizeof *r->tally);
	r->settled = false;
	reader->refused = true;
	if (setjmp(reader->escape))
		return;
	read_rows(r, table_next(r->table), UINTMAX_MAX);
	add_waiting(r);
	reader->refused = false;
}

static void
forget_share(const struct share *p, struct groups *g)
{
	tallies_keep(&g->samples, p->samples);
	key_set_keep(&g->keys, p->keys);
}

/* Takes back the rows of the range. */
static void
forget_range(struct reader *reader)
{
	struct reading *r = &reader->r;

	r->nwaiting = 0;
	if (reader->tally)
		memcpy(r->tally, reader->tally, TALLY_TEXTS * sizeof *r->tally);
	r->skipped = reader->skipped;
	r->group = 0;
	forget_share(&reader->groups, &r->groups);
	forget_share(&reader->others, &r->others);
}

/* Whether all the samples of the range can be counted. */
static bool
fits(const struct groups *all, const struct share *p, const struct groups *g)
{
	return g->samples.total - p->total <= UINT64_MAX - all->samples.total;
}

/* Numbers new groups in order of appearance. */
static void
keep_share(struct groups *all, struct share *p, struct groups *g)
{
	tallies_keep(&g->samples, g->samples.n);
	if (g == all)
		return;
	all->samples.total += g->samples.total - p->total;
	p->number =
	    key_set_grow(&g->keys, p->number, &p->room, sizeof *p->number);
	for (; p->numbered < g->keys.n; p->numbered++)
		p->number[p->numbered] = (uint32_t)key_set_intern(
		    &all->keys, &g->keys.key[p->numbered]);
}

/*
 * Adds the rows of a range to those of all ranges before it, unless one of them
 * is refused.
 */
static bool
keep_range(struct reader *first, struct reader *reader)
{
	struct reading *all = &first->r, *r = &reader->r;

	if (reader->refused ||
	    (r != all && !(fits(&all->groups, &reader->groups, &r->groups) &&
	                   fits(&all->others, &reader->others, &r->others))))
		return false;
	keep_share(&all->groups, &reader->groups, &r->groups);
	keep_share(&all->others, &reader->others, &r->others);
	if (r != all) {
		all->skipped += r->skipped;
		r->skipped = 0;
	}
	return true;
}

/*
 * Reads ranges of plain rows, each by a thread. A range counts if the one
 * before it ends where it begins, which it does not if it was cut in a quoted
 * field. False unless all count: table_next reads what no thread could.
 */
static bool
read_ranges(struct readers *all, struct table *t)
{
	off_t bound[THREADS_MAX + 1];
	size_t n = table_cut(t, all->n, all->least, all->most, bound);
	struct reader *reader = all->reader;
	bool follows = n;

	for (size_t i = 0; i < n; i++) {
		if (!reader[i].r.tally) {
			begin_reader(&reader[i], reader->r.columns, all->n);
			reader[i].tally =
			    xcalloc(TALLY_TEXTS, sizeof *reader[i].tally);
		}
		reader[i].r.table = table_range(t, bound[i], bound[i + 1]);
		reader[i].r.table->escape = &reader[i].escape;
	}
	in_parallel(n, read_range, all);
	for (size_t i = 0; i < n; i++) {
		follows = follows && keep_range(reader, &reader[i]);
		if (!follows)
			forget_range(&reader[i]);
		follows = follows && table_skip(t, reader[i].r.table);
		table_range_free(reader[i].r.table);
		reader[i].r.table = t;
	}
	return follows;
}

/* Reads on by all threads as far as that is quick. */
static void
read_plain(struct readers *all, struct table *t)
{
	add_waiting(&all->reader->r);
	while (read_ranges(all, t)) {
		all->most = 2 * all->most;
		if (all->most > RANGE_MAX)
			all->most = RANGE_MAX;
		all->pause = 1 + (uintmax_t)all->least / PAUSE_BYTES;
	}
	all->most = all->least;
	all->next = t->rows + all->pause;
	if (all->pause < PAUSE_MAX)
		all->pause *= 2;
}

/* Moves the samples to a list for tallies_unite. */
static void
finish_share(struct tally_list *list, const struct share *p, struct groups *g)
{
	*list = (struct tally_list){g->samples, p->number};
	g->samples = (struct tallies){0};
}

/* Adds the samples that a thread counted by text to those of the first one. */
static void
add_tallied(struct reading *first, const struct reader *reader)
{
	const uint32_t *number = reader->groups.number;

	for (size_t i = 0; i < TALLY_TEXTS; i++) {
		const struct tallied *t = &reader->r.tally[i];

		if (t->count)
			add(first, number ? number[t->group] : t->group,
			    (struct sample){t->value, t->count,
			                    first->table->line});
	}
}

/* Moves the samples of all threads to the groups of the first one. */
static void
finish_readers(struct readers *all)
{
	struct tally_list groups[THREADS_MAX], others[THREADS_MAX];
	struct reader *reader = all->reader;
	struct reading *first = &reader->r;
	size_t n = 0;

	for (; n < all->n && reader[n].r.tally; n++) {
		struct reading *r = &reader[n].r;

		add_waiting(r);
		add_tallied(first, &reader[n]);
		for (size_t i = 0; i < KEYS_AT_ONCE; i++)
			free(r->key[i].bytes);
		free(r->tally);
		free(reader[n].tally);
	}
	for (size_t i = 0; i < n; i++) {
		finish_share(&groups[i], &reader[i].groups,
		             &reader[i].r.groups);
		finish_share(&others[i], &reader[i].others,
		             &reader[i].r.others);
	}
	first->groups.histogram =
	    tallies_unite(groups, n, first->groups.keys.n, all->n);
	first->others.histogram =
	    tallies_unite(others, n, first->others.keys.n, all->n);
	for (size_t i = 0; i < n; i++) {
		free(reader[i].groups.number);
		free(reader[i].others.number);
		if (i) {
			groups_free(&reader[i].r.groups);
			groups_free(&reader[i].r.others);
		}
	}
}

/* All rows ----------------------------------------------------------------- */

/* With more groups, single samples deserve a warning. */
#define MANY_GROUPS 1000

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
		struct key_set texts = {0};

		for (size_t k = 0; k < g->keys.n; k++)
			key_set_intern_text(
			    &texts, key_find(&g->keys.key[k], c->key[i]));
		if (texts.n > most) {
			most = texts.n;
			col = c->key[i];
		}
		key_set_free(&texts);
	}
	warn("%zu of %zu groups have only one sample; '%s' has %zu values: "
	     "--pool pools over a column",
	     singles, g->keys.n, t->name[col], most);
}

void
read_samples(struct table *t, bool first, struct columns *c, struct groups *g,
             struct groups *others, struct order *order, unsigned threads,
             size_t range)
{
	struct readers all = {
	    .reader = xcalloc(threads, sizeof *all.reader),
	    .n = threads,
	    .least = (off_t)range,
	    .most = (off_t)range,
	    .pause = 1 + range / PAUSE_BYTES,
	};
	struct reading *r = &all.reader->r;

	begin_reader(all.reader, c, threads);
	r->table = t;
	r->order = order;
	/* Its lines have numbers, and come in order. */
	if (threads == 1 || order || (debug_mask & DEBUG_ROWS))
		all.next = UINTMAX_MAX;
	for (bool more = first; read_rows(r, more, all.next);
	     more = table_next(t))
		read_plain(&all, t);
	columns_update(c, t);
	columns_check(c, t);
	finish_readers(&all);
	if (order)
		order->lost =
		    c->count_col >= 0 || preamble_get(&t->preamble, "parts");
	*g = r->groups;
	*others = r->others;
	warn_of_singles(t, c, g);
	warn_skipped(r->skipped, c->measure);
	free(all.reader);
}
