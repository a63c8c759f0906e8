#include "collect/choose.h"

#include "common/names.h"
#include "common/pci.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>

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

/* Appends the names of what is in the set, " " between. */
static void
name_benches(char *to, size_t size, unsigned set)
{
	*to = '\0';
	for (size_t i = 0; i < NBENCHES; i++) {
		size_t used = strlen(to);

		if (set & BENCH_BIT(i))
			snprintf(to + used, size - used, "%s%s",
			         used ? " " : "", benches[i].name);
	}
}

static struct findings
findings_of(const struct backend *backend, const struct request *request)
{
	struct findings list = {0};

	if (backend->probe)
		backend->probe(request, &list);
	return list;
}

/*
 * Whether the backend has this device, or (NULL) one to choose by itself, for
 * the bench asked for, or (NULL) any.
 */
static bool
has_device(const struct backend *backend, const struct request *request,
           const struct bench *bench, const char *device)
{
	struct findings list = findings_of(backend, request);
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
			list = findings_of(*b, request);
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
	char *longer = xasprintf("%s%s%s (%s)", *text, **text ? ", " : ": ",
	                         f->device, why);

	free(why);
	free(*text);
	*text = longer;
}

/* Nothing was chosen: the devices that might have been, and why not. */
static void
say_why_none(const struct collection *c)
{
	const struct bench *bench = c->request.bench;
	char *text = xstrdup("");
	unsigned said = 0;

	for (const struct backend *const *b = backends; *b; b++) {
		struct findings list = findings_of(*b, &c->request);

		for (size_t i = 0; knows(*b, bench) && i < list.n; i++) {
			const struct finding *f = &list.item[i];
			bool can = f->benches & BENCH_BIT(bench->id);

			if (*f->device && (can || *f->why_not) &&
			    said++ < REASONS_MAX)
				add_reason(&text, *b, f, can);
		}
		findings_free(&list);
	}
	warn("no device here can measure %s%s%s", bench->name, text,
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
		struct findings list = findings_of(*b, &c->request);

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
	char bdf[BDF_MAX], known[256];
	size_t length;

	if (!device)
		return choose_automatically(c);
	if (parse_bdf(device, bdf))
		return choose_function(c, device, bdf);
	length = strcspn(device, ":");
	c->backend = find_backend(device, length);
	if (!c->backend)
		die_usage("-d %s: neither a device such as 03:00.0 nor a "
		          "backend",
		          device);
	if (!knows(c->backend, bench)) {
		name_benches(known, sizeof known, c->backend->benches);
		die_usage("-d %s: %s cannot measure %s, only %s", device,
		          c->backend->name, bench->name, known);
	}
	if (device[length] && device[length + 1])
		c->request.which = device + length + 1;
	return STATUS_OK;
}

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

/* What has been recorded cannot be asked for in another way. */
static void
check_recorded(const struct collection *c)
{
	if (c->backend->recorded && c->dma_option)
		die_usage("--%s: %s gives the samples it has", c->dma_option,
		          c->backend->name);
	if (c->backend->recorded && c->cpu_option)
		die_usage("--%s: %s gives the samples it has", c->cpu_option,
		          c->backend->name);
	if (c->backend->recorded && c->request.runs > 1)
		die_usage("-r: %s gives the runs it has", c->backend->name);
	if (c->backend->recorded && c->warmup)
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
			die_usage("-O %s: %s has no such option (-O help "
			          "lists them)",
			          setting->name, c->backend->name);
		if (!setting->value)
			die_usage("-O %s: a value is missing (-O %s=VALUE)",
			          setting->name, setting->name);
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

static const char *const finding_columns[] = {
    "host",   "backend", "device",  "parent",  "link",
    "driver", "node",    "benches", "why_not", "name"};

static bool
is_finding_column(const char *name)
{
	size_t i;

	for (i = 0; i < ARRAY_LEN(finding_columns); i++) {
		if (!strcmp(finding_columns[i], name))
			break;
	}
	return i < ARRAY_LEN(finding_columns);
}

static void
begin_list(struct out *out, const struct labels *labels)
{
	struct header h = {0};

	for (size_t i = 0; i < ARRAY_LEN(finding_columns); i++)
		header_add(&h, xstrdup(finding_columns[i]));
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
	char known[256];
	const char *cells[] = {host,       f->backend, f->device, f->parent,
	                       f->link,    f->driver,  f->node,   known,
	                       f->why_not, f->name};

	name_benches(known, sizeof known, f->benches);
	for (size_t i = 0; i < ARRAY_LEN(finding_columns); i++) {
		const char *label = labels_value(labels, finding_columns[i]);

		out_text(out, label ? label : cells[i]);
	}
	for (size_t i = 0; i < labels->n; i++) {
		if (!is_finding_column(labels->label[i].name))
			out_text(out, labels->label[i].value);
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
static void
check_list_settings(const struct request *request)
{
	for (size_t i = 0; i < request->nsettings; i++) {
		const struct setting *setting = &request->setting[i];

		if (!strcmp(setting->name, "help"))
			print_help_of_all();
		if (!any_has_option(setting->name) || !setting->value)
			die_usage("-O %s: no backend has such an option",
			          setting->name);
	}
}

void
list_findings(const struct command *command)
{
	const struct request *request = &command->collection.request;
	const struct labels *labels = &command->collection.labels;
	struct preamble pre = {0};
	struct out out = {.format = command->format,
	                  .no_preamble = command->collection.no_preamble,
	                  .preamble = &pre};
	struct utsname host;

	check_list_settings(request);
	preamble_set(&pre, "tool", "pcb-collect %s", VERSION);
	preamble_add_command(&pre);
	begin_list(&out, labels);
	for (const struct backend *const *b = backends; *b; b++) {
		struct findings list = findings_of(*b, request);

		for (size_t i = 0; i < list.n; i++)
			write_finding(&out, labels,
			              uname(&host) ? "" : host.nodename,
			              &list.item[i]);
		findings_free(&list);
	}
	out_finish(&out, true, NULL);
	preamble_free(&pre);
}
