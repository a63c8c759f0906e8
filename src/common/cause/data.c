/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Reads causes, their public cases, and what observations say of them. */
#include "common/cause/cause.h"

#include "common/base/number.h"
#include "common/base/util.h"

#include <math.h>

/* A larger ratio to what is expected says no more. */
#define MOST_RATIO 3

/* P(value | cause) is the base times this; of SAYS_OPEN it is 1. */
static const double effect[NSAYS] = {1, 0.03, 0.3, 1.8, 4, 25};

/* What confirms is seen in 85 of 100 cases of the cause: against the rest. */
#define SEEN_IF_TRUE (0.85 / 0.15)

/* No causes are less usual than this. */
#define LEAST_OTHER 0.05

/* A copy of a cell that lives as long as the causes. */
static char *
keep_text(struct causes *c, const struct table *t, const char *column)
{
	array_push(c->text, c->ntexts, xstrdup(need_text(t, column)));
	return c->text[c->ntexts - 1];
}

/* The index of a name in the list, which grows if it is new. */
static size_t
intern(char ***list, size_t *n, const char *name)
{
	size_t i = find_word(name, (const char *const *)*list, *n);

	if (i == *n)
		array_push(*list, *n, xstrdup(name));
	return i;
}

static uint64_t
word_bits(const struct table *t, const char *column, const char *const word[],
          size_t n)
{
	const char *text = need_text(t, column);
	uint64_t bits = 0;

	for (char *w; (w = next_word(&text)); free(w)) {
		size_t i = find_word(w, word, n);

		if (i == n)
			table_die(t, need_column(t, column),
			          "'%s': not such as %s", w, *word);
		bits |= UINT64_C(1) << i;
	}
	return bits;
}

static void
take_cause(struct causes *c, const struct table *t)
{
	const char *above = need_text(t, "above");

	array_push(c->row, c->nrows,
	           (struct cause){
	               .index = intern(&c->name, &c->n, need_text(t, "cause")),
	               .initiators = (unsigned)word_bits(
	                   t, "initiator", initiator_names, NINITIATORS),
	               .traffics = (unsigned)word_bits(
	                   t, "direction", traffic_names, NTRAFFICS),
	               .under = strcmp(above, "only") != 0,
	               .over = *above,
	               .what = keep_text(c, t, "what"),
	               .separate = keep_text(c, t, "separate"),
	           });
	if (c->n > 64)
		table_die(t, need_column(t, "cause"), "more than 64 causes");
}

/* Healthy devices ---------------------------------------------------------- */

static void
take_healthy(struct causes *c, const struct reference *r)
{
	double *x = xreallocarray(NULL, r->n + 1, sizeof *x);

	for (size_t i = 0; i < r->n; i++) {
		const struct reference_row *row = &r->row[i];
		double same = 0;

		if (row->size && row->size < reference_size(row->initiator))
			continue;
		for (size_t j = 0; j < r->n; j++)
			same += r->row[j].initiator == row->initiator &&
			        r->row[j].traffic == row->traffic &&
			        !strcmp(reference_group(&r->row[j]),
			                reference_group(row));
		array_push(c->healthy, c->nhealthy,
		           (struct healthy){row->initiator, row->traffic,
		                            log(row->ratio), 1 / same});
	}
	for (unsigned i = 0; i < NINITIATORS * 2; i++) {
		size_t n = 0;

		for (size_t j = 0; j < c->nhealthy; j++) {
			const struct healthy *h = &c->healthy[j];

			if (h->initiator == i / 2 &&
			    traffic_is_peer(h->traffic) == i % 2)
				x[n++] = h->x;
		}
		c->median[i / 2][i % 2] = n ? quantile_of(x, n, 0.5) : log(0.9);
	}
	free(x);
}

/* Cases -------------------------------------------------------------------- */

/* Adds a count, unless there is one like this. */
static void
count(struct causes *c, struct cause_count new)
{
	bool known = false; /* the source has the cause */

	for (size_t i = 0; i < c->ncounts; i++) {
		const struct cause_count *old = &c->count[i];

		if (old->group != new.group || old->cause != new.cause)
			continue;
		if (old->initiator == new.initiator && old->peer == new.peer)
			return;
		known = true;
	}
	c->sources[new.cause] += !known;
	array_push(c->count, c->ncounts, new);
}

/* A number, if the row has one: what it is of what it should be. */
static struct cause_case
case_of(const struct causes *c, const struct table *t, enum initiator initiator,
        enum traffic traffic)
{
	struct link_config config = {.link = reference_link(t)};
	double number = table_number(t, need_column(t, "bandwidth_gb_s"));
	double before = *need_text(t, "before_gb_s")
	                    ? table_number(t, need_column(t, "before_gb_s"))
	                    : 0;
	struct cause_case new = {.initiator = initiator, .traffic = traffic};
	double bound;

	if (!(number > 0))
		table_refuse(t, need_column(t, "bandwidth_gb_s"),
		             "must be greater than 0");
	bound = traffic_gbit_s(&config, traffic, reference_size(initiator)) / 8;
	new.x = log(fmin(
	    MOST_RATIO,
	    number / (before > 0
	                  ? before
	                  : bound * exp(c->median[initiator]
	                                         [traffic_is_peer(traffic)]))));
	new.over = number > bound;
	return new;
}

static void
take_case(struct causes *c, const struct table *t)
{
	static const char *const ends[] = {"host", "peer"};
	const char *way = need_text(t, "direction");
	size_t group = intern(&c->group, &c->ngroups, need_text(t, "group"));
	enum initiator initiator = (enum initiator)reference_word(
	    t, "initiator", initiator_names, NINITIATORS);
	bool numbered = *need_text(t, "bandwidth_gb_s");
	uint64_t bits =
	    word_bits(t, "cause", (const char *const *)c->name, c->n);
	struct cause_case new = {0};
	double n = 0;

	if (!bits)
		table_refuse(t, need_column(t, "cause"), "no cause");
	for (uint64_t b = bits; b; b &= b - 1)
		n++;
	if (numbered)
		new = case_of(c, t, initiator,
		              (enum traffic)reference_word(
		                  t, "direction", traffic_names, NTRAFFICS));
	new.part = 1 / n;
	new.group = group;
	new.before = *need_text(t, "before_gb_s");
	new.laboratory = *optional_text(t, "laboratory");
	for (size_t i = 0; i < c->n; i++) {
		if (!(bits >> i & 1))
			continue;
		for (unsigned end = 0; end < 2; end++) {
			if (numbered ? traffic_is_peer(new.traffic) == end
			    : !*way  ? !end
			             : !strcmp(way, ends[end]))
				count(c, (struct cause_count){
				             group, i, initiator, end,
				             numbered ? new.part
				             : *way   ? 1
				                      : 0.5});
		}
		if (!numbered)
			continue;
		new.cause = i;
		array_push(c->known, c->nknown, new);
	}
}

/* Weights of the cases, and how usual a number before and other causes are. */
static void
weigh(struct causes *c)
{
	double once = 0, all = 0;

	c->before = xcalloc(c->n, sizeof *c->before);
	for (size_t i = 0; i < c->n; i++) {
		double with = 0, sources = 0;

		once += c->sources[i] == 1;
		all += (double)c->sources[i];
		for (size_t j = 0; j < c->nknown; j++) {
			double same = 0;

			if (c->known[j].cause != i)
				continue;
			for (size_t k = 0; k < c->nknown; k++)
				same += c->known[k].cause == i &&
				        c->known[k].group == c->known[j].group;
			c->known[j].weight = c->known[j].part / same;
			if (c->known[j].laboratory)
				continue;
			with += c->known[j].before / same;
			sources += 1 / same;
		}
		c->before[i] = (with + 1.5) / (sources + 3);
	}
	c->other = fmax(LEAST_OTHER, (once + 0.5) / (all + 1));
}

/* Evidence ----------------------------------------------------------------- */

static void
take_observation(struct causes *c, const struct table *t)
{
	static const char *const column[NSAYS] = {
	    [EXCLUDES] = "excludes", [AGAINST] = "against",   [WEAK] = "weak",
	    [FOR] = "speaks_for",    [CONFIRMS] = "confirms",
	};
	struct observation new = {
	    .name = keep_text(c, t, "observation"),
	    .value = keep_text(c, t, "value"),
	    .asked = keep_text(c, t, "for"),
	    .ask = keep_text(c, t, "ask"),
	    .how = keep_text(c, t, "how"),
	    .words = keep_text(c, t, "words"),
	    .base = table_number(t, need_column(t, "base")),
	    .cost = table_number(t, need_column(t, "cost")),
	    .says = xcalloc(c->n, sizeof *new.says),
	    .likelihood = xcalloc(c->n, sizeof *new.likelihood),
	};

	if (!*new.words) {
		new.words = xasprintf("%s=%s", new.name, new.value);
		array_push(c->text, c->ntexts, new.words);
	}
	if (!(new.base > 0) || !(new.cost > 0))
		table_refuse(t, need_column(t, "base"),
		             "base and cost must be greater than 0");
	for (enum says says = EXCLUDES; says < NSAYS; says++) {
		bool all = !strcmp(need_text(t, column[says]), "*");
		uint64_t bits =
		    all ? UINT64_MAX
		        : word_bits(t, column[says],
		                    (const char *const *)c->name, c->n);

		for (size_t i = 0; i < c->n; i++) {
			if (bits >> i & 1)
				new.says[i] = (unsigned char)says;
		}
	}
	array_push(c->observation, c->nobservations, new);
}

const struct observation *
causes_observation(const struct causes *c, const char *name, const char *value)
{
	for (size_t i = 0; i < c->nobservations; i++) {
		const struct observation *o = &c->observation[i];

		if (!strcmp(o->name, name) && !strcmp(o->value, value))
			return o;
	}
	return NULL;
}

/* Likelihoods of the values of one observation: they sum to 1. */
static void
set_likelihoods(struct observation o[], size_t n, size_t cause)
{
	double sum = 0;

	for (size_t i = 0; i < n; i++)
		sum += o[i].likelihood[cause] =
		    o[i].base * effect[o[i].says[cause]];
	for (size_t i = 0; i < n; i++) {
		double rest = sum - o[i].likelihood[cause];

		if (o[i].says[cause] == CONFIRMS &&
		    o[i].likelihood[cause] < SEEN_IF_TRUE * rest) {
			o[i].likelihood[cause] = SEEN_IF_TRUE * rest;
			sum = o[i].likelihood[cause] + rest;
		}
	}
	for (size_t i = 0; i < n; i++)
		o[i].likelihood[cause] /= sum;
}

static void
weigh_observations(struct causes *c)
{
	for (size_t i = 0, n; i < c->nobservations; i += n) {
		n = observation_values(c, &c->observation[i]);
		for (size_t cause = 0; cause < c->n; cause++)
			set_likelihoods(&c->observation[i], n, cause);
	}
}

/* Takes the rows of a file but those of a group or NULL. */
static void
read_rows(struct causes *c, const char *name,
          void (*take)(struct causes *c, const struct table *t),
          const char *without)
{
	char *file;
	struct table *t = reference_open(&file, name);

	while (table_next(t)) {
		if (!without || strcmp(need_text(t, "group"), without) != 0)
			take(c, t);
	}
	table_close(t);
	free(file);
}

void
causes_read(struct causes *c, const struct reference *reference,
            const char *without)
{
	*c = (struct causes){0};
	read_rows(c, "causes", take_cause, NULL);
	c->sources = xcalloc(c->n, sizeof *c->sources);
	take_healthy(c, reference);
	read_rows(c, "cases", take_case, without);
	weigh(c);
	read_rows(c, "evidence", take_observation, NULL);
	weigh_observations(c);
}

void
causes_free(struct causes *c)
{
	for (size_t i = 0; i < c->n; i++)
		free(c->name[i]);
	for (size_t i = 0; i < c->ngroups; i++)
		free(c->group[i]);
	for (size_t i = 0; i < c->ntexts; i++)
		free(c->text[i]);
	for (size_t i = 0; i < c->nobservations; i++) {
		free(c->observation[i].says);
		free(c->observation[i].likelihood);
	}
	free(c->text);
	free(c->name);
	free(c->group);
	free(c->sources);
	free(c->before);
	free(c->row);
	free(c->observation);
	free(c->known);
	free(c->count);
	free(c->healthy);
	*c = (struct causes){0};
}
