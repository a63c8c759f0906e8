/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Events that pcb-ddio knows by name. */
#ifndef PCB_DDIO_EVENTS_H
#define PCB_DDIO_EVENTS_H

/* What a count is summed over. */
enum scope {
	OF_SOCKET, /* the units of a socket */
	OF_PART,   /* one part of a unit, or one unit */
};

struct event {
	const char *name; /* without part */
	enum scope scope;
	unsigned bytes; /* per count; 0: it moves no data */
};

/* Size of the text of a part. */
#define PART_MAX 4

/*
 * The event called `name`, ignoring case: as in Intel's event files, as in the
 * kernel, or as printed by perf, with the PMU before it
 * ("uncore_imc_0/cas_count_read/") or behind it ("[uncore_cha_3]"). NULL if
 * unknown. Stores a part at the end of the name (".PART3", "_iom3", "_io_3") in
 * `part`, else "".
 */
const struct event *find_event(const char *name, char part[PART_MAX]);

/* The PMU in such a name, as "cha3" or "iio"; "" if none. Free it. */
char *unit_in_event(const char *name);

#endif
