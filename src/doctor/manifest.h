/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What a machine had when it was good, by dumps: what is lost since. */
#ifndef PCB_DOCTOR_MANIFEST_H
#define PCB_DOCTOR_MANIFEST_H

#include "common/doctor/doctor.h"

/*
 * Adds a finding for all that the tree lacks of the one in a dump: devices,
 * links, settings. Functions are at the same place if the devices and functions
 * from the root bus down are; bus numbers do not count. Sets d->examined to the
 * number of links, d->unseen to that of links which only the dump shows.
 */
void manifest_compare(struct doctor *d, const char *file);

/* Writes such a dump of this machine or a copy of sysfs, as lspci -xxxx does.
 */
void manifest_save(const struct pci_tree *tree, const char *file);

#endif
