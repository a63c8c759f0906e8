/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Runs all checks; findings, their cost by the model, and what checks share. */
#include "common/doctor/doctor.h"

#include "common/link/model.h"

#include <math.h>
#include <pci/pci.h>

/* Vendor IDs. */
#define NVIDIA 0x10de
#define AMD    0x1022 /* CPUs and chipsets; not its GPUs */

/* What at least gen 3 x8 or gen 4 x4 carries, in Gbit/s. */
#define FAST 50

/* Round trip of a read that costs assume, in ps. */
#define COST_RTT_PS 1000000

const char *const doctor_sure_names[] = {
    [SURE_BY_DESIGN] = "by design",
    [SURE_LIKELY] = "likely",
    [SURE_CERTAIN] = "certain",
};

struct doctor_finding *
doctor_add(struct doctor *d, const char *check, enum sure sure,
           const char *reason, const struct pci_function *f, const char *fmt,
           ...)
{
	struct doctor_findings *all = &d->found;
	struct doctor_finding *row;
	va_list ap;

	va_start(ap, fmt);
	array_push(all->row, all->n,
	           (struct doctor_finding){
	               .check = check,
	               .sure = sure,
	               .reason = sure == SURE_BY_DESIGN ? reason : "",
	               .what = xvasprintf(fmt, ap),
	               .cost = xstrdup(""),
	               .now_gbit_s = NAN,
	               .could_gbit_s = NAN,
	               .fix = xstrdup(""),
	               .verify = xstrdup(""),
	               .risk = "",
	           });
	va_end(ap);
	row = &all->row[all->n - 1];
	all->certain += sure == SURE_CERTAIN;
	if (f)
		memcpy(row->device, f->bdf, sizeof row->device);
	return row;
}

void
doctor_say(char **text, const char *fmt, ...)
{
	va_list ap;

	free(*text);
	va_start(ap, fmt);
	*text = xvasprintf(fmt, ap);
	va_end(ap);
}

static void
drop(struct doctor_findings *all)
{
	struct doctor_finding *f = &all->row[--all->n];

	all->certain -= f->sure == SURE_CERTAIN;
	free(f->what);
	free(f->cost);
	free(f->fix);
	free(f->verify);
}

void
doctor_drop(struct doctor *d)
{
	drop(&d->found);
}

void
doctor_findings_free(struct doctor_findings *all)
{
	while (all->n)
		drop(all);
	free(all->row);
	free(all->missing);
	*all = (struct doctor_findings){0};
}

const struct pci_function *
doctor_port_above(const struct pci_function *f)
{
	const struct pci_function *up = f->up;

	return up && (up->pcie.port == PORT_ROOT ||
	              up->pcie.port == PORT_DOWNSTREAM)
	           ? up
	           : NULL;
}

bool
doctor_is_fast(const struct pci_function *f)
{
	struct link awake = pci_awake_link(f);

	return pci_class_of(f) && awake.bus == BUS_PCIE &&
	       link_raw_gbit_s(&awake) > FAST;
}

/* What lspci prints for it; free it. */
static char *
name_of(const struct pci_function *f)
{
	return f->title ? xstrdup(f->title)
	                : pci_name(f->vendor_id, f->device_id);
}

bool
doctor_is_named(const struct pci_function *f, const char *word)
{
	char *name = f->title ? f->title : name_of(f);
	bool named = strstr(name, word);

	if (!f->title)
		free(name);
	return named;
}

bool
doctor_is_guest(const struct pci_tree *tree)
{
	static const uint16_t ids[] = {0x1414, 0x15ad, 0x1af4,
	                               0x1b36, 0x5853, 0x80ee};
	static const char *const names[] = {"Red Hat", "VMware", "XenSource",
	                                    "VirtualBox", "Hyper-V"};
	bool is = false;

	for (size_t i = 0; i < tree->n && !is; i++) {
		const struct pci_function *f = &tree->function[i];

		for (size_t k = 0; k < ARRAY_LEN(ids); k++)
			is |= f->vendor_id == ids[k];
		for (size_t k = 0; f->title && k < ARRAY_LEN(names); k++)
			is |= strstr(f->title, names[k]) != NULL;
	}
	return is;
}

const char *
doctor_vendor(const struct pci_function *f)
{
	static const char *const vendors[] = {
	    "NVIDIA", "AMD", "Intel", "Mellanox", "Broadcom", "Netronome"};

	for (size_t i = 0; i < ARRAY_LEN(vendors); i++) {
		if (doctor_is_named(f, vendors[i]))
			return vendors[i];
	}
	return "this vendor";
}

bool
doctor_is_dead(const struct pci_function *f)
{
	/* The IDs of a virtual function are ones, too, but not its class. */
	return (f->id & f->class_code) == 0xffffffff ||
	       (!f->id && f->pcie.port == PORT_UNSEEN && f->ones);
}

void
doctor_expect_dead(struct doctor *d, const struct pci_function *bridge)
{
	d->dead = bridge;
	d->dead_row = d->found.n - 1;
	d->dead_below = 0;
}

bool
doctor_is_unseen(const struct pci_function *f)
{
	const struct pci_registers *r = &f->registers;

	/* Lines of grep: a BAR, ACS, LnkSta. */
	return (f->pcie.port == PORT_UNSEEN || f->pcie.placed) &&
	       !r->seen[REG_REBARCTL] && !r->seen[REG_ACSCTL] &&
	       !(r->seen[REG_LNKSTA] & PCI_EXP_LNKSTA_WIDTH);
}

bool
doctor_is_linked(const struct pci_function *f)
{
	const struct pcie_cap *e = &f->pcie;

	/* An older lspci does not know the rate of a later generation. */
	bool newer =
	    !e->gen && (f->registers.seen[REG_LNKSTA] & PCI_EXP_LNKSTA_SPEED);

	return f->link.bus == BUS_PCIE ||
	       (e->lanes && (newer || (!e->mps && e->gen && e->gen < 8)) &&
	        (e->port == PORT_ENDPOINT || e->port == PORT_UPSTREAM));
}

bool
doctor_has_slot(const struct pci_function *port)
{
	return port->registers.value[REG_FLAGS] & PCI_EXP_FLAGS_SLOT;
}

bool
doctor_may_have_slot(const struct pci_function *port)
{
	return doctor_has_slot(port) || port->pcie.files;
}

/*
 * Ports of tunnels say 2.5 GT/s x4 whatever they carry; no other port of Intel
 * with a capability of version 2 does.
 */
static bool
tunnels(const struct pci_function *f)
{
	const struct pci_registers *r = &f->registers;

	if (doctor_is_named(f, "Thunderbolt") || doctor_is_named(f, "USB4"))
		return true;
	return f->pcie.port != PORT_ENDPOINT &&
	       (f->pcie.files ||
	        register_field(r, REG_FLAGS, PCI_EXP_FLAGS_VERS) >= 2) &&
	       register_field(r, REG_LNKCAP, PCI_EXP_LNKCAP_SPEED) == 1 &&
	       register_field(r, REG_LNKCAP, PCI_EXP_LNKCAP_WIDTH) == 4 &&
	       doctor_is_named(f, "Intel");
}

unsigned
doctor_aspm(const struct pci_function *f)
{
	return f ? register_field(&f->registers, REG_LNKCTL,
	                          PCI_EXP_LNKCTL_ASPM)
	         : 0;
}

bool
doctor_is_tunnel(const struct pci_function *f)
{
	while (f && !tunnels(f))
		f = f->up;
	return f;
}

static bool
is_by_amd(const struct pci_function *f)
{
	return f->vendor_id == AMD || (f->title && strstr(f->title, "[AMD] "));
}

bool
doctor_is_chipset(const struct pci_function *f)
{
	return (f->pcie.port == PORT_UPSTREAM ||
	        f->pcie.port == PORT_DOWNSTREAM) &&
	       is_by_amd(f);
}

bool
doctor_is_inside(const struct pci_function *f)
{
	const struct pci_function *up = f->up;

	return up && is_by_amd(up) &&
	       ((f->pcie.port == PORT_ENDPOINT && is_by_amd(f)) ||
	        doctor_is_named(up, "Internal"));
}

bool
doctor_moves_data(const struct pci_function *f)
{
	unsigned base = f->class_code >> 24;

	return (pci_class_of(f) == CLASS_GPU || base == 0x01 || base == 0x02 ||
	        base == 0x11 || base == 0xff ||
	        f->class_code >> 16 == 0x0c03) &&
	       !doctor_is_inside(f) && !doctor_is_named(f, "management") &&
	       !doctor_is_named(f, "Virtual");
}

/* The highest rate in a name, such as "10-Gigabit", "2.5GbE", "10G"; or 0. */
static double
rate_in(const char *name)
{
	double rate = strstr(name, "Gigabit") ? 1 : 0, n;
	char *end;

	for (const char *at = name; *at; at = end) {
		size_t word = strcspn(at, " [(/");

		n = strtod(at, &end);
		if (end > at && n <= 800 && end[strspn(end, " -")] == 'G' &&
		    n > rate)
			rate = n;
		end = (char *)at + word + (at[word] != '\0');
	}
	return rate;
}

/* What all functions of its device carry at most; infinite: unknown. */
static double
device_gbit_s(const struct pci_tree *tree, const struct pci_function *f)
{
	struct pci_function any = *f;
	char *name = name_of(f), *last = any.bdf + strlen(any.bdf) - 1;
	double rate = f->class_code >> 16 == 0x0200 ? rate_in(name) : 0,
	       all = 0;
	bool wireless = f->class_code >> 16 == 0x0280;

	free(name);
	for (*last = '0'; rate > 0 && *last < '8'; ++*last)
		all += pci_find(tree, any.bdf) ? rate : 0;
	/* Wi-Fi 7 with two streams of 320 MHz. */
	if (wireless)
		return 5.8;
	/* USB 3.2: one port of 20 Gbit/s. */
	return f->class_code >> 16 == 0x0c03 ? 20 : rate > 0 ? all : INFINITY;
}

const char *
doctor_short_bdf(const struct pci_function *f)
{
	return *f->bdf == '?' ? "BDF" : bdf_short(f->bdf);
}

void
doctor_verify(struct doctor_finding *row, const struct pci_function *f,
              const char *bench)
{
	const char *bdf = doctor_short_bdf(f);

	if (!strcmp(bench, "lat_cfg"))
		doctor_say(&row->verify,
		           "pcb-collect lat_cfg -d %s | pcb-stats", bdf);
	else if (pci_class_of(f) == CLASS_GPU)
		doctor_say(&row->verify,
		           "pcb-collect %s -d %s:%s -s 512 | pcb-stats", bench,
		           f->vendor_id == NVIDIA ||
		                   doctor_is_named(f, "NVIDIA")
		               ? "gpu"
		               : "vulkan",
		           bdf);
	else if (pci_class_of(f) == CLASS_NVME)
		doctor_say(&row->verify,
		           "pcb-collect %s -d nvme:%s -O unbind=yes -s 64K | "
		           "pcb-stats",
		           bench, bdf);
}

/* The device needs no more, as far as anybody can know; but it had it. */
static void
soften(struct doctor *d, struct doctor_finding *row)
{
	if (!strncmp(row->check, "lost_", 5))
		return;
	d->found.certain -= row->sure == SURE_CERTAIN;
	if (row->sure != SURE_BY_DESIGN)
		row->reason = "device";
	row->sure = SURE_BY_DESIGN;
}

void
doctor_set_cost(struct doctor *d, struct doctor_finding *row,
                const struct pci_function *f, double now, double could,
                const char *bench, const char *what)
{
	double most = device_gbit_s(d->tree, f);

	/* No number, or another link of the path limits by as much. */
	if (!(could >= now))
		return;
	if (isinf(most) && pci_class_of(f) == CLASS_NIC && could < FAST) {
		if (strncmp(row->check, "link_", 5) != 0)
			soften(d, row);
		return;
	}
	if (now >= most) {
		soften(d, row);
		doctor_say(&row->cost,
		           "nothing: the device needs at most %g Gbit/s", most);
		return;
	}
	could = could > most ? most : could;
	row->now_gbit_s = now;
	row->could_gbit_s = could;
	doctor_say(&row->cost, "%.1f of %.1f Gbit/s of %s", could - now, could,
	           what);
	doctor_verify(row, f, bench);
}

double
doctor_bound(const struct path *path, const struct pci_function *f,
             const char *bench, uint64_t size, uint64_t inflight)
{
	const struct transfer t = {.size = size};
	struct link_config config = path_link_config(path);

	config.accounting = ACCOUNTING_TRAFFIC;
	/* A bridge forwards requests of any size. */
	if (f->pcie.port != PORT_ENDPOINT && config.link.mrrs < 512)
		config.link.mrrs = config.back.mrrs = 512;
	if (inflight)
		config.bounds = (struct bounds){.inflight = inflight,
		                                .rtt_ps = COST_RTT_PS};
	return why_no_model(&config.link)
	           ? NAN
	           : expect(&config, find_work(bench), &t).gbit_s;
}

double
doctor_gbit_s(const struct pci_function *f, const char *bench, uint64_t size,
              uint64_t inflight)
{
	struct path path = {0};
	double gbit_s = path_find(&path, f)
	                    ? NAN
	                    : doctor_bound(&path, f, bench, size, inflight);

	path_free(&path);
	return gbit_s;
}
