/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The PCI functions of this machine or of a dump, read through libpci. */
#ifndef PCB_COMMON_PCI_TREE_H
#define PCB_COMMON_PCI_TREE_H

#include "common/pci/registers.h"

#include <stdio.h>

/*
 * Reads the tree below `sysfs` ("/sys/bus/pci", or a copy of it). NULL, with
 * errno, if there is no such directory; n is 0 on a machine without PCI. An
 * ordinary user can read only 64 bytes of config space: links are those of the
 * files of sysfs then, and their other settings are unknown. A function of
 * which nothing can be read has only IDs, class and path; without IDs it is
 * left out, with a warning, and counted in `unread`. Free with pci_tree_free.
 */
struct pci_tree *pci_tree_read(const char *sysfs);

/*
 * The same, but leaves the config space of functions that sleep unread, which
 * would wake them: they have only IDs, class and path.
 */
struct pci_tree *pci_tree_read_awake(const char *sysfs);

/*
 * Whether the kernel lets a function sleep, by its directory in sysfs: reading
 * its config space may wake it. *state is 0 to D3COLD, or more: unknown.
 */
enum { D3HOT = 3, D3COLD };
bool pci_sleeps(const char *directory, size_t *state);

/* The same, also if it is awake but a bridge above it in sysfs sleeps. */
bool pci_is_asleep(const char *directory, size_t *state);

/*
 * Reads the output of lspci -x, -xxx, -xxxx or -vv, or what grep prints of
 * files of sysfs, from a file ("-" is stdin),
 * plain or packed by gzip, which may be a report or a mail with that in it, see
 * listing_read. What the file lacks is unknown: without bytes, classes without
 * a name and, but for lspci -nn, device IDs. If it shows several states of its
 * functions, reads this one, from 1; for 0 the last, and says so. Dies if the
 * file cannot be read or has no such state. Without functions, n is 0.
 */
struct pci_tree *pci_tree_read_dump(const char *file, unsigned state);

/*
 * The text of such a file, one at a time; dies without. pci_text_close dies if
 * it could not be read, and warns if the packed data was cut off; `name` is for
 * messages.
 */
FILE *pci_text_open(const char *file);
void pci_text_close(const char *name);

/*
 * The same as pci_tree_read_dump, of a text. Dies if its facts are of two
 * machines.
 */
struct pci_tree *pci_tree_read_text(FILE *text, const char *name,
                                    unsigned state);

/* Whether it shows what is above a function, not single functions. */
bool pci_has_ports(const struct pci_tree *tree);

/* Warns if a part of such a text is missing; pci_tree_read_dump does. */
void pci_tree_say_lacking(const struct pci_tree *tree, const char *name);

/* Says what a text without functions is, and what to print instead; dies. */
_Noreturn void pci_refuse_dump(const struct pci_tree *tree, const char *file);

/* The same as pci_tree_read_dump; dies without functions. */
struct pci_tree *pci_tree_need_dump(const char *file, unsigned state);

/*
 * "-" if standard input is a file, a pipe or a socket: what is given is read,
 * and this machine only without. Else NULL. If nothing comes in 3 seconds, says
 * what it waits for.
 */
const char *pci_dump_given(void);

void pci_tree_free(struct pci_tree *tree);

/*
 * The names of vendor and device, or their numbers if the ID database lacks
 * them. Free it. The first call reads the database, up to 50 ms.
 */
char *pci_name(uint16_t vendor_id, uint16_t device_id);

/* Functions of a tree, in its order. */
struct pci_matches {
	const struct pci_function **item; /* free the array */
	size_t n;
};

/*
 * Finds the functions that a text names:
 *   a BDF                       03:00.0, 0000:03:00.0; 03:00 is function 0
 *   vendor and device ID        8086:1533, all functions with these IDs
 *   a path of /sys              /sys/class/net/eth0: the function above it
 *   a device of the kernel      eth0, nvme0, /dev/nvme0n1, mlx5_0, card0: the
 *                               function above it in /sys/class
 * Paths and kernel names work only for the tree of this machine, not for a
 * dump. Returns NULL, or why nothing matches (a constant); n is 0 then.
 */
const char *pci_match(const struct pci_tree *tree, const char *text,
                      struct pci_matches *found);

#endif
