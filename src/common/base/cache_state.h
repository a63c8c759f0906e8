/* SPDX-License-Identifier: GPL-2.0-or-later */
/* States of the host's caches before a window is read or written. */
#ifndef PCB_COMMON_BASE_CACHE_STATE_H
#define PCB_COMMON_BASE_CACHE_STATE_H

#define LINE 64 /* bytes of a cache line of the host */

enum cache {
	CACHE_COLD,
	CACHE_THRASHED,
	CACHE_HOST_WARM,
	CACHE_DEVICE_WARM,
	NCACHES
};

/* Their names in pcb-csv(5), by enum cache. */
extern const char *const cache_names[NCACHES];

#endif
