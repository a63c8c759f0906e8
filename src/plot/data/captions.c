/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Chooses the names in the legend and the title. */
#include "plot/data/captions.h"

#include "common/base/bdf.h"
#include "common/base/number.h"

#include <ctype.h>

/* Colours ------------------------------------------------------------------ */

/*
 * Numbers keys from 0 in order of first appearance; keys that agree in all
 * columns marked by `in` have one number. Returns the number of numbers.
 */
static size_t
number_keys(size_t number[], const struct key_set *keys, const bool *in,
            size_t ncols)
{
	struct key_set parts = {0};
	struct key part = {0};
	size_t n;

	for (size_t i = 0; i < keys->n; i++) {
		part.length = 0;
		for (size_t col = 0; col < ncols; col++) {
			const char *text = key_find(&keys->key[i], col);

			if (in[col])
				key_append(&part, col, text);
		}
		number[i] = key_set_intern(&parts, &part);
	}
	n = parts.n;
	free(part.bytes);
	key_set_free(&parts);
	return n;
}

/* Whether a column follows from those of `in`, of which it is none. */
static bool
follows(size_t col, bool *in, const struct key_set *keys, size_t ncols)
{
	size_t *number = keep(keys->n, sizeof *number), n;

	in[col] = false;
	n = number_keys(number, keys, in, ncols);
	in[col] = true;
	return number_keys(number, keys, in, ncols) == n;
}

/* Places ------------------------------------------------------------------ */

/*
 * Drops a column of the legend that follows from the column `from` there, or
 * with NULL from all others.
 */
static void
leave_out(struct names *names, ptrdiff_t col, const char *from,
          const struct key_set *keys)
{
	const struct table *t = names->t;
	bool *in, any = false;

	if (col < 0 || names->place[col] != NAME_LEGEND)
		return;
	in = keep(t->ncols, sizeof *in);
	for (size_t i = 0; i < t->ncols; i++) {
		in[i] = names->place[i] == NAME_LEGEND &&
		        (!from || !strcmp(t->name[i], from));
		any |= in[i] && i != (size_t)col;
	}
	if (any && follows((size_t)col, in, keys, t->ncols))
		names->place[col] = NAME_NOWHERE;
}

/* Whether all keys have one value, except models, which have none. */
static bool
only_models_lack(const struct names *names, const struct key_set *keys,
                 size_t col)
{
	for (size_t i = 0; i < keys->n; i++) {
		const char *text = key_find(&keys->key[i], col);
		bool lacks = is_computed(names, &keys->key[i]);

		if (strcmp(text, lacks ? "" : key_find(names->first, col)) != 0)
			return false;
	}
	return *key_find(names->first, col);
}

struct names
names_of(const struct table *t, const struct key_set *keys)
{
	/* A compared column is always named, even if it follows from another.
	 */
	static const char *const conditions[] = {
	    "kind",       "bench",        "size_bytes",
	    "cache",      "window_bytes", "frame_bytes",
	    "accounting", "pattern",      "model_accounting"};
	struct names names = {.t = t, .first = keys->n ? &keys->key[0] : NULL};

	names.place = keep(t->ncols, sizeof *names.place);
	for (size_t i = 0; i < keys->n && is_computed(&names, names.first); i++)
		names.first = &keys->key[i];
	for (size_t i = 0; i < keys->n; i++) {
		for (size_t col = 0; col < t->ncols; col++) {
			const char *first = key_find(names.first, col);

			if (strcmp(first, key_find(&keys->key[i], col)) != 0)
				names.place[col] = NAME_LEGEND;
			else if (*first && names.place[col] == NAME_NOWHERE)
				names.place[col] = NAME_TITLE;
		}
	}
	for (size_t i = 0; i < t->ncols; i++) {
		if (names.place[i] == NAME_LEGEND &&
		    only_models_lack(&names, keys, i))
			names.place[i] = NAME_TITLE;
	}
	/* Drops columns about the source that follow from kind or device. */
	for (size_t i = 0; i < t->ncols; i++) {
		const char *column = t->name[i];

		if (find_word(column, conditions, ARRAY_LEN(conditions)) <
		    ARRAY_LEN(conditions))
			continue;
		leave_out(&names, (ptrdiff_t)i, "kind", keys);
		if (!strcmp(column, "link") || !strcmp(column, "parent"))
			leave_out(&names, (ptrdiff_t)i, "device", keys);
	}
	leave_out(&names, table_find(t, "file"), NULL, keys);
	leave_out(&names, table_find(t, "link"), NULL, keys);
	return names;
}

void
names_hide(struct names *names, const char *column)
{
	ptrdiff_t col = table_find(names->t, column);

	if (col >= 0)
		names->place[col] = NAME_NOWHERE;
}

/* Texts ------------------------------------------------------------------- */

/* Larger numbers have an exponent. */
#define WHOLE_MOST 1e15

char *
time_words(double ns)
{
	const char *unit;
	double size = time_unit(ns, 1, &unit);

	return words("%s %s", number_words(ns / size, 4), unit);
}

char *
number_words(double value, int digits)
{
	bool whole = fabs(value) >= pow(10, digits) && fabs(value) < WHOLE_MOST;

	return whole ? words("%.0f", value) : words("%.*g", digits, value);
}

/* "64 B", "1 KiB", "1025 B" */
static char *
bytes_words(const char *text)
{
	static const char *const unit[] = {"B",   "KiB", "MiB", "GiB",
	                                   "TiB", "PiB", "EiB"};
	uint64_t bytes;
	size_t i = 0;

	if (parse_integer(text, &bytes))
		return words("%s bytes", text);
	for (; bytes && bytes % 1024 == 0; i++)
		bytes /= 1024;
	return words("%ju %s", (uintmax_t)bytes, unit[i]);
}

char *
size_words(double bytes)
{
	return bytes_words(words("%.0f", bytes));
}

const char *
whole_name(const struct curve *c)
{
	return c->whole ? c->whole : c->name ? c->name : "";
}

static const char ending[] = "_bytes";

bool
is_bytes(const char *column)
{
	size_t length = strlen(column);

	return length > strlen(ending) &&
	       !strcmp(column + length - strlen(ending), ending);
}

const char *
measure_words(const char *measure)
{
	const char *unit = unit_of(measure);

	return !strcmp(measure, "model_ratio_pct") ? "share of the limit"
	       : !strcmp(measure, "mean_ns")       ? "mean latency"
	       : !strcmp(unit, "ns")               ? "latency"
	       : !strcmp(unit, "gbit_s")           ? "bandwidth"
	       : !strcmp(unit, "per_s")            ? "rate"
	                                           : "ratio";
}

const char *
unit_words(const char *column)
{
	const char *unit = unit_of(column);

	return !strcmp(unit, "ns")       ? "ns"
	       : !strcmp(unit, "gbit_s") ? rate_unit().name
	       : !strcmp(unit, "per_s")  ? "1/s"
	       : !strcmp(unit, "pct")    ? "%"
	                                 : "";
}

char *
quantity_words(const char *column, double value)
{
	const char *unit = unit_words(column);

	if (!strcmp(unit, "ns"))
		return time_words(value);
	if (!strcmp(unit, "1/s"))
		return words("%s/s", number_words(value, 4));
	return words("%s%s%s", number_words(value, 4), *unit ? " " : "", unit);
}

int
name_order(const char *a, const char *b)
{
	char x[BDF_MAX], y[BDF_MAX];

	return parse_bdf(a, x) && parse_bdf(b, y) ? bdf_order(x, y)
	                                          : strverscmp(a, b);
}

char *
place_words(const char *column, double value)
{
	return is_bytes(column) ? size_words(value)
	                        : quantity_words(column, value);
}

/* The first `length` bytes of an identifier, with blanks. */
static char *
plain_words(const char *text, size_t length)
{
	char *plain = words("%.*s", (int)length, text);

	for (char *p = plain; (p = strchr(p, '_'));)
		*p = ' ';
	return plain;
}

char *
column_words(const char *column)
{
	const char *unit = is_bytes(column)
	                       ? column + strlen(column) - strlen("bytes")
	                       : unit_of(column);
	/* Without the unit and its '_', unless nothing would be left. */
	return plain_words(column, unit == column ? strlen(column)
	                                          : (size_t)(unit - column) -
	                                                (*unit != 0));
}

static const struct {
	const char *bench, *moves, *quantity;
} benches[] = {
    {"lat_cfg", "configuration reads", "configuration read latency"},
    {"lat_mmio", "memory-mapped reads", "memory-mapped read latency"},
    {"lat_mmio_wr", "memory-mapped writes", "memory-mapped write latency"},
    {"lat_mmio_flush", "memory-mapped writes and reads",
     "memory-mapped write and read latency"},
    {"bw_mmio_rd", "memory-mapped reads", "memory-mapped read bandwidth"},
    {"bw_mmio_wr", "memory-mapped writes", "memory-mapped write bandwidth"},
    {"lat_rd", "reads", "read latency"},
    {"lat_wrrd", "writes and reads", "write and read latency"},
    {"bw_rd", "reads", "read bandwidth"},
    {"bw_wr", "writes", "write bandwidth"},
    {"bw_rdwr", "reads and writes", "read and write bandwidth"},
};

/* What a bench moves, or with `quantity` what it measures. */
static char *
bench_words(const char *bench, bool quantity)
{
	for (size_t i = 0; i < ARRAY_LEN(benches); i++) {
		if (!strcmp(bench, benches[i].bench))
			return words("%s", quantity ? benches[i].quantity
			                            : benches[i].moves);
	}
	return plain_words(bench, strlen(bench));
}

char *
value_words(const char *column, const char *text)
{
	/* Columns whose values need no name. */
	static const char *const plain[] = {"kind", "bench",   "device",
	                                    "link", "pattern", "interaction"};
	bool named = !*text || find_word(column, plain, ARRAY_LEN(plain)) ==
	                           ARRAY_LEN(plain);

	return words("%s%s%s", named ? column_words(column) : "",
	             named ? " " : "",
	             !*text                     ? "not given"
	             : is_bytes(column)         ? bytes_words(text)
	             : !strcmp(column, "bench") ? bench_words(text, false)
	                                        : text);
}

/* The values in one place, except two columns that the title has. */
static char *
list(const struct names *names, enum name_place place, const struct key *key)
{
	struct composed values;
	FILE *to = compose_begin(&values);
	const char *between = "";

	for (size_t i = 0; key && i < names->t->ncols; i++) {
		const char *column = names->t->name[i];
		const char *text = key_find(key, i);
		bool titled =
		    !strcmp(column, "bench") || !strcmp(column, "kind");

		if (names->place[i] != place || !*text ||
		    (place == NAME_TITLE && titled))
			continue;
		fprintf(to, "%s%s", between, value_words(column, text));
		between = ", ";
	}
	return keep_text(compose_end(&values, to));
}

char *
names_legend(const struct names *names, const struct key *key)
{
	return list(names, NAME_LEGEND, key);
}

char *
names_key(const struct names *names, const struct key_set *keys, size_t number,
          const char *alone)
{
	char *name = names_legend(names, &keys->key[number]);

	for (size_t i = 0; !*name && i < names->t->ncols; i++) {
		size_t k = 0;

		while (k < keys->n && !*key_find(&keys->key[k], i))
			k++;
		if (names->place[i] == NAME_LEGEND && k < keys->n)
			name = value_words(names->t->name[i], "");
	}
	return *name ? name : words("%s", alone);
}

const char *
key_text(const struct table *t, const struct key *key, const char *column)
{
	ptrdiff_t col = table_find(t, column);

	return col < 0 ? "" : key_find(key, (size_t)col);
}

bool
is_computed(const struct names *names, const struct key *key)
{
	return !strcmp(key_text(names->t, key, "kind"), "model");
}

/*
 * Curves that differ only in the kind, and in what follows from it, share a
 * colour, and later ones are dashed. A model, which is no result of a setup,
 * has its own.
 */
static void
colour_by_kind(struct curve curve[], size_t colour[], const struct names *names,
               const struct key_set *keys)
{
	size_t ncols = names->t->ncols, n = 0;
	ptrdiff_t kind = table_find(names->t, "kind");
	size_t *number = keep(keys->n, sizeof *number);
	bool *in = keep(ncols, sizeof *in), *of_kind = keep(ncols, sizeof *in);
	bool *seen = keep(keys->n, sizeof *seen);

	if (kind < 0)
		return;
	of_kind[kind] = true;
	for (size_t i = 0; i < ncols; i++) {
		bool itself = i == (size_t)kind;

		in[i] = !itself && !follows(i, of_kind, keys, ncols);
		of_kind[i] = itself;
	}
	number_keys(number, keys, in, ncols);
	for (size_t i = 0; i < keys->n; i++) {
		if (is_computed(names, &keys->key[i]))
			continue;
		colour[i] = number[i];
		curve[i].dash = seen[number[i]] ? 2 : 1;
		seen[number[i]] = true;
		n = number[i] >= n ? number[i] + 1 : n;
	}
	for (size_t i = 0; i < keys->n; i++)
		colour[i] += is_computed(names, &keys->key[i]) ? n : 0;
}

/* Most named conditions; most named ones if there are others. */
#define NAMED_MOST 8
#define APART_MOST 7

/*
 * How far each condition is from the median of all, in per cent; infinitely, if
 * no other has its kind.
 */
static double *
list_distances(const struct names *names, const struct key_set *keys,
               const double median[])
{
	size_t n = keys->n, *same = keep(n, sizeof *same);
	double *far = keep(n, sizeof *far), middle;
	struct key_set kinds = {0};

	memcpy(far, median, n * sizeof *far);
	middle = sorted_middle(far, n);
	for (size_t i = 0; i < n; i++)
		same[key_set_intern_text(
		    &kinds, key_text(names->t, &keys->key[i], "kind"))]++;
	/* From a median of 0 all differences count the same. */
	for (size_t i = 0; i < n; i++) {
		const char *kind = key_text(names->t, &keys->key[i], "kind");

		far[i] = same[key_set_find_text(&kinds, kind)] == 1 ? INFINITY
		         : median[i] == middle                      ? 0
		         : middle != 0 ? 100 * fabs(median[i] / middle - 1)
		                       : 100;
	}
	key_set_free(&kinds);
	return far;
}

static size_t
furthest(const double far[], size_t n)
{
	size_t most = 0;

	for (size_t i = 1; i < n; i++)
		most = far[i] > far[most] ? i : most;
	return most;
}

/* Draws curves of unnamed conditions pale and in one colour. */
static void
join_others(struct curve curve[], size_t colour[], size_t n, double far[])
{
	/* Colours of models follow those of at most n others. */
	size_t *apart = keep(2 * n, sizeof *apart), number = 0;
	char *others;

	for (size_t k = 0; k < APART_MOST; k++) {
		size_t i = furthest(far, n);

		apart[colour[i]] = SIZE_MAX;
		far[i] = -1;
	}
	others = words("%zu others, medians within %.2g %%", n - APART_MOST,
	               far[furthest(far, n)]);
	for (size_t i = 0; i < n; i++) {
		size_t *of = &apart[colour[i]];

		*of = *of == SIZE_MAX ? ++number : *of;
		colour[i] = *of - 1;
		if (*of)
			continue;
		curve[i].look = PALE;
		curve[i].whole = curve[i].name;
		curve[i].name = others;
		others = NULL;
	}
}

struct curve *
named_curves(const struct names *names, const struct key_set *keys,
             bool by_kind, const double median[], const char *alone)
{
	size_t n = keys->n, *colour = keep(n, sizeof *colour);
	struct curve *curve = keep(n, sizeof *curve);

	for (size_t i = 0; i < n; i++) {
		colour[i] = i;
		curve[i].name = names_key(names, keys, i, alone);
		curve[i].dash = 1;
	}
	if (by_kind)
		colour_by_kind(curve, colour, names, keys);
	if (n > NAMED_MOST)
		join_others(curve, colour, n,
		            list_distances(names, keys, median));
	for (size_t i = 0; i < n; i++) {
		if (curve[i].look != PALE)
			curve[i].look = (double)(colour[i] % COLOURS) + 1;
	}
	return curve;
}

const char *
names_constant(const struct names *names, const char *column)
{
	ptrdiff_t col = table_find(names->t, column);

	if (col < 0 || names->place[col] != NAME_TITLE)
		return "";
	return key_find(names->first, (size_t)col);
}

char *
names_bench(const struct names *names)
{
	return bench_words(names_constant(names, "bench"), false);
}

/* "Read latency along the path", "Ratio of read latency". */
static char *
title_words(const char *what, const char *bench)
{
	size_t first = strcspn(what, " "), length;
	const char *of = bench_words(bench, true);
	char *title;

	length = strlen(of);
	if (!*bench || !strcmp(bench, "nic") || !strcmp(bench, "ddio"))
		title = words("%s", what);
	else if (length > first && of[length - first - 1] == ' ' &&
	         !strncmp(of + length - first, what, first))
		title = words("%s%s", of, what + first);
	else
		title = words("%s of %s", what, of);
	*title = (char)toupper((unsigned char)*title);
	return title;
}

void
names_describe(const struct names *names, struct picture *p, const char *what)
{
	const char *kind = names_constant(names, "kind");
	double tick = preamble_number(&names->t->preamble, CLOCK_TICK);
	char *title = p->title
	                  ? p->title
	                  : title_words(what, names_constant(names, "bench"));

	p->tick = tick > 0 ? tick : 0;
	if (!strcmp(kind, "measured"))
		kind = "";
	if (p->finding && !p->title)
		add_words(&title, ": ", "%s", p->finding);
	if (!p->title || !*p->title || p->terminal->untitled)
		p->finding = NULL;
	if (p->terminal->untitled || !*title) {
		p->title = words("%s", kind);
		p->subtitle = words("%s", "");
	} else {
		p->title = words("%s%s%s%s", title, *kind ? " (" : "", kind,
		                 *kind ? ")" : "");
		p->subtitle = list(names, NAME_TITLE, names->first);
	}
}

/* Comparisons of pcb-diff -------------------------------------------------- */

void
compared_words(struct names *names, const char **base, const char **other)
{
	const char *value = names_constant(names, "base");
	const char *column = names_constant(names, "by");

	/* Several columns are none of the table. */
	*base = table_find(names->t, column) < 0 ? value
	                                         : value_words(column, value);
	names_hide(names, "base");
	names_hide(names, "by");
	value = names_constant(names, column);
	*other = *value ? value_words(column, value) : "";
	if (*value)
		names_hide(names, column);
}
