/* SPDX-License-Identifier: GPL-2.0-or-later */
/* From -d to a backend. */
#ifndef PCB_COLLECT_CLI_CHOOSE_BACKEND_H
#define PCB_COLLECT_CLI_CHOOSE_BACKEND_H

#include "collect/run/collection.h"

/*
 * Sets the backend and request.device from the text of -d: BACKEND[:WHICH]; a
 * function, or for BENCH_PIO a list of them, named as device_names_find() takes
 * them; or the name by which a backend knows a device. NULL (not given) is the
 * first backend with a device that may be chosen automatically, and "hw" the
 * first one that does not simulate. A text that names nothing dies as a usage
 * error. Returns STATUS_OK, or STATUS_ABSENT after having said why.
 */
int choose_backend(struct collection *c, const char *device);

/*
 * The backend that a value of -d names, alone or as BACKEND:WHICH. NULL if it
 * names none, or is NULL.
 */
const struct backend *named_backend(const char *device);

/* Sets the backend to the first that has a function `find`. */
void choose_finder(struct collection *c);

#endif
