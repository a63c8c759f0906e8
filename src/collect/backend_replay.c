/* Samples out of a stream of ours, as if they were measured now. */
#include "collect/backend.h"
#include "common/table.h"
#include "common/units.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char name[] = "replay";

/* Equal samples in a row, or one with a weight. */
struct repeated {
	uint64_t raw[3];
	uint64_t times;
};

/* The samples of one identity. */
struct recording {
	char *id[NIDENTITY];
	struct repeated *sample;
	size_t n, max;
	size_t at;      /* where run goes on */
	uint64_t taken; /* of sample[at] */
};

struct replay_state {
	struct recording *recording;
	size_t n;
	size_t last; /* the recording of the row before */
};

static bool
same_identity(const struct recording *rec, const struct table *t,
              const ptrdiff_t column[NIDENTITY])
{
	for (size_t i = 0; i < NIDENTITY; i++) {
		const char *text = column[i] < 0 ? "" : t->field[column[i]];

		if (strcmp(rec->id[i], text) != 0)
			return false;
	}
	return true;
}

static struct recording *
find_recording(struct replay_state *state, const struct table *t)
{
	ptrdiff_t column[NIDENTITY];
	struct recording *rec;

	for (size_t i = 0; i < NIDENTITY; i++)
		column[i] = table_find(t, identity_names[i]);
	for (size_t i = 0; i < state->n; i++) {
		size_t at = (state->last + i) % state->n;

		if (same_identity(&state->recording[at], t, column)) {
			state->last = at;
			return &state->recording[at];
		}
	}
	state->recording = xreallocarray(state->recording, state->n + 1,
	                                 sizeof *state->recording);
	state->last = state->n++;
	rec = &state->recording[state->last];
	*rec = (struct recording){0};
	for (size_t i = 0; i < NIDENTITY; i++)
		rec->id[i] = xstrdup(column[i] < 0 ? "" : t->field[column[i]]);
	return rec;
}

static uint64_t
read_integer(const struct table *t, ptrdiff_t column)
{
	uint64_t value;
	const char *why = parse_integer(t->field[column], &value);

	if (why)
		table_die(t, (size_t)column, "'%s': %s", t->field[column], why);
	return value;
}

/* Nanoseconds as whole picoseconds, the resolution of our samples. */
static uint64_t
read_ns(const struct table *t, ptrdiff_t column)
{
	const char *text = t->field[column];
	char *with_unit = xasprintf("%sns", text);
	uint64_t ps;
	const char *why = parse_time(with_unit, &ps);

	free(with_unit);
	if (why)
		table_die(t, (size_t)column, "'%s': %s", text, why);
	return ps;
}

static ptrdiff_t
needed_column(const struct table *t, const char *column)
{
	ptrdiff_t found = table_find(t, column);

	if (found < 0)
		die("%s: no column '%s'", t->file, column);
	return found;
}

/* The integers of a sample of this bench, from the current row. */
static void
read_sample(const struct table *t, const struct bench *bench, uint64_t raw[3])
{
	if (!bench->totals) {
		raw[0] = read_ns(t, needed_column(t, bench->measures[0]));
		return;
	}
	raw[0] = read_integer(t, needed_column(t, bench->measures[0]));
	raw[1] = read_integer(t, needed_column(t, bench->measures[1]));
	raw[2] = read_ns(t, needed_column(t, bench->measures[2]));
}

static void
add_sample(struct recording *rec, const struct repeated *sample)
{
	struct repeated *last = rec->n ? &rec->sample[rec->n - 1] : NULL;

	if (last && !memcmp(last->raw, sample->raw, sizeof last->raw)) {
		last->times += sample->times;
		return;
	}
	if (!rec->sample || rec->n == rec->max) {
		rec->max = 2 * rec->max + 1024;
		rec->sample =
		    xreallocarray(rec->sample, rec->max, sizeof *rec->sample);
	}
	rec->sample[rec->n++] = *sample;
}

static void
read_row(struct session *s, const struct table *t)
{
	const struct bench *bench = s->request->bench;
	ptrdiff_t which = table_find(t, identity_names[ID_BENCH]);
	ptrdiff_t count = table_find(t, "count");
	struct repeated sample = {.times = 1};

	if (which >= 0 && strcmp(t->field[which], bench->name) != 0 &&
	    *t->field[which])
		return;
	read_sample(t, bench, sample.raw);
	if (count >= 0)
		sample.times = read_integer(t, count);
	if (sample.times)
		add_sample(find_recording(s->state, t), &sample);
}

/* A column that tells rows apart and that we would lose must not be there. */
static const char *
unknown_identity(const struct table *t)
{
	for (size_t i = 0; i < t->ncols; i++) {
		bool known = !is_identity(t->name[i]);

		for (size_t k = 0; k < NIDENTITY && !known; k++)
			known = !strcmp(t->name[i], identity_names[k]);
		if (!known)
			return t->name[i];
	}
	return NULL;
}

/* The samples keep their provenance; only how they got here is new. */
static void
keep_preamble(struct preamble *to, const struct preamble *from)
{
	for (size_t i = 0; i < from->n; i++) {
		const struct preamble_entry *entry = &from->entry[i];

		if (strcmp(entry->key, "tool") != 0 &&
		    strcmp(entry->key, "command") != 0)
			preamble_set(to, entry->key, "%s", entry->value);
	}
}

/* Reads the whole file; false after fail. */
static bool
read_file(struct session *s, char *file)
{
	struct table *t = table_open(&file, 1);
	const char *unknown;
	bool ok = true;

	while (table_next(t))
		read_row(s, t);
	s->incomplete = !t->complete;
	keep_preamble(s->preamble, &t->preamble);
	unknown = unknown_identity(t);
	if (unknown)
		ok = fail(s, STATUS_TROUBLE,
		          "%s: a replay would lose the column '%s'", file,
		          unknown);
	table_close(t);
	return ok;
}

static bool
open_replay(struct session *s)
{
	char *file = (char *)s->request->which;
	struct replay_state *state = xcalloc(1, sizeof *state);

	s->state = state;
	if (!file)
		return fail(s, STATUS_TROUBLE,
		            "replay wants a file: -d replay:FILE");
	if (s->request->runs > 1)
		return fail(s, STATUS_TROUBLE,
		            "-r: the runs of a replay are those in its file");
	if (strcmp(file, "-") != 0 && access(file, F_OK))
		return fail(s, STATUS_ABSENT, "%s: no such file", file);
	if (!read_file(s, file))
		return false;
	preamble_set(s->preamble, "replayed", "%s", file);
	if (!state->n)
		return fail(s, STATUS_ABSENT, "%s holds no rows of %s", file,
		            s->request->bench->name);
	return true;
}

static bool
prepare(struct session *s, const struct point *point)
{
	struct replay_state *state = s->state;

	(void)point;
	series_make(s, state->n);
	for (size_t i = 0; i < state->n; i++) {
		for (size_t k = 0; k < NIDENTITY; k++) {
			const char *text = state->recording[i].id[k];

			if (*text)
				series_set(&s->series[i], (enum identity)k,
				           "%s", text);
		}
	}
	return true;
}

static void
play(struct recording *rec, struct series *series, size_t width, uint64_t want)
{
	while (series->n < want && rec->at < rec->n) {
		const struct repeated *sample = &rec->sample[rec->at];

		memcpy(series->raw + width * series->n, sample->raw,
		       width * sizeof *series->raw);
		series->n++;
		if (++rec->taken == sample->times) {
			rec->at++;
			rec->taken = 0;
		}
	}
}

static bool
run(struct session *s, uint64_t want)
{
	const struct bench *bench = s->request->bench;
	struct replay_state *state = s->state;

	for (size_t i = 0; i < state->n; i++)
		play(&state->recording[i], &s->series[i], bench->width,
		     bench->totals ? 1 : want);
	return true;
}

static void
close_replay(struct session *s)
{
	struct replay_state *state = s->state;

	if (!state)
		return;
	for (size_t i = 0; i < state->n; i++) {
		for (size_t k = 0; k < NIDENTITY; k++)
			free(state->recording[i].id[k]);
		free(state->recording[i].sample);
	}
	free(state->recording);
	free(state);
	s->state = NULL;
}

const struct backend replay_backend = {
    .name = name,
    .help = "samples out of a file, as if measured now",
    .benches = BENCH_BIT(NBENCHES) - 1,
    .recorded = true,
    .open = open_replay,
    .prepare = prepare,
    .run = run,
    .close = close_replay,
};
