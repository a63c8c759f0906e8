/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Devices that backends have found, for `pcb-collect list` and for choosing. */
#ifndef PCB_COLLECT_CORE_FINDING_H
#define PCB_COLLECT_CORE_FINDING_H

#include "common/base/util.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct finding {
	const char *backend;
	char *device; /* as the device column names it; "" if none is there */
	char *parent, *link, *driver, *node, *name;
	uint16_t vendor_id, device_id; /* in place of a name; 0 if not PCI */
	unsigned benches;              /* BENCH_BIT of those that can run now */
	bool automatic; /* may be chosen when the user names no device */
	char *why_not;  /* what is missing for the others; "" if nothing */
	char *remedy; /* what would help, for who asks for it; "" if unknown */
};

struct findings {
	struct finding *item;
	size_t n;
};

/* Appends a finding with empty texts; fill it in with finding_text. */
struct finding *findings_add(struct findings *list, const char *backend);
void finding_text(char **field, const char *fmt, ...) PRINTF_LIKE(2, 3);
void findings_free(struct findings *list);

#endif
