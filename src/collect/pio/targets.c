/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Chooses, opens and checks the registers to read. */
#include "collect/pio/pio.h"

#include "collect/pci/bar.h"
#include "collect/pci/device.h"
#include "common/base/debug.h"
#include "common/stream/columns.h"
#include "common/stream/table.h"
#include "common/sys/datadir.h"
#include "common/sys/sysfs.h"

#include <inttypes.h>

/* The column's hexadecimal digits, at most `most`; *n is their number. */
static uint32_t
read_digits(const struct table *t, const char *column, size_t most, size_t *n)
{
	const char *text = need_text(t, column);

	*n = strspn(text, "0123456789abcdef");
	if (text[*n] || *n > most)
		table_die(t, need_column(t, column),
		          "'%s': not %zu hexadecimal digits", text, most);
	return *n ? (uint32_t)strtoul(text, NULL, 16) : 0;
}

static struct safe_reg
read_row(const struct table *t)
{
	struct safe_reg r = {0};
	const char *why = reg_addr_parse(need_text(t, "register"), &r.addr);
	size_t n;

	if (!why && r.addr.bar == CONFIG_SPACE)
		why = "not a register of a BAR";
	if (why)
		table_refuse(t, need_column(t, "register"), why);
	r.class_code = read_digits(t, "class", 6, &n);
	r.class_shift = 24 - 4 * (unsigned)n;
	r.vendor = read_digits(t, "vendor", 4, &n);
	r.any_vendor = !n;
	r.device = read_digits(t, "device", 4, &n);
	r.any_device = !n;
	return r;
}

struct safe_regs
safe_regs_read(void)
{
	char *file = share_find("registers", "mmio");
	struct safe_regs regs = {0};
	struct table *t;

	if (!file)
		return regs;
	t = table_open(&file, 1);
	while (table_next(t)) {
		array_push(regs.item, regs.n, read_row(t));
	}
	table_close(t);
	free(file);
	return regs;
}

void
safe_regs_free(struct safe_regs *regs)
{
	free(regs->item);
	*regs = (struct safe_regs){0};
}

const struct reg_addr *
safe_regs_find(const struct safe_regs *regs, const struct pci_function *f)
{
	for (size_t i = 0; i < regs->n; i++) {
		const struct safe_reg *r = &regs->item[i];

		/* Class codes have 24 bits, above the revision. */
		if (f->class_code >> 8 >> r->class_shift == r->class_code &&
		    (r->any_vendor || (f->id & 0xffff) == r->vendor) &&
		    (r->any_device || f->id >> 16 == r->device))
			return &r->addr;
	}
	return NULL;
}

/* Targets ------------------------------------------------------------------ */

#define ALL_ONES UINT32_MAX

/* The register to read of a function, or NULL. */
static const struct reg_addr *
addr_of(const struct targets *targets, const struct pci_function *f)
{
	return targets->safe_only ? safe_regs_find(&targets->safe_regs, f)
	                          : &targets->addr;
}

/* The IDs of a virtual function read all ones, as those of a removed one do. */
static bool
has_no_ids(const struct pci_function *f, const struct reg_addr *addr)
{
	return addr->bar == CONFIG_SPACE && !addr->offset &&
	       f->id == ALL_ONES && f->class_code != ALL_ONES;
}

static bool
open_target(struct session *s, struct target *target,
            const struct access_method *method, const struct pci_function *f,
            const struct reg_addr *addr)
{
	*target = (struct target){0};
	if (has_no_ids(f, addr))
		return fail(s, STATUS_ABSENT,
		            "%s: a virtual function has no IDs of its own: "
		            "read another register, such as 0x08",
		            f->bdf);
	if (!access_open(s, method, f, addr, &target->reader))
		return false;
	/* Detects that the method reads another device than libpci. */
	target->expected = addr->offset ? f->class_code : f->id;
	target->known =
	    reg_addr_is_constant(addr) && target->expected != ALL_ONES;
	return true;
}

static bool
add(struct session *s, struct targets *targets, const struct pci_function *f)
{
	const struct reg_addr *addr = addr_of(targets, f);

	if (!addr)
		return fail(s, STATUS_ABSENT,
		            "%s: no register of it is known to be free of side "
		            "effects: name one that its data sheet lets you "
		            "read, by -O register=BARn+OFFSET",
		            f->bdf);
	targets->item =
	    xreallocarray(targets->item, targets->n + 1, sizeof *targets->item);
	if (!open_target(s, &targets->item[targets->n], targets->method, f,
	                 addr))
		return false;
	targets->n++;
	return true;
}

/* Adds the bridges from the root down to the function, then the function. */
static bool
add_path(struct session *s, struct targets *targets,
         const struct pci_function *f)
{
	const struct pci_function *added = NULL;

	while (added != f) {
		const struct pci_function *next = f, *above;

		while ((above = next->up) && above != added)
			next = above;
		if (!add(s, targets, next))
			return false;
		added = next;
	}
	return true;
}

/* Whether to try a function that the user does not name. */
static bool
suits(const struct targets *targets, const struct pci_function *f)
{
	const struct reg_addr *addr = addr_of(targets, f);
	const struct access_method *method = targets->method;
	struct reader r = {.method = method, .function = f};

	if (!addr || has_no_ids(f, addr)) {
		debug(DEBUG_ACCESS, "%s: left out: %s", f->bdf,
		      addr ? "it has no IDs of its own"
		           : "no safe register is known");
		return false;
	}
	r.addr = *addr;
	if (!method->suits || method->suits(&r))
		return true;
	debug(DEBUG_ACCESS, "%s: left out: %s does not suit it", f->bdf,
	      method->name);
	return false;
}

/* A suspended device still answers in config space. */
static const char *
may_sleep(const struct reader *r)
{
	return r->addr.bar == CONFIG_SPACE
	           ? ""
	           : ", or sleeps (--hold power wakes it)";
}

/*
 * Why a function that the user did not name does not answer or may stop
 * answering; NULL if it answers, or may be asleep, as it is not read until held
 * awake. Free it.
 */
static char *
why_silent(const struct targets *targets, const struct reader *r)
{
	bool asleep = reader_is_suspended(r);
	bool may_doze = reader_may_suspend(r);
	uint32_t value;
	bool ok;

	if (targets->safe_only && asleep)
		return xasprintf("it sleeps (-d %s --hold power wakes it)",
		                 r->function->bdf);
	if (targets->safe_only && may_doze && !targets->held_awake)
		return xstrdup("it may fall asleep (--hold power keeps it "
		               "awake)");
	if (asleep || may_doze)
		return NULL;
	ok = targets->method->read(r, &value);
	return ok && value != ALL_ONES
	           ? NULL
	           : xasprintf("register %s %s%s", r->text,
	                       ok ? "reads all ones" : "cannot be read",
	                       may_sleep(r));
}

static bool
add_all(struct session *s, struct targets *targets)
{
	const struct pci_tree *tree = targets->tree;
	char text[REG_ADDR_TEXT_MAX];
	size_t suitable = 0;

	for (size_t i = 0; i < tree->n; i++) {
		struct reader *r;
		char *why;

		if (!suits(targets, &tree->function[i]))
			continue;
		if (!add(s, targets, &tree->function[i]))
			return false;
		suitable++;
		r = &targets->item[targets->n - 1].reader;
		why = why_silent(targets, r);
		if (!why)
			continue;
		/* So that the others can be measured. */
		warn("%s: left out: %s", r->function->bdf, why);
		free(why);
		access_close(r);
		targets->n--;
	}
	if (targets->safe_only && !targets->n)
		return fail(s, STATUS_ABSENT,
		            "no function here has a register that is known to "
		            "be free of side effects: name one that a data "
		            "sheet lets you read, by -d BDF -O "
		            "register=BARn+OFFSET");
	reg_addr_format(&targets->addr, text);
	if (!targets->n)
		return fail(s, STATUS_ABSENT,
		            "no function here has a register %s that can be "
		            "read by %s",
		            text, targets->method->name);
	if (!targets->safe_only && suitable < tree->n)
		warn("left out, because register %s cannot be read by %s "
		     "there: %zu of %zu functions",
		     text, targets->method->name, tree->n - suitable, tree->n);
	return true;
}

static bool
add_named(struct session *s, struct targets *targets, const char *list)
{
	bool path = bench_option(s->request, "path");
	char **device = list_split(list);
	bool ok = true;

	if (device[1] && path)
		ok = fail(s, STATUS_TROUBLE, "--path takes one device, not %s",
		          list);
	for (size_t i = 0; ok && device[i]; i++) {
		const struct pci_function *f;
		char bdf[BDF_MAX];

		if (!parse_bdf(device[i], bdf)) {
			ok = fail(s, STATUS_TROUBLE,
			          "%s: not a device (such as 03:00.0)",
			          device[i]);
			break;
		}
		f = function_find(s, targets->tree, bdf);
		ok = f && (path ? add_path(s, targets, f) : add(s, targets, f));
	}
	free(device);
	return ok;
}

bool
targets_open(struct session *s, struct targets *targets)
{
	const struct request *request = s->request;

	if (!targets->tree->n)
		return fail(s, STATUS_ABSENT, "%s: no PCI device here",
		            targets->tree->sysfs);
	if (targets->safe_only)
		targets->safe_regs = safe_regs_read();
	if (bench_option(request, "path") && !request->device)
		return fail(s, STATUS_TROUBLE, "--path needs a device: -d BDF");
	if (!request->device) {
		if (!targets->safe_only && targets->addr.bar != CONFIG_SPACE)
			return fail(s, STATUS_TROUBLE,
			            "-O register needs a device: -d BDF");
		return add_all(s, targets);
	}
	return add_named(s, targets, request->device);
}

bool
targets_open_cross(struct session *s, const struct targets *targets,
                   const char *text, struct target *cross)
{
	const struct access_method *method;
	const struct pci_function *f;
	struct reg_addr named;
	const struct reg_addr *addr = &named;
	char bdf[BDF_MAX];

	reg_addr_parse_of(text, bdf, &named);
	f = function_find(s, targets->tree, bdf);
	if (!f)
		return false;
	if (named.offset == NO_OFFSET)
		addr = addr_of(targets, f);
	if (!addr)
		return fail(s, STATUS_ABSENT,
		            "--cross-traffic %s: name a register, as in "
		            "%s:BAR0+0x8",
		            bdf, bdf);
	method = access_find(targets->method->name, addr);
	if (!method)
		method = access_find("auto", addr);
	return open_target(s, cross, method, f, addr);
}

void
targets_close(struct targets *targets)
{
	for (size_t i = 0; i < targets->n; i++)
		access_close(&targets->item[i].reader);
	free(targets->item);
	safe_regs_free(&targets->safe_regs);
}

bool
targets_are_below(const struct targets *targets, const struct pci_function *f)
{
	for (size_t i = 0; i < targets->n; i++) {
		if (pci_is_below(targets->item[i].reader.function, f))
			return true;
	}
	return false;
}

bool
target_check_awake(struct session *s, const struct target *target)
{
	const struct reader *r = &target->reader;
	const char *bdf = r->function->bdf;

	if (reader_is_suspended(r))
		return fail(s, STATUS_ABSENT,
		            "%s: it sleeps, so that its %s does not answer "
		            "(--hold power wakes it)",
		            bdf,
		            r->addr.bar == CONFIG_SPACE ? "config space"
		                                        : "memory");
	return !reader_may_suspend(r) ||
	       fail(s, STATUS_ABSENT,
	            "%s: it may fall asleep, and its memory then does not "
	            "answer (--hold power keeps it awake)",
	            bdf);
}

static bool
no_answer(struct session *s, const struct reader *r, bool ok)
{
	const char *bdf = r->function->bdf;
	const char *why = errno ? strerror(errno) : "no answer";

	if (ok && mmio_lost())
		return fail(s, STATUS_TROUBLE,
		            "%s: register %s is no longer mapped: the device "
		            "was removed, or a driver took it",
		            bdf, r->text);
	if (ok)
		return fail(s, STATUS_TROUBLE,
		            "%s: register %s reads all ones: the device is "
		            "gone or does not answer%s",
		            bdf, r->text, may_sleep(r));
	return fail(s, STATUS_TROUBLE, "%s: reading register %s: %s", bdf,
	            r->text, why);
}

bool
target_check(struct session *s, struct target *target, bool ok, uint32_t value)
{
	const struct reader *r = &target->reader;

	if (!ok || value == ALL_ONES)
		return no_answer(s, r, ok);
	if (value == target->expected && target->known)
		return true;
	if (target->known && reg_addr_is_constant(&r->addr))
		return fail(s, STATUS_TROUBLE,
		            "%s: register %s was 0x%08" PRIx32
		            " and is 0x%08" PRIx32
		            " by %s: another device has answered",
		            r->function->bdf, r->text, target->expected, value,
		            r->method->name);
	target->changes += target->known;
	target->known = true;
	target->expected = value;
	return true;
}

/* Preamble lines ----------------------------------------------------------- */

static bool
file_has(const char *path, const char *word)
{
	char *text = read_whole("%s", path);
	bool has = text && strstr(text, word);

	free(text);
	return has;
}

/*
 * How the kernel reads config space for sysfs: on x86 through I/O ports, but
 * above 256 bytes and outside of domain 0 through memory.
 * linux/arch/x86/pci/common.c, raw_pci_read.
 */
static void
describe_kernel_access(struct preamble *pre, const struct targets *targets)
{
	bool has_ports = file_has(root_path("/proc/ioports"), "PCI conf1");
	bool has_ecam = file_has(root_path("/proc/iomem"), "PCI ECAM") ||
	                file_has(root_path("/proc/iomem"), "PCI MMCONFIG");
	size_t by_ports = 0;

	for (size_t i = 0; i < targets->n; i++) {
		const struct reader *r = &targets->item[i].reader;

		if (strcmp(r->method->name, "sysfs") != 0)
			return;
		by_ports += has_ports && r->addr.offset < 0x100 &&
		            !bdf_split(r->function->bdf).domain;
	}
	if (by_ports == targets->n)
		preamble_set(pre, "kernel_access", "conf1");
	else if (has_ecam)
		preamble_set(pre, "kernel_access", "%s",
		             by_ports ? "conf1 ecam" : "ecam");
}

void
pio_describe_targets(struct preamble *pre, const struct targets *targets)
{
	const struct pci_function **f;

	if (is_sysfs(targets->tree->sysfs))
		describe_kernel_access(pre, targets);
	f = xcalloc(targets->n, sizeof *f);
	for (size_t i = 0; i < targets->n; i++)
		f[i] = targets->item[i].reader.function;
	pci_describe_paths(pre, targets->tree, f, targets->n);
	free(f);
}
