/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "doctor/names.h"

#include "common/base/util.h"

#include <ctype.h>
#include <strings.h>

static bool
is_nvidia(const char *name)
{
	static const char *const words[] = {"NVIDIA", "GeForce", "Quadro",
	                                    "Tesla"};

	for (size_t i = 0; i < ARRAY_LEN(words); i++) {
		if (!strncmp(name, words[i], strlen(words[i])))
			return true;
	}
	return false;
}

/* Logs repeat them. */
static bool
is_known(const struct gpu_names *names, const struct gpu_name *of)
{
	size_t i = 0;

	while (i < names->n && (names->item[i].number != of->number ||
	                        names->item[i].file != of->file))
		i++;
	return i < names->n;
}

/*
 * "Device 0: NAME (ADDRESS)" of nvbandwidth, "Device: 0, NAME, ..." of
 * p2pBandwidthLatencyTest, "device 0 [ADDRESS] NAME" of nccl-tests.
 */
void
names_read(struct gpu_names *names, FILE *text, const char *file)
{
	char *line = NULL;
	size_t size = 0;

	while (getline(&line, &size, text) > 0) {
		const char *at = strcasestr(line, "device");
		struct gpu_name of = {.file = file};
		char number[4];
		size_t end;

		if (!at ||
		    (sscanf(at, "Device %3[0-9]: %63[^(\r\n]", number,
		            of.name) != 2 &&
		     sscanf(at, "Device: %3[0-9], %63[^,\r\n]", number,
		            of.name) != 2 &&
		     sscanf(at, "device %3[0-9] [%*[^]]] %63[^\r\n]", number,
		            of.name) != 2) ||
		    !is_nvidia(of.name))
			continue;
		of.number = (unsigned)strtoul(number, NULL, 10);
		if (is_known(names, &of))
			continue;
		for (end = strlen(of.name); of.name[end - 1] == ' ';)
			of.name[--end] = '\0';
		array_push(names->item, names->n, of);
	}
	free(line);
}

/* The next word of a name, such as "A100"; its length is 0 at the end. */
static const char *
next_model(const char *name, size_t *n)
{
	static const char between[] = " -/()[],";
	static const char *const others[] = {"SXM", "HBM", "PCIE"};

	for (name += strspn(name, between); *name;
	     name += strspn(name, between)) {
		bool is_model;

		*n = strcspn(name, between);
		is_model = strcspn(name, "0123456789") < *n &&
		           strncasecmp(name + *n - 2, "GB", 2) != 0;
		for (size_t i = 0; i < ARRAY_LEN(others); i++)
			is_model &= strncasecmp(name, others[i], 3) != 0;
		if (is_model)
			return name;
		name += *n;
	}
	*n = 0;
	return name;
}

/* Whether names may be of one product: the first model is among the others. */
static bool
may_be(const char *name, const char *other)
{
	size_t n, length;
	const char *model = next_model(name, &n), *at = other;

	if (!n)
		return true;
	while (*(at = next_model(at, &length)) &&
	       (n != length || strncasecmp(model, at, n) != 0))
		at += length;
	return *at;
}

/* Whether a GPU may have this name. */
static bool
fits(const struct gpu_name *of, const struct pci_function *f)
{
	char *name;
	bool fits = true;

	if (!f || !(f->device_id || f->title))
		return true;
	name = f->device_id ? pci_name(f->vendor_id, f->device_id)
	                    : xstrdup(f->title);
	/* Its model is behind "[", unless the database lacks it. */
	if (!strstr(name, "NVIDIA"))
		fits = false;
	else if (strchr(name, '[') && !strstr(name, " Device "))
		fits = may_be(of->name, name);
	free(name);
	return fits;
}

/* Dies if another result calls the same GPU by another name. */
static void
compare_results(const struct gpu_names *names, size_t i)
{
	const struct gpu_name *of = &names->item[i];

	for (const struct gpu_name *o = names->item; o < of; o++) {
		if (o->number == of->number && !may_be(of->name, o->name))
			die("%s and %s are of two machines: gpu%u is %s and %s",
			    o->file, of->file, of->number, o->name, of->name);
	}
}

void
names_check(const struct gpu_names *names, const struct machine *m)
{
	for (size_t i = 0; i < names->n; i++) {
		const struct gpu_name *of = &names->item[i];
		bool any = false, own = true;
		size_t gpus = 0;

		compare_results(names, i);
		for (size_t k = 0; k < m->nnodes; k++) {
			const struct machine_node *node = &m->node[k];
			bool is = node->class == CLASS_GPU &&
			          fits(of, node->function);

			gpus += node->class == CLASS_GPU;
			any |= is;
			if (node->class == CLASS_GPU &&
			    node->number == of->number)
				own = is;
		}
		if (gpus && !any)
			die("%s is of another machine: its gpu%u is %s, which "
			    "the other files do not show",
			    of->file, of->number, of->name);
		if (!own)
			die("%s counts GPUs in another order than that of "
			    "buses: its gpu%u is %s: measure with "
			    "CUDA_DEVICE_ORDER=PCI_BUS_ID",
			    of->file, of->number, of->name);
	}
}

void
names_free(struct gpu_names *names)
{
	free(names->item);
}
