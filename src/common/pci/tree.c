/* SPDX-License-Identifier: GPL-2.0-or-later */
/* PCI functions of this machine or of a dump, through libpci. */
#include "common/pci/tree.h"

#include "common/base/debug.h"
#include "common/base/intmath.h"
#include "common/base/number.h"
#include "common/base/util.h"
#include "common/pci/complete.h"
#include "common/pci/listing.h"
#include "common/sys/datadir.h"
#include "common/sys/sysfs.h"

#include <dirent.h>
#include <fcntl.h>
#include <limits.h>
#include <pci/pci.h>
#include <poll.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>

#define BUSES          256 /* of a domain */
#define PCI_BASIC_SIZE 256 /* bytes below extended config space */

/* Of the kernel's files `resource`. */
#define RESOURCE_MEM    0x200
#define RESOURCE_MEM_64 0x100000
#define RESOURCE_UNSET  0x20000000

/* Reading ------------------------------------------------------------------ */

bool
pci_sleeps(const char *directory, size_t *state)
{
	static const char *const states[] = {"D0", "D1", "D2", "D3hot",
	                                     "D3cold"};
	static const char *const asleep[] = {"suspended", "suspending",
	                                     "resuming"};

	*state = read_word(directory, "power_state", states, ARRAY_LEN(states));
	return *state == D3HOT || *state == D3COLD ||
	       read_word(directory, "power/runtime_status", asleep,
	                 ARRAY_LEN(asleep)) < ARRAY_LEN(asleep);
}

bool
pci_is_asleep(const char *directory, size_t *state)
{
	bool sleeps = pci_sleeps(directory, state);
	char *above = xasprintf("%s/..", directory), *id;
	size_t of_bridge;

	while (!sleeps && (id = read_first_line("%s/vendor", above))) {
		sleeps = pci_sleeps(above, &of_bridge);
		xappend(&above, "/", "..");
		free(id);
	}
	free(above);
	return sleeps;
}

/* What both sysfs and a dump show of a function whose IDs are known. */
static void
describe(struct pci_function *f, struct pci_dev *d)
{
	unsigned secondary = pci_read_byte(d, PCI_SECONDARY_BUS);
	uint8_t byte;
	bool bridge;

	f->id = pci_read_long(d, PCI_VENDOR_ID);
	f->class_code = pci_read_long(d, PCI_REVISION_ID);
	f->pcie = registers_read(d, &f->registers);
	f->basic = !pci_read_block(d, PCI_BASIC_SIZE, &byte, 1);
	bridge = (pci_read_byte(d, PCI_HEADER_TYPE) & 0x7f) ==
	         PCI_HEADER_TYPE_BRIDGE;
	f->busless = bridge && !secondary;
	if (bridge && secondary > d->bus) {
		f->first_bus = secondary;
		f->last_bus = pci_read_byte(d, PCI_SUBORDINATE_BUS);
	}
	for (int at = PCI_BASE_ADDRESS_0; !bridge && at < PCI_BASE_ADDRESS_5;
	     at += 4) {
		uint32_t low = pci_read_long(d, at);
		uint32_t high = pci_read_long(d, at + 4);

		if ((low & (PCI_BASE_ADDRESS_SPACE_IO |
		            PCI_BASE_ADDRESS_MEM_TYPE_MASK)) !=
		    PCI_BASE_ADDRESS_MEM_TYPE_64)
			continue;
		f->above_4g |= high && ~high;
		at += 4;
	}
	f->link = pcie_cap_link(&f->pcie);
}

/*
 * BARs without address by the kernel, or with one that the BAR has lost. Those
 * of virtual functions and of Enhanced Allocation read 0.
 */
static void
find_lost_bars(struct pci_function *f, struct pci_dev *d)
{
	char *text = read_whole("%s/resource", f->path);
	bool on = (f->registers.value[REG_COMMAND] & PCI_COMMAND_MEMORY) &&
	          ~f->id && !pci_find_cap(d, PCI_CAP_ID_EA, PCI_CAP_NORMAL);
	unsigned bar = 0;

	for (char *line = text; line && bar < 6; bar++) {
		char *end;
		unsigned long long start = strtoull(line, &end, 16), flags;
		int at = PCI_BASE_ADDRESS_0 + 4 * (int)bar;
		uint32_t high = 0;

		strtoull(end, &end, 16);
		flags = strtoull(end, &end, 16);
		if (flags & RESOURCE_MEM_64)
			high = pci_read_long(d, at + 4);
		if ((flags & RESOURCE_MEM) && (flags & RESOURCE_UNSET))
			f->lost_bars |= 1u << bar;
		else if ((flags & RESOURCE_MEM) && on && start && !high &&
		         !(pci_read_long(d, at) & ~0xfu))
			f->moved_bars |= 1u << bar;
		line = *end == '\n' ? end + 1 : NULL;
	}
	free(text);
}

static struct pci_function
new_function(const char *bdf)
{
	struct pci_function f = {.node = -1,
	                         .pcie = {.port = PORT_UNSEEN, .aspm = ""}};

	snprintf(f.bdf, sizeof f.bdf, "%s", bdf);
	return f;
}

/* A number of a file of sysfs, such as "0x8086"; false if there is none. */
static bool
read_hex(const char *path, const char *name, unsigned long *number)
{
	char *text = read_first_line("%s/%s", path, name);
	char *end = text;
	bool good;

	if (text)
		*number = strtoul(text, &end, 16);
	good = end != text;

	free(text);
	return good;
}

/*
 * Adds a function of sysfs; `awake`: leaves it unread if it sleeps. False if it
 * is there, but cannot be read.
 */
static bool
add_function(struct pci_tree *tree, struct pci_access *pci, const char *name,
             bool awake)
{
	char bdf[BDF_MAX] = "", *config, *node;
	bool known = parse_bdf(name, bdf), readable, sleeps;
	struct pci_function f = new_function(bdf);
	struct bdf_numbers at = bdf_split(f.bdf);
	unsigned long vendor = 0, device = 0, class = 0;
	struct pci_dev *d;
	struct stat file;
	uint64_t number;
	uint8_t byte;
	size_t state;

	f.path = xasprintf("%s/devices/%s", tree->sysfs, name);
	if (!known || !read_hex(f.path, "vendor", &vendor) ||
	    !read_hex(f.path, "device", &device)) {
		/* A device that goes away is not there. */
		known = !access(f.path, F_OK) || errno != ENOENT;
		if (known)
			warn("%s: cannot be read, is left out", f.path);
		free(f.path);
		return !known;
	}
	f.vendor_id = (uint16_t)vendor;
	f.device_id = (uint16_t)device;
	f.driver = read_link_name("%s/driver", f.path);
	if (!f.driver)
		f.driver = xstrdup("");
	node = read_first_line("%s/numa_node", f.path);
	if (node && !parse_integer(node, &number) && number < INT_MAX)
		f.node = (int)number;
	free(node);
	d = pci_get_dev(pci, (int)at.domain, (int)at.bus, (int)at.device,
	                (int)at.function);
	config = xasprintf("%s/config", f.path);
	/* In a copy of sysfs: libpci would wait for who writes to a FIFO. */
	sleeps = awake && pci_is_asleep(f.path, &state);
	readable = !stat(config, &file) && S_ISREG(file.st_mode) && !sleeps &&
	           pci_read_block(d, PCI_VENDOR_ID, &byte, 1) &&
	           pci_read_long(d, PCI_VENDOR_ID);
	/* What cannot be read is not what is gone: that reads ones. */
	if (readable) {
		describe(&f, d);
		find_lost_bars(&f, d);
	} else if (read_hex(f.path, "class", &class))
		f.class_code = (uint32_t) class << 8;
	/* They show the same registers. */
	if (f.pcie.port == PORT_UNSEEN && !sleeps)
		facts_read_function(&tree->facts, f.bdf, f.path);
	pci_free_dev(d);
	free(config);
	tree->function =
	    with_room(tree->function, tree->n, sizeof *tree->function);
	tree->function[tree->n++] = f;
	return true;
}

static int
by_bdf(const void *a, const void *b)
{
	return bdf_order(((const struct pci_function *)a)->bdf,
	                 ((const struct pci_function *)b)->bdf);
}

static void PRINTF_LIKE(1, 2) libpci_says(char *fmt, ...)
{
	char *text;
	va_list ap;

	if (!(debug_mask & DEBUG_PCI))
		return;
	va_start(ap, fmt);
	text = xvasprintf(fmt, ap);
	va_end(ap);
	debug(DEBUG_PCI, "libpci: %.*s", (int)strcspn(text, "\n"), text);
	free(text);
}

/* What libpci is reading, for its messages and for cleaning up. */
static const char *source;
static struct pci_access *reading;

/* Declared as in libpci: _Noreturn is not part of the type. */
__attribute__((noreturn)) static void PRINTF_LIKE(1, 2)
    libpci_failed(char *fmt, ...)
{
	char *text;
	va_list ap;

	va_start(ap, fmt);
	text = xvasprintf(fmt, ap);
	va_end(ap);
	/* libpci may crash in its clean-up if memory is out. */
	warn("%s: %s", source, text);
	free(text);
	pci_cleanup(reading);
	exit(STATUS_TROUBLE);
}

/* Takes all messages of libpci; not initialized further for names alone. */
static struct pci_access *
begin_reading(void)
{
	char *ids = share_find("pci", "pci.ids");

	reading = pci_alloc();
	reading->error = libpci_failed;
	reading->warning = libpci_says;
	reading->debug = libpci_says;
	reading->debugging = (debug_mask & DEBUG_PCI) != 0;
	if (ids)
		pci_set_name_list_path(reading, ids, 1);
	return reading;
}

/* What two ends support: 0 is an end that was not seen. */
static unsigned
lesser(unsigned a, unsigned b)
{
	return a && b ? (unsigned)min_u64(a, b) : a + b;
}

static bool
is_lowered(const struct pci_tree *tree, const struct pci_function *f,
           const struct pci_function *port)
{
	uint32_t changed = f->registers.value[REG_LNKSTA] |
	                   (port ? port->registers.value[REG_LNKSTA] : 0);
	const struct pci_function *at = f;

	/* The bit is sticky: of the rate at rest it tells, of others not. */
	if ((f->registers.value[REG_POWER] & PCI_PM_CTRL_STATE_MASK) ||
	    ((changed & PCI_EXP_LNKSTA_AUTBW) && f->pcie.gen == 1))
		return true;
	while (at && pci_class_of(at) != CLASS_GPU)
		at = port ? pci_next_below(tree, port, at) : NULL;
	return at && f->pcie.gen == 1;
}

/*
 * One state of each link, by the registers of both ends, or of that end which
 * is seen. It sleeps if it is slower than it could be, and its function is in
 * D1 to D3, or it runs at 2.5 GT/s, and an end says that hardware changed it by
 * itself, or a GPU is below, whose drivers lower it at rest. It is awake at
 * the rate that both ends support, but not above the target speed of the port,
 * if that is above the rate now.
 */
static void
find_states(struct pci_tree *tree)
{
	for (size_t i = 0; i < tree->n; i++) {
		struct pci_function *f = &tree->function[i];
		const struct pci_function *up = f->up;
		const struct pci_function *port =
		    up && (up->pcie.port == PORT_ROOT ||
		           up->pcie.port == PORT_DOWNSTREAM)
		        ? up
		        : NULL;
		unsigned target =
		    port ? register_field(&port->registers, REG_LNKCTL2, 0xf)
		         : 0;
		unsigned now = f->pcie.gen, can;

		f->could_gen =
		    lesser(pci_max_gen(f), port ? pci_max_gen(port) : 0);
		f->could_lanes =
		    lesser(pci_max_lanes(f), port ? pci_max_lanes(port) : 0);
		if (f->pcie.placed) {
			f->could_gen = (unsigned)facts_number(
			    &tree->facts, f->bdf, FACT_PAIR_GEN, 0);
			f->could_lanes = (unsigned)facts_number(
			    &tree->facts, f->bdf, FACT_PAIR_LANES, 0);
		}
		can =
		    target > now ? lesser(f->could_gen, target) : f->could_gen;
		f->awake_gen =
		    now && can > now && can < 8 && is_lowered(tree, f, port)
		        ? can
		        : now;
	}
}

/*
 * Clouds name switches that a guest does not see: ffff:ff:01.0, above 0000:10:
 * 1c.0. Nothing is above these.
 */
static void
connect_apart(struct pci_tree *tree)
{
	const struct facts *facts = &tree->facts;

	for (size_t i = 0; i < tree->n; i++) {
		struct pci_function *f = &tree->function[i];
		const struct fact *above =
		    f->up ? NULL : facts_find(facts, f->bdf, FACT_ABOVE);
		const struct pci_function *up =
		    above ? pci_find(tree, above->value) : NULL;

		if (up && up != f && !up->up &&
		    !facts_find(facts, up->bdf, FACT_ABOVE))
			f->up = up;
	}
}

/*
 * Hosts of ARM and POWER have a domain for each root port, 00.0 of its first
 * bus. All other functions of it are below, also in lines that do not say so.
 */
static void
lead_only_bridge(struct pci_function *first, const struct pci_function *end)
{
	const struct bdf_numbers at = bdf_split(first->bdf);
	unsigned bus = 0;

	if (first->class_code >> 16 != PCI_CLASS_BRIDGE_PCI ||
	    first->first_bus || first->busless || at.device || at.function ||
	    (at.bus && !at.domain))
		return;
	for (const struct pci_function *f = first + 1; f < end; f++) {
		unsigned of = bdf_split(f->bdf).bus;

		if ((bus && of != bus) || of == at.bus ||
		    f->class_code >> 16 == PCI_CLASS_BRIDGE_PCI)
			return;
		bus = of;
	}
	first->first_bus = first->last_bus = bus;
}

/*
 * Sorts the functions. Above each is the innermost bridge whose bus range
 * contains its bus. Only bus numbers decide, so an ordinary user and a dump get
 * the same tree, and the extra buses of SR-IOV functions find their port.
 */
static void
connect_functions(struct pci_tree *tree)
{
	struct pci_function *f = tree->function, *end;

	if (!tree->n)
		return;
	end = f + tree->n;
	qsort(f, tree->n, sizeof *f, by_bdf);
	while (f < end) {
		const struct pci_function *above[BUSES] = {0}, *bridge = f;
		unsigned domain = bdf_split(f->bdf).domain;

		while (bridge < end && bdf_split(bridge->bdf).domain == domain)
			bridge++;
		lead_only_bridge(f, bridge);
		for (bridge = f;
		     bridge < end && bdf_split(bridge->bdf).domain == domain;
		     bridge++) {
			unsigned first = bridge->first_bus, bus = first;

			for (; bus && bus <= bridge->last_bus; bus++) {
				if (!above[bus] ||
				    above[bus]->first_bus < first)
					above[bus] = bridge;
			}
		}
		for (; f < bridge; f++)
			f->up = above[bdf_split(f->bdf).bus];
	}
	connect_apart(tree);
	complete_links(tree);
	find_states(tree);
}

static struct pci_access *
begin_method(unsigned method, char *parameter, char *path)
{
	struct pci_access *pci = begin_reading();

	pci->method = method;
	pci_set_param(pci, parameter, path);
	pci_init(pci);
	return pci;
}

static struct pci_tree *
read_sysfs(const char *sysfs, bool awake)
{
	static char parameter[] = "sysfs.path";
	char *devices = xasprintf("%s/devices/.", sysfs);
	DIR *list = access(devices, R_OK | X_OK) ? NULL : opendir(devices);
	struct pci_access *pci;
	struct pci_tree *tree;
	struct dirent *entry;

	if (!list)
		die_if_short(devices);
	free(devices);
	if (!list)
		return NULL;
	source = sysfs;
	tree = xcalloc(1, sizeof *tree);
	tree->sysfs = xstrdup(sysfs);
	pci = begin_method(PCI_ACCESS_SYS_BUS_PCI, parameter, tree->sysfs);
	while ((entry = readdir(list))) {
		if (*entry->d_name != '.' &&
		    !add_function(tree, pci, entry->d_name, awake))
			tree->unread++;
	}
	closedir(list);
	pci_cleanup(pci);
	facts_sort(&tree->facts);
	complete_functions(tree);
	connect_functions(tree);
	return tree;
}

struct pci_tree *
pci_tree_read(const char *sysfs)
{
	return read_sysfs(sysfs, false);
}

struct pci_tree *
pci_tree_read_awake(const char *sysfs)
{
	return read_sysfs(sysfs, true);
}

/* A text longer than this, in bytes, is no dump. */
#define TEXT_MAX (2LL << 30)

/* The one text that is open, and its decoder. */
static FILE *open_text;
static gzFile decoder;

/* Reads a file as it is, or unpacks gzip. */
static ssize_t
read_unpacked(void *from, char *to, size_t size)
{
	int n = gzread(*(gzFile *)from, to, (unsigned)size);

	if (n > 0 && gztell(*(gzFile *)from) > TEXT_MAX) {
		errno = EFBIG;
		return -1;
	}
	return n;
}

static int
close_unpacked(void *from)
{
	return gzclose(*(gzFile *)from) == Z_BUF_ERROR ? EOF : 0;
}

FILE *
pci_text_open(const char *file)
{
	static const cookie_io_functions_t reader = {.read = read_unpacked,
	                                             .close = close_unpacked};
	bool is_stdin = !strcmp(file, "-");
	int fd =
	    is_stdin ? dup(STDIN_FILENO) : open(file, O_RDONLY | O_CLOEXEC);

	decoder = fd < 0 ? NULL : gzdopen(fd, "r");
	open_text = decoder ? fopencookie(&decoder, "r", reader) : NULL;
	if (!open_text)
		die_sys("%s", file);
	return open_text;
}

void
pci_text_close(const char *name)
{
	FILE *text = open_text;

	if (ferror(text))
		die_sys("%s", name);
	open_text = NULL;
	if (fclose(text))
		warn("%s: cut off: the packed data has no end", name);
}

/* Adds what words show and bytes do not; bytes decide where both are there. */
static void
add_bytes(struct pci_function *f, const struct pci_function *bytes)
{
	struct pci_function both = *bytes;
	struct pcie_cap words;

	free(f->title);
	both.title = pci_name(both.vendor_id, both.device_id);
	both.driver = f->driver;
	both.lost_bars = f->lost_bars;
	both.moved_bars = f->moved_bars;
	both.above_4g |= f->above_4g;
	both.basic &= f->pcie.port == PORT_UNSEEN;
	if (!both.first_bus) {
		both.first_bus = f->first_bus;
		both.last_bus = f->last_bus;
	}
	/* Registers of a virtual function (IDs of all ones) mean nothing. */
	for (unsigned reg = 0; reg < NREGISTERS && ~both.id; reg++) {
		uint32_t missing =
		    f->registers.seen[reg] & ~both.registers.seen[reg];

		registers_set(&both.registers, (enum pci_register)reg, missing,
		              f->registers.value[reg]);
	}
	words = pcie_cap_of_registers(&both.registers);
	if (both.pcie.port == PORT_UNSEEN)
		both.pcie = *f->pcie.aspm ? words : f->pcie;
	else if (both.pcie.ecrc == TRISTATE_UNKNOWN)
		both.pcie.ecrc = words.ecrc;
	both.link = pcie_cap_link(&both.pcie);
	*f = both;
}

/* Completes the tree by rows of config space. */
static void
read_bytes(struct pci_tree *tree, FILE *rows)
{
	static char parameter[] = "dump.name";
	char path[sizeof "/proc/self/fd/" + 3 * sizeof(int)];
	struct pci_tree *bytes = xcalloc(1, sizeof *bytes);
	struct pci_access *pci;

	snprintf(path, sizeof path, "/proc/self/fd/%d", fileno(rows));
	pci = begin_method(PCI_ACCESS_DUMP, parameter, path);
	pci_scan_bus(pci);
	for (struct pci_dev *d = pci->devices; d; d = d->next) {
		char bdf[BDF_MAX];
		struct pci_function f;

		snprintf(bdf, sizeof bdf, "%04x:%02x:%02x.%x",
		         (unsigned)d->domain, d->bus, d->dev, d->func);
		f = new_function(bdf);
		pci_fill_info(d, PCI_FILL_IDENT);
		f.vendor_id = d->vendor_id;
		f.device_id = d->device_id;
		f.driver = xstrdup("");
		describe(&f, d);
		bytes->function = with_room(bytes->function, bytes->n,
		                            sizeof *bytes->function);
		bytes->function[bytes->n++] = f;
	}
	pci_cleanup(pci);
	/* The file that libpci reads is ours; it does not tell of an error. */
	if (!bytes->n && *tree->function->bdf != '?')
		die("%s: its rows of bytes cannot be read", source);
	connect_functions(bytes);
	for (size_t i = 0; i < tree->n; i++) {
		const struct pci_function *f =
		    pci_find(bytes, tree->function[i].bdf);

		if (f)
			add_bytes(&tree->function[i], f);
	}
	pci_tree_free(bytes);
}

/* Dies if facts are of two machines, or of another one than the functions. */
static void
need_one_machine(const struct pci_tree *tree, const char *file)
{
	const struct facts *facts = &tree->facts;
	char *why = facts_two_machines(facts);
	size_t both = 0, others = 0;
	const struct pci_function *first = NULL;

	if (why)
		die("%s: of two machines: %s: give the files of each alone",
		    file, why);
	for (size_t i = 0; i < tree->n; i++) {
		const struct pci_function *f = &tree->function[i];
		long vendor = facts_number(facts, f->bdf, FACT_VENDOR, 0);
		long device = facts_number(facts, f->bdf, FACT_DEVICE, 0);

		if (!f->device_id || !vendor)
			continue;
		both++;
		if (vendor == f->vendor_id && device == f->device_id)
			continue;
		others++;
		first = first ? first : f;
	}
	if (2 * others > both)
		die("%s: of two machines: %s is %04x:%04x and %04lx:%04lx",
		    file, first->bdf, first->vendor_id, first->device_id,
		    facts_number(facts, first->bdf, FACT_VENDOR, 0),
		    facts_number(facts, first->bdf, FACT_DEVICE, 0));
}

struct pci_tree *
pci_tree_read_text(FILE *text, const char *file, unsigned state)
{
	unsigned states = state;
	struct facts facts = {0};
	const char *lacking;
	FILE *rows;
	struct pci_tree *tree;
	int fd = memfd_create("dump", MFD_CLOEXEC);

	source = file;
	rows = fd < 0 ? NULL : fdopen(fd, "w+");
	if (!rows)
		die_sys("%s", file);
	tree = listing_read(text, rows, &states, &facts);
	if (ferror(text) || fflush(rows) || ferror(rows))
		die_sys("%s", file);
	if (tree->cut)
		warn("%s: cut off: its last line is missing", file);
	if (*tree->part)
		warn("%s: cut off within %s: what follows is unknown", file,
		     tree->part);
	if (state > states)
		die("%s: no state %u: it shows %u", file, state, states);
	if (!state && states > 1)
		warn("%s: it shows %u %s; this is the last ('pcb-doctor "
		     "--state 1' reads the first)",
		     file, states,
		     tree->machines ? "machines, or states of them"
		                    : "states of these functions");
	if (ftell(rows) > 0) {
		read_bytes(tree, rows);
		tree->lack = NULL;
	}
	fclose(rows);
	facts_sort(&facts);
	tree->facts = facts;
	tree->unread = facts_lacking(&facts, &lacking);
	need_one_machine(tree, file);
	complete_functions(tree);
	connect_functions(tree);
	return tree;
}

bool
pci_has_ports(const struct pci_tree *tree)
{
	size_t i = 0;

	while (i < tree->n && !tree->function[i].up)
		i++;
	return i < tree->n;
}

void
pci_tree_say_lacking(const struct pci_tree *tree, const char *name)
{
	const char *what;

	if (facts_lacking(&tree->facts, &what))
		warn("%s: %s: what is missing is unknown", name, what);
}

struct pci_tree *
pci_tree_read_dump(const char *file, unsigned state)
{
	FILE *text = pci_text_open(file);
	const char *name = strcmp(file, "-") ? file : "standard input";
	struct pci_tree *tree = pci_tree_read_text(text, name, state);

	pci_tree_say_lacking(tree, name);
	pci_text_close(name);
	return tree;
}

void
pci_refuse_dump(const struct pci_tree *tree, const char *file)
{
	const struct facts *facts = &tree->facts;
	const char *kind = facts->kind ? facts->kind : "no PCI function in it";
	bool is_stdin = !strcmp(file, "-"), is_text;

	if (facts->log.begun)
		kind = facts->log.cut
		           ? "a kernel log cut before any limit line"
		           : "a kernel log without a line about links";
	is_text = !is_stdin && !facts->kind && !facts->log.begun;
	die("%s: %s: run there 'sudo lspci -vvv' or, as any user, "
	    "'" FACTS_COMMAND "'%s%s%s",
	    is_stdin ? "standard input" : file, kind,
	    is_stdin  ? "; to examine this machine: </dev/null"
	    : is_text ? "; results of programs: 'pcb-import "
	              : "",
	    is_text ? file : "", is_text ? "'" : "");
}

struct pci_tree *
pci_tree_need_dump(const char *file, unsigned state)
{
	struct pci_tree *tree = pci_tree_read_dump(file, state);

	if (!tree->n)
		pci_refuse_dump(tree, file);
	return tree;
}

const char *
pci_dump_given(void)
{
	struct pollfd in = {.fd = STDIN_FILENO, .events = POLLIN};

	if (!stdin_is_input())
		return NULL;
	if (!poll(&in, 1, 3000))
		warn("waiting for the output of lspci on standard input; to "
		     "examine this machine: </dev/null");
	return "-";
}

void
pci_tree_free(struct pci_tree *tree)
{
	if (!tree)
		return;
	for (size_t i = 0; i < tree->n; i++) {
		free(tree->function[i].path);
		free(tree->function[i].driver);
		free(tree->function[i].title);
	}
	free(tree->function);
	facts_free(&tree->facts);
	free(tree->sysfs);
	free(tree);
}

char *
pci_name(uint16_t vendor_id, uint16_t device_id)
{
	static struct pci_access *database;
	char name[256];
	/* libpci leaks what it opens for udev's hwdb. */
	int lookup = PCI_LOOKUP_VENDOR | PCI_LOOKUP_DEVICE | PCI_LOOKUP_NO_HWDB;

	source = "names of PCI devices";
	if (!database)
		database = begin_reading();
	reading = database;
	return xstrdup(pci_lookup_name(database, name, sizeof name, lookup,
	                               vendor_id, device_id));
}

/* Finding functions by BDF, ID or kernel name ------------------------------ */

static const char *const absent = "no such device";

/* "03:00.0", or "03:00" for its function 0. */
static bool
match_bdf(const struct pci_tree *tree, const char *text,
          struct pci_matches *found)
{
	char bdf[BDF_MAX];
	char *with_function = xasprintf("%s.0", text);
	bool good = parse_bdf(text, bdf) || parse_bdf(with_function, bdf);
	/* A listing may have "?1". */
	const struct pci_function *f = pci_find(tree, good ? bdf : text);

	if (f)
		array_push(found->item, found->n, f);
	free(with_function);
	return good || f;
}

static bool
match_id(const struct pci_tree *tree, const char *text,
         struct pci_matches *found)
{
	static const char digits[] = "0123456789abcdefABCDEF";
	unsigned long vendor, device;

	if (strspn(text, digits) != 4 || text[4] != ':' ||
	    strspn(text + 5, digits) != 4 || text[9])
		return false;
	vendor = strtoul(text, NULL, 16);
	device = strtoul(text + 5, NULL, 16);
	for (size_t i = 0; i < tree->n; i++) {
		const struct pci_function *f = &tree->function[i];

		if (f->vendor_id == vendor && f->device_id == device)
			array_push(found->item, found->n, f);
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

static const char *
match_class(const struct pci_tree *tree, const char *name,
            struct pci_matches *found)
{
	const char *why = absent;
	glob_t entries = {0};

	if (!strpbrk(name, "*?[\\"))
		find_files(&entries, "%s/*/%s", root_path("/sys/class"), name);
	if (entries.gl_pathc)
		why = "not a PCI device";
	for (size_t i = 0; i < entries.gl_pathc && why; i++) {
		char *path = realpath(entries.gl_pathv[i], NULL);
		const struct pci_function *f =
		    path ? function_of_path(tree, path) : NULL;

		if (f) {
			array_push(found->item, found->n, f);
			why = NULL;
		}
		free(path);
	}
	globfree(&entries);
	return why;
}

/*
 * With multipath, the kernel lists a namespace apart from its NVMe controller.
 */
static const char *
match_name(const struct pci_tree *tree, const char *text,
           struct pci_matches *found)
{
	const char *name = strncmp(text, "/dev/", 5) != 0 ? text : text + 5;
	size_t n = strncmp(name, "nvme", 4) != 0
	               ? 0
	               : 4 + strspn(name + 4, "0123456789");
	char *controller;
	const char *why;

	if (!*name || strchr(name, '/') || *name == '.')
		return absent;
	why = match_class(tree, name, found);
	if (why && n > 4 && name[n] == 'n') {
		controller = xasprintf("%.*s", (int)n, name);
		why = match_class(tree, controller, found);
		free(controller);
	}
	return why;
}

/* A path of /sys, of the function or of what is below it. */
static const char *
match_path(const struct pci_tree *tree, const char *text,
           struct pci_matches *found)
{
	char *path = realpath(root_path(text), NULL);
	const struct pci_function *f =
	    path ? function_of_path(tree, path) : NULL;

	if (f)
		array_push(found->item, found->n, f);
	free(path);
	return f ? NULL : absent;
}

const char *
pci_match(const struct pci_tree *tree, const char *text,
          struct pci_matches *found)
{
	*found = (struct pci_matches){0};
	if (match_bdf(tree, text, found) || match_id(tree, text, found))
		return found->n ? NULL : absent;
	if (!tree->sysfs)
		return absent;
	return strncmp(text, "/sys/", 5) ? match_name(tree, text, found)
	                                 : match_path(tree, text, found);
}
