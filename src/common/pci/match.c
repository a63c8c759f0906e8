/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Finds PCI functions by BDF, ID or kernel name. */
#include "common/pci/tree.h"

#include "common/base/util.h"
#include "common/sys/root.h"

#include <dirent.h>
#include <stdlib.h>
#include <string.h>

static const char *const absent = "no such device";

static void
add(struct pci_matches *found, const struct pci_function *f)
{
	found->item = xreallocarray(found->item, found->n + 1, sizeof(void *));
	found->item[found->n++] = f;
}

/* "03:00.0", or "03:00" for its function 0. */
static bool
match_bdf(const struct pci_tree *tree, const char *text,
          struct pci_matches *found)
{
	char bdf[BDF_MAX];
	char *with_function = xasprintf("%s.0", text);
	bool good = parse_bdf(text, bdf) || parse_bdf(with_function, bdf);
	const struct pci_function *f = good ? pci_find(tree, bdf) : NULL;

	if (f)
		add(found, f);
	free(with_function);
	return good;
}

/* Parses four hexadecimal digits; moves *text behind them. */
static bool
take_id(const char **text, unsigned long *id)
{
	if (strspn(*text, "0123456789abcdefABCDEF") != 4)
		return false;
	*id = strtoul(*text, NULL, 16);
	*text += 4;
	return true;
}

static bool
match_id(const struct pci_tree *tree, const char *text,
         struct pci_matches *found)
{
	unsigned long vendor, device;

	if (!take_id(&text, &vendor) || *text++ != ':' ||
	    !take_id(&text, &device) || *text)
		return false;
	for (size_t i = 0; i < tree->n; i++) {
		const struct pci_function *f = &tree->function[i];

		if (f->vendor_id == vendor && f->device_id == device)
			add(found, f);
	}
	return true;
}

/* The innermost PCI function of a path in /sys/devices. */
static const struct pci_function *
function_of_path(const struct pci_tree *tree, char *path)
{
	char bdf[BDF_MAX];
	char *slash;

	while ((slash = strrchr(path, '/'))) {
		if (parse_bdf(slash + 1, bdf))
			return pci_find(tree, bdf);
		*slash = '\0';
	}
	return NULL;
}

/* Matches the function of CLASS/NAME; false if there is no such name. */
static bool
match_in_class(const struct pci_tree *tree, const char *class, const char *name,
               struct pci_matches *found)
{
	char *entry =
	    xasprintf("%s/%s/%s", root_path("/sys/class"), class, name);
	char *path = realpath(entry, NULL);
	const struct pci_function *f =
	    path ? function_of_path(tree, path) : NULL;
	bool is_there = path;

	if (f)
		add(found, f);
	free(path);
	free(entry);
	return is_there;
}

static const char *
match_any_class(const struct pci_tree *tree, const char *name,
                struct pci_matches *found)
{
	DIR *classes = opendir(root_path("/sys/class"));
	const char *why = absent;
	struct dirent *class;

	while (classes && !found->n && (class = readdir(classes))) {
		if (*class->d_name != '.' &&
		    match_in_class(tree, class->d_name, name, found))
			why = "not a PCI device";
	}
	if (classes)
		closedir(classes);
	return found->n ? NULL : why;
}

/* "nvme0" for "nvme0n1"; NULL if the name is no NVMe namespace. Free it. */
static char *
controller_of(const char *name)
{
	const char digits[] = "0123456789";
	size_t controller = 4 + strspn(name + 4, digits);

	if (controller == 4 || name[controller] != 'n' ||
	    !name[controller + 1] ||
	    name[controller + 1 + strspn(name + controller + 1, digits)])
		return NULL;
	return xasprintf("%.*s", (int)controller, name);
}

/*
 * With multipath, the kernel lists a namespace apart from its NVMe controller.
 */
static const char *
match_name(const struct pci_tree *tree, const char *text,
           struct pci_matches *found)
{
	const char *name = strncmp(text, "/dev/", 5) != 0 ? text : text + 5;
	char *controller;
	const char *why;

	if (!*name || strchr(name, '/') || *name == '.')
		return absent;
	why = match_any_class(tree, name, found);
	if (why && !strncmp(name, "nvme", 4) &&
	    (controller = controller_of(name))) {
		why = match_any_class(tree, controller, found);
		free(controller);
	}
	return why;
}

const char *
pci_match(const struct pci_tree *tree, const char *text,
          struct pci_matches *found)
{
	*found = (struct pci_matches){0};
	if (match_bdf(tree, text, found) || match_id(tree, text, found))
		return found->n ? NULL : absent;
	return tree->sysfs ? match_name(tree, text, found) : absent;
}
