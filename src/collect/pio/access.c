/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Addresses of registers; access methods: how the CPU reads one. */
#include "collect/pio/pio.h"

#include "collect/host/arch.h"
#include "collect/pci/bar.h"
#include "collect/vfio/vfio.h"
#include "common/base/debug.h"
#include "common/base/intmath.h"
#include "common/base/number.h"
#include "common/base/util.h"
#include "common/sys/sysfs.h"

#include <fcntl.h>
#include <inttypes.h>
#include <limits.h>
#include <pci/header.h>
#include <strings.h>
#include <sys/stat.h>
#include <unistd.h>

#define CONFIG_SIZE 0x1000

const char *
reg_addr_parse(const char *text, struct reg_addr *addr)
{
	struct reg_addr p = {.bar = CONFIG_SPACE};
	const char *why;

	if (!strncasecmp(text, "BAR", 3)) {
		if (text[3] < '0' || text[3] > '5' ||
		    (text[4] && text[4] != '+'))
			return "a BAR is BAR0 to BAR5, as in BAR0+0x8";
		p.bar = text[3] - '0';
		text += text[4] ? 5 : 4;
	}
	/* A BAR without offset means its first register. */
	why = p.bar != CONFIG_SPACE && !*text && text[-1] != '+'
	          ? NULL
	          : parse_offset(text, &p.offset);
	if (!why && p.offset % 4)
		why = "a register is at a multiple of 4";
	if (!why && p.bar == CONFIG_SPACE && p.offset >= CONFIG_SIZE)
		why = "config space ends at 0x1000";
	if (!why)
		*addr = p;
	return why;
}

const char *
reg_addr_parse_of(const char *text, char bdf[BDF_MAX], struct reg_addr *addr)
{
	const char *dot = strchr(text, '.');
	const char *colon = dot ? strchr(dot, ':') : NULL;
	size_t length = colon ? (size_t)(colon - text) : strlen(text);
	char function[BDF_MAX];

	if (length >= sizeof function)
		return "not a device (such as 03:00.0)";
	memcpy(function, text, length);
	function[length] = '\0';
	if (!parse_bdf(function, bdf))
		return "not a device (such as 03:00.0)";
	*addr = (struct reg_addr){CONFIG_SPACE, NO_OFFSET};
	return colon ? reg_addr_parse(colon + 1, addr) : NULL;
}

void
reg_addr_format(const struct reg_addr *addr, char text[REG_ADDR_TEXT_MAX])
{
	if (addr->bar == CONFIG_SPACE)
		snprintf(text, REG_ADDR_TEXT_MAX, "0x%02" PRIx64, addr->offset);
	else
		snprintf(text, REG_ADDR_TEXT_MAX, "BAR%d+0x%" PRIx64, addr->bar,
		         addr->offset);
}

bool
reg_addr_is_constant(const struct reg_addr *addr)
{
	return addr->bar == CONFIG_SPACE &&
	       (addr->offset == 0x00 || addr->offset == 0x08);
}

/* Shared by access methods ------------------------------------------------ */

/* Maps the register at this byte of r->fd. False with errno. */
static bool
map32(struct reader *r, uint64_t at)
{
	r->word = mmio_map(r->fd, (off_t)at, sizeof *r->word, false);
	return r->word;
}

static bool
read_mapped(const struct reader *r, uint32_t *value)
{
	*value = *r->word;
	counter_wait(*value);
	return true;
}

/* Reads 4 bytes at r->at of r->fd. */
static bool
read_file(const struct reader *r, uint32_t *value)
{
	ssize_t got = pread(r->fd, value, sizeof *value, r->at);

	if (got >= 0)
		errno = 0;
	return got == sizeof *value;
}

/* The size of config space; 0 if unknown. */
static uint64_t
config_size(const struct reader *r)
{
	char *path = xasprintf("%s/config", r->function->path);
	struct stat config;
	bool known = !stat(path, &config);

	free(path);
	return known ? (uint64_t)config.st_size : 0;
}

/* By the size of config space; true if that is unknown. */
static bool
has_register(const struct reader *r)
{
	uint64_t size = config_size(r);

	return !size || size >= r->addr.offset + sizeof(uint32_t);
}

static bool
check_size(struct session *s, const struct reader *r)
{
	return has_register(r) ||
	       fail(s, STATUS_ABSENT,
	            "%s has no register %s: its config space has %ju bytes",
	            r->function->bdf, r->text, (uintmax_t)config_size(r));
}

/* Config space through the kernel, from a file in sysfs ------------------- */

/* Bytes that every user may read. */
#define PUBLIC_SIZE 64

static bool
open_config(struct session *s, struct reader *r)
{
	char path[PATH_MAX];
	uint32_t value;

	snprintf(path, sizeof path, "%s/config", r->function->path);
	r->at = (off_t)r->addr.offset;
	r->fd = open_file(path);
	if (r->fd < 0)
		return fail(s, STATUS_ABSENT, "%s: %s", path, strerror(errno));
	if (!check_size(s, r))
		return false;
	if (r->addr.offset < PUBLIC_SIZE || read_file(r, &value) || errno)
		return true;
	return fail(s, STATUS_ABSENT,
	            "%s: register %s: beyond the first %d bytes, only root "
	            "(CAP_SYS_ADMIN) can read config space",
	            r->function->bdf, r->text, PUBLIC_SIZE);
}

static const struct access_method sysfs_method = {
    .name = "sysfs",
    .help = "config space by the kernel",
    .reads_config = true,
    .wakes = true,
    .suits = has_register,
    .open = open_config,
    .read = read_file,
};

/* A BAR through its file in sysfs ----------------------------------------- */

static bool
open_resource(struct session *s, struct reader *r)
{
	uint64_t page = (uint64_t)sysconf(_SC_PAGESIZE);
	const struct pci_function *f = r->function;
	struct bar bars[BARS];
	struct stat bar;

	r->fd = bar_open(f, r->addr.bar, "", O_RDONLY);
	if (r->fd < 0 || fstat(r->fd, &bar))
		return bar_refused(s, f, r->addr.bar);
	if ((uint64_t)bar.st_size < sizeof(uint32_t) ||
	    (uint64_t)bar.st_size - sizeof(uint32_t) < r->addr.offset)
		return fail(s, STATUS_ABSENT,
		            "%s has no register %s: that BAR has %jd bytes",
		            f->bdf, r->text, (intmax_t)bar.st_size);
	if (!bar_check_memory(s, f, r->addr.bar))
		return false;
	/* If a BAR is smaller than a page, the kernel maps its whole page. */
	bars_read(f, bars);
	return map32(r, bars[r->addr.bar].start % page + r->addr.offset) ||
	       bar_refused(s, f, r->addr.bar);
}

/*
 * A virtual machine that has the function may reset it or disable its memory at
 * any time; the kernel then removes only VFIO's mappings.
 */
static bool
bar_suits(const struct reader *r)
{
	return !strstr(r->function->driver, "vfio") &&
	       bar_memory_is_on(r->function);
}

static const struct access_method resource_method = {
    .name = "resource",
    .help = "registers behind a BAR, by sysfs",
    .reads_bars = true,
    .suits = bar_suits,
    .open = open_resource,
    .read = read_mapped,
};

/* Config space in memory (ECAM), without the kernel ----------------------- */

#define TABLE     root_path("/sys/firmware/acpi/tables/MCFG")
#define IOMEM     root_path("/proc/iomem")
#define MEMORY    root_path("/dev/mem")
#define TABLE_MAX 65536

/* The physical address of the register; false after fail(). */
static bool
find_register(struct session *s, const struct reader *r, uint64_t *address)
{
	struct bdf_numbers bdf = bdf_split(r->function->bdf);
	static unsigned char table[TABLE_MAX]; /* too large for a small stack */
	FILE *f = fopen(TABLE, "re");
	const char *why;
	size_t size;

	if (!f)
		return fail(s, STATUS_ABSENT, "%s: %s: %s", r->function->bdf,
		            TABLE,
		            errno == EACCES ? "only root can read it"
		                            : strerror(errno));
	size = fread(table, 1, sizeof table, f);
	fclose(f);
	why = mcfg_find(table, size, &bdf, address);
	if (why)
		return fail(s, STATUS_ABSENT, "%s: %s: %s", r->function->bdf,
		            TABLE, why);
	*address += r->addr.offset;
	return true;
}

static bool
ecam_refused(struct session *s, const struct reader *r)
{
	int error = errno;
	const char *help = "";

	if (kernel_is_locked_down())
		help = " (the kernel is locked down: boot without Secure Boot "
		       "or lockdown=)";
	else if (error == EPERM)
		help = " (the kernel keeps device memory to itself: boot with "
		       "iomem=relaxed)";
	else if (error == EACCES)
		help = " (root only)";
	else if (error == ENOENT)
		help = " (the kernel is built without it)";
	return fail(s, STATUS_ABSENT, "%s: %s: %s%s", r->function->bdf, MEMORY,
	            strerror(error), help);
}

static bool
open_ecam(struct session *s, struct reader *r)
{
	uint64_t address = 0;

	if (!check_size(s, r) || !find_register(s, r, &address))
		return false;
	r->fd = open(MEMORY, O_RDONLY | O_SYNC | O_CLOEXEC);
	if (r->fd < 0)
		return ecam_refused(s, r);
	if (!mcfg_is_used(IOMEM, address))
		return fail(s, STATUS_ABSENT,
		            "%s: %s has its config space at 0x%jx, where the "
		            "kernel has none (%s)",
		            r->function->bdf, TABLE, (uintmax_t)address, IOMEM);
	return map32(r, address) || ecam_refused(s, r);
}

static const struct access_method ecam_method = {
    .name = "ecam",
    .help = "config space where it is mapped (ECAM), by /dev/mem",
    .reads_config = true,
    .suits = has_register,
    .open = open_ecam,
    .read = read_mapped,
};

/* Config space and BARs of a function that is bound to VFIO --------------- */

/* Start of extended config space; more capabilities than fit into it. */
#define EXTENDED         0x100
#define CAPABILITIES_MAX 1024

static bool
vfio_access_suits(const struct reader *r)
{
	return strstr(r->function->driver, "vfio") != NULL;
}

/* A word of config space; 0 if it cannot be read. */
static uint32_t
config_word(const struct reader *r, uint64_t at)
{
	off_t config = r->at - (off_t)r->addr.offset;
	uint32_t word;

	return pread(r->fd, &word, sizeof word, config + (off_t)at) ==
	               sizeof word
	           ? word
	           : 0;
}

/*
 * Registers of capabilities that VFIO answers itself have no device latency:
 * ALL_VIRT in linux/drivers/vfio/pci/vfio_pci_config.c.
 */
static bool
is_copied_of_capability(const struct reader *r)
{
	uint64_t offset = r->addr.offset;
	bool extended = offset >= EXTENDED, copied = false;
	uint32_t at = EXTENDED;

	if (!extended)
		at = config_word(r, PCI_CAPABILITY_LIST) & 0xfc;
	for (unsigned n = 0; !copied && at && n < CAPABILITIES_MAX; n++) {
		uint32_t word = config_word(r, at);
		uint32_t id = word & (extended ? 0xffff : 0xff);
		uint64_t within = offset - at;

		if (extended)
			copied = !within && (id == PCI_EXT_CAP_ID_AER ||
			                     id == PCI_EXT_CAP_ID_PB);
		else if (id == PCI_CAP_ID_MSI)
			copied = within == PCI_MSI_ADDRESS_LO ||
			         (within == PCI_MSI_ADDRESS_HI &&
			          word >> 16 & PCI_MSI_FLAGS_64BIT);
		else
			copied = id == PCI_CAP_ID_VPD && within == PCI_VPD_DATA;
		at = extended ? word >> 20 & 0xffc : word >> 8 & 0xfc;
	}
	return copied;
}

static bool
refuse_copy(struct session *s, const struct reader *r)
{
	return fail(s, STATUS_TROUBLE,
	            "%s: register %s: VFIO answers from a copy, not the device",
	            r->function->bdf, r->text);
}

/* Finds the register in the device's file, and maps it if it is in a BAR. */
static bool
open_region(struct session *s, struct reader *r)
{
	struct vfio_region_info region;
	uint32_t index = r->addr.bar == CONFIG_SPACE
	                     ? (uint32_t)VFIO_PCI_CONFIG_REGION_INDEX
	                     : (uint32_t)r->addr.bar;

	if (!vfio_region(r->fd, index, &region))
		return fail(s, STATUS_ABSENT, "%s: register %s: %s",
		            r->function->bdf, r->text, strerror(errno));
	if (region.size < sizeof(uint32_t) ||
	    region.size - sizeof(uint32_t) < r->addr.offset)
		return fail(s, STATUS_ABSENT,
		            "%s has no register %s: there are %ju bytes",
		            r->function->bdf, r->text, (uintmax_t)region.size);
	r->at = (off_t)(region.offset + r->addr.offset);
	if (r->addr.bar == CONFIG_SPACE)
		return !is_copied_of_capability(r) || refuse_copy(s, r);
	if (map32(r, region.offset + r->addr.offset))
		return true;
	return fail(s, STATUS_ABSENT, "%s: register %s: VFIO does not map it%s",
	            r->function->bdf, r->text,
	            region.flags & VFIO_REGION_INFO_FLAG_MMAP
	                ? ""
	                : " (I/O ports, or less than a page)");
}

static bool
open_vfio(struct session *s, struct reader *r)
{
	const struct pci_function *f = r->function;
	uint64_t at = r->addr.offset;

	if (!vfio_access_suits(r))
		return fail(
		    s, STATUS_ABSENT,
		    "%s: bound to %s, not to vfio-pci: bind it yourself, as "
		    "with 'driverctl set-override %s vfio-pci'",
		    f->bdf, *f->driver ? f->driver : "no driver", f->bdf);
	if (r->addr.bar == CONFIG_SPACE &&
	    (at < 0x08 || (at >= 0x10 && at < 0x28) || at == 0x30 ||
	     at == 0x3c))
		return refuse_copy(s, r);
	r->fd = vfio_open(s, f, &r->iommu);
	return r->fd >= 0 && open_region(s, r);
}

/* BARs are mapped, config space is read by pread(2). */
static bool
read_vfio(const struct reader *r, uint32_t *value)
{
	return r->word ? read_mapped(r, value) : read_file(r, value);
}

static const struct access_method vfio_method = {
    .name = "vfio",
    .help = "of a function that is bound to vfio-pci",
    .reads_config = true,
    .reads_bars = true,
    .wakes = true,
    .suits = vfio_access_suits,
    .open = open_vfio,
    .read = read_vfio,
};

/* Any method -------------------------------------------------------------- */

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
            const struct pci_function *f, const struct reg_addr *addr,
            struct reader *r)
{
	*r = (struct reader){
	    .method = method, .function = f, .addr = *addr, .fd = -1};
	reg_addr_format(addr, r->text);
	if (method->open(s, r)) {
		debug(DEBUG_ACCESS, "%s %s: by %s", f->bdf, r->text,
		      method->name);
		return true;
	}
	debug(DEBUG_ACCESS, "%s %s: refused by %s: %s", f->bdf, r->text,
	      method->name, s->failure.text);
	access_close(r);
	return false;
}

void
access_close(struct reader *r)
{
	mmio_unmap(r->word);
	close_file(r->fd);
	vfio_put(r->iommu);
	r->word = NULL;
	r->fd = -1;
	r->iommu = NULL;
}

/*
 * A memory read in D1 to D3 is an error on the bus and stops some machines;
 * config space answers while there is power (PCI Bus Power Management Interface
 * Specification 1.2, 5.4).
 */
bool
reader_is_suspended(const struct reader *r)
{
	const struct pci_function *f = r->function;
	size_t state;
	bool sleeps = pci_sleeps(f->path, &state);

	if (r->method->wakes)
		return false;
	if (r->addr.bar != CONFIG_SPACE)
		return sleeps || state == 1 || state == 2;
	/* Devices below a suspended bridge are unreachable. */
	sleeps = state == D3COLD;
	while (!sleeps && (f = f->up))
		sleeps = pci_sleeps(f->path, &state);
	return sleeps;
}

/* Before the next read: nothing here keeps the function awake. */
bool
reader_may_suspend(const struct reader *r)
{
	static const char *const automatic[] = {"auto"};

	return r->addr.bar != CONFIG_SPACE && !r->method->wakes &&
	       !read_word(r->function->path, "power/control", automatic, 1);
}

/* MCFG --------------------------------------------------------------------- */

/* The header of all ACPI tables, and 8 reserved bytes. */
#define LENGTH_AT   4
#define HEADER_SIZE 44

/* Base address, segment group, first and last bus, 4 reserved bytes. */
#define ENTRY_SIZE 16

const char *
mcfg_find(const unsigned char *table, size_t size,
          const struct bdf_numbers *bdf, uint64_t *address)
{
	unsigned char sum = 0;
	size_t length = 0;

	if (size >= HEADER_SIZE && !memcmp(table, "MCFG", 4))
		length = little_endian(table + LENGTH_AT, 4);
	for (size_t i = 0; length <= size && i < length; i++)
		sum = (unsigned char)(sum + table[i]);
	if (length < HEADER_SIZE || length > size || sum)
		return "not a table of ECAM windows";
	for (size_t at = HEADER_SIZE; at + ENTRY_SIZE <= length;
	     at += ENTRY_SIZE) {
		const unsigned char *entry = table + at;

		if (little_endian(entry + 8, 2) != bdf->domain ||
		    entry[10] > bdf->bus || entry[11] < bdf->bus)
			continue;
		*address = little_endian(entry, 8) + ((uint64_t)bdf->bus << 20 |
		                                      bdf->device << 15 |
		                                      bdf->function << 12);
		return NULL;
	}
	return "no ECAM window holds its bus";
}

bool
mcfg_is_used(const char *iomem, uint64_t address)
{
	char *text = read_whole("%s", iomem), *rest = text, *line;
	bool found = false;

	if (!text)
		die_if_short(iomem);
	/* "  e0000000-efffffff : PCI ECAM 0000 [bus 00-ff]", once MMCONFIG. */
	while (!found && (line = strsep(&rest, "\n"))) {
		uint64_t first, last;
		char *end;

		if (!strstr(line, ": PCI ECAM") &&
		    !strstr(line, ": PCI MMCONFIG"))
			continue;
		first = strtoull(line, &end, 16);
		last = *end == '-' ? strtoull(end + 1, NULL, 16) : 0;
		found = first <= address && address <= last;
	}
	free(text);
	return found;
}
