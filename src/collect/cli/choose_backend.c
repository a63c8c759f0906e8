/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Asks the backends for the device, or reports why none has it. */
#include "collect/cli/choose_backend.h"

#include "collect/cli/device_names.h"
#include "common/base/debug.h"
#include "common/base/list.h"
#include "common/pci/tree.h"

#include <stdlib.h>
#include <string.h>

/* Most devices that a message about unusable ones names. */
#define REASONS_MAX 16

static bool
knows(const struct backend *backend, const struct bench *bench)
{
	return backend->benches & BENCH_BIT(bench->id);
}

const struct backend *
named_backend(const char *device)
{
	size_t length = device ? strcspn(device, ":") : 0;

	for (const struct backend *const *b = backends; length && *b; b++) {
		if (strlen((*b)->name) == length &&
		    !strncmp((*b)->name, device, length))
			return *b;
	}
	return NULL;
}

/*
 * Appends what the backend finds to `found`; returns whether that includes this
 * device, or (NULL) one for automatic choice, for one of the benches `wanted`.
 */
static bool
has_device(const struct backend *backend, const struct request *request,
           unsigned wanted, const char *device, struct findings *found)
{
	size_t i = found->n;

	backend_probe(backend, request, found);
	for (; i < found->n; i++) {
		const struct finding *f = &found->item[i];

		debug(DEBUG_ACCESS, "%s: %s%s%s%s", backend->name,
		      *f->device ? f->device : "no device",
		      f->benches & wanted ? ": can measure it" : ": cannot",
		      *f->why_not ? ": " : "", f->why_not);
		if ((f->benches & wanted) &&
		    (device ? !strcmp(f->device, device) : f->automatic))
			return true;
	}
	return false;
}

/* Why a device cannot be measured, and what would help. Free it. */
static char *
whole_reason(const struct finding *f)
{
	return xasprintf("%s%s%s", f->why_not, *f->remedy ? ": " : "",
	                 f->remedy);
}

/* A reason, and the devices to which it applies. */
struct reason {
	char *why, *devices;
};

struct reasons {
	struct reason *item;
	size_t n;
};

static void
add_reason(struct reasons *r, const struct finding *f, bool can)
{
	char *why = can ? xasprintf("say -d %s:%s", f->backend, f->device)
	                : whole_reason(f);
	size_t i = 0;

	while (i < r->n && strcmp(r->item[i].why, why) != 0)
		i++;
	if (i == r->n)
		array_push(r->item, r->n, (struct reason){why, NULL});
	else
		free(why);
	xappend(&r->item[i].devices, ", ", "%s", f->device);
}

/* "A, B (why), C (why)", or NULL; frees the reasons. Free the text. */
static char *
join_reasons(struct reasons *r)
{
	char *text = NULL;

	for (size_t i = 0; i < r->n; i++) {
		xappend(&text, ", ", "%s (%s)", r->item[i].devices,
		        r->item[i].why);
		free(r->item[i].devices);
		free(r->item[i].why);
	}
	free(r->item);
	return text;
}

/* After no choice: prints the candidates, and why each is unusable. */
static void
say_why_none(const struct bench *bench, const struct findings *found)
{
	struct reasons reasons = {0};
	unsigned said = 0;
	char *text;

	for (size_t i = 0; i < found->n; i++) {
		const struct finding *f = &found->item[i];
		bool can = f->benches & BENCH_BIT(bench->id);

		if (*f->device && (can || *f->why_not) && said++ < REASONS_MAX)
			add_reason(&reasons, f, can);
	}
	text = join_reasons(&reasons);
	warn("no device here can measure %s%s%s%s", bench->name,
	     text ? ": " : "", text ? text : "",
	     said > REASONS_MAX ? ", ..." : "");
	for (size_t i = 0; i < found->n; i++) {
		if (!*found->item[i].device)
			warn("%s", found->item[i].why_not);
	}
	free(text);
}

/* Suggests what works without a device. */
static void
say_what_simulates(const struct bench *bench)
{
	for (const struct backend *const *b = backends; *b; b++) {
		if (knows(*b, bench) && (*b)->flags & BACKEND_VIRTUAL)
			warn("-d %s simulates one", (*b)->name);
	}
}

/* `real`: no simulator. */
static int
choose_automatically(struct collection *c, bool real)
{
	const struct bench *bench = c->request.bench;
	struct findings found = {0};
	const struct backend *const *b = backends;

	while (
	    *b &&
	    !(knows(*b, bench) && !(real && (*b)->flags & BACKEND_VIRTUAL) &&
	      has_device(*b, &c->request, BENCH_BIT(bench->id), NULL, &found)))
		b++;
	c->backend = *b;
	c->automatic = true;
	if (!*b)
		say_why_none(bench, &found);
	if (!*b && real)
		say_what_simulates(bench);
	else if (!*b && !found.n)
		warn("'pcb-collect list' shows what each device here can do");
	findings_free(&found);
	return *b ? STATUS_OK : STATUS_ABSENT;
}

/* Whether functions cannot be listed; prints why. */
static bool
say_unlisted(const struct findings *found, const char *bdf)
{
	for (size_t i = 0; i < found->n; i++) {
		const struct finding *f = &found->item[i];

		if (!*f->device && !strcmp(f->backend, "pci")) {
			warn("%s: %s", bdf, f->why_not);
			return true;
		}
	}
	return false;
}

/* Prints why no backend measures the bench on this function, if it exists. */
static void
say_why_not(const struct bench *bench, const struct findings *found,
            const char *bdf)
{
	char *why = NULL;
	bool known = false;

	for (size_t i = 0; i < found->n && !why; i++) {
		const struct finding *f = &found->item[i];

		if (strcmp(f->device, bdf) != 0)
			continue;
		known = true;
		if (*f->why_not && knows(named_backend(f->backend), bench))
			why = whole_reason(f);
	}
	if (why)
		warn("%s: %s", bdf, why);
	else if (known)
		warn("%s: no backend can measure %s on it ('pcb-collect list "
		     "-d %s' shows what it can do)",
		     bdf, bench->name, bdf);
	else if (!say_unlisted(found, bdf))
		warn("%s: no such device ('pcb-collect list' shows all)", bdf);
	free(why);
}

/* The first backend with a device or function called `name`; or NULL. */
static const struct backend *
backend_of(const struct collection *c, const char *name, struct findings *found)
{
	const struct backend *const *b = backends;

	while (*b && !has_device(*b, &c->request,
	                         BENCH_BIT(c->request.bench->id), name, found))
		b++;
	return *b;
}

/* Chooses the backend that finds all functions of a list. */
static int
choose_functions(struct collection *c, const struct device_names *names)
{
	const struct bench *bench = c->request.bench;

	for (size_t i = 0; i < names->n; i++) {
		struct findings found = {0};

		c->backend = backend_of(c, names->bdf[i], &found);
		if (!c->backend)
			say_why_not(bench, &found, names->bdf[i]);
		findings_free(&found);
		if (!c->backend)
			return STATUS_ABSENT;
	}
	free(c->found_device);
	c->found_device = device_names_join(names);
	c->request.device = c->found_device;
	if (names->n > 1 && bench->group != BENCH_PIO)
		die_usage("-d: %s measures one device at a time, not %s",
		          bench->name, c->found_device);
	return STATUS_OK;
}

/* Why the bench cannot run on the device called `name`. Free it. */
static char *
why_not_named(const struct bench *bench, const struct findings *found,
              const char *name)
{
	for (size_t i = 0; i < found->n; i++) {
		const struct finding *f = &found->item[i];

		if (!strcmp(f->device, name) && *f->why_not &&
		    knows(named_backend(f->backend), bench))
			return whole_reason(f);
	}
	return NULL;
}

static int
choose_named(struct collection *c, const char *device)
{
	struct device_names names = {0};
	struct findings found = {0};
	char *why = NULL;
	int status = STATUS_OK;

	c->backend = backend_of(c, device, &found);
	c->request.device = device;
	if (!c->backend)
		why = why_not_named(c->request.bench, &found, device);
	findings_free(&found);
	if (why) {
		warn("%s: %s", device, why);
		status = STATUS_ABSENT;
	} else if (!c->backend) {
		status = device_names_find(&names, device);
		if (status == STATUS_OK)
			status = choose_functions(c, &names);
	}
	free(why);
	device_names_free(&names);
	return status;
}

/* Finds WHICH of BACKEND:WHICH if the backend knows devices by BDF. */
static int
find_functions(struct collection *c, const char *which)
{
	struct device_names names;
	int status = device_names_find(&names, which);

	if (status == STATUS_OK && names.n > 1 &&
	    c->request.bench->group != BENCH_PIO)
		die_usage("-d: %s measures one device at a time",
		          c->request.bench->name);
	free(c->found_device);
	c->found_device = device_names_join(&names);
	c->request.device = c->found_device;
	device_names_free(&names);
	return status;
}

int
choose_backend(struct collection *c, const char *device)
{
	const struct bench *bench = c->request.bench;
	char known[BENCH_NAMES_MAX];
	size_t length;

	if (!device || !strcmp(device, "hw"))
		return choose_automatically(c, device);
	length = strcspn(device, ":");
	c->backend = named_backend(device);
	if (!c->backend)
		return choose_named(c, device);
	if (!knows(c->backend, bench)) {
		bench_names(known, c->backend->benches);
		die_usage("-d '%s': %s cannot measure %s, only %s", device,
		          c->backend->name, bench->name, known);
	}
	if (!device[length] || !device[length + 1])
		return STATUS_OK;
	c->request.device = device + length + 1;
	if (!(c->backend->flags & BACKEND_BDF))
		return STATUS_OK;
	return find_functions(c, c->request.device);
}
