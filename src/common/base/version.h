/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The version of the programs. */
#ifndef PCB_COMMON_BASE_VERSION_H
#define PCB_COMMON_BASE_VERSION_H

/* From `git describe` in a checkout, else VERSION of config.mk. */
extern const char program_version[];

#endif
