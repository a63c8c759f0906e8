/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "collect/cli/backend_options.h"

#include "collect/cli/options.h"

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
	for (; o && o->name; o++)
		printf("  -O %s=%s\n        %s\n", o->name, o->value, o->help);
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

/* What has been recorded cannot be asked for in another way. */
static void
check_recorded(const struct collection *c)
{
	const char *option = c->dma_option ? c->dma_option : c->cpu_option;

	if (!c->backend->recorded)
		return;
	if (option)
		die_usage("--%s: %s gives the samples it has", option,
		          c->backend->name);
	if (c->request.runs > 1)
		die_usage("-r: %s gives the runs it has", c->backend->name);
	if (c->warmup)
		die_usage("--warmup: %s drops no samples", c->backend->name);
}

void
check_settings(const struct collection *c)
{
	const struct request *request = &c->request;

	check_recorded(c);
	for (size_t i = 0; i < request->nsettings; i++) {
		const struct setting *setting = &request->setting[i];

		if (!strcmp(setting->name, "help")) {
			print_options(c->backend);
			close_stdout();
			exit(STATUS_OK);
		}
		if (!is_option(c->backend, setting->name))
			die_usage("-O '%s': %s has no such option (-O help "
			          "lists them)",
			          setting->name, c->backend->name);
		need_value(setting);
	}
}

static void
add_column(struct collection *c, const struct option_column *column)
{
	const char *value =
	    option_value(&c->request, c->backend->options, column->option);

	if (!labels_value(&c->labels, column->column))
		add_own_label(c, xasprintf("%s=%s", column->column, value));
}

void
add_defaults(struct collection *c)
{
	const struct option_column *column = c->backend->columns;
	unsigned bench = BENCH_BIT(c->request.bench->id);

	if (c->request.bench->totals && !c->window_given && c->backend->window)
		c->sweep.window.value[0] = c->backend->window;
	if (c->request.bench->totals && !c->size_given && c->backend->size)
		c->sweep.size.value[0] = c->backend->size;
	for (; column && column->option; column++) {
		if (column->benches & bench)
			add_column(c, column);
	}
}

static _Noreturn void
print_help_of_all(void)
{
	for (const struct backend *const *b = backends; *b; b++)
		print_options(*b);
	close_stdout();
	exit(STATUS_OK);
}

/* A list asks all backends, so a setting may be any one's. */
void
check_list_settings(const struct request *request)
{
	for (size_t i = 0; i < request->nsettings; i++) {
		const struct setting *setting = &request->setting[i];

		if (!strcmp(setting->name, "help"))
			print_help_of_all();
		if (!any_has_option(setting->name))
			die_usage("-O '%s': no backend has such an option",
			          setting->name);
		need_value(setting);
	}
}
