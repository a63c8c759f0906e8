/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Finds the devices that -d names, chooses a backend for them, lists them. */
#include "collect/cli/devices.h"

#include "collect/core/backend.h"
#include "common/base/debug.h"
#include "common/base/list.h"
#include "common/base/nearest.h"
#include "common/base/util.h"
#include "common/base/version.h"
#include "common/pci/tree.h"
#include "common/stream/writer.h"
#include "common/sys/root.h"

#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>

void
probe(const struct backend *backend, const struct request *request,
      struct findings *found)
{
	if (backend->probe)
		backend->probe(request, found);
}

/* Unique full BDFs, in the order of the names. */
struct device_names {
	char **bdf;
	size_t n;
};

static void
add_name(struct device_names *names, const char *bdf)
{
	for (size_t i = 0; i < names->n; i++) {
		if (!strcmp(names->bdf[i], bdf))
			return;
	}
	array_push(names->bdf, names->n, xstrdup(bdf));
}

/*
 * eth0, /dev/sda, 8086:1533 may exist on another machine; "sim" is no device.
 */
static bool
may_be_device(const char *item)
{
	size_t n = strlen(item);

	return n &&
	       ((strchr("0123456789", item[n - 1]) && !strchr(item, ':')) ||
	        !strncmp(item, "/dev/", 5) ||
	        (n == 9 && item[4] == ':' &&
	         strspn(item, "0123456789abcdefABCDEF") == 4));
}

static _Noreturn void
refuse_name(const char *item)
{
	struct nearest nearest = {.typed = item};

	for (const struct backend *const *b = backends; *b; b++) {
		nearest_offer(&nearest, (*b)->name);
		if (!strncmp(item, (*b)->name, strlen((*b)->name)) &&
		    strchr(":", item[strlen((*b)->name)]))
			die_usage("-d '%s': one backend at a time", item);
	}
	die_usage("-d '%s': neither a device such as 03:00.0, eth0 or "
	          "8086:1533 nor a backend%s ('pcb-collect list' shows both)",
	          item, nearest_hint(&nearest));
}

static int
add_matches(struct device_names *names, const struct pci_tree *tree,
            const char *item)
{
	struct pci_matches matches = {0};
	const char *why = tree ? pci_match(tree, item, &matches)
	                       : "no PCI devices can be listed here";

	if (why && !may_be_device(item))
		refuse_name(item);
	if (why)
		warn("-d %s: %s ('pcb-collect list' shows the devices here)",
		     item, why);
	for (size_t i = 0; i < matches.n; i++)
		add_name(names, matches.item[i]->bdf);
	free(matches.item);
	return why ? STATUS_ABSENT : STATUS_OK;
}

/*
 * Finds the functions of this machine that a comma-separated list names, each
 * item in a form of pci_match(); a BDF need not exist. Returns STATUS_OK, or
 * STATUS_ABSENT after a message if an item may be a kernel name or an ID that
 * does not exist here; any other text is a usage error. Free `found` in either
 * case.
 */
static int
device_names_find(struct device_names *found, const char *list)
{
	struct pci_tree *tree = NULL;
	char **item = list_split(list);
	int status = STATUS_OK;

	*found = (struct device_names){0};
	for (size_t i = 0; item[i] && status == STATUS_OK; i++) {
		char bdf[BDF_MAX];

		if (parse_bdf(item[i], bdf)) {
			add_name(found, bdf);
			continue;
		}
		if (!tree)
			tree = pci_tree_read(root_path("/sys/bus/pci"));
		status = add_matches(found, tree, item[i]);
	}
	if (tree)
		pci_tree_free(tree);
	free(item);
	return status;
}

static void
device_names_free(struct device_names *names)
{
	for (size_t i = 0; i < names->n; i++)
		free(names->bdf[i]);
	free(names->bdf);
	*names = (struct device_names){0};
}

/* The BDFs, separated by commas; free the text. */
static char *
device_names_join(const struct device_names *names)
{
	char *text = NULL;

	for (size_t i = 0; i < names->n; i++)
		xappend(&text, ",", "%s", names->bdf[i]);
	return text ? text : xstrdup("");
}

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

	probe(backend, request, found);
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

static const char *const finding_columns[] = {
    "host",   "backend", "device",  "parent",  "link",
    "driver", "node",    "benches", "why_not", "name"};

/* The order of columns for people: the name of a device comes early. */
static const size_t for_people[ARRAY_LEN(finding_columns)] = {0, 1, 2, 9, 3,
                                                              4, 5, 6, 7, 8};

/* The index of the column at position i. */
static size_t
column_at(const struct out *out, size_t i)
{
	bool stream = out->format == FORMAT_CSV || out->format == FORMAT_JSONL;

	return stream ? i : for_people[i];
}

static bool
is_finding_column(const char *name)
{
	for (size_t i = 0; i < ARRAY_LEN(finding_columns); i++) {
		if (!strcmp(finding_columns[i], name))
			return true;
	}
	return false;
}

static void
begin_list(struct out *out, const struct labels *labels)
{
	struct header h = {0};

	for (size_t i = 0; i < ARRAY_LEN(finding_columns); i++)
		header_add(&h, xstrdup(finding_columns[column_at(out, i)]));
	for (size_t i = 0; i < labels->n; i++) {
		if (!is_finding_column(labels->label[i].name))
			header_add(&h, xstrdup(labels->label[i].name));
	}
	header_write(&h, out);
}

static void
write_finding(struct out *out, const struct labels *labels, const char *host,
              const struct finding *f)
{
	char known[BENCH_NAMES_MAX];
	char *name = f->vendor_id ? pci_name(f->vendor_id, f->device_id)
	                          : xstrdup(f->name);
	const char *cells[] = {host,       f->backend, f->device, f->parent,
	                       f->link,    f->driver,  f->node,   known,
	                       f->why_not, name};

	bench_names(known, f->benches);
	for (size_t i = 0; i < ARRAY_LEN(finding_columns); i++) {
		size_t col = column_at(out, i);
		const char *label = labels_value(labels, finding_columns[col]);

		out_text(out, label ? label : cells[col]);
	}
	for (size_t i = 0; i < labels->n; i++) {
		if (!is_finding_column(labels->label[i].name))
			out_text(out, labels->label[i].value);
	}
	free(name);
}

/* Whether -d names the finding: its backend, its device or its function. */
static bool
is_wanted(const struct finding *f, const char *device,
          const struct device_names *names)
{
	if (!device || !strcmp(f->backend, device) ||
	    !strcmp(f->device, device))
		return true;
	for (size_t i = 0; i < names->n; i++) {
		if (!strcmp(f->device, names->bdf[i]))
			return true;
	}
	return false;
}

int
list_findings(const struct command *command)
{
	struct device_names names = {0};
	int status = STATUS_OK;
	const struct request *request = &command->collection.request;
	const struct labels *labels = &command->collection.labels;
	struct preamble pre = {0};
	struct out out = {.format = command->format,
	                  .no_preamble = command->collection.no_preamble,
	                  .preamble = &pre};
	struct utsname host;

	if (uname(&host))
		*host.nodename = '\0';
	if (command->device &&
	    !(named_backend(command->device) && !strchr(command->device, ':')))
		status = device_names_find(&names, command->device);
	if (status != STATUS_OK)
		return status;
	preamble_set(&pre, "tool", "pcb-collect %s", program_version);
	preamble_add_command(&pre);
	if (out.format == FORMAT_DEFAULT)
		out.format = default_format();
	begin_list(&out, labels);
	for (const struct backend *const *b = backends; *b; b++) {
		struct findings list = {0};

		probe(*b, request, &list);
		for (size_t i = 0; i < list.n; i++) {
			if (is_wanted(&list.item[i], command->device, &names))
				write_finding(&out, labels, host.nodename,
				              &list.item[i]);
		}
		findings_free(&list);
	}
	out_finish(&out, true, NULL);
	preamble_free(&pre);
	device_names_free(&names);
	return STATUS_OK;
}
