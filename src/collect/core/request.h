/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the user asked for, and the options by which backends are asked. */
#ifndef PCB_COLLECT_CORE_REQUEST_H
#define PCB_COLLECT_CORE_REQUEST_H

#include "collect/core/bench.h"
#include "common/base/backend_option.h"

/* The value of an option; NULL for -O NAME without a value. */
struct setting {
	char *name;
	const char *value;
};

/* In the order given: of two with one name, the last one counts. */
struct settings {
	struct setting *item;
	size_t n;
};

/* Appends a setting: copies the name, and the value must outlive it. */
void settings_add(struct settings *settings, const char *name,
                  const char *value);
void settings_free(struct settings *settings);

/* The value of the last setting of this name, or NULL. */
const char *settings_value(const struct settings *settings, const char *name);

/* Constant while a backend is open. */
struct request {
	const struct bench *bench;
	const char *device; /* after BACKEND:, or NULL; of BENCH_PIO a list */
	struct settings options;       /* -O, checked by the backend's open */
	struct settings bench_options; /* of struct bench_option, checked */
	char *const
	    *command;   /* what "--" is followed by, ended by NULL; or NULL */
	uint64_t count; /* transactions per point and run */
	uint64_t runs;
	uint64_t seed;
	uint64_t buffer;  /* bytes; 0: the backend's default */
	bool cache_given; /* --cache: else a point's state is the default */
	int cpu;          /* to pin to, or -1 */
};

/* What the user gave for the option `name` of this table, or its default. */
const char *option_value(const struct request *request,
                         const struct backend_option *options,
                         const char *name);

/* The same; NULL where it is empty. */
const char *option_or_null(const struct request *request,
                           const struct backend_option *options,
                           const char *name);

/*
 * An option --NAME that benches of one group have, and with them the backends
 * that measure those.
 */
struct bench_option {
	const char *name;     /* NULL ends a table */
	char letter;          /* or 0 */
	const char *argument; /* its name in --help; NULL: takes no value */
	const char *help;
	const char *words; /* values to complete, " " between; or NULL */

	/* NULL, or why the value is wrong; NULL: any is right. */
	const char *(*check)(const char *value);
	bool is_list; /* given again, it adds to the list of before */
};

/* The value given for a bench option, "" if it takes none; or NULL. */
const char *bench_option(const struct request *request, const char *name);

/* A column that tells rows of these benches apart by an option. */
struct option_column {
	const char *option; /* NULL ends a table */
	const char *column;
	unsigned benches; /* BENCH_BIT of each */

	/* The text of the column, to be freed; NULL: that of the option. */
	char *(*cell)(const char *value);
};

#endif
