/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Chooses and opens access methods; checks runtime power management. */
#include "collect/pio/access.h"

#include "collect/pci/mmio_map.h"
#include "common/base/debug.h"
#include "common/sys/sysfs.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* An address's default is the first method that reads it. */
static const struct access_method *const methods[] = {
    &sysfs_method, &resource_method, &ecam_method, &vfio_method, NULL,
};

static bool
reads(const struct access_method *method, const struct reg_addr *addr)
{
	return addr->bar == CONFIG_SPACE ? method->reads_config
	                                 : method->reads_bars;
}

const struct access_method *
access_find(const char *name, const struct reg_addr *addr)
{
	for (const struct access_method *const *m = methods; *m; m++) {
		if (strcmp(name, "auto") != 0 && strcmp(name, (*m)->name) != 0)
			continue;
		if (reads(*m, addr))
			return *m;
		debug(DEBUG_ACCESS, "%s does not read %s", (*m)->name,
		      addr->bar == CONFIG_SPACE ? "config space" : "BARs");
	}
	return NULL;
}

char *
access_list(const struct reg_addr *addr)
{
	char *text = NULL;

	for (const struct access_method *const *m = methods; *m; m++) {
		if (reads(*m, addr))
			xappend(&text, ", ", "%s", (*m)->name);
	}
	return text;
}

bool
access_open(struct session *s, const struct access_method *method,
            const struct pci_tree *tree, const struct pci_function *f,
            const struct reg_addr *addr, struct reader *r)
{
	char text[REG_ADDR_TEXT_MAX];

	*r = (struct reader){
	    .method = method, .function = f, .addr = *addr, .fd = -1};
	reg_addr_format(addr, text);
	if (method->open(s, tree, r)) {
		debug(DEBUG_ACCESS, "%s %s: by %s", f->bdf, text, method->name);
		return true;
	}
	debug(DEBUG_ACCESS, "%s %s: refused by %s: %s", f->bdf, text,
	      method->name, s->failure.text);
	access_close(r);
	return false;
}

void
access_close(struct reader *r)
{
	if (r->method->close)
		r->method->close(r);
	mmio_unmap(r->map);
	if (r->fd >= 0)
		close(r->fd);
	r->map = NULL;
	r->fd = -1;
}

/* Whether a file of the function in sysfs starts with this word. */
static bool
says(const struct pci_tree *tree, const struct pci_function *f,
     const char *file, const char *word)
{
	char *text =
	    read_first_line("%s/devices/%s/%s", tree->sysfs, f->bdf, file);
	bool is = text && !strncmp(text, word, strlen(word));

	free(text);
	return is;
}

static bool
is_suspended(const struct pci_tree *tree, const struct pci_function *f)
{
	return says(tree, f, "power/runtime_status", "suspend");
}

/* Devices below a suspended bridge are unreachable. */
static bool
is_cut_off(const struct pci_tree *tree, const struct pci_function *f)
{
	if (says(tree, f, "power_state", "D3cold"))
		return true;
	while ((f = pci_find(tree, f->parent))) {
		if (is_suspended(tree, f))
			return true;
	}
	return false;
}

/*
 * A memory read in D1 to D3 is an error on the bus and stops some machines;
 * config space answers while there is power (PCI Bus Power Management Interface
 * Specification 1.2, 5.4).
 */
bool
reader_is_suspended(const struct pci_tree *tree, const struct reader *r)
{
	const struct pci_function *f = r->function;

	if (r->method->wakes)
		return false;
	if (r->addr.bar == CONFIG_SPACE)
		return is_cut_off(tree, f);
	return is_suspended(tree, f) || says(tree, f, "power_state", "D1") ||
	       says(tree, f, "power_state", "D2") ||
	       says(tree, f, "power_state", "D3");
}

/* Before the next read: nothing here keeps the function awake. */
bool
reader_may_suspend(const struct pci_tree *tree, const struct reader *r)
{
	return r->addr.bar != CONFIG_SPACE && !r->method->wakes &&
	       says(tree, r->function, "power/control", "auto");
}
