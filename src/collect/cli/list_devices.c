/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Asks all backends for devices and writes them as a table. */
#include "collect/cli/list_devices.h"

#include "collect/cli/backend_options.h"
#include "collect/cli/device_names.h"
#include "common/base/version.h"
#include "common/pci/tree.h"
#include "common/stream/writer.h"

#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>

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

static bool
is_backend(const char *name)
{
	const struct backend *const *b = backends;

	while (*b && strcmp((*b)->name, name) != 0)
		b++;
	return *b;
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
	check_list_options(request);
	if (command->device && !is_backend(command->device))
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

		backend_probe(*b, request, &list);
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
