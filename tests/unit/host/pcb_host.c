/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The simulated device with its host behind a pipe: engine and link are
 * pcb-collect's, every call of the host goes to pcb-host. The results must be
 * those of pcb-collect alone.
 */
#include "collect/core/backend.h"
#include "common/base/util.h"
#include "common/sim/host.h"
#include "rig/sim.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#define SAMPLES 500

/* pcb-host, and unanswered requests. */
static struct {
	FILE *to, *from;
	pid_t pid;
} host;

/* Runs pcb-host with all parameters of the device's host. */
static void
run_host(const struct sim_params *params)
{
	char *argv[4 + 2 * SIM_NPARAMS] = {"pcb-host", "--at", "root"};
	size_t n = 3;

	for (size_t i = 0; i < SIM_NPARAMS; i++) {
		argv[n++] = "-O";
		argv[n++] =
		    xasprintf("%s=%s", sim_options[i].name, params->text[i]);
	}
	execvp(*argv, argv);
	_exit(127);
}

static void
start_host(const struct sim_params *params)
{
	int in[2], out[2];

	assert_int_equal(pipe(in) | pipe(out), 0);
	host.pid = fork();
	if (!host.pid) {
		dup2(in[0], 0);
		dup2(out[1], 1);
		close(in[0]);
		close(in[1]);
		close(out[0]);
		close(out[1]);
		run_host(params);
	}
	close(in[0]);
	close(out[1]);
	host.to = fdopen(in[1], "w");
	host.from = fdopen(out[0], "r");
}

static void
stop_host(void)
{
	int status = -1;

	fclose(host.to);
	assert_int_equal(fgetc(host.from), EOF);
	fclose(host.from);
	assert_int_equal(waitpid(host.pid, &status, 0), host.pid);
	assert_int_equal(status, 0);
}

/* The last number of the next answer. */
static uint64_t
hear(void)
{
	const char *blank;
	char line[64];

	assert_non_null(fgets(line, sizeof line, host.from));
	blank = strchr(line, ' ');
	return strtoull(blank ? blank : line, NULL, 10);
}

/* Device and host share a generator: its state is passed back and forth. */
static void
tell_state(const struct sim_host *h)
{
	fprintf(host.to, "random %ju\n", (uintmax_t)*h->random);
}

static void
ask_state(struct sim_host *h)
{
	fputs("random\n", host.to);
	fflush(host.to);
	*h->random = hear();
}

/* Replace the functions of common/sim/host.c ------------------------------- */

void
sim_host_make(struct sim_host *h, const struct sim_params *params,
              uint64_t *random)
{
	*h = (struct sim_host){.number = params->number, .random = random};
	start_host(params);
}

void
sim_host_free(struct sim_host *h)
{
	(void)h;
	stop_host();
}

void
sim_host_prepare(struct sim_host *h, enum cache state, uint64_t window,
                 bool remote)
{
	tell_state(h);
	fprintf(host.to, "prepare %s %ju %s\n", cache_names[state],
	        (uintmax_t)window, remote ? "remote" : "local");
	fflush(host.to);
	hear();
	ask_state(h);
}

void
sim_host_idle(struct sim_host *h)
{
	(void)h;
	fputs("idle\n", host.to);
}

void
sim_cache_flush(struct sim_cache *cache)
{
	(void)cache;
	fputs("flush\n", host.to);
}

static uint64_t
take(struct sim_host *h, uint64_t address, uint64_t length, uint64_t now,
     const char *kind)
{
	uint64_t last;

	tell_state(h);
	fprintf(host.to, "%ju 0x%jx %ju %s\n", (uintmax_t)now,
	        (uintmax_t)address, (uintmax_t)length, kind);
	fflush(host.to);
	hear();
	last = hear();
	ask_state(h);
	return last;
}

uint64_t
sim_host_read(struct sim_host *h, uint64_t address, uint64_t length,
              uint64_t now)
{
	return take(h, address, length, now, "read");
}

uint64_t
sim_host_write(struct sim_host *h, uint64_t address, uint64_t length,
               uint64_t now)
{
	return take(h, address, length, now, "write");
}

/* The options of a scene as words for a shell. */
static char *
option_words(const char *options)
{
	char *words = xstrdup("");

	while (*options) {
		size_t length = strcspn(options, " ");
		char *more =
		    xasprintf("%s -O %.*s", words, (int)length, options);

		free(words);
		words = more;
		options += length + strspn(options + length, " ");
	}
	return words;
}

/* Results of pcb-collect for a scene: latencies, or the total time, in ns. */
static void
collect(const struct scene *sc, double value[SAMPLES])
{
	bool totals = benches[sc->bench].totals;
	char *options = option_words(sc->options);
	char *command =
	    xasprintf("pcb-collect %s -q -P -d sim -s %ju -w %ju --cache %s "
	              "--node %s --warmup 0 -n %d%s",
	              benches[sc->bench].name, (uintmax_t)sc->point.size,
	              (uintmax_t)sc->point.window, cache_names[sc->point.cache],
	              sc->point.node ? "remote" : "local", SAMPLES, options);
	FILE *rows = popen(command, "r");
	char line[1024];
	size_t n = 0;

	assert_non_null(rows);
	assert_non_null(fgets(line, sizeof line, rows));
	while (n < SAMPLES && fgets(line, sizeof line, rows)) {
		const char *cell = strrchr(line, ',');

		while (totals && *--cell != ',')
			;
		value[n++] = strtod(cell + 1, NULL);
	}
	assert_int_equal(pclose(rows), 0);
	assert_int_equal(n, totals ? 1 : SAMPLES);
	free(command);
	free(options);
}

static void
assert_same(const char *options, enum bench_id bench, uint64_t size,
            enum cache cache, int node)
{
	static double wanted[SAMPLES];
	struct scene sc = noisy(bench, size);
	size_t n = benches[bench].totals ? 1 : SAMPLES;
	const uint64_t *raw;

	sc.options = options;
	sc.count = SAMPLES;
	sc.point.window = 8192; /* several passes */
	sc.point.cache = cache;
	sc.point.node = node;
	collect(&sc, wanted);
	raw = simulate(sc) + (n == 1 ? 2 : 0);
	for (size_t i = 0; i < n; i++)
		assert_int_equal(raw[i], (uint64_t)(1000 * wanted[i] + .5));
}

static void
samples_are_those_of_pcb_collect(void **state)
{
	(void)state;
	for (enum bench_id bench = LAT_RD; bench <= BW_RDWR; bench++) {
		assert_same("", bench, 64, CACHE_COLD, 0);
		assert_same("combine=257 split=1", bench, 1000, CACHE_HOST_WARM,
		            0);
		assert_same("iommu=on iotlb=8 walks=2", bench, 64,
		            CACHE_THRASHED, 1);
		assert_same("ddio-ways=0 link=gen5x16", bench, 8,
		            CACHE_DEVICE_WARM, 0);
	}
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(samples_are_those_of_pcb_collect),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
