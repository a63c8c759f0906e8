/* From -d to a backend, and what `pcb-collect list` shows. */
#ifndef PCB_COLLECT_CHOOSE_H
#define PCB_COLLECT_CHOOSE_H

#include "collect/options.h"

/*
 * Sets the backend and request.which from the text of -d (NULL: not given):
 * a BDF, or BACKEND[:WHICH], or else the first backend with a device that may
 * be chosen automatically. A text that names nothing dies as a usage error.
 * Returns STATUS_OK, or STATUS_ABSENT after having said why.
 */
int choose_backend(struct collection *c, const char *device);

/*
 * Dies if an -O names no option of the backend, or if another option has no
 * meaning with it; prints the help of its options and exits 0 for -O help.
 */
void check_settings(const struct collection *c);

/*
 * After that: the backend's own defaults, and columns for those of its options
 * that tell rows apart.
 */
void add_defaults(struct collection *c);

/* Writes what every backend finds. */
void list_findings(const struct command *command);

#endif
