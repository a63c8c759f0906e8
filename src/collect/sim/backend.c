/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A simulated device, link and host: the parameters, link and host are in
 * common/sim, the device is in this room. All times are integer picoseconds, so
 * a seed gives the same samples on every machine.
 */
#include "collect/core/backend.h"
#include "collect/sim/device.h"
#include "common/base/intmath.h"
#include "common/base/number.h"
#include "common/sys/datadir.h"

static bool
sim_run(struct session *s, uint64_t want)
{
	struct sim_device *device = s->state;
	struct series *series = s->series;
	enum bench_id bench = s->request->bench->id;
	uint64_t n;

	series->n = 0;
	if (!s->request->bench->totals) {
		/* Each starts when nothing else is in flight. */
		while (series->n < want && !*s->interrupted)
			series->raw[series->n++] =
			    sim_device_latency(device, bench == LAT_WRRD);
		return true;
	}
	sim_device_begin(device, bench == BW_RDWR);
	/* In bw_rdwr a read and a write count as one transaction. */
	for (n = 0; n < want && !*s->interrupted; n++) {
		if (bench != BW_WR)
			sim_device_read(device);
		if (bench != BW_RD)
			sim_device_write(device);
	}
	series->raw[0] = n;
	series->raw[1] = n * device->size;
	series->raw[2] = sim_device_end(device);
	series->n = n > 0;
	return true;
}

static bool
is_remote(const struct point *point)
{
	return point->node == NODE_REMOTE || point->node == 1;
}

static bool
sim_check(struct session *s, const struct point *point)
{
	const struct sim_device *device = s->state;
	const char *lack = sim_params_lack(&device->params, is_remote(point));

	if (lack)
		return fail(s, STATUS_ABSENT, "sim:%s: %s",
		            device->params.profile, lack);
	if (!is_remote(point) && point->node != NODE_LOCAL && point->node != 0)
		return fail(s, STATUS_TROUBLE,
		            "--node %d: the simulated machine has nodes 0 "
		            "and 1",
		            point->node);
	if (device->number[SIM_INTERFACE] == SIM_COMMANDS &&
	    point->size > SIM_COMMAND_BYTES)
		return fail(s, STATUS_TROUBLE,
		            "a command transfers at most %d bytes, not %ju",
		            SIM_COMMAND_BYTES, (uintmax_t)point->size);
	return point_check(s, point, device->buffer);
}

static bool
sim_prepare(struct session *s, const struct point *point)
{
	const struct sim_params *p = &((struct sim_device *)s->state)->params;
	bool remote = is_remote(point);
	char link[LINK_TEXT_MAX];
	struct series *series;
	char *device;

	sim_device_prepare(s->state, point, remote);
	series_make(s, 1);
	series = s->series;
	device = xasprintf("sim:%s", p->profile);
	link_format(&p->link, link);
	series_identify(series, "simulated", device, link);
	free(device);
	series_set(series, ID_INTERFACE, "%s", p->text[SIM_INTERFACE]);
	point_identify(series, point);
	series_set(series, ID_NODE, "%d", remote);
	series_set(series, ID_IOMMU, "%s", p->text[SIM_IOMMU]);
	series_set(series, ID_PAGE, "%ju", (uintmax_t)p->number[SIM_PAGE]);
	return true;
}

static bool
refuse(struct session *s, enum sim_param param, const char *text,
       const char *why)
{
	return fail(s, STATUS_TROUBLE, "-O %s=%s: %s", sim_options[param].name,
	            text, why);
}

/*
 * Reads the profile and -O: an option overrides the profile, which overrides
 * the default. An invalid profile ends the program with file:line.
 */
static bool
read_params(struct session *s, struct sim_params *params)
{
	const char *which = s->request->device;
	const struct settings *given = &s->request->options;
	enum sim_param param;
	const char *why;

	if (!sim_params_load(params, which))
		return fail(
		    s, STATUS_ABSENT,
		    "sim:%s: no such profile%s (-d sim:help lists them)", which,
		    share_hint("sim", which));
	for (size_t i = 0; i < given->n; i++) {
		param = sim_param_find(given->item[i].name);
		why = sim_param_set(params, param, given->item[i].value);
		if (why)
			return refuse(s, param, given->item[i].value, why);
	}
	why = sim_params_agree(params, &param);
	return !why || refuse(s, param, params->text[param], why);
}

static bool
sim_open(struct session *s)
{
	struct sim_device *device = s->state;
	const struct sim_params *params = &device->params;
	bool busy = s->request->bench->totals;
	char *text = NULL;
	char tick[24];

	if (!read_params(s, &device->params))
		return false;
	if (busy && params->number[SIM_INTERFACE] == SIM_COMMANDS)
		return fail(s, STATUS_TROUBLE,
		            "-O interface=command: for latency only");
	sim_params_say_assumed(params);
	sim_device_make(device, s->request->seed, busy);
	device->buffer =
	    min_u64(MEMORY, point_buffer(s->request, device->number[SIM_LLC]));
	for (size_t i = 0; i < SIM_NPARAMS; i++)
		xappend(&text, " ", "%s=%s", sim_options[i].name,
		        params->text[i]);
	preamble_set(s->preamble, "sim", "%s", text);
	free(text);
	*print_ns(tick, params->number[SIM_TICK]) = '\0';
	preamble_set(s->preamble, "clock_tick_ns", "%s", tick);
	return true;
}

static void
sim_close(struct session *s)
{
	sim_device_free(s->state);
}

static void
sim_probe(const struct request *request, struct findings *list)
{
	struct finding *f = findings_add(list, "sim");

	(void)request;
	text_set(&f->device, "sim:default");
	text_set(&f->link, "%s", sim_options[SIM_LINK].value);
	text_set(&f->node, "0");
	text_set(&f->name, "simulated device");
	f->benches = DMA_BENCHES;
	f->automatic = true;
}

const struct backend sim_backend = {
    .name = "sim",
    .help = "a simulated device",
    .state_size = sizeof(struct sim_device),
    .benches = DMA_BENCHES,
    .profiles = "sim",
    .flags = BACKEND_ANY_CPU | BACKEND_VIRTUAL,
    .options = sim_options,
    .probe = sim_probe,
    .open = sim_open,
    .check = sim_check,
    .prepare = sim_prepare,
    .run = sim_run,
    .close = sim_close,
};
