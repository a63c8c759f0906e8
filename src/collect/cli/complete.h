/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Completes devices and options of backends. */
#ifndef PCB_COLLECT_CLI_COMPLETE_H
#define PCB_COLLECT_CLI_COMPLETE_H

#include <stddef.h>

/* Both are for `complete` of struct option_def. */

/* Backends, their profiles, and the devices that they find. */
void complete_devices(size_t n, char *const word[]);

/* "NAME=" of the backends that -d names or, without it, that have the bench. */
void complete_backend_options(size_t n, char *const word[]);

#endif
