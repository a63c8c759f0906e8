/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "collect/pio/access.h"

#include "collect/host/arch.h"
#include "collect/pci/mmio_map.h"
#include "common/base/debug.h"
#include "common/sys/root.h"
#include "common/sys/sysfs.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

extern const struct method sysfs_method, resource_method, ecam_method,
    vfio_method;

/* The first that fits a place is its default. */
static const struct method *const methods[] = {
    &sysfs_method, &resource_method, &ecam_method, &vfio_method, NULL,
};

static bool
reads(const struct method *method, const struct place *place)
{
	return place->bar == CONFIG_SPACE ? method->reads_config
	                                  : method->reads_bars;
}

const struct method *
find_method(const char *name, const struct place *place)
{
	for (const struct method *const *m = methods; *m; m++) {
		if (strcmp(name, "auto") != 0 && strcmp(name, (*m)->name) != 0)
			continue;
		if (reads(*m, place))
			return *m;
		debug(DEBUG_ACCESS, "%s does not read %s", (*m)->name,
		      place->bar == CONFIG_SPACE ? "config space" : "BARs");
	}
	return NULL;
}

char *
list_methods(const struct place *place)
{
	char *text = NULL;

	for (const struct method *const *m = methods; *m; m++) {
		if (reads(*m, place))
			xappend(&text, ", ", "%s", (*m)->name);
	}
	return text;
}

bool
open_reader(struct session *s, const struct method *method,
            const struct pci_tree *tree, const struct pci_function *f,
            const struct place *place, struct reader *r)
{
	char text[PLACE_TEXT_MAX];

	*r = (struct reader){
	    .method = method, .function = f, .place = *place, .fd = -1};
	place_format(place, text);
	if (method->open(s, tree, r)) {
		debug(DEBUG_ACCESS, "%s %s: by %s", f->bdf, text, method->name);
		return true;
	}
	debug(DEBUG_ACCESS, "%s %s: refused by %s: %s", f->bdf, text,
	      method->name, s->failure.text);
	close_reader(r);
	return false;
}

void
close_reader(struct reader *r)
{
	if (r->method->close)
		r->method->close(r);
	registers_unmap(r->map);
	if (r->fd >= 0)
		close(r->fd);
	r->map = NULL;
	r->fd = -1;
}

bool
map_word(struct reader *r, uint64_t at)
{
	uint64_t page = (uint64_t)sysconf(_SC_PAGESIZE);
	uint64_t within = at % page;

	r->map = registers_map(r->fd, (off_t)(at - within), page, false);
	if (!r->map)
		return false;
	r->word = (const volatile uint32_t *)r->map + within / sizeof *r->word;
	return true;
}

bool
read_word(const struct reader *r, uint32_t *value)
{
	*value = *r->word;
	counter_wait(*value);
	return true;
}

bool
read_file(const struct reader *r, uint32_t *value)
{
	ssize_t got = pread(r->fd, value, sizeof *value, r->at);

	if (got >= 0)
		errno = 0;
	return got == sizeof *value;
}

/* The size of config space; 0 if unknown. */
static uint64_t
config_size(const struct pci_tree *tree, const struct reader *r)
{
	char *path =
	    xasprintf("%s/devices/%s/config", tree->sysfs, r->function->bdf);
	struct stat config;
	bool known = !stat(path, &config);

	free(path);
	return known ? (uint64_t)config.st_size : 0;
}

bool
has_register(const struct pci_tree *tree, const struct reader *r)
{
	uint64_t size = config_size(tree, r);

	return !size || size >= r->place.offset + sizeof(uint32_t);
}

bool
check_size(struct session *s, const struct pci_tree *tree,
           const struct reader *r)
{
	char text[PLACE_TEXT_MAX];

	place_format(&r->place, text);
	return has_register(tree, r) ||
	       fail(s, STATUS_ABSENT,
	            "%s has no register %s: its config space has %ju bytes",
	            r->function->bdf, text, (uintmax_t)config_size(tree, r));
}

/* Whether a file of the function in sysfs begins with this word. */
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

/* Below a bridge that is suspended nobody is reached. */
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
 * A read of memory below D0 is an error on the bus, and stops some machines;
 * config space answers as long as there is power (PCI Bus Power Management
 * Interface Specification 1.2, 5.4).
 */
bool
reader_sleeps(const struct pci_tree *tree, const struct reader *r)
{
	const struct pci_function *f = r->function;

	if (r->method->wakes)
		return false;
	if (r->place.bar == CONFIG_SPACE)
		return is_cut_off(tree, f);
	return is_suspended(tree, f) || says(tree, f, "power_state", "D1") ||
	       says(tree, f, "power_state", "D2") ||
	       says(tree, f, "power_state", "D3");
}

/* Before the next read: nothing that we do keeps it awake. */
bool
reader_may_fall_asleep(const struct pci_tree *tree, const struct reader *r)
{
	return r->place.bar != CONFIG_SPACE && !r->method->wakes &&
	       says(tree, r->function, "power/control", "auto");
}

bool
is_locked_down(void)
{
	char *state =
	    read_first_line("%s", root_path("/sys/kernel/security/lockdown"));
	bool locked = state && !strstr(state, "[none]");

	free(state);
	return locked;
}
