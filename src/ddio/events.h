/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Events by whose names pcb-ddio knows them. */
#ifndef PCB_DDIO_EVENTS_H
#define PCB_DDIO_EVENTS_H

/* What a count stands for. */
enum scope {
	OF_SOCKET, /* summed over the units of a socket */
	OF_PART,   /* of one part of one unit, or of one unit */
};

struct event {
	const char *name; /* without its part */
	enum scope scope;
	unsigned bytes; /* that one count stands for; 0: it moves no data */
};

/* Room for the number of a part. */
#define PART_MAX 4

/*
 * The event called `name`, in capitals or not: as Intel's event files or as
 * the kernel names it, and as perf prints it, with the PMU before it
 * ("uncore_imc_0/cas_count_read/") or behind it ("[uncore_cha_3]"). NULL for
 * any other. A part that the name ends in (".PART3", "_iom3", "_io_3") goes to
 * `part`, which is "" without one.
 */
const struct event *find_event(const char *name, char part[PART_MAX]);

/*
 * The PMU in such a name, as "cha3" or "iio"; "" if there is none. Free it.
 */
char *unit_in_event(const char *name);

#endif
