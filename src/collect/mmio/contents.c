/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Saves the contents of a device's memory and restores them. */
#include "collect/mmio/contents.h"

#include "collect/host/arch.h"
#include "collect/pci/mmio_map.h"
#include "common/base/debug.h"
#include "common/base/util.h"

#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>

static void
copy_back(const struct contents *c)
{
	for (uint64_t i = 0; i < c->size / sizeof *c->before; i++)
		c->at[i] = c->before[i];
	stores_leave();
}

/* A removed device reads all ones. */
static bool
is_back(const struct contents *c)
{
	bool same = true, ones = true;

	for (uint64_t i = 0; i < c->size / sizeof *c->before; i++) {
		uint64_t value = c->at[i];

		same = same && value == c->before[i];
		ones = ones && value == UINT64_MAX;
	}
	return same || ones || mmio_lost();
}

/* The guardian blocks all signals, but SIGBUS must be handled. */
static void
undo(void *data)
{
	const struct contents *c = data;
	sigset_t lost;

	sigemptyset(&lost);
	sigaddset(&lost, SIGBUS);
	sigprocmask(SIG_UNBLOCK, &lost, NULL);
	copy_back(c);
	debug(DEBUG_RESTORE, "%s: put back %ju bytes", c->bdf,
	      (uintmax_t)c->size);
	if (!is_back(c))
		warn("%s: cannot restore the contents of its memory: it does "
		     "not keep what is written",
		     c->bdf);
}

bool
contents_keep(struct session *s, struct contents *c)
{
	c->before = xmalloc(c->size);
	for (uint64_t i = 0; i < c->size / sizeof *c->before; i++)
		c->before[i] = c->at[i];
	if (guardian_start(&c->guardian, undo, c))
		return true;
	fail(s, STATUS_ABSENT, "%s: a process to put its memory back: %s",
	     c->bdf, strerror(errno));
	free(c->before);
	c->before = NULL;
	return false;
}

void
contents_put_back(struct contents *c)
{
	if (!c->before)
		return;
	/* If the guardian was killed, this process restores. */
	if (!guardian_end(&c->guardian))
		undo(c);
	free(c->before);
	*c = (struct contents){0};
}
