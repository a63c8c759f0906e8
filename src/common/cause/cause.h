/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Causes of a bandwidth as probabilities: of public cases that independent
 * sources have, of numbers that are near, and of what was observed.
 */
#ifndef PCB_COMMON_CAUSE_CAUSE_H
#define PCB_COMMON_CAUSE_CAUSE_H

#include "common/cause/reference.h"

/* From these probabilities on a cause is called first, and certain. */
#define CAUSE_FIRST   0.6
#define CAUSE_CERTAIN 0.8

/* A measured bandwidth, in Gbit/s in each direction, and what is known of it.
 */
struct question {
	enum initiator initiator;
	enum traffic traffic;
	const char *vendor; /* of the device, as in the reference; or "" */
	struct link_config config;
	bool mps_known;
	bool sum;      /* both directions were added; the numbers are halves */
	bool either;   /* a CPU's, and nobody said whether it loads or stores */
	uint64_t size; /* of a transfer */
	double number;
	double before;   /* the same without the cause; 0: unknown */
	double rounding; /* what the number may be too large by, as a part */
	double digits;   /* half of its last digit, as a part of it */
	double bound;    /* of the link with its MPS */
	double most; /* with the largest MPS of public devices of its kind */
	double ethernet; /* rate of the NIC's port; 0: unknown */
	double inflight; /* what its outstanding reads allow; 0: unknown */
};

/* The same bound on another link; mps 0: that of the question. */
double question_bound(const struct question *q, unsigned gen, unsigned lanes,
                      unsigned mps);

/* Whether a bound allows a number that is rounded as that of the question. */
bool question_fits(const struct question *q, double number, double bound);

/* Whether the link can carry the number. */
bool question_is_possible(const struct question *q);

/* Verdicts ----------------------------------------------------------------- */

/* The largest MPS and MRRS of the specification. */
#define MPS_MOST 4096

/* Borderline is from this part of the p10, or of the number before, on. */
#define BORDERLINE 0.9
#define UNCHANGED  0.97

enum verdict {
	VERDICT_NORMAL,
	VERDICT_BORDERLINE,
	VERDICT_LOW,
	VERDICT_IMPOSSIBLE,
	VERDICT_UNCLEAR, /* each direction or the sum of both */
	VERDICT_UNKNOWN, /* too few public results */
	NVERDICTS
};
extern const char *const verdict_names[NVERDICTS];

/* The largest MPS of public devices of the kind. */
unsigned most_mps(enum initiator initiator);

/* Sets `bound` and `most` by the rest. */
void question_set_bounds(struct question *q);

/*
 * The verdict on a number, in each direction, of such a question: by what is
 * usual, and by the number before.
 */
enum verdict question_judge(const struct question *q, const struct usual *usual,
                            double number);

/* Causes ------------------------------------------------------------------- */

enum says { SAYS_OPEN, EXCLUDES, AGAINST, WEAK, FOR, CONFIRMS, NSAYS };

/* A value of something that can be observed: a row of evidence.csv. */
struct observation {
	char *name, *value;
	char *asked; /* where: words, or "" */
	char *ask, *how;
	char *words; /* what people read; else name=value */
	double base, cost;
	unsigned char *says; /* enum says, for each cause */
	double *likelihood;  /* for each cause, given it */
};

/* A row of causes.csv: who has it, and the text for these. */
struct cause {
	size_t index;                  /* of its name */
	unsigned initiators, traffics; /* bits; 0: all */
	bool under, over; /* for numbers below and above the bound */
	char *what, *separate;
};

/* A public number with one of its causes. */
struct cause_case {
	size_t cause;
	enum initiator initiator;
	enum traffic traffic;
	double x;        /* ln(number / what it should be) */
	double part;     /* 1, or less if the source names more causes */
	double weight;   /* all of a source and cause: 1 */
	bool over;       /* above the bound of its link */
	bool before;     /* with a number before */
	bool laboratory; /* nobody asked */
	size_t group;
};

/* How often a cause was found: by a source, with an initiator, at an end. */
struct cause_count {
	size_t group, cause;
	enum initiator initiator;
	bool peer;
	double n;
};

/* What a healthy device reached: ln of the ratio to the bound. */
struct healthy {
	enum initiator initiator;
	enum traffic traffic;
	double x, weight; /* all of a source: 1 */
};

struct causes {
	char **name; /* of causes, n of them */
	size_t n;
	size_t *sources; /* of each cause: public ones */
	double *before;  /* of each: the share of cases with a number before */
	struct cause *row;
	size_t nrows;
	struct observation *observation; /* the values of one are neighbours */
	size_t nobservations;
	struct cause_case *known;
	size_t nknown;
	struct cause_count *count;
	size_t ncounts;
	struct healthy *healthy;
	size_t nhealthy;
	double median[NINITIATORS][2]; /* of x; of host and peer */
	double other;                  /* the share of causes not listed */
	char **group;                  /* the sources of cases */
	size_t ngroups;
	char **text; /* of rows and observations */
	size_t ntexts;
};

/*
 * Reads causes.csv, cases.csv and evidence.csv, without the cases of a group or
 * NULL. Ends the program if a file is missing or
 * wrong. Free it with causes_free.
 */
void causes_read(struct causes *c, const struct reference *r,
                 const char *without);
void causes_free(struct causes *c);

/* The observation with this name and value, or NULL. */
const struct observation *
causes_observation(const struct causes *c, const char *name, const char *value);

/* The next word of a text with blanks between, or NULL; free it. */
char *next_word(const char **text);

/* How many values it has, if it is the first; they are neighbours. */
size_t observation_values(const struct causes *c, const struct observation *o);

/* Whether it tells anything of such a number. */
bool observation_applies(const struct observation *o, const struct question *q);

/* What was observed, and who says so. */
struct seen {
	const struct observation *observation;
	const char *source;
	bool before; /* it was the same with the number before */
};

/* A cause that applies to the question. */
struct belief {
	const struct cause *cause;
	const char *name;
	double probability;
	double bound;          /* that the cause leaves, Gbit/s */
	unsigned gen, lanes;   /* of `link`: the likeliest; else 0 */
	size_t sources;        /* public ones of the cause */
	const struct seen *by; /* the strongest evidence, or NULL */
	enum says says;        /* what that says of the cause */
};

/* How to separate it, with the address of the device or NULL; free it. */
char *belief_separate(const struct belief *b, const char *address);

/*
 * Fills `belief`, of c->n items, with the causes that can give the number, the
 * likeliest first; returns how many. Their probabilities sum to 1.
 */
size_t causes_believe(const struct causes *c, const struct question *q,
                      const struct seen seen[], size_t nseen,
                      struct belief belief[]);

/*
 * The observation, by its first value, that is expected to tell most for its
 * effort, apart from what was seen and from `asked`; NULL: none tells anything.
 */
const struct observation *causes_ask(const struct causes *c,
                                     const struct question *q,
                                     const struct seen seen[], size_t nseen,
                                     const struct belief belief[], size_t n,
                                     const struct observation *asked);

#endif
