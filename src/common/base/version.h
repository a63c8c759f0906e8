/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Which version of the programs this is. */
#ifndef PCB_COMMON_BASE_VERSION_H
#define PCB_COMMON_BASE_VERSION_H

/* That of `git describe` when built in a checkout, else VERSION of config.mk.
 */
extern const char program_version[];

#endif
