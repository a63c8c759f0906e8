/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Frame rates of a device against frame size, and those of Ethernet. */
#include "common/base/util.h"
#include "plot/kind/kind.h"

static const char *const measures[] = {"median_gbit_s", "bandwidth_gbit_s",
                                       NULL};

static const char frame[] = "frame_bytes", link_of[] = "ethernet";

/* The device's curve does not depend on its Ethernet. */
static bool
tells_devices(const char *column)
{
	return strcmp(column, frame) != 0 && strcmp(column, link_of) != 0;
}

static void
draw(struct picture *p, struct table *t)
{
	struct row_reader r = {.measures = measures,
	                       .place = frame,
	                       .axis = frame,
	                       .lacking = "a size or a bandwidth"};
	struct key_set devices = {0}, ethernets = {0};
	struct curve *device = NULL, *ethernet = NULL;
	size_t room = 0, ethernet_room = 0;
	struct value_range y;
	struct names names;
	bool both_ways;

	while (row_reader_next(&r, t)) {
		double x = row_size(t, (size_t)table_find(t, frame));
		size_t i = row_key(&devices, t, tells_devices);

		device = key_set_grow(&devices, device, &room, sizeof *device);
		curve_add(&device[i], x, row_value(t, r.col));
		i = key_set_intern_text(&ethernets, optional_text(t, link_of));
		ethernet = key_set_grow(&ethernets, ethernet, &ethernet_room,
		                        sizeof *ethernet);
		if (row_has(t, "ethernet_gbit_s"))
			curve_add(&ethernet[i], x,
			          row_number(t, "ethernet_gbit_s"));
	}
	row_reader_free(&r);
	names = names_of(t, &devices);
	names_describe(&names, p, "throughput");
	for (size_t i = 0; i < devices.n; i++) {
		curve_sort(&device[i]);
		picture_take(
		    p,
		    is_computed(&names, &devices.key[i]) ? STYLE_LINES
		                                         : STYLE_POINTS,
		    names_key(&names, &devices, i, "device"), i, &device[i]);
	}
	for (size_t i = 0; i < ethernets.n; i++) {
		const char *rate = key_find(&ethernets.key[i], 0);
		char *name = xasprintf("Ethernet%s%s", *rate ? " " : "", rate);

		curve_unique(&ethernet[i]);
		picture_take_if(p, STYLE_MODEL, name, COLOUR_NONE,
		                &ethernet[i]);
		free(name);
	}
	both_ways = !strcmp(names_constant(&names, "direction"), "both");
	axis_of_sizes(p, "frame size");
	y = picture_range(p, true);
	axis_from_zero(&p->y, both_ways ? "throughput each way" : "throughput",
	               "Gbit/s", y.low, y.high, p->room_y);
	names_free(&names);
	free(device);
	free(ethernet);
	key_set_free(&devices);
	key_set_free(&ethernets);
}

const struct kind kind_nic = {
    .name = "nic",
    .help = "throughput of devices against frame size, and that of Ethernet",
    .takes = TAKES_AXES,
    .draw = draw,
};
