/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Ways for the CPU to read 32 bits of a function. Each is one file with one
 * struct method, listed in access.c; ARCHITECTURE.md shows how to add one.
 */
#ifndef PCB_COLLECT_PIO_ACCESS_H
#define PCB_COLLECT_PIO_ACCESS_H

#include "collect/core/backend.h"
#include "collect/pio/reg_addr.h"
#include "common/pci/tree.h"

struct vfio_iommu;

/* One register, opened: a descriptor or a mapping of its own. */
struct reader {
	const struct method *method;
	const struct pci_function *function;
	struct place place;
	int fd;   /* or -1 */
	off_t at; /* of the register in that file */
	volatile void *map;
	const volatile uint32_t *word; /* the register, where it is mapped */
	struct vfio_iommu *iommu;      /* of a function by VFIO */
};

struct method {
	const char *name; /* of -O access, and in the column `access` */
	const char *help;
	bool reads_config, reads_bars;
	bool wakes; /* the kernel keeps awake what is read, and what is above */

	/*
	 * Whether it can be tried on this function: asked where the user
	 * names none. NULL: on all.
	 */
	bool (*suits)(const struct pci_tree *tree, const struct reader *r);

	/*
	 * Opens what the reader says, of the tree; true, or false after
	 * fail(). Nothing of the device changes. close follows in any case.
	 */
	bool (*open)(struct session *s, const struct pci_tree *tree,
	             struct reader *r);

	/*
	 * The timed access, which does nothing else. False if there was no
	 * answer: errno says why, or is 0.
	 */
	bool (*read)(const struct reader *r, uint32_t *value);

	/* What close_reader does not do; NULL: nothing. */
	void (*close)(struct reader *r);
};

/*
 * The method of this name for a place, or NULL; "auto" is the first that reads
 * such places.
 */
const struct method *find_method(const char *name, const struct place *place);

/* The names of those that read such a place, ", " between. Free it. */
char *list_methods(const struct place *place);

/*
 * Opens a reader of one register. The tree and its function must outlive it.
 * False after fail(), with nothing left open.
 */
bool open_reader(struct session *s, const struct method *method,
                 const struct pci_tree *tree, const struct pci_function *f,
                 const struct place *place, struct reader *r);
void close_reader(struct reader *r);

/*
 * Whether the function would not answer by this method since it sleeps by
 * runtime power management, or a bridge above; and whether it may begin to, so
 * that a read of its memory, which some machines do not survive, must not be
 * tried without keeping it awake.
 */
bool reader_sleeps(const struct pci_tree *tree, const struct reader *r);
bool reader_may_fall_asleep(const struct pci_tree *tree,
                            const struct reader *r);

/*
 * For methods: maps the page of r->fd that holds the byte `at`, to be read
 * only, and points r->word at it. False with errno.
 */
bool map_word(struct reader *r, uint64_t at);

/* For methods: reads r->word. */
bool read_word(const struct reader *r, uint32_t *value);

/* For methods: reads 4 bytes at r->at of r->fd. */
bool read_file(const struct reader *r, uint32_t *value);

/*
 * For methods: whether config space, by the size of its file of sysfs, holds
 * the register; where that cannot be told, it does. check_size fails if not.
 */
bool has_register(const struct pci_tree *tree, const struct reader *r);
bool check_size(struct session *s, const struct pci_tree *tree,
                const struct reader *r);

/* Whether the kernel says that it is locked down. */
bool is_locked_down(void);

#endif
