#include "common/pci.h"

#include "common/sysfs.h"
#include "common/units.h"
#include "common/util.h"

#include <limits.h>
#include <pci/pci.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* One to `most` hexadecimal digits and then `end`; moves *text behind it. */
static bool
hex_field(const char **text, size_t most, char end, unsigned *value)
{
	size_t n = strspn(*text, "0123456789abcdefABCDEF");

	if (!n || n > most || (*text)[n] != end)
		return false;
	*value = (unsigned)strtoul(*text, NULL, 16);
	*text += n + 1;
	return true;
}

bool
parse_bdf(const char *text, char bdf[BDF_MAX])
{
	unsigned domain = 0, bus, device, function;
	const char *colon = strchr(text, ':');

	if (colon && strchr(colon + 1, ':') &&
	    !hex_field(&text, 8, ':', &domain))
		return false;
	if (!hex_field(&text, 2, ':', &bus) ||
	    !hex_field(&text, 2, '.', &device) ||
	    !hex_field(&text, 1, '\0', &function) || device > 0x1f ||
	    function > 7)
		return false;
	snprintf(bdf, BDF_MAX, "%04x:%02x:%02x.%x", domain, bus, device,
	         function);
	return true;
}

static void
bdf_of(const struct pci_dev *d, char bdf[BDF_MAX])
{
	snprintf(bdf, BDF_MAX, "%04x:%02x:%02x.%x", (unsigned)d->domain, d->bus,
	         d->dev, d->func);
}

static bool
is_bridge(struct pci_dev *d)
{
	return (pci_read_byte(d, PCI_HEADER_TYPE) & 0x7f) ==
	       PCI_HEADER_TYPE_BRIDGE;
}

/*
 * The innermost bridge whose bus range holds the device's bus. Bus numbers
 * say it alone, so an ordinary user and a dump see the same tree, and the
 * extra buses of SR-IOV functions find their port.
 */
static struct pci_dev *
parent_of(struct pci_dev *all, const struct pci_dev *child)
{
	struct pci_dev *parent = NULL;
	u8 innermost = 0;

	for (struct pci_dev *d = all; d; d = d->next) {
		u8 first, last;

		if (d == child || d->domain != child->domain || !is_bridge(d))
			continue;
		first = pci_read_byte(d, PCI_SECONDARY_BUS);
		last = pci_read_byte(d, PCI_SUBORDINATE_BUS);
		if (first > d->bus && first > innermost &&
		    first <= child->bus && child->bus <= last) {
			parent = d;
			innermost = first;
		}
	}
	return parent;
}

/* Whether this port type has its PCI Express link above it. */
static bool
links_upwards(unsigned type)
{
	return type == PCI_EXP_TYPE_ENDPOINT || type == PCI_EXP_TYPE_LEG_END ||
	       type == PCI_EXP_TYPE_UPSTREAM || type == PCI_EXP_TYPE_PCI_BRIDGE;
}

/* Device Control, Link Control and Link Status, PCIe Base Specification 7.5.3.
 */
static void
decode_link(struct pci_dev *d, unsigned at, struct pci_function *f)
{
	unsigned control = pci_read_word(d, (int)at + PCI_EXP_DEVCTL);
	unsigned link_control = pci_read_word(d, (int)at + PCI_EXP_LNKCTL);
	unsigned status = pci_read_word(d, (int)at + PCI_EXP_LNKSTA);
	unsigned version =
	    pci_read_word(d, (int)at + PCI_EXP_FLAGS) & PCI_EXP_FLAGS_VERS;
	unsigned status2 =
	    version < 2 ? 0 : pci_read_word(d, (int)at + PCI_EXP_LNKSTA2);
	struct pci_cap *aer =
	    pci_find_cap(d, PCI_EXT_CAP_ID_AER, PCI_CAP_EXTENDED);
	struct link link = {
	    .bus = BUS_PCIE,
	    .gen = status & PCI_EXP_LNKSTA_SPEED,
	    .lanes = (status & PCI_EXP_LNKSTA_WIDTH) >> 4,
	    .mps = 128u << ((control & PCI_EXP_DEVCTL_PAYLOAD) >> 5),
	    .mrrs = 128u << ((control & PCI_EXP_DEVCTL_READRQ) >> 12),
	    .rcb = (link_control & PCI_EXP_LNKCTL_RCB) ? 128 : 64,
	    .flit = status2 != 0xffff && (status2 & 0x0400),
	};
	char text[LINK_TEXT_MAX];

	if (aer)
		link.ecrc = pci_read_word(d, (int)aer->addr + PCI_ERR_CAP) &
		            PCI_ERR_CAP_ECRC_GENE;
	/* What is not a link (trained down, emulated oddly) stays unknown. */
	link_format(&link, text);
	if (link_parse(text, &f->link))
		f->link = (struct link){0};
}

static void
decode(struct pci_dev *d, struct pci_function *f)
{
	static const char *const aspm[] = {"off", "L0s", "L1", "L0s+L1"};
	struct pci_cap *express;
	unsigned type;

	pci_fill_info(d, PCI_FILL_CAPS | PCI_FILL_EXT_CAPS);
	express = pci_find_cap(d, PCI_CAP_ID_EXP, PCI_CAP_NORMAL);
	if (!express)
		return;
	type = (pci_read_word(d, (int)express->addr + PCI_EXP_FLAGS) &
	        PCI_EXP_FLAGS_TYPE) >>
	       4;
	if (type == PCI_EXP_TYPE_ROOT_INT_EP || type == PCI_EXP_TYPE_ROOT_EC)
		return;
	f->aspm = aspm[pci_read_word(d, (int)express->addr + PCI_EXP_LNKCTL) &
	               PCI_EXP_LNKCTL_ASPM];
	if (links_upwards(type))
		decode_link(d, express->addr, f);
}

/* What the kernel knows about a function. */
static void
ask_kernel(const char *sysfs, struct pci_function *f)
{
	char *node = read_first_line("%s/devices/%s/numa_node", sysfs, f->bdf);
	uint64_t number;

	f->driver = read_link_name("%s/devices/%s/driver", sysfs, f->bdf);
	if (node && !parse_integer(node, &number) && number < INT_MAX)
		f->node = (int)number;
	free(node);
}

static struct pci_function
describe(struct pci_access *pci, struct pci_dev *d, const char *sysfs)
{
	struct pci_function f = {.aspm = "", .node = -1};
	struct pci_dev *parent = parent_of(pci->devices, d);
	char name[256];
	/* libpci never frees what it opens for the hwdb of udev. */
	int lookup = PCI_LOOKUP_VENDOR | PCI_LOOKUP_DEVICE | PCI_LOOKUP_NO_HWDB;

	bdf_of(d, f.bdf);
	if (parent)
		bdf_of(parent, f.parent);
	decode(d, &f);
	pci_fill_info(d, PCI_FILL_IDENT);
	f.name = xstrdup(pci_lookup_name(pci, name, sizeof name, lookup,
	                                 d->vendor_id, d->device_id));
	if (sysfs)
		ask_kernel(sysfs, &f);
	if (!f.driver)
		f.driver = xstrdup("");
	return f;
}

static int
by_bdf(const void *a, const void *b)
{
	const char *x = ((const struct pci_function *)a)->bdf;
	const char *y = ((const struct pci_function *)b)->bdf;
	size_t m = strlen(x), n = strlen(y);

	/* A domain has as many digits as it needs, and at least four. */
	return m == n ? strcmp(x, y) : m < n ? -1 : 1;
}

static void PRINTF_LIKE(1, 2) say_nothing(char *fmt, ...)
{
	(void)fmt;
}

/* What libpci is reading, for its one kind of message. */
static const char *source;

/* As libpci declares it: _Noreturn would not be part of the type. */
__attribute__((noreturn)) static void PRINTF_LIKE(1, 2)
    libpci_failed(char *fmt, ...)
{
	char *text;
	va_list ap;

	va_start(ap, fmt);
	if (vasprintf(&text, fmt, ap) < 0)
		die("out of memory");
	va_end(ap);
	die("%s: %s", source, text);
}

/* By one of libpci's methods, which takes `source` as this parameter. */
static struct pci_tree *
read_by(unsigned method, char *parameter, const char *sysfs)
{
	struct pci_access *pci = pci_alloc();
	struct pci_tree *tree = xcalloc(1, sizeof *tree);

	pci->method = method;
	pci->error = libpci_failed;
	pci->warning = say_nothing;
	pci_set_param(pci, parameter, (char *)source);
	pci_init(pci);
	pci_scan_bus(pci);
	for (struct pci_dev *d = pci->devices; d; d = d->next) {
		tree->function = xreallocarray(tree->function, tree->n + 1,
		                               sizeof *tree->function);
		tree->function[tree->n++] = describe(pci, d, sysfs);
	}
	pci_cleanup(pci);
	if (tree->n)
		qsort(tree->function, tree->n, sizeof *tree->function, by_bdf);
	return tree;
}

struct pci_tree *
pci_tree_read(const char *sysfs)
{
	static char parameter[] = "sysfs.path";
	char devices[PATH_MAX];
	struct pci_tree *tree;

	snprintf(devices, sizeof devices, "%s/devices/.", sysfs);
	if (access(devices, R_OK | X_OK))
		return NULL;
	source = sysfs;
	tree = read_by(PCI_ACCESS_SYS_BUS_PCI, parameter, sysfs);
	tree->sysfs = xstrdup(sysfs);
	return tree;
}

struct pci_tree *
pci_tree_read_dump(const char *file)
{
	static char parameter[] = "dump.name";

	source = strcmp(file, "-") != 0 ? file : "/dev/stdin";
	if (access(source, R_OK))
		die_sys("%s", file);
	return read_by(PCI_ACCESS_DUMP, parameter, NULL);
}

void
pci_tree_free(struct pci_tree *tree)
{
	if (!tree)
		return;
	for (size_t i = 0; i < tree->n; i++) {
		free(tree->function[i].name);
		free(tree->function[i].driver);
	}
	free(tree->function);
	free(tree->sysfs);
	free(tree);
}

const struct pci_function *
pci_find(const struct pci_tree *tree, const char *bdf)
{
	for (size_t i = 0; i < tree->n; i++) {
		if (!strcmp(tree->function[i].bdf, bdf))
			return &tree->function[i];
	}
	return NULL;
}
