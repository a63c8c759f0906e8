/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "doctor/names.h"

#include "common/base/util.h"
#include "common/doctor/doctor.h"

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

/* "GeForce RTX 4090" for "NVIDIA Corporation AD102 [GeForce RTX 4090]"; or NULL
 */
static char *
product_of(const struct pci_function *f)
{
	char *names[] = {xstrdup(f->title ? f->title : ""),
	                 pci_name(f->vendor_id, f->device_id)};
	char *product = NULL;

	for (size_t i = 0; i < ARRAY_LEN(names); i++) {
		const char *nvidia = strstr(names[i], "NVIDIA");
		const char *open = nvidia ? strchr(nvidia, '[') : NULL;
		size_t n = open ? strcspn(open, "]:") : 0;

		if (open && open[n] == ']' && !product)
			product = xasprintf("%.*s", (int)n - 1, open + 1);
		free(names[i]);
	}
	return product;
}

/* Whether a GPU of the machine may have this name; *product is the last one. */
static bool
is_there(const struct gpu_name *of, const struct machine *m, bool any_number,
         char **product)
{
	bool named = false;

	for (size_t i = 0; i < m->nnodes; i++) {
		const struct machine_node *node = &m->node[i];
		const struct pci_function *f = node->function;

		if (node->class != CLASS_GPU ||
		    (!any_number && node->number != of->number))
			continue;
		if (!f || !(f->vendor_id || f->title))
			return true;
		free(*product);
		*product = product_of(f);
		named = true;
		if (!strcmp(doctor_vendor(f), "NVIDIA") &&
		    (!*product || may_be(of->name, *product)))
			return true;
	}
	return !named;
}

void
names_check(const struct gpu_names *names, const struct machine *m)
{
	for (size_t i = 0; i < names->n; i++) {
		const struct gpu_name *of = &names->item[i];
		char *product = NULL;

		for (size_t k = 0; k < i; k++) {
			const struct gpu_name *other = &names->item[k];

			if (other->number == of->number &&
			    !may_be(of->name, other->name))
				die("%s and %s are of two machines: gpu%u is "
				    "%s and %s",
				    other->file, of->file, of->number,
				    other->name, of->name);
		}
		if (!is_there(of, m, true, &product))
			die("%s is of another machine: its gpu%u is %s, and "
			    "the other files show %s",
			    of->file, of->number, of->name,
			    product ? product : "no GPU of NVIDIA");
		if (!is_there(of, m, false, &product))
			die("%s counts GPUs in another order than that of "
			    "buses: its gpu%u is %s, by buses %s: measure "
			    "with CUDA_DEVICE_ORDER=PCI_BUS_ID",
			    of->file, of->number, of->name,
			    product ? product : "no GPU of NVIDIA");
		free(product);
	}
}

void
names_free(struct gpu_names *names)
{
	free(names->item);
}
