/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "doctor/measure.h"

#include "common/doctor/checks.h"
#include "common/sys/root.h"

#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

extern char **environ;

/* Time for a link to wake up. */
static const struct timespec wake_up = {.tv_nsec = 300000000};

/* Starts reads of the function's config space; 0 if that fails. */
static pid_t
start_reads(const char *bdf)
{
	char *argv[] = {"pcb-collect", "lat_cfg", "-q",        "-n",
	                "1G",          "-d",      (char *)bdf, NULL};
	posix_spawn_file_actions_t files;
	pid_t child = 0;

	posix_spawn_file_actions_init(&files);
	posix_spawn_file_actions_addopen(&files, 1, "/dev/null", 1, 0);
	posix_spawn_file_actions_addopen(&files, 2, "/dev/null", 1, 0);
	if (posix_spawnp(&child, argv[0], &files, NULL, argv, environ))
		child = 0;
	posix_spawn_file_actions_destroy(&files);
	return child;
}

/* The function's current link. */
static struct link
link_now(const char *bdf)
{
	struct pci_tree *tree = pci_tree_read(root_path("/sys/bus/pci"));
	const struct pci_function *f = tree ? pci_find(tree, bdf) : NULL;
	struct link link = f ? f->link : (struct link){0};

	pci_tree_free(tree);
	return link;
}

static void
measure_link(struct doctor_finding *row)
{
	pid_t child = start_reads(row->device);
	struct link link;
	char *what;
	int status = 0;

	if (!child) {
		warn("--measure: cannot run pcb-collect");
		return;
	}
	nanosleep(&wake_up, NULL);
	link = link_now(row->device);
	/* If it ended by itself, it has failed. */
	if (waitpid(child, &status, WNOHANG) == 0) {
		kill(child, SIGTERM);
		waitpid(child, &status, 0);
		what = xasprintf("%s; under load gen%ux%u", row->what, link.gen,
		                 link.lanes);
		free(row->what);
		row->what = what;
	} else {
		warn("--measure: pcb-collect lat_cfg cannot read %s",
		     row->device);
	}
}

void
measure_findings(struct doctor *d)
{
	for (size_t i = 0; i < d->found.n; i++) {
		struct doctor_finding *row = &d->found.row[i];

		if (!strncmp(row->check, "link_", 5))
			measure_link(row);
	}
}
