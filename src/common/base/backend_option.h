/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A row of a backend's table of options: -O NAME=VALUE. */
#ifndef PCB_COMMON_BASE_BACKEND_OPTION_H
#define PCB_COMMON_BASE_BACKEND_OPTION_H

struct backend_option {
	const char *name;  /* NULL ends a table */
	const char *value; /* the default, as text */
	const char *help;
};

#endif
