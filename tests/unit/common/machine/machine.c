/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Properties of shared links on random machines, and single transfers. */
#include "rig/cmocka.h"
#include "rig/support.h"

#include "common/machine/machine.h"

#include <math.h>
#include <time.h>

#define DEVICES  64
#define SWITCHES 24
#define FLOWS    48
#define CLOSE    1e-6

/* A machine as lines of a file, and transfers between its devices. */
struct draw {
	char *line[DEVICES + SWITCHES + 4];
	size_t n;
	unsigned from[FLOWS], to[FLOWS]; /* DEVICES: memory */
};

static void
add_line(struct draw *d, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	d->line[d->n++] = xvasprintf(fmt, ap);
	va_end(ap);
}

static unsigned
below(uint64_t *seed, unsigned limit)
{
	return (unsigned)(random_u64(seed) % limit);
}

/* Names begin with `first`, so that other names are other nodes. */
static struct draw
draw_machine(uint64_t *seed, unsigned devices, const char *first)
{
	static const unsigned lanes[] = {1, 4, 8, 16};
	struct draw d = {0};

	add_line(&d, "node %sroot - -", first);
	add_line(&d, "node %smemory %sroot dram", first, first);
	for (unsigned i = 0; i < SWITCHES; i++) {
		unsigned above = below(seed, i + 1);
		unsigned gen = 3 + below(seed, 3), x = lanes[below(seed, 4)];

		if (above == i)
			add_line(&d, "node %ss%u %sroot gen%ux%u", first, i,
			         first, gen, x);
		else
			add_line(&d, "node %ss%u %ss%u gen%ux%u", first, i,
			         first, above, gen, x);
	}
	for (unsigned i = 0; i < devices; i++) {
		unsigned above = below(seed, SWITCHES);
		unsigned gen = 3 + below(seed, 3), x = lanes[below(seed, 4)];

		add_line(&d, "node %sd%u %ss%u gen%ux%u", first, i, first,
		         above, gen, x);
	}
	for (unsigned i = 0; i < FLOWS; i++) {
		d.from[i] = below(seed, DEVICES + 1);
		do
			d.to[i] = below(seed, DEVICES + 1);
		while (d.to[i] == d.from[i]);
	}
	return d;
}

static struct machine *
build(const struct draw *d)
{
	FILE *f = fopen("machine", "w");
	struct machine *m;

	assert_non_null(f);
	for (size_t i = 0; i < d->n; i++)
		fprintf(f, "%s\n", d->line[i]);
	fclose(f);
	m = machine_read_file("machine");
	return m;
}

static void
draw_free(struct draw *d)
{
	for (size_t i = 0; i < d->n; i++)
		free(d->line[i]);
}

static size_t
device(const struct machine *m, const char *first, unsigned number)
{
	char name[32];

	if (number == DEVICES)
		return MACHINE_NONE;
	snprintf(name, sizeof name, "%sd%u", first, number);
	return machine_find(m, name);
}

static void
share_all(const struct machine *m, const struct draw *d, const char *first,
          struct flow f[FLOWS])
{
	struct link_config how = {0};

	for (size_t i = 0; i < FLOWS; i++) {
		f[i] = (struct flow){.from = device(m, first, d->from[i]),
		                     .to = device(m, first, d->to[i]),
		                     .reads = d->from[i] == DEVICES};
		assert_null(machine_route(m, &f[i]));
	}
	machine_share(m, &how, 4096, f, FLOWS);
}

static void
free_all(struct flow f[FLOWS])
{
	for (size_t i = 0; i < FLOWS; i++)
		free(f[i].step);
}

/* Wire bytes for each byte of data, by the specification, at MPS 256. */
static double
per_byte(const struct link *link, bool reads, bool back)
{
	double limit = floor(284 *
	                     (link->lanes == 8    ? 2.5
	                      : link->lanes == 16 ? 3
	                                          : 1.4) /
	                     link->lanes) +
	               115;
	double dllp = 8 / (limit * link->lanes);
	double data = (256. + (reads ? 20 : 24)) / 256;
	double request = reads ? 24. / 512 : 0;

	if (!back)
		return data + (reads ? 2 * request * dllp : 0);
	return request + data * dllp * (reads ? 1 : 2);
}

/* What the flows put on one direction of an edge; most of one flow there. */
static double
load(const struct machine *m, const struct flow f[FLOWS], size_t edge,
     bool down, double *most)
{
	double sum = 0;

	*most = 0;
	for (size_t i = 0; i < FLOWS; i++) {
		for (size_t k = 0; k < f[i].n; k++) {
			bool back = f[i].step[k].down != down;

			if (f[i].step[k].edge != edge)
				continue;
			sum += f[i].gbit_s *
			       per_byte(&m->edge[edge].link, f[i].reads, back);
			if (!back)
				*most = fmax(*most, f[i].gbit_s);
		}
	}
	return sum;
}

/* No direction over its bound, and each flow the first where it is limited. */
static void
check_shares(const struct machine *m, const struct flow f[FLOWS])
{
	for (size_t e = 0; e < m->nedges; e++) {
		const struct link *link = &m->edge[e].link;
		double can = link_raw_gbit_s(link) * (1 - 1. / 375), most;

		for (int down = 0; down < 2 && !m->edge[e].kind; down++)
			assert_true(load(m, f, e, down, &most) <=
			            can * (1 + CLOSE));
	}
	for (size_t i = 0; i < FLOWS; i++) {
		bool limited = false;

		for (size_t k = 0; k < f[i].n; k++) {
			size_t e = f[i].step[k].edge;
			const struct link *link = &m->edge[e].link;
			double most,
			    can = link_raw_gbit_s(link) * (1 - 1. / 375);
			double used = load(m, f, e, f[i].step[k].down, &most);

			limited |= !m->edge[e].kind &&
			           used >= can * (1 - CLOSE) &&
			           f[i].gbit_s >= most * (1 - CLOSE);
		}
		assert_true(limited);
	}
}

const struct fixtures fixtures = {enter_scratch, leave_scratch};

TEST(shares_are_fair)
{
	uint64_t seed = 1;

	for (int i = 0; i < 1000; i++) {
		struct draw d = draw_machine(&seed, DEVICES, "");
		struct machine *m = build(&d);
		struct flow f[FLOWS];

		share_all(m, &d, "", f);
		check_shares(m, f);
		free_all(f);
		machine_free(m);
		draw_free(&d);
	}
}

/* Lines and flows in another order, under other names: the same rates. */
TEST(order_and_names_do_not_matter)
{
	for (uint64_t i = 0; i < 100; i++) {
		uint64_t seed = i, again = i;
		struct draw d = draw_machine(&seed, DEVICES, "");
		struct draw other = draw_machine(&again, DEVICES, "zz");
		struct machine *m = build(&d), *turned;
		struct flow f[FLOWS], g[FLOWS];

		for (size_t k = 0; k < other.n / 2; k++) {
			char *line = other.line[k];

			other.line[k] = other.line[other.n - 1 - k];
			other.line[other.n - 1 - k] = line;
		}
		for (size_t k = 0; k < FLOWS; k++) {
			other.from[k] = d.from[FLOWS - 1 - k];
			other.to[k] = d.to[FLOWS - 1 - k];
		}
		turned = build(&other);
		share_all(m, &d, "", f);
		share_all(turned, &other, "zz", g);
		for (size_t k = 0; k < FLOWS; k++)
			assert_float_equal(
			    f[k].gbit_s / g[FLOWS - 1 - k].gbit_s, 1, CLOSE);
		free_all(f);
		free_all(g);
		machine_free(m);
		machine_free(turned);
		draw_free(&d);
		draw_free(&other);
	}
}

/* A flow that shares no link with the others does not change them. */
TEST(apart_is_apart)
{
	static const char text[] =
	    "node a g2 gen4x8\nnode r - -\nnode s r gen3x8\n"
	    "node g2 r gen4x8\nnode g0 s gen3x8\n"
	    "node g1 s gen3x4\nnode b g2 gen4x8\n";
	struct link_config how = {0};
	struct flow f[3] = {{0}}, one;
	struct machine *m;

	write_text("machine", text);
	m = machine_read_file("machine");
	f[0].from = machine_find(m, "g0");
	f[0].to = f[1].to = MACHINE_NONE;
	f[1].from = machine_find(m, "g1");
	f[2].from = machine_find(m, "a");
	f[2].to = machine_find(m, "b");
	for (int i = 0; i < 3; i++)
		assert_null(machine_route(m, &f[i]));
	one = f[2];
	machine_share(m, &how, 4096, &one, 1);
	machine_share(m, &how, 4096, f, 3);
	assert_float_equal(one.gbit_s, f[2].gbit_s, 1e-9);
	/* By hand: 63.015 x 374/375 x 256/280, in two. */
	assert_float_equal(f[0].gbit_s, 28.730, 0.001);
	assert_float_equal(f[1].gbit_s, 28.730, 0.001);
	assert_string_equal(f[0].limited_by, "s>r");

	for (int i = 0; i < 3; i++)
		free(f[i].step);
	machine_free(m);
}

/* Alone on one link, a transfer gets what the model of the link says. */
TEST(one_flow_is_the_link)
{
	static const char *const links[] = {"gen3x8", "gen5x16/mps512",
	                                    "gen6x4", "gen1x1/mps128/ecrc"};
	static const uint64_t sizes[] = {4, 64, 1500, 4096, 65536};

	for (size_t i = 0; i < ARRAY_LEN(links) * ARRAY_LEN(sizes) * 2; i++) {
		const char *text = links[i % ARRAY_LEN(links)];
		struct transfer t = {.size = sizes[i / 2 % ARRAY_LEN(sizes)]};
		bool reads = i % 2;
		struct link_config how = {.completer = i % 3 ? COMPLETER_COMBINE
		                                             : COMPLETER_RCB};
		char *file = xasprintf("node r - -\nnode d r %s\n", text);
		struct machine *m;
		struct flow f = {0};
		struct link_config c = how;

		write_text("machine", file);
		m = machine_read_file("machine");
		c.link = m->edge[0].link;
		f.from = reads ? MACHINE_NONE : machine_find(m, "d");
		f.to = reads ? machine_find(m, "d") : MACHINE_NONE;
		f.reads = reads;
		assert_null(machine_route(m, &f));
		machine_share(m, &how, t.size, &f, 1);
		if (!reads || t.size > 4) /* else the request limits */
			assert_float_equal(
			    f.gbit_s /
			        expect(&c, find_work(reads ? "bw_rd" : "bw_wr"),
			               &t)
			            .gbit_s,
			    1, 1e-9);
		free(f.step);
		machine_free(m);
		free(file);
	}
}

/* The CPU time of 256 transfers on 1,000 links. */
TEST(large_sets)
{
	struct link_config how = {0};
	struct flow f[256] = {{0}};
	FILE *file = fopen("machine", "w");
	struct machine *m;
	clock_t begin;

	fputs("node r - -\n", file);
	for (unsigned i = 0; i < 1000; i++) {
		if (i < 10)
			fprintf(file, "node n%u r gen5x16\n", i);
		else
			fprintf(file, "node n%u n%u gen%ux%u\n", i,
			        i < 100 ? i / 10 : i / 10, 3 + i % 3,
			        i % 7 ? 8 : 4);
	}
	fclose(file);
	m = machine_read_file("machine");
	begin = clock();
	for (unsigned i = 0; i < ARRAY_LEN(f); i++) {
		f[i].from = 101 + i * 3;
		f[i].to = 101 + (i * 3 + 300) % 890;
		assert_null(machine_route(m, &f[i]));
	}
	machine_share(m, &how, 4096, f, ARRAY_LEN(f));
	printf("256 transfers on 1,000 links: %.0f ms\n",
	       1e3 * (double)(clock() - begin) / CLOCKS_PER_SEC);
	for (unsigned i = 0; i < ARRAY_LEN(f); i++)
		free(f[i].step);
	machine_free(m);
}
