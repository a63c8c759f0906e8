/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "rig/sim.h"
#include "rig/cmocka.h"

volatile sig_atomic_t rig_halt;

static const char exact_options[] =
    "jitter=0ns tick=1ps refresh=0ns stall1-odds=0 rc=400ns miss=70ns "
    "remote=100ns remote-write=0ns snoop=0ns line=0ns allocate=0ns drift=0 "
    "issue=100ns loop=0ns copy-read=0ns copy-write=0ns store=0ns "
    "gap=0ns read-chunk=0ns write=0ns write-chunk=0ns burst=0ns "
    "dllp=0 workers=4096";

struct scene
noisy(enum bench_id bench, uint64_t size)
{
	return (struct scene){.bench = bench,
	                      .options = "",
	                      .point = {.size = size,
	                                .window = 65536,
	                                .cache = CACHE_COLD,
	                                .node = NODE_LOCAL},
	                      .seed = 1,
	                      .count = COUNT};
}

struct scene
exact(enum bench_id bench, uint64_t size, const char *options)
{
	struct scene sc = noisy(bench, size);

	sc.exact = true;
	sc.options = options;
	return sc;
}

/* Sets options from words; later ones override earlier ones. */
static void
set_options(struct rig *rig, const char *words)
{
	while (*words) {
		size_t length = strcspn(words, " ");
		char *name = xasprintf("%.*s", (int)length, words);
		char *value = strchr(name, '=');

		assert_true(rig->request.options.n < OPTIONS_MAX);
		assert_non_null(value);
		*value = '\0';
		rig->setting[rig->request.options.n++] =
		    (struct setting){.name = name, .value = value + 1};
		words += length + strspn(words + length, " ");
	}
}

bool
rig_open(struct rig *rig, const struct scene *sc)
{
	*rig = (struct rig){0};
	rig->request = (struct request){.bench = &benches[sc->bench],
	                                .options = {rig->setting, 0},
	                                .device = sc->which,
	                                .seed = sc->seed,
	                                .buffer = sc->buffer};
	rig->session = (struct session){.request = &rig->request,
	                                .preamble = &rig->preamble,
	                                .interrupted = &rig_halt,
	                                .state = &rig->device};
	if (sc->exact)
		set_options(rig, exact_options);
	set_options(rig, sc->options);
	rig_halt = 0;
	return sim_backend.open(&rig->session);
}

bool
rig_prepare(struct rig *rig, const struct point *point)
{
	if (!sim_backend.check(&rig->session, point) ||
	    !sim_backend.prepare(&rig->session, point))
		return false;
	rig->session.series->raw = rig->raw;
	return true;
}

void
rig_close(struct rig *rig)
{
	sim_backend.close(&rig->session);
	series_make(&rig->session, 0);
	while (rig->request.options.n)
		free(rig->setting[--rig->request.options.n].name);
	preamble_free(&rig->preamble);
	free(rig->session.failure.text);
}

const uint64_t *
simulate(struct scene sc)
{
	static struct rig rig;

	assert_true(rig_open(&rig, &sc));
	assert_true(rig_prepare(&rig, &sc.point));
	assert_true(sim_backend.run(&rig.session, sc.count));
	assert_int_equal(rig.session.nseries, 1);
	assert_int_equal(rig.session.series->n,
	                 rig.request.bench->totals ? 1 : sc.count);
	rig_close(&rig);
	return rig.raw;
}

uint64_t
latency(struct scene sc)
{
	sc.count = 1;
	return *simulate(sc);
}

double
mean(struct scene sc)
{
	const uint64_t *raw = simulate(sc);
	double sum = 0;

	for (size_t i = 0; i < sc.count; i++)
		sum += (double)raw[i];
	return sum / (double)sc.count;
}

double
gbit_s(struct scene sc)
{
	const uint64_t *raw = simulate(sc);

	assert_int_equal(raw[0], sc.count);
	assert_int_equal(raw[1], sc.count * sc.point.size);
	return 8000 * (double)raw[1] / (double)raw[2];
}

void
assert_latency(struct scene sc, uint64_t ps)
{
	uint64_t got = latency(sc);

	if (got != ps)
		fail_msg("%s, %ju bytes, %s: %ju ps, not %ju",
		         benches[sc.bench].name, (uintmax_t)sc.point.size,
		         sc.options, (uintmax_t)got, (uintmax_t)ps);
}

void
assert_refused(struct scene sc, int status, const char *text)
{
	static struct rig rig;

	assert_false(rig_open(&rig, &sc) && rig_prepare(&rig, &sc.point));
	assert_int_equal(rig.session.failure.status, status);
	if (!strstr(rig.session.failure.text, text))
		fail_msg("no '%s' in: %s", text, rig.session.failure.text);
	rig_close(&rig);
}
