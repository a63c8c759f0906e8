/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "collect/cli/complete.h"

#include "collect/cli/choose_backend.h"
#include "common/sys/datadir.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void
print_devices(const struct backend *backend)
{
	const struct request request = {0};
	struct findings found = {0};

	backend_probe(backend, &request, &found);
	for (size_t i = 0; i < found.n; i++) {
		if (*found.item[i].device)
			puts(found.item[i].device);
	}
	findings_free(&found);
}

void
complete_devices(size_t n, char *const word[])
{
	(void)n;
	(void)word;
	puts("hw");
	for (const struct backend *const *b = backends; *b; b++) {
		puts((*b)->name);
		print_devices(*b);
		if ((*b)->profiles) {
			char *prefix = xasprintf("%s:", (*b)->name);

			share_names((*b)->profiles, prefix);
			free(prefix);
		}
	}
}

/* The value of -d or --device; NULL if not given. */
static const char *
device_among(size_t n, char *const word[])
{
	for (size_t i = 0; i + 1 < n; i++) {
		if (!strcmp(word[i], "-d") || !strcmp(word[i], "--device"))
			return word[i + 1];
	}
	return NULL;
}

static const struct bench *
bench_among(size_t n, char *const word[])
{
	const struct bench *bench = NULL;

	for (size_t i = 0; i < n && !bench; i++)
		bench = find_bench(word[i]);
	return bench;
}

void
complete_backend_options(size_t n, char *const word[])
{
	const struct backend *named = named_backend(device_among(n, word));
	const struct bench *bench = bench_among(n, word);

	for (const struct backend *const *b = backends; *b; b++) {
		const struct backend_option *o = (*b)->options;

		if (named ? *b != named
		          : bench && !((*b)->benches & BENCH_BIT(bench->id)))
			continue;
		for (; o && o->name; o++)
			printf("%s=\n", o->name);
	}
}
