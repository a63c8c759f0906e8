/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "collect/cli/pio_options.h"

#include "collect/cli/options.h"
#include "collect/pio/reg_addr.h"
#include "common/pci/tree.h"

#include <stdlib.h>
#include <string.h>

/* More CPUs than any machine has. */
#define LOAD_MAX 65536

static void
add_holds(struct request *request, const char *text)
{
	char *copy = xstrdup(text);
	char *rest = copy;
	char *item;

	request->hold = 0;
	while ((item = strsep(&rest, ","))) {
		size_t id = 0;

		while (id < NHOLDS && strcmp(item, hold_names[id]) != 0)
			id++;
		if (id == NHOLDS)
			die_usage("--hold '%s': what can be held is idle, "
			          "governor, power and priority",
			          text);
		request->hold |= 1u << id;
	}
	free(copy);
}

static void
set_load(struct request *request, const char *text)
{
	const char *why = parse_integer(text, &request->load);

	if (!why && (!request->load || request->load > LOAD_MAX))
		why = "not within 1 to 65536";
	if (why)
		die_usage("--load '%s': %s", text, why);
}

static void
check_cross(const char *text)
{
	struct reg_addr addr;
	char bdf[BDF_MAX];
	const char *why = reg_addr_parse_of(text, bdf, &addr);

	if (why)
		die_usage("--cross-traffic '%s': %s", text, why);
}

void
cpu_option(struct collection *c, const char *name, const char *text)
{
	struct request *request = &c->request;

	c->cpu_option = name;
	if (!strcmp(name, "hold")) {
		add_holds(request, text);
	} else if (!strcmp(name, "load")) {
		set_load(request, text);
	} else if (!strcmp(name, "cross-traffic")) {
		check_cross(text);
		request->cross = text;
	} else {
		if (strcmp(text, "off") != 0)
			die_usage("--aspm '%s': only off", text);
		request->aspm_off = true;
	}
}

/* The full BDF, and the register if it is not the one that is measured. */
static char *
cross_label(const char *text)
{
	struct reg_addr none = {.bar = CONFIG_SPACE, .offset = NO_OFFSET};
	struct reg_addr addr = none;
	char bdf[BDF_MAX], at[REG_ADDR_TEXT_MAX];

	reg_addr_parse_of(text, bdf, &addr);
	if (addr.offset == NO_OFFSET)
		return xasprintf("cross_traffic=%s", bdf);
	reg_addr_format(&addr, at);
	return xasprintf("cross_traffic=%s:%s", bdf, at);
}

void
cpu_labels(struct collection *c)
{
	const struct request *request = &c->request;

	if (request->cross)
		add_own_label(c, cross_label(request->cross));
	if (request->load)
		add_own_label(c,
		              xasprintf("load=%ju", (uintmax_t)request->load));
}
