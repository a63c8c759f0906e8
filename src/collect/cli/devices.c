/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Finds the devices that -d names, chooses a backend for them, lists them. */
#include "collect/cli/command.h"

#include "common/base/debug.h"
#include "common/base/nearest.h"
#include "common/base/util.h"
#include "common/machine/machine.h"
#include "common/stream/writer.h"
#include "common/sys/sysfs.h"

#include <limits.h>
#include <sys/utsname.h>

extern const struct backend cuda_backend, disk_backend, edu_backend,
    i210_backend, link_backend, mmio_backend, nvme_backend, pci_backend,
    pmu_backend, rdma_backend, sim_backend, vulkan_backend;

const struct backend *const backends[] = {
    &pci_backend,  &pmu_backend,  &i210_backend, &cuda_backend, &vulkan_backend,
    &edu_backend,  &nvme_backend, &mmio_backend, &rdma_backend, &disk_backend,
    &link_backend, &sim_backend,  NULL,
};

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

static void
add_item(char **list, const char *item)
{
	if (!list_has(*list, item))
		xappend(list, ",", "%s", item);
}

/*
 * The full BDFs, each once, of the functions of this machine that a list
 * separated by commas names, each item in a form of machine_match(); a BDF need
 * not exist. Free the list. NULL after a message if an item may be a kernel
 * name or an ID that does not exist here; any other text is a usage error.
 */
static char *
find_functions(const char *list)
{
	struct pci_tree *tree = NULL;
	char **item = list_split(list);
	const char *why = NULL;
	char *found = NULL;
	char bdf[BDF_MAX];

	for (size_t i = 0; item[i] && !why; i++) {
		struct pci_matches matches = {0};

		if (parse_bdf(item[i], bdf)) {
			add_item(&found, bdf);
			continue;
		}
		if (!tree)
			tree = pci_tree_read(root_path("/sys/bus/pci"));
		why = tree ? machine_match(tree, item[i], &matches)
		           : "no PCI devices can be listed here";
		if (why && !may_be_device(item[i]))
			refuse_name(item[i]);
		if (why)
			warn("-d %s: %s ('pcb-collect list' shows the devices "
			     "here)",
			     item[i], why);
		for (size_t k = 0; k < matches.n; k++)
			add_item(&found, matches.item[k]->bdf);
		free(matches.item);
	}
	pci_tree_free(tree);
	free(item);
	if (why) {
		free(found);
		found = NULL;
	}
	return found;
}

#define BENCH_NAMES_MAX 256

/* The names of a set of BENCH_BIT, separated by blanks. */
static void
bench_names(char text[BENCH_NAMES_MAX], unsigned set)
{
	*text = '\0';
	for (size_t i = 0; i < NBENCHES; i++) {
		size_t used = strlen(text);

		if (set & BENCH_BIT(i))
			snprintf(text + used, BENCH_NAMES_MAX - used, "%s%s",
			         used ? " " : "", benches[i].name);
	}
}

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

	backend->probe(request, found);
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

/* After no choice: what can be named, and why the rest cannot. */
static void
say_why_none(const struct bench *bench, const struct findings *found)
{
	bool more = !found->n;

	warn("no device here can measure %s", bench->name);
	for (size_t i = 0; i < found->n; i++) {
		const struct finding *f = &found->item[i];

		if (f->benches & BENCH_BIT(bench->id))
			warn("say -d %s:%s", f->backend, f->device);
		else if (!*f->device)
			warn("%s", f->why_not);
		else
			more = true;
	}
	if (more)
		warn("'pcb-collect list' shows what each can, and why not "
		     "more");
}

/*
 * The first backend with a device or function called `name`, or (NULL) with a
 * device for automatic choice, that does not simulate if `real`; or NULL.
 */
static const struct backend *
backend_of(const struct collection *c, const char *name, bool real,
           struct findings *found)
{
	const struct bench *bench = c->request.bench;

	for (const struct backend *const *b = backends; *b; b++) {
		if (!name && (!knows(*b, bench) ||
		              (real && (*b)->flags & BACKEND_VIRTUAL)))
			continue;
		if (has_device(*b, &c->request, BENCH_BIT(bench->id), name,
		               found))
			return *b;
	}
	return NULL;
}

/* `real`: no simulator. */
static int
choose_automatically(struct collection *c, bool real)
{
	const struct bench *bench = c->request.bench;
	struct findings found = {0};

	c->backend = backend_of(c, NULL, real, &found);
	c->automatic = true;
	if (!c->backend)
		say_why_none(bench, &found);
	for (size_t i = 0; !c->backend && real && backends[i]; i++) {
		if (knows(backends[i], bench) &&
		    backends[i]->flags & BACKEND_VIRTUAL)
			warn("-d %s simulates one", backends[i]->name);
	}
	findings_free(&found);
	return c->backend ? STATUS_OK : STATUS_ABSENT;
}

/*
 * Why the bench cannot run on the device called `name`, or NULL; free it. Sets
 * *known if there is such a device.
 */
static char *
why_not(const struct bench *bench, const struct findings *found,
        const char *name, bool *known)
{
	char *why = NULL;

	*known = false;
	for (size_t i = 0; i < found->n && !why; i++) {
		const struct finding *f = &found->item[i];

		if (strcmp(f->device, name) != 0)
			continue;
		*known = true;
		if (*f->why_not && knows(named_backend(f->backend), bench))
			why = xasprintf("%s%s%s", f->why_not,
			                *f->remedy ? ": " : "", f->remedy);
	}
	return why;
}

/* Prints why no backend measures the bench on this function, if it exists. */
static void
say_why_not(const struct bench *bench, const struct findings *found,
            const char *bdf)
{
	bool known;
	char *why = why_not(bench, found, bdf, &known);
	const struct finding *f = found->item, *end = f + found->n;

	/* Functions that cannot be listed are a finding without device. */
	while (f < end && (*f->device || strcmp(f->backend, "pci") != 0))
		f++;
	if (why)
		warn("%s: %s", bdf, why);
	else if (known)
		warn("%s: no backend can measure %s on this device: "
		     "'pcb-collect list' shows its benches, 'pcb-collect "
		     "help %s' the backends of this bench",
		     bdf, bench->name, bench->name);
	else if (f < end)
		warn("%s: %s", bdf, f->why_not);
	else
		warn("%s: no such device ('pcb-collect list' shows all)", bdf);
	free(why);
}

/* Makes the BDFs (takes ownership) the request's device. */
static void
set_functions(struct collection *c, char *bdfs)
{
	if (bdfs && strchr(bdfs, ',') && c->request.bench->group != BENCH_PIO)
		die_usage("-d: %s measures one device at a time, not %s",
		          c->request.bench->name, bdfs);
	free(c->found_device);
	c->found_device = bdfs;
	c->request.device = bdfs;
}

/* Chooses the backend that finds all functions of a list. */
static int
choose_functions(struct collection *c, const char *device)
{
	const struct bench *bench = c->request.bench;
	char *bdfs = find_functions(device);
	char **bdf = bdfs ? list_split(bdfs) : NULL;

	c->backend = NULL;
	for (size_t i = 0; bdf && bdf[i] && (!i || c->backend); i++) {
		struct findings found = {0};

		c->backend = backend_of(c, bdf[i], false, &found);
		if (!c->backend)
			say_why_not(bench, &found, bdf[i]);
		findings_free(&found);
	}
	free(bdf);
	if (c->backend)
		set_functions(c, bdfs);
	else
		free(bdfs);
	return c->backend ? STATUS_OK : STATUS_ABSENT;
}

static int
choose_named(struct collection *c, const char *device)
{
	struct findings found = {0};
	char *why = NULL;
	bool known;

	c->backend = backend_of(c, device, false, &found);
	c->request.device = device;
	if (!c->backend)
		why = why_not(c->request.bench, &found, device, &known);
	findings_free(&found);
	if (!c->backend && !why)
		return choose_functions(c, device);
	if (why)
		warn("%s: %s", device, why);
	free(why);
	return c->backend ? STATUS_OK : STATUS_ABSENT;
}

int
choose_backend(struct collection *c, const char *device)
{
	const struct bench *bench = c->request.bench;
	char known[BENCH_NAMES_MAX];
	const char *which;
	char *bdfs;

	/* To look for its devices as others do would wake them. */
	if (bench->id == LINK) {
		c->backend = named_backend("link");
		c->request.device = device && !strncmp(device, "link:", 5)
		                        ? device + 5
		                        : device;
		return STATUS_OK;
	}
	if (!device || !strcmp(device, "hw"))
		return choose_automatically(c, device);
	c->backend = named_backend(device);
	if (!c->backend)
		return choose_named(c, device);
	if (!knows(c->backend, bench)) {
		bench_names(known, c->backend->benches);
		die_usage("-d '%s': %s cannot measure %s, only %s", device,
		          c->backend->name, bench->name, known);
	}
	which = device + strlen(c->backend->name);
	if (!which[0] || !which[1])
		return STATUS_OK;
	c->request.device = ++which;
	if (!(c->backend->flags & BACKEND_BDF))
		return STATUS_OK;
	bdfs = find_functions(which);
	set_functions(c, bdfs);
	return bdfs ? STATUS_OK : STATUS_ABSENT;
}

static const char *const finding_columns[] = {
    "host",   "backend", "device",  "parent",  "link",
    "driver", "node",    "benches", "why_not", "name"};

static char *
name_of(const struct finding *f)
{
	return f->vendor_id ? pci_name(f->vendor_id, f->device_id)
	                    : xstrdup(f->name);
}

static void
write_findings(struct out *out, const struct labels *labels, const char *host,
               const struct findings *list)
{
	out_begin(out, finding_columns, ARRAY_LEN(finding_columns));
	for (size_t i = 0; i < list->n; i++) {
		const struct finding *f = &list->item[i];
		char known[BENCH_NAMES_MAX], *name = name_of(f);
		const char *cells[] = {
		    host,      f->backend, f->device, f->parent,  f->link,
		    f->driver, f->node,    known,     f->why_not, name};

		bench_names(known, f->benches);
		for (size_t k = 0; k < ARRAY_LEN(cells); k++)
			out_text(out,
			         labels_value(labels, finding_columns[k])
			             ? labels_value(labels, finding_columns[k])
			             : cells[k]);
		free(name);
	}
}

/* The number of the reason among those seen so far, from 1; adds a new one. */
static size_t
number_of(const char *reason, const char **seen, size_t *n)
{
	size_t i = 0;

	while (i < *n && strcmp(seen[i], reason) != 0)
		i++;
	if (i == *n)
		seen[(*n)++] = reason;
	return i + 1;
}

static const char *
device_of(const struct finding *f)
{
	return *f->device ? f->device : f->backend;
}

/* What backends can do with the device, and the numbers of their reasons. */
static char *
measures_of(const struct findings *list, const char *device,
            const char **reason, size_t *nreasons)
{
	char known[BENCH_NAMES_MAX], *notes = NULL, *text;
	unsigned set = 0;

	for (size_t i = 0; i < list->n; i++) {
		const struct finding *f = &list->item[i];

		if (strcmp(device_of(f), device) != 0)
			continue;
		set |= f->benches;
		if (*f->why_not)
			xappend(&notes, " ", "[%zu]",
			        number_of(f->why_not, reason, nreasons));
	}
	bench_names(known, set);
	text = xasprintf("%s%s%s", known, *known && notes ? " " : "",
	                 notes ? notes : "");
	free(notes);
	return text;
}

/* Columns for an address, five benches and blanks; the rest is the name's. */
#define LIST_ROOM 53

/* For people: a line for each device, and each reason once, below. */
static void
show_findings(struct out *out, const struct findings *list)
{
	static const char *const columns[] = {"device", "name", "measures"};
	const char **reason = xcalloc(list->n + 1, sizeof *reason);
	size_t nreasons = 0, k, width = terminal_size().columns;
	int room = width > LIST_ROOM ? (int)(width - LIST_ROOM) : INT_MAX;

	out_begin(out, columns, ARRAY_LEN(columns));
	for (size_t i = 0; i < list->n; i++) {
		const char *device = device_of(&list->item[i]);
		char *cell[] = {name_of(&list->item[i]),
		                measures_of(list, device, reason, &nreasons)};

		for (k = 0; strcmp(device_of(&list->item[k]), device) != 0;)
			k++;
		if (k == i) {
			out_text(out, device);
			if (room < INT_MAX && strlen(cell[0]) > (size_t)room)
				memcpy(cell[0] + room - 3, "...", 4);
			out_text(out, cell[0]);
			out_text(out, cell[1]);
		}
		free(cell[0]);
		free(cell[1]);
	}
	out_finish(out, true, NULL);
	for (size_t i = 0; i < nreasons; i++) {
		printf("%s[%zu] ", i ? "" : "\n", i + 1);
		print_wrapped(4, terminal_size().columns, reason[i]);
	}
	free(reason);
}

int
list_findings(const struct command *command)
{
	const struct collection *c = &command->collection;
	const char *device = command->device;
	struct preamble pre = {0};
	struct out out = {.format = command->format,
	                  .no_preamble = c->no_preamble,
	                  .preamble = &pre};
	struct findings all = {0}, list = {0};
	struct utsname host;
	char *functions = NULL;

	for (size_t i = 0; i < c->labels.n; i++) {
		if (find_word(c->labels.label[i].name, finding_columns,
		              ARRAY_LEN(finding_columns)) ==
		    ARRAY_LEN(finding_columns))
			die_usage("-l %s: a list has no such column",
			          c->labels.label[i].name);
	}
	if (uname(&host))
		*host.nodename = '\0';
	if (device && !(named_backend(device) && !strchr(device, ':'))) {
		functions = find_functions(device);
		if (!functions)
			return STATUS_ABSENT;
	}
	preamble_set(&pre, "tool", "pcb-collect %s", program_version);
	preamble_add_command(&pre);
	if (out.format == FORMAT_DEFAULT)
		out.format = default_format();
	for (const struct backend *const *b = backends; *b; b++)
		(*b)->probe(&c->request, &all);
	for (size_t i = 0; i < all.n; i++) {
		const struct finding *f = &all.item[i];

		/* -d names its backend, its device or its function. */
		if (!device || !strcmp(f->backend, device) ||
		    !strcmp(f->device, device) ||
		    list_has(functions, f->device))
			array_push(list.item, list.n, *f);
	}
	if (!list.n)
		warn("-d %s: nothing of it is here", device);
	if (out.format == FORMAT_TABLE)
		show_findings(&out, &list);
	else {
		write_findings(&out, &c->labels, host.nodename, &list);
		out_finish(&out, true, NULL);
	}
	free(list.item);
	findings_free(&all);
	preamble_free(&pre);
	free(functions);
	return STATUS_OK;
}
