/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Reads samples from a pcb-csv stream instead of measuring. */
#include "collect/core/backend.h"
#include "common/base/number.h"
#include "common/stream/columns.h"
#include "common/stream/key_set.h"
#include "common/stream/table.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char name[] = "replay";

/* Equal consecutive samples, or one with a weight. */
struct repeated {
	uint64_t raw[4];
	uint64_t times;
};

/* The samples of one identity. */
struct recording {
	struct repeated *sample;
	size_t n, max;
	size_t at;      /* next sample of run */
	uint64_t taken; /* repetitions used of sample[at] */
};

struct replay_state {
	struct key_set keys;         /* identities; columns are enum identity */
	struct key key;              /* of the current row */
	struct recording *recording; /* one per key */
	size_t room;
	/* Whether the bench lacks each of the first ncolumns columns. */
	bool *strange;
	size_t ncolumns;
	uintmax_t skipped; /* rows without a value */
	struct preamble end;
};

static struct recording *
replay_find_recording(struct replay_state *state, const struct table *t)
{
	struct key *key = &state->key;
	size_t number;

	key->length = 0;
	for (size_t i = 0; i < NIDENTITY; i++)
		key_append(key, i, optional_text(t, identity_names[i]));
	number = key_set_intern(&state->keys, key);
	state->recording = key_set_grow(&state->keys, state->recording,
	                                &state->room, sizeof *state->recording);
	return &state->recording[number];
}

static uint64_t
replay_read_integer(const struct table *t, size_t column)
{
	uint64_t value;
	const char *why = parse_integer(t->field[column], &value);

	if (why)
		table_refuse(t, column, why);
	return value;
}

/* Nanoseconds as whole picoseconds, the unit of raw samples. */
static uint64_t
replay_read_ns(const struct table *t, size_t column)
{
	uint64_t ps;
	const char *why = parse_ns(t->field[column], &ps);

	if (why)
		table_refuse(t, column, why);
	return ps;
}

/* The integers of the current row's sample. */
static void
replay_read_sample(const struct table *t, const struct bench *bench,
                   uint64_t raw[4])
{
	if (bench->group == BENCH_COUNTERS) {
		for (size_t i = 0; i < bench->width; i++)
			raw[i] = replay_read_integer(
			    t, need_column(t, bench->measures[i]));
		return;
	}
	if (!bench->totals) {
		for (size_t i = 0; i < bench->width; i++)
			raw[i] = replay_read_ns(
			    t, need_column(t, bench->measures[i]));
		return;
	}
	raw[0] = replay_read_integer(t, need_column(t, bench->measures[0]));
	raw[1] = replay_read_integer(t, need_column(t, bench->measures[1]));
	raw[2] = replay_read_ns(t, need_column(t, bench->measures[2]));
}

static void
replay_add_sample(struct recording *rec, const struct repeated *sample)
{
	struct repeated *last = rec->n ? &rec->sample[rec->n - 1] : NULL;

	if (last && !memcmp(last->raw, sample->raw, sizeof last->raw) &&
	    last->times <= UINT64_MAX - sample->times) {
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

/* Whether the row is of another bench than requested. */
static bool
replay_is_other_bench(const struct session *s, const struct table *t)
{
	ptrdiff_t column = table_find(t, identity_names[ID_BENCH]);

	return column >= 0 && *t->field[column] &&
	       strcmp(t->field[column], s->request->bench->name) != 0;
}

static bool
replay_is_strange(const struct session *s, const char *column)
{
	for (size_t i = 0; i < NIDENTITY; i++) {
		if (!strcmp(column, identity_names[i]))
			return !has_identity(s->group, (enum identity)i);
	}
	return is_identity(column);
}

/*
 * Warns of key columns that the bench does not have: they are lost, and rows
 * that differ only in them merge.
 */
static void
replay_check_columns(struct session *s, const struct table *t)
{
	struct replay_state *state = s->state;

	if (s->request->bench->id == LAT_MMIO && table_find(t, "store") >= 0)
		s->group = BENCH_WINDOW;
	if (state->ncolumns < t->ncols)
		state->strange = xreallocarray(state->strange, t->ncols,
		                               sizeof *state->strange);
	for (; state->ncolumns < t->ncols; state->ncolumns++)
		state->strange[state->ncolumns] =
		    replay_is_strange(s, t->name[state->ncolumns]);
	for (size_t i = 0; i < t->ncols; i++) {
		if (state->strange[i] && *t->field[i])
			table_die(t, i,
			          "a replay of %s does not support this column",
			          s->request->bench->name);
	}
}

static void
replay_read_row(struct session *s, const struct table *t)
{
	const struct bench *bench = s->request->bench;
	struct replay_state *state = s->state;
	struct repeated sample = {0};

	if (replay_is_other_bench(s, t))
		return;
	replay_check_columns(s, t);
	if (!*t->field[need_column(t, bench->measures[0])]) {
		state->skipped++;
		return;
	}
	replay_read_sample(t, bench, sample.raw);
	sample.times = table_weight(t, table_find(t, "count"));
	if (sample.times)
		replay_add_sample(replay_find_recording(state, t), &sample);
}

/* Keeps the preamble of the samples and adds this program's lines. */
static void
replay_keep_preamble(struct preamble *to, const struct preamble *from)
{
	for (size_t i = 0; i < from->n; i++) {
		const struct preamble_entry *entry = &from->entry[i];

		if (!strcmp(entry->key, "command"))
			preamble_set(to, entry->key, "%s | %s", entry->value,
			             program_command);
		else if (strcmp(entry->key, "tool") != 0)
			preamble_set(to, entry->key, "%s", entry->value);
	}
}

static void
replay_read_file(struct session *s, char *file)
{
	struct replay_state *state = s->state;
	struct table *t = table_open(&file, 1);

	while (table_next(t))
		replay_read_row(s, t);
	warn_skipped(state->skipped, s->request->bench->measures[0]);
	s->incomplete = !t->complete;
	replay_keep_preamble(s->preamble, &t->preamble);
	replay_keep_preamble(&state->end, &t->end);
	preamble_set(s->preamble, "replayed", "%s", file);
	table_close(t);
}

static bool
replay_open_replay(struct session *s)
{
	char *file = (char *)s->request->device;
	struct replay_state *state = xcalloc(1, sizeof *state);

	s->state = state;
	if (!file)
		return fail(s, STATUS_TROUBLE,
		            "replay needs a file: -d replay:FILE");
	if (strcmp(file, "-") != 0 && access(file, F_OK) && errno == ENOENT)
		return fail(s, STATUS_ABSENT, "%s: no such file", file);
	replay_read_file(s, file);
	if (!state->keys.n)
		return fail(s, STATUS_ABSENT, "%s: no rows of %s", file,
		            s->request->bench->name);
	return true;
}

static bool
replay_prepare(struct session *s, const struct point *point)
{
	struct replay_state *state = s->state;

	(void)point;
	series_make(s, state->keys.n);
	for (size_t i = 0; i < state->keys.n; i++) {
		size_t at = 0;

		for (size_t k = 0; k < NIDENTITY; k++) {
			const char *text =
			    key_text(&state->keys.key[i], k, &at);

			if (*text)
				series_set(&s->series[i], (enum identity)k,
				           "%s", text);
		}
	}
	return true;
}

static void
replay_play(struct recording *rec, struct series *series, size_t width,
            uint64_t want)
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
replay_run(struct session *s, uint64_t want)
{
	struct replay_state *state = s->state;
	size_t width = s->request->bench->width;

	for (size_t i = 0; i < state->keys.n; i++)
		replay_play(&state->recording[i], &s->series[i], width, want);
	return true;
}

static void
replay_add_to_end(struct session *s, struct preamble *end)
{
	const struct replay_state *state = s->state;

	replay_keep_preamble(end, &state->end);
}

static void
replay_close_replay(struct session *s)
{
	struct replay_state *state = s->state;

	if (!state)
		return;
	for (size_t i = 0; i < state->keys.n; i++)
		free(state->recording[i].sample);
	free(state->recording);
	key_set_free(&state->keys);
	free(state->key.bytes);
	free(state->strange);
	preamble_free(&state->end);
	free(state);
	s->state = NULL;
}

const struct backend replay_backend = {
    .name = name,
    .help = "samples from a file, as if measured now",
    .benches = BENCH_BIT(NBENCHES) - 1,
    .flags = BACKEND_ANY_CPU | BACKEND_REPLAY,
    .open = replay_open_replay,
    .prepare = replay_prepare,
    .run = replay_run,
    .end = replay_add_to_end,
    .close = replay_close_replay,
};
