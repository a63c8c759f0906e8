/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Lists GPUs. Reads sysfs first; then loads drivers in a child process, because
 * they may crash or hang.
 */
#include "collect/vulkan/gpu.h"

#include "collect/pci/device.h"
#include "common/sys/root.h"

#include <dirent.h>
#include <fcntl.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#define LIMIT_MS   5000
#define REASON_MAX 512

/* The answer of the child process. */
struct answer {
	bool usable;
	char reason[REASON_MAX];
};

static bool
vulkan_has_render_node(const struct pci_function *f)
{
	char *path =
	    xasprintf("%s/devices/%s/drm", root_path("/sys/bus/pci"), f->bdf);
	DIR *dir = opendir(path);
	const struct dirent *entry;
	bool found = false;

	while (dir && !found && (entry = readdir(dir)))
		found = !strncmp(entry->d_name, "renderD", 7);
	if (dir)
		closedir(dir);
	free(path);
	return found;
}

/* The child process. Drops the output of drivers. */
static _Noreturn void
vulkan_answer(int to, const char *bdf)
{
	struct session s = {0};
	struct vulkan_device d = {0};
	struct answer answer = {0};
	int null = open("/dev/null", O_RDWR | O_CLOEXEC);

	dup2(null, STDIN_FILENO);
	dup2(null, STDOUT_FILENO);
	dup2(null, STDERR_FILENO);
	answer.usable = vulkan_device_check(&s, &d, bdf);
	if (!answer.usable)
		snprintf(answer.reason, sizeof answer.reason, "%s",
		         s.failure.text);
	if (write(to, &answer, sizeof answer) != sizeof answer)
		_exit(1);
	_exit(0);
}

/* Reads the answer, or stores why there is none. */
static void
vulkan_hear(pid_t pid, int from, struct answer *answer)
{
	struct pollfd ready = {.fd = from, .events = POLLIN};
	int got = poll(&ready, 1, LIMIT_MS);
	int status = 0;

	if (got > 0 && read(from, answer, sizeof *answer) == sizeof *answer) {
		waitpid(pid, &status, 0);
		return;
	}
	kill(pid, SIGKILL);
	waitpid(pid, &status, 0);
	answer->usable = false;
	snprintf(answer->reason, sizeof answer->reason,
	         got > 0 ? "%s ends the process that loads it"
	                 : "%s does not answer in 5 s",
	         VULKAN_SONAME);
}

static void
vulkan_ask(const char *bdf, struct answer *answer)
{
	int end[2];
	pid_t pid;

	*answer = (struct answer){.reason = "no process to ask the driver"};
	if (pipe2(end, O_CLOEXEC))
		return;
	pid = fork();
	if (!pid)
		vulkan_answer(end[1], bdf);
	close(end[1]);
	if (pid > 0)
		vulkan_hear(pid, end[0], answer);
	close(end[0]);
}

void
vulkan_probe(const struct request *request, struct findings *list)
{
	struct pci_tree *tree = pci_tree_read(root_path("/sys/bus/pci"));

	(void)request;
	for (size_t i = 0; tree && i < tree->n; i++) {
		const struct pci_function *f = &tree->function[i];
		struct finding *found;
		struct answer answer;

		if (f->class_code >> 24 != 3 || !vulkan_has_render_node(f))
			continue;
		vulkan_ask(f->bdf, &answer);
		found = function_found(list, "vulkan", f);
		found->automatic = answer.usable;
		found->benches = answer.usable ? GPU_BENCHES : 0;
		finding_text(&found->why_not, "%s", answer.reason);
	}
	pci_tree_free(tree);
}
