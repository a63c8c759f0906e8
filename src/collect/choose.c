#include "collect/choose.h"

#include "common/pci.h"

#include <stdlib.h>
#include <string.h>

/* So many devices are named that cannot be measured. */
#define REASONS_MAX 16

static bool
knows(const struct backend *backend, const struct bench *bench)
{
	return backend->benches & BENCH_BIT(bench->id);
}

static const struct backend *
find_backend(const char *name, size_t length)
{
	for (const struct backend *const *b = backends; *b; b++) {
		if (strlen((*b)->name) == length &&
		    !strncmp((*b)->name, name, length))
			return *b;
	}
	return NULL;
}

/*
 * Whether the backend has this device, or (NULL) one to choose by itself, for
 * the bench asked for, or (NULL) any.
 */
static bool
has_device(const struct backend *backend, const struct request *request,
           const struct bench *bench, const char *device)
{
	struct findings list = backend_findings(backend, request);
	unsigned wanted = bench ? BENCH_BIT(bench->id) : ~0u;
	bool found = false;

	for (size_t i = 0; i < list.n && !found; i++) {
		const struct finding *f = &list.item[i];

		if (f->benches & wanted)
			found =
			    device ? !strcmp(f->device, device) : f->automatic;
	}
	findings_free(&list);
	return found;
}

/* What the backends that know the bench have not found. */
static void
warn_why_not(const struct request *request)
{
	for (const struct backend *const *b = backends; *b; b++) {
		struct findings list = {0};

		if (knows(*b, request->bench))
			list = backend_findings(*b, request);
		for (size_t i = 0; i < list.n; i++) {
			if (!*list.item[i].device)
				warn("%s", list.item[i].why_not);
		}
		findings_free(&list);
	}
}

/* Why a device cannot be measured, and what would help; to be freed. */
static char *
whole_reason(const struct finding *f)
{
	return xasprintf("%s%s%s", f->why_not, *f->remedy ? ": " : "",
	                 f->remedy);
}

/* Appends "DEVICE (why)" to a list of which no more than the first are said. */
static void
add_reason(char **text, const struct backend *backend, const struct finding *f,
           bool can)
{
	char *why = can ? xasprintf("say -d %s:%s", backend->name, f->device)
	                : whole_reason(f);

	xappend(text, ", ", "%s (%s)", f->device, why);
	free(why);
}

/* Nothing was chosen: the devices that might have been, and why not. */
static void
say_why_none(const struct collection *c)
{
	const struct bench *bench = c->request.bench;
	char *text = NULL;
	unsigned said = 0;

	for (const struct backend *const *b = backends; *b; b++) {
		struct findings list = backend_findings(*b, &c->request);

		for (size_t i = 0; knows(*b, bench) && i < list.n; i++) {
			const struct finding *f = &list.item[i];
			bool can = f->benches & BENCH_BIT(bench->id);

			if (*f->device && (can || *f->why_not) &&
			    said++ < REASONS_MAX)
				add_reason(&text, *b, f, can);
		}
		findings_free(&list);
	}
	warn("no device here can measure %s%s%s%s", bench->name,
	     text ? ": " : "", text ? text : "",
	     said > REASONS_MAX ? ", ..." : "");
	free(text);
}

static int
choose_automatically(struct collection *c)
{
	const struct bench *bench = c->request.bench;

	for (const struct backend *const *b = backends; *b; b++) {
		if (!knows(*b, bench) ||
		    !has_device(*b, &c->request, bench, NULL))
			continue;
		c->backend = *b;
		c->automatic = true;
		return STATUS_OK;
	}
	say_why_none(c);
	warn_why_not(&c->request);
	return STATUS_ABSENT;
}

/* Says why nothing measures the bench on a device that is there. */
static void
say_why_not(const struct collection *c, const char *bdf)
{
	const struct bench *bench = c->request.bench;
	char *why = NULL;

	for (const struct backend *const *b = backends; *b && !why; b++) {
		struct findings list = backend_findings(*b, &c->request);

		for (size_t i = 0; i < list.n && !why; i++) {
			const struct finding *f = &list.item[i];

			if (knows(*b, bench) && *f->why_not &&
			    !strcmp(f->device, bdf))
				why = whole_reason(f);
		}
		findings_free(&list);
	}
	if (why)
		warn("%s: %s", bdf, why);
	else
		warn("%s: no backend can measure %s on it", bdf, bench->name);
	free(why);
}

/* A well-formed BDF: the backend that has it says so in its findings. */
static int
choose_function(struct collection *c, const char *device, const char *bdf)
{
	const struct bench *bench = c->request.bench;
	bool known = false;

	for (const struct backend *const *b = backends; *b; b++) {
		known = known || has_device(*b, &c->request, NULL, bdf);
		if (!knows(*b, bench) ||
		    !has_device(*b, &c->request, bench, bdf))
			continue;
		c->backend = *b;
		c->request.which = device;
		return STATUS_OK;
	}
	if (known)
		say_why_not(c, bdf);
	else
		warn("%s: no such device ('pcb-collect list' shows those "
		     "there are)",
		     bdf);
	return STATUS_ABSENT;
}

int
choose_backend(struct collection *c, const char *device)
{
	const struct bench *bench = c->request.bench;
	char bdf[BDF_MAX], known[BENCH_NAMES_MAX];
	size_t length;

	if (!device)
		return choose_automatically(c);
	if (parse_bdf(device, bdf))
		return choose_function(c, device, bdf);
	length = strcspn(device, ":");
	c->backend = find_backend(device, length);
	if (!c->backend)
		die_usage("-d '%s': neither a device such as 03:00.0 nor a "
		          "backend ('pcb-collect list' shows both)",
		          device);
	if (!knows(c->backend, bench)) {
		bench_names(known, c->backend->benches);
		die_usage("-d '%s': %s cannot measure %s, only %s", device,
		          c->backend->name, bench->name, known);
	}
	if (device[length] && device[length + 1])
		c->request.which = device + length + 1;
	return STATUS_OK;
}
