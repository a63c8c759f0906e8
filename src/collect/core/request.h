/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The user's request, and the options of backends and benches. */
#ifndef PCB_COLLECT_CORE_REQUEST_H
#define PCB_COLLECT_CORE_REQUEST_H

#include "collect/core/bench.h"
#include "common/base/backend_option.h"

/* An option; value is NULL for -O NAME without a value. */
struct setting {
	char *name;
	const char *value;
};

/* In the order given: the last one of a name counts. */
struct settings {
	struct setting *item;
	size_t n;
};

/* Appends a setting: copies the name; the value must outlive it. */
void settings_add(struct settings *settings, const char *name,
                  const char *value);
void settings_free(struct settings *settings);

/* The value of the last setting called `name`, or NULL. */
const char *settings_value(const struct settings *settings, const char *name);

/* Constant while a backend is open. */
struct request {
	const struct bench *bench;
	const char *device; /* after BACKEND:, or NULL; for BENCH_PIO a list */
	struct settings options;       /* -O, which the backend's open checks */
	struct settings bench_options; /* of struct bench_option; checked */
	char *const
	    *command;   /* the command after "--", ended by NULL; or NULL */
	uint64_t count; /* transactions per point and run */
	uint64_t runs;
	uint64_t seed;
	uint64_t buffer;  /* bytes; 0: the backend's default */
	bool cache_given; /* with --cache; else the state is a default */
	int cpu;          /* to pin to, or -1 */
};

/* The user's value for the option `name` of this table, or its default. */
const char *option_value(const struct request *request,
                         const struct backend_option *options,
                         const char *name);

/* The same; NULL if it is empty. */
const char *option_or_null(const struct request *request,
                           const struct backend_option *options,
                           const char *name);

/*
 * An option --NAME of the benches of one group, and of the backends that
 * measure them.
 */
struct bench_option {
	const char *name;     /* NULL ends a table */
	char letter;          /* or 0 */
	const char *argument; /* of the value, for --help; NULL: no value */
	const char *help;
	const char *words; /* values for completion, " " between; or NULL */

	/* Returns NULL, or why the value is wrong. NULL: any value is valid. */
	const char *(*check)(const char *value);
	bool is_list; /* repeated options extend the list */
};

/* The value given for a bench option, "" if it takes none; or NULL. */
const char *bench_option(const struct request *request, const char *name);

/* A key column that shows the value of an option. */
struct option_column {
	const char *option; /* NULL ends a table */
	const char *column;
	unsigned benches; /* BENCH_BIT of each */

	/* The text of the column, to be freed; NULL: the option's value. */
	char *(*cell)(const char *value);
};

#endif
