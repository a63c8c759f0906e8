/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Takes a sample: a packet with a launch time, and its delay. */
#include "collect/i210/i210.h"

#include "collect/host/clock.h"
#include "common/base/prng.h"

#include <errno.h>
#include <inttypes.h>
#include <string.h>
#include <time.h>

#define MISSED_MAX 16
#define ZEROES_MAX 64

/* Result of one packet. */
enum outcome { MEASURED, MISSED, ZERO, STOPPED, FAILED };

/*
 * Largest offset of the NIC's clock from CLOCK_TAI: a hundredth of the launch
 * distance, at least a microsecond.
 */
static int64_t
tolerance_of(uint64_t distance)
{
	uint64_t tolerance = distance / 100;

	return tolerance < 1000 ? 1000 : (int64_t)tolerance;
}

static bool
check_clock(struct session *s, const struct sampler *sampler, int64_t limit,
            int status)
{
	const char *ifname = sampler->port->ifname;
	int64_t offset = 0;
	int error = sampler->system->clock_offset(sampler->port, &offset);
	uint64_t real, tai;

	if (error)
		return fail(s, status, "%s: its clock cannot be read: %s",
		            ifname, strerror(error));
	if (offset >= -limit && offset <= limit)
		return true;
	/* phc2sys must add what the kernel has CLOCK_TAI ahead. */
	real = read_clock(CLOCK_REALTIME);
	tai = read_clock(CLOCK_TAI);
	return fail(s, status,
	            "%s: its clock is not synchronised: %" PRId64
	            " ns from CLOCK_TAI, %" PRId64
	            " may be: phc2sys -s CLOCK_REALTIME -c %s -S 1 -O %ld",
	            ifname, offset, limit, ifname,
	            (long)((tai - real) / UINT64_C(1000000000)));
}

bool
sampler_check_clock(struct session *s, const struct sampler *sampler,
                    int status)
{
	return check_clock(s, sampler, tolerance_of(sampler->least), status);
}

/*
 * If its launch time moved, the packet was read too early, from an awake CPU,
 * or is not read yet.
 */
static bool
was_on_time(struct session *s, const struct sampler *sampler, uint64_t distance)
{
	return check_clock(s, sampler, 10 * tolerance_of(distance),
	                   STATUS_TROUBLE);
}

/* A change of the interface explains all other errors. */
static bool
is_as_before(struct session *s, const struct sampler *sampler)
{
	const char *ifname = sampler->port->ifname;
	struct nic nic;
	int error = sampler->system->find(ifname, &nic);

	if (error == ENODEV)
		return fail(s, STATUS_TROUBLE, "%s is gone", ifname);
	if (error)
		return true;
	if (!nic.up)
		return fail(s, STATUS_TROUBLE, "%s went down", ifname);
	if (!nic.carrier)
		return fail(s, STATUS_TROUBLE, "%s lost its carrier", ifname);
	return true;
}

static bool
fail_port(struct session *s, const struct sampler *sampler, const char *what,
          int error)
{
	return is_as_before(s, sampler) &&
	       fail(s, STATUS_TROUBLE, "%s: %s: %s", sampler->port->ifname,
	            what, strerror(error));
}

static bool
read_delay(struct session *s, const struct sampler *sampler, uint32_t *units)
{
	int error = sampler->system->read_delay(sampler->port, units);

	if (error)
		return fail_port(s, sampler, "reading its registers", error);
	if (*units == UINT32_MAX)
		return fail(s, STATUS_TROUBLE,
		            "%s: its registers read all ones: the device is "
		            "gone or does not answer",
		            sampler->port->ifname);
	return true;
}

static enum outcome
attempt(struct session *s, struct sampler *sampler, uint64_t distance,
        uint32_t *units)
{
	const struct nic_system *system = sampler->system;
	uint64_t start;
	uint32_t old;
	int error;

	/* A packet left by an interruption must not count as this one. */
	if (sampler->tx_done_ns > system->now() &&
	    system->sleep_until(sampler->tx_done_ns))
		return STOPPED;
	cache_thrash(&sampler->thrash);
	if (!read_delay(s, sampler, &old))
		return FAILED;
	start = system->now();
	error = system->send(sampler->port, start + distance);
	/* A packet that is late is refused, and comes back as well. */
	if (error == ENOBUFS && system->missed(sampler->port))
		return MISSED;
	if (error) {
		fail_port(s, sampler, "sending", error);
		return FAILED;
	}
	/* Sleeps until the launch time and a tenth longer. */
	sampler->tx_done_ns = start + distance + distance / 10;
	if (system->sleep_until(sampler->tx_done_ns))
		return STOPPED;
	sampler->tx_done_ns = 0;
	if (system->missed(sampler->port))
		return MISSED;
	if (!read_delay(s, sampler, units))
		return FAILED;
	return *units ? MEASURED : ZERO;
}

/* Repeats the same distance while launches are missed. */
static enum outcome
attempts(struct session *s, struct sampler *sampler, uint64_t distance,
         uint32_t *units)
{
	for (unsigned i = 0; i <= MISSED_MAX; i++) {
		enum outcome outcome = attempt(s, sampler, distance, units);

		if (outcome != MISSED)
			return outcome;
		sampler->missed++;
	}
	if (is_as_before(s, sampler))
		fail(s, STATUS_TROUBLE,
		     "%s: %d launches in a row were missed: the machine is too "
		     "busy, or the distance too short",
		     sampler->port->ifname, MISSED_MAX + 1);
	return FAILED;
}

bool
sampler_take(struct session *s, struct sampler *sampler, uint64_t raw[2],
             bool *taken)
{
	uint64_t distance =
	    sampler->least +
	    random_below(&sampler->random, sampler->most - sampler->least + 1);
	uint32_t units = 0;

	*taken = false;
	switch (attempts(s, sampler, distance, &units)) {
	case MEASURED:
		if (!was_on_time(s, sampler, distance))
			return false;
		sampler->zeroes_in_row = 0;
		raw[0] = distance * 1000;
		raw[1] = (uint64_t)units * I210_UNIT_NS * 1000;
		*taken = true;
		return true;
	case ZERO:
		/*
		 * Nothing was read, or not yet, or somebody else has read and
		 * so cleared the register.
		 */
		sampler->zeroes++;
		sampler->zeroes_in_row++;
		if (!is_as_before(s, sampler) ||
		    !was_on_time(s, sampler, distance))
			return false;
		return sampler->zeroes_in_row < ZEROES_MAX ||
		       fail(s, STATUS_TROUBLE,
		            "%s: the NIC measured no delay %d times in a row: "
		            "its packets are not sent, or another program "
		            "reads its registers, which clears them (ethtool "
		            "-d)",
		            sampler->port->ifname, ZEROES_MAX);
	case STOPPED:
		return true;
	default:
		return false;
	}
}
