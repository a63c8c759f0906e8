/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Chooses the names in the legend and the title. */
#include "plot/data/captions.h"

#include "common/base/number.h"

#include <ctype.h>
#include <math.h>

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

/* Whether keys that agree in column `from` also agree in column `col`. */
static bool
key_follows(size_t col, size_t from, const struct key_set *keys, size_t ncols)
{
	size_t *number = xcalloc(keys->n, sizeof *number), n;
	bool *in = xcalloc(ncols, sizeof *in), same;

	in[from] = true;
	n = number_keys(number, keys, in, ncols);
	in[col] = true;
	same = number_keys(number, keys, in, ncols) == n;
	free(number);
	free(in);
	return same;
}

/* How a curve is distinguished. */
struct curve_style {
	size_t colour;
	bool dashed; /* another curve has the same colour */
};

/* Places ------------------------------------------------------------------ */

/* Drops a column that follows from the column called `from`. */
static void
leave_out(struct names *names, size_t col, const char *from,
          const struct key_set *keys)
{
	ptrdiff_t source = table_find(names->t, from);

	if (source >= 0 && (size_t)source != col &&
	    names->place[source] == NAME_LEGEND &&
	    names->place[col] == NAME_LEGEND &&
	    key_follows(col, (size_t)source, keys, names->t->ncols))
		names->place[col] = NAME_NOWHERE;
}

/* Drops a column if the others in the legend tell all keys apart, too. */
static void
leave_out_needless(struct names *names, const char *column,
                   const struct key_set *keys)
{
	size_t ncols = names->t->ncols, n;
	ptrdiff_t col = table_find(names->t, column);
	size_t *number = xcalloc(keys->n + 1, sizeof *number);
	bool *in = xcalloc(ncols + 1, sizeof *in);

	for (size_t i = 0; i < ncols; i++)
		in[i] = names->place[i] == NAME_LEGEND;
	if (col >= 0 && in[col]) {
		n = number_keys(number, keys, in, ncols);
		in[col] = false;
		if (number_keys(number, keys, in, ncols) == n)
			names->place[col] = NAME_NOWHERE;
	}
	free(number);
	free(in);
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

	names.place = xcalloc(t->ncols, sizeof *names.place);
	for (size_t i = 0; i < keys->n; i++) {
		for (size_t col = 0; col < t->ncols; col++) {
			const char *first = key_find(names.first, col);

			if (strcmp(first, key_find(&keys->key[i], col)) != 0)
				names.place[col] = NAME_LEGEND;
			else if (*first && names.place[col] == NAME_NOWHERE)
				names.place[col] = NAME_TITLE;
		}
	}
	/* Drops columns about the source that follow from kind or device. */
	for (size_t i = 0; i < t->ncols; i++) {
		const char *column = t->name[i];

		if (find_word(column, conditions, ARRAY_LEN(conditions)) <
		    ARRAY_LEN(conditions))
			continue;
		leave_out(&names, i, "kind", keys);
		if (!strcmp(column, "link") || !strcmp(column, "parent"))
			leave_out(&names, i, "device", keys);
	}
	leave_out_needless(&names, "file", keys);
	leave_out_needless(&names, "link", keys);
	return names;
}

void
names_free(struct names *names)
{
	free(names->place);
	*names = (struct names){0};
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
	static const struct {
		const char *name;
		double ns;
	} unit[] = {{"ns", 1}, {"us", 1e3}, {"ms", 1e6}, {"s", 1e9}};
	size_t i = 0;

	while (i + 1 < ARRAY_LEN(unit) && fabs(ns) >= unit[i + 1].ns)
		i++;
	return xasprintf("%.4g %s", ns / unit[i].ns, unit[i].name);
}

char *
number_words(double value, int digits)
{
	bool whole = fabs(value) >= pow(10, digits) && fabs(value) < WHOLE_MOST;

	return whole ? xasprintf("%.0f", value)
	             : xasprintf("%.*g", digits, value);
}

/* Writes bytes for people: "64 B", "2048 B", "8 KiB". */
static void
write_bytes(FILE *to, const char *text)
{
	static const char *const unit[] = {"B",   "KiB", "MiB", "GiB",
	                                   "TiB", "PiB", "EiB"};
	uint64_t bytes;
	size_t i = 0;

	if (parse_integer(text, &bytes)) {
		fprintf(to, "%s bytes", text);
		return;
	}
	for (; bytes >= 4096u >> (i ? 2 : 0) && bytes % 1024 == 0; i++)
		bytes /= 1024;
	fprintf(to, "%ju %s", (uintmax_t)bytes, unit[i]);
}

char *
size_words(double bytes)
{
	char *digits = xasprintf("%.0f", bytes);
	struct composed words;
	FILE *to = compose_begin(&words);

	write_bytes(to, digits);
	free(digits);
	return compose_end(&words, to);
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
	       : !strcmp(unit, "gbit_s") ? "Gbit/s"
	       : !strcmp(unit, "per_s")  ? "1/s"
	       : !strcmp(unit, "pct")    ? "%"
	                                 : "";
}

char *
quantity_words(const char *column, double value)
{
	const char *unit = unit_words(column);
	char *words;

	if (!strcmp(unit, "ns"))
		return time_words(value);
	words = number_words(value, 4);
	if (*unit)
		xappend(&words, " ", "%s", unit);
	return words;
}

/* The first `length` bytes of an identifier, with blanks. */
static char *
plain_words(const char *text, size_t length)
{
	char *words = xasprintf("%.*s", (int)length, text);

	for (char *p = words; *p; p++) {
		if (*p == '_')
			*p = ' ';
	}
	return words;
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

/* What a bench moves, or with `quantity` what it measures. Free it. */
static char *
bench_words(const char *bench, bool quantity)
{
	for (size_t i = 0; i < ARRAY_LEN(benches); i++) {
		if (!strcmp(bench, benches[i].bench))
			return xstrdup(quantity ? benches[i].quantity
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
	struct composed value;
	FILE *to = compose_begin(&value);
	char *words = column_words(column), *bench = NULL;

	if (!*text ||
	    find_word(column, plain, ARRAY_LEN(plain)) == ARRAY_LEN(plain))
		fprintf(to, "%s ", words);
	if (!*text)
		fputs("not given", to);
	else if (is_bytes(column))
		write_bytes(to, text);
	else if (!strcmp(column, "bench"))
		fputs(bench = bench_words(text, false), to);
	else
		fputs(text, to);
	free(bench);
	free(words);
	return compose_end(&value, to);
}

/* The values in one place, except two columns that the title has. */
static char *
list(const struct names *names, enum name_place place, const struct key *key)
{
	struct composed values;
	FILE *to = compose_begin(&values);
	bool any = false;

	for (size_t i = 0; key && i < names->t->ncols; i++) {
		const char *column = names->t->name[i];
		const char *text = key_find(key, i);
		char *value;

		if (names->place[i] != place || !*text)
			continue;
		if (place == NAME_TITLE &&
		    (!strcmp(column, "bench") || !strcmp(column, "kind")))
			continue;
		value = value_words(column, text);
		fprintf(to, "%s%s", any ? ", " : "", value);
		free(value);
		any = true;
	}
	return compose_end(&values, to);
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
		if (names->place[i] != NAME_LEGEND || k == keys->n)
			continue;
		free(name);
		name = value_words(names->t->name[i], "");
	}
	if (*name)
		return name;
	free(name);
	return xstrdup(alone);
}

bool
is_computed(const struct names *names, const struct key *key)
{
	ptrdiff_t kind = table_find(names->t, "kind");

	return kind >= 0 && !strcmp(key_find(key, (size_t)kind), "model");
}

/* A style for each key, as named_curves says. Free it. */
static struct curve_style *
curve_styles_of(const struct names *names, const struct key_set *keys,
                bool by_kind)
{
	const struct table *t = names->t;
	ptrdiff_t kind = table_find(t, "kind");
	struct curve_style *style = xcalloc(keys->n, sizeof *style);
	size_t *colour = xcalloc(keys->n, sizeof *colour);
	size_t *first = xcalloc(keys->n, sizeof *first), n = 0;
	bool *in = xcalloc(t->ncols, sizeof *in);

	for (size_t i = 0; i < keys->n; i++)
		style[i].colour = i;
	/* Without columns that describe the source of a curve. */
	for (size_t i = 0; i < t->ncols; i++)
		in[i] = !by_kind || kind < 0 ||
		        !key_follows(i, (size_t)kind, keys, t->ncols);
	number_keys(colour, keys, in, t->ncols);
	for (size_t i = keys->n; i-- > 0;) {
		if (is_computed(names, &keys->key[i]))
			continue;
		first[colour[i]] = style[i].colour;
		n = colour[i] >= n ? colour[i] + 1 : n;
	}
	for (size_t i = 0; i < keys->n; i++) {
		/* A model is no result of a setup. */
		if (by_kind && is_computed(names, &keys->key[i])) {
			style[i].colour += n;
			continue;
		}
		/* Dashed if another name had its colour before. */
		style[i].dashed = first[colour[i]] != style[i].colour;
		style[i].colour = colour[i];
	}
	free(colour);
	free(first);
	free(in);
	return style;
}

/* Most named conditions; most named ones if there are others. */
#define NAMED_MOST 8
#define APART_MOST 7

struct condition {
	size_t number; /* of its curve */
	double far;    /* per cent from the median of all */
};

static int
furthest_first(const void *a, const void *b)
{
	const struct condition *x = a, *y = b;

	if (x->far != y->far)
		return x->far > y->far ? -1 : 1;
	return (x->number > y->number) - (x->number < y->number);
}

/* Whether no other condition has its kind. */
static bool
alone_in_kind(const struct names *names, const struct key_set *keys,
              const struct condition *c, size_t n, size_t number)
{
	ptrdiff_t kind = table_find(names->t, "kind");
	const char *text;

	if (kind < 0)
		return false;
	text = key_find(&keys->key[number], (size_t)kind);
	for (size_t i = 0; i < n; i++) {
		const struct key *other = &keys->key[c[i].number];

		if (c[i].number != number &&
		    !strcmp(key_find(other, (size_t)kind), text))
			return false;
	}
	return true;
}

/* Lists the conditions, furthest first. */
static void
list_conditions(struct condition *c, const struct names *names,
                const struct key_set *keys, const double median[])
{
	size_t n = keys->n;
	double *of = xcalloc(n + 1, sizeof *of), middle;

	for (size_t i = 0; i < n; i++) {
		of[i] = median[i];
		c[i].number = i;
	}
	middle = n ? sorted_middle(of, n) : 0;
	free(of);
	/* From a median of 0 all differences count the same. */
	for (size_t i = 0; i < n; i++) {
		double value = median[c[i].number];

		c[i].far = alone_in_kind(names, keys, c, n, c[i].number)
		               ? INFINITY
		           : value == middle ? 0
		           : middle != 0     ? 100 * fabs(value / middle - 1)
		                             : 100;
	}
	if (n)
		qsort(c, n, sizeof *c, furthest_first);
}

/* Draws curves of unnamed conditions thin and in one colour. */
static void
join_others(struct curve *curve, const struct curve_style *style, size_t n,
            const struct condition *c)
{
	size_t *colour = xcalloc(n, sizeof *colour);
	bool said = false;

	for (size_t k = 0; k < APART_MOST; k++)
		colour[style[c[k].number].colour] = k + 1;
	for (size_t i = 0; i < n; i++) {
		curve[i].colour =
		    (colour[style[i].colour] + APART_MOST) % (APART_MOST + 1);
		if (colour[style[i].colour])
			continue;
		curve[i].whole = curve[i].name;
		curve[i].name =
		    said ? NULL
		         : xasprintf("%zu others, medians within %.2g %%",
		                     n - APART_MOST, c[APART_MOST].far);
		curve[i].thin = said = true;
	}
	free(colour);
}

struct curve *
named_curves(const struct names *names, const struct key_set *keys,
             bool by_kind, const double median[], const char *alone)
{
	struct curve_style *style = curve_styles_of(names, keys, by_kind);
	struct curve *curve = xcalloc(keys->n, sizeof *curve);
	struct condition *c = xcalloc(keys->n, sizeof *c);

	list_conditions(c, names, keys, median);
	for (size_t i = 0; i < keys->n; i++)
		curve[i] = (struct curve){
		    .name = names_key(names, keys, i, alone),
		    .dashed = style[i].dashed,
		    .colour = style[i].colour,
		};
	if (keys->n > NAMED_MOST)
		join_others(curve, style, keys->n, c);
	free(c);
	free(style);
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

/* "Read latency along the path", "Ratio of read latency". */
static char *
title_words(const char *what, const char *bench)
{
	size_t first = strcspn(what, " "), length;
	char *words = bench_words(bench, true), *title;

	length = strlen(words);
	if (!*bench || !strcmp(bench, "nic") || !strcmp(bench, "ddio"))
		title = xstrdup(what);
	else if (length > first && words[length - first - 1] == ' ' &&
	         !strncmp(words + length - first, what, first))
		title = xasprintf("%s%s", words, what + first);
	else
		title = xasprintf("%s of %s", what, words);
	*title = (char)toupper((unsigned char)*title);
	free(words);
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
		xappend(&title, ": ", "%s", p->finding);
	if (p->untitled || !*title) {
		p->title = xstrdup(kind);
		p->subtitle = xstrdup("");
	} else {
		p->title = xasprintf("%s%s%s%s", title, *kind ? " (" : "", kind,
		                     *kind ? ")" : "");
		p->subtitle = list(names, NAME_TITLE, names->first);
	}
	free(title);
}

/* Comparisons of pcb-diff -------------------------------------------------- */

void
compared_words(struct names *names, char **base, char **other)
{
	const char *value = names_constant(names, "base");
	const char *column = names_constant(names, "by");

	/* Several columns are none of the table. */
	*base = table_find(names->t, column) < 0 ? xstrdup(value)
	                                         : value_words(column, value);
	names_hide(names, "base");
	names_hide(names, "by");
	value = names_constant(names, column);
	*other = *value ? value_words(column, value) : xstrdup("");
	if (*value)
		names_hide(names, column);
}
