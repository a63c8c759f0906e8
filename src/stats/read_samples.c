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

/* Longer texts, of 8 bytes and more, rarely repeat. */
#define SHORT_WORD (UINT64_C(1) << 56)

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
 * So many samples do not wait: they could be more than can be counted, and a
 * row behind them would be refused first.
 */
#define MANY (UINT64_MAX / 2 / KEYS_AT_ONCE)

/* Samples of the measure, and of the column that rows without it have. */
enum { MEASURE, OTHER, COLUMNS };

/* The groups of a thread. */
struct share {
	struct groups groups;
	uint32_t *number; /* of each group in the share of the first thread */
	size_t numbered, room;

	/* Before the range: */
	size_t keys, samples;
	uint64_t total;
};

/*
 * A thread. Rows of another group than the row before wait, because it takes
 * half of the time to look up the groups of many rows at once.
 */
struct reader {
	_Alignas(THREAD_ALIGN) struct table *table;
	struct table *range; /* reused for each range of the thread */
	struct columns *columns;
	struct share share[COLUMNS];
	struct order *order; /* NULL: not wanted */
	struct tallied *tally;
	uintmax_t skipped; /* rows without a measure */

	size_t group; /* of the last row that did not wait, */
	bool settled; /* which is the row before */
	struct key key[KEYS_AT_ONCE];
	struct sample waiting[KEYS_AT_ONCE];
	size_t nwaiting;

	/* Before the range: */
	struct tallied *tally_before; /* NULL for the first thread: if a row */
	uintmax_t skipped_before;     /* of its range is refused, the program */
	                              /* will end */

	bool refused; /* a row of the range is bad */
	jmp_buf escape;
};

static void
add(struct reader *r, size_t group, struct sample s)
{
	if (tallies_add(&r->share[MEASURE].groups.samples, group, s.value,
	                s.count))
		return;
	r->table->line = s.line;
	table_die(r->table, (size_t)r->columns->measure_col,
	          "more samples than can be counted");
}

/* The next sample in order, of the group of the row. */
static void
put_in_order(struct reader *r, double value)
{
	struct order *o = r->order;

	if (!o)
		return;
	o->of = key_set_grow(&r->share[MEASURE].groups.keys, o->of, &o->room,
	                     sizeof(struct sequence *));
	if (!o->of[r->group])
		o->of[r->group] = sequence_make();
	sequence_add(o->of[r->group], value);
}

/* Adds the rows that wait; sets the group of the last one. */
static void
add_waiting(struct reader *r)
{
	struct key_set *keys = &r->share[MEASURE].groups.keys;

	if (!r->nwaiting)
		return;
	key_set_prefetch(keys, r->key, r->nwaiting);
	for (size_t i = 0; i < r->nwaiting; i++) {
		r->group = key_set_intern(keys, &r->key[i]);
		add(r, r->group, r->waiting[i]);
		put_in_order(r, r->waiting[i].value);
	}
	r->nwaiting = 0;
}

/* The key of this row, behind those that wait. */
static const struct key *
make_key(struct reader *r)
{
	const struct columns *c = r->columns;
	struct key *key = &r->key[r->nwaiting];

	key->length = 0;
	for (size_t i = 0; i < c->nkey; i++)
		key_append(key, c->key[i], r->table->field[c->key[i]]);
	return key;
}

/* Whether this row has the group of the row before; if not, makes its key. */
static bool
same_group(struct reader *r)
{
	const struct key_set *keys = &r->share[MEASURE].groups.keys;
	const struct key *key = make_key(r);

	if (r->nwaiting)
		return key_equal(key, key - 1);
	return keys->n && key_equal(key, &keys->key[r->group]);
}

/* The samples of the current row, whose measure is the word unless that is 0.
 */
static struct sample
parse_row(struct reader *r, uint64_t word)
{
	const struct table *t = r->table;
	const struct columns *c = r->columns;
	struct sample sample = {.line = t->line};

	if (*table_text(t, c->measure_col)) {
		if (!parse_word(word, &sample.value))
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
count(struct reader *r, uint64_t word)
{
	uint64_t hash = (word + r->group) * UINT64_C(0x9e3779b97f4a7c15);
	struct tallied *entry = &r->tally[hash >> (64 - TALLY_BITS)];
	bool is_short = word && word < SHORT_WORD;
	struct sample sample;

	if (is_short && entry->text == word && entry->group == r->group) {
		entry->count++;
		put_in_order(r, entry->value);
		return;
	}
	sample = parse_row(r, word);
	if (sample.count)
		put_in_order(r, sample.value);
	if (is_short) {
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
take_run(struct reader *r)
{
	struct table *t = r->table;
	struct plain cell[RUN_MAX];
	size_t n;

	while ((n = table_run(t, cell, RUN_MAX))) {
		t->line -= n;
		for (size_t i = 0; i < n; i++) {
			t->line++;
			t->field[t->changed] = cell[i].text;
			count(r, cell[i].word);
		}
	}
}

/* Takes the current row if it has the other column in place of the measure. */
static bool
take_other(struct reader *r)
{
	const struct columns *c = r->columns;
	const struct table *t = r->table;
	struct groups *g = &r->share[OTHER].groups;
	size_t group;

	if (c->other_col < 0 || *table_text(t, c->measure_col) ||
	    !*table_text(t, c->other_col))
		return false;
	group = key_set_intern(&g->keys, make_key(r));
	if (!tallies_add(&g->samples, group,
	                 table_number(t, (size_t)c->other_col),
	                 table_weight(t, c->count_col)))
		table_die(t, (size_t)c->other_col,
		          "more samples than can be counted");
	r->settled = false;
	return true;
}

static void
take_row(struct reader *r)
{
	struct columns *c = r->columns;
	struct table *t = r->table;
	struct sample sample;
	uint64_t word;
	bool alone; /* has the measure changed */

	if (c->known < t->ncols)
		columns_update(c, t);
	if (take_other(r))
		return;
	alone = t->changed == (size_t)c->measure_col;
	word = (size_t)c->measure_col == t->last
	           ? t->word
	           : word_of(table_text(t, c->measure_col));
	if ((r->settled && alone) || same_group(r)) {
		add_waiting(r);
		r->settled = true;
		count(r, c->count_col < 0 ? word : 0);
		if (alone && c->count_col < 0)
			take_run(r);
		return;
	}
	r->settled = false;
	sample = parse_row(r, word);
	if (!sample.count)
		return;
	r->waiting[r->nwaiting++] = sample;
	if (r->nwaiting == KEYS_AT_ONCE ||
	    (c->count_col >= 0 &&
	     (sample.count | r->share[MEASURE].groups.samples.total) >= MANY))
		add_waiting(r);
}

/*
 * Takes the current row if there is `more`, and those behind it until there are
 * so many; false if the table ends before. Its two callers share it, because
 * the compiler then makes one function of all that a row needs, which saves a
 * tenth of the time.
 */
__attribute__((noinline)) static bool
read_rows(struct reader *r, bool more, uintmax_t rows)
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

struct readers {
	struct reader *reader; /* the first one reads all but plain rows, too */
	unsigned n;
	off_t least, most; /* bytes of a range */
	uintmax_t next;    /* row at which to read ranges again */
	uintmax_t pause;
};

static void
begin_reader(struct reader *r, struct columns *columns, unsigned threads)
{
	r->columns = columns;
	for (size_t i = 0; i < COLUMNS; i++)
		r->share[i].groups.samples.share = threads;
	r->tally = xcalloc(TALLY_TEXTS, sizeof *r->tally);
}

static void
mark_share(struct share *s)
{
	s->keys = s->groups.keys.n;
	s->total = s->groups.samples.total;
	s->samples = tallies_mark(&s->groups.samples);
}

static void
read_range(void *job, size_t i)
{
	struct reader *r = &((struct readers *)job)->reader[i];

	for (size_t k = 0; k < COLUMNS; k++)
		mark_share(&r->share[k]);
	r->skipped_before = r->skipped;
	if (r->tally_before)
		memcpy(r->tally_before, r->tally,
		       TALLY_TEXTS * sizeof *r->tally);
	r->settled = false;
	r->refused = true;
	if (setjmp(r->escape))
		return;
	read_rows(r, table_next(r->table), UINTMAX_MAX);
	add_waiting(r);
	r->refused = false;
}

/* Takes back the rows of the range. */
static void
forget_range(struct reader *r)
{
	r->nwaiting = 0;
	if (r->tally_before)
		memcpy(r->tally, r->tally_before,
		       TALLY_TEXTS * sizeof *r->tally);
	r->skipped = r->skipped_before;
	r->group = 0;
	for (size_t i = 0; i < COLUMNS; i++) {
		tallies_keep(&r->share[i].groups.samples, r->share[i].samples);
		key_set_keep(&r->share[i].groups.keys, r->share[i].keys);
	}
}

/* The samples of the range. */
static uint64_t
added(const struct share *s)
{
	return s->groups.samples.total - s->total;
}

/* Numbers new groups in order of appearance. */
static void
keep_share(struct groups *all, struct share *s)
{
	struct groups *g = &s->groups;

	tallies_keep(&g->samples, g->samples.n);
	if (g == all)
		return;
	all->samples.total += added(s);
	s->number =
	    key_set_grow(&g->keys, s->number, &s->room, sizeof *s->number);
	for (; s->numbered < g->keys.n; s->numbered++)
		s->number[s->numbered] = (uint32_t)key_set_intern(
		    &all->keys, &g->keys.key[s->numbered]);
}

/*
 * Adds the rows of a range to those of all ranges before it, unless one of them
 * is refused, or their samples are more than can be counted.
 */
static bool
keep_range(struct reader *first, struct reader *r)
{
	bool fits = !r->refused;

	for (size_t i = 0; i < COLUMNS && r != first; i++)
		fits &= added(&r->share[i]) <=
		        UINT64_MAX - first->share[i].groups.samples.total;
	if (!fits)
		return false;
	for (size_t i = 0; i < COLUMNS; i++)
		keep_share(&first->share[i].groups, &r->share[i]);
	if (r != first) {
		first->skipped += r->skipped;
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
	struct reader *first = all->reader;
	bool follows = n;

	for (size_t i = 0; i < n; i++) {
		struct reader *r = &all->reader[i];

		if (!r->tally) {
			begin_reader(r, first->columns, all->n);
			r->tally_before =
			    xcalloc(TALLY_TEXTS, sizeof *r->tally);
		}
		r->range = table_range(t, r->range, bound[i], bound[i + 1]);
		r->table = r->range;
		r->table->escape = &r->escape;
	}
	in_parallel(n, read_range, all);
	for (size_t i = 0; i < n; i++) {
		struct reader *r = &all->reader[i];

		follows = follows && keep_range(first, r);
		if (!follows)
			forget_range(r);
		follows = follows && table_skip(t, r->table);
		r->table = t;
	}
	return follows;
}

/* Reads on by all threads as far as that is quick. */
static void
read_plain(struct readers *all, struct table *t)
{
	add_waiting(all->reader);
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

/* Adds the samples that a thread counted by text to those of the first one. */
static void
add_tallied(struct reader *first, const struct reader *r)
{
	const uint32_t *number = r->share[MEASURE].number;

	for (size_t i = 0; i < TALLY_TEXTS; i++) {
		const struct tallied *t = &r->tally[i];

		if (t->count)
			add(first, number ? number[t->group] : t->group,
			    (struct sample){t->value, t->count,
			                    first->table->line});
	}
}

/* Moves the samples of n threads to the groups of the first one. */
static void
unite_shares(const struct readers *all, size_t n, size_t column)
{
	struct tally_list list[THREADS_MAX];
	struct groups *first = &all->reader->share[column].groups;

	for (size_t i = 0; i < n; i++) {
		struct share *s = &all->reader[i].share[column];

		list[i] = (struct tally_list){s->groups.samples, s->number};
		s->groups.samples = (struct tallies){0};
	}
	first->histogram = tallies_unite(list, n, first->keys.n, all->n);
	for (size_t i = 0; i < n; i++) {
		struct share *s = &all->reader[i].share[column];

		free(s->number);
		if (i)
			groups_free(&s->groups);
	}
}

static void
finish_readers(const struct readers *all)
{
	struct reader *first = all->reader;
	size_t n = 0;

	add_waiting(first);
	for (; n < all->n && all->reader[n].tally; n++) {
		struct reader *r = &all->reader[n];

		add_tallied(first, r);
		for (size_t i = 0; i < KEYS_AT_ONCE; i++)
			free(r->key[i].bytes);
		free(r->tally);
		free(r->tally_before);
		table_range_free(r->range);
	}
	for (size_t i = 0; i < COLUMNS; i++)
		unite_shares(all, n, i);
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
	    .reader = thread_memory(threads, sizeof *all.reader),
	    .n = threads,
	    .least = (off_t)range,
	    .most = (off_t)range,
	    .pause = 1 + range / PAUSE_BYTES,
	};
	struct reader *r = all.reader;

	begin_reader(r, c, threads);
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
	*g = r->share[MEASURE].groups;
	*others = r->share[OTHER].groups;
	warn_of_singles(t, c, g);
	warn_skipped(r->skipped, c->measure);
	free(all.reader);
}

void
order_free(struct order *o)
{
	for (size_t i = 0; i < o->room; i++)
		free(o->of[i]);
	free(o->of);
}
