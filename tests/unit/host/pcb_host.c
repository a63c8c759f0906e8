/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The simulated device on a host behind a pipe: the engine and the link are
 * those of pcb-collect, every call of the host goes to pcb-host. What comes out
 * must be what pcb-collect gives alone.
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

/* pcb-host, and what was written to it and not yet answered. */
static struct {
	FILE *to, *from;
	pid_t pid;
} host;

static void
start_host(const char *profile)
{
	char *device = xasprintf("sim:%s", profile);
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
		execlp("pcb-host", "pcb-host", "--at", "root", "-d", device,
		       (char *)NULL);
		_exit(127);
	}
	close(in[0]);
	close(out[1]);
	host.to = fdopen(in[1], "w");
	host.from = fdopen(out[0], "r");
	free(device);
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

static uint64_t
hear(void)
{
	uintmax_t first = 0;
	char line[64];

	assert_non_null(fgets(line, sizeof line, host.from));
	assert_true(sscanf(line, "%ju", &first) == 1);
	return first;
}

/* Sends a line, before it and behind it the state of the generator. */
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

/* Calls of the host, instead of those of common/sim/host.c ---------------- */

void
sim_host_make(struct sim_host *h, const struct sim_params *params,
              uint64_t *random)
{
	*h = (struct sim_host){.number = params->number, .random = random};
	start_host(params->profile);
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
	uintmax_t first = 0, last = 0;

	tell_state(h);
	fprintf(host.to, "%ju 0x%jx %ju %s\n", (uintmax_t)now,
	        (uintmax_t)address, (uintmax_t)length, kind);
	fflush(host.to);
	hear();
	assert_int_equal(fscanf(host.from, "%ju %ju\n", &first, &last), 2);
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

/* What pcb-collect gives of a scene: the last column of each row, in ns. */
static void
collect(const struct scene *sc, const char *profile, double value[SAMPLES])
{
	char *command = xasprintf(
	    "pcb-collect %s -q -P -d sim:%s -s %ju -w %ju --cache %s "
	    "--node %s --warmup 0 -n %d",
	    benches[sc->bench].name, profile, (uintmax_t)sc->point.size,
	    (uintmax_t)sc->point.window, cache_names[sc->point.cache],
	    sc->point.node ? "remote" : "local", SAMPLES);
	FILE *rows = popen(command, "r");
	char line[1024];
	size_t n = 0;

	assert_non_null(rows);
	assert_non_null(fgets(line, sizeof line, rows));
	while (fgets(line, sizeof line, rows) && n < SAMPLES) {
		const char *cell = strrchr(line, ',');

		if (benches[sc->bench].totals)
			while (*--cell != ',')
				;
		value[n++] = strtod(cell + 1, NULL);
	}
	assert_int_equal(pclose(rows), 0);
	assert_int_equal(n, benches[sc->bench].totals ? 1 : SAMPLES);
	free(command);
}

static void
assert_same(const char *profile, enum bench_id bench, uint64_t size,
            enum cache cache, int node)
{
	static double wanted[SAMPLES];
	struct scene sc = noisy(bench, size);
	const uint64_t *raw;

	sc.which = profile;
	sc.count = SAMPLES;
	sc.point.cache = cache;
	sc.point.node = node;
	collect(&sc, profile, wanted);
	raw = simulate(sc);
	if (benches[bench].totals) {
		assert_true((double)raw[2] / 1000 == wanted[0]);
		return;
	}
	for (size_t i = 0; i < SAMPLES; i++)
		assert_true((double)raw[i] / 1000 == wanted[i]);
}

static void
samples_are_those_of_pcb_collect(void **state)
{
	(void)state;
	for (enum bench_id bench = LAT_RD; bench <= BW_RDWR; bench++) {
		assert_same("default", bench, 64, CACHE_COLD, 0);
		assert_same("e5-2630v4", bench, 1000, CACHE_HOST_WARM, 0);
		assert_same("e5-2630v4-iommu", bench, 64, CACHE_THRASHED, 1);
		assert_same("gen5x16", bench, 8, CACHE_DEVICE_WARM, 0);
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
