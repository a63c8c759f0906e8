/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Devices that backends find, for `pcb-collect list` and for choosing one. */
#ifndef PCB_COLLECT_CORE_FINDING_H
#define PCB_COLLECT_CORE_FINDING_H

#include "common/base/util.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct finding {
	const char *backend;
	char *device; /* value of the device column; "": no device */
	char *parent, *link, *driver, *node, *name;
	uint16_t vendor_id, device_id; /* instead of a name; 0 if not PCI */
	unsigned benches;              /* BENCH_BIT of those that can run now */
	bool automatic; /* a candidate if the user names no device */
	char *why_not;  /* why the other benches cannot run; or "" */
	char *remedy;   /* what would help, for a user who asks for it; or "" */
};

struct findings {
	struct finding *item;
	size_t n;
};

/* Appends a finding with empty texts; set them with finding_text. */
struct finding *findings_add(struct findings *list, const char *backend);
void finding_text(char **field, const char *fmt, ...) PRINTF_LIKE(2, 3);
void findings_free(struct findings *list);

#endif
