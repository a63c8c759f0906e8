/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Checks -O, and sets the backend's defaults of a collection. */
#include "collect/cli/backend_options.h"

#include "collect/cli/devices.h"
#include "common/base/list.h"
#include "common/base/nearest.h"
#include "common/sys/datadir.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void
print_options(const struct backend *backend)
{
	const struct backend_option *o = backend->options;

	printf("Options of %s (%s):\n", backend->name, backend->help);
	if (!o || !o->name)
		puts("  none");
	for (; o && o->name; o++) {
		printf("  -O %s=%s\n        %s\n", o->name, o->value, o->help);
		check_stdout();
	}
}

static bool
is_option(const struct backend *backend, const char *name)
{
	const struct backend_option *o = backend->options;

	while (o && o->name && strcmp(o->name, name) != 0)
		o++;
	return o && o->name;
}

static bool
any_has_option(const char *name)
{
	for (const struct backend *const *b = backends; *b; b++) {
		if (is_option(*b, name))
			return true;
	}
	return false;
}

static void
need_value(const struct setting *setting)
{
	if (!setting->value)
		die_usage("-O '%s': a value is missing (-O %s=VALUE)",
		          setting->name, setting->name);
}

static bool
wants_help(const struct settings *options)
{
	for (size_t i = 0; i < options->n; i++) {
		if (!strcmp(options->item[i].name, "help"))
			return true;
	}
	return false;
}

void
show_backend_help(const struct command *command, const char *bench_name)
{
	const struct bench *bench = bench_name ? find_bench(bench_name) : NULL;
	const struct backend *named = named_backend(command->device);

	if (named && named->profiles &&
	    !strcmp(command->device + strlen(named->name), ":help")) {
		share_list(named->profiles);
		options_finish();
	}
	if (!wants_help(&command->collection.request.options))
		return;
	for (const struct backend *const *b = backends; *b; b++) {
		if (named ? *b == named
		          : !bench || (*b)->benches & BENCH_BIT(bench->id))
			print_options(*b);
	}
	options_finish();
}

static _Noreturn void
refuse_option(const struct backend *backend, const char *name)
{
	struct nearest nearest = {.typed = name};
	const struct backend_option *o = backend->options;

	if (!strcmp(name, "take") && is_option(backend, "unbind"))
		die_usage("-O take is now -O unbind");
	for (; o && o->name; o++)
		nearest_offer(&nearest, o->name);
	die_usage("-O '%s': %s has no such option%s (-O help lists them)", name,
	          backend->name, nearest_hint(&nearest));
}

/* Refuses options of the bench that only another backend has. */
static void
check_bench_options(const struct backend *backend, const struct settings *given)
{
	for (size_t i = 0; i < given->n; i++) {
		const struct bench_option *o = backend->bench_options;

		while (o && o->name &&
		       strcmp(o->name, given->item[i].name) != 0)
			o++;
		if (!o || !o->name)
			die_usage("--%s: %s has no such option",
			          given->item[i].name, backend->name);
	}
}

/* Refuses sweeps for a register, which has one size and address. */
static void
check_sweep(const struct command *command)
{
	static const char *const swept[] = {"size", "window"};
	const struct collection *c = &command->collection;

	if (!c->request.bench->also_windows ||
	    c->backend->flags & BACKEND_WINDOWS)
		return;
	for (size_t i = 0; i < ARRAY_LEN(swept); i++) {
		if (options_given(&command->parser, swept[i]))
			die_usage("--%s: %s reads registers of 4 bytes; -d "
			          "mmio:%s reads memory of a device",
			          swept[i], c->backend->name,
			          c->request.device ? c->request.device
			                            : "03:00.0");
	}
}

void
check_backend_options(const struct command *command)
{
	const struct backend *backend = command->collection.backend;
	const struct settings *given = &command->collection.request.options;

	if (backend->flags & BACKEND_ANY_CPU &&
	    options_given(&command->parser, "cpu"))
		die_usage("--cpu: %s does not bind itself to a CPU",
		          backend->name);
	check_bench_options(backend,
	                    &command->collection.request.bench_options);
	check_sweep(command);
	for (size_t i = 0; i < given->n; i++) {
		const struct setting *setting = &given->item[i];

		if (!is_option(backend, setting->name))
			refuse_option(backend, setting->name);
		need_value(setting);
	}
}

/* The value of a bench option or backend option; or NULL. */
static const char *
value_of(const struct collection *c, const char *option)
{
	if (is_option(c->backend, option))
		return option_value(&c->request, c->backend->options, option);
	return bench_option(&c->request, option);
}

static void
add_column(struct command *command, const struct option_column *column)
{
	const struct collection *c = &command->collection;
	const char *value = value_of(c, column->option);
	char *cell, *label;

	if (!value || labels_value(&c->labels, column->column))
		return;
	cell = column->cell ? column->cell(value) : xstrdup(value);
	label = xasprintf("%s=%s", column->column, cell);
	array_push(command->own_label, command->nown_labels, label);
	labels_add(&command->collection.labels, label);
	free(cell);
}

static void
add_columns(struct command *command)
{
	const struct collection *c = &command->collection;
	const struct option_column *column = c->backend->columns;

	for (; column && column->option; column++) {
		if (column->benches & BENCH_BIT(c->request.bench->id))
			add_column(command, column);
	}
}

/* A command and --time have their own end. */
static uint64_t
default_count(const struct collection *c)
{
	if (c->request.command || c->time_limit)
		return UINT64_MAX;
	return c->backend->defaults.count ? c->backend->defaults.count
	                                  : c->request.bench->default_count;
}

static uint64_t
default_warmup(const struct backend *backend, const struct bench *bench)
{
	if (backend->flags & BACKEND_SLOW)
		return 1;
	if (bench->totals && backend->flags & BACKEND_STEADY_TOTALS)
		return 0;
	return bench->default_warmup;
}

static bool
is_missing(const struct command *command, const char *option)
{
	return !options_given(&command->parser, option);
}

void
add_defaults(struct command *command)
{
	struct collection *c = &command->collection;
	const struct backend_defaults *defaults = &c->backend->defaults;
	const struct bench *bench = c->request.bench;
	bool by_backend = bench->totals || c->backend->flags & BACKEND_WINDOWS;

	if (is_missing(command, "count"))
		c->request.count = default_count(c);
	if (is_missing(command, "warmup"))
		c->warmup = default_warmup(c->backend, bench);
	if (by_backend && defaults->window && is_missing(command, "window"))
		c->sweep.window.value[0] = defaults->window;
	if (by_backend && defaults->size && is_missing(command, "size"))
		c->sweep.size.value[0] = defaults->size;
	add_columns(command);
}

void
check_list_options(const struct request *request)
{
	for (size_t i = 0; i < request->options.n; i++) {
		const struct setting *setting = &request->options.item[i];

		if (!any_has_option(setting->name))
			die_usage("-O '%s': no backend has such an option",
			          setting->name);
		need_value(setting);
	}
}
