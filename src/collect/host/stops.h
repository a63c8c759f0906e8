/* SPDX-License-Identifier: GPL-2.0-or-later */
/* How long the process was stopped (as by Ctrl-Z) while time was counted. */
#ifndef PCB_COLLECT_HOST_STOPS_H
#define PCB_COLLECT_HOST_STOPS_H

#include <stdint.h>

/* Zero-initialise. */
struct stops {
	uint64_t looked; /* time of the last look; 0: no time is counted */
	uint64_t ns;     /* all gaps of a second or more between looks */
};

/* Starts a time that is counted, with the first look; returns now_ns(). */
uint64_t stops_begin(struct stops *stops);

/*
 * Returns now_ns(). Looks must follow each other in far less than a second
 * unless the process is stopped. Outside a counted time it adds nothing.
 */
uint64_t stops_look(struct stops *stops);

/* Looks for the last time, and ends the counted time. */
void stops_end(struct stops *stops);

/* Warns, if the process was stopped, that the bandwidth is too low. */
void stops_warn(const struct stops *stops);

#endif
