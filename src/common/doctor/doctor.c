/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Runs all checks; findings, their cost by the model, and what checks share. */
#include "common/doctor/doctor.h"

#include "common/link/model.h"
#include "common/pci/path.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define NVIDIA 0x10de /* vendor ID */

/* Round trip of a read that costs assume, in ps. */
#define COST_RTT_PS 1000000

const char *const doctor_sure_names[] = {
    [SURE_BY_DESIGN] = "by design",
    [SURE_LIKELY] = "likely",
    [SURE_CERTAIN] = "certain",
};

struct doctor_finding *
doctor_add(struct doctor *d, const char *check, enum sure sure,
           const char *reason, const struct pci_function *f)
{
	struct doctor_findings *all = &d->found;
	struct doctor_finding *row;

	array_push(all->row, all->n,
	           (struct doctor_finding){
	               .check = check,
	               .sure = sure,
	               .reason = sure == SURE_BY_DESIGN ? reason : "",
	               .what = xstrdup(""),
	               .cost = xstrdup(""),
	               .now_gbit_s = NAN,
	               .could_gbit_s = NAN,
	               .fix = xstrdup(""),
	               .verify = xstrdup(""),
	               .risk = "",
	           });
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

void
doctor_findings_free(struct doctor_findings *all)
{
	for (size_t i = 0; i < all->n; i++) {
		struct doctor_finding *f = &all->row[i];

		free(f->what);
		free(f->cost);
		free(f->fix);
		free(f->verify);
	}
	free(all->row);
	*all = (struct doctor_findings){0};
}

const struct pci_function *
doctor_port_above(const struct doctor *d, const struct pci_function *f)
{
	const struct pci_function *up = pci_find(d->tree, f->parent);

	return up && (up->pcie.port == PORT_ROOT ||
	              up->pcie.port == PORT_DOWNSTREAM)
	           ? up
	           : NULL;
}

bool
doctor_is_gpu(const struct pci_function *f)
{
	return f->class_code >> 24 == 0x03 || f->class_code >> 24 == 0x12;
}

bool
doctor_is_nic(const struct pci_function *f)
{
	return f->class_code >> 24 == 0x02;
}

bool
doctor_is_nvme(const struct pci_function *f)
{
	return f->class_code >> 16 == 0x0108;
}

/* At least gen 3 x8 or gen 4 x4. */
bool
doctor_is_fast(const struct pci_function *f)
{
	return (doctor_is_gpu(f) || doctor_is_nic(f) || doctor_is_nvme(f)) &&
	       f->link.bus == BUS_PCIE && link_raw_gbit_s(&f->link) > 60;
}

const char *
doctor_short_bdf(const struct pci_function *f)
{
	return strncmp(f->bdf, "0000:", 5) ? f->bdf : f->bdf + 5;
}

void
doctor_verify(struct doctor_finding *row, const struct pci_function *f)
{
	const char *bdf = doctor_short_bdf(f);

	if (doctor_is_gpu(f))
		doctor_say(&row->verify,
		           "pcb-collect bw_rd -d %s:%s -s 512 | pcb-stats",
		           f->vendor_id == NVIDIA ? "gpu" : "vulkan", bdf);
	else if (doctor_is_nvme(f))
		doctor_say(
		    &row->verify,
		    "pcb-collect bw_wr -d nvme:%s -O unbind=yes -s 64K | "
		    "pcb-stats",
		    bdf);
	else
		doctor_say(&row->verify,
		           "pcb-collect lat_cfg -d %s | pcb-stats", bdf);
}

void
doctor_set_cost(struct doctor_finding *row, const struct pci_function *f,
                double now, double could, const char *what)
{
	doctor_verify(row, f);
	if (isnan(now) || isnan(could))
		return;
	row->now_gbit_s = now;
	row->could_gbit_s = could;
	doctor_say(&row->cost, "%.1f of %.1f Gbit/s of %s", now, could, what);
}

double
doctor_gbit_s(const struct pci_tree *tree, const struct pci_function *f,
              const char *bench, uint64_t size, uint64_t inflight)
{
	const struct transfer t = {.size = size};
	struct path path = {0};
	struct link_config config;
	double gbit_s = NAN;

	if (path_find(&path, tree, f))
		return NAN;
	config = path_link_config(&path);
	config.accounting = ACCOUNTING_TRAFFIC;
	/* A bridge forwards requests of any size. */
	if (f->pcie.port != PORT_ENDPOINT && config.link.mrrs < 512)
		config.link.mrrs = config.back.mrrs = 512;
	if (inflight)
		config.bounds = (struct bounds){.inflight = inflight,
		                                .rtt_ps = COST_RTT_PS};
	if (!why_no_model(&config.link))
		gbit_s = expect(&config, find_work(bench), &t).gbit_s;
	path_free(&path);
	return gbit_s;
}
