/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "rig/i210.h"
#include "rig/cmocka.h"

struct fake fake;
struct rig rig;

static int
fake_find(const char *ifname, struct nic *nic)
{
	if (fake.find_error)
		return fake.find_error;
	if (strcmp(ifname, fake.nic.ifname) != 0 ||
	    (fake.gone_at && fake.sent >= fake.gone_at))
		return ENODEV;
	*nic = fake.nic;
	if (fake.down_at && fake.sent >= fake.down_at)
		nic->up = false;
	if (fake.unplugged_at && fake.sent >= fake.unplugged_at)
		nic->carrier = false;
	if (fake.now >= fake.lag && fake.now < fake.settled)
		nic->carrier = false;
	return 0;
}

static struct nics
fake_list(void)
{
	struct nics list = {.n = 2};

	list.item = xcalloc(2, sizeof *list.item);
	list.item[0] = (struct nic){.ifname = "lo", .up = true};
	list.item[1] = fake.nic;
	return list;
}

static int
fake_attach(struct nic_port *port)
{
	fake.attached = true;
	return fake.attach_error;
}

static void
fake_detach(struct nic_port *port)
{
	fake.attached = fake.has_socket = false;
}

static int
fake_read_delay(struct nic_port *port, uint32_t *units)
{
	*units = fake.held;
	if (fake.ones_at && fake.sent >= fake.ones_at)
		*units = UINT32_MAX;
	fake.held = 0;
	return fake.read_error;
}

static int
fake_clock_offset(struct nic_port *port, int64_t *ns)
{
	*ns = fake.now < fake.set_again ? -37000000000 : fake.offset;
	if (fake.moved_at && fake.sent >= fake.moved_at)
		*ns += fake.by;
	return fake.clock_error;
}

static void
reset_nic(void)
{
	fake.resets++;
	fake.held = 99;
	fake.settled = fake.settled ? fake.now + fake.settled : 0;
	fake.lag += fake.now;
	fake.set_again = fake.set_again ? fake.now + fake.set_again : 0;
}

static int
fake_take_queues(struct nic_port *port)
{
	memcpy(port->qdisc, "htb", 4);
	strcpy(port->why, "needs tc (iproute2) in PATH");
	if (fake.take_error)
		return fake.take_error;
	assert_true(port->offload);
	port->taken = fake.taken = true;
	reset_nic();
	return 0;
}

static void
fake_give_queues_back(struct nic_port *port)
{
	port->taken = fake.taken = false;
}

static int
fake_open_socket(struct nic_port *port)
{
	fake.has_socket = true;
	return fake.socket_error;
}

static bool
within(unsigned n, unsigned from, unsigned to)
{
	return n >= from && n <= to;
}

static int
fake_send(struct nic_port *port, uint64_t launch)
{
	assert_true(fake.taken && fake.has_socket);
	assert_int_equal(fake.held, 0);
	/* The packet before has left. */
	assert_int_equal(fake.launch, 0);
	fake.sent++;
	/* The delay of the descriptor, which the NIC fetches at once. */
	fake.held = within(fake.sent, fake.zero_from, fake.zero_to) ? 0 : 50;
	fake.launch = launch;
	fake.is_missed = within(fake.sent, fake.missed_from, fake.missed_to);
	if (fake.down_at && fake.sent >= fake.down_at)
		return ENETDOWN;
	if (fake.is_missed && fake.refuses) {
		fake.launch = 0;
		return ENOBUFS;
	}
	return fake.send_error;
}

static bool
fake_missed(struct nic_port *port)
{
	bool is_missed = fake.is_missed;

	fake.is_missed = false;
	return is_missed;
}

static uint64_t
fake_now(void)
{
	return fake.now;
}

static int
fake_sleep_until(uint64_t time)
{
	if (fake.signal_at && fake.sent == fake.signal_at && fake.launch) {
		rig.interrupted = 1;
		return EINTR;
	}
	if (fake.launch && fake.interrupted) {
		fake.interrupted--;
		return EINTR;
	}
	if (time > fake.now)
		fake.now = time;
	if (fake.launch && fake.now > fake.launch && !fake.is_missed &&
	    !within(fake.sent, fake.zero_from, fake.zero_to))
		fake.held = fake.delay + fake.sent;
	if (fake.thief && fake.sent > fake.thief)
		fake.held = 0;
	if (fake.launch && fake.sent == fake.moved_at)
		fake.now -= fake.back;
	fake.launch = 0;
	return 0;
}

static const struct nic_system fake_nics = {
    .list = fake_list,
    .find = fake_find,
    .attach = fake_attach,
    .read_delay = fake_read_delay,
    .clock_offset = fake_clock_offset,
    .take_queues = fake_take_queues,
    .give_queues_back = fake_give_queues_back,
    .open_socket = fake_open_socket,
    .send = fake_send,
    .missed = fake_missed,
    .detach = fake_detach,
    .now = fake_now,
    .sleep_until = fake_sleep_until,
};

int
rig_begin(void **state)
{
	fake = (struct fake){.now = 1000000000000, .delay = 1000};
	fake.nic = (struct nic){.ifname = "eth1",
	                        .driver = "igb",
	                        .bdf = "ffff:03:00.0",
	                        .vendor = 0x8086,
	                        .device = 0x1533,
	                        .up = true,
	                        .carrier = true};
	rig.request = (struct request){.bench = &benches[RTD],
	                               .device = "eth1",
	                               .options = {rig.settings, 0},
	                               .runs = 1,
	                               .seed = 1,
	                               .cpu = -1};
	rig.session = (struct session){.request = &rig.request,
	                               .preamble = &rig.preamble,
	                               .interrupted = &rig.interrupted,
	                               .state = rig.state};
	rig.interrupted = 0;
	i210_system = &fake_nics;
	memset(rig.state, 0, sizeof rig.state);
	assert_true(i210_backend.state_size <= sizeof rig.state);
	return 0;
}

int
rig_end(void **state)
{
	i210_backend.close(&rig.session);
	assert_false(fake.taken || fake.attached || fake.has_socket);
	series_make(&rig.session, 0);
	preamble_free(&rig.preamble);
	preamble_free(&rig.ending);
	rig.preamble = rig.ending = (struct preamble){0};
	free(rig.session.failure.text);
	return 0;
}

void
rig_set(const char *name, const char *value)
{
	rig.settings[rig.request.options.n++] =
	    (struct setting){.name = (char *)name, .value = value};
}

bool
rig_run(uint64_t want)
{
	static const struct point point = {0};

	assert_true(i210_backend.open(&rig.session));
	assert_true(i210_backend.prepare(&rig.session, &point));
	rig.session.series[0].raw = rig.raw;
	return i210_backend.run(&rig.session, want);
}

void
assert_failure(int status, const char *part)
{
	assert_non_null(rig.session.failure.text);
	if (!strstr(rig.session.failure.text, part))
		fail_msg("'%s' is not in '%s'", part, rig.session.failure.text);
	assert_int_equal(rig.session.failure.status, status);
}

void
assert_end(const char *key, const char *value)
{
	i210_backend.end(&rig.session, &rig.ending);
	assert_string_equal(preamble_get(&rig.ending, key), value);
}

void
assert_not_opened(int status, const char *part)
{
	assert_false(i210_backend.open(&rig.session));
	assert_failure(status, part);
}
