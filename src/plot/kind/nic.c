/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Frame rates of a device against frame size, and those of Ethernet. */
#include "plot/data/sweeps.h"
#include "plot/kind/kind.h"

#include <stdlib.h>
#include <string.h>

static const char *const measures[] = {"median_gbit_s", "bandwidth_gbit_s",
                                       NULL};

static const struct sweep_kind frames = {
    .column = "frame_bytes",
    .label = "frame size",
    .measures = measures,
    .expected = "ethernet_gbit_s",
    .needed = "a size or a bandwidth",
};

/* Curves by key, each from one or more sweeps. */
struct family {
	struct key_set keys;
	struct curve *curve;
	size_t room;
};

/* The curve of this key, empty for a new key. */
static struct curve *
find_curve(struct family *f, const struct key *key)
{
	size_t i = key_set_intern(&f->keys, key);

	f->curve = key_set_grow(&f->keys, f->curve, &f->room, sizeof *f->curve);
	return &f->curve[i];
}

static void
free_family(struct family *f)
{
	for (size_t i = 0; i < f->keys.n; i++)
		free(f->curve[i].point);
	free(f->curve);
	key_set_free(&f->keys);
}

/*
 * Splits columns: the device's curve does not depend on `ethernet`, the
 * Ethernet's depends on nothing else.
 */
static void
part(const struct table *t, const struct size_sweeps *s, struct family *devices,
     struct family *ethernets)
{
	ptrdiff_t ethernet = table_find(t, "ethernet");

	for (size_t i = 0; i < s->keys.n; i++) {
		struct key device = {0};
		struct key other = {0};

		for (size_t col = 0; col < t->ncols; col++)
			key_append((ptrdiff_t)col == ethernet ? &other
			                                      : &device,
			           col, key_find(&s->keys.key[i], col));
		sweep_points_append(find_curve(devices, &device),
		                    &s->sweep[i].points);
		if (s->sweep[i].expected.n)
			curve_append(find_curve(ethernets, &other),
			             &s->sweep[i].expected);
		free(device.bytes);
		free(other.bytes);
	}
}

static void
draw(struct picture *p, struct table *t)
{
	struct family devices = {0}, ethernets = {0};
	struct size_sweeps s = {0};
	struct names names;
	ptrdiff_t col;
	bool both_ways;

	sweeps_read(&s, t, &frames);
	col = table_find(t, "ethernet");
	part(t, &s, &devices, &ethernets);
	names = names_of(t, &devices.keys);
	names_describe(&names, p, "Throughput");
	for (size_t i = 0; i < devices.keys.n; i++) {
		bool computed = is_computed(&names, &devices.keys.key[i]);
		char *name = names_key(&names, &devices.keys, i, "device");

		curve_sort(&devices.curve[i]);
		picture_take(p, computed ? STYLE_LINES : STYLE_POINTS, name,
		             &devices.curve[i]);
	}
	for (size_t i = 0; i < ethernets.keys.n; i++) {
		const char *text =
		    col < 0 ? ""
		            : key_find(&ethernets.keys.key[i], (size_t)col);
		char *name = xasprintf("Ethernet%s%s", *text ? " " : "", text);

		curve_unique(&ethernets.curve[i]);
		picture_take(p, STYLE_MODEL, name, &ethernets.curve[i])
		    ->colour = COLOUR_NONE;
	}
	both_ways = !strcmp(names_constant(&names, "direction"), "both");
	axis_of_sizes(p, frames.label);
	axis_of_bandwidth(p, both_ways ? "throughput each way (Gbit/s)"
	                               : "throughput (Gbit/s)");
	names_free(&names);
	free_family(&devices);
	free_family(&ethernets);
	sweeps_free(&s);
}

const struct kind kind_nic = {
    .name = "nic",
    .help = "throughput of devices against frame size, and that of Ethernet",
    .takes = TAKES_AXES,
    .draw = draw,
};
