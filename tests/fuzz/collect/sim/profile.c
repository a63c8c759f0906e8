/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Profiles of the simulated device: refused, or a device that works. */
#include "fuzz/ending.h"

#include "collect/core/backend.h"
#include "collect/sim/device.h"

#include <signal.h>

#define COUNT UINT64_C(16)
#define LONG  (1000000 * MILLISECOND) /* for this few transfers */

extern const struct backend sim_backend;

struct scene {
	struct request request;
	struct preamble preamble;
	struct session session;
	struct sim_device device;
	uint64_t raw[3 * COUNT];
};

static const volatile sig_atomic_t never;

static void
must_answer(struct scene *sc, const struct point *point)
{
	struct series *series;

	if (!sim_backend.prepare(&sc->session, point))
		return;
	series = sc->session.series;
	series->raw = sc->raw;
	must(sim_backend.run(&sc->session, COUNT));
	if (!sc->request.bench->totals) {
		must(series->n == COUNT);
		for (size_t i = 0; i < COUNT; i++)
			must(sc->raw[i] < LONG);
		return;
	}
	must(series->n == 1 && sc->raw[0] == COUNT);
	must(sc->raw[1] == COUNT * point->size);
	must(sc->raw[2] > 0 && sc->raw[2] < LONG);
}

/* The first byte chooses the bench and the second the transfers. */
static struct point
choose(struct scene *sc, const uint8_t *bytes)
{
	static const uint64_t sizes[] = {1, 64, 100, 4096};

	*sc = (struct scene){.request = {.bench = &benches[LAT_RD + *bytes % 5],
	                                 .device = "/dev/stdin",
	                                 .seed = 1}};
	sc->session = (struct session){.request = &sc->request,
	                               .preamble = &sc->preamble,
	                               .interrupted = &never,
	                               .state = &sc->device};
	return (struct point){.size = sizes[bytes[1] % 4],
	                      .offset = bytes[1] >> 2 & 3,
	                      .window = 65536,
	                      .pattern = bytes[1] >> 4 & 1,
	                      .cache = (bytes[1] >> 5) % NCACHES,
	                      .node = bytes[1] >> 7};
}

static void
release(struct scene *sc)
{
	sim_backend.close(&sc->session);
	series_make(&sc->session, 0);
	preamble_free(&sc->preamble);
	free(sc->session.failure.text);
}

int
LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
	static struct scene sc;
	static struct point point;
	bool is_open;

	if (size < 2)
		return 0;
	point = choose(&sc, bytes);
	set_stdin(bytes + 2, size - 2);
	is_reading = true;
	if (setjmp(refused))
		return free_as_exit();
	is_open = sim_backend.open(&sc.session);
	is_reading = false;
	if (is_open)
		must_answer(&sc, &point);
	release(&sc);
	return 0;
}
